//! What is wrong with an archive, and where.

use std::fmt;

/// One thing wrong with an archive. Reading goes on behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Byte offset in the file as it is stored: of the compressed member, or of the record in a plain file.
    pub offset: u64,
    /// What is wrong there.
    pub kind: FaultKind,
}

/// How much a fault matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, breaks no rule: several records share one gzip member.
    Note,
    /// Breaks the standard, but every byte is there.
    Violation,
    /// Bytes are missing, changed, or cannot be told apart from their neighbours.
    Damage,
}

/// The kinds of faults. [`FaultKind::code`] names each for counting.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The file holds no bytes at all, or none that belong to a record.
    NoRecords,
    /// A compressed member ends before its end marker.
    MemberTruncated {
        /// `gzip` or `zstd`.
        codec: &'static str,
    },
    /// A compressed member does not decode, or its checksum differs.
    MemberCorrupt {
        /// `gzip` or `zstd`.
        codec: &'static str,
        /// What the decoder said.
        why: &'static str,
    },
    /// Bytes between compressed members that start none.
    MemberGarbage {
        /// How many bytes were passed over.
        len: u64,
    },
    /// Compressed data with nothing inside.
    MemberEmpty,
    /// Several records in one compressed member: none but the first can be found by its offset.
    MemberShared,
    /// A zstd frame needs a dictionary that the file does not carry.
    DictionaryMissing,
    /// Bytes of an archive that a file holds in another form cannot be had.
    HeldDamaged {
        /// How many.
        len: u64,
        /// Which part of the file is damaged, and where it is.
        what: String,
    },
    /// Bytes between records that belong to none.
    Garbage {
        /// How many decoded bytes were passed over.
        len: u64,
    },
    /// A version line that no standard defines.
    BadVersion(String),
    /// The lines of the header end in LF, not in CRLF.
    BareLf,
    /// A header block without an end.
    HeadTruncated,
    /// A header block larger than the reader takes.
    HeadTooLong,
    /// Header lines without a colon or a name.
    BadHeaderLine {
        /// How many such lines the header block has.
        count: u32,
    },
    /// No usable length of the block.
    BadContentLength(String),
    /// The block ends before its length is reached.
    BlockTruncated {
        /// The length that the header claims.
        claimed: u64,
        /// The bytes that are there.
        found: u64,
    },
    /// The block goes on after its length is reached.
    BlockOverlong {
        /// The bytes behind its length, up to the next record.
        extra: u64,
    },
    /// The two line ends that close a record are not both there.
    MissingRecordEnd,
    /// A digest that the record states is not that of its bytes.
    DigestMismatch {
        /// The header field: `WARC-Block-Digest` or `WARC-Payload-Digest`.
        field: &'static str,
        /// The digest the record states.
        stated: String,
        /// The digest of the bytes, in the spelling of the stated one.
        actual: String,
    },
    /// A rule of the standard is broken by a header field.
    Rule {
        /// A short name of the rule, for counting: `missing-field`, `bad-date`, …
        code: &'static str,
        /// The field and what is wrong with it.
        detail: String,
    },
}

impl FaultKind {
    /// A short stable name, for counting faults by kind.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoRecords => "no-records",
            Self::MemberTruncated { .. } => "member-truncated",
            Self::MemberCorrupt { .. } => "member-corrupt",
            Self::MemberGarbage { .. } => "member-garbage",
            Self::MemberEmpty => "member-empty",
            Self::MemberShared => "member-shared",
            Self::DictionaryMissing => "dictionary-missing",
            Self::HeldDamaged { .. } => "held-damaged",
            Self::Garbage { .. } => "garbage",
            Self::BadVersion(_) => "bad-version",
            Self::BareLf => "bare-lf",
            Self::HeadTruncated => "head-truncated",
            Self::HeadTooLong => "head-too-long",
            Self::BadHeaderLine { .. } => "bad-header-line",
            Self::BadContentLength(_) => "bad-content-length",
            Self::BlockTruncated { .. } => "block-truncated",
            Self::BlockOverlong { .. } => "block-overlong",
            Self::MissingRecordEnd => "missing-record-end",
            Self::DigestMismatch { .. } => "digest-mismatch",
            Self::Rule { code, .. } => code,
        }
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        match self {
            Self::MemberEmpty | Self::MemberShared => Severity::Note,
            Self::Rule { code, .. } if crate::is_advice(code) => Severity::Note,
            Self::BadVersion(_)
            | Self::BareLf
            | Self::BadHeaderLine { .. }
            | Self::MissingRecordEnd
            | Self::Rule { .. } => Severity::Violation,
            _ => Severity::Damage,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: {}", self.offset, self.kind)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRecords => write!(f, "no record found"),
            Self::MemberTruncated { codec } => write!(f, "{codec} member ends early"),
            Self::MemberCorrupt { codec, why } => write!(f, "{codec} member is corrupt: {why}"),
            Self::MemberGarbage { len } => write!(f, "{len} bytes outside compressed members"),
            Self::MemberEmpty => write!(f, "compressed member is empty"),
            Self::MemberShared => write!(f, "several records share one compressed member"),
            Self::DictionaryMissing => {
                write!(f, "zstd frame needs a dictionary that the file does not carry")
            }
            Self::HeldDamaged { len: 0, what } => f.write_str(what),
            Self::HeldDamaged { len, what } => write!(f, "{what}: {len} bytes cannot be read"),
            Self::Garbage { len } => write!(f, "{len} bytes outside records"),
            Self::BadVersion(line) => write!(f, "unknown version {line:?}"),
            Self::BareLf => write!(f, "header lines end in LF instead of CRLF"),
            Self::HeadTruncated => write!(f, "record header has no end"),
            Self::HeadTooLong => write!(f, "record header is too long"),
            Self::BadHeaderLine { count } => write!(f, "{count} header lines without a name and a colon"),
            Self::BadContentLength(value) if value.is_empty() => write!(f, "Content-Length is missing"),
            Self::BadContentLength(value) => write!(f, "Content-Length {value:?} is not a length"),
            Self::BlockTruncated { claimed, found } => {
                write!(f, "block ends after {found} of {claimed} bytes")
            }
            Self::BlockOverlong { extra } => write!(f, "block continues for {extra} bytes after its length"),
            Self::MissingRecordEnd => write!(f, "record is not closed by two line ends"),
            Self::DigestMismatch { field, stated, actual } => {
                write!(f, "{field} says {stated}, the bytes have {actual}")
            }
            Self::Rule { detail, .. } => f.write_str(detail),
        }
    }
}
