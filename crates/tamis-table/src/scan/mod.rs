//! Captures of a range of an archive as batches of rows.
//!
//! Records are read in chunks. The columns that heads give are made for the whole chunk and the filter on them runs over it
//! at once; only then are bodies looked into, of the rows that are left, one after another. A filter that needs the body
//! runs on each page as soon as what it needs is known, before anything else is done to the page.
//!
//! Memory: the stored blocks of a chunk, 2 MiB and one record of at most [`Limits::page_bytes`]; one page with its tree,
//! some ten times the page; and the batch, of at most 32 MiB of decoded pages and one more.

mod chunk;
mod heads;
mod page;
mod plan;
mod words;

use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::{Array, BooleanArray, RecordBatch, RecordBatchOptions};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_plan::PhysicalExpr;
use tamis_archive::http::HttpHead;
use tamis_archive::{Mode, Reader, Source, Standing};
use tamis_text::language::{self, Detect};

use crate::collection::SeedTweets;
use crate::dedup::Duplicates;
use crate::ledger::{Entry, Ledger};
use crate::meter::Meter;
use crate::relevance::Relevance;
use chunk::Chunk;
use page::Pages;
pub(crate) use plan::{Plan, stages_of};

/// A batch ends with the page that makes all of its pages so large, decoded.
const MOST_BATCH_BYTES: usize = 32 << 20;

/// Bounds of what is read of a page.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Of a larger page only the first bytes are read.
    pub page_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { page_bytes: 64 << 20 }
    }
}

/// What every row of a scan shares.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The collection's id and name.
    pub collection: Option<(String, String)>,
    /// The tweets that name an address, by its key.
    pub tweets: Arc<SeedTweets>,
    /// The pages that are there more than once.
    pub duplicates: Arc<Duplicates>,
    /// What a focused crawl found of pages.
    pub relevance: Arc<Relevance>,
    /// The event that it was for.
    pub event: Arc<str>,
    /// Whether to mend text that earlier software damaged.
    pub repair: bool,
    /// What finds the languages.
    pub detector: Detector,
    /// Bounds of what is read.
    pub limits: Limits,
}

/// What finds the languages of pages.
#[derive(Clone)]
pub struct Detector {
    pub(crate) detect: Arc<dyn Detect>,
    /// Whether it is the one whose answers collections keep.
    pub(crate) is_usual: bool,
}

impl Detector {
    /// Another than the usual one.
    pub fn other(detect: Arc<dyn Detect>) -> Self {
        Self { detect, is_usual: false }
    }
}

impl std::ops::Deref for Detector {
    type Target = dyn Detect;

    fn deref(&self) -> &Self::Target {
        &*self.detect
    }
}

impl Default for Detector {
    fn default() -> Self {
        Self { detect: language::default_detector(), is_usual: true }
    }
}

impl std::fmt::Debug for Detector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Detector")
    }
}

/// A range of an archive.
#[derive(Debug, Clone)]
pub(crate) struct Split {
    pub(crate) file: usize,
    pub(crate) source: Source,
    /// What rows call the file.
    pub(crate) name: Arc<str>,
    pub(crate) context: Arc<Context>,
    pub(crate) range: Range<u64>,
}

/// A scan of a range, which gives batches.
pub(crate) struct Scan {
    split: Split,
    plan: Arc<Plan>,
    reader: Reader,
    chunk: Chunk,
    pages: Pages,
    http: HttpHead,
    ledger: Arc<Ledger>,
    start_at: Standing,
    captures: u64,
    rows: u64,
    left: usize,
    is_done: bool,
    /// Whether the archive cannot be read on.
    is_broken: bool,
    rest: Option<RecordBatch>,
    /// The columns that heads give of the chunk at hand, and which rows pass; none once all of it is in batches.
    heads: Option<(RecordBatch, Vec<bool>)>,
    /// How many rows of the chunk are in batches.
    chunk_at: usize,
}

impl Scan {
    /// Begins to read a range; none if that is impossible, which the ledger tells.
    pub(crate) fn open(split: Split, plan: Arc<Plan>, ledger: Arc<Ledger>, meter: Meter) -> Option<Self> {
        let exact = ledger.exact_start(split.file, split.range.start);
        let opened = split.source.open(Mode::Lenient).and_then(|mut reader| {
            let start = match exact {
                Some(start) => reader.enter_range_at(start, split.range.end)?,
                None => reader.enter_range(split.range.clone())?,
            };
            Ok((reader, start))
        });
        let (reader, start_at) =
            opened.map_err(|error| ledger.enter_error(split.file, error.to_string())).ok()?;
        ledger.enter_start(split.file, split.range.clone(), start_at);
        Some(Self {
            chunk: Chunk::new(&plan, &split),
            pages: Pages::new(&plan, split.context.clone(), meter),
            left: plan.limit.unwrap_or(usize::MAX),
            http: HttpHead::default(),
            captures: 0,
            rows: 0,
            is_done: false,
            is_broken: false,
            rest: None,
            heads: None,
            chunk_at: 0,
            split,
            plan,
            reader,
            ledger,
            start_at,
        })
    }

