//! Sorts lines, or keys with values, by their bytes in bounded memory.

mod chunk;
mod keyed;
mod merge;
mod run;
mod runs;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Result};
use runs::Unnamed;

pub use chunk::Chunk;
pub use keyed::{KeyedEntries, KeyedSorter};
pub use merge::{SortedLines, Source};
pub use runs::{LevelRun, RunStore, Runs, fan_in};

/// How a [`Sorter`] works.
#[derive(Debug, Clone)]
pub struct SortOptions {
    /// The memory that lines are collected in before they go to a temporary file. At least 64 KiB are used.
    pub memory_bytes: usize,
    /// The folder of the temporary files. They have no names and vanish with the process.
    pub folder: PathBuf,
    /// Give each line once, however often it was pushed.
    pub unique: bool,
}

impl SortOptions {
    /// 64 MiB of memory, temporary files in `folder`, and each line once.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { memory_bytes: 64 << 20, folder: folder.into(), unique: true }
    }
}

/// The least memory that lines are collected in.
const MIN_MEMORY_BYTES: usize = 64 << 10;

/// Sorts lines by their bytes, as `LC_ALL=C sort` does: an external merge sort.
///
/// Memory: [`SortOptions::memory_bytes`] and the longest line (the allocator may hold twice as much in reserve), and while
/// merging half a mebibyte and a line for each of at most 64 files. Open files: twice 64 at most, and fewer than 64 for
/// each time that the number of budgets of lines can be divided by 64. Disk: the lines once, compressed; twice while
/// files are merged.
#[derive(Debug)]
pub struct Sorter {
    memory_bytes: usize,
    chunk: Chunk,
    runs: Runs<Unnamed>,
}

impl Sorter {
    /// A sorter without lines.
    pub fn new(options: SortOptions) -> Self {
        let memory_bytes = options.memory_bytes.max(MIN_MEMORY_BYTES);
        Self::with_memory(SortOptions { memory_bytes, ..options })
    }

    fn with_memory(options: SortOptions) -> Self {
        let SortOptions { memory_bytes, folder, unique } = options;
        let (store, fan_in) = (Unnamed { folder: folder.clone() }, fan_in(memory_bytes));
        let runs = Runs { store, list: Vec::new(), fan_in, unique, folder };
        Self { memory_bytes, chunk: Chunk::default(), runs }
    }

    /// Adds a line. A line end at its end is no part of it; one inside is refused, since two lines would come out.
    pub fn push(&mut self, line: &[u8]) -> Result<()> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if memchr::memchr(b'\n', line).is_some() {
            return Err(self.refused("a line to sort contains a line end"));
        }
        self.push_bytes(line)
    }

    /// Adds any bytes; they are given back without change.
    fn push_bytes(&mut self, line: &[u8]) -> Result<()> {
        if !Chunk::takes(line) {
            return Err(self.refused("a line to sort is longer than 4 GiB"));
        }
        if !self.chunk.is_empty() && !self.chunk.has_room(line, self.memory_bytes) {
            self.runs.add(&mut self.chunk)?;
        }
        self.chunk.push(line);
        Ok(())
    }

    fn refused(&self, why: &'static str) -> Error {
        Error::of("sort in", &self.runs.folder)(io::Error::new(io::ErrorKind::InvalidInput, why))
    }

    /// Writes all lines in order, each with a line end, and gives their number.
    pub fn finish(self, mut out: impl Write) -> Result<u64> {
        let mut lines = self.into_lines()?;
        let mut count = 0;
        while let Some(line) = lines.next_line()? {
            out.write_all(line).and_then(|()| out.write_all(b"\n")).map_err(Error::write("-"))?;
            count += 1;
        }
        out.flush().map_err(Error::write("-"))?;
        Ok(count)
    }

    /// All lines in order, lent one by one.
    pub fn into_lines(mut self) -> Result<SortedLines> {
        self.runs.reduce()?;
        self.chunk.sort();
        let mut sources = self.runs.open_all()?;
        sources.push(Source::Memory { chunk: self.chunk, at: 0 });
        SortedLines::merge(sources, self.runs.unique, &self.runs.folder)
    }
}

/// An error of the file system at the folder of a sort.
fn sorting(folder: &Path) -> impl FnOnce(io::Error) -> Error {
    Error::of("sort in", folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sorts with a budget below what [`Sorter::new`] allows, so that few lines make many files.
    fn tiny_sorter(memory_bytes: usize, unique: bool) -> Sorter {
        Sorter::with_memory(SortOptions { memory_bytes, folder: std::env::temp_dir(), unique })
    }

    /// What comes out, and the most files that were open at once.
    fn sorted(lines: &[Vec<u8>], memory_bytes: usize, unique: bool) -> (Vec<u8>, usize) {
        let mut sorter = tiny_sorter(memory_bytes, unique);
        let mut most_open = 0;
        for line in lines {
            sorter.push(line).unwrap();
            most_open = most_open.max(sorter.runs.list.len());
        }
        let mut out = Vec::new();
        let count = sorter.finish(&mut out).unwrap();
        assert_eq!(count, memchr::memchr_iter(b'\n', &out).count() as u64);
        (out, most_open)
    }

    #[test]
    fn many_files_are_merged_in_several_rounds() {
        let lines: Vec<Vec<u8>> =
            (0..5000u32).map(|n| (n.wrapping_mul(2_654_435_761) % 3000).to_string().into()).collect();
        let (out, most_open) = sorted(&lines, 300, true);
        // More than 300 files are written, two of which are merged at once: at most one for each level stays open.
        assert!((2..=12).contains(&most_open), "{most_open}");
        let mut expected = lines;
        expected.sort();
        expected.dedup();
        assert_eq!(out, [expected.join(&b'\n'), b"\n".to_vec()].concat());
    }

    #[test]
    fn sorting_may_begin_on_one_thread_and_end_on_another() {
        fn is_send<T: Send>() {}
        is_send::<Sorter>();
        is_send::<SortedLines>();
    }

    #[test]
    fn a_line_end_inside_a_line_is_refused() {
        let mut sorter = Sorter::new(SortOptions::new(std::env::temp_dir()));
        sorter.push(b"b\n").unwrap();
        sorter.push(b"a").unwrap();
        assert!(sorter.push(b"a\nb").is_err());
        let mut out = Vec::new();
        assert_eq!(sorter.finish(&mut out).unwrap(), 2);
        assert_eq!(out, b"a\nb\n");
    }

    proptest! {
        #[test]
        fn lines_come_in_byte_order(
            lines in prop::collection::vec("[\\x00a-c]{0,12}", 0..80), memory_bytes in 1usize..1000, unique: bool,
        ) {
            let mut expected: Vec<Vec<u8>> = lines.into_iter().map(String::into_bytes).collect();
            let (out, _) = sorted(&expected, memory_bytes, unique);
            expected.sort();
            if unique {
                expected.dedup();
            }
            let expected: Vec<u8> = expected.into_iter().flat_map(|line| [line, b"\n".to_vec()].concat()).collect();
            prop_assert_eq!(out, expected);
        }
    }
}
