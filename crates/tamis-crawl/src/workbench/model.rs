//! The workbench against an oracle that keeps everything in vectors and looks at all of it every time.

use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;

use super::*;

const HOSTS: usize = 6;
const IPS: usize = 3;

#[derive(Debug, Clone, Copy)]
enum Step {
    Add {
        host: usize,
        score: u8,
        count: u8,
    },
    Ask,
    Resolve {
        host: usize,
        ip: usize,
    },
    Fail {
        host: usize,
        after_ms: Option<u64>,
    },
    Take,
    Next {
        host: usize,
        count: u8,
    },
    PutBack {
        which: usize,
        visit_ms: u64,
        wait_ms: Option<u64>,
        crawl_delay_ms: u64,
        failed: bool,
        pages: u32,
    },
    Requeue {
        host: usize,
        place: Place,
    },
    Drop {
        host: usize,
    },
    Worth {
        host: usize,
        worth: f32,
    },
    DelayAll {
        by_ms: u64,
    },
    Pass {
        ms: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let host = || 0..HOSTS;
    prop_oneof![
        12 => (host(), 0..24_u8, 1..30_u8).prop_map(|(host, score, count)| Step::Add { host, score, count }),
        4 => Just(Step::Ask),
        6 => (host(), 0..IPS).prop_map(|(host, ip)| Step::Resolve { host, ip }),
        2 => (host(), prop::option::weighted(0.9, 0..300_u64))
            .prop_map(|(host, after_ms)| Step::Fail { host, after_ms }),
        10 => Just(Step::Take),
        10 => (host(), 1..30_u8).prop_map(|(host, count)| Step::Next { host, count }),
        6 => (
            0..IPS, 0..50_u64, prop::option::weighted(0.2, 0..900_u64), prop_oneof![Just(0), 0..90_u64],
            prop::bool::weighted(0.2), 0..3_u32,
        ).prop_map(|(which, visit_ms, wait_ms, crawl_delay_ms, failed, pages)| {
            Step::PutBack { which, visit_ms, wait_ms, crawl_delay_ms, failed, pages }
        }),
        4 => (host(), prop_oneof![Just(Place::Front), Just(Place::Back)])
            .prop_map(|(host, place)| Step::Requeue { host, place }),
        1 => host().prop_map(|host| Step::Drop { host }),
        3 => (host(), 0.0..20.0_f32).prop_map(|(host, worth)| Step::Worth { host, worth }),
        1 => (0..200_u64).prop_map(|by_ms| Step::DelayAll { by_ms }),
        6 => (0..200_u64).prop_map(|ms| Step::Pass { ms }),
    ]
}

#[derive(Debug, Default, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
struct OracleHost {
    queue: Vec<Entry>,
    ip: Option<usize>,
    ready_ms: u64,
    asked: bool,
    later_ms: Option<u64>,
    held: bool,
    closed: bool,
    failures: u32,
    has_answered: bool,
    worth: Option<f32>,
}

#[derive(Debug, Default)]
struct OracleIp {
    known: bool,
    ready_ms: u64,
    held: bool,
}

struct Model {
    real: Workbench,
    exact: bool,
    hosts: [OracleHost; HOSTS],
    ips: [OracleIp; IPS],
    ids: [Option<HostId>; HOSTS],
    visits: Vec<Visit>,
    popped: Vec<(usize, Entry)>,
    now_ms: u64,
    floor_ms: u64,
    next_id: u64,
    dropped: u64,
}

fn address(ip: usize) -> IpAddr {
    Ipv4Addr::new(10, 0, 0, ip as u8).into()
}

fn name(host: usize) -> String {
    format!("host{host}.example")
}

impl Model {
    fn new(config: Config, folder: &Path) -> Self {
        Self {
            real: Workbench::create(&folder.join("scratch"), config).expect("a file"),
            exact: config.memory_bytes > 1 << 20 && config.head_entries > 1_000,
            hosts: Default::default(),
            ips: Default::default(),
            ids: [None; HOSTS],
            visits: Vec::new(),
            popped: Vec::new(),
            now_ms: 1_000,
            floor_ms: 0,
            next_id: 0,
            dropped: 0,
        }
    }

    fn number(&self, id: HostId) -> usize {
        self.ids.iter().position(|known| *known == Some(id)).expect("a host we know")
    }

