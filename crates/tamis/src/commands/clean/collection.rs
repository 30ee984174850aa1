//! `tamis clean COLLECTION`: columns that are computed once and kept in the collection.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use serde_json::json;
use tamis_archive::Severity;
use tamis_collection::Collection;
use tamis_collection::{Run, Writer};
use tamis_table::materialise::{self, Event, Job, Made, Task};
use tamis_table::{COLUMNS, Column, Members};

use super::Args;
use crate::archives::Told;
use crate::command_line;
use crate::commands::open_collection::{explain, lock, open};
use crate::commands::query::table::{Treatment, warn_of_unfinished};
use crate::commands::query::told::warn_of_oversized;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::interrupt;
use crate::nearest;
use crate::outcome::Outcome;
use crate::printer::Printer;
use crate::progress::{Progress, Work};
use crate::session::Session;
use crate::summary::Summary;

/// Computes what is missing of the columns asked for.
pub(super) fn run(args: &Args, path: &Path, session: &Session) -> anyhow::Result<Outcome> {
    let started = crate::commands::new::now();
    let collection = open(path, session)?;
    let job = job(args, &collection, session)?;
    if args.dry_run {
        tell_plan(&materialise::missing(&collection, &job).map_err(explain)?, &job, session)?;
        return Ok(Outcome::Done);
    }
    interrupt::watch();
    let writer = lock(collection, "clean")?;
    let tasks = materialise::missing(&writer, &job).map_err(explain)?;
    let total_bytes = tasks.iter().map(|task| task.stored).sum();
    let work = Work { verb: "cleaning", item: "page", total_bytes: Some(total_bytes), data_on_stdout: false };
    let progress = Progress::start(&session.printer, work);
    let mut faults = Faulty { page_bytes: args.max_size.0, ..Faulty::default() };
    let watch = |event: Event<'_>| {
        faults.take(&event, &session.printer);
        match event {
            Event::Made { stored, rows, .. } => progress.add(stored, rows),
            Event::Failed { error, .. } if error.is_disk_full() => {
                session.printer.hint("free some space and run the command again; it resumes");
                return ControlFlow::Break(());
            }
            Event::Failed { .. } => {}
        }
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let made = materialise::run(&writer, &job, watch).map_err(explain)?;
    drop(progress);
    faults.tell_rest(&session.printer);
    if made.parts > 0 {
        record(&writer, args, path, &made, started.to_string(), &job)?;
    }
    interrupt::check()?;
    tell(path, total_bytes, &made, session);
    let unfinished = writer.unfinished().map_err(explain)?;
    let unfinished = warn_of_unfinished(&writer, &unfinished, Treatment::Skip, session);
    Ok(Outcome::of_skipped(faults.damage + made.failed + unfinished))
}

fn job(args: &Args, collection: &Collection, session: &Session) -> anyhow::Result<Job> {
    let context = args.context();
    // What all rows share is the collection's.
    let Members { list, .. } = tamis_table::members(collection, &context).map_err(explain)?;
    let context = list.first().map_or_else(|| Arc::new(context), |member| member.context.clone());
    let jobs = args.jobs.count(&session.config);
    Ok(Job { columns: columns(args.columns.as_deref())?, jobs, context, ..Job::default() })
}

/// The columns of a list of names.
pub(super) fn columns(list: Option<&str>) -> anyhow::Result<Vec<&'static Column>> {
    let mut columns = Vec::new();
    for name in list.unwrap_or("light").split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match name {
            "light" => columns.extend(COLUMNS.iter().filter(|column| column.is_light())),
            "words" => columns.extend(COLUMNS.iter().filter(|column| column.is_of_words())),
            "all" => columns.extend(COLUMNS.iter().filter(|column| column.is_keepable())),
            name => columns.push(keepable(name)?),
        }
    }
    // Rows are found by their place, and by their URL in what the collection knows of URLs.
    columns.extend(["key", "url", "offset", "in_member"].iter().filter_map(|name| Column::named(name)));
    columns.sort_by_key(|column| column.id);
    columns.dedup_by_key(|column| column.id);
    Ok(columns)
}

