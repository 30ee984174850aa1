//! One record in its stored form, whatever the compression.

use std::io::{self, Read, Write};

use super::Compression;
use super::gzip_member::GzipMember;
use super::spool::Spool;
use super::zstd_frame::ZstdFrame;

/// Stores records, using its memory again for each.
pub(super) enum Encoder {
    Plain,
    Gzip(GzipMember),
    Zstd(ZstdFrame),
}

/// Where the block of a record is.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Bytes(&'a [u8]),
    Spooled,
}

/// The pieces of a record to be stored.
pub(super) struct Pieces<'a> {
    pub(super) head: &'a [u8],
    pub(super) source: Source<'a>,
    pub(super) end: &'a [u8],
    pub(super) block_len: u64,
}

impl Encoder {
    pub(super) fn new(compression: &Compression) -> io::Result<Self> {
        Ok(match compression {
            Compression::Plain => Self::Plain,
            Compression::Gzip { level, skip_lengths } => Self::Gzip(GzipMember::new(*level, *skip_lengths)),
            Compression::Zstd { level, dictionary } => {
                Self::Zstd(ZstdFrame::new(*level, dictionary.as_ref())?)
            }
        })
    }

    /// Writes a record and gives its stored length. `spools` are one for the block and one for the encoder's own use.
    pub(super) fn store(
        &mut self,
        pieces: &Pieces<'_>,
        [block, scratch]: [&mut Spool; 2],
        out: &mut dyn Write,
    ) -> io::Result<u64> {
        let Pieces { head, source, end, block_len } = *pieces;
        let len = head.len() as u64 + block_len + end.len() as u64;
        if let Self::Plain = self {
            store_plain(pieces, block, out)?;
            return Ok(len);
        }
        if let Source::Bytes(bytes) = source {
            if block.fits(bytes.len()) {
                block.clear();
                block.write_all(bytes)?;
            } else {
                let mut record = head.chain(bytes).chain(end);
                return self.streamed(&mut record, len, scratch, out);
            }
        }
        if let Some(record) = block.join(head, end) {
            let stored = self.whole(record)?;
            out.write_all(stored)?;
            return Ok(stored.len() as u64);
        }
        let mut record = head.chain(block.reader()?).chain(end);
        self.streamed(&mut record, len, scratch, out)
    }

    fn whole<'a>(&'a mut self, record: &'a [u8]) -> io::Result<&'a [u8]> {
        match self {
            Self::Plain => Ok(record),
            Self::Gzip(gzip) => gzip.whole(record),
            Self::Zstd(zstd) => zstd.whole(record),
        }
    }

    fn streamed(
        &mut self,
        record: &mut dyn Read,
        len: u64,
        scratch: &mut Spool,
        out: &mut dyn Write,
    ) -> io::Result<u64> {
        match self {
            Self::Plain => io::copy(record, out),
            Self::Gzip(gzip) => gzip.streamed(record, len, scratch, out),
            Self::Zstd(zstd) => zstd.streamed(record, len, out),
        }
    }
}

/// Bytes at hand go out without being copied together.
fn store_plain(pieces: &Pieces<'_>, block: &mut Spool, out: &mut dyn Write) -> io::Result<()> {
    match pieces.source {
        Source::Bytes(bytes) => {
            out.write_all(pieces.head)?;
            out.write_all(bytes)?;
            out.write_all(pieces.end)
        }
        Source::Spooled => {
            if let Some(record) = block.join(pieces.head, pieces.end) {
                return out.write_all(record);
            }
            out.write_all(pieces.head)?;
            io::copy(&mut block.reader()?, out)?;
            out.write_all(pieces.end)
        }
    }
}
