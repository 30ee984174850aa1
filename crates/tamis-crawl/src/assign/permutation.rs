//! Random permutations.

use super::random::Random;
use super::{AgentId, Assign};

/// The first living agent in a random permutation of all agents there could be.
///
/// The permutation is drawn by Fisher and Yates' shuffle from a generator seeded with the host; it stops at the
/// first living agent, since later steps do not touch what stands before. Agents are numbered below a bound
/// that never changes; an agent beyond it cannot be added. Time is that of `universe / agents` draws, plus once
/// `universe` words when the first drawn is not alive.
#[derive(Debug, Clone)]
pub struct Permutation {
    alive: Vec<bool>,
}

impl Permutation {
    /// No agents, of those numbered `0..universe`.
    pub fn new(universe: u32) -> Self {
        Self { alive: vec![false; universe as usize] }
    }

    fn is_alive(&self, agent: u32) -> bool {
        self.alive.get(agent as usize).copied().unwrap_or(false)
    }

    fn set(&mut self, agent: AgentId, alive: bool) -> bool {
        match self.alive.get_mut(agent.0 as usize) {
            Some(state) if *state != alive => {
                *state = alive;
                true
            }
            _ => false,
        }
    }
}

impl Assign for Permutation {
    fn ranking<'a>(&'a self, host: &str) -> Box<dyn Iterator<Item = AgentId> + 'a> {
        let shuffle = Shuffle::new(self.alive.len() as u32, Random::of_host(host));
        Box::new(shuffle.filter(|agent| self.is_alive(*agent)).map(AgentId))
    }

    fn add(&mut self, agent: AgentId) -> bool {
        self.set(agent, true)
    }

    fn remove(&mut self, agent: AgentId) -> bool {
        self.set(agent, false)
    }

    fn agent(&self, host: &str) -> Option<AgentId> {
        // The first step takes the drawn number itself: with most agents alive no vector is ever made.
        let first = Random::of_host(host).below(self.alive.len() as u32);
        if self.is_alive(first) { Some(AgentId(first)) } else { self.ranking(host).next() }
    }
}

/// The shuffle, a step at a time.
struct Shuffle {
    numbers: Vec<u32>,
    done: usize,
    random: Random,
}

impl Shuffle {
    fn new(universe: u32, random: Random) -> Self {
        Self { numbers: (0..universe).collect(), done: 0, random }
    }
}

impl Iterator for Shuffle {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let left = (self.numbers.len() - self.done) as u32;
        if left == 0 {
            return None;
        }
        let chosen = self.done + self.random.below(left) as usize;
        self.numbers.swap(self.done, chosen);
        self.done += 1;
        Some(self.numbers[self.done - 1])
    }
}
