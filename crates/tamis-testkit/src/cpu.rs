//! What work costs, whatever else the machine does.

use rustix::time::{ClockId, Timespec, clock_gettime};

/// The processor time that this thread spends on some work, in seconds.
///
/// For tests that bound the cost of hostile input. A wall clock would count the other tests, too.
pub fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let seconds = |time: Timespec| time.tv_sec as f64 + time.tv_nsec as f64 / 1e9;
    let before = seconds(clock_gettime(ClockId::ThreadCPUTime));
    work();
    seconds(clock_gettime(ClockId::ThreadCPUTime)) - before
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn waiting_costs_nothing_and_work_does() {
        assert!(cpu_seconds(|| thread::sleep(Duration::from_millis(300))) < 0.2);
        assert!(cpu_seconds(|| (0..10_000_000_u64).for_each(|n| _ = black_box(n))) > 1e-4);
    }
}
