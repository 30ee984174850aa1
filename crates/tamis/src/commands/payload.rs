//! The payload of a record, bounded.

use std::io::{self, Read};

use tamis_archive::http::{BodyEnd, DecodeLimits, HttpHead};
use tamis_archive::{Body, Content, Payload};

/// The payload of a record.
pub(super) struct Payloaded {
    pub(super) bytes: Vec<u8>,
    /// Whether bytes of it are lost.
    pub(super) is_cut: bool,
}

/// The payload of a record whose content was just looked at, or none where it is larger than `most`.
pub(super) fn read(
    content: &Content,
    body: &mut Body<'_>,
    http: &mut HttpHead,
    most: u64,
) -> io::Result<Option<Payloaded>> {
    let limits = DecodeLimits { max_output_bytes: most, ..DecodeLimits::default() };
    let mut payload = Payload::of(content, body, http, limits)?.take(most.saturating_add(1));
    let mut bytes = Vec::new();
    payload.read_to_end(&mut bytes)?;
    let end = payload.get_ref().outcome().map_or(BodyEnd::Complete, |outcome| outcome.end);
    if end == BodyEnd::Limit || bytes.len() as u64 > most {
        return Ok(None);
    }
    Ok(Some(Payloaded { bytes, is_cut: matches!(end, BodyEnd::Truncated | BodyEnd::Corrupt) }))
}
