//! A stream that gives a few bytes at a time, as a pipe may.

use std::io::{self, Read};

/// The bytes, at most `step` of them for each call.
pub struct Trickle {
    bytes: Vec<u8>,
    at: usize,
    step: usize,
}

impl Trickle {
    pub fn new(bytes: &[u8], step: usize) -> Self {
        Self { bytes: bytes.to_vec(), at: 0, step }
    }
}

impl Read for Trickle {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let rest = &self.bytes[self.at..];
        let n = rest.len().min(room.len()).min(self.step);
        room[..n].copy_from_slice(&rest[..n]);
        self.at += n;
        Ok(n)
    }
}
