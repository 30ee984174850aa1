//! From host to visit and back.

use std::net::IpAddr;

use super::politeness::{Outcome, Politeness, host_ready_ms, ip_ready_ms};
use super::turns::key;
use super::{Host, HostId, NONE, Order, State, Workbench, raised};

/// A host and its address, held. It is given back with [`Workbench::put_back`], and only so.
#[derive(Debug)]
#[must_use = "a visit that is not put back holds its host and its address for ever"]
pub struct Visit {
    host: HostId,
    ip: u32,
    address: IpAddr,
}

impl Visit {
    /// The host to visit.
    pub fn host(&self) -> HostId {
        self.host
    }

    /// The address to visit it at.
    pub fn ip(&self) -> IpAddr {
        self.address
    }
}

/// Whose turn it is.
#[derive(Debug)]
pub enum Take {
    /// That of a host that may be visited now.
    Visit(Visit),
    /// Nobody's before this instant, when a host or a question for an address is due (unless something changes
    /// before).
    Wait {
        /// The instant.
        until_ms: u64,
    },
    /// Nobody's until somebody else acts: a visit is put back, or a host gets its address.
    Busy,
    /// Nothing waits that promises enough, and nothing is held: the crawl is at its end, unless something is added.
    Idle,
}

/// What became of a host after its visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// It may be visited again at this instant.
    Ready {
        /// The instant.
        at_ms: u64,
    },
    /// It failed too often in a row, and is closed.
    GivenUp {
        /// How many entries still waited.
        dropped: u64,
    },
    /// It had been closed during the visit.
    Closed,
}

/// When to ask for an address once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// At this instant.
    At {
        /// The instant.
        ms: u64,
    },
    /// Never: there is no such host.
    Never,
}

impl Workbench {
    /// A host that needs an address, and was not handed out since it last was answered.
    pub fn unresolved(&mut self, now_ms: u64) -> Option<HostId> {
        while let Some((_, host)) = self.later.top().filter(|(due_ms, _)| *due_ms <= now_ms) {
            self.leave(host);
            self.ask(host);
        }
        while let Some(host) = self.asks.pop_front() {
            if self.hosts[host as usize].state != State::Asked {
                continue;
            }
            if self.queues.len(host) > 0 {
                self.set_state(host, State::Resolving);
                return Some(HostId(host));
            }
            self.set_state(host, State::Known);
        }
        None
    }

    /// The address of a host; another than before if it has moved.
    pub fn resolved(&mut self, host: HostId, address: IpAddr, now_ms: u64) {
        if self.hosts[host.index()].state == State::Closed {
            return;
        }
        self.leave(host.0);
        self.set_state(host.0, State::Resolved);
        let ip = self.turns.number(address, self.floor_ms);
        let state = &mut self.hosts[host.index()];
        state.ip = ip;
        // Ready from now on, not from the beginning of time: those that wait since longer go first.
        state.ready_ms = state.ready_ms.max(now_ms);
        self.wake(host.0);
    }

    /// A host has no address, for now or for good; then it is closed, and the entries that waited are counted.
    pub fn unresolvable(&mut self, host: HostId, again: Again) -> u64 {
        let Again::At { ms } = again else { return self.drop_host(host) };
        if self.hosts[host.index()].state != State::Closed {
            self.leave(host.0);
            self.set_state(host.0, State::Later);
            let hosts = &mut self.hosts;
            self.later.push(ms, host.0, &mut |host, place| hosts[host as usize].place = place as u32);
        }
        0
    }

    /// Whose turn it is.
    pub fn take(&mut self, now_ms: u64) -> Take {
        if let Some((host, ip, address)) = self.turn(now_ms) {
            let state = &mut self.hosts[host as usize];
            state.held = true;
            self.held += 1;
            return Take::Visit(Visit { host: HostId(host), ip, address });
        }
        let later_ms = self.later.top().map(|(due_ms, _)| due_ms);
        match self.turns.first_ms().into_iter().chain(later_ms).min() {
            Some(until_ms) => Take::Wait { until_ms },
            None if self.is_idle() => Take::Idle,
            None => Take::Busy,
        }
    }

    /// Whether nothing waits that promises enough, and nothing is held.
    pub fn is_idle(&self) -> bool {
        let [_, asked, resolving, later, _, _] = self.states;
        let is_best_enough = self.turns.best().is_some_and(|best| best >= self.config.least);
        let may_come = self.turns.first_ms().is_some() || asked + resolving + later > 0;
        self.held == 0 && (self.queues.entries() == 0 || !(is_best_enough || may_come))
    }

