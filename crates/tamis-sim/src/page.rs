//! The HTML of a page: a title, a date, an author, paragraphs, and links around and within.

use std::fmt::Write;

use super::World;
use super::dice::Dice;
use super::links::Link;
use super::options::Special;
use super::series::Series;
use super::spell::Base;
use super::spot::{Spot, What};
use super::text::{self, LANGUAGES};

/// A `<base href>` that is no folder of the page.
const BASE_HREF: &str = "/base/of/things/";

/// What a page looks like; everything but its links.
#[derive(Debug, Clone)]
struct Look {
    dice: Dice,
    language: usize,
    topic: Option<u8>,
    event: Option<u8>,
    bytes: usize,
    /// Whose style it has.
    host: u32,
    base: bool,
    /// The content of `<meta name=robots>`.
    meta: Option<&'static str>,
    /// The number that a page of a series shows.
    number: Option<u64>,
}

/// A charset as pages declare it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charset {
    Utf8,
    Latin1,
    Windows1251,
    Utf16,
}

impl World {
    /// The HTML of a spot that has some.
    pub(super) fn html(&self, spot: Spot) -> String {
        let look = self.look(spot);
        let links = self.links(spot);
        let mut path = String::new();
        if look.base {
            path.push_str(BASE_HREF);
        } else {
            self.write_path(spot.host, spot.what, &mut path);
        }
        let place = Some(spot).filter(|spot| !self.is_copy(*spot));
        let base = Base { spot: place, path: &path, relative: look.base };
        let mut html = self.render(&look, &base, &links);
        if let Some(Special::NearCopy) = self.special_at(spot) {
            self.vary(spot, &mut html);
        }
        html
    }

    /// The charset of a page.
    pub(super) fn charset(&self, spot: Spot) -> Charset {
        let What::Page(page) = spot.what else { return Charset::Utf8 };
        let mut dice = Dice::new(self.options.seed, &[12, u64::from(spot.host), u64::from(page)]);
        if self.special(spot.host, page).is_some() || !dice.chance(self.options.articles.charset) {
            return Charset::Utf8;
        }
        match LANGUAGES[self.hosts[spot.host as usize].language].cyrillic {
            _ if dice.chance(0.3) => Charset::Utf16,
            true => Charset::Windows1251,
            false => Charset::Latin1,
        }
    }

    fn special_at(&self, spot: Spot) -> Option<Special> {
        let What::Page(page) = spot.what else { return None };
        self.special(spot.host, page)
    }

    fn is_copy(&self, spot: Spot) -> bool {
        matches!(self.special_at(spot), Some(Special::Copy | Special::NearCopy))
    }

    fn look(&self, spot: Spot) -> Look {
        let host = &self.hosts[spot.host as usize];
        let special = self.special_at(spot);
        let mut dice = Dice::new(self.options.seed, &[13, u64::from(spot.host), spot.what.number()]);
        let bytes = (self.options.page_bytes as f64 * (0.5 + dice.unit())) as usize;
        let base = special.is_none()
            && matches!(spot.what, What::Page(_))
            && dice.chance(self.options.articles.base);
        let look = Look {
            language: host.language,
            topic: None,
            event: None,
            bytes,
            host: spot.host,
            base,
            meta: None,
            number: None,
            dice,
        };
        match (spot.what, special) {
            (What::Page(page), Some(Special::Copy)) => self.copied(self.cluster(spot.host, page), 0, &look),
            (What::Page(page), Some(Special::NearCopy)) => {
                self.copied(self.cluster(spot.host, page), 1, &look)
            }
            (What::Series(series, _, number), _) => {
                // Pictures have hardly a word.
                let bytes = if series == Series::Picture { 0 } else { look.bytes };
                Look { number: series.shown(number), bytes, ..look }
            }
            (_, Some(Special::NofollowPage)) => Look { meta: Some("nofollow"), ..look },
            (_, Some(Special::Noindex)) => Look { meta: Some("noindex"), ..look },
            (What::Page(page), None) => {
                Look { topic: self.topic_of(spot.host, page), event: self.event_of(spot.host, page), ..look }
            }
            _ => look,
        }
    }

    /// Everything of a copy follows from the text it shares.
    fn copied(&self, cluster: u64, near: u64, look: &Look) -> Look {
        let dice = Dice::new(self.options.seed, &[14, near, cluster]);
        let language = if self.options.topics { 0 } else { (cluster % LANGUAGES.len() as u64) as usize };
        Look { dice, language, bytes: self.options.page_bytes, host: 0, ..look.clone() }
    }

