//! Packs as readers of archives see them: sound, damaged, cut short, and of archives that were cut short themselves.

use std::fs;
use std::io::Read;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;

use tamis_archive::{Door, Fault, FaultKind, Mode, Reader, ScanOptions, Source, scan};
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

pub(super) fn source(path: &Path) -> Source {
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

pub(super) fn spoiled(trial: &Trial, change: impl FnOnce(&mut Vec<u8>)) -> std::path::PathBuf {
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
        (None, vec![0], format!("bytes outside any chunk at offset {end}")),
        (None, vec![0; 5000], format!("bytes outside any chunk at offset {end}")),
        (None, itself, format!("bytes outside any chunk at offset {end}")),
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
            let is_before_dictionary =
                pack.root.segments[0].pieces.last().is_some_and(|piece| end < piece.offset);
            assert!(records.is_empty() == is_before_dictionary, "{profile:?} {number}");
            assert!(whole.starts_with(&records), "{profile:?} {number}");
            if is_before_dictionary {
                continue;
            }
            let content: u64 = blocks[..number].iter().map(|block| block.raw_len).sum();
            let found: usize = records.iter().map(|(_, block)| block.len()).sum();
            assert!(content < 2 * found as u64 + 1000, "{profile:?} {number}: {found} of {content}");
            let told = faults.iter().map(ToString::to_string).collect::<String>();
            assert!(told.contains("truncated") && told.contains(&format!("block {}", number - 1)), "{told}");
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
    assert_eq!(refused.to_string(), "-: a pack must be a regular file");
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

/// A pack of 60 pages in many blocks with a dictionary, its records, and the blocks that each lies in.
fn pack_to_damage() -> (Trial, Pack, Vec<(String, Vec<u8>)>) {
    let trial = Trial::new(archive(60, |_, record| zlib_member(record, 6, 8)));
    let options = PackOptions { dictionary_bytes: Some(16 << 10), ..small_options(Profile::Fast) };
    let pack = trial.pack(Survey::url_order, &options);
    let (whole, faults) = read(&trial.path()).expect("it reads");
    assert_eq!((whole.len(), faults), (60, vec![]));
    (trial, pack, whole)
}

/// How many records do not touch these blocks: those that must be read.
fn records_outside(pack: &Pack, is_lost: impl Fn(&super::pages::BlockEntry) -> bool) -> usize {
    let blocks = pack.block_page(0).expect("it reads").to_vec();
    let mut end = 0;
    let lost: Vec<_> = blocks
        .iter()
        .map(|block| {
            end += block.raw_len;
            (end - block.raw_len..end, is_lost(block))
        })
        .filter_map(|(range, is_lost)| is_lost.then_some(range))
        .collect();
    let records = pack.in_pack_order().expect("it reads").map(|record| record.expect("it reads"));
    let is_outside = |record: &PackedRecord| {
        lost.iter().all(|lost| record.start + record.len <= lost.start || record.start >= lost.end)
    };
    records.filter(is_outside).count()
}

#[test]
fn an_inserted_byte_costs_the_block_that_it_is_in() {
    let (trial, pack, whole) = pack_to_damage();
    let len = fs::metadata(trial.path()).expect("there").len();
    for at in (0..len).step_by(97) {
        let path = spoiled(&trial, |bytes| bytes.insert(at as usize, 0x5a));
        let (records, faults) = read(&path).expect("it reads");
        let is_hit =
            |block: &super::pages::BlockEntry| block.offset < at && at < block.offset + block.chunk_len;
        let expected = records_outside(&pack, is_hit);
        assert!(records.len() >= expected && expected >= 50, "byte {at}: {} of {expected}", records.len());
        assert!(records.iter().all(|record| whole.contains(record)), "byte {at}");
        assert!(!faults.is_empty(), "byte {at}");
        let opened = Pack::open(&path).expect("it opens");
        assert!(!opened.check().expect("it reads").is_empty(), "byte {at}");
        let pieces = &pack.root.segments[0].pieces;
        if pieces.iter().any(|piece| piece.offset < at && at < piece.offset + piece.len) {
            assert!(trial.restored(&opened, 1 << 20) == trial.bytes, "byte {at}");
        }
    }
}

#[test]
fn bytes_that_are_missing_from_the_front_cost_the_blocks_that_they_were_in() {
    let (trial, pack, whole) = pack_to_damage();
    let blocks = pack.block_page(0).expect("it reads").to_vec();
    let dictionary = pack.root.segments[0].pieces.clone();
    // Up to the second piece of the dictionary: the first is mended.
    for missing in (1..dictionary[1].offset).step_by(61) {
        let path = spoiled(&trial, |bytes| drop(bytes.drain(..missing as usize)));
        let (records, faults) = read(&path).expect("it reads");
        let expected = records_outside(&pack, |block| block.offset < missing);
        assert!(records.len() >= expected && expected >= 40, "{missing}: {} of {expected}", records.len());
        assert!(records.iter().all(|record| whole.contains(record)), "{missing}");
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|fault| fault.contains(&format!("{missing} bytes missing"))), "{told:?}");
    }
    assert!(blocks[0].offset == 16 && dictionary[0].offset > blocks[0].offset + blocks[0].chunk_len);
}

