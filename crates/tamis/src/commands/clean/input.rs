//! What the inputs are: URLs, HTML files, archives. The first bytes tell, not the name.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use tamis_collection::Collection;
use tamis_table::{Context, Cut, Member, Pages, narrow_to_urls};
use tempfile::TempPath;
use url::Url;

use super::Args;
use super::address::{as_bare_url, as_url};
use super::article;
use crate::commands::open_collection::{explain, open};
use crate::commands::query::table::of_collection;
use crate::inputs::{self, Input, Wanted};
use crate::outcome::Outcome;
use crate::packages;
use crate::page_files::{self, first_bytes, is_archive};
use crate::session::Session;

/// A file, and the name it has in the output: not its path if it came through a pipe.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub(super) path: PathBuf,
    pub(super) name: String,
}

/// All inputs, by what they are.
#[derive(Default)]
pub(super) struct Sorted {
    /// URLs to select from the archives.
    pub(super) urls: Vec<Url>,
    /// Arguments that were read as URLs because no such file exists.
    pub(super) bare: Vec<String>,
    /// Archives and HTML files, in the order of the inputs.
    pub(super) members: Vec<Member>,
    /// Which of them are those of a collection.
    collections: Vec<(PathBuf, Range<usize>)>,
    /// How many of them are HTML files.
    pub(super) page_files: usize,
    /// Files of article lines.
    pub(super) articles: Vec<Named>,
    /// What could not be read.
    pub(super) found: Outcome,
    /// Copies of what came through pipes, which go away with this.
    piped: Vec<TempPath>,
}

impl Sorted {
    pub(super) fn of(args: &Args, session: &Session) -> anyhow::Result<Self> {
        let mut sorted = Sorted::default();
        let context = Arc::new(args.context());
        for argument in &args.inputs {
            if sorted.take_url(argument) {
                continue;
            }
            if Collection::is_one(Path::new(argument)) {
                let (members, changed) = of_collection(Path::new(argument), &context, session)?;
                let first = sorted.members.len();
                sorted.members.extend(members);
                sorted.collections.push((PathBuf::from(argument), first..sorted.members.len()));
                sorted.found = sorted.found.and(Outcome::of_skipped(changed));
                continue;
            }
            let (inputs, problems) =
                inputs::expand(std::slice::from_ref(argument), Wanted::ArchivesAndPages)?;
            for problem in &problems {
                session.printer.error(problem);
            }
            sorted.found = sorted.found.and(inputs.outcome());
            for input in inputs.list {
                sorted.add(input, args, &context, session)?;
            }
        }
        if let Some(list) = &args.list {
            sorted.add_list(list, &context, session)?;
        }
        if !sorted.urls.is_empty() {
            sorted.narrow(session)?;
        }
        Ok(sorted)
    }

    /// Has archives read only where their indexes say that the URLs are.
    fn narrow(&mut self, session: &Session) -> anyhow::Result<()> {
        let urls: Vec<String> = self.urls.iter().map(Url::to_string).collect();
        let mut at = 0;
        for (path, range) in &self.collections {
            narrow_to_urls(&mut self.members[at..range.start], None, &urls).map_err(explain)?;
            let collection = open(path, session)?;
            narrow_to_urls(&mut self.members[range.clone()], Some(&collection), &urls).map_err(explain)?;
            at = range.end;
        }
        narrow_to_urls(&mut self.members[at..], None, &urls).map_err(explain)
    }

    /// The table of all archives and HTML files.
    pub(super) fn pages(&self) -> Arc<Pages> {
        Arc::new(Pages::new(self.members.clone(), Cut::Even))
    }

    /// Takes an argument that is a URL.
    fn take_url(&mut self, argument: &OsString) -> bool {
        let Some(argument) = argument.to_str() else { return false };
        let certain = as_url(argument);
        let is_bare = certain.is_none();
        let Some(url) = certain.or_else(|| as_bare_url(argument)) else { return false };
        self.urls.push(url);
        self.bare.extend(is_bare.then(|| argument.to_owned()));
        true
    }

    /// Adds the files of a list with their URLs.
    fn add_list(&mut self, list: &Path, context: &Arc<Context>, session: &Session) -> anyhow::Result<()> {
        for (number, line) in read_list(list)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
        {
            let (name, address) = line.split_once('\t').unwrap_or((line, ""));
            let url = Url::parse(address.trim()).ok();
            if url.is_none() && !address.trim().is_empty() {
                let place = format!("{}: line {}", list.display(), number + 1);
                session
                    .printer
                    .warn(format_args!("{place}: {address} is not a URL; the page is read without a URL"));
            }
            let file = Named { path: name.into(), name: name.to_owned() };
            self.add_page(&file, url.as_ref(), context);
        }
        Ok(())
    }

    fn add(
        &mut self,
        input: Input,
        args: &Args,
        context: &Arc<Context>,
        session: &Session,
    ) -> anyhow::Result<()> {
        let name = input.to_string();
        let path = match input {
            Input::Stdin => self.copy(&mut io::stdin().lock(), &name)?,
            Input::File(path) if is_pipe(&path) => {
                let mut pipe = File::open(&path).with_context(|| format!("cannot read {name}"))?;
                self.copy(&mut pipe, &name)?
            }
            Input::File(path) => path,
        };
        let file = Named { path, name };
        if packages::is_package(&file.path) {
            let contents = packages::contents(&file.path);
            self.found = self.found.and(Outcome::of_skipped(contents.problems.len() as u64));
            contents.problems.iter().for_each(|problem| session.printer.error(problem));
            for source in contents.sources {
                let entry =
                    source.name().to_string_lossy().replacen(&*file.path.to_string_lossy(), &file.name, 1);
                self.members.push(Member { name: entry.into(), ..Member::alone(source, context.clone()) });
            }
        } else if is_archive(&file.path) {
            let source = session.door.source(&file.path);
            self.members.push(Member { name: file.name.into(), ..Member::alone(source, context.clone()) });
        } else if first_bytes(&file.path).is_ok_and(|bytes| article::is_one(&bytes)) {
            self.articles.push(file);
        } else {
            self.add_page(&file, args.url.as_ref(), context);
        }
        Ok(())
    }

    fn add_page(&mut self, file: &Named, url: Option<&Url>, context: &Arc<Context>) {
        let source = page_files::source(&file.path, url);
        self.members.push(Member { name: (&*file.name).into(), ..Member::alone(source, context.clone()) });
        self.page_files += 1;
    }

    /// Copies what comes through a pipe into a file: it may be an archive, which is read from several places at once.
    fn copy(&mut self, pipe: &mut impl Read, name: &str) -> anyhow::Result<PathBuf> {
        let cannot = || format!("cannot save a copy of {name}");
        let mut file = tempfile::Builder::new().prefix("tamis-piped-").tempfile().with_context(cannot)?;
        io::copy(pipe, &mut file).with_context(cannot)?;
        let path = file.path().to_owned();
        self.piped.push(file.into_temp_path());
        Ok(path)
    }
}

/// Whether a path gives its bytes once only: a FIFO, or what a shell puts for `<(curl …)`.
fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir())
}

/// The text of a list.
fn read_list(list: &Path) -> anyhow::Result<String> {
    if list == Path::new("-") {
        return io::read_to_string(io::stdin().lock()).context("stdin");
    }
    std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))
}
