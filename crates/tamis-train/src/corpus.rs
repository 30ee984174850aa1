//! The texts by language and script, cleaned, and snippets drawn from them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tamis_words::language::tamis::model::NO_LANGUAGE;
use tamis_words::language::tamis::scan::{Word, Words, scan};
use tamis_words::language::tamis::script::{Characters, HAN, KINDS, Kind, UNKNOWN_SCRIPT};

use crate::arithmetic::{exponential, logarithm};
use crate::codes::{Codes, Meaning, is_large, is_written_in};
use crate::random::Random;
use crate::sources::{Order, Raw};
use crate::writings::{other_writing, rewritten};

/// No more of a source's text in a language is read than this many bytes.
const MOST_BYTES: usize = 700_000;
/// A language is taught in a script if it has this many letters in it, names of signs and units not counted: one taught from less is
/// never found and takes from others.
const LEAST_LETTERS: usize = 4000;
/// A source with this many letters of a language is drawn from as often as its kind deserves.
const MUCH: f32 = 8_000.0;
/// A script with less than this part of a source is quotation, or not translated.
const LEAST_PART: f64 = 0.25;

/// Collections of counted words: subtitles (59 languages), Wikipedias (jusText, 100), and those of wordfreq (42), which asks for several kinds of text.
const COLLECTIONS: [&str; 3] = ["subtitles", "justext", "wordfreq"];

/// The texts of one source in one language and script.
pub(crate) struct Lot {
    /// The source.
    pub(crate) source: &'static str,
    /// Texts or words.
    pub(crate) lines: Vec<String>,
    /// Words rather than texts.
    pub(crate) words: Option<Order>,
    letters: usize,
}

/// A language in a script.
pub(crate) type Key = (Kind, [u8; 3]);

/// All texts.
pub(crate) struct Corpus {
    /// What there is of each language in each script.
    pub(crate) lots: BTreeMap<Key, Vec<Lot>>,
    usage: BTreeMap<[u8; 3], u8>,
}

/// Counts letters by script.
struct Census([usize; KINDS]);

impl Words for Census {
    fn word(&mut self, word: &Word) {
        self.0[usize::from(word.script)] += word.letters().len();
    }
    fn sentence_end(&mut self, _: usize) {}
    fn line_end(&mut self, _: usize) -> usize {
        0
    }
    fn end(&mut self, _: usize) {}
}

/// The script most letters of a text are in, and how many.
pub(crate) fn main_script(text: &str, characters: &Characters) -> (Kind, usize) {
    let mut census = Census([0; KINDS]);
    scan(text, characters, &mut census);
    let best = (0..KINDS).max_by_key(|&kind| (census.0[kind], KINDS - kind)).unwrap_or(0);
    (best as Kind, census.0[best])
}

impl Corpus {
    /// Sorts all sources but the ones left out.
    pub(crate) fn new(raws: Vec<Raw>, without: &[String], codes: &Codes, characters: &Characters) -> Self {
        let untranslated = english_messages(&raws);
        let usage = usage(&raws, codes);
        let mut lots: BTreeMap<Key, Vec<Lot>> = BTreeMap::new();
        for raw in raws {
            if without.iter().any(|left| raw.source.starts_with(left.as_str())) {
                continue;
            }
            let code = match codes.meaning(&raw.name) {
                Meaning::Language(code) => code,
                Meaning::Foreign if raw.words.is_none() => NO_LANGUAGE,
                _ => continue,
            };
            let lots_of_raw = by_script(raw, code, &untranslated, characters).into_iter();
            for (script, lot) in lots_of_raw.filter(|(script, _)| is_written_in(code, *script)) {
                if let Some((other, table)) = other_writing(code, script) {
                    let lines = lot.lines.iter().map(|line| rewritten(line, table)).collect();
                    lots.entry((other, code)).or_default().push(Lot { lines, ..lot });
                }
                lots.entry((script, code)).or_default().push(lot);
            }
        }
        lots.retain(|key, lots| {
            let counted = lots.iter().filter(|lot| lot.source != "cldr");
            key.1 == NO_LANGUAGE || counted.map(|lot| lot.letters).sum::<usize>() >= LEAST_LETTERS
        });
        Self { lots, usage }
    }

    /// The languages with text in a script; unknown ones only where there are known ones to tell them from.
    pub(crate) fn languages(&self, script: Kind) -> Vec<[u8; 3]> {
        let mut codes: Vec<[u8; 3]> =
            self.lots.keys().filter(|key| key.0 == script && key.1 != NO_LANGUAGE).map(|key| key.1).collect();
        if self.lots.contains_key(&(script, NO_LANGUAGE)) && codes.len() > 1 && script != HAN {
            codes.push(NO_LANGUAGE);
        }
        codes
    }

    /// How much is written in a language, from 0 to 4: in how many collections its frequent words were counted, which
    /// take a language when they find enough text in it, and one more if much of the web is written in it.
    pub(crate) fn usage(&self, code: [u8; 3]) -> u8 {
        self.usage.get(&code).copied().unwrap_or(0)
    }

