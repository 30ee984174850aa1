//! The dictionary of a zstd archive: none, one at hand, or one made of the records to come.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, anyhow};
use tamis_archive::write::{Dictionary, DictionaryForm};
use tamis_archive::{Reader, Source};

use crate::archives::Archives;
use crate::hint::WithHint;
use crate::session::Session;

/// The size that zstd's own tool makes.
const DICTIONARY_LEN: usize = 110 << 10;
/// All samples; a hundred times the dictionary is what zstd advises.
const SAMPLES_LEN: usize = 100 * DICTIONARY_LEN;
/// What is alike in records is in their first bytes.
const SAMPLE_LEN: usize = 16 << 10;
/// Stored bytes of an input that are looked at for samples.
const SAMPLED_BYTES: u64 = 64 << 20;

/// Where a dictionary comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DictionaryChoice {
    /// There is none.
    None,
    /// It is made of samples of the inputs.
    Train,
    /// A file holds it.
    File(PathBuf),
}

impl FromStr for DictionaryChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "none" => Self::None,
            "train" => Self::Train,
            path => Self::File(path.into()),
        })
    }
}

impl DictionaryChoice {
    /// Whether no dictionary is wanted.
    pub(super) fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Reads or makes the dictionary. Inputs that have too little in common get none, and a warning says so.
    pub(super) fn load(&self, archives: &Archives, session: &Session) -> anyhow::Result<Option<Dictionary>> {
        match self {
            Self::None => Ok(None),
            Self::File(path) => {
                let cannot = || format!("cannot use {} as a dictionary", path.display());
                let bytes = std::fs::read(path).with_context(cannot)?;
                Dictionary::new(bytes, DictionaryForm::default()).with_context(cannot).map(Some)
            }
            Self::Train => train(archives, session),
        }
    }
}

fn train(archives: &Archives, session: &Session) -> anyhow::Result<Option<Dictionary>> {
    if archives.sources.iter().any(|source| source.len().is_none()) {
        return Err(anyhow!("a dictionary cannot be trained on stdin, because the inputs are read twice"))
            .hint("give files, or a dictionary with `--dictionary FILE`");
    }
    let budget = SAMPLES_LEN / archives.sources.len().max(1);
    let mut samples = Vec::new();
    for source in &archives.sources {
        // What cannot be read is told when it is converted.
        let _ = sample(source, archives, budget, &mut samples);
    }
    match Dictionary::train(&samples, DICTIONARY_LEN, DictionaryForm::default()) {
        Ok(dictionary) => Ok(Some(dictionary)),
        Err(error) => {
            session.printer.warn(format_args!("no dictionary: {error}"));
            Ok(None)
        }
    }
}

/// Takes records evenly from the first part of an input: when there are too many, every second goes.
fn sample(
    source: &Source,
    archives: &Archives,
    budget: usize,
    samples: &mut Vec<Vec<u8>>,
) -> tamis_archive::Result<()> {
    let mut reader: Reader = source.open(archives.mode())?;
    let (mut own, mut len, mut step, mut count): (Vec<Vec<u8>>, usize, u64, u64) = (Vec::new(), 0, 1, 0);
    while reader.position() < SAMPLED_BYTES
        && let Some(record) = reader.next()?
    {
        count += 1;
        if count % step != 0 {
            continue;
        }
        let (head, mut body) = record.into_parts();
        let mut bytes = head.raw().to_vec();
        let block = body.peek(SAMPLE_LEN).unwrap_or_default();
        bytes.extend_from_slice(&block[..block.len().min(SAMPLE_LEN)]);
        len += bytes.len();
        own.push(bytes);
        while len > budget && own.len() > 1 {
            let mut keep = false;
            own.retain(|_| {
                keep = !keep;
                keep
            });
            len = own.iter().map(Vec::len).sum();
            step *= 2;
        }
    }
    samples.append(&mut own);
    Ok(())
}
