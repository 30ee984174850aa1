//! Whose turn it is: hosts and addresses as tokens.
//!
//! A host has a queue of what is to be fetched from it, and an instant before which it is left alone; so has
//! every IP address, with all hosts that live there. [`Workbench::take`] hands out the host that has been ready
//! for longest on an address that is ready too, and both are held until [`Workbench::put_back`] sets their new
//! instants: two visits never meet at one host or one address. What to fetch there comes from
//! [`Workbench::next`]; what the numbers in the queues mean, only the caller knows.
//!
//! Hosts first need an address: [`Workbench::unresolved`] hands out those without, each once until answered by
//! [`Workbench::resolved`] or [`Workbench::unresolvable`].
//!
//! The workbench reads no clock and starts no thread; instants are milliseconds since 1970, given by the caller.
//!
//! # Order
//! [`Order::Fifo`] gives the entries of a host in the order in which they came, and hosts as they have been ready for longest.
//! [`Order::Scored`] prefers, of the hosts that may be visited, the one whose best entry promises most: its score, raised or lowered
//! by what the host is [worth](Workbench::set_worth). So what is learnt of a host changes the order of all its entries among those of others at
//! once, and never their order among themselves. What promises less than [`Config::least`] waits for good.
//! Of one host it gives the highest score first, and of equal scores the older one first. As long as a queue fits into its head in
//! memory that is exact. What overflows is kept in eight bands of equal width from 0 to 1 (scores beyond are in
//! the first or last): still no entry comes before one of a higher band, nor before an older one of its own
//! score; but among different scores of one band, older entries may come before better ones.
//!
//! # Memory
//! Entries take at most [`Config::memory_bytes`], in blocks of ten (128 bytes) that belong to one host each; of
//! one host at most [`Config::head_entries`] wait in its head, and 42 behind what is on disk. A host takes about
//! 140 bytes beside its name, an address about 110, a host that overflowed 40 more (scored: 320); measured, a
//! million hosts with a name, an address of its own and one entry each took 388 bytes a host. When blocks are
//! short, the hosts with more than one give first.
//!
//! The rest is in a scratch file of 512-byte chunks of 42 entries, with a buffer of 256 KB and 4 bytes for each
//! free chunk; the last chunk of each host (scored: of each band) is partly empty. Ten million entries over a
//! hundred thousand hosts took 66 MB of memory and 119 MB of disk, scored 96 MB and 506 MB. Nothing in that file
//! outlives the process: whoever restarts a crawl fills a new workbench.

mod blocks;
mod counts;
mod heap;
mod lists;
mod names;
mod politeness;
mod queues;
mod scratch;
mod turns;
mod visits;

use std::collections::VecDeque;
use std::io;
use std::path::Path;

pub use counts::{Counts, SlowHost};
pub use politeness::{Backoff, Outcome, Politeness, host_ready_ms, ip_ready_ms};
pub use visits::{After, Again, Take, Visit};

use heap::Heap;
use names::Names;
use queues::Queues;
use turns::Turns;

/// The number of a host, from 0 in the order of first appearance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(u32);

impl HostId {
    /// The number, for the caller's own tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something to fetch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// What the caller finds it by: the offset of an address in its log.
    pub id: u64,
    /// How much it is wanted, from 0 to 1; only [`Order::Scored`] looks at it. What is no number counts as 0.
    pub score: f32,
}

/// In which order the entries of a host come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As they came: breadth first.
    Fifo,
    /// Best first; see the module about what overflows.
    Scored,
}

/// Where an entry goes that had been taken before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Before all others, or before those of its score.
    Front,
    /// Behind all others, or behind those of its score.
    Back,
}

/// What a workbench is set up with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Config {
    /// In which order the entries of a host come.
    pub order: Order,
    /// How long a host is left alone after a visit.
    pub host: Politeness,
    /// How long an address is left alone after a visit to any of its hosts.
    pub ip: Politeness,
    /// How long a host is left alone after failures.
    pub backoff: Backoff,
    /// Entries of one host that are kept in memory before the rest goes to disk.
    pub head_entries: usize,
    /// Memory for the entries of all hosts.
    pub memory_bytes: usize,
    /// With [`Order::Scored`]: what promises less is not handed out.
    pub least: f32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            order: Order::Fifo,
            host: Politeness::Fixed { delay_ms: 4_000 },
            ip: Politeness::Fixed { delay_ms: 500 },
            backoff: Backoff::default(),
            head_entries: 64,
            memory_bytes: 32 << 20,
            least: 0.0,
        }
    }
}

