//! An archive made to order: compression and checksums are walls that no fuzzer gets over by flipping bits, so it may
//! say what shall be compressed instead.

use tamis_testkit::member;

/// What parts an archive's parts.
const MARK: &[u8] = b"~~~";

/// What a zstd dictionary begins with that is more than bytes to refer to (RFC 8878, section 5).
const DICTIONARY_MAGIC: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

/// The archive that a recipe asks for: parts behind `~~~` and a letter that says how each is stored.
pub fn archive(recipe: &[u8]) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut dictionary = Vec::new();
    for part in parts(recipe) {
        let Some((&how, plain)) = part.split_first() else { continue };
        archive.extend(stored(how, plain, &dictionary));
        if matches!(how, b'D' | b'C') {
            dictionary = if plain.starts_with(&DICTIONARY_MAGIC) { Vec::new() } else { plain.to_vec() };
        }
    }
    archive
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

fn parts(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
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
