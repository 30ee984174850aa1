//! The status code of a page's row: four digits that say what became of it.

use std::fmt;

/// How a page came to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// We fetched it.
    Fetched,
    /// Somebody's archive holds it.
    Archived,
}

/// What became of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// The HTTP status, `0XXX`.
    Http(u16),
    /// `1001`: its type is not HTML.
    NotHtml,
    /// `2000`: HTML without text.
    NoText,
    /// `2001`: it could not be fetched, and no server answered.
    NotFetched,
    /// `3200`: sound, and from an archive.
    Archived,
}

impl Status {
    /// The status by what is known: the HTTP status (none where no server answered), the media type, whether the page
    /// has text. The first thing that is wrong decides; a status other than 200 says more than the type of an error page.
    pub fn new(http: Option<u16>, mime: &str, has_text: bool, origin: Origin) -> Status {
        match http {
            None if origin == Origin::Fetched => Status::NotFetched,
            Some(status) if status != 200 => Status::Http(status),
            _ if !is_html(mime) => Status::NotHtml,
            _ if !has_text => Status::NoText,
            _ if origin == Origin::Archived => Status::Archived,
            _ => Status::Http(200),
        }
    }

    /// Whether the page is one to annotate.
    pub fn is_sound(self) -> bool {
        matches!(self, Status::Http(200) | Status::Archived)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Http(status) => write!(f, "0{status:03}"),
            Status::NotHtml => f.write_str("1001"),
            Status::NoText => f.write_str("2000"),
            Status::NotFetched => f.write_str("2001"),
            Status::Archived => f.write_str("3200"),
        }
    }
}

/// Whether a media type, with parameters or not, is that of HTML; XHTML is read the same way.
fn is_html(mime: &str) -> bool {
    let essence = mime.split(';').next().unwrap_or(mime).trim();
    essence.eq_ignore_ascii_case("text/html") || essence.eq_ignore_ascii_case("application/xhtml+xml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_decides() {
        use Origin::{Archived, Fetched};
        for (http, mime, has_text, origin, code) in [
            (Some(200), "text/html", true, Fetched, "0200"),
            (Some(200), "Text/HTML; charset=utf-8", true, Fetched, "0200"),
            (Some(200), "text/html", true, Archived, "3200"),
            (None, "text/html", true, Archived, "3200"),
            (Some(200), "text/html", false, Fetched, "2000"),
            (Some(200), "text/html", false, Archived, "2000"),
            (Some(200), "image/png", false, Fetched, "1001"),
            (Some(200), "", true, Archived, "1001"),
            (Some(200), "application/xhtml+xml", true, Fetched, "0200"),
            (Some(404), "text/html", true, Fetched, "0404"),
            (Some(404), "image/png", false, Archived, "0404"),
            (Some(0), "text/html", true, Fetched, "0000"),
            (None, "", false, Fetched, "2001"),
        ] {
            assert_eq!(
                Status::new(http, mime, has_text, origin).to_string(),
                code,
                "{http:?} {mime} {has_text}"
            );
        }
    }

    #[test]
    fn only_sound_pages_are_annotated() {
        for (status, sound) in [
            (Status::Http(200), true),
            (Status::Archived, true),
            (Status::Http(304), false),
            (Status::NotHtml, false),
            (Status::NoText, false),
            (Status::NotFetched, false),
        ] {
            assert_eq!(status.is_sound(), sound, "{status}");
        }
    }
}
