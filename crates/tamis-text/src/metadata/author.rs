//! Authors: names out of bylines.

use super::Rule;
use super::scan::Scan;
use super::signal::{Field, SPARE, Signal};
use super::class_hint::{NAME, NO_NAME};
use super::{Found, node_text};
use crate::html::{NodeId, Tag, Tree};

/// Whom to believe. Structured data first, then what a page shows.
pub(super) const ORDER: &[Rule] = &[
    Rule::JsonLd,
    Rule::Parsely,
    Rule::Sailthru,
    Rule::Citation,
    Rule::OpenGraph,
    Rule::DublinCore,
    Rule::Meta,
    Rule::Microdata,
    Rule::Rdfa,
    Rule::Rel,
    Rule::Class,
    Rule::Byline,
];

/// Texts longer than this are not a line of names.
const LONGEST_LINE: usize = 160;
/// More names than this are a list of members.
const MOST_NAMES: usize = 50;

/// The authors of the page.
pub(super) fn choose(tree: &Tree<'_>, scan: &Scan<'_>, heading: Option<NodeId>, site: &[String]) -> Vec<Found<String>> {
    let signals = scan.of_field(Field::Author, ORDER);
    let structured = |spare: bool| {
        ORDER.iter().find_map(|&rule| {
            let of_rule: Vec<_> = signals
                .iter()
                .filter(|signal| signal.rule == rule && (signal.rank >= SPARE) == spare)
                .filter(|signal| signal.node == Tree::ROOT || !scan.is_aside(signal.node, heading))
                .collect();
            let best = of_rule.iter().map(|signal| signal.rank).min()?;
            let mut names = Names::new(site, rule);
            of_rule.iter().filter(|signal| signal.rank == best).for_each(|signal| names.add(&text_of(tree, signal)));
            names.finish()
        })
    };
    structured(false)
        .or_else(|| shown(tree, scan, heading, site))
        .or_else(|| structured(true))
        .unwrap_or_default()
}

fn text_of(tree: &Tree<'_>, signal: &Signal<'_>) -> String {
    if !signal.value.is_empty() {
        return signal.value.clone().into_owned();
    }
    // Microdata: the author is a person with a name.
    let name = tree.descendants(signal.node).find(|&id| {
        tree.raw_attribute(id, crate::html::Name::Itemprop).is_some_and(|item| item.eq_ignore_ascii_case("name"))
    });
    if let Some(name) = name {
        return tree.attribute(name, crate::html::Name::Content).map_or_else(|| node_text(tree, name, LONGEST_LINE), Into::into);
    }
    node_text(tree, signal.node, LONGEST_LINE)
}

/// Names in elements that are called after authors: those behind or right above the heading.
fn shown(tree: &Tree<'_>, scan: &Scan<'_>, heading: Option<NodeId>, site: &[String]) -> Option<Vec<Found<String>>> {
    let usable = || {
        scan.authored.iter().filter(|(id, hints)| hints & NO_NAME == 0 && !scan.is_aside(*id, heading)).map(|&(id, hints)| (id, hints))
    };
    let clear = usable().filter(|(_, hints)| hints & NAME != 0);
    clear.chain(usable()).take(40).find_map(|(id, _)| {
        if matches!(tree.node(id).tag, Tag::Img | Tag::Input | Tag::Form) {
            return None;
        }
        let text = node_text(tree, id, LONGEST_LINE + 1);
        if text.len() > LONGEST_LINE {
            return None;
        }
        let mut names = Names::new(site, Rule::Class);
        names.add(&text);
        names.finish()
    })
}

/// Names that were found so far, each once.
struct Names<'s> {
    rule: Rule,
    /// Names of the site: no authors.
    site: &'s [String],
    found: Vec<String>,
}

impl<'s> Names<'s> {
    fn new(site: &'s [String], rule: Rule) -> Self {
        Names { rule, site, found: Vec::new() }
    }

