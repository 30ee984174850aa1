//! Which pages have which values in their sketches: the candidates of a path.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use tamis_near::sketch::SLOTS;

/// A value that no other page has.
pub(super) const ALONE: u32 = u32::MAX;
/// Slots that are sorted at the same time.
const TOGETHER: usize = 8;

/// The values that several pages share, numbered, and their pages.
///
/// A value that more than `most_pages` pages have is numbered, too, so that pages can be compared, but has no list: it says
/// little, and the lists of such values would be most of the work.
///
/// Memory: 512 bytes a page for the numbers, at most as much for the lists, 96 while it is made.
pub(super) struct Values {
    /// Page after page the number of the value in each slot.
    numbers: Vec<u32>,
    /// Where the list of each value starts in `pages`; one more, where the last ends.
    starts: Vec<u32>,
    pages: Vec<u32>,
}

impl Values {
    /// `slots` are the sketches, page after page; they become the numbers.
    pub(super) fn new(slots: Vec<u32>, most_pages: usize) -> Self {
        let mut values = Self { numbers: slots, starts: vec![0], pages: Vec::new() };
        for first in (0..SLOTS).step_by(TOGETHER) {
            let slots: Vec<usize> = (first..first + TOGETHER).collect();
            let sorted: Vec<Vec<u64>> = slots.into_par_iter().map(|slot| values.sorted(slot)).collect();
            for (slot, sorted) in (first..).zip(sorted) {
                values.number(slot, &sorted, most_pages);
            }
        }
        values.pages.shrink_to_fit();
        values
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The numbers of a page's values.
    pub(super) fn of_page(&self, page: u32) -> &[u32] {
        &self.numbers[page as usize * SLOTS..][..SLOTS]
    }

    /// The pages that have a value, in their order; none if they are too many.
    pub(super) fn pages(&self, value: u32) -> &[u32] {
        &self.pages[self.starts[value as usize] as usize..self.starts[value as usize + 1] as usize]
    }

    /// In how many values two pages agree.
    pub(super) fn agreeing(&self, one: u32, other: u32) -> u32 {
        let equal = |(one, other): (&u32, &u32)| u32::from(one == other && *one != ALONE);
        self.of_page(one).iter().zip(self.of_page(other)).map(equal).sum()
    }

    /// Value and page of one slot.
    fn sorted(&self, slot: usize) -> Vec<u64> {
        let values = self.numbers.iter().skip(slot).step_by(SLOTS);
        let mut sorted: Vec<u64> =
            values.zip(0_u64..).map(|(&value, page)| u64::from(value) << 32 | page).collect();
        sorted.par_sort_unstable();
        sorted
    }

    fn number(&mut self, slot: usize, sorted: &[u64], most_pages: usize) {
        for equal in sorted.chunk_by(|one, other| one >> 32 == other >> 32) {
            let is_shared = equal.len() > 1 && equal[0] >> 32 != u64::from(ALONE);
            let number = if is_shared { self.len() as u32 } else { ALONE };
            for page in equal {
                self.numbers[*page as u32 as usize * SLOTS + slot] = number;
            }
            if is_shared {
                if equal.len() <= most_pages {
                    self.pages.extend(equal.iter().map(|page| *page as u32));
                }
                self.starts.push(self.pages.len() as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_values_have_lists_of_their_pages() {
        let mut slots = vec![0; 4 * SLOTS];
        for (page, values) in [[7, 1], [7, 2], [8, 1], [7, 3]].iter().enumerate() {
            slots[page * SLOTS..][..2].copy_from_slice(values);
            slots[page * SLOTS + 2..(page + 1) * SLOTS].fill(ALONE);
        }
        let values = Values::new(slots, 2);
        assert_eq!(values.len(), 2);
        assert_eq!((values.of_page(0)[0], values.of_page(2)[0]), (0, ALONE));
        assert!(values.pages(0).is_empty(), "too many have it");
        assert_eq!(values.pages(1), [0, 2]);
        assert_eq!((values.agreeing(0, 1), values.agreeing(0, 2), values.agreeing(1, 2)), (1, 1, 0));
    }
}
