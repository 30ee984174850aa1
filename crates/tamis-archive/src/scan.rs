//! Many files, or one large one, read by several threads; the results come in the order of the bytes.
//!
//! A file is cut into ranges of equal size. A range's reader starts at the first place that looks like a member holding a
//! record and reads every record that begins in the range. What looks like one may be none: a page may be a `.warc.gz`
//! stored as it is. But the reader of the range before, which did start rightly, knows where its last record ends. If that is
//! not where the range's reader started, the range is read again from the right place. So the result is that of one
//! thread, always, and only files made to deceive cost more.

use std::collections::BTreeMap;
use std::io::Read;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};

use crate::reader::Standing;
use crate::{Mode, Reader, Result};

/// The size of a range: large enough that starting costs nothing, small enough that two threads end together.
const RANGE: NonZero<u64> = NonZero::new(16 << 20).expect("not zero");

/// Where an archive is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A stretch of a file: an entry stored in a WACZ, by its name.
    Part {
        /// The file that holds it.
        path: PathBuf,
        /// Its own name.
        name: String,
        /// Its bytes.
        range: Range<u64>,
    },
    /// Standard input.
    Stdin,
}

impl Source {
    /// What messages and indexes call it.
    pub fn name(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Part { path, name, .. } => PathBuf::from(format!("{}#{name}", path.display())),
            Self::Stdin => PathBuf::from("-"),
        }
    }

    /// The file that holds it.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::Part { path, .. } => Some(path),
            Self::Stdin => None,
        }
    }

    /// The file's own name without its folder, as an index states it.
    pub fn file_name(&self) -> String {
        let base = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match self {
            Self::File(path) => base(path),
            Self::Part { name, .. } => base(Path::new(name)),
            Self::Stdin => "-".into(),
        }
    }

    /// How many stored bytes it has, where that can be known.
    pub fn len(&self) -> Option<u64> {
        match self {
            Self::File(path) => {
                std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|meta| meta.len())
            }
            Self::Part { range, .. } => Some(range.end - range.start),
            Self::Stdin => None,
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// A reader at its start.
    pub fn open(&self, mode: Mode) -> Result<Reader> {
        match self {
            Self::File(path) => Reader::open(path, mode),
            Self::Part { path, range, .. } => Reader::open_part(path, range.clone(), mode),
            Self::Stdin => Ok(Reader::from_stream("-", std::io::stdin().take(u64::MAX), mode)),
        }
    }
}

/// How to scan.
#[derive(Debug, Clone, Copy)]
pub struct ScanOptions {
    /// What to do about faults.
    pub mode: Mode,
    /// How many threads read.
    pub jobs: NonZero<usize>,
    /// How many stored bytes a piece of work has.
    pub range_bytes: NonZero<u64>,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self { mode: Mode::Lenient, jobs: NonZero::<usize>::MIN, range_bytes: RANGE }
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

/// What reading a piece gave.
struct Done<T> {
    /// Where the first record was found.
    start: Standing,
    /// Where the record behind the last begins.
    end: Standing,
    result: T,
}

/// One piece of a source that `work` is given.
pub struct Part<'a> {
    /// The source's place in the list.
    pub index: usize,
    /// The source.
    pub source: &'a Source,
    /// A reader that ends where the piece does.
    pub reader: &'a mut Reader,
}

/// What `sink` is given of each piece, in order.
pub struct Piecewise<'a, T> {
    /// The source's place in the list.
    pub index: usize,
    /// The source.
    pub source: &'a Source,
    /// What `work` made of the piece, or why it could not be read.
    pub result: Result<T>,
    /// Whether the source ends with it.
    pub is_last: bool,
}

