//! How far a crawl is: counted by its threads, read by whoever shows it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::in_force::InForce;
use crate::fetch::CertificateFault;
use crate::focus::{Ending, Harvest};
use crate::sieve::{SieveKind, Stats};
use crate::workbench;

/// Hosts with capped delays that are named.
const MOST_CAPPED: usize = 1_000;

/// The counters of a running crawl, and the way to stop it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Whether it is to end: what is in flight is finished, nothing new begun.
    stop: AtomicBool,
    /// Rung for the network thread: something was logged, kept, or is to stop.
    pub(super) bell: Notify,
    /// Given to the parsers and not kept yet.
    pub(super) outstanding: AtomicU64,
    /// Bytes of answers among them.
    pub(super) outstanding_bytes: AtomicU64,
    /// Offered to the sieve and undecided.
    pub(super) pending: AtomicU64,
    /// Whether the network could do more than the log gives it.
    pub(super) is_hungry: AtomicBool,
    pub(super) counts: Counts,
    names: Mutex<Names>,
    /// Whether somebody stopped it from outside.
    is_told: AtomicBool,
}

/// What is read in part, because of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Responses that are longer than is kept.
    Response,
    /// Pages that are longer than is parsed.
    Page,
    /// Links of pages that have more than are taken.
    Link,
    /// Sitemaps and feeds that are longer than is read.
    List,
    /// Files of rules that are longer than is read.
    Robots,
}

impl Cut {
    fn name(self) -> &'static str {
        match self {
            Self::Response => "responses",
            Self::Page => "pages",
            Self::Link => "links of a page",
            Self::List => "sitemaps and feeds",
            Self::Robots => "robots.txt",
        }
    }
}

/// The sums that the journal has with each position, so that they survive a kill.
pub(super) type LoggedSums = [u64; 9];

/// What only one thread counts, or all rarely.
#[derive(Debug, Default)]
struct Names {
    failures: BTreeMap<String, u64>,
    outcomes: BTreeMap<String, u64>,
    refused: BTreeMap<String, u64>,
    left_out: BTreeMap<String, u64>,
    cut: BTreeMap<String, u64>,
    unverified: BTreeMap<String, u64>,
    sieve: SieveCounts,
    bench: BenchCounts,
    slowest: Vec<SlowHost>,
    harvest: Option<Harvest>,
    in_force: InForce,
    notices: Vec<String>,
    capped: BTreeMap<String, u64>,
}

macro_rules! counts {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        #[derive(Debug, Default)]
        pub(super) struct Counts {
            $(pub(super) $name: AtomicU64,)*
        }

        /// The counters at one moment. Sums over all runs of the crawl.
        #[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Sums {
            $($(#[doc = $doc])* pub $name: u64,)*
        }

        impl Counts {
            pub(super) fn sums(&self) -> Sums {
                Sums { $($name: self.$name.load(Relaxed),)* }
            }

            /// Goes on from the sums of earlier runs.
            pub(super) fn add_earlier(&self, sums: &Sums) {
                $(self.$name.fetch_add(sums.$name, Relaxed);)*
            }
        }
    };
}

counts! {
    /// Pages: responses with a status of 200 to 299.
    pages,
    /// Responses of any status.
    responses,
    /// Responses among them that were in the collection already, by the other of crawling and fetching.
    taken_over,
    /// Pages that were only noted, not archived.
    noted,
    /// Exchanges about `robots.txt`.
    robots,
    /// Bytes received, as they came.
    received_bytes,
    /// Bytes written to archives.
    stored_bytes,
    /// Payloads that were in the archive already.
    revisits,
    /// Pages whose text was seen before, or nearly.
    near_duplicates,
    /// Links found in pages.
    links,
    /// Links that the scope let through.
    offered,
    /// Addresses that were new.
    discovered,
    /// Addresses done with, for good.
    done,
    /// Requests that failed.
    failed_requests,
    /// Requests made again after a failure or at a server's wish.
    retries,
    /// Connections opened.
    connections,
}

impl Sums {
    /// Responses that were fetched.
    pub fn fetched(&self) -> u64 {
        self.responses.saturating_sub(self.taken_over)
    }

    /// Those that the journal has, in its order.
    pub(super) fn logged(&self) -> LoggedSums {
        [
            self.received_bytes,
            self.stored_bytes,
            self.revisits,
            self.near_duplicates,
            self.links,
            self.offered,
            self.failed_requests,
            self.retries,
            self.connections,
        ]
    }

