//! The block of a record: how long it really is, its bytes, and the end of the record behind it.

use std::io;

use super::{Core, LOOK_AHEAD, Place};
use crate::boundary::{find_record, line_ends, starts_loosely, starts_record};
use crate::codec::Codec;
use crate::input::{READ, SHRINK};
use crate::{FaultKind, Head, MemberState, RecordEnd, Version};

/// As much of a head as is needed to know it for one.
const HEAD_ROOM: usize = 4 << 10;

/// As much of a block as can be asked for at once.
const PEEK_LIMIT: usize = (2 << 20) / SHRINK;

/// How many line ends are looked at behind a block, and as many bytes as tell what follows them.
const END_ROOM: usize = 64;

/// What is seen from the start of a block: always as much as was asked for, whatever more is at hand, so that a stream gives
/// the same records in whatever pieces it comes.
#[derive(Clone, Copy)]
struct View {
    len: usize,
    /// Whether the member ends with it.
    is_complete: bool,
}

impl Core {
    /// Finds out how long the block is: what its head claims, unless the record's end is not there.
    pub(super) fn settle_block(&mut self, head: &Head) -> io::Result<()> {
        self.read = 0;
        self.is_torn = false;
        self.members_before = MemberState::Sound;
        self.stored_end = None;
        self.place = Place::Block;
        let claimed = head.content_length();
        let is_arc = matches!(head.version(), Version::Arc1 | Version::Arc2);
        if claimed.is_none() && !is_arc {
            let value = head.fields().text("Content-Length").unwrap_or_default();
            self.members
                .report(self.record_offset, FaultKind::BadContentLength(value.chars().take(40).collect()));
        }
        if let Some(len) = claimed
            && self.ends_well_far(len)?
        {
            self.left = len;
            return Ok(());
        }
        let near = claimed.map_or(LOOK_AHEAD, |len| len.min(LOOK_AHEAD as u64) as usize);
        let view = self.look(near + HEAD_ROOM)?;
        self.left = match claimed {
            Some(len) if self.ends_well(len, view)? => len,
            Some(len) => self.real_length(len, view)?,
            None => self.cut_before_record(None, view)?.unwrap_or(0),
        };
        Ok(())
    }

    fn look(&mut self, ahead: usize) -> io::Result<View> {
        let at_hand = self.members.peek(ahead)?.len();
        Ok(View { len: at_hand.min(ahead), is_complete: at_hand <= ahead && self.members.is_complete() })
    }

    /// The length of a block that does not end where its head claims, as far as the bytes tell.
    fn real_length(&mut self, claimed: u64, view: View) -> io::Result<u64> {
        if let Some(len) = self.cut_before_record(Some(claimed), view)? {
            return Ok(len);
        }
        let is_arc = self.is_arc;
        let View { len, is_complete } = self.look(LOOK_AHEAD + HEAD_ROOM)?;
        let Some(rest) = self.members.window()[..len].get(usize::try_from(claimed).unwrap_or(usize::MAX)..)
        else {
            return Ok(claimed);
        };
        // A record that is closed as it should be has the right length; what follows is garbage.
        if rest.starts_with(b"\r\n\r\n") || rest.starts_with(b"\n\n") || (is_arc && rest.starts_with(b"\n")) {
            return Ok(claimed);
        }
        let end = find_record(rest, is_arc).or(is_complete.then_some(rest.len()));
        let extra = end.map_or(0, |end| without_record_end(&rest[..end])) as u64;
        if extra > 0 {
            self.members.report(self.record_offset, FaultKind::BlockOverlong { extra });
        }
        Ok(claimed + extra)
    }

    /// Whether a block of this length is followed by a record's end, as far as can be seen from here.
    fn ends_well(&mut self, len: u64, view: View) -> io::Result<bool> {
        let View { len: seen, is_complete } = view;
        if len <= LOOK_AHEAD.min(seen) as u64 || (len <= seen as u64 && is_complete) {
            let rest = &self.members.window()[len as usize..seen];
            return Ok(is_record_end(rest, is_complete));
        }
        if is_complete {
            // Past the end: of the file, or of a member, behind which the block may go on.
            return Ok(false);
        }
        Ok(self.ends_well_at(len, &mut [0; 256])?.unwrap_or(true))
    }

    /// Whether a long block of a plain file ends well, by a look at its end alone, so that its bytes can be handed out as
    /// they come through a window that stays in the cache. False says nothing.
    fn ends_well_far(&self, len: u64) -> io::Result<bool> {
        let is_far = len > (READ as u64).max(self.members.window().len() as u64);
        Ok(is_far && self.ends_well_at(len, &mut [0; HEAD_ROOM])? == Some(true))
    }

