//! A run of a crawl, from the lock to the report.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, anyhow};
use serde_json::json;
use tamis_archive::Timestamp;
use tamis_collection::Collection;
use tamis_collection::{
    Error as CollectionError, Event, ImportOptions, Imported, Kept, New, ReadyIndex, Run, Writer,
};
use tamis_crawl::Address;
use tamis_crawl::crawl::{
    self, CrawlOptions, End, Ended, Folders, Indexed, LeftUrl, Reconsidered, Run as CrawlRun, Snapshot, Tick,
};
use tamis_crawl::focus::FocusOptions;
use tamis_crawl::sieve::SieveKind;

use super::super::focus;
use super::super::new::{check_folder_of, now};
use super::super::open_collection::{explain, lock};
use super::dashboard::Dashboard;
use super::focused;
use super::metrics::Metrics;
use super::plan;
use super::report;
use super::{Args, Purpose, Settings};
use crate::command_line;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt::{self, Interrupted};
use crate::outcome::Outcome;
use crate::printer::Printer;
use crate::session::Session;

/// What a crawl was begun with, as the command line names it.
type Begun = crawl::Begun<Settings>;

/// Crawls, or goes on.
pub(super) fn run(args: &Args, path: &Path, purpose: Purpose, session: &Session) -> anyhow::Result<Outcome> {
    let folders = purpose.folders(path);
    let (begun, mut skipped) = begun(args, path, purpose, &folders, &session.printer)?;
    let name = plan::name_of(path);
    let options = match purpose {
        Purpose::Crawl => plan::options(&begun.settings, &begun.seeds, &name)?,
        Purpose::Fetch => {
            let (seeds, bad) = collection_seeds(path, &session.printer)?;
            skipped += bad;
            plan::options(&begun.settings.of_seeds_alone(), &seeds, &fetched_name(&name))?
        }
    };
    focused::check(&begun.settings)?;
    if !args.settings.again {
        tell_known_seeds(&args.seeds, path, &folders, &session.printer)?;
    }
    if args.dry_run {
        return report::dry_run(&options, session);
    }
    // Before there is a folder: a file that cannot be read leaves none behind.
    let (model_pages, bad_pages) = match purpose {
        Purpose::Crawl => focused::model_pages(&begun.settings, path, &session.printer)?,
        Purpose::Fetch => (Vec::new(), 0),
    };
    interrupt::watch_to_the_end();
    let verb = if purpose == Purpose::Fetch { "fetch" } else { "crawl" };
    let writer = writer(path, verb)?;
    std::fs::create_dir_all(&folders.frontier)
        .with_context(|| format!("cannot create {}", folders.frontier.display()))?;
    let round = Round { path, verb, folders, session, started: Instant::now(), time: now().to_string() };
    let model = if model_pages.is_empty() {
        focused::given(&begun.settings, path)?.filter(|_| purpose == Purpose::Crawl)
    } else {
        let alone = plan::options(&begun.settings.of_seeds_alone(), &model_pages, &name)?;
        let all = CrawlOptions { max_pages: u64::MAX, total_pages: u64::MAX, ..alone };
        round.crawl(args, &all, None, &begun, &writer)?;
        Some(focused::learn(&model_pages, &round.folders, path, &session.printer)?)
    };
    let judged = match model {
        Some(model) => focused::take(&model, path, session)?,
        None if purpose == Purpose::Crawl && begun.settings.focus.is_some() => {
            focus::judge_edited(path, session)?
        }
        None => Outcome::Done,
    };
    let focus = match purpose {
        Purpose::Crawl => focused::options(&begun.settings, path)?,
        Purpose::Fetch => None,
    };
    Ok(round
        .crawl(args, &options, focus.as_ref(), &begun, &writer)?
        .and(judged)
        .and(Outcome::of_skipped(skipped + bad_pages)))
}

