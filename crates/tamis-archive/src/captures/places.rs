//! Where captures are, for those who read archives by themselves.

use super::gather::{Gather, Reach, takes_head};
use super::{Capture, Captures, Watch};
use crate::cdx::Query;
use crate::{Error, Head, Result};

impl Captures {
    /// What the archives are called, in the order in which they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.archives.iter().map(|archive| &*archive.name)
    }

    /// Where the captures that answer a query begin in each archive, in the order in which the archives were added, whatever
    /// the order and limit of the query. None for an archive that would have to be read from end to end, and for one in which
    /// records share an offset. Each record was opened: it is a capture, and the one that is asked for.
    pub fn places(&self, query: &Query, watch: &mut Watch<'_>) -> Result<Vec<Option<Vec<u64>>>> {
        let mut places: Vec<Option<Vec<u64>>> =
            self.archives.iter().map(|archive| archive.is_covered.then(Vec::new)).collect();
        self.each_indexed(query, watch, |capture| {
            let is_capture =
                |record: crate::Record<'_>| Ok::<_, Error>(record.head.record_type().is_capture());
            let taken = self.read(&capture, is_capture)?;
            let place = &mut places[taken.archive];
            match place {
                _ if capture.entry.length.is_none() => *place = None,
                Some(offsets) if taken.value => offsets.push(taken.offset),
                _ => {}
            }
            Ok(())
        })?;
        let (matcher, (start, end)) = (query.matcher(), query.key_range());
        let gather = Gather {
            reach: Reach::Stores,
            wants: |head: &Head| head.record_type().is_capture() && takes_head(&matcher, head),
            take: |found: &mut Vec<u64>, capture: Capture, _: &Head| {
                found.push(capture.entry.offset);
                Ok(())
            },
        };
        for (number, archive) in self.archives.iter().enumerate().filter(|(_, one)| !one.is_covered) {
            let mut offsets = Vec::new();
            let mut sink = |found: Vec<u64>| offsets.extend(found);
            if gather.ask(number, archive, (&start, &end), self, watch, &mut sink)? {
                places[number] = Some(offsets);
            }
        }
        Ok(places)
    }
}
