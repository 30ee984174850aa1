//! The words of WordNet, as they are stored.
//!
//! Magic, the length of the map as four bytes (low first), the map, exceptions. The map is a finite-state one of `fst`, from words to
//! numbers: the four lowest bits say as which parts of speech the word is listed, the bits above are 0 or a place among the exceptions
//! and one. There stand a byte with the parts of speech that have one and, for each of these, a length and a lemma; an empty one
//! says that the rules are not to be tried.

use std::sync::LazyLock;

use fst::Map;

/// The first bytes of the model, the last of them its version.
pub const MAGIC: [u8; 8] = *b"tamislm\x01";

static BUILT_IN: LazyLock<Model> = LazyLock::new(|| {
    Model::read(include_bytes!("../../models/lemmas.bin"))
        .expect("a test reads the model that comes with the crate")
});

/// A part of speech that WordNet knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Pos {
    /// A noun.
    Noun = 1,
    /// A verb.
    Verb = 2,
    /// An adjective.
    Adjective = 4,
    /// An adverb.
    Adverb = 8,
}

impl Pos {
    /// All of them.
    pub const ALL: [Pos; 4] = [Pos::Noun, Pos::Verb, Pos::Adjective, Pos::Adverb];

    /// The part of speech of a tag of the Penn Treebank: `N…`, `V…`, `J…` and `R…` have one.
    pub fn of_tag(tag: &str) -> Option<Pos> {
        match tag.as_bytes().first()? {
            b'N' => Some(Pos::Noun),
            b'V' => Some(Pos::Verb),
            b'J' => Some(Pos::Adjective),
            b'R' => Some(Pos::Adverb),
            _ => None,
        }
    }

    /// Its bit in the map.
    pub const fn bit(self) -> u8 {
        self as u8
    }
}

/// What the map says of a word as a part of speech.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The lemma of an irregular form.
    Exception(&'static str),
    /// An irregular form of no word that is listed.
    NoLemma,
    /// The word is listed.
    Listed,
    /// It is not; the rules may find that it is a form of one that is.
    Unknown,
}

pub(super) struct Model {
    words: Map<&'static [u8]>,
    exceptions: &'static [u8],
}

impl Model {
    pub(super) fn built_in() -> &'static Model {
        &BUILT_IN
    }

    pub(super) fn read(bytes: &'static [u8]) -> Option<Model> {
        let (len, rest) = bytes.strip_prefix(&MAGIC)?.split_first_chunk()?;
        let (words, exceptions) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        Some(Model { words: Map::new(words).ok()?, exceptions })
    }

    pub(super) fn lists(&self, word: &str, pos: Pos) -> bool {
        self.words.get(word).is_some_and(|value| value as u8 & pos.bit() != 0)
    }

    pub(super) fn entry(&self, word: &str, pos: Pos) -> Entry {
        let Some(value) = self.words.get(word) else { return Entry::Unknown };
        let place = (value >> 4) as usize;
        let exception = place.checked_sub(1).and_then(|place| self.exception(place, pos));
        match exception {
            Some("") => Entry::NoLemma,
            Some(lemma) => Entry::Exception(lemma),
            None if value as u8 & pos.bit() != 0 => Entry::Listed,
            None => Entry::Unknown,
        }
    }

    fn exception(&self, place: usize, pos: Pos) -> Option<&'static str> {
        let (&which, mut rest) = self.exceptions.get(place..)?.split_first()?;
        for other in Pos::ALL.into_iter().filter(|other| which & other.bit() != 0) {
            let (&len, behind) = rest.split_first()?;
            let (lemma, behind) = behind.split_at_checked(usize::from(len))?;
            if other == pos {
                return std::str::from_utf8(lemma).ok();
            }
            rest = behind;
        }
        None
    }
}
