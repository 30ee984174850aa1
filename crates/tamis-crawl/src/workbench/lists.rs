//! Which queues have something in memory, in the order in which they came to it.

const NONE: u32 = u32::MAX;

/// What a queue has in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wealth {
    /// Nothing.
    Nothing,
    /// One block.
    Poor,
    /// More than one: it can give some and keep its head.
    Rich,
}

impl Wealth {
    pub(super) fn of(blocks: usize) -> Self {
        match blocks {
            0 => Self::Nothing,
            1 => Self::Poor,
            _ => Self::Rich,
        }
    }
}

/// Linked lists through all queues, one for each wealth but nothing.
#[derive(Debug, Default)]
pub(super) struct Lists {
    queues: Vec<Neighbours>,
    poor: Ends,
    rich: Ends,
}

#[derive(Debug, Clone, Copy)]
struct Neighbours {
    before: u32,
    after: u32,
}

#[derive(Debug)]
struct Ends {
    first: u32,
    last: u32,
}

impl Default for Ends {
    fn default() -> Self {
        Self { first: NONE, last: NONE }
    }
}

impl Lists {
    /// Adds the next queue, which has nothing.
    pub(super) fn add_queue(&mut self) {
        self.queues.push(Neighbours { before: NONE, after: NONE });
    }

    /// Who gives when memory is short: a rich queue if there is one, and of equals the one that has been it for
    /// longest.
    pub(super) fn victim(&self) -> Option<u32> {
        [self.rich.first, self.poor.first].into_iter().find(|queue| *queue != NONE)
    }

    /// Puts a queue at the end of another list.
    pub(super) fn change(&mut self, queue: u32, from: Wealth, to: Wealth) {
        if from == to {
            return;
        }
        let Self { queues, poor, rich } = self;
        match from {
            Wealth::Nothing => {}
            Wealth::Poor => poor.remove(queues, queue),
            Wealth::Rich => rich.remove(queues, queue),
        }
        match to {
            Wealth::Nothing => {}
            Wealth::Poor => poor.push_back(queues, queue),
            Wealth::Rich => rich.push_back(queues, queue),
        }
    }
}

impl Ends {
    fn push_back(&mut self, queues: &mut [Neighbours], queue: u32) {
        queues[queue as usize] = Neighbours { before: self.last, after: NONE };
        match queues.get_mut(self.last as usize) {
            Some(neighbour) => neighbour.after = queue,
            None => self.first = queue,
        }
        self.last = queue;
    }

    fn remove(&mut self, queues: &mut [Neighbours], queue: u32) {
        let Neighbours { before, after } = queues[queue as usize];
        match queues.get_mut(before as usize) {
            Some(neighbour) => neighbour.after = after,
            None => self.first = after,
        }
        match queues.get_mut(after as usize) {
            Some(neighbour) => neighbour.before = before,
            None => self.last = before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Wealth::{Nothing, Poor, Rich};
    use super::*;

    #[test]
    fn the_rich_give_first_and_of_equals_the_oldest() {
        let mut lists = Lists::default();
        (0..5).for_each(|_| lists.add_queue());
        assert_eq!(lists.victim(), None);
        (0..4).for_each(|queue| lists.change(queue, Nothing, Rich));
        lists.change(4, Nothing, Poor);
        for (queue, from, to, victim) in [
            (1, Rich, Poor, Some(0)),
            (0, Rich, Nothing, Some(2)),
            (2, Rich, Rich, Some(2)),
            (3, Rich, Poor, Some(2)),
            (2, Rich, Poor, Some(4)),
            (4, Poor, Nothing, Some(1)),
            (3, Poor, Rich, Some(3)),
            (3, Rich, Nothing, Some(1)),
            (1, Poor, Nothing, Some(2)),
            (2, Poor, Nothing, None),
        ] {
            lists.change(queue, from, to);
            assert_eq!(lists.victim(), victim, "{queue} {to:?}");
        }
    }
}
