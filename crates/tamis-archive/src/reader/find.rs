//! Where the next record begins, and its head.

use std::io;

use super::{Core, LOOK_AHEAD, Place};
use crate::arc::{self, ArcLine};
use crate::boundary::{find_record, is_sure_head, is_version_line, line_ends, starts_loosely, starts_record};
use crate::codec::Codec;
use crate::input::SHRINK;
use crate::{FaultKind, Head};

/// A head longer than this is none.
const HEAD_LIMIT: usize = (1 << 20) / SHRINK;

/// A head that is at hand whole and no longer than this is read in one pass.
const HEAD_AT_HAND: usize = (64 << 10) / SHRINK;

impl Core {
    /// Goes to where the next record begins. False if there is none, or none that is ours.
    pub(super) fn find_record(&mut self) -> io::Result<bool> {
        if self.place == Place::End || self.is_pause_due() {
            return Ok(false);
        }
        loop {
            let is_empty = self.pass_line_ends()?;
            if is_empty && !self.members.next_member()? {
                self.stored_end = Some(self.members.input_offset());
                return Ok(self.end_of_input());
            }
            if is_empty {
                self.in_member = 0;
            }
            let is_at_start = self.in_member == 0 || self.members.codec() == Codec::Plain;
            if self.members.offset() >= self.range_end && is_at_start {
                self.stored_end = None;
                self.place = Place::End;
                return Ok(false);
            }
            if is_empty {
                continue;
            }
            if self.is_head_due()? {
                return Ok(true);
            }
            self.pass_garbage()?;
        }
    }

    /// Always false. A file in which nothing was found is not fine.
    fn end_of_input(&mut self) -> bool {
        self.place = Place::End;
        if self.records == 0 && self.is_first_range {
            self.members.report(0, FaultKind::NoRecords);
        }
        false
    }

    /// True if nothing of the member is left.
    pub(super) fn pass_line_ends(&mut self) -> io::Result<bool> {
        loop {
            let window = self.members.peek(1)?;
            let n = line_ends(window);
            if n == window.len() {
                self.members.consume(n);
                if n == 0 {
                    return Ok(true);
                }
                continue;
            }
            self.members.consume(n);
            return Ok(false);
        }
    }

    fn is_head_due(&mut self) -> io::Result<bool> {
        let is_sent = std::mem::take(&mut self.is_sent);
        let window = self.members.peek(5)?;
        if starts_loosely(window) {
            self.is_arc = false;
            return Ok(true);
        }
        self.members.peek_line(arc::LINE_LIMIT)?;
        let window = self.members.peek_more(4)?;
        let line_len = arc::line_len(window).unwrap_or(window.len().min(arc::LINE_LIMIT));
        let line = ArcLine::parse(&window[..line_len]);
        // Where a file is ARC already, a head may be odd; elsewhere it must be beyond doubt.
        let is_due = self.is_arc || is_sent;
        let is_arc = line.is_some_and(|line| is_due || line.is_certain() || window.starts_with(b"filedesc:"));
        self.is_arc |= is_arc;
        Ok(is_arc)
    }

    /// Passes over bytes that begin no record, up to the next that do or the member's end.
    fn pass_garbage(&mut self) -> io::Result<()> {
        let start = self.members.offset();
        let mut len = 0;
        loop {
            let is_arc = self.is_arc;
            self.members.peek(LOOK_AHEAD / 4)?;
            let is_complete = self.members.is_complete();
            let window = self.members.window();
            // A head that is cut by the window's end is seen again.
            let judged = if is_complete { window.len() } else { window.len().saturating_sub(LOOK_AHEAD / 8) };
            // The first byte was judged already.
            let found = window.get(1..).and_then(|rest| find_record_after(rest, window[0], is_arc));
            if let Some(at) = found.filter(|at| at + 1 < judged) {
                self.members.consume(at + 1);
                len += at as u64 + 1;
                break;
            }
            // The last judged byte stays, so that the first one of the next window is judged, too.
            let n = if is_complete { judged } else { judged.saturating_sub(1) };
            len += n as u64;
            self.members.consume(n);
            if n == 0 && !self.members.fill()? {
                let rest = self.members.window().len();
                self.members.consume(rest);
                len += rest as u64;
                break;
            }
            if is_complete {
                break;
            }
        }
        if self.in_member > 0 && self.closed_by == 0 {
            self.members.report(self.record_offset, FaultKind::BlockOverlong { extra: len });
        } else {
            self.members.report(start, FaultKind::Garbage { len });
        }
        Ok(())
    }

