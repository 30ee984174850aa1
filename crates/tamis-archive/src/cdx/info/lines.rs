//! The lines of an index file, each with a place from which reading can begin again.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cdx::lines::MAX_LINE_BYTES;
use crate::input::Input;
use crate::members::Members;
use crate::{Error, MemberState, Result, Severity};

/// The start of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// Byte offset in the file as it is stored: of the line, or of the compressed member that it begins in.
    pub(super) offset: u64,
    /// Decoded bytes of that member before the line.
    pub(super) decoded: u64,
    /// How many lines come before it.
    pub(super) lines: u64,
}

/// The lines of an index file: plain, in gzip or in zstd, of one member or many, wherever those are cut.
///
/// Memory: the window of the file and of a decoded member, about 12 MiB, and a line of at most 1 MiB.
pub(super) struct IndexLines {
    members: Members,
    /// Decoded bytes of this member that were consumed.
    decoded: u64,
    /// The bytes of the line lent last, which are still in the window.
    lent: usize,
    lines: u64,
    is_plain: bool,
    /// A line that is longer than the window or goes on in another member.
    carried: Vec<u8>,
    is_too_long: bool,
}

/// What is next in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<'a> {
    /// A line without its end.
    Line(&'a [u8]),
    /// A line longer than 1 MiB.
    TooLong,
    End,
}

impl IndexLines {
    /// Opens a file at a place.
    pub(super) fn open(path: &Path, place: Place) -> Result<Self> {
        Self::try_open(path, place).map_err(Error::io(path))
    }

    fn try_open(path: &Path, place: Place) -> io::Result<Self> {
        let mut members = Members::of_lines(Input::open(path)?);
        members.go_to(0)?;
        let is_plain = members.is_plain_ahead();
        if place.offset > 0 {
            members.go_to(place.offset)?;
        }
        let mut lines = Self {
            members,
            decoded: 0,
            lent: 0,
            lines: place.lines,
            is_plain,
            carried: Vec::new(),
            is_too_long: false,
        };
        if is_plain {
            lines.members.begin_plain();
        } else if lines.members.next_member()? {
            lines.pass(place.decoded)?;
        }
        Ok(lines)
    }

    /// Where the next line begins.
    pub(super) fn place(&self) -> Place {
        let lent = self.lent as u64;
        let offset = self.members.offset();
        if self.is_plain {
            return Place { offset: offset + lent, decoded: 0, lines: self.lines };
        }
        Place { offset, decoded: self.decoded + lent, lines: self.lines }
    }

    /// Stored bytes that were read.
    pub(super) fn bytes_read(&self) -> u64 {
        self.members.input_offset()
    }

    /// What is wrong with the file so far, each told once.
    pub(super) fn take_faults(&mut self) -> Vec<String> {
        if self.members.faults.list().is_empty() {
            return Vec::new();
        }
        let faults = self.members.faults.take();
        faults
            .list
            .iter()
            .filter(|fault| fault.kind.severity() > Severity::Note)
            .map(ToString::to_string)
            .collect()
    }

    /// The next line.
    pub(super) fn next_line(&mut self) -> io::Result<Next<'_>> {
        let lent = std::mem::take(&mut self.lent);
        self.consume(lent);
        let end = match memchr::memchr(b'\n', self.members.window()) {
            None => memchr::memchr(b'\n', self.members.peek_line(MAX_LINE_BYTES)?),
            end => end,
        };
        let Some(end) = end else { return self.next_carried() };
        self.lent = end + 1;
        self.lines += 1;
        Ok(whole(&self.members.window()[..end], end > MAX_LINE_BYTES))
    }

    /// A line that no single window holds.
    fn next_carried(&mut self) -> io::Result<Next<'_>> {
        self.carried.clear();
        self.is_too_long = false;
        loop {
            let window = self.members.window();
            let end = memchr::memchr(b'\n', window);
            let part = &window[..end.unwrap_or(window.len())];
            let room = MAX_LINE_BYTES - self.carried.len();
            self.is_too_long |= part.len() > room;
            self.carried.extend_from_slice(&part[..part.len().min(room)]);
            self.consume(end.map_or(self.members.window().len(), |end| end + 1));
            if end.is_some() {
                break;
            }
            if !self.members.fill()? && !self.next_member()? {
                if self.carried.is_empty() && !self.is_too_long {
                    return Ok(Next::End);
                }
                break;
            }
        }
        self.lines += 1;
        Ok(whole(&self.carried, self.is_too_long))
    }

    /// Goes to the next member. What a damaged one left of a line is dropped: its rest is lost.
    fn next_member(&mut self) -> io::Result<bool> {
        if self.is_plain {
            return Ok(false);
        }
        if matches!(self.members.state(), MemberState::Truncated | MemberState::Corrupt) {
            self.carried.clear();
        }
        self.decoded = 0;
        self.members.next_member()
    }

    fn consume(&mut self, len: usize) {
        self.members.consume(len);
        self.decoded += len as u64;
    }

    /// Passes over decoded bytes of the member.
    fn pass(&mut self, mut len: u64) -> io::Result<()> {
        while len > 0 {
            let step = self.members.window().len().min(usize::try_from(len).unwrap_or(usize::MAX));
            self.consume(step);
            len -= step as u64;
            if step == 0 && !self.members.fill()? {
                break;
            }
        }
        Ok(())
    }
}

