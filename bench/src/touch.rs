//! The cheap proof of reading that every tool computes alike.

use std::io::BufRead;

/// One byte of each page of memory: enough that nothing can be skipped, too little to be felt in the time.
const STRIDE: u64 = 4096;

/// What was read: how many payloads, how many bytes, and a sum over lengths and sampled bytes.
///
/// The sum takes every 4096th byte of a payload, beginning with its first, and its last byte. It does not depend on
/// the order of the payloads, so that a reader with several threads comes to the same number. A checksum of all
/// bytes would prove more, but at a price that weighs more on a fast reader than on a slow one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Payloads read.
    pub records: u64,
    /// Bytes of all payloads.
    pub bytes: u64,
    sum: u64,
}

impl Touched {
    /// Takes a payload that lies in memory in one piece.
    pub fn whole(&mut self, payload: &[u8]) {
        let mut one = Payload::default();
        one.piece(payload);
        self.finish(one);
    }

    /// Reads a payload to its end, piece by piece as the reader's buffer holds it.
    pub fn stream(&mut self, payload: &mut impl BufRead) -> std::io::Result<()> {
        let mut one = Payload::default();
        loop {
            let piece = payload.fill_buf()?;
            if piece.is_empty() {
                break;
            }
            one.piece(piece);
            let len = piece.len();
            payload.consume(len);
        }
        self.finish(one);
        Ok(())
    }

    /// Counts a payload whose pieces were taken one by one.
    pub fn finish(&mut self, payload: Payload) {
        self.records += 1;
        self.bytes += payload.len;
        self.sum = self
            .sum
            .wrapping_add(payload.len << 16)
            .wrapping_add(u64::from(payload.last) << 8)
            .wrapping_add(payload.sampled);
    }

    /// The sum as it stands in the JSON line.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.sum)
    }
}

/// A payload of which only some pieces have been seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Payload {
    len: u64,
    sampled: u64,
    last: u8,
}

impl Payload {
    /// Takes the next piece.
    pub fn piece(&mut self, piece: &[u8]) {
        let Some(&last) = piece.last() else { return };
        let to_next = (STRIDE - self.len % STRIDE) % STRIDE;
        let samples = piece.iter().skip(to_next as usize).step_by(STRIDE as usize);
        self.sampled += samples.map(|&byte| u64::from(byte)).sum::<u64>();
        self.last = last;
        self.len += piece.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn pieces_and_whole_agree_for_any_cut() {
        let payload: Vec<u8> = (0..20_000_u32).map(|i| (i * 7 % 251) as u8).collect();
        let mut whole = Touched::default();
        whole.whole(&payload);
        for cut in [1, 2, 1000, 4095, 4096, 4097, 30_000] {
            let mut pieces = Touched::default();
            pieces.stream(&mut BufReader::with_capacity(cut, &payload[..])).expect("memory does not fail");
            assert_eq!(pieces, whole, "pieces of {cut}");
        }
    }

    #[test]
    fn the_sum_is_the_one_the_python_peers_compute() {
        let mut touched = Touched::default();
        touched.whole(b"");
        touched.whole(&[3; 4097]);
        assert_eq!(touched.digest(), format!("{:016x}", (4097_u64 << 16) + (3 << 8) + 3 + 3));
    }
}
