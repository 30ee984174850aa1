//! Look-ups in packs by URL and by offset, without reading the pack.

use std::fs;
use std::io::Read;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tamis_archive::captures::{Capture, CaptureOptions, Captures, Event};
use tamis_archive::cdx::{Index, Indexer, Query};
use tamis_archive::{Bytes, KeyedRecords, Mode, Reader, ScanOptions, Source};

use super::bytes_tests::{source, spoiled};
use super::tests::{Trial, archive, odd_member, page, small_options, zlib_member};
use super::*;

/// A store that counts the bytes it gives.
struct Counting {
    store: Arc<dyn Bytes>,
    given: Arc<AtomicU64>,
}

impl Bytes for Counting {
    fn len(&self) -> u64 {
        self.store.len()
    }

    fn read_at(&self, offset: u64, room: &mut [u8]) -> std::io::Result<usize> {
        let read = self.store.read_at(offset, room)?;
        self.given.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }

    fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes> {
        let (store, given) = (self.store.clone().for_reader(), self.given.clone());
        Arc::new(Self { store, given })
    }

    fn first_record(&self, from: u64) -> Option<u64> {
        self.store.first_record(from)
    }

    fn records_of(&self, keys: Range<&[u8]>) -> Option<KeyedRecords<'_>> {
        self.store.records_of(keys)
    }

    fn records_at_original(&self, offset: u64) -> Option<std::io::Result<Vec<u64>>> {
        self.store.records_at_original(offset)
    }
}

fn captures_of(sources: impl IntoIterator<Item = Source>) -> Captures {
    let options = CaptureOptions { scan: ScanOptions::default(), sort_folder: std::env::temp_dir() };
    let mut captures = Captures::new(options);
    sources.into_iter().for_each(|source| captures.add(source.file_name(), source));
    captures
}

/// The lines that a look-up gives, and what it meets.
fn looked_up(captures: &Captures, pattern: &str) -> (Vec<String>, Vec<String>) {
    let mut met = Vec::new();
    let mut watch = |event: Event<'_>| {
        match event {
            Event::Faults { faults, .. } => met.extend(faults.list.iter().map(ToString::to_string)),
            Event::Unreadable { error } => met.push(error.to_string()),
            _ => {}
        }
        ControlFlow::Continue(())
    };
    let mut listing = captures.list(&Query::pattern(pattern), &mut watch).expect("it looks");
    let mut lines = Vec::new();
    while let Some(capture) = listing.next_capture().expect("it reads") {
        lines.push(capture.entry.to_cdxj());
    }
    (lines, met)
}

fn nearest(captures: &Captures, url: &str) -> Capture {
    let found = captures.nearest(&Query::exact(url), &mut |_| ControlFlow::Continue(()));
    found.expect("it looks").capture.expect("a capture")
}

fn block_of(captures: &Captures, capture: &Capture) -> tamis_archive::Result<Vec<u8>> {
    let read = |mut record: tamis_archive::Record<'_>| {
        let mut block = Vec::new();
        record.body.read_to_end(&mut block).expect("it reads");
        Ok::<_, tamis_archive::Error>(block)
    };
    captures.read(capture, read).map(|taken| taken.value)
}

#[test]
fn a_url_is_looked_up_without_reading_the_pack() {
    let trial = Trial::new(archive(3000, |_, record| zlib_member(record, 6, 8)));
    trial.pack(Survey::url_order, &small_options(Profile::Fast));
    let given = Arc::new(AtomicU64::new(0));
    let store = source(&trial.path()).bytes().expect("it opens").expect("a pack");
    let len = store.len();
    let counting = Arc::new(Counting { store, given: given.clone() });
    let captures = captures_of([Source::stored("a.pack", counting)]);
    for n in [0, 1234, 2999] {
        let url = format!("http://host{}.org/page/{n}", n % 7);
        given.store(0, Ordering::Relaxed);
        let capture = nearest(&captures, &url);
        assert_eq!(block_of(&captures, &capture).expect("it reads"), page(n, 500 + n * 37 % 4000).block());
        let read = given.load(Ordering::Relaxed);
        assert!(read > 0 && read < len / 3, "{read} of {len} bytes for one record");
    }
    given.store(0, Ordering::Relaxed);
    assert_eq!(looked_up(&captures, "http://nowhere.org/"), (Vec::new(), Vec::new()));
    assert_eq!(given.load(Ordering::Relaxed), 0, "the tables know that there is none");
}

/// The same store, which does not know its records by URL.
struct WithoutKeys(Arc<dyn Bytes>);

