//! A page read step by step, for those who do not need all of it.

use std::borrow::Cow;

use url::Url;

use super::{
    BINARY, Capture, Charset, MOST_BYTES, Options, bounded, charset_of, damage, is_binary, top_level,
};
use crate::charset::{self, Hints};
use crate::content::{self, Content};
use crate::html::{self, Tree};
use crate::links::{self, Links};
use crate::metadata::{self, Date, Metadata, Search};
use crate::repair::{self, Diagnosis};
use crate::status::{Origin, Status};

/// A page whose bytes are characters by now, and no more.
#[derive(Debug)]
pub struct Opened<'c> {
    text: Cow<'c, str>,
    charset: Option<Charset>,
    mended: Option<Diagnosis>,
    mime: &'c str,
    http_status: Option<u16>,
    origin: Origin,
    url: Option<&'c Url>,
    fetched: Option<Date>,
    is_cut: bool,
}

/// A page as a tree, whose parts are read when they are asked for.
#[derive(Debug)]
pub struct Draft<'p> {
    tree: Tree<'p>,
    url: Option<&'p Url>,
    fetched: Option<Date>,
    is_cut: bool,
}

/// Decodes a page, and mends it if that is asked for, for which it has to be parsed once more.
pub fn open<'c>(capture: &Capture<'c>, options: Options) -> Opened<'c> {
    let opened = Opened::decode(capture);
    if !options.repair || !opened.is_page() {
        return opened;
    }
    match opened.parse().mend(&opened.text) {
        Some(mended) => opened.with(mended),
        None => opened,
    }
}

impl<'c> Opened<'c> {
    /// Decodes a page. What is no sound HTML page stays empty.
    pub(super) fn decode(capture: &Capture<'c>) -> Self {
        let mime = capture.content_type.unwrap_or("text/html");
        let mime = if capture.content_type.is_none() && is_binary(capture.bytes) { BINARY } else { mime };
        let (bytes, is_cut) = bounded(capture.bytes, MOST_BYTES);
        let mut opened = Opened {
            text: Cow::Borrowed(""),
            charset: None,
            mended: None,
            mime,
            http_status: capture.http_status,
            origin: capture.origin,
            url: capture.url,
            fetched: capture.fetched,
            is_cut,
        };
        if !opened.status(true).is_sound() {
            return opened;
        }
        let hints = Hints { http_charset: charset_of(mime), tld: capture.url.and_then(top_level) };
        let decoded = charset::decode_hinted(bytes, hints);
        opened.charset = Some(Charset {
            name: decoded.encoding.name(),
            rule: decoded.rule,
            overruled: decoded
                .overruled()
                .then(|| decoded.declared.as_ref().map(|declared| declared.label.clone()))
                .flatten(),
            replacements: decoded.replacements,
        });
        opened.text = decoded.text;
        opened
    }

    /// The same page with its source mended.
    pub(super) fn with(self, (source, diagnosis): (String, Diagnosis)) -> Self {
        Self { text: Cow::Owned(source), mended: Some(diagnosis), ..self }
    }
}

impl Opened<'_> {
    /// Whether it is a page to annotate.
    pub fn is_page(&self) -> bool {
        self.charset.is_some()
    }

    /// The source, decoded, and mended if that was asked for.
    pub fn html(&self) -> &str {
        &self.text
    }

    /// How the bytes became characters.
    pub fn charset(&self) -> Option<&Charset> {
        self.charset.as_ref()
    }

    /// What became of it, once it is known whether it has text.
    pub fn status(&self, has_text: bool) -> Status {
        Status::new(self.http_status, self.mime, has_text, self.origin)
    }

    /// What earlier software did to the text: to the whole page if it was mended, else to its main text.
    pub fn damage(&self, content: &Content) -> Diagnosis {
        let left = repair::diagnose(&content.main.text);
        match &self.mended {
            Some(mended) => Diagnosis { lost: left.lost, ..mended.clone() },
            None => left,
        }
    }

    /// The tree of it.
    pub fn parse(&self) -> Draft<'_> {
        Draft { tree: html::parse(&self.text), url: self.url, fetched: self.fetched, is_cut: self.is_cut }
    }
}

impl<'p> Draft<'p> {
    /// The tree of a page whose characters are known, for callers that decode pages themselves.
    pub fn of_html(html: &'p str, url: Option<&'p Url>) -> Self {
        Draft { tree: html::parse(html), url, fetched: None, is_cut: false }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree<'p> {
        &self.tree
    }
}

impl Draft<'_> {
    /// What the page says of itself, as far as it is to be searched.
    pub fn metadata(&self, search: Search) -> Metadata {
        metadata::read(&self.tree, self.url, self.fetched, search)
    }

    /// Its texts; all visible text only if `full` says so.
    pub fn content(&self, full: bool) -> Content {
        content::read(&self.tree, full)
    }

    /// Where it leads.
    pub fn links(&self) -> Links {
        links::read(&self.tree, self.url)
    }

    /// Whether it had more bytes or more elements than are read.
    pub fn is_truncated(&self) -> bool {
        self.is_cut || self.tree.is_truncated()
    }

    /// The source mended, if the text that readers see was damaged.
    pub(super) fn mend(&self, source: &str) -> Option<(String, Diagnosis)> {
        damage::mend(source, &self.tree, self.fetched)
    }
}
