//! The second level of tokens: IP addresses.
//!
//! Hosts wait at their address until they may be visited. With [`Order::Fifo`](super::Order::Fifo) the one goes first that has been ready for
//! longest. With [`Order::Scored`](super::Order::Scored) hosts whose instant has come are ripe, and of those the one with the best
//! to fetch goes first; an address is ripe when its own instant has come, too.

use std::collections::HashMap;
use std::net::IpAddr;

use super::heap::Heap;
use super::{Host, NONE};

/// All addresses, and whose turn it is.
#[derive(Debug, Default)]
pub(super) struct Turns {
    ips: Vec<Ip>,
    numbers: HashMap<IpAddr, u32>,
    /// Addresses that are not held and have hosts waiting, by when the first of them may be visited.
    turn: Heap,
    /// Where each address stands in `turn`. Apart from the addresses, because a step in the heap writes a
    /// place at each level: 4 bytes an address stay in the cache.
    places: Vec<u32>,
    /// Ripe addresses with ripe hosts, by the key of the best; see [`key`].
    best: Heap,
    /// Where each address stands in `best`.
    best_places: Vec<u32>,
    waiting: usize,
}

#[derive(Debug)]
struct Ip {
    address: IpAddr,
    held: bool,
    /// Whether its instant has come and was seen; only scored.
    ripe: bool,
    ready_ms: u64,
    /// The hosts that wait here, by when each may be visited.
    hosts: Heap,
    /// The ripe hosts, by key.
    best: Heap,
}

/// A priority as what heaps go by: the higher, the less.
pub(super) fn key(priority: f32) -> u64 {
    // The bits of floats that are not negative stand in their order.
    u64::from(!priority.max(0.0).to_bits())
}

/// The priority of a key.
fn priority(key: u64) -> f32 {
    f32::from_bits(!(key as u32))
}

impl Turns {
    /// How many hosts wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// How many addresses have a host that may be visited now.
    pub(super) fn ready(&self, now_ms: u64) -> usize {
        let mut found = self.best.len();
        self.turn.each_due(now_ms, |ip| found += usize::from(self.best_places[ip as usize] == NONE));
        found
    }

    /// The first instant at which a visit may begin, beside those to ripe hosts.
    pub(super) fn first_ms(&self) -> Option<u64> {
        self.turn.top().map(|(due_ms, _)| due_ms)
    }

    /// The priority of the best ripe host.
    pub(super) fn best(&self) -> Option<f32> {
        self.best.top().map(|(key, _)| priority(key))
    }

    pub(super) fn number(&mut self, address: IpAddr, ready_ms: u64) -> u32 {
        *self.numbers.entry(address).or_insert_with(|| {
            let (hosts, best) = (Heap::default(), Heap::default());
            self.ips.push(Ip { address, held: false, ripe: false, ready_ms, hosts, best });
            self.places.push(NONE);
            self.best_places.push(NONE);
            self.ips.len() as u32 - 1
        })
    }

    /// Lets a host wait at its address.
    pub(super) fn enter(&mut self, host: u32, hosts: &mut [Host]) {
        let Host { ip, ready_ms, .. } = hosts[host as usize];
        let waiting = &mut self.ips[ip as usize].hosts;
        waiting.push(ready_ms, host, &mut |host, place| hosts[host as usize].place = place as u32);
        self.waiting += 1;
        self.settle(ip);
    }

    /// Takes a waiting host away.
    pub(super) fn leave(&mut self, host: u32, hosts: &mut [Host]) {
        let Host { ip, place, ripe, .. } = hosts[host as usize];
        let slot = &mut self.ips[ip as usize];
        let heap = if ripe { &mut slot.best } else { &mut slot.hosts };
        heap.remove(place as usize, &mut |host, place| hosts[host as usize].place = place as u32);
        (hosts[host as usize].place, hosts[host as usize].ripe) = (NONE, false);
        self.waiting -= 1;
        self.settle(ip);
    }

    /// Holds the address whose turn it is, with the host whose turn it is there.
    pub(super) fn take(&mut self, now_ms: u64, hosts: &mut [Host]) -> Option<(u32, u32, IpAddr)> {
        let (_, ip) = self.turn.top().filter(|(due_ms, _)| *due_ms <= now_ms)?;
        let (_, host) = self.ips[ip as usize].hosts.top()?;
        Some(self.hold(ip, host, hosts))
    }

