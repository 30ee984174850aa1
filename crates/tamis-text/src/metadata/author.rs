//! Authors: names out of bylines.

use super::Rule;
use super::class_hint::{NAME, NO_NAME};
use super::scan::Scan;
use super::signal::{Field, SPARE, Signal};
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
/// Elements that are asked for a name.
const MOST_TRIED: usize = 40;
/// Nodes between two authors of one group.
const GROUP: NodeId = 24;
/// Nodes behind the heading in which a byline stands.
const NEAR: NodeId = 60;
/// More names than this are a list of members.
const MOST_NAMES: usize = 50;

/// The authors of the page. `site` are the names of the site, which are believed last.
pub(super) fn choose(
    tree: &Tree<'_>,
    scan: &Scan<'_>,
    heading: Option<NodeId>,
    site: &[String],
) -> Vec<Found<String>> {
    let mut weak = Vec::new();
    let mut judge = |names: Vec<Found<String>>| {
        let is_strong = names.iter().any(|name| !is_weak(&name.value, site));
        if is_strong {
            return Some(names);
        }
        if weak.is_empty() {
            weak = names;
        }
        None
    };
    ORDER
        .iter()
        .find_map(|&rule| judge(stated(tree, scan, heading, rule, false)))
        .or_else(|| shown(tree, scan, heading).into_iter().find_map(&mut judge))
        .or_else(|| byline(tree, scan, heading).and_then(&mut judge))
        .or_else(|| ORDER.iter().find_map(|&rule| judge(stated(tree, scan, heading, rule, true))))
        .unwrap_or(weak)
}

/// The site's own name, or the name of an account, is an author where nobody else is.
fn is_weak(name: &str, site: &[String]) -> bool {
    let letters = super::title::letters(name);
    let is_account =
        !name.contains(' ') && name.contains(['-', '_', '.']) && !name.contains(char::is_uppercase);
    is_account || site.contains(&letters)
}

/// What one rule says: its best statements. Of those that stand in the page, only the first group: the authors of
/// comments and answers come later.
fn stated(
    tree: &Tree<'_>,
    scan: &Scan<'_>,
    heading: Option<NodeId>,
    rule: Rule,
    spare: bool,
) -> Vec<Found<String>> {
    let of_rule: Vec<_> = scan
        .of_field(Field::Author, &[rule])
        .into_iter()
        .filter(|signal| (signal.rank >= SPARE) == spare)
        .filter(|signal| signal.node == Tree::ROOT || !scan.is_aside(signal.node, heading))
        .collect();
    let Some(best) = of_rule.first() else { return Vec::new() };
    let mut names = Names::new(rule);
    let mut last = best.node;
    for signal in of_rule.iter().filter(|signal| signal.rank == best.rank) {
        let is_shown = matches!(rule, Rule::Microdata | Rule::Rdfa | Rule::Rel);
        if is_shown && signal.node > last + GROUP && !names.found.is_empty() {
            break;
        }
        last = tree.node(signal.node).end;
        names.add(&text_of(tree, signal));
    }
    names.finish()
}

fn text_of(tree: &Tree<'_>, signal: &Signal<'_>) -> String {
    if !signal.value.is_empty() {
        return signal.value.clone().into_owned();
    }
    // Microdata: the author is a person with a name.
    let name = tree.descendants(signal.node).find(|&id| {
        tree.raw_attribute(id, crate::html::Name::Itemprop)
            .is_some_and(|item| item.eq_ignore_ascii_case("name"))
    });
    if let Some(name) = name {
        return tree
            .attribute(name, crate::html::Name::Content)
            .map_or_else(|| node_text(tree, name, LONGEST_LINE), Into::into);
    }
    node_text(tree, signal.node, LONGEST_LINE)
}

/// Names in elements that are called after authors, the clearly named elements first.
fn shown(tree: &Tree<'_>, scan: &Scan<'_>, heading: Option<NodeId>) -> Vec<Vec<Found<String>>> {
    let usable = scan.authored.iter().filter(|(id, hints)| {
        let is_text = !matches!(tree.node(*id).tag, Tag::Img | Tag::Input | Tag::Form | Tag::Button);
        hints & NO_NAME == 0 && is_text && !scan.is_aside(*id, heading)
    });
    let (clear, other): (Vec<_>, Vec<_>) = usable.partition(|(_, hints)| hints & NAME != 0);
    let lines =
        clear.into_iter().chain(other).take(MOST_TRIED).map(|&(id, _)| node_text(tree, id, LONGEST_LINE + 1));
    lines
        .filter(|line| line.len() <= LONGEST_LINE)
        .map(|line| {
            let mut names = Names::new(Rule::Class);
            names.add(&line);
            names.finish()
        })
        .collect()
}

