//! Rows of a kept part: a Parquet file with columns of the captures of one range of an archive, in the archive's order.
//!
//! Every block of the file has a checksum in the manifest. What is read is verified before a row of it is handed on, so a
//! damaged part never gives a wrong row: the scan reads the archive in its place, from the first row group that failed.
//!
//! Memory: the stored bytes of the asked columns of one row group, and one batch.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::{Buf, Bytes};
use datafusion::arrow::array::{Array, AsArray, BooleanArray, RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::error::{DataFusionError, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
    RowSelection,
};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};

use super::heads::{Identity, Place};
use super::plan::Plan;
use super::{Context, evaluate};
use crate::build::Build;
use crate::column::{Append, Column, Id, schema_of};
use crate::footer::{check_metadata, contained};

/// The bytes that one checksum covers.
pub(crate) const BLOCK_BYTES: usize = 256 << 10;

/// A Parquet file with rows of an archive.
#[derive(Debug, Clone)]
pub struct PartFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// The CRC-32 of each block of it.
    pub blocks: Arc<[u32]>,
    /// The columns that it has and that may be read from it.
    pub columns: Arc<[&'static Column]>,
    /// Records of all kinds in its range of the archive.
    pub records: u64,
    /// Its rows.
    pub rows: u64,
    /// Pages that were larger than the limit when it was made, and so are cut in it.
    pub oversized: u64,
    /// Where in the archive the first record after its range begins.
    pub next_record: u64,
}

/// Why a part cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostPart {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// What can happen while rows of a part are read.
pub(super) enum Failure {
    /// The part is damaged: its row groups from here on have to come from the archive.
    Lost(LostPart),
    /// The query failed.
    Query(DataFusionError),
}

impl From<DataFusionError> for Failure {
    fn from(error: DataFusionError) -> Self {
        Failure::Query(error)
    }
}

/// The CRC-32 of each block of a file, and each block handed to `each`.
pub(crate) fn checksums(path: &Path, mut each: impl FnMut(&[u8])) -> io::Result<Vec<u32>> {
    let mut file = File::open(path)?;
    let mut block = Vec::with_capacity(BLOCK_BYTES);
    let mut sums = Vec::new();
    loop {
        block.clear();
        (&mut file).take(BLOCK_BYTES as u64).read_to_end(&mut block)?;
        if block.is_empty() {
            return Ok(sums);
        }
        sums.push(crc32fast::hash(&block));
        each(&block);
    }
}

/// The rows of a part, row group by row group.
pub(super) struct KeptRows {
    path: PathBuf,
    file: CheckedFile,
    metadata: ArrowReaderMetadata,
    next_group: usize,
    /// The rows of all groups that were begun.
    considered: u64,
    reader: Option<ParquetRecordBatchReader>,
}