    fn run(&mut self, step: Step) {
        match step {
            Step::Add { host, score, count } => self.add(host, score, count),
            Step::Ask => self.ask(),
            Step::Resolve { host, ip } => self.resolve(host, ip),
            Step::Fail { host, after_ms } => self.fail(host, after_ms),
            Step::Take => self.take(),
            Step::Next { host, count } => (0..count).for_each(|_| self.next(host)),
            Step::PutBack { which, visit_ms, wait_ms, crawl_delay_ms, failed, pages } => {
                let outcome = Outcome {
                    began_ms: self.now_ms,
                    ended_ms: self.now_ms + visit_ms,
                    not_before_ms: wait_ms.map(|ms| self.now_ms + ms),
                    crawl_delay_ms,
                    answered: !failed || pages > 0,
                    failed,
                    pages,
                    delay_ms: None,
                };
                self.now_ms += visit_ms;
                self.put_back(which, &outcome);
            }
            Step::Requeue { host, place } => self.requeue(host, place),
            Step::Drop { host } => {
                if let Some(id) = self.ids[host] {
                    let dropped = self.real.drop_host(id);
                    assert_eq!(dropped, self.drop(host));
                }
            }
            Step::Worth { host, worth } => {
                if let Some(id) = self.ids[host] {
                    self.real.set_worth(id, worth);
                    self.hosts[host].worth = Some(worth);
                }
            }
            Step::DelayAll { by_ms } => self.delay_all(self.now_ms + by_ms),
            Step::Pass { ms } => self.now_ms += ms,
        }
        self.compare_counts();
    }

    fn add(&mut self, host: usize, score: u8, count: u8) {
        for n in 0..count {
            let entry = Entry { id: self.next_id, score: f32::from((score + n) % 24) / 20.0 };
            self.next_id += 1;
            let added = self.real.add(&name(host), entry).expect("a file");
            if self.ids[host].is_none() {
                self.ids[host] = Some(added.host);
                self.hosts[host].ready_ms = self.floor_ms;
            }
            assert_eq!((Some(added.host), added.queued), (self.ids[host], !self.hosts[host].closed));
            if added.queued {
                self.hosts[host].queue.push(entry);
            } else {
                self.dropped += 1;
            }
        }
    }

    fn ask(&mut self) {
        let wants = |host: &OracleHost| {
            let due = host.later_ms.is_none_or(|ms| ms <= self.now_ms);
            host.ip.is_none() && !host.closed && !host.asked && due && !host.queue.is_empty()
        };
        let wanting: Vec<bool> = self.hosts.iter().map(wants).collect();
        match self.real.unresolved(self.now_ms) {
            None => assert!(!wanting.contains(&true), "{:?}", self.hosts),
            Some(id) => {
                let host = self.number(id);
                assert!(wanting[host], "{host} {:?}", self.hosts);
                self.hosts[host].asked = true;
                self.hosts[host].later_ms = None;
            }
        }
        for host in &mut self.hosts {
            // Whoever was due has been seen, and waits to be asked.
            host.later_ms = host.later_ms.filter(|ms| *ms > self.now_ms);
        }
    }

    fn resolve(&mut self, host: usize, ip: usize) {
        let Some(id) = self.ids[host] else { return };
        self.real.resolved(id, address(ip), self.now_ms);
        let state = &mut self.hosts[host];
        if !state.closed {
            (state.ip, state.asked, state.later_ms) = (Some(ip), false, None);
            state.ready_ms = state.ready_ms.max(self.now_ms);
            if !std::mem::replace(&mut self.ips[ip].known, true) {
                self.ips[ip].ready_ms = self.floor_ms;
            }
        }
    }

    fn fail(&mut self, host: usize, after_ms: Option<u64>) {
        let Some(id) = self.ids[host] else { return };
        let Some(after_ms) = after_ms else {
            let dropped = self.real.unresolvable(id, Again::Never);
            assert_eq!(dropped, self.drop(host));
            return;
        };
        let ms = self.now_ms + after_ms;
        assert_eq!(self.real.unresolvable(id, Again::At { ms }), 0);
        let state = &mut self.hosts[host];
        if !state.closed {
            (state.ip, state.asked, state.later_ms) = (None, false, Some(ms));
        }
    }

    /// When a host may be visited, if only time is in the way.
    fn due_ms(&self, host: &OracleHost) -> Option<u64> {
        let ip = &self.ips[host.ip?];
        let waits = !host.held && !ip.held && !host.closed && !host.queue.is_empty();
        waits.then_some(host.ready_ms.max(ip.ready_ms))
    }

