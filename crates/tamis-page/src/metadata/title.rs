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
/// Headings that are compared with the title.
const MOST_HEADINGS: usize = 20;

/// The title of the page. `site` are the letters of the site's names.
///
/// What the page shows as its heading is its title if it is like what the page states elsewhere; a line above the heading
/// proper, which sites put into it, is left out by the statement.
pub(super) fn choose(
    tree: &Tree<'_>,
    scan: &Scan<'_>,
    heading: Option<NodeId>,
    site: &[String],
) -> Option<Found<String>> {
    let page_title = scan.title.map(|id| node_text(tree, id, LONGEST)).unwrap_or_default();
    let stated = stated(tree, scan, site);
    let heading = heading.map(|id| without_site(&node_text(tree, id, LONGEST), site));
    match (stated, heading) {
        (Some(stated), Some(heading)) => {
            let is_led = letters(&heading)
                .strip_suffix(letters(&stated.value).as_str())
                .is_some_and(|lead| !lead.is_empty());
            let is_same = !is_led
                && (alike(&stated.value, &heading)
                    || kin(&stated.value, &heading)
                    || kin(&page_title, &heading));
            Some(if is_same { Found::new(heading, Rule::Heading) } else { stated })
        }
        (Some(stated), None) => Some(stated),
        (None, Some(heading)) => Some(Found::new(heading, Rule::Heading)),
        (None, None) => {
            let title = without_site(&page_title, site);
            (!title.is_empty()).then(|| Found::new(title, Rule::TitleTag))
        }
    }
}

fn stated(tree: &Tree<'_>, scan: &Scan<'_>, site: &[String]) -> Option<Found<String>> {
    scan.of_field(Field::Title, ORDER).into_iter().find_map(|signal| {
        let text = if signal.value.is_empty() {
            node_text(tree, signal.node, LONGEST)
        } else {
            squeezed(&signal.value)
        };
        let text = without_site(&text, site);
        let is_title = text.chars().count() > 2 && !site.contains(&letters(&text));
        is_title.then(|| Found::new(text, signal.rule))
    })
}

/// The heading that is the page's title: the h1 most like `<title>`, else the only h1, else such an h2. The name of the
/// site is none.
pub(super) fn heading(tree: &Tree<'_>, scan: &Scan<'_>, site: &[String]) -> Option<NodeId> {
    let page_title = scan.title.map(|id| letters(&node_text(tree, id, LONGEST))).unwrap_or_default();
    let usable = |id: NodeId| {
        let text = letters(&node_text(tree, id, LONGEST));
        (!text.is_empty() && !site.contains(&text)).then_some((id, text))
    };
    let is_one = |id: &NodeId| tree.node(*id).tag == Tag::H1;
    let ones: Vec<_> =
        scan.headings.iter().copied().filter(is_one).take(MOST_HEADINGS).filter_map(usable).collect();
    let alike_title = |(id, text): &(NodeId, String)| alike_letters(&page_title, text).then_some(*id);
    if let Some(id) = ones.iter().find_map(alike_title) {
        return Some(id);
    }
    let twos = scan.headings.iter().copied().filter(|id| !is_one(id)).take(MOST_HEADINGS).filter_map(usable);
    let mut twos = twos.filter_map(|two| alike_title(&two));
    twos.next().or_else(|| ones.first().filter(|_| ones.len() == 1).map(|(id, _)| *id))
}

/// Whether one of two titles holds the other, or nearly.
fn alike(one: &str, other: &str) -> bool {
    alike_letters(&letters(one), &letters(other))
}

fn alike_letters(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.chars().count() > 3 && short.len() * 3 >= long.len() && long.contains(short)
}

/// Whether two titles say the same in other words: they share two words of the shorter, and a third of them.
fn kin(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split_whitespace().map(letters).filter(|word| word.chars().count() > 3).collect()
    };
    let (one, other) = (words(one), words(other));
    let shared = one.iter().filter(|word| other.contains(word)).count();
    shared >= 2 && shared * 3 >= one.len().min(other.len())
}

pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const BETWEEN: &[&str] = &[
    " | ", " - ", " – ", " — ", " » ", " :: ", " • ", " · ", " / ", " « ", " < ", " ‹ ", "| ", " |", " ~ ",
    "｜", " _ ", " ∙ ",
];

/// The title without the name of its site.
fn without_site(title: &str, site: &[String]) -> String {
    let mut title = title;
    for _ in 0..3 {
        let last = BETWEEN.iter().filter_map(|mark| title.rfind(mark).map(|at| (at, at + mark.len()))).max();
        let Some((end, start)) = last else { break };
        let tail = letters(&title[start..]);
        let known = !tail.is_empty()
            && site.iter().any(|name| {
                !name.is_empty() && (tail.contains(name.as_str()) || name.contains(tail.as_str()))
            });
        if !known {
            break;
        }
        title = title[..end].trim();
    }
    let first = BETWEEN.iter().filter_map(|mark| title.find(mark).map(|at| (at, at + mark.len()))).min();
    if let Some((end, start)) = first
        && site.contains(&letters(&title[..end]))
    {
        title = title[start..].trim();
    }
    title.to_owned()
}

/// The site's name, if `<title>` has it behind the words of the heading.
pub(super) fn site(tree: &Tree<'_>, scan: &Scan<'_>, heading: Option<NodeId>) -> Option<Found<String>> {
    let title = node_text(tree, scan.title?, LONGEST);
    let heading = letters(&node_text(tree, heading?, LONGEST));
    let (end, start) =
        BETWEEN.iter().filter_map(|mark| title.rfind(mark).map(|at| (at, at + mark.len()))).max()?;
    let name = title[start..].trim();
    let is_name =
        letters(&title[..end]).starts_with(&heading) && !name.is_empty() && name.split(' ').count() <= 5;
    is_name.then(|| Found::new(name.to_owned(), Rule::TitleTag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_site_is_cut() {
        let site = ["example".to_owned(), "thesite".to_owned()];
        for (title, expected) in [
            ("A ship | The Site", "A ship"),
            ("The Site: a ship", "The Site: a ship"),
            ("The Site - A ship", "A ship"),
            ("A ship - at sea", "A ship - at sea"),
            ("A ship – News – Example", "A ship – News"),
            ("", ""),
        ] {
            assert_eq!(without_site(title, &site), expected, "{title}");
        }
    }

    #[test]
    fn titles_in_other_words_are_kin() {
        assert!(kin("Tomatoes grow faster in blue light", "Blue light makes tomatoes grow"));
        assert!(!kin("Tomatoes grow faster", "Home of the Example"));
    }
}
