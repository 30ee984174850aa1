//! The crawl itself: threads, files, and how it goes on after a kill.
//!
//! One thread talks to servers (`network`), some parse and pack (`parser`), one writes (`keeper`). What is written
//! has an order: records go to the archive, then links to the sieve, then a line to the `journal`. So after a kill at
//! any moment the archive is the truth: what stands there behind the last line of the journal is read again
//! (`restart`), and nothing that was archived is fetched twice. The files are described in `docs/formats/frontier.md`.
//!
//! Memory: the sieve's and the queues' as set, some 300 bytes per host, 80 MiB for payloads, texts and links seen, some 60 bytes for each page
//! that the other of crawling and fetching brought, and per visit in flight 384 KiB: buffers of its connection and the first 256 KiB of its
//! response. The rest of a larger response goes to a temporary file in the folder of the frontier. It has no name, so that a kill leaves
//! nothing of it. A parser takes some ten times the first 8 MiB of a page.

mod again;
mod attention;
mod change_rate;
mod closed;
#[cfg(unix)]
mod control;
mod cookie_file;
mod crawl_log;
mod elsewhere;
mod ends;
mod follow;
mod frontier;
mod host_settings;
mod idle;
mod in_force;
mod index;
mod journal;
mod keep_filter;
mod keeper;
mod known;
mod left;
mod live;
mod logged;
mod machine;
mod network;
mod novelty;
mod options;
mod outcome;
mod page_texts;
mod parser;
mod progress;
mod reconsider;
mod records;
mod remembered;
mod restart;
mod rules;
mod run;
mod seen_payloads;
mod slots;
mod steer;
mod unfollowed;
mod visit;
mod work;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use tamis_archive::write::{Recovery, RollingOptions, RollingWriter, WriterOptions, recover_open};
use tamis_collection::links;
use tamis_collection::relevance::{self, Torn};
use tamis_page::date::Date;

use crate::fetch::{FetchConfig, Spool};
use crate::focus::{FocusOptions, Judge};
use crate::page::NearDuplicates;
use crate::scope::{Growth, Scope, Templates};
use crate::sieve::{self, Durability, Note, SieveOptions};
use crate::spares::Spares;
use crate::workbench::{self, Order, Politeness, Workbench};
use crate::{Error, Result};
use again::{Recrawl, Visits};
use attention::Attention;
use closed::Closed;
use crawl_log::CrawlLog;
use elsewhere::Elsewhere;
use follow::Follow;
use frontier::Frontier;
use in_force::Forced;
use index::ArchiveIndex;
use keeper::{Flushed, Keeper};
use known::Imported;
use live::Live;
use network::{Network, NetworkOptions, now_ms};
use novelty::Novelty;
use parser::Parser;
use reconsider::Reconsider;
use restart::{Past, Tail};
use rules::Rules;
use seen_payloads::SeenPayloads;
use work::{Fetched, Finished, FinishedPage};

pub use again::{ChangedUrl, changes};
pub use change_rate::{AgainOptions, Changes};
#[cfg(unix)]
pub use control::{Command, ControlError, control};
pub use host_settings::{HostRules, HostSettings, HostSettingsError};
pub use in_force::{Change, InForce};
pub use index::Indexed;
pub use keep_filter::{KeepFilter, MediaPattern, NoMediaType};
pub use left::{Left, LeftUrl, ended, figures, left};
pub use machine::most_in_flight;
pub use options::{CrawlOptions, NearPolicy, Operation};
pub use page_texts::page_texts;
pub use progress::{BenchCounts, Progress, SieveCounts, SlowHost, Snapshot, Sums};
pub use reconsider::Reconsidered;
pub use remembered::{Begun, Status, replace};
pub use run::{End, Ended, Run, Tick};
pub use unfollowed::{Unfollowed, unfollowed};

/// Memory for payloads that were stored.
const SEEN_BYTES: usize = 32 << 20;
/// Texts that are remembered, of 100 bytes or so each.
const NEAR_PAGES: usize = 256 << 10;
/// Bits in which the fingerprints of near texts may differ.
const NEAR_BITS: u32 = 3;
/// Exchanges between two threads, at most.
const CHANNEL: usize = 512;
/// How long and how often a parser without work sleeps before it waits to be woken.
const NAP: Duration = Duration::from_millis(1);
const NAPS: u32 = 8;
/// Exchanges that are not written yet, at most, before another visit begins: what a kill may cost, beside those in flight.
const MOST_OUTSTANDING: u64 = 128;
/// Addresses of a host whose order is exact in a crawl for an event, as far as memory allows.
const SCORED_HEAD: usize = 512;
/// The most bytes of a page that are parsed.
const PARSED_BYTES: usize = 16 << 20;

