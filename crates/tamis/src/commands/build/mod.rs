//! `tamis build`: a collection by a plan, from its sources to a report.
//!
//! Each step is a command with the plan's keys for options, so that all that a command can do a plan can ask for. Commands
//! do only what is missing and go on where they were killed; so does a build.

mod check;
mod events;
mod fresh;
mod outputs;
mod plan;
mod step;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use clap::Parser as _;
use tamis_collection::Collection;

use crate::cli::Cli;
use crate::command_line;
use crate::commands;
use crate::commands::open_collection::open;
use crate::hint::{self, WithHint};
use crate::human_count::HumanCount;
use crate::human_duration::HumanDuration;
use crate::interrupt::{self, Interrupted};
use crate::outcome::Outcome;
use crate::palette::paint;
use crate::session::Session;
use crate::summary::Summary;

use events::{Event, Events};
use outputs::Outputs;
use plan::Plan;
use step::Step;

/// The arguments of `tamis build`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A plan is a TOML file. Its tables are steps, run in this order: [import], [fetch], [crawl], [clean], [dedup], [[output]], [report]. \
Keys of a step are the long options of its command (see `tamis crawl --help`): `delay = 2` is --delay 2, \
`requisites = true` is --requisites. Exception: `max-pages` counts the pages of all runs (--total-pages), because a plan describes the final state. \
Paths are relative to the plan's folder.

