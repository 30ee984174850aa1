//! From the bytes of a head to a [`Head`]: WARC with named fields, WARC 0.9 and ARC with a line of words.

use crate::arc::ArcLine;
use crate::{FaultKind, FieldsReport, Head, RecordType, Version};

impl Head {
    /// Reads the head that the bytes begin with, in one pass over its lines. Its length; none if its end is not among the
    /// bytes, or the next head may begin before it, or it is of WARC 0.9, which states a length that counts the head:
    /// [`Head::parse_warc`] reads those.
    pub(crate) fn read_warc(&mut self, bytes: &[u8], report: &mut impl FnMut(FaultKind)) -> Option<usize> {
        let line_len = memchr::memchr(b'\n', bytes)? + 1;
        let line = VersionLine::parse(&bytes[..line_len]);
        if line.version == Version::Warc(0, 9) {
            return None;
        }
        self.fields.clear();
        let (mut fields, empty_line) = self.fields.parse_lines(&bytes[line_len..], starts_version);
        let empty_line = empty_line?;
        fields.bare_lf += u32::from(empty_line.len() == 1);
        let len = line_len + empty_line.end;
        self.raw.clear();
        self.raw.extend_from_slice(&bytes[..len]);
        self.conclude(&line, fields, report);
        Some(len)
    }

    /// Reads the head that `self.raw` holds, and tells what is wrong with it.
    pub(crate) fn parse_warc(&mut self, report: &mut impl FnMut(FaultKind)) {
        self.fields.clear();
        let raw = std::mem::take(&mut self.raw);
        let line_len = memchr::memchr(b'\n', &raw).map_or(raw.len(), |i| i + 1);
        let line = VersionLine::parse(&raw[..line_len]);
        if line.version == Version::Warc(0, 9) {
            self.push_words(line.words, raw.len());
        }
        let fields = self.fields.parse(&raw[line_len..]);
        self.conclude(&line, fields, report);
        self.raw = raw;
    }

    fn conclude(&mut self, line: &VersionLine<'_>, fields: FieldsReport, report: &mut impl FnMut(FaultKind)) {
        self.version = line.version;
        if !line.is_sound() {
            let start = &line.raw[..line.raw.len().min(80)];
            report(FaultKind::BadVersion(String::from_utf8_lossy(start).into_owned()));
        }
        if fields.bare_lf > 0 && line.version != Version::Warc(0, 9) {
            report(FaultKind::BareLf);
        }
        if fields.bad_lines > 0 {
            report(FaultKind::BadHeaderLine { count: fields.bad_lines });
        }
        self.record_type = self.fields.get("WARC-Type").map_or(RecordType::Other, RecordType::from_name);
    }

    /// Reads the ARC line that `self.raw` holds. False if it is none.
    pub(crate) fn parse_arc(&mut self, report: &mut impl FnMut(FaultKind)) -> bool {
        self.fields.clear();
        let Some(line) = ArcLine::parse(&self.raw) else { return false };
        self.version = line.version();
        self.record_type = line.record_type();
        line.to_fields(&mut self.fields);
        if self.content_length().is_none() {
            report(FaultKind::BadContentLength(String::from_utf8_lossy(line.length()).into_owned()));
        }
        true
    }

    /// WARC 0.9: `LENGTH type URL date media-type id` behind the version, as named fields. The length is that of the
    /// whole record, its head and its four closing bytes included.
    fn push_words(&mut self, words: &[u8], head_len: usize) {
        let mut words = words.split(|&b| b == b' ').filter(|word| !word.is_empty());
        let length = words.next().and_then(|word| std::str::from_utf8(word).ok()?.parse::<u64>().ok());
        let block_len = length.and_then(|len| len.checked_sub(head_len as u64 + 4));
        if let Some(len) = block_len {
            self.fields.push(b"Content-Length", len.to_string().as_bytes());
        }
        let names: [&[u8]; 5] =
            [b"WARC-Type", b"WARC-Target-URI", b"WARC-Date", b"Content-Type", b"WARC-Record-ID"];
        for (name, word) in names.into_iter().zip(words) {
            self.fields.push(name, word);
        }
    }
}

/// The first line of a WARC head.
struct VersionLine<'a> {
    raw: &'a [u8],
    version: Version,
    /// What stands behind the version.
    words: &'a [u8],
}

impl<'a> VersionLine<'a> {
    fn parse(raw: &'a [u8]) -> Self {
        let (version, words) = parse_version(raw.trim_ascii_end());
        Self { raw, version, words }
    }

