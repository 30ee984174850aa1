//! Captures of the archives that no index covers: asked of stores that have keys, and read from end to end otherwise.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::archive::Archive;
use super::{Capture, Captures, Event, Origin, Watch, report};
use crate::cdx::{CdxEntry, IndexOptions, Indexer, Matcher};
use crate::head::without_brackets;
use crate::reader::Standing;
use crate::{
    Error, Fault, FaultKind, Faults, Head, KeyedRecords, Part, Reader, RecordType, Result, Severity, Source,
    scan, surt,
};

/// How many records of a store are read in the order of the store, in which reading them is fastest: half a MiB of offsets.
const BATCH: usize = 64 << 10;

/// What is gathered of which records.
pub(super) struct Gather<W, F> {
    pub(super) reach: Reach,
    /// Whether a record is looked into, by its head.
    pub(super) wants: W,
    /// Adds a capture to what was gathered.
    pub(super) take: F,
}

/// Which archives are looked at, and how.
pub(super) enum Reach {
    /// Stores that have keys are asked for this range of them; all others are read.
    Keys(Vec<u8>, Vec<u8>),
    /// Only stores that have keys, but all of their records.
    Stores,
}

/// What some records gave.
#[derive(Default)]
struct Gathered<T> {
    result: T,
    faults: Faults,
    bytes: u64,
    records: u64,
}

/// What the records of a batch are gathered with.
struct Hand {
    indexer: Indexer,
    entries: Vec<CdxEntry>,
}

impl<W: Fn(&Head) -> bool + Sync, F> Gather<W, F> {
    /// Gathers from all archives that no index covers; `sink` gets what was gathered, in the order of archives and records,
    /// stores first.
    pub(super) fn run<T: Default + Send>(
        &self,
        captures: &Captures,
        watch: &mut Watch<'_>,
        mut sink: impl FnMut(T),
    ) -> Result<()>
    where
        F: Fn(&mut T, Capture, &Head) -> Result<()> + Sync,
    {
        let mut to_scan = Vec::new();
        for (number, archive) in captures.archives.iter().enumerate().filter(|(_, one)| !one.is_covered) {
            let is_scanned = match &self.reach {
                Reach::Keys(start, end) => {
                    !self.ask(number, archive, (start, end), captures, watch, &mut sink)?
                }
                Reach::Stores => archive.has_keys(),
            };
            to_scan.extend(is_scanned.then_some(number));
        }
        if to_scan.is_empty() { Ok(()) } else { self.scan(&to_scan, captures, watch, sink) }
    }

    /// Asks the store of an archive. False if it has no keys, or if some are damaged: then the archive has to be read.
    pub(super) fn ask<T: Default>(
        &self,
        number: usize,
        archive: &Archive,
        (start, end): (&[u8], &[u8]),
        captures: &Captures,
        watch: &mut Watch<'_>,
        sink: &mut impl FnMut(T),
    ) -> Result<bool>
    where
        F: Fn(&mut T, Capture, &Head) -> Result<()>,
    {
        let Some(store) = archive.store() else { return Ok(false) };
        let ask = || store.records_of(start..end);
        let Some(KeyedRecords { mut offsets, .. }) = ask() else { return Ok(false) };
        if let Some(error) = offsets.find_map(std::io::Result::err) {
            let faults = Faults { list: vec![store_fault(0, &error)], ..Faults::default() };
            report(watch, Event::Faults { source: &archive.source, faults: &faults, is_last: false })?;
            return Ok(false);
        }
        let Some(KeyedRecords { offsets, unindexed }) = ask() else { return Ok(false) };
        let mut reader = match archive.source.open(captures.options.scan.mode) {
            Ok(reader) => reader,
            Err(error) => return report(watch, Event::Unreadable { error: &error }).map(|()| true),
        };
        let mut visit = Visit { number, archive, reader: &mut reader, hand: Hand::new() };
        let mut offsets = offsets.peekable();
        let mut gathered = Gathered::default();
        loop {
            let mut batch = Vec::new();
            for offset in offsets.by_ref().take(BATCH) {
                match offset {
                    Ok(offset) => batch.push(offset),
                    // It was sound a moment ago.
                    Err(error) => gathered.faults.list.push(store_fault(0, &error)),
                }
            }
            batch.sort_unstable();
            batch.dedup();
            let is_last = offsets.peek().is_none();
            let read = visit.read_batch(&batch, self, &mut gathered);
            let read = read.and_then(|()| {
                if is_last { visit.read_unindexed(unindexed.clone(), self, &mut gathered) } else { Ok(()) }
            });
            let is_over = is_last || read.is_err();
            if let Some(damage) = store.damage().filter(|_| is_over) {
                // A reader that went to the first byte has reported it.
                let kind = FaultKind::HeldDamaged { len: 0, what: damage.to_owned() };
                let fault = Fault { offset: 0, kind };
                if !gathered.faults.list.contains(&fault) {
                    gathered.faults.list.push(fault);
                }
            }
            let taken = std::mem::take(&mut gathered);
            deliver(taken, &archive.source, is_over, watch, sink)?;
            if let Err(error) = read {
                report(watch, Event::Unreadable { error: &error })?;
            }
            if is_over {
                return Ok(true);
            }
        }
    }

