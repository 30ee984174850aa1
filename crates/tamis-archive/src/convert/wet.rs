//! Pages as WET records: the text of a response and its languages, in the head that Common Crawl gives them.

use std::fmt::Write as _;
use std::io::Write;

use serde_json::Value;

use super::{escaped_uri, printable};
use crate::cdx::CdxEntry;
use crate::write::{Compression, NewRecord, RecordId, WarcVersion, Writer, WriterOptions, warc_fields};
use crate::{Algorithm, Digest, Error, Fields, Head, Result, Timestamp, surt};

/// The fields of a crawl's warcinfo record that hold for its texts, too, as Common Crawl takes them over.
const TAKEN_OVER: [&str; 5] = ["robots", "isPartOf", "operator", "description", "publisher"];

const SOFTWARE: &str = concat!("tamis/", env!("CARGO_PKG_VERSION"));

/// Writes a WET file: a warcinfo record, then one conversion record for each page.
///
/// The same sources and texts give the same bytes: ids are made of the source's own.
///
/// ```
/// use tamis_archive::convert::WetWriter;
/// use tamis_archive::write::{Compression, Writer};
/// # let archive = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2024-05-18T01:58:10Z\r\n\
/// #     WARC-Target-URI: http://example.org/\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
/// # let mut reader = tamis_archive::Reader::from_stream("-", &archive[..], tamis_archive::Mode::Lenient);
/// # let record = reader.next()?.unwrap();
/// let mut writer = Writer::new(Vec::new(), WetWriter::options(Compression::GZIP))?;
/// let mut wet = WetWriter::new(&mut writer, "a.warc.wet.gz");
/// wet.write_warcinfo("2024-05-17T23:31:22Z".parse()?, None)?;
/// let entry = wet.write_page(record.head, "The text of the page.\n", &["eng"])?;
/// println!("{}", entry.to_cdxj());
/// # Ok::<(), tamis_archive::Error>(())
/// ```
#[derive(Debug)]
pub struct WetWriter<'w, W: Write> {
    writer: &'w mut Writer<W>,
    filename: String,
}

impl WetWriter<'_, Vec<u8>> {
    /// How a WET file is written.
    pub fn options(compression: Compression) -> WriterOptions {
        let version = WarcVersion::V1_0;
        WriterOptions { version, compression, link_warcinfo: false, ..WriterOptions::default() }
    }
}

impl<'w, W: Write> WetWriter<'w, W> {
    /// Writes records of a WET file. `filename` is what an index calls it; empty if that is not known yet.
    pub fn new(writer: &'w mut Writer<W>, filename: &str) -> Self {
        Self { writer, filename: filename.into() }
    }

    /// Writes the record that a file begins with. `source` are the fields in the block of the source's own warcinfo
    /// record; what holds for the crawl is taken over. `date` is best that record's date: a clock would
    /// give other bytes each time.
    pub fn write_warcinfo(&mut self, date: Timestamp, source: Option<&Fields>) -> Result<()> {
        let base = self.filename.rsplit('/').next().unwrap_or(&self.filename);
        let mut fields = vec![("software", SOFTWARE.to_owned()), ("format", "WARC File Format 1.0".into())];
        for name in TAKEN_OVER {
            if let Some(value) = source.and_then(|source| source.get(name)).filter(|value| !value.is_empty())
            {
                fields.push((name, printable(value)));
            }
        }
        let block = warc_fields(fields.iter().map(|(name, value)| (*name, value.as_str())))?;
        let date_text = date.to_string();
        let id = RecordId::from_facts([b"wet warcinfo", base.as_bytes(), date_text.as_bytes(), &block]);
        let record = NewRecord::warcinfo(date).id(id);
        self.writer.write(&if base.is_empty() { record } else { record.filename(base) }, &block)?;
        Ok(())
    }

    /// Writes the text of a page: `source` is the head of the record that it was taken from, `languages` are codes such as
    /// `eng`, the most frequent first. Gives the line of an index of the WET file.
    ///
    /// Refuses a source without a target or a date, and a language that is no code.
    pub fn write_page(&mut self, source: &Head, text: &str, languages: &[&str]) -> Result<CdxEntry> {
        let page = Page::of(source, languages)?;
        let digest = Digest::of(Algorithm::Sha1, text.as_bytes()).to_base32();
        let head = page.head(&digest, text.len());
        let (offset, length) = self.writer.write_raw(head.as_bytes(), text.as_bytes())?;
        Ok(page.entry(digest, offset, length, &self.filename))
    }
}

