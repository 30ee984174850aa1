//! How records are stored, as a user names it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::anyhow;
use clap::ValueEnum;
use tamis_archive::write::{Compression, Dictionary};
use tamis_archive::{Codec, Source};

use crate::hint::WithHint;

/// How records are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// One gzip member per record.
    Gz,
    /// One zstd frame per record.
    Zst,
    /// Uncompressed.
    Plain,
}

impl Form {
    /// What a file's name promises.
    pub(super) fn of_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "gz" => Some(Self::Gz),
            "zst" | "zstd" => Some(Self::Zst),
            "warc" | "wet" | "wat" => Some(Self::Plain),
            _ => None,
        }
    }

    /// How an input is stored, by its first bytes; gzip, where they cannot be seen beforehand.
    pub(super) fn of_source(source: &Source) -> Self {
        let mut magic = [0; 4];
        let is_seen = match source.own_path() {
            Some(path) if source.len().is_some() => {
                File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok())
            }
            _ => false,
        };
        match Codec::of(&magic) {
            Codec::Plain if is_seen => Self::Plain,
            Codec::Zstd => Self::Zst,
            Codec::Plain | Codec::Gzip => Self::Gz,
        }
    }

    /// What the name of such a file ends in.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Gz => ".gz",
            Self::Zst => ".zst",
            Self::Plain => "",
        }
    }

    /// The compression at this level, or at the usual one.
    pub(super) fn compression(
        self,
        level: Option<i32>,
        dictionary: Option<Dictionary>,
    ) -> anyhow::Result<Compression> {
        Ok(match (self, level) {
            (Self::Plain, None) => Compression::Plain,
            (Self::Plain, Some(_)) => {
                return Err(anyhow!("a plain archive has no compression level"))
                    .hint("omit `--level`, or add `--to gz` or `--to zst`");
            }
            (Self::Gz, None) => Compression::GZIP,
            (Self::Gz, Some(level)) => {
                let level = u8::try_from(level).ok().filter(|level| *level <= 12);
                let level = level.ok_or_else(|| anyhow!("gzip levels are 0 to 12"))?;
                Compression::Gzip { level, skip_lengths: false }
            }
            (Self::Zst, level) => Compression::Zstd { level: level.unwrap_or(3), dictionary },
        })
    }
}
