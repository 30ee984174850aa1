//! The files of the corpus while they are written: gzip and plain side by side.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use data_encoding::HEXLOWER;
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use sha1::{Digest, Sha1};

/// What stands in the files when they are done.
pub(crate) struct Made {
    pub(crate) records: u64,
    pub(crate) packed_bytes: u64,
    pub(crate) plain_bytes: u64,
    pub(crate) plain_sha1: String,
}

/// Writes each record to both files. They carry `.part` until they are whole.
pub(crate) struct Sink {
    folder: PathBuf,
    name: &'static str,
    packed: BufWriter<File>,
    plain: BufWriter<File>,
    member: Vec<u8>,
    digest: Sha1,
    made: Made,
}

impl Sink {
    pub(crate) fn create(folder: &Path, name: &'static str) -> Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            name,
            packed: BufWriter::new(File::create(folder.join(format!("{name}.warc.gz.part")))?),
            plain: BufWriter::new(File::create(folder.join(format!("{name}.warc.part")))?),
            member: Vec::new(),
            digest: Sha1::new(),
            made: Made { records: 0, packed_bytes: 0, plain_bytes: 0, plain_sha1: String::new() },
        })
    }

    pub(crate) fn record(&mut self, record: &[u8]) -> Result<()> {
        self.member.clear();
        let mut gzip: GzEncoder<&mut Vec<u8>> =
            GzBuilder::new().mtime(0).write(&mut self.member, Compression::new(6));
        gzip.write_all(record)?;
        gzip.finish()?;
        self.packed.write_all(&self.member)?;
        self.plain.write_all(record)?;
        self.digest.update(record);
        self.made.records += 1;
        self.made.packed_bytes += self.member.len() as u64;
        self.made.plain_bytes += record.len() as u64;
        Ok(())
    }

    pub(crate) fn packed_bytes(&self) -> u64 {
        self.made.packed_bytes
    }

    pub(crate) fn finish(mut self) -> Result<Made> {
        self.packed.flush()?;
        self.plain.flush()?;
        for end in ["warc.gz", "warc"] {
            let path = self.folder.join(format!("{}.{end}", self.name));
            fs::rename(format!("{}.part", path.display()), path)?;
        }
        self.made.plain_sha1 = HEXLOWER.encode(&self.digest.finalize());
        Ok(self.made)
    }
}
