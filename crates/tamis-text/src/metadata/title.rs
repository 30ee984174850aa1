//! The title: what a reader would call the page, without the site's name.

use super::scan::Scan;
use super::signal::Field;
use super::{Found, Rule, node_text};
use crate::html::{NodeId, Tag, Tree};

/// Whom to believe.
pub(super) const ORDER: &[Rule] = &[
    Rule::OpenGraph,
    Rule::JsonLd,
    Rule::Twitter,
    Rule::Parsely,
    Rule::Sailthru,
    Rule::Citation,
    Rule::DublinCore,
    Rule::Microdata,
    Rule::Rdfa,
    Rule::Meta,
];

const LONGEST: usize = 500;

/// The title of the page.
pub(super) fn choose(tree: &Tree<'_>, scan: &Scan<'_>, site: &[String]) -> Option<Found<String>> {
    let page_title = scan.title.map(|id| node_text(tree, id, LONGEST)).unwrap_or_default();
    let stated = scan.of_field(Field::Title, ORDER).into_iter().map(|signal| {
        (signal.rule, if signal.value.is_empty() { node_text(tree, signal.node, LONGEST) } else { squeezed(&signal.value) })
    }).find(|(_, text)| text.chars().count() > 2);
    let heading = heading(tree, scan, &page_title).map(|id| node_text(tree, id, LONGEST)).filter(|text| !text.is_empty());
    if let (Some((_, stated)), Some(heading)) = (&stated, &heading)
        && alike(stated, heading)
    {
        return Some(Found::new(heading.clone(), Rule::Heading));
    }
    if let Some((rule, stated)) = stated {
        return Some(Found::new(without_site(&stated, site), rule));
    }
    if let Some(heading) = heading {
        return Some(Found::new(heading, Rule::Heading));
    }
    (!page_title.is_empty()).then(|| Found::new(without_site(&page_title, site), Rule::TitleTag))
}

/// The heading that is the page's title: the h1 most like `<title>`, else the first one.
pub(super) fn heading(tree: &Tree<'_>, scan: &Scan<'_>, page_title: &str) -> Option<NodeId> {
    let ones = || scan.headings.iter().copied().filter(|&id| tree.node(id).tag == Tag::H1);
    let text = |id| node_text(tree, id, LONGEST);
    ones()
        .find(|&id| alike(page_title, &text(id)))
        .or_else(|| ones().find(|&id| !text(id).is_empty() && ones().count() == 1))
        .or_else(|| scan.headings.iter().copied().find(|&id| alike(page_title, &text(id))))
}

/// Whether one of two titles holds the other, or nearly.
fn alike(one: &str, other: &str) -> bool {
    let (one, other) = (letters(one), letters(other));
    let (short, long) = if one.len() < other.len() { (&one, &other) } else { (&other, &one) };
    short.chars().count() > 3 && long.contains(short.as_str()) && short.len() * 3 >= long.len()
}

pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const BETWEEN: &[&str] = &[" | ", " - ", " – ", " — ", " » ", " :: ", " • ", " · ", " / ", " « ", " < ", " ‹ ", "| ", " |", " ~ ", "｜", " _ ", " ∙ "];

/// The title without the name of its site.
fn without_site(title: &str, site: &[String]) -> String {
    let mut title = title;
    for _ in 0..3 {
        let last = BETWEEN.iter().filter_map(|mark| title.rfind(mark).map(|at| (at, at + mark.len()))).max();
        let Some((end, start)) = last else { break };
        let tail = letters(&title[start..]);
        let known = !tail.is_empty() && site.iter().any(|name| !name.is_empty() && (tail.contains(name.as_str()) || name.contains(tail.as_str())));
        if !known {
            break;
        }
        title = title[..end].trim();
    }
    for _ in 0..1 {
        let first = BETWEEN.iter().filter_map(|mark| title.find(mark).map(|at| (at, at + mark.len()))).min();
        let Some((end, start)) = first else { break };
        let head = letters(&title[..end]);
        if !head.is_empty() && site.iter().any(|name| *name == head) {
            title = title[start..].trim();
        }
    }
    title.to_owned()
}