    fn take(&mut self) {
        let first_ms = self.hosts.iter().filter_map(|host| self.due_ms(host)).min();
        match self.real.take(self.now_ms) {
            Take::Visit(visit) => {
                let host = self.number(visit.host());
                let due_ms = self.due_ms(&self.hosts[host]);
                assert!(due_ms.is_some_and(|ms| ms <= self.now_ms), "{host} {due_ms:?} {}", self.now_ms);
                if self.real.config.order == Order::Fifo {
                    assert_eq!(due_ms, first_ms, "who has been ready for longest goes first");
                } else if self.exact {
                    self.check_best(host);
                }
                let ip = self.hosts[host].ip.expect("it is due");
                assert_eq!(visit.ip(), address(ip));
                (self.hosts[host].held, self.ips[ip].held) = (true, true);
                self.visits.push(visit);
            }
            Take::Wait { until_ms } => {
                assert!(first_ms.is_none_or(|ms| ms > self.now_ms));
                let later = self.hosts.iter().filter_map(|host| host.later_ms);
                assert_eq!(Some(until_ms), first_ms.into_iter().chain(later).min());
            }
            Take::Busy => {
                assert_eq!(first_ms, None);
                assert!(!self.visits.is_empty() || self.hosts.iter().any(|host| !host.queue.is_empty()));
            }
            Take::Idle => {
                assert!(self.visits.is_empty() && self.hosts.iter().all(|host| host.queue.is_empty()));
            }
        }
    }

    /// Nobody who is ready has anything better.
    fn check_best(&self, taken: usize) {
        let promise = |host: &OracleHost| {
            let best = host.queue.iter().map(|entry| entry.score.min(1.0)).fold(0.0, f32::max);
            let (for_it, against) = (best * host.worth.unwrap_or(1.0), 1.0 - best);
            if for_it + against > 0.0 { for_it / (for_it + against) } else { 0.0 }
        };
        let is_ready = |host: &&OracleHost| self.due_ms(host).is_some_and(|ms| ms <= self.now_ms);
        let best = self.hosts.iter().filter(is_ready).map(promise).fold(0.0, f32::max);
        assert!((promise(&self.hosts[taken]) - best).abs() < 1e-6, "{taken} {best} {:?}", self.hosts);
    }

    fn next(&mut self, host: usize) {
        let Some(id) = self.ids[host] else { return };
        let state = &self.hosts[host];
        let entry = self.real.next(id).expect("a file");
        assert_eq!(entry.is_some(), !state.queue.is_empty(), "{host} {state:?}");
        let Some(entry) = entry else { return };
        self.check_order(host, entry);
        let state = &mut self.hosts[host];
        state.queue.retain(|other| other.id != entry.id);
        self.popped.push((host, entry));
    }

    fn check_order(&self, host: usize, entry: Entry) {
        let queue = &self.hosts[host].queue;
        let place = queue.iter().position(|other| *other == entry).expect("nothing twice, nothing unknown");
        if self.real.config.order == Order::Fifo {
            assert_eq!(place, 0, "as they came");
            return;
        }
        let band = |entry: &Entry| (entry.score * 8.0).min(7.0) as u8;
        let best = queue.iter().map(band).max().expect("it is not empty");
        assert_eq!(band(&entry), best, "no entry of a lower band goes before");
        assert!(queue[..place].iter().all(|older| older.score.to_bits() != entry.score.to_bits()));
        if self.exact {
            assert!(queue.iter().all(|other| other.score <= entry.score), "best first");
        }
    }

    fn put_back(&mut self, which: usize, outcome: &Outcome) {
        if self.visits.is_empty() {
            return;
        }
        let visit = self.visits.swap_remove(which % self.visits.len());
        let config = self.real.config;
        let host = self.number(visit.host());
        let ip = (0..IPS).find(|ip| address(*ip) == visit.ip()).expect("one of ours");
        let slot = &mut self.ips[ip];
        (slot.held, slot.ready_ms) = (false, slot.ready_ms.max(ip_ready_ms(outcome, config.ip)));
        let state = &mut self.hosts[host];
        state.held = false;
        state.has_answered |= outcome.answered;
        if outcome.pages > 0 {
            state.failures = 0;
        }
        if outcome.failed {
            state.failures += 1;
        }
        let ready_ms = host_ready_ms(outcome, config.host, config.backoff, state.failures);
        state.ready_ms = state.ready_ms.max(ready_ms);
        let waited = state.queue.len() as u64;
        let expected = if state.closed {
            After::Closed
        } else if config.backoff.gives_up(state.failures, state.has_answered) {
            After::GivenUp { dropped: waited }
        } else {
            After::Ready { at_ms: state.ready_ms }
        };
        assert_eq!(self.real.put_back(visit, outcome), expected);
        if matches!(expected, After::GivenUp { .. }) {
            self.drop(host);
        }
    }

