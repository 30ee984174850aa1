//! The command that trains the language model.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use tamis_words::language::tamis::Tamis;
use tamis_words::language::tamis::model::NO_LANGUAGE;
use tamis_words::language::tamis::script::{Characters, HAN, LATIN};

use crate::codes::Codes;
use crate::corpus::Corpus;
use crate::count::kept;
use crate::fit::fitted;
use crate::frequent::{Word, frequent_words};
use crate::pack::Pack;
use crate::random::Random;
use crate::sources::{digests, read_all};

/// Snippets that say how well text of a language agrees with it.
const CHECKED: usize = 60;
/// Their letters.
const CHECKED_LETTERS: usize = 200;
/// Text of other sources agrees less than what was taught: so much of the least agreement seen is asked for, for each
/// source that the language was taught from.
const ASKED_A_SOURCE: f32 = 0.14;
/// And at most so much.
const ASKED: f32 = 0.6;
/// Less is asked of languages in wide use: to miss one of them is worse than to name one that is not there. By tier.
const ASKED_BY_TIER: [f32; 4] = [1.0, 0.85, 0.92, 1.0];
/// Little is asked of a language with few sources, and what is in no language of the model would be taken for it: if it is less
/// than this, by tier,
const LITTLE_BY_TIER: [f32; 4] = [0.22, 0.22, 0.264, 0.22];
/// so many times as much is asked, up to that.
const MORE: f32 = 2.5;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder with `langid` and `wordfreq`
    #[arg(long)]
    data: PathBuf,
    /// The folder `data/fetch.py` filled
    #[arg(long, default_value = "target/extra")]
    extra: PathBuf,
    /// A source to leave out, to be tested on
    #[arg(long)]
    without: Vec<String>,
    /// Snippets a language for each learner
    #[arg(long, default_value_t = 2500)]
    rounds: usize,
    /// Features of the Latin script; others have fewer by the number of their languages
    #[arg(long, default_value_t = 105_000)]
    features: usize,
    /// Where the model goes
    #[arg(short)]
    output: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let (codes, characters) = (Codes::new(), Characters::new());
    let raws = read_all(&options.data, &options.extra)?;
    for (source, digest) in digests(&raws) {
        eprintln!("{source}: {digest:016x}");
    }
    let corpus = Corpus::new(raws, &options.without, &codes, &characters);
    let words = frequent_words(&corpus, &codes, &characters);
    let whole: HashSet<u64> = words.iter().filter_map(Word::whole).collect();
    let mut pack = Pack::default();
    for script in corpus.scripts() {
        let languages = corpus.languages(script);
        match languages[..] {
            [] | [NO_LANGUAGE] => {}
            [only] => pack.single(script, only, corpus.usage(only)),
            _ => {
                let most = match script {
                    LATIN => options.features,
                    HAN => 8_000,
                    _ => (1200 * languages.len()).max(6_000),
                };
                let kept = kept(&corpus, script, &languages, most, &whole, &codes, &characters);
                let fitted = fitted(&corpus, script, &languages, &kept, options.rounds, &characters);
                eprintln!("script {script}: {} languages, {} features", languages.len(), kept.len());
                pack.add(script, &languages, &kept, &fitted, &codes, &corpus);
            }
        }
    }
    pack.add_frequent(&words)?;
    ask_agreement(&mut pack, &corpus, &codes)?;
    let bytes = pack.bytes();
    fs::write(&options.output, &bytes).with_context(|| options.output.display().to_string())?;
    eprintln!("{}: {} bytes, {} classes", options.output.display(), bytes.len(), pack.classes.len());
    Ok(())
}

/// Sets how much a text must agree with each language: nearly the least that its own texts do.
fn ask_agreement(pack: &mut Pack, corpus: &Corpus, codes: &Codes) -> Result<()> {
    let detector = Tamis::with_model(pack.bytes())?;
    for class in &mut pack.classes {
        let mut random = Random::new(u64::from(class.script) << 32 | 0xa9ee);
        let mut seen: Vec<f32> = (0..CHECKED)
            .filter_map(|_| {
                let text = corpus.snippet((class.script, class.code), CHECKED_LETTERS, &mut random);
                detector.agreement(&text, class.code)
            })
            .collect();
        seen.sort_by(f32::total_cmp);
        let least = seen.get(seen.len() / 20).copied().unwrap_or(0.0);
        let lots = corpus.lots.get(&(class.script, class.code));
        let sources = lots.map_or(0, |lots| lots.iter().filter(|lot| lot.source != "own-words").count());
        let tier = usize::from(codes.tier(class.code));
        let asked = least * (ASKED_A_SOURCE * sources as f32).min(ASKED) * ASKED_BY_TIER[tier];
        let asked = asked.max((asked * MORE).min(LITTLE_BY_TIER[tier]));
        class.agreement = (asked * 255.0) as u8;
    }
    Ok(())
}
