//! Many rules, asked at once.

use std::collections::HashSet;

use regex::RegexSet;

use super::prefixes::Prefixes;
use super::rule::{Rule, What, host_of, without_scheme};
use crate::Address;

/// Rules of which one must hold. Those without a depth are in tables; the few with one are asked in turn.
#[derive(Debug, Default)]
pub(super) struct RuleSet {
    hosts: HashSet<String>,
    domains: HashSet<String>,
    prefixes: Prefixes,
    /// One automaton for all; none where it would be too large, then they are in `in_turn`.
    regexes: Option<RegexSet>,
    in_turn: Vec<Rule>,
    all: Vec<Rule>,
}

impl RuleSet {
    pub(super) fn new(all: Vec<Rule>) -> Self {
        let (mut set, mut prefixes, mut regexes) = (Self::default(), Vec::new(), Vec::new());
        for rule in &all {
            match &rule.what {
                _ if rule.depth.is_some() => set.in_turn.push(rule.clone()),
                What::Host(host) => drop(set.hosts.insert(host.clone())),
                What::Domain(domain) => drop(set.domains.insert(domain.clone())),
                What::Prefix(prefix) => prefixes.push(prefix.clone()),
                What::Regex(_) => regexes.push(rule.clone()),
            }
        }
        set.prefixes = Prefixes::new(prefixes);
        set.add_regexes(regexes);
        set.all = all;
        set
    }

    fn add_regexes(&mut self, rules: Vec<Rule>) {
        if rules.is_empty() {
            return;
        }
        self.regexes = RegexSet::new(rules.iter().filter_map(Rule::pattern)).ok();
        if self.regexes.is_none() {
            self.in_turn.extend(rules);
        }
    }

    /// Whether a rule holds for an address; one with a depth, up to it.
    pub(super) fn matches_up_to(&self, address: &Address, depth: u32) -> bool {
        self.matches(address, |limit| limit.is_none_or(|limit| depth <= limit))
    }

    /// Whether a rule holds for an address; one with a depth, beyond it.
    pub(super) fn matches_beyond(&self, address: &Address, depth: u32) -> bool {
        self.matches(address, |limit| limit.is_none_or(|limit| depth > limit))
    }

    /// The first rule that holds, for a person to read.
    pub(super) fn find(
        &self,
        address: &Address,
        mut is_in_force: impl FnMut(Option<u32>) -> bool,
    ) -> Option<&Rule> {
        self.all.iter().find(|rule| is_in_force(rule.depth) && rule.matches(address))
    }

    fn matches(&self, address: &Address, is_in_force: impl Fn(Option<u32>) -> bool) -> bool {
        !self.all.is_empty()
            && (self.has_host(host_of(address))
                || !self.prefixes.is_empty() && self.prefixes.start(without_scheme(address))
                || self.regexes.as_ref().is_some_and(|regexes| regexes.is_match(address.as_str()))
                || self.in_turn.iter().any(|rule| is_in_force(rule.depth) && rule.matches(address)))
    }

    /// Looks for the host, and for each of the domains that it may be in.
    fn has_host(&self, host: &str) -> bool {
        if !self.hosts.is_empty() && self.hosts.contains(host) {
            return true;
        }
        let mut domain = Some(host).filter(|_| !self.domains.is_empty());
        while let Some(name) = domain {
            if self.domains.contains(name) {
                return true;
            }
            domain = name.split_once('.').map(|(_, parent)| parent);
        }
        false
    }
}

impl Rule {
    fn pattern(&self) -> Option<&str> {
        match &self.what {
            What::Regex(regex) => Some(regex.as_str()),
            What::Host(_) | What::Domain(_) | What::Prefix(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_same_as_asking_rule_by_rule(
            rules in prop::collection::vec("(host:|domain:|prefix:|regex:)[ab]{1,2}(\\.[ab])?( depth:[0-3])?", 0..8),
            host in "[ab]{1,2}(\\.[ab]{1,2}){0,2}", path in "[ab/]{0,4}", depth in 0_u32..5,
        ) {
            let rules: Vec<Rule> = rules.iter().map(|rule| rule.parse().expect("a rule")).collect();
            let address = Address::parse(&format!("http://{host}/{path}")).expect("an address");
            let set = RuleSet::new(rules.clone());
            for (in_force, found) in [
                (rules.iter().filter(|rule| rule.depth.is_none_or(|limit| depth <= limit)).collect::<Vec<_>>(),
                    set.matches_up_to(&address, depth)),
                (rules.iter().filter(|rule| rule.depth.is_none_or(|limit| depth > limit)).collect::<Vec<_>>(),
                    set.matches_beyond(&address, depth)),
            ] {
                prop_assert_eq!(found, in_force.iter().any(|rule| rule.matches(&address)));
            }
        }
    }
}
