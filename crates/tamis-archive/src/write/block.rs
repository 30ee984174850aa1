//! The block of a record as the caller has it: bytes at hand, or a stream of unknown length.

use std::fmt;
use std::io::Read;

/// The block of a record. Made from bytes or from `&mut` anything that can be read.
pub enum Block<'a> {
    /// Bytes at hand.
    Bytes(&'a [u8]),
    /// A stream, read to its end before a byte of the record is written, so that its length need not be known.
    Stream(&'a mut dyn Read),
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "Block::Bytes({} bytes)", bytes.len()),
            Self::Stream(_) => f.write_str("Block::Stream"),
        }
    }
}

impl<'a> From<&'a [u8]> for Block<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Block<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for Block<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a str> for Block<'a> {
    fn from(text: &'a str) -> Self {
        Self::Bytes(text.as_bytes())
    }
}

impl<'a, R: Read> From<&'a mut R> for Block<'a> {
    fn from(stream: &'a mut R) -> Self {
        Self::Stream(stream)
    }
}
