//! Packs as readers of archives see them: sound, damaged, cut short, and of archives that were cut short themselves.

use std::fs;
use std::io::Read;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tamis_archive::captures::{Capture, CaptureOptions, Captures, Event};
use tamis_archive::cdx::{Index, Indexer, Query};
use tamis_archive::{Bytes, Door, Fault, KeyedRecords, Mode, Reader, ScanOptions, Source, scan};
use tamis_testkit::member;

use super::tests::{Trial, archive, jobs, odd_member, page, small_options, some_archive, zlib_member};
use super::*;

/// Address and block of each record, and what is wrong.
type Seen = (Vec<(String, Vec<u8>)>, Vec<Fault>);

fn seen(mut reader: Reader) -> tamis_archive::Result<Seen> {
    let mut records = Vec::new();
    while let Some(mut record) = reader.next()? {
        let uri = record.head.target_uri().unwrap_or_default().into_owned();
        let mut block = Vec::new();
        record.body.read_to_end(&mut block).expect("it reads");
        records.push((uri, block));
    }
    Ok((records, reader.take_faults().list))
}

fn source(path: &Path) -> Source {
    Door::new([open_bytes as tamis_archive::Opener]).source(path)
}

fn read(path: &Path) -> tamis_archive::Result<Seen> {
    seen(source(path).open(Mode::Lenient)?)
}

#[test]
fn readers_of_a_source_share_the_pack_until_the_last_is_gone() {
    let (one, other) = (Trial::new(some_archive(30)), Trial::new(some_archive(40)));
    let options = small_options(Profile::Default);
    for trial in [&one, &other] {
        trial.pack(Survey::url_order, &options);
    }
    let source = source(&one.path());
    let bytes = || source.bytes().expect("it opens").expect("a pack");
    let first = bytes();
    assert!(std::sync::Arc::ptr_eq(&first, &bytes()));
    let reader = source.open(Mode::Lenient).expect("it opens");
    drop(first);
    fs::rename(other.path(), one.path()).expect("it moves");
    assert_eq!(source.len(), Some(bytes().len()), "the reader keeps the first file open");
    assert_eq!(seen(reader).expect("it reads").0.len(), 30);
    assert_eq!(seen(source.open(Mode::Lenient).expect("it opens")).expect("it reads").0.len(), 40);
}

#[test]
fn ranges_of_a_pack_begin_where_its_tables_say() {
    let trial = Trial::new(archive(60, |_, record| zlib_member(record, 6, 8)));
    trial.pack(Survey::url_order, &small_options(Profile::Fast));
    let (whole, _) = read(&trial.path()).expect("it reads");
    let source = source(&trial.path());
    let len = source.len().expect("a length");
    for size in [500, 1999, 30_000] {
        let mut all = Vec::new();
        for start in (0..len).step_by(size) {
            let end = if start + size as u64 >= len { u64::MAX } else { start + size as u64 };
            let (reader, _) = source.open_range(start..end, Mode::Lenient).expect("it opens");
            all.extend(seen(reader).expect("it reads").0);
        }
        assert!(all == whole, "ranges of {size}: {} of {}", all.len(), whole.len());
    }
}

/// The same, read in small ranges by several threads.
fn read_by_threads(path: &Path) -> Seen {
    let options = ScanOptions {
        jobs: jobs(3),
        range_bytes: NonZero::new(3000).expect("not zero"),
        ..ScanOptions::default()
    };
    let mut all: Seen = Default::default();
    let work = |part: tamis_archive::Part<'_>, made: &mut Seen| {
        while let Some(mut record) = part.reader.next()? {
            let uri = record.head.target_uri().unwrap_or_default().into_owned();
            let mut block = Vec::new();
            record.body.read_to_end(&mut block).expect("it reads");
            made.0.push((uri, block));
        }
        made.1.extend(part.reader.take_faults().list);
        Ok(())
    };
    scan(&[source(path)], options, work, |piece| {
        let (records, faults) = piece.result.expect("it reads");
        all.0.extend(records);
        all.1.extend(faults);
        ControlFlow::Continue(())
    });
    all
}

fn spoiled(trial: &Trial, change: impl FnOnce(&mut Vec<u8>)) -> std::path::PathBuf {
    let mut bytes = fs::read(trial.path()).expect("there");
    change(&mut bytes);
    let path = trial.folder.path().join("spoiled.pack");
    fs::write(&path, bytes).expect("writable");
    path
}

