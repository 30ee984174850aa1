//! A line for each fetch, as Heritrix writes them: `crawl.log` in the collection. The columns are described in `docs/formats/crawl-log.md`.
//!
//! Each batch of lines is one write, after the archive and the journal. What a kill leaves of a line is cut off when the file is
//! opened, so that nobody takes half a line for a whole one.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tamis_collection::links::no_follow;

use super::outcome;
use super::records::moment;
use crate::fetch::Failure;
use crate::{Error, Result};

/// The name of the file in a collection.
pub(super) const FILE: &str = "crawl.log";
/// What is read at once when the last line end is looked for.
const BLOCK: u64 = 64 << 10;

/// The log, open for appending.
#[derive(Debug)]
pub(super) struct CrawlLog {
    file: File,
    path: PathBuf,
    batch: String,
}

/// What a line says.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LogLine<'a> {
    /// The outcome as the journal has it.
    pub outcome: u16,
    /// Bytes of the response, head and body; none if there was none.
    pub size: Option<u64>,
    pub url: &'a str,
    /// Links from a seed.
    pub depth: u16,
    /// Steps since the last link that are no links.
    pub hops: u8,
    /// Whether it is a `robots.txt`, or an answer of a name server.
    pub is_aside: bool,
    /// The media type without parameters.
    pub mime: &'a str,
    /// When the request began, and how long it took.
    pub began_ms: u64,
    pub ended_ms: u64,
    /// The digest of the payload.
    pub digest: Option<&'a str>,
    /// Whether the payload was stored before.
    pub is_revisit: bool,
    /// Whether it was not archived.
    pub is_noted: bool,
    pub tries: u8,
}

impl CrawlLog {
    /// Opens the log of a collection, and cuts off the torn line that a kill may have left.
    pub(super) fn open(collection: &Path) -> Result<Self> {
        let path = collection.join(FILE);
        let failed = |source| Error::io(&path, source);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = no_follow(&mut options).open(&path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(failed(ErrorKind::InvalidInput.into()));
        }
        let end = last_line_end(&mut file).map_err(failed)?;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(failed)?;
        Ok(Self { file, path, batch: String::new() })
    }

    /// Adds a line to the batch.
    pub(super) fn add(&mut self, line: &LogLine<'_>) {
        line.write(&mut self.batch);
    }

    /// Gives the batch to the system.
    pub(super) fn commit(&mut self) -> Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let written = self.file.write_all(self.batch.as_bytes());
        self.batch.clear();
        written.map_err(|source| Error::io(&self.path, source))
    }
}

/// Where the last whole line ends.
fn last_line_end(file: &mut File) -> std::io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        Read::take(&mut *file, end - start).read_to_end(&mut block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

impl LogLine<'_> {
    fn write(&self, out: &mut String) {
        let (began, ended) = (moment(self.began_ms), moment(self.ended_ms));
        let size = self.size.map_or_else(|| "-".to_owned(), |size| size.to_string());
        let or_none = |text: &str| if text.is_empty() { "-".to_owned() } else { without_blanks(text) };
        let took = match self.size {
            Some(_) => format!(
                "{}{:03}+{}",
                began.digits(),
                self.began_ms % 1000,
                self.ended_ms.saturating_sub(self.began_ms)
            ),
            None => "-".to_owned(),
        };
        let mut notes = Vec::new();
        let why = if self.outcome == outcome::NOT_MODIFIED { "not-modified" } else { "digest" };
        notes.extend(self.is_revisit.then(|| format!("duplicate:{why}")));
        notes.extend(self.is_noted.then(|| "not-kept".to_owned()));
        notes.extend((self.outcome >= 1000).then(|| outcome::kind(self.outcome)));
        notes.extend((self.tries > 1).then(|| format!("{}t", self.tries)));
        let notes = if notes.is_empty() { "-".to_owned() } else { notes.join(",") };
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "{ended_at} {status:>5} {size:>10} {url} {path} - {mime} #000 {took} {digest} - {notes}",
            ended_at = milliseconds(ended.to_seconds().to_string(), self.ended_ms),
            status = status(self.outcome),
            url = or_none(self.url),
            path = self.path(),
            mime = or_none(self.mime),
            digest = self.digest.unwrap_or("-"),
        );
    }

    /// The way from a seed, as far as it is known: links, then other steps.
    fn path(&self) -> String {
        let steps = "L".repeat(usize::from(self.depth)) + &"E".repeat(usize::from(self.hops));
        match (steps.len(), self.is_aside) {
            (_, true) => "P".to_owned(),
            (0, false) => "-".to_owned(),
            // As Heritrix shortens it.
            (51.., false) => format!("{}+{}", steps.len() - 50, &steps[steps.len() - 50..]),
            _ => steps,
        }
    }
}

