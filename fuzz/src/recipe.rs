//! An archive made to order: compression and checksums are walls that no fuzzer gets over by flipping bits, so it may
//! say what shall be compressed instead.

use tamis_testkit::member;

/// What parts an archive's parts.
const MARK: &[u8] = b"~~~";

/// What a zstd dictionary begins with that is more than bytes to refer to (RFC 8878, section 5).
const DICTIONARY_MAGIC: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

/// What stands for half a kilobyte of text, as often as the byte behind it says.
const FILLER: &[u8] = b"~#";

/// The most bytes that a recipe makes.
const LIMIT: usize = 300 << 10;

/// The archive that a recipe asks for: parts behind `~~~` and a letter that says how each is stored. `~#` and a byte make a
/// block long, so that the ends of windows are met.
pub fn archive(recipe: &[u8]) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut dictionary = Vec::new();
    for part in parts(recipe) {
        let Some((&how, plain)) = part.split_first() else { continue };
        let plain = filled(plain, LIMIT.saturating_sub(archive.len()));
        archive.extend(stored(how, &plain, &dictionary));
        if matches!(how, b'D' | b'C') {
            dictionary = if plain.starts_with(&DICTIONARY_MAGIC) { Vec::new() } else { plain };
        }
    }
    archive
}

/// The bytes with their fillers, up to a limit.
fn filled(mut rest: &[u8], limit: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(at) = rest.windows(FILLER.len() + 1).position(|bytes| bytes.starts_with(FILLER)) {
        out.extend_from_slice(&rest[..at]);
        let times = usize::from(rest[at + FILLER.len()]) * 64;
        out.extend_from_slice(&b"filler\r\n".repeat(times.min(limit.saturating_sub(out.len()) / 8)));
        rest = &rest[at + FILLER.len() + 1..];
    }
    out.extend_from_slice(rest);
    out
}

fn stored(how: u8, plain: &[u8], dictionary: &[u8]) -> Vec<u8> {
    match how {
        b'g' => member::gzip(plain),
        b'G' => member::gzip_sl(plain),
        b'n' => member::gzip_named(plain, "a.warc"),
        b'c' => member::gzip_bad_crc(plain),
        b'l' => member::gzip_bad_length(plain),
        b'b' => member::gzip_bad_data(plain),
        b't' => member::clipped(&member::gzip(plain), 9),
        b'z' => member::zstd(plain),
        b'd' => member::zstd_with_dictionary(plain, dictionary),
        b'T' => member::clipped(&member::zstd(plain), 5),
        b'D' => member::dictionary_frame(plain, member::Dictionary::Raw),
        b'C' => member::dictionary_frame(plain, member::Dictionary::Compressed),
        _ => plain.to_vec(),
    }
}

/// The bytes between marks.
pub fn parts(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mark = rest.windows(MARK.len()).position(|bytes| bytes == MARK);
        let (part, behind) = match mark {
            Some(at) => (&rest[..at], &rest[at + MARK.len()..]),
            None => (rest, &rest[rest.len()..]),
        };
        rest = behind;
        Some(part)
    })
}
