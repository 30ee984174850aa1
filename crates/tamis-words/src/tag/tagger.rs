//! How tags are chosen, fast: what a word adds to the scores by itself is worked out once and remembered.

use std::borrow::Cow;
use std::rc::Rc;

use super::Tag;
use super::features::{
    Known, REACH, hashes, joined, last, next, own, own_by_place, rows, second_last, second_next, together,
};
use super::lexicon::Lexicon;
use super::memo::Memo;
use super::model::{Model, START, Scores, WIDTH, best, only_tag};
use super::word::Word;

/// So many words are looked up at once: the processor waits for all of them together.
const AHEAD: usize = 32;

/// Tags sentences by a model.
///
/// It remembers some 8,000 words ([`super::memo::WORDS`]) with 0.8 kB each. What it remembers does not change its answers.
#[derive(Debug)]
pub struct Tagger<'a> {
    model: &'a Model,
    lexicon: &'a Lexicon,
    memo: Memo<Noted>,
    edge: Rc<Noted>,
    buffer: String,
}

/// A word with the scores it gives tags, of its own and of its neighbours.
#[derive(Debug)]
struct Noted {
    known: Known,
    /// Within a sentence, and as the first word of one.
    own: [Scores; 2],
    /// Of the word before it.
    next: Scores,
    second_next: Scores,
    /// Of the word behind it.
    last: Scores,
    second_last: Scores,
}

impl<'a> Tagger<'a> {
    /// A tagger that has read nothing yet.
    pub fn new(model: &'a Model, lexicon: &'a Lexicon) -> Self {
        let edge = Rc::new(Noted::new(Known::edge(), model));
        Self { model, lexicon, memo: Memo::default(), edge, buffer: String::new() }
    }

    /// The tags of the words of a sentence, which are written so.
    pub fn tags<'t>(&mut self, sentence: impl Iterator<Item = Cow<'t, str>>) -> Vec<Tag> {
        let mut chosen = Vec::with_capacity(sentence.size_hint().0);
        let mut sentence = sentence.fuse();
        let mut words = Vec::with_capacity(chosen.capacity().min(AHEAD) + 2 * REACH);
        words.resize(REACH, Rc::clone(&self.edge));
        let mut before = [START; 2];
        loop {
            let had = words.len();
            words.extend(sentence.by_ref().take(AHEAD).map(|token| self.note(&token)));
            let is_end = words.len() < had + AHEAD;
            if is_end {
                words.extend(std::iter::repeat_n(&self.edge, REACH).cloned());
            }
            for around in words.array_windows() {
                let tag = self.choose(around.each_ref().map(|one| &**one), before);
                before = [u64::from(tag.0), before[0]];
                chosen.push(tag);
            }
            if is_end {
                return chosen;
            }
            words.drain(..words.len() - 2 * REACH);
        }
    }

    #[inline]
    fn note(&mut self, token: &str) -> Rc<Noted> {
        self.memo.of(token, || {
            let word = Word::new(token, self.lexicon, &mut self.buffer);
            let class =
                Tag::of_quote(token).map_or_else(|| self.model.class(&word), |tag| u16::from(tag.0) + 1);
            Noted::new(Known { word, class }, self.model)
        })
    }

    #[inline]
    fn choose(&self, around: [&Noted; 2 * REACH + 1], before: [u64; 2]) -> Tag {
        let [w2, w1, w0, n1, n2] = around;
        if let Some(only) = only_tag(w0.known.class) {
            return only;
        }
        let is_first = w1.known.word.exact == Word::edge().exact;
        let mut scores = w0.own[usize::from(is_first)];
        let rows = [&n1.next, &n2.second_next, &w1.last, &w2.second_last, self.model.tags_before(before)];
        for i in 0..WIDTH {
            scores[i] += rows.iter().map(|row| row[i]).sum::<i16>();
        }
        self.model.add(&hashes(together(around.map(|one| &one.known), before)), &mut scores);
        best(&scores)
    }
}

impl Noted {
    #[inline(never)]
    fn new(known: Known, model: &Model) -> Self {
        let features: [_; 37] = joined(&[
            &rows(0, own(&known)),
            &rows(1, own_by_place(&known, false)),
            &rows(2, own_by_place(&known, true)),
            &rows(3, next(&known)),
            &rows(4, second_next(&known)),
            &rows(5, last(&known)),
            &rows(6, second_last(&known)),
        ]);
        let mut scores = [[0; WIDTH]; 7];
        model.add_to(&features, &mut scores);
        let [own, mut within, mut first, next, second_next, last, second_last] = scores;
        for i in 0..WIDTH {
            within[i] += own[i];
            first[i] += own[i];
        }
        Self { known, own: [within, first], next, second_next, last, second_last }
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::*;

    /// Tags chosen by the sum of all features of a word, as they are taught.
    fn by_all_features(sentence: &[&str], model: &Model, lexicon: &Lexicon) -> Vec<Tag> {
        let mut known = vec![Known::edge(); REACH];
        for token in sentence {
            let word = Word::new(token, lexicon, &mut String::new());
            let class = Tag::of_quote(token).map_or_else(|| model.class(&word), |tag| u16::from(tag.0) + 1);
            known.push(Known { word, class });
        }
        known.extend(vec![Known::edge(); REACH]);
        let mut before = [START; 2];
        let choose = |around: &[Known; 2 * REACH + 1]| {
            let tag = only_tag(around[REACH].class)
                .unwrap_or_else(|| best(&model.scores(&features(around, before))));
            before = [u64::from(tag.0), before[0]];
            tag
        };
        known.array_windows().map(choose).collect()
    }

    #[test]
    fn what_is_remembered_changes_no_tag() {
        let (model, lexicon) = (Model::built_in(), Lexicon::built_in());
        let mut tagger = Tagger::new(model, lexicon);
        let sentences = [
            "The old man saw Mr. Smith 's 12 ducks run quickly home .",
            "run",
            "`` Run home '' , she said ; they run a run at a run .",
            "WHY ARE THEY RUNNING -LRB- again -RRB- ?",
            "A-word-that-is-much-too-long-for-any-memory 1,000.50 é e\u{301} “ ” 🦀",
            "",
            &"word ".repeat(AHEAD - 1),
            &"the run ".repeat(AHEAD),
            &"a Word ".repeat(AHEAD + 1),
        ];
        for sentence in sentences.iter().chain(&sentences) {
            let tokens: Vec<&str> = sentence.split_whitespace().collect();
            let tags = tagger.tags(tokens.iter().map(|token| Cow::Borrowed(*token)));
            assert_eq!(tags, by_all_features(&tokens, model, lexicon), "{sentence}");
        }
    }
}
