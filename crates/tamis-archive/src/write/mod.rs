//! Writing WARC 1.0 and 1.1: plain, a gzip member a record, or a zstd frame a record.
//!
//! [`NewRecord`] says what a record is, [`Writer`] appends records to any stream and tells where each one lies,
//! [`RollingWriter`] fills a folder with archives of a bounded size, and [`recover_open`] makes sound again what a
//! crash left behind.
//!
//! The same records and options give the same bytes: nothing here reads a clock or draws a random number. Record
//! ids come from the caller, or from a seed and the record itself ([`WriterOptions::id_seed`]).
//!
//! Memory: a writer holds at most [`WriterOptions::memory_limit`] bytes of a record and as much again for its
//! compressed form. What is larger goes through a temporary file.

mod block;
mod block_digests;
mod compression;
mod dictionary;
mod encoder;
mod gzip_member;
mod head_text;
mod open_file;
mod options;
#[cfg(test)]
mod proptests;
mod raw_head;
mod record;
mod record_id;
mod recover;
mod rolling;
mod sound_length;
mod spool;
mod terms;
#[cfg(test)]
mod test_reader;
mod writer;
mod zstd_frame;

pub use block::Block;
pub use block_digests::DigestAlgorithm;
pub use compression::Compression;
pub use dictionary::{Dictionary, DictionaryForm};
pub use head_text::warc_fields;
pub use options::WriterOptions;
pub use raw_head::with_version;
pub use record::NewRecord;
pub use record_id::RecordId;
pub use recover::{Recovered, Recovery, recover_open};
pub use rolling::{RollingOptions, RollingWriter};
pub use sound_length::whole_len;
pub use spool::Spool;
pub use terms::{RevisitProfile, Truncation, WarcVersion};
pub use writer::{Writer, Written};
