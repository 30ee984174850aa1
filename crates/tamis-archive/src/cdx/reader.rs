//! Lines of CDX and CDXJ files, one entry each.

use std::fmt;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::entry::CdxEntry;
use super::json;
use super::legend::Legend;
use super::lines::{MAX_LINE_BYTES, read_line};
use crate::{Error, Result, surt};

/// A line that is no entry, and why. Reading goes on behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// The number of the line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// How many bad lines are kept with their reason. The rest is only counted.
const MAX_KEPT_BAD_LINES: usize = 1000;

/// Reads the entries of a CDX or CDXJ file, in whatever dialect each line is. Bad lines are passed over and kept for a report.
///
/// Memory: one line of at most 1 MiB, and the report of at most 1000 bad lines.
pub struct CdxReader<R> {
    input: R,
    path: PathBuf,
    parser: LineParser,
    line: Vec<u8>,
    line_number: u64,
    bad: BadLines,
}

impl<R: BufRead> CdxReader<R> {
    /// Reads from `input`; `path` names it in errors.
    pub fn new(input: R, path: impl Into<PathBuf>) -> Self {
        Self {
            input,
            path: path.into(),
            parser: LineParser::default(),
            line: Vec::new(),
            line_number: 0,
            bad: BadLines::default(),
        }
    }

    /// The next entry, none at the end. An error says that the input cannot be read any further.
    pub fn next_entry(&mut self) -> Result<Option<CdxEntry>> {
        while read_line(&mut self.input, &mut self.line, &mut 0).map_err(Error::io(&*self.path))? {
            self.line_number += 1;
            match self.parser.parse(&self.line) {
                Ok(None) => {}
                Ok(entry) => return Ok(entry),
                Err(why) => self.bad.push(self.line_number, why),
            }
        }
        Ok(None)
    }

    /// The first 1000 lines that are no entries.
    pub fn bad_lines(&self) -> &[BadLine] {
        &self.bad.kept
    }

    /// How many lines are no entries.
    pub fn bad_line_count(&self) -> u64 {
        self.bad.count
    }

    /// The name of the input.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl<R: BufRead> Iterator for CdxReader<R> {
    type Item = Result<CdxEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_entry().transpose()
    }
}

/// Bad lines, the first with their reason and all counted.
#[derive(Debug, Default)]
pub(super) struct BadLines {
    pub(super) kept: Vec<BadLine>,
    pub(super) count: u64,
}

impl BadLines {
    pub(super) fn push(&mut self, line: u64, why: String) {
        self.count += 1;
        if self.kept.len() < MAX_KEPT_BAD_LINES {
            self.kept.push(BadLine { line, why });
        }
    }
}

/// Makes entries of lines, and keeps the legend that a line before gave.
#[derive(Debug, Clone, Default)]
pub struct LineParser {
    legend: Option<Legend>,
}

impl LineParser {
    /// A parser for lines of CDX with the columns of a legend, and for CDXJ.
    pub fn with_legend(legend: Legend) -> Self {
        Self { legend: Some(legend) }
    }

    /// The legend that holds for the next line, if there was one.
    pub fn legend(&self) -> Option<&Legend> {
        self.legend.as_ref()
    }

    /// The entry of a line without its line end. None for a legend, an empty line, or a line of metadata (`!meta …`);
    /// an error says why the line is none of these.
    pub fn parse(&mut self, line: &[u8]) -> Result<Option<CdxEntry>, String> {
        let line = line.trim_ascii_end();
        if line.is_empty() || line[0] == b'!' {
            return Ok(None);
        }
        if let Some(legend) = Legend::parse(line) {
            self.legend = Some(legend);
            return Ok(None);
        }
        if line.len() >= MAX_LINE_BYTES {
            return Err(format!("longer than {MAX_LINE_BYTES} bytes"));
        }
        let mut entry = match json_start(line) {
            Some(at) => parse_cdxj(line, at)?,
            None => self.parse_columns(line)?,
        };
        if entry.timestamp.is_empty() || !entry.timestamp.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("{:?} is not a timestamp", entry.timestamp));
        }
        if entry.urlkey.is_empty() {
            entry.urlkey = surt(&entry.url);
        }
        Ok(Some(entry))
    }

    fn parse_columns(&self, line: &[u8]) -> Result<CdxEntry, String> {
        let separator = self.legend.as_ref().map_or(b' ', Legend::separator);
        let columns: Vec<&[u8]> = line.split(|&byte| byte == separator).collect();
        let guessed = if self.legend.is_none() { Legend::from_width(columns.len()) } else { None };
        let legend = self.legend.as_ref().or(guessed.as_ref());
        let legend = legend.ok_or_else(|| format!("{} columns and no legend", columns.len()))?;
        let (found, expected) = (columns.len(), legend.letters().len());
        if found != expected {
            return Err(format!("{found} columns where the legend has {expected}"));
        }
        let mut entry = CdxEntry::default();
        for (&letter, column) in legend.letters().iter().zip(columns) {
            let value = String::from_utf8_lossy(column);
            if !entry.set_column(letter, &value) {
                return Err(format!("column {}: {value:?} is not a number", char::from(letter)));
            }
        }
        Ok(entry)
    }
}

/// Where the JSON of a line starts: at its front, or behind the key and the moment.
fn json_start(line: &[u8]) -> Option<usize> {
    if line[0] == b'{' {
        return Some(0);
    }
    let mut blanks = memchr::memchr_iter(b' ', line);
    let start = blanks.nth(1)? + 1;
    (line.get(start) == Some(&b'{')).then_some(start)
}

/// The entry of a line that [`CdxEntry::to_cdxj`] wrote, which need not have a moment.
pub(crate) fn parse_own_cdxj(line: &[u8]) -> Option<CdxEntry> {
    parse_cdxj(line, json_start(line)?).ok()
}

