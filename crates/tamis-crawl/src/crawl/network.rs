//! The thread that talks: it takes the host whose turn it is, asks, and hands on what came.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crossbeam_channel::Sender;
use tokio::sync::Notify;
use tokio::task::LocalSet;

use super::again::Recrawl;
use super::attention::Worth;
use super::closed::Closed;
use super::cookie_file;
use super::frontier::Frontier;
use super::host_settings::SettingsFile;
use super::idle::IdleConnections;
use super::in_force::Forced;
use super::journal::Done;
use super::live::Live;
use super::progress::{BenchCounts, Progress, SlowHost};
use super::rules::Rules;
use super::slots::Slots;
use super::visit;
use super::work::Fetched;
use crate::fetch::proxy::stand_in;
use crate::fetch::{Failure, FetchConfig, Resolve, candidates_for};
use crate::sieve::UrlId;
use crate::workbench::{self, Again, HostId, Take, Workbench};
use crate::{Address, Error, Result};

/// How long the loop sleeps at most, and how often it tells of the hosts.
const TICK_MS: u64 = 100;
/// Addresses taken from the log in one turn of the loop.
const LOG_BATCH: usize = 1024;
/// How long after a failure a name server is asked again.
const DNS_AGAIN_MS: u64 = 30_000;
/// How often the slowest hosts are looked for, which takes a look at all, and how many.
const RANK_MS: u64 = 2_000;
const SLOWEST: usize = 5;
/// How often cookies and hosts that were given up are written down.
const SMALL_FILES_MS: u64 = 5_000;
/// Bytes of answers that may wait for the parsers before another visit begins.
const MOST_OUTSTANDING_BYTES: u64 = 256 << 20;
/// Pages read from archives in one turn of the loop.
const MOST_STORED: usize = 32;
/// Names asked for at once.
const MOST_RESOLVING: usize = 128;

/// What the network thread needs to know.
pub(super) struct NetworkOptions {
    /// The most visits at once.
    pub in_flight: usize,
    /// The most connections that wait for the next visit to their host.
    pub idle: usize,
    /// Whether all hosts compete for the next visit, those included that were never asked.
    pub is_ranked: bool,
    /// Exchanges that may wait for the parsers.
    pub most_outstanding: u64,
    /// How often an address is tried.
    pub tries: u8,
    /// How long a host is left alone after its first failure.
    pub failure_wait_ms: u64,
    /// When the crawl went on after an earlier run; 0 for a new one.
    pub restarted_ms: u64,
    /// Pages that may still be fetched.
    pub pages_left: u64,
    /// Settings per host, and rules added while the crawl runs.
    pub live: Arc<Live>,
    /// The longest `Crawl-delay` that is kept to.
    pub max_crawl_delay_ms: u64,
    /// Whether what name servers say is archived.
    pub dns_records: bool,
    /// The file of settings per host.
    pub settings_file: Option<PathBuf>,
    /// The collection, if the crawl takes commands at a socket there.
    pub control: Option<PathBuf>,
    /// Hosts whose `robots.txt` is not asked for: one's own.
    pub robots_off: Vec<String>,
    /// Where cookies are kept for the next run.
    pub cookies: PathBuf,
    /// Where hosts are told of that were given up.
    pub closed: PathBuf,
    /// What hosts are worth, in a crawl for an event.
    pub worth: Option<Arc<Worth>>,
    /// Which pages are fetched again.
    pub again: Option<Recrawl>,
}

/// The file of settings per host, and what became of it.
#[derive(Debug, Default)]
pub(super) struct WatchedSettings {
    pub file: Option<SettingsFile>,
    pub looked_ms: u64,
    pub read_ms: u64,
    pub error: Option<String>,
}

/// The state of the network thread. Everything on it runs on one thread, so cells are enough.
pub(super) struct Network {
    pub(super) bench: RefCell<Workbench>,
    pub(super) frontier: RefCell<Frontier>,
    pub(super) rules: RefCell<Rules>,
    pub(super) idle: RefCell<IdleConnections>,
    pub(super) slots: Slots,
    /// Requests for other origins' `robots.txt` that were redirected to a host.
    pub(super) errands: RefCell<HashMap<HostId, VecDeque<Errand>>>,
    /// Hosts that were given up.
    pub(super) closed: RefCell<Closed>,
    /// How often addresses were tried that failed.
    pub(super) tried: RefCell<HashMap<u64, u8>>,
    pub(super) config: FetchConfig,
    pub(super) resolver: Arc<dyn Resolve>,
    pub(super) options: NetworkOptions,
    pub(super) progress: Arc<Progress>,
    pub(super) pages_left: Cell<u64>,
    pub(super) forced: RefCell<Forced>,
    pub(super) settings: RefCell<WatchedSettings>,
    out: Sender<Fetched>,
    in_flight: Cell<usize>,
    resolving: Cell<usize>,
    pub(super) ended: Notify,
    failed: RefCell<Option<Error>>,
    told_ms: Cell<u64>,
    small_files_ms: Cell<u64>,
    ranked_ms: Cell<u64>,
    /// How often the addresses of hosts were asked for in vain.
    asked: RefCell<HashMap<HostId, u8>>,
    /// The longest delay that any origin of a host asks for; hosts that ask for none are not here.
    crawl_delays: RefCell<HashMap<HostId, u64>>,
}

