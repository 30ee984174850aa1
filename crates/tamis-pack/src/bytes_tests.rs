//! Packs as readers of archives see them: sound, damaged, cut short, and of archives that were cut short themselves.

use std::fs;
use std::io::Read;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;

use tamis_archive::{Door, Fault, Mode, Reader, ScanOptions, Source, scan};
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
