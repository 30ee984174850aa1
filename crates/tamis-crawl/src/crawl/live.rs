//! What may change while a crawl runs, as all its threads see it.

use std::sync::{Arc, PoisonError, RwLock};

use super::host_settings::{HostRules, HostSettings};
use crate::Address;
use crate::scope::Rule;

/// Settings per host, and rules that were added to the scope.
#[derive(Debug, Default)]
pub(super) struct Live {
    settings: RwLock<Arc<HostSettings>>,
    added: RwLock<Arc<Added>>,
}

/// Rules that were added to a running crawl.
#[derive(Debug, Default, Clone)]
struct Added {
    include: Vec<Rule>,
    exclude: Vec<Rule>,
}

impl Live {
    pub(super) fn new(settings: HostSettings) -> Self {
        Self { settings: RwLock::new(Arc::new(settings)), ..Self::default() }
    }

    /// Puts other settings into force.
    pub(super) fn replace(&self, settings: HostSettings) {
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }

    /// What holds for a host.
    pub(super) fn of(&self, host: &str) -> HostRules {
        self.settings().of(host)
    }

    /// Adds rules to the scope.
    pub(super) fn add(&self, include: Vec<Rule>, exclude: Vec<Rule>) {
        let mut added = self.added.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = Added::clone(&added);
        next.include.extend(include);
        next.exclude.extend(exclude);
        *added = Arc::new(next);
    }

    /// Whether an address is taken although the scope leaves it out.
    pub(super) fn includes(&self, address: &Address, depth: u32) -> bool {
        self.added().include.iter().any(|rule| rule.holds_up_to(address, depth))
            || self.settings().includes(address, depth)
    }

    /// Whether an address is left out although the scope takes it. `rules` are those of its host.
    pub(super) fn excludes(&self, address: &Address, depth: u32, rules: &HostRules) -> bool {
        rules.excludes(address, depth)
            || self.added().exclude.iter().any(|rule| rule.holds_beyond(address, depth))
    }

    /// The added rules as text: those that include, and those that exclude.
    pub(super) fn added_rules(&self) -> (Vec<String>, Vec<String>) {
        let added = self.added();
        let told = |rules: &[Rule]| rules.iter().map(ToString::to_string).collect();
        (told(&added.include), told(&added.exclude))
    }

    pub(super) fn settings(&self) -> Arc<HostSettings> {
        Arc::clone(&self.settings.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn added(&self) -> Arc<Added> {
        Arc::clone(&self.added.read().unwrap_or_else(PoisonError::into_inner))
    }
}
