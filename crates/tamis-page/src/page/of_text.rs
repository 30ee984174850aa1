//! The text that others took out of a page, as in the WET files of Common Crawl.

use std::borrow::Cow;

use super::{Capture, Charset, Options, Page, charset_of};
use crate::charset::{self, Hints, Rule};
use crate::content::{Content, Written};
use crate::metadata::{self, Found, Metadata};
use crate::repair;
use crate::status::Status;

/// The text that is left of a page, decoded.
#[derive(Debug, Clone)]
pub struct Extracted<'a> {
    text: Cow<'a, str>,
    charset: Charset,
    capture: Capture<'a>,
}

impl<'a> Extracted<'a> {
    /// Decodes a text.
    pub fn open(capture: &Capture<'a>) -> Self {
        let (text, charset) = decoded(capture);
        Self { text, charset, capture: *capture }
    }

    /// All of it.
    pub fn text(&self) -> &str {
        self.text.trim()
    }

    /// How the bytes became characters.
    pub fn charset(&self) -> &Charset {
        &self.charset
    }

    /// The page's status.
    pub fn status(&self) -> Status {
        Status::new(self.capture.http_status, "text/html", !self.text().is_empty(), self.capture.origin)
    }

    /// What is known of the page. All of the text is main text; `language` is the tag of the
    /// language that the archive states for it.
    pub fn page(&self, language: Option<&str>, options: Options) -> Page {
        let repaired = repair::repair(self.text(), self.capture.fetched);
        let text = if options.repair { repaired.text.into_owned() } else { self.text().to_owned() };
        let written = |text| Written { text, placed: Vec::new() };
        // The archive states it beside the text, as a page does in its `<meta>`.
        let found = |tag: &str| Found { value: tag.to_owned(), rule: metadata::Rule::Meta };
        let language = language.map(found);
        Page {
            status: self.status(),
            charset: Some(self.charset.clone()),
            damage: Some(repaired.diagnosis),
            metadata: Metadata { language, ..Metadata::default() },
            content: Content {
                full: written(if options.full_text { text.clone() } else { String::new() }),
                main: written(text),
                comments: Written::default(),
            },
            ..Page::unread(Status::NoText)
        }
    }
}

impl Page {
    /// A page of which only the text is left; see [`Extracted::page`].
    ///
    /// ```
    /// use tamis_page::page::{Capture, Options, Page};
    /// use tamis_page::status::Origin;
    ///
    /// let capture = Capture {
    ///     bytes: b"Una frase.\n",
    ///     content_type: Some("text/plain"),
    ///     http_status: None,
    ///     url: None,
    ///     fetched: None,
    ///     origin: Origin::Archived,
    /// };
    /// let page = Page::of_text(&capture, Some("es"), Options::default());
    /// assert_eq!(page.content.main.text, "Una frase.");
    /// assert_eq!(page.metadata.language.map(|found| found.value).as_deref(), Some("es"));
    /// ```
    pub fn of_text(capture: &Capture<'_>, language: Option<&str>, options: Options) -> Page {
        Extracted::open(capture).page(language, options)
    }
}

/// A text is UTF-8 where it can be. What looks like a `<meta charset>` in it is only spoken of.
fn decoded<'a>(capture: &Capture<'a>) -> (Cow<'a, str>, Charset) {
    let http_charset = capture.content_type.and_then(charset_of);
    let plain = simdutf8::basic::from_utf8(capture.bytes).ok().filter(|_| http_charset.is_none());
    if let Some(text) = plain {
        let name = encoding_rs::UTF_8.name();
        let charset = Charset { name, rule: Rule::Utf8Valid, overruled: None, replacements: 0 };
        return (Cow::Borrowed(text.trim_start_matches('\u{FEFF}')), charset);
    }
    let decoded = charset::decode_hinted(capture.bytes, Hints { http_charset, tld: None });
    let charset = Charset {
        name: decoded.encoding.name(),
        rule: decoded.rule,
        overruled: None,
        replacements: decoded.replacements,
    };
    (decoded.text, charset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::Origin;

    fn page(bytes: &[u8], content_type: &str, options: Options) -> Page {
        let capture = Capture {
            bytes,
            content_type: Some(content_type),
            http_status: None,
            url: None,
            fetched: None,
            origin: Origin::Archived,
        };
        Page::of_text(&capture, None, options)
    }

    #[test]
    fn the_text_is_the_page() {
        let options = Options { full_text: true, ..Options::default() };
        for (bytes, content_type, text, status) in [
            (&b"One\nTwo <b>\n\n"[..], "text/plain", "One\nTwo <b>", "3200"),
            ("\u{FEFF}é".as_bytes(), "text/plain", "é", "3200"),
            (b"\xE9t\xE9", "text/plain; charset=latin1", "été", "3200"),
            ("<meta charset=koi8-r> é".as_bytes(), "text/plain", "<meta charset=koi8-r> é", "3200"),
            (b" \n", "text/plain", "", "2000"),
        ] {
            let page = page(bytes, content_type, options);
            assert_eq!((&*page.content.main.text, &*page.status.to_string()), (text, status));
            assert_eq!(page.content.full.text, text);
            assert!(page.links.is_empty() && page.metadata.title.is_none());
        }
    }

    #[test]
    fn damage_is_told_and_mended_if_asked() {
        let damaged = "MÃ¤nner, FrÃ¼hstÃ¼ck und GrÃ¼ÃŸe";
        let told = page(damaged.as_bytes(), "text/plain", Options::default());
        assert_eq!(told.content.main.text, damaged);
        assert_eq!(told.damage.map(|damage| damage.kind), Some(repair::Kind::B));
        let mended = page(damaged.as_bytes(), "text/plain", Options { repair: true, full_text: false });
        assert_eq!(mended.content.main.text, "Männer, Frühstück und Grüße");
    }
}
