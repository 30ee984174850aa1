//! Several threads give what one gives, and keep little waiting.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use tamis_testkit::{Record, arc, member};

use super::*;
use crate::Fault;

/// What is found: records by offset and URL, faults, and the error at the end.
#[derive(Debug, Default, PartialEq)]
struct Found {
    records: Vec<(u64, String)>,
    faults: Vec<Fault>,
    error: Option<String>,
}

fn read_all(reader: &mut Reader, found: &mut Found) -> Result<()> {
    let read = read_up_to("no such page", reader, found);
    found.faults.extend(reader.take_faults().list);
    read
}

/// Fails at the page with this URL.
fn read_up_to(last: &str, reader: &mut Reader, found: &mut Found) -> Result<()> {
    while let Some(record) = reader.next()? {
        let url = record.head.target_uri().unwrap_or_default().into_owned();
        if url == last {
            return Err(Error::io("page")(std::io::Error::other("no more of it")));
        }
        found.records.push((record.offset(), url));
    }
    Ok(())
}

fn source_of(bytes: &[u8]) -> (Source, tempfile::NamedTempFile) {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("it takes bytes");
    (Source::file(file.path()), file)
}

fn options(jobs: usize, range_bytes: u64, batch_bytes: u64) -> ScanOptions {
    ScanOptions {
        jobs: NonZero::new(jobs).expect("not zero"),
        range_bytes: NonZero::new(range_bytes).expect("not zero"),
        batch_bytes: NonZero::new(batch_bytes).expect("not zero"),
        ..ScanOptions::default()
    }
}

/// What is found in each batch.
fn batches(source: &Source, options: ScanOptions) -> Vec<Found> {
    let mut batches = Vec::new();
    scan(
        std::slice::from_ref(source),
        options,
        |part, found| read_all(part.reader, found),
        |piece| {
            batches.push(
                piece
                    .result
                    .unwrap_or_else(|error| Found { error: Some(error.to_string()), ..Found::default() }),
            );
            ControlFlow::Continue(())
        },
    );
    batches
}

fn joined(batches: Vec<Found>) -> Found {
    let mut all = Found::default();
    for batch in batches {
        assert!(all.error.is_none(), "an error is the last that is told of a source");
        all.records.extend(batch.records);
        all.faults.extend(batch.faults);
        all.error = batch.error;
    }
    all
}

fn read_by_one(source: &Source, mode: Mode) -> Found {
    let mut one = Found::default();
    let read = source.open(mode).and_then(|mut reader| read_all(&mut reader, &mut one));
    Found { error: read.err().map(|error| error.to_string()), ..one }
}

fn assert_same(bytes: &[u8]) {
    let (source, _file) = source_of(bytes);
    for mode in [Mode::Lenient, Mode::Strict] {
        let one = read_by_one(&source, mode);
        for jobs in [1, 2, 3] {
            for (range_bytes, batch_bytes) in [(16, u64::MAX), (64, 1), (100, 10_000), (257, 5000)] {
                let options = ScanOptions { mode, ..options(jobs, range_bytes, batch_bytes) };
                let what = format!("{jobs} threads, pieces of {range_bytes}, batches of {batch_bytes}");
                assert_eq!(joined(batches(&source, options)), one, "{mode:?}, {what}");
            }
        }
    }
}

fn page(n: usize) -> Vec<u8> {
    Record::resource(&format!("http://a.org/{n}"), "text/plain", "page").bytes()
}

