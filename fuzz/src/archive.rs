//! Whatever the bytes, however they come: the same records, and never a panic.
//!
//! The first byte says how the rest is used: bit 0 whether it is a recipe, bits 1 and 2 into how large pieces a scan cuts
//! it, bits 3 to 5 how many bytes a stream gives at a time.

use std::cell::RefCell;
use std::fmt;
use std::io::{BufRead, Read, Seek, SeekFrom, Write};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tamis_archive::http::{BodyReader, DecodeLimits, HttpHead};
use tamis_archive::{
    Algorithm, Digest, Error, Fault, FaultKind, FileRules, Hasher, HeadFacts, Mode, Reader, Record,
    RecordEnd, Result, ScanOptions, Severity, Source, Verifier, check_head, scan,
};
use tempfile::NamedTempFile;

use super::recipe;
use super::trickle::Trickle;

/// The skippable frame that a file's dictionary is in.
const DICTIONARY_MAGIC: [u8; 4] = 0x184D_2A5D_u32.to_le_bytes();

/// Files shorter than this are seen whole by a stream, too, even when fuzzing.
const LOOK_AHEAD: usize = 48 << 10;

const LIMITS: DecodeLimits = DecodeLimits { max_output_bytes: 100_000, max_ratio: 100 };

/// What a reader gave of a record.
#[derive(PartialEq, Eq)]
struct Seen {
    offset: u64,
    head: Vec<u8>,
    block: Option<Digest>,
    end: RecordEnd,
}

impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, head, block, end } = self;
        write!(f, "at {offset} {:?} {block:?} {end:?}", String::from_utf8_lossy(head))
    }
}

/// All that a reader gave, and what stopped it.
#[derive(Debug)]
struct Reading {
    records: Vec<Seen>,
    faults: Vec<Fault>,
    error: Option<Error>,
    /// Whether there are no more than are listed.
    has_all_faults: bool,
}

/// What is done with a record before the next is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Block,
    Nothing,
    Http,
    Verify,
    HalfBlock,
}

/// Reads the bytes in many ways and compares.
pub fn check(data: &[u8]) {
    let Some((&control, rest)) = data.split_first() else { return };
    let made = (control & 1 == 1).then(|| recipe::archive(rest));
    let bytes = made.as_deref().unwrap_or(rest);
    // Many pieces show no more than a few, and each has a reader of its own.
    let range_bytes = [64, 200, 1000, 3000][usize::from(control >> 1 & 3)].max(bytes.len() as u64 / 8);
    let step = [1, 2, 3, 7, 13, 64, 300, 5000][usize::from(control >> 3 & 7)].max(bytes.len() / 1000);
    let path = &file_with(bytes);
    let lenient = read(open(path, Mode::Lenient), Use::Block);
    assert_sane(&lenient, bytes.len() as u64);
    // A recipe may repeat a damaged block ten thousand times, and a dozen readings of that take long and show no more.
    if !lenient.has_all_faults {
        return;
    }
    assert_uses_agree(path, &lenient);
    assert_streams_agree(bytes, step, &lenient);
    assert_strict_agrees(path, &lenient);
    assert_found_by_offset(path, &lenient, !bytes.starts_with(&DICTIONARY_MAGIC));
    assert_scan_agrees(path, range_bytes, &lenient);
}

/// A file with these bytes, used again by the next call on this thread.
fn file_with(bytes: &[u8]) -> PathBuf {
    thread_local! {
        static FILE: RefCell<NamedTempFile> = RefCell::new(new_file());
    }
    FILE.with_borrow_mut(|file| {
        let inner = file.as_file_mut();
        inner.set_len(0).expect("the file can be emptied");
        inner.seek(SeekFrom::Start(0)).expect("the file has a start");
        inner.write_all(bytes).expect("the file takes bytes");
        file.path().to_path_buf()
    })
}

/// In memory where the system has a folder for that.
pub(super) fn new_file() -> NamedTempFile {
    NamedTempFile::new_in("/dev/shm").or_else(|_| NamedTempFile::new()).expect("a temporary file")
}

fn open(path: &Path, mode: Mode) -> Reader {
    Reader::open(path, mode).expect("the file is there")
}

fn read(mut reader: Reader, usage: Use) -> Reading {
    let (mut records, mut rules, mut verifier) = (Vec::new(), FileRules::default(), Verifier::default());
    let error = loop {
        match reader.next() {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(record)) => {
                let mut told = |kind: FaultKind| drop(kind.to_string());
                check_head(record.head, &mut told);
                rules.check(&HeadFacts::of(record.head), &mut told);
                match use_record(record, usage, &mut verifier) {
                    Ok(seen) => records.push(seen),
                    Err(error) => break Some(error),
                }
            }
        }
    };
    let faults = reader.take_faults();
    Reading { records, has_all_faults: faults.left_out.is_empty(), faults: faults.list, error }
}

