//! From a captured response to a page: all that the crate knows, for one capture.

mod damage;
mod of_text;
mod open;

use url::Url;

pub use of_text::Extracted;
pub use open::{Draft, Opened, open};

use crate::charset::Rule;
use crate::content::Content;
use crate::domain::Domain;
use crate::links::{Links, Position};
use crate::metadata::{Date, Metadata, Search};
use crate::quotes::{self, Quote};
use crate::repair::Diagnosis;
use crate::status::{Origin, Status};

/// A response as it was captured: its body, decoded from transfer and content codings, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Capture<'a> {
    /// The body.
    pub bytes: &'a [u8],
    /// The `Content-Type`; a body without one is taken for HTML.
    pub content_type: Option<&'a str>,
    /// The HTTP status, if there was HTTP.
    pub http_status: Option<u16>,
    /// The address.
    pub url: Option<&'a Url>,
    /// The day it was captured.
    pub fetched: Option<Date>,
    /// How it came to us.
    pub origin: Origin,
}

/// What to do beyond the main text and the metadata.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Mend text that earlier software damaged.
    pub repair: bool,
    /// Write all visible text, too.
    pub full_text: bool,
}

/// How the bytes became characters.
#[derive(Clone, Debug)]
pub struct Charset {
    /// The name of the encoding.
    pub name: &'static str,
    /// What decided on it.
    pub rule: Rule,
    /// What was declared, where that was overruled.
    pub overruled: Option<String>,
    /// Sequences of bytes that are no characters in it.
    pub replacements: usize,
}

/// What a capture holds. Everything of a capture that is no sound HTML page is empty but its status.
#[derive(Debug)]
pub struct Page {
    /// What became of it, as the four digits of its row.
    pub status: Status,
    /// How the bytes became characters; none if they are no HTML.
    pub charset: Option<Charset>,
    /// What earlier software did to the text: to all of it if it was mended, else to the main text. What was lost is given
    /// by its place in the main text.
    pub damage: Option<Diagnosis>,
    /// What it says of itself.
    pub metadata: Metadata,
    /// Its texts.
    pub content: Content,
    /// Where it leads.
    pub links: Links,
    /// Whether it had more bytes or more elements than are read.
    pub truncated: bool,
}

/// Bytes of a body that are read. Places in a text are numbers of 32 bits: a byte becomes at most three in UTF-8, and what
/// is written from that is less than twice as long.
pub const MOST_BYTES: usize = 1 << 29;

/// Reads a page, of a body beyond [`MOST_BYTES`] its start. Never fails: every sequence of bytes is one.
///
/// Memory: some ten times the body in the worst case, 300 MB for nodes at most.
pub fn read(capture: &Capture<'_>, options: Options) -> Page {
    let mut opened = Opened::decode(capture);
    if !opened.is_page() {
        return Page::unread(opened.status(true));
    }
    let draft = opened.parse();
    let mended = options.repair.then(|| draft.mend(opened.html())).flatten();
    let draft = match mended {
        Some(mended) => {
            opened = opened.with(mended);
            opened.parse()
        }
        None => draft,
    };
    let content = draft.content(options.full_text);
    Page {
        status: opened.status(!content.main.text.is_empty()),
        charset: opened.charset().cloned(),
        damage: Some(opened.damage(&content)),
        metadata: draft.metadata(Search::Whole),
        links: draft.links(),
        truncated: draft.is_truncated(),
        content,
    }
}

impl Page {
    fn unread(status: Status) -> Page {
        Page {
            status,
            charset: None,
            damage: None,
            metadata: Metadata::default(),
            content: Content::default(),
            links: Links::default(),
            truncated: false,
        }
    }

    /// For each link its place in the main text.
    pub fn link_positions(&self) -> Vec<Option<Position>> {
        self.links.positions(&self.content.main.placed)
    }

    /// The quotes of the main text.
    pub fn quotes(&self) -> Vec<Quote<'_>> {
        quotes::find(&self.content.main.text, self.metadata.language.as_ref().map(|found| &*found.value))
    }
}

/// The first bytes, at most so many, and whether there are more.
fn bounded(bytes: &[u8], most: usize) -> (&[u8], bool) {
    (&bytes[..bytes.len().min(most)], bytes.len() > most)
}

/// The media type of what is no text.
const BINARY: &str = "application/octet-stream";

/// Whether bytes of unknown type are no text, by the control characters in their first kilobyte, as browsers tell
/// (<https://mimesniff.spec.whatwg.org/#binary-data-byte>). UTF-16 has such bytes, too.
fn is_binary(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(1024)];
    let is_utf16 = matches!(start, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..]);
    !is_utf16 && start.iter().any(|byte| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F))
}