/// A column that collections can keep.
fn keepable(name: &str) -> anyhow::Result<&'static Column> {
    let column = Column::named(name).ok_or_else(|| no_column(name))?;
    if column.is_keepable() {
        return Ok(column);
    }
    Err(anyhow!("{name} cannot be stored: it can change when archives do not"))
        .hint("queries always read the current value")
}

fn no_column(name: &str) -> anyhow::Error {
    let names = COLUMNS.iter().map(|column| column.name);
    let hint = match nearest::nearest(name, names) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "`tamis query --columns` lists all columns".to_owned(),
    };
    anyhow!("no column {name}").hint(hint)
}

/// The faults of each archive as they are told.
#[derive(Default)]
struct Faulty {
    told: BTreeMap<String, Told>,
    /// How many pages of each archive are larger than `page_bytes`.
    oversized: BTreeMap<String, u64>,
    page_bytes: u64,
    damage: u64,
}

impl Faulty {
    fn take(&mut self, event: &Event<'_>, printer: &Printer) {
        match event {
            Event::Made { archive, faults, oversized, .. } => {
                self.damage += faults.counts().of_severity(Severity::Damage) + oversized;
                *self.oversized.entry((*archive).to_owned()).or_default() += oversized;
                let told = self.told.entry((*archive).to_owned()).or_default();
                told.tell(printer, &source_named(archive), faults);
            }
            Event::Failed { error, archive } => printer.error(&anyhow!("{archive}: {error}")),
        }
    }

    fn tell_rest(&mut self, printer: &Printer) {
        for (archive, told) in std::mem::take(&mut self.told) {
            told.tell_rest(printer, &source_named(&archive));
        }
        for (archive, pages) in std::mem::take(&mut self.oversized) {
            if pages > 0 {
                warn_of_oversized(&archive, pages, self.page_bytes, printer);
            }
        }
    }
}

/// Faults are told by the archive's name in the collection.
fn source_named(archive: &str) -> tamis_archive::Source {
    tamis_archive::Source::file(archive)
}

fn record(
    writer: &Writer,
    args: &Args,
    path: &Path,
    made: &Made,
    time: String,
    job: &Job,
) -> anyhow::Result<()> {
    let names: Vec<&str> = job.columns.iter().map(|column| column.name).collect();
    let settings = json!({"columns": names, "repair": args.repair, "max_size": args.max_size.0});
    let result = json!({"parts": made.parts, "rows": made.rows, "bytes": made.bytes, "failed": made.failed});
    let run = Run {
        time,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command_line::join([Path::new("tamis"), Path::new("clean"), path]),
        settings: settings.as_object().cloned().unwrap_or_default(),
        result: result.as_object().cloned().unwrap_or_default(),
    };
    writer.record(&run).map_err(explain)
}

fn tell_plan(tasks: &[Task], job: &Job, session: &Session) -> anyhow::Result<()> {
    let bytes: u64 = tasks.iter().map(|task| task.stored).sum();
    let stages: tamis_table::Stages = job.columns.iter().map(|column| column.stages).collect();
    let parts = HumanCount::of(tasks.len() as u64, "part");
    writeln!(
        session.printer.out(),
        "{parts} to compute from {} of archives, with {stages}",
        HumanSize(bytes)
    )?;
    Ok(())
}

fn tell(path: &Path, stored: u64, made: &Made, session: &Session) {
    let mut summary = Summary::default();
    if made.parts == 0 && made.failed == 0 {
        summary.wrote("nothing: all columns exist");
    } else {
        let parts = HumanCount::of(made.parts, "part");
        summary.read(HumanSize(stored));
        summary.wrote(format_args!(
            "{}, {parts}, {}",
            HumanCount::of(made.rows, "page"),
            HumanSize(made.bytes)
        ));
    }
    summary.dropped("failed parts", made.failed).went_to(path.join("pages").display());
    let query = [Path::new("tamis"), Path::new("query"), path].map(Path::as_os_str);
    let query = format!("{} \"select title, url from pages limit 10\"", command_line::join(query));
    session.printer.summary(summary.next(query));
}
