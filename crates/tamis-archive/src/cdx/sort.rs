//! Lines brought into byte order, however many they are, in bounded memory.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

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

/// The most files that are merged at once.
const MAX_FAN_IN: usize = 64;
/// The least memory that lines are collected in.
const MIN_MEMORY_BYTES: usize = 64 << 10;

/// Sorts lines by their bytes, as `LC_ALL=C sort` does: an external merge sort.
///
/// Memory: [`SortOptions::memory_bytes`] and the longest line (the allocator may hold twice as much in reserve), and while
/// merging a buffer of 64 KiB and a line for each of at most 64 files. Open files: fewer than 64 for each time that the
/// number of budgets of lines can be divided by 64, so 127 for 256 GiB of lines with 64 MiB of memory. Disk: the lines
/// once; twice while files are merged.
#[derive(Debug)]
pub struct Sorter {
    options: SortOptions,
    chunk: Chunk,
    /// The sorted files, the most often merged first.
    runs: Vec<Run>,
}

/// A sorted temporary file.
#[derive(Debug)]
struct Run {
    file: File,
    /// How often its lines were merged. Only runs of one level are merged while lines come in, so that a line is
    /// copied a logarithmic number of times.
    level: u32,
}

impl Sorter {
    /// A sorter without lines.
    pub fn new(mut options: SortOptions) -> Self {
        options.memory_bytes = options.memory_bytes.max(MIN_MEMORY_BYTES);
        Self { options, chunk: Chunk::default(), runs: Vec::new() }
    }

    /// Adds a line. A line end at its end is no part of it; one inside is refused, since two lines would come out.
    pub fn push(&mut self, line: &[u8]) -> Result<()> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if memchr::memchr(b'\n', line).is_some() {
            let value = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
            return Err(Error::Value { what: "line to sort", value, why: "has a line end inside".into() });
        }
        if !self.chunk.is_empty() && self.chunk.bytes_with(line) > self.options.memory_bytes {
            self.spill()?;
        }
        self.chunk.push(line);
        Ok(())
    }

    /// Writes all lines in order, each with a line end, and gives their number.
    pub fn finish(self, mut out: impl Write) -> Result<u64> {
        let mut lines = self.into_lines()?;
        let mut count = 0;
        while let Some(line) = lines.next_line()? {
            out.write_all(line).and_then(|()| out.write_all(b"\n")).map_err(Error::io("-"))?;
            count += 1;
        }
        out.flush().map_err(Error::io("-"))?;
        Ok(count)
    }

    /// All lines in order, lent one by one.
    pub fn into_lines(mut self) -> Result<SortedLines> {
        let fan_in = self.fan_in();
        while self.runs.len() > fan_in {
            // The last ones are the smallest, and no more of them than needed.
            self.merge_last(fan_in.min(self.runs.len() - fan_in + 1))?;
        }
        self.chunk.sort();
        let mut sources: Vec<Source> = self.runs.into_iter().map(|run| Source::file(run.file)).collect();
        sources.push(Source::Memory { chunk: self.chunk, at: 0 });
        SortedLines::merge(sources, &self.options)
    }

    fn fan_in(&self) -> usize {
        (self.options.memory_bytes / (256 << 10)).clamp(2, MAX_FAN_IN)
    }

    /// Brings the lines in memory to a file, and merges files while there are many of one level.
    fn spill(&mut self) -> Result<()> {
        self.chunk.sort();
        let (chunk, folder, unique) = (&self.chunk, &self.options.folder, self.options.unique);
        let file = write_run(folder, |out| {
            let mut last: Option<&[u8]> = None;
            for line in (0..chunk.spans.len()).map(|at| chunk.line(at)) {
                if !(unique && last == Some(line)) {
                    write_line(out, line, folder)?;
                }
                last = Some(line);
            }
            Ok(())
        })?;
        self.runs.push(Run { file, level: 0 });
        self.chunk.clear();
        while self.last_level_is_full() {
            self.merge_last(self.fan_in())?;
        }
        Ok(())
    }

    fn last_level_is_full(&self) -> bool {
        let level = self.runs.last().map(|run| run.level);
        self.runs.iter().rev().take_while(|run| Some(run.level) == level).count() >= self.fan_in()
    }

    /// Merges the last `count` files into one.
    fn merge_last(&mut self, count: usize) -> Result<()> {
        let merged = self.runs.split_off(self.runs.len() - count);
        let level = merged.iter().map(|run| run.level + 1).max().unwrap_or_default();
        let sources = merged.into_iter().map(|run| Source::file(run.file)).collect();
        let mut lines = SortedLines::merge(sources, &self.options)?;
        let file = write_run(&self.options.folder, |out| {
            while let Some(line) = lines.next_line()? {
                write_line(out, line, &self.options.folder)?;
            }
            Ok(())
        })?;
        self.runs.push(Run { file, level });
        Ok(())
    }
}

/// Lines in order, lent one by one.
pub struct SortedLines {
    heads: BinaryHeap<Head>,
    current: Vec<u8>,
    any: bool,
    unique: bool,
    folder: PathBuf,
}