/// Reads all sources with several threads: `work` sees each piece on some thread and must read it to its end, `sink` sees the
/// results on this one, in the order of the sources and their bytes. `sink` may break off.
///
/// At most three results for each thread wait for their turn, each of one piece, so memory is bounded by what `work` returns
/// for a piece.
pub fn scan<T: Send>(
    sources: &[Source],
    options: ScanOptions,
    work: impl Fn(Part<'_>) -> Result<T> + Sync,
    mut sink: impl FnMut(Piecewise<'_, T>) -> ControlFlow<()>,
) {
    let pieces = cut(sources, options);
    let jobs = options.jobs.get().min(pieces.iter().filter(|piece| piece.can_run_apart).count());
    let scan = Scan { sources, options, pieces: &pieces, work: &work };
    if jobs <= 1 {
        for piece in &pieces {
            if scan.read_in_order(piece, &mut sink).is_break() {
                return;
            }
        }
        return;
    }
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (results, arrived) = mpsc::sync_channel(jobs);
    // A thread takes a ticket for each piece; as many are out as pieces may wait.
    let (tickets, free) = mpsc::sync_channel(3 * jobs);
    for _ in 0..3 * jobs {
        let _ = tickets.send(());
    }
    let free = Mutex::new(free);
    let work_off = |results: mpsc::SyncSender<_>| {
        while take_ticket(&free) && !stopped.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(index) else { break };
            let done = piece.can_run_apart.then(|| scan.read_piece(piece, None));
            if results.send((index, done)).is_err() {
                break;
            }
        }
    };
    std::thread::scope(|threads| {
        for _ in 0..jobs {
            let (results, work_off) = (results.clone(), &work_off);
            threads.spawn(move || work_off(results));
        }
        drop(results);
        scan.deliver(&arrived, &tickets, &mut sink);
        stopped.store(true, Ordering::Relaxed);
        // Both ends gone, no thread waits for them any more.
        drop((tickets, arrived));
    });
}

/// Whether a reader that found its start by itself goes on as the one before would have: inside plain bytes that one takes
/// no compressed member for one.
fn begins_as(due: Standing, start: Standing) -> bool {
    start.offset == due.offset && (start.is_plain || !due.is_plain)
}

fn take_ticket(free: &Mutex<mpsc::Receiver<()>>) -> bool {
    free.lock().is_ok_and(|free| free.recv().is_ok())
}

/// What all pieces share.
struct Scan<'a, W> {
    sources: &'a [Source],
    options: ScanOptions,
    pieces: &'a [Piece],
    work: &'a W,
}

type Arrived<T> = (usize, Option<Result<Done<T>>>);

