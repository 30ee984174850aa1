//! Whether text starts with one of many prefixes.

/// Prefixes of which none is a prefix of another, in order: of such, only the last that is not behind a text can be
/// its prefix.
#[derive(Debug, Default)]
pub(super) struct Prefixes {
    sorted: Vec<String>,
}

impl Prefixes {
    pub(super) fn new(mut prefixes: Vec<String>) -> Self {
        prefixes.sort_unstable();
        // A prefix comes right before all that it is a prefix of.
        prefixes.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
        Self { sorted: prefixes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    pub(super) fn start(&self, text: &str) -> bool {
        let behind = self.sorted.partition_point(|prefix| prefix.as_str() <= text);
        behind.checked_sub(1).is_some_and(|at| text.starts_with(self.sorted[at].as_str()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_same_as_asking_one_by_one(prefixes in prop::collection::vec("[ab/]{0,4}", 0..9), text in "[ab/]{0,6}") {
            let expected = prefixes.iter().any(|prefix| text.starts_with(prefix.as_str()));
            prop_assert_eq!(Prefixes::new(prefixes).start(&text), expected);
        }
    }
}
