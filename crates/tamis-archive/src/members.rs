//! Decoded bytes of an archive, one compressed member at a time.

mod start;

pub(crate) use start::Found;

use std::io;

use crate::arc::line_len;
use crate::boundary::{line_ends, starts_loosely, starts_record};
use crate::codec::{
    Codec, DICTIONARY_MAGIC, Dictionary, GzipInflater, Inflated, Inflater, Libdeflate, ZstdInflater,
    skippable_frame,
};
use crate::fault_log::FaultLog;
use crate::input::{Input, SHRINK};
use crate::last_magic::LastMagic;
use crate::{Fault, FaultKind, MemberState};

/// Members that inflate to at most this are inflated at once; larger ones in pieces.
const WHOLE_LIMIT: usize = (8 << 20) / SHRINK;

/// The pieces, small enough to stay in the cache.
const PIECE: usize = (256 << 10) / SHRINK;

/// A dictionary frame is read into memory up to this size.
const DICTIONARY_FRAME_LIMIT: u32 = 64 << 20;

/// The members of an input, each decoded through a window. A plain file is one member.
///
/// Memory: the input's window, [`WHOLE_LIMIT`] of decoded bytes, a decoder's state (zstd: its window, at most 128 MiB).
pub(crate) struct Members {
    input: Input,
    pub(crate) faults: FaultLog,
    stage: Stage,
    /// Where the member begins in the file.
    offset: u64,
    /// Decoded and unread bytes are `out[start..end]`.
    out: Vec<u8>,
    start: usize,
    end: usize,
    whole: Option<Libdeflate>,
    last_magic: LastMagic,
    gzip: Option<Box<GzipInflater>>,
    zstd: Option<Box<ZstdInflater>>,
    dictionary: Option<Dictionary>,
    /// The last member did not decode to its end, so the next one may begin anywhere behind its start.
    damaged: bool,
    state: MemberState,
    /// Bytes gone over a second time after damage; bounded so that hostile input costs linear time.
    gone_back: u64,
    /// Compressed bytes decoded to judge zstd frames; bounded for the same reason.
    probed: u64,
    /// Whether decoded bytes are the start of what a member holds: how one is known that is found by chance.
    is_content: fn(&[u8]) -> bool,
}

enum Stage {
    Between,
    Plain,
    /// Inflated at once: all of it is in `out`.
    Whole(Codec),
    Pieces(Inflater),
}

impl Members {
    pub(crate) fn new(input: Input) -> Self {
        Self {
            input,
            faults: FaultLog::default(),
            stage: Stage::Between,
            offset: 0,
            out: Vec::new(),
            start: 0,
            end: 0,
            whole: None,
            last_magic: LastMagic::default(),
            gzip: None,
            zstd: None,
            dictionary: None,
            damaged: false,
            state: MemberState::Plain,
            gone_back: 0,
            probed: 0,
            is_content: starts_record,
        }
    }

    /// The members of a file of text lines, which is no archive.
    pub(crate) fn of_lines(input: Input) -> Self {
        Self { is_content: starts_text, ..Self::new(input) }
    }

    /// Decoded bytes at hand, not yet consumed.
    pub(crate) fn window(&self) -> &[u8] {
        match self.stage {
            Stage::Plain => self.input.window(),
            _ => &self.out[self.start..self.end],
        }
    }

    pub(crate) fn consume(&mut self, n: usize) {
        match self.stage {
            Stage::Plain => self.input.consume(n),
            _ => self.start = (self.start + n).min(self.end),
        }
    }

