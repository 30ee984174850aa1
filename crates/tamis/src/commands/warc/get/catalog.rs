//! Where captures are looked up: an index, or the archives themselves.
//!
//! Memory: one capture where one is asked for, and 64 MiB where they are listed, however many there are.

use std::sync::{Mutex, PoisonError};

use tamis_archive::cdx::{
    CdxEntry, Index, IndexOptions, Indexer, Matches, Query, SortOptions, SortedLines, Sorter,
};
use tamis_archive::{Digest, RecordType, Reference, Source, Timestamp};

use crate::archives::Archives;
use crate::outcome::Outcome;
use crate::progress::Work;
use crate::session::Session;

/// Where captures are looked up.
pub(super) enum Catalog<'a> {
    Index(Box<Index>),
    Archives(&'a Archives, &'a Session),
}

/// The capture that is asked for, and how many others answer as well.
#[derive(Default)]
pub(super) struct Pick {
    /// The nearest to [`Query::closest`], or the newest.
    pub(super) entry: Option<CdxEntry>,
    /// How many captures there are.
    pub(super) count: u64,
}

/// Captures as CDXJ lines: in the order of an index, or the nearest first.
pub(super) struct Listing {
    lines: Lines,
    left: usize,
}

enum Lines {
    Found(Box<Matches>),
    /// Each behind a prefix of so many bytes, which ordered them.
    Sorted(SortedLines, usize),
}

/// The digits of a distance in seconds.
const DISTANCE_BYTES: usize = 20;

impl Catalog<'_> {
    /// The nearest or the newest capture, and whether all archives could be read for it.
    pub(super) fn pick(&self, query: &Query) -> anyhow::Result<(Pick, Outcome)> {
        let mut pick = Pick::default();
        let outcome = match self {
            Self::Index(index) => {
                // One of them is kept, so their order does not matter.
                let all = Query { closest: None, reverse: false, limit: None, ..query.clone() };
                for entry in index.query(&all)? {
                    pick.offer(entry?, query.closest);
                }
                Outcome::Done
            }
            Self::Archives(archives, session) => {
                let matcher = query.matcher();
                let take = |pick: &mut Pick, entry: CdxEntry| {
                    if matcher.takes(&entry) {
                        pick.offer(entry, query.closest);
                    }
                    Ok(())
                };
                find(archives, session, take, |other: Pick| pick.join(other, query.closest))?
            }
        };
        Ok((pick, outcome))
    }

    /// All captures, and whether all archives could be read for them.
    pub(super) fn list(&self, query: &Query) -> anyhow::Result<(Listing, Outcome)> {
        let all = Query { closest: None, reverse: false, limit: None, ..query.clone() };
        let (lines, outcome) = match self {
            Self::Index(index) if query.closest.is_none() => {
                (Lines::Found(Box::new(index.query(&all)?)), Outcome::Done)
            }
            Self::Index(index) => {
                let mut sorter = new_sorter();
                for entry in index.query(&all)? {
                    sorter.push(&line(&entry?, query.closest))?;
                }
                (Lines::Sorted(sorter.into_lines()?, DISTANCE_BYTES), Outcome::Done)
            }
            Self::Archives(archives, session) => {
                let (sorter, outcome) = sort_captures(archives, session, query)?;
                let prefix = if query.closest.is_some() { DISTANCE_BYTES } else { 0 };
                (Lines::Sorted(sorter.into_lines()?, prefix), outcome)
            }
        };
        Ok((Listing { lines, left: query.limit.unwrap_or(usize::MAX) }, outcome))
    }

    /// The entry that a revisit refers to, of those of its URL, or of its digest where archives can be read for it.
    pub(super) fn referred(&self, reference: &Reference) -> anyhow::Result<Option<CdxEntry>> {
        let mut best = None;
        let offer = |best: &mut Option<CdxEntry>, entry: CdxEntry| {
            let chosen = reference.choose(best.iter().chain([&entry])).cloned();
            *best = chosen;
        };
        let query = Query::exact(&reference.url);
        match self {
            Self::Index(index) => {
                for entry in index.query(&query)? {
                    offer(&mut best, entry?);
                }
            }
            Self::Archives(archives, session) => {
                let matcher = query.matcher();
                let take = |best: &mut Option<CdxEntry>, entry: CdxEntry| {
                    if matcher.takes(&entry) || has_digest(&entry, reference.digest) {
                        offer(best, entry);
                    }
                    Ok(())
                };
                let sink = |other: Option<CdxEntry>| {
                    if let Some(entry) = other {
                        offer(&mut best, entry);
                    }
                };
                find(archives, session, take, sink)?;
            }
        }
        Ok(best)
    }
}

