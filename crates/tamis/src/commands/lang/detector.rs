//! Which detector.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::ValueEnum;
use tamis_table::Detector;
#[cfg(feature = "cld2")]
use tamis_words::language::Cld2;
use tamis_words::language::{Detect, Words};

/// A dictionary has some hundred kilobytes.
const MOST_BYTES: u64 = 256 << 20;

/// The options that choose a detector.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::commands) struct DetectorArgs {
    /// Language detector [default: tamis, or words with --dictionary]
    #[arg(long, value_enum)]
    detector: Option<Name>,
    /// JSON dictionary for the detector `words`, instead of the built-in one; see docs/formats/languages.md
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
}

/// The detectors there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum Name {
    Tamis,
    Words,
    #[cfg(feature = "cld2")]
    Cld2,
}

/// A detector, and what reports call it.
pub(in crate::commands) struct Chosen {
    pub(in crate::commands) detector: Detector,
    pub(in crate::commands) name: String,
}

impl DetectorArgs {
    /// A detector by its name alone.
    pub(in crate::commands) fn named(detector: Option<Name>) -> Self {
        Self { detector, dictionary: None }
    }

    pub(in crate::commands) fn choose(&self) -> anyhow::Result<Chosen> {
        let default = if self.dictionary.is_some() { Name::Words } else { Name::Tamis };
        let other =
            |detect: Arc<dyn Detect>, name: String| Chosen { detector: Detector::other(detect), name };
        Ok(match (self.detector.unwrap_or(default), &self.dictionary) {
            (Name::Words, Some(path)) => {
                let words = dictionary(path)?;
                let (name, version) = words.dictionary();
                let name = format!("words, dictionary {name} {version}");
                other(Arc::new(words), name)
            }
            (_, Some(_)) => anyhow::bail!("--dictionary requires --detector words"),
            (Name::Words, None) => other(Arc::new(Words::built_in()), "words".to_owned()),
            #[cfg(feature = "cld2")]
            (Name::Cld2, None) => other(Arc::new(Cld2::default()), "cld2".to_owned()),
            (Name::Tamis, None) => Chosen { detector: Detector::default(), name: "tamis".to_owned() },
        })
    }
}

fn dictionary(path: &Path) -> anyhow::Result<Words> {
    let cannot = || format!("cannot read {}", path.display());
    let length = std::fs::metadata(path).with_context(cannot)?.len();
    anyhow::ensure!(length <= MOST_BYTES, "{}: dictionary is too large", path.display());
    let json = std::fs::read(path).with_context(cannot)?;
    Words::from_json(&json).with_context(|| path.display().to_string())
}
