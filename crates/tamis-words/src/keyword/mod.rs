//! Keywords of a text that states none: phrases that are told by the text alone.
//!
//! Words are scored as YAKE does (R. Campos et al., YAKE! Keyword extraction from single documents using multiple local features,
//! Information Sciences 509, 2020): by how often, where, in how many sentences, with which neighbours and how capitalised they
//! stand. Phrases have up to three words and neither begin nor end with a stop word.

mod count;
mod phrase;

use std::collections::HashSet;
use std::ops::Range;

use crate::stem::{OneLanguage, Stemmer};
use crate::stop_words::StopWords;
use crate::tokens::{Sentence, Token};

use count::Counts;
use phrase::{Candidate, candidates};

/// A keyword that we found in the text, not one that the page states.
#[derive(Clone, Debug, PartialEq)]
pub struct Extracted {
    /// The phrase, as it first stands in the text, with a capital only where it has one inside of sentences.
    pub phrase: String,
    /// How much it says, beside the best one of the text, which has 1.
    pub score: f32,
    /// How often it is in the text.
    pub count: u32,
    /// Its tokens where it first stands.
    pub tokens: Range<usize>,
}

/// The keywords of a text in a language, given by its tag, the best first and at most so many. No keyword is part of another.
///
/// Linear in time, and in memory with some 100 bytes a token.
///
/// ```
/// use tamis_words::keyword::extract;
/// use tamis_words::tokens::{sentences, split};
///
/// let text = "The solar eclipse was seen in Texas. A solar eclipse is rare. Crowds watched the solar eclipse.";
/// let tokens = split(text, Some("en"));
/// let found = extract(text, &tokens, &sentences(text, &tokens, Some("en")), "en", 3);
/// assert_eq!(found[0].phrase, "solar eclipse");
/// ```
pub fn extract(
    text: &str,
    tokens: &[Token],
    sentences: &[Sentence],
    language: &str,
    most: usize,
) -> Vec<Extracted> {
    let counts = Counts::new(text, tokens, sentences, &Stops::new(language));
    let mut found = candidates(&counts, &counts.scores());
    found.sort_by(|one, other| one.score.total_cmp(&other.score).then(one.first.cmp(&other.first)));
    let chosen = distinct(found, &counts, Stemmer::Snowball.of(language), most);
    let best = chosen.first().map_or(1.0, |first| strength(first.score));
    let extracted = chosen.into_iter().map(|one| Extracted {
        phrase: written(text, tokens, &one, &counts),
        score: strength(one.score) / best,
        count: one.count,
        tokens: one.first..one.first + one.len,
    });
    extracted.collect()
}

/// How much a phrase says, from its score, of which the least is the best.
fn strength(score: f32) -> f32 {
    (1.0 + 1.0 / score.max(f32::MIN_POSITIVE)).ln()
}

/// The words that no phrase begins or ends with.
struct Stops {
    listed: Option<&'static HashSet<String>>,
}

impl Stops {
    fn new(language: &str) -> Stops {
        Stops { listed: StopWords::built_in().of(language) }
    }

    /// Whether a word in small letters is one; without a list, short words are.
    fn contains(&self, word: &str) -> bool {
        self.listed.map_or_else(|| word.is_ascii() && word.len() <= 3, |listed| listed.contains(word))
    }
}

/// The best phrases, without those that are parts of better ones or have such parts, whatever the endings of their words.
fn distinct(found: Vec<Candidate>, counts: &Counts, stemmer: OneLanguage, most: usize) -> Vec<Candidate> {
    let mut chosen: Vec<(Candidate, Vec<String>)> = Vec::new();
    // Where a text has thousands of forms of one phrase, the rest is not worth the time.
    for candidate in found.into_iter().take(most.saturating_mul(50)) {
        if chosen.len() >= most {
            break;
        }
        let words = candidate.words();
        let stems: Vec<String> =
            words.iter().map(|&word| stemmer.stem(counts.word(word)).into_owned()).collect();
        let overlaps = |other: &[String]| is_part(&stems, other) || is_part(other, &stems);
        if !chosen.iter().any(|(_, other)| overlaps(other)) {
            chosen.push((candidate, stems));
        }
    }
    chosen.into_iter().map(|(candidate, _)| candidate).collect()
}

fn is_part(part: &[String], whole: &[String]) -> bool {
    !part.is_empty() && whole.windows(part.len()).any(|window| window == part)
}

/// A phrase as it stands in the text, without line breaks, and with a small letter where its first word has one elsewhere.
fn written(text: &str, tokens: &[Token], candidate: &Candidate, counts: &Counts) -> String {
    let bounds = tokens.get(candidate.first).zip(tokens.get(candidate.first + candidate.len - 1));
    let source = bounds.and_then(|(first, last)| text.get(first.start_byte as usize..last.end_byte as usize));
    let words: Vec<&str> = source.unwrap_or_default().split_whitespace().collect();
    let phrase = words.join(" ");
    let mut letters = phrase.chars();
    match letters.next() {
        Some(first) if counts.is_small_elsewhere(candidate.words()[0]) => {
            first.to_lowercase().collect::<String>() + letters.as_str()
        }
        _ => phrase,
    }
}

#[cfg(test)]
mod tests;