/// What is said of a page.
struct Page {
    uri: String,
    date: Timestamp,
    id: RecordId,
    refers_to: Option<RecordId>,
    languages: String,
}

impl Page {
    fn of(source: &Head, languages: &[&str]) -> Result<Self> {
        let refused = |what, why: &str| Error::Value { what, value: languages.join(","), why: why.into() };
        let is_code = |code: &&str| {
            !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        if !languages.iter().all(is_code) {
            return Err(refused("languages", "a language code may only have letters, digits and hyphens"));
        }
        let uri = source.target_uri().map(|uri| escaped_uri(uri.as_bytes())).unwrap_or_default();
        if uri.is_empty() {
            return Err(refused("page", "its source has no target URI"));
        }
        let date = source.date().ok_or_else(|| refused("page", "its source has no date"))?.to_seconds();
        let refers_to = source.record_id().and_then(|id| id.parse::<RecordId>().ok());
        // ARC has no ids; there the whole head stands for the record.
        let known = refers_to.as_ref().map_or(source.raw(), |id| id.uri().as_bytes());
        let id = RecordId::from_facts([b"wet conversion", known, uri.as_bytes()]);
        Ok(Self { uri, date, id, refers_to, languages: languages.join(",") })
    }

    /// The head in the order of Common Crawl's.
    fn head(&self, digest: &str, len_bytes: usize) -> String {
        let mut head = String::from("WARC/1.0\r\n");
        let mut line = |name: &str, value: &dyn std::fmt::Display| {
            write!(head, "{name}: {value}\r\n").expect("memory takes all");
        };
        line("WARC-Type", &"conversion");
        line("WARC-Target-URI", &self.uri);
        line("WARC-Date", &self.date);
        line("WARC-Record-ID", &self.id);
        if let Some(id) = &self.refers_to {
            line("WARC-Refers-To", id);
        }
        line("WARC-Block-Digest", &format_args!("sha1:{digest}"));
        if !self.languages.is_empty() {
            line("WARC-Identified-Content-Language", &self.languages);
        }
        line("Content-Type", &"text/plain");
        line("Content-Length", &len_bytes);
        head.push_str("\r\n");
        head
    }

    /// The line of an index, with the fields of Common Crawl's; its digests have no algorithm in front.
    fn entry(self, digest: String, offset: u64, length: u64, filename: &str) -> CdxEntry {
        let mut extra = vec![("charset".to_owned(), Value::from("UTF-8"))];
        if !self.languages.is_empty() {
            extra.push(("languages".to_owned(), Value::from(self.languages)));
        }
        CdxEntry {
            urlkey: surt(&self.uri),
            timestamp: self.date.digits(),
            url: self.uri,
            mime: "text/plain".into(),
            status: Some(200),
            digest,
            length: Some(length),
            offset,
            filename: filename.into(),
            extra,
            ..CdxEntry::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(fields: &str) -> Head {
        let raw = format!("WARC/1.1\r\nWARC-Type: response\r\n{fields}\r\n");
        let mut head = Head { raw: raw.into(), ..Head::default() };
        head.parse_warc(&mut |_| ());
        head
    }

    fn writer() -> Writer<Vec<u8>> {
        Writer::new(Vec::new(), WetWriter::options(Compression::Plain)).expect("good options")
    }

    fn wet(writer: &mut Writer<Vec<u8>>) -> WetWriter<'_, Vec<u8>> {
        WetWriter::new(writer, "wet/a-00000.warc.wet")
    }

    #[test]
    fn a_page_is_written_in_the_head_of_common_crawl_and_listed() {
        let source = head(
            "WARC-Record-ID: <urn:uuid:2aabeff2-67f5-4608-8466-e87c6296e2b6>\r\nWARC-Date: 2024-05-18T01:58:10.25Z\r\n\
            WARC-Target-URI: <http://example.org/a b>\r\n",
        );
        let mut writer = writer();
        let mut wet = wet(&mut writer);
        let first = wet.write_page(&source, "text\n", &["eng", "deu"]).expect("writes");
        let second = wet.write_page(&source, "", &[]).expect("writes");
        let text = String::from_utf8(writer.finish().expect("memory")).expect("is text");
        let id = RecordId::from_facts([
            &b"wet conversion"[..],
            b"urn:uuid:2aabeff2-67f5-4608-8466-e87c6296e2b6",
            b"http://example.org/a%20b",
        ]);
        let expected = format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://example.org/a%20b\r\nWARC-Date: 2024-05-18T01:58:10Z\r\n\
            WARC-Record-ID: {id}\r\nWARC-Refers-To: <urn:uuid:2aabeff2-67f5-4608-8466-e87c6296e2b6>\r\n\
            WARC-Block-Digest: sha1:GTXKDVUT2J5NJ6RQUC6SSXCF2FGUGT7R\r\nWARC-Identified-Content-Language: eng,deu\r\n\
            Content-Type: text/plain\r\nContent-Length: 5\r\n\r\ntext\n\r\n\r\n"
        );
        let (start, rest) = text.split_at(expected.len());
        let digest = Digest::of(Algorithm::Sha1, b"text\n").to_base32();
        assert_eq!(start, expected.replace("GTXKDVUT2J5NJ6RQUC6SSXCF2FGUGT7R", &digest));
        assert!(!rest.contains("Language") && rest.ends_with("Content-Length: 0\r\n\r\n\r\n\r\n"), "{rest}");
        let line = format!(
            "org,example)/a%20b 20240518015810 {{\"url\": \"http://example.org/a%20b\", \"mime\": \"text/plain\", \"status\": \"200\", \
            \"digest\": \"{digest}\", \"length\": \"{}\", \"offset\": \"0\", \"filename\": \"wet/a-00000.warc.wet\", \
            \"charset\": \"UTF-8\", \"languages\": \"eng,deu\"}}",
            expected.len()
        );
        assert_eq!(first.to_cdxj(), line);
        assert_eq!((second.offset, second.length), (expected.len() as u64, Some(rest.len() as u64)));
        assert_eq!(second.extra("languages"), None);
    }

    #[test]
    fn what_holds_for_the_crawl_is_taken_over() {
        let mut source = Fields::default();
        source.parse(
            b"isPartOf: CC-MAIN-2024-22\r\nhostname: ip-10\r\nsoftware: Nutch\r\ndescription: Wide crawl\r\n",
        );
        let date = "2024-05-17T23:31:22Z".parse().expect("a moment");
        let write = || {
            let mut writer = writer();
            wet(&mut writer).write_warcinfo(date, Some(&source)).expect("writes");
            String::from_utf8(writer.finish().expect("memory")).expect("is text")
        };
        let text = write();
        let (head, block) = text.split_once("\r\n\r\n").expect("an empty line");
        assert!(head.contains("WARC-Filename: a-00000.warc.wet\r\n"), "{head}");
        assert!(
            block.ends_with("isPartOf: CC-MAIN-2024-22\r\ndescription: Wide crawl\r\n\r\n\r\n"),
            "{block}"
        );
        assert!(block.starts_with("software: tamis/") && !block.contains("Nutch"), "{block}");
        assert_eq!(text, write());
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        let good = head("WARC-Date: 2024-05-18T01:58:10Z\r\nWARC-Target-URI: http://a/\r\n");
        let mut writer = writer();
        let mut wet = wet(&mut writer);
        for languages in [&["eng\r\nX: y"][..], &[""], &["eng,deu"]] {
            assert!(wet.write_page(&good, "", languages).is_err(), "{languages:?}");
        }
        for source in ["WARC-Date: 2024-05-18T01:58:10Z\r\n", "WARC-Target-URI: http://a/\r\n"] {
            assert!(wet.write_page(&head(source), "", &[]).is_err(), "{source}");
        }
        assert_eq!(wet.writer.offset(), 0);
        assert!(wet.write_page(&good, "", &[]).is_ok(), "a record without an id, as in ARC");
    }
}
