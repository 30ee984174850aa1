//! A reader for tests alone: strict, simple, and written apart from the reader of the crate.

use std::io::Read;

/// A record as a test looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeenRecord {
    pub(super) version: String,
    pub(super) fields: Vec<(String, Vec<u8>)>,
    pub(super) block: Vec<u8>,
}

impl SeenRecord {
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        self.fields.iter().find(|(seen, _)| seen == name).map(|(_, value)| &value[..])
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).map(|value| std::str::from_utf8(value).expect("is text"))
    }
}

/// All records of decoded bytes. Panics on anything that is not as it should be.
pub(super) fn parse_all(mut bytes: &[u8]) -> Vec<SeenRecord> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        let (record, rest) = parse_one(bytes);
        records.push(record);
        bytes = rest;
    }
    records
}

fn parse_one(bytes: &[u8]) -> (SeenRecord, &[u8]) {
    let head_len = bytes.windows(4).position(|w| w == b"\r\n\r\n").expect("a head has an end") + 4;
    let mut lines =
        bytes[..head_len - 4].split(|&b| b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let version = String::from_utf8(lines.next().expect("a version").to_vec()).expect("is text");
    assert!(version == "WARC/1.0" || version == "WARC/1.1", "{version:?}");
    let fields: Vec<_> = lines.map(parse_field).collect();
    let len = fields.iter().find(|(name, _)| name == "Content-Length").expect("a length");
    let len: usize = std::str::from_utf8(&len.1).expect("is text").parse().expect("is a number");
    let (block, rest) = bytes[head_len..].split_at(len);
    let rest = rest.strip_prefix(b"\r\n\r\n").expect("a record is closed");
    (SeenRecord { version, fields, block: block.to_vec() }, rest)
}

fn parse_field(line: &[u8]) -> (String, Vec<u8>) {
    let colon = line.windows(2).position(|w| w == b": ").expect("a field has a colon");
    (String::from_utf8(line[..colon].to_vec()).expect("a name is text"), line[colon + 2..].to_vec())
}

/// The decoded bytes of a stored file or of one record in it, whose dictionary is at hand.
pub(super) fn decode(stored: &[u8], dictionary: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    match stored {
        [0x1f, 0x8b, ..] => {
            flate2::bufread::MultiGzDecoder::new(stored).read_to_end(&mut decoded).expect("sound gzip");
        }
        [0x28, 0xb5, ..] | [0x5d, 0x2a, ..] => {
            let mut frames =
                zstd::stream::read::Decoder::with_dictionary(stored, dictionary).expect("a dictionary");
            frames.read_to_end(&mut decoded).expect("sound zstd");
        }
        plain => decoded.extend_from_slice(plain),
    }
    decoded
}
