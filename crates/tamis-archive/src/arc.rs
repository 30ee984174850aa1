//! Heads of ARC records: one line of words, `URL IP-address Archive-date Content-type Archive-length`.
//!
//! <https://archive.org/web/researcher/ArcFileFormat.php>. Real files hold URLs and media types with blanks in them,
//! dates of 10 to 18 digits, dates and addresses in each other's place, and ten words instead of five.

use std::net::IpAddr;

use crate::fields::trim;
use crate::{Fields, RecordType, Timestamp, Version};

/// The longest line that is taken for a head.
pub(crate) const LINE_LIMIT: usize = (64 << 10) / crate::input::SHRINK;

/// The words of a head line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ArcLine<'a> {
    url: &'a [u8],
    ip: &'a [u8],
    date: &'a [u8],
    media_type: &'a [u8],
    length: &'a [u8],
    version: Version,
    /// Whether the address and the date were found by what they are, not only by their place.
    certain: bool,
}

impl<'a> ArcLine<'a> {
    /// The words of a line, if it has at least five and begins with a scheme.
    pub(crate) fn parse(line: &'a [u8]) -> Option<Self> {
        let line = trim(line);
        if !begins_with_scheme(line) {
            return None;
        }
        // Positions of the blanks, from the last; a URL with a thousand blanks needs no more of them than this.
        let blanks: Vec<usize> = memchr::memrchr_iter(b' ', line).take(16).collect();
        if blanks.len() < 4 {
            return None;
        }
        let word = |i: usize| &line[blanks[i] + 1..if i == 0 { line.len() } else { blanks[i - 1] }];
        let place = (2..blanks.len() - 1).find(|&i| is_date(word(i)) && is_address(word(i + 1)));
        let swapped = || (2..blanks.len() - 1).find(|&i| is_address(word(i)) && is_date(word(i + 1)));
        let (place, is_swapped, certain) = match (place, swapped()) {
            (Some(place), _) => (place, false, true),
            (None, Some(place)) => (place, true, true),
            (None, None) => (2, false, false),
        };
        let (date, ip) =
            if is_swapped { (word(place + 1), word(place)) } else { (word(place), word(place + 1)) };
        // Behind the date: the media type, which may hold blanks, and the length; five more words in between in ARC 2.
        let version = if place == 7 && certain { Version::Arc2 } else { Version::Arc1 };
        let media_end = if version == Version::Arc2 { blanks[5] } else { blanks[0] };
        let media_type = trim(&line[blanks[place - 1] + 1..media_end.max(blanks[place - 1] + 1)]);
        Some(Self {
            url: &line[..blanks[place + 1]],
            ip,
            date,
            media_type,
            length: word(0),
            version,
            certain,
        })
    }

    /// Whether a line met by chance is a head beyond doubt: every word is what its place asks for.
    pub(crate) fn is_certain(&self) -> bool {
        self.certain && self.length.iter().all(u8::is_ascii_digit)
    }

    pub(crate) fn version(&self) -> Version {
        self.version
    }

    pub(crate) fn length(&self) -> &'a [u8] {
        self.length
    }

    /// What the record holds: the line does not say, its scheme does.
    pub(crate) fn record_type(&self) -> RecordType {
        match self.url {
            [b'f', b'i', b'l', b'e', b'd', b'e', b's', b'c', b':', ..] => RecordType::Warcinfo,
            [b'h' | b'H', b't' | b'T', b't' | b'T', b'p' | b'P', ..] => RecordType::Response,
            _ => RecordType::Resource,
        }
    }

    /// The line as the WARC fields that say the same. `ARC-Content-Type` keeps the line's own media type, which is that
    /// of the payload.
    pub(crate) fn to_fields(&self, fields: &mut Fields) {
        let record_type = self.record_type();
        fields.push(b"WARC-Type", record_type.name().as_bytes());
        fields.push(b"WARC-Target-URI", self.url);
        match self.timestamp() {
            Some(date) => fields.push(b"WARC-Date", date.to_string().as_bytes()),
            None => fields.push(b"WARC-Date", self.date),
        }
        if std::str::from_utf8(self.ip)
            .is_ok_and(|ip| ip.parse::<IpAddr>().is_ok_and(|ip| !ip.is_unspecified()))
        {
            fields.push(b"WARC-IP-Address", self.ip);
        }
        let is_http = record_type == RecordType::Response;
        let media_type = if is_http { b"application/http; msgtype=response" } else { self.media_type };
        fields.push(b"Content-Type", media_type);
        fields.push(b"ARC-Content-Type", self.media_type);
        fields.push(b"Content-Length", self.length);
    }

    /// The first 14 digits of the date, or as many as are a moment.
    fn timestamp(&self) -> Option<Timestamp> {
        let digits = self.date.iter().take_while(|b| b.is_ascii_digit()).count().min(14);
        Timestamp::parse_leniently(&self.date[..digits])
    }
}

