//! The words and irregular forms of WordNet, from its files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use fst::MapBuilder;
use tamis_words::lemma::{MAGIC, Pos};

/// What the model is made from, and where it is written.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder of WordNet 3.0's `index.noun`, `noun.exc` and so on
    wordnet: PathBuf,
    /// The model
    #[arg(short, long, default_value = "crates/tamis-words/models/lemmas.bin")]
    output: PathBuf,
}

/// Builds the model.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut wordnet = WordNet::default();
    for pos in Pos::ALL {
        let name = file_name(pos);
        wordnet.add_words(pos, &read(&options.wordnet, &format!("index.{name}"))?);
        wordnet.add_forms(pos, &read(&options.wordnet, &format!("{name}.exc"))?);
    }
    let bytes = wordnet.written()?;
    fs::write(&options.output, &bytes).with_context(|| options.output.display().to_string())?;
    println!("{}: {} bytes, {} words", options.output.display(), bytes.len(), wordnet.words.len());
    Ok(())
}

fn file_name(pos: Pos) -> &'static str {
    match pos {
        Pos::Noun => "noun",
        Pos::Verb => "verb",
        Pos::Adjective => "adj",
        Pos::Adverb => "adv",
    }
}

fn read(folder: &Path, name: &str) -> Result<String> {
    let path = folder.join(name);
    fs::read_to_string(&path).with_context(|| path.display().to_string())
}

/// What WordNet lists.
#[derive(Default)]
struct WordNet {
    /// As which parts of speech each word is listed.
    words: BTreeMap<String, u8>,
    /// Irregular forms, with what they may be forms of.
    forms: BTreeMap<(String, u8), Vec<String>>,
}

impl WordNet {
    /// Adds the words of an index. Lines of the licence begin with a space. No token has the `_` of phrases.
    fn add_words(&mut self, pos: Pos, index: &str) {
        let words =
            index.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split(' ').next());
        for word in words.filter(|word| !word.is_empty() && !word.contains('_')) {
            *self.words.entry(word.to_owned()).or_default() |= pos.bit();
        }
    }

    /// Adds irregular forms. Of two lines with the same form the second counts, as for NLTK.
    fn add_forms(&mut self, pos: Pos, exceptions: &str) {
        for line in exceptions.lines() {
            let mut words = line.split_whitespace().map(str::to_owned);
            if let Some(form) = words.next().filter(|form| !form.contains('_')) {
                self.forms.insert((form, pos.bit()), words.collect());
            }
        }
    }

    /// The lemma of an irregular form: the shortest of those listed, the form among them. Empty if none is.
    fn lemma<'a>(&'a self, form: &'a str, pos: u8, lemmas: &'a [String]) -> &'a str {
        let listed = |word: &&str| self.words.get(*word).is_some_and(|bits| bits & pos != 0);
        let all = std::iter::once(form).chain(lemmas.iter().map(String::as_str));
        all.filter(listed).min_by_key(|word| word.len()).unwrap_or_default()
    }

    fn written(&self) -> Result<Vec<u8>> {
        let mut of_form: BTreeMap<&str, BTreeMap<u8, &str>> = BTreeMap::new();
        for ((form, pos), lemmas) in &self.forms {
            of_form.entry(form).or_default().insert(*pos, self.lemma(form, *pos, lemmas));
        }
        let mut values: BTreeMap<&str, u64> =
            self.words.iter().map(|(word, bits)| (word.as_str(), u64::from(*bits))).collect();
        let mut exceptions = Vec::new();
        for (form, by_pos) in of_form {
            *values.entry(form).or_default() |= (exceptions.len() as u64 + 1) << 4;
            exceptions.push(by_pos.keys().fold(0, |all, pos| all | pos));
            for lemma in by_pos.values() {
                exceptions.push(u8::try_from(lemma.len())?);
                exceptions.extend(lemma.as_bytes());
            }
        }
        let mut builder = MapBuilder::memory();
        for (word, value) in values {
            ensure!(word.is_ascii(), "{word} has letters that are not of ASCII");
            builder.insert(word, value)?;
        }
        let map = builder.into_inner()?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(u32::try_from(map.len())?.to_le_bytes());
        bytes.extend(map);
        bytes.extend(exceptions);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_irregular_form_has_the_shortest_lemma_that_is_listed() {
        let mut wordnet = WordNet::default();
        wordnet.add_words(Pos::Noun, "  1 licence\nox n 1\naxis n 1\naxe n 1\nox_cart n 1\n");
        wordnet.add_forms(Pos::Noun, "axes axis axe\noxen ox\nkine cow\n");
        for (form, expected) in [("axes", "axe"), ("oxen", "ox"), ("kine", "")] {
            let lemmas = &wordnet.forms[&(form.to_owned(), Pos::Noun.bit())];
            assert_eq!(wordnet.lemma(form, Pos::Noun.bit(), lemmas), expected);
        }
        assert!(!wordnet.words.contains_key("ox_cart"));
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let mut wordnet = WordNet::default();
        wordnet.add_words(Pos::Verb, "run v\nsee v\n");
        wordnet.add_forms(Pos::Verb, "ran run\nsaw see\n");
        assert_eq!(wordnet.written().expect("sound words"), wordnet.written().expect("sound words"));
    }
}