    /// Changes a few words, as a date, a counter or an advertisement does.
    fn vary(&self, spot: Spot, html: &mut String) {
        let mut dice = Dice::new(self.options.seed, &[15, u64::from(spot.host), spot.what.number()]);
        let mut note = String::from("<p class=\"note\">");
        text::name(&mut dice, false, &mut note);
        let _ = write!(note, " {}</p></article>", dice.between(1, 999));
        *html = html.replacen("</article>", &note, 1);
    }

    fn render(&self, look: &Look, base: &Base<'_>, links: &[Link]) -> String {
        let mut dice = look.dice.clone();
        let mut out = String::with_capacity(look.bytes + look.bytes / 4 + 512);
        let cyrillic = LANGUAGES[look.language].cyrillic;
        let mut title = String::new();
        self.write_event_heading(look.event, &mut dice, &mut title);
        text::heading(&mut dice, cyrillic, look.topic, &mut title);
        let style = self.text.theme(look.host, (look.bytes as f64 * self.options.markup) as usize);
        write_head(look, &title, style, &mut dice, &mut out);
        let (around, within) = links.split_at(links.len() / 3);
        out.push_str("<header><nav>");
        self.write_links(look, base, around, &mut dice, &mut out);
        let _ = write!(out, "</nav></header>\n<main><article>\n<h1>{title}</h1>\n");
        if let Some(number) = look.number {
            let _ = writeln!(out, "<p>{number}</p>");
        }
        write_byline(cyrillic, self.event_day(look.event, &mut dice), &mut dice, &mut out);
        let (within, below) = within.split_at(within.len() / 2);
        self.write_paragraphs(look, base, within, &mut dice, &mut out);
        out.push_str("</article></main>\n<aside><ul>");
        self.write_links(look, base, below, &mut dice, &mut out);
        out.push_str("</ul></aside>\n<footer><p>The simulated web</p></footer>\n</body></html>\n");
        out
    }

    fn write_links(&self, look: &Look, base: &Base<'_>, links: &[Link], dice: &mut Dice, out: &mut String) {
        for link in links {
            self.write_link(look, base, *link, dice, out);
            out.push('\n');
            if let Some(nowhere) = self.nowhere(dice) {
                let _ = writeln!(out, "<a href='{nowhere}'>more</a>");
            }
        }
    }

    fn write_link(&self, look: &Look, base: &Base<'_>, link: Link, dice: &mut Dice, out: &mut String) {
        out.push_str("<a href=\"");
        self.write_href(base, link.to, dice, out);
        // That of a page or a field holds for all its links.
        let own =
            link.nofollow && base.spot.and_then(|spot| self.special_at(spot)) == Some(Special::NofollowLink);
        out.push_str(if own { "\" rel=\"nofollow\">" } else { "\">" });
        let topic = match link.to.what {
            What::Page(page) => self.topic_of(link.to.host, page),
            _ => None,
        };
        if let What::Page(page) = link.to.what {
            self.write_event_anchor(link.to.host, page, dice, out);
        }
        text::heading(dice, LANGUAGES[look.language].cyrillic, topic, out);
        out.push_str("</a>");
    }

    fn write_paragraphs(
        &self,
        look: &Look,
        base: &Base<'_>,
        links: &[Link],
        dice: &mut Dice,
        out: &mut String,
    ) {
        let cyrillic = LANGUAGES[look.language].cyrillic;
        let mut sentences = self.shuffled(look, dice).into_iter().cycle();
        let mut links = links.iter();
        while out.len() + 400 < look.bytes || links.len() > 0 {
            out.push_str("<p>");
            let last = links.len() == 0 && out.len() + 900 > look.bytes;
            if last || look.event.is_some() || dice.chance(self.options.readable) {
                for sentence in sentences.by_ref().take(3) {
                    if !self.write_event_sentence(look.event, dice, out) {
                        text::fill(sentence, dice, cyrillic, out);
                    }
                    out.push(' ');
                }
            } else {
                self.text.strange(dice, look.language, out);
                out.push(' ');
            }
            for link in links.by_ref().take(if self.options.markup > 0.0 { 4 } else { 1 }) {
                self.write_link(look, base, *link, dice, out);
            }
            out.push_str("</p>\n");
        }
    }

