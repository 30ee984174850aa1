//! A page as a row, or as text for a person.

use serde::Serialize;
use tamis_text::domain::Domain;
use tamis_text::links::{Link, Position};
use tamis_text::metadata::Found;
use tamis_text::page::Page;
use tamis_text::quotes::Quote;
use url::Url;

use super::article;

/// What rows have beyond the usual.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line, and none rules out another"
)]
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Wanted {
    /// Add `full_text`: all that a reader of the page sees
    #[arg(long)]
    pub(super) full_text: bool,
    /// Add `comments`: what readers of an article wrote under it
    #[arg(long)]
    comments: bool,
    /// Add `links`: url, kind, rel, anchor, before, after, start, length
    #[arg(long)]
    pub(super) links: bool,
    /// Add `quotes`: start, length, text
    #[arg(long)]
    quotes: bool,
}

impl Wanted {
    /// Whether a column is asked for.
    pub(super) fn names(&self, column: &str) -> bool {
        match column {
            "full_text" => self.full_text,
            "quotes" => self.quotes,
            _ => false,
        }
    }

    /// Whether any of it has a place in rows only.
    pub(super) fn needs_rows(&self) -> bool {
        self.links || self.quotes
    }
}

/// A page and where it was.
pub(super) struct Row<'a> {
    pub(super) file: &'a str,
    pub(super) offset: Option<u64>,
    pub(super) url: Option<&'a str>,
    pub(super) time: Option<String>,
    pub(super) mime: Option<&'a str>,
    /// Whether bytes of it are lost.
    pub(super) is_cut: bool,
    /// Whether it is a response, but no HTTP message.
    pub(super) is_no_http: bool,
    pub(super) page: &'a Page,
    /// The page's source, decoded.
    pub(super) html: &'a dyn Fn() -> String,
}

#[derive(Serialize)]
struct Json<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    url: Option<&'a str>,
    time: Option<&'a str>,
    status_code: String,
    mime_type: Option<&'a str>,
    charset: Option<&'a str>,
    charset_rule: Option<&'static str>,
    charset_overruled: Option<&'a str>,
    damage: Option<Damage>,
    title: Option<&'a str>,
    author: Vec<&'a str>,
    publisher: Option<&'a str>,
    date: Option<String>,
    date_rule: Option<&'static str>,
    modified: Option<String>,
    site_name: Option<&'a str>,
    organization: Option<&'a str>,
    language: Option<&'a str>,
    description: Option<&'a str>,
    keywords: Vec<&'a str>,
    canonical_url: Option<&'a str>,
    image: Option<&'a str>,
    domain_name: Option<String>,
    domain_location: Option<&'static str>,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comments: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<Vec<JsonLink<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quotes: Option<Vec<JsonQuote<'a>>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

/// What earlier software did to the text.
#[derive(Serialize)]
struct Damage {
    kind: &'static str,
    lower_cased: usize,
    misread: usize,
    lost_to_question_marks: usize,
    replaced: usize,
}

#[derive(Serialize)]
struct JsonLink<'a> {
    url: &'a str,
    kind: &'static str,
    rel: &'a str,
    anchor: &'a str,
    before: &'a str,
    after: &'a str,
    start: Option<u32>,
    length: Option<u32>,
}

#[derive(Serialize)]
struct JsonQuote<'a> {
    start: usize,
    length: usize,
    text: &'a str,
}

