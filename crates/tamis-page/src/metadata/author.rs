//! Who wrote a page.

use super::Rule;
use super::class_hint::{NAME, NO_NAME};
use super::people::{people, without_lead};
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

/// Bytes of a statement that are searched for names.
const LONGEST_STATEMENT: usize = 2_000;
/// Texts longer than this are not a line of names.
const LONGEST_LINE: usize = 160;
/// Nodes of a person's record that are searched for the name.
const MOST_PARTS: usize = 200;
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
    let name = tree.descendants(signal.node).take(MOST_PARTS).find(|&id| {
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
        let line = &line[..line.floor_char_boundary(LONGEST_STATEMENT)];
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
