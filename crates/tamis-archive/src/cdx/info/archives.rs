//! The archives that an index names, each once, under a number.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Names and their numbers, which are given in the order of their first coming.
///
/// Memory: the names, and 16 to 24 bytes for each.
#[derive(Debug, Default)]
pub(super) struct Archives {
    names: String,
    /// Where each name ends.
    ends: Vec<usize>,
    /// Numbers and 1, by the hash of the name, with free places in between; 0 is a free place.
    table: Vec<u32>,
}

impl Archives {
    /// The number of a name, given now if it has none.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if self.ends.len() * 2 >= self.table.len() {
            self.grow();
        }
        let (place, found) = self.find(name);
        if let Some(number) = found {
            return number;
        }
        let number = self.ends.len() as u32;
        self.names.push_str(name);
        self.ends.push(self.names.len());
        self.table[place] = number + 1;
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
            + self.table.len() * size_of::<u32>()
    }

    /// The place of a name in the table, and its number if it is there.
    fn find(&self, name: &str) -> (usize, Option<u32>) {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let mask = self.table.len() - 1;
        let mut place = hasher.finish() as usize & mask;
        loop {
            match self.table[place].checked_sub(1) {
                None => return (place, None),
                Some(number) if self.name(number) == name => return (place, Some(number)),
                Some(_) => place = (place + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        self.table = vec![0; (self.table.len() * 2).max(64)];
        for number in 0..self.len() {
            let (place, _) = self.find(self.name(number));
            self.table[place] = number + 1;
        }
    }
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
