//! The crate against real archives and against itself, from outside.

mod archives;
mod captures;
mod cdx_files;
mod data;
mod examples;
mod fuzz_corpus;
mod http_archives;
mod ranges;
mod rewriting;
mod surt_vectors;
mod wacz_packages;
mod wet;
