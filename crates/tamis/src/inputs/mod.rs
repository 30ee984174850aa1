//! What a command reads: files, folders, globs, lists of them, and stdin.
//!
//! The order is that of the arguments; within a folder or a glob, that of the names' bytes. What cannot be read is
//! reported and passed over, and the command ends with exit code 2.

mod glob;
mod name;

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tamis_collection::{Collection, Unfinished};
use walkdir::WalkDir;

pub(crate) use glob::is_glob;
pub use name::Wanted;

use crate::hint::WithHint;
use crate::nearest::nearest;
use crate::outcome::Outcome;
use crate::printer::Printer;

/// The positional arguments of a command that reads archives.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct InputArgs {
    /// Files, folders, quoted globs ('crawl/**/*.warc.gz'), lists of paths (@list.txt, @-), or - for stdin
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<OsString>,
}

/// One thing to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// What there is to read, and how much of what was asked for is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inputs {
    /// All inputs, in order.
    pub list: Vec<Input>,
    /// How many arguments, or folders below them, could not be read.
    pub skipped: u64,
}

impl InputArgs {
    /// The arguments as they were given.
    pub fn arguments(&self) -> &[OsString] {
        &self.inputs
    }

    /// Finds all inputs. Says on stderr which are not there.
    pub fn expand(&self, printer: &Printer) -> anyhow::Result<Inputs> {
        let (inputs, problems) = expand(&self.inputs, Wanted::Archives)?;
        for problem in &problems {
            printer.error(problem);
        }
        Ok(inputs)
    }
}

impl Inputs {
    /// The size of all inputs, if all are plain files.
    pub fn total_bytes(&self) -> Option<u64> {
        self.list.iter().map(Input::len_bytes).sum()
    }

    /// Whether anything was passed over.
    pub fn outcome(&self) -> Outcome {
        Outcome::of_skipped(self.skipped)
    }
}

impl Input {
    /// The size, if it is a plain file.
    pub fn len_bytes(&self) -> Option<u64> {
        match self {
            Self::Stdin => None,
            Self::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|meta| meta.len()),
        }
    }
}

/// The path as given, or `-`.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// Finds all inputs of a list of arguments, and what is wrong with those that are none.
///
/// An error is what makes the whole list useless: stdin twice.
pub fn expand(arguments: &[OsString], wanted: Wanted) -> anyhow::Result<(Inputs, Vec<anyhow::Error>)> {
    let mut expansion = Expansion { wanted, ..Expansion::default() };
    for argument in arguments {
        expansion.argument(argument)?;
    }
    let Expansion { list, problems, .. } = expansion;
    Ok((Inputs { list, skipped: problems.len() as u64 }, problems))
}

#[derive(Default)]
struct Expansion {
    wanted: Wanted,
    list: Vec<Input>,
    problems: Vec<anyhow::Error>,
    stdin_taken: bool,
}

impl Expansion {
    fn argument(&mut self, argument: &OsString) -> anyhow::Result<()> {
        if argument == "-" {
            return self.stdin();
        }
        // A file may be called `@x` or `*.warc`: what exists goes first.
        if !Path::new(argument).exists()
            && let Some(list) = argument.to_str().and_then(|text| text.strip_prefix('@'))
        {
            return self.list_file(list);
        }
        self.path(Path::new(argument));
        Ok(())
    }

    fn stdin(&mut self) -> anyhow::Result<()> {
        self.take_stdin()?;
        self.list.push(Input::Stdin);
        Ok(())
    }

    fn take_stdin(&mut self) -> anyhow::Result<()> {
        if std::mem::replace(&mut self.stdin_taken, true) {
            return Err(anyhow!("stdin is given more than once")).hint("keep only one `-` or `@-`");
        }
        Ok(())
    }

    /// A path to each line; an empty line is none.
    fn list_file(&mut self, list: &str) -> anyhow::Result<()> {
        let text = if list == "-" {
            self.take_stdin()?;
            io::read_to_string(io::stdin())
        } else {
            fs::read_to_string(list)
        };
        match text {
            Ok(text) => {
                text.lines().filter(|line| !line.is_empty()).for_each(|line| self.path(Path::new(line)));
            }
            Err(error) => self.problems.push(unreadable(Path::new(list), error)),
        }
        Ok(())
    }

