//! A head that keeps the rules, out of one that does not.

use std::borrow::Cow;

use super::RecordId;
use crate::convert::{escaped_bytes, escaped_uri, printable};
use crate::head_lines::{HeadLine, head_lines};
use crate::rules::{field_flaw, is_single, is_token};
use crate::{FaultKind, Head, Precision, RecordType, Severity, Timestamp, Version, check_head};

/// What the head must say.
pub(super) struct Needs<'a> {
    pub(super) block_len: u64,
    /// Fields that state another digest than this one.
    pub(super) digests: &'a [(&'static str, String)],
    pub(super) is_truncated: bool,
    /// The id of a record without one.
    pub(super) id: RecordId,
}

/// A head, and what was done to it.
pub(super) struct MendedHead {
    pub(super) raw: Vec<u8>,
    /// What was mended, each kind once.
    pub(super) kinds: Vec<&'static str>,
    /// The rules that are still broken.
    pub(super) remaining: Vec<FaultKind>,
}

/// Mends a WARC head of named fields. Lines that are right keep their bytes, but for a bare LF at their end. What a line
/// said before is kept under a name of its own; only empty lines and second copies go without a trace.
pub(super) fn mend_head(head: &Head, needs: &Needs<'_>, first: &[u8]) -> MendedHead {
    let mut mending = Mending { head, needs, out: Vec::new(), kinds: Vec::new(), seen: Vec::new() };
    let (version, lines) = head_lines(head.raw());
    mending.version(version);
    for line in lines {
        mending.line(&line);
    }
    mending.missing(first);
    if !head.raw().ends_with(b"\r\n\r\n") {
        mending.note("line-ends");
    }
    mending.out.extend_from_slice(b"\r\n");
    let Mending { out, kinds, .. } = mending;
    let raw = if kinds.is_empty() { head.raw().to_vec() } else { out };
    let remaining = broken_rules(&raw);
    MendedHead { raw, kinds, remaining }
}

fn broken_rules(raw: &[u8]) -> Vec<FaultKind> {
    let mut head = Head { raw: raw.to_vec(), ..Head::default() };
    let mut broken = Vec::new();
    head.parse_warc(&mut |kind| broken.push(kind));
    check_head(&head, &mut |kind| broken.push(kind));
    broken.retain(|kind| kind.severity() > Severity::Note);
    broken
}

