//! Parquet files that others read: zstd, statistics, page index, bloom filters where rows are looked up.
//!
//! Bytes depend on the rows alone, not on the batches they come in: whether a page is full is asked after each row, whether a
//! row group is, at the ends of blocks that depend on nothing but the rows.

use std::io::Write;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::{ArrowSchemaConverter, ArrowWriter};
use parquet::basic::{Compression, Encoding, Type, ZstdLevel};
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::{Sink, SinkError};
use crate::column::Column;

/// A block ends behind so many rows,
const BLOCK_ROWS: usize = 1024;
/// or behind the row that makes it so large.
const BLOCK_BYTES: usize = 4 << 20;
/// With addresses as below, level 2 gives the size of level 3 without, in three quarters of the time.
const ZSTD_LEVEL: i32 = 2;
/// Columns of addresses: many begin as the one before does, and only what differs is written.
const ADDRESSES: [&str; 7] = [
    "key",
    "webpage:url",
    "webpage:sub-urls",
    "capture:surt",
    "page:canonical-url",
    "page:image",
    "page:links",
];
/// Long texts that hardly ever come twice: a dictionary of them is given up after a megabyte, and nobody looks for the first of them.
const PROSE: [&str; 5] = ["text", "html", "comments", "before", "after"];
/// The columns rows are looked up by.
const LOOKED_UP: [&str; 3] = ["key", "webpage:url", "capture:digest"];
const FALSE_POSITIVES: f64 = 0.01;

/// How a Parquet file is written.
#[derive(Debug, Clone)]
pub struct ParquetOptions {
    /// A row group has no more rows.
    pub group_rows: usize,
    /// A row group ends behind the block that makes it so large, as written.
    pub group_bytes: usize,
    /// The columns that the rows are sorted by, if they are: ascending, nulls last.
    pub sorted_by: Vec<String>,
    /// What the file says about itself beside its schema, by key.
    pub about: Vec<(String, String)>,
}

impl Default for ParquetOptions {
    fn default() -> Self {
        Self { group_rows: 128 << 10, group_bytes: 32 << 20, sorted_by: Vec::new(), about: Vec::new() }
    }
}

/// Writes a Parquet file.
///
/// Memory: a row group as written, at most [`ParquetOptions::group_bytes`] and one block of 4 MiB and one row, twice while it goes
/// out; and for each column a page and its dictionary, a megabyte each.
pub struct ParquetSink<W> {
    to: W,
    /// Writes into memory, which is handed on: so `W` need not be sent between threads.
    writer: ArrowWriter<Vec<u8>>,
    schema: SchemaRef,
    /// What the block has so far.
    block_rows: usize,
    block_bytes: usize,
    group_bytes: usize,
}

impl<W: Write> ParquetSink<W> {
    /// A sink for rows of a schema.
    pub fn new(to: W, schema: &SchemaRef, options: &ParquetOptions) -> Result<Self, SinkError> {
        let schema =
            Arc::new(Schema::new(schema.fields().iter().map(|field| known(field)).collect::<Vec<_>>()));
        let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties(&schema, options)?))?;
        Ok(Self { to, writer, schema, block_rows: 0, block_bytes: 0, group_bytes: options.group_bytes })
    }

    /// Ends a row group: the next rows are in another.
    pub fn end_row_group(&mut self) -> Result<(), SinkError> {
        self.writer.flush()?;
        self.end_block()
    }

    fn end_block(&mut self) -> Result<(), SinkError> {
        (self.block_rows, self.block_bytes) = (0, 0);
        if self.writer.in_progress_size() >= self.group_bytes {
            self.writer.flush()?;
        }
        self.hand_on()
    }

    fn hand_on(&mut self) -> Result<(), SinkError> {
        // The writer counts what it wrote by itself, so that the buffer may be emptied under it.
        let written = self.writer.inner_mut();
        self.to.write_all(written)?;
        written.clear();
        written.shrink_to(1 << 20);
        Ok(())
    }
}

impl<W: Write> Sink for ParquetSink<W> {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        let rows = RecordBatch::try_new(self.schema.clone(), rows.columns().to_vec())?;
        let sizes = row_sizes(&rows);
        let mut start = 0;
        for (row, size) in sizes.iter().enumerate() {
            self.block_rows += 1;
            self.block_bytes += size;
            if self.block_rows == BLOCK_ROWS || self.block_bytes >= BLOCK_BYTES {
                self.writer.write(&rows.slice(start, row + 1 - start))?;
                self.end_block()?;
                start = row + 1;
            }
        }
        if start < sizes.len() {
            self.writer.write(&rows.slice(start, sizes.len() - start))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        self.writer.finish()?;
        self.hand_on()?;
        Ok(self.to.flush()?)
    }
}

