//! The sketch of a text.

use std::collections::HashSet;

use super::minhash::{Filling, MinHash};
use super::{BASE, fold, karp_rabin};

/// How many words are a shingle of [`MinHash::of_text`].
pub const WORDS_IN_SHINGLE: usize = 5;
/// What a word that leaves the shingle was multiplied with.
const DROPPED: u64 = {
    let square = BASE.wrapping_mul(BASE);
    square.wrapping_mul(square).wrapping_mul(BASE)
};

/// The hash of a word is `karp_rabin`; that of a shingle is `h = h * BASE + w` over its words, from 0, folded with how many
/// they are.
pub(super) fn sketch(text: &[u8]) -> MinHash {
    let mut filling = Filling::new();
    each_shingle(text, |hash| filling.add(hash));
    if filling.has_empty_slots() { filling.finish_over(&shingles(text)) } else { filling.finish() }
}

/// The Jaccard similarity of two texts as [`MinHash::of_text`] estimates it, exactly: how many of their runs of five words
/// are common, of all that are in one or the other. Memory: 16 bytes for each word.
pub fn jaccard(one: &[u8], other: &[u8]) -> f64 {
    let (one, other) = (shingles(one), shingles(other));
    let common = one.intersection(&other).count();
    let all = one.len() + other.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

fn shingles(text: &[u8]) -> HashSet<u64> {
    let mut hashes = HashSet::new();
    each_shingle(text, |hash| _ = hashes.insert(hash));
    hashes
}

fn each_shingle(text: &[u8], mut found: impl FnMut(u64)) {
    let mut before = [0; WORDS_IN_SHINGLE];
    let mut sum = 0_u64;
    let mut words = 0;
    each_word(text, |word| {
        before[words % WORDS_IN_SHINGLE] = sum;
        sum = sum.wrapping_mul(BASE).wrapping_add(karp_rabin(word));
        words += 1;
        if words >= WORDS_IN_SHINGLE {
            let start = before[words % WORDS_IN_SHINGLE];
            found(fold(sum.wrapping_sub(start.wrapping_mul(DROPPED)), WORDS_IN_SHINGLE as u64));
        }
    });
    if (1..WORDS_IN_SHINGLE).contains(&words) {
        found(fold(sum, words as u64));
    }
}

fn each_word<'a>(text: &'a [u8], mut found: impl FnMut(&'a [u8])) {
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let len = match kind(rest) {
            Kind::Space => 0,
            Kind::Letter => {
                (1..rest.len()).find(|&end| kind(&rest[end..]) != Kind::Letter).unwrap_or(rest.len())
            }
            Kind::Alone | Kind::MayBeThai => rest.len().min(3),
        };
        if len > 0 {
            found(&rest[..len]);
        }
        at += len.max(1);
    }
}

#[inline]
fn kind(text: &[u8]) -> Kind {
    match KINDS[usize::from(text[0])] {
        Kind::MayBeThai if !matches!(text.get(1), Some(0xB8 | 0xB9)) => Kind::Letter,
        kind => kind,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Letter,
    /// The first byte of a letter of three that is a word.
    Alone,
    /// The next byte says whether it is [`Kind::Alone`] or [`Kind::Letter`].
    MayBeThai,
}

/// What a byte begins or goes on with. U+3000 to U+9FFF are Chinese and Japanese.
const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Letter; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte <= b' ' as usize {
            kinds[byte] = Kind::Space;
        } else if byte == 0xE0 {
            kinds[byte] = Kind::MayBeThai;
        } else if byte >= 0xE3 && byte <= 0xE9 {
            kinds[byte] = Kind::Alone;
        }
        byte += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        each_word(text.as_bytes(), |word| {
            words.push(std::str::from_utf8(word).expect("cut between letters"));
        });
        words
    }

    #[test]
    fn words_stand_between_spaces_and_letters_without_spaces_alone() {
        for (text, expected) in [
            ("", vec![]),
            ("  one\ttwo\n", vec!["one", "two"]),
            ("naïve Съешь", vec!["naïve", "Съешь"]),
            ("ab漢字 c", vec!["ab", "漢", "字", "c"]),
            ("สวย", vec!["ส", "ว", "ย"]),
            ("नमस्ते a", vec!["नमस्ते", "a"]),
        ] {
            assert_eq!(words(text), expected);
        }
    }

    /// Computed from the definition by another program.
    #[test]
    fn sketches_stay_what_they_are() {
        let long: Vec<u8> = (0..5000_u32)
            .flat_map(|at| format!("{} ", at.wrapping_mul(40_503) % 9973).into_bytes())
            .collect();
        for (text, all) in [
            (&b"word"[..], 0x138A_D30B_A134_F65A),
            ("the quick brown fox jumps over the lazy dog".as_bytes(), 0x663F_E774_F19C_7D8C),
            ("我能吞下玻璃而不伤身体".as_bytes(), 0x931E_1416_B4A0_E830),
            (&long, 0xE70C_7AAC_A667_19D5),
        ] {
            let hash = xxhash_rust::xxh3::xxh3_64(&sketch(text).to_bytes());
            assert_eq!(hash, all, "{hash:#x}");
        }
    }

    #[test]
    fn the_estimate_is_near_the_truth() {
        let text = |from: u32| {
            (from..from + 2000).map(|at| format!("w{}", at * at % 7919)).collect::<Vec<_>>().join(" ")
        };
        for shift in [0, 50, 200, 500, 3000] {
            let (one, other) = (text(0), text(shift));
            let exact = jaccard(one.as_bytes(), other.as_bytes());
            let estimate = sketch(one.as_bytes()).similarity(&sketch(other.as_bytes()));
            assert!((exact - estimate).abs() < 0.12, "{shift}: {exact} {estimate}");
        }
    }

    #[test]
    fn any_bytes_have_a_sketch() {
        for text in [&b"\xE3"[..], b"\xE0\xB8", b"\xFF\xFE\xE9a b", b" "] {
            sketch(text);
        }
        assert!(sketch(b" \n").is_empty());
        assert!((jaccard(b"", b"")).abs() < f64::EPSILON);
    }
}
