//! Makes an article line of a page: its text in tokens, and where its links and quotes are among them.

mod places;
#[cfg(test)]
mod tests;

use tamis_page::article::{Article, CharacterRanges, Link, Quality, Quote, one_line, usable};
use tamis_page::content::Written;
use tamis_page::links::{Kind, Links};
use tamis_page::quotes;
use tamis_words::language::{Answer, Language};
use tamis_words::tokens::split;

use self::places::Joined;

/// What an article is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// The address.
    pub(crate) url: &'a str,
    /// The date.
    pub(crate) date: Option<&'a str>,
    /// The title.
    pub(crate) title: &'a str,
    /// The markup.
    pub(crate) html: &'a str,
    /// The text, and which parts of the page went into it.
    pub(crate) text: &'a Written,
    /// The links of the page.
    pub(crate) links: &'a Links,
    /// The language of the page, as a BCP 47 tag.
    pub(crate) language: Option<&'a str>,
    /// What a detector says of the text.
    pub(crate) languages: Option<&'a Answer>,
}

impl Source<'_> {
    /// The article. Its links are those that a reader follows or reads; each quote is told once, the outer one of two.
    pub(crate) fn article(&self) -> Article {
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
        let mut ranges = CharacterRanges::new(&joined.text);
        let mut quotes = Vec::new();
        for quote in found.iter().filter(|quote| quote.depth == 0) {
            let place = joined.place(quote.start, quote.length);
            quotes.push(Quote { place, text: ranges.next(place.start, place.length).to_owned() });
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
    let share = |&(language, _): &(Language, u32)| {
        let code = language.short_code().unwrap_or(language.code()).to_owned();
        (code, answer.share(language).clamp(0.0, 1.0))
    };
    answer.counts.iter().map(share).collect()
}
