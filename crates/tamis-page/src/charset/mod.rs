//! Bytes to characters, and which rule chose the encoding.
//!
//! The order is that of the [HTML standard][sniff]: a byte order mark, the HTTP header, `<meta>`, the XML declaration,
//! then detection. A declaration that the bytes contradict is overruled: servers send a default `iso-8859-1` with UTF-8
//! pages, and templates say `utf-8` above text in windows-1251. What was declared is kept beside what was used.
//!
//! NUL and other controls come through as they are; they are the HTML parser's concern.
//!
//! [sniff]: https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding

mod census;
mod detect;
mod label;
mod prescan;
mod verdict;

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding, UTF_8};
use verdict::Verdict;

pub use label::encoding_for;

/// What is known about a page beside its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints<'a> {
    /// The `charset` of the HTTP `Content-Type`; quotes and spaces around it are no matter.
    pub http_charset: Option<&'a str>,
    /// The last label of the host name (`ru`, `jp`): detection leans towards what is written there.
    pub tld: Option<&'a str>,
}

/// A page as characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text, without a byte order mark. Borrowed where the bytes were sound UTF-8 or ASCII already.
    pub text: Cow<'a, str>,
    /// The encoding that the text was read in.
    pub encoding: &'static Encoding,
    /// The rule that chose it.
    pub rule: Rule,
    /// The strongest declaration of an encoding we know, whether it was followed or overruled.
    pub declared: Option<Declared>,
    /// How many U+FFFD the decoding put in; those that stood in the text already are not counted.
    pub replacements: usize,
}

impl Decoded<'_> {
    /// Whether the page declared an encoding and the bytes were read in another one.
    pub fn overruled(&self) -> bool {
        self.declared.as_ref().is_some_and(|declared| declared.encoding != self.encoding)
    }
}

/// What chose the encoding of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// A byte order mark.
    Bom,
    /// The `charset` of the HTTP header.
    Header,
    /// `<meta charset>` or `<meta http-equiv="content-type">`.
    Meta,
    /// `<?xml … encoding="…"?>`.
    Xml,
    /// Nothing was declared, or something else was, but the bytes are UTF-8.
    Utf8Valid,
    /// The statistics of the bytes.
    Detected,
    /// Nothing was declared, and nothing but ASCII was there to tell by.
    Default,
}

impl Rule {
    /// The rule as a short word.
    pub fn word(self) -> &'static str {
        match self {
            Rule::Bom => "bom",
            Rule::Header => "header",
            Rule::Meta => "meta",
            Rule::Xml => "xml",
            Rule::Utf8Valid => "utf8-valid",
            Rule::Detected => "detected",
            Rule::Default => "default",
        }
    }
}

/// An encoding that a page says it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The label as the page spelled it.
    pub label: String,
    /// What the label means on the web (`iso-8859-1` means windows-1252).
    pub encoding: &'static Encoding,
    /// Where it stood: [`Rule::Bom`], [`Rule::Header`], [`Rule::Meta`] or [`Rule::Xml`].
    pub rule: Rule,
}

/// Reads `bytes` as text, given the `charset` of the HTTP header if there was one.
///
/// Linear in time. The memory is that of the result: none for sound UTF-8, at most three bytes for a byte otherwise.
///
/// ```
/// use tamis_page::charset::{Rule, decode};
///
/// let page = decode(b"<meta charset=koi8-r><p>\xf0\xd2\xc9\xd7\xc5\xd4", None);
/// assert!(page.text.ends_with("Привет"));
/// assert_eq!(page.rule, Rule::Meta);
/// ```
pub fn decode<'a>(bytes: &'a [u8], http_charset: Option<&str>) -> Decoded<'a> {
    decode_hinted(bytes, Hints { http_charset, tld: None })
}

/// As [`decode`], with all that is known about the page.
pub fn decode_hinted<'a>(bytes: &'a [u8], hints: Hints<'_>) -> Decoded<'a> {
    let Verdict { encoding, rule, declared, body } = verdict::judge(bytes, hints);
    let (text, replacements) = read(encoding, &bytes[body..]);
    Decoded { text, encoding, rule, declared, replacements }
}

/// `bytes` in `encoding`, and how many replacement characters that took.
fn read<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> (Cow<'a, str>, usize) {
    if encoding == UTF_8 {
        return read_utf8(bytes);
    }
    if encoding.is_ascii_compatible()
        && let Ok(text) = simdutf8::basic::from_utf8(bytes)
        && text.is_ascii()
    {
        return (Cow::Borrowed(text), 0);
    }
    let (text, replacements) = read_legacy(encoding, bytes);
    (Cow::Owned(text), replacements)
}

fn read_utf8(bytes: &[u8]) -> (Cow<'_, str>, usize) {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return (Cow::Borrowed(text), 0);
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut replacements = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            replacements += 1;
        }
    }
    (Cow::Owned(text), replacements)
}

fn read_legacy(encoding: &'static Encoding, bytes: &[u8]) -> (String, usize) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // Enough for pages that are mostly markup; it grows for the others.
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 2 + 16);
    let (mut at, mut replacements) = (0, 0);
    loop {
        let (result, read) = decoder.decode_to_string_without_replacement(&bytes[at..], &mut text, true);
        at += read;
        match result {
            DecoderResult::InputEmpty => return (text, replacements),
            DecoderResult::OutputFull => text.reserve(bytes.len() - at + 64),
            DecoderResult::Malformed(..) => {
                replacements += 1;
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
    }
}

#[cfg(test)]
mod tests;