    /// The scripts with text.
    pub(crate) fn scripts(&self) -> Vec<Kind> {
        let mut scripts: Vec<Kind> =
            self.lots.keys().map(|key| key.0).filter(|&script| script != UNKNOWN_SCRIPT).collect();
        scripts.dedup();
        scripts
    }

    /// A snippet of a language of about this many letters.
    pub(crate) fn snippet(&self, key: Key, letters: usize, random: &mut Random) -> String {
        let Some(lots) = self.lots.get(&key) else { return String::new() };
        let weights: Vec<f32> = lots.iter().map(Lot::weight).collect();
        let mut pick = random.part() * weights.iter().sum::<f32>();
        let mut chosen = 0;
        for (i, weight) in weights.iter().enumerate() {
            chosen = i;
            pick -= weight;
            if pick < 0.0 {
                break;
            }
        }
        lots[chosen].snippet(letters, random)
    }
}

/// The usage of all languages that have any. It does not depend on what is left out of training.
fn usage(raws: &[Raw], codes: &Codes) -> BTreeMap<[u8; 3], u8> {
    let mut found: BTreeMap<[u8; 3], BTreeSet<&str>> = BTreeMap::new();
    for raw in raws.iter().filter(|raw| COLLECTIONS.contains(&raw.source)) {
        if let Meaning::Language(code) = codes.meaning(&raw.name) {
            found.entry(code).or_default().insert(raw.source);
        }
    }
    found.into_iter().map(|(code, sources)| (code, sources.len() as u8 + u8::from(is_large(code)))).collect()
}

impl Lot {
    /// How often the source is drawn from: prose more than messages, messages more than lists, little of what is small.
    fn weight(&self) -> f32 {
        let worth = match self.source {
            // They are few, so that what they have of the draws is a fifth or so of this.
            "own-words" => 6.0,
            "lingua" => 4.0,
            "tatoeba" => 3.0,
            "udhr" => 2.0,
            "firefox" => 1.5,
            "wordfreq" | "libreoffice" | "lingua-pairs" | "visualeditor" => 1.0,
            "lingua-words" | "django" | "cldr" | "subtitles" => 0.5,
            _ => 0.3,
        };
        worth * (self.letters as f32 / MUCH).min(1.0)
    }

    fn snippet(&self, letters: usize, random: &mut Random) -> String {
        let mut text = String::new();
        for _ in 0..40 {
            let line = &self.lines[self.place(random)];
            text.push_str(&part_of(line, letters, random));
            text.push(if self.words.is_some() { ' ' } else { '\n' });
            if text.chars().count() >= letters {
                break;
            }
        }
        text
    }

    /// A line; of words by frequency the frequent ones more often (Zipf).
    fn place(&self, random: &mut Random) -> usize {
        let count = self.lines.len();
        if self.words == Some(Order::Frequency) {
            let power = random.part() * logarithm(count as f32 / 10.0 + 1.0);
            return ((1.0 / exponential(-power) - 1.0) * 10.0) as usize % count;
        }
        random.below(count)
    }
}

/// A run of words of a line, about as many letters as wanted.
fn part_of(line: &str, letters: usize, random: &mut Random) -> String {
    let count = line.chars().count();
    if count <= letters + letters / 2 {
        return line.to_owned();
    }
    let start = random.below(count - letters);
    let part: String = line.chars().skip(start).take(letters).collect();
    // Only whole words, in writing that has them.
    let from = if start == 0 { 0 } else { part.find(' ').map_or(0, |at| at + 1) };
    let to = part.rfind(' ').filter(|&to| to > from).unwrap_or(part.len());
    part[from..to].to_owned()
}

/// The lines of English message files: where they appear in another language they were not translated.
fn english_messages(raws: &[Raw]) -> HashSet<String> {
    let english =
        raws.iter().filter(|raw| raw.words.is_none() && (raw.name == "en" || raw.name.starts_with("en-")));
    english.flat_map(|raw| raw.lines.iter().cloned()).collect()
}

fn by_script(
    raw: Raw,
    code: [u8; 3],
    untranslated: &HashSet<String>,
    characters: &Characters,
) -> Vec<(Kind, Lot)> {
    let mut lots: BTreeMap<Kind, Lot> = BTreeMap::new();
    let bytes: usize = raw.lines.iter().map(String::len).sum();
    let each = if raw.words == Some(Order::Frequency) { 1 } else { bytes.div_ceil(MOST_BYTES).max(1) };
    let mut all = 0;
    for line in raw.lines.into_iter().step_by(each) {
        let (script, letters) = main_script(&line, characters);
        if letters < 2 || code != *b"eng" && untranslated.contains(&line) {
            continue;
        }
        all += letters;
        let lot = lots.entry(script).or_insert_with(|| Lot {
            source: raw.source,
            lines: Vec::new(),
            words: raw.words,
            letters: 0,
        });
        lot.lines.push(line);
        lot.letters += letters;
    }
    lots.into_iter().filter(|(_, lot)| lot.letters as f64 >= LEAST_PART * all as f64).collect()
}
