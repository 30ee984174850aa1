//! `tamis query`: archives asked in SQL.
//!
//! Memory: `--memory` in all. Each thread that reads counts for 64 MiB of it, the program and the output for 192 MiB;
//! sorts, groups and joins use the rest, at least a quarter, and spill to disk beyond that. Threads that do not fit are not
//! started, and a limit that does not hold one thread is refused. What expressions make of a batch of rows is not counted; functions that
//! grow have limits of their own, and a ceiling ends the program if it takes half as much again as the limit and 256 MiB more.
//!
//! Ctrl-C and SIGTERM end it within a second, also in the middle of a batch.

mod columns;
mod format;
mod statement;
pub(super) mod table;
pub(super) mod told;
mod watch;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use tamis_collection::Collection;
use tamis_table::dedup::Store;
use tamis_table::query::{Engine, Prepared, Settings};
use tamis_table::sink::SinkError;
use tamis_table::{Context, Cut, Pages, RecordBatch};
use tempfile::TempDir;

use crate::ceiling::Ceiling;
use crate::command_line;
use crate::commands::open_collection::explain;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt;
use crate::jobs::JobsArgs;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::output::OutputArgs;
use crate::printer::Printer;
use crate::progress::{Progress, Work};
use crate::scrap::Scrap;
use crate::session::Session;
use crate::summary::Summary;
pub(super) use format::{Format, Rows, RowsArgs};
use statement::Asked;
pub(super) use table::Table;
pub(super) use watch::Watch;

/// The table that `tamis dedup` makes.
const DUPLICATES: &str = "duplicates";
/// What a thread that reads takes: the records of a chunk, the rows they become, a page with its tree.
const READER_BYTES: u64 = 64 << 20;
/// What the program takes, and a row group of Parquet on its way out.
const BASE_BYTES: u64 = 192 << 20;

/// The arguments of `tamis query`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Tables: pages has one row per capture (response, resource, revisit or conversion record) of the inputs. captures has the same rows, \
with only the columns that need no response body. links has one row per link (id, source, target, kind, anchor …). duplicates exists \
after `tamis dedup COLLECTION`. --table NAME=FILE adds a CSV, TSV, JSON Lines or Parquet file.

Columns are computed only if the query needs them: url, status and time come from headers, title needs the page parsed, text its main text \
extracted. `explain SELECT …` shows which stages run. `--columns` lists all columns and functions. Names such as \"webpage:title\", \
in double quotes, work as well.

Order: rows come in the order of the inputs. Without ORDER BY, the result of GROUP BY, DISTINCT or a join is sorted by all columns. \
The order does not depend on the number of threads.

Limits: queries only read. --memory limits sorts, groups and joins, which then use temporary files, and the output of functions such as repeat \
per batch of rows (64 MiB to 1 GiB). Values of other expressions are not counted; on Linux, a query that uses more than 1.5 times \
--memory plus 256 MiB is stopped. A query may have 1 MiB of text, an expression 4,000 tokens.

Exit code 2 if an input was damaged or skipped, or if the result is incomplete for another reason; the available rows are printed.

Examples:
  tamis query a.warc.gz \"select url, title from pages where status = 200\"
  tamis query crawl/ \"select domain, count(*) from pages group by domain\"
  tamis query crawl/ \"select languages[1].language as main, count(*) from pages group by main\"
  tamis query crawl/ \"select url, time, text from pages\" -o pages.parquet
  tamis query crawl/ \"select target, count(*) from links group by target order by 2 desc limit 10\"
  tamis query crawl/ --table sites=sites.csv \"select url, name from pages join sites using (host)\"
  tamis query crawl/ -f report.sql --format csv")]
