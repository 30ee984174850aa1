//! Links that were refused before: when the scope of a crawl is another than it was, they are looked for in the archives.
//!
//! Refused links are not kept: most are outside for good, and there are more of them than of any others. The pages that have them
//! are in the archives, so they are read again, once for each change. What is known already the sieve lets pass no second time.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use tamis_archive::{Mode, Reader, RecordType};

use super::frontier::Frontier;
use super::journal::{Done, Journal, Line};
use super::keeper::Keeper;
use super::parser::Parser;
use super::restart::{Http, read_http};
use super::{CrawlOptions, Folders, NEAR_BITS, NEAR_PAGES, NearPolicy};
use crate::page::{NearDuplicates, TextFacts, Verdict};
use crate::scope::Scope;
use crate::workbench::Entry;
use crate::{Error, Result};

/// What came of a look at the archives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reconsidered {
    /// Pages whose links were looked at again.
    pub pages: u64,
    /// Pages whose archives are not there any more.
    pub missing: u64,
    /// Addresses that are new.
    pub addresses: u64,
}

/// What decides which links are followed, as text. `included` stands for the rules of the settings per host; 0 if there are none.
pub(super) fn stated(options: &CrawlOptions, scope: &Scope, included: u64) -> String {
    let follows = options.near_duplicates == NearPolicy::Follow;
    let included = if included == 0 { String::new() } else { format!("host-settings {included:016x}\n") };
    format!(
        "{}seeds {:016x}\nmax-redirects {}\nrequisites {}\nsitemaps {}\nfollow-duplicates {follows}\n{included}",
        options.scope,
        scope.reached_hash(),
        options.max_redirects,
        options.requisites,
        options.sitemaps,
    )
}

/// Where that is kept.
pub(super) fn stated_path(folders: &Folders) -> PathBuf {
    folders.frontier.join("scope.txt")
}

/// Reads the archived pages of a crawl again. Memory: 16 bytes a page.
pub(super) struct Reconsider<'a> {
    pub(super) archives: &'a [PathBuf],
    pub(super) frontier: &'a mut Frontier,
    pub(super) parser: &'a mut Parser,
    pub(super) keeper: &'a mut Keeper,
    pub(super) policy: NearPolicy,
}

/// Pages by their archives: offsets and places in the url log.
type Pages = BTreeMap<u32, Vec<(u64, u64)>>;

/// Places in the url log, and halves of payloads' digests.
type Revisits = Vec<(u64, [u8; 16])>;

/// What is to be looked at again.
#[derive(Default)]
struct Followed {
    pages: Pages,
    revisits: Revisits,
    /// Places in the url log of pages that are in archives of the other way into the collection.
    elsewhere: Vec<u64>,
}

