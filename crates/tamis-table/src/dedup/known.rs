//! The duplicates of a collection by their identity: what the columns say, and which captures they say it of.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use bytes::Bytes;
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Float64Type, Int64Type};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::store::TableFile;
use crate::footer::contained;
use crate::scan::Place;

/// What is known of a capture that is a duplicate.
#[derive(Debug, Clone, PartialEq)]
pub struct Duplicate {
    /// The id of the capture that is kept in its place.
    pub of: Box<str>,
    /// `exact` or `near`.
    pub kind: &'static str,
    /// How much the two have in common, 0 to 1.
    pub similarity: f64,
}

/// Why the duplicates of a collection are not known.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct Unreadable {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// By the archive, then the offset and the number in the compressed member.
type ByFile = HashMap<String, HashMap<(u64, u64), Duplicate>>;

/// The duplicates of a collection. They are read when a query asks for them.
///
/// Memory: some 150 bytes for each duplicate; kept pages take none.
#[derive(Debug, Default)]
pub struct Duplicates {
    tables: Vec<TableFile>,
    /// The archives whose captures were judged.
    judged: BTreeMap<String, u64>,
    unreadable: Option<Unreadable>,
    found: OnceLock<Result<ByFile, Unreadable>>,
}

impl Duplicates {
    /// Those in these tables, which judge all captures of these archives.
    pub fn new(tables: Vec<TableFile>, judged: BTreeMap<String, u64>) -> Self {
        Self { tables, judged, ..Self::default() }
    }

    /// None can be known. Queries that ask for them fail, others do not.
    pub fn unreadable(unreadable: Unreadable) -> Self {
        Self { unreadable: Some(unreadable), ..Self::default() }
    }

    /// Reads them, unless that was done.
    pub fn load(&self) -> Result<(), Unreadable> {
        match &self.unreadable {
            Some(unreadable) => Err(unreadable.clone()),
            None => self.found().as_ref().map(drop).map_err(Clone::clone),
        }
    }

    /// Whether the captures of an archive were judged; a WARC file in a package goes by the name `PACKAGE#ENTRY`.
    pub fn has_judged(&self, file: &str) -> bool {
        let package = file.split('#').next().unwrap_or(file);
        self.judged.contains_key(file) || self.judged.contains_key(package)
    }

    /// The capture at a place of an archive, if it is a duplicate. [`load`](Self::load) says whether they can be known.
    pub(crate) fn of(&self, file: &str, place: Place) -> Option<&Duplicate> {
        let found = self.found().as_ref().ok()?;
        found.get(file)?.get(&(place.offset, place.in_member))
    }

    fn found(&self) -> &Result<ByFile, Unreadable> {
        self.found.get_or_init(|| {
            let mut found = ByFile::new();
            self.tables.iter().try_for_each(|table| {
                let unreadable = |reason: String| Unreadable { path: table.path.clone(), reason };
                read(table, &mut found).map_err(|error| unreadable(error.to_string()))
            })?;
            Ok(found)
        })
    }
}

fn read(table: &TableFile, found: &mut ByFile) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = Bytes::from(fs::read(&table.path)?);
    table.check(&bytes)?;
    contained(|| read_rows(bytes, found))?
}

fn read_rows(bytes: Bytes, found: &mut ByFile) -> Result<(), Box<dyn std::error::Error>> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes)?;
    let names = ["file", "offset", "in_member", "kind", "similarity", "kept_id"];
    let mask = ProjectionMask::columns(reader.parquet_schema(), names);
    for batch in reader.with_projection(mask).build()? {
        take(&batch?, found).ok_or("a column is missing")?;
    }
    Ok(())
}

fn take(batch: &RecordBatch, found: &mut ByFile) -> Option<()> {
    let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>();
    let number = |name| batch.column_by_name(name)?.as_primitive_opt::<Int64Type>();
    let (files, kinds, kept) = (text("file")?, text("kind")?, text("kept_id")?);
    let (offsets, numbers) = (number("offset")?, number("in_member")?);
    let similarities = batch.column_by_name("similarity")?.as_primitive_opt::<Float64Type>()?;
    for row in (0..batch.num_rows()).filter(|&row| files.is_valid(row)) {
        let kind = if kinds.value(row) == "exact" { "exact" } else { "near" };
        let duplicate = Duplicate { of: kept.value(row).into(), kind, similarity: similarities.value(row) };
        if !found.contains_key(files.value(row)) {
            found.insert(files.value(row).to_owned(), HashMap::new());
        }
        if let Some(of_file) = found.get_mut(files.value(row)) {
            let place = (offsets.value(row).cast_unsigned(), numbers.value(row).cast_unsigned());
            of_file.insert(place, duplicate);
        }
    }
    Some(())
}