pub struct Args {
    /// Archives, collections, folders, quoted globs, lists of paths (@list.txt), - for stdin; the query comes last
    #[arg(value_name = "INPUT… SQL", required_unless_present = "columns")]
    words: Vec<OsString>,
    /// Read the query from FILE; `-` is stdin
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Add a CSV, TSV, JSON Lines or Parquet file as a table; empty values of CSV and TSV are null
    #[arg(long = "table", value_name = "NAME=FILE")]
    tables: Vec<String>,
    /// List all columns and functions
    #[arg(long)]
    columns: bool,
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

/// Runs a query.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let form = args.rows.rows(args.output.path())?;
    if args.columns {
        return columns::run(args, &form, session);
    }
    let Asked { sql, inputs } = Asked::of(&args.words, args.file.as_deref())?;
    let jobs = args.jobs.count(&session.config);
    let Table { pages, found } = Table::open(&inputs, jobs, &Context::default(), session)?;
    // A collection without archives is a table without rows.
    if pages.members().is_empty() && found != Outcome::Done {
        return Ok(found);
    }
    let spill = spill_folder()?;
    let _ceiling = bound(args.memory)?;
    let engine =
        Engine::new(settings(args.memory, jobs, spill.path(), session)?).map_err(told::query_error)?;
    let unjudged = register_duplicates(&engine, &inputs, &sql)?;
    register_files(&engine, &args.tables)?;
    let query = engine.prepare(&sql, &pages).map_err(told::query_error)?;
    let rows = args.answer(&form, &engine, &query, &pages, session);
    let rows = rows.inspect_err(|_| {
        told::faults(&pages, &session.printer);
    })?;
    let mut seen = told::incomplete(&query.audit(), &pages, &session.printer);
    if query.names_table(DUPLICATES) {
        seen = seen.and(unjudged.report(&pages, &session.printer));
    }
    if let Some(path) = args.output.path() {
        let bytes = total_bytes(&pages).map(|bytes| format!(", {}", HumanSize(bytes))).unwrap_or_default();
        let mut summary = Summary::default();
        summary.read(HumanCount::of(pages.members().len() as u64, "archive") + &bytes);
        summary.wrote(HumanCount::of(rows, "row")).went_to(path.display());
        session.printer.summary(&summary);
    }
    Ok(found.and(seen))
}

/// Runs a query with progress and until Ctrl-C, and hands its rows to `write`.
pub(super) fn run_watched(
    engine: &Engine,
    query: &Prepared,
    pages: &Pages,
    work: Watched<'_>,
    mut write: impl FnMut(&RecordBatch) -> Result<(), SinkError>,
) -> anyhow::Result<()> {
    let Watched { verb, rows_are_seen, output, session } = work;
    let work = Work { verb, item: "page", total_bytes: total_bytes(pages), data_on_stdout: false };
    let mut written = Ok(());
    let ran = {
        let watch = Watch::new(Progress::start(&session.printer, work), pages, engine.stop());
        watch.over(|watch| {
            engine.run(query, &mut |batch| {
                if rows_are_seen {
                    watch.hide();
                }
                written = write(&batch);
                if written.is_err() || interrupt::requested() {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })
        })
    };
    interrupt::check()?;
    written.map_err(told::sink_error(output))?;
    ran.map_err(told::query_error)
}

/// How a query is watched.
#[derive(Clone, Copy)]
pub(super) struct Watched<'a> {
    /// What the progress line says.
    pub(super) verb: &'static str,
    /// Whether rows appear on the same screen as the progress.
    pub(super) rows_are_seen: bool,
    /// The file that rows go to, for messages.
    pub(super) output: Option<&'a Path>,
    pub(super) session: &'a Session,
}

/// Gives a query the tables of files, each `NAME=FILE`.
fn register_files(engine: &Engine, tables: &[String]) -> anyhow::Result<()> {
    for table in tables {
        let (name, file) = table
            .split_once('=')
            .filter(|(name, file)| !name.is_empty() && !file.is_empty())
            .ok_or_else(|| anyhow!("--table {table} is not NAME=FILE"))
            .hint("for example --table sites=sites.csv")?;
        if ["pages", "captures", "links", DUPLICATES].contains(&name) {
            return Err(anyhow!("the table {name} already exists")).hint("choose another name");
        }
        engine.register_file(name, Path::new(file)).map_err(told::query_error)?;
    }
    Ok(())
}

