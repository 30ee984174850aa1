//! The four fields of an index line that matter here, found without a tree of all the others.

use std::borrow::Cow;

/// What a line of a URL index says of a page. Fields that the line does not have are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub(super) url: Cow<'a, str>,
    pub(super) archive: Cow<'a, str>,
    pub(super) languages: Cow<'a, str>,
    pub(super) charset: Cow<'a, str>,
}

/// An archive's name is a path below the crawl: longer ones are none, and could not be kept apart on disk.
const MAX_ARCHIVE_BYTES: usize = 1024;

impl<'a> Row<'a> {
    /// Reads a line: `key moment {json}`, or the JSON object alone. None for an empty line and one of metadata (`!…`).
    pub(super) fn of_line(line: &'a [u8]) -> Result<Option<Self>, &'static str> {
        if line.first().is_none_or(|&first| first == b'!') || line.trim_ascii().is_empty() {
            return Ok(None);
        }
        let row = Self::of_json(&line[json_start(line).ok_or("no JSON after key and timestamp")?..])?;
        match () {
            () if row.url.is_empty() => Err("no string `url`"),
            () if matches!(&*row.archive, "" | "-") => Err("no string `filename`"),
            () if row.archive.len() > MAX_ARCHIVE_BYTES => Err("`filename` is longer than 1024 bytes"),
            () => Ok(Some(row)),
        }
    }

    /// Finds the fields in a JSON object (RFC 8259). Of a name that comes twice, the last counts. Values of other names
    /// are stepped over; what is wrong inside them may pass.
    pub(super) fn of_json(json: &'a [u8]) -> Result<Self, &'static str> {
        let mut scanner = Scanner { bytes: json, at: 0 };
        let mut row = Self::default();
        scanner.expect(b'{', "JSON does not begin with {")?;
        if scanner.takes(b'}') {
            return scanner.end().map(|()| row);
        }
        loop {
            scanner.expect(b'"', "JSON: a name is no string")?;
            let name = scanner.string()?;
            scanner.expect(b':', "JSON: no colon behind a name")?;
            scanner.pass_blanks();
            let value = scanner.value()?;
            row.set(&name, &value)?;
            if scanner.takes(b'}') {
                return scanner.end().map(|()| row);
            }
            scanner.expect(b',', "JSON: neither a comma nor } behind a value")?;
        }
    }

    fn set(&mut self, name: &Str<'a>, value: &Value<'a>) -> Result<(), &'static str> {
        let decoded;
        let name = if name.is_escaped {
            decoded = name.text()?;
            decoded.as_bytes()
        } else {
            name.raw
        };
        match name {
            b"url" => self.url = value.text()?,
            b"filename" => self.archive = value.text()?,
            b"languages" => self.languages = value.any_text()?,
            b"charset" => self.charset = value.any_text()?,
            _ => {}
        }
        Ok(())
    }
}

/// Where the JSON of a line starts: at its front, or behind the key and the moment.
fn json_start(line: &[u8]) -> Option<usize> {
    if line[0] == b'{' {
        return Some(0);
    }
    let start = memchr::memchr_iter(b' ', line).nth(1)? + 1;
    (line.get(start) == Some(&b'{')).then_some(start)
}

/// A string as it stands between its quotes.
struct Str<'a> {
    raw: &'a [u8],
    is_escaped: bool,
}

