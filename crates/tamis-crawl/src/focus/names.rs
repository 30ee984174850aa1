//! The names of an event: those that recur in pages about it.

use std::collections::{BTreeMap, BTreeSet};

use super::background;
use super::entities::NameKind;
use super::learn::Seen;
use super::model::Name;
use super::vector::heaviest;
use super::words;

/// Names that recur: in several pages, and of several sources if there are.
pub(super) fn names(pages: &[&Seen<'_>], most: usize) -> Vec<Name> {
    let mut found: BTreeMap<String, Recurring> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        for (name, kind) in &page.names {
            let key = key(name);
            if !key.is_empty() {
                found.entry(key).or_default().add(name, *kind, at, &page.host);
            }
        }
    }
    let several_hosts = pages.iter().map(|page| &page.host).collect::<BTreeSet<_>>().len() > 1;
    let recurs = |name: &Recurring| match pages.len() {
        1 => name.count > 1,
        _ => name.pages.len() > 1 && (!several_hosts || name.hosts.len() > 1),
    };
    let kept = found.into_values().filter(recurs).map(|name| (name.weight(pages.len()), name));
    let kept = heaviest(kept.map(|(weight, name)| (weight, name.spelt())).collect(), most);
    kept.into_iter().map(|(weight, (name, kind))| Name { name, kind, weight }).collect()
}

/// The terms of a name, one space between.
pub(super) fn key(name: &str) -> String {
    let mut key = String::new();
    words::each(name, |term| {
        key.push_str(if key.is_empty() { "" } else { " " });
        key.push_str(term);
    });
    key
}

/// What is counted of a name.
#[derive(Debug, Default)]
struct Recurring {
    count: u32,
    pages: BTreeSet<usize>,
    hosts: BTreeSet<String>,
    spellings: BTreeMap<(String, NameKind), u32>,
}

impl Recurring {
    fn add(&mut self, name: &str, kind: NameKind, page: usize, host: &str) {
        self.count += 1;
        self.pages.insert(page);
        self.hosts.insert(host.to_owned());
        let spelt = name.split_whitespace().collect::<Vec<_>>().join(" ");
        *self.spellings.entry((spelt, kind)).or_default() += 1;
    }

    /// What all pages name tells more than what some do.
    fn weight(&self, pages: usize) -> f64 {
        let rarity = self.spellings.keys().map(|(name, _)| rarity(name)).fold(0.0, f64::max);
        // Where an event was tells more than who spoke of it.
        let kind = if self.spellings.keys().any(|(_, kind)| *kind == NameKind::Place) { 1.0 } else { 0.8 };
        let share = self.pages.len() as f64 / pages as f64;
        share * share * (1.0 + f64::from(self.count).ln()) * rarity * kind
    }

    /// As most pages spell it.
    fn spelt(self) -> (String, NameKind) {
        let most = self.spellings.into_iter().max_by_key(|(_, count)| *count);
        most.map_or((String::new(), NameKind::Name), |(spelt, _)| spelt)
    }
}

fn rarity(name: &str) -> f64 {
    let mut most: f64 = 0.0;
    words::each(name, |term| most = most.max(background::weight(term)));
    most
}