/// Seeds that are named again and were fetched before are not fetched again: says so.
fn tell_known_seeds(
    words: &[String],
    path: &Path,
    folders: &Folders,
    printer: &Printer,
) -> anyhow::Result<()> {
    let named: Vec<Address> = words
        .iter()
        .filter(|word| !word.starts_with('@'))
        .filter_map(|word| Address::of_seed(word))
        .collect();
    if named.is_empty() || !folders.has_crawl() {
        return Ok(());
    }
    let known = crawl::ended(folders, &named)?;
    for LeftUrl { url, kind, time_ms, .. } in &known {
        let seconds = i64::try_from(time_ms / 1000).unwrap_or(0);
        let time =
            Timestamp::from_unix(seconds, 0).map(|time| time.to_seconds().to_string()).unwrap_or_default();
        printer.say(format_args!("{url}: known since {time} ({kind}), and not fetched again"));
    }
    if !known.is_empty() {
        let again = command_line::join([Path::new("tamis"), Path::new("crawl"), path, Path::new("--again")]);
        printer.hint(format_args!("`{again}` fetches pages again"));
    }
    Ok(())
}

/// What was said before. Who crawls a collection fetches for it, too, so that the contact of one is that of the other.
pub(super) fn begun_before(path: &Path, purpose: Purpose) -> anyhow::Result<Begun> {
    let mut begun = Begun::read(&purpose.folders(path))?.unwrap_or_default();
    if begun.settings.contact.is_none() {
        let other = if purpose == Purpose::Crawl { Purpose::Fetch } else { Purpose::Crawl };
        let other = Begun::read(&other.folders(path))?;
        begun.settings.contact = other.and_then(|other| other.settings.contact);
    }
    Ok(begun)
}

/// What the crawl is to be: what is said now over what was said before. Gives also how many seeds were passed over.
fn begun(
    args: &Args,
    path: &Path,
    purpose: Purpose,
    folders: &Folders,
    printer: &Printer,
) -> anyhow::Result<(Begun, u64)> {
    let is_new = Begun::read(folders)?.is_none();
    let before = begun_before(path, purpose)?;
    let mut seeds = before.seeds;
    let (named, mut skipped) = plan::read_seeds(&args.seeds, printer)?;
    let known: HashSet<String> = seeds.iter().cloned().collect();
    seeds.extend(named.into_iter().filter(|seed| !known.contains(seed)));
    if seeds.is_empty() && purpose == Purpose::Crawl {
        let (imported, bad) = collection_seeds(path, printer)?;
        (seeds, skipped) = (imported, skipped + bad);
    }
    if is_new && seeds.is_empty() && purpose == Purpose::Crawl {
        return Err(anyhow!("no seeds")).hint("give a seed: `tamis crawl NAME https://example.org/`");
    }
    refuse_silent_proxy(args.settings.proxy.as_deref(), before.settings.proxy.as_deref())?;
    focused::tell_of_other_model(
        args.settings.focus.as_deref(),
        before.settings.focus.as_deref(),
        path,
        printer,
    );
    let mut settings = args.settings.clone().over(before.settings);
    settings.sieve.get_or_insert_with(|| SieveKind::default().name().to_owned());
    settings.make_paths_absolute()?;
    Ok((Begun::new(seeds, settings), skipped))
}

/// A crawl that went through a proxy goes on through one only if that is said again: the collection may come from somebody else, and so may
/// the proxy. It does not go on without one in silence, either.
fn refuse_silent_proxy(given: Option<&str>, before: Option<&str>) -> anyhow::Result<()> {
    match (given, before) {
        (None, Some(before)) if before != plan::NO_PROXY => {
            Err(anyhow!("the crawl went through the proxy {before}, which was not named this time"))
                .hint(format!("`--proxy {before}` goes on through it, `--proxy off` without one"))
        }
        _ => Ok(()),
    }
}

/// The seeds that were imported into the collection. One that cannot be crawled is told and passed over; gives how many were.
fn collection_seeds(path: &Path, printer: &Printer) -> anyhow::Result<(Vec<String>, u64)> {
    if !Collection::is_one(path) {
        return Ok((Vec::new(), 0));
    }
    let collection = Collection::open(path).map_err(explain)?;
    let (mut seeds, mut skipped) = (Vec::new(), plan::Skipped::default());
    for row in collection.seeds().map_err(explain)? {
        let url = row.map_err(explain)?.url;
        if plan::is_seed(&url) {
            seeds.push(url);
        } else {
            skipped.tell(&url, None, printer);
        }
    }
    Ok((seeds, skipped.close(printer)))
}

