//! HTML as it is sent: URLs mapped, and what would reach out of the archive removed.

use std::cell::RefCell;
use std::rc::Rc;

use lol_html::errors::RewritingError;
use lol_html::html_content::{ContentType, Element, TextChunk};
use lol_html::{AsciiCompatibleEncoding, HtmlRewriter, MemorySettings, OutputSink, Settings, element, text};

use super::{Site, css, srcset};

/// Attributes that hold a URL, whatever the element.
const URL_ATTRIBUTES: [&str; 16] = [
    "href",
    "src",
    "action",
    "formaction",
    "poster",
    "background",
    "data",
    "cite",
    "longdesc",
    "usemap",
    "codebase",
    "archive",
    "classid",
    "profile",
    "manifest",
    "xlink:href",
];
/// Attributes that hold several.
const SRCSET_ATTRIBUTES: [&str; 2] = ["srcset", "imagesrcset"];
/// Attributes that are dropped: checks that rewriting breaks, requests that tell, and frames that are not there.
const DROPPED_ATTRIBUTES: [&str; 5] = ["integrity", "ping", "csp", "attributionsrc", "nonce"];
/// Relations of `link` that open connections which no policy forbids, or fetch what nobody sees.
const DROPPED_RELATIONS: [&str; 4] = ["preconnect", "dns-prefetch", "prerender", "prefetch"];
/// Policies of the page in `meta`. The server has its own.
const DROPPED_META: [&str; 4] =
    ["content-security-policy", "content-security-policy-report-only", "x-frame-options", "origin-trial"];
/// The most that one token of HTML may take in memory.
const MAX_TOKEN_BYTES: usize = 8 << 20;
/// Documents in `srcdoc` in documents in `srcdoc`.
const MAX_DEPTH: usize = 3;

/// What is put into each page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where the page is.
    pub site: Site,
    /// Markup before everything else in the head.
    pub head: String,
}

/// Rewrites HTML as it streams, without knowing its charset: all but URLs passes byte by byte.
///
/// The bytes are read as windows-1252, in which each byte is a character and back. So any charset that agrees with ASCII stays as it
/// is; others have to be transcoded before.
pub struct Rewriter<'h, O: FnMut(&[u8])>(HtmlRewriter<'h, O>);

/// The style sheet that is being read, until its end.
#[derive(Default)]
struct State {
    style: String,
    has_head: bool,
}

impl<O: FnMut(&[u8])> Rewriter<'_, O> {
    /// A rewriter that gives the page to `out`.
    pub fn new(page: &Page, out: O) -> Self
    where
        O: OutputSink,
    {
        Self::at_depth(page, 0, out)
    }

    fn at_depth(page: &Page, depth: usize, out: O) -> Self
    where
        O: OutputSink,
    {
        let state = Rc::new(RefCell::new(State::default()));
        let (at_element, at_text) = (state.clone(), state);
        let (for_elements, for_styles) = (page.clone(), page.site.clone());
        let element = element!("*", move |element| {
            add_head(element, &for_elements, &mut at_element.borrow_mut());
            rewrite(element, &for_elements, depth);
            Ok(())
        });
        let style = text!("style", move |chunk| {
            rewrite_style(chunk, &for_styles, &mut at_text.borrow_mut());
            Ok(())
        });
        // What is larger passes as it is: the policy of the server holds for it, too.
        let memory = MemorySettings::new()
            .with_max_allowed_memory_usage(MAX_TOKEN_BYTES)
            .with_graceful_bail_out_on_memory_limit_exceeded(true);
        let settings = Settings::new()
            .append_element_content_handler(element)
            .append_element_content_handler(style)
            .with_encoding(windows_1252())
            .with_memory_settings(memory)
            .with_adjust_charset_on_meta_tag(false)
            .with_strict(false);
        Self(HtmlRewriter::new(settings, out))
    }

    /// Takes the next bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), RewritingError> {
        self.0.write(bytes)
    }

    /// Ends the page.
    pub fn finish(self) -> Result<(), RewritingError> {
        self.0.end()
    }
}

fn windows_1252() -> AsciiCompatibleEncoding {
    AsciiCompatibleEncoding::new(encoding_rs::WINDOWS_1252).expect("windows-1252 agrees with ASCII")
}

/// Puts what every page gets before its first element within `html`.
fn add_head(element: &mut Element<'_, '_>, page: &Page, state: &mut State) {
    if state.has_head || page.head.is_empty() {
        return;
    }
    match element.tag_name().as_str() {
        "html" => {}
        "head" => {
            element.prepend(&page.head, ContentType::Html);
            state.has_head = true;
        }
        _ => {
            element.before(&page.head, ContentType::Html);
            state.has_head = true;
        }
    }
}

