//! Buffers that one thread fills and another frees, used again.

use std::sync::{Mutex, PoisonError};

/// Buffers that are kept at most, and the largest of them.
const MOST: usize = 256;
const LARGEST_BYTES: usize = 64 << 10;

/// Buffers that are not in use. An allocator has to lock, split and join memory that one thread takes and another gives back; the pages of
/// a large buffer may even go back to the system in between.
///
/// Memory: at most 16 MiB.
#[derive(Debug, Default)]
pub(crate) struct Spares {
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl Spares {
    /// An empty buffer, with room if one is spare.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Takes a buffer back. What is in it is forgotten.
    pub(crate) fn give(&self, mut buffer: Vec<u8>) {
        if !(1..=LARGEST_BYTES).contains(&buffer.capacity()) {
            return;
        }
        buffer.clear();
        let mut buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        if buffers.len() < MOST {
            buffers.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_empty_and_in_bounded_number_and_size() {
        let spares = Spares::default();
        spares.give(vec![1; 1000]);
        let again = spares.take();
        assert_eq!((again.len(), again.capacity() >= 1000), (0, true));
        spares.give(Vec::new());
        spares.give(vec![1; LARGEST_BYTES + 1]);
        assert_eq!(spares.take().capacity(), 0, "neither nothing nor too much is kept");
        (0..2 * MOST).for_each(|_| spares.give(vec![1; 10]));
        assert_eq!(spares.buffers.lock().expect("nobody panicked").len(), MOST);
    }
}
