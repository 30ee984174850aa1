//! One coding of a body being undone.

use std::io;

use super::body::DecodeLimits;
use super::coding::Coding;
use super::decoder::{Decoder, Verdict, goes_on_with, has_magic};
use super::quirk::{HttpQuirk, HttpQuirks};

/// How much of a coded body is read ahead, and looked at to tell whether it is coded at all.
const INPUT_BYTES: usize = 16 << 10;

/// Decoders give this much freely: a ratio says nothing about a small body.
const FREE_BYTES: u64 = 1 << 20;

/// Where a layer gets its bytes from: the layers below it, down to the body as stored.
pub(super) trait Source {
    /// Reads like [`io::Read::read`].
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize>;
    /// Bytes of the stored body that were read so far.
    fn raw_bytes(&self) -> u64;
}

/// One coding being undone. Memory: 16 KiB and the decoder's window.
pub(super) struct Layer {
    coding: Coding,
    limits: DecodeLimits,
    state: State,
    decoder: Option<Decoder>,
    input: Vec<u8>,
    at: usize,
    source_ended: bool,
    produced: u64,
    quirks: HttpQuirks,
    limit_hit: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Unopened,
    /// The body is not coded: its bytes are given as they stand.
    Pass,
    Decoding,
    /// A member has ended; another one may follow.
    BetweenMembers,
    Ended,
}

impl Layer {
    pub(super) fn new(coding: Coding, limits: DecodeLimits) -> Self {
        Self {
            coding,
            limits,
            state: State::Unopened,
            decoder: None,
            input: Vec::new(),
            at: 0,
            source_ended: false,
            produced: 0,
            quirks: HttpQuirks::default(),
            limit_hit: false,
        }
    }

    pub(super) fn quirks(&self) -> HttpQuirks {
        self.quirks
    }

    pub(super) fn limit_hit(&self) -> bool {
        self.limit_hit
    }

    /// The coding, if the body has it.
    pub(super) fn undone(&self) -> Option<Coding> {
        self.decoder.is_some().then_some(self.coding)
    }

