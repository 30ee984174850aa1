//! From bytes to entries.

use std::io::{BufRead, Cursor, Read};

use tamis_archive::Timestamp;

use super::bounded::Bounded;
use super::markup::{Tag, unescape};
use super::tokens::{Token, Tokens};
use super::{Entry, Format, Kind, Limits, Summary, list};
use crate::robots::http_date_ms;

/// Reads a list of addresses of any format and gives each entry when it is whole. Nothing in it is an error: the
/// summary tells how far it went.
pub fn read<R: BufRead>(input: R, limits: Limits, mut each: impl FnMut(Entry<'_>)) -> Summary {
    let mut input = Bounded::new(input, limits.max_bytes);
    match first_bytes(&mut input) {
        Start::Utf16(bytes) => {
            let utf8 = Bounded::new(Cursor::new(bytes), u64::MAX);
            let mut summary = read_utf8(utf8, limits, &mut each);
            summary.is_cut |= input.is_cut;
            summary.is_damaged |= input.is_damaged;
            summary
        }
        Start::Utf8 => read_utf8(input, limits, &mut each),
    }
}

enum Start {
    Utf8,
    /// The whole file, in UTF-8.
    Utf16(Vec<u8>),
}

/// Passes over the mark of UTF-8 and blanks; a file in UTF-16, which is rare, is turned as a whole.
fn first_bytes<R: BufRead>(input: &mut Bounded<R>) -> Start {
    let first = input.peek();
    if matches!(first, Some(0xFE | 0xFF)) {
        input.consume(1);
    }
    let unit: fn([u8; 2]) -> u16 = match (first, input.peek()) {
        (Some(0xFF), Some(0xFE)) => u16::from_le_bytes,
        (Some(0xFE), Some(0xFF)) => u16::from_be_bytes,
        _ => {
            while matches!(input.peek(), Some(b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF)) {
                input.consume(1);
            }
            return Start::Utf8;
        }
    };
    input.consume(1);
    let mut bytes = Vec::new();
    // Reading gives no errors here: what fails ends.
    let _ = input.read_to_end(&mut bytes);
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    Start::Utf16(text.into_bytes())
}

fn read_utf8<R: BufRead>(mut input: Bounded<R>, limits: Limits, each: &mut impl FnMut(Entry<'_>)) -> Summary {
    let mut summary = Summary::default();
    if input.peek().is_some_and(|byte| byte != b'<') {
        summary.format = Format::List;
        list::read(&mut input, &mut summary, |loc, summary| {
            give(Entry { loc, kind: Kind::Page, lastmod_ms: None, priority: None }, limits, summary, each)
        });
        return finished(summary, &input);
    }
    let mut tokens = Tokens::new(input);
    let mut reading = Reading::default();
    while let Some(token) = tokens.next() {
        let text = String::from_utf8_lossy(tokens.bytes());
        let is_going_on = match token {
            Token::Tag => reading.tag(Tag::read(&text), limits, &mut summary, each),
            Token::Text => reading.text(&unescape(&text)),
            Token::Data => reading.text(&text),
        };
        if !is_going_on {
            break;
        }
    }
    // An element that is open at the end says that the file was cut.
    summary.is_damaged |= reading.is_open && !summary.is_cut;
    finished(summary, &tokens.into_input())
}

fn finished<R>(mut summary: Summary, input: &Bounded<R>) -> Summary {
    summary.is_cut |= input.is_cut;
    summary.is_damaged |= input.is_damaged;
    summary
}

/// Gives an entry; false where there are enough.
fn give(entry: Entry<'_>, limits: Limits, summary: &mut Summary, each: &mut impl FnMut(Entry<'_>)) -> bool {
    if summary.entries >= limits.max_entries {
        summary.is_cut = true;
        return false;
    }
    summary.entries += 1;
    each(entry);
    true
}

/// The part of an entry that text belongs to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    None,
    Loc,
    Date,
    Priority,
    /// What stands in the entry itself, in damaged indexes its address, or in its `<guid>`: it counts without a `Loc`.
    Bare,
}

#[derive(Debug, Default)]
struct Reading {
    /// Whether the outermost element is open.
    is_open: bool,
    /// Its namespace prefix, which its entries have, or none.
    prefix: String,
    /// The kind and namespace prefix of the entry that is open.
    entry: Option<(Kind, String)>,
    part: Part,
    loc: String,
    bare: String,
    date: String,
    priority: String,
}

