//! A capture read from its archive, once it is sure that it is there.

use std::path::PathBuf;

use super::archive::Archive;
use super::{Capture, Captures, Origin};
use crate::cdx::CdxEntry;
use crate::head::without_brackets;
use crate::{
    Digest, Error, Fault, FaultKind, Faults, Head, Reader, Record, Severity, Source, Timestamp, surt,
};

/// What was made of a record.
#[derive(Debug)]
pub struct Taken<'c, T> {
    /// What the caller made of it.
    pub value: T,
    /// The archive that it is in.
    pub source: &'c Source,
    /// The archive's place in the order in which archives were added.
    pub archive: usize,
    /// Where it begins in the archive, as readers see it.
    pub offset: u64,
    /// What was wrong with it.
    pub faults: Faults,
}

/// A place where a capture may be.
struct Candidate<'c> {
    number: usize,
    archive: &'c Archive,
    offset: u64,
}

impl Captures {
    /// Opens the record of a capture and hands it to `take`.
    ///
    /// Where an index says where the capture is, the record must have the URL, the moment and the digest that the index
    /// states; otherwise the error is [`Error::Stale`], or [`Error::Lost`] if the
    /// archive is damaged there. An index that names none of the archives gives [`Error::NotGiven`].
    pub fn read<T, E: From<Error>>(
        &self,
        capture: &Capture,
        take: impl FnOnce(Record<'_>) -> Result<T, E>,
    ) -> Result<Taken<'_, T>, E> {
        let entry = &capture.entry;
        let mut take = Some(take);
        let mut failure = None;
        for Candidate { number, archive, offset } in self.candidates(capture)? {
            let mut reader = archive.source.open(self.options.scan.mode)?;
            reader.seek(offset)?;
            while let Some(record) = reader.next()?.filter(|record| record.offset() == offset) {
                if !is_described(record.head, entry) {
                    // Records that share a compressed member share an offset.
                    continue;
                }
                let Some(take) = take.take() else { break };
                let value = take(record)?;
                let faults = reader.take_faults();
                return Ok(Taken { value, source: &archive.source, archive: number, offset, faults });
            }
            failure = failure.or_else(|| Some(absent(&archive.source, &reader, entry)));
        }
        Err(failure.unwrap_or_else(|| stale(entry.filename.clone().into(), entry)).into())
    }

    /// The places where a capture may be, the likeliest first.
    fn candidates(&self, capture: &Capture) -> Result<Vec<Candidate<'_>>, Error> {
        let entry = &capture.entry;
        let index = match capture.origin {
            Origin::Archive(number) => {
                return Ok(vec![Candidate { number, archive: &self.archives[number], offset: entry.offset }]);
            }
            Origin::Index(index) => &self.indexes[index],
        };
        let meant = index.names.meant(&entry.filename);
        if meant.is_empty() {
            return Err(Error::NotGiven { name: entry.filename.clone() });
        }
        let mut candidates = Vec::new();
        for one in meant {
            let (number, archive) = (one.number, &self.archives[one.number]);
            if !one.is_original {
                candidates.push(Candidate { number, archive, offset: entry.offset });
                continue;
            }
            let offsets = archive.store().and_then(|store| store.records_at_original(entry.offset));
            let offsets = offsets.unwrap_or_else(|| Ok(Vec::new()));
            let offsets = offsets.map_err(Error::io(archive.source.name()))?;
            candidates.extend(offsets.into_iter().map(|offset| Candidate { number, archive, offset }));
        }
        Ok(candidates)
    }
}

/// Whether a record is the capture that an entry describes, as far as both state it.
fn is_described(head: &Head, entry: &CdxEntry) -> bool {
    let Some(url) = head.fields().get("WARC-Target-URI").map(without_brackets) else { return false };
    let key = surt(url);
    // The body of a request may be part of the entry's key, but not of its URL.
    let is_url = key == entry.urlkey || (!entry.url.is_empty() && key == surt(&entry.url));
    is_url && is_moment(head, entry) && !is_other_digest(head, entry)
}

/// Whether the moments agree, as far as both are exact. What is not a date, every indexer reads in its own way.
fn is_moment(head: &Head, entry: &CdxEntry) -> bool {
    let Some(date) = head.fields().get("WARC-Date").and_then(Timestamp::parse) else { return true };
    let (ours, theirs) = (date.digits(), &entry.timestamp);
    let len = ours.len().min(theirs.len());
    !theirs.bytes().all(|byte| byte.is_ascii_digit()) || ours.as_bytes()[..len] == theirs.as_bytes()[..len]
}

/// Whether both state a digest by the same algorithm, and not the same one.
fn is_other_digest(head: &Head, entry: &CdxEntry) -> bool {
    let stated = head.fields().get("WARC-Payload-Digest").and_then(|digest| Digest::parse(digest).ok());
    let described = Digest::parse(entry.digest.as_bytes()).ok();
    stated.zip(described).is_some_and(|(a, b)| a.algorithm() == b.algorithm() && a != b)
}

/// Why a capture was not found where it should be: damage if the reader met some, otherwise what says so is wrong.
fn absent(source: &Source, reader: &Reader, entry: &CdxEntry) -> Error {
    let is_damage =
        |fault: &&Fault| fault.kind.severity() == Severity::Damage && fault.kind != FaultKind::NoRecords;
    match reader.faults().iter().find(is_damage) {
        Some(fault) => Error::Lost { path: source.name(), url: url_of(entry), fault: fault.clone() },
        None => stale(source.name(), entry),
    }
}

fn stale(path: PathBuf, entry: &CdxEntry) -> Error {
    let CdxEntry { timestamp, offset, .. } = entry;
    Error::Stale { path, url: url_of(entry), timestamp: timestamp.clone(), offset: *offset }
}

fn url_of(entry: &CdxEntry) -> String {
    if entry.url.is_empty() { entry.urlkey.clone() } else { entry.url.clone() }
}