    /// Holds the best host, if it is not less than that.
    pub(super) fn take_best(&mut self, least: f32, hosts: &mut [Host]) -> Option<(u32, u32, IpAddr)> {
        let (_, ip) = self.best.top().filter(|(key, _)| priority(*key) >= least)?;
        let (_, host) = self.ips[ip as usize].best.top()?;
        Some(self.hold(ip, host, hosts))
    }

    fn hold(&mut self, ip: u32, host: u32, hosts: &mut [Host]) -> (u32, u32, IpAddr) {
        let slot = &mut self.ips[ip as usize];
        (slot.held, slot.ripe) = (true, false);
        let address = slot.address;
        self.leave(host, hosts);
        (host, ip, address)
    }

    /// Looks whose instant has come: those hosts are ripe from now on, with the keys that `key` gives.
    pub(super) fn ripen(&mut self, now_ms: u64, hosts: &mut [Host], key: impl Fn(u32, &Host) -> u64) {
        while let Some((_, ip)) = self.turn.top().filter(|(due_ms, _)| *due_ms <= now_ms) {
            let slot = &mut self.ips[ip as usize];
            slot.ripe = true;
            while let Some((_, host)) = slot.hosts.top().filter(|(ready_ms, _)| *ready_ms <= now_ms) {
                let place = hosts[host as usize].place as usize;
                slot.hosts.remove(place, &mut |host, place| hosts[host as usize].place = place as u32);
                let key = key(host, &hosts[host as usize]);
                hosts[host as usize].ripe = true;
                slot.best.push(key, host, &mut |host, place| hosts[host as usize].place = place as u32);
            }
            self.settle(ip);
        }
    }

    /// A ripe host has another key.
    pub(super) fn change(&mut self, host: u32, key: u64, hosts: &mut [Host]) {
        let Host { ip, place, .. } = hosts[host as usize];
        let best = &mut self.ips[ip as usize].best;
        best.change(place as usize, key, &mut |host, place| hosts[host as usize].place = place as u32);
        self.settle(ip);
    }

    /// Gives back an address that was held.
    pub(super) fn put_back(&mut self, ip: u32, ready_ms: u64) {
        let slot = &mut self.ips[ip as usize];
        slot.held = false;
        slot.ready_ms = slot.ready_ms.max(ready_ms);
        self.settle(ip);
    }

    /// Nobody is visited before this instant.
    pub(super) fn delay(&mut self, until_ms: u64, hosts: &mut [Host]) {
        for ip in 0..self.ips.len() {
            let slot = &mut self.ips[ip];
            slot.ready_ms = slot.ready_ms.max(until_ms);
            slot.ripe = false;
            while let Some((_, host)) = slot.best.top() {
                let ready_ms = hosts[host as usize].ready_ms;
                let mut moved = |host: u32, place: usize| hosts[host as usize].place = place as u32;
                slot.best.remove(0, &mut moved);
                slot.hosts.push(ready_ms, host, &mut moved);
                hosts[host as usize].ripe = false;
            }
            slot.hosts.delay(until_ms, &mut |host, place| hosts[host as usize].place = place as u32);
            self.settle(ip as u32);
        }
    }

    /// Puts an address where it belongs among the others.
    fn settle(&mut self, ip: u32) {
        let slot = &self.ips[ip as usize];
        let first = slot.hosts.top().filter(|_| !slot.held).map(|(due_ms, _)| due_ms.max(slot.ready_ms));
        // Who is ripe at an address that is not waits for that alone.
        let rests = (!slot.held && !slot.ripe && slot.best.len() > 0).then_some(slot.ready_ms);
        let best = slot.best.top().filter(|_| !slot.held && slot.ripe).map(|(key, _)| key);
        place(&mut self.turn, &mut self.places, ip, rests.or(first));
        place(&mut self.best, &mut self.best_places, ip, best);
    }
}

/// Puts an address where its key belongs in a heap, or nowhere.
fn place(heap: &mut Heap, places: &mut [u32], ip: u32, key: Option<u64>) {
    let at = places[ip as usize];
    let moved = &mut |ip: u32, place: usize| places[ip as usize] = place as u32;
    match (key, at) {
        (Some(key), NONE) => heap.push(key, ip, moved),
        (Some(key), at) => heap.change(at as usize, key, moved),
        (None, NONE) => {}
        (None, at) => {
            heap.remove(at as usize, moved);
            places[ip as usize] = NONE;
        }
    }
}