/// Captures of collections that the table `duplicates` says nothing of.
#[derive(Debug, Default)]
pub(super) struct Unjudged {
    captures: u64,
    command: String,
}

impl Unjudged {
    /// Reports them, and archives that are in no collection: nobody can have judged these.
    pub(super) fn report(&self, pages: &Pages, printer: &Printer) -> Outcome {
        if self.captures > 0 {
            printer.warn(format_args!(
                "{} not compared yet, so the table {DUPLICATES} may be incomplete; `{}` compares them",
                HumanCount::of(self.captures, "capture"),
                self.command
            ));
        }
        let alone =
            pages.members().iter().filter(|member| member.context.collection.is_none()).count() as u64;
        if alone > 0 {
            printer.warn(format_args!(
                "{} not in a collection, so not in the table {DUPLICATES}",
                HumanCount::of(alone, "archive")
            ));
        }
        Outcome::of_skipped(self.captures + alone)
    }
}

/// Gives a query the table `duplicates`, if its text has the word and a collection has the table.
pub(super) fn register_duplicates(
    engine: &Engine,
    inputs: &[OsString],
    sql: &str,
) -> anyhow::Result<Unjudged> {
    let mut unjudged = Unjudged::default();
    if !sql.to_ascii_lowercase().contains(DUPLICATES) {
        return Ok(unjudged);
    }
    let mut files = Vec::new();
    for input in inputs.iter().map(Path::new).filter(|input| Collection::is_one(input)) {
        let collection = Collection::open(input).map_err(explain)?;
        let store = Store::read(&collection).map_err(explain)?;
        if let Some((path, why)) = store.stale_fault(&collection).map_err(explain)? {
            return Err(explain(tamis_collection::Error::Damaged { path, why }));
        }
        let left = store.captures_left(collection.archives().map_err(explain)?.values());
        if left > 0 {
            unjudged.captures += left;
            unjudged.command = command_line::join([Path::new("tamis"), Path::new("dedup"), input]);
        }
        for table in store.duplicates(&collection) {
            table.verify().map_err(explain)?;
            files.push(table.path);
        }
    }
    if files.is_empty() {
        return Ok(unjudged);
    }
    engine
        .register_parquet(DUPLICATES, &files)
        .map_err(told::query_error)
        .context("cannot read the table of duplicates")
        .hint("`tamis dedup NAME --redo` finds them again")?;
    Ok(unjudged)
}

/// The stored bytes of all archives, if known.
fn total_bytes(pages: &Pages) -> Option<u64> {
    pages.members().iter().map(|member| member.source.len()).sum()
}

/// Where sorts put what has no room. Goes away when dropped, which Ctrl-C must not prevent.
pub(super) fn spill_folder() -> anyhow::Result<Spill> {
    interrupt::watch();
    let folder = tempfile::Builder::new()
        .prefix("tamis-query-")
        .tempdir()
        .with_context(|| format!("cannot write into {}", std::env::temp_dir().display()))
        .hint("set TMPDIR to a folder for temporary files")?;
    Ok(Spill { _scrap: Scrap::new(folder.path()), folder })
}

/// Bounds the memory of a command that only reads, and the time it takes to end after Ctrl-C.
pub(super) fn bound(memory: Memory) -> anyhow::Result<Ceiling> {
    interrupt::end_within(interrupt::SHORT_GRACE);
    Ok(Ceiling::over(memory.at_least(min_memory(), "a query")?))
}

/// A folder for what sorts have no room for, which also goes away if the program is ended on the spot.
pub(super) struct Spill {
    // Unlisted before it is removed.
    _scrap: Scrap,
    folder: TempDir,
}

