//! One line of an index.

use serde_json::Value;

use super::json;
use super::legend::Legend;

/// Where the capture of a URL lies, and what it is. Text that a line does not have is empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CdxEntry {
    /// The key that indexes are sorted by, as [`surt`](crate::surt()) makes it.
    pub urlkey: String,
    /// Digits, mostly fourteen: `20140126200624`.
    pub timestamp: String,
    /// The URL as it was fetched.
    pub url: String,
    /// The media type without parameters, or `warc/revisit`.
    pub mime: String,
    /// The status of the HTTP response.
    pub status: Option<u16>,
    /// The digest of the payload, with or without its algorithm in front.
    pub digest: String,
    /// Where the response redirects to.
    pub redirect: String,
    /// What the page says to robots: letters of `AIF`.
    pub robot_flags: String,
    /// Bytes of the record in the file as it is stored.
    pub length: Option<u64>,
    /// Byte offset of the record in the file as it is stored; 0 where `filename` is empty.
    pub offset: u64,
    /// The archive file.
    pub filename: String,
    /// Further fields in their order: `method`, `requestBody`, `languages`, `charset`, … of CDXJ, and columns of
    /// CDX under their letter.
    pub extra: Vec<(String, Value)>,
}

impl CdxEntry {
    /// The line in CDXJ, without a line end: key, moment, and JSON as pywb and cdxj-indexer write it.
    pub fn to_cdxj(&self) -> String {
        let mut line = String::with_capacity(200 + self.url.len() * 2);
        push_word(&mut line, &self.urlkey);
        line.push(' ');
        push_word(&mut line, &self.timestamp);
        line.push(' ');
        self.push_json(&mut line);
        line
    }

    /// The line in CDX with eleven columns, without a line end.
    pub fn to_cdx11(&self) -> String {
        self.to_cdx(&Legend::cdx11())
    }

    /// The line in CDX with the columns of a legend, without a line end. A column without a value is `-`.
    pub fn to_cdx(&self, legend: &Legend) -> String {
        let mut line = String::with_capacity(200 + self.url.len());
        for (at, &letter) in legend.letters().iter().enumerate() {
            if at > 0 {
                line.push(char::from(legend.separator()));
            }
            push_word(&mut line, &self.column(letter));
        }
        line
    }

    /// Whether the line stands for content that was the same as before.
    pub fn is_revisit(&self) -> bool {
        self.mime == "warc/revisit"
    }

