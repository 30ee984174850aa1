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
pub(crate) mod kept;
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
use tamis_archive::{Faults, Mode, Reader, Source, Standing};
use tamis_words::language::{self, Detect};

use crate::dedup::Duplicates;
use crate::ledger::{Entry, Ledger};
use crate::meter::Meter;
use crate::relevance::Relevance;
use chunk::{Chunk, MOST_PAGES};
pub(crate) use heads::{Facts, Identity, Place};
use kept::{Failure, KeptRows, LostPart, PartFile, Rows};
use page::Pages;
pub(crate) use page::Parts;
pub(crate) use plan::{Plan, Request};
use tamis_collection::SeedTweets;

/// A batch ends with the page that makes all of its pages so large, decoded.
const MOST_BATCH_BYTES: usize = 32 << 20;
/// Rows of a batch of kept columns.
const KEPT_ROWS: usize = 1024;

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
    /// The fingerprint of the collection's model of an event, if it has one.
    pub model: Option<Arc<str>>,
    /// The event that it was for.
    pub event: Arc<str>,
    /// Whether to mend text that earlier software damaged.
    pub repair: bool,
    /// What finds the languages.
    pub detector: Detector,
    /// Bounds of what is read.
    pub limits: Limits,
}

impl Context {
    /// Whether the collection has a model of an event, or once had.
    fn is_focused(&self) -> bool {
        self.model.is_some() || !self.relevance.is_empty()
    }
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
    /// The columns of it that are kept.
    pub(crate) part: Option<Arc<PartFile>>,
    /// Where the first record of the range begins, where kept columns of the range before say so.
    pub(crate) first_record: Option<u64>,
    /// If set, only the captures at these offsets are read.
    pub(crate) only: Option<Arc<[u64]>>,
}

/// A scan of a range, which gives batches.
pub(crate) struct Scan {
    split: Split,
    request: Arc<Request>,
    plan: Arc<Plan>,
    kept: Option<KeptRows>,
    /// Kept rows whose records are yet to be read, and how many of them were.
    waiting: Option<(RecordBatch, usize)>,
    /// The archive, once it is needed.
    reader: Option<Reader>,
    start_at: Standing,
    /// Captures that kept columns gave before their part turned out to be damaged.
    skip: u64,
    /// How many of [`Split::only`] were read.
    only_at: usize,
    chunk: Chunk,
    pages: Pages,
    meter: Meter,
    http: HttpHead,
    ledger: Arc<Ledger>,
    captures: u64,
    rows: u64,
    /// Pages that were larger than the limit.
    oversized: u64,
    /// All faults of the range so far.
    faults: Faults,
    left: usize,
    is_done: bool,
    /// Whether no more rows can be read.
    is_at_end: bool,
    /// Whether an error ended it.
    is_broken: bool,
    /// What is known of the captures at hand before their bodies are read, and which of them pass; none once all of them are
    /// in batches.
    known: Option<(RecordBatch, Vec<bool>)>,
    /// How many rows of them are in batches.
    known_at: usize,
}

impl Scan {
    /// Begins to read a range. What cannot be opened is entered into the ledger.
    pub(crate) fn open(
        mut split: Split,
        request: Arc<Request>,
        ledger: Arc<Ledger>,
        meter: Meter,
    ) -> Result<Self> {
        split.part = split.part.filter(|part| request.can_use(&part.columns));
        let kept = split.part.as_ref().map(|part| KeptRows::open(part)).transpose();
        let kept = kept.unwrap_or_else(|lost| {
            ledger.enter_lost(split.file, lost);
            None
        });
        let columns = split.part.as_ref().filter(|_| kept.is_some()).map(|part| &*part.columns);
        let plan = Arc::new(Plan::new(&request, columns)?);
        if plan.uses_duplicates {
            split.context.duplicates.load().map_err(|error| DataFusionError::External(error.into()))?;
        }
        let mut scan = Self {
            chunk: Chunk::new(&plan, &split, kept.is_some()),
            pages: Pages::new(&plan, split.context.clone(), meter.clone()),
            left: request.limit.unwrap_or(usize::MAX),
            kept,
            waiting: None,
            reader: None,
            start_at: Standing::default(),
            skip: 0,
            only_at: 0,
            meter,
            http: HttpHead::default(),
            captures: 0,
            rows: 0,
            oversized: 0,
            faults: Faults::default(),
            is_done: false,
            is_at_end: false,
            is_broken: false,
            known: None,
            known_at: 0,
            split,
            request,
            plan,
            ledger,
        };
        if scan.kept.is_none() {
            scan.enter_archive();
        }
        Ok(scan)
    }