impl Row<'_> {
    /// Adds the page as an article line.
    pub(super) fn write_article(&self, to: &mut Vec<u8>) {
        article::write(self.page, self.url.unwrap_or_default(), &(self.html)(), to);
    }

    /// Adds the row as a line of JSON.
    pub(super) fn write_json(&self, wanted: &Wanted, to: &mut Vec<u8>) {
        let page = self.page;
        let meta = &page.metadata;
        let domain_url = self.url.and_then(|url| Url::parse(url).ok());
        let domain = domain_url.as_ref().and_then(Domain::of);
        let json = Json {
            file: self.file,
            offset: self.offset,
            url: self.url,
            time: self.time.as_deref(),
            status_code: page.status.to_string(),
            mime_type: self.mime,
            charset: page.charset.as_ref().map(|charset| charset.name),
            charset_rule: page.charset.as_ref().map(|charset| charset.rule.word()),
            charset_overruled: page.charset.as_ref().and_then(|charset| charset.overruled.as_deref()),
            damage: damage(page),
            title: text(meta.title.as_ref()),
            author: meta.authors.iter().map(|author| &*author.value).collect(),
            publisher: text(meta.publisher.as_ref()),
            date: meta.published.as_ref().map(|date| date.value.to_string()),
            date_rule: meta.published.as_ref().map(|date| date.rule.word()),
            modified: meta.modified.as_ref().map(|date| date.value.to_string()),
            site_name: text(meta.site_name.as_ref()),
            organization: text(meta.organization.as_ref()),
            language: text(meta.language.as_ref()),
            description: text(meta.description.as_ref()),
            keywords: meta.keywords.iter().map(|keyword| &*keyword.value).collect(),
            canonical_url: meta.canonical.as_ref().map(|url| url.value.as_str()),
            image: meta.image.as_ref().map(|url| url.value.as_str()),
            domain_name: domain.as_ref().map(|domain| domain.name.to_owned()),
            domain_location: domain.as_ref().and_then(|domain| domain.country).map(|country| country.name),
            text: &page.content.main.text,
            full_text: wanted.full_text.then_some(&page.content.full.text),
            comments: wanted.comments.then_some(&page.content.comments.text),
            links: wanted.links.then(|| links(page)),
            quotes: wanted.quotes.then(|| page.quotes().iter().map(quote).collect()),
            cut: self.is_cut,
            truncated: page.truncated,
        };
        serde_json::to_writer(&mut *to, &json).expect("strings and numbers go into memory");
        to.push(b'\n');
    }

    /// Adds the page for a person to read.
    pub(super) fn write_text(&self, wanted: &Wanted, to: &mut Vec<u8>) {
        let (page, meta) = (self.page, &self.page.metadata);
        let mut head = vec![self.url.unwrap_or(self.file).to_owned()];
        head.extend(text(meta.title.as_ref()).map(|title| format!("# {title}")));
        let by: Vec<_> = meta.authors.iter().map(|author| &*author.value).collect();
        let date = meta.published.as_ref().map(|date| date.value.to_string());
        let line: Vec<_> = [date, (!by.is_empty()).then(|| by.join(", "))].into_iter().flatten().collect();
        head.extend((!line.is_empty()).then(|| line.join(" · ")));
        let body = if wanted.full_text { &page.content.full.text } else { &page.content.main.text };
        let comments = Some(&page.content.comments.text).filter(|text| wanted.comments && !text.is_empty());
        let mut page = format!("{}\n\n{body}\n\n", head.join("\n"));
        page.extend(comments.map(|comments| format!("## Comments\n\n{comments}\n\n")));
        // A terminal obeys what pages and archives may hold.
        page.retain(|c| !c.is_control() || matches!(c, '\n' | '\t'));
        to.extend(page.into_bytes());
    }
}

fn text(found: Option<&Found<String>>) -> Option<&str> {
    found.map(|found| &*found.value)
}

fn damage(page: &Page) -> Option<Damage> {
    let damage = page.damage.as_ref().filter(|damage| !damage.is_sound())?;
    Some(Damage {
        kind: damage.kind.letter(),
        lower_cased: damage.lower_cased,
        misread: damage.misread,
        lost_to_question_marks: damage.lost.question_marks.len(),
        replaced: damage.lost.replaced.len(),
    })
}

fn links(page: &Page) -> Vec<JsonLink<'_>> {
    page.links.iter().zip(page.link_positions()).map(|(found, place)| link(found, place)).collect()
}

fn link(link: Link<'_>, place: Option<Position>) -> JsonLink<'_> {
    JsonLink {
        url: link.url(),
        kind: link.kind().name(),
        rel: link.rel(),
        anchor: link.anchor(),
        before: link.before(),
        after: link.after(),
        start: place.map(|place| place.start),
        length: place.map(|place| place.length),
    }
}

fn quote<'a>(quote: &Quote<'a>) -> JsonQuote<'a> {
    JsonQuote { start: quote.start, length: quote.length, text: quote.text }
}