/// The `charset` of a media type.
pub fn charset_of(mime: &str) -> Option<&str> {
    mime.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
    })
}

/// The last label of the host's name.
fn top_level(url: &Url) -> Option<&str> {
    Domain::of(url)?.host.rsplit('.').next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repair;

    fn capture(bytes: &[u8]) -> Capture<'_> {
        Capture {
            bytes,
            content_type: None,
            http_status: None,
            url: None,
            fetched: None,
            origin: Origin::Archived,
        }
    }

    #[test]
    fn the_status_says_what_became_of_a_page() {
        let page = b"<p>Some words.";
        for (bytes, http_status, content_type, status) in [
            (&page[..], Some(200), Some("text/html"), "3200"),
            (page, None, None, "3200"),
            (page, Some(404), Some("text/html"), "0404"),
            (page, Some(200), Some("application/pdf"), "1001"),
            (b"<p> </p>", Some(200), Some("text/html; charset=utf-8"), "2000"),
            (b"", Some(200), None, "2000"),
            (b"\x89PNG\r\n\x1A\n\0\0", Some(200), None, "1001"),
            (b"<\0p\0>\0x\0", Some(200), None, "3200"),
        ] {
            let capture = Capture { content_type, http_status, ..capture(bytes) };
            assert_eq!(read(&capture, Options::default()).status.to_string(), status);
        }
    }

    #[test]
    fn no_more_is_read_than_places_can_be_told_in() {
        assert_eq!(bounded(b"abc", 3), (&b"abc"[..], false));
        assert_eq!(bounded(b"abcd", 3), (&b"abc"[..], true));
        // Three bytes for one in the text, and twice as much in what is written from it.
        assert!(u32::try_from(MOST_BYTES * 3 * 2).is_ok());
    }

    #[test]
    fn the_charset_of_the_header_counts() {
        let page = read(
            &Capture {
                content_type: Some("text/html; charset=\"koi8-r\""),
                ..capture(b"<p>\xF0\xD2\xC9\xD7\xC5\xD4")
            },
            Options::default(),
        );
        assert_eq!(page.content.main.text, "Привет");
        assert_eq!(page.charset.map(|charset| charset.rule), Some(Rule::Header));
    }

    #[test]
    fn damage_is_told_and_mended_if_asked() {
        let page = "<p>MÃ¤nner, FrÃ¼hstÃ¼ck und GrÃ¼ÃŸe: Ã¼ber StraÃŸen gehen.";
        let told = read(&capture(page.as_bytes()), Options::default());
        assert_eq!(told.damage.map(|damage| damage.kind), Some(repair::Kind::B));
        assert!(told.content.main.text.contains("MÃ¤nner"));
        let mended = read(&capture(page.as_bytes()), Options { repair: true, ..Options::default() });
        assert_eq!(mended.content.main.text, "Männer, Frühstück und Grüße: über Straßen gehen.");
    }

    #[test]
    fn controls_for_signs_are_told_and_mended_if_asked() {
        let page = "<meta charset=utf-8><p>It\u{92}s <a href=/b>the\u{97}end</a>, said \u{93}nobody\u{94} in this town.";
        let told = read(&capture(page.as_bytes()), Options::default());
        let damage = told.damage.expect("it was read");
        assert_eq!((damage.kind, damage.controls, damage.is_sound()), (repair::Kind::B, 4, false));
        assert!(told.content.main.text.contains("It\u{92}s"));
        let mended = read(&capture(page.as_bytes()), Options { repair: true, ..Options::default() });
        assert_eq!(mended.content.main.text, "It’s the—end, said “nobody” in this town.");
        assert_eq!(mended.damage.map(|damage| damage.controls), Some(4));
    }

    #[test]
    fn places_are_those_of_the_mended_text() {
        let page = "<p>FrÃ¼hstÃ¼ck fÃ¼r <a href=http://a.de/>MÃ¤nner</a> gibt es hier, K?ln und D?sseldorf.";
        let page = read(&capture(page.as_bytes()), Options { repair: true, ..Options::default() });
        let place = page.link_positions()[0].expect("it is in the text");
        assert_eq!((place.start, place.length), (14, 6));
        let lost = page.damage.expect("it was read").lost.question_marks;
        assert_eq!(lost, [36, 45]);
    }

    #[test]
    fn links_have_their_place_in_the_main_text() {
        let page = read(
            &capture("<p>Ein <a href=http://a.de/>schöner  Ort</a> am Meer.".as_bytes()),
            Options::default(),
        );
        let place = page.link_positions()[0].expect("it is in the text");
        let text: String =
            page.content.main.text.chars().skip(place.start as usize).take(place.length as usize).collect();
        assert_eq!(text, "schöner Ort");
    }
}
