//! Porter's algorithm of 1980 with the changes of NLTK: M. F. Porter, An algorithm for suffix stripping, Program 14(3), 130-137.

use std::borrow::Cow;

use super::letters::Letters;

/// Words that no rule applies to, ordered.
const IRREGULAR: &[(&str, &str)] = &[
    ("canning", "canning"),
    ("cannings", "canning"),
    ("dying", "die"),
    ("exceed", "exceed"),
    ("howe", "howe"),
    ("inning", "inning"),
    ("innings", "inning"),
    ("lying", "lie"),
    ("news", "news"),
    ("outing", "outing"),
    ("outings", "outing"),
    ("proceed", "proceed"),
    ("skies", "sky"),
    ("sky", "sky"),
    ("succeed", "succeed"),
    ("tying", "tie"),
];

/// The stem of a word in small letters.
pub(super) fn stem(word: Cow<'_, str>) -> Cow<'_, str> {
    if let Ok(place) = IRREGULAR.binary_search_by_key(&&*word, |row| row.0) {
        return Cow::Borrowed(IRREGULAR[place].1);
    }
    if word.chars().nth(2).is_none() {
        return word;
    }
    let mut word = Letters::new(word);
    remove_plural(&mut word);
    remove_past(&mut word);
    turn_y(&mut word);
    replace_double_suffix(&mut word);
    replace_by_measure(&mut word, STEP_3, 0);
    remove_suffix(&mut word);
    remove_last_letter(&mut word);
    word.written()
}

/// Step 1a.
fn remove_plural(word: &mut Letters<'_>) {
    let removed = match word.all() {
        [_, b'i', b'e', b's'] => 1,
        all if all.ends_with(b"sses") || all.ends_with(b"ies") => 2,
        all if all.ends_with(b"ss") => 0,
        all if all.ends_with(b"s") => 1,
        _ => 0,
    };
    word.replace(removed, "");
}

/// Step 1b.
fn remove_past(word: &mut Letters<'_>) {
    if word.ends_with("ied") {
        word.replace(if word.len() == 4 { 1 } else { 2 }, "");
    } else if let Some(before) = word.before("eed") {
        if measure(before) > 0 {
            word.replace(1, "");
        }
    } else if let Some(suffix) = ["ed", "ing"].into_iter().find(|suffix| word.ends_with(suffix))
        && word.before(suffix).is_some_and(has_vowel)
    {
        word.replace(suffix.len(), "");
        mend_end(word);
    }
}

/// Puts an `e` back, or halves a doubled consonant.
fn mend_end(word: &mut Letters<'_>) {
    if ["at", "bl", "iz"].iter().any(|end| word.ends_with(end)) {
        word.replace(0, "e");
    } else if ends_doubled(word.all()) {
        if !matches!(word.all().last(), Some(b'l' | b's' | b'z')) {
            word.replace(1, "");
        }
    } else if measure(word.all()) == 1 && ends_short(word.all()) {
        word.replace(0, "e");
    }
}

/// Step 1c.
fn turn_y(word: &mut Letters<'_>) {
    if let Some(before) = word.before("y")
        && before.len() > 1
        && consonants(before).last() == Some(true)
    {
        word.replace(1, "i");
    }
}

/// Step 2.
fn replace_double_suffix(word: &mut Letters<'_>) {
    if word.before("alli").is_some_and(|before| measure(before) > 0) {
        word.replace(2, "");
    }
    if let Some(before) = word.before("logi") {
        if measure(before) > 0 || word.before("ogi").is_some_and(|before| measure(before) > 0) {
            word.replace(1, "");
        }
        return;
    }
    replace_by_measure(word, STEP_2, 0);
}

/// Applies the first rule with the word's end, if what stands before has a measure of more than this.
fn replace_by_measure(word: &mut Letters<'_>, rules: &[(&str, &str)], least: usize) {
    if let Some((suffix, replacement)) = rules.iter().find(|rule| word.ends_with(rule.0))
        && word.before(suffix).is_some_and(|before| measure(before) > least)
    {
        word.replace(suffix.len(), replacement);
    }
}

const STEP_2: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
];

const STEP_3: &[(&str, &str)] = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Longer suffixes come before those that they end with.
const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
];

/// Step 4.
fn remove_suffix(word: &mut Letters<'_>) {
    let Some(suffix) = STEP_4.iter().find(|suffix| word.ends_with(suffix)) else { return };
    let before = word.before(suffix).unwrap_or_default();
    let stays = *suffix == "ion" && !matches!(before.last(), Some(b's' | b't'));
    if !stays && measure(before) > 1 {
        word.replace(suffix.len(), "");
    }
}

/// Step 5.
fn remove_last_letter(word: &mut Letters<'_>) {
    if let Some(before) = word.before("e") {
        let count = measure(before);
        if count > 1 || (count == 1 && !ends_short(before)) {
            word.replace(1, "");
        }
    }
    if word.ends_with("ll") && word.before("l").is_some_and(|before| measure(before) > 1) {
        word.replace(1, "");
    }
}

/// Which letters are consonants: a `y` is one at the start and behind a vowel.
fn consonants(letters: &[u8]) -> impl Iterator<Item = bool> {
    let mut behind_consonant = false;
    letters.iter().map(move |letter| {
        behind_consonant = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => !behind_consonant,
            _ => true,
        };
        behind_consonant
    })
}

/// How often a consonant follows a vowel: `m` of the paper.
fn measure(letters: &[u8]) -> usize {
    let mut behind_vowel = false;
    let follows = |is_consonant: bool| {
        let follows = is_consonant && behind_vowel;
        behind_vowel = !is_consonant;
        follows
    };
    consonants(letters).map(follows).filter(|&follows| follows).count()
}

fn has_vowel(letters: &[u8]) -> bool {
    consonants(letters).any(|is_consonant| !is_consonant)
}

fn ends_doubled(letters: &[u8]) -> bool {
    matches!(letters, [.., one, other] if one == other) && consonants(letters).last() == Some(true)
}

/// Whether the letters end in consonant, vowel, consonant, or are only the last two.
fn ends_short(letters: &[u8]) -> bool {
    let kinds: Vec<bool> = consonants(letters).collect();
    match kinds[..] {
        [false, true] => true,
        [.., true, false, true] => !matches!(letters.last(), Some(b'w' | b'x' | b'y')),
        _ => false,
    }
}
