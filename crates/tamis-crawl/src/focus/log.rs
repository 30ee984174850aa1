//! The relevance of every page that was judged, as lines of JSON that only ever grow at the end.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::score::Relevance;
use crate::{Error, Result};

/// The file in the folder of a collection.
pub const RELEVANCE_FILE: &str = "relevance.jsonl";

const FORMAT: &str = "tamis-relevance";
const VERSION: u8 = 1;

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u8,
}

/// A line of the log: a page and what was found of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The place of its address in the url log of the crawl; none if it was judged where it lay.
    pub id: Option<u64>,
    /// When it was fetched, in milliseconds since 1970.
    pub time_ms: u64,
    /// How relevant it is.
    pub relevance: f64,
    /// The similarity in terms.
    pub terms: f64,
    /// The agreement in names.
    pub places: f64,
    /// The agreement in days; none if the page or the model names none.
    pub dates: Option<f64>,
    /// Whether it counted as relevant.
    pub relevant: bool,
    /// The model it was judged by, as [`Model::fingerprint`](super::Model::fingerprint) has it; empty in old lines.
    #[serde(default)]
    pub model: String,
    /// Its address.
    pub url: String,
}

impl Judged {
    /// The line of a page that was judged by a model.
    pub fn new(
        id: Option<u64>,
        time_ms: u64,
        url: &str,
        (relevance, relevant): (&Relevance, bool),
        model: &str,
    ) -> Self {
        let round = |value: f64| (value * 1e6).round() / 1e6;
        Self {
            id,
            time_ms,
            relevance: round(relevance.total),
            terms: round(relevance.terms),
            places: round(relevance.places),
            dates: relevance.dates.map(round),
            relevant,
            model: model.to_owned(),
            url: url.to_owned(),
        }
    }
}

/// The log, open for appending. A batch is given to the system by one write.
#[derive(Debug)]
pub struct RelevanceLog {
    file: File,
    path: PathBuf,
    batch: Vec<u8>,
}

impl RelevanceLog {
    /// Opens the log, or begins one, and gives each of its lines to `each`. Half a line at the end, which a kill may leave, is cut off.
    pub fn open(path: &Path, each: impl FnMut(Judged)) -> Result<Self> {
        let failed = |source| Error::io(path, source);
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let sound = read_lines(&file, path, each)?;
        file.set_len(sound).map_err(failed)?;
        file.seek(SeekFrom::Start(sound)).map_err(failed)?;
        let mut log = Self { file, path: path.into(), batch: Vec::new() };
        if sound == 0 {
            log.line(&Head { format: FORMAT.to_owned(), version: VERSION });
            log.commit()?;
        }
        Ok(log)
    }

    /// Adds a line to the batch.
    pub fn add(&mut self, judged: &Judged) {
        self.line(judged);
    }

    /// Gives the batch to the system: it survives a kill once this returns.
    pub fn commit(&mut self) -> Result<()> {
        self.file.write_all(&self.batch).map_err(|source| Error::io(&self.path, source))?;
        self.batch.clear();
        Ok(())
    }

    /// Brings the file to the disk.
    pub fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(|source| Error::io(&self.path, source))
    }

    fn line(&mut self, line: &impl Serialize) {
        // Numbers and texts always have a JSON, and writing to memory does not fail.
        if let Ok(text) = serde_json::to_string(line) {
            self.batch.extend_from_slice(text.as_bytes());
            self.batch.push(b'\n');
        }
    }
}

/// Gives each line of a log to `each`, also while a crawl appends to it.
pub fn read_relevance(path: &Path, each: impl FnMut(Judged)) -> Result<()> {
    let file = File::open(path).map_err(|source| Error::io(path, source))?;
    read_lines(&file, path, each).map(drop)
}

/// The relevant pages, most relevant first, as the Event Focused Crawler prints them: `rank : score , 1 , url`.
/// Memory: some 100 bytes and its address for each.
pub fn write_ranked(log: &Path, out: &mut impl Write) -> Result<()> {
    // Of several lines about a page the last holds.
    let mut last: HashMap<String, (f64, bool)> = HashMap::new();
    read_relevance(log, |Judged { url, relevance, relevant, .. }| {
        last.insert(url, (relevance, relevant));
    })?;
    let mut ranked: Vec<(String, f64)> = last
        .into_iter()
        .filter_map(|(url, (relevance, is_relevant))| is_relevant.then_some((url, relevance)))
        .collect();
    ranked.sort_by(|(one_url, one), (other_url, other)| {
        other.total_cmp(one).then_with(|| one_url.cmp(other_url))
    });
    for (rank, (url, relevance)) in ranked.iter().enumerate() {
        writeln!(out, "{rank} : {relevance} , 1 , {url}").map_err(|source| Error::io(log, source))?;
    }
    Ok(())
}