impl<W> Scan<'_, W> {
    /// Hands results on in order, after checking that each begins where the one before ends.
    fn deliver<T>(
        &self,
        arrived: &mpsc::Receiver<Arrived<T>>,
        tickets: &mpsc::SyncSender<()>,
        sink: &mut impl FnMut(Piecewise<'_, T>) -> ControlFlow<()>,
    ) where
        W: Fn(Part<'_>) -> Result<T>,
    {
        let mut waiting = BTreeMap::new();
        // Where the next record of the current source begins.
        let mut due = Standing::default();
        // A source that could not be read on; its other pieces are worth nothing.
        let mut failed = None;
        for (index, piece) in self.pieces.iter().enumerate() {
            while !waiting.contains_key(&index) {
                let Ok((arrived_index, done)) = arrived.recv() else { return };
                waiting.insert(arrived_index, done);
            }
            let done = waiting.remove(&index).flatten();
            let _ = tickets.try_send(());
            if failed == Some(piece.source) {
                continue;
            }
            let flow = match done {
                None => self.read_in_order(piece, sink),
                Some(done) => {
                    due = if piece.range.start == 0 { Standing::default() } else { due };
                    let done = self.checked(piece, done, due);
                    due = done.as_ref().map_or(due, |done| done.end);
                    failed = done.is_err().then_some(piece.source);
                    let is_last = piece.is_last || done.is_err();
                    sink(self.piecewise(piece, done.map(|done| done.result), is_last))
                }
            };
            if flow.is_break() {
                return;
            }
        }
    }

    /// The result of a piece, read again if it began at a deceiving place or a record reaches into it from before.
    fn checked<T>(&self, piece: &Piece, done: Result<Done<T>>, due: Standing) -> Result<Done<T>>
    where
        W: Fn(Part<'_>) -> Result<T>,
    {
        match done {
            Ok(done) if piece.range.start > 0 && !begins_as(due, done.start) => {
                let offset = due.offset.max(piece.range.start);
                self.read_piece(piece, Some(Standing { offset, ..due }))
            }
            done => done,
        }
    }

    fn piecewise<T>(&self, piece: &Piece, result: Result<T>, is_last: bool) -> Piecewise<'_, T> {
        Piecewise { index: piece.source, source: &self.sources[piece.source], result, is_last }
    }

    fn read_piece<T>(&self, piece: &Piece, exact: Option<Standing>) -> Result<Done<T>>
    where
        W: Fn(Part<'_>) -> Result<T>,
    {
        let source = &self.sources[piece.source];
        let mut reader = source.open(self.options.mode)?;
        let start = match exact {
            Some(start) => reader.enter_range_at(start, piece.range.end)?,
            None => reader.enter_range(piece.range.clone())?,
        };
        let result = (self.work)(Part { index: piece.source, source, reader: &mut reader })?;
        Ok(Done { start, end: reader.standing(), result })
    }

    /// Reads a source with one reader, pausing so that no result grows without end.
    fn read_in_order<T>(
        &self,
        piece: &Piece,
        sink: &mut impl FnMut(Piecewise<'_, T>) -> ControlFlow<()>,
    ) -> ControlFlow<()>
    where
        W: Fn(Part<'_>) -> Result<T>,
    {
        let source = &self.sources[piece.source];
        let mut reader = match source.open(self.options.mode) {
            Ok(reader) => reader,
            Err(error) => return sink(self.piecewise(piece, Err(error), true)),
        };
        while reader.read_on(self.options.range_bytes.get()) {
            let result = (self.work)(Part { index: piece.source, source, reader: &mut reader });
            let is_last = result.is_err() || reader.is_at_end();
            sink(self.piecewise(piece, result, is_last))?;
            if is_last {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Ranges of equal size, as long as they can be read apart from each other.
fn cut(sources: &[Source], options: ScanOptions) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let step = options.range_bytes.get();
    for (source, at) in sources.iter().zip(0..) {
        let len = source.len();
        let cuts = len.filter(|&len| options.jobs.get() > 1 && len > step + step / 2).unwrap_or(0);
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
mod tests {
    use std::io::Write;

    use tamis_testkit::{Record, arc, member};

    use super::*;
    use crate::Fault;

    type Found = (Vec<(u64, Vec<u8>)>, Vec<Fault>);

    fn read_all(reader: &mut Reader) -> Result<Found> {
        let mut records = Vec::new();
        while let Some(record) = reader.next()? {
            records.push((record.offset(), record.head.raw().to_vec()));
        }
        Ok((records, reader.take_faults()))
    }

    /// What is found in each range, and by one reader in all.
    fn found(bytes: &[u8], range_bytes: u64) -> (Vec<Found>, Found) {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(bytes).expect("it takes bytes");
        let options = ScanOptions {
            jobs: NonZero::new(2).expect("not zero"),
            range_bytes: NonZero::new(range_bytes).expect("not zero"),
            ..ScanOptions::default()
        };
        let mut pieces = Vec::new();
        let source = Source::File(file.path().into());
        scan(
            std::slice::from_ref(&source),
            options,
            |part| read_all(part.reader),
            |piece| {
                pieces.push(piece.result.expect("it reads"));
                ControlFlow::Continue(())
            },
        );
        let one = read_all(&mut source.open(Mode::Lenient).expect("it opens")).expect("it reads");
        (pieces, one)
    }

    fn assert_same(bytes: &[u8]) {
        for range_bytes in [16, 64, 100, 257] {
            let (pieces, one) = found(bytes, range_bytes);
            let (records, faults): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();
            assert_eq!((records.concat(), faults.concat()), one, "pieces of {range_bytes}");
        }
    }

    fn page(n: usize) -> Vec<u8> {
        Record::resource(&format!("http://a.org/{n}"), "text/plain", "page").bytes()
    }

    #[test]
    fn a_range_of_a_plain_file_ends_where_it_ends() {
        let archive: Vec<u8> = (0..50).flat_map(page).collect();
        let (pieces, one) = found(&archive, 1000);
        assert_eq!(one.0.len(), 50);
        assert!(pieces.len() > 5);
        for (piece, start) in pieces.iter().zip((0..).step_by(1000)) {
            assert!(piece.0.iter().all(|(offset, _)| (start..start + 1000).contains(offset)), "{start}");
        }
        assert_same(&archive);
    }

    #[test]
    fn a_member_inside_plain_bytes_is_none_in_every_range() {
        assert_same(&[page(1), member::gzip(&page(2)), page(3), b"garbage\n".to_vec(), page(4)].concat());
    }

    #[test]
    fn an_odd_arc_head_is_one_in_every_range() {
        let odd = b"http://a.org/ nowhere never text/html 3\nabc\n";
        let sound = arc::record("http://a.org/", "text/html", b"page");
        assert_same(&[&sound[..], odd, odd, &sound, odd].concat());
    }

    #[test]
    fn a_block_that_goes_on_is_told_in_every_range() {
        let overlong = Record::resource("http://a.org/", "text/plain", [b'x'; 300]).ended_by(b"").bytes();
        assert_same(&[&overlong[..], b"goes on and on and on, \r\n, and on", &page(1), &page(2)].concat());
    }

    #[test]
    fn a_head_too_long_for_its_member_is_told_in_every_range() {
        let endless = [b"rest of a field\r\n".repeat(100_000), page(2)].concat();
        let members =
            [member::gzip(b"WARC/1.0\r\nWARC-Type: re"), member::gzip(&endless), member::gzip(&page(3))];
        assert_same(&members.concat());
    }

    #[test]
    fn the_fault_of_a_dictionary_is_told_once() {
        let frame = member::dictionary_frame(b"\x37\xa4\x30\xec none", member::Dictionary::Raw);
        let frames: Vec<u8> = (0..5).flat_map(|n| member::zstd(&page(n))).collect();
        assert_same(&[frame, frames].concat());
    }
}
