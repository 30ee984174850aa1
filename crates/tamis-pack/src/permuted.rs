//! An ordinary archive with its records in another order, which any tool can read.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZero;
use std::path::Path;

use flate2::write::GzEncoder;
use libdeflater::{CompressionLvl, Compressor};
use tamis_files::part_file;

use super::plan::{Plan, with_descriptions_first};
use super::write::{folder_of, permute, sync_folder};
use tamis_files::parallel;

use super::{Error, Result, Survey};

/// The level of gzip that most archives have.
const LEVEL: i32 = 6;

/// Records larger than this are compressed piece by piece.
const WHOLE: u64 = 16 << 20;

/// So many bytes of records are compressed between two writes.
const BATCH_BYTES: u64 = 32 << 20;

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Permuted {
    /// The length of the new archive.
    pub len: u64,
    /// How many records it has.
    pub records: u64,
    /// How many bytes of the old one are not in it: what is no record.
    pub left_out: u64,
}

/// Writes the records of an archive in another order, a gzip member a record. What describes the file (`warcinfo`, `filedesc`) stays in front.
///
/// Memory: `segment_bytes` and an eighth, 64 MiB, and 2 MiB for each of the jobs; more content than that goes to unnamed files.
pub fn write_permuted(
    survey: &Survey,
    order: &[u32],
    path: impl AsRef<Path>,
    jobs: NonZero<usize>,
    segment_bytes: u64,
) -> Result<Permuted> {
    let path = path.as_ref();
    let plan = Plan::new(survey, &with_descriptions_first(survey, order))?;
    let file = part_file(path).map_err(Error::io(path))?;
    let ends = plan.segment_ends(segment_bytes.max(1 << 20));
    let parts = permute(survey, &plan, ends, folder_of(path))?;
    let mut writer = Writer {
        out: BufWriter::with_capacity(1 << 20, file.as_file()),
        path,
        compressors: (0..jobs.get())
            .map(|_| Compressor::new(CompressionLvl::new(LEVEL).unwrap_or_default()))
            .collect(),
        lens: plan.sequence.iter().map(|&unit| survey.units[unit as usize].len).take(order.len()).collect(),
        next: 0,
        whole: Vec::new(),
        stream: None,
        left: 0,
        batch: Vec::new(),
        batch_bytes: 0,
        written: Permuted::default(),
    };
    for part in parts.into_parts() {
        writer.push(&part.map_err(Error::io(path))?)?;
    }
    writer.flush()?;
    writer.out.flush().map_err(Error::io(path))?;
    let mut written = writer.written;
    drop(writer);
    written.left_out = survey.units.iter().filter(|unit| !unit.kind.is_record()).map(|unit| unit.len).sum();
    written.len = file.as_file().metadata().map_err(Error::io(path))?.len();
    file.as_file().sync_all().map_err(Error::io(path))?;
    file.persist(path).map_err(|error| Error::io(path)(error.error))?;
    sync_folder(path);
    Ok(written)
}

struct Writer<'a> {
    out: BufWriter<&'a File>,
    path: &'a Path,
    compressors: Vec<Compressor>,
    /// The lengths of the records in their new order.
    lens: Vec<u64>,
    next: usize,
    whole: Vec<u8>,
    stream: Option<GzEncoder<Vec<u8>>>,
    /// How much of the record is to come.
    left: u64,
    batch: Vec<Vec<u8>>,
    batch_bytes: u64,
    written: Permuted,
}

impl Writer<'_> {
    fn push(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            if self.left == 0 && !self.begin()? {
                // What is no record is left out.
                return Ok(());
            }
            let (now, later) = bytes.split_at(self.left.min(bytes.len() as u64) as usize);
            self.left -= now.len() as u64;
            self.take(now)?;
            bytes = later;
        }
        Ok(())
    }

    /// Begins the next record; false if there is none.
    fn begin(&mut self) -> Result<bool> {
        let Some(&len) = self.lens.get(self.next) else { return Ok(false) };
        self.next += 1;
        self.left = len;
        if len > WHOLE {
            self.flush()?;
            self.stream = Some(GzEncoder::new(Vec::new(), flate2::Compression::new(LEVEL as u32)));
        }
        Ok(true)
    }

    fn take(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some(stream) = &mut self.stream {
            stream.write_all(bytes).map_err(Error::io(self.path))?;
            let made = std::mem::take(stream.get_mut());
            self.out.write_all(&made).map_err(Error::io(self.path))?;
        } else {
            self.whole.extend_from_slice(bytes);
        }
        if self.left > 0 {
            return Ok(());
        }
        self.written.records += 1;
        if let Some(stream) = self.stream.take() {
            let made = stream.finish().map_err(Error::io(self.path))?;
            return self.out.write_all(&made).map_err(Error::io(self.path));
        }
        self.batch_bytes += self.whole.len() as u64;
        self.batch.push(std::mem::take(&mut self.whole));
        if self.batch_bytes >= BATCH_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let batch = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        let made = parallel::map(&mut self.compressors, &batch, |compressor, _, record| {
            let mut out = vec![0; compressor.gzip_compress_bound(record.len())];
            let len = compressor.gzip_compress(record, &mut out).ok()?;
            out.truncate(len);
            Some(out)
        });
        for member in made {
            let member = member.ok_or(Error::Codec("libdeflate fails to compress a record"))?;
            self.out.write_all(&member).map_err(Error::io(self.path))?;
        }
        Ok(())
    }
}