    /// Takes over what the journal has more.
    pub(super) fn raise(&mut self, logged: &LoggedSums) {
        let own = [
            &mut self.received_bytes,
            &mut self.stored_bytes,
            &mut self.revisits,
            &mut self.near_duplicates,
            &mut self.links,
            &mut self.offered,
            &mut self.failed_requests,
            &mut self.retries,
            &mut self.connections,
        ];
        own.into_iter().zip(logged).for_each(|(own, logged)| *own = (*own).max(*logged));
    }
}

/// The state of hosts and queues at one moment.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BenchCounts {
    /// Hosts ever seen.
    pub hosts: u64,
    /// Hosts with addresses to fetch whose turn has come.
    pub ready: u64,
    /// Hosts with addresses to fetch that wait.
    pub waiting: u64,
    /// Hosts being visited.
    pub in_flight: u64,
    /// Hosts whose address is being asked for.
    pub unresolved: u64,
    /// Addresses queued in memory.
    pub queued_in_memory: u64,
    /// Addresses queued on disk.
    pub queued_on_disk: u64,
    /// Hosts that were given up in this run.
    pub closed: u64,
    /// Addresses of theirs; they are tried again when the crawl goes on.
    pub dropped: u64,
}

/// The sieve at one moment.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SieveCounts {
    /// Its name.
    pub kind: String,
    /// Memory it takes.
    pub memory_bytes: u64,
    /// Length of its files.
    pub disk_bytes: u64,
    /// Of so many new addresses one is taken for a known one, and not fetched; 0 where that does not happen.
    pub lost_one_in: u64,
    /// Bloom filters in use: more than one if there are more addresses than were expected.
    pub filters: u64,
}

/// A host that holds a crawl up.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlowHost {
    /// Its name.
    pub host: String,
    /// Addresses it still has.
    pub queued: u64,
    /// How long after one request the next may follow, in milliseconds.
    pub delay_ms: u64,
}

/// Everything there is to show.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// The counters.
    pub sums: Sums,
    /// How addresses are known again.
    pub sieve: SieveCounts,
    /// Hosts and queues.
    pub bench: BenchCounts,
    /// How addresses ended, by class of status.
    pub outcomes: BTreeMap<String, u64>,
    /// Failed requests by kind.
    pub failures: BTreeMap<String, u64>,
    /// Links that were not followed, by reason.
    pub refused: BTreeMap<String, u64>,
    /// Addresses that were found and left out, by the limit.
    pub left_out: BTreeMap<String, u64>,
    /// What was read in part because of a limit, by what it is.
    pub cut: BTreeMap<String, u64>,
    /// Responses over TLS whose server showed a certificate that failed the check, by what was wrong.
    pub unverified: BTreeMap<String, u64>,
    /// The hosts with the longest way to go.
    pub slowest: Vec<SlowHost>,
    /// What is in force.
    pub in_force: InForce,
    /// Hosts that ask for a longer `Crawl-delay` than is kept to, in milliseconds; a thousand at most.
    pub capped_delays: BTreeMap<String, u64>,
    /// How much of it was relevant, in a crawl for an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harvest: Option<Harvest>,
}

impl BenchCounts {
    pub(super) fn of(counts: &workbench::Counts) -> Self {
        Self {
            hosts: counts.hosts as u64,
            ready: counts.ready as u64,
            waiting: counts.waiting as u64,
            in_flight: counts.held as u64,
            unresolved: counts.unresolved as u64,
            closed: counts.closed as u64,
            queued_in_memory: counts.entries_in_memory,
            queued_on_disk: counts.entries_on_disk,
            dropped: counts.dropped,
        }
    }
}

