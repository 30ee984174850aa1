//! What an input is: an archive, a list of URLs, or tweets. The first bytes tell; the name only speaks for archives, whose
//! beginning may be damaged.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, anyhow};
use flate2::read::MultiGzDecoder;
use tamis_collection::parse_url;
use tamis_pack::Pack;

use crate::hint::WithHint;
use crate::inputs::Wanted;
use crate::page_files;

/// How much of a file is looked at.
const LOOK: u64 = 64 << 10;
/// How many lines of a list may be none before one is a URL.
const LINES: usize = 20;
const GZIP: &[u8] = b"\x1F\x8B";
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
const ZSTD: [&[u8]; 2] = [b"\x28\xB5\x2F\xFD", b"\x5D\x2A\x4D\x18"];

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// WARC, ARC, WET, WAT, or a package of them.
    Archive,
    /// A URL a line.
    Urls,
    /// Tweets, in a table or as JSON.
    Tweets,
    /// An HTML file.
    Page,
}

impl Kind {
    /// What a file is. `name` is what it is called in messages.
    pub(super) fn of(path: &Path, name: &str) -> anyhow::Result<Self> {
        if path.file_name().is_some_and(|name| Wanted::Archives.has(name)) {
            return Ok(Self::Archive);
        }
        if page_files::is_page_file(path) {
            return Ok(Self::Page);
        }
        let bytes = first_bytes(path).with_context(|| format!("cannot read {name}"))?;
        of_bytes(&bytes).or_else(|(why, hint)| Err(anyhow!("{name}: {why}")).hint(hint))
    }
}

/// The bytes of a list, unpacked if they are gzip.
pub(in crate::commands) fn unpacked(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let mut input = BufReader::with_capacity(1 << 16, File::open(path)?);
    if input.fill_buf()?.starts_with(GZIP) {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input))));
    }
    Ok(Box::new(input))
}

fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = unpacked(path)?.take(LOOK).read_to_end(&mut bytes);
    // Of what is damaged further on, the beginning tells.
    if bytes.is_empty() { read.map(|_| bytes) } else { Ok(bytes) }
}

/// What the first bytes are of, or what is wrong with them and what to do about it.
fn of_bytes(bytes: &[u8]) -> Result<Kind, (&'static str, &'static str)> {
    let starts =
        |magic: &[u8]| bytes.get(..magic.len()).is_some_and(|start| start.eq_ignore_ascii_case(magic));
    let is_binary = ZIP.iter().chain(&ZSTD).any(|magic| bytes.starts_with(magic));
    if starts(b"WARC/") || starts(b"filedesc:") || is_binary || Pack::is_pack(bytes) {
        return Ok(Kind::Archive);
    }
    let text = String::from_utf8_lossy(bytes);
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let Some(line) = lines.next() else {
        return Err(("the file is empty", "a URL list has one URL per line"));
    };
    if line.starts_with(['{', '[']) || line.starts_with("window.YTD") {
        return Ok(Kind::Tweets);
    }
    if line.starts_with('<') {
        return Err(("not an HTML file or archive", "`tamis clean` reads pages in any form"));
    }
    if parse_url(line).is_some() {
        return Ok(Kind::Urls);
    }
    // Its reader says what columns it misses, or what is wrong with the bytes.
    if line.contains([',', ';', '\t']) || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Ok(Kind::Tweets);
    }
    // What its first line should have been is told with the others that are none.
    if lines.take(LINES).any(|line| line.contains("://") && parse_url(line).is_some()) {
        return Ok(Kind::Urls);
    }
    Err((
        "not an archive, a URL list or tweets",
        "archives start with `WARC/` or `filedesc:`, URL lists have one URL per line, tweets are CSV or JSON",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_what_an_input_is() {
        for (bytes, expected) in [
            (&b"WARC/1.0\r\n"[..], Some(Kind::Archive)),
            (b"warc/0.9 1", Some(Kind::Archive)),
            (b"filedesc://x", Some(Kind::Archive)),
            (b"PK\x03\x04", Some(Kind::Archive)),
            (b"\x28\xB5\x2F\xFD", Some(Kind::Archive)),
            (b"\xef\xbb\xbf# seeds\n\nhttp://a.org/\n", Some(Kind::Urls)),
            (b"example.org\r\n", Some(Kind::Urls)),
            (b"{\"id\":1}", Some(Kind::Tweets)),
            (b" [\n", Some(Kind::Tweets)),
            (b"window.YTD.tweets.part0 = [", Some(Kind::Tweets)),
            (b"id,url\n", Some(Kind::Tweets)),
            (b"\xff\xfei\0d\0", Some(Kind::Tweets)),
            (b"<!doctype html>", None),
            (b"some words", None),
            (b"url\nhttp://a.org/\n", Some(Kind::Urls)),
            (b"some words\nand more", None),
            (b"", None),
            (b"# only a remark", None),
        ] {
            assert_eq!(of_bytes(bytes).ok(), expected, "{}", bytes.escape_ascii());
        }
    }
}