    fn add(&mut self, line: &str) {
        if self.rule == Rule::Citation && line.matches(',').count() == 1 {
            let (last, first) = line.split_once(',').unwrap_or((line, ""));
            return self.push(format!("{} {}", first.trim(), last.trim()));
        }
        for name in people(line) {
            self.push(name);
        }
    }

    fn push(&mut self, name: String) {
        let known = self.found.iter().any(|other| other.to_lowercase() == name.to_lowercase());
        if !known && self.found.len() < MOST_NAMES {
            self.found.push(name);
        }
    }

    fn finish(self) -> Option<Vec<Found<String>>> {
        let rule = self.rule;
        let _ = self.site;
        (!self.found.is_empty()).then(|| self.found.into_iter().map(|name| Found::new(name, rule)).collect())
    }
}

/// The people of a byline.
pub(super) fn people(line: &str) -> Vec<String> {
    let line = without_tags(line);
    let line = line.split_whitespace().filter(|word| !is_address(word)).collect::<Vec<_>>().join(" ");
    let line = without_lead(&line);
    let line = until_aside(line);
    let mut names = Vec::new();
    for part in split_people(line) {
        if let Some(name) = cleaned(part) {
            names.push(name);
        }
    }
    names
}

fn without_tags(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut inside = false;
    for c in line.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text
}

/// E-mail, handles and links.
fn is_address(word: &str) -> bool {
    word.contains('@') || word.contains("://") || word.starts_with("www.")
}

const LEADS: &[&str] = &[
    "written by", "posted by", "published by", "reported by", "story by", "words by", "text by", "article by", "reviewed by", "submitted by", "created by", "added by",
    "geschrieben von", "verfasst von", "veröffentlicht von", "ein beitrag von", "ein artikel von", "von", "autor", "autorin", "autoren", "autor*in", "verfasser", "text", "foto",
    "authors", "author", "byline", "by", "par", "auteur", "publié par", "écrit par", "por", "escrito por", "publicado por", "autora", "autores",
    "di", "a cura di", "scritto da", "pubblicato da", "autore", "door", "geschreven door", "av", "af", "skrevet af", "skriven av", "przez", "napisał", "napisała", "автор",
    "автор:", "yazan", "yazar", "oleh", "kirjoittanut", "szerző", "autoři", "napsal", "napsala", "作者", "文", "記者", "记者", "撰文", "著者", "执笔", "글",
];

/// Cuts "By", "Von" and the like.
fn without_lead(line: &str) -> &str {
    let mut line = line.trim();
    for _ in 0..3 {
        let lower = line.to_lowercase();
        // Lower case may have other lengths in bytes: then the lead is not one of ours.
        let lead = LEADS.iter().filter(|lead| lower.starts_with(*lead) && line.is_char_boundary(lead.len())).max_by_key(|lead| lead.len());
        let Some(lead) = lead else { break };
        let rest = &line[lead.len()..];
        if !rest.is_empty() && !rest.starts_with([' ', ':', '：', '/', '\u{a0}']) {
            break;
        }
        line = rest.trim_start_matches([' ', ':', '：', '/', '\u{a0}', '-', '–']);
    }
    line
}

/// Cuts what follows the names: dates, places, jobs behind a bar.
fn until_aside(line: &str) -> &str {
    let digit = line.find(|c: char| c.is_ascii_digit());
    let marks = [" | ", " · ", " • ", "•", " – ", " — ", " - ", "(", "[", " // ", " on ", " in ", " for ", " at ", " am ", " le ", " il ", "\n", " → ", " vom ", ": "];
    let mark = marks.iter().filter_map(|mark| line.find(mark)).min();
    let end = [digit, mark].into_iter().flatten().min().unwrap_or(line.len());
    line[..end].trim()
}

