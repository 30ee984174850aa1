//! Captures that the collection has, with which a page that is fetched again is compared.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;

use http::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue};
use tamis_archive::captures::{CaptureOptions, Captures};
use tamis_archive::cdx::{Index, Query};
use tamis_archive::http::HttpHead;
use tamis_archive::write::RecordId;
use tamis_archive::{Algorithm, Digest, Mode, Reader, Record, RecordType, Reference, ScanOptions, Timestamp};
use tamis_collection::Collection;

use crate::{Address, Result};

/// A capture with its payload, to which a revisit record can refer.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// Its URL.
    pub url: String,
    /// When it was captured.
    pub date: Timestamp,
    /// The id of its record.
    pub id: RecordId,
    /// The digest of its payload.
    pub digest: Digest,
    /// The archive of this crawl that has it, and where; none if another brought it.
    pub place: Option<(u32, u64)>,
    conditions: HeaderMap,
}

impl Known {
    /// What an archive of this crawl has of an address. None if it is not there any more or of no use.
    pub(super) fn read(path: &Path, file: u32, offset: u64, address: &Address) -> Option<Self> {
        let mut reader = Reader::open_at(path, offset, Mode::Lenient).ok()?;
        let record = reader.next().ok()?.filter(|record| record.offset() == offset)?;
        Self::of(record, address, Some((file, offset)))
    }

    /// The fields of a request that is answered by 304 if nothing has changed since.
    pub(super) fn conditions(&self) -> &HeaderMap {
        &self.conditions
    }

    fn of(record: Record<'_>, address: &Address, place: Option<(u32, u64)>) -> Option<Self> {
        let (head, mut block) = record.into_parts();
        // What was cut off is to be fetched.
        if head.target_uri()? != address.as_str() || head.fields().get("WARC-Truncated").is_some() {
            return None;
        }
        let (url, date, id) = match head.record_type() {
            RecordType::Response => {
                (address.as_str().to_owned(), head.date()?, head.record_id()?.into_owned())
            }
            RecordType::Revisit => {
                let reference = Reference::of(head)?;
                (reference.url, reference.date?, reference.record_id?)
            }
            _ => return None,
        };
        let digest = Digest::parse(head.fields().get("WARC-Payload-Digest")?).ok()?;
        let mut http = HttpHead::default();
        let is_http = block.read_http(&mut http).ok()?;
        let is_fit = is_http && http.status() == Some(200) && digest.algorithm() == Algorithm::Sha1;
        let id = id.parse().ok()?;
        is_fit.then(|| Self { url, date, id, digest, place, conditions: conditions_of(&http) })
    }
}

/// RFC 9110, section 13.1: both validators are sent, and the entity tag goes before the date.
fn conditions_of(http: &HttpHead) -> HeaderMap {
    let mut conditions = HeaderMap::new();
    let mut take = |name: HeaderName, field: &str| {
        if let Some(value) = http.fields().get(field).and_then(|value| HeaderValue::from_bytes(value).ok()) {
            conditions.insert(name, value);
        }
    };
    take(IF_NONE_MATCH, "ETag");
    take(IF_MODIFIED_SINCE, "Last-Modified");
    conditions
}

/// The captures of a collection that have an index, imported ones among them.
pub(super) struct Imported {
    captures: Captures,
}

impl Imported {
    /// Those of the collection in a folder; none if it has none. Archives without a usable index are left out: what is in them is stored
    /// again.
    pub(super) fn open(root: &Path) -> Result<Option<Self>> {
        if !Collection::is_one(root) {
            return Ok(None);
        }
        let collection = Collection::open(root)?;
        let scan = ScanOptions { mode: Mode::Lenient, jobs: NonZero::<usize>::MIN, ..ScanOptions::default() };
        let mut captures = Captures::new(CaptureOptions { scan, sort_folder: root.to_owned() });
        let mut count = 0;
        for archive in collection.archives()?.into_values() {
            let Ok(index) = Index::open([archive.index_path(&collection)]) else { continue };
            let sources = archive.sources(&collection).into_iter().map(|named| (named.name, named.source));
            captures.add_indexed(index, sources);
            count += 1;
        }
        Ok((count > 0).then_some(Self { captures }))
    }

    /// The newest capture of an address.
    pub(super) fn newest(&self, address: &Address) -> Option<Known> {
        let watch = &mut |_: tamis_archive::captures::Event<'_>| ControlFlow::Continue(());
        let nearest = self.captures.nearest(&Query::exact(address.as_str()), watch).ok()?;
        let taken = self.captures.read(&nearest.capture?, |record| {
            Ok::<_, tamis_archive::Error>(Known::of(record, address, None))
        });
        taken.ok()?.value
    }
}
