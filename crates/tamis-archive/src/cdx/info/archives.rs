//! The archives that an index names, each once, under a number.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Names and their numbers, which are given in the order of their first coming.
///
/// Memory: the names, and 24 to 48 bytes for each.
#[derive(Debug, Default)]
pub(super) struct Archives {
    names: String,
    /// Where each name ends.
    ends: Vec<usize>,
    /// Numbers by the hash of the name, with free places in between.
    table: Vec<Place>,
}

/// A place of the table. Half of the hash is kept, so that only the name that is looked for is looked at.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    tag: u32,
    /// The number and 1; 0 is a free place.
    next: u32,
}

impl Archives {
    /// The number of a name, given now if it has none.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if self.ends.len() * 2 >= self.table.len() {
            self.grow();
        }
        let hash = hash(name);
        let at = self.find(hash, name);
        if let Some(number) = self.table[at].next.checked_sub(1) {
            return number;
        }
        let number = self.len();
        self.names.push_str(name);
        self.ends.push(self.names.len());
        self.table[at] = Place { tag: tag(hash), next: number + 1 };
        number
    }

    pub(super) fn name(&self, number: u32) -> &str {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.names[start..self.ends[at]]
    }

    /// All names in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.name(number))
    }

    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The bytes that all this takes up.
    pub(super) fn memory_bytes(&self) -> usize {
        self.names.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.table.len() * size_of::<Place>()
    }

    /// The place in the table that the name has, or will have.
    fn find(&self, hash: u64, name: &str) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let place = self.table[at];
            match place.next.checked_sub(1) {
                None => return at,
                Some(number) if place.tag == tag(hash) && self.name(number) == name => return at,
                Some(_) => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        self.table = vec![Place::default(); (self.table.len() * 2).max(64)];
        for number in 0..self.len() {
            let hash = hash(self.name(number));
            let at = self.find(hash, self.name(number));
            self.table[at] = Place { tag: tag(hash), next: number + 1 };
        }
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// The half of the hash that says little of the place.
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let mut archives = Archives::default();
        let names: Vec<String> = (0..5000).map(|n| format!("segments/{}/{}.warc.gz", n % 7, n / 3)).collect();
        let numbers: Vec<u32> = names.iter().map(|name| archives.number(name)).collect();
        for (name, number) in names.iter().zip(numbers) {
            assert_eq!((archives.number(name), archives.name(number)), (number, name.as_str()));
        }
        assert!(archives.iter().zip(0..).all(|(name, number)| archives.name(number) == name));
        assert!(archives.memory_bytes() < 5000 * 80);
    }
}
