//! Sorting more than memory holds: sorted runs on disk, then one merge of all of them.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use rayon::slice::ParallelSliceMut;

/// Runs that are merged at once; each is read through a buffer of [`BUFFER_BYTES`].
const FAN_IN: usize = 64;
const BUFFER_BYTES: usize = 1 << 17;
/// The least memory with which sorting makes sense.
const LEAST_BYTES: usize = 1 << 16;

/// Takes entries of a key and a value; gives them back in the order of their keys, equal keys as they came.
///
/// Memory: what it was told, and 8 MiB for the merge. Files have no name, so nothing is left when the process dies.
pub(crate) struct Sorter {
    folder: PathBuf,
    most_bytes: usize,
    arena: Vec<u8>,
    entries: Vec<Entry>,
    runs: Vec<File>,
}

/// An entry in the arena: the key, the value behind it.
#[derive(Clone, Copy)]
struct Entry {
    /// The first bytes of the key, so that most comparisons do not go to the arena.
    prefix: u64,
    offset: usize,
    key_len: u32,
    value_len: u32,
}

impl Sorter {
    /// `folder` is where runs are written when `most_bytes` of memory are full.
    pub(crate) fn new(folder: &Path, most_bytes: usize) -> Self {
        let most_bytes = most_bytes.max(LEAST_BYTES);
        Self {
            folder: folder.to_owned(),
            most_bytes,
            arena: Vec::new(),
            entries: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Adds an entry; key and value together are less than 4 GiB.
    pub(crate) fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let len = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::InvalidInput);
        let (key_len, value_len) = (len(key)?, len(value)?);
        let bytes = key.len() + value.len() + size_of::<Entry>();
        if self.used_bytes() + bytes > self.most_bytes && !self.entries.is_empty() {
            self.write_run()?;
        }
        self.grow(bytes);
        self.entries.push(Entry { prefix: prefix(key), offset: self.arena.len(), key_len, value_len });
        self.arena.extend_from_slice(key);
        self.arena.extend_from_slice(value);
        Ok(())
    }

    /// All entries in order.
    pub(crate) fn finish(mut self) -> io::Result<Merged> {
        self.sort();
        if self.runs.is_empty() {
            return Ok(Merged(Source::Memory { arena: self.arena, entries: self.entries, at: 0 }));
        }
        self.write_run()?;
        (self.arena, self.entries) = (Vec::new(), Vec::new());
        while self.runs.len() > FAN_IN {
            self.runs = self.in_fewer_runs()?;
        }
        Ok(Merged(Source::Disk(Merge::new(self.runs)?)))
    }

    /// Neighbours are merged with neighbours, so that equal keys stay as they came.
    fn in_fewer_runs(&mut self) -> io::Result<Vec<File>> {
        let mut old = std::mem::take(&mut self.runs).into_iter();
        let mut fewer = Vec::new();
        while old.len() > 0 {
            let neighbours: Vec<File> = old.by_ref().take(FAN_IN).collect();
            fewer.push(Merge::new(neighbours)?.into_run(&self.folder)?);
        }
        Ok(fewer)
    }

    fn used_bytes(&self) -> usize {
        self.arena.len() + self.entries.len() * size_of::<Entry>()
    }

    /// Vectors double when they grow; near the limit that would be beyond it.
    fn grow(&mut self, bytes: usize) {
        if self.arena.len() + bytes > self.arena.capacity() {
            let wanted = (self.arena.capacity() * 2).max(LEAST_BYTES).min(self.most_bytes);
            self.arena.reserve_exact(wanted.saturating_sub(self.arena.len()).max(bytes));
        }
    }

    fn sort(&mut self) {
        let arena = &self.arena;
        self.entries.par_sort_unstable_by(|one, other| {
            let by_key = one.prefix.cmp(&other.prefix).then_with(|| one.key(arena).cmp(other.key(arena)));
            by_key.then(one.offset.cmp(&other.offset))
        });
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.sort();
        let mut run = RunWriter::new(&self.folder)?;
        for entry in &self.entries {
            run.write(entry.key(&self.arena), entry.value(&self.arena))?;
        }
        self.runs.push(run.finish()?);
        self.entries.clear();
        self.arena.clear();
        Ok(())
    }
}

impl Entry {
    fn key(self, arena: &[u8]) -> &[u8] {
        &arena[self.offset..][..self.key_len as usize]
    }

    fn value(self, arena: &[u8]) -> &[u8] {
        &arena[self.offset + self.key_len as usize..][..self.value_len as usize]
    }
}

/// Shorter keys are filled up with zeros, which is not above any key that they begin.
fn prefix(key: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let len = key.len().min(8);
    bytes[..len].copy_from_slice(&key[..len]);
    u64::from_be_bytes(bytes)
}

/// Entries in order.
pub(crate) struct Merged(Source);

enum Source {
    Memory { arena: Vec<u8>, entries: Vec<Entry>, at: usize },
    Disk(Merge),
}

