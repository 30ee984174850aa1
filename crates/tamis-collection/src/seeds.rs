//! `seeds.tsv`: the URLs to begin with, and for each the tweets that name it.
//!
//! A line has the key that the spellings of a URL have in common, the URL, and the ids of its tweets between blanks; lines
//! are in the order of the keys. The file is made anew from the old lines and those that come in, in bounded memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use tamis_archive::cdx::SortOptions;

use super::url_list::{self, UrlReport};
use super::{Collection, Error, Result, Writer};
use crate::tweets::{self, ReadOptions, Report, Role, Tweet, TweetId, UrlRow, UrlTweets};

/// Its name in the collection.
pub(super) const FILE: &str = "seeds.tsv";
const HEADER: &str = "key\turl\ttweet_ids";

/// Stands for a list of URLs among the tweets that name a URL: the platform never gave this id to a tweet.
const NO_TWEET: TweetId = TweetId(0);

/// The seeds of a collection and those that come in, gathered.
///
/// Memory: that of [`UrlTweets`].
pub struct SeedMerge {
    gathered: UrlTweets,
    before: SeedCounts,
}

/// How many seeds there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct SeedCounts {
    /// URLs.
    pub urls: u64,
    /// Of these, those that tweets name.
    pub urls_of_tweets: u64,
    /// How often tweets name one: a tweet counts for each of its URLs.
    pub mentions: u64,
}

/// The seeds of a collection, in the order of their keys.
pub struct Seeds {
    path: PathBuf,
    input: Option<BufReader<File>>,
    line: String,
    number: u64,
}

/// The tweets that name a URL, for all URLs that tweets name.
///
/// Memory: about 100 bytes and the length of its key for each URL, and 40 for each id.
#[derive(Debug, Default)]
pub struct SeedTweets(TweetsByKey);

/// The ids of tweets, by the key of the URL they name.
type TweetsByKey = BTreeMap<Box<str>, Box<[Box<str>]>>;

impl SeedTweets {
    /// The ids of the tweets that name a URL in any of its spellings.
    pub fn ids(&self, url: &str) -> Option<&[Box<str>]> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&*tweets::key(url)).map(|ids| &**ids)
    }
}

impl Collection {
    /// The seeds, in the order of their keys.
    pub fn seeds(&self) -> Result<Seeds> {
        self.check_list(FILE)?;
        Seeds::open(self.root().join(FILE))
    }

    /// How many seeds there are. Reads all of them.
    pub fn count_seeds(&self) -> Result<SeedCounts> {
        let mut counts = SeedCounts::default();
        self.seeds()?.try_for_each(|row| row.map(|row| counts.add(&row)))?;
        Ok(counts)
    }

    /// The tweets of each URL, for the column `tweet_ids`. A tweet that names a short URL names the page behind it, too.
    pub fn url_tweets(&self) -> Result<SeedTweets> {
        let mut all = self.tweets_by_key()?;
        let mut behind: BTreeMap<Box<str>, Vec<Box<str>>> = BTreeMap::new();
        for fetched in self.fetched()?.into_iter().filter(|fetched| fetched.hops > 0) {
            if let Some(ids) = all.get(&*tweets::key(&fetched.url)) {
                let last = tweets::key(&fetched.last_url).into_boxed_str();
                behind.entry(last).or_default().extend(ids.iter().cloned());
            }
        }
        for (key, mut ids) in behind {
            ids.extend(all.get(&key).into_iter().flat_map(|ids| ids.iter().cloned()));
            ids.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
            ids.dedup();
            all.insert(key, ids.into());
        }
        Ok(SeedTweets(all))
    }

    fn tweets_by_key(&self) -> Result<TweetsByKey> {
        let mut all = BTreeMap::new();
        for row in self.seeds()? {
            let row = row?;
            if !row.tweet_ids.is_empty() {
                let ids = row.tweet_ids.iter().map(|id| id.to_string().into_boxed_str()).collect();
                all.insert(row.key.into_boxed_str(), ids);
            }
        }
        Ok(all)
    }

    /// A checksum of what the collection says of all its pages: its id, its name, and which tweets name which.
    pub fn shared_digest(&self) -> Result<String> {
        let mut hash = crc32fast::Hasher::new();
        let about = self.about();
        hash.update(about.id.as_bytes());
        hash.update(&[0]);
        hash.update(about.name.as_bytes());
        for name in [FILE, super::fetched::FILE] {
            add_file(&mut hash, &self.root().join(name))?;
        }
        Ok(format!("{:08x}", hash.finalize()))
    }

    /// Begins to gather seeds to those that are there.
    pub fn merge_seeds(&self) -> Result<SeedMerge> {
        let mut merge = SeedMerge {
            gathered: UrlTweets::new(SortOptions::new(self.root())),
            before: SeedCounts::default(),
        };
        for row in self.seeds()? {
            let row = row?;
            merge.before.add(&row);
            merge.add(&row.url, &row.tweet_ids)?;
        }
        Ok(merge)
    }
}

