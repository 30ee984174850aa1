//! HTML files as archives of one `resource` record each.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use anyhow::Context as _;
use flate2::read::MultiGzDecoder;
use tamis_archive::write::{NewRecord, Truncation, Writer, WriterOptions};
use tamis_archive::{Bytes, Faults, FileRecord, FileRecordHead, Mode, Severity, Source, Timestamp};
use tamis_pack::Pack;
use url::Url;

use crate::archives::Told;
use crate::inputs::Wanted;
use crate::interrupt;
use crate::printer::Printer;

/// An HTML file as an archive with one record. Whether it can be read shows when it is read.
pub(crate) fn source(path: &Path, url: Option<&Url>) -> Source {
    let mirrored = url.is_none().then(|| mirrored_url(path)).flatten();
    let about = FileRecordHead { url: url.or(mirrored.as_ref()).map(Url::as_str), content_type: "text/html" };
    match FileRecord::open(path, about) {
        Ok(record) => Source::stored(path, Arc::new(record)),
        Err(error) => Source::stored(path, Arc::new(Unreadable(error.kind(), error.to_string()))),
    }
}

/// Writes HTML files as `resource` records of one archive, in their order: the same files give the same bytes. A file whose
/// URL is not known is named by its path, a `file:` URL. Gives how many could not be read, or not whole.
///
/// Memory: that of a [`Writer`].
pub(crate) fn write_archive(paths: &[PathBuf], to: impl Write, printer: &Printer) -> anyhow::Result<u64> {
    let mut writer = Writer::new(to, WriterOptions::default())?;
    let mut bad = 0;
    for path in paths {
        interrupt::check()?;
        match write_record(path, &mut writer) {
            Ok(faults) => {
                bad += faults.counts().of_severity(Severity::Damage);
                Told::default().tell(printer, &Source::file(path), &faults);
            }
            Err(error) => {
                bad += 1;
                printer.error(&error);
            }
        }
    }
    Ok(bad)
}

fn write_record(path: &Path, writer: &mut Writer<impl Write>) -> anyhow::Result<Faults> {
    let mut reader = source(path, None).open(Mode::Lenient)?;
    let record = reader.next()?.with_context(|| format!("{} has no page", path.display()))?;
    let url = match record.head.target_uri() {
        Some(url) => url.into_owned(),
        None => file_url(path)?,
    };
    let date = match record.head.date() {
        Some(date) => date,
        None => last_change(path)?,
    };
    let new = NewRecord::resource(&url, date, "text/html");
    let is_truncated = record.head.fields().get("WARC-Truncated").is_some();
    let new = if is_truncated { new.truncated(Truncation::Unspecified) } else { new };
    let mut body = record.body;
    writer.write(&new, &mut body)?;
    Ok(reader.take_faults())
}

/// The `file:` URL of a file.
fn file_url(path: &Path) -> anyhow::Result<String> {
    let cannot = || format!("cannot read {}", path.display());
    let whole = fs::canonicalize(path).with_context(cannot)?;
    let url = Url::from_file_path(&whole).ok();
    url.map(String::from).with_context(|| format!("{} has no URL", whole.display()))
}

/// When a file was last changed.
fn last_change(path: &Path) -> anyhow::Result<Timestamp> {
    let cannot = || format!("cannot read {}", path.display());
    let changed = fs::metadata(path).and_then(|meta| meta.modified()).with_context(cannot)?;
    let since = changed.duration_since(UNIX_EPOCH).ok();
    let date = since.and_then(|since| Timestamp::from_unix(i64::try_from(since.as_secs()).ok()?, 0));
    date.with_context(|| format!("{} has no modification time", path.display()))
}

/// Whether a file is an HTML file and not an archive.
pub(crate) fn is_page_file(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|meta| meta.is_file());
    is_file && !is_archive(path) && first_bytes(path).is_ok_and(|bytes| is_page(path, &bytes))
}

