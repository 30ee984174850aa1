//! How large records are when they are compressed in one order or another.

use std::io::{self, Write};
use std::thread;

use zstd::stream::raw::CParameter;

use super::Records;

/// Quick, and of the same opinion as slow levels: what an order changes are matches far back, which long-distance matching
/// finds at any level.
const LEVEL: i32 = 3;
/// In thousandths of the size by address: so much smaller a path must be, as levels do not agree on less.
const MARGIN: u64 = 2;
/// zstd's own limits.
const WINDOW_LOGS: std::ops::RangeInclusive<u32> = 17..=27;

/// Sizes of the same records in two orders.
pub(super) struct Measured {
    pub(super) by_address: u64,
    pub(super) by_path: u64,
    pub(super) is_path: bool,
}

/// Compresses both orders, each in a thread of its own. Memory: the windows of two compressors, and a record.
pub(super) fn smaller(
    source: &dyn Records,
    by_address: &[u64],
    by_path: &[u64],
    window_bytes: u64,
) -> io::Result<Measured> {
    let window_log = window_bytes.max(1).ilog2().clamp(*WINDOW_LOGS.start(), *WINDOW_LOGS.end());
    let (by_address, by_path) = thread::scope(|scope| {
        let other = scope.spawn(|| compressed_bytes(source, by_path, window_log));
        let one = compressed_bytes(source, by_address, window_log);
        (one, other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let (by_address, by_path) = (by_address?, by_path?);
    Ok(Measured { by_address, by_path, is_path: by_path * 1000 < by_address * (1000 - MARGIN) })
}

fn compressed_bytes(source: &dyn Records, order: &[u64], window_log: u32) -> io::Result<u64> {
    let mut encoder = zstd::Encoder::new(Count(0), LEVEL)?;
    encoder.set_parameter(CParameter::WindowLog(window_log))?;
    encoder.set_parameter(CParameter::EnableLongDistanceMatching(true))?;
    let mut record = Vec::new();
    for &number in order {
        record.clear();
        source.read(number, &mut record)?;
        encoder.write_all(&record)?;
    }
    Ok(encoder.finish()?.0)
}

/// Counts what is written.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
