//! Where URLs lead, by what was captured.
//!
//! Memory: about 400 bytes and the lengths of its URLs for each capture and each URL that was not fetched.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use tamis_collection::{End, Fetched, Seeds};
use tamis_crawl::Address;
use tamis_crawl::crawl::{self, Folders, Left};

use crate::commands::ask::Asker;
use crate::commands::crawl::is_fetched;
use crate::commands::open_collection::explain;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::session::Session;

/// The code of a URL that could not be fetched.
const NOT_FETCHED: &str = "2001";
/// Why a URL is not asked for that may well be there: `robots.txt`, a limit, an address that is private, a port of another protocol.
const NOT_ASKED: [&str; 6] = ["robots", "limit", "address-refused", "port-refused", NO_ADDRESS, SETTINGS];
/// What is no address that can be crawled, or too long.
const NO_ADDRESS: &str = "no-address";
/// What was never queued: `--exclude` has it, or there were too many redirects before it.
const SETTINGS: &str = "settings";
/// No way is longer; one that is would be a loop of ever new addresses.
const MOST_HOPS: usize = 32;

/// What each URL answered last.
pub(super) struct Ways {
    answers: HashMap<String, Answer>,
    /// Why URLs were not fetched, in a word.
    left: HashMap<String, String>,
    /// Whether all had their turn.
    is_over: bool,
    /// Whether all archives could be read.
    read: Outcome,
}

struct Answer {
    status_code: String,
    /// Where it sends the reader.
    next: Option<String>,
}

impl Ways {
    /// Asks a collection for all answers. Of several to a URL the last counts.
    pub(super) fn of(collection: &Path, session: &Session) -> anyhow::Result<Self> {
        let jobs = std::thread::available_parallelism().unwrap_or(std::num::NonZero::<usize>::MIN);
        let asker = Asker::open(collection, jobs, Memory::Auto, session)?;
        let rows = asker.rows(
            "select url, status_code, case when status >= 300 and status < 400 then location end, \
             case when type = 'revisit' then digest end, digest from pages where url is not null order by time",
        )?;
        let codes: HashMap<String, String> =
            rows.iter().filter(|row| row[3].is_empty()).map(|row| (row[4].clone(), row[1].clone())).collect();
        let answer = |row: Vec<String>| {
            let [url, status_code, next, seen, _] = <[String; 5]>::try_from(row).ok()?;
            // A revisit is what its payload is.
            let status_code = codes.get(&seen).cloned().unwrap_or(status_code);
            Some((url, Answer { status_code, next: Some(next).filter(|next| !next.is_empty()) }))
        };
        let mut left = HashMap::new();
        let folders = Folders::of_fetch(collection);
        for which in [Left::Failed, Left::Refused].into_iter().filter(|_| folders.has_crawl()) {
            crawl::left(&folders, which, |url| -> anyhow::Result<()> {
                left.insert(url.url, url.kind);
                Ok(())
            })?;
        }
        let is_over = is_fetched(collection)?;
        let read = asker.outcome(session);
        Ok(Self { answers: rows.into_iter().filter_map(answer).collect(), left, is_over, read })
    }

    /// Whether all archives could be read.
    pub(super) fn read(&self) -> Outcome {
        self.read
    }

    /// What became of each seed.
    pub(super) fn of_seeds(&self, seeds: Seeds) -> anyhow::Result<Vec<Fetched>> {
        seeds.map(|row| row.map(|row| self.of_url(row.url)).map_err(explain)).collect()
    }

    fn of_url(&self, url: String) -> Fetched {
        let mut here = normal(&url);
        let mut seen = HashSet::from([here.clone()]);
        loop {
            let hops = seen.len() - 1;
            let answer = self.answers.get(&here);
            let status_code = answer.map_or(NOT_FETCHED, |answer| &answer.status_code).to_owned();
            let next = answer.and_then(|answer| answer.next.as_deref()).map(normal);
            let why = match self.left.get(&here).filter(|_| answer.is_none()) {
                Some(why) => why.clone(),
                None if answer.is_none() && Address::parse(&here).is_none() => NO_ADDRESS.to_owned(),
                None if answer.is_none() && self.is_over => SETTINGS.to_owned(),
                None => String::new(),
            };
            let end = match next {
                None if answer.is_none() && NOT_ASKED.contains(&why.as_str()) => End::Refused,
                None if answer.is_none() && why.is_empty() && !self.is_over => End::Waiting,
                None if answer.is_none() => End::Dead,
                None => End::Answer,
                Some(next) if hops < MOST_HOPS && seen.insert(next.clone()) => {
                    here = next;
                    continue;
                }
                Some(_) => End::Loop,
            };
            return Fetched { url, status_code, end, hops, last_url: here, why };
        }
    }
}

/// The spelling that the crawler fetches and archives have.
fn normal(url: &str) -> String {
    Address::parse(url).map_or_else(|| url.to_owned(), |address| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(answers: &[(&str, &str, Option<&str>)]) -> Ways {
        let answer = |&(url, code, next): &(&str, &str, Option<&str>)| {
            let answer = Answer { status_code: code.to_owned(), next: next.map(str::to_owned) };
            (format!("http://{url}/"), answer)
        };
        let left = [
            ("http://shut.example/", "robots"),
            ("http://never.example/", "no-such-host"),
            ("http://mail.example:25/", "port-refused"),
        ];
        let left = left.map(|(url, why)| (url.to_owned(), why.to_owned())).into();
        Ways { answers: answers.iter().map(answer).collect(), left, is_over: true, read: Outcome::Done }
    }

    #[test]
    fn ways_end_at_answers_dead_ends_and_loops() {
        let ways = ways(&[
            ("a.example", "0301", Some("http://B.example/#top")),
            ("b.example", "0302", Some("http://c.example")),
            ("c.example", "3200", None),
            ("d.example", "0301", Some("http://gone.example/")),
            ("e.example", "0301", Some("http://f.example/")),
            ("f.example", "0301", Some("http://e.example/")),
            ("g.example", "0301", Some("http://g.example/")),
        ]);
        for (url, code, end, hops, last, why) in [
            ("http://a.example/", "3200", End::Answer, 2, "http://c.example/", ""),
            ("http://c.example", "3200", End::Answer, 0, "http://c.example/", ""),
            ("http://d.example/", "2001", End::Refused, 1, "http://gone.example/", "settings"),
            ("http://e.example/", "0301", End::Loop, 1, "http://f.example/", ""),
            ("http://g.example/", "0301", End::Loop, 0, "http://g.example/", ""),
            ("http://never.example/", "2001", End::Dead, 0, "http://never.example/", "no-such-host"),
            ("http://shut.example/", "2001", End::Refused, 0, "http://shut.example/", "robots"),
            ("http://mail.example:25/", "2001", End::Refused, 0, "http://mail.example:25/", "port-refused"),
        ] {
            let expected = Fetched {
                url: url.to_owned(),
                status_code: code.to_owned(),
                end,
                hops,
                last_url: last.to_owned(),
                why: why.to_owned(),
            };
            assert_eq!(ways.of_url(url.to_owned()), expected);
        }
    }
}
