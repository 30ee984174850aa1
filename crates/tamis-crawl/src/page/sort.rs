//! What sort of document a body is.

use memchr::memmem;

/// What a crawler can do with a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// HTML or XHTML.
    Html,
    /// A sitemap or an index of sitemaps, in XML.
    Sitemap,
    /// RSS or Atom.
    Feed,
    /// A style sheet.
    Style,
    /// A script.
    Script,
    /// The manifest of a web application.
    Manifest,
    /// Plain text.
    Plain,
    /// Anything else.
    Other,
}

impl Sort {
    /// Whether links are looked for in it, apart from those of lists.
    pub fn has_links(self) -> bool {
        matches!(self, Self::Html | Self::Style | Self::Script | Self::Manifest)
    }

    /// By the `Content-Type`, and by how the body starts: servers call feeds `text/html`, and sitemaps whatever.
    pub fn of(content_type: Option<&str>, body: &[u8]) -> Self {
        let named = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        let is = |names: &[&str]| names.iter().any(|name| named.eq_ignore_ascii_case(name));
        if is(&["text/html", "application/xhtml+xml"]) {
            return if is_binary(body) { Self::Other } else { by_root(body).unwrap_or(Self::Html) };
        }
        if is(&["text/css"]) {
            return Self::Style;
        }
        if is(SCRIPTS) {
            return Self::Script;
        }
        if is(&["application/manifest+json"]) {
            return Self::Manifest;
        }
        if is(&["text/plain"]) {
            return Self::Plain;
        }
        let tells_nothing =
            is(&["", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream"]);
        let is_xml = is(&["text/xml", "application/xml"]) || named.to_ascii_lowercase().ends_with("+xml");
        if tells_nothing || is_xml { by_root(body).unwrap_or(Self::Other) } else { Self::Other }
    }
}

/// The types of scripts that browsers run (WHATWG MIME Sniffing, JavaScript MIME type), but for those that nobody uses.
const SCRIPTS: &[&str] = &[
    "text/javascript",
    "application/javascript",
    "application/x-javascript",
    "text/x-javascript",
    "application/ecmascript",
    "text/ecmascript",
];

/// How files start that servers call HTML and that are none.
fn is_binary(body: &[u8]) -> bool {
    let magics: [&[u8]; 7] =
        [b"%PDF-", b"\x89PNG", b"GIF8", b"\xFF\xD8\xFF", b"PK\x03\x04", b"\x1F\x8B\x08", b"RIFF"];
    magics.iter().any(|magic| body.starts_with(magic))
}

/// By the first element.
fn by_root(body: &[u8]) -> Option<Sort> {
    let behind = skip_prolog(&body[..body.len().min(4096)])?;
    let end = behind.iter().position(|&b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'));
    let name = behind[..end.unwrap_or(behind.len())].to_ascii_lowercase();
    let local = name.rsplit(|&b| b == b':').next().unwrap_or(&name);
    match local {
        b"urlset" | b"sitemapindex" => Some(Sort::Sitemap),
        b"rss" | b"feed" | b"rdf" => Some(Sort::Feed),
        b"html" | b"!doctype" | b"head" | b"body" | b"title" | b"meta" | b"link" | b"script" | b"style"
        | b"div" | b"table" | b"p" | b"a" | b"b" | b"br" | b"h1" | b"h2" | b"font" | b"center"
        | b"frameset" | b"iframe" => Some(Sort::Html),
        _ => None,
    }
}

/// What stands behind the first `<` that is of no comment, declaration or instruction; a doctype of HTML is left.
fn skip_prolog(body: &[u8]) -> Option<&[u8]> {
    let mut rest = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    loop {
        rest = rest.trim_ascii_start().strip_prefix(b"<")?;
        let end = match rest {
            [b'!', b'-', b'-', ..] => memmem::find(rest, b"-->")? + 3,
            [b'?', ..] => memchr::memchr(b'>', rest)? + 1,
            [b'!', ..] if !is_html_doctype(rest) => memchr::memchr(b'>', rest)? + 1,
            _ => return Some(rest),
        };
        rest = &rest[end..];
    }
}

fn is_html_doctype(rest: &[u8]) -> bool {
    let starts =
        |text: &[u8], with: &[u8]| text.get(..with.len()).is_some_and(|t| t.eq_ignore_ascii_case(with));
    starts(rest, b"!doctype") && starts(rest[8..].trim_ascii_start(), b"html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_and_start_tell_the_sort() {
        for (content_type, body, sort) in [
            (Some("text/html; charset=utf-8"), "plain words", Sort::Html),
            (Some("TEXT/HTML"), "<?xml version='1.0'?><rss version='2.0'>", Sort::Feed),
            (Some("text/html"), "%PDF-1.4", Sort::Other),
            (Some("application/xhtml+xml"), "<?xml?><!DOCTYPE html><html>", Sort::Html),
            (Some("text/xml"), "\u{feff}<?xml?>\n<!-- x --><urlset xmlns='y'>", Sort::Sitemap),
            (Some("application/xml"), "<sm:sitemapindex>", Sort::Sitemap),
            (Some("application/atom+xml"), "<feed>", Sort::Feed),
            (Some("application/rdf+xml"), "<rdf:RDF>", Sort::Feed),
            (Some("image/svg+xml"), "<svg>", Sort::Other),
            (Some("text/css"), "", Sort::Style),
            (Some("text/javascript; charset=utf-8"), "import 'a'", Sort::Script),
            (Some("application/manifest+json"), "{}", Sort::Manifest),
            (Some("text/plain"), "<html>", Sort::Plain),
            (Some("image/png"), "<html>", Sort::Other),
            (None, " <!DOCTYPE HTML PUBLIC>", Sort::Html),
            (None, "<html lang=en>", Sort::Html),
            (None, "<!ELEMENT x><html>", Sort::Html),
            (None, "words", Sort::Other),
            (None, "", Sort::Other),
            (Some("application/octet-stream"), "<BODY>", Sort::Html),
        ] {
            assert_eq!(Sort::of(content_type, body.as_bytes()), sort, "{content_type:?} {body}");
        }
    }
}
