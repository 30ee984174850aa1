//! The things that were used last.

use std::sync::Arc;

/// Keeps some values, the one used last at the end.
pub(super) struct Cache<T>(Vec<Entry<T>>);

struct Entry<T> {
    number: u64,
    value: Arc<T>,
    size: usize,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Cache<T> {
    pub(super) fn get(&mut self, number: u64) -> Option<Arc<T>> {
        let at = self.0.iter().position(|entry| entry.number == number)?;
        self.0[at..].rotate_left(1);
        self.0.last().map(|entry| Arc::clone(&entry.value))
    }

    /// Keeps a value, and of those before the last ones, as far as all sizes together are at most `most`.
    pub(super) fn put(&mut self, number: u64, value: Arc<T>, size: usize, most: usize) {
        self.0.retain(|entry| entry.number != number);
        let mut sum = size;
        let kept = self.0.iter().rev().take_while(|entry| {
            sum = sum.saturating_add(entry.size);
            sum <= most
        });
        let surplus = self.0.len() - kept.count();
        self.0.drain(..surplus);
        self.0.push(Entry { number, value, size });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_stays() {
        let mut cache = Cache::default();
        for number in 0..3 {
            cache.put(number, Arc::new(number), 1, 3);
        }
        assert_eq!(cache.get(0).as_deref(), Some(&0));
        cache.put(7, Arc::new(7), 1, 3);
        let kept = [0, 1, 2, 7].map(|number| cache.get(number).is_some());
        assert_eq!(kept, [true, false, true, true]);
        cache.put(8, Arc::new(8), 2, 3);
        let kept = [0, 2, 7, 8].map(|number| cache.get(number).is_some());
        assert_eq!(kept, [false, false, true, true]);
        cache.put(9, Arc::new(9), 4, 3);
        assert_eq!([7, 8, 9].map(|number| cache.get(number).is_some()), [false, false, true]);
    }
}
