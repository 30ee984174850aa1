//! What has been done: an append-only log, read once when a crawl goes on.
//!
//! A line counts once it is whole: each carries its length and a checksum. A batch of lines is given to the system by one
//! write, behind the archive and the sieve, so that what it says is true after a kill at any moment.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tamis_collection::links::no_follow;

use super::progress::LoggedSums;
use crate::scope::News;
use crate::{Error, Result};

const MAGIC: &[u8; 8] = b"tmsdone\x01";
const HEAD_LEN: usize = 1 + 2;
const CHECK_LEN: usize = 4;
/// More than a batch ever takes: what a kill leaves of one is less.
const LONGEST_BATCH: u64 = 4 << 20;

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// An archive was begun.
    File {
        /// Its number in this crawl.
        number: u32,
        /// Its name, as it is when closed.
        name: String,
    },
    /// All bytes of an archive before `end` are accounted for.
    Position {
        /// The archive.
        file: u32,
        /// Where the next record begins.
        end: u64,
        /// What had been counted then; zeros where an older program wrote it.
        sums: LoggedSums,
    },
    /// An address is done with, for good.
    Done(Done),
    /// What a site asks of robots was fetched, or is known to be out of reach.
    Robots(RobotsLine),
    /// A host asked to be left alone.
    Wait {
        /// Until when, in milliseconds since 1970.
        until_ms: u64,
        /// Its name.
        host: String,
    },
}

/// How an address ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Done {
    /// Its place in the url log.
    pub id: u64,
    /// The HTTP status, or a [failure](super::outcome) above 1000.
    pub outcome: u16,
    /// When its last request ended, in milliseconds since 1970.
    pub ended_ms: u64,
    /// The archive of its response; meaningless without one.
    pub file: u32,
    /// The offset of its response there; `u64::MAX` without one.
    pub offset: u64,
    /// The first half of the payload's digest.
    pub payload: [u8; 16],
    /// The fingerprint of its text; 0 without text enough.
    pub simhash: u64,
    /// The hash of its text's normal form; 0 without text enough.
    pub exact: u64,
    /// The length of that form, in bytes.
    pub text_len: u32,
    /// When the request for its payload began: with the address the name of the record; 0 for a revisit.
    pub began_ms: u64,
    /// How often it was tried; 0 where that is not known.
    pub tries: u8,
    /// What its page brought, if it had text to judge and that was written down.
    pub news: Option<News>,
}

/// Where a `robots.txt` is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RobotsLine {
    /// When it was fetched, in milliseconds since 1970.
    pub fetched_ms: u64,
    /// The HTTP status, or a failure above 1000.
    pub outcome: u16,
    /// The archive.
    pub file: u32,
    /// The offset of the response; `u64::MAX` without one.
    pub offset: u64,
    /// Scheme, host and port that it holds for.
    pub origin: String,
}

/// The journal, open for appending.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    batch: Vec<u8>,
    len: u64,
}

impl Journal {
    /// Opens the journal and gives each of its lines to `each`. Half a line at the end, which a kill may leave, is cut off.
    pub(super) fn open(path: &Path, mut each: impl FnMut(Line)) -> Result<Self> {
        let failed = |source| Error::io(path, source);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = no_follow(&mut options).open(path).map_err(failed)?;
        let len = file.metadata().map_err(failed)?.len();
        let mut sound = read_lines(&file, len, path, &mut each)?;
        if len.saturating_sub(sound) > LONGEST_BATCH {
            let what = "a line of the journal is damaged, and more than one batch follows it";
            return Err(Error::Damaged { path: path.into(), offset: sound, what });
        }
        if sound == 0 {
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            file.write_all(MAGIC).map_err(failed)?;
            sound = MAGIC.len() as u64;
        }
        file.set_len(sound).map_err(failed)?;
        file.seek(SeekFrom::Start(sound)).map_err(failed)?;
        Ok(Self { file, path: path.to_owned(), batch: Vec::new(), len: sound })
    }

    /// Gives each whole line of a journal to `each`, and leaves the file as it is: a crawl may be writing it.
    pub(super) fn read(path: &Path, mut each: impl FnMut(Line)) -> Result<()> {
        let failed = |source| Error::io(path, source);
        let file = File::open(path).map_err(failed)?;
        let len = file.metadata().map_err(failed)?.len();
        read_lines(&file, len, path, &mut each).map(drop)
    }

