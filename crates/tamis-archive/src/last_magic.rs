//! Whether a gzip member is at hand whole, before anyone tries to inflate it.

use std::io;

use crate::codec::Codec;
use crate::input::{Input, WINDOW};

/// The last place of a window where another gzip member seems to begin.
///
/// libdeflate inflates a member that is there whole, and fails only at the end of one that is not: that is work done
/// for nothing. No header tells how long a member is, but the magic of one behind it does, and it is found from the
/// window's end in next to no time. A magic may stand in compressed bytes by chance, once in some hundred million; then
/// the member is inflated again with more bytes.
#[derive(Debug, Default)]
pub(crate) struct LastMagic {
    /// Its offset in the file.
    offset: u64,
    /// Where the bytes that were searched end.
    searched: u64,
}

impl LastMagic {
    /// Whether the input stands before a gzip member that ends inside its window, as far as is known.
    pub(crate) fn is_behind_member(&self, input: &Input) -> bool {
        let is_at_hand = self.offset > input.offset() && self.offset < end_offset(input);
        is_at_hand && Codec::of(input.window()) == Codec::Gzip
    }

    /// Reads until the member ahead seems to be at hand whole, or the window is as large as it gets.
    pub(crate) fn reach_member_end(&mut self, input: &mut Input) -> io::Result<()> {
        loop {
            self.search(input);
            let is_full = input.window().len() >= WINDOW;
            if self.is_behind_member(input) || is_full || !input.fill()? {
                return Ok(());
            }
        }
    }

    /// Looks at the bytes that came since the last time, from their end.
    fn search(&mut self, input: &Input) {
        let (start, end) = (input.offset(), end_offset(input));
        let window = input.window();
        // The input may have gone back since; and a magic may lie across the end of what was searched.
        let first =
            if self.searched <= end { self.searched.saturating_sub(3).max(start + 1) } else { start + 1 };
        let Some(fresh) = window.get((first - start) as usize..) else { return };
        let found = memchr::memrchr_iter(0x8b, fresh).find(|&at| is_magic(fresh, at));
        if let Some(at) = found {
            self.offset = first + at as u64 - 1;
        }
        self.searched = end;
    }
}

/// Whether the second byte of a gzip header is at this place (RFC 1952: deflate, no reserved flags).
fn is_magic(bytes: &[u8], second: usize) -> bool {
    let header = second.checked_sub(1).and_then(|at| bytes.get(at..at + 4));
    header.is_some_and(|header| header[0] == 0x1f && header[2] == 8 && header[3] & 0xe0 == 0)
}

fn end_offset(input: &Input) -> u64 {
    input.offset() + input.window().len() as u64
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    const MAGIC: &[u8] = &[0x1f, 0x8b, 8, 0];

    /// Bytes that look like members of these lengths.
    fn members(lens: &[usize]) -> Vec<u8> {
        lens.iter().flat_map(|len| [MAGIC, &vec![0x8b; len - MAGIC.len()]].concat()).collect()
    }

    #[test]
    fn a_member_is_reached_to_its_end_and_hardly_further() {
        let lens = [10, WINDOW / 2, 10, 20, WINDOW / 3, WINDOW + 1, 5];
        let bytes = members(&lens);
        let mut input = Input::stream(Box::new(Cursor::new(bytes)));
        let mut last = LastMagic::default();
        assert!(!last.is_behind_member(&input), "nothing is known before the first look");
        for len in lens {
            last.reach_member_end(&mut input).expect("it reads");
            assert!(input.window().len() >= len.min(WINDOW), "{len}");
            assert!(input.window().len() < WINDOW + WINDOW / 4, "{len}");
            input.consume(len.min(input.window().len()));
        }
    }

    #[test]
    fn a_look_after_going_back_finds_what_is_there() {
        let lens = [WINDOW; 3];
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        io::Write::write_all(&mut file, &members(&lens)).expect("it takes bytes");
        let mut input = Input::open(file.path()).expect("it opens");
        let mut last = LastMagic::default();
        for offset in [2 * WINDOW, 0, WINDOW - 1, WINDOW, 0] {
            input.go_to(offset as u64).expect("it goes");
            last.reach_member_end(&mut input).expect("it reads");
            let is_magic = |at: &usize| input.window()[*at..].starts_with(MAGIC);
            let is_there = (1..input.window().len()).any(|at| is_magic(&at));
            assert!(!last.is_behind_member(&input) || is_there, "{offset}");
        }
    }

    #[test]
    fn headers_that_no_writer_makes_are_passed_over() {
        for (header, is_one) in [
            ([0x1f, 0x8b, 8, 0], true),
            ([0x1f, 0x8b, 8, 4], true),
            ([0x1f, 0x8b, 8, 0x20], false),
            ([0x1f, 0x8b, 7, 0], false),
            ([0x1e, 0x8b, 8, 0], false),
        ] {
            assert_eq!(is_magic(&header, 1), is_one, "{header:?}");
            assert!(!is_magic(&header[1..], 0));
        }
    }
}
