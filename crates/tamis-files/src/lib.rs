//! Files that appear whole, sorts larger than memory, and ordered parallel maps.
//!
//! [`whole`] writes a file under a temporary name and renames it when it is complete. [`sort`] sorts byte strings and keyed
//! entries in bounded memory. [`parallel`] maps a list with several threads and keeps its order; [`Turns`] does the same for streams
//! of messages. The crate knows nothing of the web.

mod error;
pub mod parallel;
mod part_file;
pub mod sort;
mod turns;
pub mod whole;

use std::path::PathBuf;

pub use error::{Error, Result};
pub use part_file::{is_part_name, part_file, private_part_file};
pub use turns::{Receiver, Turns, Worker};

/// Memory and disk space that a job may use.
#[derive(Clone, Debug)]
pub struct Space {
    /// The folder of temporary files. They have no names and vanish with the process.
    pub folder: PathBuf,
    /// Bytes of memory.
    pub memory_bytes: usize,
}
