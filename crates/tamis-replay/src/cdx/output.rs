//! Entries as a CDX server writes them.

use std::io::{self, Write};

use serde_json::Value;
use tamis_archive::cdx::CdxEntry;

use super::request::{Output, Request, ResumeKey};
use super::{Dialect, Field};

/// The columns of the Wayback CDX server.
const WAYBACK: [Field; 7] =
    [Field::UrlKey, Field::Timestamp, Field::Url, Field::Mime, Field::Status, Field::Digest, Field::Length];
/// The eleven columns of CDX, as OutbackCDX writes them.
const ELEVEN: [Field; 11] = [
    Field::UrlKey,
    Field::Timestamp,
    Field::Url,
    Field::Mime,
    Field::Status,
    Field::Digest,
    Field::Redirect,
    Field::RobotFlags,
    Field::Length,
    Field::Offset,
    Field::Filename,
];

/// Writes entries in the output of a request.
pub struct Writer<'r, W> {
    out: W,
    request: &'r Request,
    columns: Vec<Field>,
    count: u64,
}

impl Output {
    /// The media type of a response.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Cdxj => "text/x-cdxj; charset=utf-8",
            Self::JsonLines => "text/x-ndjson; charset=utf-8",
            Self::JsonArrays => "application/json",
            Self::Text => "text/plain; charset=utf-8",
        }
    }
}

impl<'r, W: Write> Writer<'r, W> {
    /// A writer for the entries of a request.
    pub fn new(out: W, request: &'r Request) -> Self {
        let default = match request.dialect {
            Dialect::Wayback => &WAYBACK[..],
            Dialect::Pywb => &ELEVEN[..],
        };
        let columns = request.fields.clone().unwrap_or_else(|| default.to_vec());
        Self { out, request, columns, count: 0 }
    }

    /// Writes an entry.
    pub fn entry(&mut self, entry: &CdxEntry) -> io::Result<()> {
        let is_first = self.count == 0;
        self.count += 1;
        match self.request.output {
            Output::Cdxj => {
                let line = entry.to_cdxj();
                if self.request.fields.is_none() {
                    return writeln!(self.out, "{line}");
                }
                let head = line.splitn(3, ' ').take(2).collect::<Vec<_>>().join(" ");
                writeln!(self.out, "{head} {}", self.object(entry))
            }
            Output::JsonLines => match &self.request.fields {
                None => {
                    let line = entry.to_cdxj();
                    let object = line.splitn(3, ' ').nth(2).unwrap_or("{}");
                    let (key, moment) = (text(&entry.urlkey), text(&entry.timestamp));
                    let rest = &object[1..];
                    let comma = if rest == "}" { "" } else { ", " };
                    writeln!(self.out, "{{\"urlkey\": {key}, \"timestamp\": {moment}{comma}{rest}")
                }
                Some(_) => writeln!(self.out, "{}", self.object(entry)),
            },
            Output::JsonArrays => {
                if is_first {
                    let names: Vec<String> =
                        self.columns.iter().map(|field| text(field.name(self.request.dialect))).collect();
                    write!(self.out, "[[{}]", names.join(","))?;
                }
                let values = self.columns.iter().map(|field| text(&self.value(field, entry)));
                write!(self.out, ",\n[{}]", values.collect::<Vec<_>>().join(","))
            }
            Output::Text => {
                let values = self
                    .columns
                    .iter()
                    .map(|field| self.value(field, entry).replace([' ', '\n', '\r'], "%20"));
                writeln!(self.out, "{}", values.collect::<Vec<_>>().join(" "))
            }
        }
    }

    /// Ends the output, with the key to go on with.
    pub fn finish(mut self, resume_key: Option<&ResumeKey>) -> io::Result<W> {
        let key = resume_key.map(ToString::to_string);
        let encoded = |key: &str| url::form_urlencoded::byte_serialize(key.as_bytes()).collect::<String>();
        match (self.request.output, key) {
            (Output::JsonArrays, key) => {
                self.out.write_all(if self.count == 0 { b"[" } else { b"" })?;
                if let Some(key) = key {
                    write!(self.out, ",\n[],\n[{}]", text(&encoded(&key)))?;
                }
                self.out.write_all(b"]\n")?;
            }
            (Output::Text | Output::Cdxj, Some(key)) => write!(self.out, "\n{}\n", encoded(&key))?,
            (Output::JsonLines, Some(key)) => {
                writeln!(self.out, "{{\"resumeKey\": {}}}", text(&encoded(&key)))?;
            }
            (_, None) => {}
        }
        Ok(self.out)
    }