impl KeptRows {
    pub(super) fn open(part: &PartFile) -> Result<Self, LostPart> {
        let lost = |reason: String| LostPart { path: part.path.clone(), reason };
        let file = CheckedFile::open(part).map_err(|error| lost(error.to_string()))?;
        let metadata = contained(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()));
        let metadata = metadata.map_err(lost)?.map_err(|error| lost(reason(&error)))?;
        check_metadata(metadata.metadata(), part.bytes).map_err(lost)?;
        let rows = metadata.metadata().file_metadata().num_rows();
        if rows != part.rows as i64 {
            return Err(lost(format!("it has {rows} rows, but the manifest says {}", part.rows)));
        }
        Ok(Self { path: part.path.clone(), file, metadata, next_group: 0, considered: 0, reader: None })
    }

    /// How many rows were looked at, those that a filter dropped among them.
    pub(super) fn considered(&self) -> u64 {
        self.considered
    }

    /// The next rows that pass the filter on kept columns, at most `most`: the kept columns of the plan, then the current
    /// ones. None at the end.
    pub(super) fn next(
        &mut self,
        plan: &Plan,
        rows: &Rows<'_>,
        most: usize,
    ) -> Result<Option<RecordBatch>, Failure> {
        let group = self.next_group;
        match contained(|| self.next_unless_it_panics(plan, rows, most)) {
            Ok(next) => next,
            // Rows of a group that was begun were handed on already, so the archive cannot give all of it again.
            Err(why) if self.reader.is_some() || self.next_group > group => {
                let why = format!("{}: {why}", self.path.display());
                Err(Failure::Query(DataFusionError::Execution(why)))
            }
            Err(reason) => Err(Failure::Lost(LostPart { path: self.path.clone(), reason })),
        }
    }

    fn next_unless_it_panics(
        &mut self,
        plan: &Plan,
        rows: &Rows<'_>,
        most: usize,
    ) -> Result<Option<RecordBatch>, Failure> {
        loop {
            if let Some(reader) = &mut self.reader {
                if let Some(batch) = reader.next() {
                    let batch = batch.map_err(|error| Failure::Query(error.into()))?;
                    return Ok(Some(rows.complete(&batch, &plan.kept, &plan.current)?));
                }
                self.reader = None;
            }
            let group = self.next_group;
            if group == self.metadata.metadata().num_row_groups() {
                return Ok(None);
            }
            let selection = match &plan.early_filter {
                None => None,
                Some(filter) => {
                    let mut masks: Vec<BooleanArray> = Vec::new();
                    for batch in self.read(group, &plan.early_kept, None, most)? {
                        let batch = batch.map_err(|error| Failure::Query(error.into()))?;
                        let batch = rows.complete(&batch, &plan.early_kept, &plan.early_current)?;
                        masks.push(evaluate(filter, &batch)?.into());
                    }
                    Some(RowSelection::from_filters(&masks))
                }
            };
            let is_empty = selection.as_ref().is_some_and(|selection| !selection.selects_any());
            if !is_empty {
                self.reader = Some(self.read(group, &plan.kept, selection, most)?);
            }
            self.next_group += 1;
            self.considered += self.metadata.metadata().row_group(group).num_rows().cast_unsigned();
        }
    }

    /// A reader of some columns of a row group, whose bytes are verified.
    fn read(
        &self,
        group: usize,
        columns: &[&'static Column],
        selection: Option<RowSelection>,
        batch_rows: usize,
    ) -> Result<ParquetRecordBatchReader, Failure> {
        let lost = |reason: String| Failure::Lost(LostPart { path: self.path.clone(), reason });
        let schema = self.metadata.parquet_schema();
        let roots = columns.iter().filter_map(|column| self.metadata.schema().index_of(column.name).ok());
        let mask = ProjectionMask::roots(schema, roots);
        let chunks = self.metadata.metadata().row_group(group).columns().iter().enumerate();
        let ranges = chunks.filter(|(leaf, _)| mask.leaf_included(*leaf)).map(|(_, chunk)| {
            let (start, length) = chunk.byte_range();
            start..start + length
        });
        let bytes = self.file.load(ranges).map_err(|error| lost(error.to_string()))?;
        let mut builder = ParquetRecordBatchReaderBuilder::new_with_metadata(bytes, self.metadata.clone())
            .with_row_groups(vec![group])
            .with_projection(mask)
            .with_batch_size(batch_rows);
        if let Some(selection) = selection {
            builder = builder.with_row_selection(selection);
        }
        builder.build().map_err(|error| lost(reason(&error)))
    }
}

/// What turns kept columns into rows: the columns that are always current.
pub(super) struct Rows<'s> {
    pub(super) file: &'s str,
    pub(super) context: &'s Context,
}

impl Rows<'_> {
    /// The kept columns in their order, then the current ones.
    fn complete(
        &self,
        batch: &RecordBatch,
        kept: &[&'static Column],
        current: &[&'static Column],
    ) -> Result<RecordBatch> {
        let missing =
            |column: &Column| DataFusionError::Internal(format!("no stored column {}", column.name));
        let find = |column: &Column| batch.column_by_name(column.name).ok_or_else(|| missing(column));
        let mut arrays = Vec::with_capacity(kept.len() + current.len());
        for column in kept {
            arrays.push(find(column)?.clone());
        }
        if !current.is_empty() {
            let places = places(batch).ok_or_else(|| missing(Column::of(Id::Offset)))?;
            let urls = batch.column_by_name("url").map(AsArray::as_string::<i32>);
            let mut builds: Vec<Build> = current.iter().map(|column| Build::new(column.kind)).collect();
            for (row, place) in places.enumerate() {
                let url = urls.filter(|urls| urls.is_valid(row)).map(|urls| urls.value(row));
                let identity = Identity { file: self.file, place, url, context: self.context };
                append_current(current, &identity, &mut builds);
            }
            arrays.extend(builds.iter_mut().map(Build::finish));
        }
        let schema = schema_of(&[kept, current].concat());
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?)
    }
}

/// Where the records of kept rows are; none if a column is missing.
pub(super) fn places(batch: &RecordBatch) -> Option<impl Iterator<Item = Place>> {
    let column = |id| batch.column_by_name(Column::of(id).name)?.as_primitive_opt::<Int64Type>();
    let offsets = column(Id::Offset)?.values().iter();
    let numbers = column(Id::InMember)?.values().iter();
    Some(
        offsets.zip(numbers).map(|(offset, number)| Place {
            offset: offset.cast_unsigned(),
            in_member: number.cast_unsigned(),
        }),
    )
}

