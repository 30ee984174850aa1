//! The tables that are written on the way: pages by their numbers, and how they belong together.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Float64Builder, Int64Array, Int64Builder, RecordBatch, StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema, SchemaRef, TimestampMillisecondType};
use tamis_archive::{Algorithm, Digest};
use tamis_near::cluster::{Document, Member, Text};
use tamis_near::sketch::MinHash;
use xxhash_rust::xxh3::xxh3_128;

use super::{kind, why};
use crate::sink::{ParquetOptions, ParquetSink, Sink, SinkError};

/// Rows that are written at once.
const ROWS: usize = 8192;

/// A Parquet file in the making.
pub(super) struct Table(Box<ParquetSink<BufWriter<File>>>);

impl Table {
    pub(super) fn create(path: &Path, schema: &SchemaRef) -> Result<Self, SinkError> {
        let file = BufWriter::new(File::create(path)?);
        Ok(Self(Box::new(ParquetSink::new(file, schema, &ParquetOptions::default())?)))
    }

    pub(super) fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        self.0.write(rows)
    }

    pub(super) fn finish(self) -> Result<(), SinkError> {
        self.0.finish()
    }
}

/// Some pages, in the columns that were asked for, and the number of the first.
pub(super) struct PageRows<'b> {
    batch: &'b RecordBatch,
    first: u64,
}

impl<'b> PageRows<'b> {
    pub(super) fn schema() -> SchemaRef {
        let text = |name| Field::new(name, DataType::Utf8, true);
        let number = |name| Field::new(name, DataType::Int64, true);
        let place = [number("id"), text("file"), number("offset"), number("in_member"), text("capture")];
        Arc::new(Schema::new([&place[..], &[text("key"), text("url")]].concat()))
    }

    pub(super) fn of(batch: &'b RecordBatch, first: u64) -> Self {
        Self { batch, first }
    }

    /// What the outcome needs of them.
    pub(super) fn kept(&self) -> RecordBatch {
        let ids = (self.first..).take(self.batch.num_rows()).map(|id| id as i64);
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(ids));
        let columns = std::iter::once(ids).chain((0..6).map(|at| self.batch.column(at).clone())).collect();
        RecordBatch::try_new(Self::schema(), columns).expect("the query gives these columns")
    }

    /// What is compared of them. Texts that are shorter than `least_text` are not.
    pub(super) fn documents(&self, least_text: u64) -> impl Iterator<Item = Document> {
        let column = |at: usize| self.batch.column(at);
        let (keys, times) =
            (column(4).as_string::<i32>(), column(6).as_primitive::<TimestampMillisecondType>());
        let (digests, payloads) = (column(7).as_string::<i32>(), column(8).as_primitive::<Int64Type>());
        let texts = datafusion::arrow::compute::cast(column(9), &DataType::Int64).expect("a number is one");
        let texts = texts.as_primitive::<Int64Type>().clone();
        let (simhashes, minhashes) = (column(10).as_primitive::<Int64Type>(), column(11).as_binary::<i32>());
        (0..self.batch.num_rows()).map(move |row| {
            let id = self.first + row as u64;
            let text_bytes = if texts.is_null(row) { 0 } else { texts.value(row).unsigned_abs() };
            let is_judged = text_bytes >= least_text && simhashes.is_valid(row) && minhashes.is_valid(row);
            let sketch = |bytes: &[u8]| Some(MinHash::from_bytes(bytes.try_into().ok()?));
            let text = is_judged.then(|| sketch(minhashes.value(row))).flatten();
            // Without a digest it is like nothing but its own text; and pages without content have nothing in common.
            let digest = if digests.is_valid(row) && !is_of_nothing(digests.value(row)) {
                xxh3_128(digests.value(row).as_bytes())
            } else {
                xxh3_128(format!("{id} {}", if keys.is_valid(row) { keys.value(row) } else { "" }).as_bytes())
            };
            Document {
                id,
                digest,
                // Pages without text are compared by their digests alone, so those of a cluster have the same payload.
                len_bytes: if text_bytes > 0 { text_bytes } else { payloads.value(row).unsigned_abs() },
                date: if times.is_null(row) { i64::MAX } else { times.value(row) / 1000 },
                text: text.map(|minhash| Text { simhash: simhashes.value(row).cast_unsigned(), minhash }),
            }
        })
    }
}

/// Whether a digest is that of no bytes, or none.
fn is_of_nothing(digest: &str) -> bool {
    static OF_NOTHING: LazyLock<Vec<String>> = LazyLock::new(|| {
        let all = [Algorithm::Md5, Algorithm::Sha1, Algorithm::Sha256];
        all.into_iter()
            .map(|algorithm| Digest::of(algorithm, b""))
            .flat_map(|digest| [digest.to_string(), digest.to_hex()])
            .collect()
    });
    digest.is_empty() || OF_NOTHING.iter().any(|nothing| nothing.eq_ignore_ascii_case(digest))
}

/// How pages belong together.
#[derive(Default)]
pub(super) struct MemberRows {
    ids: Int64Builder,
    kept: Int64Builder,
    similarities: Float64Builder,
    kinds: StringBuilder,
    reasons: StringBuilder,
    len: usize,
}

impl MemberRows {
    pub(super) fn schema() -> SchemaRef {
        let field = |name, data_type| Field::new(name, data_type, true);
        Arc::new(Schema::new(vec![
            field("id", DataType::Int64),
            field("kept", DataType::Int64),
            field("similarity", DataType::Float64),
            field("kind", DataType::Utf8),
            field("why", DataType::Utf8),
        ]))
    }

    pub(super) fn push(&mut self, member: &Member) {
        self.ids.append_value(member.id as i64);
        self.kept.append_value(member.kept as i64);
        self.similarities.append_value(member.similarity);
        self.kinds.append_value(kind(member));
        self.reasons.append_value(why(member));
        self.len += 1;
    }

    pub(super) fn is_full(&self) -> bool {
        self.len >= ROWS
    }

    pub(super) fn take(&mut self) -> RecordBatch {
        self.len = 0;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.ids.finish()),
            Arc::new(self.kept.finish()),
            Arc::new(self.similarities.finish()),
            Arc::new(self.kinds.finish()),
            Arc::new(self.reasons.finish()),
        ];
        RecordBatch::try_new(Self::schema(), columns).expect("the columns are as long as each other")
    }
}
