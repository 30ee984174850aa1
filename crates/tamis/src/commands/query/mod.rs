//! `tamis query`: archives asked in SQL.
//!
//! Memory: `--memory` in all. Each thread that reads is reckoned with 64 MiB of it, the program and what writes rows
//! with 192 MiB; sorts, groups and joins have the rest, at least a quarter, and go to the disk beyond that.

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

use anyhow::Context as _;
use tamis_table::dedup::Store;
use tamis_table::query::{Engine, Prepared, Settings};
use tamis_table::sink::SinkError;
use tamis_table::{Collection, Context, Cut, Pages, RecordBatch};
use tempfile::TempDir;

use crate::commands::open_collection::{explain, open};
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt;
use crate::jobs::JobsArgs;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::output::OutputArgs;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;
pub(super) use format::Format;
use statement::Asked;
pub(super) use table::Table;
pub(super) use watch::Watch;

/// What a thread that reads takes: the records of a chunk, the rows they become, a page with its tree.
const READER_BYTES: u64 = 64 << 20;
/// What the program takes, and a row group of Parquet on its way out.
const BASE_BYTES: u64 = 192 << 20;

/// The arguments of `tamis query`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The inputs are the table pages, with a row for each capture: response, resource, revisit and conversion records. A column is \
computed only if the query needs it: url, status or time are read off heads, title needs the page parsed, text its main text \
found; `explain SELECT …` names the annotators that will run. `--columns` lists all columns and functions; \"webpage:title\" \
and the like, in double quotes, are names of columns, too.

Rows come in the order of the inputs, those of columns that a collection keeps in the order of their keys behind all others; \
those of any query that groups, joins or is DISTINCT are sorted by all columns unless it has ORDER BY. The order is the same for any \
number of threads.

Exit code 2 if an input was damaged or passed over, or if what was read does not add up: the rows that could be read are there.

Examples:
  tamis query a.warc.gz \"select url, title from pages where status = 200\"
  tamis query crawl/ \"select domain, count(*) from pages group by domain\"
  tamis query crawl/ \"select languages[1]['language'] as main, count(*) from pages group by main\"
  tamis query crawl/ \"select url, time, text from pages\" -o pages.parquet
  tamis query crawl/ -f report.sql --format csv")]
pub struct Args {
    /// Archives, collections, folders, quoted globs, lists of paths (@list.txt), - for stdin; and the query, last
    #[arg(value_name = "INPUT… SQL", required_unless_present = "columns")]
    words: Vec<OsString>,
    /// Read the query from FILE; `-` is stdin
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// List the columns and functions that queries can use
    #[arg(long)]
    columns: bool,
    /// How to print rows [default: as the name of the output ends, else table]
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Use no more memory: 2G, 50% of what there is, or `auto` for half
    #[arg(long, value_name = "LIMIT", default_value_t = Memory::Auto)]
    memory: Memory,
}

/// Runs a query.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let format = args.format.unwrap_or_else(|| Format::of_file(args.output.path()));
    if args.columns {
        return columns::run(args, format, session);
    }
    let Asked { sql, inputs } = Asked::of(&args.words, args.file.as_deref())?;
    let jobs = args.jobs.count(&session.config);
    let Table { pages, found } = Table::open(&inputs, jobs, &Context::default(), session)?;
    // A collection without archives is a table without rows.
    if pages.members().is_empty() && found != Outcome::Done {
        return Ok(found);
    }
    let spill = spill_folder()?;
    let engine =
        Engine::new(settings(args.memory, jobs, spill.path(), session)?).map_err(told::query_error)?;
    register_duplicates(&engine, &inputs, &sql)?;
    let query = engine.prepare(&sql, &pages).map_err(told::query_error)?;
    let rows = args.answer(format, &engine, &query, &pages, session);
    let rows = rows.inspect_err(|_| {
        told::faults(&pages, &session.printer);
    })?;
    let seen = told::incomplete(&query, &pages, &session.printer);
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
pub(super) struct Watched<'a> {
    /// What the progress line says.
    pub(super) verb: &'static str,
    /// Whether rows appear on the same screen as the progress.
    pub(super) rows_are_seen: bool,
    /// The file that rows go to, for messages.
    pub(super) output: Option<&'a Path>,
    pub(super) session: &'a Session,
}

/// Gives a query the table `duplicates`, if it names it and a collection has one.
pub(super) fn register_duplicates(engine: &Engine, inputs: &[OsString], sql: &str) -> anyhow::Result<()> {
    if !sql.to_ascii_lowercase().contains("duplicates") {
        return Ok(());
    }
    let mut files = Vec::new();
    for input in inputs.iter().map(Path::new).filter(|input| Collection::is_one(input)) {
        let collection = open(input)?;
        let store = Store::read(&collection).map_err(explain)?;
        if let Some((path, why)) = store.stale_fault(&collection).map_err(explain)? {
            return Err(explain(tamis_table::collection::Error::Damaged { path, why }));
        }
        for table in store.duplicates(&collection) {
            table.verify().map_err(explain)?;
            files.push(table.path);
        }
    }
    if files.is_empty() {
        return Ok(());
    }
    engine
        .register_parquet("duplicates", &files)
        .map_err(told::query_error)
        .context("the table of duplicates cannot be read")
        .hint("`tamis dedup NAME --redo` finds them again")
}

/// The stored bytes of all archives, if known.
fn total_bytes(pages: &Pages) -> Option<u64> {
    pages.members().iter().map(|member| member.source.len()).sum()
}

/// Where sorts put what has no room. Goes away when dropped, which Ctrl-C must not prevent.
pub(super) fn spill_folder() -> anyhow::Result<TempDir> {
    interrupt::watch();
    tempfile::Builder::new()
        .prefix("tamis-query-")
        .tempdir()
        .with_context(|| format!("cannot write into {}", std::env::temp_dir().display()))
        .hint("name a folder for what has no room in memory with TMPDIR")
}

/// How a query is run that may use so much memory.
pub(super) fn settings(
    memory: Memory,
    jobs: NonZero<usize>,
    spill: &Path,
    session: &Session,
) -> anyhow::Result<Settings> {
    let limit = memory.bytes()?;
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

impl Args {
    /// Whether there can be an answer, as far as the query itself goes.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let Asked { sql, .. } = Asked::of(&self.words, self.file.as_deref())?;
        // The table of duplicates has its columns once there is one.
        if sql.to_ascii_lowercase().contains("duplicates") {
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
        format: Format,
        engine: &Engine,
        query: &Prepared,
        pages: &Pages,
        session: &Session,
    ) -> anyhow::Result<u64> {
        let mut output = self.output.open(&session.printer, format.content())?;
        let is_seen = output.is_stdout() && io::stdout().is_terminal();
        let mut rows = 0;
        let failed = told::sink_error(self.output.path());
        let mut sink = format.sink(&mut output, is_seen, &query.schema()).map_err(&failed)?;
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