    fn path(&mut self, path: &Path) {
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() && Collection::is_one(path) => self.collection(path),
            Ok(meta) if meta.is_dir() => self.folder(path),
            Ok(_) => self.list.push(Input::File(path.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound && glob::is_glob(path) => self.glob(path),
            Err(error) => self.problems.push(unreadable(path, error)),
        }
    }

    /// The archives of a collection, which need not be below its folder. Those that are not in its list yet are skipped.
    fn collection(&mut self, path: &Path) {
        let list = || -> tamis_collection::Result<(Vec<Input>, Vec<Unfinished>)> {
            let collection = Collection::open(path)?;
            let archives = collection.archives()?;
            let archives = archives.values().map(|archive| Input::File(archive.path(&collection))).collect();
            Ok((archives, collection.unfinished()?))
        };
        match list() {
            Ok((archives, unfinished)) if archives.is_empty() && unfinished.is_empty() => {
                self.problems.push(anyhow!("{}: the collection has no archives", path.display()));
            }
            Ok((archives, unfinished)) => {
                self.list.extend(archives);
                self.problems.extend(unfinished.iter().map(|archive| skipped(path, archive)));
            }
            Err(error) => self.problems.push(error.into()),
        }
    }

    /// Takes the files of a folder that are wanted. Whether there was nothing, and nothing wrong.
    fn takes_nothing_of(&mut self, folder: &Path, wanted: Wanted) -> bool {
        let before = (self.list.len(), self.problems.len());
        for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() || !wanted.has(entry.file_name()) => {}
                Ok(entry) => self.list.push(Input::File(entry.into_path())),
                Err(error) => self.problems.push(error.into()),
            }
        }
        before == (self.list.len(), self.problems.len())
    }

    fn folder(&mut self, folder: &Path) {
        let mut wanted = std::iter::successors(Some(self.wanted), |wanted| wanted.otherwise());
        if wanted.all(|wanted| self.takes_nothing_of(folder, wanted)) {
            let nothing = anyhow!("{}: no {} in this folder", folder.display(), self.wanted.noun());
            self.problems.push(nothing.hint(format!(
                "in folders, files are selected by name ({}); a file given by its path is always read",
                self.wanted.examples()
            )));
        }
    }

    fn glob(&mut self, pattern: &Path) {
        match glob::matches(pattern) {
            Ok(paths) if paths.is_empty() => {
                self.problems.push(anyhow!("{}: no match", pattern.display()));
            }
            Ok(paths) => paths.iter().for_each(|path| self.path(path)),
            Err(error) => self.problems.push(error),
        }
    }
}

/// The error of an archive that is not in its collection's list yet.
fn skipped(collection: &Path, archive: &Unfinished) -> anyhow::Error {
    let problem = anyhow!("{}: not in the collection's list yet; skipped", archive.path.display());
    let collection = collection.display();
    problem.hint(if archive.is_open {
        format!("`tamis crawl {collection}` resumes the crawl that wrote it and closes the archive")
    } else {
        format!("`tamis import {collection} {}` imports it", archive.path.display())
    })
}

/// The error of a path that cannot be opened, with the name that was perhaps meant.
fn unreadable(path: &Path, error: io::Error) -> anyhow::Error {
    let not_found = error.kind() == io::ErrorKind::NotFound;
    let result = Err::<(), _>(error).with_context(|| format!("cannot read {}", path.display()));
    let hint = if not_found { missing_hint(path) } else { None };
    match hint {
        Some(hint) => result.hint(hint).expect_err("it is one"),
        None => result.expect_err("it is one"),
    }
}

fn missing_hint(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else {
        return Some(format!("the folder {} does not exist", folder.display()));
    };
    let names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    let meant = nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(format!("did you mean {}?", path.with_file_name(meant).display()))
}

#[cfg(test)]
mod tests;
