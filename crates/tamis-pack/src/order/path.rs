//! The order that follows resemblance.

mod greedy;

use std::io;

use super::measured::smaller;
use super::values::Values;
use super::{Records, SortedPages, Space};
use tamis_near::sketch::SLOTS;

/// Memory of a segment for each of its pages: numbers and lists of values, what is being sorted, and the path's own.
const BYTES_A_PAGE: usize = 1280;
/// Pages of a segment are counted in 32 bits, and so are the entries of all lists.
const MOST_PAGES: usize = u32::MAX as usize / SLOTS;

/// How a path is made.
#[derive(Clone, Debug)]
pub struct PathSettings {
    /// How far back the compressor looks: a page is chosen for what it has in common with so many bytes before it.
    pub window_bytes: u64,
    /// A value that more pages of a segment have is not followed. Larger is a little better and slower.
    pub most_pages_of_a_value: usize,
    /// So many pages, as sorted by address, are ordered together; fewer if memory holds fewer. More find more across sites
    /// and take more time for each page, as caches hold less of them: 30 % more at four times as many.
    pub segment_pages: usize,
}

impl Default for PathSettings {
    fn default() -> Self {
        Self { window_bytes: 4 << 20, most_pages_of_a_value: 256, segment_pages: 1 << 16 }
    }
}

/// An order, and how each part of it came about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ordered {
    /// Record numbers in the new order.
    pub records: Vec<u64>,
    /// The parts of it.
    pub segments: Vec<Segment>,
}

/// A part of an order: pages that are neighbours by address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// How many pages it has.
    pub pages: u64,
    /// How many bytes their records have.
    pub len_bytes: u64,
    /// Compressed quickly in the order of addresses, and in that of the path; none where nothing was measured.
    pub measured_bytes: Option<(u64, u64)>,
    /// Whether the path was taken.
    pub is_path: bool,
}

/// Orders pages so that each has much in common with those shortly before it.
///
/// A page is chosen for how many values of its sketch occur in the window before it; of several the one that has most in
/// common with the page before. Where nothing is in common the next page by address goes on. So the path is
/// as long as the segment and every step looks at the pages of the values that came into the window or left it: near-linear.
///
/// With `records` both orders of each segment are compressed (quickly, with the window), and the path is taken
/// only where it is smaller, so no segment is larger than by address. That reads every record twice.
///
/// Memory: 1280 bytes for each page of a segment, within `space`; 8 for each page of the collection.
pub fn path(
    pages: SortedPages,
    settings: &PathSettings,
    space: &Space,
    records: Option<&dyn Records>,
) -> io::Result<Ordered> {
    let most = settings.segment_pages.min(space.memory_bytes / BYTES_A_PAGE).clamp(1, MOST_PAGES);
    let mut pages = pages;
    let mut ordered = Ordered::default();
    loop {
        let part = Part::read(&mut pages, most)?;
        if part.records.is_empty() {
            return Ok(ordered);
        }
        part.order(settings, records, &mut ordered)?;
    }
}

/// The pages of a segment, by address.
struct Part {
    records: Vec<u64>,
    lens: Vec<u64>,
    slots: Vec<u32>,
}

impl Part {
    fn read(pages: &mut SortedPages, most: usize) -> io::Result<Self> {
        let expected = most.min(pages.pages() as usize);
        let mut part = Self {
            records: Vec::with_capacity(expected),
            lens: Vec::with_capacity(expected),
            slots: Vec::with_capacity(expected * SLOTS),
        };
        while part.records.len() < most
            && let Some(page) = pages.next()?
        {
            part.records.push(page.record);
            part.lens.push(page.len_bytes);
            part.slots.extend_from_slice(page.sketch.slots());
        }
        Ok(part)
    }