fn whole(line: &[u8], is_too_long: bool) -> Next<'_> {
    if is_too_long { Next::TooLong } else { Next::Line(line.strip_suffix(b"\r").unwrap_or(line)) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    /// All lines from a place on, each with its own place.
    fn read(path: &Path, place: Place) -> (Vec<(Place, Vec<u8>)>, Vec<String>) {
        let mut lines = IndexLines::open(path, place).unwrap();
        let (mut found, mut faults) = (Vec::new(), Vec::new());
        loop {
            let place = lines.place();
            match lines.next_line().unwrap() {
                Next::Line(line) => found.push((place, line.to_vec())),
                Next::TooLong => found.push((place, b"too long".to_vec())),
                Next::End => break,
            }
            faults.extend(lines.take_faults());
        }
        faults.extend(lines.take_faults());
        (found, faults)
    }

    #[test]
    fn every_line_can_be_begun_with_whatever_the_compression_and_its_cuts() {
        let texts: Vec<Vec<u8>> =
            (0..900usize).map(|n| format!("line {n} {}", "x".repeat(n % 50)).into()).collect();
        let text = [texts.join(&b'\n'), b"\n".to_vec()].concat();
        let members = |cut: usize| text.chunks(cut).flat_map(gzip).collect::<Vec<u8>>();
        let frames =
            |cut: usize| text.chunks(cut).flat_map(|part| zstd::encode_all(part, 1).unwrap()).collect();
        let crlf = texts.join(&b"\r\n"[..]);
        let stored: [Vec<u8>; 7] =
            [text.clone(), gzip(&text), members(1000), members(7), frames(5000), frames(text.len()), crlf];
        for bytes in stored {
            let file = file(&bytes);
            let (lines, faults) = read(file.path(), Place::default());
            assert!(lines.iter().map(|(_, line)| line).eq(&texts));
            assert_eq!(faults, [""; 0]);
            for (at, (place, _)) in lines.iter().enumerate().step_by(37) {
                assert_eq!(read(file.path(), *place).0, lines[at..]);
            }
        }
    }

    #[test]
    fn a_damaged_member_costs_its_own_lines() {
        let lines_of =
            |part: usize| (0..200).map(move |n| format!("{part} {}", n * 7919)).collect::<Vec<_>>();
        let texts: Vec<String> = (0..9).map(|part| lines_of(part).join("\n") + "\n").collect();
        let parts: Vec<Vec<u8>> = texts.iter().map(|text| gzip(text.as_bytes())).collect();
        let mut bytes = parts.concat();
        let damage = parts[..4].iter().map(Vec::len).sum::<usize>() + parts[4].len() / 2;
        bytes[damage..damage + 20].fill(0xff);
        let file = file(&bytes);
        let (lines, faults) = read(file.path(), Place::default());
        // The damaged one may end in lines that never were, but those of all others are there.
        let of_part = |part: usize| {
            texts[part].lines().filter(|text| lines.iter().any(|(_, line)| line == text.as_bytes()))
        };
        assert!((0..9).all(|part| (of_part(part).count() == 200) == (part != 4)), "{}", lines.len());
        assert!(faults.len() == 1 && faults[0].contains("gzip member is corrupt"), "{faults:?}");
    }

    #[test]
    fn a_line_without_an_end_is_told_and_passed() {
        let long = [vec![b'x'; 3 << 20], b"\nnext\n\nlast".to_vec()].concat();
        for bytes in [long.clone(), gzip(&long), long.chunks(99_999).flat_map(gzip).collect()] {
            let (lines, _) = read(file(&bytes).path(), Place::default());
            let found: Vec<&[u8]> = lines.iter().map(|(_, line)| line.as_slice()).collect();
            assert!(found == [&b"too long"[..], b"next", b"", b"last"], "{} lines", found.len());
        }
        assert_eq!(read(file(b"").path(), Place::default()).0, []);
    }
}