    /// Adds a line to the batch.
    pub(super) fn add(&mut self, line: &Line) {
        let start = self.batch.len();
        self.batch.extend_from_slice(&[line.kind(), 0, 0]);
        line.write(&mut self.batch);
        let len = self.batch.len() - start - HEAD_LEN;
        self.batch[start + 1..start + HEAD_LEN].copy_from_slice(&(len as u16).to_le_bytes());
        let check = crc32fast::hash(&self.batch[start..]);
        self.batch.extend_from_slice(&check.to_le_bytes());
    }

    /// Gives the batch to the system: from now on it survives a kill.
    pub(super) fn commit(&mut self) -> Result<()> {
        if let Err(source) = self.file.write_all(&self.batch) {
            // What was written of it goes, so that the next batch stands behind a whole line.
            let _ = self.file.set_len(self.len).and_then(|()| self.file.seek(SeekFrom::Start(self.len)));
            return Err(Error::io(&self.path, source));
        }
        self.len += self.batch.len() as u64;
        self.batch.clear();
        Ok(())
    }

    /// Brings it to the disk, so that it survives a power cut.
    pub(super) fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(|source| Error::io(&self.path, source))
    }
}

/// Gives each whole line to `each`; gives where they end.
fn read_lines(file: &File, len: u64, path: &Path, each: &mut impl FnMut(Line)) -> Result<u64> {
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut sound = check_magic(&mut reader, len, path)?;
    while let Some((line, line_len)) = read_line(&mut reader).map_err(|source| Error::io(path, source))? {
        let unknown = "a line of an unknown kind, written by a newer version";
        each(line.ok_or(Error::Damaged { path: path.into(), offset: sound, what: unknown })?);
        sound += line_len;
    }
    Ok(sound)
}

fn check_magic(reader: &mut impl Read, len: u64, path: &Path) -> Result<u64> {
    if len < MAGIC.len() as u64 {
        return Ok(0);
    }
    let mut magic = [0; MAGIC.len()];
    reader.read_exact(&mut magic).map_err(|source| Error::io(path, source))?;
    if magic[..7] != MAGIC[..7] {
        return Err(Error::Damaged { path: path.into(), offset: 0, what: "not a crawl journal" });
    }
    if magic[7] != MAGIC[7] {
        return Err(Error::Newer { path: path.into(), version: magic[7] });
    }
    Ok(MAGIC.len() as u64)
}

/// The next line, if its kind is known, and its length in the file; `None` at the end and at half a line.
fn read_line(reader: &mut impl Read) -> io::Result<Option<(Option<Line>, u64)>> {
    let mut bytes = vec![0; HEAD_LEN];
    if !read_whole(reader, &mut bytes)? {
        return Ok(None);
    }
    let len = usize::from(u16::from_le_bytes([bytes[1], bytes[2]]));
    bytes.resize(HEAD_LEN + len + CHECK_LEN, 0);
    if !read_whole(reader, &mut bytes[HEAD_LEN..])? {
        return Ok(None);
    }
    let (said, check) = bytes.split_at(HEAD_LEN + len);
    if crc32fast::hash(said).to_le_bytes() != check {
        return Ok(None);
    }
    Ok(Some((Line::read(said[0], &said[HEAD_LEN..]), bytes.len() as u64)))
}

