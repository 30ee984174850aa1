//! Where each part of an archive's content goes in its pack.

use std::ops::Range;

use super::records::Kind;
use super::{Error, Result, Survey};

/// The order of a pack.
pub(super) struct Plan {
    /// The units in the order of the pack.
    pub(super) sequence: Vec<u32>,
    /// Where each unit, by its number, begins in the packed content.
    pub(super) places: Vec<u64>,
    pub(super) content_len: u64,
}

impl Plan {
    /// Records in the order that their numbers are given, then all else.
    pub(super) fn new(survey: &Survey, order: &[u32]) -> Result<Self> {
        check_order(survey, order)?;
        let records = order.iter().map(|&number| survey.record_units[number as usize]);
        let others =
            survey.units.iter().zip(0..).filter(|(unit, _)| !unit.kind.is_record()).map(|(_, at)| at);
        let sequence: Vec<u32> = records.chain(others).collect();
        let mut places = vec![0; survey.units.len()];
        let mut end = 0;
        for &unit in &sequence {
            places[unit as usize] = end;
            end += survey.units[unit as usize].len;
        }
        Ok(Self { sequence, places, content_len: end })
    }

    /// Where parts of about equal size end, each no larger than an eighth above `most`: between units, if that is near.
    pub(super) fn segment_ends(&self, most: u64) -> Vec<u64> {
        // More parts than this are more open files than a process may have.
        let most = most.max(self.content_len / 512 + 1);
        let count = self.content_len.div_ceil(most);
        let mut ends: Vec<u64> = (1..=count)
            .map(|part| {
                let even = (u128::from(self.content_len) * u128::from(part) / u128::from(count)) as u64;
                let next = self.sequence.partition_point(|&unit| self.places[unit as usize] < even);
                let next =
                    self.sequence.get(next).map_or(self.content_len, |&unit| self.places[unit as usize]);
                if next - even <= most / 8 { next } else { even }
            })
            .collect();
        ends.dedup();
        ends
    }

    /// Where the units that begin in a part of the packed content begin, counted from its start.
    pub(super) fn starts_in(&self, start: u64, end: u64) -> Vec<usize> {
        let first = self.sequence.partition_point(|&unit| self.places[unit as usize] < start);
        let inside = self.sequence[first..].iter().map(|&unit| self.places[unit as usize]);
        inside.take_while(|&place| place < end).map(|place| (place - start) as usize).collect()
    }
}

/// Where blocks end: before the record that would make one too large, and inside records that are larger than a block, but not inside the ranges in
/// `held` that fit into one. With `is_alone` each record is a block.
pub(super) fn block_ends(
    starts: &[usize],
    len: usize,
    block_bytes: usize,
    is_alone: bool,
    held: &[Range<usize>],
) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut block_start = 0;
    let unit_ends = starts.iter().copied().skip_while(|&start| start == 0).chain([len]);
    let mut last_end = 0;
    for end in unit_ends {
        if last_end > block_start && (is_alone || end - block_start > block_bytes) {
            ends.push(last_end);
            block_start = last_end;
        }
        while end - block_start > block_bytes {
            block_start = cut_near(block_start, block_bytes, held).min(end);
            ends.push(block_start);
        }
        last_end = end;
    }
    if len > block_start {
        ends.push(len);
    }
    ends
}

/// A place to cut, a block behind a start, or before or behind the range that lies there.
fn cut_near(start: usize, block_bytes: usize, held: &[Range<usize>]) -> usize {
    let cut = start + block_bytes;
    let found = held[..held.partition_point(|range| range.start < cut)].last();
    match found.filter(|range| cut < range.end && range.len() <= block_bytes) {
        Some(range) if range.start > start + block_bytes / 4 => range.start,
        Some(range) => range.end,
        None => cut,
    }
}

fn check_order(survey: &Survey, order: &[u32]) -> Result<()> {
    let records = survey.record_count();
    let refused = |why| Err(Error::Order { given: order.len(), records, why });
    if order.len() != records {
        return refused("not as many");
    }
    let mut is_seen = vec![false; records];
    for &number in order {
        match is_seen.get_mut(number as usize) {
            None => return refused("a number is too large"),
            Some(true) => return refused("a number comes twice"),
            Some(seen) => *seen = true,
        }
    }
    Ok(())
}

/// The order of a plain permuted archive: what describes the file stays in front.
pub(super) fn with_descriptions_first(survey: &Survey, order: &[u32]) -> Vec<u32> {
    let is_first = |number: &u32| {
        let unit = survey.record_units.get(*number as usize).map(|&unit| survey.units[unit as usize].kind);
        unit == Some(Kind::Record(tamis_archive::RecordType::Warcinfo))
    };
    let (mut first, rest): (Vec<u32>, Vec<u32>) = order.iter().partition(|number| is_first(number));
    first.sort_unstable();
    first.extend(rest);
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_between_records_or_inside_large_ones() {
        for (starts, len, is_alone, expected) in [
            (&[0, 40, 80, 120][..], 150, false, &[80, 150][..]),
            (&[0, 40, 80, 120], 150, true, &[40, 80, 120, 150]),
            (&[0, 10, 250], 260, false, &[10, 110, 210, 260]),
            (&[0], 100, false, &[100]),
            (&[0], 101, false, &[100, 101]),
            (&[30], 50, true, &[30, 50]),
            (&[], 250, false, &[100, 200, 250]),
            (&[], 0, false, &[]),
        ] {
            assert_eq!(block_ends(starts, len, 100, is_alone, &[]), expected, "{starts:?} {len}");
        }
        for (held, expected) in [
            (&[10..40, 90..120, 150..195][..], &[90, 150, 250, 260][..]),
            (&[0..101, 300..400], &[100, 200, 260]),
            (&[10..110, 110..150, 205..260], &[110, 205, 260]),
        ] {
            assert_eq!(block_ends(&[0], 260, 100, false, held), expected, "{held:?}");
        }
    }
}
