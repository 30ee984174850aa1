//! Lists of pages: one JSON object a line, the first of which describes the list.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// A page, as a list of pages names it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Page {
    /// An identifier that is unique in the list.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// The address.
    pub url: String,
    /// When it was fetched, in the form of RFC 3339.
    pub ts: String,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// Whatever else is told of it: `seed`, `depth`, `favIconUrl` …
    #[serde(flatten)]
    pub further: serde_json::Map<String, serde_json::Value>,
}

/// A list of pages to write.
pub struct PageList<'a> {
    /// The name of the list, and of its file: `pages`.
    pub id: &'a str,
    /// A title for people.
    pub title: &'a str,
    /// The pages in the order in which they are shown. An error stops the writing of the package.
    pub pages: Box<dyn Iterator<Item = io::Result<Page>> + 'a>,
}

/// One line of a list of pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageLine {
    /// The first line: the list describes itself.
    Header,
    /// A page.
    Page(Page),
    /// A line that is neither, and why.
    Bad(String),
}

/// The lines of a list of pages, with their numbers from 1. Empty lines are passed over.
///
/// Memory: one line of at most 16 MiB.
pub struct PageLines<R> {
    inner: R,
    number: u64,
    line: Vec<u8>,
}

/// Lines carry the text of pages; longer ones are no lines.
const MAX_LINE_BYTES: u64 = 16 << 20;

const FORMAT: &str = "json-pages-1.0";

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    format: &'a str,
    id: &'a str,
    title: &'a str,
}

impl PageList<'_> {
    /// Writes the list line by line.
    pub(super) fn write(self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &Header { format: FORMAT, id: self.id, title: self.title })?;
        out.write_all(b"\n")?;
        for page in self.pages {
            serde_json::to_writer(&mut *out, &page?)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

impl<R: BufRead> PageLines<R> {
    /// The lines of a list.
    pub fn new(inner: R) -> Self {
        Self { inner, number: 0, line: Vec::new() }
    }

    /// Reads a line. False at the end.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut bounded = io::Read::take(&mut self.inner, MAX_LINE_BYTES);
        let len = bounded.read_until(b'\n', &mut self.line)?;
        self.number += 1;
        Ok(len > 0)
    }

    fn parse(&mut self) -> io::Result<PageLine> {
        let is_whole = self.line.ends_with(b"\n") || (self.line.len() as u64) < MAX_LINE_BYTES;
        if !is_whole {
            self.inner.skip_until(b'\n')?;
            return Ok(PageLine::Bad(format!("longer than {MAX_LINE_BYTES} bytes")));
        }
        Ok(parse_line(&self.line, self.number == 1))
    }
}

impl<R: BufRead> Iterator for PageLines<R> {
    type Item = io::Result<(u64, PageLine)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.read_line() {
                Ok(false) => return None,
                Ok(true) if self.line.trim_ascii().is_empty() => {}
                Ok(true) => return Some(self.parse().map(|line| (self.number, line))),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn parse_line(line: &[u8], is_first: bool) -> PageLine {
    let value: serde_json::Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return PageLine::Bad(format!("invalid JSON: {error}")),
    };
    if is_first && let Some(format) = value.get("format") {
        return if format == FORMAT {
            PageLine::Header
        } else {
            PageLine::Bad(format!("unknown format {format}"))
        };
    }
    match serde_json::from_value::<Page>(value) {
        Ok(page) if Timestamp::parse(page.ts.as_bytes()).is_none() => {
            PageLine::Bad(format!("ts {:?} is not a date", page.ts))
        }
        Ok(page) => PageLine::Page(page),
        Err(error) => PageLine::Bad(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u32) -> Page {
        Page {
            id: Some(number.to_string()),
            url: format!("https://example.com/{number}"),
            ts: "2024-05-06T07:08:09Z".into(),
            title: Some("A \"page\"\n".into()),
            text: None,
            further: serde_json::Map::from_iter([("depth".into(), serde_json::Value::from(number))]),
        }
    }

    #[test]
    fn a_list_reads_back_as_it_was_written() {
        let mut out = Vec::new();
        let list = PageList { id: "pages", title: "All Pages", pages: Box::new((1..=3).map(page).map(Ok)) };
        list.write(&mut out).expect("a vector takes all bytes");
        let lines: Vec<_> = PageLines::new(&out[..]).map(|line| line.expect("a slice reads").1).collect();
        assert_eq!(lines[0], PageLine::Header);
        assert_eq!(lines[1..], [1, 2, 3].map(|number| PageLine::Page(page(number))));
    }

    #[test]
    fn bad_lines_are_told_with_their_numbers() {
        let list = concat!(
            "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"All\", \"hasText\": true}\n",
            "\n",
            "{\"url\": \"http://a/\", \"ts\": \"2024-05-06T07:08:09.123Z\", \"depth\": 5}\n",
            "{\"url\": \"http://a/\"}\n",
            "{\"url\": \"http://a/\", \"ts\": \"yesterday\"}\n",
            "[]\n",
            "{\"url\"",
        );
        let bad: Vec<u64> = PageLines::new(list.as_bytes())
            .map(|line| line.expect("a slice reads"))
            .filter_map(|(number, line)| matches!(line, PageLine::Bad(_)).then_some(number))
            .collect();
        assert_eq!(bad, [4, 5, 6, 7]);
    }
}
