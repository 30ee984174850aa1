//! Archives without an index of their own, and the temporary index that is made of them.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tamis_archive::cdx::{Index, IndexOptions, Indexer, SortOptions, Sorter};
use tamis_archive::{Part, RecordType, ScanOptions, Severity, Source, scan};
use tempfile::TempPath;

use crate::Error;

/// What tells whether a file is still the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FileState {
    pub(crate) path: PathBuf,
    len: u64,
    modified: Option<SystemTime>,
}

/// Archives and the index that was made of them.
///
/// Memory while it is made: 64 MiB for sorting, and what [`scan`] needs. Disk: some 300 bytes per capture, in a temporary file
/// that vanishes with the program.
pub(crate) struct Batch {
    /// The files, as they were when they were read.
    pub(crate) files: Vec<FileState>,
    sources: Vec<(String, Source)>,
    /// None: the archives have tables of their own, which are asked.
    index: Option<TempPath>,
    pub(crate) stats: Stats,
    /// What may be missing.
    pub(crate) notes: Vec<String>,
}

/// The archives of a batch by name, and their index.
pub(crate) struct Opened {
    pub(crate) sources: Vec<(String, Source)>,
    /// None: they have tables of their own, or no captures.
    pub(crate) index: Option<Index>,
}

/// How many captures there are, and from when to when.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Stats {
    /// None: nobody has counted them.
    pub(crate) captures: Option<u64>,
    /// Digits of the first and the last moment.
    pub(crate) period: Option<(String, String)>,
}

impl FileState {
    /// The state of a file that is there.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Self { path: path.to_owned(), len: meta.len(), modified: meta.modified().ok() })
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}

impl Batch {
    /// Archives that are asked by their own tables.
    pub(crate) fn with_tables(files: Vec<FileState>, sources: Vec<(String, Source)>) -> Self {
        Self { files, sources, index: None, stats: Stats::default(), notes: Vec::new() }
    }

    /// Reads archives and makes an index of them in a folder for temporary files.
    pub(crate) fn read(
        files: Vec<FileState>,
        sources: Vec<(String, Source)>,
        folder: &Path,
    ) -> Result<Self, Error> {
        let mut sorter = Sorter::new(SortOptions { unique: false, ..SortOptions::new(folder) });
        let notes = push_entries(&sources, &mut sorter)?;
        let index = tempfile::Builder::new().prefix("tamis-serve-").suffix(".cdxj").tempfile_in(folder);
        let index = index.map_err(|error| Error::Index { path: folder.into(), why: error.to_string() })?;
        let error =
            |why: &dyn std::fmt::Display| Error::Index { path: index.path().into(), why: why.to_string() };
        let mut lines = sorter.into_lines().map_err(|why| error(&why))?;
        let mut out = BufWriter::with_capacity(1 << 20, index.as_file());
        let mut stats = Stats { captures: Some(0), period: None };
        while let Some(line) = lines.next_line().map_err(|why| error(&why))? {
            stats.count(line);
            out.write_all(line).and_then(|()| out.write_all(b"\n")).map_err(|why| error(&why))?;
        }
        out.flush().map_err(|why| error(&why))?;
        drop(out);
        Ok(Self { files, sources, index: Some(index.into_temp_path()), stats, notes })
    }

    /// The archives by name, and their index.
    pub(crate) fn open(&self) -> Result<Opened, Error> {
        let open = |path: &TempPath| {
            let path: &Path = path;
            // An index without lines is none; archives without captures have nothing to look up.
            let is_empty = fs::metadata(path).is_ok_and(|meta| meta.len() == 0);
            if is_empty {
                return Ok(None);
            }
            Index::open([path])
                .map(Some)
                .map_err(|why| Error::Index { path: path.into(), why: why.to_string() })
        };
        let index = self.index.as_ref().map_or(Ok(None), open)?;
        Ok(Opened { sources: self.sources.clone(), index })
    }

    /// Whether its archives have tables of their own.
    pub(crate) fn has_tables(&self) -> bool {
        self.index.is_none()
    }
}