fn read_whole(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

impl Line {
    fn kind(&self) -> u8 {
        match self {
            Self::File { .. } => 1,
            Self::Position { .. } => 2,
            Self::Done(_) => 3,
            Self::Robots(_) => 4,
            Self::Wait { .. } => 5,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::File { number, name } => {
                out.extend_from_slice(&number.to_le_bytes());
                out.extend_from_slice(bounded(name));
            }
            Self::Position { file, end, sums } => {
                out.extend_from_slice(&file.to_le_bytes());
                out.extend_from_slice(&end.to_le_bytes());
                for sum in sums {
                    write_varint(*sum, out);
                }
            }
            Self::Done(done) => done.write(out),
            Self::Robots(robots) => {
                out.extend_from_slice(&robots.fetched_ms.to_le_bytes());
                out.extend_from_slice(&robots.outcome.to_le_bytes());
                out.extend_from_slice(&robots.file.to_le_bytes());
                out.extend_from_slice(&robots.offset.to_le_bytes());
                out.extend_from_slice(bounded(&robots.origin));
            }
            Self::Wait { until_ms, host } => {
                out.extend_from_slice(&until_ms.to_le_bytes());
                out.extend_from_slice(bounded(host));
            }
        }
    }

    /// `None` for a kind that is not known; its checksum was right, so a newer program wrote it.
    fn read(kind: u8, said: &[u8]) -> Option<Self> {
        let mut said = Fields(said);
        Some(match kind {
            1 => Self::File { number: said.u32()?, name: said.text()? },
            2 => Self::Position { file: said.u32()?, end: said.u64()?, sums: said.sums() },
            3 => Self::Done(Done::read(&mut said)?),
            4 => Self::Robots(RobotsLine {
                fetched_ms: said.u64()?,
                outcome: said.u16()?,
                file: said.u32()?,
                offset: said.u64()?,
                origin: said.text()?,
            }),
            5 => Self::Wait { until_ms: said.u64()?, host: said.text()? },
            _ => return None,
        })
    }
}

impl Done {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.id.to_le_bytes());
        out.extend_from_slice(&self.outcome.to_le_bytes());
        out.extend_from_slice(&self.ended_ms.to_le_bytes());
        out.extend_from_slice(&self.file.to_le_bytes());
        out.extend_from_slice(&self.offset.to_le_bytes());
        out.extend_from_slice(&self.payload);
        out.extend_from_slice(&self.simhash.to_le_bytes());
        out.extend_from_slice(&self.exact.to_le_bytes());
        out.extend_from_slice(&self.text_len.to_le_bytes());
        out.extend_from_slice(&self.began_ms.to_le_bytes());
        out.push(self.tries);
        out.push(self.news.map_or(0, news_bits));
    }

    fn read(said: &mut Fields<'_>) -> Option<Self> {
        Some(Self {
            id: said.u64()?,
            outcome: said.u16()?,
            ended_ms: said.u64()?,
            file: said.u32()?,
            offset: said.u64()?,
            payload: said.array()?,
            simhash: said.u64()?,
            exact: said.u64()?,
            text_len: said.u32()?,
            began_ms: said.u64()?,
            tries: said.array().map_or(0, |[tries]| tries),
            news: said.array().and_then(|[bits]| news_of_bits(bits)),
        })
    }
}

/// What a page brought, in four bits, and one that says that it was judged.
pub(super) fn news_bits(news: News) -> u8 {
    let News { text, links, is_same, grows } = news;
    1 | u8::from(text) << 1 | u8::from(links) << 2 | u8::from(is_same) << 3 | u8::from(grows) << 4
}

/// What those bits say; none of a page that was not judged.
pub(super) fn news_of_bits(bits: u8) -> Option<News> {
    let has = |bit: u8| bits >> bit & 1 == 1;
    has(0).then(|| News { text: has(1), links: has(2), is_same: has(3), grows: has(4) })
}

/// Names of files, hosts and origins are far shorter; whatever comes, a line's length has 16 bits.
fn bounded(text: &str) -> &[u8] {
    &text.as_bytes()[..text.len().min(32 * 1024)]
}

