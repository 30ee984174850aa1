//! A limit on how fast all connections together read.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// Bytes a second that all who share it may read; none is no limit. Copies share one bucket.
#[derive(Debug, Clone, Default)]
pub struct Throttle {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    bytes_per_s: AtomicU64,
    /// When what was read so far would have come at the speed that is allowed.
    paid_until: Mutex<Option<Instant>>,
}

/// One connection's view of it.
#[derive(Debug, Default)]
pub(super) struct Throttled {
    throttle: Throttle,
    sleep: Option<Pin<Box<Sleep>>>,
}

/// Pauses of the past may be made up for so far.
const BURST: Duration = Duration::from_millis(100);

impl Throttle {
    /// Sets the limit; 0 takes it away.
    pub fn set(&self, bytes_per_s: u64) {
        self.shared.bytes_per_s.store(bytes_per_s, Relaxed);
        *self.paid_until() = None;
    }

    /// The limit, if there is one.
    pub fn bytes_per_s(&self) -> Option<u64> {
        Some(self.shared.bytes_per_s.load(Relaxed)).filter(|rate| *rate > 0)
    }

    /// Something was read.
    fn spend(&self, bytes: usize, now: Instant) {
        let Some(rate) = self.bytes_per_s().filter(|_| bytes > 0) else { return };
        let mut paid = self.paid_until();
        let least = now.checked_sub(BURST).unwrap_or(now);
        let from = paid.map_or(least, |paid| paid.max(least));
        *paid = Some(from + Duration::from_secs_f64(bytes as f64 / rate as f64));
    }

    /// Until when nothing may be read.
    fn wait_until(&self, now: Instant) -> Option<Instant> {
        self.bytes_per_s()?;
        self.paid_until().filter(|paid| *paid > now)
    }

    fn paid_until(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.shared.paid_until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Throttled {
    pub(super) fn new(throttle: Throttle) -> Self {
        Self { throttle, sleep: None }
    }

    /// Ready when there may be a read.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.throttle.bytes_per_s().is_some() {
            let Some(until) = self.throttle.wait_until(Instant::now()) else { break };
            let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep_until(until)));
            if sleep.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            self.sleep = None;
        }
        self.sleep = None;
        Poll::Ready(())
    }

    /// Something was read.
    pub(super) fn spend(&self, bytes: usize) {
        if self.throttle.bytes_per_s().is_some() {
            self.throttle.spend(bytes, Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_paid_for_in_time() {
        let (throttle, now) = (Throttle::default(), Instant::now());
        throttle.spend(1 << 30, now);
        assert_eq!(throttle.wait_until(now), None, "there is no limit");
        throttle.set(1_000);
        throttle.spend(600, now);
        // A tenth of a second is made up for.
        assert_eq!(throttle.wait_until(now), Some(now + Duration::from_millis(500)));
        throttle.spend(1_000, now);
        assert_eq!(throttle.wait_until(now), Some(now + Duration::from_millis(1_500)));
        let later = now + Duration::from_millis(1_500);
        assert_eq!(throttle.wait_until(later), None);
        throttle.set(0);
        assert_eq!((throttle.wait_until(now), throttle.bytes_per_s()), (None, None));
    }
}
