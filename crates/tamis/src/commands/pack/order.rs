//! The order that records get in a pack.

use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use tamis_archive::{Mode, Reader, Record};
use tamis_near::sketch::{Chars, MinHash, Words};
use tamis_pack::Survey;
use tamis_pack::order::{Page, PathSettings, ReferenceOrder, Space, SurtOrder, path};

/// An order of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum OrderName {
    /// By similarity, where that is smaller than by URL
    Path,
    /// By URL
    Url,
    /// As in the archive
    Crawl,
    /// Groups of similar pages, sorted by URL
    Reference,
}

/// A sketch of the order `reference`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum SketchName {
    /// Tags, words and scripts
    Words,
    /// Their character groups, so that changed words still match
    Chars,
}

/// Memory for what is sorted; more goes to unnamed files.
const MEMORY_BYTES: usize = 512 << 20;
/// The most of a record that is looked at.
const MOST_BYTES: u64 = 16 << 20;

/// What is gathered of records on their way.
pub(super) struct Sketches {
    order: OrderName,
    sketch: SketchName,
    space: Space,
    body: Vec<u8>,
    bytes: Vec<MinHash>,
    bands: Vec<Vec<u64>>,
}

impl Sketches {
    pub(super) fn new(order: OrderName, sketch: SketchName, folder: &Path) -> Self {
        let space = Space { folder: folder.to_owned(), memory_bytes: MEMORY_BYTES };
        Self { order, sketch, space, body: Vec::new(), bytes: Vec::new(), bands: Vec::new() }
    }

    /// Looks at a record.
    pub(super) fn add(&mut self, number: usize, record: &mut Record<'_>) {
        if matches!(self.order, OrderName::Url | OrderName::Crawl) {
            return;
        }
        self.body.clear();
        // What cannot be read has the sketch of what could be.
        let _ = record.body.by_ref().take(MOST_BYTES).read_to_end(&mut self.body);
        if self.order == OrderName::Path {
            self.bytes.resize(number, MinHash::empty());
            self.bytes.push(MinHash::of_bytes(&self.body));
            return;
        }
        let bands = match self.sketch {
            SketchName::Words => Words::of_page(&self.body).map(|sketch| sketch.bands().to_vec()),
            SketchName::Chars => Chars::of_page(&self.body).map(|sketch| sketch.bands().to_vec()),
        };
        self.bands.resize(number, Vec::new());
        self.bands.push(bands.unwrap_or_default());
    }

    /// The order of all records by their numbers.
    pub(super) fn order(mut self, survey: &Survey, window_bytes: u64) -> anyhow::Result<Vec<u32>> {
        let count = survey.record_count();
        let numbers = match self.order {
            OrderName::Crawl => (0..count as u64).collect(),
            OrderName::Url => return Ok(survey.url_order()),
            OrderName::Path => {
                self.bytes.resize(count, MinHash::empty());
                self.by_path(survey, window_bytes)?
            }
            OrderName::Reference => {
                self.bands.resize(count, Vec::new());
                let mut order = ReferenceOrder::new(&self.space);
                for record in survey.records() {
                    order.add(record.number as u64, record.key, &self.bands[record.number])?;
                }
                order.finish()?
            }
        };
        Ok(numbers.into_iter().map(|number| number as u32).collect())
    }

    fn by_path(&self, survey: &Survey, window_bytes: u64) -> io::Result<Vec<u64>> {
        let mut sorted = SurtOrder::new(&self.space);
        for record in survey.records() {
            let page = Page {
                record: record.number as u64,
                surt: record.key,
                len_bytes: record.len,
                sketch: &self.bytes[record.number],
            };
            sorted.add(page)?;
        }
        let settings = PathSettings { window_bytes, ..PathSettings::default() };
        let again = Again::new(survey)?;
        let read = |record: u64, to: &mut Vec<u8>| again.read(record, to);
        Ok(path(sorted.finish()?, &settings, &self.space, Some(&read))?.records)
    }
}

/// Reads records again, to measure how they compress.
struct Again<'s> {
    survey: &'s Survey,
    reader: Mutex<Reader>,
}

impl<'s> Again<'s> {
    fn new(survey: &'s Survey) -> io::Result<Self> {
        let reader = Reader::open(survey.path(), Mode::Lenient).map_err(io::Error::other)?;
        Ok(Self { survey, reader: Mutex::new(reader) })
    }

    fn read(&self, record: u64, to: &mut Vec<u8>) -> io::Result<()> {
        let facts = self.survey.record(record as usize);
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reader.seek(facts.offset).map_err(io::Error::other)?;
        if let Some(mut record) = reader.next().map_err(io::Error::other)? {
            record.body.by_ref().take(MOST_BYTES).read_to_end(to)?;
        }
        Ok(())
    }
}
