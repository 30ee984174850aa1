//! What ISO 28500 asks of a record's head, beyond what it takes to read the record.
//!
//! [`check_head`] looks at one head, [`FileRules`] at what heads of one file owe to each other. Both give
//! [`FaultKind::Rule`]; a code that begins with `advice-` names a recommendation or a habit that every reader copes
//! with, any other code a rule that is broken. What the reader itself stumbles over is not said twice: version lines
//! that cannot be read, lines that are no fields, a missing or senseless `Content-Length`, the end of the record.

mod segments;
mod syntax;
mod table;

use std::borrow::Cow;

use crate::fields::bytes_to_text;
use crate::head::without_brackets;
use crate::{FaultKind, Head, RecordType, Version};

pub use segments::{FileRules, HeadFacts};
use syntax::{Flaw, check_value};
pub(crate) use syntax::{has_media_type, is_token};
use table::{DEFINED, Defined, position};

/// The longest value that a detail quotes, in characters.
const QUOTED_CHARS: usize = 80;

/// Whether a rule's code names a recommendation or a common habit, which breaks no rule.
pub fn is_advice(code: &str) -> bool {
    code.starts_with("advice-")
}

/// What is wrong with one field by itself, by the code of the broken rule. Advice is not given.
pub(crate) fn field_flaw(head: &Head, name: &[u8], value: &[u8]) -> Option<&'static str> {
    let defined = &DEFINED[position(name)?];
    if value.is_empty() {
        return Some("empty-field");
    }
    if defined.forbidden.has(head.record_type()) {
        return Some("forbidden-field");
    }
    let flaw = check_value(defined.syntax, value, head.version())?;
    (!is_advice(flaw.code)).then_some(flaw.code)
}

/// Whether the standard defines the field and lets a record have it once at most.
pub(crate) fn is_single(name: &[u8]) -> bool {
    position(name).is_some_and(|index| !DEFINED[index].repeats)
}

/// Checks one head against the standard and reports what breaks it. Allocates only for what it reports.
///
/// Heads that are a line of words (ARC, WARC 0.9) have no rules of this standard; their date, address and URI are
/// checked all the same.
///
/// | code | meaning |
/// |---|---|
/// | `missing-field` | a field that the type of record must have |
/// | `forbidden-field` | a field that the type of record must not have |
/// | `repeated-field` | a field of the standard twice, other than `WARC-Concurrent-To` |
/// | `empty-field` | a field of the standard without a value |
/// | `bad-field-name`, `bad-text` | a name that is no token; a value with control characters or not in UTF-8 |
/// | `bad-type`, `bad-date`, `bad-number`, `bad-ip`, `bad-digest`, `bad-media-type`, `bad-token` | a value not of its form |
/// | `bad-uri`, `bad-id` | no URI; no URI in angle brackets |
/// | `missing-content-type` | a block without a media type |
/// | `content-type` | a warcinfo that is not `application/warc-fields`, an HTTP message of the wrong direction |
/// | `segment-number` | a continuation with number 1, any other record with a higher one |
/// | `unknown-version` | numbers of a version that no standard has |
/// | `bare-lf` | lines of the head that end in LF alone |
/// | `advice-target-brackets`, `advice-uri-escape`, `advice-uuid`, `advice-date-fraction` | forms of values that everybody reads |
/// | `advice-unfit-field`, `advice-unknown-type`, `advice-http-content-type` | fields, types and media types that the standard leaves open or merely recommends |
pub fn check_head(head: &Head, report: &mut impl FnMut(FaultKind)) {
    match head.version() {
        Version::Arc1 | Version::Arc2 | Version::Warc(0, 9) => return check_line_head(head, report),
        Version::Warc(..) | Version::Unknown => {}
    }
    let seen = check_fields(head, report);
    check_required(head, seen, report);
    check_content_type(head, report);
    check_segment_number(head, report);
    check_profile(head, report);
}

/// Checks each field by itself and gives the set of the standard's fields that are there, empty or not:
/// an empty one has been reported, and that it is missing too would say the same again.
fn check_fields(head: &Head, report: &mut impl FnMut(FaultKind)) -> u32 {
    let (mut seen, mut repeated) = (0_u32, 0_u32);
    for (name, value) in head.fields().iter() {
        let unreadable = syntax::check_name(name).or_else(|| syntax::check_text(value));
        if let Some(flaw) = unreadable {
            report_flaw(&shortened(name), value, flaw, report);
        }
        let Some(index) = position(name) else { continue };
        let (defined, bit) = (&DEFINED[index], 1 << index);
        if seen & bit != 0 && !defined.repeats && repeated & bit == 0 {
            broken("repeated-field", format!("{} is repeated", defined.name), report);
            repeated |= bit;
        }
        seen |= bit;
        if value.is_empty() {
            broken("empty-field", format!("{} has no value", defined.name), report);
            continue;
        }
        check_place(head.record_type(), defined, report);
        if let Some(flaw) =
            check_value(defined.syntax, value, head.version()).filter(|_| unreadable.is_none())
        {
            report_flaw(defined.name, value, flaw, report);
        }
    }
    seen
}

