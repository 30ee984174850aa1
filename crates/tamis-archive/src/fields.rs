//! Named fields, as WARC heads and HTTP messages have them: bytes in one arena, spans into it.

use std::borrow::Cow;
use std::ops::Range;

/// Header fields in their order. One arena holds all bytes, so that filling it again allocates nothing.
///
/// Names and values are bytes, because archives hold whatever servers sent; [`Fields::text`] makes text of them.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    bytes: Vec<u8>,
    spans: Vec<Span>,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    name: (u32, u32),
    value: (u32, u32),
}

/// What parsing a header block met beside fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FieldsReport {
    /// Lines without a colon, without a name, or continuing nothing.
    pub bad_lines: u32,
    /// Lines that continue the value of the line before.
    pub folded_lines: u32,
    /// Lines that end in LF alone.
    pub bare_lf: u32,
}

/// Fields and bytes that there is room for at first.
const FIRST_FIELDS: usize = 12;
const FIRST_BYTES: usize = 400;

impl Fields {
    /// Forgets all fields and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.spans.clear();
    }

    /// Adds the fields of a header block: lines up to the first empty one, ended by CRLF or LF.
    ///
    /// A value continued on lines that begin with a blank is joined by single spaces. A line that is no field is
    /// counted and passed over.
    pub fn parse(&mut self, block: &[u8]) -> FieldsReport {
        let (mut report, empty_line) = self.parse_lines(block, |_| false);
        report.bare_lf += u32::from(empty_line.is_some_and(|line| block[line] == *b"\n"));
        report
    }

    /// Does the same, and gives the place of the empty line, which the report leaves out. None if there is none before a
    /// line that `ends` it all.
    pub(crate) fn parse_lines(
        &mut self,
        block: &[u8],
        ends: impl Fn(&[u8]) -> bool,
    ) -> (FieldsReport, Option<Range<usize>>) {
        let mut report = FieldsReport::default();
        let mut arena = Copied { from: 0, to: self.bytes.len() };
        let mut empty_line = None;
        let mut at = 0;
        while at < block.len() {
            let end = memchr::memchr(b'\n', &block[at..]).map_or(block.len(), |i| at + i + 1);
            let line = at..trim_line_end(block, at..end);
            if line.is_empty() {
                empty_line = Some(at..end);
                break;
            }
            if ends(&block[line.clone()]) {
                break;
            }
            report.bare_lf += u32::from(block[line.end..end] == *b"\n");
            if matches!(block[at], b' ' | b'\t') {
                // The value moves behind all that was copied, to grow there.
                self.bytes.extend_from_slice(&block[arena.from..at]);
                let is_fold = self.fold(trim(&block[line]));
                report.folded_lines += u32::from(is_fold);
                report.bad_lines += u32::from(!is_fold);
                arena = Copied { from: end, to: self.bytes.len() };
            } else if let Some((name, value)) = split_field(block, line) {
                self.spans.push(Span { name: arena.place(name), value: arena.place(value) });
            } else {
                report.bad_lines += 1;
            }
            at = end;
        }
        self.bytes.extend_from_slice(&block[arena.from..at]);
        (report, empty_line)
    }

    /// Adds one field at the end.
    pub fn push(&mut self, name: &[u8], value: &[u8]) {
        if self.spans.is_empty() {
            // Room for most heads, in place of doubling from nothing.
            self.spans.reserve(FIRST_FIELDS);
            self.bytes.reserve(FIRST_BYTES);
        }
        let name = self.append(name);
        let value = self.append(value);
        self.spans.push(Span { name, value });
    }

    /// The fields in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], &[u8])> {
        self.spans.iter().map(|span| (self.slice(span.name), self.slice(span.value)))
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The value of the first field of this name, in any case of letters.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.spans.iter().find(|span| self.is_named(span, name)).map(|span| self.slice(span.value))
    }

    /// The values of all fields of this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        self.spans.iter().filter(move |span| self.is_named(span, name)).map(|span| self.slice(span.value))
    }

    /// The value of the first field of this name as text: UTF-8, or else each byte as the Latin-1 letter it is.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.get(name).map(bytes_to_text)
    }

    fn is_named(&self, span: &Span, name: &str) -> bool {
        // Most names differ in length, which costs no look at their bytes; most others are written as the standard does.
        if (span.name.1 - span.name.0) as usize != name.len() {
            return false;
        }
        let own = self.slice(span.name);
        own == name.as_bytes() || own.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Joins `more` to the last value, which moves to the end of the arena to grow. False if there is none.
    fn fold(&mut self, more: &[u8]) -> bool {
        let Some(last) = self.spans.last().copied() else { return false };
        let (start, end) = (last.value.0 as usize, last.value.1 as usize);
        let at = self.bytes.len();
        if end == at {
            // Already at the end, from an earlier fold.
            if start < end {
                self.bytes.push(b' ');
            }
            self.bytes.extend_from_slice(more);
            self.set_last_value(start);
        } else {
            self.bytes.extend_from_within(start..end);
            if start < end {
                self.bytes.push(b' ');
            }
            self.bytes.extend_from_slice(more);
            self.set_last_value(at);
        }
        true
    }

    fn set_last_value(&mut self, start: usize) {
        let end = self.bytes.len() as u32;
        if let Some(last) = self.spans.last_mut() {
            last.value = (start as u32, end);
        }
    }

    fn append(&mut self, bytes: &[u8]) -> (u32, u32) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        (start, self.bytes.len() as u32)
    }

    fn slice(&self, (start, end): (u32, u32)) -> &[u8] {
        &self.bytes[start as usize..end as usize]
    }
}

