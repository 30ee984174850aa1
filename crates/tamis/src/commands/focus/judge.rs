//! `tamis focus judge`: the relevance of pages that a focused crawl did not judge.
//!
//! Memory: `--memory`, [`MOST_BYTES`] of pages that wait to be judged, and some 50 bytes and its address for each page that was judged before.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Context as _;
use serde_json::{Map, json};
use tamis_collection::relevance::{self, Judged, JudgedArchive};
use tamis_collection::{Collection, Condition, Run};
use tamis_crawl::crawl::Folders;
use tamis_crawl::focus::{Model, PageText, Scorer};

use crate::command_line;
use crate::commands::ask::Asker;
use crate::commands::new::now;
use crate::commands::open_collection::{explain, lock, open};
use crate::hint::WithHint;
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
    #[command(flatten)]
    how: How,
}

/// What it may take.
#[derive(Debug, Default, clap::Args)]
pub(in crate::commands) struct How {
    #[command(flatten)]
    jobs: JobsArgs,
    /// Memory limit: 2G, 50% of the machine, or `auto` for half of it
    #[arg(long, value_name = "LIMIT", default_value_t = Memory::Auto)]
    memory: Memory,
}

/// How many pages were judged.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::commands) struct Counts {
    pub(in crate::commands) pages: u64,
    pub(in crate::commands) relevant: u64,
}

/// Judges the pages of a collection that its model did not judge.
pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let started = now();
    let path = &args.collection;
    let model = super::read(path)?;
    let command =
        command_line::join([Path::new("tamis"), Path::new("focus"), Path::new("judge"), path.as_path()]);
    let writer = lock(open(path, session)?, &command)?;
    interrupt::watch();
    let (counts, outcome) = judge(path, &model, &args.how, session)?;
    let run = Run {
        time: started.to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command,
        settings: Map::from_iter([("model".to_owned(), json!(model.fingerprint()))]),
        result: Map::from_iter([
            ("pages".to_owned(), json!(counts.pages)),
            ("relevant".to_owned(), json!(counts.relevant)),
        ]),
    };
    writer.record(&run).map_err(explain).context("the results are stored, but the run is not recorded")?;
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

/// Judges the pages that this model did not judge, and keeps what was found. The collection is locked by whoever calls.
pub(in crate::commands) fn judge(
    collection: &Path,
    model: &Model,
    how: &How,
    session: &Session,
) -> anyhow::Result<(Counts, Outcome)> {
    let name = model.fingerprint();
    let (log, mut last) = judged_before(collection, &name, session)?;
    let is_edited = last.values().any(Option::is_some);
    let jobs = how.jobs.count(&session.config);
    let asker = Asker::open(collection, jobs, how.memory, session)?;
    let mut bench = Bench {
        scorer: Scorer::new(model),
        name,
        jobs: jobs.get(),
        log,
        pages: Vec::new(),
        bytes: 0,
        counts: Counts::default(),
    };
    let which = if is_edited { "" } else { " and relevance is null" };
    let sql = format!(
        "select url, cast(time as bigint), html from pages where status = 200 and type <> 'revisit' and html is not null{which}"
    );
    let read = asker.each(&sql, "judging", session, |row| {
        let Some(url) = row.first() else { return Ok(()) };
        match last.get_mut(url) {
            Some(None) => Ok(()),
            // Of several captures each is judged, and the last holds.
            Some(Some(earlier)) => {
                let id = earlier.id;
                earlier.model.clone_from(&bench.name);
                bench.take(row, id)
            }
            None => bench.take(row, None),
        }
    });
    // What was judged before it was broken off is kept, too.
    bench.judge()?;
    if read.is_ok() {
        // What no query gives as HTML (plain text, revisits, pages whose archive is gone) keeps what was found of it.
        for earlier in last.into_values().flatten().filter(|earlier| earlier.model != bench.name) {
            bench.log.add(&Judged { model: bench.name.clone(), ..earlier });
        }
        mark_archives(&mut bench.log, &bench.name, collection)?;
    }
    bench.log.sync()?;
    read?;
    Ok((bench.counts, asker.seen(session)))
}

/// Notes that all pages of the archives that are there were judged.
fn mark_archives(log: &mut relevance::Log, model: &str, collection: &Path) -> anyhow::Result<()> {
    let mut marked = HashMap::new();
    relevance::read_all(&Folders::of(collection).relevance(), |line| {
        if let relevance::Line::Archive(judged) = line {
            marked.insert(judged.archive, judged.model);
        }
    })?;
    let collection = Collection::open(collection).map_err(explain)?;
    for archive in collection.archives().map_err(explain)?.into_values() {
        let is_marked = marked.get(&archive.name).is_some_and(|by| by == model);
        if !is_marked && archive.condition(&collection) == Condition::Present {
            log.add_archive(&JudgedArchive { archive: archive.name, model: model.to_owned() });
        }
    }
    Ok(log.commit()?)
}

