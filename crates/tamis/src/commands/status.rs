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
Captures are responses, resources, revisits, and the texts of WET files: the rows of the table `pages`. Whether a file was \
changed is judged by its size, and if it is kept by reference also by the time of its last change.

Duplicates are those that `tamis dedup` found; captures of archives that were imported later are not compared yet.

jsonl has an object a line, whose `kind` is collection, archive, seeds, column, duplicates, problem or next.

Files that a crawl has open (.open) or cut off (.torn) are named, and nothing is wrong with them: `tamis import` skips them.

Exit code 1 if something is missing or was changed.")]
pub struct Args {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Show the N first archives and problems; 0 shows all
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
}

/// A form to print it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines for people
    Text,
    /// A JSON object a line
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
            let state = if *condition == Condition::Missing { "is gone" } else { "was changed" };
            match kept {
                Kept::Reference => format!("{name}: the file it refers to {state}: {}", path.display()),
                Kept::Copy => format!("{name}: its file {state}: {}", inside(path)),
            }
        }
        Problem::Unlisted(path) => format!("{}: not imported yet", inside(path)),
        Problem::Torn(path) => format!(
            "{}: behind the last whole record of its archive; a crawl fetched it again, so it may go",
            inside(path)
        ),
        Problem::Open(path) => {
            format!("{}: a crawl writes it, or was killed; its next run closes and enters it", inside(path))
        }
        Problem::NoIndex { index, .. } => format!("{}: the index is gone", inside(index)),
        Problem::Part(path) => format!("{}: gone or changed, though the manifest names it", inside(path)),
        Problem::Leftover(path) => {
            format!("{}: left by a command that was killed; the next that writes removes it", inside(path))
        }
        _ => "something is missing".to_owned(),
    }
}
