//! A run of a crawl, from opening it to how it ended. Its status is kept in `status.json` all the while.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::network::now_ms;
use super::remembered::{FAILED, RUNNING};
use super::{Crawl, CrawlOptions, Folders, Indexed, Progress, Snapshot, Status};
use crate::fetch::Failure;
use crate::focus::{Ending, FocusOptions};
use crate::{Error, Result};

/// How often the watcher sees figures, and how often they are written.
const SHOW_EVERY: Duration = Duration::from_millis(500);
const WRITE_EVERY: Duration = Duration::from_secs(2);

/// A crawl that is open, with what it needs to keep its status.
pub struct Run {
    crawl: Crawl,
    keep: StatusKeeper,
    max_pages: u64,
    total_pages: u64,
}

/// How a run ended that met no error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Everything was fetched.
    Finished,
    /// It has as many pages as were asked for.
    Limit,
    /// The watcher stopped it.
    Stopped,
    /// Too few of the last pages were relevant.
    HarvestFloor,
    /// No link that is left promises enough.
    NothingPromising,
    /// Nothing was fetched, because all that was left is in private networks, and these are not allowed.
    NotPermitted,
}

/// What became of a run.
pub struct Ended {
    /// The archives it wrote, or what stopped it.
    pub archives: Result<Vec<Indexed>>,
    /// How it ended; none if it failed.
    pub end: Option<End>,
    /// The figures before it.
    pub before: Snapshot,
    /// The figures after it.
    pub after: Snapshot,
    /// Whether the last status could be written.
    pub status: Result<()>,
}

/// What the watcher of a run is called with.
pub enum Tick<'t> {
    /// The figures by now.
    Figures(&'t Snapshot),
    /// Something that people should know.
    Notice(&'t str),
    /// The status could not be written; the crawl goes on.
    StatusFailed(&'t Error),
}

struct StatusKeeper {
    folders: Folders,
    started: Instant,
    before: Snapshot,
}

impl End {
    /// Its name, as `status.json` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Limit => "limit",
            Self::Stopped => "stopped",
            Self::HarvestFloor => "harvest floor",
            Self::NothingPromising => "no promising links left",
            Self::NotPermitted => "waiting for permission",
        }
    }
}

impl Ended {
    /// The state that the status tells.
    pub fn state(&self) -> &'static str {
        self.end.map_or(FAILED, End::name)
    }
}

impl Run {
    /// Begins a crawl in these folders, or goes on with the one that is there. For an event, pages are judged by the model of `focus`.
    /// `started` is when the run began for those who look at its status.
    pub fn open(
        folders: &Folders,
        options: &CrawlOptions,
        focus: Option<&FocusOptions>,
        started: Instant,
    ) -> Result<Self> {
        let earlier = Status::read(folders)?.map(|status| status.figures);
        let known = earlier.clone().unwrap_or_default();
        let mut keep = StatusKeeper { folders: folders.clone(), started, before: known };
        // To open a large crawl takes time.
        keep.write(RUNNING, &keep.before)?;
        let opened = match focus {
            Some(focus) => Crawl::open_focused(folders, options, focus, earlier.as_ref()),
            None => Crawl::open(folders, options, earlier.as_ref()),
        };
        let crawl = opened.or_else(|error| keep.write(FAILED, &keep.before).and(Err(error)))?;
        keep.before = crawl.progress().snapshot();
        let (max_pages, total_pages) = (options.max_pages, options.total_pages);
        Ok(Self { crawl, keep, max_pages, total_pages })
    }

    /// The crawl that was opened.
    pub fn crawl(&self) -> &Crawl {
        &self.crawl
    }

    /// Crawls on a thread of its own, until nothing is left or `is_stopped` says so. `watch` is called every half second.
    pub fn watched(self, is_stopped: impl Fn() -> bool, mut watch: impl FnMut(Tick<'_>)) -> Result<Ended> {
        let Self { crawl, keep, max_pages, total_pages } = self;
        keep.write(RUNNING, &keep.before)?;
        let progress = crawl.progress();
        let archives = keep.watch(crawl, &progress, &is_stopped, &mut watch);
        let after = progress.snapshot();
        let pages = after.sums.fetched();
        let is_limit = pages.saturating_sub(keep.before.sums.fetched()) >= max_pages || pages >= total_pages;
        let end = archives.is_ok().then(|| match after.harvest.as_ref().and_then(|harvest| harvest.ended) {
            _ if is_stopped() || progress.is_told_to_stop() => End::Stopped,
            _ if is_limit => End::Limit,
            Some(Ending::HarvestFloor) => End::HarvestFloor,
            Some(Ending::NothingPromising) => End::NothingPromising,
            None if is_not_permitted(&keep.before, &after) => End::NotPermitted,
            None => End::Finished,
        });
        let status = keep.write(end.map_or(FAILED, End::name), &after);
        Ok(Ended { archives, end, before: keep.before, after, status })
    }
}

/// Whether a run fetched nothing, and hosts were refused because of their addresses.
fn is_not_permitted(before: &Snapshot, after: &Snapshot) -> bool {
    let refused =
        |snapshot: &Snapshot| snapshot.failures.get(Failure::AddressRefused.name()).copied().unwrap_or(0);
    after.sums.responses == before.sums.responses && refused(after) > refused(before)
}

impl StatusKeeper {
    fn watch(
        &self,
        crawl: Crawl,
        progress: &Progress,
        is_stopped: &impl Fn() -> bool,
        watch: &mut impl FnMut(Tick<'_>),
    ) -> Result<Vec<Indexed>> {
        let (done, ended) = channel();
        thread::scope(|scope| {
            let crawling = scope.spawn(move || {
                let result = crawl.run();
                // Nobody listens only if the watcher is gone, and it waits for this.
                let _ = done.send(());
                result
            });
            let mut written = Instant::now();
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(SHOW_EVERY) {
                if is_stopped() {
                    progress.stop();
                }
                progress.take_notices().iter().for_each(|notice| watch(Tick::Notice(notice)));
                let figures = progress.snapshot();
                watch(Tick::Figures(&figures));
                if written.elapsed() >= WRITE_EVERY {
                    written = Instant::now();
                    if let Err(error) = self.write(RUNNING, &figures) {
                        watch(Tick::StatusFailed(&error));
                    }
                }
            }
            crawling.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn write(&self, state: &str, figures: &Snapshot) -> Result<()> {
        let status = Status {
            state: state.to_owned(),
            process: std::process::id(),
            time_ms: now_ms(),
            elapsed_ms: self.started.elapsed().as_millis() as u64,
            run_pages: figures.sums.pages.saturating_sub(self.before.sums.pages),
            figures: figures.clone(),
        };
        status.write(&self.folders)
    }
}
