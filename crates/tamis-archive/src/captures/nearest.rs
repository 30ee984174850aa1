//! The capture that is nearest to a moment, or the newest.

use super::gather::{Gather, Reach, takes_head};
use super::{Capture, Captures, Watch};
use crate::cdx::{CdxEntry, Query};
use crate::{Head, Result, Timestamp};

/// The capture that is asked for, and how many answer the query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Nearest {
    /// The nearest to [`Query::closest`], or the newest.
    pub capture: Option<Capture>,
    /// How many captures there are.
    pub count: u64,
}

impl Captures {
    /// The capture nearest to [`Query::closest`], or the newest. Of two that are as near or as new, a response goes before what
    /// crawlers note about it.
    pub fn nearest(&self, query: &Query, watch: &mut Watch<'_>) -> Result<Nearest> {
        let mut nearest = Nearest::default();
        self.each_indexed(query, watch, |capture| {
            nearest.offer(capture, query.closest);
            Ok(())
        })?;
        let (matcher, (start, end)) = (query.matcher(), query.key_range());
        let gather = Gather {
            reach: Reach::Keys(start, end),
            wants: |head: &Head| takes_head(&matcher, head),
            take: |found: &mut Nearest, capture: Capture, _: &Head| {
                found.offer(capture, query.closest);
                Ok(())
            },
        };
        gather.run(self, watch, |found: Nearest| nearest.join(found, query.closest))?;
        Ok(nearest)
    }
}

impl Nearest {
    /// Counts a capture, and keeps it if it is nearer, or newer. Otherwise the first of two that are as near, and the last of
    /// two that are as new.
    fn offer(&mut self, capture: Capture, closest: Option<Timestamp>) {
        self.join(Self { capture: Some(capture), count: 1 }, closest);
    }

    fn join(&mut self, other: Self, closest: Option<Timestamp>) {
        self.count += other.count;
        let is_better = match (&self.capture, &other.capture) {
            (Some(old), Some(new)) => is_better(&new.entry, &old.entry, closest),
            (None, _) => true,
            (_, None) => false,
        };
        if is_better {
            self.capture = other.capture;
        }
    }
}

fn is_better(new: &CdxEntry, old: &CdxEntry, closest: Option<Timestamp>) -> bool {
    if let Some(moment) = closest {
        let order = |entry: &CdxEntry| {
            let (key, time) = (entry.urlkey.clone(), entry.timestamp.clone());
            (distance(entry, moment), key, time, entry.status.is_none())
        };
        order(new) < order(old)
    } else {
        let order =
            |entry: &CdxEntry| (entry.timestamp.clone(), entry.urlkey.clone(), entry.status.is_some());
        order(new) >= order(old)
    }
}

/// Seconds between a capture and a moment. A capture whose moment cannot be read is the farthest.
pub(super) fn distance(entry: &CdxEntry, moment: Timestamp) -> u64 {
    let captured = Timestamp::parse(entry.timestamp.as_bytes());
    captured.map_or(u64::MAX, |captured| captured.unix_seconds().abs_diff(moment.unix_seconds()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captures::Origin;

    fn capture(urlkey: &str, timestamp: &str, offset: u64) -> Capture {
        let entry =
            CdxEntry { urlkey: urlkey.into(), timestamp: timestamp.into(), offset, ..CdxEntry::default() };
        Capture { entry, origin: Origin::Archive(0) }
    }

    #[test]
    fn a_response_goes_before_what_is_noted_about_it() {
        let note = capture("a)/", "20140101000000", 1);
        let mut response = capture("a)/", "20140101000000", 2);
        response.entry.status = Some(200);
        for closest in [None, Some("2014".parse().expect("a moment"))] {
            for both in [[&note, &response], [&response, &note]] {
                let mut nearest = Nearest::default();
                for capture in both {
                    nearest.offer(capture.clone(), closest);
                }
                let offset = nearest.capture.map(|capture| capture.entry.offset);
                assert_eq!(offset, Some(2), "{closest:?} {both:?}");
            }
        }
    }

    #[test]
    fn the_nearest_or_the_newest_capture_is_picked() {
        let captures = [
            capture("a)/", "20140101000000", 1),
            capture("a)/", "20140103000000", 2),
            capture("b)/", "20140103000000", 3),
            capture("b)/", "20140103000000", 4),
            capture("c)/", "2013", 5),
        ];
        for (closest, expected) in
            [(None, 4), (Some("20140101"), 1), (Some("20140102"), 1), (Some("2015"), 2), (Some("2013"), 5)]
        {
            let closest = closest.map(|moment: &str| moment.parse().expect("a moment"));
            let mut nearest = Nearest::default();
            for capture in &captures {
                nearest.offer(capture.clone(), closest);
            }
            let offset = nearest.capture.map(|capture| capture.entry.offset);
            assert_eq!((offset, nearest.count), (Some(expected), 5), "{closest:?}");
        }
    }
}
