//! A URL with its note as bytes, the same in the url log and in the file of what was offered.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | bits 0-13 length of the URL, bit 14 whether there is a score, bits 15-30 depth, bit 31 whether there are hops |
//! | 4 | check of all fields, made from the signature |
//! | 4 | score, if there is one |
//! | … | the URL |
//!
//! Where there are hops, bits 15-25 are the depth and bits 26-30 the hops: most records have none and the whole depth.

use std::str;

use super::error::{Error, Result};
use super::{Note, signature};

/// The fixed part of a record.
pub(super) const HEAD_BYTES: usize = 8;
const SCORE_BYTES: usize = 4;
/// What 14 bits hold; addresses are limited to half of it.
pub(super) const LONGEST_URL: usize = (1 << 14) - 1;
/// The longest record there can be.
pub(super) const LONGEST: usize = HEAD_BYTES + SCORE_BYTES + LONGEST_URL;

const SCORED: u32 = 1 << 14;
const DEPTH_SHIFT: u32 = 15;
const HOPS_SHIFT: u32 = 26;
const HOPPED: u32 = 1 << 31;
/// What 5 bits hold.
pub(super) const MOST_HOPS: u8 = 31;
/// What is left of the depth beside them.
pub(super) const DEEPEST_BEHIND_HOPS: u16 = (1 << 11) - 1;

/// A record that was read and checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Record<'a> {
    pub(super) url: &'a str,
    pub(super) note: Note,
    pub(super) signature: u64,
    pub(super) len_bytes: usize,
}

/// What stands at the front of some bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Front<'a> {
    /// A whole record.
    Record(Record<'a>),
    /// The beginning of a record.
    Part,
    /// No record.
    Damaged,
}

/// Appends a record.
#[inline]
pub(super) fn append(out: &mut Vec<u8>, url: &str, note: Note, signature: u64) -> Result<()> {
    check_len(url)?;
    let score = note.score.to_bits();
    let scored = if score == 0 { 0 } else { SCORED };
    let head = url.len() as u32 | scored | way(note);
    let fixed = u64::from(head) | u64::from(check(signature, head, score)) << 32;
    out.extend_from_slice(&fixed.to_le_bytes());
    if scored != 0 {
        out.extend_from_slice(&score.to_le_bytes());
    }
    out.extend_from_slice(url.as_bytes());
    Ok(())
}

/// Refuses a URL that does not fit a record.
#[inline]
pub(super) fn check_len(url: &str) -> Result<()> {
    if url.len() > LONGEST_URL {
        return Err(Error::TooLong { len_bytes: url.len(), longest_bytes: LONGEST_URL });
    }
    Ok(())
}

/// Length of the record that begins with these bytes, of which there must be four.
#[inline]
pub(super) fn len_bytes(bytes: &[u8]) -> Option<usize> {
    let head = u32::from_le_bytes(*bytes.first_chunk()?);
    let score = if head & SCORED == 0 { 0 } else { SCORE_BYTES };
    Some(HEAD_BYTES + score + (head as usize & LONGEST_URL))
}

/// Reads and checks the record that begins with these bytes.
pub(super) fn front(bytes: &[u8]) -> Front<'_> {
    let Some(len_bytes) = len_bytes(bytes) else { return Front::Part };
    let Some(bytes) = bytes.get(..len_bytes) else { return Front::Part };
    whole(bytes).map_or(Front::Damaged, Front::Record)
}

fn whole(bytes: &[u8]) -> Option<Record<'_>> {
    let (fixed, rest) = bytes.split_first_chunk::<HEAD_BYTES>()?;
    let fixed = u64::from_le_bytes(*fixed);
    let (head, found) = (fixed as u32, (fixed >> 32) as u32);
    let (score, url) = match head & SCORED {
        0 => (0, rest),
        _ => rest.split_first_chunk().map(|(score, url)| (u32::from_le_bytes(*score), url))?,
    };
    let url = str::from_utf8(url).ok()?;
    let signature = signature(url);
    if url.is_empty() || found != check(signature, head, score) {
        return None;
    }
    let (depth, hops) = depth_and_hops(head);
    let note = Note { depth, hops, score: f32::from_bits(score) };
    Some(Record { url, note, signature, len_bytes: bytes.len() })
}

