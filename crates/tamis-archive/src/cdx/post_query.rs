//! The part of a key that tells requests with a body apart: method and body as if they were a query.
//!
//! pywb and cdxj-indexer append it to the URL before they make a key of it, as the specification "Request Body
//! Canonicalization" of Webrecorder has it. What we write agrees with cdxj-indexer 1.5.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use data_encoding::BASE64;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// The most characters of a body that go into a key.
const MAX_CHARS: usize = 4096;

/// The query that stands for a request: `__wb_method=POST&a=1`. Append it with `?`, or `&` where the URL has a query.
///
/// Only the bodies of POST and PUT count.
pub fn post_query(method: &str, content_type: &str, body: &[u8]) -> String {
    let mut query = format!("__wb_method={method}");
    if matches!(method, "POST" | "PUT") {
        let body = request_body(content_type, body);
        if !body.is_empty() {
            query.push('&');
            query.push_str(&body);
        }
    }
    query
}

/// A body as a query: the fields of a form or of JSON, or all of it in Base64. `requestBody` in CDXJ.
///
/// A form of several parts that cannot be taken apart is given in Base64.
pub fn request_body(content_type: &str, body: &[u8]) -> String {
    let is = |kind: &str| content_type.starts_with(kind);
    let query = if is("application/x-www-form-urlencoded") {
        unquoted_form(body)
    } else if is("multipart/") {
        multipart_fields(content_type, body).map(|fields| encoded(&fields))
    } else if is("application/json") {
        Some(json_fields(body).map(|fields| encoded(&fields)).unwrap_or_default())
    } else if is("text/plain") {
        json_fields(body).map(|fields| encoded(&fields))
    } else {
        None
    };
    let query = query.unwrap_or_else(|| format!("__wb_post_data={}", BASE64.encode(body)));
    match query.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => query[..end].to_owned(),
        None => query,
    }
}

type Fields = Vec<(Vec<u8>, Vec<u8>)>;

/// Unescaped, with blanks for plus signs. None where it is no text.
fn unquoted_form(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?.replace('+', " ");
    Some(percent_decode(text.as_bytes()).decode_utf8_lossy().into_owned())
}

/// `name=value&…`, with everything escaped but letters, digits and `_.-~`, and plus signs for blanks.
fn encoded(fields: &Fields) -> String {
    const ESCAPED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'_').remove(b'.').remove(b'-').remove(b'~').remove(b' ');
    let escape = |text: &[u8]| percent_encode(text, ESCAPED).to_string().replace(' ', "+");
    let pairs: Vec<_> =
        fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect();
    pairs.join("&")
}

/// The parts of a form (RFC 7578). None where there is no boundary or a part is not whole.
fn multipart_fields(content_type: &str, body: &[u8]) -> Option<Fields> {
    let (_, boundary) = content_type.split_once("boundary=")?;
    let boundary = match boundary.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => boundary.split(';').next()?.trim_end(),
    };
    let delimiter = [b"\r\n--", boundary.as_bytes()].concat();
    // The first delimiter may be without the line end before it.
    let body = [b"\r\n", body].concat();
    let mut rest = &body[memchr::memmem::find(&body, &delimiter)? + delimiter.len()..];
    let mut fields = Fields::new();
    while let Some(part) = rest.strip_prefix(b"\r\n") {
        let end = memchr::memmem::find(part, &delimiter)?;
        fields.push(part_field(&part[..end])?);
        rest = &part[end + delimiter.len()..];
    }
    rest.starts_with(b"--").then_some(fields)
}

/// The name and the bytes of a part. A value that is no file must be text.
fn part_field(part: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    // A part without bytes ends with its head.
    let whole = [part, b"\r\n"].concat();
    let head_end = memchr::memmem::find(&whole, b"\r\n\r\n")?;
    let value = part.get(head_end + 4..).unwrap_or_default();
    let head = String::from_utf8_lossy(&whole[..head_end]).into_owned();
    let disposition = head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then(|| value.trim().to_owned())
    })?;
    let name = parameter(&disposition, "name")?;
    let is_file = parameter(&disposition, "filename").is_some_and(|name| !name.is_empty());
    (is_file || std::str::from_utf8(value).is_ok()).then(|| (name.into_bytes(), value.to_vec()))
}