fn use_record(mut record: Record<'_>, usage: Use, verifier: &mut Verifier) -> Result<Seen> {
    let (offset, head) = (record.offset(), record.head.raw().to_vec());
    let path = record.body.path().to_path_buf();
    let mut block = None;
    let end = match usage {
        Use::Nothing => record.finish()?,
        Use::Verify => verifier.verify(record, &mut |kind| drop(kind.to_string()))?,
        Use::HalfBlock => {
            let half = record.body.remaining() / 2;
            std::io::copy(&mut (&mut record.body).take(half), &mut std::io::sink())
                .map_err(Error::io(path))?;
            record.finish()?
        }
        Use::Http => {
            use_http(&mut record).map_err(Error::io(path))?;
            record.finish()?
        }
        Use::Block => {
            let (digest, len) = digest_block(&mut record).map_err(Error::io(path))?;
            block = Some(digest);
            let end = record.finish()?;
            assert_eq!(end.block_len, len, "the block at {offset} is as long as it says");
            end
        }
    };
    Ok(Seen { offset, head, block, end })
}

fn digest_block(record: &mut Record<'_>) -> std::io::Result<(Digest, u64)> {
    let (mut hasher, mut len) = (Hasher::new(Algorithm::Sha1), 0);
    loop {
        let before = record.body.remaining();
        let bytes = record.body.fill_buf()?;
        let n = bytes.len();
        assert!(n as u64 <= before, "no more than the block");
        hasher.update(bytes);
        len += n as u64;
        record.body.consume(n);
        if n == 0 {
            return Ok((hasher.finish(), len));
        }
    }
}

fn use_http(record: &mut Record<'_>) -> std::io::Result<()> {
    let mut http = HttpHead::default();
    let peeked = record.body.peek_http(&mut http)?;
    let before = record.body.remaining();
    let found = record.body.read_http(&mut http)?;
    assert_eq!(peeked.is_some(), found, "a peek sees what reading gives");
    assert_eq!(before - record.body.remaining(), peeked.unwrap_or(0) as u64, "the head and no more is read");
    if found {
        let mut body = BodyReader::new(&http, &mut record.body, LIMITS);
        let len = std::io::copy(&mut body, &mut std::io::sink())?;
        assert!(len <= LIMITS.max_output_bytes, "the limit is kept");
        assert_eq!(len, body.outcome().output_bytes, "what was given is counted");
    }
    Ok(())
}

fn assert_sane(reading: &Reading, file_len: u64) {
    assert!(reading.error.is_none(), "lenient reading goes on: {:?}", reading.error);
    let mut last = 0;
    for seen in &reading.records {
        assert!(seen.offset >= last && seen.offset < file_len, "offsets go up and stay inside: {seen:?}");
        last = seen.offset;
        let stored_end = seen.end.stored_len.map_or(last, |len| last + len);
        assert!(stored_end <= file_len, "a record ends in its file: {seen:?}");
    }
    for fault in &reading.faults {
        assert!(fault.offset <= file_len, "a fault is in the file: {fault}");
    }
    let nothing_found = reading.faults.iter().any(|fault| fault.kind == FaultKind::NoRecords);
    assert_eq!(nothing_found, reading.records.is_empty(), "a file without records is told");
}

/// What is done with a record does not change those behind it.
fn assert_uses_agree(path: &Path, expected: &Reading) {
    for usage in [Use::Nothing, Use::Http, Use::Verify, Use::HalfBlock] {
        let reading = read(open(path, Mode::Lenient), usage);
        assert!(reading.error.is_none(), "{usage:?}: {:?}", reading.error);
        let places = |reading: &Reading| -> Vec<_> {
            reading.records.iter().map(|seen| (seen.offset, seen.head.clone(), seen.end)).collect()
        };
        assert_eq!(places(&reading), places(expected), "{usage:?}");
        assert_eq!(reading.faults, expected.faults, "{usage:?}");
    }
}