/// Where in the arena the bytes of a block go, from some place on.
struct Copied {
    from: usize,
    to: usize,
}

impl Copied {
    fn place(&self, range: Range<usize>) -> (u32, u32) {
        let place = |at: usize| (at - self.from + self.to) as u32;
        (place(range.start), place(range.end))
    }
}

/// The places of the name and the value that a line holds. None if it is no field.
fn split_field(block: &[u8], line: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let colon = line.start + find_colon(&block[line.clone()])?;
    let name = trimmed(block, line.start..colon);
    (!name.is_empty()).then(|| (name, trimmed(block, colon + 1..line.end)))
}

/// The first colon of a line. Names are so short that words of eight bytes find it before a call of `memchr` has begun.
fn find_colon(line: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const COLONS: u64 = u64::from_le_bytes([b':'; 8]);
    let (words, rest) = line.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let differs = u64::from_le_bytes(*word) ^ COLONS;
        // The lowest bit that is set belongs to the first byte that does not differ.
        let same = differs.wrapping_sub(ONES) & !differs & (ONES << 7);
        if same != 0 {
            return Some(i * 8 + (same.trailing_zeros() / 8) as usize);
        }
    }
    rest.iter().position(|&b| b == b':').map(|i| words.len() * 8 + i)
}

/// The range without blanks, tabs and line ends at both ends.
fn trimmed(block: &[u8], range: Range<usize>) -> Range<usize> {
    let bytes = &block[range.clone()];
    let before = bytes.iter().take_while(|&&b| is_blank(b)).count();
    let behind = bytes[before..].iter().rev().take_while(|&&b| is_blank(b)).count();
    range.start + before..range.end - behind
}

fn is_blank(b: u8) -> bool {
    // The first comparison settles it for all text.
    b <= b' ' && matches!(b, b' ' | b'\t' | b'\r' | b'\n')
}

/// Bytes as text: UTF-8 if they are, or else Latin-1, which loses nothing.
pub(crate) fn bytes_to_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
    }
}

/// Without blanks, tabs and line ends at both ends.
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    &bytes[trimmed(bytes, 0..bytes.len())]
}

