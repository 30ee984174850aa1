//! How records are stored.

use super::Dictionary;
use crate::{Error, Result};

/// How records are stored. Whatever the choice, each can be read alone from its offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compression {
    /// As they are.
    Plain,
    /// A gzip member a record (ISO 28500:2017, annex D).
    Gzip {
        /// 0 (stored) to 12 (smallest and slowest), on libdeflate's scale.
        level: u8,
        /// Whether each member tells its lengths in an `sl` extra field, so that a reader can step over it.
        skip_lengths: bool,
    },
    /// A zstd frame a record (IIPC, "Zstandard Compression for WARC Files 1.0").
    Zstd {
        /// On zstd's scale: 1 to 22, and below 1 for more speed.
        level: i32,
        /// What the frames may refer to; it stands at the beginning of each file.
        dictionary: Option<Dictionary>,
    },
}

impl Compression {
    /// Gzip at the level that most archives have.
    pub const GZIP: Self = Self::Gzip { level: 6, skip_lengths: false };

    /// The usual end of a file's name: `.warc`, `.warc.gz`, `.warc.zst`.
    pub fn suffix(&self) -> &'static str {
        match self {
            Self::Plain => ".warc",
            Self::Gzip { .. } => ".warc.gz",
            Self::Zstd { .. } => ".warc.zst",
        }
    }

    /// What stands before the first record of a file: the frame of the dictionary, or nothing.
    pub fn preamble(&self) -> Result<Vec<u8>> {
        match self {
            Self::Zstd { dictionary: Some(dictionary), .. } => dictionary.frame().map_err(Error::io("-")),
            _ => Ok(Vec::new()),
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        let refused =
            |what, level: i32, why: String| Err(Error::Value { what, value: level.to_string(), why });
        match self {
            Self::Gzip { level, .. } if *level > 12 => {
                refused("gzip level", i32::from(*level), "not in 0 to 12".into())
            }
            Self::Zstd { level, .. } if !zstd::compression_level_range().contains(level) => {
                let range = zstd::compression_level_range();
                refused("zstd level", *level, format!("not in {} to {}", range.start(), range.end()))
            }
            _ => Ok(()),
        }
    }
}

impl Default for Compression {
    fn default() -> Self {
        Self::GZIP
    }
}
