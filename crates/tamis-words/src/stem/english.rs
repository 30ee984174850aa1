//! Snowball's algorithm for English as of 2008, the way NLTK has it: <https://snowballstem.org/algorithms/english/stemmer.html>.

use std::borrow::Cow;

use super::letters::Letters;

/// Marks a `y` that is a consonant.
const CONSONANT_Y: u8 = b'Y';

/// Words that no rule applies to, ordered.
const SPECIAL: &[(&str, &str)] = &[
    ("andes", "andes"),
    ("atlas", "atlas"),
    ("bias", "bias"),
    ("canning", "canning"),
    ("cannings", "canning"),
    ("cosmos", "cosmos"),
    ("dying", "die"),
    ("early", "earli"),
    ("earring", "earring"),
    ("earrings", "earring"),
    ("exceed", "exceed"),
    ("exceeded", "exceed"),
    ("exceeding", "exceed"),
    ("exceeds", "exceed"),
    ("gently", "gentl"),
    ("herring", "herring"),
    ("herrings", "herring"),
    ("howe", "howe"),
    ("idly", "idl"),
    ("inning", "inning"),
    ("innings", "inning"),
    ("lying", "lie"),
    ("news", "news"),
    ("only", "onli"),
    ("outing", "outing"),
    ("outings", "outing"),
    ("proceed", "proceed"),
    ("proceeded", "proceed"),
    ("proceeding", "proceed"),
    ("proceeds", "proceed"),
    ("singly", "singl"),
    ("skies", "sky"),
    ("skis", "ski"),
    ("sky", "sky"),
    ("succeed", "succeed"),
    ("succeeded", "succeed"),
    ("succeeding", "succeed"),
    ("succeeds", "succeed"),
    ("tying", "tie"),
    ("ugly", "ugli"),
];

/// The stem of a word in small letters.
pub(super) fn stem(word: Cow<'_, str>) -> Cow<'_, str> {
    if word.chars().nth(2).is_none() {
        return word;
    }
    if let Ok(place) = SPECIAL.binary_search_by_key(&&*word, |row| row.0) {
        return Cow::Borrowed(SPECIAL[place].1);
    }
    let word = if word.is_ascii() {
        word
    } else {
        Cow::Owned(word.replace(['\u{2018}', '\u{2019}', '\u{201B}'], "'"))
    };
    let mut word = Word::new(Letters::new(word));
    word.remove_possessive();
    word.remove_plural();
    word.remove_past();
    word.turn_y();
    word.replace_in_first(STEP_2);
    word.replace_in_first(STEP_3);
    word.remove_in_second();
    word.remove_last_letter();
    for letter in word.letters.all_mut() {
        if *letter == CONSONANT_Y {
            *letter = b'y';
        }
    }
    word.letters.written()
}

/// A word with its regions: where R1 and R2 of the description begin.
struct Word<'a> {
    letters: Letters<'a>,
    first: usize,
    second: usize,
}