/// A line "By …" near the heading.
fn byline(tree: &Tree<'_>, scan: &Scan<'_>, heading: Option<NodeId>) -> Option<Vec<Found<String>>> {
    let start = heading.map(|heading| tree.node(heading).end)?;
    let end = (tree.nodes().len() as NodeId).min(start + NEAR);
    (start..end).find_map(|id| {
        let node = tree.node(id);
        if node.tag != Tag::Text || node.raw.len() > LONGEST_LINE || scan.is_aside(id, heading) {
            return None;
        }
        let mut line = super::title::squeezed(&tree.text(id));
        // The name is a link, often.
        if without_lead(&line).is_empty() && !line.is_empty() {
            let next = (id + 1..end).find(|&id| tree.node(id).tag == Tag::Text)?;
            line = format!("{line} {}", tree.text(next).trim());
        }
        let rest = without_lead(&line);
        let is_led = rest.len() < line.len() && rest.starts_with(char::is_uppercase);
        let mut names = Names::new(Rule::Byline);
        if is_led {
            names.add(rest);
        }
        names.found.retain(|name| name.contains(' '));
        let names = names.finish();
        (!names.is_empty()).then_some(names)
    })
}

/// Names that were found so far, each once.
struct Names {
    rule: Rule,
    found: Vec<String>,
}