/// A crawl that is ready to run.
///
/// ```
/// use std::sync::Arc;
/// use tamis_crawl::Address;
/// use tamis_crawl::crawl::{Crawl, CrawlOptions, Folders};
/// use tamis_crawl::fetch::{FetchOptions, Hosts};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// // No host has an IP address here, so the crawl ends without a page. `SystemResolver` asks the DNS.
/// let hosts = Arc::new(Hosts::parse("")?);
/// let options = CrawlOptions {
///     seeds: Address::parse("http://example.org/").into_iter().collect(),
///     tries: 1,
///     ..CrawlOptions::new("mybot", FetchOptions::new("mybot/1.0 (+mailto:me@example.org)"), hosts)
/// };
/// let crawl = Crawl::open(&Folders::of(folder), &options, None)?;
/// let progress = crawl.progress();
/// crawl.run()?;
/// assert_eq!(progress.snapshot().sums.pages, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Crawl {
    network: Network,
    keeper: Keeper,
    parsers: Vec<Parser>,
    fetched: Receiver<Fetched>,
    progress: Arc<Progress>,
    torn: Vec<(PathBuf, u64)>,
    reconsidered: Option<Reconsidered>,
}

/// The folders of a crawl within its collection.
#[derive(Debug, Clone)]
pub struct Folders {
    /// Where archives go.
    pub archive: PathBuf,
    /// Where its own state is.
    pub frontier: PathBuf,
}

/// The state of a crawl, and that of fetching lists of addresses.
const CRAWL: &str = "frontier";
const FETCH: &str = "frontier-fetch";

impl Folders {
    /// Those of a collection.
    pub fn of(collection: &Path) -> Self {
        Self { archive: collection.join("archive"), frontier: collection.join(CRAWL) }
    }

    /// Those of fetching lists of addresses into a collection: what a crawl has yet to do is not theirs.
    pub fn of_fetch(collection: &Path) -> Self {
        Self { frontier: collection.join(FETCH), ..Self::of(collection) }
    }

    /// Those of the other of the two, if it has done anything: it may have the same pages, and have visited the same hosts a moment ago.
    fn other(&self) -> Option<Self> {
        let other = if self.frontier.file_name()? == CRAWL { FETCH } else { CRAWL };
        let other = Self { frontier: self.frontier.with_file_name(other), archive: self.archive.clone() };
        Some(other).filter(Self::has_crawl)
    }

    /// Whether a crawl was begun here.
    pub fn has_crawl(&self) -> bool {
        self.journal().exists()
    }

    /// The log of relevance of a crawl for an event.
    pub fn relevance(&self) -> PathBuf {
        self.archive.with_file_name(relevance::FILE)
    }

    fn journal(&self) -> PathBuf {
        self.frontier.join("done")
    }

    fn sieve(&self) -> PathBuf {
        self.frontier.join("sieve")
    }
}

impl Crawl {
    /// Begins a crawl in these folders, or goes on with the one that is there. `earlier` is what its last run counted.
    pub fn open(folders: &Folders, options: &CrawlOptions, earlier: Option<&Snapshot>) -> Result<Self> {
        Self::open_with(folders, options, None, earlier)
    }

    /// The same for an event: pages and links are judged by its model, and what is found of pages is logged in the file
    /// [`relevance::FILE`] beside the folder of archives.
    pub fn open_focused(
        folders: &Folders,
        options: &CrawlOptions,
        focus: &FocusOptions,
        earlier: Option<&Snapshot>,
    ) -> Result<Self> {
        Self::open_with(folders, options, Some(focus), earlier)
    }

