//! `tamis dedup`: pages that are there more than once.
//!
//! Memory: `--memory` in all, as `tamis query` has it; half of what is for sorts goes to comparing.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use serde_json::json;
use tamis_collection::{Collection, Condition, Run, Writer};
use tamis_table::dedup::{self, Files, Found, Job, JudgedArchive, Store};
use tamis_table::query::Engine;
use tamis_table::{Context, Cut, Member, Members, Pages};

use super::open_collection::{explain, lock, open};
use super::query::table::{Treatment, warn_of_archive, warn_of_unfinished};
use super::query::{Rows, RowsArgs, Table, Watch, settings, spill_folder, told};
use crate::command_line;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::interrupt::{self, Interrupted};
use crate::jobs::JobsArgs;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::output::OutputArgs;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;

/// The rule for near duplicates if nobody says another.
const USUAL_NEAR: &str = "minhash:0.8";
/// What is shown if nobody asks for the table.
const LARGEST: &str = r"select count(*) as duplicates, sum(case when kind = 'exact' then 1 else 0 end) as exact,
    min(similarity) as least_similar, kept_url as kept from duplicates group by cluster, kept_url
    order by duplicates desc, kept limit 10";
/// The whole table.
const ALL: &str = r#"select * from duplicates order by file, "offset", in_member"#;

/// The arguments of `tamis dedup`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Pages with the same payload digest are exact duplicates. Near-duplicates are pages whose main texts share most of their sequences of five words \
(minhash:SHARE, by default minhash:0.8), or whose fingerprints differ in few bits (simhash:BITS). Each duplicate belongs to one page that is kept and \
that it resembles directly; numbers and dates in the text are ignored.

For archives, the largest groups are printed, or with -o or --format a table of all duplicates: each with its position, the page kept \
instead, their similarity, and why that page is kept.

For a collection, the result is stored in its folder dedup/. Later runs compare only new archives, and do not repeat earlier comparisons. \
Queries of the collection then have the columns duplicate_of, duplicate_kind and similarity, and the table duplicates.

