//! Pages as a browser replays them: where their URLs lead, and what is changed in them.
//!
//! JavaScript is never edited. What maps the URLs that scripts make is a script in the page; what keeps all that is missed inside is a
//! policy of the server.

pub mod css;
mod html;
mod site;
mod srcset;
pub mod utf8;

use tamis_archive::http::HttpHead;

pub use html::{Page, Rewriter};
pub use site::{Origin, Site};

/// What is done with a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is rewritten as HTML.
    Html,
    /// It is rewritten as a style sheet.
    Css,
    /// It is sent as it is.
    Other,
}

impl Kind {
    /// The kind of a payload, by the type that its response states, or that the record does.
    pub fn of(http: &HttpHead, mime: Option<&str>) -> Self {
        let stated = http.fields().text("Content-Type");
        let media_type = stated.as_deref().or(mime).unwrap_or_default();
        let word = media_type.split([';', ',', ' ']).next().unwrap_or_default().trim().to_ascii_lowercase();
        match &*word {
            "text/css" => Self::Css,
            // Browsers look into what states no type, and most of it was made to be seen.
            ""
            | "unknown/unknown"
            | "application/unknown"
            | "*/*"
            | "text/html"
            | "application/xhtml+xml" => Self::Html,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_says_what_is_rewritten() {
        for (media_type, kind) in [
            ("text/html; charset=utf-8", Kind::Html),
            ("TEXT/HTML", Kind::Html),
            ("application/xhtml+xml", Kind::Html),
            ("text/css;x", Kind::Css),
            ("text/javascript", Kind::Other),
            ("image/svg+xml", Kind::Other),
            ("text/plain", Kind::Other),
        ] {
            let http = HttpHead::response(200, &[("Content-Type", media_type)]);
            assert_eq!(Kind::of(&http, None), kind, "{media_type}");
        }
        assert_eq!(Kind::of(&HttpHead::default(), Some("image/png")), Kind::Other);
        assert_eq!(Kind::of(&HttpHead::default(), Some("text/css")), Kind::Css);
    }
}
