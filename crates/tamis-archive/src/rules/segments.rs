//! What the records of one file owe to each other: segments make up one record, and identifiers are unique.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{broken, syntax};
use crate::{FaultKind, Head, RecordType, Version};

/// Segmented records that are followed at once. Writers finish one before they begin the next.
const MAX_SERIES: usize = 16;
/// Identifiers kept to compare: a writer that repeats itself does so within a capture.
const MAX_IDS: usize = 64;

/// The rules that hold across the records of one file. Give it the facts of each head in the order of the file.
///
/// Memory is bounded: it follows 16 segmented records and 64 identifiers, by their hashes. A continuation whose
/// first segment is in another file is fine. Its codes are `segment-number`, `segment-target` and `segment-length`,
/// for segments that do not make up one record, and `advice-repeated-id`.
#[derive(Debug, Default)]
pub struct FileRules {
    series: VecDeque<Series>,
    ids: VecDeque<u64>,
}

/// What [`FileRules`] needs to know of a head: a few numbers, so that the heads themselves can be read elsewhere and
/// forgotten.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeadFacts {
    id: Option<u64>,
    segment: Option<Segment>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    is_continuation: bool,
    origin: u64,
    target: u64,
    number: u64,
    len: Option<u64>,
    total: Option<u64>,
}

/// A segmented record, as far as it has been seen.
#[derive(Debug)]
struct Series {
    origin: u64,
    target: u64,
    last_number: u64,
    /// The bytes of all blocks so far, if the first segment was seen.
    len: Option<u64>,
}

impl HeadFacts {
    /// The facts of a head.
    pub fn of(head: &Head) -> Self {
        if !matches!(head.version(), Version::Warc(1.., _) | Version::Warc(0, 10..)) {
            return Self::default();
        }
        let id = head.fields().get("WARC-Record-ID").filter(|id| !id.is_empty()).map(hash);
        Self { id, segment: Segment::of(head) }
    }
}

impl Segment {
    fn of(head: &Head) -> Option<Self> {
        let fields = head.fields();
        let number = fields.get("WARC-Segment-Number").and_then(syntax::number)?;
        let is_continuation = head.record_type() == RecordType::Continuation;
        let origin = fields.get(if is_continuation { "WARC-Segment-Origin-ID" } else { "WARC-Record-ID" });
        Some(Self {
            is_continuation,
            origin: origin.filter(|id| !id.is_empty()).map(hash)?,
            target: hash(fields.get("WARC-Target-URI").unwrap_or_default()),
            number,
            len: head.content_length(),
            total: fields.get("WARC-Segment-Total-Length").and_then(syntax::number),
        })
    }
}

impl FileRules {
    /// Checks a head against those before it.
    pub fn check(&mut self, facts: &HeadFacts, report: &mut impl FnMut(FaultKind)) {
        if let Some(id) = facts.id {
            self.check_id(id, report);
        }
        match facts.segment {
            Some(segment) if segment.is_continuation => self.continue_series(segment, report),
            Some(Segment { origin, target, number, len, .. }) => {
                self.begin(Series { origin, target, last_number: number, len });
            }
            None => {}
        }
    }

    fn check_id(&mut self, id: u64, report: &mut impl FnMut(FaultKind)) {
        if self.ids.contains(&id) {
            broken("advice-repeated-id", "WARC-Record-ID repeats that of an earlier record".into(), report);
            return;
        }
        if self.ids.len() == MAX_IDS {
            self.ids.pop_front();
        }
        self.ids.push_back(id);
    }

    fn begin(&mut self, series: Series) {
        self.series.retain(|other| other.origin != series.origin);
        if self.series.len() == MAX_SERIES {
            self.series.pop_front();
        }
        self.series.push_back(series);
    }

    fn continue_series(&mut self, segment: Segment, report: &mut impl FnMut(FaultKind)) {
        let Segment { origin, target, number, len: segment_len, total, .. } = segment;
        let Some(series) = self.series.iter_mut().find(|series| series.origin == origin) else {
            return self.begin(Series { origin, target, last_number: number, len: None });
        };
        if number != series.last_number.saturating_add(1) {
            let last = series.last_number;
            let detail = format!("WARC-Segment-Number {number} comes after {last}");
            broken("segment-number", detail, report);
            series.len = None;
        }
        if target != series.target {
            let detail = "WARC-Target-URI differs from that of earlier segments";
            broken("segment-target", detail.into(), report);
        }
        series.last_number = number;
        series.len = series.len.zip(segment_len).and_then(|(sum, more)| sum.checked_add(more));
        if let (Some(total), Some(len)) = (total, series.len)
            && total != len
        {
            let detail = format!("WARC-Segment-Total-Length says {total}, the segments have {len} bytes");
            broken("segment-length", detail, report);
        }
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