    /// Whether a record's end is in the file where a block of this length ends. None if it cannot be read out of turn.
    fn ends_well_at(&self, len: u64, buf: &mut [u8]) -> io::Result<Option<bool>> {
        let Some(input) = self.members.plain_input() else { return Ok(None) };
        let (room, end) = (buf.len(), self.members.offset().saturating_add(len));
        let is_inside = input.len().is_none_or(|input_len| end <= input_len);
        let rest = input.read_at(end, buf)?;
        Ok(rest.map(|rest| is_inside && is_record_end(rest, rest.len() < room)))
    }

    /// The length of a block that is cut short by the next record, if one begins inside. Without a claimed length the block
    /// goes to the next record, or to the member's end.
    fn cut_before_record(&mut self, claimed: Option<u64>, view: View) -> io::Result<Option<u64>> {
        let is_arc = self.is_arc;
        let is_complete = view.is_complete;
        let window = &self.members.window()[..view.len];
        let seen = claimed.map_or(window.len(), |len| (window.len() as u64).min(len) as usize);
        // A head that begins inside is seen whole; one that begins behind is no business of this block.
        let looked_at = &window[..window.len().min(seen.saturating_add(HEAD_ROOM))];
        let found = find_record(looked_at, is_arc).filter(|&at| at < seen);
        let found = found.map(|at| without_record_end(&window[..at]));
        let Some(claimed) = claimed else {
            let whole = || is_complete.then(|| without_record_end(window));
            return Ok(found.or_else(whole).map(|len| len as u64));
        };
        let found = match found {
            Some(found) => Some(found as u64),
            None if is_complete || seen as u64 == claimed => None,
            None => self.find_far(claimed, seen as u64)?,
        };
        let Some(found) = found else { return Ok(None) };
        let found = self.member_end(found).unwrap_or(found);
        self.members.report(self.record_offset, FaultKind::BlockTruncated { claimed, found });
        Ok(Some(found))
    }

    /// The length of a block that was cut short by the end of its compressed member, in a store that does not keep members: all
    /// up to there is block, as it is in the compressed archive. `found` is its length up to the line ends before the next record.
    fn member_end(&mut self, found: u64) -> Option<u64> {
        let start = self.members.offset();
        let end = self.members.plain_input()?.cut_end(self.record_offset)?;
        let len = end.checked_sub(start).filter(|&len| len >= found)?;
        (self.stored_end, self.in_member) = (Some(end), 0);
        Some(len)
    }

    /// Looks for a record inside a block that reaches beyond the window, in a file that can be read out of turn.
    fn find_far(&self, claimed: u64, seen: u64) -> io::Result<Option<u64>> {
        let Some(input) = self.members.plain_input() else { return Ok(None) };
        let start = self.members.offset();
        let mut buf = vec![0; LOOK_AHEAD];
        // A little of what was seen, for a head cut by the window's end.
        let mut at = seen.saturating_sub(4096);
        while at < claimed {
            let Some(bytes) = input.read_at(start + at, &mut buf)? else { return Ok(None) };
            if let Some(found) = find_record(bytes, self.is_arc).filter(|&found| found > 0) {
                let is_inside = at + (found as u64) < claimed;
                return Ok(is_inside.then(|| at + without_record_end(&bytes[..found]) as u64));
            }
            if bytes.len() < LOOK_AHEAD {
                break;
            }
            at += (LOOK_AHEAD - 4096) as u64;
        }
        Ok(None)
    }

    /// At least `want` bytes of the block, unless it ends before.
    pub(crate) fn peek_block(&mut self, want: usize) -> io::Result<&[u8]> {
        let want = want.min(PEEK_LIMIT).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        while self.left > 0 && self.members.window().len() < want {
            if !self.members.fill()? && (!self.members.window().is_empty() || !self.go_on_in_next_member()?) {
                break;
            }
        }
        let len = self.members.window().len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        Ok(&self.members.window()[..len])
    }

    pub(crate) fn consume_block(&mut self, n: usize) {
        let n = n.min(usize::try_from(self.left).unwrap_or(usize::MAX)).min(self.members.window().len());
        self.members.consume(n);
        self.left -= n as u64;
        self.read += n as u64;
    }

