//! Many files, or one large one, read by several threads; the results come in the order of the bytes.
//!
//! A file is cut into ranges of equal size. A range's reader starts at the first place that looks like a member holding a
//! record and reads every record that begins in the range. What looks like one may be none: a page may be a `.warc.gz`
//! stored as it is. But the reader of the range before, which did start rightly, knows where its last record ends. If that is
//! not where the range's reader started, the range is read again from the right place. So the result is that of one
//! thread, always, and only files made to deceive cost more.
//!
//! The results of a range come in batches, which are bounded by what was decoded for them. A range whose turn has not come
//! is read until too many batches wait, and no further.

use std::num::NonZero;
use std::ops::{ControlFlow, Range};

use crate::reader::Standing;
use crate::{Error, Mode, Reader, Result, Source};
use tamis_files::Turns;

/// The size of a range: large enough that starting costs nothing, small enough that two threads end together.
const RANGE: NonZero<u64> = NonZero::new(16 << 20).expect("not zero");

/// The size of a batch: what is made of the bytes of 4,000 tiny records, or of 16 MiB, takes a few MB at most.
const BATCH: NonZero<u64> = NonZero::new(16 << 20).expect("not zero");

/// So many batches of each thread may wait for their turn. A range of pages, compressed as usual, makes about five.
const WAITING: usize = 8;

/// How to scan.
#[derive(Debug, Clone, Copy)]
pub struct ScanOptions {
    /// What to do about faults.
    pub mode: Mode,
    /// How many threads read.
    pub jobs: NonZero<usize>,
    /// How many stored bytes a piece of work has.
    pub range_bytes: NonZero<u64>,
    /// How many decoded bytes a result is made of, up to the end of the record that reaches it. Each record counts as
    /// 4 KiB more than it has, since something is made of the smallest, too.
    pub batch_bytes: NonZero<u64>,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self { mode: Mode::Lenient, jobs: NonZero::<usize>::MIN, range_bytes: RANGE, batch_bytes: BATCH }
    }
}

/// A stretch of a source whose records are one piece of work.
#[derive(Debug, Clone)]
struct Piece {
    source: usize,
    range: Range<u64>,
    is_last: bool,
    /// Whether it can be read on any thread at any time.
    can_run_apart: bool,
}

/// What some records of a piece gave.
struct Batch<T> {
    result: T,
    /// Why the piece could not be read on.
    failure: Option<Error>,
    /// Where the record behind the last begins, if these are the last of the piece.
    end: Option<Standing>,
}

/// What a thread hands over.
struct Message<T> {
    /// Where the first record of the piece was found, unless it could not be looked for.
    start: Option<Standing>,
    batch: Batch<T>,
}

/// Some records of a source, for `work` to read.
pub struct Part<'a> {
    /// The source's place in the list.
    pub index: usize,
    /// The source.
    pub source: &'a Source,
    /// A reader that gives these records.
    pub reader: &'a mut Reader,
}

/// What `sink` is given, in order.
pub struct Piecewise<'a, T> {
    /// The source's place in the list.
    pub index: usize,
    /// The source.
    pub source: &'a Source,
    /// What `work` made of some records, or why the source could not be read on.
    pub result: Result<T>,
    /// Whether the source ends with it.
    pub is_last: bool,
}