/// Adds the values of current columns.
pub(super) fn append_current(columns: &[&'static Column], identity: &Identity<'_>, builds: &mut [Build]) {
    for (column, build) in columns.iter().zip(builds) {
        if let Append::Identity(append) | Append::OfUrl(append) = column.append {
            append(identity, build);
        }
    }
}

/// A file whose bytes are compared with checksums before they are used.
struct CheckedFile {
    file: File,
    bytes: u64,
    blocks: Arc<[u32]>,
}

impl CheckedFile {
    fn open(part: &PartFile) -> io::Result<Self> {
        let file = File::open(&part.path)?;
        let bytes = file.metadata()?.len();
        if bytes != part.bytes || bytes.div_ceil(BLOCK_BYTES as u64) != part.blocks.len() as u64 {
            return Err(damaged(format!("it has {bytes} bytes, but the manifest says {}", part.bytes)));
        }
        Ok(Self { file, bytes, blocks: part.blocks.clone() })
    }

    /// The bytes of some ranges, each verified.
    fn load(&self, ranges: impl Iterator<Item = Range<u64>>) -> io::Result<LoadedBytes> {
        let mut ranges: Vec<Range<u64>> = ranges.collect();
        ranges.sort_by_key(|range| range.start);
        let mut merged: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.start <= last.end + BLOCK_BYTES as u64 => {
                    last.end = last.end.max(range.end);
                }
                _ => merged.push(range),
            }
        }
        let load = |range: Range<u64>| Ok((range.start, self.verified(range)?));
        Ok(LoadedBytes { bytes: self.bytes, parts: merged.into_iter().map(load).collect::<io::Result<_>>()? })
    }

    /// The bytes of a range, read with the blocks that hold it.
    fn verified(&self, range: Range<u64>) -> io::Result<Bytes> {
        if range.start > range.end || range.end > self.bytes {
            return Err(damaged(format!("bytes {} to {} lie outside the file", range.start, range.end)));
        }
        let block = BLOCK_BYTES as u64;
        let first = range.start / block;
        let end = (range.end.div_ceil(block) * block).min(self.bytes);
        let mut buffer = vec![0; (end - first * block) as usize];
        let mut file = &self.file;
        // Each reader has its own file, so nobody else moves its position.
        file.seek(SeekFrom::Start(first * block))?;
        file.read_exact(&mut buffer)?;
        for (at, bytes) in (first..).zip(buffer.chunks(BLOCK_BYTES)) {
            if self.blocks.get(at as usize) != Some(&crc32fast::hash(bytes)) {
                return Err(damaged(format!("the block at offset {} fails its checksum", at * block)));
            }
        }
        let start = (range.start - first * block) as usize;
        Ok(Bytes::from(buffer).slice(start..start + (range.end - range.start) as usize))
    }
}

fn damaged(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// A Parquet error without the words around the reason.
fn reason(error: &ParquetError) -> String {
    match error {
        ParquetError::External(error) => error.to_string(),
        error => error.to_string(),
    }
}

impl Length for CheckedFile {
    fn len(&self) -> u64 {
        self.bytes
    }
}

/// For the footer.
impl ChunkReader for CheckedFile {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(self.verified(start..self.bytes).map_err(|error| ParquetError::External(error.into()))?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let range = start..start.saturating_add(length as u64);
        self.verified(range).map_err(|error| ParquetError::External(error.into()))
    }
}

/// Ranges of a file that are in memory.
struct LoadedBytes {
    bytes: u64,
    parts: Vec<(u64, Bytes)>,
}

impl LoadedBytes {
    fn from(&self, start: u64) -> ParquetResult<Bytes> {
        let at = self.parts.partition_point(|(begin, _)| *begin <= start);
        let (begin, bytes) = at.checked_sub(1).and_then(|at| self.parts.get(at)).ok_or_else(outside)?;
        let skip = (start - begin) as usize;
        if skip > bytes.len() { Err(outside()) } else { Ok(bytes.slice(skip..)) }
    }
}

fn outside() -> ParquetError {
    ParquetError::General("the footer points outside the requested columns".to_owned())
}

impl Length for LoadedBytes {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for LoadedBytes {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(self.from(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let bytes = self.from(start)?;
        if length > bytes.len() { Err(outside()) } else { Ok(bytes.slice(..length)) }
    }
}