    /// The sentences for a page in an order of its own. Two of three on a page about a topic are about it; were all,
    /// its pages would be near-duplicates.
    fn shuffled(&self, look: &Look, dice: &mut Dice) -> Vec<&'static str> {
        let mut general = self.text.sentences(look.language, None).to_vec();
        dice.shuffle(&mut general);
        let Some(topic) = look.topic else { return general };
        let mut about = self.text.sentences(look.language, Some(topic)).to_vec();
        dice.shuffle(&mut about);
        about.chunks(2).zip(general).flat_map(|(two, one)| two.iter().copied().chain([one])).collect()
    }
}

impl What {
    /// A number that tells it from others of its host.
    fn number(self) -> u64 {
        match self {
            Self::Page(page) => u64::from(page),
            Self::Extra(page) => u64::from(page) | 1 << 40,
            Self::Guest(from, page) => u64::from(page) | u64::from(from) << 41,
            // A calendar without events says the same of all months.
            Self::Month(_) => 1 << 33,
            Self::Session(item, id) => id ^ u64::from(item),
            Self::Deep(steps) => u64::from(steps) | 1 << 34,
            Self::Series(series, page, number) => {
                let own = if series.is_told() { number + 1 } else { 0 };
                1 << 36 | (series as u64) << 37 | u64::from(page) << 42 ^ own
            }
            _ => 1 << 35,
        }
    }
}

impl Charset {
    /// Its name in a `Content-Type`; none where a byte order mark speaks for itself.
    pub(super) fn label(self) -> Option<&'static str> {
        match self {
            Self::Utf8 => Some("utf-8"),
            Self::Latin1 => Some("iso-8859-1"),
            Self::Windows1251 => Some("windows-1251"),
            Self::Utf16 => None,
        }
    }

    /// A page in its bytes. What it has no byte for becomes a character reference.
    pub(super) fn encode(self, html: String) -> Vec<u8> {
        match self {
            Self::Utf8 => html.into_bytes(),
            Self::Utf16 => {
                "\u{feff}".encode_utf16().chain(html.encode_utf16()).flat_map(u16::to_le_bytes).collect()
            }
            Self::Latin1 => encode_bytes(&html, |c| u8::try_from(c).ok()),
            Self::Windows1251 => encode_bytes(&html, windows_1251),
        }
    }
}

fn encode_bytes(html: &str, byte: impl Fn(char) -> Option<u8>) -> Vec<u8> {
    let mut out = Vec::with_capacity(html.len());
    for c in html.chars() {
        match byte(c) {
            Some(byte) => out.push(byte),
            None => out.extend_from_slice(format!("&#{};", u32::from(c)).as_bytes()),
        }
    }
    out
}

fn windows_1251(c: char) -> Option<u8> {
    match c {
        '\0'..='\x7f' => Some(c as u8),
        'А'..='я' => Some((u32::from(c) - u32::from('А')) as u8 + 0xc0),
        'Ё' => Some(0xa8),
        'ё' => Some(0xb8),
        _ => None,
    }
}

fn write_head(look: &Look, title: &str, style: &str, dice: &mut Dice, out: &mut String) {
    let code = LANGUAGES[look.language].code;
    let _ = writeln!(out, "<!DOCTYPE html>\n<html lang=\"{code}\"><head><title>{title}</title>");
    if look.base {
        let _ = writeln!(out, "<base href=\"{BASE_HREF}\">");
    }
    if let Some(meta) = look.meta {
        let _ = writeln!(out, "<meta name=\"robots\" content=\"{meta}\">");
    }
    if !style.is_empty() {
        let _ = writeln!(out, "<style>\n{style}</style>");
    }
    out.push_str("<meta name=\"author\" content=\"");
    text::fill("{person}", dice, false, out);
    out.push_str("\">\n</head><body>\n");
}

fn write_byline(cyrillic: bool, known: Option<(u32, u32, u32)>, dice: &mut Dice, out: &mut String) {
    let any = (dice.between(2015, 2024), dice.between(1, 12), dice.between(1, 28));
    let (year, month, day) = known.unwrap_or(any);
    let _ = write!(
        out,
        "<p class=\"byline\"><time datetime=\"{year}-{month:02}-{day:02}\">{day}.{month}.{year}</time> "
    );
    text::fill("{person}", dice, cyrillic, out);
    out.push_str("</p>\n");
}