/// The length of the line that the bytes begin with, its end included.
pub(crate) fn line_len(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(b'\n', &bytes[..bytes.len().min(LINE_LIMIT)]).map(|i| i + 1)
}

fn begins_with_scheme(line: &[u8]) -> bool {
    let end = line.iter().position(|&b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')));
    end.is_some_and(|end| (2..32).contains(&end) && line[end] == b':' && line[0].is_ascii_alphabetic())
}

fn is_date(word: &[u8]) -> bool {
    (8..=20).contains(&word.len()) && word.iter().take(8).all(u8::is_ascii_digit)
}

fn is_address(word: &[u8]) -> bool {
    word == b"None" || std::str::from_utf8(word).is_ok_and(|word| word.parse::<IpAddr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_crawlers_wrote_them() {
        let cases = [
            (
                "http://a.org/ 1.2.3.4 20080430204825 text/html 12",
                "http://a.org/",
                "1.2.3.4",
                "text/html",
                "2008-04-30T20:48:25Z",
            ),
            (
                "http://a.org/a b c 1.2.3.4 20080430204825 text/html 12",
                "http://a.org/a b c",
                "1.2.3.4",
                "text/html",
                "2008-04-30T20:48:25Z",
            ),
            (
                "http://a.org/ 1.2.3.4 20080430204825 text/html; charset=x 12",
                "http://a.org/",
                "1.2.3.4",
                "text/html; charset=x",
                "2008-04-30T20:48:25Z",
            ),
            (
                "http://a.org/ 20031219215023 63.241.16.130 text/plain 285",
                "http://a.org/",
                "63.241.16.130",
                "text/plain",
                "2003-12-19T21:50:23Z",
            ),
            (
                "http://a.org/ 1.2.3.4 200009180023002953 image/gif 5",
                "http://a.org/",
                "1.2.3.4",
                "image/gif",
                "2000-09-18T00:23:00Z",
            ),
            (
                "http://a.org/ None 20160211000000jpg text/html 5",
                "http://a.org/",
                "None",
                "text/html",
                "2016-02-11T00:00:00Z",
            ),
            (
                "http://a.org/ 1.2.3.4 200011101120 text/html 5",
                "http://a.org/",
                "1.2.3.4",
                "text/html",
                "2000-11-10T11:20Z",
            ),
            (
                "http://a.org/ 1.2.3.4 20001110112000 text/html 200 sum - 19990101 file.arc 5",
                "http://a.org/",
                "1.2.3.4",
                "text/html",
                "2000-11-10T11:20:00Z",
            ),
            (
                "http://a.org/ 1.2.3.4 20001110112000  5",
                "http://a.org/",
                "1.2.3.4",
                "",
                "2000-11-10T11:20:00Z",
            ),
        ];
        for (line, url, ip, media_type, date) in cases {
            let arc = ArcLine::parse(line.as_bytes()).expect(line);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!((text(arc.url).as_str(), text(arc.ip).as_str()), (url, ip), "{line}");
            assert_eq!(text(arc.media_type), media_type, "{line}");
            assert_eq!(arc.timestamp().map(|t| t.to_string()).as_deref(), Some(date), "{line}");
            assert!(arc.is_certain(), "{line}");
        }
    }

    #[test]
    fn other_lines_are_no_heads() {
        for line in [
            "",
            "HTTP/1.1 200 OK",
            "Date: Wed, 30 Apr 2008 20:48:25 GMT",
            "a b c d e",
            "<p>see http://a.org/ now</p>",
        ] {
            let certain = ArcLine::parse(line.as_bytes()).is_some_and(|line| line.is_certain());
            assert!(!certain, "{line}");
        }
    }
}
