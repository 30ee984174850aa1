//! Going on after a stop or a kill: the journal, then what stands in the archives behind it.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use tamis_archive::http::{DecodeLimits, HttpHead};
use tamis_archive::{Body, Mode, Reader, RecordType, Timestamp};

use super::again::Visits;
use super::ends::{End, Ends};
use super::journal::{Done, Journal, Line, RobotsLine};
use super::progress::{LoggedSums, Snapshot};
use super::seen_payloads::{First, SeenPayloads};
use crate::page::{NearDuplicates, TextFacts, Verdict};
use crate::robots::retry_after_ms;
use crate::scope::News;
use crate::{Error, Result};

/// What earlier runs did.
#[derive(Debug, Default)]
pub(super) struct Past {
    /// The archives by their numbers in the journal.
    pub archives: Vec<PathBuf>,
    /// Their lengths; what the journal says was behind them is lost.
    lens: Vec<u64>,
    /// Lines for archives that the journal did not know.
    pub found: Vec<Line>,
    /// Where the last archive is accounted for.
    pub position: Option<(u32, u64)>,
    /// The addresses done with, until the crawl runs.
    pub done: Ends,
    /// The visits to each page, if pages are fetched again.
    pub visits: Option<Visits>,
    /// Pages among them that were in the collection already.
    taken_over: u64,
    /// The rules that were fetched; of one origin the last holds.
    pub robots: Vec<RobotsLine>,
    /// Hosts that asked to be left alone, and until when.
    pub waits: BTreeMap<String, u64>,
    /// What had been counted when the journal was last written.
    sums: LoggedSums,
}

/// A response behind the last line of the journal.
#[derive(Debug)]
pub(super) struct Tail {
    /// When it was fetched.
    pub began_ms: u64,
    /// The number of its archive.
    pub file: u32,
    /// Its offset there.
    pub offset: u64,
    /// Its head.
    pub head: HttpHead,
    /// What stands behind the head, as it came.
    pub raw_body: Vec<u8>,
}

impl Tail {
    /// Until when its host asks to be left alone.
    pub(super) fn wait_until_ms(&self) -> Option<u64> {
        let said = self.head.fields().get("retry-after").and_then(|value| std::str::from_utf8(value).ok())?;
        Some(self.began_ms + retry_after_ms(said, self.began_ms)?)
    }
}

impl Past {
    /// Reads the journal, filling the memory of payloads and texts on the way.
    pub(super) fn read(
        journal: &Path,
        archive: &Path,
        visits: Option<Visits>,
        seen: &mut SeenPayloads,
        near: &mut NearDuplicates,
    ) -> Result<(Self, Journal)> {
        let mut past = Self { visits, ..Self::default() };
        let journal = Journal::open(journal, |line| {
            past.take(line, archive, seen, near);
        })?;
        past.done.settle();
        Ok((past, journal))
    }

    /// Takes over which hosts asked another journal to be left alone, and until when.
    pub(super) fn heed_waits(&mut self, journal: &Path) -> Result<()> {
        Journal::read(journal, |line| {
            if let Line::Wait { until_ms, host } = line {
                let known = self.waits.entry(host).or_default();
                *known = (*known).max(until_ms);
            }
        })
    }

    fn take(&mut self, line: Line, archive: &Path, seen: &mut SeenPayloads, near: &mut NearDuplicates) {
        match line {
            Line::File { number, name } => {
                self.archives.resize(self.archives.len().max(number as usize), PathBuf::new());
                self.lens.resize(self.archives.len(), u64::MAX);
                let path = archive.join(name);
                // One that was taken elsewhere is not lost.
                self.lens.push(fs::metadata(&path).map_or(u64::MAX, |metadata| metadata.len()));
                self.archives.push(path);
            }
            Line::Position { file, end, sums } => (self.position, self.sums) = (Some((file, end)), sums),
            Line::Done(done) => self.done(&done, seen, near),
            Line::Robots(robots) => self.robots.push(robots),
            Line::Wait { until_ms, host } => drop(self.waits.insert(host, until_ms)),
        }
    }

