//! `relevance.jsonl`: the relevance of every page that was judged, and the archives all of whose pages were.
//! `docs/formats/focus.md` describes it.
//!
//! [`Log`] is its only writer and [`read`] its only reader. Lines are appended; of several lines about a URL the last holds. A line
//! without its line end was torn by a kill: readers skip it and return it as [`Torn`], the next writer cuts it off. The checksum of a
//! line covers all lines before it, so a line that was changed or removed is an error.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::links::no_follow;
use crate::{Error, Result};

/// The file in the folder of a collection.
pub const FILE: &str = "relevance.jsonl";

const FORMAT: &str = "tamis-relevance";
/// Version 1 had lines without checksums.
const VERSION: u64 = 2;
const CHECKED_VERSION: u64 = 2;
/// What comes before the checksum of a line.
const CRC: &[u8] = b",\"crc\":\"";
/// The length of what ends a line: eight digits, a quotation mark, a brace, a line end.
const CRC_END_BYTES: usize = 11;
/// How a line about an archive begins.
const OF_ARCHIVE: &[u8] = b"{\"archive\":";

#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

/// A line: a page, and how relevant a model found it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The position of its URL in the URL log of the crawl; none if it was judged outside of a crawl.
    pub id: Option<u64>,
    /// When it was fetched, in milliseconds since 1970.
    pub time_ms: u64,
    /// How relevant it is.
    #[serde(flatten)]
    pub scores: Scores,
    /// The fingerprint of the model; empty in lines of early versions.
    #[serde(default)]
    pub model: String,
    /// Its URL.
    pub url: String,
}

/// A line: an archive of the collection, all pages of which were judged by a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedArchive {
    /// The name of the archive.
    pub archive: String,
    /// The fingerprint of the model.
    pub model: String,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// About a page.
    Page(Judged),
    /// About an archive.
    Archive(JudgedArchive),
}

/// How relevant a model found a page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// How relevant it is, 0 to 1.
    pub relevance: f64,
    /// The similarity in terms.
    pub terms: f64,
    /// The agreement in names.
    pub places: f64,
    /// The agreement in days; none if the page or the model names none.
    pub dates: Option<f64>,
    /// Whether it counted as relevant.
    pub relevant: bool,
}

/// The start of a line that a kill left at the end of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Torn {
    /// Where it starts.
    pub offset: u64,
    /// Its length in bytes.
    pub len_bytes: u64,
}

/// The file, open for appending. A batch is given to the system by one write.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
    batch: Vec<u8>,
    torn: Option<Torn>,
    /// The checksum of the last line.
    crc: u32,
}

/// What was found where reading ended.
struct Read {
    /// Where the whole lines end.
    end: u64,
    /// The line after them.
    torn: Option<Torn>,
    /// The checksum of the last whole line.
    crc: u32,
}

impl Log {
    /// Opens the file, or creates it, and gives each line about a page to `each`. A torn line at the end is cut off.
    pub fn open(path: &Path, mut each: impl FnMut(Judged)) -> Result<Self> {
        let failed = |source| Error::write(path)(source);
        let mut options = OpenOptions::new();
        let mut file = no_follow(options.read(true).write(true).create(true).truncate(false))
            .open(path)
            .map_err(failed)?;
        let Read { end, torn, crc } = read_lines(&file, path, |line| {
            if let Line::Page(judged) = line {
                each(judged);
            }
        })?;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        let mut log = Self { file, path: path.into(), batch: Vec::new(), torn, crc };
        if end == 0 {
            log.batch = head_line();
            log.commit()?;
        }
        Ok(log)
    }

    /// The torn line that was cut off when the file was opened.
    pub fn torn(&self) -> Option<Torn> {
        self.torn
    }

    /// Adds a line about a page to the batch.
    pub fn add(&mut self, judged: &Judged) {
        self.line(judged);
    }

    /// Adds to the batch that all pages of an archive were judged.
    pub fn add_archive(&mut self, judged: &JudgedArchive) {
        self.line(judged);
    }

    /// Writes the batch: it survives a kill once this returns.
    pub fn commit(&mut self) -> Result<()> {
        self.file.write_all(&self.batch).map_err(Error::write(&self.path))?;
        self.batch.clear();
        Ok(())
    }

    /// Brings the file to the disk.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(Error::write(&self.path))
    }

    fn line(&mut self, line: &impl Serialize) {
        // Numbers and texts always have a JSON, and writing to memory does not fail.
        let Ok(text) = serde_json::to_vec(line) else { return };
        let Some(text) = text.strip_suffix(b"}") else { return };
        self.crc = chained(self.crc, text);
        self.batch.extend_from_slice(text);
        self.batch.extend_from_slice(CRC);
        self.batch.extend_from_slice(format!("{:08x}\"}}\n", self.crc).as_bytes());
    }
}

