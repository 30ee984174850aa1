//! The index of an archive, and what is counted while it is made.

use std::fs::{self, File};
use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;

use tamis_archive::cdx::{Indexer, SortOptions, Sorter};
use tamis_archive::{FaultCounts, Faults, Part, ScanOptions, Severity, Source, scan};

use super::archive::NamedSource;
use tamis_files::whole;

use super::{Error, Event, ReadyIndex, Result, Watch};

/// What an archive holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) records: u64,
    pub(super) captures: u64,
    pub(super) faults: u64,
}

/// What some records gave.
#[derive(Default)]
struct Lines {
    text: Vec<u8>,
    records: u64,
    captures: u64,
    bytes: u64,
    faults: Faults,
}

/// Writes the sorted index of some sources. What is damaged in them is counted and told, and stops nothing.
///
/// Memory: that of [`SortOptions::new`], and what [`scan`] holds of lines.
pub(super) fn write(
    sources: &[NamedSource],
    path: &Path,
    jobs: NonZero<usize>,
    watch: &mut Watch<'_>,
) -> Result<Counts> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut sorter = Sorter::new(SortOptions::new(folder));
    let mut counts = Counts::default();
    let list: Vec<Source> = sources.iter().map(|named| named.source.clone()).collect();
    let mut failure = None;
    let options = ScanOptions { jobs, ..ScanOptions::default() };
    let work = |part: Part<'_>, lines: &mut Lines| lines.read(part, sources);
    scan(&list, options, work, |piece| {
        let taken = match piece.result {
            Ok(lines) => counts.take(&lines, piece.source, &mut sorter, watch),
            Err(error) => {
                counts.faults += 1;
                tell(watch, Event::Unreadable { source: piece.source, error: &error })
            }
        };
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(error) = failure {
        return Err(error);
    }
    whole::replace(path, |out| sorter.finish(out))?;
    Ok(counts)
}

/// Takes an index that is ready.
pub(super) fn adopt(ready: ReadyIndex<'_>, path: &Path) -> Result<Counts> {
    let mut from = File::open(ready.path).map_err(Error::read(ready.path))?;
    whole::replace(path, |out| io::copy(&mut from, out).map(drop).map_err(Error::write(path)))?;
    // It is only a copy now, and the next crawl clears its folder.
    let _ = fs::remove_file(ready.path);
    Ok(Counts { records: ready.records, captures: ready.captures, faults: 0 })
}

impl Lines {
    fn read(&mut self, part: Part<'_>, sources: &[NamedSource]) -> tamis_archive::Result<()> {
        let reader = part.reader;
        let (position, records) = (reader.position(), reader.records());
        let mut indexer = Indexer::default();
        let mut entries = Vec::new();
        let read = loop {
            let taken = match reader.next() {
                Ok(Some(record)) => {
                    self.captures += u64::from(record.head.record_type().is_capture());
                    indexer.index(record, &sources[part.index].name, &mut entries)
                }
                Ok(None) => break Ok(()),
                Err(error) => Err(error),
            };
            for entry in entries.drain(..) {
                self.text.extend_from_slice(entry.to_cdxj().as_bytes());
                self.text.push(b'\n');
            }
            if taken.is_err() {
                break taken;
            }
        };
        self.records += reader.records() - records;
        self.bytes += reader.position().saturating_sub(position);
        self.faults = reader.take_faults();
        read
    }
}

impl Counts {
    fn take(
        &mut self,
        lines: &Lines,
        source: &Source,
        sorter: &mut Sorter,
        watch: &mut Watch<'_>,
    ) -> Result<()> {
        self.records += lines.records;
        self.captures += lines.captures;
        self.faults += damage(&lines.faults.counts());
        for line in lines.text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            sorter.push(line)?;
        }
        tell(watch, Event::Indexed { bytes: lines.bytes, records: lines.records })?;
        if damage(&lines.faults.counts()) > 0 {
            tell(watch, Event::Faults { source, faults: &lines.faults })?;
        }
        Ok(())
    }
}

/// Tells what happened, and whether to go on.
pub(super) fn tell(watch: &mut Watch<'_>, event: Event<'_>) -> Result<()> {
    if watch(event).is_break() { Err(Error::Stopped) } else { Ok(()) }
}

fn damage(faults: &FaultCounts) -> u64 {
    faults.of_severity(Severity::Damage)
}
