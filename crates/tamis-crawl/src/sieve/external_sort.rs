//! Sorts more pairs of numbers than fit in memory: sorted runs on disk, then a merge of all of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::mem;
use std::path::PathBuf;

use super::disk::{self, DiskFile};
use super::error::{Error, Result};
use super::record_file::number;

/// What is sorted: by the first number, then by the second.
pub(super) type Pair = (u64, u64);

const PAIR_BYTES: usize = 16;
const LEAST_PAIRS: usize = 16;

/// Collects pairs. Memory: what it was given; runs are scratch files that nobody reads after a kill.
#[derive(Debug)]
pub(super) struct ExternalSort {
    /// Runs are named so, with their number behind it.
    name: PathBuf,
    most_pairs: usize,
    pairs: Vec<Pair>,
    runs: Vec<DiskFile>,
    len: u64,
}

/// The pairs in ascending order.
pub(super) struct Sorted {
    runs: Vec<Run>,
    fronts: BinaryHeap<Reverse<(Pair, usize)>>,
}

/// One sorted run: what is left in memory, and what is left on disk.
struct Run {
    file: Option<DiskFile>,
    offset: u64,
    pairs: Vec<Pair>,
    at: usize,
    block_pairs: usize,
}

impl ExternalSort {
    pub(super) fn new(name: PathBuf, memory_bytes: usize) -> Self {
        let most_pairs = (memory_bytes / PAIR_BYTES).max(LEAST_PAIRS);
        Self { name, most_pairs, pairs: Vec::new(), runs: Vec::new(), len: 0 }
    }

    /// How many were pushed.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn push(&mut self, pair: Pair) -> Result<()> {
        if self.pairs.len() == self.most_pairs {
            self.spill()?;
        }
        self.pairs.push(pair);
        self.len += 1;
        Ok(())
    }

    /// Hands out what was pushed, sorted, and begins anew.
    pub(super) fn sorted(&mut self) -> Result<Sorted> {
        self.len = 0;
        if !self.runs.is_empty() {
            self.spill()?;
            self.pairs = Vec::new();
        }
        self.pairs.sort_unstable();
        let block_pairs = (self.most_pairs / (self.runs.len() + 1)).max(LEAST_PAIRS);
        let in_memory = Run { file: None, offset: 0, pairs: mem::take(&mut self.pairs), at: 0, block_pairs };
        let on_disk = mem::take(&mut self.runs).into_iter().map(|file| Run {
            file: Some(file),
            offset: 0,
            pairs: Vec::new(),
            at: 0,
            block_pairs,
        });
        Sorted::new(on_disk.chain([in_memory]).collect())
    }

    /// Writes a run. The file has no name any more, so that it goes with the process.
    fn spill(&mut self) -> Result<()> {
        self.pairs.sort_unstable();
        let mut path = self.name.clone().into_os_string();
        path.push(format!("-{}.part", self.runs.len()));
        let file = DiskFile::create(path.into())?;
        if cfg!(unix) {
            disk::remove(file.path())?;
        }
        let mut bytes = Vec::with_capacity(LEAST_PAIRS * 256 * PAIR_BYTES);
        let mut offset = 0;
        for chunk in self.pairs.chunks(LEAST_PAIRS * 256) {
            bytes.clear();
            for &(first, second) in chunk {
                bytes.extend_from_slice(&first.to_le_bytes());
                bytes.extend_from_slice(&second.to_le_bytes());
            }
            file.write_at(&bytes, offset)?;
            offset += bytes.len() as u64;
        }
        self.runs.push(file);
        self.pairs.clear();
        Ok(())
    }
}

impl Sorted {
    fn new(runs: Vec<Run>) -> Result<Self> {
        let mut sorted = Self { fronts: BinaryHeap::with_capacity(runs.len()), runs };
        for run in 0..sorted.runs.len() {
            if let Some(pair) = sorted.runs[run].next()? {
                sorted.fronts.push(Reverse((pair, run)));
            }
        }
        Ok(sorted)
    }

    pub(super) fn next(&mut self) -> Result<Option<Pair>> {
        let Some(mut front) = self.fronts.peek_mut() else { return Ok(None) };
        let Reverse((pair, run)) = *front;
        match self.runs[run].next()? {
            Some(next) => *front = Reverse((next, run)),
            None => drop(std::collections::binary_heap::PeekMut::pop(front)),
        }
        Ok(Some(pair))
    }
}

impl Run {
    fn next(&mut self) -> Result<Option<Pair>> {
        if self.at == self.pairs.len() {
            self.refill()?;
        }
        let pair = self.pairs.get(self.at).copied();
        self.at += usize::from(pair.is_some());
        Ok(pair)
    }

    fn refill(&mut self) -> Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut bytes = vec![0; self.block_pairs * PAIR_BYTES];
        let filled = file.read_at(&mut bytes, self.offset)?;
        if filled % PAIR_BYTES != 0 {
            return Err(Error::damaged(file.path(), self.offset, "a run of the sort is truncated"));
        }
        self.offset += filled as u64;
        self.at = 0;
        self.pairs.clear();
        let pair = |pair: &[u8]| (number(pair, 0), number(pair, PAIR_BYTES / 2));
        self.pairs.extend(bytes[..filled].chunks_exact(PAIR_BYTES).map(pair));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(sorted: &mut Sorted) -> Vec<Pair> {
        std::iter::from_fn(|| sorted.next().expect("reads")).collect()
    }

    #[test]
    fn in_order_for_any_memory() {
        let folder = tempfile::tempdir().expect("a folder");
        let pairs: Vec<Pair> = (0..2000).map(|n| (n * 7919 % 613, n)).collect();
        let sorters =
            [0, 1000, 10_000, 100_000].map(|memory| ExternalSort::new(folder.path().join("sort"), memory));
        for mut sort in sorters {
            for _ in 0..2 {
                for &pair in &pairs {
                    sort.push(pair).expect("writes");
                }
                assert_eq!(sort.len(), 2000);
                let mut expected = pairs.clone();
                expected.sort_unstable();
                assert_eq!(all(&mut sort.sorted().expect("sorts")), expected);
                assert_eq!(all(&mut sort.sorted().expect("sorts")), []);
            }
        }
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 0, "runs are gone");
    }
}