    pub(super) fn read(&mut self, source: &mut dyn Source, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            match self.state {
                State::Ended => return Ok(0),
                State::Pass => return self.pass(source, out),
                State::Unopened => self.open(source)?,
                State::BetweenMembers => self.next_member(source)?,
                State::Decoding => {
                    let len = self.decode(source, out)?;
                    if len > 0 {
                        return Ok(len);
                    }
                }
            }
        }
    }

    /// Looks at the beginning of the body and chooses between decoding it and giving it as it stands.
    fn open(&mut self, source: &mut dyn Source) -> io::Result<()> {
        self.fill(source, if has_magic(self.coding) { 4 } else { INPUT_BYTES })?;
        if self.input.is_empty() {
            self.state = State::Ended;
            return Ok(());
        }
        self.decoder = Decoder::open(self.coding, &self.input)?;
        let is_coded = self.decoder.is_some() && (has_magic(self.coding) || self.looks_coded()?);
        if is_coded {
            self.state = State::Decoding;
        } else {
            self.decoder = None;
            self.quirks.insert(HttpQuirk::NotEncoded);
            self.state = State::Pass;
        }
        Ok(())
    }

    /// Tries a coding without a magic number on the bytes at hand.
    ///
    /// Text read as brotli or deflate fails soon, or does not end where the text does, but may give some garbage
    /// before. So bytes that do not decode to their end and are text, or give nothing, are taken as they are.
    fn looks_coded(&self) -> io::Result<bool> {
        let Some(mut trial) = Decoder::open(self.coding, &self.input)? else { return Ok(false) };
        let (mut at, mut produced, mut scratch) = (0, 0, [0; 4096]);
        while produced < INPUT_BYTES {
            let step = trial.step(&self.input[at..], &mut scratch);
            at += step.consumed;
            produced += step.produced;
            let failed = match step.verdict {
                Verdict::Failed => true,
                Verdict::End => at < self.input.len(),
                Verdict::More if step.consumed + step.produced == 0 => self.source_ended,
                Verdict::More => continue,
            };
            return Ok(!failed || produced > 0 && !looks_like_text(&self.input));
        }
        Ok(true)
    }

    fn pass(&mut self, source: &mut dyn Source, out: &mut [u8]) -> io::Result<usize> {
        let ahead = &self.input[self.at..];
        if ahead.is_empty() {
            return source.read(out);
        }
        let len = ahead.len().min(out.len());
        out[..len].copy_from_slice(&ahead[..len]);
        self.at += len;
        Ok(len)
    }

    /// Goes on with the next member of a gzip or zstd stream, or ends.
    fn next_member(&mut self, source: &mut dyn Source) -> io::Result<()> {
        self.fill(source, 4)?;
        let rest = &self.input[self.at..];
        if goes_on_with(self.coding, rest) {
            self.decoder = Decoder::open(self.coding, rest)?;
            self.state = State::Decoding;
        } else {
            self.quirks.insert_if(!rest.is_empty(), HttpQuirk::BytesAfterContent);
            self.state = State::Ended;
        }
        Ok(())
    }

    /// Decodes once. Nothing given means: the state has changed, or there is more input to decode.
    fn decode(&mut self, source: &mut dyn Source, out: &mut [u8]) -> io::Result<usize> {
        if self.at == self.input.len() {
            self.fill(source, 1)?;
        }
        let Some(decoder) = &mut self.decoder else {
            self.state = State::Ended;
            return Ok(0);
        };
        let allowed = self.limits.max_decoded(source.raw_bytes()).saturating_sub(self.produced);
        let mut beyond = [0];
        let room = match usize::try_from(allowed).unwrap_or(usize::MAX).min(out.len()) {
            // At the limit, one byte more tells a body that ends here from one that goes on.
            0 => &mut beyond[..],
            len => &mut out[..len],
        };
        let step = decoder.step(&self.input[self.at..], room);
        self.at += step.consumed;
        self.state = match step.verdict {
            _ if allowed == 0 && step.produced > 0 => {
                self.limit_hit = true;
                State::Ended
            }
            Verdict::More if step.consumed + step.produced > 0 => State::Decoding,
            Verdict::More => self.fail(if self.source_ended {
                HttpQuirk::ContentTruncated
            } else {
                HttpQuirk::ContentCorrupt
            }),
            Verdict::End => State::BetweenMembers,
            Verdict::Failed => self.fail(HttpQuirk::ContentCorrupt),
        };
        let given = if self.limit_hit { 0 } else { step.produced };
        self.produced += given as u64;
        Ok(given)
    }

    fn fail(&mut self, quirk: HttpQuirk) -> State {
        self.quirks.insert(quirk);
        State::Ended
    }

    /// Reads ahead until at least `least` bytes are at hand, or the source ends.
    fn fill(&mut self, source: &mut dyn Source, least: usize) -> io::Result<()> {
        if self.at > 0 {
            self.input.drain(..self.at);
            self.at = 0;
        }
        while self.input.len() < least && !self.source_ended {
            let len = self.input.len();
            self.input.resize(INPUT_BYTES, 0);
            let read = source.read(&mut self.input[len..]);
            self.input.truncate(len + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.source_ended = true,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => drop(read?),
            }
        }
        Ok(())
    }
}

impl DecodeLimits {
    /// How much one decoder may give for a body of which this much was read.
    pub(crate) fn max_decoded(&self, raw_bytes: u64) -> u64 {
        let by_ratio = raw_bytes.saturating_mul(u64::from(self.max_ratio)).max(FREE_BYTES);
        by_ratio.min(self.max_output_bytes)
    }
}

/// Text has no control characters but blanks and line ends; 512 compressed bytes without one are not met.
fn looks_like_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(512)];
    start.iter().all(|b| !matches!(b, 0..=8 | 14..=26 | 28..=31 | 127))
}