Run only plans you trust: [done] runs any command, and steps read and write files. --dry-run shows every command.

  collection = \"eclipse\"            # the folder; created if needed
  event = \"Solar eclipse of 2026\"

  [import]
  inputs = [\"old/*.warc.gz\", \"tweets.jsonl\"]

  [crawl]
  inputs = [\"seeds.txt\"]
  contact = \"me@example.org\"
  max-pages = 500

  [clean]

  [dedup]

  [[output]]
  sql = \"select url, title, text from pages where duplicate_of is null\"
  output = \"pages.parquet\"

  [report]

  [done]
  command = [\"./tell-the-team\"]      # after each step; TAMIS_EVENT has its line of events.jsonl

Only missing steps are run: run the plan again after a change, an interruption or a kill. Each finished step adds a line to events.jsonl in the \
collection. A failed step ends the build; a step with skipped inputs does not (exit code 2 at the end).")]
pub struct Args {
    /// The plan (TOML)
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Show the steps that would run, without running them
    #[arg(long)]
    dry_run: bool,
}

/// Builds a collection.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let text = fs::read_to_string(&args.plan)
        .with_context(|| format!("cannot read {}", args.plan.display()))
        .hint("`tamis build --help` shows a plan")?;
    let plan = Plan::parse(&args.plan, &text)?;
    if plan.steps.is_empty() {
        return Err(anyhow!("{}: no steps", args.plan.display())).hint("`tamis build --help` shows a plan");
    }
    // What is wrong with the last step is told before the first one runs.
    plan.steps.iter().try_for_each(check::check)?;
    Outputs::of(&plan.collection)?.check(&plan.steps)?;
    if args.dry_run {
        for step in &plan.steps {
            session.printer.say(format_args!("{}", step.command()));
        }
        if !plan.when_done.is_empty() {
            let command = command_line::join(&plan.when_done);
            session.printer.say(format_args!("after each step, in {}: {command}", plan.folder.display()));
        }
        return Ok(Outcome::Done);
    }
    interrupt::watch();
    Build { plan: &plan, session, started: Instant::now() }.run(&args.plan)
}

struct Build<'a> {
    plan: &'a Plan,
    session: &'a Session,
    started: Instant,
}

impl Build<'_> {
    fn run(&self, path: &Path) -> anyhow::Result<Outcome> {
        self.make_collection()?;
        let mut outputs = Outputs::of(&self.plan.collection)?;
        let events = Events::of(&self.plan.collection);
        let (mut outcome, mut ran) = (Outcome::Done, 0);
        let all = self.plan.steps.len();
        for (at, step) in self.plan.steps.iter().enumerate() {
            interrupt::check().map_err(|stopped| resumable(stopped, path))?;
            let state = fresh::state(&self.plan.collection, step)?;
            if events.is_done(step, &state)? {
                self.head(at, all, step, "nothing to do");
                continue;
            }
            self.head(at, all, step, "");
            step.output.iter().try_for_each(|output| outputs.claim(output))?;
            let begun = Instant::now();
            let ended = self.step(step).map_err(|error| resumable(error, path))?;
            ran += 1;
            outcome = outcome.and(ended);
            // What a step writes may be what it depends on.
            let state = fresh::state(&self.plan.collection, step)?;
            let event = Event::new(step, ended, begun.elapsed(), state);
            events.add(&event)?;
            outcome = outcome.and(self.tell(&event));
        }
        self.close(ran, outcome);
        Ok(outcome)
    }

    fn make_collection(&self) -> anyhow::Result<()> {
        if Collection::is_one(&self.plan.collection) {
            let collection = open(&self.plan.collection, self.session)?;
            let (is, named) = (&collection.about().event, &self.plan.event);
            if named.is_some() && is != named {
                self.session.printer.warn(format_args!(
                    "the collection's event is {}, not {}, as stated by `event` in {}",
                    is.as_deref().unwrap_or("nothing"),
                    named.as_deref().unwrap_or_default(),
                    self.plan.collection.join("collection.toml").display()
                ));
            }
            return Ok(());
        }
        let cli = parse(&self.plan.first_step())?;
        commands::run(&cli, self.session).map(drop)
    }

    fn step(&self, step: &Step) -> anyhow::Result<Outcome> {
        let cli = parse(step)?;
        commands::run(&cli, self.session).with_context(|| format!("step `{}` failed", step.name))
    }

    fn head(&self, at: usize, all: usize, step: &Step, note: &str) {
        let palette = self.session.printer.err_palette();
        let place = paint(palette.heading, format!("[{}/{all}] {}", at + 1, step.name));
        let gap = if note.is_empty() { "" } else { ": " };
        self.session.printer.say(format_args!("{place}{gap}{note}"));
        if note.is_empty() {
            self.session.printer.note(format_args!("{}", step.command()));
        }
    }

    /// Runs what the plan wants run after each step. That it failed is told, and ends nothing but in the exit code.
    fn tell(&self, event: &Event) -> Outcome {
        let Some((program, arguments)) = self.plan.when_done.split_first() else { return Outcome::Done };
        interrupt::watch_to_the_end();
        let run = process::Command::new(program)
            .args(arguments)
            .current_dir(&self.plan.folder)
            .env("TAMIS_EVENT", event.to_json())
            .env("TAMIS_STEP", &event.step)
            .env("TAMIS_COLLECTION", &self.plan.collection)
            .stdin(process::Stdio::null())
            .status();
        match run {
            Ok(status) if status.success() => return Outcome::Done,
            Ok(status) => {
                self.session.printer.warn(format_args!("`{program}` after step {}: {status}", event.step));
            }
            Err(error) => self.session.printer.warn(format_args!("cannot run `{program}`: {error}")),
        }
        Outcome::Skipped
    }

    fn close(&self, ran: u64, outcome: Outcome) {
        let mut summary = Summary::default();
        let all = self.plan.steps.len() as u64;
        let took = HumanDuration(self.started.elapsed().max(Duration::from_millis(1)));
        summary.read(format!("{} of {} in {took}", HumanCount(ran), HumanCount::of(all, "step")));
        summary.wrote(if outcome == Outcome::Done { "all steps done" } else { "some inputs were skipped" });
        summary.went_to(self.plan.collection.display());
        let status = command_line::join([Path::new("tamis"), Path::new("status"), &self.plan.collection]);
        summary.next(status);
        self.session.printer.summary(&summary);
    }
}

fn resumable(error: impl Into<anyhow::Error>, plan: &Path) -> anyhow::Error {
    let again = command_line::join([Path::new("tamis"), Path::new("build"), plan]);
    let error = error.into();
    if hint::each_cause(&error).into_iter().any(|cause| cause.downcast_ref::<Interrupted>().is_some()) {
        return Interrupted { resume: Some(again) }.into();
    }
    error.hint(format!("`{again}` resumes"))
}

/// A step as a command line that was read.
fn parse(step: &Step) -> anyhow::Result<Cli> {
    let words = std::iter::once(OsString::from("tamis")).chain(step.words.iter().cloned());
    Cli::try_parse_from(words).map_err(|error| {
        let told = error.to_string();
        let line = told.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        anyhow!("{}: {line}", step.place).hint(format!("`tamis {} --help` lists the options", step.verb))
    })
}