    /// Whether a standard knows the version and nothing stands behind it, but for the words of 0.9.
    fn is_sound(&self) -> bool {
        match self.version {
            Version::Warc(0, 9) => true,
            Version::Warc(0, 17 | 18) | Version::Warc(1, 0 | 1) => {
                self.words.is_empty() && self.raw.len() <= self.raw.trim_ascii_end().len() + 2
            }
            _ => false,
        }
    }
}

/// Whether a line begins as that of a version does.
fn starts_version(line: &[u8]) -> bool {
    line.get(4) == Some(&b'/') && line[..4].eq_ignore_ascii_case(b"warc")
}

/// The version a line names, and what stands behind it.
fn parse_version(line: &[u8]) -> (Version, &[u8]) {
    let rest = line.get(5..).unwrap_or_default();
    let end = rest.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(rest.len());
    let (version, words) = rest.split_at(end);
    let number = |digits: &[u8]| -> Option<u16> {
        let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        is_number.then(|| std::str::from_utf8(digits).ok()?.parse().ok()).flatten()
    };
    let mut parts = version.splitn(2, |&b| b == b'.');
    let numbers = (parts.next().and_then(number), parts.next().and_then(number));
    match numbers {
        (Some(major), Some(minor)) => (Version::Warc(major, minor), words),
        _ => (Version::Unknown, words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(raw: &str) -> (Head, Vec<FaultKind>) {
        let mut head = Head { raw: raw.as_bytes().to_vec(), ..Head::default() };
        let mut faults = Vec::new();
        head.parse_warc(&mut |fault| faults.push(fault));
        (head, faults)
    }

    #[test]
    fn one_pass_over_the_window_gives_what_the_head_alone_does() {
        for raw in [
            "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 4\r\n\r\n",
            "WARC/1.0\nWARC-Type: response\n\n",
            "WARC/1.0\r\nA: 1\r\n 2\r\nno field\r\nB: 3\r\n\n",
            "WARC/2.7 odd\r\n\r\r\n",
            "WARC/1.1\r\n\r\n",
        ] {
            let (expected, expected_faults) = parsed(raw);
            let (mut head, mut faults) = (Head::default(), Vec::new());
            let window = format!("{raw}\r\nA: body\r\n\r\n");
            let len = head.read_warc(window.as_bytes(), &mut |fault| faults.push(fault));
            assert_eq!((len, faults), (Some(raw.len()), expected_faults), "{raw:?}");
            assert_eq!(head.raw(), raw.as_bytes());
            assert_eq!((head.version(), head.record_type()), (expected.version(), expected.record_type()));
            assert!(head.fields().iter().eq(expected.fields().iter()), "{raw:?}");
            let mut faults = 0;
            let len = head.read_warc(&raw.as_bytes()[..raw.len() - 1], &mut |_| faults += 1);
            assert_eq!((len, faults), (None, 0), "{raw:?} without its last byte");
        }
    }

    #[test]
    fn a_0_9_line_gives_the_fields_of_later_versions() {
        let line = "warc/0.9 10757 response http://www.example.org/ 20061006192531 message/http uuid:1\r\n";
        let raw = format!("{line}BUbING-guessed-charset: iso-8859-1\r\n\r\n");
        let padded = raw.replace("warc/0.9 10757", "WARC/0.9      10757");
        for raw in [raw, padded] {
            let (head, faults) = parsed(&raw);
            assert_eq!(faults, []);
            assert_eq!(head.version(), Version::Warc(0, 9));
            assert_eq!(head.record_type(), RecordType::Response);
            assert_eq!(head.target_uri().as_deref(), Some("http://www.example.org/"));
            assert_eq!(head.date().map(|d| d.digits()).as_deref(), Some("20061006192531"));
            assert_eq!(head.content_length(), Some(10757 - raw.len() as u64 - 4));
            assert!(head.holds_http());
            assert_eq!(head.fields().get("bubing-guessed-charset"), Some(&b"iso-8859-1"[..]));
        }
    }

    #[test]
    fn versions_outside_the_standards_are_told() {
        for (line, known) in [
            ("WARC/1.0\r\n", true),
            ("warc/1.1\r\n", true),
            ("WARC/0.17\r\n", true),
            ("WARC/2.0\r\n", false),
            ("WARC/1.0 x\r\n", false),
            ("WARC/1\r\n", false),
            ("WARC/a.b\r\n", false),
            ("WARC/1.0 \r\n", false),
            ("WARC/99999.0\r\n", false),
        ] {
            let (_, faults) = parsed(&format!("{line}WARC-Type: resource\r\n\r\n"));
            assert_eq!(faults.is_empty(), known, "{line:?} {faults:?}");
        }
    }
}
