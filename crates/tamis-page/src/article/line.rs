//! The line of an article, written and read.

use std::fmt::{self, Display, Formatter};

use thiserror::Error;

use super::{Article, Link, Place, Quality, Quote};

/// What stands for line breaks in the markup.
const NEW_LINE: &str = "*NL*";

/// Why a line is no article.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ArticleError {
    /// It has no address.
    #[error("the line has no field `U:`")]
    NoUrl,
    /// A field does not have the parts that its name asks for.
    #[error("field {number}: `{field}` is not `{expected}`")]
    Field {
        /// Which one, counted from 1.
        number: usize,
        /// Its start.
        field: String,
        /// What it should be like.
        expected: &'static str,
    },
}

impl Display for Article {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "U:{}", one_line(&self.url))?;
        if let Some(date) = &self.date {
            write!(out, "\tD:{}", one_line(date))?;
        }
        write!(out, "\tT:{}\tF:{}", one_line(&self.title), one_line(&self.original_title))?;
        write!(out, "\tC:{}\tH:{}", one_line(&self.text), markup(&self.html))?;
        if let Some(quality) = &self.quality {
            write!(out, "\tG:{:.4}:{}", quality.usable, if quality.is_usable() { 'T' } else { 'F' })?;
            for (language, probability) in &quality.languages {
                write!(out, ":{}:{probability:.4}", one_line(language))?;
            }
        }
        for link in &self.links {
            match link.place {
                Some(place) => write!(out, "\tL:{}:{}:{}", place.start, place.length, one_line(&link.url))?,
                None => write!(out, "\tL:::{}", one_line(&link.url))?,
            }
        }
        for quote in &self.quotes {
            write!(out, "\tQ:{}:{}:{}", quote.place.start, quote.place.length, one_line(&quote.text))?;
        }
        self.other.iter().try_for_each(|field| write!(out, "\t{}", one_line(field)))
    }
}

impl Article {
    /// Reads a line, with or without its line break. Fields may come in any order; what is not known is kept.
    pub fn parse(line: &str) -> Result<Article, ArticleError> {
        let mut article = Article::default();
        let mut has_url = false;
        for (number, field) in (1..).zip(line.trim_end_matches(['\r', '\n']).split('\t')) {
            let fault =
                |expected| ArticleError::Field { number, field: field.chars().take(40).collect(), expected };
            let Some((name, value)) = field.split_once(':').filter(|(name, _)| name.len() == 1) else {
                if !field.is_empty() {
                    article.other.push(field.to_owned());
                }
                continue;
            };
            match name {
                "U" => {
                    has_url = true;
                    value.clone_into(&mut article.url);
                }
                "D" => article.date = Some(value.to_owned()),
                "T" => value.clone_into(&mut article.title),
                "F" => value.clone_into(&mut article.original_title),
                "C" => value.clone_into(&mut article.text),
                "H" => article.html = value.replace(NEW_LINE, "\n"),
                "G" => {
                    let read = quality(value).ok_or_else(|| fault("G:share:T or F:language:probability"))?;
                    article.quality = Some(read);
                }
                "L" => article.links.push(link(value).ok_or_else(|| fault("L:start:length:address"))?),
                "Q" => article.quotes.push(quote(value).ok_or_else(|| fault("Q:start:length:text"))?),
                _ => article.other.push(field.to_owned()),
            }
        }
        if has_url { Ok(article) } else { Err(ArticleError::NoUrl) }
    }
}

/// The share is what counts; the letter behind it says nothing more.
fn quality(value: &str) -> Option<Quality> {
    let mut parts = value.split(':');
    let usable = parts.next()?.trim().parse().ok().filter(|share: &f32| share.is_finite())?;
    parts.next();
    let mut languages = Vec::new();
    while let Some(language) = parts.next() {
        languages.push((language.to_owned(), parts.next()?.parse().ok().filter(|p: &f32| p.is_finite())?));
    }
    Some(Quality { usable, languages })
}

/// The two numbers of a place, if they are there, and what follows.
fn placed(value: &str) -> Option<(Option<Place>, &str)> {
    let (start, rest) = value.split_once(':')?;
    let (length, rest) = rest.split_once(':')?;
    if start.is_empty() && length.is_empty() {
        return Some((None, rest));
    }
    Some((Some(Place { start: start.parse().ok()?, length: length.parse().ok()? }), rest))
}

fn link(value: &str) -> Option<Link> {
    let (place, url) = placed(value)?;
    Some(Link { place, url: url.to_owned() })
}

fn quote(value: &str) -> Option<Quote> {
    let (place, text) = placed(value)?;
    Some(Quote { place: place?, text: text.to_owned() })
}

/// A value without what would end its field: each such character becomes a space, so that places stay right.
pub fn one_line(value: &str) -> String {
    value.replace(['\t', '\n', '\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}'], " ")
}

/// Markup without tabs, with a mark for each run of line breaks.
fn markup(html: &str) -> String {
    let mut written = String::with_capacity(html.len());
    let mut is_break = false;
    for character in html.chars().filter(|&character| character != '\t') {
        match character {
            '\n' | '\r' => is_break = true,
            _ => {
                if std::mem::take(&mut is_break) {
                    written.push_str(NEW_LINE);
                }
                written.push(character);
            }
        }
    }
    if is_break {
        written.push_str(NEW_LINE);
    }
    written
}
