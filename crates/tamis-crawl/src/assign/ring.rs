//! Consistent hashing.

use super::random::{Random, hash, mix};
use super::{AgentId, Assign};

/// With so many the shares of agents differ by about 6 % (one standard deviation is `1 / sqrt(REPLICAS)`).
const REPLICAS: usize = 300;

/// The agent of the first replica that follows the host on a circle.
///
/// Needs no bound on the numbers of agents; time is logarithmic in their number, memory 5 KB an agent.
#[derive(Debug, Clone, Default)]
pub struct Ring {
    /// In order of place, and of agents where places are equal.
    replicas: Vec<(u64, AgentId)>,
    agents: usize,
}

impl Ring {
    fn start(&self, host: &str) -> usize {
        let place = hash(host);
        self.replicas.partition_point(|(replica, _)| *replica < place)
    }

    fn has(&self, agent: AgentId) -> bool {
        places(agent).next().is_some_and(|place| self.replicas.binary_search(&(place, agent)).is_ok())
    }
}

impl Assign for Ring {
    fn ranking<'a>(&'a self, host: &str) -> Box<dyn Iterator<Item = AgentId> + 'a> {
        let (before, after) = self.replicas.split_at(self.start(host));
        let mut seen = Vec::new();
        let mut first_time = move |agent: &AgentId| match seen.binary_search(agent) {
            Ok(_) => false,
            Err(place) => {
                seen.insert(place, *agent);
                true
            }
        };
        let clockwise = after.iter().chain(before).map(|(_, agent)| *agent);
        Box::new(clockwise.filter(move |agent| first_time(agent)).take(self.agents))
    }

    fn add(&mut self, agent: AgentId) -> bool {
        if self.has(agent) {
            return false;
        }
        self.replicas.extend(places(agent).map(|place| (place, agent)));
        self.replicas.sort_unstable();
        self.agents += 1;
        true
    }

    fn remove(&mut self, agent: AgentId) -> bool {
        if !self.has(agent) {
            return false;
        }
        self.replicas.retain(|(_, owner)| *owner != agent);
        self.agents -= 1;
        true
    }

    fn agent(&self, host: &str) -> Option<AgentId> {
        let found = self.replicas.get(self.start(host)).or(self.replicas.first());
        found.map(|(_, agent)| *agent)
    }
}

/// Where the replicas of an agent stand. The seed is mixed: seeds that differ by a multiple of the generator's
/// step would share places.
fn places(agent: AgentId) -> impl Iterator<Item = u64> {
    let mut random = Random::new(mix(u64::from(agent.0) + 1));
    (0..REPLICAS).map(move |_| random.draw())
}
