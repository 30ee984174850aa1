//! Which addresses a crawl is for, and the traps it keeps out of.
//!
//! [`Scope`] answers for one address without knowing of others: rules, reach and depth, and what traps look like. It is
//! read only, so that all threads may ask it. [`Growth`] sees every new address once and counts what only shows in the
//! mass of them: queries without end, pages beyond a host's limit. [`Templates`] sees every page that was fetched, and closes patterns of
//! addresses whose pages bring nothing new.
//!
//! The order of asking: [`Scope::clean`] (what is fetched is what is known), [`Scope::decide`], the sieve, then
//! [`Growth::admit`] for what the sieve says is new.

mod canonical;
mod explain;
mod growth;
mod included;
mod options;
mod prefixes;
mod rule;
mod rule_set;
mod session;
mod sketch;
mod template;
mod trap;
mod verdict;

pub use canonical::{Canonical, NoCanonical};
pub use growth::Growth;
pub use options::{OptionsError, Reach, Schemes, ScopeOptions};
pub use rule::{Rule, RuleError};
pub use session::Sessions;
pub(crate) use template::key as template_key;
pub use template::{News, Templates};
pub use trap::TrapOptions;
pub use verdict::{Reason, Trap, Verdict};

use std::collections::BTreeSet;

use tamis_page::date::Date;
use tamis_page::domain::Domain;
use url::Url;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::Address;
use rule_set::RuleSet;

/// The rules of a crawl, made ready to be asked often: an address costs a few hash lookups and one look over its text,
/// unless there are regular expressions.
#[derive(Debug)]
pub struct Scope {
    options: ScopeOptions,
    /// What the seeds stand for, by the reach; with [`Reach::Any`] not asked.
    reached: RuleSet,
    included: RuleSet,
    excluded: RuleSet,
    year: i16,
    /// Tells whether two crawls reach as far.
    reached_hash: u64,
}

impl Scope {
    /// The scope of a crawl from these seeds. The day tells dates of the calendar from those of a trap.
    pub fn new(options: ScopeOptions, seeds: &[Address], today: Date) -> Self {
        let reached: Vec<Rule> =
            seeds.iter().filter_map(|seed| rule_of_seed(seed, options.reach)).flatten().collect();
        let names: BTreeSet<String> = reached.iter().map(ToString::to_string).collect();
        let reached_hash = names.iter().fold(0, |hash, name| xxh3_64_with_seed(name.as_bytes(), hash));
        Self {
            reached_hash,
            reached: RuleSet::new(reached),
            included: RuleSet::new(options.include.clone()),
            excluded: RuleSet::new(options.exclude.clone()),
            year: today.year(),
            options,
        }
    }

    /// What it was made of.
    pub fn options(&self) -> &ScopeOptions {
        &self.options
    }

    /// What the seeds stand for, in short: equal for crawls that go as far from them.
    pub(crate) fn reached_hash(&self) -> u64 {
        self.reached_hash
    }

    /// The address as it is to be known and fetched: without session identifiers, where they are to be dropped.
    pub fn clean(&self, address: Address) -> Address {
        match self.options.sessions {
            Sessions::Drop => session::without_session(&address).unwrap_or(address),
            Sessions::Refuse | Sessions::Keep => address,
        }
    }

    /// Whether to take an address so many links from a seed, found on the page `from`. Seeds come from nowhere and are
    /// never traps: somebody has asked for them.
    pub fn decide(&self, address: &Address, depth: u32, from: Option<&Address>) -> Verdict {
        if !self.options.schemes.has(address.scheme()) {
            return Verdict::Refuse(Reason::Scheme);
        }
        if self.excluded.matches_beyond(address, depth) {
            return Verdict::Refuse(Reason::Excluded);
        }
        let is_linked = || self.options.outlinks && self.is_linked(from, depth);
        if !self.is_within(address, depth) && !is_linked() {
            return Verdict::Refuse(Reason::OutOfScope);
        }
        if self.options.max_depth.is_some_and(|max| depth > max) {
            return Verdict::Refuse(Reason::TooDeep);
        }
        let trap = from.and_then(|_| self.trap(address));
        trap.map_or(Verdict::Take, |trap| Verdict::Refuse(Reason::Trap(trap)))
    }

    /// Whether an address so many links from a seed belongs to the crawl by itself, not because a page within links to it or loads it.
    pub(crate) fn is_reached(&self, address: &Address, depth: u32) -> bool {
        self.is_within(address, depth)
    }

    fn is_within(&self, address: &Address, depth: u32) -> bool {
        self.options.reach == Reach::Any
            || self.reached.matches_up_to(address, depth)
            || self.included.matches_up_to(address, depth)
    }

    /// Whether the page that links is itself within: then its links may lead out, but theirs may not.
    fn is_linked(&self, from: Option<&Address>, depth: u32) -> bool {
        from.is_some_and(|from| self.is_within(from, depth.saturating_sub(1)))
    }

    fn trap(&self, address: &Address) -> Option<Trap> {
        let is_session =
            self.options.sessions == Sessions::Refuse && session::without_session(address).is_some();
        trap::find(address, &self.options.traps, self.year).or(is_session.then_some(Trap::Session))
    }
}

/// The rules by which what belongs to a seed is known; two, where a site has its pages with `www.` and without.
fn rule_of_seed(seed: &Address, reach: Reach) -> Option<Vec<Rule>> {
    let host = seed.host().trim_end_matches('.');
    match reach {
        Reach::Any => None,
        Reach::Prefix => Some(vec![Rule::prefix_of_folder(seed)]),
        Reach::Domain => {
            let url = Url::parse(seed.as_str()).ok()?;
            Some(vec![Rule::domain(Domain::of(&url)?.name)])
        }
        Reach::Host => {
            let bare = host.strip_prefix("www.").unwrap_or(host);
            Some(vec![Rule::host(bare), Rule::host(&format!("www.{bare}"))])
        }
    }
}

#[cfg(test)]
mod tests;
