//! Every real archive at hand: read to its end, in every way alike.

use std::io::Read;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tamis_archive::{
    Algorithm, FaultKind, Hasher, Mode, Reader, ScanOptions, Severity, Source, Verifier, check_head, scan,
};

use crate::data;

/// Where a record is, how long its block is, and what its bytes are.
type Seen = (u64, u64, String);

#[test]
fn every_file_is_read_to_its_end_and_by_several_threads_alike() {
    let Some(folder) = data::unpacked("warc") else { return };
    let files = files_below(&folder);
    assert!(files.len() > 600, "{} files", files.len());
    let mut records = 0;
    for path in files {
        // Its 430 MB would take most of the time, and it is one record.
        if path.ends_with("giant_html.warc.gz") {
            continue;
        }
        let mut reader = Reader::open(&path, Mode::Lenient).unwrap();
        let alone = seen(&mut reader);
        assert!(alone.is_empty() == (reader.records() == 0), "{}", path.display());
        assert!(!alone.is_empty() || reader.fault_count() > 0, "{} is empty and fine", path.display());
        records += alone.len();
        assert_eq!(scanned(&path), alone, "{}", path.display());
    }
    assert!(records > 6_000, "{records} records");
}

#[test]
fn a_stream_gives_what_a_file_gives() {
    let Some(folder) = data::unpacked("warc/pywb/warcs") else { return };
    for path in files_below(&folder) {
        let mut file = Reader::open(&path, Mode::Lenient).unwrap();
        let mut stream = Reader::from_stream("-", std::fs::File::open(&path).unwrap(), Mode::Lenient);
        assert_eq!(seen(&mut stream), seen(&mut file), "{}", path.display());
        assert_eq!(stream.take_faults(), file.take_faults(), "{}", path.display());
    }
}

#[test]
fn every_offset_leads_to_its_record() {
    let Some(folder) = data::unpacked("warc/pywb/warcs") else { return };
    for path in files_below(&folder) {
        let mut reader = Reader::open(&path, Mode::Lenient).unwrap();
        let all = seen(&mut reader);
        let is_shared = reader.take_faults().list.iter().any(|fault| fault.kind == FaultKind::MemberShared);
        for (offset, len, digest) in all.into_iter().filter(|_| !is_shared) {
            let mut reader = Reader::open_at(&path, offset, Mode::Lenient).unwrap();
            let record = reader.next().unwrap().expect("a record is there");
            assert_eq!(see(record), (offset, len, digest), "{}", path.display());
        }
    }
}

#[test]
fn a_page_that_expands_two_hundredfold_is_read_in_little_memory() {
    let Some(path) = data::unpacked("warc/cdx-writer/small_warcs/giant_html.warc.gz") else { return };
    let mut reader = Reader::open(path, Mode::Strict).unwrap();
    let mut longest = 0;
    while let Some(record) = reader.next().unwrap() {
        longest = longest.max(record.finish().unwrap().block_len);
    }
    assert!(longest > 400_000_000, "{longest}");
}

#[test]
fn what_jhove_calls_valid_passes_and_what_it_calls_invalid_is_refused() {
    let Some(folder) = data::unpacked("warc/jhove/jhove-ext-modules/src/test/resources") else { return };
    let (mut valid, mut invalid) = (0, 0);
    for path in files_below(&folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let worst = worst_fault(&path);
        if name.starts_with("valid-") {
            valid += 1;
            assert!(worst <= Some(Severity::Note), "{name}: {worst:?}");
        } else if name.starts_with("invalid-") {
            invalid += 1;
            assert!(worst > Some(Severity::Note), "{name} passes");
        }
    }
    assert_eq!((valid, invalid), (10, 67));
}

/// The gravest fault of reader, rules and digests together.
fn worst_fault(path: &Path) -> Option<Severity> {
    let mut reader = Reader::open(path, Mode::Lenient).unwrap();
    let (mut verifier, mut worst) = (Verifier::default(), None);
    let mut report = |kind: FaultKind| worst = worst.max(Some(kind.severity()));
    while let Some(record) = reader.next().unwrap() {
        check_head(record.head, &mut report);
        verifier.verify(record, &mut report).unwrap();
    }
    reader.take_faults().list.into_iter().map(|fault| fault.kind.severity()).max().max(worst)
}

fn seen(reader: &mut Reader) -> Vec<Seen> {
    let mut all = Vec::new();
    while let Some(record) = reader.next().unwrap() {
        all.push(see(record));
    }
    all
}

fn see(mut record: tamis_archive::Record<'_>) -> Seen {
    let offset = record.offset();
    let mut hasher = Hasher::new(Algorithm::Sha1);
    hasher.update(record.head.raw());
    std::io::copy(&mut record.body.by_ref(), &mut hasher).unwrap();
    let end = record.finish().unwrap();
    (offset, end.block_len, hasher.finish().to_string())
}

/// The same by three threads, each on 40 kB at a time.
fn scanned(path: &Path) -> Vec<Seen> {
    let options = ScanOptions {
        jobs: NonZero::new(3).unwrap(),
        range_bytes: NonZero::new(40_000).unwrap(),
        ..ScanOptions::default()
    };
    let mut all = Vec::new();
    scan(
        &[Source::file(path)],
        options,
        |part, found: &mut Vec<_>| {
            found.extend(seen(part.reader));
            Ok(())
        },
        |piece| {
            all.extend(piece.result.unwrap());
            ControlFlow::Continue(())
        },
    );
    all
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}
