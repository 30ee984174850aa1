//! What has to be done to a capture before a column of it is known.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// A set of steps. The dear ones are those that look into the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Stages(u32);

/// All steps in the order they are taken, with the names that plans and metrics give them.
const ALL: [(Stages, &str); 23] = [
    (Stages::HTTP, "http"),
    (Stages::BODY, "body"),
    (Stages::CHARSET, "charset"),
    (Stages::HTML, "html"),
    (Stages::METADATA, "metadata"),
    (Stages::BYLINES, "bylines"),
    (Stages::TEXT, "text"),
    (Stages::FULL_TEXT, "full-text"),
    (Stages::LINKS, "links"),
    (Stages::QUOTES, "quotes"),
    (Stages::LANGUAGES, "languages"),
    (Stages::SIMHASH, "simhash"),
    (Stages::MINHASH, "minhash"),
    (Stages::SKETCH, "sketch"),
    (Stages::PROFANITY, "profanity"),
    (Stages::WORDS, "words"),
    (Stages::SENTENCES, "sentences"),
    (Stages::STEMS, "stems"),
    (Stages::TAGS, "pos"),
    (Stages::LEMMAS, "lemmas"),
    (Stages::ENTITIES, "entities"),
    (Stages::PLACES, "places"),
    (Stages::KEYWORDS, "keywords"),
];

impl Stages {
    /// None: the head of the record says it.
    pub const NONE: Stages = Stages(0);
    /// The head of the HTTP message is read.
    pub const HTTP: Stages = Stages(1);
    /// The body is decoded from its transfer and content codings.
    pub const BODY: Stages = Stages(1 << 1 | Self::HTTP.0);
    /// The body becomes characters.
    pub const CHARSET: Stages = Stages(1 << 2 | Self::BODY.0);
    /// The characters become a tree.
    pub const HTML: Stages = Stages(1 << 3 | Self::CHARSET.0);
    /// What the page states of itself is gathered.
    pub const METADATA: Stages = Stages(1 << 4 | Self::HTML.0);
    /// Authors, owner and dates are searched for in the whole page.
    pub const BYLINES: Stages = Stages(1 << 10 | Self::METADATA.0);
    /// The main text is found.
    pub const TEXT: Stages = Stages(1 << 5 | Self::HTML.0);
    /// All visible text is written.
    pub const FULL_TEXT: Stages = Stages(1 << 6 | Self::TEXT.0);
    /// Links are gathered.
    pub const LINKS: Stages = Stages(1 << 7 | Self::HTML.0);
    /// Quotes are found in the main text, by the language the page declares.
    pub const QUOTES: Stages = Stages(1 << 8 | Self::TEXT.0 | Self::METADATA.0);

    /// Languages are found in all visible text.
    pub const LANGUAGES: Stages = Stages(1 << 9 | Self::FULL_TEXT.0);
    /// The main text becomes a fingerprint.
    pub const SIMHASH: Stages = Stages(1 << 11 | Self::TEXT.0);
    /// The main text becomes a sketch.
    pub const MINHASH: Stages = Stages(1 << 12 | Self::TEXT.0);
    /// The bytes of the body become a sketch.
    pub const SKETCH: Stages = Stages(1 << 13 | Self::CHARSET.0);

    /// The language of the main text is found.
    const TEXT_LANGUAGE: Stages = Stages(Self::TEXT.0 | Self::METADATA.0);
    /// Words of lists are found in the main text.
    pub const PROFANITY: Stages = Stages(1 << 14 | Self::TEXT_LANGUAGE.0);
    /// The main text becomes tokens.
    pub const WORDS: Stages = Stages(1 << 15 | Self::TEXT_LANGUAGE.0);
    /// Tokens become sentences.
    pub const SENTENCES: Stages = Stages(1 << 16 | Self::WORDS.0);
    /// Tokens become stems.
    pub const STEMS: Stages = Stages(1 << 17 | Self::WORDS.0);
    /// Tokens get their parts of speech.
    pub const TAGS: Stages = Stages(1 << 18 | Self::SENTENCES.0);
    /// Tokens become their base forms.
    pub const LEMMAS: Stages = Stages(1 << 19 | Self::TAGS.0);
    /// Names are found.
    pub const ENTITIES: Stages = Stages(1 << 20 | Self::TAGS.0);
    /// Names of places are looked up.
    pub const PLACES: Stages = Stages(1 << 21 | Self::ENTITIES.0);
    /// Keywords are found.
    pub const KEYWORDS: Stages = Stages(1 << 22 | Self::SENTENCES.0);

    /// Both sets together, also in a constant.
    #[must_use]
    pub const fn and(self, other: Stages) -> Stages {
        Stages(self.0 | other.0)
    }

    /// Whether all of `other` is in it.
    pub fn contains(self, other: Stages) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the body is read.
    pub fn needs_body(self) -> bool {
        self.contains(Stages::BODY)
    }

    /// The steps' names, in their order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        ALL.into_iter().filter(move |&(stage, _)| self.contains(stage)).map(|(_, name)| name)
    }

    /// The steps' places in the order of all steps.
    pub(crate) fn places(self) -> impl Iterator<Item = usize> {
        (0..ALL.len()).filter(move |&at| self.contains(ALL[at].0))
    }

    /// The names of all steps, in their order.
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        ALL.into_iter().map(|(_, name)| name)
    }
}

impl BitOr for Stages {
    type Output = Stages;

    fn bitor(self, other: Stages) -> Stages {
        Stages(self.0 | other.0)
    }
}

impl BitOrAssign for Stages {
    fn bitor_assign(&mut self, other: Stages) {
        self.0 |= other.0;
    }
}

impl FromIterator<Stages> for Stages {
    fn from_iter<I: IntoIterator<Item = Stages>>(stages: I) -> Stages {
        stages.into_iter().fold(Stages::NONE, BitOr::bitor)
    }
}

impl fmt::Display for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = self.names();
        f.write_str(names.next().unwrap_or("none"))?;
        names.try_for_each(|name| write!(f, ", {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_brings_those_it_needs() {
        assert_eq!(Stages::METADATA.to_string(), "http, body, charset, html, metadata");
        assert_eq!(Stages::NONE.to_string(), "none");
        assert!(Stages::QUOTES.contains(Stages::TEXT) && !Stages::LINKS.contains(Stages::TEXT));
        assert!(Stages::BODY.needs_body() && !Stages::HTTP.needs_body());
    }
}
