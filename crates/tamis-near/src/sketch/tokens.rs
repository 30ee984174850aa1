//! The tokens of a page as the reference cuts them: tags, scripts and words; and their shingles.

use memchr::memchr;

use super::{BASE, fold, karp_rabin};

/// A shingle spans at least so many characters.
pub(super) const SPAN: usize = 25;
/// Starts of shingles that wait for their end; each token has a character, so there are at most [`SPAN`].
const WAITING: usize = 32;
const POWERS: [u64; WAITING + 1] = powers();

/// A run of tokens that spans [`SPAN`] characters, from the first token on which it is that long.
pub(super) struct Shingle<'a> {
    /// Karp-Rabin over the hashes of its tokens, mixed.
    pub(super) hash: u64,
    /// From the start of its first token to the end of its last.
    pub(super) text: &'a [u8],
}

/// Calls `found` with every shingle of a page. A page that is shorter than one shingle is one.
pub(super) fn each_shingle<'a>(page: &'a [u8], mut found: impl FnMut(Shingle<'a>)) {
    let mut starts = [Start::default(); WAITING];
    let (mut first, mut count, mut sum, mut characters) = (0, 0, 0_u64, 0);
    let mut end = 0;
    let mut at = 0;
    while let Some((start, behind)) = next_token(page, at) {
        at = behind;
        end = behind;
        starts[count % WAITING] = Start { sum, characters, offset: start };
        count += 1;
        characters += behind - start;
        sum = sum.wrapping_mul(BASE).wrapping_add(karp_rabin(&page[start..behind]));
        while first < count && characters - starts[first % WAITING].characters >= SPAN {
            let start = starts[first % WAITING];
            found(Shingle { hash: start.hash_to(sum, count - first), text: &page[start.offset..behind] });
            first += 1;
        }
    }
    if first == 0 && count > 0 {
        found(Shingle { hash: starts[0].hash_to(sum, count), text: &page[starts[0].offset..end] });
    }
}

#[derive(Clone, Copy, Default)]
struct Start {
    /// Karp-Rabin over all tokens before.
    sum: u64,
    characters: usize,
    offset: usize,
}

impl Start {
    /// Takes what was before off the rolling hash.
    #[inline]
    fn hash_to(self, sum: u64, tokens: usize) -> u64 {
        fold(sum.wrapping_sub(self.sum.wrapping_mul(POWERS[tokens])), tokens as u64)
    }
}

/// Where the next token starts and ends.
#[inline]
fn next_token(page: &[u8], from: usize) -> Option<(usize, usize)> {
    let start = from + page[from..].iter().position(|byte| *byte > b' ')?;
    let rest = &page[start..];
    let len = if rest[0] != b'<' {
        rest.iter().position(|&byte| byte <= b' ' || byte == b'<').unwrap_or(rest.len())
    } else if rest.get(1..7).is_some_and(|name| name.eq_ignore_ascii_case(b"script")) {
        script_len(rest)
    } else {
        tag_len(rest)
    };
    Some((start, start + len))
}

#[inline]
fn tag_len(rest: &[u8]) -> usize {
    memchr(b'>', rest).map_or(rest.len(), |at| at + 1)
}

/// A script ends behind the tag that closes it.
fn script_len(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(tag) = memchr(b'<', &rest[at..]) {
        at += tag;
        if rest[at..].get(..8).is_some_and(|name| name.eq_ignore_ascii_case(b"</script")) {
            return at + tag_len(&rest[at..]);
        }
        at += 1;
    }
    rest.len()
}

const fn powers() -> [u64; WAITING + 1] {
    let mut powers = [1; WAITING + 1];
    let mut at = 1;
    while at <= WAITING {
        powers[at] = BASE.wrapping_mul(powers[at - 1]);
        at += 1;
    }
    powers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(page: &str) -> Vec<&str> {
        let mut at = 0;
        let mut tokens = Vec::new();
        while let Some((start, end)) = next_token(page.as_bytes(), at) {
            tokens.push(&page[start..end]);
            at = end;
        }
        tokens
    }

    fn shingles(page: &str) -> Vec<&str> {
        let mut texts = Vec::new();
        each_shingle(page.as_bytes(), |shingle| {
            texts.push(std::str::from_utf8(shingle.text).expect("ASCII"));
        });
        texts
    }

    #[test]
    fn tags_scripts_and_words_are_tokens() {
        for (page, expected) in [
            ("", vec![]),
            (" \n", vec![]),
            ("<title>Matten Engineering</title>", vec!["<title>", "Matten", "Engineering", "</title>"]),
            ("a<SCRIPT x>if (a < b) </b></Script >c", vec!["a", "<SCRIPT x>if (a < b) </b></Script >", "c"]),
            ("<script>never closed", vec!["<script>never closed"]),
            ("word <tag never closed", vec!["word", "<tag never closed"]),
            ("<", vec!["<"]),
        ] {
            assert_eq!(tokens(page), expected);
        }
    }

    #[test]
    fn shingles_span_25_characters() {
        assert_eq!(shingles("short page"), ["short page"]);
        assert_eq!(
            shingles("it was the best of times it was the worst of times"),
            [
                "it was the best of times it was the",
                "was the best of times it was the",
                "the best of times it was the worst",
                "best of times it was the worst of",
                "of times it was the worst of times",
                "times it was the worst of times",
            ]
        );
        let tag = "<a href='/a/long/tag/that/is/one/shingle'>";
        assert_eq!(shingles(&format!("{tag} {tag}")), [tag, tag]);
    }

    #[test]
    fn equal_shingles_have_equal_hashes_wherever_they_stand() {
        let mut hashes = Vec::new();
        let text = "the quick brown fox jumps over it ";
        each_shingle(text.repeat(3).as_bytes(), |shingle| hashes.push(shingle.hash));
        assert_eq!(hashes[0], hashes[7]);
        assert_ne!(hashes[0], hashes[1]);
    }
}
