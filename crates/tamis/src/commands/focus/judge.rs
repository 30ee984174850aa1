//! `tamis focus judge`: the relevance of pages that a focused crawl did not judge.
//!
//! Memory: `--memory`, and [`MOST_BYTES`] of pages that wait to be judged.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Context as _;
use serde_json::{Map, json};
use tamis_crawl::crawl::Folders;
use tamis_crawl::focus::{Judged, Model, PageText, RelevanceLog, Scorer};
use tamis_table::collection::Run;

use crate::command_line;
use crate::commands::ask::Asker;
use crate::commands::new::now;
use crate::commands::open_collection::{explain, lock, open};
use crate::human_count::HumanCount;
use crate::interrupt;
use crate::jobs::JobsArgs;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::summary::Summary;

/// Pages are judged in batches of so many, or of so many bytes.
const MOST_PAGES: usize = 256;
const MOST_BYTES: usize = 16 << 20;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Judge all pages, also those that have a relevance: the model was edited
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    how: How,
}

/// What it may take.
#[derive(Debug, Default, clap::Args)]
pub(in crate::commands) struct How {
    #[command(flatten)]
    jobs: JobsArgs,
    /// Use no more memory: 2G, 50% of what there is, or `auto` for half
    #[arg(long, value_name = "LIMIT", default_value_t = Memory::Auto)]
    memory: Memory,
}

/// How many pages were judged.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::commands) struct Counts {
    pub(in crate::commands) pages: u64,
    pub(in crate::commands) relevant: u64,
}

/// Judges the pages of a collection that have no relevance.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let started = now();
    let path = &args.collection;
    let model = super::read(path)?;
    let command =
        command_line::join([Path::new("tamis"), Path::new("focus"), Path::new("judge"), path.as_path()]);
    let writer = lock(open(path)?, &command)?;
    interrupt::watch();
    let (counts, outcome) = judge(path, &model, args.again, &args.how, session)?;
    let run = Run {
        time: started.to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command,
        settings: Map::from_iter([("again".to_owned(), json!(args.again))]),
        result: Map::from_iter([
            ("pages".to_owned(), json!(counts.pages)),
            ("relevant".to_owned(), json!(counts.relevant)),
        ]),
    };
    writer.record(&run).map_err(explain).context("what was found is kept, but the run is not noted")?;
    let mut summary = Summary::default();
    summary.read(HumanCount::of(counts.pages, "page"));
    summary.wrote(HumanCount::of(counts.relevant, "relevant page"));
    summary.went_to(Folders::of(path).relevance().display());
    summary.next(command_line::join([
        Path::new("tamis"),
        Path::new("focus"),
        Path::new("ranked"),
        path.as_path(),
    ]));
    session.printer.summary(&summary);
    Ok(outcome)
}

/// Judges pages by a model and keeps what was found. The collection is locked by whoever calls.
pub(in crate::commands) fn judge(
    collection: &Path,
    model: &Model,
    again: bool,
    how: &How,
    session: &Session,
) -> anyhow::Result<(Counts, Outcome)> {
    let jobs = how.jobs.count(&session.config);
    let asker = Asker::open(collection, jobs, how.memory, session)?;
    let log = RelevanceLog::open(&Folders::of(collection).relevance(), |_| {})?;
    let mut bench = Bench {
        scorer: Scorer::new(model),
        jobs: jobs.get(),
        log,
        pages: Vec::new(),
        bytes: 0,
        counts: Counts::default(),
    };
    let which = if again { "" } else { " and relevance is null" };
    let sql = format!(
        "select url, cast(time as bigint), html from pages where status = 200 and html is not null{which}"
    );
    let read = asker.each(&sql, "judging", session, |row| bench.take(row));
    // What was judged before it was broken off is kept, too.
    bench.judge()?;
    bench.log.sync()?;
    read?;
    Ok((bench.counts, asker.outcome(session)))
}

/// Pages that wait, and where those go that are judged.
struct Bench {
    scorer: Scorer,
    jobs: usize,
    log: RelevanceLog,
    pages: Vec<Waiting>,
    bytes: usize,
    counts: Counts,
}

struct Waiting {
    url: String,
    time_ms: u64,
    html: String,
}

impl Bench {
    fn take(&mut self, row: Vec<String>) -> anyhow::Result<()> {
        let Ok([url, time, html]) = <[String; 3]>::try_from(row) else { return Ok(()) };
        self.bytes += html.len();
        self.pages.push(Waiting { url, time_ms: time.parse().unwrap_or(0), html });
        if self.pages.len() >= MOST_PAGES || self.bytes >= MOST_BYTES {
            self.judge()?;
        }
        Ok(())
    }

    fn judge(&mut self) -> anyhow::Result<()> {
        let (scorer, pages) = (&self.scorer, std::mem::take(&mut self.pages));
        let share = pages.len().div_ceil(self.jobs).max(1);
        let judged: Vec<Judged> = thread::scope(|scope| {
            let workers: Vec<_> = pages
                .chunks(share)
                .map(|pages| {
                    scope.spawn(move || pages.iter().map(|page| page.judged(scorer)).collect::<Vec<_>>())
                })
                .collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        });
        self.bytes = 0;
        self.counts.pages += judged.len() as u64;
        self.counts.relevant += judged.iter().filter(|judged| judged.relevant).count() as u64;
        for judged in &judged {
            self.log.add(judged);
        }
        Ok(self.log.commit()?)
    }
}

impl Waiting {
    fn judged(&self, scorer: &Scorer) -> Judged {
        let page = PageText::read(self.html.as_bytes(), Some("text/html; charset=utf-8"), &self.url);
        let relevance = scorer.score(&page);
        Judged::new(None, self.time_ms, &self.url, &relevance, scorer.is_relevant(&relevance))
    }
}
