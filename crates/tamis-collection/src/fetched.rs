//! `fetched.tsv`: what became of each URL to begin with, at the end of its redirects.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};

use super::{Collection, Error, Result, Writer};

/// Its name in the collection.
pub(super) const FILE: &str = "fetched.tsv";
const HEADER: &str = "url\tstatus_code\tend\thops\tlast_url\twhy\n";

/// What became of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The URL to begin with.
    pub url: String,
    /// The code of the last capture, as the column `status_code` has it; 2001 if it could not be fetched.
    pub status_code: String,
    /// How it ended.
    pub end: End,
    /// How many redirects there were.
    pub hops: usize,
    /// The URL behind the last of them.
    pub last_url: String,
    /// Why it was not fetched, in a word; empty if it was, or nobody knows.
    pub why: String,
}

/// How the way from a URL ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// At an answer that redirects no further.
    Answer,
    /// At a URL that could not be fetched.
    Dead,
    /// At a URL whose turn has not come: fetching was stopped, or a limit of pages reached.
    Waiting,
    /// At a URL that was not asked for: its site forbids it, or the settings do.
    Refused,
    /// At a URL that it had been to before.
    Loop,
}

impl End {
    /// All, with the word for each.
    const ALL: [(Self, &'static str); 5] = [
        (Self::Answer, "answer"),
        (Self::Dead, "dead"),
        (Self::Waiting, "waiting"),
        (Self::Refused, "refused"),
        (Self::Loop, "loop"),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(end, _)| *end == self).map_or("", |(_, word)| word)
    }

    fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, other)| *other == word).map(|(end, _)| end)
    }
}

impl Fetched {
    fn line(&self) -> String {
        let Self { url, status_code, end, hops, last_url, why } = self;
        format!("{url}\t{status_code}\t{}\t{hops}\t{last_url}\t{why}\n", end.word())
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut next = || fields.next();
        Some(Self {
            url: next()?.to_owned(),
            status_code: next()?.to_owned(),
            end: End::of_word(next()?)?,
            hops: next()?.parse().ok()?,
            last_url: next()?.to_owned(),
            // Files of before have none.
            why: next().unwrap_or_default().to_owned(),
        })
    }
}

impl Collection {
    /// What became of the URLs to begin with; none if nobody fetched them.
    pub fn fetched(&self) -> Result<Vec<Fetched>> {
        self.check_list(FILE)?;
        let path = self.root().join(FILE);
        let file = match File::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            file => file.map_err(Error::read(&path))?,
        };
        let mut all = Vec::new();
        for (number, line) in BufReader::new(file).lines().enumerate().skip(1) {
            let line = line.map_err(Error::read(&path))?;
            let wrong = || Error::damaged(&path, format!("line {}: not six fields", number + 1));
            all.push(Fetched::parse(&line).ok_or_else(wrong)?);
        }
        Ok(all)
    }
}

impl Writer {
    /// Keeps what became of the URLs to begin with.
    pub fn write_fetched(&self, all: &[Fetched]) -> Result<()> {
        let mut text = HEADER.to_owned();
        text.extend(all.iter().map(Fetched::line));
        let path = self.root().join(FILE);
        self.replace_list(FILE, |out| out.write_all(text.as_bytes()).map_err(Error::write(&path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        for (end, hops) in [(End::Answer, 0), (End::Dead, 3), (End::Loop, 20)] {
            let fetched = Fetched {
                url: "http://t.example/x".into(),
                status_code: "0404".into(),
                end,
                hops,
                last_url: "http://b.example/é".into(),
                why: "robots".into(),
            };
            assert_eq!(Fetched::parse(fetched.line().trim_end()), Some(fetched));
        }
        assert_eq!(Fetched::parse("http://a.example/\t3200\tanswer\tx\ty"), None);
        assert_eq!(Fetched::parse(""), None);
    }
}