    /// A further field as text.
    pub fn extra(&self, name: &str) -> Option<&Value> {
        self.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Sets the field of a CDX column. False where the value is none of its kind.
    pub(super) fn set_column(&mut self, letter: u8, value: &str) -> bool {
        if value == "-" {
            return true;
        }
        let text = match letter {
            b'N' | b'A' => &mut self.urlkey,
            b'b' => &mut self.timestamp,
            b'a' => &mut self.url,
            b'm' => &mut self.mime,
            b'k' => &mut self.digest,
            b'r' => &mut self.redirect,
            b'M' => &mut self.robot_flags,
            b'g' => &mut self.filename,
            b's' => return set(&mut self.status, value),
            b'S' => return set(&mut self.length, value),
            b'V' => return value.parse().map(|offset| self.offset = offset).is_ok(),
            _ => {
                self.extra.push((Legend::name(letter), Value::from(value)));
                return true;
            }
        };
        value.clone_into(text);
        true
    }

    /// Sets a field of CDXJ by its name, or one of the names that other tools use. False where the value is none of its kind.
    pub(super) fn set_field(&mut self, name: &str, value: Value) -> bool {
        let text = match name {
            "urlkey" => &mut self.urlkey,
            "timestamp" => &mut self.timestamp,
            "url" | "original" | "original_uri" => &mut self.url,
            "mime" | "mimetype" | "mime_type" => &mut self.mime,
            "digest" => &mut self.digest,
            "redirect" => &mut self.redirect,
            "robotflags" | "meta" => &mut self.robot_flags,
            "filename" => &mut self.filename,
            "status" | "statuscode" | "status_code" => return set(&mut self.status, &plain(&value)),
            "length" => return set(&mut self.length, &plain(&value)),
            "offset" => return plain(&value).parse().map(|offset| self.offset = offset).is_ok(),
            _ => {
                self.extra.push((name.to_owned(), value));
                return true;
            }
        };
        let value = plain(&value);
        *text = if value == "-" { String::new() } else { value };
        true
    }

    fn column(&self, letter: u8) -> String {
        let number = |value: Option<u64>| value.map(|n| n.to_string()).unwrap_or_default();
        match letter {
            b'N' | b'A' => self.urlkey.clone(),
            b'b' => self.timestamp.clone(),
            b'a' => self.url.clone(),
            b'm' => self.mime.clone(),
            b's' => number(self.status.map(u64::from)),
            b'k' => self.bare_digest().to_owned(),
            b'r' => self.redirect.clone(),
            b'M' => self.robot_flags.clone(),
            b'S' => number(self.length),
            b'V' => number((!self.filename.is_empty()).then_some(self.offset)),
            b'g' => self.filename.clone(),
            _ => self.extra(&Legend::name(letter)).map(plain).unwrap_or_default(),
        }
    }

    /// CDX has digests without the name of their algorithm.
    fn bare_digest(&self) -> &str {
        self.digest.rsplit_once(':').map_or(&self.digest, |(_, digest)| digest)
    }

    fn push_json(&self, line: &mut String) {
        let mut object = json::Object::open(line);
        object
            .text("url", &self.url)
            .text("mime", &self.mime)
            .number("status", self.status.map(u64::from))
            .text("digest", &self.digest)
            .number("length", self.length)
            .number("offset", (!self.filename.is_empty()).then_some(self.offset))
            .text("filename", &self.filename)
            .text("redirect", &self.redirect)
            .text("robotflags", &self.robot_flags);
        for (name, value) in &self.extra {
            object.value(name, value);
        }
        object.close();
    }
}

fn set<T: std::str::FromStr>(field: &mut Option<T>, value: &str) -> bool {
    *field = value.parse().ok();
    field.is_some() || matches!(value, "-" | "")
}

/// A JSON value as text without quotes; null as nothing.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Adds a word of a line: blanks and control characters would end it and are escaped, nothing is `-`.
fn push_word(line: &mut String, word: &str) {
    if word.is_empty() {
        line.push('-');
    }
    for c in word.chars() {
        if c.is_ascii_control() || c == ' ' {
            line.push_str(percent_encoding::percent_encode_byte(c as u8));
        } else {
            line.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sample() -> CdxEntry {
        CdxEntry {
            urlkey: "org,example)/a?q=é x".into(),
            timestamp: "20140126200624".into(),
            url: "http://example.org/a?q=é x".into(),
            mime: "text/html".into(),
            status: Some(200),
            digest: "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A".into(),
            length: Some(1043),
            offset: 333,
            filename: "example.warc.gz".into(),
            extra: vec![("method".into(), json!("POST")), ("n".into(), json!([1, {"a": "\u{1f600}\""}]))],
            ..CdxEntry::default()
        }
    }

    #[test]
    fn cdxj_is_written_as_pywb_writes_it() {
        let expected = concat!(
            r#"org,example)/a?q=é%20x 20140126200624 {"url": "http://example.org/a?q=\u00e9 x", "mime": "text/html", "#,
            r#""status": "200", "digest": "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", "length": "1043", "offset": "333", "#,
            r#""filename": "example.warc.gz", "method": "POST", "n": [1, {"a": "\ud83d\ude00\""}]}"#,
        );
        assert_eq!(sample().to_cdxj(), expected);
    }

    #[test]
    fn cdx_is_written_with_a_dash_for_what_is_not_there() {
        let expected = "org,example)/a?q=é%20x 20140126200624 http://example.org/a?q=é%20x text/html 200 \
                        B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A - - 1043 333 example.warc.gz";
        assert_eq!(sample().to_cdx11(), expected);
        assert_eq!(CdxEntry::default().to_cdx11(), "- - - - - - - - - - -");
    }
}