impl Reconsider<'_> {
    pub(super) fn run(mut self, journal: &Path) -> Result<Reconsidered> {
        let Followed { pages, revisits, elsewhere } = self.followed(journal)?;
        let mut told = Reconsidered::default();
        for (file, mut pages) in pages {
            pages.sort_unstable();
            self.archive(file, &pages, &mut told)?;
        }
        let all = revisits.len();
        let originals = originals(journal, revisits)?;
        told.missing += (all - originals.len()) as u64;
        for (id, file, offset) in originals {
            self.revisit(id, file, offset, &mut told)?;
        }
        for id in elsewhere {
            let Some(job) = self.frontier.job(&Entry { id, score: 0.0 })? else { continue };
            match self.frontier.find_elsewhere(&job.address) {
                Some(found) => self.offer(id, &found.http, &mut told)?,
                None => told.missing += 1,
            }
        }
        Ok(told)
    }

    /// The pages that were followed, and would be now; of revisits the payloads.
    fn followed(&self, journal: &Path) -> Result<Followed> {
        let mut followed = Followed::default();
        let mut near = NearDuplicates::new(NEAR_PAGES, NEAR_BITS);
        Journal::read(journal, |line| {
            let Line::Done(done) = line else { return };
            if done.began_ms == 0 && done.offset == u64::MAX || !self.is_followed(&done, &mut near) {
                return;
            }
            if done.offset == u64::MAX {
                followed.elsewhere.push(done.id);
            } else if done.began_ms == 0 {
                followed.revisits.push((done.id, done.payload));
            } else {
                followed.pages.entry(done.file).or_default().push((done.offset, done.id));
            }
        })?;
        Ok(followed)
    }

    fn is_followed(&self, done: &Done, near: &mut NearDuplicates) -> bool {
        let text = TextFacts { simhash: done.simhash, exact: done.exact, len_bytes: done.text_len as usize };
        let is_novel = done.text_len == 0 || near.check_and_add(&text) == Verdict::Novel;
        is_novel || self.policy == NearPolicy::Follow
    }

    /// Goes over one archive.
    fn archive(&mut self, file: u32, pages: &[(u64, u64)], told: &mut Reconsidered) -> Result<()> {
        let path = self.archives.get(file as usize).filter(|path| path.is_file());
        let Some(path) = path.cloned() else {
            told.missing += pages.len() as u64;
            return Ok(());
        };
        let mut reader = Reader::open_at(&path, pages.first().map_or(0, |page| page.0), Mode::Lenient)?;
        let last = pages.last().map_or(0, |page| page.0);
        while let Some(record) = reader.next()? {
            let offset = record.offset();
            if offset > last {
                break;
            }
            let (head, block) = record.into_parts();
            let at = pages.binary_search_by_key(&offset, |page| page.0);
            if let (RecordType::Response, Ok(at)) = (head.record_type(), at)
                && let Some(http) = read_http(block, &path)?
            {
                self.offer(pages[at].1, &http, told)?;
            }
        }
        Ok(())
    }

    /// A page whose payload is in the archive under another address.
    fn revisit(&mut self, id: u64, file: u32, offset: u64, told: &mut Reconsidered) -> Result<()> {
        let path = self.archives.get(file as usize).filter(|path| path.is_file());
        let Some(path) = path.cloned() else {
            told.missing += 1;
            return Ok(());
        };
        let mut reader = Reader::open_at(&path, offset, Mode::Lenient)?;
        let Some(record) = reader.next()? else { return Ok(()) };
        let (_, block) = record.into_parts();
        match read_http(block, &path)? {
            Some(http) => self.offer(id, &http, told),
            None => Ok(()),
        }
    }

    fn offer(&mut self, id: u64, http: &Http, told: &mut Reconsidered) -> Result<()> {
        let Some(job) = self.frontier.job(&Entry { id, score: 0.0 })? else { return Ok(()) };
        told.pages += 1;
        let page = self.parser.archived(job, 0, &http.head, &http.raw_body);
        for (address, note) in page.links.taken.iter() {
            self.keeper.sieve.offer(address, note)?;
        }
        Ok(())
    }
}

/// Where the payloads of revisits stand: id of the revisit, archive and offset of the payload.
fn originals(journal: &Path, revisits: Revisits) -> Result<Vec<(u64, u32, u64)>> {
    if revisits.is_empty() {
        return Ok(Vec::new());
    }
    let mut places: HashMap<[u8; 16], Option<(u32, u64)>> =
        revisits.iter().map(|(_, payload)| (*payload, None)).collect();
    Journal::read(journal, |line| {
        if let Line::Done(done) = line
            && done.began_ms > 0
            && done.offset != u64::MAX
            && let Some(place) = places.get_mut(&done.payload)
        {
            place.get_or_insert((done.file, done.offset));
        }
    })?;
    let place = |(id, payload)| places.get(&payload).copied().flatten().map(|(file, at)| (id, file, at));
    Ok(revisits.into_iter().filter_map(place).collect())
}

/// Whether the scope is another than the one that was remembered.
pub(super) fn is_changed(path: &Path, stated: &str) -> Result<bool> {
    match fs::read_to_string(path) {
        Ok(before) => Ok(before != stated),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(Error::io(path, error)),
    }
}