enum Value<'a> {
    Str(Str<'a>),
    Null,
    /// A number, a truth value, an array or an object, as it stands.
    Other(&'a [u8]),
}

impl<'a> Value<'a> {
    /// The text of a string, and nothing for all that is none.
    fn text(&self) -> Result<Cow<'a, str>, &'static str> {
        if let Self::Str(text) = self { text.text() } else { Ok(Cow::Borrowed("")) }
    }

    /// The text of a string, nothing for null, and any other value as it stands.
    fn any_text(&self) -> Result<Cow<'a, str>, &'static str> {
        match self {
            Self::Str(text) => text.text(),
            Self::Null => Ok(Cow::Borrowed("")),
            Self::Other(raw) => std::str::from_utf8(raw).map(Cow::Borrowed).map_err(|_| "not UTF-8"),
        }
    }
}

impl<'a> Str<'a> {
    fn text(&self) -> Result<Cow<'a, str>, &'static str> {
        if self.raw.iter().any(|&byte| byte < b' ') {
            return Err("JSON: a control character in a string");
        }
        let raw = std::str::from_utf8(self.raw).map_err(|_| "not UTF-8")?;
        if self.is_escaped { unescaped(raw).map(Cow::Owned) } else { Ok(Cow::Borrowed(raw)) }
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn pass_blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Takes a byte behind any blanks, if it is this one.
    fn takes(&mut self, wanted: u8) -> bool {
        self.pass_blanks();
        let is_there = self.bytes.get(self.at) == Some(&wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, wanted: u8, why: &'static str) -> Result<(), &'static str> {
        if self.takes(wanted) { Ok(()) } else { Err(why) }
    }

    fn end(&mut self) -> Result<(), &'static str> {
        self.pass_blanks();
        if self.at == self.bytes.len() { Ok(()) } else { Err("JSON ends before the line does") }
    }

    /// A string whose first quote is taken.
    fn string(&mut self) -> Result<Str<'a>, &'static str> {
        let (start, mut is_escaped) = (self.at, false);
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let hit = memchr::memchr2(b'"', b'\\', rest).ok_or("JSON: a string has no end")?;
            self.at += hit + 1;
            if rest[hit] == b'"' {
                return Ok(Str { raw: &self.bytes[start..self.at - 1], is_escaped });
            }
            is_escaped = true;
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<Value<'a>, &'static str> {
        let start = self.at;
        match self.bytes.get(start) {
            Some(b'"') => {
                self.at += 1;
                return self.string().map(Value::Str);
            }
            Some(b'{' | b'[') => self.pass_nested()?,
            Some(b'-' | b'0'..=b'9' | b'a'..=b'z') => self.pass_word(),
            _ => return Err("JSON: no value after a colon"),
        }
        let raw = &self.bytes[start..self.at];
        Ok(if raw == b"null" { Value::Null } else { Value::Other(raw) })
    }

    fn pass_word(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E')) {
            self.at += 1;
        }
    }

    /// Steps over an array or object. A counter stands for the stack, so that no depth is too deep.
    fn pass_nested(&mut self) -> Result<(), &'static str> {
        let mut depth = 0_usize;
        loop {
            let byte = *self.bytes.get(self.at).ok_or("JSON: an array or object has no end")?;
            self.at += 1;
            match byte {
                b'"' => self.string().map(|_| ())?,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }
}

/// The text of a string with escapes (RFC 8259, section 7).
fn unescaped(raw: &str) -> Result<String, &'static str> {
    const BAD: &str = "JSON: a bad escape in a string";
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        let escape = *rest.as_bytes().get(at + 1).ok_or(BAD)?;
        let simple = match escape {
            b'"' | b'\\' | b'/' => char::from(escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let (c, used) = utf16_escape(&rest.as_bytes()[at..]).ok_or(BAD)?;
                text.push(c);
                rest = &rest[at + used..];
                continue;
            }
            _ => return Err(BAD),
        };
        text.push(simple);
        rest = &rest[at + 2..];
    }
    text.push_str(rest);
    Ok(text)
}

/// The character of `\uXXXX`, or of two such that are a surrogate pair, and the bytes it takes.
fn utf16_escape(bytes: &[u8]) -> Option<(char, usize)> {
    let first = utf16_unit(bytes)?;
    if let Some(c) = char::from_u32(first.into()) {
        return Some((c, 6));
    }
    let second = utf16_unit(bytes.get(6..)?)?;
    let c = char::decode_utf16([first, second]).next()?.ok()?;
    Some((c, 12))
}

fn utf16_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use proptest::prelude::*;
    use serde_json::Value as Json;

    use super::*;

    /// The slow, obvious way.
    fn by_serde(json: &[u8]) -> Option<Row<'static>> {
        let Ok(Json::Object(object)) = serde_json::from_slice(json) else { return None };
        let string = |name: &str| match object.get(name) {
            Some(Json::String(text)) => text.clone(),
            _ => String::new(),
        };
        let any = |name: &str| match object.get(name) {
            None | Some(Json::Null) => String::new(),
            Some(Json::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        Some(Row {
            url: string("url").into(),
            archive: string("filename").into(),
            languages: any("languages").into(),
            charset: any("charset").into(),
        })
    }

    #[test]
    fn lines_of_every_dialect_are_read() {
        let of_reference = r#"1,102,30,163)/modules/mylinks/ 20190218011538 {"url":"http://163.30.102.1/modules/mylinks/", "mime": "text/html", "mime-detected": "text/html", "status": "200", "digest": "3LTEADYEETRMLYCNYW652S3ED700FLHE", "length": "7990", "offset": "605284", "filename": "crawl-data/x-00001.warc.gz", "charset": "UTF-8", "languages": "zho,eng"}"#;
        let old = r#"a)/ 2015 {"url": "http://a/", "filename": "b.warc.gz"}"#;
        let alone = r#"{"urlkey":"a)/","url":"http:\/\/a\/\u00e9\ud83d\ude00","filename":"b","languages":null,"charset":7,"x":{"url":["}\"",{}]}}"#;
        for (line, url, archive, languages, charset) in [
            (
                of_reference,
                "http://163.30.102.1/modules/mylinks/",
                "crawl-data/x-00001.warc.gz",
                "zho,eng",
                "UTF-8",
            ),
            (old, "http://a/", "b.warc.gz", "", ""),
            (alone, "http://a/\u{e9}\u{1f600}", "b", "", "7"),
        ] {
            let row = Row::of_line(line.as_bytes()).unwrap().unwrap();
            assert_eq!((&*row.url, &*row.archive), (url, archive));
            assert_eq!((&*row.languages, &*row.charset), (languages, charset));
        }
        for empty in ["", " \t", "!meta 0 {}"] {
            assert_eq!(Row::of_line(empty.as_bytes()), Ok(None));
        }
    }

    #[test]
    fn what_is_wrong_with_a_line_is_told() {
        for (line, why) in [
            (r"a b c", "no JSON after key and timestamp"),
            (r"a 2 {", "JSON: a name is no string"),
            (r#"a 2 {"url":"x"}"#, "no string `filename`"),
            (r#"a 2 {"filename":"x"}"#, "no string `url`"),
            (r#"a 2 {"url":"x","filename":"-"}"#, "no string `filename`"),
            (r#"a 2 {"url":1}"#, "no string `url`"),
            (r#"a 2 {"url":"x""#, "JSON: neither a comma nor } behind a value"),
            (r#"a 2 {"url":"x\"#, "JSON: a string has no end"),
            (r#"a 2 {"url":"x","y":[1}"#, "JSON: neither a comma nor } behind a value"),
            (r#"a 2 {"url":"\ud800"}"#, "JSON: a bad escape in a string"),
            (r#"a 2 {"url":"x"} y"#, "JSON ends before the line does"),
            (r#"a 2 {"url" "x"}"#, "JSON: no colon behind a name"),
            (r#"a 2 {"url":}"#, "JSON: no value after a colon"),
            ("a 2 {\"url\":\"a\tb\"}", "JSON: a control character in a string"),
        ] {
            assert_eq!(Row::of_line(line.as_bytes()), Err(why), "{line}");
        }
        assert_eq!(Row::of_line(b"a 2 {\"url\":\"\xff\"}"), Err("not UTF-8"));
    }

    fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            any::<i32>().prop_map(|n| Json::from(f64::from(n) / 8.0)),
            "\\PC{0,8}|[\"\\\\{}\\[\\],:\\x00-\\x1f]{0,6}".prop_map(Json::from),
        ];
        leaf.prop_recursive(3, 12, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
                prop::collection::hash_map("[a-z\"\\\\]{0,3}", inner, 0..4)
                    .prop_map(|map| Json::Object(map.into_iter().collect())),
            ]
        })
    }

    /// All but ASCII as escapes of UTF-16, as some tools write it.
    fn ascii(json: &str) -> String {
        let mut text = String::new();
        for c in json.chars() {
            match c {
                '\0'..='\x7f' => text.push(c),
                _ => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(text, "\\u{unit:04X}").unwrap();
                    }
                }
            }
        }
        text
    }

    proptest! {
        #[test]
        fn fields_are_those_that_serde_finds(
            fields in prop::collection::vec(
                (prop_oneof![
                    Just("url"), Just("filename"), Just("languages"), Just("charset"), Just("mime"), Just("u\"rl"),
                ], any_json()),
                0..8,
            ),
            change in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
            escape: bool,
        ) {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}: {value}", Json::from(*name))).collect();
            let json = format!("{{{}}}", fields.join(","));
            let mut json = if escape { ascii(&json) } else { json }.into_bytes();
            if let Some((at, byte)) = change {
                let at = at.index(json.len());
                json[at] = byte;
            }
            match (by_serde(&json), Row::of_json(&json)) {
                // Numbers may be spelled in several ways; they stay as they stand.
                (Some(expected), Ok(found)) => {
                    prop_assert_eq!((&found.url, &found.archive), (&expected.url, &expected.archive));
                    for (found, expected) in
                        [(&found.languages, &expected.languages), (&found.charset, &expected.charset)]
                    {
                        let same = |text: &str| serde_json::from_str::<Json>(text).ok();
                        prop_assert!(found == expected || same(found) == same(expected), "{} {}", found, expected);
                    }
                }
                // What is wrong inside a value that nobody asks for may pass.
                (expected, found) => prop_assert!(expected.is_none() && (change.is_some() || found.is_err()), "{:?}", found),
            }
        }

        #[test]
        fn any_bytes_are_scanned(bytes: Vec<u8>, json in "[{}\\[\\]\",:\\\\ua0 ]{0,40}") {
            let _ = (Row::of_line(&bytes), Row::of_line(json.as_bytes()));
        }
    }
}
