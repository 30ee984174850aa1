//! Which agent is responsible for a host.
//!
//! Every agent of a crawl computes the same answer from the same set of agents, without asking anyone. The
//! three ways are balanced, and *contravariant*: a new agent takes hosts from the others, but no agent that was
//! there before gets a host it did not have; when an agent goes, only its hosts move, each to the agent that
//! [`Assign::next`] had named.
//!
//! The answers are a format: two versions of the program in one crawl must agree. They are fixed by
//! `xxh3_64(host)`, the generator in `random`, and the test `answers_never_change`.

mod minhash;
mod permutation;
mod random;
mod ring;

use std::fmt;
use std::str::FromStr;

pub use minhash::MinHash;
pub use permutation::Permutation;
pub use ring::Ring;

/// The number of an agent; numbers are given once and not reused within a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(pub u32);

/// A set of living agents and the order in which they are responsible for a host.
pub trait Assign {
    /// The agents in the order of their responsibility for a host, every living agent once.
    fn ranking<'a>(&'a self, host: &str) -> Box<dyn Iterator<Item = AgentId> + 'a>;

    /// Takes an agent in. `false` if it was there already, or cannot be (see [`Permutation`]).
    fn add(&mut self, agent: AgentId) -> bool;

    /// Takes an agent out. `false` if it was not there.
    fn remove(&mut self, agent: AgentId) -> bool;

    /// The agent responsible for a host; `None` without agents.
    fn agent(&self, host: &str) -> Option<AgentId> {
        self.ranking(host).next()
    }

    /// The agent that becomes responsible when the first one goes.
    fn next(&self, host: &str) -> Option<AgentId> {
        self.ranking(host).nth(1)
    }
}

/// The three ways to assign hosts, by the names they have on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssignKind {
    /// A random permutation of all possible agents for each host; see [`Permutation`].
    Permutation,
    /// The least hash of host and agent; see [`MinHash`].
    MinHash,
    /// Consistent hashing with replicas on a circle; see [`Ring`].
    Ring,
}

/// A name that is none of the ways to assign hosts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown host assignment {0:?}; use permutation, minhash or ring")]
pub struct UnknownAssign(String);

impl AssignKind {
    /// All of them, in the order of the help text.
    pub const ALL: [Self; 3] = [Self::Permutation, Self::MinHash, Self::Ring];

    /// An empty set of agents. Only the permutation needs to know that agents are numbered below `universe`.
    pub fn build(self, universe: u32) -> Box<dyn Assign + Send + Sync> {
        match self {
            Self::Permutation => Box::new(Permutation::new(universe)),
            Self::MinHash => Box::new(MinHash::default()),
            Self::Ring => Box::new(Ring::default()),
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Permutation => "permutation",
            Self::MinHash => "minhash",
            Self::Ring => "ring",
        }
    }
}

impl fmt::Display for AssignKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AssignKind {
    type Err = UnknownAssign;

    fn from_str(name: &str) -> Result<Self, UnknownAssign> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownAssign(name.to_owned()))
    }
}

#[cfg(test)]
mod tests;