fn split_people(line: &str) -> Vec<&str> {
    let mut parts = vec![line];
    for between in [";", ",", " and ", " und ", " & ", " et ", " y ", " e ", " og ", " och ", " en ", " i ", " / ", "/", "、", "，", "|", " with ", " mit ", " And ", " AND ", " και ", " и ", " ve "] {
        parts = parts.into_iter().flat_map(|part| part.split(between)).collect();
    }
    parts
}

const NO_NAMES: &[&str] = &[
    "admin", "administrator", "staff", "editor", "editors", "redaktion", "die redaktion", "staff writer", "staff reporter", "guest", "guest author", "guest contributor", "author", "autor", "unknown",
    "anonymous", "anonym", "none", "null", "webmaster", "editorial team", "editorial staff", "editorial", "contributor", "contributors", "reporter", "writer", "root", "user", "superuser", "super user", "posted",
    "online", "n/a", "posts", "view all posts", "about the author", "share", "follow", "profile", "all", "more", "read more", "home", "undefined", "false", "true", "web", "jr", "sr",
];

const JOBS: &[&str] = &[
    "editor", "correspondent", "reporter", "staff", "writer", "contributor", "columnist", "redakteur", "redakteurin", "journalist", "journalistin", "correspondant", "producer", "director", "manager",
    "professor", "ceo", "cto", "cfo", "founder", "author", "autor", "president", "analyst", "specialist", "m.d.", "md", "ph.d.", "phd", "mba", "rd", "msc", "researcher", "consultant", "engineer", "photographer",
];

/// A name, if the text is one.
fn cleaned(part: &str) -> Option<String> {
    let part = part.trim().trim_matches(|c: char| !c.is_alphanumeric() && c != '.' && c != ')').trim();
    let part = without_lead(part);
    let chars = part.chars().count();
    let words = part.split(' ').count();
    if !(2..=60).contains(&chars) || words > 6 || !part.chars().any(char::is_alphabetic) {
        return None;
    }
    let lower = part.to_lowercase();
    let is_job = words > 1 && lower.split(' ').any(|word| JOBS.contains(&word)) || JOBS.contains(&lower.as_str());
    if NO_NAMES.contains(&lower.as_str()) || is_job {
        return None;
    }
    Some(capitalised(part))
}

/// `ANN LEE` as `Ann Lee`; initials and short words stay.
fn capitalised(name: &str) -> String {
    let shouts = name.contains(' ') && name.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    if !shouts {
        return name.to_owned();
    }
    name.split(' ')
        .map(|word| {
            if word.chars().count() < 3 {
                return word.to_owned();
            }
            let mut first = true;
            word.chars().flat_map(|c| {
                let lower: Vec<char> = if first { vec![c] } else { c.to_lowercase().collect() };
                first = matches!(c, '-' | '\'' | '’' | '.');
                lower
            }).collect()
        })
        .collect::<Vec<String>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bylines_give_names() {
        for (line, expected) in [
            ("By Ann Lee and Bo Day", vec!["Ann Lee", "Bo Day"]),
            ("Von Ann Lee, Redakteurin", vec!["Ann Lee"]),
            ("Par Ann Lee | Publié le 6 mai 2019", vec!["Ann Lee"]),
            ("By ANN LEE, Staff Writer", vec!["Ann Lee"]),
            ("by: Ann Lee ann@example.org @annlee", vec!["Ann Lee"]),
            ("Ann Lee; Bo Day", vec!["Ann Lee", "Bo Day"]),
            ("Posted by Ann Lee on May 6, 2019", vec!["Ann Lee"]),
            ("Jean-Luc O’Neill", vec!["Jean-Luc O’Neill"]),
            ("JEAN-LUC O’NEILL", vec!["Jean-Luc O’Neill"]),
            ("https://example.org/ann", vec![]),
            ("admin", vec![]),
            ("", vec![]),
            ("作者：王小明", vec!["王小明"]),
        ] {
            assert_eq!(people(line), expected, "{line}");
        }
    }
}