    /// Holds the host whose turn it is.
    fn turn(&mut self, now_ms: u64) -> Option<(u32, u32, IpAddr)> {
        match self.config.order {
            Order::Fifo => self.turns.take(now_ms, &mut self.hosts),
            Order::Scored => {
                let queues = &self.queues;
                let promise = |host, state: &Host| raised(queues.best(host).unwrap_or(0.0), state.worth);
                self.turns.ripen(now_ms, &mut self.hosts, |host, state| key(promise(host, state)));
                self.turns.take_best(self.config.least, &mut self.hosts)
            }
        }
    }

    /// Ends a visit: sets when its host and its address may be visited again. How long a host that asks for
    /// patience is waited for is not decided here; see [`drop_host`](Self::drop_host).
    #[expect(clippy::needless_pass_by_value, reason = "a visit ends once")]
    pub fn put_back(&mut self, visit: Visit, outcome: &Outcome) -> After {
        self.held -= 1;
        self.turns.put_back(visit.ip, ip_ready_ms(outcome, self.config.ip));
        let state = &mut self.hosts[visit.host.index()];
        state.held = false;
        state.pages = state.pages.saturating_add(outcome.pages);
        state.errors = state.errors.saturating_add(outcome.failed.into());
        state.has_answered |= outcome.answered;
        state.failures = outcome.failures_after(state.failures);
        let own = outcome.delay_ms.map(|delay_ms| Politeness::Fixed { delay_ms });
        let politeness = own.unwrap_or(self.config.host);
        let at_ms = host_ready_ms(outcome, politeness, self.config.backoff, state.failures);
        state.ready_ms = state.ready_ms.max(at_ms);
        state.last_visit_ms = clamp(outcome.ended_ms.saturating_sub(outcome.began_ms));
        state.last_delay_ms = clamp(at_ms.saturating_sub(outcome.ended_ms));
        let at_ms = state.ready_ms;
        match state.state {
            State::Closed => After::Closed,
            _ if self.config.backoff.gives_up(state.failures, state.has_answered) => {
                After::GivenUp { dropped: self.drop_host(visit.host) }
            }
            _ => {
                self.wake(visit.host.0);
                After::Ready { at_ms }
            }
        }
    }

    /// Nobody is visited before this instant, nor who comes later: after a restart nobody remembers when the
    /// last visits ended.
    pub fn delay_all(&mut self, until_ms: u64) {
        self.floor_ms = self.floor_ms.max(until_ms);
        for host in &mut self.hosts {
            host.ready_ms = host.ready_ms.max(until_ms);
        }
        self.turns.delay(until_ms, &mut self.hosts);
    }

    /// A host, which may be new, is not visited before this instant. For hosts that wait for their first visit: after
    /// a restart.
    pub fn delay_host(&mut self, name: &str, until_ms: u64) {
        let host = self.number(name);
        let state = &self.hosts[host as usize];
        if state.place != NONE && state.state == State::Resolved {
            self.leave(host);
        }
        let state = &mut self.hosts[host as usize];
        state.ready_ms = state.ready_ms.max(until_ms);
        self.wake(host);
    }

    /// Lets a host wait for what it needs next, if it has entries: its turn, or an address.
    pub(super) fn wake(&mut self, host: u32) {
        let state = &self.hosts[host as usize];
        if self.queues.len(host) == 0 {
            return;
        }
        match state.state {
            State::Known => self.ask(host),
            State::Resolved if !state.held && state.place == NONE => self.turns.enter(host, &mut self.hosts),
            _ => {}
        }
    }

    /// Takes a host out of wherever it waits.
    pub(super) fn leave(&mut self, host: u32) {
        let state = &self.hosts[host as usize];
        match (state.place, state.state) {
            (NONE, _) => {}
            (place, State::Later) => {
                let hosts = &mut self.hosts;
                self.later
                    .remove(place as usize, &mut |host, place| hosts[host as usize].place = place as u32);
                self.hosts[host as usize].place = NONE;
            }
            _ => self.turns.leave(host, &mut self.hosts),
        }
    }

    fn ask(&mut self, host: u32) {
        self.set_state(host, State::Asked);
        self.asks.push_back(host);
    }
}

fn clamp(ms: u64) -> u32 {
    u32::try_from(ms).unwrap_or(u32::MAX)
}