impl Bytes for WithoutKeys {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, room: &mut [u8]) -> std::io::Result<usize> {
        self.0.read_at(offset, room)
    }

    fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes> {
        self.0.clone().for_reader()
    }
}

#[test]
fn a_look_up_finds_in_a_pack_what_reading_it_finds() {
    let gzip = archive(200, |_, record| zlib_member(record, 6, 8));
    let some_more = [
        &archive(200, |_, record| zlib_member(record, 6, 8))[..],
        &odd_member(&page(900, 500).bytes()),
        b"garbage",
    ];
    let plain = archive(200, |_, record| record.to_vec());
    let damaged = [&gzip[..], &gzip[..gzip.len() / 2]].concat();
    for (what, bytes) in
        [("gzip", gzip.clone()), ("odd", some_more.concat()), ("plain", plain), ("damaged", damaged)]
    {
        let trial = Trial::new(bytes);
        trial.pack(Survey::url_order, &small_options(Profile::Default));
        let store = source(&trial.path()).bytes().expect("it opens").expect("a pack");
        let asked = captures_of([Source::stored("a.pack", store.clone())]);
        let read = captures_of([Source::stored("a.pack", Arc::new(WithoutKeys(store)))]);
        for pattern in ["http://host3.org/page/3", "host3.org/page/1*", "*.host5.org", "*.org", "none.org"] {
            let (asked, read) = (looked_up(&asked, pattern), looked_up(&read, pattern));
            assert_eq!(asked.0, read.0, "{what}: {pattern}");
            assert!(
                asked.1.iter().all(|fault| read.1.contains(fault)),
                "{what}: {pattern}: {asked:?} {read:?}"
            );
            // Damage in other records is not on the way.
            let is_told = what == "damaged" || asked.1.is_empty() == read.1.is_empty();
            assert!(is_told, "{what}: {pattern}: {asked:?} {read:?}");
        }
    }
}

#[test]
fn an_index_of_the_archive_fits_its_pack() {
    for (what, bytes) in [
        ("gzip", archive(100, |_, record| zlib_member(record, 6, 8))),
        ("plain", archive(100, |_, record| record.to_vec())),
    ] {
        let trial = Trial::new(bytes);
        trial.pack(Survey::url_order, &small_options(Profile::Default));
        let path = trial.folder.path().join("a.warc.gz");
        let mut reader = Reader::open(&path, Mode::Lenient).expect("it opens");
        let (mut indexer, mut entries) = (Indexer::default(), Vec::new());
        while let Some(record) = reader.next().expect("it reads") {
            indexer.index(record, "a.warc.gz", &mut entries).expect("it reads");
        }
        let mut lines: Vec<String> = entries.iter().map(|entry| entry.to_cdxj() + "\n").collect();
        lines.sort();
        let index = trial.folder.path().join("a.cdxj");
        fs::write(&index, lines.concat()).expect("writable");
        let options = CaptureOptions { scan: ScanOptions::default(), sort_folder: std::env::temp_dir() };
        for name in ["a.warc.gz.pack", "a.pack"] {
            let pack = trial.folder.path().join(name);
            if !pack.exists() {
                fs::copy(trial.path(), &pack).expect("writable");
            }
            let mut captures = Captures::new(options.clone());
            captures
                .add_indexed(Index::open([&index]).expect("it opens"), [(name.to_owned(), source(&pack))]);
            for n in 0..100 {
                let url = format!("http://host{}.org/page/{n}", n % 7);
                let block = block_of(&captures, &nearest(&captures, &url)).expect("it reads");
                assert_eq!(block, page(n, 500 + n * 37 % 4000).block(), "{what}: {url}");
            }
        }
    }
}

#[test]
fn a_pack_with_damaged_tables_is_read_instead() {
    let trial = Trial::new(archive(100, |_, record| zlib_member(record, 6, 8)));
    let pack = trial.pack(Survey::url_order, &small_options(Profile::Fast));
    let place = pack.root.urls[0].place;
    let path = spoiled(&trial, |bytes| bytes[(place.offset + place.len / 2) as usize] ^= 1);
    let (found, met) = looked_up(&captures_of([source(&path)]), "http://host3.org/page/3");
    assert_eq!(found.len(), 1);
    assert!(met.iter().any(|fault| fault.contains("damaged pack: ")), "{met:?}");
    let cut = spoiled(&trial, |bytes| bytes.truncate(bytes.len() / 2));
    let (found, met) = looked_up(&captures_of([source(&cut)]), "*.org");
    assert!(found.len() > 20 && met.iter().any(|fault| fault.contains("truncated")), "{met:?}");
}