    fn done(&mut self, done: &Done, seen: &mut SeenPayloads, near: &mut NearDuplicates) {
        let len = self.lens.get(done.file as usize).copied().unwrap_or(u64::MAX);
        if done.offset != u64::MAX && done.offset >= len {
            // Its record was behind damage, and was cut off: it is fetched again.
            return;
        }
        if let Some(visits) = &mut self.visits {
            visits.note(done);
        }
        let mut end = End { outcome: done.outcome, news: done.news };
        self.taken_over += u64::from(done.offset == u64::MAX && done.began_ms > 0);
        if done.began_ms > 0 {
            seen.insert(&done.payload, First { id: done.id, fetched_ms: done.began_ms });
        }
        if done.text_len > 0 {
            let (simhash, exact, len_bytes) = (done.simhash, done.exact, done.text_len as usize);
            let text = TextFacts { simhash, exact, len_bytes };
            let is_new = near.check_and_add(&text) == Verdict::Novel;
            // Older lines do not say what a page led to.
            end.news = end.news.or(Some(News { text: is_new, ..News::default() }));
        }
        self.done.push(done.id, end);
    }

    /// What earlier runs counted: as their last one told it, but for what the journal knows better.
    pub(super) fn snapshot(&self, told: Option<&Snapshot>) -> Snapshot {
        let mut snapshot = told.cloned().unwrap_or_default();
        snapshot.sums.raise(&self.sums);
        snapshot.sums.pages = self.done.pages();
        snapshot.sums.responses = self.done.responses();
        snapshot.sums.taken_over = self.taken_over;
        snapshot.sums.done = self.done.len() as u64;
        snapshot.sums.robots = self.robots.len() as u64;
        snapshot.outcomes = self.done.outcomes();
        snapshot.left_out = self.done.left_out();
        snapshot
    }

    /// Reads what the journal does not account for: the responses, by address. Archives that the journal does not know get a number.
    pub(super) fn tail(&mut self, archive: &Path, prefix: &str) -> Result<HashMap<String, Tail>> {
        let mut tail = HashMap::new();
        let (first, end) = self.position.unwrap_or((0, 0));
        for (file, path) in (0..).zip(&self.archives).skip(first as usize).filter(|(_, path)| path.is_file())
        {
            read_tail(path, file, if file == first { end } else { 0 }, &mut tail)?;
        }
        for path in unknown_archives(archive, prefix, &self.archives)? {
            let number = self.archives.len() as u32;
            read_tail(&path, number, 0, &mut tail)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.found.push(Line::File { number, name });
            self.archives.push(path);
        }
        Ok(tail)
    }
}

fn unknown_archives(folder: &Path, prefix: &str, known: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let failed = |source| Error::io(folder, source);
    let mut unknown = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_ours =
            name.starts_with(&format!("{prefix}-")) && name.contains(".warc") && !name.ends_with(".torn");
        if is_ours && !known.contains(&path) {
            unknown.push(path);
        }
    }
    unknown.sort();
    Ok(unknown)
}

fn read_tail(path: &Path, file: u32, from: u64, tail: &mut HashMap<String, Tail>) -> Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() <= from) {
        return Ok(());
    }
    let mut reader = Reader::open_at(path, from, Mode::Lenient)?;
    while let Some(record) = reader.next()? {
        let offset = record.offset();
        let (head, block) = record.into_parts();
        let url = head.target_uri().map(std::borrow::Cow::into_owned);
        let (Some(url), Some(date)) = (url, head.date()) else { continue };
        if head.record_type() != RecordType::Response {
            continue;
        }
        let began_ms = unix_ms(date);
        if let Some(Http { head, raw_body }) = read_http(block, path)? {
            tail.insert(url, Tail { began_ms, file, offset, head, raw_body });
        }
    }
    Ok(())
}

/// A moment in milliseconds since 1970.
pub(super) fn unix_ms(moment: Timestamp) -> u64 {
    moment.unix_seconds().unsigned_abs() * 1000 + u64::from(moment.nanos() / 1_000_000)
}

/// A message of HTTP in an archive.
#[derive(Debug)]
pub(super) struct Http {
    /// Its head.
    pub head: HttpHead,
    /// What stands behind the head, as it came.
    pub raw_body: Vec<u8>,
}

/// Reads the message of a record, if there is one.
pub(super) fn read_http(mut block: Body<'_>, path: &Path) -> Result<Option<Http>> {
    let (mut head, mut raw_body) = (HttpHead::default(), Vec::new());
    let failed = |source| Error::io(path, source);
    if !block.read_http(&mut head).map_err(failed)? {
        return Ok(None);
    }
    block.append_to(&mut raw_body, DecodeLimits::default().max_output_bytes).map_err(failed)?;
    Ok(Some(Http { head, raw_body }))
}
