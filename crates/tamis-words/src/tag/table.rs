//! Numbers of words in a hash table that is used where it lies.

use std::borrow::Cow;

/// Bytes of a slot: 16 bits of the hash and the number, 0 for none.
const SLOT: usize = 4;

/// A number below 65,536 for each of many words, known by their hashes. A word that is not in it has none, but for one in
/// some ten thousand that takes another's.
#[derive(Clone, Debug)]
pub struct Table {
    slots: Cow<'static, [u8]>,
    mask: usize,
}

impl Table {
    /// The table in these bytes, if their number is right.
    pub fn read(slots: Cow<'static, [u8]>) -> Option<Self> {
        let count = slots.len() / SLOT;
        (count.is_power_of_two() && count * SLOT == slots.len()).then(|| Self { slots, mask: count - 1 })
    }

    /// The number of a word, 0 if it has none.
    #[inline]
    pub fn get(&self, hash: u64) -> u16 {
        let print = print(hash);
        let mut at = hash as usize & self.mask;
        // A table that was read from damaged bytes may have no free slot.
        for _ in 0..=self.mask {
            let Some(&[a, b, c, d]) = self.slots.get(at * SLOT..at * SLOT + SLOT) else { return 0 };
            let value = u16::from_le_bytes([c, d]);
            if value == 0 || u16::from_le_bytes([a, b]) == print {
                return value;
            }
            at = (at + 1) & self.mask;
        }
        0
    }

    /// The bytes of a table with these numbers, none of them 0. Of words with the same hash the first one counts.
    pub fn bytes(entries: &[(u64, u16)]) -> Vec<u8> {
        let count = (entries.len() * 5 / 4 + 1).next_power_of_two();
        let mut slots = vec![0; count * SLOT];
        for &(hash, value) in entries {
            let mut at = hash as usize & (count - 1);
            while slots[at * SLOT + 2..at * SLOT + SLOT] != [0, 0] {
                at = (at + 1) & (count - 1);
            }
            slots[at * SLOT..at * SLOT + 2].copy_from_slice(&print(hash).to_le_bytes());
            slots[at * SLOT + 2..at * SLOT + SLOT].copy_from_slice(&value.to_le_bytes());
        }
        slots
    }
}

/// The bits of a hash that the place of its slot does not tell.
fn print(hash: u64) -> u16 {
    (hash >> 48) as u16
}

#[cfg(test)]
mod tests {
    use super::super::hash::of_bytes;
    use super::*;

    #[test]
    fn every_word_has_its_number_and_others_have_none() {
        let hash = |number: u32| of_bytes(&number.to_le_bytes());
        let entries: Vec<_> = (1..5000).map(|number| (hash(number), number as u16)).collect();
        let table = Table::read(Table::bytes(&entries).into()).expect("whole");
        assert!(entries.iter().all(|&(hash, value)| table.get(hash) == value));
        let wrong = (5000..15_000).filter(|&number| table.get(hash(number)) != 0).count();
        assert!(wrong < 10, "{wrong} of 10,000 strangers are known");
    }

    #[test]
    fn damaged_tables_are_refused_or_answer() {
        assert!(Table::read(Cow::Borrowed(&[1, 2, 3])).is_none());
        assert!(Table::read(Cow::Borrowed(&[])).is_none());
        let full = Table::read(vec![7; 32].into()).expect("a power of two");
        assert_eq!(full.get(0), 0);
    }
}