    /// Reads the head that is due. False if it is none after all; its first line is passed over.
    pub(super) fn read_head(&mut self, head: &mut Head) -> io::Result<bool> {
        self.damage_before = self.members.faults.damage();
        self.record_offset = self.members.offset();
        head.raw.clear();
        let mut faults = Vec::new();
        let at_hand = self.members.window();
        let at_hand = &at_hand[..at_hand.len().min(HEAD_AT_HAND)];
        let is_head = if self.is_arc {
            let window = self.members.window();
            let len = arc::line_len(window).unwrap_or(window.len().min(arc::LINE_LIMIT));
            head.raw.extend_from_slice(&window[..len]);
            self.members.consume(len);
            head.parse_arc(&mut |kind| faults.push(kind))
        } else if let Some(len) = head.read_warc(at_hand, &mut |kind| faults.push(kind)) {
            self.members.consume(len);
            true
        } else {
            match self.collect_head(&mut head.raw)? {
                None => {
                    head.parse_warc(&mut |kind| faults.push(kind));
                    true
                }
                Some(kind) => {
                    faults.push(kind);
                    false
                }
            }
        };
        for kind in faults {
            self.members.report(self.record_offset, kind);
        }
        if is_head {
            self.in_member += 1;
            self.records += 1;
            self.pause.spend_record(head.raw.len());
            if self.in_member == 2 && self.members.codec() != Codec::Plain {
                self.members.report(self.record_offset, FaultKind::MemberShared);
            }
        }
        self.closed_by = 1;
        Ok(is_head)
    }

    /// Takes the bytes of a head through its empty line, or tells what is wrong.
    fn collect_head(&mut self, raw: &mut Vec<u8>) -> io::Result<Option<FaultKind>> {
        let mut scanned = 0;
        loop {
            let window = self.members.window();
            let room = HEAD_LIMIT - raw.len();
            match head_end(raw, &window[..window.len().min(room)], scanned) {
                Some(HeadEnd::EmptyLine(len)) => {
                    raw.extend_from_slice(&window[..len]);
                    self.members.consume(len);
                    return Ok(None);
                }
                Some(HeadEnd::NextHead(at)) => {
                    if raw.is_empty() {
                        self.members.consume(at);
                    } else {
                        // The head began in a member before; all of this one is judged anew.
                        self.in_member = 0;
                    }
                    return Ok(Some(FaultKind::HeadTruncated));
                }
                None => {}
            }
            if window.len() > room {
                if raw.is_empty() {
                    // Without an empty line there is no other head in what was seen, but for one that begins near its end.
                    self.members.consume(room.saturating_sub(HEAD_LIMIT / 16).max(1));
                } else {
                    // The head began in a member before; this one may hold records of its own.
                    self.in_member = 0;
                }
                return Ok(Some(FaultKind::HeadTooLong));
            }
            scanned = window.len();
            if self.members.fill()? {
                continue;
            }
            if self.members.codec() == Codec::Plain {
                // No empty line up to the end of the file: no other head either.
                self.members.consume(scanned);
                return Ok(Some(FaultKind::HeadTruncated));
            }
            // Members cut without regard to records: the head goes on in the next.
            raw.extend_from_slice(self.members.window());
            scanned = 0;
            if !self.members.next_member()? || starts_record(self.members.window()) {
                self.in_member = 0;
                return Ok(Some(FaultKind::HeadTruncated));
            }
        }
    }
}

/// The first record in `rest`, of which the byte before is known.
fn find_record_after(rest: &[u8], before: u8, is_arc: bool) -> Option<usize> {
    let found = find_record(rest, is_arc)?;
    if found == 0 && before != b'\n' && !is_sure_head(rest) {
        return find_record(&rest[1..], is_arc).map(|at| at + 1);
    }
    Some(found)
}