    /// The chosen fields that have a value, as an object.
    fn object(&self, entry: &CdxEntry) -> String {
        let dialect = self.request.dialect;
        let fields = self.columns.iter().map(|field| (field.name(dialect), field.value(entry, dialect)));
        let fields = fields.filter(|(_, value)| !value.is_empty());
        let fields: Vec<String> =
            fields.map(|(name, value)| format!("{}: {}", text(name), text(&value))).collect();
        format!("{{{}}}", fields.join(", "))
    }

    fn value(&self, field: &Field, entry: &CdxEntry) -> String {
        let value = field.value(entry, self.request.dialect);
        if value.is_empty() { "-".to_owned() } else { value.into_owned() }
    }
}

/// A JSON string.
fn text(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cdx::Request;
    use Dialect::{Pywb, Wayback};

    fn written(query: &str, dialect: Dialect, entries: usize, resume_key: Option<&ResumeKey>) -> String {
        let entry = CdxEntry {
            urlkey: "org,a)/".into(),
            timestamp: "20140101000000".into(),
            url: "http://a.org/?\"<é".into(),
            mime: "text/html".into(),
            status: Some(200),
            digest: "sha1:ABC".into(),
            length: Some(9),
            offset: 0,
            filename: "a b.warc.gz".into(),
            ..CdxEntry::default()
        };
        let request = Request::parse(&format!("url=a&{query}"), dialect).expect(query);
        let mut writer = Writer::new(Vec::new(), &request);
        for _ in 0..entries {
            writer.entry(&entry).expect("to memory");
        }
        String::from_utf8(writer.finish(resume_key).expect("to memory")).expect("UTF-8")
    }

    #[test]
    fn each_output_is_that_of_its_server() {
        let all = r#""url": "http://a.org/?\"<\u00e9", "mime": "text/html", "status": "200", "digest": "sha1:ABC", "length": "9", "offset": "0", "filename": "a b.warc.gz"}"#;
        for (dialect, query, expected) in [
            (Pywb, "", format!("org,a)/ 20140101000000 {{{all}\n")),
            (Pywb, "output=json", format!("{{\"urlkey\": \"org,a)/\", \"timestamp\": \"20140101000000\", {all}\n")),
            (Pywb, "fl=status,redirect", "org,a)/ 20140101000000 {\"status\": \"200\"}\n".into()),
            (Pywb, "output=json&fl=timestamp,mime", "{\"timestamp\": \"20140101000000\", \"mime\": \"text/html\"}\n".into()),
            (
                Pywb,
                "output=text",
                "org,a)/ 20140101000000 http://a.org/?\"<é text/html 200 sha1:ABC - - 9 0 a%20b.warc.gz\n".into(),
            ),
            (Wayback, "", "org,a)/ 20140101000000 http://a.org/?\"<é text/html 200 ABC 9\n".into()),
            (
                Wayback,
                "output=json&fl=timestamp,original,redirect",
                "[[\"timestamp\",\"original\",\"redirect\"],\n[\"20140101000000\",\"http://a.org/?\\\"<é\",\"-\"]]\n".into(),
            ),
        ] {
            assert_eq!(written(query, dialect, 1, None), expected, "{query}");
        }
        assert_eq!(written("output=json", Wayback, 0, None), "[]\n");
        assert_eq!(written("", Wayback, 0, None), "");
    }

    #[test]
    fn the_key_to_go_on_with_comes_last() {
        let key = ResumeKey { line: "org,a)/ 2014".into(), count: 1 };
        for (query, end) in [
            ("fl=timestamp", "\n\norg%2Ca%29%2F+2014%211\n"),
            ("output=json&fl=timestamp", "\"],\n[],\n[\"org%2Ca%29%2F+2014%211\"]]\n"),
        ] {
            let text = written(query, Dialect::Wayback, 1, Some(&key));
            assert!(text.ends_with(end), "{text}");
        }
    }

    #[test]
    fn arrays_are_json_whatever_the_values() {
        let text = written("output=json", Dialect::Wayback, 2, None);
        let rows: Vec<Vec<String>> = serde_json::from_str(&text).expect("JSON");
        assert_eq!((rows.len(), rows[2].len()), (3, 7));
    }
}
