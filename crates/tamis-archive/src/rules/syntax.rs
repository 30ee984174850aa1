//! The forms of field values.

use std::net::IpAddr;

use crate::fields::trim;
use crate::head::without_brackets;
use crate::{RecordType, Timestamp, Version};

/// The form that a field's value has.
#[derive(Clone, Copy)]
pub(super) enum Syntax {
    /// A URI in angle brackets that names a record.
    Id,
    /// A bare URI. The grammar of WARC 1.0 asks for angle brackets too, against its own examples.
    Uri,
    /// A URI, bare or in angle brackets.
    Profile,
    Date,
    /// A number of bytes, whose absence or nonsense the reader reports.
    Length,
    Number,
    Type,
    MediaType,
    Digest,
    Ip,
    Token,
    Text,
}

/// What is wrong with a value.
#[derive(Clone, Copy)]
pub(super) struct Flaw {
    pub(super) code: &'static str,
    pub(super) what: &'static str,
}

#[expect(clippy::unnecessary_wraps, reason = "spares a Some around each of the many flaws")]
const fn flaw(code: &'static str, what: &'static str) -> Option<Flaw> {
    Some(Flaw { code, what })
}

/// What is wrong with a value of this form, if anything. The value is not empty.
pub(super) fn check_value(syntax: Syntax, value: &[u8], version: Version) -> Option<Flaw> {
    match syntax {
        Syntax::Id => check_id(value),
        Syntax::Uri if value.starts_with(b"<") => {
            check_uri(without_brackets(value)).or(flaw("advice-target-brackets", "written without brackets"))
        }
        Syntax::Uri => check_uri(value),
        Syntax::Profile => check_uri(without_brackets(value)),
        Syntax::Date => check_date(value, version),
        Syntax::Length if value.starts_with(b"+") => flaw("bad-number", "a sign before the number"),
        Syntax::Number if number(value).is_none() => flaw("bad-number", "not a number"),
        Syntax::Type if !is_token(value) => flaw("bad-type", "not a record type"),
        Syntax::Type if RecordType::from_name(value) == RecordType::Other => {
            flaw("advice-unknown-type", "not a type of the standard, to be ignored")
        }
        Syntax::MediaType if !has_media_type(value) => flaw("bad-media-type", "not a media type"),
        Syntax::Digest => check_digest(value),
        Syntax::Ip if !is_ip(value) => flaw("bad-ip", "not an IP address"),
        Syntax::Token if !is_token(value) => flaw("bad-token", "not a single word"),
        _ => None,
    }
}

/// A field's name is a token.
pub(super) fn check_name(name: &[u8]) -> Option<Flaw> {
    if is_token(name) { None } else { flaw("bad-field-name", "the field name is not a token") }
}

/// A value is UTF-8 without control characters.
pub(super) fn check_text(value: &[u8]) -> Option<Flaw> {
    if value.iter().any(|&b| b.is_ascii_control() && b != b'\t') {
        return flaw("bad-text", "control characters in the value");
    }
    if std::str::from_utf8(value).is_err() { flaw("bad-text", "the value is not UTF-8") } else { None }
}

/// Digits alone, as a number.
pub(super) fn number(value: &[u8]) -> Option<u64> {
    if !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(value).ok()?.parse().ok()
}

/// Whether a `Content-Type` value names this media type, whatever its parameters.
pub(super) fn is_media_type(value: &[u8], media_type: &[u8]) -> bool {
    first_part(value).eq_ignore_ascii_case(media_type)
}

/// The value of a media type's parameter, without quotation marks.
pub(super) fn parameter<'a>(value: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    value.split(|&b| b == b';').skip(1).find_map(|part| {
        let equals = memchr::memchr(b'=', part)?;
        let is_it = trim(&part[..equals]).eq_ignore_ascii_case(name);
        let found = trim(&part[equals + 1..]);
        is_it.then(|| found.strip_prefix(b"\"").and_then(|v| v.strip_suffix(b"\"")).unwrap_or(found))
    })
}

fn first_part(value: &[u8]) -> &[u8] {
    trim(&value[..memchr::memchr(b';', value).unwrap_or(value.len())])
}

/// Whether a `Content-Type` value begins with a type and a subtype.
pub(crate) fn has_media_type(value: &[u8]) -> bool {
    let media_type = first_part(value);
    memchr::memchr(b'/', media_type)
        .is_some_and(|slash| is_token(&media_type[..slash]) && is_token(&media_type[slash + 1..]))
}

/// RFC 2616, section 2.2.
pub(crate) fn is_token(value: &[u8]) -> bool {
    let is_part = |b: &u8| b.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?={}".contains(b);
    !value.is_empty() && value.iter().all(is_part)
}

fn is_ip(value: &[u8]) -> bool {
    std::str::from_utf8(value).is_ok_and(|text| text.parse::<IpAddr>().is_ok())
}

fn check_id(value: &[u8]) -> Option<Flaw> {
    let uri = without_brackets(value);
    if let Some(found) = check_uri(uri) {
        return Some(found);
    }
    if uri.len() == value.len() {
        return flaw("bad-id", "not in angle brackets");
    }
    let is_urn = uri.get(..9).is_some_and(|start| start.eq_ignore_ascii_case(b"urn:uuid:"));
    if is_urn && !has_shape(&uri[9..], b"hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh") {
        return flaw("advice-uuid", "not a UUID of 32 digits in five groups");
    }
    None
}