    /// The next rows, at most so many; none at the end. What is more of a chunk comes with the next call.
    pub(crate) fn next_up_to(&mut self, most: usize) -> Option<Result<RecordBatch>> {
        let batch = match self.rest.take() {
            Some(rest) => rest,
            None => match self.next()? {
                Ok(batch) => batch,
                Err(error) => return Some(Err(error)),
            },
        };
        let (now, later) = (most.min(batch.num_rows()), batch.num_rows().saturating_sub(most));
        self.rest = (later > 0).then(|| batch.slice(now, later));
        Some(Ok(batch.slice(0, now)))
    }

    /// The next rows; none at the end.
    fn advance(&mut self) -> Result<Option<RecordBatch>> {
        while !self.is_done {
            if self.ledger.is_stopped() {
                self.ledger.enter_leaving();
                self.is_done = true;
                break;
            }
            if self.heads.is_none() {
                self.fill()?;
            }
            let batch = self.rows_of_chunk()?;
            self.rows += batch.num_rows() as u64;
            self.left -= batch.num_rows();
            if self.left == 0 {
                self.is_done = true;
                self.ledger.enter_leaving();
            } else if self.heads.is_none() && (self.is_broken || self.reader.is_at_end()) {
                self.finish();
            }
            if batch.num_rows() > 0 {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// Reads the next chunk. What was read before an error counts.
    fn fill(&mut self) -> Result<()> {
        let before = self.reader.position();
        if let Err(error) = self.chunk.fill(&mut self.reader, &mut self.http, &self.plan) {
            self.ledger.enter_error(self.split.file, error.to_string());
            self.is_broken = true;
        }
        self.ledger.enter_progress(self.reader.position().saturating_sub(before));
        self.captures += self.chunk.len() as u64;
        let heads = self.chunk.take_heads(&self.plan)?;
        let mut kept = match &self.plan.head_filter {
            Some(filter) => evaluate(filter, &heads)?,
            None => vec![true; heads.num_rows()],
        };
        if !self.plan.is_dear() {
            kept.iter_mut().filter(|kept| **kept).skip(self.left).for_each(|kept| *kept = false);
        }
        self.heads = Some((heads, kept));
        self.chunk_at = 0;
        Ok(())
    }

    /// Enters the range as read, unless an error ended it.
    fn finish(&mut self) {
        self.is_done = true;
        if self.is_broken {
            return;
        }
        let entry = Entry {
            end: self.split.range.end,
            start_at: self.start_at,
            end_at: self.reader.standing(),
            records: self.reader.records(),
            captures: self.captures,
            rows: self.rows,
            faults: self.reader.take_faults(),
            times: 0,
        };
        self.ledger.enter(self.split.file, self.split.range.start, entry);
    }

    /// The next rows of the chunk: all, unless their pages are so large that a batch of them would be too much.
    fn rows_of_chunk(&mut self) -> Result<RecordBatch> {
        let Some((heads, mut kept)) = self.heads.take() else {
            return Ok(RecordBatch::new_empty(self.plan.schema.clone()));
        };
        let (from, mut to) = (self.chunk_at, heads.num_rows());
        if self.plan.is_dear() {
            let mut bytes = 0;
            for (at, kept) in kept.iter_mut().enumerate().skip(from) {
                *kept = *kept
                    && self.pages.len() < self.left
                    && self.pages.take(&self.plan, &self.chunk, at, &heads)?;
                bytes += if *kept { self.pages.last_bytes() } else { 0 };
                if bytes >= MOST_BATCH_BYTES {
                    to = at + 1;
                    break;
                }
            }
        }
        let rows =
            filter_record_batch(&heads.slice(from, to - from), &BooleanArray::from(kept[from..to].to_vec()))?;
        self.chunk_at = to;
        if to < heads.num_rows() {
            self.heads = Some((heads, kept));
        }
        let columns = self.plan.arrange(&rows, &self.pages.finish());
        let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
        Ok(RecordBatch::try_new_with_options(self.plan.schema.clone(), columns, &options)?)
    }
}

impl Iterator for Scan {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}

impl Drop for Scan {
    fn drop(&mut self) {
        // What ends in a panic is missed.
        if !self.is_done && !std::thread::panicking() {
            self.ledger.enter_leaving();
        }
    }
}

/// For each row whether it passes.
fn evaluate(filter: &Arc<dyn PhysicalExpr>, batch: &RecordBatch) -> Result<Vec<bool>> {
    let verdict = filter.evaluate(batch)?.into_array(batch.num_rows())?;
    let verdict = verdict
        .as_any()
        .downcast_ref::<BooleanArray>()
        .ok_or_else(|| DataFusionError::Internal("a filter that is neither true nor false".to_owned()))?;
    Ok((0..verdict.len()).map(|row| verdict.is_valid(row) && verdict.value(row)).collect())
}
