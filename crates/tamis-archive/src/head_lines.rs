//! A head line by line, for those who change one line and leave the others as they are.

use crate::fields::trim;

/// One field of a head with the lines that continue it, or a line that is no field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeadLine<'a> {
    /// All bytes, line ends included.
    pub(crate) raw: &'a [u8],
    /// The name, if the line has one before a colon.
    pub(crate) name: Option<&'a [u8]>,
}

/// The version line of a WARC head with its line end, and the lines behind it up to the empty one.
pub(crate) fn head_lines(raw: &[u8]) -> (&[u8], impl Iterator<Item = HeadLine<'_>>) {
    let (version, mut rest) = raw.split_at(line_len(raw));
    let lines = std::iter::from_fn(move || {
        let mut len = line_len(rest);
        if is_empty_line(&rest[..len]) {
            return None;
        }
        let first = &rest[..len];
        let name = match memchr::memchr(b':', first) {
            Some(colon) if colon > 0 && !is_blank(first[0]) => Some(trim(&first[..colon])),
            _ => None,
        };
        while name.is_some() && rest.get(len).copied().is_some_and(is_blank) {
            len += line_len(&rest[len..]);
        }
        let (line, behind) = rest.split_at(len);
        rest = behind;
        Some(HeadLine { raw: line, name })
    });
    (version, lines)
}

impl HeadLine<'_> {
    /// The value as [`Fields`](crate::Fields) has it: continued lines joined by a blank. Of a line that is no field, all.
    pub(crate) fn value(&self) -> Vec<u8> {
        let start = self.name.and_then(|_| memchr::memchr(b':', self.raw)).map_or(0, |colon| colon + 1);
        let parts = self.raw[start..].split(|&b| b == b'\n').map(trim).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(&b' ')
    }

    /// Whether this is the field of this name.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name.is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// The field with another value on one line; the name stays as it is written, and so does the line end.
    pub(crate) fn with_value(&self, value: &[u8]) -> Vec<u8> {
        let end = if self.raw.ends_with(b"\r\n") { &b"\r\n"[..] } else { b"\n" };
        [self.name.unwrap_or_default(), b": ", value, end].concat()
    }
}

fn line_len(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1)
}

fn is_empty_line(line: &[u8]) -> bool {
    line.iter().all(|b| matches!(b, b'\r' | b'\n'))
}

fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fields;

    #[test]
    fn lines_have_the_names_and_values_of_the_fields() {
        for raw in [
            "WARC/1.0\r\nA: 1\r\nB:\r\n 2\r\n\t3\r\nno field\r\nC : x:y \r\n\r\nbehind: it\r\n",
            "WARC/1.0\nA: 1\n: none\nB: 2\n\n",
            "WARC/1.0\r\n lost\r\nA:\r\n\r\n",
            "WARC/1.0\r\nA: 1\r\r\nB: 2",
            "WARC/1.0",
        ] {
            let (version, lines) = head_lines(raw.as_bytes());
            let mut fields = Fields::default();
            fields.parse(&raw.as_bytes()[version.len()..]);
            let expected: Vec<_> = fields.iter().map(|(n, v)| (n.to_vec(), v.to_vec())).collect();
            let lines: Vec<_> =
                lines.filter_map(|line| line.name.map(|name| (name.to_vec(), line.value()))).collect();
            assert_eq!(lines, expected, "{raw:?}");
        }
    }

    #[test]
    fn a_changed_line_keeps_its_name_and_line_end() {
        let raw = b"WARC/1.0\nwarc-date:\n 2024\nX: y\r\n\r\n";
        let lines: Vec<_> = head_lines(raw).1.collect();
        assert_eq!(lines[0].raw, b"warc-date:\n 2024\n");
        assert_eq!(lines[0].with_value(b"2025"), b"warc-date: 2025\n");
        assert_eq!(lines[1].with_value(b"z"), b"X: z\r\n");
    }
}
