//! A step of a build: a command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::command_line;

/// A step of a build: a command.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// What it is called in the plan.
    pub(super) name: String,
    /// The command.
    pub(super) verb: &'static str,
    /// The command's arguments, the verb first.
    pub(super) words: Vec<OsString>,
    /// The file it writes, if that is what it is for.
    pub(super) output: Option<PathBuf>,
    /// The files that the plan tells it to read.
    pub(super) files: Vec<PathBuf>,
    /// Where it stands in the plan.
    pub(super) place: String,
    /// What is to be done, in the words of the plan: the same wherever the command is given, and after the folder was moved.
    pub(super) key: String,
}

impl Step {
    /// The command line, as it can be typed.
    pub(super) fn command(&self) -> String {
        command_line::join(std::iter::once(Path::new("tamis")).chain(self.words.iter().map(Path::new)))
    }
}

/// The kinds of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Import,
    Fetch,
    Crawl,
    Clean,
    Dedup,
    Output,
    Report,
}

impl Kind {
    /// All, in the order they are run.
    pub(super) const ALL: [Self; 7] =
        [Self::Import, Self::Fetch, Self::Crawl, Self::Clean, Self::Dedup, Self::Output, Self::Report];

    /// Its key in a plan.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Output => "output",
            _ => self.verb(),
        }
    }

    /// Its command.
    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Fetch => "fetch",
            Self::Crawl => "crawl",
            Self::Clean => "clean",
            Self::Dedup => "dedup",
            Self::Output => "query",
            Self::Report => "report",
        }
    }

    /// The option behind a key. A plan says what there is to be in the end, however often it is run.
    pub(super) fn option(self, key: &str) -> &str {
        match (self, key) {
            (Self::Crawl | Self::Fetch, "max-pages") => "total-pages",
            _ => key,
        }
    }

    /// Whether its command takes inputs behind the collection.
    pub(super) fn has_inputs(self) -> bool {
        matches!(self, Self::Import | Self::Fetch | Self::Crawl)
    }

    /// Whether it may write a file that the plan names.
    pub(super) fn writes_file(self) -> bool {
        matches!(self, Self::Dedup | Self::Output | Self::Report)
    }

    /// Whether a list is one value with commas.
    pub(super) fn joins(self, key: &str) -> bool {
        self == Self::Clean && key == "columns"
    }

    /// Whether an option names a file, which is beside the plan.
    pub(super) fn is_path(self, key: &str) -> bool {
        matches!((self, key), (Self::Crawl | Self::Fetch, "rules" | "focus" | "hosts" | "tls-ca"))
    }
}