/// Notes that all pages of these archives were judged by a crawl.
pub(in crate::commands) fn mark_crawled(
    collection: &Path,
    model: &str,
    archives: &[String],
) -> anyhow::Result<()> {
    if archives.is_empty() {
        return Ok(());
    }
    let mut log = relevance::Log::open(&Folders::of(collection).relevance(), |_| {})?;
    for archive in archives {
        log.add_archive(&JudgedArchive { archive: archive.clone(), model: model.to_owned() });
    }
    log.commit()?;
    Ok(log.sync()?)
}

/// The log, and of each page that is in it what another model than this found of it, if that was the last.
fn judged_before(
    collection: &Path,
    model: &str,
    session: &Session,
) -> anyhow::Result<(relevance::Log, HashMap<String, Option<Judged>>)> {
    let mut last = HashMap::new();
    let path = Folders::of(collection).relevance();
    let opened = relevance::Log::open(&path, |judged| {
        let is_of_it = judged.model == model;
        last.insert(judged.url.clone(), Some(judged).filter(|_| !is_of_it));
    });
    match opened {
        Ok(log) => {
            if let Some(torn) = log.torn() {
                super::warn_of_cut(collection, torn, session);
            }
            Ok((log, last))
        }
        Err(error) => Err(error).hint(format!("remove {} to score all pages again", path.display())),
    }
}

/// Judges all pages anew if the model was edited since. The collection is locked by whoever calls.
pub(in crate::commands) fn judge_edited(collection: &Path, session: &Session) -> anyhow::Result<Outcome> {
    if !collection.join(super::FILE).exists() {
        return Ok(Outcome::Done);
    }
    let model = super::read(collection)?.fingerprint();
    let is_edited = judged_before(collection, &model, session)?.1.values().any(Option::is_some);
    if !is_edited {
        return Ok(Outcome::Done);
    }
    session.printer.say("the model has changed: all pages are scored again");
    judge_new(collection, session)
}

/// Judges what came into a collection, if it has a model. The collection is locked by whoever calls.
pub(in crate::commands) fn judge_new(collection: &Path, session: &Session) -> anyhow::Result<Outcome> {
    if !collection.join(super::FILE).exists() {
        return Ok(Outcome::Done);
    }
    let (counts, outcome) = judge(collection, &super::read(collection)?, &How::default(), session)?;
    if counts.pages > 0 {
        session.printer.say(format_args!(
            "scored with the model: {}, {} of them relevant",
            HumanCount::of(counts.pages, "page"),
            HumanCount(counts.relevant)
        ));
    }
    Ok(outcome)
}

/// Pages that wait, and where those go that are judged.
struct Bench {
    scorer: Scorer,
    /// The fingerprint of its model.
    name: String,
    jobs: usize,
    log: relevance::Log,
    pages: Vec<Waiting>,
    bytes: usize,
    counts: Counts,
}

struct Waiting {
    /// Its place in the url log of the crawl, if that judged it before.
    id: Option<u64>,
    url: String,
    time_ms: u64,
    html: String,
}

impl Bench {
    fn take(&mut self, row: Vec<String>, id: Option<u64>) -> anyhow::Result<()> {
        let Ok([url, time, html]) = <[String; 3]>::try_from(row) else { return Ok(()) };
        self.bytes += html.len();
        self.pages.push(Waiting { id, url, time_ms: time.parse().unwrap_or(0), html });
        if self.pages.len() >= MOST_PAGES || self.bytes >= MOST_BYTES {
            self.judge()?;
        }
        Ok(())
    }

    fn judge(&mut self) -> anyhow::Result<()> {
        let (scorer, name, pages) = (&self.scorer, &*self.name, std::mem::take(&mut self.pages));
        let share = pages.len().div_ceil(self.jobs).max(1);
        let judged: Vec<Judged> = thread::scope(|scope| {
            let workers: Vec<_> = pages
                .chunks(share)
                .map(|pages| {
                    scope
                        .spawn(move || pages.iter().map(|page| page.judged(scorer, name)).collect::<Vec<_>>())
                })
                .collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect()
        });
        self.bytes = 0;
        self.counts.pages += judged.len() as u64;
        self.counts.relevant += judged.iter().filter(|judged| judged.scores.relevant).count() as u64;
        for judged in &judged {
            self.log.add(judged);
        }
        Ok(self.log.commit()?)
    }
}

impl Waiting {
    fn judged(&self, scorer: &Scorer, model: &str) -> Judged {
        let page = PageText::read(self.html.as_bytes(), Some("text/html; charset=utf-8"), &self.url);
        let relevance = scorer.score(&page);
        Judged {
            id: self.id,
            time_ms: self.time_ms,
            scores: relevance.scores(scorer.is_relevant(&relevance)),
            model: model.to_owned(),
            url: self.url.clone(),
        }
    }
}
