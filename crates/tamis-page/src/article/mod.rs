//! The article format: a page as one line of tab-separated fields, with its text in tokens and the places of its links and
//! quotes in them.
//!
//! `docs/formats/article.md` describes the fields, and where the reference's document contradicts itself. [`Article`]'s `Display` writes a
//! line, [`Article::parse`] reads one, and [`Article::repair`] mends the characters of an old one. The table of pages makes articles.

mod line;
mod mend;
#[cfg(test)]
mod tests;
mod text;

pub use line::{ArticleError, one_line};
pub use text::{CharacterRanges, usable};

/// A page in the article format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Article {
    /// `U`: its address.
    pub url: String,
    /// `D`: its date, as it was given.
    pub date: Option<String>,
    /// `T`: its title in tokens, parted by spaces.
    pub title: String,
    /// `F`: its title as it was.
    pub original_title: String,
    /// `C`: its text in tokens, parted by spaces.
    pub text: String,
    /// `H`: its markup, without tabs. Runs of line breaks are one.
    pub html: String,
    /// `G`: how much of the text is readable, and in which languages it is.
    pub quality: Option<Quality>,
    /// `L`: where it leads.
    pub links: Vec<Link>,
    /// `Q`: what it quotes.
    pub quotes: Vec<Quote>,
    /// Fields with other names, as they were.
    pub other: Vec<String>,
}

/// How readable a text is.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// The share of its characters that were not lost, from 0 to 1.
    pub usable: f32,
    /// Its languages by their codes, with the probability of each, the largest first. No threshold.
    pub languages: Vec<(String, f32)>,
}

impl Quality {
    /// Whether the text is good enough to be used: more than 0.8 of it is readable.
    pub fn is_usable(&self) -> bool {
        self.usable > 0.8
    }
}

/// A place in the text of an article ([`Article::text`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first character, counted from 0.
    pub start: usize,
    /// How many characters there are.
    pub length: usize,
}

/// A link of an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where its text is; none if it stands in the title.
    pub place: Option<Place>,
    /// Where it leads.
    pub url: String,
}

/// A quote of an article.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Where it is.
    pub place: Place,
    /// What is said, in tokens.
    pub text: String,
}