impl Progress {
    /// Asks the crawl to end. It finishes what is in flight.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.bell.notify_one();
    }

    /// The same, told by a command from outside.
    pub(super) fn stop_as_told(&self) {
        self.is_told.store(true, Relaxed);
        self.stop();
    }

    /// Whether a command from outside ended it.
    pub fn is_told_to_stop(&self) -> bool {
        self.is_told.load(Relaxed)
    }

    /// What is to be told to whoever watches, since the last call.
    pub fn take_notices(&self) -> Vec<String> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut names.notices)
    }

    /// A host asks for a longer delay than is kept to.
    pub(super) fn note_capped(&self, host: &str, asked_ms: u64) {
        self.with_names(|names| {
            if names.capped.len() < MOST_CAPPED || names.capped.contains_key(host) {
                names.capped.insert(host.to_owned(), asked_ms);
            }
        });
    }

    pub(super) fn note(&self, notice: String) {
        self.with_names(|names| names.notices.push(notice));
    }

    pub(super) fn set_in_force(&self, in_force: InForce) {
        self.with_names(|names| names.in_force = in_force);
    }

    /// Whether it was asked to end.
    pub fn is_stopping(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The state at this moment.
    pub fn snapshot(&self) -> Snapshot {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        Snapshot {
            sums: self.counts.sums(),
            bench: names.bench.clone(),
            outcomes: names.outcomes.clone(),
            failures: names.failures.clone(),
            refused: names.refused.clone(),
            left_out: names.left_out.clone(),
            cut: names.cut.clone(),
            sieve: names.sieve.clone(),
            unverified: names.unverified.clone(),
            slowest: names.slowest.clone(),
            harvest: names.harvest.clone(),
            in_force: names.in_force.clone(),
            capped_delays: names.capped.clone(),
        }
    }

    pub(super) fn add_earlier(&self, earlier: &Snapshot) {
        self.counts.add_earlier(&earlier.sums);
        self.with_names(|names| {
            names.outcomes.clone_from(&earlier.outcomes);
            names.failures.clone_from(&earlier.failures);
            names.refused.clone_from(&earlier.refused);
            names.left_out.clone_from(&earlier.left_out);
            names.cut.clone_from(&earlier.cut);
            names.unverified.clone_from(&earlier.unverified);
            names.capped.clone_from(&earlier.capped_delays);
        });
    }

    pub(super) fn count_failure(&self, name: &str) {
        self.counts.failed_requests.fetch_add(1, Relaxed);
        self.with_names(|names| count(&mut names.failures, name, 1));
    }

    /// A response came over a connection whose certificate failed the check.
    pub(super) fn count_unverified(&self, fault: CertificateFault) {
        self.with_names(|names| count(&mut names.unverified, fault.name(), 1));
    }

    pub(super) fn count_outcomes<'a>(&self, outcomes: impl IntoIterator<Item = &'a str>) {
        self.with_names(|names| outcomes.into_iter().for_each(|name| count(&mut names.outcomes, name, 1)));
    }

    pub(super) fn count_refused<'a>(&self, refused: impl IntoIterator<Item = (&'a str, u64)>) {
        self.with_names(|names| refused.into_iter().for_each(|(name, n)| count(&mut names.refused, name, n)));
    }

    /// An address is left out because of a limit.
    pub(super) fn count_left_out(&self, limit: &str) {
        self.with_names(|names| count(&mut names.left_out, limit, 1));
    }

    /// Something was read in part.
    pub(super) fn count_cut(&self, cut: Cut, by: u64) {
        if by > 0 {
            self.with_names(|names| count(&mut names.cut, cut.name(), by));
        }
    }

    pub(super) fn set_sieve(&self, kind: SieveKind, stats: &Stats) {
        let lost_one_in =
            if stats.false_positive_rate > 0.0 { (1.0 / stats.false_positive_rate) as u64 } else { 0 };
        let sieve = SieveCounts {
            kind: kind.name().to_owned(),
            memory_bytes: stats.memory_bytes,
            disk_bytes: stats.disk_bytes,
            lost_one_in,
            filters: stats.filters.into(),
        };
        self.with_names(|names| names.sieve = sieve);
    }

    pub(super) fn set_bench(&self, bench: BenchCounts, slowest: Option<Vec<SlowHost>>) {
        self.with_names(|names| {
            names.bench = bench;
            names.slowest = slowest.unwrap_or(std::mem::take(&mut names.slowest));
        });
    }

    pub(super) fn set_harvest(&self, harvest: Harvest) {
        self.with_names(|names| names.harvest = Some(harvest));
    }

    /// Nothing is left that promises enough.
    pub(super) fn end_harvest(&self) {
        self.with_names(|names| {
            if let Some(harvest) = &mut names.harvest {
                harvest.ended.get_or_insert(Ending::NothingPromising);
            }
        });
    }

    fn with_names(&self, change: impl FnOnce(&mut Names)) {
        change(&mut self.names.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn count(counts: &mut BTreeMap<String, u64>, name: &str, by: u64) {
    match counts.get_mut(name) {
        Some(count) => *count += by,
        None => drop(counts.insert(name.to_owned(), by)),
    }
}