struct Mending<'a> {
    head: &'a Head,
    needs: &'a Needs<'a>,
    out: Vec<u8>,
    kinds: Vec<&'static str>,
    /// Fields written so far that a record has once at most, by name in lower case.
    seen: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Mending<'_> {
    fn note(&mut self, kind: &'static str) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }

    fn version(&mut self, line: &[u8]) {
        let version = self.head.version();
        let is_known = matches!(version, Version::Warc(0, 17 | 18) | Version::Warc(1, 0 | 1));
        let clean = if is_known { version } else { Version::Warc(1, 1) }.to_string();
        let stated = line.strip_suffix(b"\n").unwrap_or(line);
        let stated = stated.strip_suffix(b"\r").unwrap_or(stated);
        if stated.eq_ignore_ascii_case(clean.as_bytes()) {
            self.keep(line);
        } else {
            self.out.extend_from_slice(clean.as_bytes());
            self.out.extend_from_slice(b"\r\n");
            self.set_aside(b"Version", stated, "version");
        }
    }

    /// A line as it is, with CRLF at the end of each of its lines.
    fn keep(&mut self, raw: &[u8]) {
        let mut is_changed = false;
        for line in raw.split_inclusive(|&b| b == b'\n') {
            let end = line.iter().rposition(|b| !matches!(b, b'\r' | b'\n')).map_or(0, |last| last + 1);
            is_changed |= &line[end..] != b"\r\n";
            self.out.extend_from_slice(&line[..end]);
            self.out.extend_from_slice(b"\r\n");
        }
        if is_changed {
            self.note("line-ends");
        }
    }

    /// A field as it is, on one line if one of its lines is blank: to some readers that is the end of the head.
    fn keep_field(&mut self, line: &HeadLine<'_>, name: &[u8], text: &[u8]) {
        let mut continued = line.raw.split_inclusive(|&b| b == b'\n').skip(1);
        if continued.any(|part| part.trim_ascii().is_empty()) {
            self.note("line-ends");
            self.push(name, text);
        } else {
            self.keep(line.raw);
        }
    }

    fn push(&mut self, name: &[u8], value: &[u8]) {
        for part in [name, b": ", value, b"\r\n"] {
            self.out.extend_from_slice(part);
        }
    }

    /// What the line said goes under a name of its own.
    fn set_aside(&mut self, name: &[u8], value: &[u8], kind: &'static str) {
        self.note(kind);
        let own = [b"Tamis-Original-", name].concat();
        self.push(&own, printable(value).as_bytes());
    }

    /// Bytes that a field cannot hold go under a name of its own, too, none of them lost.
    fn set_bytes_aside(&mut self, name: &[u8], value: &[u8]) {
        self.note("text");
        let own = [b"Tamis-Original-", name].concat();
        self.push(&own, escaped_bytes(value).as_bytes());
    }

    fn line(&mut self, line: &HeadLine<'_>) {
        let value = line.value();
        let Some(name) = line.name.filter(|name| is_token(name)) else {
            let whole = HeadLine { name: None, ..*line }.value();
            if whole.is_empty() {
                return self.note("header-line");
            }
            return self.set_aside(b"Line", &whole, "header-line");
        };
        if line.is_named("Content-Length") {
            return self.content_length(line, &value);
        }
        // Where the head itself is in doubt, what the payload is may be, too: its digest is kept aside, not vouched for.
        if self.needs.is_truncated && line.is_named("WARC-Payload-Digest") {
            return self.set_aside(b"WARC-Payload-Digest", &value, "digest");
        }
        let digest = self.needs.digests.iter().find(|(field, _)| line.is_named(field));
        if let Some((field, actual)) = digest {
            let is_first = !self.is_seen(field.as_bytes());
            self.set_aside(field.as_bytes(), &value, "digest");
            if is_first {
                self.field(field.as_bytes(), actual.as_bytes());
            }
            return;
        }
        let text = if std::str::from_utf8(&value).is_ok() && !has_controls(&value) {
            Cow::Borrowed(&value[..])
        } else {
            self.set_bytes_aside(name, &value);
            let text = if is_uri(name) { escaped_uri(&value) } else { printable(&value) };
            Cow::Owned(text.into_bytes())
        };
        self.judged_field(line, name, &value, &text);
    }

    /// A field that is text: kept if it keeps the rules, mended if it can be, else set aside.
    fn judged_field(&mut self, line: &HeadLine<'_>, name: &[u8], value: &[u8], text: &[u8]) {
        if is_single(name)
            && let Some((_, before)) = self.seen.iter().find(|(seen, _)| seen.eq_ignore_ascii_case(name))
        {
            if *before == text {
                return self.note("repeated-field");
            }
            return self.set_aside(name, text, "repeated-field");
        }
        let Some(flaw) = field_flaw(self.head, name, text) else {
            self.remember(name, text);
            return if text == value { self.keep_field(line, name, text) } else { self.push(name, text) };
        };
        let mended = self.mended_value(flaw, name, text);
        let mended = mended.filter(|it| field_flaw(self.head, name, it).is_none());
        match (flaw, mended) {
            ("empty-field", _) => self.note("empty-field"),
            (_, Some(mended)) => {
                self.field(name, &mended);
                self.set_aside(name, text, flaw);
            }
            // Nothing else says what the record is, was about or was made at.
            _ if is_essential(name) && flaw != "forbidden-field" => {
                self.remember(name, text);
                self.keep_field(line, name, text);
            }
            _ => self.set_aside(name, text, flaw),
        }
    }

    /// The value in the form that the rule asks for, if it says the same.
    fn mended_value(&self, flaw: &str, name: &[u8], value: &[u8]) -> Option<Vec<u8>> {
        match flaw {
            "bad-date" => {
                let date = Timestamp::parse(value)?;
                // Fractions came with WARC 1.1; what is written shorter becomes its first second.
                let has_fractions = !matches!(self.head.version(), Version::Warc(0, _) | Version::Warc(1, 0));
                let is_fraction = matches!(date.precision(), Precision::Fraction(_));
                let date = if has_fractions && is_fraction { date } else { date.to_seconds() };
                Some(date.to_string().into_bytes())
            }
            "bad-id" => Some([b"<", value, b">"].concat()),
            "bad-uri" if is_uri(name) => Some(escaped_uri(value).into_bytes()),
            _ => None,
        }
    }

    fn content_length(&mut self, line: &HeadLine<'_>, value: &[u8]) {
        let right = self.needs.block_len.to_string();
        let is_first = !self.is_seen(b"Content-Length");
        if is_first && value == right.as_bytes() {
            self.remember(b"Content-Length", value);
            return self.keep(line.raw);
        }
        if is_first {
            self.note("length");
            self.field(b"Content-Length", right.as_bytes());
        }
        if value.is_empty() || value == right.as_bytes() {
            return self.note("repeated-field");
        }
        self.set_aside(b"Content-Length", value, if is_first { "length" } else { "repeated-field" });
    }

    /// Fields that must be there and are not, as far as they follow from what is known.
    fn missing(&mut self, first: &[u8]) {
        if !self.is_seen(b"WARC-Record-ID") {
            self.note("record-id");
            self.field(b"WARC-Record-ID", self.needs.id.to_string().as_bytes());
        }
        if !self.is_seen(b"Content-Type")
            && self.needs.block_len > 0
            && self.head.record_type() != RecordType::Continuation
        {
            self.note("content-type");
            self.field(b"Content-Type", self.content_type(first));
        }
        if self.needs.is_truncated && !self.is_seen(b"WARC-Truncated") {
            self.note("truncated");
            self.field(b"WARC-Truncated", b"unspecified");
        }
        if !self.is_seen(b"Content-Length") {
            self.note("length");
            self.field(b"Content-Length", self.needs.block_len.to_string().as_bytes());
        }
    }

    /// What readers take the block for when nothing is said.
    fn content_type(&self, first: &[u8]) -> &'static [u8] {
        let is_answer = first.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"));
        match self.head.record_type() {
            RecordType::Warcinfo => b"application/warc-fields",
            RecordType::Response | RecordType::Revisit if is_answer => b"application/http;msgtype=response",
            RecordType::Request if self.head.holds_http() => b"application/http;msgtype=request",
            _ => b"application/octet-stream",
        }
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        self.remember(name, value);
        self.push(name, value);
    }

    fn remember(&mut self, name: &[u8], value: &[u8]) {
        if is_single(name) {
            self.seen.push((name.to_ascii_lowercase(), value.to_vec()));
        }
    }

    fn is_seen(&self, name: &[u8]) -> bool {
        self.seen.iter().any(|(seen, _)| seen.eq_ignore_ascii_case(name))
    }
}

fn is_uri(name: &[u8]) -> bool {
    [&b"WARC-Target-URI"[..], b"WARC-Refers-To-Target-URI", b"WARC-Profile"]
        .iter()
        .any(|uri| name.eq_ignore_ascii_case(uri))
}

fn is_essential(name: &[u8]) -> bool {
    [&b"WARC-Type"[..], b"WARC-Date", b"WARC-Target-URI", b"WARC-Profile"]
        .iter()
        .any(|essential| name.eq_ignore_ascii_case(essential))
}

fn has_controls(value: &[u8]) -> bool {
    value.iter().any(|b| b.is_ascii_control() && *b != b'\t')
}
