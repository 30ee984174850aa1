//! Sorting of keys with values: entries of equal keys stay in the order in which they came.

use std::path::Path;

use super::{SortOptions, SortedLines, Sorter};
use crate::Result;

/// Sorts entries of a key and a value by their keys, in bounded memory.
///
/// An entry is stored as its key with an end mark that orders as the key does, its number, and its value. Memory: as for
/// [`Sorter`].
#[derive(Debug)]
pub struct KeyedSorter {
    sorter: Sorter,
    count: u64,
    entry: Vec<u8>,
}

/// Sorted entries, lent one by one.
pub struct KeyedEntries {
    lines: SortedLines,
    key: Vec<u8>,
}

/// A zero byte of a key is stored with this byte after it; a zero byte before any other ends the key.
const ESCAPED: u8 = 0xff;
const END: [u8; 2] = [0, 0];
const COUNT_BYTES: usize = 8;

impl KeyedSorter {
    /// A sorter without entries, which writes to unnamed files in `folder` when `memory_bytes` are full.
    pub fn new(folder: &Path, memory_bytes: usize) -> Self {
        let options = SortOptions { memory_bytes, unique: false, ..SortOptions::new(folder) };
        Self { sorter: Sorter::new(options), count: 0, entry: Vec::new() }
    }

    /// Adds an entry.
    pub fn push(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.entry.clear();
        for &byte in key {
            self.entry.push(byte);
            if byte == 0 {
                self.entry.push(ESCAPED);
            }
        }
        self.entry.extend_from_slice(&END);
        self.entry.extend_from_slice(&self.count.to_be_bytes());
        self.entry.extend_from_slice(value);
        self.count += 1;
        self.sorter.push_bytes(&self.entry)
    }

    /// All entries in the order of their keys.
    pub fn finish(self) -> Result<KeyedEntries> {
        Ok(KeyedEntries { lines: self.sorter.into_lines()?, key: Vec::new() })
    }
}

impl KeyedEntries {
    /// Key and value of the next entry.
    pub fn next_entry(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        let Some(entry) = self.lines.next_line()? else { return Ok(None) };
        self.key.clear();
        let mut at = 0;
        loop {
            let rest = &entry[at..];
            // Every entry has an end mark: `push` wrote it, and runs carry checksums.
            let Some(zero) = memchr::memchr(0, rest) else { break };
            self.key.extend_from_slice(&rest[..zero]);
            at += zero + END.len();
            if rest.get(zero + 1) != Some(&ESCAPED) {
                break;
            }
            self.key.push(0);
        }
        Ok(Some((&self.key, entry.get(at + COUNT_BYTES..).unwrap_or_default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(count: u32, memory_bytes: usize) -> Vec<(Vec<u8>, u32)> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sorter = KeyedSorter::new(folder.path(), memory_bytes);
        for at in 0..count {
            let key = format!("key {}", at.wrapping_mul(2_654_435_761) % 10_007);
            sorter.push(key.as_bytes(), &at.to_le_bytes()).expect("writable");
        }
        let mut entries = sorter.finish().expect("sorted");
        let mut list = Vec::new();
        while let Some((key, value)) = entries.next_entry().expect("readable") {
            list.push((key.to_vec(), u32::from_le_bytes(value.try_into().expect("four bytes"))));
        }
        list
    }

    #[test]
    fn files_give_the_order_that_memory_gives() {
        let in_memory = sorted(40_000, 1 << 30);
        assert_eq!(in_memory.len(), 40_000);
        assert!(in_memory.is_sorted(), "equal keys stay as they came");
        for memory_bytes in [0, 1 << 17, 1 << 20] {
            assert!(sorted(40_000, memory_bytes) == in_memory, "{memory_bytes}");
        }
        assert!(sorted(0, 0).is_empty());
    }

    #[test]
    fn keys_of_any_bytes_are_ordered_and_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sorter = KeyedSorter::new(folder.path(), 1 << 20);
        let mut keys: Vec<&[u8]> =
            vec![b"a\0", b"", b"a", b"a\0\0\0\0\0\0\0\0", b"\xff", b"a\0\xff", b"\0", b"a\n", b"a\x01"];
        for key in &keys {
            sorter.push(key, key).expect("writable");
        }
        keys.sort_unstable();
        let mut entries = sorter.finish().expect("sorted");
        for key in keys {
            assert_eq!(entries.next_entry().expect("readable"), Some((key, key)));
        }
        assert_eq!(entries.next_entry().expect("readable"), None);
    }
}