impl Spill {
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The settings of a query within a limit of memory: as many threads as were asked for and fit into it.
pub(super) fn settings(
    memory: Memory,
    jobs: NonZero<usize>,
    spill: &Path,
    session: &Session,
) -> anyhow::Result<Settings> {
    let limit = memory.at_least(min_memory(), "a query")?;
    let asked = jobs;
    let jobs = asked.min(fitting_jobs(limit));
    if jobs < asked {
        session.printer.note(format_args!("{asked} threads do not fit into {}", HumanSize(limit)));
    }
    let readers = READER_BYTES.saturating_mul(jobs.get() as u64);
    let rest = limit.saturating_sub(BASE_BYTES + readers).max(limit / 4);
    session.printer.note(format_args!(
        "{} of memory, {} of it for sorts, groups and joins; {}",
        HumanSize(limit),
        HumanSize(rest),
        HumanCount::of(jobs.get() as u64, "thread"),
    ));
    Ok(Settings { jobs, memory_bytes: rest as usize, spill: spill.to_owned() })
}

/// The least memory that a query runs in: the program, one thread that reads, and a quarter for sorts. In whole megabytes, so
/// that the size is accepted as it is printed.
fn min_memory() -> HumanSize {
    HumanSize(((BASE_BYTES + READER_BYTES) * 4 / 3).next_multiple_of(1_000_000))
}

/// The threads that read within a limit of memory, at least one.
fn fitting_jobs(limit: u64) -> NonZero<usize> {
    let readers = (limit - limit / 4).saturating_sub(BASE_BYTES) / READER_BYTES;
    NonZero::new(usize::try_from(readers).unwrap_or(usize::MAX)).unwrap_or(NonZero::<usize>::MIN)
}

impl Args {
    /// Whether there can be an answer, as far as the query itself goes.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        self.rows.rows(self.output.path())?;
        let Asked { sql, .. } = Asked::of(&self.words, self.file.as_deref())?;
        // The table of duplicates has its columns once there is one.
        if sql.to_ascii_lowercase().contains(DUPLICATES) {
            return Ok(());
        }
        let spill = spill_folder()?;
        let settings = Settings {
            jobs: NonZero::<usize>::MIN,
            memory_bytes: READER_BYTES as usize,
            spill: spill.path().to_owned(),
        };
        let engine = Engine::new(settings).map_err(told::query_error)?;
        let nothing = Arc::new(Pages::new(Vec::new(), Cut::Whole));
        engine.prepare(&sql, &nothing).map(drop).map_err(told::query_error)
    }

    /// Writes the rows of a query. Gives how many there are.
    fn answer(
        &self,
        form: &Rows,
        engine: &Engine,
        query: &Prepared,
        pages: &Pages,
        session: &Session,
    ) -> anyhow::Result<u64> {
        let mut output = self.output.open(&session.printer, form.content())?;
        let is_seen = output.is_stdout() && io::stdout().is_terminal();
        let mut rows = 0;
        let failed = told::sink_error(self.output.path());
        let mut sink = form.sink(&mut output, is_seen, &query.schema()).map_err(&failed)?;
        let watched =
            Watched { verb: "reading", rows_are_seen: is_seen, output: self.output.path(), session };
        run_watched(engine, query, pages, watched, |batch| {
            rows += batch.num_rows() as u64;
            sink.write(batch)
        })?;
        sink.finish().map_err(&failed)?;
        output.finish()?;
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_of_memory_holds_one_thread() {
        let minimum = min_memory();
        assert_eq!(minimum.to_string().parse(), Ok(minimum), "it can be typed as it is printed");
        for (limit, jobs) in [(0, 1), (minimum.0, 1), (512 << 20, 3), (1 << 30, 9)] {
            assert_eq!(fitting_jobs(limit).get(), jobs, "{limit}");
            assert!(
                limit < minimum.0 || BASE_BYTES + READER_BYTES * jobs as u64 + limit / 4 <= limit,
                "{limit}"
            );
        }
    }
}