/// What became of an entry that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// Its host.
    pub host: HostId,
    /// Whether it waits in the queue: `false` if the host is closed.
    pub queued: bool,
}

/// Hosts, their queues, and whose turn it is. See the [module](self).
#[derive(Debug)]
pub struct Workbench {
    config: Config,
    names: Names,
    hosts: Vec<Host>,
    queues: Queues,
    turns: Turns,
    /// Hosts to be asked for an address; some may have got one or gone since.
    asks: VecDeque<u32>,
    /// Hosts whose address is asked for again later.
    later: Heap,
    /// How many hosts are in each [`State`].
    states: [usize; State::COUNT],
    held: usize,
    dropped: u64,
    /// Nobody is visited before this.
    floor_ms: u64,
}

/// What is known of a host beside its name, its queue and its address.
#[derive(Debug)]
struct Host {
    ready_ms: u64,
    ip: u32,
    /// Where it stands among the hosts of its address, or those asked for later.
    place: u32,
    pages: u32,
    /// Entries handed out in the present visit.
    errors: u32,
    /// In a row.
    failures: u32,
    last_visit_ms: u32,
    last_delay_ms: u32,
    /// How much likelier its entries are to be wanted than their scores say: a ratio of odds.
    worth: f32,
    state: State,
    held: bool,
    has_answered: bool,
    /// Whether it stands among those of its address whose instant has come.
    ripe: bool,
}

/// A host that stands nowhere, or has no address.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Without address and without entries to need one.
    Known,
    /// To be asked for an address.
    Asked,
    /// Handed out to be resolved.
    Resolving,
    /// To be asked for an address again.
    Later,
    /// With an address.
    Resolved,
    /// For good.
    Closed,
}

impl State {
    const COUNT: usize = 6;
}

impl Workbench {
    /// A workbench without hosts. The file is scratch: made anew, or emptied if it is there.
    pub fn create(scratch: &Path, config: Config) -> io::Result<Self> {
        Ok(Self {
            config,
            names: Names::new(),
            hosts: Vec::new(),
            queues: Queues::create(scratch, config.order, config.head_entries, config.memory_bytes)?,
            turns: Turns::default(),
            asks: VecDeque::new(),
            later: Heap::default(),
            states: [0; State::COUNT],
            held: 0,
            dropped: 0,
            floor_ms: 0,
        })
    }

    /// Puts an entry behind the others of its host. After an error the entry is not in the queue, but nothing
    /// else is lost.
    pub fn add(&mut self, host: &str, entry: Entry) -> io::Result<Added> {
        let host = self.number(host);
        let queued = self.push(host, entry, Place::Back)?;
        Ok(Added { host: HostId(host), queued })
    }

    /// Counts a host that nothing need be added to any more, and pages that it brought.
    pub fn know(&mut self, host: &str, pages: u32) {
        let number = self.number(host);
        let host = &mut self.hosts[number as usize];
        host.pages = host.pages.saturating_add(pages);
    }

    /// Sets how long hosts and addresses are left alone after visits, from now on.
    pub fn set_politeness(&mut self, host: Politeness, ip: Politeness) {
        (self.config.host, self.config.ip) = (host, ip);
    }

    /// The host of that name, if anything was ever added to it.
    pub fn host(&self, name: &str) -> Option<HostId> {
        self.names.find(name).map(HostId)
    }

    /// The name of a host.
    pub fn name(&self, host: HostId) -> &str {
        self.names.name(host.0)
    }

    /// How many entries wait for a host.
    pub fn queued(&self, host: HostId) -> u64 {
        self.queues.len(host.0)
    }

    /// How many pages a host has brought.
    pub fn pages(&self, host: HostId) -> u32 {
        self.hosts[host.index()].pages
    }

