//! What the inputs are: URLs, HTML files, archives. The first bytes tell, not the name.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use tamis_archive::Source;
use tamis_order::pack::Pack;
use tempfile::TempPath;
use url::Url;

use super::Args;
use super::address::{as_bare_url, as_url};
use super::article;
use crate::inputs::{self, Input, Wanted};
use crate::packages;
use crate::session::Session;

/// An HTML file, and its address if that is known.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub(super) path: PathBuf,
    /// What it is called in the output; not its path when it came through a pipe.
    pub(super) name: String,
    pub(super) url: Option<Url>,
}

/// All inputs, by what they are.
#[derive(Default)]
pub(super) struct Sorted {
    /// Addresses to take out of the archives.
    pub(super) urls: Vec<Url>,
    /// Those of the arguments that were taken for addresses because no files are called so.
    pub(super) bare: Vec<String>,
    pub(super) files: Vec<Listed>,
    /// Files of article lines.
    pub(super) articles: Vec<Listed>,
    pub(super) archives: Vec<Source>,
    pub(super) skipped: u64,
    pub(super) piped: Piped,
}

/// Copies of what came through pipes, for as long as they are read, and what they are called.
#[derive(Default)]
pub(super) struct Piped(BTreeMap<PathBuf, (TempPath, String)>);

impl Sorted {
    pub(super) fn of(args: &Args, session: &Session) -> anyhow::Result<Self> {
        let mut sorted = Sorted::default();
        let paths: Vec<OsString> =
            args.inputs.iter().filter(|argument| !sorted.take_url(argument)).cloned().collect();
        let (inputs, problems) = inputs::expand(&paths, Wanted::ArchivesAndPages)?;
        for problem in &problems {
            session.printer.error(problem);
        }
        sorted.skipped = inputs.skipped;
        for input in inputs.list {
            sorted.add(input, args, session)?;
        }
        if let Some(list) = &args.list {
            sorted.add_list(list, session)?;
        }
        Ok(sorted)
    }

    /// Takes an argument that is an address.
    fn take_url(&mut self, argument: &OsString) -> bool {
        let Some(argument) = argument.to_str() else { return false };
        let certain = as_url(argument);
        let is_bare = certain.is_none();
        let Some(url) = certain.or_else(|| as_bare_url(argument)) else { return false };
        self.urls.push(url);
        self.bare.extend(is_bare.then(|| argument.to_owned()));
        true
    }

    /// Adds the files of a list with their addresses.
    fn add_list(&mut self, list: &Path, session: &Session) -> anyhow::Result<()> {
        for (number, line) in read_list(list)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
        {
            let (name, address) = line.split_once('\t').unwrap_or((line, ""));
            let url = Url::parse(address.trim()).ok();
            if url.is_none() && !address.trim().is_empty() {
                let place = format!("{}: line {}", list.display(), number + 1);
                session
                    .printer
                    .warn(format_args!("{place}: {address} is no URL; the page is read without it"));
            }
            self.files.push(Listed { path: name.into(), name: name.to_owned(), url });
        }
        Ok(())
    }

    fn add(&mut self, input: Input, args: &Args, session: &Session) -> anyhow::Result<()> {
        let name = input.to_string();
        let path = match input {
            Input::Stdin => self.piped.keep(&mut io::stdin().lock(), &name)?,
            Input::File(path) if is_pipe(&path) => {
                let mut pipe = File::open(&path).with_context(|| format!("cannot read {name}"))?;
                self.piped.keep(&mut pipe, &name)?
            }
            Input::File(path) => path,
        };
        if packages::is_package(&path) {
            let contents = packages::contents(&path);
            self.skipped += contents.problems.len() as u64;
            for problem in &contents.problems {
                session.printer.error(problem);
            }
            self.archives.extend(contents.sources);
        } else if is_archive(&path) {
            self.archives.push(session.door.source(path));
        } else if first_bytes(&path).is_ok_and(|bytes| article::is_one(&bytes)) {
            self.articles.push(Listed { path, name, url: None });
        } else {
            self.files.push(Listed { path, name, url: args.url.clone() });
        }
        Ok(())
    }
}

impl Piped {
    /// Copies what comes through a pipe into a file: it may be an archive, which is read from several places at once, and
    /// what a look at the first bytes takes out of a pipe is gone.
    fn keep(&mut self, pipe: &mut impl Read, name: &str) -> anyhow::Result<PathBuf> {
        let cannot = || format!("cannot keep a copy of {name}");
        let mut file = tempfile::Builder::new().prefix("tamis-piped-").tempfile().with_context(cannot)?;
        io::copy(pipe, &mut file).with_context(cannot)?;
        let path = file.path().to_owned();
        self.0.insert(path.clone(), (file.into_temp_path(), name.to_owned()));
        Ok(path)
    }

    /// What an archive is called in the output.
    pub(super) fn name_of(&self, source: &Source) -> String {
        match (source.path().and_then(|path| self.0.get(path)), source.entry()) {
            (Some((_, name)), Some(entry)) => format!("{name}#{entry}"),
            (Some((_, name)), _) => name.clone(),
            (None, _) => source.name().to_string_lossy().into_owned(),
        }
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

/// Whether a file begins as an archive does, or is called one: the beginning may be damaged. What cannot be read is none,
/// and says so later.
pub(super) fn is_archive(path: &Path) -> bool {
    path.file_name().is_some_and(|name| Wanted::Archives.has(name))
        || first_bytes(path).is_ok_and(|bytes| begins_archive(&bytes))
}

fn begins_archive(bytes: &[u8]) -> bool {
    const ZSTD: [&[u8]; 2] = [b"\x28\xB5\x2F\xFD", b"\x5D\x2A\x4D\x18"];
    let starts =
        |magic: &[u8]| bytes.get(..magic.len()).is_some_and(|start| start.eq_ignore_ascii_case(magic));
    let is_binary = ZSTD.iter().any(|magic| bytes.starts_with(magic)) || Pack::is_pack(bytes);
    starts(b"WARC/") || starts(b"filedesc:") || is_binary
}

/// The first bytes, unpacked if they are gzip.
fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut stored = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut stored)?;
    if !stored.starts_with(&[0x1F, 0x8B]) {
        return Ok(stored);
    }
    let mut plain = Vec::new();
    // The end of what was read is no end of the file.
    _ = MultiGzDecoder::new(&stored[..]).take(4096).read_to_end(&mut plain);
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_known_by_their_first_bytes() {
        for (bytes, expected) in [
            (&b"WARC/1.0\r\n"[..], true),
            (b"warc/0.9 100", true),
            (b"filedesc://x.arc", true),
            (b"\x28\xB5\x2F\xFD rest", true),
            (b"<!doctype html>", false),
            (b"", false),
        ] {
            assert_eq!(begins_archive(bytes), expected, "{bytes:?}");
        }
    }
}
