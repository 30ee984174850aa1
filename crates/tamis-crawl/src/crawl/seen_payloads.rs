//! Payloads that are in the archive already, so that the same bytes are not stored twice.

/// How many places a payload may take.
const WAYS: usize = 4;

/// Where a payload was first stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct First {
    /// The address it came from, by its place in the url log.
    pub id: u64,
    /// When, in milliseconds since 1970.
    pub fetched_ms: u64,
}

/// A table of fixed size: a new payload takes the place of the oldest of four. What is forgotten costs room in the archive,
/// nothing else. 128 bits of the digest are compared, so that no page is ever taken for another.
#[derive(Debug)]
pub(super) struct SeenPayloads {
    places: Vec<[Place; WAYS]>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    digest: [u8; 16],
    first: First,
}

/// No payload was fetched before 1970.
const EMPTY: Place = Place { digest: [0; 16], first: First { id: 0, fetched_ms: 0 } };

impl SeenPayloads {
    /// A table that takes at most `memory_bytes`.
    pub(super) fn new(memory_bytes: usize) -> Self {
        let sets = (memory_bytes / size_of::<[Place; WAYS]>()).max(1);
        Self { places: vec![[EMPTY; WAYS]; sets] }
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
    fn a_full_set_forgets_its_oldest() {
        let mut seen = SeenPayloads::new(1);
        for number in 1..=5 {
            seen.insert(&digest(number), First { id: number, fetched_ms: number });
        }
        assert_eq!(seen.first(&digest(1)), None);
        assert!((2..=5).all(|number| seen.first(&digest(number)).is_some()));
    }
}
