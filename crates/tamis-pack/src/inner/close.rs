//! A block made again of its opened form.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::super::deflate::{Deflaters, Encoder};
use super::super::varint::{take, take_bytes};
use super::{Making, Opening, base64, jpeg};

/// The block of `len` bytes that an opened form was made of; none if it is not one.
///
/// Memory: the block, the largest stream of it, and for a JPEG image what [`jpeg`] says.
pub(in super::super) fn close(opened: &[u8], len: usize) -> Option<Vec<u8>> {
    close_within(opened, len, true)
}

fn close_within(opened: &[u8], len: usize, is_text_allowed: bool) -> Option<Vec<u8>> {
    let mut rest = opened;
    let mut openings = Vec::new();
    for _ in 0..take(&mut rest)? {
        openings.push(Opening::take(&mut rest)?);
    }
    let mut closing = Closing { rest, out: Vec::with_capacity(len), len, deflaters: Deflaters::default() };
    for opening in &openings {
        if !is_text_allowed && matches!(opening.making, Making::Base64 { .. }) {
            return None;
        }
        closing.close(opening)?;
    }
    let left = closing.rest.len() as u64;
    closing.copy(left)?;
    (closing.out.len() == len).then_some(closing.out)
}

struct Closing<'a> {
    rest: &'a [u8],
    out: Vec<u8>,
    /// How long the block is to be.
    len: usize,
    deflaters: Deflaters,
}

impl Closing<'_> {
    fn close(&mut self, opening: &Opening) -> Option<()> {
        self.copy(opening.before)?;
        let plain = take_bytes(&mut self.rest, opening.plain_len)?;
        let others = opening.others.iter().try_fold(0_u64, |sum, &(_, len)| sum.checked_add(len))?;
        let stream_len = usize::try_from(opening.first_len.checked_add(others)?).ok()?;
        if stream_len > self.len - self.out.len() {
            return None;
        }
        let stream = self.deflaters.made(&opening.making, plain, stream_len)?;
        let mut stream = &stream[..];
        self.out.extend_from_slice(take_bytes(&mut stream, opening.first_len)?);
        for &(gap, len) in &opening.others {
            self.copy(gap)?;
            self.out.extend_from_slice(take_bytes(&mut stream, len)?);
        }
        Some(())
    }

    fn copy(&mut self, len: u64) -> Option<()> {
        let bytes = take_bytes(&mut self.rest, len)?;
        if bytes.len() > self.len - self.out.len() {
            return None;
        }
        self.out.extend_from_slice(bytes);
        Some(())
    }
}

impl Deflaters {
    /// The stream of a known length that is made of a plain content.
    pub(super) fn made(&mut self, making: &Making, plain: &[u8], len: usize) -> Option<Vec<u8>> {
        let made = match making {
            Making::Deflate(encoder) => self.deflated(*encoder, plain, len)?,
            Making::Jpeg => jpeg::image_of(plain, len)?,
            // The text is longer than what it stands for, so the length is checked before there is memory for it.
            Making::Base64 { len: bytes } => {
                let bytes = usize::try_from(*bytes).ok().filter(|&bytes| bytes <= len)?;
                base64::encode(&close_within(plain, bytes, false)?)
            }
        };
        (made.len() == len).then_some(made)
    }

    fn deflated(&mut self, encoder: Encoder, plain: &[u8], len: usize) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(len);
        let mut keep = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            out.len() <= len
        };
        let maker = self.ready(encoder)?;
        // zlib-rs was seen to panic.
        catch_unwind(AssertUnwindSafe(|| maker.feed(plain, &mut keep))).ok()??;
        Some(out)
    }
}
