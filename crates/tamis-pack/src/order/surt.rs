//! Pages in the order of their addresses.

use std::io;

use super::Space;
use tamis_files::sort::{KeyedEntries, KeyedSorter};
use tamis_near::sketch::MinHash;

/// What is known of a page.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// Its number in the crawl.
    pub record: u64,
    /// Its address as sort key; of equal keys the first page is first.
    pub surt: &'a [u8],
    /// The length of the record.
    pub len_bytes: u64,
    /// [`MinHash::of_bytes`] of what the record holds.
    pub sketch: &'a MinHash,
}

/// Takes pages in the order of the crawl and sorts them by address.
///
/// ```
/// use tamis_pack::order::{Page, Space, SurtOrder};
/// use tamis_near::sketch::MinHash;
///
/// let space = Space { folder: std::env::temp_dir(), memory_bytes: 1 << 20 };
/// let mut order = SurtOrder::new(&space);
/// for (record, surt) in ["org,example)/b", "org,example)/a"].into_iter().enumerate() {
///     let sketch = MinHash::of_bytes(b"the page");
///     order.add(Page { record: record as u64, surt: surt.as_bytes(), len_bytes: 8, sketch: &sketch })?;
/// }
/// assert_eq!(order.finish()?.records()?, [1, 0]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct SurtOrder {
    sorter: KeyedSorter,
    pages: u64,
}

impl SurtOrder {
    /// Nothing yet.
    pub fn new(space: &Space) -> Self {
        Self { sorter: KeyedSorter::new(&space.folder, space.memory_bytes), pages: 0 }
    }

    /// Adds a page.
    pub fn add(&mut self, page: Page<'_>) -> io::Result<()> {
        let mut value = [0; VALUE_BYTES];
        value[..8].copy_from_slice(&page.record.to_le_bytes());
        value[8..16].copy_from_slice(&page.len_bytes.to_le_bytes());
        value[16..].copy_from_slice(&page.sketch.to_bytes());
        self.pages += 1;
        Ok(self.sorter.push(page.surt, &value)?)
    }

    /// All pages, sorted.
    pub fn finish(self) -> io::Result<SortedPages> {
        Ok(SortedPages { merged: self.sorter.finish()?, pages: self.pages })
    }
}

const VALUE_BYTES: usize = 16 + MinHash::BYTES;

/// Pages in the order of their addresses, to be read once.
pub struct SortedPages {
    merged: KeyedEntries,
    pages: u64,
}

/// A page without its address.
pub(super) struct Sorted {
    pub(super) record: u64,
    pub(super) len_bytes: u64,
    pub(super) sketch: MinHash,
}

impl SortedPages {
    /// The record numbers: the order of sorted addresses, if nothing better is wanted.
    pub fn records(mut self) -> io::Result<Vec<u64>> {
        let mut records = Vec::with_capacity(self.pages as usize);
        while let Some(page) = self.next()? {
            records.push(page.record);
        }
        Ok(records)
    }

    /// How many pages there are, those that were read included.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Sorted>> {
        let entry = self.merged.next_entry()?;
        entry.map(|(_, value)| sorted(value).ok_or_else(|| io::ErrorKind::InvalidData.into())).transpose()
    }
}

fn sorted(value: &[u8]) -> Option<Sorted> {
    let (record, rest) = value.split_first_chunk()?;
    let (len_bytes, sketch) = rest.split_first_chunk()?;
    Some(Sorted {
        record: u64::from_le_bytes(*record),
        len_bytes: u64::from_le_bytes(*len_bytes),
        sketch: MinHash::from_bytes(sketch.try_into().ok()?),
    })
}