    /// Opens the archive at the first record of the range, and enters where that is.
    fn enter_archive(&mut self) {
        match self.open_archive() {
            Ok((reader, start_at)) => {
                self.ledger.enter_start(self.split.file, self.split.range.clone(), start_at);
                self.start_at = start_at;
                self.reader = Some(reader);
            }
            Err(error) => self.break_off(&error.to_string()),
        }
    }

    fn open_archive(&self) -> tamis_archive::Result<(Reader, Standing)> {
        let range = &self.split.range;
        if self.split.only.is_some() {
            return Ok((self.split.source.open(Mode::Lenient)?, Standing::default()));
        }
        if let Some(exact) = self.ledger.exact_start(self.split.file, range.start) {
            let mut reader = self.split.source.open(Mode::Lenient)?;
            let start = reader.enter_range_at(exact, range.end)?;
            return Ok((reader, start));
        }
        let (reader, start) = self.split.source.open_range(range.clone(), Mode::Lenient)?;
        let is_right = |due: u64| {
            start.offset() == due.max(range.start) || (start.offset() == u64::MAX && due >= range.end)
        };
        if self.split.first_record.is_none_or(is_right) {
            return Ok((reader, start));
        }
        let exact = standing_at(&self.split.source, range.start)?.not_before(range.start);
        let mut reader = self.split.source.open(Mode::Lenient)?;
        let start = reader.enter_range_at(exact, range.end)?;
        Ok((reader, start))
    }

    /// Enters that no more can be read, and why.
    fn break_off(&mut self, error: &str) {
        self.ledger.enter_error(self.split.file, self.split.range.start, self.rows, error.to_owned());
        self.is_broken = true;
        self.is_at_end = true;
    }

    /// Reads the archive in the place of a damaged part, after the rows that the part gave.
    fn fall_back(&mut self, lost: LostPart) -> Result<()> {
        self.ledger.enter_lost(self.split.file, lost);
        self.skip = self.kept.take().map_or(0, |kept| kept.considered());
        self.plan = Arc::new(Plan::new(&self.request, None)?);
        self.chunk = Chunk::new(&self.plan, &self.split, false);
        self.pages = Pages::new(&self.plan, self.split.context.clone(), self.meter.clone());
        self.waiting = None;
        self.enter_archive();
        Ok(())
    }

