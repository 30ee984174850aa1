//! `tamis status`: what is in a collection, what it cost, and what is missing.

mod compared;
mod jsonl;
mod text;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tamis_collection::Collection;
use tamis_collection::{Condition, Kept, Problem, Status};

use super::open_collection::{explain, open};
use crate::command_line;
use crate::outcome::Outcome;
use crate::session::Session;
use compared::Compared;

/// The arguments of `tamis status`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Captures are responses, resources, revisits and the texts of WET files, the rows of the table `pages`. A file counts as changed if its \
size differs, or for referenced archives also its modification time.

Duplicates are the results of `tamis dedup`; captures of archives imported later have not been compared yet.

jsonl prints one object per line, whose `kind` is collection, archive, seeds, column, duplicates, problem or next.

Files that a crawl is writing (.open) or has cut off (.torn) are listed, but are not problems: `tamis import` skips them.

Exit code 1 if something is missing or changed.")]
pub struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show the first N archives, columns and problems; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
}

/// A form to print it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Human-readable text
    Text,
    /// One JSON object per line
    Jsonl,
}

/// A status, and all that is said about it.
struct Report {
    collection: Collection,
    status: Status,
    /// What `dedup` found, or why that is not known.
    compared: Result<Compared, String>,
    /// The command to type next.
    next: String,
}

impl Report {
    /// What is wrong, in words.
    fn problems(&self) -> Vec<String> {
        let root = self.collection.root();
        let problems = self.status.problems.iter().map(|problem| describe(problem, root));
        problems.chain(self.compared.as_ref().err().cloned()).collect()
    }
}

/// Says what is in a collection.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<Outcome> {
    let collection = open(&args.collection, session)?;
    let status = collection.status().map_err(explain)?;
    let compared = Compared::of(&collection, &status);
    let next = next(&collection, &status, &compared);
    let report = Report { collection, status, compared, next };
    let palette = *session.printer.out_palette();
    let mut out = session.printer.out();
    match args.format {
        Format::Text => {
            let top = if args.top == 0 { usize::MAX } else { args.top };
            report.write_text(&mut out, &palette, top)?;
        }
        Format::Jsonl => report.write_jsonl(&mut out)?,
    }
    let is_sound = report.status.is_sound() && report.compared.is_ok();
    Ok(if is_sound { Outcome::Done } else { Outcome::Negative })
}

/// What to type next.
fn next(collection: &Collection, status: &Status, compared: &Result<Compared, String>) -> String {
    let root = collection.root();
    let with = |verb: &str, rest: &[&str]| {
        let mut words = vec!["tamis".into(), verb.into(), root.as_os_str().to_owned()];
        words.extend(rest.iter().map(Into::into));
        command_line::join(words)
    };
    let to_import = status.problems.iter().find_map(|problem| match problem {
        Problem::Unlisted(_) => Some((collection.archive_folder(), Kept::Copy)),
        Problem::Archive { path, condition: Condition::Changed, kept, .. } => Some((path.clone(), *kept)),
        Problem::NoIndex { archive, .. } if archive.exists() => Some((archive.clone(), Kept::Copy)),
        _ => None,
    });
    if let Some((path, kept)) = to_import {
        let path = path.to_string_lossy();
        return match kept {
            Kept::Copy => with("import", &[&path]),
            Kept::Reference => with("import", &[&path, "--reference"]),
        };
    }
    if status.archives.is_empty() {
        return with("import", &["crawl.warc.gz"]);
    }
    if !status.uncleaned.is_empty() {
        return with("clean", &[]);
    }
    match compared {
        Err(_) => return with("dedup", &["--redo"]),
        Ok(compared) if compared.pages > 0 && compared.captures_left > 0 => return with("dedup", &[]),
        Ok(_) => {}
    }
    with("query", &["select url, title from pages limit 10"])
}

/// A problem in words, and how to mend it.
fn describe(problem: &Problem, root: &Path) -> String {
    let inside = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    match problem {
        Problem::Archive { name, path, condition, kept } => {
            let state = if *condition == Condition::Missing { "is missing" } else { "has changed" };
            match kept {
                Kept::Reference => format!("{name}: the referenced file {state}: {}", path.display()),
                Kept::Copy => format!("{name}: the file {state}: {}", inside(path)),
            }
        }
        Problem::Unlisted(path) => format!("{}: not imported yet", inside(path)),
        Problem::Torn(path) => format!(
            "{}: cut off after the last complete record of its archive; a crawl has fetched the content again, so it can be deleted",
            inside(path)
        ),
        Problem::Open(path) => {
            format!("{}: a crawl is writing it, or was killed; its next run closes and adds it", inside(path))
        }
        Problem::NoIndex { index, .. } => format!("{}: the index is missing", inside(index)),
        Problem::Part(path) => format!("{}: missing or changed, but listed in the manifest", inside(path)),
        Problem::Leftover(path) => {
            format!("{}: left by a killed command; the next command that writes removes it", inside(path))
        }
        _ => "something is missing".to_owned(),
    }
}