/// Reads all sources with several threads: `work` adds to a result what it makes of the records that its reader gives, on
/// some thread, until there are no more; `sink` sees the results on this one, in the order of the sources and their bytes.
/// `sink` may break off.
///
/// What `work` made of the records before an error is handed over before the error. How records are spread over results
/// depends on the number of threads, but all results in their order do not.
///
/// At most eight results for each thread wait for their turn. One is made of [`ScanOptions::batch_bytes`] and the record
/// that reaches them, so memory is bounded by what `work` makes of that.
pub fn scan<T: Default + Send>(
    sources: &[Source],
    options: ScanOptions,
    work: impl Fn(Part<'_>, &mut T) -> Result<()> + Sync,
    mut sink: impl FnMut(Piecewise<'_, T>) -> ControlFlow<()>,
) {
    let pieces = cut(sources, options);
    let jobs = options.jobs.get().min(pieces.iter().filter(|piece| piece.can_run_apart).count());
    let scan = Scan { sources, options, pieces: &pieces, work: &work };
    if jobs <= 1 {
        // Whether it breaks off or not, this is the end.
        let _ = pieces.iter().try_for_each(|piece| scan.read_here(piece, None, &mut sink).map_continue(drop));
        return;
    }
    let turns = Turns::new(WAITING * jobs);
    std::thread::scope(|threads| {
        for _ in 0..jobs {
            let worker = turns.worker();
            let scan = &scan;
            threads.spawn(move || scan.work_off(&worker));
        }
        let turns = turns.stopped_when_dropped();
        let _ = scan.deliver(&turns, &mut sink);
    });
}

/// What all pieces share.
struct Scan<'a, W> {
    sources: &'a [Source],
    options: ScanOptions,
    pieces: &'a [Piece],
    work: &'a W,
}

impl<W> Scan<'_, W> {
    /// Reads one piece after another on a thread, and hands over what it gives.
    fn work_off<T: Default>(&self, turns: &Turns<Message<T>>)
    where
        W: Fn(Part<'_>, &mut T) -> Result<()>,
    {
        while let Some((index, piece)) = turns.take().and_then(|index| Some((index, self.pieces.get(index)?)))
        {
            if !piece.can_run_apart {
                continue;
            }
            // It breaks off where the piece is not wanted any more.
            let _ = if let Ok((mut reader, start)) = self.open(piece, None) {
                self.read_batches(piece, &mut reader, |batch| {
                    turns.hand_over(index, Message { start: Some(start), batch })
                })
            } else {
                let batch = Batch { result: T::default(), failure: None, end: None };
                turns.hand_over(index, Message { start: None, batch })
            };
        }
    }

    /// Hands results on in order, after checking that each piece begins where the one before ends.
    fn deliver<T: Default>(
        &self,
        turns: &Turns<Message<T>>,
        sink: &mut impl FnMut(Piecewise<'_, T>) -> ControlFlow<()>,
    ) -> ControlFlow<()>
    where
        W: Fn(Part<'_>, &mut T) -> Result<()>,
    {
        let (mut index, mut due) = (0, Standing::default());
        while let Some(piece) = self.pieces.get(index) {
            match self.deliver_piece(index, piece, due, turns, sink)? {
                Some(end) => (index, due) = (index + 1, end),
                // The other pieces of a source that could not be read on are worth nothing.
                None => index += self.pieces[index..].partition_point(|other| other.source == piece.source),
            }
            turns.go_on_to(index);
        }
        ControlFlow::Continue(())
    }

    /// Hands a piece on, after reading it again if it began at a deceiving place or a record reaches into it from before.
    /// Gives where the next one is to begin, if the piece could be read.
    fn deliver_piece<T: Default>(
        &self,
        index: usize,
        piece: &Piece,
        due: Standing,
        turns: &Turns<Message<T>>,
        sink: &mut impl FnMut(Piecewise<'_, T>) -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Standing>>
    where
        W: Fn(Part<'_>, &mut T) -> Result<()>,
    {
        if !piece.can_run_apart {
            return self.read_here(piece, None, sink);
        }
        let is_first = piece.range.start == 0;
        loop {
            let Some(Message { start, batch }) = turns.receive(index) else { return ControlFlow::Break(()) };
            if !start.is_some_and(|start| is_first || due.is_met_by(start)) {
                turns.go_on_to(index + 1);
                let exact = due.not_before(piece.range.start);
                return self.read_here(piece, (!is_first).then_some(exact), sink);
            }
            let (is_over, end) = (batch.failure.is_some() || batch.end.is_some(), batch.end);
            self.hand_on(piece, batch, sink)?;
            if is_over {
                return ControlFlow::Continue(end);
            }
        }
    }

    /// Reads a piece on this thread and hands it on. Gives where the next one is to begin, if it could be read.
    fn read_here<T: Default>(
        &self,
        piece: &Piece,
        exact: Option<Standing>,
        sink: &mut impl FnMut(Piecewise<'_, T>) -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Standing>>
    where
        W: Fn(Part<'_>, &mut T) -> Result<()>,
    {
        let mut reader = match self.open(piece, exact) {
            Ok((reader, _)) => reader,
            Err(error) => return self.fail(piece, error, sink).map_continue(|()| None),
        };
        let mut end = None;
        self.read_batches(piece, &mut reader, |batch| {
            end = batch.end;
            self.hand_on(piece, batch, sink)
        })?;
        ControlFlow::Continue(end)
    }

    /// A reader at the first record of a piece, and where that is.
    fn open(&self, piece: &Piece, exact: Option<Standing>) -> Result<(Reader, Standing)> {
        let mut reader = self.sources[piece.source].open(self.options.mode)?;
        let start = match exact {
            Some(start) => reader.enter_range_at(start, piece.range.end)?,
            None => reader.enter_range(piece.range.clone())?,
        };
        Ok((reader, start))
    }

    /// Reads a piece to its end or to the first error, in batches that do not grow without end.
    fn read_batches<T: Default>(
        &self,
        piece: &Piece,
        reader: &mut Reader,
        mut give: impl FnMut(Batch<T>) -> ControlFlow<()>,
    ) -> ControlFlow<()>
    where
        W: Fn(Part<'_>, &mut T) -> Result<()>,
    {
        let (index, source) = (piece.source, &self.sources[piece.source]);
        loop {
            reader.read_on(self.options.batch_bytes.get());
            let mut result = T::default();
            let read = (self.work)(Part { index, source, reader: &mut *reader }, &mut result);
            let is_over = read.is_err() || reader.is_at_end();
            let end = (read.is_ok() && is_over).then(|| reader.standing());
            give(Batch { result, failure: read.err(), end })?;
            if is_over {
                return ControlFlow::Continue(());
            }
        }
    }

    fn hand_on<T>(
        &self,
        piece: &Piece,
        batch: Batch<T>,
        sink: &mut impl FnMut(Piecewise<'_, T>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Batch { result, failure, end } = batch;
        let (index, source) = (piece.source, &self.sources[piece.source]);
        sink(Piecewise { index, source, result: Ok(result), is_last: piece.is_last && end.is_some() })?;
        failure.map_or(ControlFlow::Continue(()), |error| self.fail(piece, error, sink))
    }

    fn fail<T>(
        &self,
        piece: &Piece,
        error: Error,
        sink: &mut impl FnMut(Piecewise<'_, T>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (index, source) = (piece.source, &self.sources[piece.source]);
        sink(Piecewise { index, source, result: Err(error), is_last: true })
    }
}

/// The most pieces of one source. A source may claim any length, and every piece is memory and a turn of its own.
const MOST_PIECES: u64 = 1 << 16;

/// Ranges of equal size, as long as they can be read apart from each other.
fn cut(sources: &[Source], options: ScanOptions) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (source, at) in sources.iter().zip(0..) {
        let len = source.len();
        let step = options.range_bytes.get().max(len.unwrap_or(0) / MOST_PIECES);
        let cuts =
            len.filter(|&len| options.jobs.get() > 1 && len > step.saturating_add(step / 2)).unwrap_or(0);
        let mut start = 0;
        while cuts - start > step {
            pieces.push(Piece {
                source: at,
                range: start..start + step,
                is_last: false,
                can_run_apart: true,
            });
            start += step;
        }
        pieces.push(Piece {
            source: at,
            range: start..u64::MAX,
            is_last: true,
            can_run_apart: len.is_some(),
        });
    }
    pieces
}

#[cfg(test)]
mod tests;