    /// Reads archives from end to end.
    fn scan<T: Default + Send>(
        &self,
        numbers: &[usize],
        captures: &Captures,
        watch: &mut Watch<'_>,
        mut sink: impl FnMut(T),
    ) -> Result<()>
    where
        F: Fn(&mut T, Capture, &Head) -> Result<()> + Sync,
    {
        let sources: Vec<Source> =
            numbers.iter().map(|&number| captures.archives[number].source.clone()).collect();
        let is_stopped = AtomicBool::new(false);
        let work = |part: Part<'_>, gathered: &mut Gathered<T>| {
            if is_stopped.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let number = numbers[part.index];
            let archive = &captures.archives[number];
            let mut hand = Hand::new();
            let (bytes, records) = (part.reader.position(), part.reader.records());
            let read = hand.read_on(part.reader, (number, archive), self, &mut gathered.result);
            gathered.bytes = part.reader.position().saturating_sub(bytes);
            gathered.records = part.reader.records() - records;
            gathered.faults = reported_faults(part.reader.take_faults(), &read);
            read
        };
        let mut failure = None;
        scan(&sources, captures.options.scan, work, |piece| {
            let reported = match piece.result {
                Ok(gathered) => deliver(gathered, piece.source, piece.is_last, watch, &mut sink),
                Err(error) => report(watch, Event::Unreadable { error: &error }),
            };
            if let Err(error) = reported {
                is_stopped.store(true, Ordering::Relaxed);
                failure = Some(error);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        failure.map_or(Ok(()), Err)
    }
}

/// A store that is read at some records.
struct Visit<'a> {
    number: usize,
    archive: &'a Archive,
    reader: &'a mut Reader,
    hand: Hand,
}

impl Visit<'_> {
    /// Reads the records at these offsets.
    fn read_batch<T, W, F>(
        &mut self,
        offsets: &[u64],
        gather: &Gather<W, F>,
        gathered: &mut Gathered<T>,
    ) -> Result<()>
    where
        W: Fn(&Head) -> bool,
        F: Fn(&mut T, Capture, &Head) -> Result<()>,
    {
        let mut read = Ok(());
        for &offset in offsets {
            read = self.read_one(offset, gather, gathered);
            if read.is_err() {
                break;
            }
        }
        let faults = reported_faults(self.reader.take_faults(), &read);
        gathered.faults.list.extend(faults.list);
        gathered.faults.left_out.merge(&faults.left_out);
        read
    }

    fn read_one<T, W, F>(
        &mut self,
        offset: u64,
        gather: &Gather<W, F>,
        gathered: &mut Gathered<T>,
    ) -> Result<()>
    where
        W: Fn(&Head) -> bool,
        F: Fn(&mut T, Capture, &Head) -> Result<()>,
    {
        self.reader.seek(offset)?;
        let (faults, position) = (self.reader.fault_count(), self.reader.position());
        let place = (self.number, self.archive);
        let is_there = match self.reader.next()? {
            Some(record) if record.offset() == offset => {
                gathered.records += 1;
                if (gather.wants)(record.head) {
                    self.hand.take(record, place, gather, &mut gathered.result)?;
                }
                true
            }
            _ => false,
        };
        gathered.bytes += self.reader.position().saturating_sub(position);
        // What keeps a record from being read is a fault of the reader. Otherwise the store's own index is wrong.
        if !is_there && self.reader.fault_count() == faults {
            let what = "no record at the offset given by the index".to_owned();
            gathered.faults.list.push(Fault { offset, kind: FaultKind::HeldDamaged { len: 0, what } });
        }
        Ok(())
    }

