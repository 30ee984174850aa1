//! The crate against real archives and against itself, from outside.

mod http_archives;
mod real_data;