/// Reads lines; gives where the sound ones end.
fn read_lines(file: &File, path: &Path, mut each: impl FnMut(Judged)) -> Result<u64> {
    let failed = |source| Error::io(path, source);
    let (mut reader, mut line, mut sound) = (BufReader::new(file), Vec::new(), 0);
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).map_err(failed)?;
        if line.last() != Some(&b'\n') {
            return Ok(sound);
        }
        if sound == 0 {
            check_head(&line, path)?;
        } else {
            let what = "a line of the log of relevance is damaged";
            let damaged = |_| Error::Damaged { path: path.into(), offset: sound, what };
            each(serde_json::from_slice(&line).map_err(damaged)?);
        }
        sound += line.len() as u64;
    }
}

fn check_head(line: &[u8], path: &Path) -> Result<()> {
    let head: Option<Head> = serde_json::from_slice(line).ok().filter(|head: &Head| head.format == FORMAT);
    match head {
        Some(head) if head.version > VERSION => {
            Err(Error::Newer { path: path.into(), version: head.version })
        }
        Some(_) => Ok(()),
        None => Err(Error::Damaged { path: path.into(), offset: 0, what: "it is no log of relevance" }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn judged(id: u64, relevance: f64, relevant: bool) -> Judged {
        let relevance = Relevance { total: relevance, terms: 0.25, places: 1.0, dates: None };
        Judged::new(Some(id), 7, &format!("http://x.org/{id}"), (&relevance, relevant), "m1")
    }

    fn lines(path: &Path) -> Vec<Judged> {
        let mut lines = Vec::new();
        read_relevance(path, |judged| lines.push(judged)).expect("sound");
        lines
    }

    #[test]
    fn a_log_cut_anywhere_goes_on_with_its_whole_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(RELEVANCE_FILE);
        let all = [judged(1, 0.5, true), judged(2, 0.1, false), judged(3, 1.0 / 3.0, true)];
        let mut log = RelevanceLog::open(&path, |_| panic!("new")).expect("opens");
        for judged in &all {
            log.add(judged);
        }
        log.commit().expect("writes");
        drop(log);
        let whole = fs::read(&path).expect("reads");
        assert_eq!(lines(&path), all);
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).expect("writes");
            let mut before = 0;
            let mut log = RelevanceLog::open(&path, |_| before += 1).expect("opens");
            log.add(&all[0]);
            log.commit().expect("writes");
            assert_eq!(lines(&path).len(), before + 1, "cut at {cut}");
        }
    }

    #[test]
    fn pages_are_ranked_as_the_reference_prints_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(RELEVANCE_FILE);
        let mut log = RelevanceLog::open(&path, |_| {}).expect("opens");
        for line in [judged(1, 0.5, true), judged(2, 0.1, false), judged(3, 0.9, true), judged(1, 0.95, true)]
        {
            log.add(&line);
        }
        log.commit().expect("writes");
        let mut out = Vec::new();
        write_ranked(&path, &mut out).expect("sound");
        let told = String::from_utf8(out).expect("text");
        assert_eq!(told, "0 : 0.95 , 1 , http://x.org/1\n1 : 0.9 , 1 , http://x.org/3\n");
    }

    #[test]
    fn what_is_no_log_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let head = "{\"format\":\"tamis-relevance\",\"version\":1}\n";
        for (text, told) in [
            ("hello\n".to_owned(), "no log of relevance"),
            (head.replace('1', "9"), "newer version"),
            (format!("{head}{{}}\n"), "at byte 41: a line"),
        ] {
            fs::write(&path, &text).expect("writes");
            let error = RelevanceLog::open(&path, |_| {}).expect_err("wrong").to_string();
            assert!(error.contains(told), "{error}");
            assert_eq!(fs::read_to_string(&path).expect("reads"), text, "it is left as it was");
        }
    }
}