    fn order(
        self,
        settings: &PathSettings,
        records: Option<&dyn Records>,
        ordered: &mut Ordered,
    ) -> io::Result<()> {
        let values = Values::new(self.slots, settings.most_pages_of_a_value);
        let steps = greedy::steps(&values, &self.lens, settings.window_bytes);
        drop(values);
        let by_path: Vec<u64> = steps.iter().map(|&page| self.records[page as usize]).collect();
        let measured = match records {
            Some(source) => Some(smaller(source, &self.records, &by_path, settings.window_bytes)?),
            None => None,
        };
        let is_path = measured.as_ref().is_none_or(|measured| measured.is_path);
        ordered.segments.push(Segment {
            pages: self.records.len() as u64,
            len_bytes: self.lens.iter().sum(),
            measured_bytes: measured.map(|measured| (measured.by_address, measured.by_path)),
            is_path,
        });
        ordered.records.extend(if is_path { by_path } else { self.records });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::order::{Page, SurtOrder};
    use tamis_near::sketch::MinHash;

    /// Pages of sites that share one of some frames, so that neighbours by address have different ones.
    fn pages(count: u64) -> Vec<(String, Vec<u8>)> {
        let page = |at: u64| {
            let mut text = String::new();
            for line in 0..300 {
                let _ = writeln!(
                    text,
                    "<div id={}>{}</div>",
                    at % 7 * 1000 + line,
                    (at % 7 + 3) * line * line * 977 % 8191
                );
            }
            let _ = write!(text, "{}", at * 7_777_777);
            (format!("org,site{at:05})/"), text.into_bytes())
        };
        (0..count).map(page).collect()
    }

    fn sorted(pages: &[(String, Vec<u8>)], space: &Space) -> SortedPages {
        let mut order = SurtOrder::new(space);
        for (record, (surt, body)) in pages.iter().enumerate().rev() {
            let sketch = MinHash::of_bytes(body);
            let page = Page {
                record: record as u64,
                surt: surt.as_bytes(),
                len_bytes: body.len() as u64,
                sketch: &sketch,
            };
            order.add(page).expect("it is added");
        }
        order.finish().expect("it is sorted")
    }

    fn space(memory_bytes: usize) -> Space {
        Space { folder: std::env::temp_dir(), memory_bytes }
    }

    fn ordered(pages: &[(String, Vec<u8>)], settings: &PathSettings, space: &Space) -> Ordered {
        let read = |record: u64, to: &mut Vec<u8>| {
            to.extend_from_slice(&pages[record as usize].1);
            Ok(())
        };
        path(sorted(pages, space), settings, space, Some(&read)).expect("it is ordered")
    }

    #[test]
    fn pages_with_the_same_frame_come_together() {
        let pages = pages(210);
        let settings = PathSettings { window_bytes: 50_000, ..PathSettings::default() };
        let found = ordered(&pages, &settings, &space(1 << 24));
        let changes = found.records.windows(2).filter(|pair| pair[0] % 7 != pair[1] % 7).count();
        assert_eq!(changes, 6, "{:?}", found.records);
        let [segment] = &found.segments[..] else { panic!("one segment") };
        let (by_address, by_path) = segment.measured_bytes.expect("it was measured");
        assert!(segment.is_path && by_path * 3 < by_address * 2, "{by_address} {by_path}");
    }

    #[test]
    fn every_page_is_there_once_whatever_the_memory() {
        let pages = pages(100);
        let settings = PathSettings { segment_pages: 33, ..PathSettings::default() };
        let large = ordered(&pages, &settings, &space(1 << 24));
        assert_eq!(large.segments.iter().map(|segment| segment.pages).collect::<Vec<_>>(), [33, 33, 33, 1]);
        let small = ordered(&pages, &settings, &space(BYTES_A_PAGE * 33));
        assert_eq!(small, large);
        let mut records = large.records;
        records.sort_unstable();
        assert!(records.into_iter().eq(0..100));
    }

    #[test]
    fn pages_with_nothing_in_common_stay_in_the_order_of_addresses() {
        let noise = |at: u64| {
            (0..500).flat_map(move |i| (at * 1000 + i).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes())
        };
        let pages: Vec<(String, Vec<u8>)> =
            (0..40).map(|at| (format!("org,{at:03})/"), noise(at).collect())).collect();
        let found = ordered(&pages, &PathSettings::default(), &space(1 << 24));
        assert!(found.records.iter().copied().eq(0..40));
        assert!(!found.segments[0].is_path);
    }

    #[test]
    fn no_pages_are_no_order() {
        assert_eq!(ordered(&[], &PathSettings::default(), &space(0)), Ordered::default());
    }
}