fn rewrite(element: &mut Element<'_, '_>, page: &Page, depth: usize) {
    let tag = element.tag_name();
    let is_removed = match tag.as_str() {
        "link" => has_dropped_relation(element),
        "meta" => rewrite_meta(element, page),
        _ => false,
    };
    if is_removed {
        element.remove();
        return;
    }
    for name in URL_ATTRIBUTES {
        if let Some(mapped) = value(element, name).and_then(|value| page.site.map(&decoded(&value))) {
            set(element, name, &encoded(&mapped));
        }
    }
    for name in SRCSET_ATTRIBUTES {
        if let Some(mapped) =
            value(element, name).and_then(|value| srcset::rewrite(&decoded(&value), &page.site))
        {
            set(element, name, &encoded(&mapped));
        }
    }
    for name in DROPPED_ATTRIBUTES {
        element.remove_attribute(name);
    }
    // Other frames than its own are the interface's.
    let is_outside = |target: &String| {
        matches!(target.trim().to_ascii_lowercase().as_str(), "_blank" | "_top" | "_parent")
    };
    if value(element, "target").as_ref().is_some_and(is_outside) {
        set(element, "target", "_self");
    }
    if let Some(style) = value(element, "style").filter(|style| style.contains(['(', '&', '\\'])) {
        let mapped = style_of(&decoded(&style), &page.site);
        set(element, "style", &encoded(&mapped));
    }
    if tag == "iframe"
        && let Some(document) = value(element, "srcdoc")
    {
        set(element, "srcdoc", &encoded(&document_of(&decoded(&document), page, depth)));
    }
}

fn has_dropped_relation(element: &Element<'_, '_>) -> bool {
    let relations = value(element, "rel").unwrap_or_default().to_ascii_lowercase();
    relations.split_ascii_whitespace().any(|relation| DROPPED_RELATIONS.contains(&relation))
}

/// Maps the URL of a refresh. True for a policy, which goes.
fn rewrite_meta(element: &mut Element<'_, '_>, page: &Page) -> bool {
    let name = value(element, "http-equiv").unwrap_or_default();
    let name = decoded(&name).trim().to_ascii_lowercase();
    if name == "refresh"
        && let Some(content) = value(element, "content").map(|content| decoded(&content))
        && let Some(mapped) = refresh(&content, &page.site)
    {
        set(element, "content", &encoded(&mapped));
    }
    DROPPED_META.contains(&&*name)
}

/// `5; url=http://example.org/`, mapped.
fn refresh(content: &str, site: &Site) -> Option<String> {
    let at = content.find([';', ',', ' '])?;
    let rest = content[at..].trim_start_matches(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | ','));
    let url = match rest.get(..3).filter(|word| word.eq_ignore_ascii_case("url")) {
        Some(_) => rest[3..].trim_start().strip_prefix('=').map_or(rest, str::trim_start),
        None => rest,
    };
    let url = match url.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => url[1..].split(quote).next().unwrap_or_default(),
        None => url,
    };
    Some(format!("{}; url={}", &content[..at], site.map(url)?))
}

fn rewrite_style(chunk: &mut TextChunk<'_>, site: &Site, state: &mut State) {
    state.style.push_str(chunk.as_str());
    if chunk.last_in_text_node() {
        let style = std::mem::take(&mut state.style);
        chunk.replace(&style_of(&style, site), ContentType::Html);
    } else {
        chunk.remove();
    }
}

fn style_of(style: &str, site: &Site) -> String {
    String::from_utf8(css::rewrite(style.as_bytes(), site)).unwrap_or_else(|_| style.to_owned())
}

/// A document in an attribute. What is nested too deep, or cannot be rewritten, is left empty.
fn document_of(document: &str, page: &Page, depth: usize) -> String {
    if depth == MAX_DEPTH {
        return String::new();
    }
    let bytes: Vec<u8> = document.chars().flat_map(in_windows_1252).collect();
    let mut out = Vec::new();
    let mut rewriter = Rewriter::at_depth(page, depth + 1, |bytes: &[u8]| out.extend_from_slice(bytes));
    let written = rewriter.write(&bytes).and_then(|()| rewriter.finish());
    if written.is_ok() {
        encoding_rs::WINDOWS_1252.decode_without_bom_handling(&out).0.into_owned()
    } else {
        String::new()
    }
}

/// A character as the byte that it was read from, or as a reference.
fn in_windows_1252(c: char) -> Vec<u8> {
    let text = c.to_string();
    let (bytes, _, is_lost) = encoding_rs::WINDOWS_1252.encode(&text);
    if is_lost { format!("&#{};", u32::from(c)).into_bytes() } else { bytes.into_owned() }
}

/// An attribute as it is written, with its references.
fn value(element: &Element<'_, '_>, name: &str) -> Option<String> {
    element.get_attribute(name)
}

fn set(element: &mut Element<'_, '_>, name: &str, value: &str) {
    // The names are our own, and sound.
    let _ = element.set_attribute(name, value);
}

/// An attribute with its references as characters.
fn decoded(value: &str) -> String {
    htmlize::unescape_attribute(value).into_owned()
}