#[test]
fn chunks_are_found_after_several_insertions_and_losses() {
    let (trial, pack, whole) = pack_to_damage();
    let blocks = pack.block_page(0).expect("it reads").to_vec();
    let (one, two) = (&blocks[2], &blocks[5]);
    let path = spoiled(&trial, |bytes| {
        let at = (two.offset + 30) as usize;
        bytes.drain(at..at + 9);
        bytes.splice((one.offset + 30) as usize..(one.offset + 30) as usize, *b"xyz");
    });
    let (records, _) = read(&path).expect("it reads");
    let expected = records_outside(&pack, |block| block == one || block == two);
    assert!(records.len() >= expected && expected > 40, "{} of {expected}", records.len());
    assert!(records.iter().all(|record| whole.contains(record)));
}

#[test]
fn a_pack_without_a_root_gives_all_sound_blocks_before_and_after_damage() {
    let (trial, pack, whole) = pack_to_damage();
    let blocks = pack.block_page(0).expect("it reads").to_vec();
    let end = blocks.last().map_or(0, |block| block.offset + block.chunk_len);
    for lost in [0, 3, blocks.len() - 2] {
        let block = &blocks[lost];
        let path = spoiled(&trial, |bytes| {
            bytes.truncate(end as usize + 20);
            // The length of the chunk is damaged, too, so that it does not lead to the next.
            bytes[block.offset as usize + 5..block.offset as usize + 60].fill(0xff);
        });
        let (records, faults) = read(&path).expect("it reads");
        let expected = records_outside(&pack, |other| other == block);
        assert!(records.len() >= expected && expected >= 50, "{lost}: {} of {expected}", records.len());
        assert!(records.iter().all(|record| whole.contains(record)), "{lost}");
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|fault| fault.contains("truncated after block")), "{told:?}");
        assert!(told.iter().any(|fault| fault.contains(&format!("block {lost} at offset"))), "{told:?}");
    }
}

#[test]
fn a_pack_with_both_roots_damaged_gives_all_blocks() {
    let (trial, pack, whole) = pack_to_damage();
    let root = pack.root_place;
    let path = spoiled(&trial, |bytes| {
        bytes[root.offset as usize + 30] ^= 1;
        bytes[(root.offset - root.len) as usize + 30] ^= 1;
    });
    let (records, faults) = read(&path).expect("it reads");
    assert_eq!((records.len(), faults.len()), (whole.len(), 1), "{faults:?}");
    assert!(faults[0].to_string().contains("root is damaged"), "{faults:?}");
}

#[test]
fn a_record_that_its_member_cuts_short_has_the_same_block_in_a_pack() {
    let cut = |n: usize, end: &str| {
        let head = format!("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://cut.org/{n}\r\n");
        format!("{head}Content-Length: 4000\r\n\r\nfewer bytes than that{end}").into_bytes()
    };
    let members = |n: usize, record: &[u8]| match n % 4 {
        0 => zlib_member(&cut(n, "\r\n\r\n"), 6, 8),
        1 => zlib_member(&cut(n, ""), 6, 8),
        // Two in one member: the first ends where the second begins.
        2 => zlib_member(&[&cut(n, "\r\n\r\n")[..], record].concat(), 6, 8),
        _ => zlib_member(record, 6, 8),
    };
    for bytes in [
        archive(16, members),
        archive(16, |n, record| if n % 2 == 0 { cut(n, "\r\n\r\n") } else { record.to_vec() }),
    ] {
        let trial = Trial::new(bytes);
        trial.pack(Survey::url_order, &small_options(Profile::Fast));
        let (mut from_archive, faults) = read(&trial.survey(1).path).expect("it reads");
        let (mut from_pack, pack_faults) = read(&trial.path()).expect("it reads");
        let lens = |faults: &[Fault]| {
            let mut lens: Vec<u64> = faults
                .iter()
                .filter_map(|fault| match fault.kind {
                    FaultKind::BlockTruncated { found, .. } => Some(found),
                    _ => None,
                })
                .collect();
            lens.sort_unstable();
            lens
        };
        assert_eq!(lens(&pack_faults), lens(&faults));
        from_archive.sort();
        from_pack.sort();
        assert!(from_pack == from_archive);
    }
}

#[test]
fn a_pack_of_a_package_reads_as_its_records() {
    // What a WACZ is: archives and other files, stored in a ZIP archive.
    let entry = |name: &str, data: &[u8]| {
        let mut out = b"PK\x03\x04\x14\0\0\0\0\0".to_vec();
        out.extend_from_slice(&[0; 8]);
        out.extend_from_slice(&(data.len() as u32).to_le_bytes());
        out.extend_from_slice(&(data.len() as u32).to_le_bytes());
        out.extend_from_slice(&(name.len() as u16).to_le_bytes());
        out.extend_from_slice(&[0; 2]);
        [&out, name.as_bytes(), data].concat()
    };
    let index = member::gzip(b"org,host)/ 20260101000000 {\"url\": \"http://host.org/\"}\n");
    let package = [
        entry("datapackage.json", b"{\"profile\": \"data-package\"}"),
        entry("archive/one.warc.gz", &archive(20, |_, record| zlib_member(record, 6, 8))),
        entry("indexes/index.cdx.gz", &index),
        entry("archive/two.warc.gz", &some_archive(5)),
        b"PK\x05\x06\0\0".to_vec(),
    ]
    .concat();
    let trial = Trial::new(package);
    let pack = trial.pack(Survey::url_order, &small_options(Profile::Fast));
    assert!(trial.restored(&pack, 1 << 20) == trial.bytes);
    let (records, faults) = read(&trial.path()).expect("it reads");
    assert_eq!((records.len(), faults), (25, vec![]));
    assert_eq!(read_by_threads(&trial.path()), (records, vec![]));
}
