//! Pages that the other way into the collection has brought: a crawl does not fetch what `fetch` has, nor the other way round.
//!
//! Memory: some 40 bytes for each of them.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use tamis_archive::{Mode, Reader, RecordType};
use xxhash_rust::xxh3::xxh3_64;

use super::journal::{Done, Journal, Line};
use super::restart::{Http, read_http, unix_ms};
use super::{Folders, outcome};
use crate::sieve::{UrlId, UrlLogReader};
use crate::{Address, Result};

/// Where pages stand, by the hashes of their addresses.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    archives: Vec<PathBuf>,
    places: HashMap<u64, Place>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    file: u32,
    offset: u64,
}

/// A page as an archive has it.
#[derive(Debug)]
pub(super) struct Found {
    /// When it was fetched, in milliseconds since 1970.
    pub began_ms: u64,
    /// What came.
    pub http: Http,
}

impl Elsewhere {
    /// What has been brought to these folders. Revisits are left out: their payload is not with them.
    pub(super) fn read(folders: &Folders) -> Result<Self> {
        let (mut archives, mut places) = (Vec::new(), BTreeMap::new());
        Journal::read(&folders.journal(), |line| match line {
            Line::File { number, name } => {
                archives.resize(archives.len().max(number as usize), PathBuf::new());
                archives.push(folders.archive.join(name));
            }
            Line::Done(done) if is_stored(&done) => {
                places.insert(done.id, Place { file: done.file, offset: done.offset });
            }
            _ => {}
        })?;
        let mut elsewhere = Self { archives, places: HashMap::with_capacity(places.len()) };
        if places.is_empty() {
            return Ok(elsewhere);
        }
        let (log, mut room) = (UrlLogReader::open(&folders.sieve())?, Vec::new());
        for (id, place) in places {
            // What the log has lost is fetched.
            if let Ok(found) = log.read_at(UrlId(id), &mut room) {
                elsewhere.places.insert(xxh3_64(found.url.as_bytes()), place);
            }
        }
        Ok(elsewhere)
    }

    /// Whether there may be a page of this address.
    pub(super) fn has(&self, address: &Address) -> bool {
        self.places.contains_key(&xxh3_64(address.as_str().as_bytes()))
    }

    /// The page of an address; none if its archive has changed, so that it has to be fetched.
    pub(super) fn find(&self, address: &Address) -> Option<Found> {
        let place = self.places.get(&xxh3_64(address.as_str().as_bytes()))?;
        let path = self.archives.get(place.file as usize).filter(|path| path.is_file())?;
        let mut reader = Reader::open_at(path, place.offset, Mode::Lenient).ok()?;
        let record = reader.next().ok()??;
        let (head, block) = record.into_parts();
        if head.record_type() != RecordType::Response || head.target_uri()? != address.as_str() {
            return None;
        }
        Some(Found { began_ms: unix_ms(head.date()?), http: read_http(block, path).ok()?? })
    }
}

/// Whether its answer stands in an archive, and is one to keep.
fn is_stored(done: &Done) -> bool {
    done.offset != u64::MAX && done.began_ms > 0 && !outcome::is_failed(done.outcome)
}