#[test]
fn a_range_of_a_plain_file_ends_where_it_ends() {
    let archive: Vec<u8> = (0..50).flat_map(page).collect();
    let (source, _file) = source_of(&archive);
    let pieces = batches(&source, options(2, 1000, u64::MAX));
    assert!(pieces.len() > 5);
    for (piece, start) in pieces.iter().zip((0..).step_by(1000)) {
        assert!(piece.records.iter().all(|(offset, _)| (start..start + 1000).contains(offset)), "{start}");
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

#[test]
fn what_comes_before_the_first_fault_is_the_same_for_any_number_of_threads() {
    let many = |range: std::ops::Range<usize>| -> Vec<u8> { range.flat_map(page).collect() };
    let cut = Record::resource("http://a.org/", "text/plain", "page").length_off_by(50).bytes();
    let flipped = member::gzip_bad_data(&page(20));
    let members =
        |range: std::ops::Range<usize>| -> Vec<u8> { range.flat_map(|n| member::gzip(&page(n))).collect() };
    for (what, archive) in [
        ("a wrong length", [many(0..20), cut, many(20..40)].concat()),
        ("garbage", [many(0..20), b"garbage\n".to_vec(), many(20..40)].concat()),
        ("a clipped end", many(0..40)[..many(0..40).len() - 10].to_vec()),
        ("a bad member", [members(0..20), flipped, members(20..40)].concat()),
        (
            "a fault in a shared member",
            [members(0..3), member::gzip(&[many(0..20), b"x".to_vec()].concat())].concat(),
        ),
    ] {
        let (source, _file) = source_of(&archive);
        let found = read_by_one(&source, Mode::Strict);
        assert!(found.error.is_some() && found.records.len() > 15, "{what}: {found:?}");
        assert_same(&archive);
    }
}

#[test]
fn an_error_of_the_work_costs_nothing_that_was_made_before() {
    let (source, _file) = source_of(&(0..40).flat_map(page).collect::<Vec<_>>());
    for (jobs, range_bytes, batch_bytes) in
        [(1, 1 << 20, 1 << 20), (1, 300, 1), (3, 300, 1), (3, 1000, 1 << 20)]
    {
        let (mut records, mut errors) = (0, 0);
        scan(
            &[source.clone(), source.clone()],
            options(jobs, range_bytes, batch_bytes),
            |part, found| read_up_to("http://a.org/25", part.reader, found),
            |piece| {
                match piece.result {
                    Ok(found) => records += found.records.len(),
                    Err(_) => errors += usize::from(piece.is_last),
                }
                ControlFlow::Continue(())
            },
        );
        assert_eq!((records, errors), (50, 2), "{jobs} threads, {range_bytes}, {batch_bytes}");
    }
}

static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// A result that knows how many of its kind there are.
struct Counted(usize);

impl Default for Counted {
    fn default() -> Self {
        MOST.fetch_max(LIVE.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        Self(0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

#[test]
fn few_stored_bytes_with_many_tiny_records_are_read_in_small_batches_of_which_few_wait() {
    let tiny = b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n".repeat(10_000);
    let bombs = member::gzip(&tiny).repeat(6);
    assert!(bombs.len() < 40_000, "{}", bombs.len());
    let (source, _file) = source_of(&bombs);
    for jobs in [1, 3] {
        let (mut records, mut batches) = (0, 0);
        scan(
            std::slice::from_ref(&source),
            options(jobs, 3000, 1 << 20),
            |part, count: &mut Counted| {
                while part.reader.next()?.is_some() {
                    count.0 += 1;
                }
                Ok(())
            },
            |piece| {
                let count = piece.result.expect("it reads").0;
                assert!(count <= 256, "a record counts as more than 4 KiB: {count}");
                records += count;
                batches += 1;
                ControlFlow::Continue(())
            },
        );
        assert_eq!(records, 60_000);
        assert!(batches > 230, "{batches}");
        // One that each thread is working on, those that wait, and the one in the sink's hands.
        let most = MOST.swap(0, Ordering::SeqCst);
        assert!(most <= WAITING * jobs + 2 * jobs + 1, "{most} with {jobs} threads");
        assert_eq!(LIVE.load(Ordering::SeqCst), 0);
    }
}

#[test]
fn more_than_ten_thousand_faults_are_counted_and_the_first_are_told_for_any_number_of_threads() {
    // Between two records, so that no batch ends between them.
    let archive = [member::gzip(&page(1)), member::gzip(b"").repeat(25_000), member::gzip(&page(2))].concat();
    let (source, _file) = source_of(&archive);
    for (jobs, range_bytes) in [(1, 1 << 20), (1, 1000), (3, 10_000), (3, 100_000)] {
        let (mut faults, mut count) = (Vec::new(), 0);
        scan(
            std::slice::from_ref(&source),
            options(jobs, range_bytes, 1 << 20),
            |part, found: &mut crate::Faults| {
                while part.reader.next()?.is_some() {}
                *found = part.reader.take_faults();
                Ok(())
            },
            |piece| {
                let found = piece.result.expect("it reads");
                count += found.counts().of_code("member-empty");
                faults.extend(found.list);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(count, 25_000, "{jobs} threads, pieces of {range_bytes}");
        let first = member::gzip(&page(1)).len() as u64;
        let step = member::gzip(b"").len() as u64;
        assert!(faults.iter().zip(0..10_000).all(|(fault, n)| fault.offset == first + n * step));
    }
}

#[test]
fn a_panic_of_the_work_ends_the_scan() {
    let (source, _file) = source_of(&(0..200).flat_map(page).collect::<Vec<_>>());
    let scanned = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        scan(
            std::slice::from_ref(&source),
            options(3, 300, 1),
            |part, found: &mut Found| {
                assert!(part.reader.position() < 5000, "the work panics");
                read_all(part.reader, found)
            },
            |_| ControlFlow::Continue(()),
        );
    }));
    assert!(scanned.is_err());
}