    fn open_with(
        folders: &Folders,
        options: &CrawlOptions,
        focus: Option<&FocusOptions>,
        earlier: Option<&Snapshot>,
    ) -> Result<Self> {
        if let Some(collection) = folders.archive.parent() {
            links::check(collection)?;
        }
        for folder in [&folders.archive, &folders.frontier] {
            fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
        }
        let other = folders.other();
        let is_begun = folders.has_crawl() || other.is_some();
        let progress = Arc::new(Progress::default());
        let (mut seen, mut near) =
            (SeenPayloads::new(SEEN_BYTES), NearDuplicates::new(NEAR_PAGES, NEAR_BITS));
        let torn = close_open(&folders.archive)?;
        let visits = options.again.map(|_| Visits::default());
        let (mut past, journal) =
            Past::read(&folders.journal(), &folders.archive, visits, &mut seen, &mut near)?;
        let mut elsewhere = Elsewhere::default();
        if let Some(other) = other {
            past.heed_waits(&other.journal())?;
            elsewhere = Elsewhere::read(&other)?;
        }
        if options.retry_failed {
            past.done.forget(outcome::is_failed);
        }
        let tail = past.tail(&folders.archive, &options.prefix)?;
        progress.add_earlier(&past.snapshot(earlier));
        let templates = Arc::new(Templates::new(&options.scope.traps));
        let novelty = Novelty::new(near, Arc::clone(&templates));
        let mut keeper = keeper(folders, options, &past, journal, novelty, seen, &progress)?;
        if let Some(focus) = focus {
            let is_done = |id| past.done.of(id).is_some();
            keeper.attention = Some(Attention::open(&folders.relevance(), focus, is_done)?);
            keeper.attend()?;
        }
        let spares = Arc::default();
        let assembly = Assembly {
            folders,
            options,
            focus,
            past,
            tail,
            elsewhere,
            keeper,
            templates,
            progress,
            is_begun,
            spares,
        };
        Ok(Self { torn, ..assembly.crawl()? })
    }

    /// What a kill or a damaged disk left behind the last sound record of an archive: where it is kept now, and its length.
    pub fn torn(&self) -> &[(PathBuf, u64)] {
        &self.torn
    }

    /// The line that a kill left unfinished in the log of relevance, and that was cut off it.
    pub fn torn_relevance(&self) -> Option<Torn> {
        self.keeper.attention.as_ref().and_then(Attention::torn)
    }

    /// What a look at the archived pages brought, if the scope is another than in the run before.
    pub fn reconsidered(&self) -> Option<Reconsidered> {
        self.reconsidered
    }

    /// The counters, and the way to stop it.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// Crawls until nothing is left or it is stopped. What is in flight is finished, everything is on the disk. Gives the archives
    /// that it wrote, with their indexes.
    pub fn run(self) -> Result<Vec<Indexed>> {
        let Self { network, keeper, parsers, fetched, progress, .. } = self;
        let (to_keeper, finished) = bounded::<Finished>(CHANNEL);
        thread::scope(|scope| {
            let told = &progress;
            // The thread owns its end of the channel: when it fails, the parsers hear of it.
            let keeping = scope.spawn(move || {
                let _guard = StopAtPanic(told);
                stop_at_error(keeper.run(&finished), told)
            });
            let parsing: Vec<_> = parsers
                .into_iter()
                .map(|parser| {
                    let (from, to, progress) = (fetched.clone(), to_keeper.clone(), &progress);
                    scope.spawn(move || {
                        let _guard = StopAtPanic(progress);
                        stop_at_error(parse(parser, &from, &to, progress), progress)
                    })
                })
                .collect();
            drop((to_keeper, fetched));
            let talked = network.run();
            let parsed = parsing.into_iter().try_for_each(join);
            let indexed = join(keeping)?;
            parsed.and(talked).map(|()| indexed)
        })
    }
}

fn parse(
    mut parser: Parser,
    from: &Receiver<Fetched>,
    to: &Sender<Finished>,
    progress: &Progress,
) -> Result<()> {
    while let Some(fetched) = receive(from) {
        let len_bytes = fetched.len_bytes();
        let finished = parser.finish(fetched)?;
        progress.outstanding_bytes.fetch_sub(len_bytes, std::sync::atomic::Ordering::Relaxed);
        if to.send(finished).is_err() {
            // The keeper has ended, and tells why.
            break;
        }
    }
    Ok(())
}

/// The next message, if there will be one. Who waits a little before being woken is woken for a burst, not for each.
fn receive<T>(from: &Receiver<T>) -> Option<T> {
    for _ in 0..NAPS {
        match from.try_recv() {
            Ok(message) => return Some(message),
            Err(TryRecvError::Empty) => thread::sleep(NAP),
            Err(TryRecvError::Disconnected) => return None,
        }
    }
    from.recv().ok()
}

/// A thread that panics ends the crawl; the panic is told when the thread is joined.
struct StopAtPanic<'a>(&'a Progress);

