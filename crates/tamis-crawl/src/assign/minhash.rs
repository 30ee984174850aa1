//! Min hashing, also known as rendezvous hashing.

use super::random::{hash, mix};
use super::{AgentId, Assign};

/// The agent whose hash with the host is least.
///
/// Needs no bound on the numbers of agents; time is that of one mix of bits for each agent.
#[derive(Debug, Clone, Default)]
pub struct MinHash {
    /// In order, so that of equal hashes the first agent wins.
    agents: Vec<AgentId>,
}

impl Assign for MinHash {
    fn ranking<'a>(&'a self, host: &str) -> Box<dyn Iterator<Item = AgentId> + 'a> {
        let host = hash(host);
        let mut ranked: Vec<_> = self.agents.iter().map(|agent| (weight(host, *agent), *agent)).collect();
        ranked.sort_unstable();
        Box::new(ranked.into_iter().map(|(_, agent)| agent))
    }

    fn add(&mut self, agent: AgentId) -> bool {
        let place = self.agents.binary_search(&agent);
        if let Err(place) = place {
            self.agents.insert(place, agent);
        }
        place.is_err()
    }

    fn remove(&mut self, agent: AgentId) -> bool {
        let place = self.agents.binary_search(&agent);
        if let Ok(place) = place {
            self.agents.remove(place);
        }
        place.is_ok()
    }

    fn agent(&self, host: &str) -> Option<AgentId> {
        let host = hash(host);
        self.agents.iter().copied().min_by_key(|agent| (weight(host, *agent), *agent))
    }
}

/// The hash of host and agent. The agent is mixed before it meets the host: neighbouring numbers would
/// otherwise meet in neighbouring hashes.
fn weight(host: u64, agent: AgentId) -> u64 {
    mix(host ^ mix(u64::from(agent.0) + 1))
}