/// How a head ends.
#[derive(Debug, PartialEq, Eq)]
enum HeadEnd {
    /// With an empty line, up to and including these bytes.
    EmptyLine(usize),
    /// It is torn: behind these bytes another one begins.
    NextHead(usize),
}

/// Where in `window` a head ends that was begun in `raw`.
fn head_end(raw: &[u8], window: &[u8], scanned: usize) -> Option<HeadEnd> {
    let mut at = scanned.saturating_sub(2);
    let mut line_start = memchr::memrchr(b'\n', &window[..at]).map_or(0, |i| i + 1);
    while let Some(i) = memchr::memchr(b'\n', &window[at..]) {
        let line_end = at + i;
        let before = &window[..line_end];
        let cr = before.iter().rev().take_while(|&&b| b == b'\r').count();
        let before = &before[..line_end - cr];
        let line_before = if before.is_empty() { raw.last() } else { before.last() };
        let is_split_crlf = before.is_empty() && raw.ends_with(b"\n\r");
        if line_before == Some(&b'\n') || is_split_crlf {
            return Some(HeadEnd::EmptyLine(line_end + 1));
        }
        let is_line = line_start > 0 || raw.ends_with(b"\n");
        if is_line && is_version_line(&window[line_start..line_end]) {
            return Some(HeadEnd::NextHead(line_start));
        }
        at = line_end + 1;
        line_start = at;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::{Mode, Reader};

    #[test]
    fn the_record_behind_a_torn_head_is_read() {
        let whole = "WARC/1.0\r\nWARC-Type: resource\r\nX: whole\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
        for lines in 1..4 {
            let torn: String = whole.split_inclusive("\r\n").take(lines).collect();
            let bytes = format!("{whole}{torn}{whole}{whole}");
            let mut reader = Reader::from_stream("test", Cursor::new(bytes), Mode::Lenient);
            let mut offsets = Vec::new();
            while let Some(record) = reader.next().expect("reads") {
                assert_eq!(record.head.fields().get("X"), Some(&b"whole"[..]));
                offsets.push(record.offset());
            }
            let (len, gap) = (whole.len() as u64, torn.len() as u64);
            assert_eq!(offsets, [0, len + gap, 2 * len + gap], "{torn:?}");
            let faults: Vec<_> = reader.take_faults().list.into_iter().map(|f| (f.offset, f.kind)).collect();
            assert_eq!(faults, [(len, FaultKind::HeadTruncated)], "{torn:?}");
        }
    }

    #[test]
    fn a_version_line_inside_a_head_ends_it() {
        let torn = "WARC/1.0\r\nWARC-Type: response\r\n";
        for (raw, window, expected) in [
            ("", format!("{torn}\r\n"), Some(HeadEnd::EmptyLine(33))),
            ("", torn.to_owned(), None),
            ("", format!("{torn}{torn}"), Some(HeadEnd::NextHead(31))),
            ("", format!("{torn}warc/0.9 107 response http://a/\r\n\r\n"), Some(HeadEnd::NextHead(31))),
            ("", format!("{torn}WARC/1.0: x\r\n\r\n"), Some(HeadEnd::EmptyLine(46))),
            ("", format!("{torn} WARC/1.0\r\n\r\n"), Some(HeadEnd::EmptyLine(44))),
            (torn, format!("{torn}\r\n"), Some(HeadEnd::NextHead(0))),
            ("WARC/1.0\r\nX: ", format!("{torn}\r\n"), Some(HeadEnd::EmptyLine(33))),
        ] {
            for scanned in (0..window.len()).filter(|&n| {
                let seen = head_end(raw.as_bytes(), &window.as_bytes()[..n], 0);
                seen.is_none()
            }) {
                let found = head_end(raw.as_bytes(), window.as_bytes(), scanned);
                assert_eq!(found, expected, "{raw:?} {window:?} {scanned}");
            }
        }
    }
}
