//! Payloads that are in the archive already, so that the same bytes are not stored twice.

/// How many places a payload may take.
const WAYS: usize = 4;
/// Sets of places at first.
const FIRST_SETS: usize = 1024;

/// Where a payload was first stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct First {
    /// The address it came from, by its place in the url log.
    pub id: u64,
    /// When, in milliseconds since 1970.
    pub fetched_ms: u64,
}

/// A table that grows to a fixed size: then a new payload takes the place of the oldest of four. What is forgotten costs room in the
/// archive, nothing else. 128 bits of the digest are compared, so that no page is ever taken for another.
#[derive(Debug)]
pub(super) struct SeenPayloads {
    places: Vec<[Place; WAYS]>,
    most_sets: usize,
    inserted: usize,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    digest: [u8; 16],
    first: First,
}

/// No payload was fetched before 1970.
const EMPTY: Place = Place { digest: [0; 16], first: First { id: 0, fetched_ms: 0 } };

impl SeenPayloads {
    /// A table that takes at most `memory_bytes`, and half of that more while it grows.
    pub(super) fn new(memory_bytes: usize) -> Self {
        let most_sets = (memory_bytes / size_of::<[Place; WAYS]>()).max(1);
        Self { places: vec![[EMPTY; WAYS]; most_sets.min(FIRST_SETS)], most_sets, inserted: 0 }
    }

    /// Where this payload was first stored, if that is known.
    pub(super) fn first(&self, digest: &[u8; 16]) -> Option<First> {
        let set = &self.places[self.set(digest)];
        set.iter()
            .find(|place| place.first.fetched_ms > 0 && place.digest == *digest)
            .map(|place| place.first)
    }

    /// Remembers a payload, unless it is known.
    pub(super) fn insert(&mut self, digest: &[u8; 16], first: First) {
        if self.first(digest).is_some() {
            return;
        }
        if self.inserted >= self.places.len() * WAYS / 8 && self.places.len() < self.most_sets {
            self.grow();
        }
        self.inserted += 1;
        self.put(digest, first);
    }

    /// Twice as many sets. Where an eighth of the places is taken, hardly any set is full.
    fn grow(&mut self) {
        let sets = (self.places.len() * 2).min(self.most_sets);
        let before = std::mem::replace(&mut self.places, vec![[EMPTY; WAYS]; sets]);
        for place in before.iter().flatten().filter(|place| place.first.fetched_ms > 0) {
            self.put(&place.digest, place.first);
        }
    }

    fn put(&mut self, digest: &[u8; 16], first: First) {
        let set = self.set(digest);
        if let Some(oldest) = self.places[set].iter_mut().min_by_key(|place| place.first.fetched_ms) {
            *oldest = Place { digest: *digest, first };
        }
    }

    fn set(&self, digest: &[u8; 16]) -> usize {
        let (head, _) = digest.split_first_chunk::<8>().expect("16 bytes begin with 8");
        (u64::from_le_bytes(*head) % self.places.len() as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: u64) -> [u8; 16] {
        let mut digest = [0; 16];
        digest[8..].copy_from_slice(&number.to_le_bytes());
        digest
    }

    #[test]
    fn the_first_place_is_remembered() {
        let mut seen = SeenPayloads::new(4096);
        seen.insert(&digest(1), First { id: 10, fetched_ms: 1 });
        seen.insert(&digest(1), First { id: 20, fetched_ms: 2 });
        assert_eq!(seen.first(&digest(1)), Some(First { id: 10, fetched_ms: 1 }));
        assert_eq!(seen.first(&digest(2)), None);
        assert_eq!(seen.first(&[0; 16]), None, "an empty place is nobody's");
    }

    #[test]
    fn a_table_that_grows_forgets_hardly_anything() {
        let mut seen = SeenPayloads::new(16 << 20);
        let mixed = |number: u64| {
            let mut digest = digest(number);
            digest[..8].copy_from_slice(&number.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes());
            digest
        };
        for number in 1..=20_000 {
            seen.insert(&mixed(number), First { id: number, fetched_ms: number });
        }
        let known =
            |&number: &u64| seen.first(&mixed(number)) == Some(First { id: number, fetched_ms: number });
        let kept = (1..=20_000).filter(known).count();
        assert!(
            kept > 19_000 && seen.places.len() > FIRST_SETS,
            "{kept} of 20,000 in {} sets",
            seen.places.len()
        );
    }

    #[test]
    fn a_full_set_forgets_its_oldest() {
        let mut seen = SeenPayloads::new(1);
        for number in 1..=5 {
            seen.insert(&digest(number), First { id: number, fetched_ms: number });
        }
        assert_eq!(seen.first(&digest(1)), None);
        assert!((2..=5).all(|number| seen.first(&digest(number)).is_some()));
    }
}
