//! The encoding that bytes most likely are in, where nobody says.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

/// As much as the statistics need; more only takes time.
const SAMPLE: usize = 1 << 15;

/// The most likely encoding other than UTF-8, which the caller has ruled out.
pub(super) fn detect(bytes: &[u8], tld: Option<&str>) -> &'static Encoding {
    let sample = sample(bytes);
    // Nothing that we read runs scripts, which is why browsers leave ISO-2022-JP out.
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, sample.len() == bytes.len());
    let tld =
        tld.map(str::to_ascii_lowercase).filter(|tld| tld.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    detector.guess(tld.as_ref().map(String::as_bytes), Utf8Detection::Deny)
}

/// From shortly before the first byte that tells something.
fn sample(bytes: &[u8]) -> &[u8] {
    let telling = bytes.iter().position(|&byte| byte >= 0x80 || byte == 0x1B).unwrap_or(0);
    let rest = &bytes[telling.saturating_sub(64)..];
    &rest[..rest.len().min(SAMPLE)]
}

/// Whether ASCII bytes hold an escape to the Japanese characters of ISO-2022-JP.
pub(super) fn has_iso_2022_jp_escape(bytes: &[u8]) -> bool {
    memchr::memchr_iter(0x1B, bytes).any(|at| matches!(bytes.get(at + 1..at + 3), Some(b"$B" | b"$@")))
}
