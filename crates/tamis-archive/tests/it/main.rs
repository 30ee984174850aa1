//! The crate against real archives and against itself, from outside.

mod data;
mod http_archives;
mod surt_vectors;
