//! Web archives in and out.
//!
//! One reader for WARC 0.9 to 1.1, ARC, WET and WAT, whatever their compression; a writer; CDX, CDXJ and
//! ZipNum indexes; WACZ packages. The crate knows bytes, records and HTTP messages. It does not know HTML,
//! async or Arrow, reads no environment and no clock.
//!
//! Start with [`Reader`]: it lends one [`Record`] at a time without allocating for it, takes every sound
//! record out of a damaged file, and keeps a list of [`Fault`]s with their offsets.

mod arc;
mod block_sums;
mod boundary;
mod bytes;
pub mod captures;
pub mod cdx;
mod codec;
mod content;
pub mod convert;
mod digest;
mod door;
mod error;
mod fault;
mod fault_log;
mod fields;
mod file_record;
mod head;
mod head_lines;
mod head_parse;
pub mod http;
mod input;
mod last_magic;
mod members;
mod reader;
mod record;
pub mod repair;
mod revisit;
mod rules;
mod scan;
#[cfg(target_arch = "x86_64")]
mod sha1_lanes;
mod sha1_pair;
mod source;
pub mod surt;
mod timestamp;
mod verify;
pub mod wacz;
pub mod write;

pub use block_sums::{BlockSummer, BlockSums, Expected as ExpectedSums};
pub use bytes::{Bytes, Hole, KeyedRecords, PACK_MAGIC};
pub use codec::Codec;
pub use content::{Content, Payload, payload_digest, payload_mime, record_type};
pub use digest::{Algorithm, Digest, Hasher, StatedDigest, Unverifiable};
pub use door::{Door, Opener};
pub use error::{Error, Result};
pub use fault::{Fault, FaultKind, Severity};
pub use fault_log::{FaultCounts, Faults};
pub use fields::{Fields, FieldsReport};
pub use file_record::{FileRecord, FileRecordHead};
pub use head::{Head, RecordType, Version};
pub use reader::{Mode, Reader, Standing};
pub use record::{Body, MemberState, Record, RecordEnd};
pub use revisit::Reference;
pub use rules::{FileRules, HeadFacts, check_head, is_advice};
pub use scan::{Part, Piecewise, ScanOptions, scan};
pub use sha1_pair::sha1_pair;
pub use source::Source;
pub use surt::surt;
pub use timestamp::{Precision, Timestamp};
pub use verify::Verifier;