impl Reading {
    /// Takes a tag; false where there are enough entries.
    fn tag(
        &mut self,
        tag: Tag<'_>,
        limits: Limits,
        summary: &mut Summary,
        each: &mut impl FnMut(Entry<'_>),
    ) -> bool {
        if summary.format == Format::Unknown && !tag.is_end {
            summary.format = format_of(&tag);
            self.is_open = summary.format != Format::Unknown;
            tag.prefix.clone_into(&mut self.prefix);
        }
        let is_ours = tag.prefix.is_empty() || tag.prefix == self.prefix;
        let kind = kind_of_entry(&tag, summary.format).filter(|_| is_ours);
        match (kind, tag.is_end) {
            (Some(_), true) => return self.close(limits, summary, each),
            (Some(kind), false) => {
                // The one before was not closed: what it has is whole all the same.
                let goes_on = self.entry.is_none() || self.close(limits, summary, each);
                self.open(kind, tag.prefix);
                return goes_on;
            }
            (None, true) if format_of(&tag) == summary.format && self.is_open => {
                self.is_open = false;
                return self.entry.is_none() || self.close(limits, summary, each);
            }
            (None, true) => self.part = self.outside_part(),
            (None, false) => self.start_part(&tag, summary.format),
        }
        true
    }

    fn text(&mut self, text: &str) -> bool {
        let part = match self.part {
            Part::None => return true,
            Part::Loc => &mut self.loc,
            Part::Bare => &mut self.bare,
            Part::Date => &mut self.date,
            Part::Priority => &mut self.priority,
        };
        if part.len() + text.len() <= super::LONGEST_TEXT {
            part.push_str(text);
        }
        true
    }

    fn open(&mut self, kind: Kind, prefix: &str) {
        self.entry = Some((kind, prefix.to_owned()));
        for part in [&mut self.loc, &mut self.bare, &mut self.date, &mut self.priority] {
            part.clear();
        }
        self.part = Part::Bare;
    }

    fn outside_part(&self) -> Part {
        if self.entry.is_some() { Part::Bare } else { Part::None }
    }

    /// Notes which part an element is; those of other namespaces, as of pictures and videos, are none.
    fn start_part(&mut self, tag: &Tag<'_>, format: Format) {
        let Some((_, prefix)) = &self.entry else { return };
        self.part = if tag.prefix == prefix { part_of(tag, format) } else { Part::None };
        if format == Format::Atom && self.part == Part::Loc {
            self.take_link(tag);
        }
        // The first date and address of an entry count.
        let is_taken = match self.part {
            Part::Loc => !self.loc.is_empty(),
            Part::Date => !self.date.is_empty(),
            _ => false,
        };
        if tag.is_empty || is_taken {
            self.part = self.outside_part();
        }
    }

    fn take_link(&mut self, tag: &Tag<'_>) {
        let is_page = tag.attribute("rel").is_none_or(|rel| rel.eq_ignore_ascii_case("alternate"));
        if let Some(href) = tag.attribute("href").filter(|_| is_page && self.loc.is_empty()) {
            self.loc.push_str(&unescape(href));
        }
        self.part = Part::None;
    }

    fn close(&mut self, limits: Limits, summary: &mut Summary, each: &mut impl FnMut(Entry<'_>)) -> bool {
        self.part = Part::None;
        let Some((kind, _)) = self.entry.take() else { return true };
        let bare = self.bare.trim();
        let loc = match self.loc.trim() {
            "" if bare.contains("://") => bare,
            loc => loc,
        };
        if loc.is_empty() || loc.contains(char::is_whitespace) {
            summary.empty += 1;
            return true;
        }
        let priority = self.priority.trim().parse().ok().filter(|priority| (0.0..=1.0).contains(priority));
        give(Entry { loc, kind, lastmod_ms: moment_ms(self.date.trim()), priority }, limits, summary, each)
    }
}

fn format_of(tag: &Tag<'_>) -> Format {
    [
        ("urlset", Format::UrlSet),
        ("sitemapindex", Format::Index),
        ("rss", Format::Rss),
        ("rdf", Format::Rss),
        ("feed", Format::Atom),
    ]
    .into_iter()
    .find(|(name, _)| tag.is(name))
    .map_or(Format::Unknown, |(_, format)| format)
}

/// What an element is an entry of. Sitemaps with the wrong outermost element are found, so both are taken in either.
fn kind_of_entry(tag: &Tag<'_>, format: Format) -> Option<Kind> {
    match format {
        Format::UrlSet | Format::Index if tag.is("url") => Some(Kind::Page),
        Format::UrlSet | Format::Index if tag.is("sitemap") => Some(Kind::Sitemap),
        Format::Rss if tag.is("item") => Some(Kind::Page),
        Format::Atom if tag.is("entry") => Some(Kind::Page),
        _ => None,
    }
}

fn part_of(tag: &Tag<'_>, format: Format) -> Part {
    let (locs, dates): (&[&str], &[&str]) = match format {
        Format::UrlSet | Format::Index => (&["loc"], &["lastmod"]),
        Format::Rss => (&["link"], &["pubDate", "date"]),
        Format::Atom => (&["link"], &["updated", "published", "modified"]),
        Format::Unknown | Format::List => (&[], &[]),
    };
    if locs.iter().any(|name| tag.is(name)) {
        Part::Loc
    } else if dates.iter().any(|name| tag.is(name)) {
        Part::Date
    } else if tag.is("priority") {
        Part::Priority
    } else if format == Format::Rss && tag.is("guid") {
        Part::Bare
    } else {
        Part::None
    }
}

/// Sitemaps and Atom write moments as ISO 8601, RSS as e-mail does.
fn moment_ms(text: &str) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    let Some(moment) = Timestamp::parse(text.as_bytes()) else { return http_date_ms(text) };
    u64::try_from(moment.unix_seconds()).ok()?.checked_mul(1_000)
}

#[cfg(test)]
mod tests;
