//! How many visits go on at once: as many as there are hosts ready, up to a limit that grows while servers keep up.

use std::cell::Cell;

/// Visits at once at first, and the least that a slow network cuts the limit to.
const FIRST: usize = 256;
/// How often the limit is looked at.
const JUDGE_MS: u64 = 1_000;
/// With a smaller share of late responses the limit may grow, with a larger one it shrinks.
const FEW_LATE: f64 = 0.02;
const MANY_LATE: f64 = 0.2;

/// The limit of visits at once. It grows by half each second in which it held visits back, and halves when hosts that had
/// answered before no longer answer in time: then the network, not the hosts, is at its end.
#[derive(Debug)]
pub(super) struct Slots {
    most: usize,
    limit: Cell<usize>,
    /// Whether a visit had to wait for another to end since the last look.
    held_back: Cell<bool>,
    responses: Cell<u32>,
    late: Cell<u32>,
    judged_ms: Cell<u64>,
}

impl Slots {
    /// Never more than `most` visits.
    pub(super) fn new(most: usize) -> Self {
        let most = most.max(1);
        Self {
            most,
            limit: Cell::new(FIRST.min(most)),
            held_back: Cell::new(false),
            responses: Cell::new(0),
            late: Cell::new(0),
            judged_ms: Cell::new(0),
        }
    }

    /// How many visits there may be now.
    pub(super) fn limit(&self) -> usize {
        self.limit.get()
    }

    /// A visit has to wait for another to end.
    pub(super) fn hold_back(&self) {
        self.held_back.set(true);
    }

    /// A request to a host that has answered before was answered, or not in time.
    pub(super) fn note(&self, is_late: bool) {
        self.responses.set(self.responses.get().saturating_add(1));
        self.late.set(self.late.get().saturating_add(is_late.into()));
    }

    /// Sets the limit by what was noted since the last look, once per second.
    pub(super) fn judge(&self, now_ms: u64) {
        if now_ms < self.judged_ms.get() + JUDGE_MS {
            return;
        }
        self.judged_ms.set(now_ms);
        let (responses, late, held_back) = (self.responses.take(), self.late.take(), self.held_back.take());
        let share = f64::from(late) / f64::from(responses.max(1));
        let limit = self.limit.get();
        if share > MANY_LATE {
            self.limit.set((limit / 2).max(FIRST.min(self.most)));
        } else if held_back && share < FEW_LATE {
            self.limit.set((limit + limit / 2 + 1).min(self.most));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_grows_while_it_holds_visits_back() {
        let slots = Slots::new(1_000);
        assert_eq!(slots.limit(), 256);
        let mut limits = Vec::new();
        for second in 1..=6 {
            if second != 3 {
                slots.hold_back();
            }
            slots.note(false);
            slots.judge(second * 1_000);
            slots.judge(second * 1_000 + 500);
            limits.push(slots.limit());
        }
        assert_eq!(limits, [385, 578, 578, 868, 1_000, 1_000]);
    }

    #[test]
    fn late_responses_halve_it() {
        let slots = Slots::new(4_000);
        for second in 1..=5 {
            slots.hold_back();
            slots.judge(second * 1_000);
        }
        let before = slots.limit();
        for (late, of) in [(1, 2), (1, 10)] {
            for response in 0..of {
                slots.note(response < late);
            }
            slots.hold_back();
            slots.judge(slots.judged_ms.get() + 1_000);
        }
        assert_eq!(slots.limit(), before / 2, "half of them late, then a tenth: less, then the same");
        for _ in 0..20 {
            slots.note(true);
            slots.judge(slots.judged_ms.get() + 1_000);
        }
        assert_eq!(slots.limit(), FIRST);
    }

    #[test]
    fn less_than_the_first_limit_stays() {
        let slots = Slots::new(3);
        slots.hold_back();
        slots.note(true);
        slots.judge(5_000);
        assert_eq!(slots.limit(), 3);
    }
}
