//! The body without its content codings.

use std::borrow::Cow;
use std::io::Read;

use tamis_archive::http::{BodyReader, DecodeLimits, Extent, HttpHead};

/// The most bytes that one coded byte may give; pages of tables reach 200.
const MOST_RATIO: u32 = 1000;

/// The body with its content codings undone, up to a number of bytes, and whether that is all of it.
pub(crate) fn decoded<'a>(
    body: &'a [u8],
    content_encoding: Option<&str>,
    most_bytes: usize,
) -> (Cow<'a, [u8]>, bool) {
    let codings = content_encoding
        .map(str::trim)
        .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"));
    let Some(codings) = codings else {
        let len = body.len().min(most_bytes);
        return (Cow::Borrowed(&body[..len]), len == body.len());
    };
    let mut head = HttpHead::default();
    head.parse(format!("HTTP/1.1 200 OK\r\nContent-Encoding: {codings}\r\n\r\n").as_bytes(), Extent::Whole);
    let limits = DecodeLimits { max_output_bytes: most_bytes as u64, max_ratio: MOST_RATIO };
    let mut reader = BodyReader::new(&head, body, limits);
    let mut page = Vec::with_capacity(body.len().saturating_mul(4).min(most_bytes));
    // Reading a slice does not fail; a body that does not decode ends early.
    let is_read = reader.read_to_end(&mut page).is_ok();
    let is_whole = is_read && reader.outcome().end == tamis_archive::http::BodyEnd::Complete;
    (Cow::Owned(page), is_whole)
}