/// The end of a line without its CRLF or LF.
fn trim_line_end(block: &[u8], line: Range<usize>) -> usize {
    let bytes = &block[line.clone()];
    let Some(text) = bytes.strip_suffix(b"\n") else { return line.end };
    // Text mode on some systems made CRCRLF of CRLF.
    let returns = text.iter().rev().take_while(|&&b| b == b'\r').count();
    line.start + text.len() - returns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(block: &str) -> (Vec<(String, String)>, FieldsReport) {
        let mut fields = Fields::default();
        let report = fields.parse(block.as_bytes());
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        (fields.iter().map(|(n, v)| (text(n), text(v))).collect(), report)
    }

    #[test]
    fn a_line_whose_name_is_blank_is_no_field() {
        let mut fields = Fields::default();
        let report = fields.parse(b"\r: a\r\nB: c\r\n");
        assert_eq!(report.bad_lines, 1);
        assert_eq!(fields.iter().collect::<Vec<_>>(), [(&b"B"[..], &b"c"[..])]);
    }

    #[test]
    fn fields_are_read_in_any_shape() {
        type Expected<'a> = &'a [(&'a str, &'a str)];
        let cases: &[(&str, Expected<'_>, u32)] = &[
            ("A: 1\r\nB: 2\r\n\r\nC: 3\r\n", &[("A", "1"), ("B", "2")], 0),
            ("A:1\nB :  2  \n\n", &[("A", "1"), ("B", "2")], 0),
            ("A: 1\r\n 2\r\n\t3\r\nB:\r\n x\r\n", &[("A", "1 2 3"), ("B", "x")], 0),
            ("A: 1\r\nno colon\r\n: no name\r\nB: 2", &[("A", "1"), ("B", "2")], 2),
            (" lost\r\nA: b: c\r\n", &[("A", "b: c")], 1),
            ("A: \r\n", &[("A", "")], 0),
        ];
        for (block, expected, bad_lines) in cases {
            let (fields, report) = parsed(block);
            let expected: Vec<_> = expected.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect();
            assert_eq!((fields, report.bad_lines), (expected, *bad_lines), "{block:?}");
        }
    }

    #[test]
    fn the_empty_line_is_told_and_what_follows_it_is_left_alone() {
        for (block, place) in [
            ("A: 1\r\n\r\nbody", Some(6..8)),
            ("A: 1\n 2\n\nbody", Some(8..9)),
            ("A: 1\r\n\r\r\n", Some(6..9)),
            ("\n", Some(0..1)),
            ("A: 1\r\n\r", None),
            ("A: 1", None),
            ("", None),
        ] {
            let mut fields = Fields::default();
            assert_eq!(fields.parse_lines(block.as_bytes(), |_| false).1, place, "{block:?}");
            assert!(!fields.bytes.ends_with(b"body"), "{block:?}");
        }
    }

    proptest! {
        #[test]
        fn a_colon_is_found_where_it_is(line in "[:;9\\x00a\u{80}\u{ff}]{0,40}") {
            let line = line.as_bytes();
            prop_assert_eq!(find_colon(line), line.iter().position(|&b| b == b':'));
        }
    }

    #[test]
    fn a_second_fold_keeps_the_fields_between() {
        let mut fields = Fields::default();
        fields.parse(b"A: 1\r\n 2\r\nB: 3\r\n 4\r\n 5\r\n");
        fields.push(b"C", b"6");
        assert_eq!(fields.get("a"), Some(&b"1 2"[..]));
        assert_eq!(fields.get("b"), Some(&b"3 4 5"[..]));
        assert_eq!(fields.text("c").as_deref(), Some("6"));
    }

    #[test]
    fn text_that_is_not_utf8_is_latin_1() {
        let mut fields = Fields::default();
        fields.parse(b"Title: caf\xe9\r\nOther: caf\xc3\xa9\r\n");
        assert_eq!(fields.text("title").as_deref(), Some("café"));
        assert_eq!(fields.text("other").as_deref(), Some("café"));
    }
}