fn writer(path: &Path, verb: &str) -> anyhow::Result<Writer> {
    if !path.exists() {
        check_folder_of(path)?;
        let name = path.file_name().context("the collection has no name")?.to_string_lossy().into_owned();
        let new = New { id: name.clone(), name, event: None, created: now() };
        Collection::create(path, &new).map_err(explain)?;
    }
    let collection = Collection::open(path).map_err(explain)?;
    lock(collection, &command_line::join([Path::new("tamis"), Path::new(verb), path]))
}

struct Round<'a> {
    path: &'a Path,
    /// The command.
    verb: &'static str,
    folders: Folders,
    session: &'a Session,
    started: Instant,
    time: String,
}

impl Round<'_> {
    fn crawl(
        &self,
        args: &Args,
        options: &CrawlOptions,
        focus: Option<&FocusOptions>,
        begun: &Begun,
        writer: &Writer,
    ) -> anyhow::Result<Outcome> {
        let run = CrawlRun::open(&self.folders, options, focus, self.started)?;
        let crawl = run.crawl();
        for (torn, len) in crawl.torn() {
            self.session.printer.warn(format_args!(
                "{}: {} after the last complete record; its content is fetched again",
                torn.display(),
                HumanSize(*len)
            ));
        }
        if let Some(torn) = crawl.torn_relevance() {
            focus::warn_of_cut(self.path, torn, self.session);
        }
        if let Some(found) = crawl.reconsidered() {
            self.tell_reconsidered(found);
        }
        // Remembered once they are known to be good.
        begun.write(&self.folders)?;
        let progress = crawl.progress();
        let metrics = args.metrics.map(|at| Metrics::serve(at, progress)).transpose()?;
        let ended = self.watch(run)?;
        drop(metrics);
        let state = ended.state();
        let Ended { archives, end, before, after, status } = ended;
        let entered = status
            .map_err(anyhow::Error::from)
            .and_then(|()| self.enter(writer, archives.as_deref().unwrap_or_default(), focus))
            .and_then(|()| self.record(begun, writer, state, &before, &after));
        // What ended the crawl comes first: on a full disk nothing else can be written, either.
        archives.context("the crawl failed").map_err(with_room)?;
        entered?;
        let resume = self.resume(&args.settings, end);
        report::finished(self.session, self.path, &resume, state, self.started.elapsed(), &before, &after);
        if end == Some(End::Stopped) {
            return Err(Interrupted { resume: Some(resume) }.into());
        }
        if end == Some(End::NotPermitted) {
            self.session
                .printer
                .warn("what is left is in private networks, and --allow-private was not given");
            return Ok(Outcome::Negative);
        }
        // Pages that have not changed since they were fetched are no failure.
        if report::is_vain(state, &after) && !args.settings.again {
            self.session.printer.warn("no URL returned a page");
            return Ok(Outcome::Negative);
        }
        Ok(Outcome::Done)
    }

    /// The command that goes on, with the settings that are not remembered.
    fn resume(&self, settings: &Settings, end: Option<End>) -> String {
        let mut words = vec![Path::new("tamis"), Path::new(self.verb), self.path];
        if settings.allow_private || end == Some(End::NotPermitted) {
            words.push(Path::new("--allow-private"));
        }
        if let Some(authorities) = &settings.tls_ca {
            words.extend([Path::new("--tls-ca"), authorities.as_path()]);
        }
        if settings.again {
            words.push(Path::new("--again"));
        }
        command_line::join(words)
    }

    fn tell_reconsidered(&self, found: Reconsidered) {
        let printer = &self.session.printer;
        printer.say(format_args!(
            "the scope has changed: {} searched again, {}",
            HumanCount::of(found.pages, "stored page"),
            HumanCount::of(found.addresses, "new URL")
        ));
        if found.missing > 0 {
            printer.warn(format_args!(
                "{}: their archives are not in {}, so their links are not followed",
                HumanCount::of(found.missing, "page"),
                self.folders.archive.display()
            ));
        }
    }

    /// Runs the crawl, shows how far it is, and hands Ctrl-C on.
    fn watch(&self, run: CrawlRun) -> anyhow::Result<Ended> {
        let mut dashboard = Dashboard::start(&self.session.printer, self.started);
        let ended = run.watched(interrupt::requested, |tick| match tick {
            Tick::Figures(figures) => dashboard.show(figures, &self.folders.archive),
            Tick::Notice(notice) => self.session.printer.warn(notice),
            Tick::StatusFailed(error) => self.session.printer.warn(format_args!("{error}")),
        });
        Ok(ended?)
    }

    /// Enters the archives of this run, which are indexed, and of runs that were killed into the collection.
    fn enter(
        &self,
        writer: &Writer,
        indexed: &[Indexed],
        focus: Option<&FocusOptions>,
    ) -> anyhow::Result<()> {
        let jobs = std::thread::available_parallelism().unwrap_or(std::num::NonZero::<usize>::MIN);
        let options = ImportOptions { kept: Kept::Copy, jobs };
        let known = writer.archives().map_err(explain)?;
        // Whoever opens the archives closes those that the other left open when it was killed.
        let name = plan::name_of(self.path);
        let judged_prefix = format!("{}-", plan::prefix(&name));
        let mut judged = Vec::new();
        let mut prefixes = vec![plan::prefix(&name), plan::prefix(&fetched_name(&name))];
        for purpose in [Purpose::Crawl, Purpose::Fetch] {
            let begun = begun_before(self.path, purpose)?;
            prefixes.push(plan::archive_prefix(&begun.settings, &name)?);
            prefixes.push(plan::archive_prefix(&begun.settings, &fetched_name(&name))?);
        }
        let prefixes: Vec<String> = prefixes.into_iter().map(|prefix| format!("{prefix}-")).collect();
        for entry in std::fs::read_dir(&self.folders.archive)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_whole = [".warc", ".warc.gz", ".warc.zst"].iter().any(|ending| name.ends_with(ending));
            if !is_whole
                || !prefixes.iter().any(|prefix| name.starts_with(prefix))
                || known.contains_key(&name)
            {
                continue;
            }
            let watch = &mut |_: Event<'_>| std::ops::ControlFlow::Continue(());
            let imported = match indexed.iter().find(|indexed| indexed.name == name) {
                Some(Indexed { index, records, captures, .. }) => {
                    let ready = ReadyIndex { path: index, records: *records, captures: *captures };
                    writer.import_indexed(&path, ready, options, watch)
                }
                None => writer.import(&path, options, watch),
            };
            let imported = match imported {
                // A run that was killed before its first record left a file without any.
                Err(error @ CollectionError::NotAnArchive { .. }) => {
                    self.session.printer.warn(error);
                    continue;
                }
                imported => imported.map_err(explain)?,
            };
            if let Imported::Added(archive) = imported {
                // A crawl for an event judges what it fetches, a fetch does not.
                judged.extend(Some(&archive.name).filter(|name| name.starts_with(&judged_prefix)).cloned());
                self.session.printer.note(format_args!(
                    "{}: added, {}",
                    archive.name,
                    HumanCount::of(archive.captures, "capture")
                ));
            }
        }
        match focus {
            Some(focus) => focus::mark_crawled(self.path, &focus.model.fingerprint(), &judged),
            None => Ok(()),
        }
    }

    fn record(
        &self,
        begun: &Begun,
        writer: &Writer,
        state: &str,
        before: &Snapshot,
        after: &Snapshot,
    ) -> anyhow::Result<()> {
        let settings: &Settings = &begun.settings;
        let run = Run {
            time: self.time.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: command_line::join([Path::new("tamis"), Path::new(self.verb), self.path]),
            settings: serde_json::to_value(settings)?.as_object().cloned().unwrap_or_default(),
            result: json!({
                "state": state,
                "pages": after.sums.pages.saturating_sub(before.sums.pages),
                "bytes": after.sums.received_bytes.saturating_sub(before.sums.received_bytes),
                "seconds": self.started.elapsed().as_secs(),
            })
            .as_object()
            .cloned()
            .unwrap_or_default(),
        };
        writer.record(&run).map_err(explain)
    }
}

/// The name of archives of what was fetched: another than a crawl's, since each goes on with those of its name.
fn fetched_name(name: &str) -> String {
    format!("{}{name}", plan::FETCHED)
}

fn with_room(error: anyhow::Error) -> anyhow::Error {
    let is_full = error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::StorageFull)
    });
    if is_full { error.hint("free some space and run the command again; it resumes") } else { error }
}