impl Names {
    fn new(rule: Rule) -> Self {
        Names { rule, found: Vec::new() }
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

    fn finish(self) -> Vec<Found<String>> {
        self.found.into_iter().map(|name| Found::new(name, self.rule)).collect()
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
        names.extend(cleaned(part, names.is_empty()));
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
    "view all posts by",
    "more posts by",
    "all posts by",
    "zeige alle beiträge von",
    "alle beiträge von",
    "weitere beiträge von",
    "ver todas las entradas de",
    "voir tous les articles par",
    "voir tous les articles de",
    "erstellt von",
    "eingestellt von",
    "gepostet von",
    "interview von",
    "interview",
    "text und interview",
    "gastbeitrag von",
    "ein gastbeitrag von",
    "guest post by",
    "contributed by",
    "via",
    "edited by",
    "door:",
    "redaktion:",
    "protokoll",
    "essay von",
    "kommentar von",
    "analyse von",
    "eine kolumne von",
    "written by",
    "posted by",
    "published by",
    "reported by",
    "story by",
    "words by",
    "text by",
    "article by",
    "reviewed by",
    "submitted by",
    "created by",
    "added by",
    "geschrieben von",
    "verfasst von",
    "veröffentlicht von",
    "ein beitrag von",
    "ein artikel von",
    "von",
    "autor",
    "autorin",
    "autoren",
    "autor*in",
    "verfasser",
    "text",
    "foto",
    "authors",
    "author",
    "byline",
    "by",
    "par",
    "auteur",
    "publié par",
    "écrit par",
    "por",
    "escrito por",
    "publicado por",
    "autora",
    "autores",
    "di",
    "a cura di",
    "scritto da",
    "pubblicato da",
    "autore",
    "door",
    "geschreven door",
    "av",
    "af",
    "skrevet af",
    "skriven av",
    "przez",
    "napisał",
    "napisała",
    "автор",
    "автор:",
    "yazan",
    "yazar",
    "oleh",
    "kirjoittanut",
    "szerző",
    "autoři",
    "napsal",
    "napsala",
    "作者",
    "文",
    "記者",
    "记者",
    "撰文",
    "著者",
    "执笔",
    "글",
];

/// Cuts "By", "Von" and the like.
fn without_lead(line: &str) -> &str {
    let mut line = line.trim();
    for _ in 0..3 {
        let lower = line.to_lowercase();
        // Lower case may have other lengths in bytes: then the lead is not one of ours.
        let lead = LEADS
            .iter()
            .filter(|lead| lower.starts_with(*lead) && line.is_char_boundary(lead.len()))
            .max_by_key(|lead| lead.len());
        let Some(lead) = lead else { break };
        let rest = &line[lead.len()..];
        // A label for screen readers, which nothing but its style parts from the name.
        let is_label = matches!(*lead, "author" | "autor")
            && rest.starts_with(char::is_uppercase)
            && line.starts_with('A');
        if !rest.is_empty() && !is_label && !rest.starts_with([' ', ':', '：', '/', '\u{a0}']) {
            break;
        }
        line = rest.trim_start_matches([' ', ':', '：', '/', '\u{a0}', '-', '–']);
    }
    line
}

/// Cuts what follows the names: dates, places, jobs behind a bar.
fn until_aside(line: &str) -> &str {
    const MARKS: &[&str] = &[
        " | ",
        " · ",
        " • ",
        "•",
        " – ",
        " — ",
        " - ",
        "(",
        "[",
        " // ",
        " on ",
        " in ",
        " for ",
        " at ",
        " am ",
        " le ",
        " il ",
        " → ",
        " vom ",
        ": ",
        " im gespräch",
        " last updated",
        " updated",
        " veröffentlicht",
        " published",
        " publié",
        " stand ",
        " posted",
        " um ",
        " say",
        "„",
    ];
    let digit = line.char_indices().scan(' ', |before, (at, c)| Some((at, c, std::mem::replace(before, c))));
    let digit = digit
        .filter(|(_, c, before)| c.is_ascii_digit() && !before.is_alphanumeric())
        .map(|(at, ..)| at)
        .next();
    let lower = line.to_lowercase();
    let mark = MARKS.iter().filter_map(|mark| lower.find(mark)).min();
    let end = [digit, mark].into_iter().flatten().min().unwrap_or(line.len());
    line[..line.floor_char_boundary(end)].trim()
}

fn split_people(line: &str) -> Vec<&str> {
    let mut parts = vec![line];
    for between in [
        ";", ",", " and ", " und ", " & ", " et ", " y ", " e ", " og ", " och ", " en ", " i ", " / ", "/",
        "、", "，", "|", " with ", " mit ", " And ", " AND ", " και ", " и ", " ve ",
    ] {
        parts = parts.into_iter().flat_map(|part| part.split(between)).collect();
    }
    parts
}

const NO_NAMES: &[&str] = &[
    "admin",
    "administrator",
    "staff",
    "editor",
    "editors",
    "name",
    "sign in",
    "log in",
    "login",
    "publisher",
    "account",
    "no author",
    "said",
    "comments",
    "staff writer",
    "staff reporter",
    "guest",
    "guest author",
    "guest contributor",
    "author",
    "autor",
    "unknown",
    "anonymous",
    "anonym",
    "none",
    "null",
    "webmaster",
    "editorial team",
    "editorial staff",
    "editorial",
    "contributor",
    "contributors",
    "reporter",
    "writer",
    "root",
    "user",
    "superuser",
    "super user",
    "posted",
    "online",
    "n/a",
    "posts",
    "view all posts",
    "about the author",
    "share",
    "follow",
    "profile",
    "all",
    "more",
    "read more",
    "home",
    "undefined",
    "false",
    "true",
    "web",
    "jr",
    "sr",
];

const JOBS: &[&str] = &[
    "editor",
    "correspondent",
    "reporter",
    "staff",
    "writer",
    "contributor",
    "columnist",
    "redakteur",
    "redakteurin",
    "journalist",
    "journalistin",
    "correspondant",
    "producer",
    "director",
    "manager",
    "professor",
    "ceo",
    "cto",
    "cfo",
    "founder",
    "author",
    "autor",
    "president",
    "analyst",
    "specialist",
    "m.d.",
    "md",
    "ph.d.",
    "phd",
    "mba",
    "rd",
    "msc",
    "researcher",
    "consultant",
    "engineer",
    "photographer",
];

/// A name, if the text is one. A job is dropped where a name stands before it.
fn cleaned(part: &str, is_first: bool) -> Option<String> {
    let part = part.trim().trim_matches(|c: char| !c.is_alphanumeric() && c != '.' && c != ')').trim();
    let part = without_lead(part);
    let part = without_month(part);
    let chars = part.chars().count();
    let words = part.split(' ').count();
    if !(2..=60).contains(&chars) || words > 6 || !part.chars().any(char::is_alphabetic) {
        return None;
    }
    let lower = part.to_lowercase();
    let is_job =
        JOBS.contains(&lower.as_str()) || (!is_first && lower.split(' ').any(|word| JOBS.contains(&word)));
    if NO_NAMES.contains(&lower.as_str()) || is_job {
        return None;
    }
    Some(capitalised(part))
}

/// `Ann Lee February`, as it is left of a line with a date.
fn without_month(part: &str) -> &str {
    match part.rsplit_once(' ') {
        Some((name, last)) if name.contains(' ') && last.len() > 3 && super::date::is_month(last) => name,
        _ => part,
    }
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
            word.chars()
                .flat_map(|c| {
                    let lower: Vec<char> = if first { vec![c] } else { c.to_lowercase().collect() };
                    first = matches!(c, '-' | '\'' | '’' | '.');
                    lower
                })
                .collect()
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
