//! Stems and lemmas of words, and places of names, for the comparison with others.
//!
//!     words < words.jsonl     `[what, word, how]` a line in; JSON a line out
//!
//! `what` is `snowball` or `porter` with a language, `lemma` with a tag of the Penn Treebank, `morphy` with `n`, `v`, `a` or `r`, or `place` with the code of
//! a country or nothing.

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, BufRead as _, BufWriter, Write as _};

use serde_json::{Value, json};
use tamis_words::lemma::{Pos, lemma, morphy};
use tamis_words::place::{Context, readings};
use tamis_words::stem::Stemmer;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let (what, word, how): (String, String, String) = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut out, &answer(&what, &word, &how)?)?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

fn answer(what: &str, word: &str, how: &str) -> Result<Value, Box<dyn Error>> {
    Ok(match what {
        "lemma" => json!(lemma(word, how)),
        "morphy" => {
            let pos = match how {
                "n" => Pos::Noun,
                "v" => Pos::Verb,
                "a" => Pos::Adjective,
                _ => Pos::Adverb,
            };
            json!(morphy(word, pos).unwrap_or(Cow::Borrowed(word)))
        }
        "place" => json!(format!("{:?}", readings(word, &Context::default().with_country(how)))),
        stemmer => json!(stemmer.parse::<Stemmer>()?.stem(word, how)),
    })
}