/// A moment to the second with its milliseconds.
fn milliseconds(seconds: String, ms: u64) -> String {
    match seconds.strip_suffix('Z') {
        Some(plain) => format!("{plain}.{:03}Z", ms % 1000),
        None => seconds,
    }
}

/// The codes of Heritrix, `org.archive.crawler.framework` and its user manual: below 0 nothing was fetched.
fn status(outcome: u16) -> i32 {
    let failure = Failure::ALL.into_iter().find(|failure| outcome::of_failure(*failure) == outcome);
    match (outcome, failure) {
        (_, Some(Failure::NoSuchHost | Failure::Dns)) => -1,
        (
            _,
            Some(
                Failure::ConnectionRefused
                | Failure::Unreachable
                | Failure::Tls
                | Failure::Certificate
                | Failure::Proxy,
            ),
        ) => -2,
        (_, Some(Failure::NoAnswer | Failure::Stale | Failure::HeadCut | Failure::Http2)) => -3,
        (
            _,
            Some(
                Failure::ConnectTimeout
                | Failure::TlsTimeout
                | Failure::FirstByteTimeout
                | Failure::HeadTimeout,
            ),
        ) => -4,
        (_, Some(Failure::BadRequest)) => -7,
        (_, Some(Failure::AddressRefused | Failure::PortRefused)) => -5001,
        (_, Some(_)) => -5,
        (outcome::DISALLOWED, _) => -9998,
        (outcome::EXCLUDED, _) => -5000,
        (limit, _) if outcome::limit(limit).is_some() => -5003,
        (0..=999, _) => i32::from(outcome),
        _ => -5,
    }
}

/// Columns end at blanks.
fn without_blanks(text: &str) -> String {
    let plain = |c: char| if c.is_whitespace() || c.is_control() { '_' } else { c };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FETCHED: LogLine<'_> = LogLine {
        outcome: 200,
        size: Some(5_120),
        url: "http://a.example/b c",
        depth: 2,
        hops: 1,
        is_aside: false,
        mime: "text/html",
        began_ms: 1_712_600_309_250,
        ended_ms: 1_712_600_310_001,
        digest: Some("sha1:ABC"),
        is_revisit: false,
        is_noted: false,
        tries: 1,
    };

    fn line(line: LogLine<'_>) -> String {
        let mut out = String::new();
        line.write(&mut out);
        out
    }

    #[test]
    fn lines_have_the_columns_of_heritrix() {
        assert_eq!(
            line(FETCHED),
            "2024-04-08T18:18:30.001Z   200       5120 http://a.example/b_c LLE - text/html #000 \
             20240408181829250+751 sha1:ABC - -\n"
        );
        let failed = LogLine {
            outcome: outcome::of_failure(Failure::Dns),
            size: None,
            depth: 0,
            hops: 0,
            mime: "",
            digest: None,
            tries: 3,
            ..FETCHED
        };
        let said = line(failed);
        assert!(said.ends_with("    -1          - http://a.example/b_c - - - #000 - - - dns,3t\n"), "{said}");
        let deep = line(LogLine { depth: 60, hops: 0, is_revisit: true, is_noted: true, ..FETCHED });
        assert!(
            deep.contains(&format!(" 10+{} ", "L".repeat(50)))
                && deep.ends_with(" duplicate:digest,not-kept\n")
        );
        for outcome in [outcome::DISALLOWED, outcome::OVER_LIMIT, outcome::EXCLUDED, outcome::FAILED] {
            assert!(status(outcome) < 0, "{outcome}");
        }
        for failure in Failure::ALL {
            assert!(status(outcome::of_failure(failure)) < 0, "{failure}");
        }
        for text in [line(FETCHED), said, deep] {
            assert_eq!(text.split_ascii_whitespace().count(), 12, "{text}");
        }
    }

    #[test]
    fn half_a_line_is_cut_off_however_long_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        for (before, kept) in [
            (String::new(), 0),
            ("torn".to_owned(), 0),
            ("whole\n".to_owned(), 6),
            ("whole\ntorn".to_owned(), 6),
            (format!("whole\n{}", "x".repeat(200_000)), 6),
        ] {
            std::fs::write(&path, before).expect("writes");
            let mut log = CrawlLog::open(folder.path()).expect("opens");
            log.add(&FETCHED);
            assert_eq!(std::fs::metadata(&path).expect("there").len(), kept);
            log.commit().expect("writes");
            log.commit().expect("nothing to write");
            let text = std::fs::read_to_string(&path).expect("reads");
            assert_eq!(text[kept as usize..], line(FETCHED));
        }
        #[cfg(unix)]
        {
            std::fs::remove_file(&path).expect("removed");
            std::os::unix::fs::symlink(folder.path().join("elsewhere"), &path).expect("made");
            assert!(CrawlLog::open(folder.path()).is_err(), "no link is followed");
        }
    }
}
