//! The duplicates of a collection, by their places: what the columns say.

use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::OnceLock;

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Float64Type, Int64Type};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// What is known of a page that is one too many.
#[derive(Debug, Clone, PartialEq)]
pub struct Duplicate {
    /// The key of the page that is kept in its place.
    pub of: Box<str>,
    /// `exact` or `near`.
    pub kind: &'static str,
    /// How much the two have in common, 0 to 1.
    pub similarity: f64,
}

/// The duplicates of a collection. They are read when somebody asks for the first.
///
/// Memory: some 150 bytes for each duplicate; kept pages take none.
#[derive(Debug, Default)]
pub struct Duplicates {
    files: Vec<PathBuf>,
    found: OnceLock<HashMap<String, HashMap<i64, Duplicate>>>,
}

impl Duplicates {
    /// Those in these tables.
    pub fn new(files: Vec<PathBuf>) -> Self {
        Self { files, found: OnceLock::new() }
    }

    /// The page at a place of an archive, if it is a duplicate.
    pub fn of(&self, file: &str, offset: u64) -> Option<&Duplicate> {
        if self.files.is_empty() {
            return None;
        }
        // A table that cannot be read says nothing; `tamis status` and `tamis dedup` tell of it.
        let found = self.found.get_or_init(|| self.read().unwrap_or_default());
        found.get(file)?.get(&i64::try_from(offset).ok()?)
    }

    fn read(&self) -> Result<HashMap<String, HashMap<i64, Duplicate>>, Box<dyn std::error::Error>> {
        let mut found: HashMap<String, HashMap<i64, Duplicate>> = HashMap::new();
        for path in &self.files {
            let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?;
            let names = ["file", "offset", "kind", "similarity", "kept_key"];
            let mask = ProjectionMask::columns(reader.parquet_schema(), names);
            for batch in reader.with_projection(mask).build()? {
                take(&batch?, &mut found);
            }
        }
        Ok(found)
    }
}

fn take(batch: &RecordBatch, found: &mut HashMap<String, HashMap<i64, Duplicate>>) {
    let column = |name| batch.column_by_name(name);
    let (Some(files), Some(offsets), Some(kinds), Some(similarities), Some(keys)) =
        (column("file"), column("offset"), column("kind"), column("similarity"), column("kept_key"))
    else {
        return;
    };
    let (files, kinds, keys) = (files.as_string::<i32>(), kinds.as_string::<i32>(), keys.as_string::<i32>());
    let (offsets, similarities) =
        (offsets.as_primitive::<Int64Type>(), similarities.as_primitive::<Float64Type>());
    for row in (0..batch.num_rows()).filter(|&row| files.is_valid(row)) {
        let kind = if kinds.value(row) == "exact" { "exact" } else { "near" };
        let of = if keys.is_valid(row) { keys.value(row) } else { "" };
        let duplicate = Duplicate { of: of.into(), kind, similarity: similarities.value(row) };
        if !found.contains_key(files.value(row)) {
            found.insert(files.value(row).to_owned(), HashMap::new());
        }
        if let Some(of_file) = found.get_mut(files.value(row)) {
            of_file.insert(offsets.value(row), duplicate);
        }
    }
}