/// A `robots.txt` to be fetched, of an origin that may not be the place where it is.
#[derive(Debug, Clone)]
pub(super) struct Errand {
    /// Whose rules they are.
    pub origin: Box<str>,
    /// Where they are.
    pub target: Address,
    /// Redirects followed.
    pub hops: usize,
}

impl Errand {
    /// Whether the host that is asked is that whose rules they are.
    pub(super) fn is_own(&self) -> bool {
        Address::parse(&self.origin).is_some_and(|origin| origin.host() == self.target.host())
    }
}

impl Network {
    /// The state of a thread that sends what it fetches to `out`.
    #[expect(clippy::too_many_arguments, reason = "it is put together once, of parts that are made apart")]
    pub(super) fn new(
        bench: Workbench,
        frontier: Frontier,
        rules: Rules,
        config: FetchConfig,
        resolver: Arc<dyn Resolve>,
        options: NetworkOptions,
        forced: Forced,
        closed: Closed,
        progress: Arc<Progress>,
        out: Sender<Fetched>,
    ) -> Self {
        Self {
            bench: RefCell::new(bench),
            frontier: RefCell::new(frontier),
            rules: RefCell::new(rules),
            idle: RefCell::new(IdleConnections::new(options.idle)),
            slots: Slots::new(options.in_flight.max(super::most_in_flight())),
            errands: RefCell::default(),
            closed: RefCell::new(closed),
            tried: RefCell::default(),
            config,
            resolver,
            pages_left: Cell::new(options.pages_left),
            forced: RefCell::new(forced),
            settings: RefCell::default(),
            options,
            progress,
            out,
            in_flight: Cell::new(0),
            resolving: Cell::new(0),
            ended: Notify::new(),
            failed: RefCell::new(None),
            told_ms: Cell::new(0),
            small_files_ms: Cell::new(0),
            ranked_ms: Cell::new(0),
            asked: RefCell::default(),
            crawl_delays: RefCell::default(),
        }
    }