/// Gives each line about a page to `each`, also while a crawl appends to the file; none if there is no file. Returns the torn line at
/// its end, if there is one.
pub fn read(path: &Path, mut each: impl FnMut(Judged)) -> Result<Option<Torn>> {
    read_all(path, |line| {
        if let Line::Page(judged) = line {
            each(judged);
        }
    })
}

/// The same for lines of both kinds.
pub fn read_all(path: &Path, each: impl FnMut(Line)) -> Result<Option<Torn>> {
    match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::read(path)(error)),
        Ok(file) => read_lines(&file, path, each).map(|read| read.torn),
    }
}

/// Writes the relevant pages, most relevant first, as the Event Focused Crawler prints them: `rank : score , 1 , url`. Returns the torn
/// line at the end of the file. Memory: some 100 bytes and its URL for each page.
pub fn write_ranked(path: &Path, out: &mut impl Write) -> Result<Option<Torn>> {
    let mut last: HashMap<String, Scores> = HashMap::new();
    let torn = read(path, |Judged { url, scores, .. }| {
        last.insert(url, scores);
    })?;
    let mut ranked: Vec<(String, f64)> = last
        .into_iter()
        .filter_map(|(url, scores)| scores.relevant.then_some((url, scores.relevance)))
        .collect();
    ranked.sort_by(|(one_url, one), (other_url, other)| {
        other.total_cmp(one).then_with(|| one_url.cmp(other_url))
    });
    for (rank, (url, relevance)) in ranked.iter().enumerate() {
        writeln!(out, "{rank} : {relevance} , 1 , {url}").map_err(Error::write(path))?;
    }
    Ok(torn)
}

fn read_lines(file: &File, path: &Path, mut each: impl FnMut(Line)) -> Result<Read> {
    let failed = |source| Error::read(path)(source);
    let (mut reader, mut line, mut read) =
        (BufReader::new(file), Vec::new(), Read { end: 0, torn: None, crc: 0 });
    let mut is_checked = false;
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(failed)?;
        if line.last() != Some(&b'\n') {
            if read.end == 0 {
                check_torn_head(&line, path)?;
            }
            let torn = Torn { offset: read.end, len_bytes: line.len() as u64 };
            return Ok(Read { torn: Some(torn).filter(|torn| torn.len_bytes > 0), ..read });
        }
        if read.end == 0 {
            is_checked = check_head(&line, path)? >= CHECKED_VERSION;
        } else {
            let what = "a line of the relevance log is damaged";
            let damaged = || Error::damaged(path, format!("at byte {}: {what}", read.end));
            match checksum(&line) {
                Some((text, crc)) if chained(read.crc, text) == crc => read.crc = crc,
                None if !is_checked => {}
                _ => return Err(damaged()),
            }
            each(parse(&line).ok_or_else(damaged)?);
        }
        read.end += line.len() as u64;
    }
}

fn parse(line: &[u8]) -> Option<Line> {
    if line.starts_with(OF_ARCHIVE) {
        serde_json::from_slice(line).ok().map(Line::Archive)
    } else {
        serde_json::from_slice(line).ok().map(Line::Page)
    }
}

/// The text of a line before its checksum, and the checksum.
fn checksum(line: &[u8]) -> Option<(&[u8], u32)> {
    let (text, end) = line.split_at_checked(line.len().checked_sub(CRC.len() + CRC_END_BYTES)?)?;
    let digits = end.strip_prefix(CRC)?.strip_suffix(b"\"}\n")?;
    Some((text, u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?))
}

/// The checksum of a line after a line with the checksum `before`.
fn chained(before: u32, text: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&before.to_le_bytes());
    hasher.update(text);
    hasher.finalize()
}

fn head_line() -> Vec<u8> {
    format!("{{\"format\":\"{FORMAT}\",\"version\":{VERSION}}}\n").into_bytes()
}

/// The version of the file.
fn check_head(line: &[u8], path: &Path) -> Result<u64> {
    match serde_json::from_slice::<Head>(line) {
        Ok(head) if head.format != FORMAT => Err(no_log(path)),
        Ok(head) if head.version > VERSION => {
            Err(Error::Newer { path: path.into(), found: head.version, known: VERSION })
        }
        Ok(head) => Ok(head.version),
        Err(_) => Err(no_log(path)),
    }
}

/// A first line without its end is a torn head only as far as it is one: a file of another kind is not cut.
fn check_torn_head(line: &[u8], path: &Path) -> Result<()> {
    if head_line().starts_with(line) { Ok(()) } else { Err(no_log(path)) }
}

