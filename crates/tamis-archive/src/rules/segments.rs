//! What the records of one file owe to each other: segments make up one record, and identifiers are unique.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{broken, syntax};
use crate::{FaultKind, Head, RecordType, Version};

/// Segmented records that are followed at once. Writers finish one before they begin the next.
const MAX_SERIES: usize = 16;
/// Identifiers kept to compare: a writer that repeats itself does so within a capture.
const MAX_IDS: usize = 64;

/// The rules that hold across the records of one file. Give it each head in the order of the file.
///
/// Memory is bounded: it follows 16 segmented records and 64 identifiers, by their hashes. A continuation whose
/// first segment is in another file is fine. Its codes are `segment-number`, `segment-target` and `segment-length`,
/// for segments that do not make up one record, and `advice-repeated-id`.
#[derive(Debug, Default)]
pub struct FileRules {
    series: VecDeque<Series>,
    ids: VecDeque<u64>,
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

impl FileRules {
    /// Checks a head against those before it.
    pub fn check(&mut self, head: &Head, report: &mut impl FnMut(FaultKind)) {
        if !matches!(head.version(), Version::Warc(1.., _) | Version::Warc(0, 10..)) {
            return;
        }
        self.check_id(head, report);
        let fields = head.fields();
        let Some(number) = fields.get("WARC-Segment-Number").and_then(syntax::number) else { return };
        let is_continuation = head.record_type() == RecordType::Continuation;
        let origin = fields.get(if is_continuation { "WARC-Segment-Origin-ID" } else { "WARC-Record-ID" });
        let Some(origin) = origin.filter(|id| !id.is_empty()).map(hash) else { return };
        let target = hash(fields.get("WARC-Target-URI").unwrap_or_default());
        if is_continuation {
            self.continue_series(head, (origin, target, number), report);
        } else {
            self.begin(Series { origin, target, last_number: number, len: head.content_length() });
        }
    }

    fn check_id(&mut self, head: &Head, report: &mut impl FnMut(FaultKind)) {
        let Some(id) = head.fields().get("WARC-Record-ID").filter(|id| !id.is_empty()) else { return };
        let hash = hash(id);
        if self.ids.contains(&hash) {
            let id = super::shortened(id);
            broken("advice-repeated-id", format!("WARC-Record-ID {id:?} is that of a record before"), report);
            return;
        }
        if self.ids.len() == MAX_IDS {
            self.ids.pop_front();
        }
        self.ids.push_back(hash);
    }

    fn begin(&mut self, series: Series) {
        self.series.retain(|other| other.origin != series.origin);
        if self.series.len() == MAX_SERIES {
            self.series.pop_front();
        }
        self.series.push_back(series);
    }

    fn continue_series(
        &mut self,
        head: &Head,
        (origin, target, number): (u64, u64, u64),
        report: &mut impl FnMut(FaultKind),
    ) {
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
            let detail = "WARC-Target-URI is not that of the segments before";
            broken("segment-target", detail.into(), report);
        }
        series.last_number = number;
        series.len = series.len.zip(head.content_length()).and_then(|(sum, more)| sum.checked_add(more));
        let total = head.fields().get("WARC-Segment-Total-Length").and_then(syntax::number);
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
