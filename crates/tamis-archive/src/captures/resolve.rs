//! Where the payload of a capture is: in its own record, or in the one that a revisit refers to.

use super::gather::{Gather, Reach, takes_head};
use super::{Capture, Captures, Watch};
use crate::cdx::Query;
use crate::{Digest, Error, Head, Reference, Result};

/// How many entries of an index are opened to see whether they are the record that a revisit names.
const OPENED: usize = 16;

/// Where the payload of a capture is.
#[derive(Debug, Clone, PartialEq)]
pub enum Payload {
    /// In its own record.
    Own,
    /// In the record of another capture, which a revisit refers to.
    Of(Box<Capture>),
    /// In a record that was not found.
    Missing(Reference),
}

/// A capture that a revisit may refer to, with what it is ordered by.
struct Candidate {
    rank: Rank,
    capture: Capture,
}

/// Whether it is not the record of the stated ID, whether it is of another URL, whether it is younger than the revisit, and how
/// far it is from the stated moment.
type Rank = (bool, bool, bool, u64);

impl Captures {
    /// Finds the record that holds the payload of a capture: for a revisit the record with the ID that it states, else the
    /// capture of the stated URL and moment, else the nearest of those with its digest. A record with another digest is never
    /// taken.
    ///
    /// Archives that are read, and stores if nothing else helps, are also searched for the digest under other URLs; indexes
    /// are not, for they are sorted by URL.
    pub fn payload(&self, capture: &Capture, watch: &mut Watch<'_>) -> Result<Payload> {
        let taken = self.read(capture, |record| Ok::<_, Error>(Reference::of(record.head)))?;
        let Some(reference) = taken.value else { return Ok(Payload::Own) };
        let found = self.referred(&reference, watch)?;
        Ok(found.map_or(Payload::Missing(reference), |found| Payload::Of(Box::new(found))))
    }

    fn referred(&self, reference: &Reference, watch: &mut Watch<'_>) -> Result<Option<Capture>> {
        let indexed = self.referred_by_index(reference, watch);
        let (mut best, failure) = match indexed {
            Ok(best) => (best, None),
            // Another archive may have it.
            Err(error @ (Error::Stale { .. } | Error::NotGiven { .. } | Error::Lost { .. })) => {
                (None, Some(error))
            }
            Err(error) => return Err(error),
        };
        let is_sure = |best: &Option<Candidate>| best.as_ref().is_some_and(|best| !best.rank.0);
        if !is_sure(&best) {
            let (start, end) = Query::exact(&reference.url).key_range();
            self.referred_by_archives(reference, Reach::Keys(start, end), watch, &mut best)?;
        }
        if best.is_none() {
            self.referred_by_archives(reference, Reach::Stores, watch, &mut best)?;
        }
        match (best, failure) {
            (Some(best), _) => Ok(Some(best.capture)),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(None),
        }
    }

    /// The best of what indexes say about the URL. Only what can be opened and is no revisit itself counts.
    fn referred_by_index(&self, reference: &Reference, watch: &mut Watch<'_>) -> Result<Option<Candidate>> {
        let mut candidates: Vec<Candidate> = Vec::new();
        self.each_indexed(&Query::exact(&reference.url), watch, |capture| {
            if !reference.contradicts(&capture.entry) {
                let does_not_fit = !reference.fits(&capture.entry);
                let (is_younger, seconds) = reference.distance(&capture.entry);
                let rank = (does_not_fit, false, is_younger, seconds);
                let at = candidates.partition_point(|other| other.rank <= rank);
                candidates.insert(at, Candidate { rank, capture });
                candidates.truncate(OPENED);
            }
            Ok(())
        })?;
        let (mut best, mut failure) = (None, None);
        for Candidate { rank: (does_not_fit, _, is_younger, seconds), capture } in candidates {
            let opened = self.read(&capture, |record| {
                Ok::<_, Error>((is_named(reference, record.head), Reference::of(record.head).is_some()))
            });
            match opened {
                Ok(taken) => {
                    let (is_named, is_revisit) = taken.value;
                    let rank = (!is_named, false, is_younger, seconds);
                    if is_named && !is_revisit {
                        return Ok(Some(Candidate { rank, capture }));
                    }
                    if !is_revisit && !does_not_fit && best.is_none() {
                        best = Some(Candidate { rank, capture });
                    }
                }
                Err(error) => failure = failure.or(Some(error)),
            }
            if best.is_some() && reference.record_id.is_none() {
                break;
            }
        }
        match (best, failure) {
            (None, Some(error)) => Err(error),
            (best, _) => Ok(best),
        }
    }

    /// Looks for something better in archives that no index covers.
    fn referred_by_archives(
        &self,
        reference: &Reference,
        reach: Reach,
        watch: &mut Watch<'_>,
        best: &mut Option<Candidate>,
    ) -> Result<()> {
        let matcher = Query::exact(&reference.url).matcher();
        let gather = Gather {
            reach,
            wants: |head: &Head| {
                takes_head(&matcher, head) || is_named(reference, head) || may_have_digest(reference, head)
            },
            take: |best: &mut Option<Candidate>, capture: Capture, head: &Head| {
                let is_named = is_named(reference, head);
                let is_elsewhere = !matcher.takes(&capture.entry);
                let is_meant = !is_elsewhere || has_digest(&capture, reference.digest);
                let fits = reference.fits(&capture.entry) && is_meant;
                if fits || (is_named && !reference.contradicts(&capture.entry)) {
                    let (is_younger, seconds) = reference.distance(&capture.entry);
                    let rank = (!is_named, is_elsewhere, is_younger, seconds);
                    offer(best, Candidate { rank, capture });
                }
                Ok(())
            },
        };
        gather.run(self, watch, |found: Option<Candidate>| {
            if let Some(found) = found {
                offer(best, found);
            }
        })
    }
}

/// Keeps the better of two; the first of two that are as good.
fn offer(best: &mut Option<Candidate>, candidate: Candidate) {
    if best.as_ref().is_none_or(|best| candidate.rank < best.rank) {
        *best = Some(candidate);
    }
}

/// Whether a record has the ID that a revisit states.
fn is_named(reference: &Reference, head: &Head) -> bool {
    reference.record_id.is_some() && head.record_id().as_deref() == reference.record_id.as_deref()
}

/// Whether a record has the digest of a revisit, as far as its head states it.
fn may_have_digest(reference: &Reference, head: &Head) -> bool {
    let Some(digest) = reference.digest else { return false };
    let stated = head.fields().get("WARC-Payload-Digest").filter(|stated| !stated.is_empty());
    stated.is_none_or(|stated| Digest::parse(stated).is_ok_and(|stated| stated == digest))
}

fn has_digest(capture: &Capture, digest: Option<Digest>) -> bool {
    let own = Digest::parse(capture.entry.digest.as_bytes());
    digest.zip(own.ok()).is_some_and(|(ours, theirs)| ours == theirs)
}
