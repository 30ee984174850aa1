//! Maps a list with several threads, and keeps its order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Applies `work` to each item and returns the results in the order of the items. Each thread has one of the states. With one state or
/// one item, no thread is started.
pub fn map<S: Send, T: Sync, R: Send>(
    states: &mut [S],
    items: &[T],
    work: impl Fn(&mut S, usize, &T) -> R + Sync,
) -> Vec<R> {
    if let [state, rest @ ..] = &mut *states
        && (rest.is_empty() || items.len() < 2)
    {
        return items.iter().enumerate().map(|(at, item)| work(state, at, item)).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|threads| {
        for state in states {
            threads.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = work(state, at, item);
                    // A thread that panicked ends the scope with its panic; what the others did is whole.
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_for_any_number_of_threads() {
        let items: Vec<u64> = (0..1000).collect();
        let expected: Vec<u64> = items.iter().map(|n| n * n).collect();
        for jobs in [1, 2, 7] {
            let mut states = vec![0_u64; jobs];
            let found = map(&mut states, &items, |count, _, n| {
                *count += 1;
                n * n
            });
            assert_eq!((found, states.iter().sum()), (expected.clone(), 1000));
        }
    }
}
