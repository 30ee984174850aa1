//! How long and how large an exchange may be.

use std::time::Duration;

/// The bounds of every phase of an exchange.
///
/// Time is looked at by one coarse timer: what takes too long ends at most a quarter of the shortest bound later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Until the TCP connection stands.
    pub connect_ms: u64,
    /// From there until TLS is agreed upon, and HTTP/2 begun where that is spoken.
    pub tls_ms: u64,
    /// From the request until the first byte of the answer.
    pub first_byte_ms: u64,
    /// From the request until the end of the answer.
    pub whole_ms: u64,
    /// Without any byte, once the answer has begun.
    pub idle_ms: u64,
    /// The least mean speed of an answer, looked at from `idle_ms` after the request on. It catches servers that drip.
    pub min_bytes_per_s: u64,
    /// The longest head of an answer; also the most that interim answers before it may take together.
    pub max_head_bytes: usize,
    /// The most fields of a head.
    pub max_headers: usize,
    /// The longest body, as it is transferred. Longer ones are cut there.
    pub max_body_bytes: usize,
}

impl Limits {
    /// How often the time is looked at.
    pub(super) fn tick(&self) -> Duration {
        let shortest = self.first_byte_ms.min(self.idle_ms).min(self.whole_ms);
        Duration::from_millis((shortest / 4).max(1))
    }
}

impl Default for Limits {
    /// What the patience of a browser's user and the size of its pages suggest: 10 s to connect, 20 s for the first
    /// byte, 3 min for all, 64 KiB of head with 256 fields, 16 MiB of body, no slower than 100 B/s.
    fn default() -> Self {
        Self {
            connect_ms: 10_000,
            tls_ms: 10_000,
            first_byte_ms: 20_000,
            whole_ms: 180_000,
            idle_ms: 15_000,
            min_bytes_per_s: 100,
            max_head_bytes: 64 << 10,
            max_headers: 256,
            max_body_bytes: 16 << 20,
        }
    }
}
