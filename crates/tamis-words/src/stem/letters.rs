//! A word as its letters, with an end that can be taken off and put on.

use std::borrow::Cow;

/// Stands for any letter that is not of ASCII: no rule of English looks at those more closely.
const FOREIGN: u8 = 0xFF;

/// A word in small letters, one byte a letter, so that letters can be counted.
#[derive(Debug)]
pub(super) struct Letters<'a> {
    source: Cow<'a, str>,
    bytes: Vec<u8>,
    /// How many letters at the start of the source are not among ours.
    skipped: usize,
}

impl<'a> Letters<'a> {
    pub(super) fn new(source: Cow<'a, str>) -> Letters<'a> {
        let letters = if source.is_ascii() {
            source.as_bytes().to_vec()
        } else {
            source
                .chars()
                .map(|letter| u8::try_from(letter).ok().filter(u8::is_ascii).unwrap_or(FOREIGN))
                .collect()
        };
        Letters { source, bytes: letters, skipped: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn all(&self) -> &[u8] {
        &self.bytes
    }

    /// The letters, to be marked. A letter that is not of ASCII must stay.
    pub(super) fn all_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    pub(super) fn ends_with(&self, suffix: &str) -> bool {
        self.bytes.ends_with(suffix.as_bytes())
    }

    /// The letters before a suffix, if it is the end of the word.
    pub(super) fn before(&self, suffix: &str) -> Option<&[u8]> {
        self.bytes.strip_suffix(suffix.as_bytes())
    }

    /// Takes letters off the end, and puts others on.
    pub(super) fn replace(&mut self, removed: usize, suffix: &str) {
        self.bytes.truncate(self.bytes.len().saturating_sub(removed));
        self.bytes.extend_from_slice(suffix.as_bytes());
    }

    /// Takes the first letter off.
    pub(super) fn remove_first(&mut self) {
        if !self.bytes.is_empty() {
            self.bytes.remove(0);
            self.skipped += 1;
        }
    }

    /// The word as it is now.
    pub(super) fn written(self) -> Cow<'a, str> {
        let Letters { source, bytes: letters, skipped } = self;
        if source.is_ascii() {
            return match source {
                Cow::Borrowed(word)
                    if word.as_bytes().get(skipped..).is_some_and(|rest| rest.starts_with(&letters)) =>
                {
                    Cow::Borrowed(&word[skipped..skipped + letters.len()])
                }
                _ => Cow::Owned(letters.into_iter().map(char::from).collect()),
            };
        }
        let mut foreign = source.chars().skip(skipped).filter(|letter| !letter.is_ascii());
        let letter =
            |byte| if byte == FOREIGN { foreign.next().unwrap_or('\u{FFFD}') } else { char::from(byte) };
        Cow::Owned(letters.into_iter().map(letter).collect())
    }
}
