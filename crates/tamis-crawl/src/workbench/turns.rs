//! The second level of tokens: IP addresses.

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
    waiting: usize,
}

#[derive(Debug)]
struct Ip {
    address: IpAddr,
    held: bool,
    ready_ms: u64,
    /// The hosts that wait here, by when each may be visited.
    hosts: Heap,
}

impl Turns {
    /// How many hosts wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// How many addresses have a host that may be visited now.
    pub(super) fn ready(&self, now_ms: u64) -> usize {
        self.turn.due(now_ms)
    }

    /// The first instant at which a visit may begin.
    pub(super) fn first_ms(&self) -> Option<u64> {
        self.turn.top().map(|(due_ms, _)| due_ms)
    }

    pub(super) fn number(&mut self, address: IpAddr, ready_ms: u64) -> u32 {
        *self.numbers.entry(address).or_insert_with(|| {
            self.ips.push(Ip { address, held: false, ready_ms, hosts: Heap::default() });
            self.places.push(NONE);
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
        let Host { ip, place, .. } = hosts[host as usize];
        let waiting = &mut self.ips[ip as usize].hosts;
        waiting.remove(place as usize, &mut |host, place| hosts[host as usize].place = place as u32);
        hosts[host as usize].place = NONE;
        self.waiting -= 1;
        self.settle(ip);
    }

    /// Holds the address whose turn it is, with the host whose turn it is there.
    pub(super) fn take(&mut self, now_ms: u64, hosts: &mut [Host]) -> Option<(u32, u32, IpAddr)> {
        let (_, ip) = self.turn.top().filter(|(due_ms, _)| *due_ms <= now_ms)?;
        let slot = &mut self.ips[ip as usize];
        let (_, host) = slot.hosts.top()?;
        slot.held = true;
        let address = slot.address;
        self.leave(host, hosts);
        Some((host, ip, address))
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
        for ip in &mut self.ips {
            ip.ready_ms = ip.ready_ms.max(until_ms);
            ip.hosts.delay(until_ms, &mut |host, place| hosts[host as usize].place = place as u32);
        }
        let places = &mut self.places;
        self.turn.delay(until_ms, &mut |ip, place| places[ip as usize] = place as u32);
    }

    /// Puts an address where it belongs among the others.
    fn settle(&mut self, ip: u32) {
        let slot = &self.ips[ip as usize];
        let first = slot.hosts.top().filter(|_| !slot.held);
        let due_ms = first.map(|(due_ms, _)| due_ms.max(slot.ready_ms));
        let (place, places) = (self.places[ip as usize], &mut self.places);
        let moved = &mut |ip: u32, place: usize| places[ip as usize] = place as u32;
        match (due_ms, place) {
            (Some(due_ms), NONE) => self.turn.push(due_ms, ip, moved),
            (Some(due_ms), place) => self.turn.change(place as usize, due_ms, moved),
            (None, NONE) => {}
            (None, place) => {
                self.turn.remove(place as usize, moved);
                self.places[ip as usize] = NONE;
            }
        }
    }
}
