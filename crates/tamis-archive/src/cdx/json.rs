//! JSON as Python's `json.dumps` writes it, so that lines compare byte for byte with those of pywb and cdxj-indexer.

use std::fmt::{self, Write as _};
use std::io;

use serde::Serialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// An object that is written field by field.
pub(super) struct Object<'a> {
    line: &'a mut String,
    is_empty: bool,
}

impl<'a> Object<'a> {
    pub(super) fn open(line: &'a mut String) -> Self {
        line.push('{');
        Self { line, is_empty: true }
    }

    /// Adds text, unless it is empty.
    pub(super) fn text(&mut self, name: &str, text: &str) -> &mut Self {
        if !text.is_empty() {
            self.name(name);
            push_text(self.line, text);
        }
        self
    }

    /// Adds a number as text, as the index tools write it.
    pub(super) fn number(&mut self, name: &str, number: Option<u64>) -> &mut Self {
        match number {
            Some(number) => self.text(name, &number.to_string()),
            None => self,
        }
    }

    /// Adds any value.
    pub(super) fn value(&mut self, name: &str, value: &Value) -> &mut Self {
        self.name(name);
        let mut bytes = Vec::new();
        value
            .serialize(&mut Serializer::with_formatter(&mut bytes, Ascii))
            .expect("a value is written to memory");
        self.line.push_str(&String::from_utf8_lossy(&bytes));
        self
    }

    pub(super) fn close(&mut self) {
        self.line.push('}');
    }

    fn name(&mut self, name: &str) {
        self.line.push_str(if self.is_empty { "" } else { ", " });
        self.is_empty = false;
        push_text(self.line, name);
        self.line.push_str(": ");
    }
}

/// The fields of an object in their order.
pub(super) fn parse_object(text: &[u8]) -> serde_json::Result<Vec<(String, Value)>> {
    let mut parser = serde_json::Deserializer::from_slice(text);
    let fields = parser.deserialize_map(Fields)?;
    parser.end()?;
    Ok(fields)
}

fn push_text(line: &mut String, text: &str) {
    line.push('"');
    for c in text.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            '\u{8}' => line.push_str("\\b"),
            '\u{c}' => line.push_str("\\f"),
            ' '..='~' => line.push(c),
            _ => push_escapes(line, c),
        }
    }
    line.push('"');
}

fn push_escapes(line: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        // Writing to a String does not fail.
        let _ = write!(line, "\\u{unit:04x}");
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::with_capacity(8);
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(fields)
    }
}

/// A blank behind each comma and colon, and escapes for all but printable ASCII.
struct Ascii;

impl Formatter for Ascii {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut text = String::with_capacity(fragment.len());
        for c in fragment.chars() {
            if matches!(c, ' '..='~') {
                text.push(c);
            } else {
                push_escapes(&mut text, c);
            }
        }
        out.write_all(text.as_bytes())
    }
}