impl Drop for StopAtPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Closes the archives that a kill left open.
fn close_open(archive: &Path) -> Result<Vec<(PathBuf, u64)>> {
    let torn = recover_open(archive)?.into_iter().filter_map(|recovered| match recovered.recovery {
        Recovery::Cut { torn, torn_bytes, .. } => Some((torn, torn_bytes)),
        _ => None,
    });
    Ok(torn.collect())
}

fn stop_at_error<T>(result: Result<T>, progress: &Progress) -> Result<T> {
    if result.is_err() {
        progress.stop();
    }
    result
}

fn join<T>(thread: thread::ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn keeper(
    folders: &Folders,
    options: &CrawlOptions,
    past: &Past,
    journal: journal::Journal,
    novelty: Novelty,
    seen: SeenPayloads,
    progress: &Arc<Progress>,
) -> Result<Keeper> {
    let sieve_options = SieveOptions {
        memory_bytes: options.sieve_memory,
        expected_urls: options.expected_urls,
        durability: Durability::Kill,
    };
    let sieve = sieve::open(options.sieve, &folders.sieve(), sieve_options)?;
    if sieve.urls() == 0 && !past.done.is_empty() {
        let what = "it has no URLs, but according to the journal some were fetched";
        return Err(Error::Damaged { path: folders.sieve(), offset: 0, what });
    }
    let rolling = RollingOptions {
        first_serial: past.archives.len() as u32,
        max_bytes: options.archive_bytes,
        names_warcinfo: true,
        warcinfo: options.warcinfo.clone(),
        writer: writer_options(options),
        ..RollingOptions::new(&folders.archive, &options.prefix, records::moment(now_ms()).to_seconds())
    };
    let warcinfo = RollingOptions::warcinfo_id(&rolling.file_name(rolling.first_serial));
    Ok(Keeper {
        archive: RollingWriter::new(rolling)?,
        index: ArchiveIndex::new(&folders.frontier.join("index.tmp"))?,
        journal,
        sieve,
        sieve_kind: options.sieve,
        novelty,
        near_policy: options.near_duplicates,
        attention: None,
        seen: Arc::new(Mutex::new(seen)),
        progress: Arc::clone(progress),
        next_file: past.archives.len() as u32,
        serial: None,
        records: Vec::new(),
        flushed: Flushed::never(),
        warcinfo: Arc::new(Mutex::new(warcinfo)),
        log: options
            .operation
            .crawl_log
            .then(|| CrawlLog::open(&folders.archive.with_file_name("")))
            .transpose()?,
    })
}

fn writer_options(options: &CrawlOptions) -> WriterOptions {
    WriterOptions { compression: options.compression.clone(), ..WriterOptions::default() }
}

/// What can change while a crawl runs, as it is at the start.
fn live(options: &CrawlOptions) -> Result<Arc<Live>> {
    let settings = options.operation.host_settings.as_deref();
    let settings = settings.map(HostSettings::read).transpose()?.unwrap_or_default();
    Ok(Arc::new(Live::new(settings)))
}

/// Which links are followed, whatever they promise.
fn follow(options: &CrawlOptions, live: Arc<Live>) -> Follow {
    Follow {
        live,
        scope: Scope::new(options.scope.clone(), &options.seeds, today()),
        agent: options.agent.clone(),
        requisites: options.requisites,
        sitemaps: options.sitemaps,
        max_hops: options.max_redirects.min(Note::MOST_HOPS),
        keywords: options.keywords.iter().map(|word| word.to_lowercase()).collect(),
        judge: None,
        most_bytes: PARSED_BYTES,
        lists_refused: false,
    }
}

/// The parts of a crawl on the way to being one.
struct Assembly<'a> {
    folders: &'a Folders,
    options: &'a CrawlOptions,
    focus: Option<&'a FocusOptions>,
    past: Past,
    tail: HashMap<String, Tail>,
    elsewhere: Elsewhere,
    keeper: Keeper,
    templates: Arc<Templates>,
    progress: Arc<Progress>,
    is_begun: bool,
    /// Memory of responses.
    spares: Arc<Spares>,
}