    /// What the next entry of a host promises, from 0 to 1; none if there is none.
    pub fn promise(&self, host: HostId) -> Option<f32> {
        let best = self.queues.best(host.0)?;
        Some(raised(best, self.hosts[host.index()].worth))
    }

    /// Sets how much likelier the entries of a host are to be wanted than their scores say, as a ratio of odds: 1 changes nothing.
    pub fn set_worth(&mut self, host: HostId, worth: f32) {
        self.hosts[host.index()].worth = if worth.is_nan() { 1.0 } else { worth.max(0.0) };
        self.rank(host.0);
    }

    /// All hosts.
    pub fn hosts(&self) -> impl Iterator<Item = HostId> + use<> {
        (0..self.hosts.len() as u32).map(HostId)
    }

    /// Whether anything waits.
    pub fn has_entries(&self) -> bool {
        self.queues.entries() > 0
    }

    /// Takes the next entry of a host, if there is one that promises enough. After an error nothing is lost.
    pub fn next(&mut self, host: HostId) -> io::Result<Option<Entry>> {
        if self.is_hopeless(host) {
            return Ok(None);
        }
        let next = self.queues.pop(host.0)?;
        self.rank(host.0);
        if self.queues.len(host.0) == 0 && self.hosts[host.index()].state == State::Resolved {
            self.leave(host.0);
        }
        Ok(next)
    }

    /// Puts back an entry that was taken but not fetched, or is to be tried again. `false` if the host is
    /// closed.
    pub fn requeue(&mut self, host: HostId, entry: Entry, place: Place) -> io::Result<bool> {
        self.push(host.0, entry, place)
    }

    /// Closes a host for good: what waits is dropped and counted, what is added is refused. A visit that holds
    /// it goes on until it is put back.
    pub fn drop_host(&mut self, host: HostId) -> u64 {
        self.leave(host.0);
        self.set_state(host.0, State::Closed);
        let dropped = self.queues.clear(host.0);
        self.dropped += dropped;
        dropped
    }

    /// The number of a host, which may be new.
    fn number(&mut self, name: &str) -> u32 {
        let number = self.names.number(name);
        if number as usize == self.hosts.len() {
            self.hosts.push(Host::new(self.floor_ms));
            self.queues.add_queue();
            self.states[State::Known as usize] += 1;
        }
        number
    }

    /// Whether nothing of a host promises enough.
    fn is_hopeless(&self, host: HostId) -> bool {
        let least = self.config.least;
        self.config.order == Order::Scored
            && least > 0.0
            && self.promise(host).is_none_or(|promise| promise < least)
    }

    /// Puts a ripe host where it belongs by what its next entry promises now.
    fn rank(&mut self, host: u32) {
        if self.hosts[host as usize].ripe {
            let key = turns::key(self.promise(HostId(host)).unwrap_or(0.0));
            self.turns.change(host, key, &mut self.hosts);
        }
    }

    fn push(&mut self, host: u32, entry: Entry, place: Place) -> io::Result<bool> {
        if self.hosts[host as usize].state == State::Closed {
            self.dropped += 1;
            return Ok(false);
        }
        self.queues.push(host, entry, place)?;
        self.wake(host);
        self.rank(host);
        Ok(true)
    }

    fn set_state(&mut self, host: u32, state: State) {
        let before = std::mem::replace(&mut self.hosts[host as usize].state, state);
        self.states[before as usize] -= 1;
        self.states[state as usize] += 1;
    }
}

/// A probability after evidence of that ratio of odds (Bayes).
fn raised(score: f32, worth: f32) -> f32 {
    let score = score.clamp(0.0, 1.0);
    let (for_it, against) = (score * worth, 1.0 - score);
    if for_it + against > 0.0 { for_it / (for_it + against) } else { 0.0 }
}

impl Host {
    fn new(ready_ms: u64) -> Self {
        Self {
            ready_ms,
            ip: NONE,
            place: NONE,
            pages: 0,
            errors: 0,
            failures: 0,
            has_answered: false,
            last_visit_ms: 0,
            last_delay_ms: 0,
            worth: 1.0,
            state: State::Known,
            held: false,
            ripe: false,
        }
    }
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