    /// Decodes more of this member behind the window. False at its end.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        match self.stage {
            Stage::Plain => self.input.fill(),
            Stage::Pieces(_) => self.inflate_more(),
            Stage::Whole(_) | Stage::Between => Ok(false),
        }
    }

    /// Makes the window at least `want` bytes long unless the member ends before. At most some MiB can be asked for.
    pub(crate) fn peek(&mut self, want: usize) -> io::Result<&[u8]> {
        while self.window().len() < want && self.fill()? {}
        Ok(self.window())
    }

    /// Makes the window hold some more bytes than a line, which it holds already.
    pub(crate) fn peek_more(&mut self, more: usize) -> io::Result<&[u8]> {
        let line = memchr::memchr(b'\n', self.window()).map_or(0, |i| i + 1);
        self.peek(line + more)
    }

    /// Makes the window hold a whole line, unless it is longer than `limit` or the member ends before.
    pub(crate) fn peek_line(&mut self, limit: usize) -> io::Result<&[u8]> {
        let mut seen = 0;
        while memchr::memchr(b'\n', &self.window()[seen..]).is_none() && self.window().len() < limit {
            seen = self.window().len();
            if !self.fill()? {
                break;
            }
        }
        Ok(self.window())
    }

    /// Whether nothing of this member is left behind the window.
    pub(crate) fn is_complete(&self) -> bool {
        match self.stage {
            Stage::Plain => self.input.at_eof(),
            Stage::Pieces(_) => false,
            Stage::Whole(_) | Stage::Between => true,
        }
    }

    /// Passes over decoded bytes of this member. Returns how many there were.
    pub(crate) fn skip(&mut self, n: u64) -> io::Result<u64> {
        if matches!(self.stage, Stage::Plain) {
            return self.input.skip(n);
        }
        let step = (self.end - self.start).min(usize::try_from(n).unwrap_or(usize::MAX));
        self.start += step;
        Ok(step as u64)
    }

    /// The codec of this member.
    pub(crate) fn codec(&self) -> Codec {
        match &self.stage {
            Stage::Plain | Stage::Between => Codec::Plain,
            Stage::Whole(codec) => *codec,
            Stage::Pieces(inflater) => inflater.codec(),
        }
    }

    /// What is known of this member's soundness so far.
    pub(crate) fn state(&self) -> MemberState {
        self.state
    }

    /// Where the next decoded byte is in the file: its own offset in a plain file, else that of its member.
    pub(crate) fn offset(&self) -> u64 {
        match self.stage {
            Stage::Plain => self.input.offset(),
            _ => self.offset,
        }
    }

    /// Where the input stands: behind the member, once its last byte is decoded.
    pub(crate) fn input_offset(&self) -> u64 {
        self.input.offset()
    }

    /// The plain bytes of the input, for looks ahead without moving.
    pub(crate) fn plain_input(&self) -> Option<&Input> {
        matches!(self.stage, Stage::Plain).then_some(&self.input)
    }

    pub(crate) fn report(&mut self, offset: u64, kind: FaultKind) {
        self.faults.push(offset, kind);
    }

    /// Takes over the dictionary that the file begins with, then goes to an offset in it.
    pub(crate) fn go_to(&mut self, offset: u64) -> io::Result<bool> {
        self.input.top_up()?;
        let first = Some(self.input.window()).filter(|_| self.input.offset() == 0);
        if let Some((DICTIONARY_MAGIC, len)) = first.and_then(skippable_frame) {
            // Its faults belong to whoever reads the file from its start.
            let faults = std::mem::take(&mut self.faults);
            self.take_skippable(DICTIONARY_MAGIC, len)?;
            self.faults = faults;
        }
        self.stage = Stage::Between;
        self.input.go_to(offset)
    }

    /// Takes what is ahead for plain bytes.
    pub(crate) fn begin_plain(&mut self) {
        self.stage = Stage::Plain;
    }

    /// Takes what is ahead for plain bytes if its first line is as asked for.
    pub(crate) fn begin_plain_if(&mut self, is_right: impl Fn(&[u8]) -> bool) -> io::Result<()> {
        self.input.top_up()?;
        let window = self.input.window();
        if Codec::of(window) == Codec::Plain && line_len(window).is_some_and(|len| is_right(&window[..len])) {
            self.begin_plain();
        }
        Ok(())
    }

    /// Whether the bytes ahead begin no compressed member.
    pub(crate) fn is_plain_ahead(&self) -> bool {
        Codec::of(self.input.window()) == Codec::Plain
    }

    /// Goes on to the next member that holds anything. False at the end of the input.
    pub(crate) fn next_member(&mut self) -> io::Result<bool> {
        self.finish_member()?;
        loop {
            if self.next_before_hole()? {
                return Ok(true);
            }
            let Some((offset, len, what)) = self.input.pass_hole()? else { return Ok(false) };
            self.faults.push(offset, FaultKind::HeldDamaged { len, what });
        }
    }

    /// Goes on to the next member before the input ends, or before bytes that cannot be had.
    fn next_before_hole(&mut self) -> io::Result<bool> {
        loop {
            if std::mem::take(&mut self.damaged) && !self.find_next_after_damage()? {
                return Ok(false);
            }
            if !self.last_magic.is_behind_member(&self.input) {
                self.input.top_up()?;
            }
            self.offset = self.input.offset();
            let window = self.input.window();
            if window.is_empty() {
                return Ok(false);
            }
            if let Some((magic, len)) = skippable_frame(window) {
                self.take_skippable(magic, len)?;
                continue;
            }
            let has_content = match Codec::of(window) {
                Codec::Gzip => self.begin_gzip()?,
                Codec::Zstd => self.begin_zstd()?,
                Codec::Plain if starts_archive(window) => {
                    self.stage = Stage::Plain;
                    self.state = MemberState::Plain;
                    true
                }
                Codec::Plain => {
                    if !self.pass_garbage()? {
                        return Ok(false);
                    }
                    false
                }
            };
            if has_content {
                return Ok(true);
            }
        }
    }

    /// Decodes what is left of the member, so that the input stands behind it.
    fn finish_member(&mut self) -> io::Result<()> {
        loop {
            (self.start, self.end) = (0, 0);
            if matches!(self.stage, Stage::Plain) {
                let window = self.input.window().len();
                self.input.consume(window);
            }
            if !self.fill()? {
                break;
            }
        }
        self.stage = Stage::Between;
        Ok(())
    }

    fn begin_gzip(&mut self) -> io::Result<bool> {
        self.state = MemberState::Sound;
        if self.out.is_empty() {
            self.out = vec![0; WHOLE_LIMIT];
            self.whole = Libdeflate::new();
        }
        if let Some(whole) = &mut self.whole {
            self.last_magic.reach_member_end(&mut self.input)?;
            let mut outcome = whole.gzip_member(self.input.window(), &mut self.out);
            if outcome == Inflated::Bad && !self.input.at_eof() {
                // Perhaps the window ends before the member does after all.
                self.input.fill_window()?;
                outcome = whole.gzip_member(self.input.window(), &mut self.out);
            }
            if let Inflated::Done { read, written } = outcome {
                self.input.consume(read);
                (self.start, self.end) = (0, written);
                self.stage = Stage::Whole(Codec::Gzip);
                return Ok(self.note_if_empty());
            }
        }
        let mut inflater = self.gzip.take().unwrap_or_else(|| Box::new(GzipInflater::new()));
        inflater.reset();
        self.begin_pieces(Inflater::Gzip(inflater))
    }

    fn begin_zstd(&mut self) -> io::Result<bool> {
        self.state = MemberState::Sound;
        if self.out.is_empty() {
            self.out = vec![0; WHOLE_LIMIT];
        }
        let inflater = match self.zstd.take() {
            Some(mut inflater) => {
                inflater.reset();
                inflater
            }
            None => match ZstdInflater::new(self.dictionary.as_ref()) {
                Some(inflater) => Box::new(inflater),
                None => return Err(io::Error::other("the zstd dictionary of this file cannot be used")),
            },
        };
        self.begin_pieces(Inflater::Zstd(inflater))
    }

    fn begin_pieces(&mut self, inflater: Inflater) -> io::Result<bool> {
        (self.start, self.end) = (0, 0);
        self.stage = Stage::Pieces(inflater);
        let has_content = self.inflate_more()?;
        Ok(has_content || (!self.damaged && self.note_if_empty()))
    }

    fn note_if_empty(&mut self) -> bool {
        if self.end == 0 {
            self.faults.push(self.offset, FaultKind::MemberEmpty);
        }
        self.end > 0
    }

    fn inflate_more(&mut self) -> io::Result<bool> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.out.len() - self.end < PIECE {
            self.out.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        loop {
            let Stage::Pieces(inflater) = &mut self.stage else { return Ok(false) };
            let room = self.out.len().min(self.end + PIECE);
            let step = match inflater.step(self.input.window(), &mut self.out[self.end..room]) {
                Ok(step) => step,
                Err(why) => {
                    let codec = inflater.codec().name();
                    let kind = if why == DICTIONARY_WRONG && self.dictionary.is_none() {
                        FaultKind::DictionaryMissing
                    } else {
                        FaultKind::MemberCorrupt { codec, why }
                    };
                    return Ok(self.end_damaged(kind));
                }
            };
            self.input.consume(step.read);
            self.end += step.written;
            if step.done {
                self.end_pieces();
                return Ok(step.written > 0);
            }
            if step.written > 0 {
                return Ok(true);
            }
            if step.read == 0 && !self.input.fill()? {
                let codec = inflater.codec().name();
                return Ok(self.end_damaged(FaultKind::MemberTruncated { codec }));
            }
        }
    }

    /// Always false: there is no more of the member.
    fn end_damaged(&mut self, kind: FaultKind) -> bool {
        let is_cut = matches!(kind, FaultKind::MemberTruncated { .. });
        self.state = if is_cut { MemberState::Truncated } else { MemberState::Corrupt };
        self.faults.push(self.offset, kind);
        self.damaged = true;
        self.end_pieces();
        false
    }

    /// What is decoded stays in the window; the decoder is kept for the next member.
    fn end_pieces(&mut self) {
        let codec = self.codec();
        match std::mem::replace(&mut self.stage, Stage::Whole(codec)) {
            Stage::Pieces(Inflater::Gzip(inflater)) => self.gzip = Some(inflater),
            Stage::Pieces(Inflater::Zstd(inflater)) => self.zstd = Some(inflater),
            _ => {}
        }
    }

    fn take_skippable(&mut self, magic: u32, len: u32) -> io::Result<()> {
        let (start, end) = (self.input.offset(), self.input.offset() + 8 + u64::from(len));
        if magic == DICTIONARY_MAGIC && start == 0 && len <= DICTIONARY_FRAME_LIMIT {
            while self.input.window().len() < 8 + len as usize && self.input.fill()? {}
            let content = self.input.window().get(8..8 + len as usize);
            let dictionary = content.and_then(Dictionary::from_frame);
            self.dictionary = dictionary.filter(|dictionary| ZstdInflater::new(Some(dictionary)).is_some());
            self.zstd = None;
            if self.dictionary.is_none() {
                self.faults.push(
                    start,
                    FaultKind::MemberCorrupt { codec: "zstd", why: "dictionary does not decode" },
                );
            }
        }
        let mut left = end - start;
        while left > 0 {
            let passed = self.input.skip(left)?;
            left -= passed;
            if passed == 0 && !self.input.fill()? {
                self.faults.push(start, FaultKind::MemberTruncated { codec: "zstd" });
                break;
            }
        }
        Ok(())
    }

    /// Behind a damaged member the next may begin anywhere: looks again at all bytes behind its start, where possible.
    fn find_next_after_damage(&mut self) -> io::Result<bool> {
        let again = self.input.offset().saturating_sub(self.offset + 1);
        self.gone_back += again;
        if self.gone_back <= (64 << 20) + 2 * self.offset {
            self.input.go_to(self.offset + 1)?;
        }
        self.find_start(false, u64::MAX)
    }

    /// Passes over bytes that begin neither a member nor a record, and says so.
    fn pass_garbage(&mut self) -> io::Result<bool> {
        let start = self.input.offset();
        let found = self.find_start(true, u64::MAX)?;
        let len = self.input.offset() - start;
        let is_plain = Codec::of(self.input.window()) == Codec::Plain;
        let kind = if is_plain { FaultKind::Garbage { len } } else { FaultKind::MemberGarbage { len } };
        self.faults.push(start, kind);
        Ok(found)
    }

    /// The faults met so far.
    pub(crate) fn faults(&self) -> &[Fault] {
        self.faults.list()
    }
}

/// What libzstd says of a frame whose dictionary it was not given.
const DICTIONARY_WRONG: &str = "Dictionary mismatch";

/// Text without control characters but blanks and line ends.
fn starts_text(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|&byte| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r'))
}

/// The start of a file that is an archive, if a broken one.
fn starts_archive(bytes: &[u8]) -> bool {
    let bytes = &bytes[line_ends(bytes)..];
    starts_record(bytes) || starts_loosely(bytes) || bytes.starts_with(b"filedesc:")
}