impl Pick {
    /// Counts a capture, and keeps it if it is nearer, or newer. Of two that are as near or as new, an answer is kept before
    /// what crawlers note about it; otherwise the first of two that are as near, and the last of two that are as new.
    fn offer(&mut self, entry: CdxEntry, closest: Option<Timestamp>) {
        self.join(Self { entry: Some(entry), count: 1 }, closest);
    }

    fn join(&mut self, other: Self, closest: Option<Timestamp>) {
        self.count += other.count;
        let is_better = match (&self.entry, &other.entry, closest) {
            (Some(old), Some(new), Some(moment)) => {
                let order = |entry: &CdxEntry| {
                    let (key, time) = (entry.urlkey.clone(), entry.timestamp.clone());
                    (distance(entry, moment), key, time, entry.status.is_none())
                };
                order(new) < order(old)
            }
            (Some(old), Some(new), None) => {
                let order = |entry: &CdxEntry| {
                    (entry.timestamp.clone(), entry.urlkey.clone(), entry.status.is_some())
                };
                order(new) >= order(old)
            }
            (None, _, _) => true,
            (_, None, _) => false,
        };
        if is_better {
            self.entry = other.entry;
        }
    }
}

impl Listing {
    /// The next line, without its line end.
    pub(super) fn next_line(&mut self) -> anyhow::Result<Option<Vec<u8>>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        Ok(match &mut self.lines {
            Lines::Found(found) => found.next().transpose()?.map(|entry| entry.to_cdxj().into_bytes()),
            Lines::Sorted(lines, prefix) => lines.next_line()?.map(|line| line[*prefix..].to_vec()),
        })
    }
}

/// Reads archives for lines. The threads share one sorter, so that their number does not multiply its memory.
fn sort_captures(archives: &Archives, session: &Session, query: &Query) -> anyhow::Result<(Sorter, Outcome)> {
    let (matcher, sorter) = (query.matcher(), Mutex::new(new_sorter()));
    let take = |(): &mut (), mut entry: CdxEntry| {
        if !matcher.takes(&entry) {
            return Ok(());
        }
        if let Some(source) = source_of(&entry, archives) {
            entry.filename = source.file_name();
        }
        let line = line(&entry, query.closest);
        Ok(sorter.lock().unwrap_or_else(PoisonError::into_inner).push(&line)?)
    };
    let outcome = find(archives, session, take, |()| ())?;
    Ok((sorter.into_inner().unwrap_or_else(PoisonError::into_inner), outcome))
}

fn new_sorter() -> Sorter {
    Sorter::new(SortOptions { unique: false, ..SortOptions::new(std::env::temp_dir()) })
}

/// The line of a capture, behind its distance where they are ordered by it.
fn line(entry: &CdxEntry, closest: Option<Timestamp>) -> Vec<u8> {
    let distance = closest.map(|moment| format!("{:0DISTANCE_BYTES$}", distance(entry, moment)));
    (distance.unwrap_or_default() + &entry.to_cdxj()).into_bytes()
}