    /// Reads the bytes that the store's index does not cover.
    fn read_unindexed<T, W, F>(
        &mut self,
        range: std::ops::Range<u64>,
        gather: &Gather<W, F>,
        gathered: &mut Gathered<T>,
    ) -> Result<()>
    where
        W: Fn(&Head) -> bool,
        F: Fn(&mut T, Capture, &Head) -> Result<()>,
    {
        if range.is_empty() {
            return Ok(());
        }
        self.reader.enter_range_at(Standing::plain_at(range.start), range.end)?;
        let place = (self.number, self.archive);
        let read = self.hand.read_on(self.reader, place, gather, &mut gathered.result);
        gathered.bytes += range.end - range.start;
        let faults = reported_faults(self.reader.take_faults(), &read);
        gathered.faults.list.extend(faults.list);
        gathered.faults.left_out.merge(&faults.left_out);
        read
    }
}

impl Hand {
    fn new() -> Self {
        use RecordType::{Conversion, Metadata, Resource, Response, Revisit};
        let types = vec![Response, Resource, Revisit, Conversion, Metadata];
        Self { indexer: Indexer::new(IndexOptions { types, post_append: false }), entries: Vec::new() }
    }

    /// Takes what is wanted of all records that a reader gives.
    fn read_on<T, W, F>(
        &mut self,
        reader: &mut Reader,
        place: (usize, &Archive),
        gather: &Gather<W, F>,
        result: &mut T,
    ) -> Result<()>
    where
        W: Fn(&Head) -> bool,
        F: Fn(&mut T, Capture, &Head) -> Result<()>,
    {
        while let Some(record) = reader.next()? {
            if (gather.wants)(record.head) {
                self.take(record, place, gather, result)?;
            }
        }
        Ok(())
    }

    fn take<T, W, F>(
        &mut self,
        record: crate::Record<'_>,
        (number, archive): (usize, &Archive),
        gather: &Gather<W, F>,
        result: &mut T,
    ) -> Result<()>
    where
        F: Fn(&mut T, Capture, &Head) -> Result<()>,
    {
        let head = record.head;
        self.indexer.index(record, &archive.name, &mut self.entries)?;
        let mut captures =
            self.entries.drain(..).map(|entry| Capture { entry, origin: Origin::Archive(number) });
        captures.try_for_each(|capture| (gather.take)(result, capture, head))
    }
}

/// Whether an entry of a record would answer a query, by its head alone.
pub(super) fn takes_head(matcher: &Matcher, head: &Head) -> bool {
    let Some(url) = head.fields().get("WARC-Target-URI") else { return false };
    let timestamp = head.date().map_or_else(|| "-".to_owned(), |date| date.digits());
    let entry = CdxEntry { urlkey: surt(without_brackets(url)), timestamp, ..CdxEntry::default() };
    matcher.takes(&entry)
}

fn deliver<T>(
    gathered: Gathered<T>,
    source: &Source,
    is_last: bool,
    watch: &mut Watch<'_>,
    sink: &mut impl FnMut(T),
) -> Result<()> {
    let Gathered { result, faults, bytes, records } = gathered;
    report(watch, Event::Faults { source, faults: &faults, is_last })?;
    sink(result);
    report(watch, Event::Read { bytes, records })
}

/// The faults to report beside the error that ended reading, which itself reports the last fault of a strict reader.
fn reported_faults(mut faults: Faults, read: &Result<()>) -> Faults {
    if matches!(read, Err(Error::Strict { .. })) {
        faults.retain_up_to(Severity::Note);
    }
    faults
}

/// Damage of a store's own index.
fn store_fault(offset: u64, error: &std::io::Error) -> Fault {
    Fault { offset, kind: FaultKind::HeldDamaged { len: 0, what: error.to_string() } }
}