fn no_log(path: &Path) -> Error {
    Error::damaged(path, "at byte 0: not a relevance log")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn judged(id: u64, relevance: f64, relevant: bool) -> Judged {
        let scores = Scores { relevance, terms: 0.25, places: 1.0, dates: None, relevant };
        Judged { id: Some(id), time_ms: 7, scores, model: "m1".into(), url: format!("http://x.org/{id}") }
    }

    fn lines(path: &Path) -> (Vec<Judged>, Option<Torn>) {
        let mut lines = Vec::new();
        let torn = read(path, |judged| lines.push(judged)).expect("sound");
        (lines, torn)
    }

    #[test]
    fn a_torn_line_is_skipped_and_reported_and_the_next_writer_cuts_it_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        assert_eq!(lines(&path), (Vec::new(), None), "no file has no lines");
        let all = [judged(1, 0.5, true), judged(2, 0.1, false), judged(3, 1.0 / 3.0, true)];
        let mut log = Log::open(&path, |_| panic!("new")).expect("opens");
        for judged in &all {
            log.add(judged);
        }
        log.commit().expect("writes");
        drop(log);
        let whole = fs::read(&path).expect("reads");
        assert_eq!(lines(&path), (all.to_vec(), None));
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).expect("writes");
            let end = whole[..cut].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let expected = (end < cut).then(|| Torn { offset: end as u64, len_bytes: (cut - end) as u64 });
            let (before, torn) = lines(&path);
            assert_eq!(torn, expected, "cut at {cut}");
            let mut log = Log::open(&path, |_| {}).expect("opens");
            assert_eq!(log.torn(), expected, "cut at {cut}");
            log.add(&all[0]);
            log.commit().expect("writes");
            let (after, torn) = lines(&path);
            assert_eq!((after.len(), torn), (before.len() + 1, None), "cut at {cut}");
        }
    }

    #[test]
    fn lines_of_early_versions_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        let line = r#"{"id":1,"time_ms":5,"relevance":0.75,"terms":0.1,"places":0,"dates":null,"relevant":true,"url":"http://a.example/"}"#;
        fs::write(&path, format!("{{\"format\":\"tamis-relevance\",\"version\":1}}\n{line}\n"))
            .expect("writes");
        let (lines, _) = lines(&path);
        assert_eq!((lines.len(), lines[0].scores.relevance, &*lines[0].model), (1, 0.75, ""));
    }

    #[test]
    fn a_changed_or_removed_line_is_an_error_and_a_cut_at_a_line_end_loses_the_archive() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        let mut log = Log::open(&path, |_| {}).expect("opens");
        log.add(&judged(1, 0.5, true));
        log.add(&judged(2, 0.25, false));
        log.commit().expect("writes");
        drop(log);
        let mut log = Log::open(&path, |_| {}).expect("opens");
        let archive = JudgedArchive { archive: "a.warc.gz".into(), model: "m1".into() };
        log.add_archive(&archive);
        log.commit().expect("writes");
        drop(log);
        let sound = fs::read(&path).expect("reads");
        let archives = || {
            let mut archives = Vec::new();
            read_all(&path, |line| {
                archives.extend(if let Line::Archive(line) = line { Some(line) } else { None });
            })
            .map(|torn| (archives, torn))
        };
        assert_eq!(archives().expect("sound"), (vec![archive], None));
        let head = head_line().len();
        for at in head..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).expect("writes");
            let found = archives();
            let is_seen = match found {
                Err(_) => true,
                Ok((archives, torn)) => archives.is_empty() && torn.is_some(),
            };
            assert!(is_seen, "byte {at}");
        }
        let lines: Vec<&[u8]> = sound.split_inclusive(|&byte| byte == b'\n').collect();
        for removed in 1..3 {
            let rest: Vec<u8> = lines
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != removed)
                .flat_map(|(_, line)| line.to_vec())
                .collect();
            fs::write(&path, rest).expect("writes");
            assert!(archives().is_err(), "line {removed} was removed");
        }
        fs::write(&path, lines[..3].concat()).expect("writes");
        assert_eq!(archives().expect("whole lines"), (Vec::new(), None));
    }

    #[test]
    fn pages_are_ranked_as_the_event_focused_crawler_prints_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        let mut log = Log::open(&path, |_| {}).expect("opens");
        for line in [judged(1, 0.5, true), judged(2, 0.1, false), judged(3, 0.9, true), judged(1, 0.95, true)]
        {
            log.add(&line);
        }
        log.commit().expect("writes");
        let mut out = Vec::new();
        write_ranked(&path, &mut out).expect("sound");
        let ranked = String::from_utf8(out).expect("text");
        assert_eq!(ranked, "0 : 0.95 , 1 , http://x.org/1\n1 : 0.9 , 1 , http://x.org/3\n");
    }

    #[test]
    fn a_file_of_another_kind_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let head = "{\"format\":\"tamis-relevance\",\"version\":2}\n";
        for (text, expected) in [
            ("hello\n".to_owned(), "not a relevance log"),
            ("half a head".to_owned(), "not a relevance log"),
            (head.replace('2', "9"), "newer tamis"),
            (format!("{head}{{}}\n"), "at byte 41: a line"),
        ] {
            fs::write(&path, &text).expect("writes");
            let error = Log::open(&path, |_| {}).expect_err("wrong").to_string();
            assert!(error.contains(expected), "{error}");
            assert!(read(&path, |_| {}).is_err(), "{text}");
            assert_eq!(fs::read_to_string(&path).expect("reads"), text, "it is left as it was");
        }
    }
}
