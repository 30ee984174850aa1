//! Terms of the standard that a writer chooses among.

use crate::{Timestamp, Version};

/// The version of WARC to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WarcVersion {
    /// ISO 28500:2009. Dates are cut to whole seconds.
    V1_0,
    /// ISO 28500:2017. Dates keep their fractions.
    #[default]
    V1_1,
}

/// Why a revisit record stands for a page that was stored before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RevisitProfile {
    /// The payload has the digest of one that is stored already; the digest must be given.
    IdenticalPayloadDigest,
    /// The server answered that nothing has changed.
    ServerNotModified,
}

/// Why a block is shorter than what there was to store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Truncation {
    /// It exceeded a length.
    Length,
    /// It took too long.
    Time,
    /// The connection ended.
    Disconnect,
    /// For another reason.
    Unspecified,
}

impl RevisitProfile {
    pub(super) fn uri(self, version: WarcVersion) -> &'static str {
        match (self, version) {
            (Self::IdenticalPayloadDigest, WarcVersion::V1_0) => {
                "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
            }
            (Self::IdenticalPayloadDigest, WarcVersion::V1_1) => {
                "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
            }
            (Self::ServerNotModified, WarcVersion::V1_0) => {
                "http://netpreserve.org/warc/1.0/revisit/server-not-modified"
            }
            (Self::ServerNotModified, WarcVersion::V1_1) => {
                "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
            }
        }
    }
}

impl Truncation {
    /// The value of `WARC-Truncated`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Time => "time",
            Self::Disconnect => "disconnect",
            Self::Unspecified => "unspecified",
        }
    }
}

impl WarcVersion {
    /// The date as this version writes it: 1.0 has whole seconds, neither more nor less.
    pub(super) fn date(self, date: Timestamp) -> Timestamp {
        match self {
            Self::V1_0 => date.to_seconds(),
            Self::V1_1 => date,
        }
    }
}

impl From<WarcVersion> for Version {
    fn from(version: WarcVersion) -> Self {
        match version {
            WarcVersion::V1_0 => Self::Warc(1, 0),
            WarcVersion::V1_1 => Self::Warc(1, 1),
        }
    }
}