fn check_place(record_type: RecordType, defined: &Defined, report: &mut impl FnMut(FaultKind)) {
    if defined.forbidden.has(record_type) {
        broken(
            "forbidden-field",
            format!("{} does not belong in a {record_type} record", defined.name),
            report,
        );
    } else if defined.unfit.has(record_type) {
        broken(
            "advice-unfit-field",
            format!("{} has no meaning in a {record_type} record", defined.name),
            report,
        );
    }
}

fn check_required(head: &Head, seen: u32, report: &mut impl FnMut(FaultKind)) {
    for (index, defined) in DEFINED.iter().enumerate() {
        if seen & (1 << index) == 0 && defined.required.has(head.record_type()) {
            broken("missing-field", format!("{} is missing", defined.name), report);
        }
    }
}

/// ISO 28500 says that a block should have a media type, and in its registrations that a warcinfo's shall be
/// `application/warc-fields`; validators refuse both, and so do we.
fn check_content_type(head: &Head, report: &mut impl FnMut(FaultKind)) {
    let record_type = head.record_type();
    let Some(value) = head.fields().get("Content-Type") else {
        let has_block = head.content_length().is_some_and(|len| len > 0);
        if has_block && record_type != RecordType::Continuation {
            broken(
                "missing-content-type",
                "Content-Type is missing, and the block is not empty".into(),
                report,
            );
        }
        return;
    };
    if value.is_empty() {
        return;
    }
    let is_http = syntax::is_media_type(value, b"application/http");
    if record_type == RecordType::Warcinfo && !syntax::is_media_type(value, b"application/warc-fields") {
        let flaw =
            Flaw { code: "content-type", what: "a warcinfo record should have application/warc-fields" };
        report_flaw("Content-Type", value, flaw, report);
    }
    let direction = match record_type {
        RecordType::Response | RecordType::Revisit => &b"response"[..],
        RecordType::Request => b"request",
        _ => return,
    };
    if is_http && syntax::parameter(value, b"msgtype").is_some_and(|it| !it.eq_ignore_ascii_case(direction)) {
        let flaw = Flaw { code: "content-type", what: "msgtype does not match the record type" };
        report_flaw("Content-Type", value, flaw, report);
    } else if !is_http && record_type != RecordType::Revisit && targets_http(head) {
        let flaw =
            Flaw { code: "advice-http-content-type", what: "an HTTP message should have application/http" };
        report_flaw("Content-Type", value, flaw, report);
    }
}

fn targets_http(head: &Head) -> bool {
    let uri = head.fields().get("WARC-Target-URI").map(without_brackets).unwrap_or_default();
    [&b"http:"[..], b"https:"]
        .iter()
        .any(|scheme| uri.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// The first segment has number 1, a continuation a higher one.
fn check_segment_number(head: &Head, report: &mut impl FnMut(FaultKind)) {
    let Some(value) = head.fields().get("WARC-Segment-Number") else { return };
    let Some(number) = syntax::number(value) else { return };
    let is_continuation = head.record_type() == RecordType::Continuation;
    let what = match number {
        1 if is_continuation => "a continuation must have a number above 1",
        0 => "segments are numbered from 1",
        2.. if !is_continuation => "only a continuation may have a number above 1",
        _ => return,
    };
    report_flaw("WARC-Segment-Number", value, Flaw { code: "segment-number", what }, report);
}

/// A revisit that claims an identical payload says by its digest which payload that is.
fn check_profile(head: &Head, report: &mut impl FnMut(FaultKind)) {
    if head.record_type() != RecordType::Revisit || head.fields().get("WARC-Payload-Digest").is_some() {
        return;
    }
    let profile = head.fields().get("WARC-Profile").map(without_brackets).unwrap_or_default();
    if profile.ends_with(b"/identical-payload-digest") {
        let detail = "WARC-Payload-Digest is missing, and the profile is identical-payload-digest";
        broken("missing-field", detail.into(), report);
    }
}

fn check_line_head(head: &Head, report: &mut impl FnMut(FaultKind)) {
    for (name, value) in head.fields().iter() {
        let Some(index) = position(name) else { continue };
        let defined = &DEFINED[index];
        if !defined.in_line_heads || value.is_empty() {
            continue;
        }
        if let Some(flaw) = check_value(defined.syntax, value, head.version()) {
            report_flaw(defined.name, value, flaw, report);
        }
    }
}

fn broken(code: &'static str, detail: String, report: &mut impl FnMut(FaultKind)) {
    report(FaultKind::Rule { code, detail });
}

fn report_flaw(name: &str, value: &[u8], flaw: Flaw, report: &mut impl FnMut(FaultKind)) {
    broken(flaw.code, format!("{name} {:?}: {}", shortened(value), flaw.what), report);
}

/// The value as text, cut where it is too long to be shown.
fn shortened(value: &[u8]) -> Cow<'_, str> {
    let text = bytes_to_text(value);
    match text.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => text,
    }
}

#[cfg(test)]
mod tests;