    /// The member ends inside the block. True if the next member goes on with it; else the block is over.
    fn go_on_in_next_member(&mut self) -> io::Result<bool> {
        let claimed = self.read + self.left;
        let end = self.members.input_offset();
        self.members_before = self.members_before.max(self.members.state());
        let goes_on = self.members.codec() != Codec::Plain
            && self.members.next_member()?
            && !starts_record(self.members.window());
        if !goes_on {
            self.left = 0;
            self.stored_end = Some(end);
            self.in_member = 0;
            self.members.report(self.record_offset, FaultKind::BlockTruncated { claimed, found: self.read });
        }
        Ok(goes_on)
    }

    /// Passes over what is left of the record and judges its end. Does nothing between records.
    pub(crate) fn finish_record(&mut self) -> io::Result<RecordEnd> {
        if self.place != Place::Block {
            return Ok(self.last_end);
        }
        while self.left > 0 {
            let passed = self.members.skip(self.left)?;
            self.left -= passed;
            self.read += passed;
            if self.left > 0 {
                let more = self.peek_block(1)?;
                if more.is_empty() {
                    break;
                }
            }
        }
        self.place = Place::Between;
        self.pause.spend(self.read);
        // Where the block ran out with its member, the reader stands in the next one, which says nothing about it.
        let ran_out = self.stored_end.is_some();
        if !ran_out {
            self.close_record()?;
        }
        let own = if ran_out { MemberState::Sound } else { self.members.state() };
        let is_alone = self.in_member <= 1 || self.members.codec() == Codec::Plain;
        self.last_end = RecordEnd {
            stored_len: self.stored_end.filter(|_| is_alone).map(|end| end - self.record_offset),
            block_len: self.read,
            is_damaged: self.is_torn || self.members.faults.damage() > self.damage_before,
            is_closed: !ran_out && self.line_feeds >= if self.is_arc { 1 } else { 2 },
            is_torn: self.is_torn,
            member: self.members_before.max(own),
        };
        Ok(self.last_end)
    }

    /// Takes the two line ends behind the block, and finds where the record ends in the file.
    fn close_record(&mut self) -> io::Result<()> {
        let window = self.members.peek(END_ROOM)?;
        self.closed_by = line_ends(&window[..window.len().min(END_ROOM / 2)]);
        let is_right = window.starts_with(b"\r\n\r\n") && self.closed_by == 4;
        self.line_feeds = memchr::memchr_iter(b'\n', &window[..self.closed_by]).count();
        let rest = &window[self.closed_by..];
        let goes_on = !rest.is_empty() && !starts_loosely(rest);
        self.is_torn = goes_on && self.closed_by == 0 && !self.is_arc;
        let n = self.closed_by.min(4);
        if !is_right && !self.is_arc && !goes_on {
            self.members.report(self.record_offset, FaultKind::MissingRecordEnd);
        }
        if self.members.codec() == Codec::Plain {
            self.stored_end = Some(self.members.offset());
        }
        self.members.consume(n);
        self.pass_line_ends_within_member()?;
        // The checksum stands behind the last byte: asking for one more is what checks it.
        if self.members.codec() != Codec::Plain
            && self.members.peek(1)?.is_empty()
            && self.members.is_complete()
        {
            self.stored_end = Some(self.members.input_offset());
        }
        Ok(())
    }

    /// More line ends than two belong to the record before them.
    fn pass_line_ends_within_member(&mut self) -> io::Result<()> {
        if self.closed_by != 4 {
            self.pass_line_ends()?;
        }
        Ok(())
    }
}

/// Whether the bytes behind a block close its record: line ends, then another record or nothing.
fn is_record_end(rest: &[u8], is_complete: bool) -> bool {
    let skip = line_ends(rest);
    let rest = &rest[skip..];
    if rest.is_empty() {
        return is_complete || skip >= 4;
    }
    // A head cut by the end of what is seen is given the benefit of the doubt.
    starts_loosely(rest)
        || starts_record(rest)
        || (rest.len() < 5 && !is_complete)
        || is_arc_like(rest, is_complete)
}

/// An ARC head line that is too long to be seen whole.
fn is_arc_like(rest: &[u8], is_complete: bool) -> bool {
    !is_complete && memchr::memchr(b'\n', rest).is_none() && rest.starts_with(b"http")
}

/// The length without the line ends that close a record: CRLFCRLF, or as many of LF.
fn without_record_end(bytes: &[u8]) -> usize {
    let mut len = bytes.len();
    for _ in 0..2 {
        if bytes[..len].ends_with(b"\r\n") {
            len -= 2;
        } else if bytes[..len].ends_with(b"\n") {
            len -= 1;
        }
    }
    len
}