impl Merged {
    /// Key and value of the next entry.
    pub(crate) fn next(&mut self) -> io::Result<Option<(&[u8], &[u8])>> {
        match &mut self.0 {
            Source::Memory { arena, entries, at } => {
                *at += 1;
                Ok(entries.get(*at - 1).map(|entry| (entry.key(arena), entry.value(arena))))
            }
            Source::Disk(merge) => merge.next(),
        }
    }
}

/// Several runs as one.
struct Merge {
    heads: BinaryHeap<Head>,
    /// The one that was given out last; its run goes on when the next is asked for.
    current: Option<Head>,
}

/// The next entry of a run.
struct Head {
    key: Vec<u8>,
    value: Vec<u8>,
    /// Runs were written in the order in which entries came, so of equal keys the first run's is first.
    number: usize,
    run: BufReader<File>,
}

impl Merge {
    fn new(runs: Vec<File>) -> io::Result<Self> {
        let mut heads = BinaryHeap::new();
        for (number, run) in runs.into_iter().enumerate() {
            let run = BufReader::with_capacity(BUFFER_BYTES, run);
            let mut head = Head { key: Vec::new(), value: Vec::new(), number, run };
            if head.advance()? {
                heads.push(head);
            }
        }
        Ok(Self { heads, current: None })
    }

    fn next(&mut self) -> io::Result<Option<(&[u8], &[u8])>> {
        if let Some(mut head) = self.current.take()
            && head.advance()?
        {
            self.heads.push(head);
        }
        self.current = self.heads.pop();
        Ok(self.current.as_ref().map(|head| (&head.key[..], &head.value[..])))
    }

    fn into_run(mut self, folder: &Path) -> io::Result<File> {
        let mut run = RunWriter::new(folder)?;
        while let Some((key, value)) = self.next()? {
            run.write(key, value)?;
        }
        run.finish()
    }
}

impl Head {
    /// Reads the next entry; false at the end of the run.
    fn advance(&mut self) -> io::Result<bool> {
        let mut lens = [[0; 4]; 2];
        match self.run.read_exact(lens.as_flattened_mut()) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        let [key_len, value_len] = lens.map(u32::from_le_bytes);
        self.key.resize(key_len as usize, 0);
        self.value.resize(value_len as usize, 0);
        self.run.read_exact(&mut self.key)?;
        self.run.read_exact(&mut self.value)?;
        Ok(true)
    }
}

/// The greatest is the one with the least key, because a `BinaryHeap` gives its greatest.
impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key).then(other.number.cmp(&self.number))
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

struct RunWriter(BufWriter<File>);

impl RunWriter {
    fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self(BufWriter::with_capacity(BUFFER_BYTES, tempfile::tempfile_in(folder)?)))
    }

    fn write(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        self.0.write_all(&(key.len() as u32).to_le_bytes())?;
        self.0.write_all(&(value.len() as u32).to_le_bytes())?;
        self.0.write_all(key)?;
        self.0.write_all(value)
    }

    fn finish(self) -> io::Result<File> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(count: u32, most_bytes: usize) -> Vec<(Vec<u8>, u32)> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sorter = Sorter::new(folder.path(), most_bytes);
        for at in 0..count {
            let key = format!("key {}", at.wrapping_mul(2_654_435_761) % 10_007);
            sorter.push(key.as_bytes(), &at.to_le_bytes()).expect("it is written");
        }
        let mut merged = sorter.finish().expect("it is sorted");
        let mut entries = Vec::new();
        while let Some((key, value)) = merged.next().expect("it is read") {
            entries.push((key.to_vec(), u32::from_le_bytes(value.try_into().expect("four bytes"))));
        }
        entries
    }

    #[test]
    fn disk_gives_what_memory_gives() {
        let in_memory = sorted(40_000, 1 << 30);
        assert_eq!(in_memory.len(), 40_000);
        assert!(in_memory.is_sorted());
        for most_bytes in [0, 1 << 17, 1 << 20] {
            assert!(sorted(40_000, most_bytes) == in_memory, "{most_bytes}");
        }
    }

    #[test]
    fn more_runs_than_are_merged_at_once_are_merged_in_steps() {
        assert!(sorted(120_000, 1 << 16) == sorted(120_000, 1 << 30));
    }

    #[test]
    fn nothing_is_sorted_to_nothing() {
        assert!(sorted(0, 0).is_empty());
    }

    #[test]
    fn keys_that_begin_others_come_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sorter = Sorter::new(folder.path(), 1 << 20);
        for key in [&b"a\0"[..], b"", b"a", b"a\0\0\0\0\0\0\0\0", b"\xff"] {
            sorter.push(key, b"").expect("it is written");
        }
        let mut merged = sorter.finish().expect("it is sorted");
        let mut keys = Vec::new();
        while let Some((key, _)) = merged.next().expect("it is read") {
            keys.push(key.to_vec());
        }
        assert!(keys.is_sorted() && keys.len() == 5, "{keys:?}");
    }
}
