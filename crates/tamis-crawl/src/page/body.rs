//! The body of a response without its codings.

use std::borrow::Cow;
use std::io::Read;

use tamis_archive::http::{BodyEnd, BodyReader, DecodeLimits, HttpHead};

/// The most bytes that one coded byte may give; pages of tables reach 200.
const MOST_RATIO: u32 = 1000;

/// The body of a response, decoded once and as far as somebody needs it.
pub struct Body<'a> {
    raw: &'a [u8],
    bytes: Cow<'a, [u8]>,
    /// Decodes the rest, if there are codings.
    reader: Option<BodyReader<&'a [u8]>>,
}

impl<'a> Body<'a> {
    /// The body after a head, as it was transferred. At most `limit` bytes of it will be decoded, now the first `most_bytes`.
    pub fn decoded(head: &HttpHead, raw: &'a [u8], most_bytes: usize, limit: usize) -> Self {
        let limits = DecodeLimits { max_output_bytes: limit as u64, max_ratio: MOST_RATIO };
        let mut body = if head.is_coded() {
            let room = raw.len().saturating_mul(4).min(most_bytes);
            let reader = BodyReader::new(head, raw, limits);
            Self { raw, bytes: Cow::Owned(Vec::with_capacity(room)), reader: Some(reader) }
        } else {
            Self { raw, bytes: Cow::Borrowed(&[]), reader: None }
        };
        body.extend_to(most_bytes);
        body
    }

    /// Decodes up to `most_bytes` in all.
    pub fn extend_to(&mut self, most_bytes: usize) {
        match &mut self.reader {
            None => self.bytes = Cow::Borrowed(&self.raw[..self.raw.len().min(most_bytes)]),
            Some(reader) => {
                let bytes = self.bytes.to_mut();
                let wanted = most_bytes.saturating_sub(bytes.len()) as u64;
                // A slice reads without errors; a body that does not decode ends early, and `is_whole` says so.
                let _ = reader.by_ref().take(wanted).read_to_end(bytes);
            }
        }
    }

    /// The decoded bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether these are all bytes of the body.
    pub fn is_whole(&self) -> bool {
        match &self.reader {
            None => self.bytes.len() == self.raw.len(),
            Some(reader) => reader.outcome().end == BodyEnd::Complete,
        }
    }
}