impl Writer {
    /// Writes what was gathered in the place of what was there. Gives what was there, and what is there now.
    pub fn replace_seeds(&self, merge: SeedMerge) -> Result<(SeedCounts, SeedCounts)> {
        let path = self.root().join(FILE);
        let before = merge.before;
        let after = self.replace_list(FILE, |out| merge.write(out, &path))?;
        Ok((before, after))
    }
}

impl SeedMerge {
    /// Adds the URLs of a list, one a line.
    pub fn add_urls(&mut self, input: impl BufRead) -> Result<UrlReport> {
        url_list::read(input, |url| self.add(url, &[]).map_err(Stop::Gathering)).map_err(Into::into)
    }

    /// Adds the URLs that tweets name, each with the tweet's id. Tweets that only came along with others are passed over:
    /// what they name is named by those as well.
    pub fn add_tweets(&mut self, input: impl BufRead) -> Result<Report> {
        let gathered = &mut self.gathered;
        let each = |tweet: &Tweet<'_>| match tweet.role {
            Role::Collected => gathered.add(tweet),
            Role::Referenced => Ok(()),
        };
        Ok(tweets::read(input, ReadOptions::default(), each)?)
    }

    /// How many there were, and how many there would be.
    pub fn count(self) -> Result<(SeedCounts, SeedCounts)> {
        let before = self.before;
        let after = self.write(io::sink(), Path::new("-"))?;
        Ok((before, after))
    }

    fn add(&mut self, url: &str, ids: &[TweetId]) -> Result<()> {
        let urls = [url.to_owned()];
        let ids = if ids.is_empty() { &[NO_TWEET] } else { ids };
        for &id in ids {
            let role = Role::Collected;
            self.gathered.add(&Tweet { id, urls: &urls, time: None, language: None, role })?;
        }
        Ok(())
    }

    fn write(self, mut out: impl Write, path: &Path) -> Result<SeedCounts> {
        let mut counts = SeedCounts::default();
        writeln!(out, "{HEADER}").map_err(Error::write(path))?;
        for row in self.gathered.into_rows()? {
            let mut row = row?;
            row.tweet_ids.retain(|&id| id != NO_TWEET);
            counts.add(&row);
            let ids: Vec<String> = row.tweet_ids.iter().map(ToString::to_string).collect();
            writeln!(out, "{}\t{}\t{}", row.key, row.url, ids.join(" ")).map_err(Error::write(path))?;
        }
        Ok(counts)
    }
}

impl SeedCounts {
    fn add(&mut self, row: &UrlRow) {
        self.urls += 1;
        self.urls_of_tweets += u64::from(!row.tweet_ids.is_empty());
        self.mentions += row.tweet_ids.len() as u64;
    }
}

impl Seeds {
    fn open(path: PathBuf) -> Result<Self> {
        let input = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            file => Some(BufReader::new(file.map_err(Error::read(&path))?)),
        };
        let mut seeds = Self { path, input, line: String::new(), number: 0 };
        if seeds.input.is_some() && !(seeds.next_line()? && seeds.line == HEADER) {
            return Err(Error::damaged(&seeds.path, "its first line does not name the columns"));
        }
        Ok(seeds)
    }

    fn next_line(&mut self) -> Result<bool> {
        let Some(input) = &mut self.input else { return Ok(false) };
        self.line.clear();
        self.number += 1;
        let read = input.read_line(&mut self.line).map_err(Error::read(&self.path))?;
        self.line.truncate(self.line.trim_end_matches(['\r', '\n']).len());
        Ok(read > 0)
    }

    fn row(&self) -> Option<UrlRow> {
        let mut cells = self.line.split('\t');
        let (key, url) = (cells.next()?.to_owned(), cells.next()?.to_owned());
        let ids = cells.next()?.split_ascii_whitespace().map(|id| id.parse().ok());
        Some(UrlRow { key, url, tweet_ids: ids.collect::<Option<_>>()? })
    }
}

impl Iterator for Seeds {
    type Item = Result<UrlRow>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.next_line() {
            Ok(false) => None,
            Ok(true) => Some(self.row().ok_or_else(|| {
                Error::damaged(&self.path, format!("line {}: not a key, a URL and ids", self.number))
            })),
            Err(error) => Some(Err(error)),
        }
    }
}

/// Why the reading of a list ended early.
enum Stop {
    Reading(io::Error),
    Gathering(Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Reading(error)
    }
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Reading(source) => Self::Io { action: "read", path: "the list".into(), source },
            Stop::Gathering(error) => error,
        }
    }
}

/// Adds the bytes of a file to a checksum; none if it is not there.
fn add_file(hash: &mut crc32fast::Hasher, path: &Path) -> Result<()> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file.map_err(Error::read(path))?,
    };
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(Error::read(path))? {
            0 => return Ok(()),
            len => hash.update(&buffer[..len]),
        }
    }
}
