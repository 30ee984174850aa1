//! `tamis import`: archives, lists of URLs and tweets into a collection.

mod arrival;
mod dry_run;
mod kind;

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use serde_json::json;
use tamis_archive::{Source, Timestamp};
use tamis_collection::{Event, ImportOptions, Imported, Kept, Run, SeedCounts, SeedMerge, Writer};

use super::focus;
use super::open_collection::{explain, lock, open};
use crate::archives::Told;
use crate::command_line;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt;
use crate::jobs::JobsArgs;
use crate::outcome::Outcome;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;
use arrival::{Arrival, Arrivals};
use kind::Kind;
pub(super) use kind::unpacked;

/// The arguments of `tamis import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An input is an archive (WARC, ARC, WET, WAT, WACZ, pack), an HTML file, a URL list (one per line, # starts a comment), or tweets (CSV, \
JSON Lines or JSON of either Twitter API; gzipped or not). The type is detected from the first bytes. From a folder, archives are imported; if it has \
none, HTML files; otherwise tweet files (*.jsonl, *.json, *.csv …).

HTML files become resource records of one archive, pages.warc.gz. A file of a mirror made by `wget -r` gets its original URL, any \
other file the file: URL of its path. Importing the same files again gives the same archive.

Archives are copied byte for byte and indexed. They are recognized by content: an archive that the collection already has, under any \
name, is skipped, and one whose file was moved is read from its new path. A different archive with the same name gets a \
number. A damaged archive is imported as it is and its faults are reported (exit code 2); a file without any record is rejected. \
URLs are stored once, with the ids of all tweets that name them.

A command that was stopped or killed resumes when it is run again. If the collection has an event model (`tamis focus`), new pages are scored with it.

