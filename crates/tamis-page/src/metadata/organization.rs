//! Who stands behind a page: copyright lines.

use super::scan::Scan;
use super::signal::{Field, SPARE};
use super::{Found, Rule, node_text};
use crate::html::Tree;

/// Bytes of a copyright line.
const LONGEST_LINE: usize = 300;

/// Who stands behind the page: the holder that structured data names, the copyright line, what `<meta>` says, and at
/// last any organisation that structured data describes.
pub(super) fn choose(tree: &Tree<'_>, scan: &Scan<'_>) -> Option<Found<String>> {
    let stated = |rule: Rule, ranks: std::ops::Range<u8>| {
        let signals = scan.of_field(Field::Organization, &[rule]);
        let mut names =
            signals.into_iter().filter(|signal| ranks.contains(&signal.rank)).map(|signal| &signal.value);
        names.find_map(|name| {
            let name = owner(name).unwrap_or_else(|| super::title::squeezed(name));
            let is_name = name.contains(char::is_alphabetic) && name.len() <= 120 && !name.contains("://");
            is_name.then(|| Found::new(name, rule))
        })
    };
    stated(Rule::JsonLd, 0..1)
        .or_else(|| in_text(tree, scan))
        .or_else(|| stated(Rule::Meta, 0..SPARE))
        .or_else(|| stated(Rule::JsonLd, 1..u8::MAX))
}

/// The owner by the last copyright line, one with a year before all others: those without are of pictures.
fn in_text(tree: &Tree<'_>, scan: &Scan<'_>) -> Option<Found<String>> {
    let lines = scan.copyrights.iter().rev().take(20).map(|&id| {
        let line = tree.text(id).into_owned();
        // The name, a link, may stand behind the text with the sign.
        if owner(&line).is_some() { line } else { node_text(tree, tree.node(id).parent, LONGEST_LINE) }
    });
    let lines: Vec<String> = lines.filter(|line| line.len() <= LONGEST_LINE + 100).collect();
    let dated = lines.iter().filter(|line| !years(line).is_empty());
    dated.chain(&lines).find_map(|line| owner(line)).map(|name| Found::new(name, Rule::Copyright))
}

/// The owner in a line such as `© 2010-2019 Example Inc. All rights reserved.`
pub(super) fn owner(line: &str) -> Option<String> {
    let rest = behind_sign(line)?;
    let rest = rest.trim_start_matches(|c: char| !c.is_alphabetic()).trim();
    let rest = strip_lead(rest);
    let lower = rest.to_lowercase();
    let stop = STOPS.iter().filter_map(|stop| lower.find(stop)).min().filter(|&at| rest.is_char_boundary(at));
    let name = &rest[..stop.unwrap_or(rest.len())];
    let name = name.split(['|', '•', '·', '\n', '–', '—', ';', '©']).next().unwrap_or(name);
    let name = cut_year(name);
    let name =
        name.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | ':' | '.' | '(' | '/'));
    let name = if rest.starts_with(name) && rest[name.len()..].starts_with('.') && ends_with_form(name) {
        &rest[..=name.len()]
    } else {
        name
    };
    let words = name.split_whitespace().count();
    (name.chars().count() >= 2 && words <= 10 && name.len() <= 120).then(|| super::title::squeezed(name))
}

/// The years that stand by a copyright sign.
pub(super) fn years(line: &str) -> Vec<i16> {
    let Some(rest) = behind_sign(line) else { return Vec::new() };
    let rest = &rest[..rest.floor_char_boundary(100)];
    rest.split(|c: char| !c.is_ascii_digit())
        .filter(|run| run.len() == 4)
        .filter_map(|run| run.parse().ok())
        .collect()
}

/// What follows the sign; a second sign (`Copyright ©`) is passed.
fn behind_sign(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    let end = |sign: &str| lower.find(sign).map(|at| at + sign.len());
    let mut at = [end("©"), end("copyright"), end("(c)")].into_iter().flatten().min()?;
    for sign in ["©", "(c)", "copyright", "by"] {
        let tail = &lower[at..];
        let skipped = tail.len() - tail.trim_start_matches([' ', '\u{a0}', ':']).len();
        if tail[skipped..].starts_with(sign) {
            at += skipped + sign.len();
        }
    }
    line.get(at..)
}

fn strip_lead(text: &str) -> &str {
    let mut text = text;
    for lead in ["by ", "copyright ", "the copyright of ", "von ", "par "] {
        if text.get(..lead.len()).is_some_and(|head| head.eq_ignore_ascii_case(lead)) {
            text = text[lead.len()..].trim_start();
        }
    }
    text
}

const STOPS: &[&str] = &[
    "all rights",
    "alle rechte",
    "tous droits",
    "todos los derechos",
    "todos os direitos",
    "tutti i diritti",
    "rights reserved",
    "alle rettigheder",
    "wszelkie prawa",
    "все права",
    "tüm hakları",
    "alle rechten",
    "privacy",
    "terms",
    "impressum",
    "datenschutz",
    ". ",
    "powered by",
    "designed by",
    "theme",
    "website by",
    "reproduction",
];

const FORMS: &[&str] = &["inc", "ltd", "co", "corp", "llc", "s.a", "s.p.a", "s.r.l", "e.v", "bros"];

fn ends_with_form(name: &str) -> bool {
    let lower = name.to_lowercase();
    FORMS.iter().any(|form| lower.ends_with(form))
}

/// `Example Inc. 2019` as `Example Inc.`
fn cut_year(name: &str) -> &str {
    let trimmed = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '–' | ','));
    if name.len() - trimmed.len() >= 4 { trimmed } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copyright_lines_name_their_owner() {
        for (line, expected) in [
            ("© 2019 Example Inc.", Some("Example Inc.")),
            ("Copyright © 2010-2019 Example GmbH. All rights reserved.", Some("Example GmbH")),
            ("(c) Example Media 2019", Some("Example Media")),
            ("Copyright 2019 by The Example Company | Privacy", Some("The Example Company")),
            ("© 2019", None),
            ("2019 Example", None),
            ("©", None),
        ] {
            assert_eq!(owner(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn years_stand_by_the_sign() {
        assert_eq!(years("Est. 1990 © 2010-2019 Example"), [2010, 2019]);
        assert!(years("2019").is_empty());
    }
}
