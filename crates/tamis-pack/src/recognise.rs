//! Which encoder a member was made with: found by making it again.
//!
//! The work is bounded. The encoders that made members before are tried first; few of those that they did not make are tried with
//! all; and what no encoder makes is described by its differences to a guess, or kept as it is.

use std::collections::BTreeMap;

use super::coding::{Coding, Remaker, near_miss};
use super::deflate::Encoder;
use super::gzip_header::TRAILER_LEN;
use super::large;
use super::zstd_frame::FrameSettings;

/// So many of the encoders that made members before are tried on each.
const TRIED: usize = 4;

/// What earlier members were made with, the most frequent first. It changes between batches only, so that what is
/// found does not depend on the number of threads.
#[derive(Debug, Clone, Default)]
pub(super) struct Learned {
    counts: BTreeMap<Maker, u64>,
    encoders: Vec<Encoder>,
    frames: Vec<FrameSettings>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Maker {
    Deflate(Encoder),
    Zstd(FrameSettings),
}

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Among the encoders that made members before.
    Learned,
    /// Among all encoders there are.
    Full,
    /// Not for an encoder: for what the member differs by from a guess.
    Corrections,
}

impl Learned {
    /// Learns from a member.
    pub(super) fn add(&mut self, coding: &Coding) {
        let maker = match coding {
            Coding::Gzip { encoder, .. } => Maker::Deflate(*encoder),
            Coding::Zstd(settings) => Maker::Zstd(*settings),
            Coding::Plain | Coding::GzipGuessed { .. } | Coding::GzipPatched { .. } | Coding::Kept => return,
        };
        *self.counts.entry(maker).or_default() += 1;
    }

    /// Puts what was learnt to use.
    pub(super) fn settle(&mut self) {
        let mut counts: Vec<_> = self.counts.iter().map(|(&maker, &count)| (count, maker)).collect();
        counts.sort_by_key(|&(count, maker)| (std::cmp::Reverse(count), maker));
        (self.encoders, self.frames) = (Vec::new(), Vec::new());
        for (_, maker) in counts {
            match maker {
                Maker::Deflate(encoder) => self.encoders.push(encoder),
                Maker::Zstd(settings) => self.frames.push(settings),
            }
        }
        self.encoders.truncate(TRIED);
        self.frames.truncate(TRIED);
    }
}

/// How a gzip member is made of its content, and what must be stored beside it. None if that is not found.
pub(super) fn gzip_member(
    remaker: &mut Remaker,
    learned: &Learned,
    effort: Effort,
    (stored, header_len): (&[u8], usize),
    content: &[u8],
) -> Option<(Coding, Vec<u8>)> {
    let deflated = stored.get(header_len..stored.len().checked_sub(TRAILER_LEN)?)?;
    let header = Some(stored[..header_len].to_vec());
    let is_match = |encoder: &Encoder| remaker.deflaters.is_match(*encoder, content, deflated);
    let found = match effort {
        Effort::Learned => learned.encoders.iter().copied().find(is_match),
        Effort::Full => Encoder::all().chain(Encoder::odd()).find(is_match),
        Effort::Corrections => {
            // What is kept is in the file; the survey need not hold it.
            let kept = (Coding::Kept, Vec::new());
            let Some((encoder, patch)) = near_miss(&mut remaker.deflaters, content, deflated) else {
                return Some(kept);
            };
            let coding = Coding::GzipPatched { encoder, header };
            let mut made = Vec::new();
            let is_made = remaker.remake(&coding, content, &patch, &mut made).is_some() && made == stored;
            return Some(if is_made { (coding, patch) } else { kept });
        }
    };
    Some((Coding::Gzip { encoder: found?, header }, Vec::new()))
}

/// How a gzip member is made of more content than is held in memory; none if that is not found yet.
pub(super) fn large_gzip_member(
    learned: &Learned,
    effort: Effort,
    (stored, header_len): (&[u8], usize),
) -> Option<Coding> {
    let deflated = stored.get(header_len..stored.len().checked_sub(TRAILER_LEN)?)?;
    let is_match = |encoder: &Encoder| large::is_match(*encoder, deflated);
    let encoder = match effort {
        Effort::Learned => learned.encoders.iter().copied().find(is_match)?,
        Effort::Full => Encoder::all().chain(Encoder::odd()).find(is_match)?,
        Effort::Corrections => return Some(Coding::Kept),
    };
    Some(Coding::Gzip { encoder, header: Some(stored[..header_len].to_vec()) })
}

/// How a zstd frame is made of its content; none if that is not found.
pub(super) fn zstd_frame(
    remaker: &mut Remaker,
    learned: &Learned,
    effort: Effort,
    stored: &[u8],
    content: &[u8],
) -> Option<Coding> {
    let is_match = |settings: &FrameSettings| remaker.is_frame(*settings, content, stored);
    let found = match effort {
        Effort::Learned => learned.frames.iter().copied().find(is_match),
        Effort::Full => FrameSettings::candidates(stored).find(is_match),
        Effort::Corrections => None,
    };
    found.map(Coding::Zstd)
}
