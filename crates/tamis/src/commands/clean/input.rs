//! What the inputs are: URLs, HTML files, archives. The first bytes tell, not the name.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use tamis_archive::Source;
use tempfile::NamedTempFile;
use url::Url;

use super::{Args, as_url};
use crate::inputs::{self, Input, Wanted};
use crate::packages;
use crate::session::Session;

/// An HTML file, and its address if that is known.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub(super) path: PathBuf,
    /// What it is called in the output; not its path when it came from stdin.
    pub(super) name: String,
    pub(super) url: Option<Url>,
}

/// All inputs, by what they are.
#[derive(Default)]
pub(super) struct Sorted {
    pub(super) urls: Vec<Url>,
    pub(super) files: Vec<Listed>,
    pub(super) archives: Vec<Source>,
    pub(super) skipped: u64,
    /// What came from stdin, for as long as it is read.
    stdin: Option<NamedTempFile>,
}

impl Sorted {
    pub(super) fn of(args: &Args, session: &Session) -> anyhow::Result<Self> {
        let mut sorted = Sorted::default();
        let is_url = |argument: &OsString| argument.to_str().and_then(as_url);
        sorted.urls = args.inputs.iter().filter_map(is_url).collect();
        let paths: Vec<OsString> =
            args.inputs.iter().filter(|argument| is_url(argument).is_none()).cloned().collect();
        let (inputs, problems) = inputs::expand(&paths, Wanted::ArchivesAndPages)?;
        for problem in &problems {
            session.printer.error(problem);
        }
        sorted.skipped = inputs.skipped;
        for input in inputs.list {
            sorted.add(input, args, session)?;
        }
        if let Some(list) = &args.list {
            for (number, line) in
                read_list(list)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
            {
                let (name, address) = line.split_once('\t').unwrap_or((line, ""));
                let url = Url::parse(address.trim()).ok();
                if url.is_none() && !address.trim().is_empty() {
                    let place = format!("{}: line {}", list.display(), number + 1);
                    session
                        .printer
                        .warn(format_args!("{place}: {address} is no URL; the page is read without it"));
                }
                sorted.files.push(Listed { path: name.into(), name: name.to_owned(), url });
            }
        }
        Ok(sorted)
    }

    fn add(&mut self, input: Input, args: &Args, session: &Session) -> anyhow::Result<()> {
        let (path, name) = match input {
            Input::File(path) => (path.clone(), path.to_string_lossy().into_owned()),
            Input::Stdin => {
                let file = copy_of_stdin()?;
                let path = file.path().to_owned();
                self.stdin = Some(file);
                (path, "-".to_owned())
            }
        };
        if packages::is_package(&path) {
            let contents = packages::contents(&path);
            self.skipped += contents.problems.len() as u64;
            for problem in &contents.problems {
                session.printer.error(problem);
            }
            self.archives.extend(contents.sources);
        } else if is_archive(&path) {
            self.archives.push(Source::File(path));
        } else {
            self.files.push(Listed { path, name, url: args.url.clone() });
        }
        Ok(())
    }
}

/// What is piped in may be an archive, which is read from several places at once.
fn copy_of_stdin() -> anyhow::Result<NamedTempFile> {
    let mut file = NamedTempFile::new().context("cannot keep what comes from stdin")?;
    io::copy(&mut io::stdin().lock(), &mut file).context("stdin")?;
    file.flush()?;
    file.rewind()?;
    Ok(file)
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
fn is_archive(path: &Path) -> bool {
    path.file_name().is_some_and(|name| Wanted::Archives.has(name))
        || first_bytes(path).is_ok_and(|bytes| begins_archive(&bytes))
}

fn begins_archive(bytes: &[u8]) -> bool {
    const ZSTD: [&[u8]; 2] = [b"\x28\xB5\x2F\xFD", b"\x5D\x2A\x4D\x18"];
    let starts =
        |magic: &[u8]| bytes.get(..magic.len()).is_some_and(|start| start.eq_ignore_ascii_case(magic));
    starts(b"WARC/") || starts(b"filedesc:") || ZSTD.iter().any(|magic| bytes.starts_with(magic))
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
    _ = MultiGzDecoder::new(&stored[..]).take(64).read_to_end(&mut plain);
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