impl SortedLines {
    fn merge(sources: Vec<Source>, options: &SortOptions) -> Result<Self> {
        let mut heads = BinaryHeap::with_capacity(sources.len());
        for source in sources {
            let mut head = Head { prefix: 0, line: Vec::new(), source };
            if head.advance(&options.folder)? {
                heads.push(head);
            }
        }
        let folder = options.folder.clone();
        Ok(Self { heads, current: Vec::new(), any: false, unique: options.unique, folder })
    }

    /// The next line without its line end, none at the end.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        while let Some(mut head) = self.heads.peek_mut() {
            let is_new = !(self.unique && self.any && self.current == head.line);
            if is_new {
                std::mem::swap(&mut self.current, &mut head.line);
                self.any = true;
            }
            if !head.advance(&self.folder)? {
                PeekMut::pop(head);
            }
            if is_new {
                return Ok(Some(&self.current));
            }
        }
        Ok(None)
    }
}

/// The next line of a source. The heap gives the greatest first, so the order is turned round.
struct Head {
    prefix: u64,
    line: Vec<u8>,
    source: Source,
}

impl Head {
    /// Takes the next line of the source; false where there is none.
    fn advance(&mut self, folder: &Path) -> Result<bool> {
        let any = match &mut self.source {
            Source::Memory { chunk, at } => {
                let any = *at < chunk.spans.len();
                if any {
                    self.line.clear();
                    self.line.extend_from_slice(chunk.line(*at));
                    *at += 1;
                }
                any
            }
            Source::File(input) => read_run_line(input, &mut self.line).map_err(Error::io(folder))?,
        };
        self.prefix = prefix(&self.line);
        Ok(any)
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        other.prefix.cmp(&self.prefix).then_with(|| other.line.cmp(&self.line))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

enum Source {
    Memory { chunk: Chunk, at: usize },
    File(BufReader<File>),
}

impl Source {
    fn file(file: File) -> Self {
        Self::File(BufReader::with_capacity(64 << 10, file))
    }
}

/// Lines in one arena, and where each lies.
#[derive(Debug, Default)]
struct Chunk {
    bytes: Vec<u8>,
    spans: Vec<Span>,
}

/// The first eight bytes of a line decide most comparisons without a look into the arena.
#[derive(Debug, Clone, Copy)]
struct Span {
    prefix: u64,
    start: usize,
    len: usize,
}

impl Chunk {
    fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.spans.clear();
    }

    fn bytes_with(&self, line: &[u8]) -> usize {
        self.bytes.len() + line.len() + (self.spans.len() + 1) * size_of::<Span>()
    }

    fn push(&mut self, line: &[u8]) {
        self.spans.push(Span { prefix: prefix(line), start: self.bytes.len(), len: line.len() });
        self.bytes.extend_from_slice(line);
    }

    fn line(&self, at: usize) -> &[u8] {
        let Span { start, len, .. } = self.spans[at];
        &self.bytes[start..start + len]
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        let line = |span: &Span| &bytes[span.start..span.start + span.len];
        self.spans.sort_unstable_by(|a, b| a.prefix.cmp(&b.prefix).then_with(|| line(a).cmp(line(b))));
    }
}

/// The first eight bytes as a number that orders as they do. Equal numbers say nothing.
fn prefix(line: &[u8]) -> u64 {
    let mut first = [0; 8];
    let len = line.len().min(8);
    first[..len].copy_from_slice(&line[..len]);
    u64::from_be_bytes(first)
}

/// A temporary file of lines, each behind its length, ready to be read.
fn write_run(folder: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<File> {
    let file = tempfile::tempfile_in(folder).map_err(Error::io(folder))?;
    let mut out = BufWriter::with_capacity(64 << 10, file);
    write(&mut out)?;
    let mut file = out.into_inner().map_err(|error| Error::io(folder)(error.into_error()))?;
    file.rewind().map_err(Error::io(folder))?;
    Ok(file)
}

fn write_line(out: &mut impl Write, line: &[u8], folder: &Path) -> Result<()> {
    let len = (line.len() as u64).to_le_bytes();
    out.write_all(&len).and_then(|()| out.write_all(line)).map_err(Error::io(folder))
}

fn read_run_line(input: &mut impl Read, line: &mut Vec<u8>) -> std::io::Result<bool> {
    let mut len = [0; 8];
    match input.read_exact(&mut len) {
        // A run is written whole by this process, so its end is the end of a line.
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(false),
        result => result?,
    }
    line.resize(u64::from_le_bytes(len) as usize, 0);
    input.read_exact(line)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sorts with a budget below what [`Sorter::new`] allows, so that few lines make many files.
    fn tiny_sorter(memory_bytes: usize, unique: bool) -> Sorter {
        let options = SortOptions { memory_bytes, folder: std::env::temp_dir(), unique };
        Sorter { options, chunk: Chunk::default(), runs: Vec::new() }
    }

    /// What comes out, and the most files that were open at once.
    fn sorted(lines: &[Vec<u8>], memory_bytes: usize, unique: bool) -> (Vec<u8>, usize) {
        let mut sorter = tiny_sorter(memory_bytes, unique);
        let mut most_open = 0;
        for line in lines {
            sorter.push(line).unwrap();
            most_open = most_open.max(sorter.runs.len());
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
