//! Orders in which pages compress well, and packs: an archive whose similar records lie side by side, compressed together, with an index; and back, every byte of the
//! original file.
//!
//! [`Survey`] goes over an archive once: it takes the file apart so that it can be made again, and finds the records. [`pack`] writes them
//! in any order of their numbers. [`Pack`] reads: a record by its number, by its offset in the original file, by its URL; or the
//! whole file. [`write_permuted`] writes an ordinary archive in the new order instead.
//!
//! The format is described in `docs/formats/pack.md`. The same archive, order and options give the same bytes for any number of threads.

mod block;
mod bytes;
#[cfg(test)]
mod bytes_tests;
mod cache;
mod check;
mod chunk;
mod chunk_writer;
mod codec;
mod coding;
mod contents;
mod cost;
mod damage;
mod deflate;
mod dictionary;
mod error;
mod find_records;
mod gzip_header;
#[cfg(test)]
mod hostile_tests;
mod inner;
mod large;
mod lookup;
#[cfg(test)]
mod lookup_tests;
mod open;
pub mod order;
mod pages;
mod permuted;
mod plan;
mod profile;
mod recognise;
mod records;
mod restore;
mod root;
mod salvage;
mod scatter;
mod split;
mod survey;
mod tables;
#[cfg(test)]
mod tests;
mod varint;
mod verify;
mod walk;
mod write;
mod zlib;
mod zstd_frame;

pub use bytes::open_bytes;
pub use chunk::ChunkKind;
pub use damage::{Damage, Part};
pub use error::{Error, NoRecords, Result};
pub use lookup::{PackedRecord, UrlMatches};
pub use open::{Pack, PackFacts};
pub use permuted::{Permuted, write_permuted};
pub use profile::{PackOptions, Profile};
pub use records::Kind;
pub use restore::RestoreOptions;
pub use survey::{RecordFacts, Survey};
pub use write::{Packed, pack};
