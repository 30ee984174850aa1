//! Many sorted runs as one.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::chunk::{Chunk, prefix};
use super::run::RunReader;
use super::sorting;
use crate::Result;

/// Lines in order, lent one by one.
pub struct SortedLines {
    heads: BinaryHeap<Head>,
    current: Vec<u8>,
    any: bool,
    unique: bool,
    folder: PathBuf,
}

impl SortedLines {
    /// Merges sorted sources; `folder` is named in errors.
    pub fn merge(sources: Vec<Source>, unique: bool, folder: &Path) -> Result<Self> {
        let mut heads = BinaryHeap::with_capacity(sources.len());
        for source in sources {
            let mut head = Head { prefix: 0, line: Vec::new(), source };
            if head.advance(folder)? {
                heads.push(head);
            }
        }
        Ok(Self { heads, current: Vec::new(), any: false, unique, folder: folder.into() })
    }

    /// The next line without its line end, none at the end.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        while let Some(mut head) = self.heads.peek_mut() {
            let is_new = !(self.unique && self.any && self.current == head.line);
            if is_new {
                // A run tells a line by what the one before shares with it, so that one is left where it is.
                self.current.clear();
                self.current.extend_from_slice(&head.line);
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

    /// Skips all lines less than this one, without sorting them.
    pub fn skip_below(&mut self, first: &[u8]) -> Result<()> {
        let mut kept = BinaryHeap::with_capacity(self.heads.len());
        for mut head in self.heads.drain() {
            let mut any = true;
            while any && head.line.as_slice() < first {
                any = head.advance(&self.folder)?;
            }
            if any {
                kept.push(head);
            }
        }
        self.heads = kept;
        Ok(())
    }
}

/// A sorted source of a merge.
pub enum Source {
    /// Lines in memory.
    Memory {
        /// The lines, sorted.
        chunk: Chunk,
        /// The next one.
        at: usize,
    },
    /// Lines in a file.
    Run(Box<RunReader>),
}

impl Source {
    pub(super) fn file(file: File, folder: &Path) -> Result<Self> {
        Ok(Self::Run(Box::new(RunReader::new(file).map_err(sorting(folder))?)))
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
                let any = *at < chunk.len();
                if any {
                    self.line.clear();
                    self.line.extend_from_slice(chunk.line(*at));
                    *at += 1;
                }
                any
            }
            Source::Run(run) => run.next(&mut self.line).map_err(sorting(folder))?,
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