Examples:
  tamis import eclipse crawl/*.warc.gz
  tamis import eclipse /mnt/archive/2024 --reference
  tamis import eclipse seeds.txt tweets.jsonl.gz")]
pub struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Archives, HTML files, URL lists, tweets; files, folders, quoted globs, lists of paths (@list.txt), or - for stdin
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<OsString>,
    /// Do not copy archives; reference them where they are
    #[arg(long)]
    reference: bool,
    /// Show what would be imported, without importing anything
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    jobs: JobsArgs,
}

/// Takes inputs into a collection.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let collection = open(&args.collection, session)?;
    let arrivals = Arrivals::of(args, session)?;
    if args.dry_run {
        return dry_run::run(args, &collection, &arrivals, session);
    }
    if arrivals.list.is_empty() {
        return Ok(Outcome::of_skipped(arrivals.skipped));
    }
    interrupt::watch();
    let started = super::new::now();
    let writer = lock(collection, &args.command())?;
    let mut import = Import { args, session, writer, counts: Counts::default() };
    import.counts.skipped = arrivals.skipped;
    let taken = import.take(&arrivals);
    // What was taken before an error is there all the same.
    if !matches!(&taken, Err(error) if import.counts.is_nothing() || error.is::<interrupt::Interrupted>()) {
        import.record(started)?;
    }
    taken?;
    import.tell(&arrivals);
    let judged = match import.counts.added + import.counts.replaced {
        0 => focus::judge_edited(&args.collection, session)?,
        _ => focus::judge_new(&args.collection, session)?,
    };
    Ok(Outcome::of_skipped(import.counts.skipped + import.counts.faults).and(judged))
}

/// What came of the inputs.
#[derive(Debug, Default)]
struct Counts {
    added: u64,
    replaced: u64,
    relocated: u64,
    known: u64,
    records: u64,
    captures: u64,
    faults: u64,
    skipped: u64,
    lists: u64,
    urls: u64,
    tweets: u64,
    tweets_with_urls: u64,
    tweets_with_own_links_only: u64,
    bad_lines: u64,
    seeds: Option<(SeedCounts, SeedCounts)>,
}

struct Import<'a> {
    args: &'a Args,
    session: &'a Session,
    writer: Writer,
    counts: Counts,
}

impl Import<'_> {
    fn take(&mut self, arrivals: &Arrivals) -> anyhow::Result<()> {
        let work = Work {
            verb: "importing",
            item: "record",
            total_bytes: Some(arrivals.archive_bytes()),
            data_on_stdout: false,
        };
        let progress = Progress::start(&self.session.printer, work);
        let archives = arrivals.list.iter().filter(|arrival| arrival.kind == Kind::Archive);
        for arrival in archives {
            self.take_archive(arrival, &progress)?;
        }
        drop(progress);
        let mut merge = None;
        for arrival in arrivals.list.iter().filter(|arrival| arrival.kind != Kind::Archive) {
            interrupt::check()?;
            let merge = match &mut merge {
                Some(merge) => merge,
                none => none.insert(self.writer.merge_seeds().map_err(explain)?),
            };
            self.counts.take_list(arrival, merge, self.session);
        }
        if let Some(merge) = merge {
            self.counts.seeds = Some(self.writer.replace_seeds(merge).map_err(explain)?);
        }
        Ok(())
    }

    fn take_archive(&mut self, arrival: &Arrival, progress: &Progress<'_>) -> anyhow::Result<()> {
        let printer = &self.session.printer;
        let mut told: Option<(Source, Told)> = None;
        let mut watch = |event: Event<'_>| {
            match event {
                // Each byte is copied and indexed: half of the way each.
                Event::Copied { bytes } => progress.add(bytes / 2, 0),
                Event::Indexed { bytes, records } => progress.add(bytes / 2, records),
                Event::Faults { source, faults } => {
                    if told.as_ref().is_some_and(|(before, _)| before != source)
                        && let Some((source, told)) = told.take()
                    {
                        told.tell_rest(printer, &source);
                    }
                    told.get_or_insert_with(|| (source.clone(), Told::default()))
                        .1
                        .tell(printer, source, faults);
                }
                Event::Unreadable { error, .. } => printer.warn(error),
                Event::Packed { path, entry } => printer.warn(format_args!(
                    "{}#{entry}: compressed inside the zip file; skipped",
                    path.display()
                )),
            }
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let imported = self.writer.import(&arrival.path, self.args.options(self.session), &mut watch);
        if let Some((source, told)) = told {
            told.tell_rest(printer, &source);
        }
        match imported {
            Ok(imported) => self.counts.take_archive(&imported, arrival, self.session),
            Err(error @ tamis_collection::Error::NotAnArchive { .. }) => {
                self.counts.skipped += 1;
                printer.error(&anyhow!(error).hint("nothing was imported from it"));
            }
            Err(tamis_collection::Error::Io { action: "read", path, source }) => {
                self.counts.skipped += 1;
                printer.error(&anyhow!(source).context(format!("cannot read {}", path.display())));
            }
            Err(error) => return Err(explain(error)),
        }
        Ok(())
    }

    fn record(&self, started: Timestamp) -> anyhow::Result<()> {
        let counts = &self.counts;
        let mut result = json!({
            "archives_added": counts.added, "archives_replaced": counts.replaced, "archives_known": counts.known,
            "archives_relocated": counts.relocated,
            "records": counts.records, "captures": counts.captures, "faults": counts.faults,
            "inputs_skipped": counts.skipped,
        });
        if counts.tweets > 0 {
            result["tweets"] = json!(counts.tweets);
            result["tweets_with_urls"] = json!(counts.tweets_with_urls);
            result["tweets_with_own_links_only"] = json!(counts.tweets_with_own_links_only);
        }
        if let Some((before, after)) = &counts.seeds {
            result["urls"] = json!(after.urls);
            result["urls_added"] = json!(after.urls - before.urls.min(after.urls));
        }
        let run = Run {
            time: started.to_string(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: self.args.command(),
            settings: json!({"reference": self.args.reference}).as_object().cloned().unwrap_or_default(),
            result: result.as_object().cloned().unwrap_or_default(),
        };
        self.writer.record(&run).map_err(explain)
    }

    fn tell(&self, arrivals: &Arrivals) {
        let counts = &self.counts;
        let place = self.args.collection.display();
        let inputs = HumanCount::of(arrivals.list.len() as u64, "input");
        let mut summary = Summary::default();
        summary
            .read(format_args!("{inputs}, {}", HumanSize(arrivals.bytes())))
            .wrote(counts.to_text())
            .dropped(
                plural(counts.known, "archive already imported", "archives already imported"),
                counts.known,
            )
            .dropped(
                plural(counts.bad_lines, "line that is not a URL", "lines that are not URLs"),
                counts.bad_lines,
            )
            .went_to(place)
            .next(command_line::join([Path::new("tamis"), Path::new("status"), &self.args.collection]));
        self.session.printer.summary(&summary);
    }
}

impl Counts {
    fn is_nothing(&self) -> bool {
        self.added + self.replaced + self.relocated == 0 && self.seeds.is_none()
    }

    fn take_archive(&mut self, imported: &Imported, arrival: &Arrival, session: &Session) {
        let archive = match imported {
            Imported::Added(archive) => {
                self.added += 1;
                archive
            }
            Imported::Replaced(archive) => {
                self.replaced += 1;
                archive
            }
            Imported::Known(archive) => {
                self.known += 1;
                session.printer.note(format_args!("{}: already imported as {}", arrival.name, archive.name));
                return;
            }
            Imported::Relocated(archive) => {
                self.relocated += 1;
                let what =
                    if archive.kept == Kept::Reference { "now the location of" } else { "copied again as" };
                session.printer.say(format_args!("{}: {what} {}", arrival.name, archive.name));
                return;
            }
        };
        self.records += archive.records;
        self.captures += archive.captures;
        self.faults += archive.faults;
        session.printer.note(format_args!("{}: imported as {}", arrival.name, archive.name));
    }

    fn take_list(&mut self, arrival: &Arrival, merge: &mut SeedMerge, session: &Session) {
        if let Err(error) = self.try_list(arrival, merge, session) {
            self.skipped += 1;
            session.printer.error(&error);
        }
    }

    fn try_list(
        &mut self,
        arrival: &Arrival,
        merge: &mut SeedMerge,
        session: &Session,
    ) -> anyhow::Result<()> {
        self.lists += 1;
        let cannot = || arrival.name.clone();
        let input = kind::unpacked(&arrival.path).with_context(cannot)?;
        if arrival.kind == Kind::Tweets {
            let report = merge.add_tweets(input).with_context(cannot)?;
            self.tweets += report.tweets;
            self.tweets_with_urls += report.tweets_with_urls;
            self.tweets_with_own_links_only += report.tweets_with_own_links_only;
            session.printer.note(format_args!("{}: {report}", arrival.name));
            for bad in &report.first_bad {
                session.printer.warn(format_args!("{}: {bad}", arrival.name));
            }
            tell_more(arrival, report.bad, report.first_bad.len(), session);
            self.skipped += report.bad;
            if report.tweets == 0 {
                return Err(anyhow!("{}: {report}", arrival.name));
            }
        } else {
            let report = merge.add_urls(input).with_context(cannot)?;
            self.urls += report.urls;
            self.bad_lines += report.bad;
            self.skipped += report.bad;
            for (number, text) in &report.first_bad {
                session.printer.warn(format_args!("{}: line {number}: not a URL: {text}", arrival.name));
            }
            tell_more(arrival, report.bad, report.first_bad.len(), session);
        }
        Ok(())
    }

    /// `2 archives, 120 records, 80 captures; 3 new URLs, 12 in all`.
    fn to_text(&self) -> String {
        let mut parts = Vec::new();
        if self.relocated > 0 {
            parts.push(format!("{} relocated", HumanCount::of(self.relocated, "archive")));
        }
        if self.added + self.replaced + self.known > 0 {
            let archives = HumanCount::of(self.added + self.replaced, "archive");
            let (records, captures) =
                (HumanCount::of(self.records, "record"), HumanCount::of(self.captures, "capture"));
            let faults = match self.faults {
                0 => String::new(),
                faults => format!(", {}", HumanCount::of(faults, "fault")),
            };
            parts.push(format!("{archives}, {records}, {captures}{faults}"));
        }
        if let Some((before, after)) = &self.seeds {
            let tweets = match self.tweets {
                0 => String::new(),
                tweets => format!(
                    "{}, {} of them with URLs, {} with only links to tweets and media; ",
                    HumanCount::of(tweets, "tweet"),
                    HumanCount(self.tweets_with_urls),
                    HumanCount(self.tweets_with_own_links_only)
                ),
            };
            let new = after.urls.saturating_sub(before.urls);
            parts.push(format!(
                "{tweets}{}, {} in total",
                HumanCount::of(new, "new URL"),
                HumanCount(after.urls)
            ));
        }
        if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
    }
}

/// Says how many bad lines there are beside those that were told.
fn tell_more(arrival: &Arrival, all: u64, told: usize, session: &Session) {
    let more = all.saturating_sub(told as u64);
    if more > 0 {
        session.printer.warn(format_args!("{}: … and {}", arrival.name, HumanCount::of(more, "more line")));
    }
}

fn plural(count: u64, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

impl Args {
    fn options(&self, session: &Session) -> ImportOptions {
        ImportOptions { kept: self.kept(), jobs: self.jobs.count(&session.config) }
    }

    fn kept(&self) -> Kept {
        if self.reference { Kept::Reference } else { Kept::Copy }
    }

    /// The command line, as it can be typed again.
    fn command(&self) -> String {
        let mut words: Vec<OsString> = vec!["tamis".into(), "import".into(), self.collection.clone().into()];
        words.extend(self.inputs.iter().cloned());
        words.extend(self.reference.then(|| "--reference".into()));
        command_line::join(words)
    }
}