/// Whether a file begins as an archive does, or is called one: the beginning may be damaged. A file that cannot be read is
/// not one; its error shows when it is opened.
pub(crate) fn is_archive(path: &Path) -> bool {
    path.file_name().is_some_and(|name| Wanted::Archives.has(name))
        || first_bytes(path).is_ok_and(|bytes| begins_archive(&bytes))
}

fn begins_archive(bytes: &[u8]) -> bool {
    const BINARY: [&[u8]; 4] = [b"\x28\xB5\x2F\xFD", b"\x5D\x2A\x4D\x18", b"PK\x03\x04", b"PK\x05\x06"];
    let starts =
        |magic: &[u8]| bytes.get(..magic.len()).is_some_and(|start| start.eq_ignore_ascii_case(magic));
    let is_binary = BINARY.iter().any(|magic| bytes.starts_with(magic)) || Pack::is_pack(bytes);
    starts(b"WARC/") || starts(b"filedesc:") || is_binary
}

/// The first bytes of a file, inflated if it is gzip.
pub(crate) fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut stored = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut stored)?;
    if !stored.starts_with(&[0x1F, 0x8B]) {
        return Ok(stored);
    }
    let mut plain = Vec::new();
    // It ends in an error where the first bytes end; what came before counts.
    _ = MultiGzDecoder::new(&stored[..]).take(4096).read_to_end(&mut plain);
    Ok(plain)
}

/// Whether a file is called an HTML file, or begins as one.
fn is_page(path: &Path, first_bytes: &[u8]) -> bool {
    let is_called = path.file_name().is_some_and(|name| Wanted::Pages.has(name));
    let start = first_bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first_bytes).trim_ascii_start();
    let begins = |tag: &[u8]| start.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    is_called || [&b"<!doctype"[..], b"<html", b"<head", b"<title", b"<!--"].into_iter().any(begins)
}

/// The URL of a file in a mirror made by `wget -r`: the folder of its host has the host's name and an index page.
fn mirrored_url(path: &Path) -> Option<Url> {
    let mut folder = PathBuf::new();
    let mut parts = path.components();
    while let Some(part) = parts.next() {
        folder.push(part);
        let Component::Normal(name) = part else { continue };
        let host = name.to_str()?;
        let has_suffix = psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known());
        let is_host = has_suffix && psl::domain(host.as_bytes()).is_some();
        if is_host && (folder.join("index.html").is_file() || folder.join("robots.txt").is_file()) {
            let rest = parts.as_path().to_str()?;
            let rest = rest.strip_suffix("index.html").unwrap_or(rest);
            return Url::parse(&format!("http://{host}/{rest}")).ok();
        }
    }
    None
}

/// A file that could not be opened: its error is given to whoever reads it.
struct Unreadable(io::ErrorKind, String);

impl Bytes for Unreadable {
    fn len(&self) -> u64 {
        1
    }

    fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::new(self.0, self.1.clone()))
    }

    fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes> {
        self
    }
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

    #[test]
    fn files_of_a_mirror_have_their_urls() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in
            ["example.org/index.html", "example.org/a/b.html", "notes.example/a.html", "v1.2/index.html"]
        {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            std::fs::write(path, "<p>x").expect("it writes");
        }
        for (name, url) in [
            ("example.org/index.html", Some("http://example.org/")),
            ("example.org/a/b.html", Some("http://example.org/a/b.html")),
            ("notes.example/a.html", None),
            ("v1.2/index.html", None),
        ] {
            let found = mirrored_url(&folder.path().join(name));
            assert_eq!(found.as_ref().map(Url::as_str), url, "{name}");
        }
    }

    #[test]
    fn pages_are_known_by_name_or_by_their_first_bytes() {
        for (name, bytes, expected) in [
            ("a.html", &b""[..], true),
            ("a.HTM.gz", b"", true),
            ("a", b"\xEF\xBB\xBF \n<!DOCTYPE html>", true),
            ("a.bin", b"<?xml", false),
            ("a.txt", b"words", false),
        ] {
            assert_eq!(is_page(Path::new(name), bytes), expected, "{name}");
        }
    }
}