/// A field with the name that the reference has for it. Columns of results may have lost it.
fn known(field: &Field) -> Field {
    let about =
        Column::named(field.name()).map(|column| ("tamis:name".to_owned(), column.full_name.to_owned()));
    let about = field.metadata().clone().into_iter().chain(about.filter(|_| field.metadata().is_empty()));
    field.clone().with_nullable(true).with_metadata(about.collect())
}

fn properties(schema: &Schema, options: &ParquetOptions) -> Result<WriterProperties, SinkError> {
    let about = |(key, value): &(String, String)| KeyValue::new(key.clone(), value.clone());
    let about: Vec<KeyValue> = options.about.iter().map(about).collect();
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("tamis version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_max_row_group_row_count(Some(options.group_rows.max(1)))
        .set_max_row_group_bytes(None)
        .set_write_batch_size(1)
        .set_key_value_metadata((!about.is_empty()).then_some(about))
        .set_sorting_columns(sorting(schema, &options.sorted_by)?);
    for leaf in ArrowSchemaConverter::new().convert(schema)?.columns() {
        if leaf.path().parts().last().is_some_and(|name| PROSE.contains(&name.as_str())) {
            properties = properties
                .set_column_dictionary_enabled(leaf.path().clone(), false)
                .set_column_statistics_enabled(leaf.path().clone(), EnabledStatistics::None);
        }
        if leaf.physical_type() == Type::BYTE_ARRAY && is_address(schema, leaf.path()) {
            properties = properties
                .set_column_encoding(leaf.path().clone(), Encoding::DELTA_BYTE_ARRAY)
                .set_column_dictionary_enabled(leaf.path().clone(), false);
        }
    }
    for field in schema.fields().iter().filter(|field| LOOKED_UP.contains(&full_name(field))) {
        let path = ColumnPath::new(vec![field.name().clone()]);
        properties = properties
            .set_column_bloom_filter_enabled(path.clone(), true)
            .set_column_bloom_filter_fpp(path.clone(), FALSE_POSITIVES)
            .set_column_bloom_filter_max_ndv(path, options.group_rows as u64);
    }
    Ok(properties.build())
}

fn full_name(field: &Field) -> &str {
    field.metadata().get("tamis:name").unwrap_or(field.name())
}

fn is_address(schema: &Schema, leaf: &ColumnPath) -> bool {
    let parts = leaf.parts();
    let root = parts.first().and_then(|root| schema.field_with_name(root).ok()).map(full_name);
    let is_text = matches!(parts, [_] | [_, _, _]) || parts.last().is_some_and(|part| part == "url");
    is_text && root.is_some_and(|root| ADDRESSES.contains(&root))
}

/// The places of the columns that rows are sorted by.
fn sorting(schema: &Schema, sorted_by: &[String]) -> Result<Option<Vec<SortingColumn>>, SinkError> {
    let leaves = ArrowSchemaConverter::new().convert(schema)?;
    let place =
        |name: &String| leaves.columns().iter().position(|leaf| leaf.path().parts() == [name.clone()]);
    let sorted: Vec<_> = sorted_by
        .iter()
        .map_while(place)
        .map_while(|place| i32::try_from(place).ok())
        .map(|column_idx| SortingColumn { column_idx, descending: false, nulls_first: false })
        .collect();
    Ok((!sorted.is_empty()).then_some(sorted))
}

/// For each row the bytes it takes in memory, more or less, and the same in whatever batch it comes.
fn row_sizes(rows: &RecordBatch) -> Vec<usize> {
    let size = |row| rows.columns().iter().map(|column| bytes_of(column, row, row + 1)).sum();
    (0..rows.num_rows()).map(size).collect()
}

/// The bytes that values from one place to another take, without a look at each where they lie behind one another.
fn bytes_of(array: &ArrayRef, start: usize, end: usize) -> usize {
    match array.data_type() {
        DataType::Utf8 => {
            let ends = array.as_string::<i32>().value_offsets();
            (ends[end] - ends[start]) as usize
        }
        DataType::Binary => {
            let ends = array.as_binary::<i32>().value_offsets();
            (ends[end] - ends[start]) as usize
        }
        DataType::Utf8View => {
            array.as_string_view().lengths().skip(start).take(end - start).map(|length| length as usize).sum()
        }
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            let ends = lists.value_offsets();
            bytes_of(lists.values(), ends[start] as usize, ends[end] as usize)
        }
        DataType::Struct(_) => {
            array.as_struct().columns().iter().map(|field| bytes_of(field, start, end)).sum()
        }
        _ => 8 * (end - start),
    }
}

