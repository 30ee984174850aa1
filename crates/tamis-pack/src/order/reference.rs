//! The order of the reference: groups of similar pages.

use std::io;

use super::Space;
use tamis_files::sort::{KeyedEntries, KeyedSorter};

/// Takes pages in the order of the crawl, with the keys of their sketches ([`tamis_near::sketch::Words::bands`] or
/// [`tamis_near::sketch::Chars::bands`]).
///
/// Pages that have a key of the same table in common are similar, and so are pages that are similar to the same page: groups
/// are what is connected. Groups stand in the order of their first address, pages in a group by address, pages without a
/// sketch (which are not HTML) by address behind all of them.
///
/// Where the reference holds its tables in memory and walks through them for every page, keys are sorted here, on disk if
/// need be. Memory: that of the space, and 20 bytes a page.
pub struct ReferenceOrder {
    by_address: KeyedSorter,
    space: Space,
}

impl ReferenceOrder {
    /// Nothing yet.
    pub fn new(space: &Space) -> Self {
        Self { by_address: KeyedSorter::new(&space.folder, space.memory_bytes / 2), space: space.clone() }
    }

    /// Adds a page; `bands` is empty for a page that is not HTML.
    pub fn add(&mut self, record: u64, surt: &[u8], bands: &[u64]) -> io::Result<()> {
        let numbers = std::iter::once(&record).chain(bands);
        let value: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        Ok(self.by_address.push(surt, &value)?)
    }

    /// The record numbers in the new order.
    pub fn finish(self) -> io::Result<Vec<u64>> {
        let mut by_band = KeyedSorter::new(&self.space.folder, self.space.memory_bytes / 2);
        let (html, other) = split(self.by_address.finish()?, &mut by_band)?;
        let groups = Groups::new(by_band.finish()?, html.len())?;
        let mut records = groups.in_order(&html);
        records.extend(other);
        Ok(records)
    }
}

/// Records with and without a sketch, by address; the keys of the former go into `by_band`.
fn split(mut pages: KeyedEntries, by_band: &mut KeyedSorter) -> io::Result<(Vec<u64>, Vec<u64>)> {
    let (mut html, mut other) = (Vec::new(), Vec::new());
    while let Some((_, value)) = pages.next_entry()? {
        let mut numbers = value.as_chunks::<8>().0.iter();
        let record = numbers.next().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        if numbers.len() == 0 {
            other.push(record);
            continue;
        }
        for (table, band) in (0_u8..).zip(numbers) {
            let mut key = [table; 9];
            key[1..].copy_from_slice(band);
            by_band.push(&key, &(html.len() as u32).to_le_bytes())?;
        }
        html.push(record);
    }
    Ok((html, other))
}

/// Union-find over pages in the order of addresses; the first page of a group stands for it.
struct Groups(Vec<u32>);

impl Groups {
    fn new(mut by_band: KeyedEntries, pages: usize) -> io::Result<Self> {
        let mut groups = Self((0..pages as u32).collect());
        let mut last = ([0; 9], u32::MAX);
        while let Some((key, value)) = by_band.next_entry()? {
            let page = u32::from_le_bytes(value.try_into().map_err(|_| io::ErrorKind::InvalidData)?);
            if last.1 != u32::MAX && last.0 == key {
                groups.join(last.1, page);
            }
            last = (key.try_into().map_err(|_| io::ErrorKind::InvalidData)?, page);
        }
        Ok(groups)
    }

    fn first(&mut self, page: u32) -> u32 {
        let mut page = page;
        while self.0[page as usize] != page {
            let above = self.0[page as usize];
            self.0[page as usize] = self.0[above as usize];
            page = above;
        }
        page
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.first(one), self.first(other));
        self.0[one.max(other) as usize] = one.min(other);
    }

    /// A counting sort by group, which keeps pages of a group by address.
    fn in_order(mut self, records: &[u64]) -> Vec<u64> {
        let mut next = vec![0_u32; records.len() + 1];
        for page in 0..records.len() as u32 {
            next[self.first(page) as usize + 1] += 1;
        }
        for group in 0..records.len() {
            next[group + 1] += next[group];
        }
        let mut ordered = vec![0; records.len()];
        for (page, &record) in (0..).zip(records) {
            let place = &mut next[self.first(page) as usize];
            ordered[*place as usize] = record;
            *place += 1;
        }
        ordered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(pages: &[(&str, &[u64])], memory_bytes: usize) -> Vec<u64> {
        let mut order = ReferenceOrder::new(&Space { folder: std::env::temp_dir(), memory_bytes });
        for (record, (surt, bands)) in (0..).zip(pages) {
            order.add(record, surt.as_bytes(), bands).expect("it is added");
        }
        order.finish().expect("it is ordered")
    }

    #[test]
    fn groups_are_what_is_connected_and_pages_without_a_sketch_are_last() {
        let pages: [(&str, &[u64]); 7] = [
            ("org,a)/image", &[]),
            ("org,z)/", &[1, 20]),
            ("org,b)/", &[5, 6]),
            ("org,a)/", &[1, 10]),
            ("org,y)/", &[3, 20]),
            ("org,c)/", &[10, 1]),
            ("org,0)/image", &[]),
        ];
        assert_eq!(order(&pages, 1 << 20), [3, 4, 1, 2, 5, 6, 0]);
        assert_eq!(order(&pages, 0), order(&pages, 1 << 20));
    }

    #[test]
    fn no_pages_are_no_order() {
        assert!(order(&[], 0).is_empty());
    }
}