impl Assembly<'_> {
    fn crawl(mut self) -> Result<Crawl> {
        let options = self.options;
        let mut frontier = Frontier::new(
            self.keeper.sieve.log(),
            Growth::new(&options.scope),
            Arc::clone(&self.templates),
            std::mem::take(&mut self.elsewhere),
        );
        let live = live(options)?;
        let follow =
            Arc::new(Follow { judge: self.focus.map(Judge::new), ..follow(options, Arc::clone(&live)) });
        let parsers: Result<Vec<Parser>> =
            (0..options.parsers.max(1)).map(|_| self.parser(&follow)).collect();
        let mut parsers = parsers?;
        let mut bench = self.bench()?;
        let again = self.again()?;
        let archived = self.restore(&mut frontier, &mut bench, &mut parsers[0], again.as_ref())?;
        let found = std::mem::take(&mut self.past.found);
        self.keeper.keep_archived(&found, archived)?;
        // Before the links of stored pages: one that is a seed, too, has the score of a seed.
        self.offer_seeds(&follow.scope)?;
        self.keeper.flush()?;
        let reconsidered = self.reconsider(&follow, &mut frontier, &mut parsers[0])?;
        let (to_parsers, fetched) = bounded(CHANNEL);
        self.keeper.tell_sieve();
        let network = self.network(bench, frontier, again, live, to_parsers)?;
        Ok(Crawl {
            network,
            keeper: self.keeper,
            parsers,
            fetched,
            progress: self.progress,
            torn: Vec::new(),
            reconsidered,
        })
    }

    fn parser(&self, follow: &Arc<Follow>) -> Result<Parser> {
        let seen = Arc::clone(&self.keeper.seen);
        let writer = WriterOptions {
            spool_folder: Some(self.folders.frontier.clone()),
            ..writer_options(self.options)
        };
        let warcinfo = Arc::clone(&self.keeper.warcinfo);
        let (spares, filter) = (Arc::clone(&self.spares), self.options.operation.keep.clone());
        Parser::new(Arc::clone(follow), writer, seen, self.keeper.sieve.log(), warcinfo, filter, spares)
    }

    fn bench(&self) -> Result<Workbench> {
        let (options, plain) = (self.options, workbench::Config::default());
        let config = workbench::Config {
            order: self.order(),
            least: self.focus.map_or(0.0, FocusOptions::least),
            head_entries: if self.focus.is_some() { SCORED_HEAD } else { plain.head_entries },
            host: options.host_politeness,
            ip: options.ip_politeness,
            backoff: options.backoff,
            memory_bytes: options.queue_memory,
        };
        let scratch = self.folders.frontier.join("queues.tmp");
        let mut bench = Workbench::create(&scratch, config).map_err(|source| Error::io(&scratch, source))?;
        if self.is_begun {
            // Nobody knows when requests ended that were in flight at a kill: as if they had ended now.
            let longest_ms =
                longest_delay_ms(options.host_politeness).max(longest_delay_ms(options.ip_politeness));
            bench.delay_all(now_ms() + longest_ms);
        }
        Ok(bench)
    }

    fn order(&self) -> Order {
        match self.focus {
            Some(focus) => focus.strategy.order(),
            None if self.options.keywords.is_empty() => Order::Fifo,
            None => Order::Scored,
        }
    }

    /// Which pages are fetched again, if any are.
    fn again(&mut self) -> Result<Option<Recrawl>> {
        let Some((options, visits)) = self.options.again.zip(self.past.visits.take()) else {
            return Ok(None);
        };
        let root = self.folders.archive.parent();
        let imported = root.map(Imported::open).transpose()?.flatten();
        Ok(Some(Recrawl::new(options, visits, self.past.archives.clone(), imported, now_ms())))
    }

    /// Fills the queues from the log. Gives the pages that were archived and not accounted for.
    fn restore(
        &mut self,
        frontier: &mut Frontier,
        bench: &mut Workbench,
        parser: &mut Parser,
        again: Option<&Recrawl>,
    ) -> Result<Vec<(FinishedPage, u32, u64)>> {
        let (past, tail) = (&self.past, &mut self.tail);
        let (mut archived, mut waits) = (Vec::new(), Vec::new());
        frontier.restore(
            bench,
            |id| past.done.of(id),
            |id| again.is_some_and(|again| again.is_due(id)),
            |job| {
                let Some(found) = tail.remove(job.address.as_str()) else { return false };
                if matches!(found.head.status(), Some(429 | 503) | None) {
                    waits.extend(
                        found.wait_until_ms().map(|until_ms| (job.address.host().to_owned(), until_ms)),
                    );
                    return false;
                }
                let page = parser.archived(job.clone(), found.began_ms, &found.head, &found.raw_body);
                archived.push((page, found.file, found.offset));
                true
            },
        )?;
        let now = now_ms();
        let known = self.past.waits.iter().map(|(host, until_ms)| (host.clone(), *until_ms));
        for (host, until_ms) in known.chain(waits).filter(|(_, until_ms)| *until_ms > now) {
            bench.delay_host(&host, until_ms);
        }
        Ok(archived)
    }

    /// Looks for links that were refused by another scope than that of now.
    fn reconsider(
        &mut self,
        follow: &Follow,
        frontier: &mut Frontier,
        parser: &mut Parser,
    ) -> Result<Option<Reconsidered>> {
        let path = reconsider::stated_path(self.folders);
        let included = follow.live.settings().include_hash();
        let stated = reconsider::stated(self.options, &follow.scope, included);
        if !reconsider::is_changed(&path, &stated)? {
            return Ok(None);
        }
        let mut told = None;
        if self.past.done.responses() > 0 {
            let known = self.keeper.sieve.urls();
            let archives = &self.past.archives;
            let (keeper, policy) = (&mut self.keeper, self.options.near_duplicates);
            let reconsider = Reconsider { archives, frontier, parser, keeper, policy };
            let found = reconsider.run(&self.folders.journal())?;
            self.keeper.flush()?;
            told = Some(Reconsidered { addresses: self.keeper.sieve.urls() - known, ..found });
        }
        // Else a kill before the next commit would leave the links behind.
        self.keeper.sieve.settle(Durability::Kill)?;
        replace(&path, stated.as_bytes())?;
        Ok(told)
    }

    /// Seeds that a rule leaves out are left out, too.
    fn offer_seeds(&mut self, scope: &Scope) -> Result<()> {
        for seed in self.options.seeds.iter().filter(|seed| scope.decide(seed, 0, None).is_take()) {
            let seed = scope.options().canonical.apply(seed.clone());
            self.keeper.sieve.offer(seed.as_str(), Note { score: 1.0, ..Note::default() })?;
        }
        Ok(())
    }

    fn network(
        &mut self,
        bench: Workbench,
        frontier: Frontier,
        again: Option<Recrawl>,
        live: Arc<Live>,
        out: Sender<Fetched>,
    ) -> Result<Network> {
        let options = self.options;
        let mut rules = Rules::new(&options.agent, std::mem::take(&mut self.past.archives));
        self.past.robots.drain(..).for_each(|line| rules.remember(line));
        let config = FetchConfig::new(&options.fetch)?
            .with_spool(Spool { folder: self.folders.frontier.clone(), spares: Arc::clone(&self.spares) });
        let pages = self.progress.counts.sums().fetched();
        let network = NetworkOptions {
            in_flight: options.in_flight.max(1),
            idle: machine::most_idle(options.in_flight.max(1)),
            is_ranked: self.order() == Order::Scored,
            most_outstanding: MOST_OUTSTANDING,
            tries: options.tries.max(1),
            failure_wait_ms: options.backoff.base_ms,
            pages_left: options.max_pages.min(options.total_pages.saturating_sub(pages)),
            restarted_ms: if self.is_begun { now_ms() } else { 0 },
            live,
            settings_file: options.operation.host_settings.clone(),
            max_crawl_delay_ms: options.operation.max_crawl_delay_ms,
            dns_records: options.operation.dns_records,
            control: options.operation.control.then(|| self.folders.archive.with_file_name("")),
            robots_off: options.robots_off.clone(),
            cookies: cookie_file::path(&self.folders.frontier),
            closed: closed::path(&self.folders.frontier),
            worth: self.keeper.attention.as_ref().map(Attention::worth),
            again,
        };
        config.throttle().set(options.operation.bandwidth);
        let forced = Forced::new(
            network.in_flight,
            options.host_politeness,
            options.ip_politeness,
            options.operation.rate_milli,
            config.throttle().clone(),
        );
        config.read_cookies(&cookie_file::read(&network.cookies)?);
        let (resolver, progress) = (Arc::clone(&options.resolver), Arc::clone(&self.progress));
        let closed = Closed::read(&network.closed)?;
        Ok(Network::new(bench, frontier, rules, config, resolver, network, forced, closed, progress, out))
    }
}

/// The wait after the longest visit that politeness knows of.
fn longest_delay_ms(politeness: Politeness) -> u64 {
    match politeness {
        Politeness::Fixed { delay_ms } => delay_ms,
        Politeness::Share { slice_ms, .. } => politeness.delay_ms(slice_ms),
    }
}

fn today() -> Date {
    let days = i32::try_from(now_ms() / (24 * 3600 * 1000)).unwrap_or(0);
    Date::from_unix_days(days).or(Date::new(1970, 1, 1)).expect("1970 is a year like any other")
}