/// A parameter of a header field: `name="a"` or `name=a`.
fn parameter(field: &str, name: &str) -> Option<String> {
    let mut rest = field;
    while let Some((_, tail)) = rest.split_once(';') {
        let (key, value) = tail.split_once('=')?;
        let (value, after) = if let Some(quoted) = value.strip_prefix('"') {
            quoted_text(quoted)
        } else {
            let end = value.find(';').unwrap_or(value.len());
            (value[..end].trim().to_owned(), &value[end..])
        };
        if key.trim().eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = after;
    }
    None
}

/// What stands before the closing quote, with `\"` for a quote inside, and what stands behind it.
fn quoted_text(text: &str) -> (String, &str) {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (out, &text[at + 1..]),
            '\\' if text[at + 1..].starts_with(['"', '\\']) => out.extend(chars.next().map(|(_, c)| c)),
            _ => out.push(c),
        }
    }
    (out, "")
}

/// The leaves of JSON under the name of their object's field, or of JSON in lines. None where it is none.
fn json_fields(body: &[u8]) -> Option<Fields> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let mut leaves = Leaves::default();
    if leaves.parse(body).is_none() {
        leaves = Leaves::default();
        memchr::memchr(b'\n', body)?;
        for line in body.split(|&byte| byte == b'\n') {
            leaves.parse(line)?;
        }
    }
    Some(leaves.fields.into_iter().map(|(name, value)| (name.into_bytes(), value.into_bytes())).collect())
}

/// Leaves in their order. A name that comes again gets a number: `a`, `a.2_`, `a.3_`.
#[derive(Default)]
struct Leaves {
    fields: Vec<(String, String)>,
    places: HashMap<String, usize>,
    repeats: HashMap<String, u64>,
}

impl Leaves {
    fn parse(&mut self, text: &[u8]) -> Option<()> {
        let mut parser = serde_json::Deserializer::from_slice(text);
        Leaf { leaves: self, name: Cow::Borrowed("") }.deserialize(&mut parser).ok()?;
        parser.end().ok()
    }

    fn push(&mut self, name: &str, value: String) {
        if name.is_empty() {
            return;
        }
        let mut key = name.to_owned();
        if self.places.contains_key(name) {
            let count = self.repeats.entry(name.to_owned()).or_insert(1);
            *count += 1;
            key = format!("{name}.{count}_");
        }
        if let Some(&at) = self.places.get(&key) {
            self.fields[at].1 = value;
        } else {
            self.places.insert(key.clone(), self.fields.len());
            self.fields.push((key, value));
        }
    }
}

/// A value under a name. Values are spelled as Python spells them.
struct Leaf<'a> {
    leaves: &'a mut Leaves,
    name: Cow<'a, str>,
}

impl<'de> DeserializeSeed<'de> for Leaf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Leaf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.leaves.push(&self.name, if value { "True" } else { "False" }.into());
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.leaves.push(&self.name, value.to_string());
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.leaves.push(&self.name, value.to_string());
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.leaves.push(&self.name, python_float(value));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.leaves.push(&self.name, value.into());
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.leaves.push(&self.name, "None".into());
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Leaf { leaves: self.leaves, name: Cow::Borrowed(&self.name) })?.is_some()
        {
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            map.next_value_seed(Leaf { leaves: self.leaves, name: Cow::Owned(name) })?;
        }
        Ok(())
    }
}