/// A stream cannot go back behind a damaged member, nor look far ahead; else it gives what a file gives, and all streams give
/// the same, in whatever pieces they come.
fn assert_streams_agree(bytes: &[u8], step: usize, expected: &Reading) {
    let goes_back = expected.faults.iter().any(|fault| {
        matches!(
            fault.kind,
            FaultKind::MemberTruncated { .. }
                | FaultKind::MemberCorrupt { .. }
                | FaultKind::DictionaryMissing
        )
    });
    let [whole, pieces] = [usize::MAX, step].map(|step| {
        let reading = read(Reader::from_stream("-", Trickle::new(bytes, step), Mode::Lenient), Use::Block);
        assert_sane(&reading, bytes.len() as u64);
        reading
    });
    if goes_back {
        return;
    }
    assert_eq!(pieces.records, whole.records, "in steps of {step}");
    assert_eq!(pieces.faults, whole.faults, "in steps of {step}");
    if bytes.len() < LOOK_AHEAD {
        assert_eq!(whole.records, expected.records, "a stream");
        assert_eq!(whole.faults, expected.faults, "a stream");
    }
}

/// Strict reading gives the same records up to the first serious fault, and stops there.
fn assert_strict_agrees(path: &Path, lenient: &Reading) {
    let strict = read(open(path, Mode::Strict), Use::Block);
    let serious = lenient.faults.iter().find(|fault| fault.kind.severity() > Severity::Note);
    match (&strict.error, serious) {
        (None, None) => assert_eq!(strict.records, lenient.records),
        (Some(Error::Strict { fault, .. }), Some(serious)) => assert_eq!(fault, serious),
        (error, serious) => panic!("strict {error:?}, lenient {serious:?}"),
    }
    let shared = strict.records.len();
    assert_eq!(strict.records, lenient.records[..shared]);
}

/// A sound record is found again by its offset, and in the bytes that are its own, unless it needs the file's dictionary or
/// is known as a record of ARC by those before it alone.
fn assert_found_by_offset(path: &Path, reading: &Reading, stands_alone: bool) {
    for seen in reading.records.iter().filter(|seen| !seen.end.is_damaged) {
        let Some(stored_len) = seen.end.stored_len else { continue };
        // In a member that begins with garbage, what the records before were may decide on what is one.
        let is_behind_garbage =
            |fault: &Fault| fault.offset == seen.offset && matches!(fault.kind, FaultKind::Garbage { .. });
        if reading.faults.iter().any(is_behind_garbage) {
            continue;
        }
        let mut reader = Reader::open_at(path, seen.offset, Mode::Lenient).expect("the file is there");
        assert_first(&mut reader, seen);
        if !stands_alone || !seen.head.to_ascii_lowercase().starts_with(b"warc/") {
            continue;
        }
        let part = seen.offset..seen.offset + stored_len;
        let mut reader = Reader::open_part(path, part, Mode::Lenient).expect("the file is there");
        let first = reader.next().expect("reading goes on").map(|record| record.head.raw().to_vec());
        assert!(first.as_ref() == Some(&seen.head), "alone: {first:?} is not {seen:?}");
    }
}

fn assert_first(reader: &mut Reader, seen: &Seen) {
    let record = reader.next().expect("reading goes on");
    let first =
        record.map(|record| use_record(record, Use::Block, &mut Verifier::default()).expect("it reads"));
    let is_same = first.as_ref().is_some_and(|first| {
        (first.offset, &first.head, first.block) == (seen.offset, &seen.head, seen.block)
    });
    assert!(is_same, "by its offset: {first:?} is not {seen:?}");
}

/// Several threads give what one gives.
fn assert_scan_agrees(path: &Path, range_bytes: u64, expected: &Reading) {
    let two = NonZero::new(2).expect("not zero");
    let range_bytes = NonZero::new(range_bytes).expect("not zero");
    let options = ScanOptions { jobs: two, range_bytes, ..ScanOptions::default() };
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    scan(
        &[Source::file(path)],
        options,
        |part, (seen, told): &mut (Vec<_>, Vec<_>)| {
            let mut verifier = Verifier::default();
            while let Some(record) = part.reader.next()? {
                seen.push(use_record(record, Use::Block, &mut verifier)?);
            }
            told.extend(part.reader.take_faults().list);
            Ok(())
        },
        |piece| {
            let (seen, told) = piece.result.expect("lenient reading goes on");
            found.extend(seen);
            faults.extend(told);
            ControlFlow::Continue(())
        },
    );
    assert_eq!(found, expected.records, "a scan in pieces of {range_bytes}");
    // That nothing was found is for the caller to say, who knows of all pieces.
    let told = |faults: &[Fault]| -> Vec<Fault> {
        faults.iter().filter(|fault| fault.kind != FaultKind::NoRecords).cloned().collect()
    };
    assert_eq!(told(&faults), told(&expected.faults), "a scan in pieces of {range_bytes}");
}
