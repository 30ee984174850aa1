//! `tamis lang report`: reports of runs, and their time against the number of files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use super::report::{FILE, Report};
use super::tables;
use crate::hint::WithHint;
use crate::human_size::HumanSize;
use crate::outcome::Outcome;
use tamis_plot::{Axis, Lines, Series};

use crate::picture;
use crate::session::Session;

/// The arguments of `tamis lang report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Prints the report of one run, or several as a table. With several runs, --plot plots their time against the number of \
files, compared with proportional growth from the smallest run.

Example:
  tamis lang report run1 run2 run5 --plot time.svg")]
pub(super) struct Args {
    /// Output folders of `tamis lang`
    #[arg(value_name = "DIR", required = true)]
    runs: Vec<PathBuf>,
    /// Write a plot (.svg or .png): agreement, or for several runs time against files
    #[arg(long, value_name = "FILE")]
    plot: Vec<PathBuf>,
    /// Replace the plot if it exists
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    picture::check(&args.plot, args.force)?;
    let mut reports = args.runs.iter().map(|run| read(run)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut out = session.printer.out();
    if let [report] = &*reports {
        report.print(&mut out, session.printer.out_palette())?;
        for path in &args.plot {
            picture::write(path, args.force, &report.bars().svg())?;
        }
        return Ok(Outcome::Done);
    }
    reports.sort_by(|a, b| (a.files, &a.time).cmp(&(b.files, &b.time)));
    let row = |report: &Report| {
        vec![
            report.detector.clone(),
            report.files.to_string(),
            report.pages.to_string(),
            HumanSize(report.text_bytes).to_string(),
            format!("{:.1}", report.seconds),
            format!("{:.0}", report.pages as f64 / report.seconds.max(0.001)),
        ]
    };
    let rows: Vec<_> = reports.iter().map(row).collect();
    tables::write(&mut out, &["detector", "files", "pages", "text", "seconds", "pages/s"], &rows)?;
    out.flush()?;
    for path in &args.plot {
        picture::write(path, args.force, &time_against_files(&reports).svg())?;
    }
    Ok(Outcome::Done)
}

fn read(run: &Path) -> anyhow::Result<Report> {
    let path = run.join(FILE);
    let json = fs::read(&path)
        .with_context(|| format!("cannot read {}", path.display()))
        .hint("give a folder written by `tamis lang`")?;
    let report: Report =
        serde_json::from_slice(&json).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    anyhow::ensure!(
        report.version == 1,
        "{}: made by a newer tamis (version {})",
        path.display(),
        report.version
    );
    Ok(report)
}

/// The reference's figure 4.
fn time_against_files(reports: &[Report]) -> Lines {
    let measured = reports.iter().map(|report| (report.files as f64, report.seconds)).collect::<Vec<_>>();
    let measured = Series::new("measured", measured);
    let proportional = measured.proportional("in proportion");
    Lines {
        title: "Time of the job by number of files".to_owned(),
        x: Axis::linear("files"),
        y: Axis::linear("seconds"),
        series: vec![measured, proportional],
    }
}