/// Seconds between a capture and a moment. A capture whose moment cannot be read is the farthest.
fn distance(entry: &CdxEntry, moment: Timestamp) -> u64 {
    let captured = Timestamp::parse(entry.timestamp.as_bytes());
    captured.map_or(u64::MAX, |captured| captured.unix_seconds().abs_diff(moment.unix_seconds()))
}

fn has_digest(entry: &CdxEntry, digest: Option<Digest>) -> bool {
    digest.is_some_and(|digest| Digest::parse(entry.digest.as_bytes()).is_ok_and(|other| other == digest))
}

/// Reads archives for entries: `take` makes what is to be known of each piece, `sink` gets that in order.
///
/// An entry is called by the place of its archive in the list, since two archives may have one name.
fn find<T: Default + Send>(
    archives: &Archives,
    session: &Session,
    take: impl Fn(&mut T, CdxEntry) -> tamis_archive::Result<()> + Sync,
    mut sink: impl FnMut(T),
) -> anyhow::Result<Outcome> {
    let work =
        Work { verb: "looking", item: "record", total_bytes: archives.total_bytes(), data_on_stdout: false };
    let tally = archives.read(
        session,
        work,
        |part, found: &mut T| {
            let name = part.index.to_string();
            let mut indexer =
                Indexer::new(IndexOptions { types: RecordType::KNOWN.to_vec(), post_append: false });
            let mut entries = Vec::new();
            while let Some(record) = part.reader.next()? {
                if is_exchange(record.head.record_type()) {
                    indexer.index(record, &name, &mut entries)?;
                }
                entries.drain(..).try_for_each(|entry| take(found, entry))?;
            }
            Ok(())
        },
        |_, found| {
            sink(found);
            Ok(())
        },
    )?;
    Ok(tally.outcome())
}

/// The archive of an entry that was found by reading archives.
pub(super) fn source_of<'a>(entry: &CdxEntry, archives: &'a Archives) -> Option<&'a Source> {
    archives.sources.get(entry.filename.parse::<usize>().ok()?)
}

/// What was captured, not what was asked for.
fn is_exchange(record_type: RecordType) -> bool {
    use RecordType::{Conversion, Metadata, Resource, Response, Revisit};
    matches!(record_type, Response | Resource | Revisit | Conversion | Metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(urlkey: &str, timestamp: &str, offset: u64) -> CdxEntry {
        CdxEntry { urlkey: urlkey.into(), timestamp: timestamp.into(), offset, ..CdxEntry::default() }
    }

    #[test]
    fn an_answer_goes_before_what_is_noted_about_it() {
        let note = entry("a)/", "20140101000000", 1);
        let answer = CdxEntry { status: Some(200), offset: 2, ..note.clone() };
        for closest in [None, Some("2014".parse().expect("a moment"))] {
            for both in [[&note, &answer], [&answer, &note]] {
                let mut pick = Pick::default();
                for entry in both {
                    pick.offer(entry.clone(), closest);
                }
                assert_eq!(pick.entry.map(|entry| entry.offset), Some(2), "{closest:?} {both:?}");
            }
        }
    }

    #[test]
    fn the_nearest_or_the_newest_capture_is_picked() {
        let entries = [
            entry("a)/", "20140101000000", 1),
            entry("a)/", "20140103000000", 2),
            entry("b)/", "20140103000000", 3),
            entry("b)/", "20140103000000", 4),
            entry("c)/", "2013", 5),
        ];
        for (closest, expected) in
            [(None, 4), (Some("20140101"), 1), (Some("20140102"), 1), (Some("2015"), 2), (Some("2013"), 5)]
        {
            let closest = closest.map(|moment: &str| moment.parse().expect("a moment"));
            let mut pick = Pick::default();
            for entry in &entries {
                pick.offer(entry.clone(), closest);
            }
            let offset = pick.entry.map(|entry| entry.offset);
            assert_eq!((offset, pick.count), (Some(expected), 5), "{closest:?}");
        }
    }
}