    /// The next rows; none at the end.
    fn advance(&mut self) -> Result<Option<RecordBatch>> {
        while !self.is_done {
            if self.ledger.is_stopped() {
                self.leave();
                break;
            }
            if self.known.is_none() && !self.is_at_end {
                self.fill()?;
            }
            let batch = self.known_rows()?;
            self.enter_faults();
            self.rows += batch.num_rows() as u64;
            self.left -= batch.num_rows();
            if self.left == 0 {
                self.leave();
            } else if self.known.is_none() && self.is_at_end {
                self.finish();
            }
            if batch.num_rows() > 0 {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// Reads the next captures, from kept columns, from the archive, or from both.
    fn fill(&mut self) -> Result<()> {
        let known = match (self.kept.is_some(), self.plan.needs_archive()) {
            (false, _) if self.split.only.is_some() => self.fill_from_places()?,
            (false, _) => self.fill_from_archive()?,
            (true, false) => self.next_kept(KEPT_ROWS)?,
            (true, true) => self.fill_from_both()?,
        };
        let Some(known) = known else { return Ok(()) };
        let mut passed = match &self.plan.head_filter {
            Some(filter) => evaluate(filter, &known)?,
            None => vec![true; known.num_rows()],
        };
        if !self.plan.needs_body() {
            passed.iter_mut().filter(|passed| **passed).skip(self.left).for_each(|passed| *passed = false);
        }
        self.known = Some((known, passed));
        self.known_at = 0;
        Ok(())
    }

    /// Reads the next chunk of the archive. What was read before an error counts.
    fn fill_from_archive(&mut self) -> Result<Option<RecordBatch>> {
        let Some(reader) = &mut self.reader else { return Ok(None) };
        let before = reader.position();
        let filled = self.chunk.fill(reader, &mut self.http, &self.plan, &mut self.skip);
        self.ledger.enter_progress(reader.position().saturating_sub(before));
        self.is_at_end = reader.is_at_end();
        self.captures += self.chunk.len() as u64;
        if let Err(error) = filled {
            self.break_off(&error.to_string());
        }
        let options = RecordBatchOptions::new().with_row_count(Some(self.chunk.len()));
        let arrays = self.chunk.finish();
        Ok(Some(RecordBatch::try_new_with_options(self.plan.known_schema.clone(), arrays, &options)?))
    }

    /// Reads the next of the captures whose offsets are known.
    fn fill_from_places(&mut self) -> Result<Option<RecordBatch>> {
        let next = self.split.only.as_ref().and_then(|only| only.get(self.only_at).copied());
        let (Some(offset), Some(reader)) = (next, &mut self.reader) else {
            self.is_at_end = true;
            return Ok(None);
        };
        self.only_at += 1;
        let before = reader.seek(offset).map(|()| reader.position());
        let found = before.and_then(|before| {
            self.chunk.depart();
            let found =
                self.chunk.fill_at(reader, &mut self.http, &self.plan, &[Place { offset, in_member: 0 }]);
            self.ledger.enter_progress(reader.position().saturating_sub(before));
            found
        });
        match found {
            Ok(true) => {}
            Ok(false) => self.break_off(&format!(
                "{}: no capture at offset {offset}, but its index has one",
                self.split.source.name().display()
            )),
            Err(error) => self.break_off(&error.to_string()),
        }
        self.captures += self.chunk.len() as u64;
        let options = RecordBatchOptions::new().with_row_count(Some(self.chunk.len()));
        let arrays = self.chunk.finish();
        Ok(Some(RecordBatch::try_new_with_options(self.plan.known_schema.clone(), arrays, &options)?))
    }

    /// The next kept rows; none if there are no more, or the archive has to be read in their place.
    fn next_kept(&mut self, most: usize) -> Result<Option<RecordBatch>> {
        let Some(kept) = &mut self.kept else { return Ok(None) };
        let rows = Rows { file: &self.split.name, context: &self.split.context };
        let before = kept.considered();
        let next = kept.next(&self.plan, &rows, most);
        self.captures += kept.considered() - before;
        match next {
            Ok(Some(batch)) => Ok(Some(batch)),
            Ok(None) => {
                self.is_at_end = true;
                Ok(None)
            }
            Err(Failure::Query(error)) => Err(error),
            Err(Failure::Lost(lost)) => {
                self.fall_back(lost)?;
                Ok(None)
            }
        }
    }

    /// Reads the records of the kept rows that are left after the filter on kept columns.
    fn fill_from_both(&mut self) -> Result<Option<RecordBatch>> {
        let Some((batch, at)) = self.waiting.take() else {
            self.waiting = self.next_kept(MOST_PAGES)?.map(|batch| (batch, 0));
            return Ok(None);
        };
        if self.reader.is_none() {
            match self.open_archive() {
                Ok((reader, _)) => self.reader = Some(reader),
                Err(error) => self.break_off(&error.to_string()),
            }
        }
        let Some(reader) = &mut self.reader else { return Ok(None) };
        let missing = || DataFusionError::Internal("stored rows without offsets".to_owned());
        let places: Vec<Place> = kept::places(&batch).ok_or_else(missing)?.skip(at).collect();
        let before = reader.position();
        let found = self.chunk.fill_at(reader, &mut self.http, &self.plan, &places);
        self.ledger.enter_progress(reader.position().saturating_sub(before));
        let len = self.chunk.len();
        match found {
            Ok(true) if at + len < batch.num_rows() => self.waiting = Some((batch.clone(), at + len)),
            Ok(true) => {}
            Ok(false) => self.break_off(&format!(
                "{}: no capture at offset {}, but stored columns have one; the archive is not the one that was imported",
                self.split.source.name().display(),
                places[len].offset
            )),
            Err(error) => self.break_off(&error.to_string()),
        }
        let kept = batch.slice(at, len);
        let arrays = kept.columns().iter().cloned().chain(self.chunk.finish()).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(len));
        Ok(Some(RecordBatch::try_new_with_options(self.plan.known_schema.clone(), arrays, &options)?))
    }

    /// Ends before the end of the range: nobody misses what is left.
    fn leave(&mut self) {
        self.is_done = true;
        self.enter_unjudged();
        self.enter_oversized();
        self.ledger.enter_leaving();
    }

    /// Enters the range as read, unless an error ended it.
    fn finish(&mut self) {
        self.is_done = true;
        self.enter_unjudged();
        self.enter_oversized();
        self.enter_faults();
        if self.is_broken {
            return;
        }
        let part = self.split.part.as_ref().filter(|_| self.kept.is_some());
        let (end_at, records) = match (part, &self.reader) {
            (Some(part), _) => (Standing::at(part.next_record), part.records),
            (None, Some(reader)) => (reader.standing(), reader.records()),
            (None, None) => return,
        };
        let entry = Entry {
            end: self.split.range.end,
            start_at: self.start_at,
            end_at,
            records,
            captures: self.captures,
            rows: self.rows,
            oversized: self.oversized,
            faults: std::mem::take(&mut self.faults),
            is_kept: part.is_some(),
            times: 0,
        };
        self.ledger.enter(self.split.file, self.split.range.start, entry);
    }

    /// Enters how many captures the answer saw that no verdict is known of, for each kind of verdict that it uses.
    fn enter_unjudged(&self) {
        let Split { file, name, context, range, .. } = &self.split;
        if self.plan.uses_duplicates && !context.duplicates.has_judged(name) {
            self.ledger.enter_uncompared(*file, range.start, self.captures);
        }
        if self.plan.uses_relevance
            && context.is_focused()
            && !context.relevance.has_judged(name, context.model.as_deref())
        {
            self.ledger.enter_unscored(*file, range.start, self.captures);
        }
    }

    /// Enters the faults that were met since the last rows.
    fn enter_faults(&mut self) {
        let faults = self.reader.as_mut().map(Reader::take_faults).unwrap_or_default();
        self.faults.add(&faults);
        self.ledger.enter_faults(self.split.file, self.split.range.start, self.rows, faults);
    }

    /// Enters how many pages of the range are cut in the answer. Those of a kept part were counted when it was made.
    fn enter_oversized(&mut self) {
        if let Some(part) =
            self.split.part.as_ref().filter(|_| self.kept.is_some() && self.plan.uses_kept_bodies)
        {
            self.oversized = part.oversized;
        }
        self.ledger.enter_oversized(self.split.file, self.split.range.start, self.oversized);
    }

    /// The next rows of the captures at hand: all, unless their pages are so large that a batch of them would be too much.
    fn known_rows(&mut self) -> Result<RecordBatch> {
        let Some((known, mut passed)) = self.known.take() else {
            return Ok(RecordBatch::new_empty(self.plan.schema.clone()));
        };
        let (from, mut to) = (self.known_at, known.num_rows());
        if self.plan.needs_body() {
            let mut bytes = 0;
            for (at, passed) in passed.iter_mut().enumerate().skip(from) {
                *passed = *passed
                    && self.pages.len() < self.left
                    && self.pages.take(&self.plan, &self.chunk, at, &known)?;
                bytes += if *passed { self.pages.last_bytes() } else { 0 };
                if bytes >= MOST_BATCH_BYTES {
                    to = at + 1;
                    break;
                }
            }
        }
        let rows = filter_record_batch(
            &known.slice(from, to - from),
            &BooleanArray::from(passed[from..to].to_vec()),
        )?;
        self.known_at = to;
        if to < known.num_rows() {
            self.known = Some((known, passed));
        }
        self.oversized += self.pages.take_oversized();
        let columns = self.plan.arrange(&rows, &self.pages.finish());
        let options = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
        Ok(RecordBatch::try_new_with_options(self.plan.schema.clone(), columns, &options)?)
    }
}

/// Where a reader of all before an offset stands.
pub(crate) fn standing_at(source: &Source, start: u64) -> tamis_archive::Result<Standing> {
    let mut reader: Reader = source.open(Mode::Lenient)?;
    reader.enter_range(0..start)?;
    while reader.next()?.is_some() {}
    Ok(reader.standing())
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
            self.leave();
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