Examples:
  tamis dedup crawl/*.warc.gz
  tamis dedup crawl/ --near simhash:2 --keep longest -o duplicates.parquet
  tamis dedup eclipse
  tamis query eclipse \"select url, text from pages where duplicate_of is null\"")]
pub struct Args {
    /// A collection; or archives, folders, quoted globs, lists of paths (@list.txt), or - for stdin
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<OsString>,
    /// Rule for near-duplicates: minhash:SHARE (0.3 to 1), simhash:BITS (0 to 3), or none [default: minhash:0.8, or
    /// the rule used for the collection before]
    #[arg(long, value_name = "RULE")]
    near: Option<String>,
    /// Which page of a group is kept: first, oldest or longest
    #[arg(long, value_name = "WHICH", default_value = "first")]
    keep: String,
    /// Minimum text size of near-duplicates, in bytes; menus and error pages are all alike
    #[arg(long, value_name = "BYTES", default_value_t = 200)]
    least_text: u64,
    /// Compare all archives of a collection again
    #[arg(long)]
    redo: bool,
    #[command(flatten)]
    rows: RowsArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Memory limit: 2G, 50% of the machine, or `auto` for half of it
    #[arg(long, value_name = "LIMIT", default_value_t = Memory::Auto)]
    memory: Memory,
}

/// Finds duplicates.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    args.check()?;
    let jobs = args.jobs.count(&session.config);
    let scratch = spill_folder()?;
    let settings = settings(args.memory, jobs, scratch.path(), session)?;
    let near = args.near()?;
    let job = Job {
        near: dedup::near_of_words(&near)
            .ok_or_else(|| anyhow!("`{near}` is not a rule for near-duplicates"))
            .hint("use minhash:0.8, simhash:3, or none")?,
        keep: dedup::keep_of_word(&args.keep)
            .ok_or_else(|| anyhow!("unknown value `{}` of --keep", args.keep))
            .hint("use first, oldest or longest")?,
        least_text: args.least_text,
        memory_bytes: settings.memory_bytes / 2,
        jobs: settings.jobs,
    };
    let engine = Engine::new(settings).map_err(told::query_error)?;
    let finder = Finder { args, session, job, engine, scratch: scratch.path() };
    match args.inputs.as_slice() {
        [path] if Collection::is_one(Path::new(path)) => finder.of_collection(Path::new(path)),
        _ => finder.of_archives(),
    }
}

impl Args {
    /// Refuses an output that has no format, before any work is done.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        self.rows.rows(self.output.path()).map(drop)
    }

    /// The rule for near duplicates: the one that is said, or was said of the collection before.
    fn near(&self) -> anyhow::Result<String> {
        if let Some(near) = &self.near {
            return Ok(near.clone());
        }
        let before = match self.inputs.as_slice() {
            [path] if Collection::is_one(Path::new(path)) && !self.redo => {
                Store::read(&Collection::open(Path::new(path)).map_err(explain)?).map_err(explain)?.near
            }
            _ => String::new(),
        };
        Ok(if before.is_empty() { USUAL_NEAR.to_owned() } else { before })
    }
}

struct Finder<'a> {
    args: &'a Args,
    session: &'a Session,
    job: Job,
    engine: Engine,
    scratch: &'a Path,
}

impl Finder<'_> {
    fn of_archives(&self) -> anyhow::Result<Outcome> {
        let Table { pages, found } =
            Table::open(&self.args.inputs, self.job.jobs, &Context::default(), self.session)?;
        if pages.members().is_empty() {
            return Ok(found);
        }
        let file = |name: &str| self.scratch.join(name);
        let files = Files {
            index: file("index"),
            kept_before: Vec::new(),
            kept: file("kept.parquet"),
            duplicates: file("duplicates.parquet"),
            scratch: self.scratch.to_owned(),
        };
        let counts = self.find(&pages, &files, 0)?;
        let outcome = told::incomplete(&pages.audit(), &pages, &self.session.printer).and(found);
        self.show(std::slice::from_ref(&files.duplicates), counts, None)?;
        Ok(outcome)
    }

    fn of_collection(&self, path: &Path) -> anyhow::Result<Outcome> {
        let started = super::new::now();
        let command = command_line::join([Path::new("tamis"), Path::new("dedup"), path]);
        let writer = lock(open(path, self.session)?, &command)?;
        let mut store = self.store(&writer)?;
        let all_due = store.due(&writer).map_err(explain)?;
        let (due, mut outcome) = self.readable(all_due.clone(), &writer)?;
        if !store.pending.is_empty() && due != all_due {
            // The index may know pages of all of them already, by their numbers in that run.
            return Err(anyhow!("an interrupted run cannot be resumed without all of its archives"))
                .hint(format!("`{command} --redo` compares all archives again"));
        }
        let mut counts = Found::default();
        if !due.is_empty() {
            store.pending.clone_from(&due);
            store.write(&writer).map_err(explain)?;
            let pages = pages_of(&writer, &due)?;
            let files = store.files(&writer, self.scratch.to_owned());
            counts = self.find(&pages, &files, store.next_id)?;
            let unseen = pages.audit();
            outcome = outcome.and(told::incomplete(&unseen, &pages, &self.session.printer));
            if !unseen.is_empty() || (0..pages.members().len()).any(|member| pages.error(member).is_some()) {
                // What was not read must not count as compared.
                return Err(anyhow!("not all archives could be read, so no result was stored"))
                    .hint(format!("`{command}` compares them again"));
            }
            let archives = writer.archives().map_err(explain)?;
            let judged = |name: String| {
                let archive = archives.get(&name)?;
                Some((name, JudgedArchive { captures: archive.captures, sha256: archive.sha256.clone() }))
            };
            store.add(due.into_iter().filter_map(judged).collect(), counts, &writer).map_err(explain)?;
            store.write(&writer).map_err(explain)?;
            self.record(&writer, started.to_string(), command, counts)?;
        }
        let tables = store.duplicates(&writer).into_iter();
        let tables: Vec<PathBuf> = tables
            .map(|table| table.verify().map(|()| table.path))
            .collect::<Result<_, _>>()
            .map_err(explain)?;
        self.show(&tables, counts, Some((path, &store)))?;
        Ok(outcome)
    }

    /// The archives among those that are due whose files are there as they were imported. Says which are not, and which are
    /// not in the collection's list yet.
    fn readable(
        &self,
        mut due: BTreeSet<String>,
        writer: &Writer,
    ) -> anyhow::Result<(BTreeSet<String>, Outcome)> {
        let mut skipped = 0;
        for archive in writer.archives().map_err(explain)?.values() {
            if !due.contains(&archive.name) {
                continue;
            }
            match archive.condition(writer) {
                Condition::Present => continue,
                Condition::Changed => {
                    warn_of_archive(
                        writer,
                        archive,
                        "has changed since it was imported; skipped",
                        self.session,
                    );
                }
                Condition::Missing => {
                    warn_of_archive(writer, archive, "is missing; skipped", self.session);
                }
            }
            due.remove(&archive.name);
            skipped += 1;
        }
        let unfinished = writer.unfinished().map_err(explain)?;
        skipped += warn_of_unfinished(writer, &unfinished, Treatment::Skip, self.session);
        Ok((due, Outcome::of_skipped(skipped)))
    }

    /// What is known of a collection, unless it was found under another rule.
    fn store(&self, writer: &Writer) -> anyhow::Result<Store> {
        if self.args.redo {
            Store::remove(writer)?;
        }
        let store = Store::read(writer).map_err(explain)?;
        // The next run compares with what is kept: that must be what was written, of the archives that are there.
        if let Some((path, why)) = store.verify(writer).map_err(explain)?.into_iter().next() {
            return Err(explain(tamis_collection::Error::Damaged { path, why }));
        }
        let near = dedup::near_words(self.job.near);
        if !store.near.is_empty() && store.near != near {
            return Err(anyhow!("the collection's duplicates were found with --near {}", store.near))
                .hint("use the same rule, or --redo to compare all archives again");
        }
        Ok(Store { near, ..store })
    }

    fn find(&self, pages: &Arc<Pages>, files: &Files, first_id: u64) -> anyhow::Result<Found> {
        let total_bytes = pages.members().iter().map(|member| member.source.len()).sum();
        let work = Work { verb: "comparing", item: "page", total_bytes, data_on_stdout: false };
        let progress = Progress::start(&self.session.printer, work);
        let watch = Watch::new(progress, pages, self.engine.stop());
        let mut go_on = || {
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let found = watch.over(|_| self.job.run(&self.engine, pages, files, first_id, &mut go_on));
        found.map_err(|error| match error {
            dedup::Error::Stopped => Interrupted::default().into(),
            dedup::Error::Query(error) => told::query_error(error),
            error => anyhow!(error),
        })
    }

    /// Writes the table, or shows what is largest in it.
    fn show(
        &self,
        files: &[PathBuf],
        found: Found,
        collection: Option<(&Path, &Store)>,
    ) -> anyhow::Result<()> {
        let is_asked = self.args.rows.is_given() || self.args.output.path().is_some();
        let form = self.args.rows.rows(self.args.output.path())?;
        let duplicates =
            collection.map_or(found.exact + found.near, |(_, store)| store.exact + store.near_duplicates);
        if !files.is_empty() && (is_asked || duplicates > 0) {
            self.print(files, if is_asked { ALL } else { LARGEST }, &form)?;
        }
        let mut summary = Summary::default();
        summary.read(HumanCount::of(found.pages, "page"));
        summary.wrote(HumanCount::of(found.kept, "page") + " kept");
        summary.dropped(&HumanCount(found.exact).noun("exact duplicate"), found.exact);
        summary.dropped(&HumanCount(found.near).noun("near duplicate"), found.near);
        if let Some(path) = self.args.output.path() {
            summary.went_to(path.display());
        }
        if let Some((path, store)) = collection {
            if found.pages == 0 {
                let all = HumanCount::of(store.pages, "page");
                self.session.printer.say(format_args!("nothing new: {all} already compared"));
            }
            let query = "select url, title from pages where duplicate_of is null";
            let next = command_line::join([Path::new("tamis"), Path::new("query"), path, Path::new(query)]);
            summary.next(next);
        }
        self.session.printer.summary(&summary);
        Ok(())
    }

    fn print(&self, files: &[PathBuf], sql: &str, form: &Rows) -> anyhow::Result<()> {
        self.engine.register_parquet("duplicates", files).map_err(told::query_error)?;
        let nothing = Arc::new(Pages::new(Vec::new(), Cut::Whole));
        let query = self.engine.prepare(sql, &nothing).map_err(told::query_error)?;
        let mut output = self.args.output.open(&self.session.printer, form.content())?;
        let is_seen = output.is_stdout() && io::stdout().is_terminal();
        let failed = told::sink_error(self.args.output.path());
        let mut sink = form.sink(&mut output, is_seen, &query.schema()).map_err(&failed)?;
        let mut written = Ok(());
        let ran = self.engine.run(&query, &mut |batch| {
            written = sink.write(&batch);
            if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        written.map_err(&failed)?;
        ran.map_err(told::query_error)?;
        sink.finish().map_err(&failed)?;
        output.finish()
    }

    fn record(&self, writer: &Writer, time: String, command: String, found: Found) -> anyhow::Result<()> {
        let object = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
        let run = Run {
            time,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command,
            settings: object(
                json!({ "near": dedup::near_words(self.job.near), "keep": self.args.keep, "least_text": self.args.least_text }),
            ),
            result: object(json!({
                "pages": found.pages, "kept": found.kept, "exact": found.exact, "near": found.near,
            })),
        };
        writer.record(&run).map_err(explain).context("the results are stored, but the run is not recorded")
    }
}

/// Whether a member of `pages` is of an archive.
fn is_of(member: &str, archive: &str) -> bool {
    member == archive || member.strip_prefix(archive).is_some_and(|rest| rest.starts_with('#'))
}

/// The archives of a collection that are due, as a table.
fn pages_of(writer: &Writer, due: &BTreeSet<String>) -> anyhow::Result<Arc<Pages>> {
    let Members { list, .. } = tamis_table::members(writer, &Context::default()).map_err(explain)?;
    // A package has a member for each archive in it.
    let is_due = |member: &Member| due.iter().any(|name| is_of(&member.name, name));
    Ok(Arc::new(Pages::new(list.into_iter().filter(is_due).collect(), Cut::Even)))
}
