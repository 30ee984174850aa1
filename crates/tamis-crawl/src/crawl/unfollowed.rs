//! Links that were found and not followed, read from the archived pages once more.
//!
//! They are not kept: most are outside for good, and there are more of them than of any others.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use tamis_archive::{Mode, Reader, RecordType};
use xxhash_rust::xxh3::xxh3_64;

use super::follow::Follow;
use super::journal::{Journal, Line};
use super::restart::{Http, read_http};
use super::work::Job;
use super::{CrawlOptions, Folders, follow, live};
use crate::page::{self, PageReader};
use crate::sieve::{UrlId, UrlLogReader};
use crate::{Address, Error, Result, sitemap};

/// A link that was not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfollowed {
    /// Where it leads.
    pub url: String,
    /// Why it was not followed, in a word.
    pub reason: &'static str,
    /// The first page that has it.
    pub page: String,
}

/// Gives each link of the archived pages that these options do not follow to `each`, once for a URL and a reason, unless its URL was found
/// in another way. Gives how many pages could not be read, because their archives are gone. Memory: some 20 bytes for each URL that
/// the crawl knows, and for each that is given.
pub fn unfollowed<E: From<Error>>(
    folders: &Folders,
    options: &CrawlOptions,
    mut each: impl FnMut(Unfollowed) -> Result<(), E>,
) -> Result<u64, E> {
    let follow = Follow { lists_refused: true, ..follow(options, live(options)?) };
    let log = UrlLogReader::open(&folders.sieve()).map_err(Error::from)?;
    let mut listing = Listing {
        pages: PageReader::new(follow.look_for()),
        follow,
        known: HashSet::new(),
        given: HashSet::new(),
    };
    let mut cursor = log.cursor(UrlId::FIRST);
    // A kill may leave half a record at the end.
    while let Ok(Some(found)) = cursor.next_url() {
        listing.known.insert(xxh3_64(found.url.as_bytes()));
    }
    let (archives, pages) = archived(folders)?;
    let (mut room, mut missing) = (Vec::new(), 0);
    for (file, pages) in pages {
        let path = archives.get(file as usize).filter(|path| path.is_file());
        let Some(path) = path else {
            missing += pages.len() as u64;
            continue;
        };
        read_archive(path, &pages, |id, http| {
            let found = log.read_at(UrlId(id), &mut room).map_err(Error::from)?;
            let Some(address) = Address::from_log(found.url) else { return Ok(()) };
            let job = Job { id: found.id, note: found.note, address, tries: 0 };
            listing.page(&job, http).into_iter().try_for_each(&mut each)
        })?;
    }
    Ok(missing)
}

/// The archives by their numbers, and for each the offsets of responses and their places in the url log.
type Archived = (Vec<PathBuf>, BTreeMap<u32, BTreeMap<u64, u64>>);

fn archived(folders: &Folders) -> Result<Archived> {
    let (mut archives, mut pages) = (Vec::new(), BTreeMap::<u32, BTreeMap<u64, u64>>::new());
    Journal::read(&folders.journal(), |line| match line {
        Line::File { number, name } => {
            archives.resize(archives.len().max(number as usize), PathBuf::new());
            archives.push(folders.archive.join(name));
        }
        Line::Done(done) if done.offset != u64::MAX && done.began_ms > 0 => {
            pages.entry(done.file).or_default().insert(done.offset, done.id);
        }
        _ => {}
    })?;
    Ok((archives, pages))
}

fn read_archive<E: From<Error>>(
    path: &Path,
    pages: &BTreeMap<u64, u64>,
    mut each: impl FnMut(u64, &Http) -> Result<(), E>,
) -> Result<(), E> {
    let (Some((first, _)), Some((last, _))) = (pages.first_key_value(), pages.last_key_value()) else {
        return Ok(());
    };
    let mut reader = Reader::open_at(path, *first, Mode::Lenient).map_err(Error::from)?;
    while let Some(record) = reader.next().map_err(Error::from)? {
        let offset = record.offset();
        if offset > *last {
            break;
        }
        let (head, block) = record.into_parts();
        if let (RecordType::Response, Some(id)) = (head.record_type(), pages.get(&offset))
            && let Some(http) = read_http(block, path)?
        {
            each(*id, &http)?;
        }
    }
    Ok(())
}

struct Listing {
    follow: Follow,
    pages: PageReader,
    /// Hashes of the URLs that the crawl knows.
    known: HashSet<u64>,
    /// Hashes of what was given.
    given: HashSet<u64>,
}

impl Listing {
    fn page(&mut self, job: &Job, http: &Http) -> Vec<Unfollowed> {
        let most_of_list = sitemap::Limits::default().max_bytes as usize;
        let mut body = self.pages.decode(&http.head, &http.raw_body, most_of_list);
        let exchange = page::Exchange { address: &job.address, head: &http.head, body: &body };
        let mut facts = self.pages.read(&exchange);
        let tags = http.head.fields().all("x-robots-tag").filter_map(|value| std::str::from_utf8(value).ok());
        let mut links = self.follow.links(job, &mut facts, tags, None);
        if self.follow.is_list(facts.sort, &job.address, body.bytes()) {
            body.extend_to(most_of_list);
            self.follow.list(job, body.bytes(), &mut links);
        }
        let left = links.left.unwrap_or_default().into_iter();
        let new = left.filter(|(reason, address)| {
            let hash = xxh3_64(address.as_str().as_bytes());
            !self.known.contains(&hash) && self.given.insert(hash ^ xxh3_64(reason.as_bytes()))
        });
        let page = job.address.as_str();
        new.map(|(reason, address)| Unfollowed { url: address.to_string(), reason, page: page.to_owned() })
            .collect()
    }
}
