//! The text of a head, and what may stand in it.

use std::io::Write;

use super::{NewRecord, RecordId, WarcVersion};
use crate::{Error, Result, Version};

/// What a head says that the record alone does not know.
#[derive(Debug)]
pub(super) struct HeadFacts<'a> {
    pub(super) version: WarcVersion,
    pub(super) id: &'a RecordId,
    pub(super) warcinfo_id: Option<&'a RecordId>,
    pub(super) block_digest: Option<&'a str>,
    pub(super) payload_digest: Option<&'a str>,
    pub(super) content_length: u64,
}

/// The block of a warcinfo or metadata record: lines of `name: value`.
pub fn warc_fields<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Vec<u8>> {
    let mut block = Vec::new();
    for (name, value) in fields {
        let value = value.trim();
        check_name(name).and_then(|()| check_value(value.as_bytes())).map_err(|why| Error::Value {
            what: "header field",
            value: format!("{name}: {value}"),
            why: why.into(),
        })?;
        line(&mut block, name, value.as_bytes());
    }
    Ok(block)
}

/// Puts the whole head, through its empty line, into `out`. The record has been checked.
pub(super) fn write_head(out: &mut Vec<u8>, record: &NewRecord, facts: &HeadFacts<'_>) {
    out.clear();
    shown(out, format_args!("{}\r\n", Version::from(facts.version)));
    line(out, "WARC-Type", record.record_type.name().as_bytes());
    shown(out, format_args!("WARC-Record-ID: {}\r\n", facts.id));
    shown(out, format_args!("WARC-Date: {}\r\n", facts.version.date(record.date)));
    for (name, value) in record.fields.iter() {
        bytes_line(out, name, value);
    }
    if let Some(date) = record.refers_to_date {
        shown(out, format_args!("WARC-Refers-To-Date: {}\r\n", facts.version.date(date)));
    }
    if let Some(profile) = record.profile {
        line(out, "WARC-Profile", profile.uri(facts.version).as_bytes());
    }
    if let Some(id) = facts.warcinfo_id {
        shown(out, format_args!("WARC-Warcinfo-ID: {id}\r\n"));
    }
    let optional = [
        ("WARC-Block-Digest", facts.block_digest),
        ("WARC-Payload-Digest", facts.payload_digest),
        ("Content-Type", record.content_type.as_deref()),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            line(out, name, value.as_bytes());
        }
    }
    shown(out, format_args!("Content-Length: {}\r\n\r\n", facts.content_length));
}

/// A token of RFC 2616: what a field name may be.
pub(super) fn check_name(name: &str) -> Result<(), &'static str> {
    const SEPARATORS: &[u8] = b"()<>@,;:\\\"/[]?={}";
    let is_token = |b: u8| b.is_ascii_graphic() && !SEPARATORS.contains(&b);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err("a field name is letters, digits and hyphens");
    }
    Ok(())
}

/// No control character but the tab: CR and LF would begin another field or the block.
pub(super) fn check_value(value: &[u8]) -> Result<(), &'static str> {
    if value.iter().any(|&b| (b < b' ' && b != b'\t') || b == 0x7f) {
        return Err("a header value has no line ends and no control characters");
    }
    Ok(())
}

fn line(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    bytes_line(out, name.as_bytes(), value);
}

fn bytes_line(out: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    for part in [name, b": ", value, b"\r\n"] {
        out.extend_from_slice(part);
    }
}

fn shown(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("memory takes every byte");
}
