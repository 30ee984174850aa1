//! The encoding that bytes most likely are in, where nobody says.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, IBM866};

/// As much as the statistics need; more only takes time.
const SAMPLE: usize = 1 << 15;

/// The most likely encoding other than UTF-8, which the caller has ruled out.
pub(super) fn detect(bytes: &[u8], tld: Option<&str>) -> &'static Encoding {
    let sample = sample(bytes);
    let tld =
        tld.map(str::to_ascii_lowercase).filter(|tld| tld.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let guess = guess(sample, sample.len() == bytes.len(), tld.as_deref());
    if guess == IBM866 && !is_written_in_ibm866(sample) {
        // What is usual where the page comes from.
        return self::guess(b"", true, tld.as_deref());
    }
    guess
}

fn guess(sample: &[u8], is_whole: bool, tld: Option<&str>) -> &'static Encoding {
    // Nothing that we read runs scripts, which is why browsers leave ISO-2022-JP out.
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, is_whole);
    detector.guess(tld.map(str::as_bytes), Utf8Detection::Deny)
}

/// Letters in words that IBM866 is taken for by: some two words.
const PROOF: usize = 10;

/// Whether a page shows Cyrillic words, should it be in IBM866.
///
/// That was the encoding of DOS, and hardly any page has it; but its small letters lie where windows-1252 has signs and its
/// capitals where that has dashes and quotation marks: a lone `§§` would be `зз`, a `—` would be `Ч`.
fn is_written_in_ibm866(sample: &[u8]) -> bool {
    let is_letter = |byte: &u8| matches!(byte, 0x80..=0xAF | 0xE0..=0xF1);
    let high = sample.iter().filter(|&&byte| byte >= 0x80).count();
    let words = sample.split(|byte| !is_letter(byte)).map(<[u8]>::len).filter(|&length| length >= 3);
    let in_words: usize = words.sum();
    in_words >= PROOF && in_words * 2 > high
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
