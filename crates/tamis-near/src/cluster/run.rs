//! A sorted file of keys and the pages that have them.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: [u8; 8] = *b"TAMISRN\x01";
/// Key, number of the page in the list of kept pages.
const ENTRY_BYTES: usize = 12;
/// Entries that are read at once.
const BLOCK: u64 = 340;
/// After so many steps of a search by proportion it goes on by halves.
const BY_PROPORTION: u32 = 6;

/// An entry of a run.
pub(super) type Entry = (u64, u32);

/// Writes a run; entries come sorted. It is whole when this returns.
pub(super) fn write(path: &Path, entries: impl Iterator<Item = io::Result<Entry>>) -> io::Result<u64> {
    let mut file = BufWriter::with_capacity(1 << 17, File::create(path)?);
    file.write_all(&MAGIC)?;
    let mut count = 0;
    for entry in entries {
        let (key, page) = entry?;
        file.write_all(&key.to_le_bytes())?;
        file.write_all(&page.to_le_bytes())?;
        count += 1;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(count)
}

/// All entries of a run.
pub(super) fn read(path: &Path) -> io::Result<impl Iterator<Item = io::Result<Entry>> + use<>> {
    let mut file = BufReader::with_capacity(1 << 17, File::open(path)?);
    let mut magic = [0; 8];
    file.read_exact(&mut magic)?;
    check(magic, path)?;
    Ok(std::iter::from_fn(move || {
        let mut bytes = [0; ENTRY_BYTES];
        match file.read_exact(&mut bytes) {
            Ok(()) => Some(Ok(entry(&bytes))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
            Err(error) => Some(Err(error)),
        }
    }))
}

/// Two sorted streams as one.
pub(super) fn merged(
    one: impl Iterator<Item = io::Result<Entry>>,
    other: impl Iterator<Item = io::Result<Entry>>,
) -> impl Iterator<Item = io::Result<Entry>> {
    let (mut one, mut other) = (one.peekable(), other.peekable());
    std::iter::from_fn(move || match (one.peek(), other.peek()) {
        (Some(Ok(first)), Some(Ok(second))) if second < first => other.next(),
        (Some(_), _) => one.next(),
        (None, _) => other.next(),
    })
}

/// Searches for keys in a run. Keys are evenly spread, so their place can be guessed; keys that come sorted make it read
/// forward. Memory: one block.
pub(super) struct Search {
    file: File,
    count: u64,
    block: Vec<Entry>,
    /// The place of the first entry of the block.
    start: u64,
}

impl Search {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let mut magic = [0; 8];
        file.read_exact_at(&mut magic, 0)?;
        check(magic, path)?;
        let count = (file.metadata()?.len() - MAGIC.len() as u64) / ENTRY_BYTES as u64;
        Ok(Self { file, count, block: Vec::new(), start: 0 })
    }

    /// Calls `found` with the pages that have a key.
    pub(super) fn find(&mut self, key: u64, mut found: impl FnMut(u32)) -> io::Result<()> {
        self.approach(key)?;
        let mut at = self.block.partition_point(|entry| entry.0 < key);
        loop {
            while let Some(&(found_key, page)) = self.block.get(at) {
                if found_key != key {
                    return Ok(());
                }
                found(page);
                at += 1;
            }
            let next = self.start + self.block.len() as u64;
            if next >= self.count {
                return Ok(());
            }
            self.load(next)?;
            at = 0;
        }
    }

    /// Loads the block in which the first entry not below the key is, if there is one.
    fn approach(&mut self, key: u64) -> io::Result<()> {
        let (mut low, mut high) = (0, self.count);
        let mut guess = proportion(key, self.count);
        for step in 0.. {
            if let (Some(first), Some(last)) = (self.block.first(), self.block.last()) {
                let end = self.start + self.block.len() as u64;
                if first.0 >= key && self.start > 0 {
                    high = high.min(self.start);
                    guess = self.start.saturating_sub(proportion(first.0 - key, self.count) + BLOCK / 2);
                } else if last.0 < key && end < self.count {
                    low = low.max(end);
                    guess = end + proportion(key - last.0, self.count);
                    guess = guess.saturating_sub(BLOCK / 2);
                } else {
                    return Ok(());
                }
            }
            if low >= high {
                // Between two blocks: the next begins with the first entry that is not below.
                return self.load(low.min(self.count.saturating_sub(1)));
            }
            let middle = low + (high - low) / 2;
            let at = if step < BY_PROPORTION {
                guess.clamp(low, high - 1)
            } else {
                middle.saturating_sub(BLOCK / 2).max(low)
            };
            self.load(at)?;
        }
        Ok(())
    }

    fn load(&mut self, start: u64) -> io::Result<()> {
        let count = self.count.saturating_sub(start).min(BLOCK) as usize;
        let mut bytes = [0; BLOCK as usize * ENTRY_BYTES];
        let bytes = &mut bytes[..count * ENTRY_BYTES];
        self.file.read_exact_at(bytes, MAGIC.len() as u64 + start * ENTRY_BYTES as u64)?;
        self.block.clear();
        self.block.extend(bytes.as_chunks().0.iter().map(entry));
        self.start = start;
        Ok(())
    }
}

/// Where a key is among so many that are evenly spread.
fn proportion(key: u64, count: u64) -> u64 {
    ((u128::from(key) * u128::from(count)) >> 64) as u64
}

fn entry(bytes: &[u8; ENTRY_BYTES]) -> Entry {
    let (mut key, mut page) = ([0; 8], [0; 4]);
    key.copy_from_slice(&bytes[..8]);
    page.copy_from_slice(&bytes[8..]);
    (u64::from_le_bytes(key), u32::from_le_bytes(page))
}

fn check(magic: [u8; 8], path: &Path) -> io::Result<()> {
    if magic == MAGIC {
        return Ok(());
    }
    let message = format!("{}: not a run of a near-duplicate index of version 1", path.display());
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(search: &mut Search, key: u64) -> Vec<u32> {
        let mut pages = Vec::new();
        search.find(key, |page| pages.push(page)).expect("it is read");
        pages
    }

    fn run(entries: &[Entry]) -> (tempfile::TempDir, Search) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        write(&path, entries.iter().map(|entry| Ok(*entry))).expect("it is written");
        let search = Search::open(&path).expect("it is opened");
        (folder, search)
    }

    #[test]
    fn keys_are_found_in_any_order() {
        let mut entries: Vec<Entry> =
            (0..20_000).map(|at| (u64::from(at / 3).wrapping_mul(0x9E37_79B9_7F4A_7C15), at)).collect();
        entries.sort_unstable();
        let (_folder, mut search) = run(&entries);
        for at in (0..6666_u32).chain([5000, 3, 6000, 0]) {
            let key = u64::from(at).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            assert_eq!(found(&mut search, key), [at * 3, at * 3 + 1, at * 3 + 2]);
            assert!(found(&mut search, key ^ 1 << 20).is_empty());
        }
    }

    #[test]
    fn an_empty_run_has_nothing() {
        let (_folder, mut search) = run(&[]);
        assert!(found(&mut search, 0).is_empty());
        assert!(found(&mut search, u64::MAX).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Keys that are anything but evenly spread.
        #[test]
        fn a_search_finds_what_is_there(keys in prop::collection::vec(0..60_u64, 0..1500), shift in 0..58_u32) {
            let mut entries: Vec<Entry> = keys.iter().map(|key| key << shift).zip(0..).collect();
            entries.sort_unstable();
            let (_folder, mut search) = run(&entries);
            for key in (0..60_u64).map(|key| key << shift).chain([1, u64::MAX]) {
                let expected: Vec<u32> = entries.iter().filter(|entry| entry.0 == key).map(|entry| entry.1).collect();
                prop_assert_eq!(found(&mut search, key), expected);
            }
        }
    }
}
