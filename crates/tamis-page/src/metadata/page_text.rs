//! The last resort for a date: every date of the text, and of the data in scripts.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::date::{Moment, Precision};
use super::moment::Dates;
use super::{Found, Rule};
use crate::date::Date;
use crate::html::{NodeId, Tag, trait_bits};

/// Bytes of text that are searched; the date of a page stands above or below its text, not in the midst of a book.
const MOST_TEXT: usize = 200_000;
/// Bytes of one text that are searched.
const LONGEST_TEXT: usize = 20_000;
/// Nodes behind a word such as "Published" in which its date stands.
const CUE_REACH: NodeId = 6;

/// A date of the text.
struct Dated {
    node: NodeId,
    moment: Moment,
    /// A word before it says that it is the page's.
    has_cue: bool,
    is_aside: bool,
}

/// The most plausible date in the text. `month` is the month of the page's address.
pub(super) fn date(page: &Dates<'_, '_>, month: Option<Date>) -> Option<Found<Moment>> {
    let found = gather(page);
    let of_month = |dated: &&Dated| {
        month.is_some_and(|month| {
            let date = dated.moment.date;
            (date.year(), date.month()) == (month.year(), month.month())
        })
    };
    let behind = |dated: &&Dated| page.heading.is_some_and(|heading| dated.node > heading);
    let choices: [&dyn Fn(&&Dated) -> bool; 5] = [
        &|dated| dated.has_cue && !dated.is_aside,
        &of_month,
        &|dated| dated.has_cue,
        &|dated| !dated.is_aside && behind(dated),
        &|dated| !dated.is_aside,
    ];
    choices
        .iter()
        .find_map(|wanted| found.iter().find(wanted))
        .map(|dated| dated.moment)
        .or_else(|| in_scripts(page))
        .or_else(|| found.first().map(|dated| dated.moment))
        .map(|moment| Found::new(moment, Rule::Text))
}

fn gather(page: &Dates<'_, '_>) -> Vec<Dated> {
    let mut found = Vec::new();
    let mut texts = Vec::new();
    let mut seen = 0;
    let nodes = page.tree.nodes();
    let mut id = 0;
    while (id as usize) < nodes.len() && seen < MOST_TEXT {
        let node = &nodes[id as usize];
        if node.tag.has(trait_bits::UNSEEN) && node.tag != Tag::Head {
            id = node.end;
            continue;
        }
        if node.tag == Tag::Text {
            seen += node.raw.len();
            texts.push(id);
            if may_hold_date(node.raw) {
                in_text(page, &texts, &mut found);
            }
        }
        id += 1;
    }
    found
}

/// The dates of the last of these texts.
fn in_text(page: &Dates<'_, '_>, texts: &[NodeId], found: &mut Vec<Dated>) {
    let Some(&id) = texts.last() else { return };
    let text = page.tree.text(id);
    let first = found.len();
    page.reader.all(&text[..text.floor_char_boundary(LONGEST_TEXT)], |moment| {
        if moment.precision == Precision::Day {
            found.push(Dated { node: id, moment, has_cue: false, is_aside: false });
        }
    });
    if found.len() == first {
        return;
    }
    let is_aside = page.scan.is_aside(id, page.heading);
    let near = texts.iter().rev().take_while(|&&text| id <= text + CUE_REACH);
    let has_cue = near.into_iter().any(|&text| has_cue(page.tree.node(text).raw));
    for dated in &mut found[first..] {
        (dated.has_cue, dated.is_aside) = (has_cue, is_aside);
    }
}

/// Whether a text has a year, or numbers with marks between them.
fn may_hold_date(text: &str) -> bool {
    let mut digits = 0;
    text.bytes().any(|byte| {
        let is_marked = digits > 0 && matches!(byte, b'.' | b'/' | b'-');
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        is_marked || digits == 4
    })
}

pub(super) fn has_cue(text: &str) -> bool {
    static CUES: LazyLock<AhoCorasick> = LazyLock::new(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build([
                "published",
                "posted",
                "veröffentlicht",
                "ver&ouml;ffentlicht",
                "erstellt",
                "stand:",
                "datum",
                "date:",
                "publié",
                "publicado",
                "pubblicato",
                "gepubliceerd",
                "geplaatst",
                "опубликовано",
                "дата",
                "last modified",
                "last edited",
                "last updated",
                "zuletzt",
                "aktualisiert",
                "geändert",
                "stand vom",
                "update:",
                "letzte änderung",
                "发布",
                "投稿日",
                "更新",
                "eingestellt",
                "online seit",
                "mis en ligne",
                "mis à jour",
                "publikováno",
                "opublikowano",
                "data publikacji",
                "yayın",
                "updated",
                "modified",
                "created",
                "lagt ut",
                "publicerad",
                "udgivet",
                "publisert",
                "julkaistu",
                "fecha",
                "inserito",
                "vom ",
            ])
            .expect("a short list of short words")
    });
    text.len() < 400 && CUES.is_match(text)
}

/// `"publishedAt":"2019-05-06"` in the data that a script draws the page from.
fn in_scripts(page: &Dates<'_, '_>) -> Option<Moment> {
    static KEYS: LazyLock<AhoCorasick> = LazyLock::new(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build([
                "datepublished",
                "publishedat",
                "published_at",
                "publishdate",
                "publish_date",
                "pubdate",
                "publicationdate",
                "published_time",
                "publishedtime",
                "publisheddate",
                "firstpublished",
                "createdat",
                "created_at",
                "dateposted",
                "datecreated",
                "uploaddate",
                "\"published\"",
                "\"date\"",
                "\"created\"",
            ])
            .expect("a short list of short words")
    });
    let scripts = page
        .tree
        .nodes()
        .iter()
        .filter(|node| node.tag == Tag::Text && page.tree.node(node.parent).tag == Tag::Script);
    let mut left = MOST_TEXT;
    for script in scripts {
        let text = &script.raw[..script.raw.floor_char_boundary(left)];
        left -= text.len();
        for key in KEYS.find_iter(text) {
            let value = &text[key.end()..text.floor_char_boundary(key.end() + 40)];
            let value = value.trim_start_matches(['"', '\\', '\'', ' ', ':', '=']);
            let value = value.split(['"', '\\', '\'', ',', '}']).next().unwrap_or(value);
            if let Some(moment) = page.reader.value(value).filter(|moment| moment.precision == Precision::Day)
            {
                return Some(moment);
            }
        }
    }
    None
}
