//! The inputs of an import, each with what it is.

use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tempfile::TempDir;

use super::Args;
use super::kind::Kind;
use crate::hint::WithHint;
use crate::human_count::HumanCount;
use crate::inputs::{self, Input, Wanted};
use crate::page_files;
use crate::session::Session;

/// An input.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) path: PathBuf,
    /// What messages call it.
    pub(super) name: String,
    pub(super) kind: Kind,
    bytes: u64,
}

/// What the archive of HTML files is called.
const PAGES: &str = "pages.warc.gz";

/// All inputs, with the files that were made for them: copies of what came through pipes, and the archive of HTML files.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    pub(super) list: Vec<Arrival>,
    pub(super) skipped: u64,
    temporary: Vec<TempDir>,
}

impl Arrivals {
    /// Finds all inputs, and says which are not there or are nothing to import.
    pub(super) fn of(args: &Args, session: &Session) -> anyhow::Result<Self> {
        let (inputs, problems) = inputs::expand(&args.inputs, Wanted::ArchivesPagesOrTweets)?;
        for problem in &problems {
            session.printer.error(problem);
        }
        let mut arrivals = Self { skipped: inputs.skipped, ..Self::default() };
        let mut pages = Vec::new();
        for input in inputs.list {
            let name = input.to_string();
            let before = arrivals.temporary.len();
            let path = arrivals.path_of(input, args)?;
            let is_piped = arrivals.temporary.len() > before;
            if is_unfinished(&path, &args.collection) {
                session.printer.warn(format_args!(
                    "{name}: skipped; the crawl that writes it, or the next one, closes and adds it"
                ));
                arrivals.skipped += 1;
                continue;
            }
            match Kind::of(&path, &name) {
                Ok(Kind::Page) if is_piped => {
                    let problem = anyhow!("{name}: an HTML file from a pipe has no URL");
                    session.printer.error(&problem.hint("give the path of the file"));
                    arrivals.skipped += 1;
                }
                Ok(Kind::Page) => pages.push(path),
                Ok(kind) => {
                    let bytes = fs::metadata(&path).map_or(0, |meta| meta.len());
                    arrivals.list.push(Arrival { path, name, kind, bytes });
                }
                Err(problem) => {
                    arrivals.skipped += 1;
                    session.printer.error(&problem);
                }
            }
        }
        if !pages.is_empty() {
            arrivals.add_pages(&pages, args, session)?;
        }
        Ok(arrivals)
    }

    /// Adds an archive of HTML files.
    fn add_pages(&mut self, pages: &[PathBuf], args: &Args, session: &Session) -> anyhow::Result<()> {
        if args.reference {
            return Err(anyhow!("HTML files cannot be imported by reference: they become an archive"))
                .hint("leave out --reference");
        }
        let cannot = || "cannot write the archive of HTML files";
        let folder = tempfile::Builder::new().prefix("tamis-pages-").tempdir().with_context(cannot)?;
        let path = folder.path().join(PAGES);
        let mut file = io::BufWriter::new(File::create(&path).with_context(cannot)?);
        self.skipped += page_files::write_archive(pages, &mut file, &session.printer)?;
        file.flush().with_context(cannot)?;
        let bytes = fs::metadata(&path).map_or(0, |meta| meta.len());
        let name = HumanCount::of(pages.len() as u64, "HTML file");
        if bytes > 0 {
            self.list.push(Arrival { path, name, kind: Kind::Archive, bytes });
        }
        self.temporary.push(folder);
        Ok(())
    }

    /// The size of all inputs.
    pub(super) fn bytes(&self) -> u64 {
        self.list.iter().map(|arrival| arrival.bytes).sum()
    }

    /// The size of all archives.
    pub(super) fn archive_bytes(&self) -> u64 {
        self.list.iter().filter(|arrival| arrival.kind == Kind::Archive).map(|arrival| arrival.bytes).sum()
    }

    /// A file with the bytes of an input: its own, or a copy of what a pipe gives once only.
    fn path_of(&mut self, input: Input, args: &Args) -> anyhow::Result<PathBuf> {
        let (mut pipe, name): (Box<dyn Read>, _) = match input {
            Input::Stdin => (Box::new(io::stdin().lock()), "stdin"),
            Input::File(path) if is_pipe(&path) => {
                let pipe = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
                (Box::new(pipe), "pipe")
            }
            Input::File(path) => return Ok(path),
        };
        if args.reference {
            return Err(anyhow!("a pipe cannot be imported by reference")).hint("leave out --reference");
        }
        let cannot = || format!("cannot save a copy of {name}");
        let folder = tempfile::Builder::new().prefix("tamis-piped-").tempdir().with_context(cannot)?;
        let path = folder.path().join(name);
        let mut file = File::create(&path).with_context(cannot)?;
        io::copy(&mut pipe, &mut file).with_context(cannot)?;
        self.temporary.push(folder);
        Ok(path)
    }
}

/// Whether a crawl of the collection itself has not closed the file.
fn is_unfinished(path: &Path, collection: &Path) -> bool {
    let is_open = path.extension().is_some_and(|ending| ending == "open" || ending == "torn");
    let own = fs::canonicalize(collection.join("archive"));
    is_open && own.is_ok_and(|own| fs::canonicalize(path).is_ok_and(|path| path.starts_with(own)))
}

/// Whether a path gives its bytes once only.
fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir())
}
