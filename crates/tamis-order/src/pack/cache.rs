//! The things that were used last.

use std::sync::Arc;

/// Keeps some values, the one used last at the end.
pub(super) struct Cache<T>(Vec<(u64, Arc<T>)>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Cache<T> {
    pub(super) fn get(&mut self, number: u64) -> Option<Arc<T>> {
        let at = self.0.iter().position(|(other, _)| *other == number)?;
        self.0[at..].rotate_left(1);
        self.0.last().map(|(_, value)| Arc::clone(value))
    }

    /// Keeps a value, and of those before the last ones, so that there are at most `most`.
    pub(super) fn put(&mut self, number: u64, value: Arc<T>, most: usize) {
        self.0.retain(|(other, _)| *other != number);
        let surplus = (self.0.len() + 1).saturating_sub(most.max(1));
        self.0.drain(..surplus);
        self.0.push((number, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_stays() {
        let mut cache = Cache::default();
        for number in 0..3 {
            cache.put(number, Arc::new(number), 3);
        }
        assert_eq!(cache.get(0).as_deref(), Some(&0));
        cache.put(7, Arc::new(7), 3);
        let kept = [0, 1, 2, 7].map(|number| cache.get(number).is_some());
        assert_eq!(kept, [true, false, true, true]);
    }
}