    /// Crawls until nothing is left, or until it is asked to stop. Blocks the thread.
    pub(super) fn run(self) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(|source| Error::Io { path: "network".into(), source })?;
        let network = Rc::new(self);
        LocalSet::new().block_on(&runtime, network.turns())
    }

    async fn turns(self: Rc<Self>) -> Result<()> {
        self.begin_control()?;
        loop {
            self.take_failure()?;
            let is_ending = self.progress.is_stopping() || self.pages_left.get() == 0;
            let wait_ms = if is_ending { TICK_MS } else { self.begin()? };
            self.keep_small_files(is_ending)?;
            if self.is_over(is_ending) {
                if !is_ending && self.bench.borrow().has_entries() {
                    self.progress.end_harvest();
                }
                self.tell(now_ms());
                self.keep_small_files(true)?;
                return Ok(());
            }
            let nap = tokio::time::sleep(Duration::from_millis(wait_ms));
            tokio::select! {
                () = self.ended.notified() => {}
                () = self.progress.bell.notified() => {}
                () = nap => {}
            }
        }
    }

    /// Begins all that can begin now. Gives how long there is nothing more to begin, in milliseconds.
    fn begin(self: &Rc<Self>) -> Result<u64> {
        let now = now_ms();
        self.read_log(now)?;
        if let Some(worth) = &self.options.worth {
            worth.tell(&mut self.bench.borrow_mut());
        }
        self.read_settings(now);
        let is_paused = self.forced.borrow().paused;
        let wait_ms = if is_paused { TICK_MS } else { self.begin_visits(now) };
        // A host that nothing can be asked of yet waits without an IP address and without its rules: with many hosts and few pages fetched,
        // most requests would be for robots.txt files of hosts whose turn never comes.
        let free = self.most_in_flight().saturating_sub(self.in_flight.get());
        if !is_paused && (self.options.is_ranked || self.progress.is_hungry.load(Relaxed)) {
            let most = if self.options.is_ranked { MOST_RESOLVING } else { free.min(MOST_RESOLVING) };
            self.begin_resolving(most, now);
        }
        if now >= self.told_ms.get() + TICK_MS {
            self.tell(now);
            self.slots.judge(now);
            self.idle.borrow_mut().expire(now);
        }
        Ok(wait_ms)
    }

    fn read_log(&self, now: u64) -> Result<()> {
        if self.progress.outstanding.load(Relaxed) >= self.options.most_outstanding {
            return Ok(());
        }
        let mut frontier = self.frontier.borrow_mut();
        let mut bench = self.bench.borrow_mut();
        frontier.read(LOG_BATCH, &mut bench, |id, outcome| self.end(id, outcome, now))?;
        for _ in 0..MOST_STORED {
            if self.is_full() {
                break;
            }
            let Some((job, found)) = frontier.next_stored(&mut bench)? else { break };
            self.send(Fetched::Elsewhere { job, found: Box::new(found) });
        }
        Ok(())
    }

    /// Whether so much waits for the parsers that nothing more is to be begun.
    fn is_full(&self) -> bool {
        self.progress.outstanding.load(Relaxed) >= self.options.most_outstanding
            || self.progress.outstanding_bytes.load(Relaxed) >= MOST_OUTSTANDING_BYTES
    }

    fn begin_resolving(self: &Rc<Self>, most: usize, now: u64) {
        while self.resolving.get() < most {
            let mut bench = self.bench.borrow_mut();
            let Some(host) = bench.unresolved(now) else { return };
            let name = bench.name(host).to_owned();
            self.resolving.set(self.resolving.get() + 1);
            let network = Rc::clone(self);
            tokio::task::spawn_local(async move {
                let _task = Task { network: &network, count: &network.resolving };
                network.resolve(host, &name).await;
            });
        }
    }

    async fn resolve(&self, host: HostId, name: &str) {
        let found = match Address::parse(&format!("http://{name}/")) {
            // The proxy alone knows; a literal address is still checked as such.
            Some(address) if self.config.leaves_names_to_proxy() && address.ip().is_none() => {
                Ok(vec![SocketAddr::new(stand_in(name), address.port())])
            }
            Some(address) => candidates_for(&address, &*self.resolver, &self.config).await,
            None => Err(Failure::NoSuchHost),
        };
        let now = now_ms();
        if self.options.dns_records
            && found.is_ok()
            && let Some(lines) = self.resolver.zone(name).await
        {
            self.send(Fetched::Dns { host: name.to_owned(), lines, at_ms: now });
        }
        let mut bench = self.bench.borrow_mut();
        match found.map(|places| places[0].ip()) {
            Ok(ip) => bench.resolved(host, ip, now),
            Err(failure) => {
                self.progress.count_failure(failure.name());
                let asked = self
                    .asked
                    .borrow_mut()
                    .entry(host)
                    .and_modify(|asked| *asked += 1)
                    .or_insert(1)
                    .to_owned();
                let is_passing = failure == Failure::Dns && asked < self.options.tries;
                if is_passing {
                    bench.unresolvable(host, Again::At { ms: now + DNS_AGAIN_MS });
                } else {
                    bench.unresolvable(host, Again::Never);
                    self.closed.borrow_mut().add(name, Some(failure));
                    self.forget_errands(host);
                }
            }
        }
    }

    /// How many visits there may be now: what servers keep up with, and no more than the operator allows.
    fn most_in_flight(&self) -> usize {
        self.slots.limit().min(self.forced.borrow().most_in_flight())
    }

    fn begin_visits(self: &Rc<Self>, now: u64) -> u64 {
        while self.in_flight.get() < self.most_in_flight() && !self.is_full() {
            if let Some(until_ms) = self.forced.borrow().wait_until(now) {
                return until_ms.saturating_sub(now).clamp(1, TICK_MS);
            }
            match self.bench.borrow_mut().take(now) {
                Take::Visit(visit) => {
                    self.forced.borrow_mut().count_request(now);
                    self.in_flight.set(self.in_flight.get() + 1);
                    let network = Rc::clone(self);
                    tokio::task::spawn_local(async move {
                        let _task = Task { network: &network, count: &network.in_flight };
                        visit::pay(&network, visit).await;
                    });
                }
                Take::Wait { until_ms } => {
                    self.progress.is_hungry.store(true, Release);
                    return until_ms.saturating_sub(now).clamp(1, TICK_MS);
                }
                Take::Idle | Take::Busy => {
                    self.progress.is_hungry.store(true, Release);
                    return TICK_MS;
                }
            }
        }
        if !self.is_full() {
            self.slots.hold_back();
        }
        self.progress.is_hungry.store(false, Release);
        TICK_MS
    }

    /// Whether nothing is under way and nothing more will come.
    fn is_over(&self, is_ending: bool) -> bool {
        if self.in_flight.get() > 0 || self.resolving.get() > 0 {
            return false;
        }
        if is_ending {
            return true;
        }
        let is_kept =
            self.progress.outstanding.load(Acquire) == 0 && self.progress.pending.load(Acquire) == 0;
        is_kept && self.frontier.borrow().is_at_end() && self.bench.borrow().is_idle()
    }

    /// Hands something on. Waits if the parsers are behind; they never wait for this thread.
    pub(super) fn send(&self, fetched: Fetched) {
        self.progress.outstanding.fetch_add(1, Release);
        self.progress.outstanding_bytes.fetch_add(fetched.len_bytes(), Relaxed);
        if self.out.send(fetched).is_err() {
            // The parsers are gone: whatever ended them is told by them.
            self.progress.outstanding.fetch_sub(1, Release);
            self.progress.stop();
        }
    }

    /// An address is done with, without an answer.
    pub(super) fn end(&self, id: u64, outcome: u16, now: u64) {
        let tries = self.tried.borrow_mut().remove(&id).unwrap_or(0);
        let done = Done::without_answer(UrlId(id), outcome, now, tries);
        self.send(Fetched::Ended(done));
    }

    /// The delay between requests that a host is known to ask for.
    pub(super) fn crawl_delay_ms(&self, host: HostId) -> u64 {
        self.crawl_delays.borrow().get(&host).copied().unwrap_or(0)
    }

    /// Learns what one origin of a host asks for; gives the longest of all.
    pub(super) fn learn_crawl_delay(&self, host: HostId, delay_ms: u64) -> u64 {
        if delay_ms == 0 {
            return self.crawl_delay_ms(host);
        }
        let mut delays = self.crawl_delays.borrow_mut();
        let known = delays.entry(host).or_default();
        *known = delay_ms.max(*known);
        *known
    }

    /// A host is closed: the rules that it was to give are out of reach.
    pub(super) fn forget_errands(&self, host: HostId) {
        for errand in self.errands.borrow_mut().remove(&host).unwrap_or_default() {
            self.rules.borrow_mut().set_unreachable(&errand.origin, true);
        }
    }

    pub(super) fn fail(&self, error: impl Into<Error>) {
        self.failed.borrow_mut().get_or_insert(error.into());
        self.ended.notify_one();
    }

    fn take_failure(&self) -> Result<()> {
        self.failed.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// Writes cookies and hosts that were given up down, if there are new ones: now and then, and at the end.
    fn keep_small_files(&self, is_end: bool) -> Result<()> {
        let now = now_ms();
        if !is_end && now < self.small_files_ms.get() + SMALL_FILES_MS {
            return Ok(());
        }
        self.small_files_ms.set(now);
        self.closed.borrow_mut().keep(&self.options.closed)?;
        let Some(text) = self.config.changed_cookies() else { return Ok(()) };
        cookie_file::replace(&self.options.cookies, text.as_bytes())
    }

    fn tell(&self, now: u64) {
        self.told_ms.set(now);
        let bench = self.bench.borrow();
        let counts = bench.counts(now);
        let slowest = (now >= self.ranked_ms.get() + RANK_MS).then(|| {
            self.ranked_ms.set(now);
            let named = |slow: &workbench::SlowHost| SlowHost {
                host: bench.name(slow.host).to_owned(),
                queued: slow.queued,
                delay_ms: u64::from(slow.last_visit_ms) + u64::from(slow.last_delay_ms),
            };
            bench.slowest(SLOWEST).iter().map(named).collect()
        });
        self.progress.set_bench(BenchCounts::of(&counts), slowest);
        drop(bench);
        self.progress.set_in_force(self.in_force());
    }
}

/// Counts a task as ended when it ends, however that is: the runtime takes panics for itself.
struct Task<'n> {
    network: &'n Network,
    count: &'n Cell<usize>,
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        self.count.set(self.count.get() - 1);
        if std::thread::panicking() {
            self.network.fail(Error::Panicked);
        }
        self.network.ended.notify_one();
    }
}

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