#[cfg(test)]
mod tests {
    use parquet::arrow::arrow_reader::{
        ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
    };
    use parquet::file::metadata::PageIndexPolicy;

    use super::*;
    use crate::sink::samples;

    fn written(batches: &[RecordBatch], options: &ParquetOptions) -> Vec<u8> {
        let mut out = Vec::new();
        let mut sink =
            Box::new(ParquetSink::new(&mut out, &batches[0].schema(), options).expect("known types"));
        for rows in batches {
            sink.write(rows).expect("memory takes all");
        }
        sink.finish().expect("memory takes all");
        out
    }

    fn pages(rows: usize) -> RecordBatch {
        let texts: Vec<String> = (0..rows).map(|row| format!("http://a.example/{row:06}")).collect();
        let bodies: Vec<String> = (0..rows).map(|row| format!("{row} ").repeat(row % 700)).collect();
        samples::of_texts(&[
            ("url", texts.iter().map(|text| Some(&**text)).collect()),
            ("text", bodies.iter().map(|text| Some(&**text).filter(|text| !text.is_empty())).collect()),
        ])
    }

    #[test]
    fn what_is_written_is_read() {
        let rows = samples::rows();
        let file = written(std::slice::from_ref(&rows), &ParquetOptions::default());
        let reader =
            ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(file)).expect("it is Parquet");
        let read: Vec<_> = reader.build().expect("readable").map(|batch| batch.expect("readable")).collect();
        assert_eq!(read.len(), 1);
        for (wrote, read) in rows.columns().iter().zip(read[0].columns()) {
            assert_eq!(wrote, read);
        }
    }

    #[test]
    fn bytes_depend_on_the_rows_and_not_on_the_batches() {
        let rows = pages(5000);
        let options = ParquetOptions { group_rows: 1500, group_bytes: 64 << 10, ..ParquetOptions::default() };
        let whole = written(std::slice::from_ref(&rows), &options);
        for step in [1, 7, 999, 1024] {
            let parts: Vec<_> =
                (0..5000).step_by(step).map(|at| rows.slice(at, step.min(5000 - at))).collect();
            assert!(written(&parts, &options) == whole, "in batches of {step}");
        }
    }

    #[test]
    fn groups_are_bounded_and_have_what_readers_skip_by() {
        let options = ParquetOptions {
            group_rows: 2000,
            sorted_by: vec!["url".to_owned()],
            about: vec![("tamis:part".to_owned(), "1".to_owned())],
            ..ParquetOptions::default()
        };
        let file = bytes::Bytes::from(written(&[pages(5000)], &options));
        let index = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required);
        let read = ArrowReaderMetadata::load(&file, index).expect("it is Parquet");
        let metadata = read.metadata();
        let group_rows: Vec<_> =
            metadata.row_groups().iter().map(parquet::file::metadata::RowGroupMetaData::num_rows).collect();
        assert_eq!(group_rows, [2000, 2000, 1000]);
        for group in metadata.row_groups() {
            let (url, text) = (group.column(0), group.column(1));
            assert!(
                url.statistics().is_some() && text.statistics().is_none(),
                "nobody looks for the first of texts"
            );
            assert!(url.bloom_filter_offset().is_some() && text.bloom_filter_offset().is_none());
            assert!(url.column_index_offset().is_some());
            assert_eq!(group.sorting_columns().map(|columns| columns[0].column_idx), Some(0));
        }
        assert_eq!(read.schema().field(0).metadata()["tamis:name"], "webpage:url");
        assert!(
            metadata
                .file_metadata()
                .key_value_metadata()
                .is_some_and(|about| about.iter().any(|one| one.key == "tamis:part"))
        );
    }

    #[test]
    fn large_rows_end_a_group_early() {
        let text = "ab".repeat(20 << 10);
        let noise: Vec<String> = (0..300)
            .map(|row: u32| {
                (0..2000u32)
                    .map(|at| char::from(33 + ((row * 7919 + at * at * 31) % 90) as u8))
                    .chain(text.chars())
                    .collect()
            })
            .collect();
        let rows = samples::of_texts(&[("text", noise.iter().map(|text| Some(&**text)).collect())]);
        let options = ParquetOptions { group_bytes: 10 << 10, ..ParquetOptions::default() };
        let file = bytes::Bytes::from(written(&[rows], &options));
        let read = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).expect("it is Parquet");
        assert!(read.metadata().num_row_groups() > 1);
    }
}
