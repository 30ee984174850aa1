//! The clock of an exchange: one coarse timer for all its bounds.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::{Instant, Sleep, sleep_until};

use super::limits::Limits;

/// Ends exchanges that take too long. It looks at the time now and then, not at every byte.
#[derive(Debug)]
pub(super) struct Watch {
    limits: Limits,
    /// Kept between exchanges: to set a timer that stands to a later time takes no lock.
    sleep: Pin<Box<Sleep>>,
    began: Instant,
    began_ms: u64,
    seen: u64,
    seen_at: Instant,
}

impl Watch {
    pub(super) fn new(limits: Limits) -> Self {
        let now = Instant::now();
        let sleep = Box::pin(sleep_until(now + limits.tick()));
        Self { limits, sleep, began: now, began_ms: 0, seen: 0, seen_at: now }
    }

    /// Begins an exchange.
    pub(super) fn begin(&mut self) {
        let now = Instant::now();
        self.began_ms =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        (self.began, self.seen, self.seen_at) = (now, 0, now);
        self.sleep.as_mut().reset(now + self.limits.tick());
    }

    /// When the exchange began, and now, in milliseconds since 1970.
    pub(super) fn times(&self) -> (u64, u64) {
        (self.began_ms, self.began_ms + self.began.elapsed().as_millis() as u64)
    }

    /// Ready when the exchange, of which so many bytes came, has taken too long.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>, received: impl Fn() -> u64) -> Poll<()> {
        while self.sleep.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            if self.is_over(now, received()) {
                return Poll::Ready(());
            }
            self.sleep.as_mut().reset(now + self.limits.tick());
        }
        Poll::Pending
    }

    fn is_over(&mut self, now: Instant, received: u64) -> bool {
        let took_ms = millis(now - self.began);
        if received != self.seen {
            (self.seen, self.seen_at) = (received, now);
        }
        let is_idle = received > 0 && millis(now - self.seen_at) >= self.limits.idle_ms;
        let is_silent = received == 0 && took_ms >= self.limits.first_byte_ms;
        let least = u128::from(self.limits.min_bytes_per_s) * u128::from(took_ms) / 1000;
        let is_slow = received > 0 && took_ms >= self.limits.idle_ms && u128::from(received) < least;
        took_ms >= self.limits.whole_ms || is_idle || is_silent || is_slow
    }
}

fn millis(span: Duration) -> u64 {
    span.as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        connect_ms: 1,
        tls_ms: 1,
        first_byte_ms: 400,
        whole_ms: 2_000,
        idle_ms: 300,
        min_bytes_per_s: 100,
        max_head_bytes: 1,
        max_headers: 1,
        max_body_bytes: 1,
    };

    /// When the watch ends an exchange of which so many bytes have come at each time.
    fn ends_at(received: impl Fn(u64) -> u64) -> Option<u64> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let _inside = runtime.enter();
        let mut watch = Watch::new(LIMITS);
        let began = watch.began;
        (0..=10_000).step_by(75).find(|ms| watch.is_over(began + Duration::from_millis(*ms), received(*ms)))
    }

    #[test]
    fn each_bound_ends_an_exchange() {
        assert_eq!(ends_at(|_| 0), Some(450), "nothing comes");
        assert_eq!(ends_at(|_| 5_000), Some(300), "nothing more comes");
        assert_eq!(ends_at(|ms| ms), Some(2025), "it never ends");
        assert_eq!(ends_at(|ms| 1 + ms / 50), Some(300), "it drips");
        assert_eq!(ends_at(|ms| (ms / 250) * 250), Some(2025), "it comes in bursts");
    }
}