/// Depth and hops as bits of the head.
#[inline]
fn way(note: Note) -> u32 {
    if note.hops == 0 {
        return u32::from(note.depth) << DEPTH_SHIFT;
    }
    let depth = u32::from(note.depth.min(DEEPEST_BEHIND_HOPS));
    HOPPED | u32::from(note.hops.min(MOST_HOPS)) << HOPS_SHIFT | depth << DEPTH_SHIFT
}

fn depth_and_hops(head: u32) -> (u16, u8) {
    let depth = (head >> DEPTH_SHIFT) as u16;
    if head & HOPPED == 0 {
        return (depth, 0);
    }
    (depth & DEEPEST_BEHIND_HOPS, (head >> HOPS_SHIFT) as u8 & MOST_HOPS)
}

/// The signature is there anyway, so the check of a URL costs two multiplications and not another look at its text.
#[inline]
fn check(signature: u64, head: u32, score: u32) -> u32 {
    let note = u64::from(head) | u64::from(score) << 32;
    let mixed = (signature ^ note.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(url: &str, note: Note) -> Vec<u8> {
        let mut out = Vec::new();
        append(&mut out, url, note, signature(url)).expect("short enough");
        out
    }

    #[test]
    fn what_was_written_is_read() {
        for (url, depth, hops, score, len) in [
            ("http://x.org/", 0, 0, 0.0, 8 + 13),
            ("http://x.org/", u16::MAX, 0, 0.0, 8 + 13),
            ("http://x.org/", 0, 1, 0.0, 8 + 13),
            ("http://x.org/", DEEPEST_BEHIND_HOPS, MOST_HOPS, 0.5, 12 + 13),
            ("http://x.org/ü", 3, 0, -0.5, 12 + 15),
            (&"a".repeat(LONGEST_URL), 1, 0, 1e9, LONGEST),
        ] {
            let note = Note { depth, hops, score };
            let bytes = encoded(url, note);
            let Front::Record(record) = front(&bytes) else { panic!("{url}: {:?}", front(&bytes)) };
            assert_eq!((record.url, record.note, record.len_bytes), (url, note, len));
        }
    }

    #[test]
    fn beside_hops_a_depth_stops_growing() {
        let note = Note { depth: u16::MAX, hops: u8::MAX, score: 0.0 };
        let bytes = encoded("http://x.org/", note);
        let Front::Record(record) = front(&bytes) else { panic!("{:?}", front(&bytes)) };
        assert_eq!((record.note.depth, record.note.hops), (DEEPEST_BEHIND_HOPS, MOST_HOPS));
    }

    #[test]
    fn records_from_before_hops_are_read_as_they_were_meant() {
        let head = (u32::from(u16::MAX - 1) << DEPTH_SHIFT) + 13;
        let fixed = u64::from(head) | u64::from(check(signature("http://x.org/"), head, 0)) << 32;
        let bytes = [&fixed.to_le_bytes()[..], b"http://x.org/"].concat();
        let Front::Record(record) = front(&bytes) else { panic!("{:?}", front(&bytes)) };
        assert_eq!(record.note, Note { depth: u16::MAX - 1, ..Note::default() });
    }

    #[test]
    fn every_flipped_bit_and_every_cut_shows() {
        let bytes = encoded("http://example.org/a/page", Note { depth: 2, hops: 3, score: 0.25 });
        for cut in 0..bytes.len() {
            assert_eq!(front(&bytes[..cut]), Front::Part, "cut at {cut}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(!matches!(front(&flipped), Front::Record(_)), "bit {bit}");
        }
    }

    #[test]
    fn empty_pages_are_no_records() {
        assert_eq!(front(&[0; 4096]), Front::Damaged);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let url = "a".repeat(LONGEST_URL + 1);
        let refused = append(&mut Vec::new(), &url, Note::default(), 0);
        assert!(matches!(refused, Err(Error::TooLong { len_bytes: 16384, .. })));
    }
}
