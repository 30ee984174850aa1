//! Signatures that passed a moment ago: the links that all pages of a site share need go no further.

use std::mem;

/// 128 KB, which stay in the second-level cache beside all else. Twice as many cost 5 to 10 % where no URL comes again soon,
/// half as many let a fifth more through where each second one does.
const PLACES_LOG2: u32 = 14;

/// The last signature of each place. It forgets, and never claims to have seen what it has not.
#[derive(Debug)]
pub(super) struct Recent {
    places: Box<[u64]>,
    mask: u64,
}

impl Recent {
    /// As large as is worth while, or an eighth of that memory if that is less.
    pub(super) fn new(memory_bytes: usize) -> Self {
        let room = (memory_bytes / 8 / size_of::<u64>()).max(2).ilog2();
        let mut places = vec![0; 1 << room.min(PLACES_LOG2)].into_boxed_slice();
        // 0 is a signature of the first place, where it is not known yet; an odd one never stands there.
        places[0] = 1;
        Self { mask: places.len() as u64 - 1, places }
    }

    pub(super) fn len_bytes(&self) -> usize {
        size_of_val(&*self.places)
    }

    /// Whether it has not just passed; from now on it has.
    #[inline]
    pub(super) fn is_first(&mut self, signature: u64) -> bool {
        mem::replace(&mut self.places[(signature & self.mask) as usize], signature) != signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_known_before_it_passed() {
        for memory_bytes in [0, 64, 1024, 1 << 30] {
            let mut recent = Recent::new(memory_bytes);
            for signature in (0..2000).chain([u64::MAX, u64::MAX - 1]) {
                assert!(recent.is_first(signature), "{signature} with {memory_bytes}");
            }
        }
    }

    #[test]
    fn what_just_passed_is_known() {
        let mut recent = Recent::new(1 << 20);
        assert!(recent.is_first(0) && recent.is_first(7));
        assert!(!recent.is_first(0) && !recent.is_first(7));
    }
}
