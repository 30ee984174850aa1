//! A heap of instants in which every item can be found again.

/// Items by the instant at which they are due, earliest on top; equal instants by number.
///
/// Four children a node: half the levels of two, and the four lie on one or two lines of cache. Whoever owns the
/// items is told where each one moves (`moved(item, place)`), to be able to remove it from the middle.
#[derive(Debug, Default)]
pub(super) struct Heap {
    items: Vec<(u64, u32)>,
}

const CHILDREN: usize = 4;

impl Heap {
    pub(super) fn top(&self) -> Option<(u64, u32)> {
        self.items.first().copied()
    }

    pub(super) fn push(&mut self, due_ms: u64, item: u32, moved: &mut impl FnMut(u32, usize)) {
        if self.items.capacity() == 0 {
            // Most addresses have one host; the vector's own first step is four.
            self.items.reserve_exact(1);
        }
        self.items.push((due_ms, item));
        self.rise(self.items.len() - 1, moved);
    }

    /// Removes what stands at a place that `moved` told.
    pub(super) fn remove(&mut self, place: usize, moved: &mut impl FnMut(u32, usize)) {
        self.items.swap_remove(place);
        if place < self.items.len() {
            self.settle(place, moved);
        }
    }

    /// Gives the item at a place another instant.
    pub(super) fn change(&mut self, place: usize, due_ms: u64, moved: &mut impl FnMut(u32, usize)) {
        if self.items[place].0 != due_ms {
            self.items[place].0 = due_ms;
            self.settle(place, moved);
        }
    }

    /// Nothing is due before this instant.
    pub(super) fn delay(&mut self, until_ms: u64, moved: &mut impl FnMut(u32, usize)) {
        for (due_ms, _) in &mut self.items {
            *due_ms = (*due_ms).max(until_ms);
        }
        // What is in order is a heap.
        self.items.sort_unstable();
        for (place, (_, item)) in self.items.iter().enumerate() {
            moved(*item, place);
        }
    }

    /// Gives each item that is due by now; the time is that of those that are, not of all.
    pub(super) fn each_due(&self, now_ms: u64, mut give: impl FnMut(u32)) {
        let mut open = vec![0];
        while let Some(place) = open.pop() {
            if let Some((_, item)) = self.items.get(place).filter(|(due_ms, _)| *due_ms <= now_ms) {
                give(*item);
                open.extend((0..CHILDREN).map(|n| place * CHILDREN + 1 + n));
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    fn settle(&mut self, place: usize, moved: &mut impl FnMut(u32, usize)) {
        if place > 0 && self.items[place] < self.items[(place - 1) / CHILDREN] {
            self.rise(place, moved);
        } else {
            self.sink(place, moved);
        }
    }

    fn rise(&mut self, mut place: usize, moved: &mut impl FnMut(u32, usize)) {
        let item = self.items[place];
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if self.items[parent] <= item {
                break;
            }
            self.put(place, self.items[parent], moved);
            place = parent;
        }
        self.put(place, item, moved);
    }

    fn sink(&mut self, mut place: usize, moved: &mut impl FnMut(u32, usize)) {
        let item = self.items[place];
        loop {
            let first = place * CHILDREN + 1;
            let children = self.items.iter().copied().enumerate().skip(first).take(CHILDREN);
            match children.min_by_key(|(_, child)| *child) {
                Some((child, least)) if least < item => {
                    self.put(place, least, moved);
                    place = child;
                }
                _ => break,
            }
        }
        self.put(place, item, moved);
    }

    fn put(&mut self, place: usize, item: (u64, u32), moved: &mut impl FnMut(u32, usize)) {
        self.items[place] = item;
        moved(item.1, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn the_least_is_on_top_whatever_came_and_went(
            steps in prop::collection::vec((0..4_u8, 0..40_u32, 0..20_u64), 0..200)
        ) {
            let (mut heap, mut places, mut oracle) = (Heap::default(), [None; 40], BTreeSet::new());
            for (step, item, due_ms) in steps {
                let place = places[item as usize];
                let mut moved = |item: u32, place: usize| places[item as usize] = Some(place);
                match (step, place) {
                    (0 | 1, None) => {
                        heap.push(due_ms, item, &mut moved);
                        oracle.insert((due_ms, item));
                    }
                    (1, Some(place)) => {
                        heap.change(place, due_ms, &mut moved);
                        oracle.retain(|(_, other)| *other != item);
                        oracle.insert((due_ms, item));
                    }
                    (2, Some(place)) => {
                        heap.remove(place, &mut moved);
                        places[item as usize] = None;
                        oracle.retain(|(_, other)| *other != item);
                    }
                    (3, _) if item == 0 => {
                        heap.delay(due_ms, &mut moved);
                        oracle = oracle.into_iter().map(|(at, item)| (at.max(due_ms), item)).collect();
                    }
                    _ => {}
                }
                prop_assert_eq!(heap.top(), oracle.first().copied());
                prop_assert_eq!(heap.items.len(), oracle.len());
                let mut due = 0;
                heap.each_due(9, |_| due += 1);
                prop_assert_eq!(due, oracle.iter().filter(|(at, _)| *at <= 9).count());
            }
        }
    }
}