fn parse_cdxj(line: &[u8], json_start: usize) -> Result<CdxEntry, String> {
    let mut entry = CdxEntry::default();
    let fields = json::parse_object(&line[json_start..]).map_err(|error| format!("JSON: {error}"))?;
    for (name, value) in fields {
        let text = if let Value::String(text) = &value { text.clone() } else { value.to_string() };
        if !entry.set_field(&name, value) {
            return Err(format!("{name}: {text:?} is not a number"));
        }
    }
    let mut words = line[..json_start].split(|&byte| byte == b' ').map(String::from_utf8_lossy);
    if let (true, Some(urlkey), Some(timestamp)) = (json_start > 0, words.next(), words.next()) {
        (entry.urlkey, entry.timestamp) = (urlkey.into_owned(), timestamp.into_owned());
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> Result<Option<CdxEntry>, String> {
        LineParser::default().parse(line.as_bytes())
    }

    #[test]
    fn dialects_are_read() {
        let cdx11 =
            "org,iana)/ 20140126200624 http://www.iana.org/ text/html 200 OSSAP - - 2258 334 iana.warc.gz";
        let cdx9 = "org,iana)/ 20140126200624 http://www.iana.org/ text/html 200 OSSAP - 334 iana.warc.gz";
        let with_json = r#"org,iana)/ 20140126200624 {"url": "http://www.iana.org/", "mime": "text/html", "status": "200", "digest": "OSSAP", "length": "2258", "offset": "334", "filename": "iana.warc.gz"}"#;
        let numbers = r#"org,iana)/ 20140126200624 {"filename":"iana.warc.gz","offset":334,"length":2258,"status":200,"mime":"text/html","digest":"OSSAP","url":"http://www.iana.org/"}"#;
        let api = r#"{"urlkey": "org,iana)/", "timestamp": "20140126200624", "url": "http://www.iana.org/", "mime": "text/html", "status": "200", "digest": "OSSAP", "length": "2258", "offset": "334", "filename": "iana.warc.gz"}"#;
        let expected = parse(cdx11).unwrap().unwrap();
        assert_eq!((expected.status, expected.length, expected.offset), (Some(200), Some(2258), 334));
        assert_eq!(parse(cdx9).unwrap().unwrap(), CdxEntry { length: None, ..expected.clone() });
        for line in [with_json, numbers, api] {
            assert_eq!(parse(line).unwrap().as_ref(), Some(&expected), "{line}");
        }
        assert_eq!(expected.to_cdx11(), cdx11);
        assert_eq!(expected.to_cdx(&Legend::cdx9()), cdx9);
        assert_eq!(expected.to_cdxj(), with_json);
    }

    #[test]
    fn columns_are_read_by_the_letters_of_the_legend() {
        let mut parser = LineParser::default();
        assert_eq!(parser.parse(b"CDX A b e a m s c k r V v D d g M n"), Ok(None));
        let line = "0-0.com/a 20010424210551 209.52.183.152 0-0.com:80/a text/html 200 5867 a725 - 17130110 59129865 1 2 DE.arc - 5750";
        let entry = parser.parse(line.as_bytes()).unwrap().unwrap();
        assert_eq!(
            (entry.offset, entry.filename.as_str(), entry.digest.as_str()),
            (17_130_110, "DE.arc", "a725")
        );
        assert_eq!(entry.extra("e"), Some(&Value::from("209.52.183.152")));
        assert_eq!(entry.to_cdx(parser.legend().unwrap()), line);
    }

    #[test]
    fn bad_lines_are_passed_over_and_told() {
        let text = " CDX N b a m s k r M S V g\n\n!meta {}\nonly three words\n\
            a)/ 2014 http://a/ - - - - - x 1 f\na)/ 2014 http://a/ - - - - - - 1 f\na)/ 2014 {\"url\": 1\na)/ x {}\n";
        let mut reader = CdxReader::new(text.as_bytes(), "test.cdx");
        let entry = reader.next_entry().unwrap().unwrap();
        assert_eq!((entry.urlkey.as_str(), entry.offset), ("a)/", 1));
        assert_eq!(reader.next_entry().unwrap(), None);
        let told: Vec<_> = reader.bad_lines().iter().map(ToString::to_string).collect();
        assert_eq!(told[0], "line 4: 3 columns where the legend has 11");
        assert_eq!(told[1], "line 5: column S: \"x\" is not a number");
        assert!(told[2].starts_with("line 7: JSON: "), "{}", told[2]);
        assert_eq!(told[3], "line 8: \"x\" is not a timestamp");
        assert_eq!(reader.bad_line_count(), 4);
    }

    proptest! {
        #[test]
        fn entries_survive_both_formats(
            urlkey in "[!-~]{1,20}", digits in "[0-9]{4,14}", url in "\\PC{0,20}", status in proptest::option::of(100u16..600),
            length in proptest::option::of(any::<u64>()), offset: u64, value in "\\PC*",
        ) {
            prop_assume!(!urlkey.starts_with(['!', '{', '-']) && urlkey != "CDX" && url != "-");
            let entry = CdxEntry {
                urlkey, timestamp: digits, url: url.trim().into(), status, length, offset, filename: "f".into(),
                extra: vec![("note".into(), Value::from(value))], ..CdxEntry::default()
            };
            prop_assert_eq!(parse(&entry.to_cdxj()).unwrap().unwrap(), entry);
        }

        #[test]
        fn any_bytes_are_read(text: Vec<u8>) {
            let mut reader = CdxReader::new(&text[..], "-");
            while reader.next_entry().unwrap().is_some() {}
        }
    }
}