/// Text as an attribute. What the charset of the bytes may not have is a reference.
fn encoded(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '<' => safe.push_str("&lt;"),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(html: impl AsRef<[u8]>, head: &str) -> Vec<u8> {
        let site = Site { timestamp: "20200101000000".into(), collection: 1, port: 80 };
        let page = Page { site, head: head.to_owned() };
        let mut out = Vec::new();
        let mut rewriter = Rewriter::new(&page, |bytes: &[u8]| out.extend_from_slice(bytes));
        // In small pieces, as a network gives them.
        html.as_ref().chunks(7).for_each(|piece| rewriter.write(piece).expect("it rewrites"));
        rewriter.finish().expect("it ends");
        out
    }

    #[test]
    fn urls_are_mapped_and_what_reaches_out_is_removed() {
        let to = "http://a.t20200101000000.c1.localhost:80";
        for (html, expected) in [
            ("<a href='http://a/x?y&amp;z'>t</a>", format!("<a href=\"{to}/x?y&amp;z\">t</a>")),
            ("<a href=/x>t</a>", "<a href=/x>t</a>".into()),
            (
                "<img src=\"//a/x\" srcset=\"http://a/y 1x, z 2x\">",
                format!("<img src=\"{to}/x\" srcset=\"{to}/y 1x, z 2x\">"),
            ),
            ("<a href='http&#58;//a/x'>", format!("<a href=\"{to}/x\">")),
            ("<base href=https://a/b/>", format!("<base href=\"{to}/b/\">")),
            ("<video poster=http://a/p>", format!("<video poster=\"{to}/p\">")),
            (
                "<link rel=preload as=image imagesrcset='http://a/p 1x'>",
                format!("<link rel=preload as=image imagesrcset=\"{to}/p 1x\">"),
            ),
            (
                "<svg><use xlink:href='http://a/s#x'/></svg>",
                format!("<svg><use xlink:href=\"{to}/s#x\" /></svg>"),
            ),
            (
                "<meta http-equiv=Refresh content='5; URL=\"http://a/x\"'>",
                format!("<meta http-equiv=Refresh content=\"5; url={to}/x\">"),
            ),
            ("<meta http-equiv=refresh content='5'>", "<meta http-equiv=refresh content='5'>".into()),
            ("<p style='x:url(http://a/x)'>", format!("<p style=\"x:url({to}/x)\">")),
            ("<style>@import 'http://a/x';</style>", format!("<style>@import '{to}/x';</style>")),
            (
                "<script src=http://a/x integrity=sha256-x nonce=y></script>",
                format!("<script src=\"{to}/x\"></script>"),
            ),
            (
                "<script>f('http://a/<b href=http://a>')</script>",
                "<script>f('http://a/<b href=http://a>')</script>".into(),
            ),
            ("<link rel='DNS-prefetch' href=//a><link rel='x preconnect' href=//a>ok", "ok".into()),
            ("<meta http-equiv=Content-Security-Policy content='x'>ok", "ok".into()),
            ("<a target=_BLANK ping=http://a/ href=x>", "<a target=\"_self\" href=x>".into()),
            ("<a target=frame href=x>", "<a target=frame href=x>".into()),
            (
                "<iframe srcdoc='&lt;img src=&quot;http://a/x&quot;>&amp;amp;'></iframe>",
                format!("<iframe srcdoc=\"&lt;img src=&quot;{to}/x&quot;>&amp;amp;\"></iframe>"),
            ),
            ("<!-- <a href=http://a/> -->", "<!-- <a href=http://a/> -->".into()),
        ] {
            assert_eq!(String::from_utf8_lossy(&rewritten(html, "")), expected, "{html}");
        }
    }

    #[test]
    fn bytes_of_any_charset_stay_as_they_are() {
        let every: Vec<u8> = (0x80..=0xff).collect();
        let html = [
            b"<p title='".as_slice(),
            &every,
            b"' style='a:url(x)'>",
            &every,
            b"<img alt='",
            &every,
            b"' src=http://a/>",
        ]
        .concat();
        let out = rewritten(&html, "");
        let found = out.windows(every.len()).filter(|window| *window == every).count();
        assert_eq!(found, 3);
    }

    #[test]
    fn the_head_comes_before_everything_else() {
        for (html, expected) in [
            ("<!doctype html><html><head><title>t</title>", "<!doctype html><html><head>H<title>t</title>"),
            ("<html><body>t", "<html>H<body>t"),
            ("<script>x</script>", "H<script>x</script>"),
            ("text only", "text only"),
        ] {
            assert_eq!(String::from_utf8_lossy(&rewritten(html, "H")), expected, "{html}");
        }
    }

    #[test]
    fn hostile_markup_ends() {
        for html in [
            "<".repeat(10_000),
            "<a ".repeat(10_000),
            format!("<a href=\"{}", "x".repeat(100_000)),
            format!("<p {}>", "a=b ".repeat(10_000)),
            "<iframe srcdoc='<iframe srcdoc=&quot;<iframe srcdoc=x>&quot;>'>".repeat(100),
            "<style>".repeat(1000),
        ] {
            rewritten(&html, "H");
        }
    }
}