/// RFC 3986, as far as a value can be told from what is no URI at all: a scheme, a colon, and no blanks behind it.
fn check_uri(uri: &[u8]) -> Option<Flaw> {
    let colon = memchr::memchr(b':', uri).unwrap_or(0);
    let is_scheme_part = |b: &u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
    let (scheme, rest) = uri.split_at(colon);
    if !scheme.first().is_some_and(u8::is_ascii_alphabetic) || !scheme.iter().all(is_scheme_part) {
        return flaw("bad-uri", "not a URI with a scheme");
    }
    if rest.len() < 2 {
        return flaw("bad-uri", "a scheme with nothing after it");
    }
    if uri.iter().any(u8::is_ascii_whitespace) {
        return flaw("bad-uri", "a blank inside the URI");
    }
    if is_escaped(rest) {
        None
    } else {
        flaw("advice-uri-escape", "characters that must be percent-encoded in a URI")
    }
}

/// Whether all characters are those of RFC 3986 and every percent sign stands before two hexadecimal digits.
fn is_escaped(rest: &[u8]) -> bool {
    let is_hex = |at: usize| rest.get(at).is_some_and(u8::is_ascii_hexdigit);
    rest.iter().enumerate().all(|(at, b)| match b {
        b'%' => is_hex(at + 1) && is_hex(at + 2),
        _ => b.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(b),
    })
}

/// WARC 1.1 takes every precision of the W3C's profile of ISO 8601, older versions whole seconds alone.
fn check_date(value: &[u8], version: Version) -> Option<Flaw> {
    if Timestamp::parse(value).is_none() {
        return flaw("bad-date", "not a date");
    }
    if matches!(version, Version::Arc1 | Version::Arc2 | Version::Warc(0, 9))
        || has_shape(value, b"dddd-dd-ddTdd:dd:ddZ")
    {
        return None;
    }
    let is_old = matches!(version, Version::Warc(0, _) | Version::Warc(1, 0));
    let (start, end) = value.split_at(value.len().min(19));
    if has_shape(start, b"dddd-dd-ddTdd:dd:dd") && is_fraction(end) {
        return if is_old { flaw("advice-date-fraction", "fractions require WARC 1.1") } else { None };
    }
    let shorter: [&[u8]; 4] = [b"dddd", b"dddd-dd", b"dddd-dd-dd", b"dddd-dd-ddTdd:ddZ"];
    if !is_old && shorter.iter().any(|shape| has_shape(value, shape)) {
        return None;
    }
    flaw("bad-date", "not in the form YYYY-MM-DDThh:mm:ssZ")
}

/// A point, one to nine digits, and the letter Z.
fn is_fraction(bytes: &[u8]) -> bool {
    match bytes {
        [b'.', digits @ .., b'Z' | b'z'] => {
            (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// Whether a value has a shape in which `d` is a digit, `h` a hexadecimal one, and any other letter itself.
fn has_shape(value: &[u8], shape: &[u8]) -> bool {
    value.len() == shape.len()
        && value.iter().zip(shape).all(|(b, shape)| match shape {
            b'd' => b.is_ascii_digit(),
            b'h' => b.is_ascii_hexdigit(),
            _ => b.eq_ignore_ascii_case(shape),
        })
}

/// `algorithm:value`, the value in hexadecimal, base 32 or base 64 and as long as the algorithm makes it.
fn check_digest(value: &[u8]) -> Option<Flaw> {
    let Some(colon) = memchr::memchr(b':', value) else {
        return flaw("bad-digest", "no algorithm before a colon");
    };
    let (label, text) = (&value[..colon], &value[colon + 1..]);
    if !is_token(label) {
        return flaw("bad-digest", "no algorithm before a colon");
    }
    if text.is_empty() || !text.iter().all(|b| b.is_ascii_alphanumeric() || b"+/=-_".contains(b)) {
        return flaw("bad-digest", "not a digest");
    }
    match digest_len(label) {
        Some(len) if !encodes(text, len) => flaw("bad-digest", "wrong length for the algorithm"),
        _ => None,
    }
}

/// The bytes of a digest by this algorithm, where we know it.
fn digest_len(label: &[u8]) -> Option<usize> {
    let is = |name: &str| label.eq_ignore_ascii_case(name.as_bytes());
    match () {
        () if is("md5") => Some(16),
        () if is("sha1") || is("sha-1") => Some(20),
        () if is("sha256") || is("sha-256") => Some(32),
        () if is("sha384") || is("sha-384") => Some(48),
        () if is("sha512") || is("sha-512") => Some(64),
        () => None,
    }
}

/// Whether a text can be this many bytes in hexadecimal, base 32 or base 64, with or without padding.
fn encodes(text: &[u8], len: usize) -> bool {
    let bare = &text[..text.iter().rposition(|&b| b != b'=').map_or(0, |last| last + 1)];
    let is_padded_to =
        |group: usize| text.len() == bare.len() || text.len() == bare.len().next_multiple_of(group);
    let is_base32 = |b: &u8| b.is_ascii_alphabetic() || (b'2'..=b'7').contains(b);
    let is_base64 = |b: &u8| *b != b'=';
    (text.len() == 2 * len && text.iter().all(u8::is_ascii_hexdigit))
        || (bare.len() == (8 * len).div_ceil(5) && is_padded_to(8) && bare.iter().all(is_base32))
        || (bare.len() == (8 * len).div_ceil(6) && is_padded_to(4) && bare.iter().all(is_base64))
}