#[test]
fn a_damaged_block_is_named_and_hides_nothing_behind_it() {
    let trial = Trial::new(archive(40, |_, record| zlib_member(record, 6, 8)));
    let pack = trial.pack(Survey::url_order, &small_options(Profile::Fast));
    let (whole, faults) = read(&trial.path()).expect("it reads");
    assert_eq!((whole.len(), faults), (40, vec![]));
    let blocks = pack.block_page(0).expect("it reads").to_vec();
    assert!(blocks.len() > 5);
    for (number, block) in blocks.iter().enumerate() {
        let path = spoiled(&trial, |bytes| bytes[(block.offset + block.chunk_len - 3) as usize] ^= 4);
        let (records, faults) = read(&path).expect("it reads");
        let lost = whole.len() - records.len();
        assert!((1..=20).contains(&lost) && records.iter().all(|record| whole.contains(record)), "{number}");
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        let expected = format!("block {number} at offset {}: damaged", block.offset);
        assert!(told.iter().any(|fault| fault.contains(&expected)), "{told:?}");
        assert_eq!(read_by_threads(&path).0, records, "{number}");
        let strict = source(&path).open(Mode::Strict).and_then(seen).map(|_| ()).expect_err("damaged");
        assert!(strict.to_string().contains(&expected), "{strict}");
    }
}

#[test]
fn a_damaged_header_or_footer_leaves_a_pack() {
    let trial = Trial::new(archive(20, |_, record| zlib_member(record, 6, 8)));
    trial.pack(Survey::url_order, &small_options(Profile::Fast));
    let changes: [fn(&mut Vec<u8>); 3] = [
        |bytes| bytes[..16].fill(0),
        |bytes| bytes[3] ^= 1,
        |bytes| {
            let last = bytes.len() - 1;
            (bytes[2], bytes[last]) = (0, !bytes[last]);
        },
    ];
    for change in changes {
        assert_eq!(read(&spoiled(&trial, change)).expect("it reads").0.len(), 20);
    }
    let path = spoiled(&trial, |bytes| bytes.truncate(16));
    let refused = read(&path).map(|_| ()).expect_err("nothing is left").to_string();
    assert!(refused.contains("damaged pack"), "{refused}");
}

#[test]
fn damage_by_which_nothing_is_lost_is_told() {
    let trial = Trial::new(archive(20, |_, record| zlib_member(record, 6, 8)));
    let pack = trial.pack(Survey::url_order, &small_options(Profile::Fast));
    let (root, end) = (pack.root_place, fs::metadata(trial.path()).expect("there").len());
    let itself = fs::read(trial.path()).expect("it reads");
    // Where a bit is flipped, or what is put behind the end.
    for (flipped, surplus, told) in [
        (Some(15), vec![], "header at offset 0".to_owned()),
        (Some(end - 1), vec![], format!("footer at offset {}", end - 32)),
        (Some(root.offset - 3), vec![], format!("root 0 at offset {}", root.offset - root.len)),
        (Some(root.offset + 30), vec![], format!("root 1 at offset {}", root.offset)),
        (None, vec![0], format!("bytes of no chunk at offset {end}")),
        (None, vec![0; 5000], format!("bytes of no chunk at offset {end}")),
        (None, itself, format!("bytes of no chunk at offset {end}")),
    ] {
        let path = spoiled(&trial, |bytes| {
            if let Some(offset) = flipped {
                bytes[offset as usize] ^= 1;
            }
            bytes.extend(&surplus);
        });
        let (records, faults) = read(&path).expect("it reads");
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!((records.len(), faults.len()), (20, 1), "{told}: {faults:?}");
        assert!(faults[0].contains(&told) && faults[0].contains("nothing is lost"), "{told}: {faults:?}");
        let spoiled = Pack::open(&path).expect("it opens");
        let damage = spoiled.check().expect("it reads");
        assert!(damage.len() == 1 && damage[0].to_string().starts_with(&told), "{told}: {damage:?}");
        assert!(trial.restored(&spoiled, 1 << 20) == trial.bytes, "{told}");
    }
}

#[test]
fn a_pack_whose_footer_is_cut_is_whole() {
    let trial = Trial::new(archive(20, |_, record| zlib_member(record, 6, 8)));
    trial.pack(Survey::url_order, &small_options(Profile::Fast));
    for missing in [1, 16, 32] {
        let path = spoiled(&trial, |bytes| bytes.truncate(bytes.len() - missing));
        let cut = Pack::open(&path).expect("it opens");
        assert!(trial.restored(&cut, 1 << 20) == trial.bytes, "{missing}");
        let (records, faults) = read(&path).expect("it reads");
        assert_eq!((records.len(), faults.len()), (20, 1), "{missing}: {faults:?}");
    }
}

