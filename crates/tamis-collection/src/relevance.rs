//! `relevance.jsonl`: the relevance of every page that was judged. `docs/formats/focus.md` describes it.
//!
//! [`Log`] is its only writer and [`read`] its only reader. Lines are appended; of several lines about a URL the last holds. A line
//! without its line end was torn by a kill: readers skip it and return it as [`Torn`], the next writer cuts it off.

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
const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
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
}

impl Log {
    /// Opens the file, or creates it, and gives each of its lines to `each`. A torn line at the end is cut off.
    pub fn open(path: &Path, each: impl FnMut(Judged)) -> Result<Self> {
        let failed = |source| Error::write(path)(source);
        let mut options = OpenOptions::new();
        let mut file = no_follow(options.read(true).write(true).create(true).truncate(false))
            .open(path)
            .map_err(failed)?;
        let (end, torn) = read_lines(&file, path, each)?;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::Start(end)).map_err(failed)?;
        let mut log = Self { file, path: path.into(), batch: Vec::new(), torn };
        if end == 0 {
            log.line(&head());
            log.commit()?;
        }
        Ok(log)
    }

    /// The torn line that was cut off when the file was opened.
    pub fn torn(&self) -> Option<Torn> {
        self.torn
    }

    /// Adds a line to the batch.
    pub fn add(&mut self, judged: &Judged) {
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
        if let Ok(text) = serde_json::to_string(line) {
            self.batch.extend_from_slice(text.as_bytes());
            self.batch.push(b'\n');
        }
    }
}

/// Gives each line of a file to `each`, also while a crawl appends to it; none if there is no file. Returns the torn line at its end,
/// if there is one.
pub fn read(path: &Path, each: impl FnMut(Judged)) -> Result<Option<Torn>> {
    match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::read(path)(error)),
        Ok(file) => read_lines(&file, path, each).map(|(_, torn)| torn),
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

/// Reads lines. Returns where the whole ones end, and the torn one after them.
fn read_lines(file: &File, path: &Path, mut each: impl FnMut(Judged)) -> Result<(u64, Option<Torn>)> {
    let failed = |source| Error::read(path)(source);
    let (mut reader, mut line, mut end) = (BufReader::new(file), Vec::new(), 0);
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(failed)?;
        if line.last() != Some(&b'\n') {
            if end == 0 {
                check_torn_head(&line, path)?;
            }
            let torn = Torn { offset: end, len_bytes: line.len() as u64 };
            return Ok((end, Some(torn).filter(|torn| torn.len_bytes > 0)));
        }
        if end == 0 {
            check_head(&line, path)?;
        } else {
            let what = "a line of the relevance log is damaged";
            let damaged = |_| Error::damaged(path, format!("at byte {end}: {what}"));
            each(serde_json::from_slice(&line).map_err(damaged)?);
        }
        end += line.len() as u64;
    }
}

fn head() -> Head {
    Head { format: FORMAT.to_owned(), version: VERSION }
}

fn check_head(line: &[u8], path: &Path) -> Result<()> {
    match serde_json::from_slice::<Head>(line) {
        Ok(head) if head.format != FORMAT => Err(no_log(path)),
        Ok(head) if head.version > VERSION => {
            Err(Error::Newer { path: path.into(), found: head.version, known: VERSION })
        }
        Ok(_) => Ok(()),
        Err(_) => Err(no_log(path)),
    }
}

/// A first line without its end is a torn head only as far as it is one: a file of another kind is not cut.
fn check_torn_head(line: &[u8], path: &Path) -> Result<()> {
    let whole = serde_json::to_vec(&head()).map_err(|why| Error::damaged(path, why))?;
    if whole.starts_with(line) { Ok(()) } else { Err(no_log(path)) }
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
        let head = "{\"format\":\"tamis-relevance\",\"version\":1}\n";
        for (text, expected) in [
            ("hello\n".to_owned(), "not a log of relevance"),
            ("half a head".to_owned(), "not a log of relevance"),
            (head.replace('1', "9"), "newer tamis"),
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
