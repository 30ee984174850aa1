//! All captures that answer a query, in the order of an index or the nearest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Mutex, PoisonError};

use super::gather::{Gather, Reach, takes_head};
use super::nearest::distance;
use super::{Capture, Captures, Origin, Watch, report_bad_lines, unordered};
use crate::cdx::{CdxEntry, Matches, Query, SortOptions, SortedLines, Sorter, parse_own_cdxj};
use crate::{Error, Head, Result, Timestamp};

/// Captures, one after another.
///
/// Indexes are read on the way; archives were read before.
pub struct Listing {
    streams: Vec<Stream>,
    /// The next capture of each stream, the first of all at the top.
    heads: BinaryHeap<Reverse<(Place, usize)>>,
    next: Vec<Option<Capture>>,
    left: usize,
}

/// What captures are ordered by: key and moment.
type Place = (String, String);

enum Stream {
    Index(Box<Matches>, usize),
    /// Lines after a prefix of this length in bytes, which ordered them.
    Sorted(SortedLines, usize),
}

/// The digits of a distance in seconds.
const DISTANCE_BYTES: usize = 20;

impl Captures {
    /// All captures that answer a query, at most [`Query::limit`].
    pub fn list(&self, query: &Query, watch: &mut Watch<'_>) -> Result<Listing> {
        let options = SortOptions { unique: false, ..SortOptions::new(&*self.options.sort_folder) };
        let sorter = Mutex::new(Sorter::new(options));
        let push = |capture: &Capture| {
            let line = line(capture, query.closest);
            Ok(sorter.lock().unwrap_or_else(PoisonError::into_inner).push(&line)?)
        };
        let mut streams = Vec::new();
        if query.closest.is_some() {
            self.each_indexed(query, watch, |capture| push(&capture))?;
        } else {
            for (number, covering) in self.indexes.iter().enumerate() {
                streams.push(Stream::Index(Box::new(covering.index.query(&unordered(query))?), number));
            }
        }
        let (matcher, (start, end)) = (query.matcher(), query.key_range());
        let gather = Gather {
            reach: Reach::Keys(start, end),
            wants: |head: &Head| takes_head(&matcher, head),
            take: |(): &mut (), capture: Capture, _: &Head| push(&capture),
        };
        gather.run(self, watch, |()| ())?;
        let sorter = sorter.into_inner().unwrap_or_else(PoisonError::into_inner);
        let prefix = if query.closest.is_some() { DISTANCE_BYTES } else { 0 };
        streams.push(Stream::Sorted(sorter.into_lines()?, prefix));
        Listing::of(streams, query.limit.unwrap_or(usize::MAX))
    }
}

impl Listing {
    fn of(streams: Vec<Stream>, left: usize) -> Result<Self> {
        let count = streams.len();
        let next = std::iter::repeat_with(|| None).take(count).collect();
        let mut listing = Self { streams, heads: BinaryHeap::new(), next, left };
        (0..count).try_for_each(|stream| listing.advance(stream))?;
        Ok(listing)
    }

    /// The next capture.
    pub fn next_capture(&mut self) -> Result<Option<Capture>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        let Some(Reverse((_, stream))) = self.heads.pop() else { return Ok(None) };
        self.left = left;
        let capture = self.next[stream].take();
        self.advance(stream)?;
        Ok(capture)
    }

    /// Reports what is wrong with the indexes, as far as they were read.
    pub fn report(&self, watch: &mut Watch<'_>) -> Result<()> {
        self.streams.iter().try_for_each(|stream| match stream {
            Stream::Index(matches, _) => report_bad_lines(matches, watch),
            Stream::Sorted(..) => Ok(()),
        })
    }

    fn advance(&mut self, stream: usize) -> Result<()> {
        let capture = self.streams[stream].next()?;
        if let Some(Capture { entry, .. }) = &capture {
            // A stream of captures by their distance is the only one.
            self.heads.push(Reverse(((entry.urlkey.clone(), entry.timestamp.clone()), stream)));
        }
        self.next[stream] = capture;
        Ok(())
    }
}

impl Stream {
    fn next(&mut self) -> Result<Option<Capture>> {
        match self {
            Self::Index(matches, number) => {
                let entry = matches.next().transpose()?;
                Ok(entry.map(|entry| Capture { entry, origin: Origin::Index(*number) }))
            }
            Self::Sorted(lines, prefix) => lines.next_line()?.map(|line| parse(&line[*prefix..])).transpose(),
        }
    }
}

/// The line of a capture for sorting: its CDXJ, after its distance where that comes first, and who says so.
fn line(capture: &Capture, closest: Option<Timestamp>) -> Vec<u8> {
    let Capture { entry, origin } = capture;
    let distance = closest.map(|moment| format!("{:0DISTANCE_BYTES$}", distance(entry, moment)));
    let origin = match origin {
        Origin::Archive(number) => format!(" a{number}"),
        Origin::Index(number) => format!(" i{number}"),
    };
    (distance.unwrap_or_default() + &entry.to_cdxj() + &origin).into_bytes()
}

fn parse(line: &[u8]) -> Result<Capture> {
    let parsed = || -> Option<(CdxEntry, Origin)> {
        let at = memchr::memrchr(b' ', line)?;
        let (kind, digits) = line[at + 1..].split_first()?;
        let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
        let origin = if *kind == b'a' { Origin::Archive(number) } else { Origin::Index(number) };
        Some((parse_own_cdxj(&line[..at])?, origin))
    };
    let (entry, origin) = parsed().ok_or_else(|| Error::Value {
        what: "sorted line",
        value: String::from_utf8_lossy(line).into_owned(),
        why: "it was changed on disk".to_owned(),
    })?;
    Ok(Capture { entry, origin })
}