#[test]
fn all_blocks_before_a_cut_are_read() {
    let trial = Trial::new(archive(60, |_, record| zlib_member(record, 6, 8)));
    for profile in [Profile::Fast, Profile::Archive] {
        let options = PackOptions { dictionary_bytes: Some(16 << 10), ..small_options(profile) };
        let pack = trial.pack(Survey::url_order, &options);
        let (whole, _) = read(&trial.path()).expect("it reads");
        let blocks = pack.block_page(0).expect("it reads").to_vec();
        for number in 1..blocks.len() {
            let end = blocks[number].offset + blocks[number].chunk_len / 2;
            let path = spoiled(&trial, |bytes| bytes.truncate(end as usize));
            let (records, faults) = read(&path).expect("it reads");
            assert!(!records.is_empty() && whole.starts_with(&records), "{profile:?} {number}");
            let content: u64 = blocks[..number].iter().map(|block| block.raw_len).sum();
            let found: usize = records.iter().map(|(_, block)| block.len()).sum();
            assert!(content < 2 * found as u64 + 1000, "{profile:?} {number}: {found} of {content}");
            let told = faults.iter().map(ToString::to_string).collect::<String>();
            assert!(told.contains("cut short") && told.contains(&format!("block {}", number - 1)), "{told}");
        }
    }
}

#[test]
fn long_blocks_are_read_from_the_front_and_from_their_middle() {
    let bytes: Vec<u8> = (0..60).flat_map(|n| zlib_member(&page(n, 40_000).bytes(), 1, 8)).collect();
    let trial = Trial::new(bytes);
    let options = PackOptions { block_bytes: Some(1 << 20), ..small_options(Profile::Fast) };
    let pack = trial.pack(Survey::url_order, &options);
    assert!(pack.block_page(0).expect("it reads").len() > 1);
    let (records, faults) = read(&trial.path()).expect("it reads");
    assert_eq!((records.len(), faults), (60, vec![]));
    assert!(read_by_threads(&trial.path()) == (records.clone(), vec![]));
    let (mut expected, _) = read(&trial.survey(1).path).expect("it reads");
    let mut sorted = records;
    expected.sort();
    sorted.sort();
    assert!(sorted == expected);
}

#[test]
fn a_pack_is_not_read_from_a_stream() {
    let trial = Trial::new(archive(3, |_, record| member::gzip(record)));
    trial.pack(Survey::url_order, &small_options(Profile::Fast));
    let stream = fs::File::open(trial.path()).expect("there");
    let refused = seen(Reader::from_stream("-", stream, Mode::Lenient)).map(|_| ()).expect_err("refused");
    assert_eq!(refused.to_string(), "-: a pack must be a file");
}

#[test]
fn a_record_that_the_archive_ends_in_is_read_as_from_the_archive() {
    let whole = archive(12, |_, record| zlib_member(record, 6, 8));
    let last = zlib_member(&page(99, 9000).bytes(), 6, 8);
    let plain = archive(12, |_, record| record.to_vec());
    let plain_last = page(99, 9000).bytes();
    for (name, bytes) in [
        ("half a member", [&whole[..], &last[..last.len() / 2]].concat()),
        ("without the trailer", [&whole[..], &last[..last.len() - 3]].concat()),
        ("half a plain record", [&plain[..], &plain_last[..4000]].concat()),
    ] {
        let trial = Trial::new(bytes);
        let pack = trial.pack(Survey::url_order, &small_options(Profile::Fast));
        assert!(trial.restored(&pack, 1 << 30) == trial.bytes, "{name}");
        let (mut from_archive, _) = read(&trial.survey(1).path).expect("it reads");
        let (mut from_pack, faults) = read(&trial.path()).expect("it reads");
        from_archive.sort();
        from_pack.sort();
        assert_eq!(from_archive.len(), 13, "{name}");
        assert!(from_pack == from_archive, "{name}");
        assert_eq!(faults.is_empty(), name == "without the trailer", "{name}: {faults:?}");
        let permuted = trial.folder.path().join("b.warc.gz");
        let survey = trial.survey(1);
        let written = write_permuted(&survey, &survey.url_order(), &permuted, jobs(1), 1 << 20);
        assert_eq!(written.expect("it writes").records, 13, "{name}");
        assert_eq!(read(&permuted).expect("it reads").0.len(), 13, "{name}");
    }
}

#[test]
fn large_members_that_no_encoder_makes_are_read_in_their_place() {
    let bytes: Vec<u8> = (0..5).flat_map(|n| odd_member(&page(n, 300_000 + n).bytes())).collect();
    let trial = Trial::new(bytes);
    let pack = trial.pack(Survey::url_order, &small_options(Profile::Fast));
    assert!(trial.restored(&pack, 1 << 30) == trial.bytes);
    assert_eq!(read(&trial.path()).expect("it reads").0.len(), 5);
    assert_eq!(pack.by_url("org,host3)/page/3").count(), 1);
    assert!(pack.check().expect("it reads").is_empty());
}

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
    assert!(found.len() > 20 && met.iter().any(|fault| fault.contains("cut short")), "{met:?}");
}
