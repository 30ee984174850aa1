//! An article made of a page.

use super::line::one_line;
use super::places::Joined;
use super::{Article, Link, Quality, Quote};
use crate::content::Written;
use crate::language::Answer;
use crate::links::{Kind, Links};
use crate::quotes;
use crate::repair::diagnose;
use crate::tokens::split;

/// What an article is made of.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The address.
    pub url: &'a str,
    /// The date.
    pub date: Option<&'a str>,
    /// The title.
    pub title: &'a str,
    /// The markup.
    pub html: &'a str,
    /// The text, and which parts of the page went into it.
    pub text: &'a Written,
    /// The links of the page.
    pub links: &'a Links,
    /// The language of the page, as a BCP 47 tag.
    pub language: Option<&'a str>,
    /// What a detector says of the text.
    pub languages: Option<&'a Answer>,
}

impl Source<'_> {
    /// The article. Its links are those that a reader follows or reads; each quote is told once, the outer one of two.
    pub fn article(&self) -> Article {
        let tokens = split(&self.text.text, self.language);
        let joined = Joined::new(&self.text.text, &tokens);
        let title_tokens = split(self.title, self.language);
        Article {
            url: self.url.to_owned(),
            date: self.date.map(str::to_owned),
            title: Joined::new(self.title, &title_tokens).text,
            original_title: one_line(self.title),
            html: self.html.to_owned(),
            quality: Some(self.quality()),
            links: self.links(&joined),
            quotes: self.quotes(&joined),
            text: joined.text,
            other: Vec::new(),
        }
    }

    fn links(&self, joined: &Joined<'_>) -> Vec<Link> {
        let positions = self.links.positions(&self.text.placed);
        let links = self.links.iter().zip(positions);
        let read = links.filter(|(link, _)| matches!(link.kind(), Kind::Anchor | Kind::Text));
        read.map(|(link, position)| Link {
            place: position.map(|place| joined.place(place.start as usize, place.length as usize)),
            url: link.url().to_owned(),
        })
        .collect()
    }

    fn quotes(&self, joined: &Joined<'_>) -> Vec<Quote> {
        let found = quotes::find(&self.text.text, self.language);
        let mut cut = Cut::new(&joined.text);
        let mut quotes = Vec::new();
        for quote in found.iter().filter(|quote| quote.depth == 0) {
            let place = joined.place(quote.start, quote.length);
            quotes.push(Quote { place, text: cut.characters(place.start, place.length).to_owned() });
        }
        quotes
    }

    fn quality(&self) -> Quality {
        let languages = self.languages.map(probabilities).unwrap_or_default();
        Quality { usable: usable(&self.text.text), languages }
    }
}

/// The share of each language in the text, the largest first.
fn probabilities(answer: &Answer) -> Vec<(String, f32)> {
    let share = |&(language, _): &(crate::language::Language, u32)| {
        let code = language.short_code().unwrap_or(language.code()).to_owned();
        (code, answer.share(language).clamp(0.0, 1.0))
    };
    answer.counts.iter().map(share).collect()
}

/// The share of a text's characters that were not lost: neither a question mark within a word nor U+FFFD, no control and no
/// character for private use. A text without characters has lost none.
pub(super) fn usable(text: &str) -> f32 {
    let count = text.chars().count();
    if count == 0 {
        return 1.0;
    }
    let is_unreadable = |&character: &char| {
        (character.is_control() && !character.is_whitespace())
            || matches!(character, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
    };
    let unreadable = text.chars().filter(is_unreadable).count() + diagnose(text).lost.question_marks.len();
    1.0 - unreadable.min(count) as f32 / count as f32
}

/// Parts of a text by their characters, asked for in order.
pub(super) struct Cut<'a> {
    text: &'a str,
    character: usize,
    byte: usize,
}

impl<'a> Cut<'a> {
    pub(super) fn new(text: &'a str) -> Cut<'a> {
        Cut { text, character: 0, byte: 0 }
    }

    /// So many characters from a place on, as many of them as there are.
    pub(super) fn characters(&mut self, start: usize, length: usize) -> &'a str {
        if start < self.character {
            (self.character, self.byte) = (0, 0);
        }
        self.byte = self.behind(start - self.character);
        self.character = start;
        let end = self.behind(length);
        &self.text[self.byte..end]
    }

    fn behind(&self, characters: usize) -> usize {
        let rest = &self.text[self.byte..];
        rest.char_indices().nth(characters).map_or(self.text.len(), |(at, _)| self.byte + at)
    }
}