    fn requeue(&mut self, host: usize, place: Place) {
        let Some(last) = self.popped.iter().rposition(|(other, _)| *other == host) else { return };
        let (_, entry) = self.popped.remove(last);
        let id = self.ids[host].expect("it had entries");
        let queued = self.real.requeue(id, entry, place).expect("a file");
        let state = &mut self.hosts[host];
        assert_eq!(queued, !state.closed);
        match place {
            _ if !queued => self.dropped += 1,
            Place::Front => state.queue.insert(0, entry),
            Place::Back => state.queue.push(entry),
        }
    }

    fn delay_all(&mut self, until_ms: u64) {
        self.real.delay_all(until_ms);
        self.floor_ms = self.floor_ms.max(until_ms);
        self.hosts.iter_mut().for_each(|host| host.ready_ms = host.ready_ms.max(until_ms));
        self.ips.iter_mut().for_each(|ip| ip.ready_ms = ip.ready_ms.max(until_ms));
    }

    fn drop(&mut self, host: usize) -> u64 {
        let state = &mut self.hosts[host];
        (state.closed, state.asked, state.later_ms) = (true, false, None);
        let dropped = std::mem::take(&mut state.queue).len() as u64;
        self.dropped += dropped;
        dropped
    }

    fn compare_counts(&self) {
        let counts = self.real.counts(self.now_ms);
        let count = |test: &dyn Fn(&OracleHost) -> bool| self.hosts.iter().filter(|host| test(host)).count();
        let entries: usize = self.hosts.iter().map(|host| host.queue.len()).sum();
        assert_eq!(counts.entries_in_memory + counts.entries_on_disk, entries as u64, "nothing lost");
        assert_eq!(counts.held, self.visits.len());
        assert_eq!(counts.closed, count(&|host| host.closed));
        assert_eq!(counts.dropped, self.dropped);
        assert_eq!(counts.hosts, self.ids.iter().flatten().count());
        let waits =
            |host: &OracleHost| host.ip.is_some() && !host.held && !host.closed && !host.queue.is_empty();
        assert_eq!(counts.ready + counts.waiting, count(&waits));
        let mut ips: Vec<_> =
            self.hosts.iter().filter(|host| self.due_ms(host) <= Some(self.now_ms)).collect();
        ips.retain(|host| self.due_ms(host).is_some());
        ips.sort_by_key(|host| host.ip);
        ips.dedup_by_key(|host| host.ip);
        assert_eq!(counts.ready, ips.len());
        let bound = self.real.config.memory_bytes.max(512) / 128 * 10;
        assert!(counts.entries_in_memory <= bound as u64, "{counts:?}");
    }

    /// Takes everything that is left: what was added comes out once.
    fn drain(mut self) {
        for host in 0..HOSTS {
            let Some(id) = self.ids[host] else { continue };
            while !self.hosts[host].queue.is_empty() {
                self.next(host);
            }
            assert_eq!(self.real.queued(id), 0);
        }
        let counts = self.real.counts(self.now_ms);
        assert_eq!((counts.entries_in_memory, counts.entries_on_disk, counts.disk_bytes), (0, 0, 0));
    }
}

fn config() -> impl Strategy<Value = Config> {
    let politeness = || {
        prop_oneof![
            (0..100_u64).prop_map(|delay_ms| Politeness::Fixed { delay_ms }),
            (0.1..3.0).prop_map(|p| Politeness::Share { p, slice_ms: 100 }),
        ]
    };
    let memory = prop_oneof![Just((1, 0)), Just((3, 2_000)), Just((64, 4_000)), Just((100_000, 4 << 20))];
    (prop_oneof![Just(Order::Fifo), Just(Order::Scored)], politeness(), politeness(), memory).prop_map(
        |(order, host, ip, (head_entries, memory_bytes))| Config {
            order,
            host,
            ip,
            backoff: Backoff { base_ms: 20, factor: 2.0, cap_ms: 200, give_up: 5, give_up_silent: 3 },
            head_entries,
            memory_bytes,
            least: 0.0,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn does_what_a_linear_search_would(config in config(), steps in prop::collection::vec(step(), 0..300)) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut model = Model::new(config, folder.path());
        for step in steps {
            model.run(step);
        }
        model.drain();
    }
}