/// A float as Python's `repr` writes it: the shortest digits, with an exponent below 1e-4 and from 1e16 on.
fn python_float(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e16).contains(&value.abs()) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "application/x-www-form-urlencoded";
    const PARTS: &[u8] = b"--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1 2&\r\n--X\r\nContent-Disposition: \
        form-data; name=\"f\"; filename=\"x.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n\x00\xff\r\n--X--\r\n";

    /// What cdxj-indexer 1.5.0 gives for these.
    #[test]
    fn queries_are_those_of_cdxj_indexer() {
        for (method, content_type, body, expected) in [
            ("POST", FORM, &b"a=1&b=%5B%5D&c=x+y%26"[..], "__wb_method=POST&a=1&b=[]&c=x y&"),
            ("POST", FORM, b"a=%ff\xc3\xa9", "__wb_method=POST&a=\u{fffd}é"),
            ("POST", FORM, b"a=\xff", "__wb_method=POST&__wb_post_data=YT3/"),
            ("POST", "application/x-www-form-urlencoded; charset=UTF-8", b"", "__wb_method=POST"),
            ("POST", "multipart/form-data; boundary=X", PARTS, "__wb_method=POST&a=1+2%26&f=%00%FF"),
            (
                "POST",
                "multipart/form-data; boundary=X",
                b"--X\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--X--",
                "__wb_method=POST&a=",
            ),
            (
                "PUT",
                "application/json",
                br#"{"a":1,"b":{"a":[1.5,true,null,"x y"],"c":1e20},"d":[],"e":{}}"#,
                "__wb_method=PUT&a=1&a.2_=1.5&a.3_=True&a.4_=None&a.5_=x+y&c=1e%2B20",
            ),
            ("POST", "application/json", b"{\"a\":1}\n{\"a\":2}", "__wb_method=POST&a=1&a.2_=2"),
            ("POST", "application/json", b"{\"a\":1}\n{\"a\":2}\n", "__wb_method=POST"),
            ("POST", "application/json", b"[1,2]", "__wb_method=POST"),
            ("POST", "application/json", b"bad", "__wb_method=POST"),
            ("POST", "text/plain", b"bad", "__wb_method=POST&__wb_post_data=YmFk"),
            ("POST", "text/plain", b"{\"x\":\"\xc3\xa9\"}", "__wb_method=POST&x=%C3%A9"),
            (
                "POST",
                "text/plain",
                br#"{"z":-0.0,"w":1E-7,"v":0.1,"u":123456789.125,"t":1e16}"#,
                "__wb_method=POST&z=-0.0&w=1e-07&v=0.1&u=123456789.125&t=1e%2B16",
            ),
            ("POST", "", b"ab", "__wb_method=POST&__wb_post_data=YWI="),
            ("POST", "", b"", "__wb_method=POST&__wb_post_data="),
            ("GET", "", b"ab", "__wb_method=GET"),
            ("PUT", "image/png", b"\x00\x01\x00\x01\x00\x01", "__wb_method=PUT&__wb_post_data=AAEAAQAB"),
        ] {
            assert_eq!(post_query(method, content_type, body), expected, "{content_type} {body:?}");
        }
    }

    #[test]
    fn forms_that_peers_stop_at_are_read_or_kept_whole() {
        for content_type in
            ["multipart/form-data; boundary=\"X\"", "multipart/form-data; boundary=X; charset=utf-8"]
        {
            assert_eq!(request_body(content_type, PARTS), "a=1+2%26&f=%00%FF", "{content_type}");
        }
        for body in [&b""[..], b"junk", &PARTS[..PARTS.len() - 20], b"--X\r\nA: b\r\n\r\nc\r\n--X--"] {
            let query = request_body("multipart/form-data; boundary=X", body);
            assert_eq!(query, format!("__wb_post_data={}", BASE64.encode(body)));
        }
    }

    #[test]
    fn long_bodies_are_cut() {
        assert_eq!(request_body(FORM, &b"a".repeat(5000)).len(), 4096);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_a_body(kind in 0usize..5, body: Vec<u8>) {
            let types = [FORM, "multipart/form-data; boundary=X", "application/json", "text/plain", "x/y"];
            request_body(types[kind], &body);
        }
    }
}
