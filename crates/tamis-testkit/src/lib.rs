//! For tests and benches of tamis.
//!
//! - [`ArchiveBuilder`] puts an archive together out of [`Record`]s and of what has no place in one. It is on purpose
//!   independent of our own writer: what both got wrong in the same way would pass unseen.
//! - [`member`] compresses, soundly and not; [`arc`] and [`warc09`] make the older formats.
//! - [`Scene`] runs a whole command in a folder of its own and compares all it said with a file.
//! - [`real_data`] finds the archives of others, where they are unpacked.
//! - [`replay`] goes over what fuzzing found worth keeping; [`Full`] is a disk without room; [`cpu_seconds`] says what work costs.

mod archive;
mod cpu;
mod diff;
mod full;
mod fuzz_corpus;
mod real;
mod record;
mod scene;

pub mod arc;
pub mod member;
pub mod warc09;

pub use archive::ArchiveBuilder;
pub use cpu::cpu_seconds;
pub use full::Full;
pub use fuzz_corpus::replay;
pub use real::real_data;
pub use record::{Record, http_response};
pub use scene::{Ran, Scene};

/// The moment at which all made-up records were fetched.
pub const DATE: &str = "2024-02-29T12:34:56Z";
/// The same moment in the digits of ARC and CDX.
pub const DATE_DIGITS: &str = "20240229123456";