impl Stats {
    /// Those of an index file of sorted lines.
    pub(crate) fn of_index(path: &Path) -> std::io::Result<Self> {
        let mut input = BufReader::with_capacity(1 << 18, File::open(path)?);
        let (mut stats, mut line) = (Self { captures: Some(0), period: None }, Vec::new());
        loop {
            line.clear();
            // Lines of an index are short, whoever made it: nothing longer is read on.
            if Read::take(&mut input, 1 << 20).read_until(b'\n', &mut line)? == 0 {
                return Ok(stats);
            }
            stats.count(&line);
        }
    }

    /// Counts a line of an index: its second word is the moment.
    fn count(&mut self, line: &[u8]) {
        let Some(captures) = &mut self.captures else { return };
        *captures += 1;
        let Some(moment) = line.split(|&byte| byte == b' ').nth(1) else { return };
        let is_moment = moment.len() >= 4 && moment.len() <= 17 && moment.iter().all(u8::is_ascii_digit);
        if !is_moment {
            return;
        }
        let text = || String::from_utf8_lossy(moment).into_owned();
        let (first, last) = self.period.get_or_insert_with(|| (text(), text()));
        if moment < first.as_bytes() {
            *first = text();
        } else if moment > last.as_bytes() {
            *last = text();
        }
    }

    /// Those of both.
    pub(crate) fn join(&mut self, other: &Self) {
        self.captures = self.captures.zip(other.captures).map(|(a, b)| a + b);
        self.period = match (self.period.take(), other.period.clone()) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
    }
}

/// Faults that are told of each batch.
const MAX_NOTES: usize = 20;

/// Adds the entries of all records that are captures. Gives what is wrong with the archives.
fn push_entries(sources: &[(String, Source)], sorter: &mut Sorter) -> Result<Vec<String>, Error> {
    use RecordType::{Conversion, Metadata, Resource, Response, Revisit};
    let types = vec![Response, Resource, Revisit, Conversion, Metadata];
    let options = IndexOptions { types, post_append: false };
    let list: Vec<Source> = sources.iter().map(|(_, source)| source.clone()).collect();
    let work = |part: Part<'_>, (lines, damage): &mut (Vec<String>, u64)| {
        let mut indexer = Indexer::new(options.clone());
        let mut entries = Vec::new();
        while let Some(record) = part.reader.next()? {
            indexer.index(record, &sources[part.index].0, &mut entries)?;
            lines.extend(entries.drain(..).map(|entry| entry.to_cdxj()));
        }
        *damage += part.reader.take_faults().counts().of_severity(Severity::Damage);
        Ok(())
    };
    let (mut notes, mut failure) = (Vec::new(), None);
    let mut note = |text: String| {
        if notes.len() < MAX_NOTES {
            notes.push(text);
        }
    };
    scan(&list, ScanOptions::default(), work, |piece| {
        let name = piece.source.name();
        match piece.result {
            Ok((lines, damage)) => {
                if damage > 0 {
                    note(format!("{}: {damage} damaged places; captures may be missing", name.display()));
                }
                let pushed = lines.iter().try_for_each(|line| sorter.push(line.as_bytes()));
                if let Err(error) = pushed {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
            Err(error) => note(format!("{error}; captures may be missing")),
        }
        ControlFlow::Continue(())
    });
    match failure {
        Some(error) => Err(Error::Index { path: std::env::temp_dir(), why: error.to_string() }),
        None => Ok(notes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stats_count_lines_and_find_the_period() {
        let mut stats = Stats { captures: Some(0), period: None };
        for line in ["a)/ 2014 {}", "b)/ 20130203040506 {}", "c)/ - {}", "d)/", "e)/ 2015 {}"] {
            stats.count(line.as_bytes());
        }
        assert_eq!(stats.captures, Some(5));
        assert_eq!(stats.period, Some(("20130203040506".into(), "2015".into())));
        let mut sum = Stats { captures: Some(0), period: None };
        sum.join(&stats);
        assert_eq!(sum, stats);
        sum.join(&Stats::default());
        assert_eq!((sum.captures, sum.period), (None, stats.period));
    }
}
