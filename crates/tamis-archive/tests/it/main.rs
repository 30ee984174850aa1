//! The crate against real archives and against itself, from outside.

mod http_archives;
mod real_data;
//! Tests of the whole crate, on real data where it is at hand.

mod data;
mod surt_vectors;
