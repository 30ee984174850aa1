//! What a person wants to see of it.

use super::{HostId, State, Workbench};

/// How much there is of everything.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Hosts that anything was ever added to.
    pub hosts: usize,
    /// Hosts that could be taken now, one for each address.
    pub ready: usize,
    /// Other hosts with entries and an address that are not held.
    pub waiting: usize,
    /// Hosts that are being visited.
    pub held: usize,
    /// Hosts with entries but without address.
    pub unresolved: usize,
    /// Hosts that were closed.
    pub closed: usize,
    /// Entries in memory.
    pub entries_in_memory: u64,
    /// Entries on disk.
    pub entries_on_disk: u64,
    /// Entries that were dropped with their host, or refused because it was closed.
    pub dropped: u64,
    /// Bytes of the scratch file.
    pub disk_bytes: u64,
    /// Bytes of memory for entries and their queues.
    pub memory_bytes: usize,
}

/// A host, and how long it keeps the crawl going.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlowHost {
    /// The host.
    pub host: HostId,
    /// Entries that wait for it.
    pub queued: u64,
    /// Pages it has brought.
    pub pages: u32,
    /// Visits that failed.
    pub errors: u32,
    /// How long its last visit took.
    pub last_visit_ms: u32,
    /// How long it was left alone after that.
    pub last_delay_ms: u32,
}

impl SlowHost {
    /// What it takes to get everything that waits, if all visits are as the last and bring one page.
    pub fn left_ms(&self) -> u64 {
        self.queued.saturating_mul(u64::from(self.last_visit_ms) + u64::from(self.last_delay_ms))
    }
}

impl Workbench {
    /// How much there is of everything. The time is that of the hosts that are ready.
    pub fn counts(&self, now_ms: u64) -> Counts {
        let ready = self.turns.ready(now_ms);
        let [_, asked, resolving, later, _, closed] = self.states;
        let entries_on_disk = self.queues.on_disk();
        Counts {
            hosts: self.names.len(),
            ready,
            waiting: self.turns.waiting() - ready,
            held: self.held,
            unresolved: asked + resolving + later,
            closed,
            entries_in_memory: self.queues.entries() - entries_on_disk,
            entries_on_disk,
            dropped: self.dropped,
            disk_bytes: self.queues.disk_bytes(),
            memory_bytes: self.queues.memory_bytes(),
        }
    }

    /// The hosts that will keep the crawl going for longest, longest first. Looks at all hosts.
    pub fn slowest(&self, count: usize) -> Vec<SlowHost> {
        let mut slowest: Vec<SlowHost> = Vec::with_capacity(count + 1);
        for host in (0..self.hosts.len() as u32).map(HostId) {
            let slow = self.slow(host);
            let rank = slowest.partition_point(|other| other.left_ms() >= slow.left_ms());
            if rank < count && slow.left_ms() > 0 {
                slowest.truncate(count - 1);
                slowest.insert(rank, slow);
            }
        }
        slowest
    }

    fn slow(&self, host: HostId) -> SlowHost {
        let state = &self.hosts[host.index()];
        SlowHost {
            host,
            queued: self.queues.len(host.0),
            pages: state.pages,
            errors: state.errors,
            last_visit_ms: state.last_visit_ms,
            last_delay_ms: state.last_delay_ms,
        }
    }
}

const _: () =
    assert!(State::Asked as usize == 1 && State::Later as usize == 3 && State::Closed as usize == 5);