impl<'a> Word<'a> {
    fn new(mut letters: Letters<'a>) -> Word<'a> {
        if letters.all().first() == Some(&b'\'') {
            letters.remove_first();
        }
        mark_consonants(letters.all_mut());
        let all = letters.all();
        let prefix = ["gener", "commun", "arsen"].iter().find(|prefix| all.starts_with(prefix.as_bytes()));
        let first = prefix.map_or_else(|| region(all, 0), |prefix| prefix.len());
        let second = region(all, first);
        Word { letters, first, second }
    }

    /// Step 0.
    fn remove_possessive(&mut self) {
        if let Some(suffix) = ["'s'", "'s", "'"].iter().find(|suffix| self.letters.ends_with(suffix)) {
            self.letters.replace(suffix.len(), "");
        }
    }

    /// Step 1a.
    fn remove_plural(&mut self) {
        if self.letters.ends_with("sses") {
            self.letters.replace(2, "");
        } else if self.letters.ends_with("ied") || self.letters.ends_with("ies") {
            self.letters.replace(if self.letters.len() > 4 { 2 } else { 1 }, "");
        } else if !self.letters.ends_with("us")
            && !self.letters.ends_with("ss")
            && let Some([before @ .., _]) = self.letters.before("s")
            && before.iter().any(is_vowel)
        {
            self.letters.replace(1, "");
        }
    }

    /// Step 1b.
    fn remove_past(&mut self) {
        let suffixes = ["eedly", "ingly", "edly", "eed", "ing", "ed"];
        let Some(suffix) = suffixes.into_iter().find(|suffix| self.letters.ends_with(suffix)) else { return };
        if suffix.starts_with("ee") {
            if self.is_in_first(suffix) {
                self.letters.replace(suffix.len(), "ee");
            }
        } else if self.letters.before(suffix).is_some_and(|before| before.iter().any(is_vowel)) {
            self.letters.replace(suffix.len(), "");
            self.mend_end();
        }
    }

    /// Puts an `e` back, or halves a doubled consonant.
    fn mend_end(&mut self) {
        if ["at", "bl", "iz"].iter().any(|end| self.letters.ends_with(end)) {
            self.letters.replace(0, "e");
        } else if let [.., one, other] = self.letters.all()
            && one == other
            && b"bdfgmnprt".contains(one)
        {
            self.letters.replace(1, "");
        } else if self.first >= self.letters.len() && ends_short(self.letters.all()) {
            self.letters.replace(0, "e");
        }
    }

    /// Step 1c.
    fn turn_y(&mut self) {
        if let [_, .., before, b'y' | CONSONANT_Y] = self.letters.all()
            && !is_vowel(before)
        {
            self.letters.replace(1, "i");
        }
    }

    /// Steps 2 and 3: the first rule with the word's end is the one that may apply.
    fn replace_in_first(&mut self, rules: &[Rule]) {
        let Some(rule) = rules.iter().find(|rule| self.letters.ends_with(rule.suffix)) else { return };
        let before = self.letters.before(rule.suffix).unwrap_or_default();
        let applies = match rule.needs {
            Needs::Nothing => true,
            Needs::Behind(letters) => before.last().is_some_and(|last| letters.contains(last)),
            Needs::Second => before.len() >= self.second,
        };
        if applies && self.is_in_first(rule.suffix) {
            if rule.forgets_second && before.len() < self.second {
                self.second = usize::MAX;
            }
            self.letters.replace(rule.suffix.len(), rule.replacement);
        }
    }

    /// Step 4.
    fn remove_in_second(&mut self) {
        let Some(suffix) = STEP_4.iter().find(|suffix| self.letters.ends_with(suffix)) else { return };
        let before = self.letters.before(suffix).unwrap_or_default();
        let stays = *suffix == "ion" && !matches!(before.last(), Some(b's' | b't'));
        if !stays && before.len() >= self.second {
            self.letters.replace(suffix.len(), "");
        }
    }

    /// Step 5.
    fn remove_last_letter(&mut self) {
        let removed = match self.letters.all() {
            [before @ .., b'e'] => {
                before.len() >= self.second || (before.len() >= self.first && !ends_short(before))
            }
            [before @ .., b'l'] => before.last() == Some(&b'l') && before.len() >= self.second,
            _ => false,
        };
        if removed {
            self.letters.replace(1, "");
        }
    }

    fn is_in_first(&self, suffix: &str) -> bool {
        self.letters.len() >= self.first + suffix.len()
    }
}

/// What a suffix becomes if it stands in R1.
struct Rule {
    suffix: &'static str,
    replacement: &'static str,
    needs: Needs,
    /// Whether NLTK has no R2 behind this rule, where the suffix was not all in it: "alizations" keeps the "e" of "alize".
    forgets_second: bool,
}

/// What else a rule asks for.
enum Needs {
    Nothing,
    /// One of these letters before the suffix.
    Behind(&'static [u8]),
    /// That the suffix is in R2.
    Second,
}

const fn rule(suffix: &'static str, replacement: &'static str) -> Rule {
    Rule { suffix, replacement, needs: Needs::Nothing, forgets_second: false }
}

const fn forgetting(suffix: &'static str, replacement: &'static str) -> Rule {
    Rule { suffix, replacement, needs: Needs::Nothing, forgets_second: true }
}

const fn needing(needs: Needs, suffix: &'static str, replacement: &'static str) -> Rule {
    Rule { suffix, replacement, needs, forgets_second: false }
}

/// Longer suffixes come before those that they end with.
const STEP_2: &[Rule] = &[
    forgetting("ization", "ize"),
    rule("ational", "ate"),
    rule("fulness", "ful"),
    rule("ousness", "ous"),
    rule("iveness", "ive"),
    rule("tional", "tion"),
    rule("biliti", "ble"),
    rule("lessli", "less"),
    rule("entli", "ent"),
    rule("ation", "ate"),
    rule("alism", "al"),
    rule("aliti", "al"),
    rule("ousli", "ous"),
    rule("iviti", "ive"),
    rule("fulli", "ful"),
    rule("enci", "ence"),
    rule("anci", "ance"),
    rule("abli", "able"),
    forgetting("izer", "ize"),
    rule("ator", "ate"),
    rule("alli", "al"),
    rule("bli", "ble"),
    needing(Needs::Behind(b"l"), "ogi", "og"),
    needing(Needs::Behind(b"cdeghkmnrt"), "li", ""),
];

const STEP_3: &[Rule] = &[
    forgetting("ational", "ate"),
    rule("tional", "tion"),
    rule("alize", "al"),
    rule("icate", "ic"),
    rule("iciti", "ic"),
    needing(Needs::Second, "ative", ""),
    rule("ical", "ic"),
    rule("ness", ""),
    rule("ful", ""),
];

const STEP_4: &[&str] = &[
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize",
    "ion", "al", "er", "ic",
];

#[expect(clippy::trivially_copy_pass_by_ref, reason = "iterators over letters hand out references")]
fn is_vowel(letter: &u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Marks each `y` at the start and behind a vowel.
fn mark_consonants(letters: &mut [u8]) {
    let mut behind_vowel = true;
    for letter in letters {
        if *letter == b'y' && behind_vowel {
            *letter = CONSONANT_Y;
        }
        behind_vowel = is_vowel(letter);
    }
}

/// Behind the first consonant that follows a vowel, from a place on; the end if there is none.
fn region(letters: &[u8], from: usize) -> usize {
    let rest = letters.get(from..).unwrap_or_default();
    let found = rest.windows(2).position(|pair| is_vowel(&pair[0]) && !is_vowel(&pair[1]));
    found.map_or(letters.len(), |at| from + at + 2)
}

/// Whether the letters end in a short syllable.
fn ends_short(letters: &[u8]) -> bool {
    match letters {
        [vowel, last] => is_vowel(vowel) && !is_vowel(last),
        [.., before, vowel, last] => {
            !is_vowel(before) && is_vowel(vowel) && !is_vowel(last) && !b"wxY".contains(last)
        }
        _ => false,
    }
}