fn write_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*array)
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let [byte] = self.array()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn sums(&mut self) -> LoggedSums {
        std::array::from_fn(|_| self.varint().unwrap_or(0))
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(std::mem::take(&mut self.0).to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<Line> {
        let done = Done {
            id: 7,
            outcome: 200,
            ended_ms: 1_700_000_000_000,
            file: 1,
            offset: 400,
            payload: [9; 16],
            simhash: u64::MAX,
            exact: 3,
            text_len: 5000,
            began_ms: 1_699_999_999_000,
            tries: 2,
            news: Some(News { text: false, links: true, is_same: false, grows: true }),
        };
        let robots = RobotsLine {
            fetched_ms: 5,
            outcome: 404,
            file: 0,
            offset: u64::MAX,
            origin: "https://a.example".into(),
        };
        vec![
            Line::File { number: 1, name: "a-00001.warc.gz".into() },
            Line::Done(done),
            Line::Robots(robots),
            Line::Wait { until_ms: 9, host: "b.example".into() },
            Line::Position { file: 1, end: 12_345, sums: [0, 1, 127, 128, 300, u64::MAX, 1 << 40, 7, 8] },
        ]
    }

    fn read(path: &Path) -> Vec<Line> {
        let mut seen = Vec::new();
        let journal = Journal::open(path, |line| {
            seen.push(line);
        });
        journal.expect("opens");
        seen
    }

    #[test]
    fn lines_from_before_tries_and_sums_are_read() {
        let short = |line: &Line, kind: u8, len: usize| {
            let mut said = Vec::new();
            line.write(&mut said);
            Line::read(kind, &said[..len])
        };
        let Line::Done(done) = lines()[1].clone() else { panic!("it is one") };
        assert_eq!(short(&lines()[1], 3, 74), Some(Line::Done(Done { tries: 0, news: None, ..done })));
        assert_eq!(short(&lines()[1], 3, 75), Some(Line::Done(Done { news: None, ..done })));
        let position = Line::Position { file: 1, end: 12_345, sums: LoggedSums::default() };
        assert_eq!(short(&lines()[4], 2, 12), Some(position));
    }

    #[test]
    fn who_only_reads_leaves_half_a_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("done");
        let mut journal = Journal::open(&path, |_| ()).expect("opens");
        for line in &lines() {
            journal.add(line);
        }
        journal.commit().expect("writes");
        let half = [std::fs::read(&path).expect("reads"), vec![3, 9, 9]].concat();
        std::fs::write(&path, &half).expect("writes");
        let mut seen = Vec::new();
        Journal::read(&path, |line| seen.push(line)).expect("reads");
        assert_eq!((seen, std::fs::read(&path).expect("reads")), (lines(), half));
    }

    #[test]
    fn what_was_committed_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("done");
        let mut journal = Journal::open(&path, |_| ()).expect("opens");
        for line in &lines() {
            journal.add(line);
        }
        assert!(read(&path).is_empty(), "nothing is there before it is committed");
        journal.commit().expect("writes");
        assert_eq!(read(&path), lines());
    }

    #[test]
    fn half_a_line_is_cut_off_wherever_it_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("done");
        let mut journal = Journal::open(&path, |_| ()).expect("opens");
        for line in &lines() {
            journal.add(line);
        }
        journal.commit().expect("writes");
        let whole = std::fs::read(&path).expect("reads");
        for len in 0..whole.len() {
            std::fs::write(&path, &whole[..len]).expect("writes");
            let seen = read(&path);
            assert_eq!(seen, lines()[..seen.len()], "{len}");
            let mut journal = Journal::open(&path, |_| ()).expect("opens");
            journal.add(&lines()[4]);
            journal.commit().expect("writes");
            assert_eq!(read(&path).last(), lines().last(), "{len}");
        }
    }

    #[test]
    fn another_file_and_a_newer_version_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("done");
        for (bytes, said) in
            [(&b"no journal at all"[..], "not a crawl journal"), (b"tmsdone\x02...", "newer")]
        {
            std::fs::write(&path, bytes).expect("writes");
            let error = Journal::open(&path, |_| ()).expect_err("refused").to_string();
            assert!(error.contains(said), "{error}");
            assert_eq!(std::fs::read(&path).expect("reads"), bytes, "it is left as it was");
        }
    }

    #[test]
    fn a_line_of_an_unknown_kind_is_refused_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("done");
        let mut journal = Journal::open(&path, |_| ()).expect("opens");
        journal.add(&lines()[0]);
        journal.commit().expect("writes");
        let mut newer = vec![99, 2, 0, 7, 7];
        newer.extend_from_slice(&crc32fast::hash(&newer).to_le_bytes());
        let bytes = [std::fs::read(&path).expect("reads"), newer].concat();
        std::fs::write(&path, &bytes).expect("writes");
        let error = Journal::open(&path, |_| ()).expect_err("refused").to_string();
        assert!(error.contains("newer"), "{error}");
        assert_eq!(std::fs::read(&path).expect("reads"), bytes);
    }
}
