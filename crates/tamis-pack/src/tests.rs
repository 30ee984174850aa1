//! Whole packs: written, read, damaged, restored.

use std::fs;
use std::num::NonZero;
use std::path::Path;

use proptest::prelude::*;
use tamis_testkit::{Record, member};

use super::*;

/// A folder, an archive in it, and what was packed of it.
pub(super) struct Trial {
    pub(super) folder: tempfile::TempDir,
    pub(super) bytes: Vec<u8>,
}

pub(super) fn jobs(count: usize) -> NonZero<usize> {
    NonZero::new(count).expect("not zero")
}

impl Trial {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.warc.gz"), &bytes).expect("writable");
        Self { folder, bytes }
    }

    pub(super) fn survey(&self, count: usize) -> Survey {
        Survey::new(self.folder.path().join("a.warc.gz"), jobs(count), |_, _| {}).expect("it surveys")
    }

    pub(super) fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("a.pack")
    }

    pub(super) fn pack(&self, order: impl Fn(&Survey) -> Vec<u32>, options: &PackOptions) -> Pack {
        let survey = self.survey(2);
        pack(&survey, &order(&survey), self.path(), options).expect("it packs");
        Pack::open(self.path()).expect("it opens")
    }

    pub(super) fn restored(&self, pack: &Pack, memory_bytes: u64) -> Vec<u8> {
        let options = RestoreOptions { jobs: jobs(2), memory_bytes, folder: self.folder.path().into() };
        let mut out = Vec::new();
        pack.restore(&mut out, &options).expect("it restores");
        out
    }
}

pub(super) fn small_options(profile: Profile) -> PackOptions {
    PackOptions { jobs: jobs(2), block_bytes: Some(8 << 10), ..PackOptions::new(profile) }
}

pub(super) fn page(n: usize, len: usize) -> Record {
    let words = ["sieve", "page", "<div class=\"item\">", "</div>", "crawl", "of the", "web", "archive"];
    let mut text = format!("<html><head><title>Page {n} of the site</title></head><body>");
    let mut state = n as u32 + 1;
    while text.len() < len {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(words[(state >> 24) as usize % words.len()]);
        text.push_str(&((state >> 16) % 50).to_string());
    }
    Record::resource(&format!("http://host{}.org/page/{n}", n % 7), "text/html", text)
}

pub(super) fn archive(count: usize, store: impl Fn(usize, &[u8]) -> Vec<u8>) -> Vec<u8> {
    (0..count).flat_map(|n| store(n, &page(n, 500 + n * 37 % 4000).bytes())).collect()
}

/// Pages in members of zlib.
pub(super) fn some_archive(count: usize) -> Vec<u8> {
    archive(count, |_, record| zlib_member(record, 6, 8))
}

pub(super) fn zlib_member(content: &[u8], level: u8, memory: u8) -> Vec<u8> {
    let coding = coding::Coding::Gzip {
        encoder: deflate::Encoder::Zlib { level, memory },
        header: Some(b"\x1f\x8b\x08\0\0\0\0\0\x02\x03".to_vec()),
    };
    let mut out = Vec::new();
    coding::Remaker::default().remake(&coding, content, &[], &mut out).expect("it compresses");
    out
}

/// A valid stream that no encoder makes: stored blocks of odd sizes.
pub(super) fn odd_member(content: &[u8]) -> Vec<u8> {
    let mut out = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    for (piece, at) in content.chunks(100).zip(1..) {
        out.push(u8::from(at * 100 >= content.len()));
        out.extend_from_slice(&(piece.len() as u16).to_le_bytes());
        out.extend_from_slice(&(!(piece.len() as u16)).to_le_bytes());
        out.extend_from_slice(piece);
    }
    if content.is_empty() {
        out.extend_from_slice(&[3, 0]);
    }
    out.extend_from_slice(&gzip_header::trailer(crc32fast::hash(content), content.len() as u64));
    out
}

fn reversed(survey: &Survey) -> Vec<u32> {
    (0..survey.record_count() as u32).rev().collect()
}

#[test]
fn archives_of_every_encoder_come_back_and_records_are_found() {
    let dictionary = page(1, 3000).bytes();
    let with_dictionary = |dictionary: &[u8]| {
        let frames = archive(40, |_, record| member::zstd_with_dictionary(record, dictionary));
        [member::dictionary_frame(dictionary, member::Dictionary::Raw), frames].concat()
    };
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("zlib 6", archive(40, |_, record| zlib_member(record, 6, 8))),
        (
            "zlib 9 and gzip 4",
            archive(
                40,
                |n, record| if n % 3 == 0 { zlib_member(record, 9, 8) } else { zlib_member(record, 4, 9) },
            ),
        ),
        ("zlib-rs", archive(40, |_, record| member::gzip(record))),
        ("names", archive(40, |n, record| member::gzip_named(record, &format!("page {n}")))),
        ("skip lengths", archive(300, |_, record| member::gzip_sl(record))),
        ("no encoder", archive(40, |_, record| odd_member(record))),
        ("plain", archive(40, |_, record| record.to_vec())),
        ("zstd", archive(40, |_, record| member::zstd(record))),
        ("zstd with a dictionary", with_dictionary(&dictionary)),
        ("one member", member::gzip(&archive(40, |_, record| record.to_vec()))),
        (
            "members that cut records",
            archive(40, |_, record| record.chunks(700).flat_map(member::gzip).collect()),
        ),
    ];
    for (name, bytes) in cases {
        let trial = Trial::new(bytes);
        for profile in [Profile::Default, Profile::Fast, Profile::Archive, Profile::Record] {
            let pack = trial.pack(reversed, &small_options(profile));
            assert!(trial.restored(&pack, 10 << 10) == trial.bytes, "{name} {profile:?}");
            assert!(trial.restored(&pack, 1 << 30) == trial.bytes, "{name} {profile:?}");
            assert_eq!(pack.check().expect("it reads"), []);
            check_records(name, &trial, &pack);
        }
    }
}

/// Every record of the original file is found by its offset and its URL, with its bytes.
fn check_records(name: &str, trial: &Trial, pack: &Pack) {
    let survey = trial.survey(1);
    let all: Vec<PackedRecord> = pack.in_original_order().collect::<Result<_>>().expect("it reads");
    let records: Vec<PackedRecord> = all.iter().copied().filter(|record| record.kind.is_record()).collect();
    assert_eq!(records.len(), survey.record_count(), "{name}");
    assert_eq!(pack.facts().records, records.len() as u64);
    for (facts, record) in survey.records().zip(&records) {
        assert_eq!((facts.offset, facts.len, facts.kind), (record.offset, record.len, record.kind), "{name}");
        assert!(pack.by_offset(facts.offset).expect("it reads").contains(record), "{name}");
        let by_url: Vec<_> = pack.by_url(facts.key).collect::<Result<_>>().expect("it reads");
        assert!(by_url.contains(&(facts.key.to_vec(), *record)), "{name}");
        let mut bytes = Vec::new();
        pack.read(record, &mut bytes).expect("it reads");
        assert_eq!(bytes, page(facts.number, 500 + facts.number * 37 % 4000).bytes(), "{name}");
    }
    let mut sorted: Vec<PackedRecord> =
        pack.in_pack_order().expect("it reads").collect::<Result<_>>().expect("it reads");
    assert!(sorted.is_sorted_by_key(|record| record.packed), "{name}");
    sorted.sort_by_key(|record| record.number);
    assert_eq!(sorted, all, "{name}");
    let hosts = pack.by_url("org,host3)").collect::<Result<Vec<_>>>().expect("it reads");
    let expected = survey.records().filter(|facts| facts.number % 7 == 3).count();
    assert_eq!(hosts.len(), expected, "{name}");
    assert!(hosts.is_sorted_by_key(|(key, _)| key.clone()));
    assert_eq!(pack.by_url("org,none").count(), 0);
}

#[test]
fn the_encoder_is_learnt_and_nothing_is_kept_beside_its_members() {
    for (level, memory) in [(6, 8), (9, 8), (1, 9)] {
        let trial = Trial::new(archive(60, |_, record| zlib_member(record, level, memory)));
        let survey = trial.survey(2);
        assert!(survey.sides.is_empty() && survey.record_count() == 60);
        assert!(survey.palette.0.len() <= 3, "{:?}", survey.palette.0);
    }
}

#[test]
fn the_same_bytes_come_of_any_number_of_threads() {
    let trial =
        Trial::new(archive(
            300,
            |n, record| if n % 5 == 0 { odd_member(record) } else { zlib_member(record, 6, 8) },
        ));
    let made = |count: usize| {
        let survey = trial.survey(count);
        let options = PackOptions { jobs: jobs(count), ..small_options(Profile::Fast) };
        pack(&survey, &survey.url_order(), trial.path(), &options).expect("it packs");
        fs::read(trial.path()).expect("there")
    };
    assert!(made(1) == made(3));
}

#[test]
fn every_flipped_byte_is_told_and_the_other_blocks_stay_readable() {
    let trial = Trial::new(archive(12, |_, record| zlib_member(record, 6, 8)));
    let options = PackOptions { dictionary_bytes: Some(8 << 10), ..small_options(Profile::Fast) };
    let pack = trial.pack(Survey::url_order, &options);
    assert!(pack.root.segments.iter().any(|segment| !segment.pieces.is_empty()), "it has a dictionary");
    check_all_flips(&trial, &options, 1);
}

/// Flips a bit of each byte, or of some, and cuts the pack.
pub(super) fn check_all_flips(trial: &Trial, options: &PackOptions, step: usize) {
    let pack = trial.pack(Survey::url_order, options);
    let records: Vec<PackedRecord> = pack.in_original_order().collect::<Result<_>>().expect("it reads");
    let bytes = fs::read(trial.path()).expect("there");
    let damaged = trial.folder.path().join("damaged.pack");
    for at in (0..bytes.len()).step_by(step) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&damaged, &flipped).expect("writable");
        check_flipped(&damaged, at as u64, &records, trial);
    }
    for cut in (0..bytes.len()).step_by(37) {
        fs::write(&damaged, &bytes[..cut]).expect("writable");
        let told =
            Pack::open(&damaged).and_then(|pack| pack.check()).map_or(true, |damage| !damage.is_empty());
        assert!(told, "cut at {cut}");
    }
}

fn check_flipped(path: &Path, at: u64, records: &[PackedRecord], trial: &Trial) {
    let pack = Pack::open(path).unwrap_or_else(|error| panic!("byte {at}: {error}"));
    let damage = pack.check().expect("it reads");
    let [damage] = &damage[..] else { panic!("byte {at}: {damage:?}") };
    assert!((damage.offset..damage.offset + damage.len).contains(&at), "byte {at}: {damage}");
    if at.is_multiple_of(7) {
        let mut out = Vec::new();
        let restored = pack.restore(&mut out, &RestoreOptions::new(trial.folder.path()));
        // What finds records by URL is not needed to restore.
        let is_needed = !damage.is_mended
            && !matches!(damage.part, Part::Chunk(ChunkKind::UrlPage | ChunkKind::RecordPage, _));
        assert_eq!(restored.is_err(), is_needed, "byte {at}: {damage}");
        assert!(restored.is_err() || out == trial.bytes);
    }
    if let Part::Chunk(ChunkKind::Block, _) = damage.part {
        let lost = damage.records.clone().expect("known");
        for record in records {
            let read = pack.read(record, &mut Vec::new());
            assert_eq!(read.is_err(), lost.contains(&record.packed), "byte {at}: {damage}");
        }
    }
}

#[test]
fn wrong_orders_and_foreign_files_are_refused() {
    let trial = Trial::new(archive(3, |_, record| member::gzip(record)));
    let survey = trial.survey(1);
    for order in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[]] {
        let refused = pack(&survey, order, trial.path(), &small_options(Profile::Fast));
        assert!(matches!(refused, Err(Error::Order { .. })) && !trial.path().exists());
    }
    let mut later = chunk::HEADER;
    later[14] += 1;
    later[15] = !later[14];
    for (bytes, why) in [
        (&b""[..], "not a pack"),
        (b"WARC/1.0\r\n", "not a pack"),
        (&[0; 5000], "not a pack"),
        (&chunk::HEADER, "footer"),
        (&later, "newer version"),
    ] {
        fs::write(trial.path(), bytes).expect("writable");
        let refused = Pack::open(trial.path()).err().expect("refused").to_string();
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn files_without_records_are_told_apart() {
    // A frame that was flushed in its midst is of no settings.
    let odd_frame = {
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("memory");
        for n in 0..600 {
            std::io::Write::write_all(&mut encoder, &page(n, 4000).bytes()).expect("it compresses");
            std::io::Write::flush(&mut encoder).expect("it compresses");
        }
        encoder.finish().expect("it compresses")
    };
    for (bytes, expected) in [
        (b"no archive at all\n".to_vec(), Some(NoRecords::NotAnArchive)),
        (odd_frame, Some(NoRecords::Compressed)),
        (Vec::new(), None),
        (some_archive(1), None),
    ] {
        let trial = Trial::new(bytes);
        let why = match trial.survey(1).check_records() {
            Err(Error::NoRecords { why, .. }) => Some(why),
            other => other.map(|()| None).expect("no other error"),
        };
        assert_eq!(why, expected);
        let pack = trial.pack(Survey::url_order, &small_options(Profile::Fast));
        assert!(trial.restored(&pack, 1 << 20) == trial.bytes, "packed or not, it comes back");
    }
}

#[test]
fn an_input_that_changes_is_told_and_leaves_no_pack() {
    let trial = Trial::new(archive(20, |_, record| zlib_member(record, 6, 8)));
    let survey = trial.survey(1);
    for change in
        [&trial.bytes[..trial.bytes.len() - 3], &[&trial.bytes[..], b"more"].concat(), &trial.bytes[1..]]
    {
        fs::write(&survey.path, change).expect("writable");
        let refused = pack(&survey, &survey.url_order(), trial.path(), &small_options(Profile::Fast));
        assert!(matches!(refused, Err(Error::InputChanged { .. })), "{refused:?}");
        assert_eq!(fs::read_dir(trial.folder.path()).expect("there").count(), 1);
    }
}

#[test]
fn permuted_archives_have_all_records_in_the_new_order() {
    let trial = Trial::new([archive(30, |_, record| member::gzip(record)), b"garbage".to_vec()].concat());
    let survey = trial.survey(1);
    let path = trial.folder.path().join("b.warc.gz");
    let order = reversed(&survey);
    let written = write_permuted(&survey, &order, &path, jobs(2), 20 << 10).expect("it writes");
    assert_eq!((written.records, written.left_out), (30, 7));
    let mut reader = tamis_archive::Reader::open(&path, tamis_archive::Mode::Strict).expect("it opens");
    for &number in &order {
        let record = reader.next().expect("it reads").expect("there is one");
        assert_eq!(
            record.head.target_uri().as_deref(),
            Some(&format!("http://host{}.org/page/{number}", number % 7)[..])
        );
    }
    assert!(reader.next().expect("it reads").is_none());
}

#[test]
fn large_records_cross_blocks_and_segments() {
    let noise: Vec<u8> = (0..3_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
    let records = [page(1, 900), Record::resource("http://big.org/", "video/mp4", noise), page(2, 2000)];
    let bytes: Vec<u8> = records.iter().flat_map(|record| zlib_member(&record.bytes(), 6, 8)).collect();
    let trial = Trial::new(bytes);
    let options =
        PackOptions { segment_bytes: 1 << 20, block_bytes: Some(64 << 10), ..small_options(Profile::Fast) };
    let pack = trial.pack(reversed, &options);
    assert!(trial.restored(&pack, 300_000) == trial.bytes);
    let (_, big) = pack.by_url("org,big)/").next().expect("there").expect("it reads");
    let mut bytes = Vec::new();
    pack.copy(&big, &mut bytes).expect("it reads");
    assert!(bytes == records[1].bytes());
}

/// A page of words by chance, of which no two go together.
fn dense_page(n: usize, len: usize) -> Record {
    use std::fmt::Write;

    let mut state = n as u64 + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 40
    };
    let mut text = String::new();
    while text.len() < len {
        // Always the same letters for a number.
        let word = (next() % 4096).wrapping_mul(2_654_435_761) % 0xf_ffff;
        write!(text, "{word:x} ").expect("a string takes it");
    }
    Record::resource(&format!("http://dense.org/{n}"), "text/plain", text)
}

#[test]
fn blocks_that_take_long_to_unpack_are_short_and_others_long() {
    let plain = |pages: &mut dyn Iterator<Item = Record>| pages.flat_map(|page| page.bytes()).collect();
    let dense: Vec<u8> = plain(&mut (0..24).map(|n| dense_page(n, 128 << 10)));
    let alike: Vec<u8> = plain(&mut (0..64).map(|n| page(n % 2, 128 << 10)));
    let limit = PackOptions::new(Profile::Default).block_limit().expect("a limit");
    for (bytes, lens) in [(dense, 300 << 10..2 << 20), (alike, 4 << 20..limit.len + 1)] {
        let trial = Trial::new(bytes);
        let options = |count| PackOptions { jobs: jobs(count), ..PackOptions::new(Profile::Default) };
        let pack = trial.pack(Survey::url_order, &options(1));
        let entries = pack.block_page(0).expect("it reads").to_vec();
        for entry in &entries {
            let chunk = pack.chunk_bytes(entry.place()).expect("it reads").expect("there");
            let (frame, payload) = chunk::Frame::check(&chunk).expect("sound");
            assert!(cost::Cost::of(frame.packing, payload, frame.raw_len as usize) <= limit.most_cost);
        }
        let longest = entries.iter().map(|entry| entry.raw_len as usize).max().expect("a block");
        assert!(lens.contains(&longest), "{longest} {lens:?}");
        for record in pack.in_pack_order().expect("it reads") {
            let record = record.expect("it reads");
            let (_, entry, start) = pack.block_at(record.start).expect("there");
            assert!(record.start + record.len <= start + entry.raw_len, "no record lies in two blocks");
        }
        assert!(trial.restored(&pack, 1 << 20) == trial.bytes);
        let written = fs::read(trial.path()).expect("there");
        trial.pack(Survey::url_order, &options(3));
        assert!(written == fs::read(trial.path()).expect("there"), "for any number of threads");
    }
}

#[test]
fn a_page_unpacks_no_more_of_its_block_than_it_needs() {
    let trial = Trial::new(some_archive(60));
    let options = PackOptions { block_bytes: Some(32 << 10), ..small_options(Profile::Default) };
    let pack = trial.pack(reversed, &options);
    let entries = pack.block_page(0).expect("it reads").to_vec();
    assert!(entries.len() > 3);
    let block = |number: usize, len: usize| {
        pack.block(number as u64, &entries[number], len).expect("it reads").to_vec()
    };
    let whole: Vec<Vec<u8>> = entries
        .iter()
        .zip(0..)
        .map(|(entry, number)| pack.read_block(number, entry).expect("it reads"))
        .collect();
    let start = block(2, 3000);
    assert_eq!((start.len(), &start[..]), (3000, &whole[2][..3000]));
    assert_eq!(block(2, 20).len(), 3000, "kept");
    assert!(block(2, 3001) == whole[2], "who comes back gets all");
    assert!(block(3, 10) == whole[3], "who comes from the block before gets all");
    let most = entries[0].raw_len as usize - 10;
    assert!(block(0, most) == whole[0], "little less than all is all");
}

#[test]
fn single_pages_keep_the_dictionaries_of_all_segments_and_going_over_keeps_few() {
    let pages: Vec<u8> = (0..56).flat_map(|n| page(n, 128 << 10).bytes()).collect();
    let trial = Trial::new(pages);
    let options = PackOptions {
        segment_bytes: 1 << 20,
        block_bytes: Some(200 << 10),
        verify: false,
        ..PackOptions::new(Profile::Fast)
    };
    let pack = trial.pack(Survey::url_order, &options);
    let segments = pack.root.segments.len() as u64;
    assert!(segments > 6 && pack.root.segments.iter().all(|segment| !segment.pieces.is_empty()));
    let kept = || {
        let mut dictionaries = pack.caches.dictionaries.lock().expect("no panic");
        (0..segments).filter(|&segment| dictionaries.get(segment).is_some()).count() as u64
    };
    let records: Vec<_> =
        pack.in_pack_order().expect("it reads").map(|record| record.expect("it reads")).collect();
    let mut bytes = Vec::new();
    // A page of each segment, from the last to the first: nobody comes from the block before.
    for record in records.iter().rev().step_by(5) {
        pack.read(record, &mut bytes).expect("it reads");
    }
    assert_eq!(kept(), segments);
    let pack = Pack::open(trial.path()).expect("it opens");
    bytes.clear();
    for record in &records {
        pack.read(record, &mut bytes).expect("it reads");
    }
    let mut dictionaries = pack.caches.dictionaries.lock().expect("no panic");
    let count = (0..segments).filter(|&segment| dictionaries.get(segment).is_some()).count();
    assert!((1..=4).contains(&count), "{count}");
}

#[test]
fn dictionaries_of_many_pieces_and_segments_are_found_behind_a_cut_and_with_old_numbers() {
    let bytes: Vec<u8> = (0..120).flat_map(|n| zlib_member(&page(n, 30_000).bytes(), 6, 8)).collect();
    let trial = Trial::new(bytes);
    let options = PackOptions {
        segment_bytes: 1 << 20,
        block_bytes: Some(64 << 10),
        dictionary_bytes: Some(256 << 10),
        ..small_options(Profile::Fast)
    };
    let made = trial.pack(reversed, &options);
    let pieces: Vec<usize> = made.root.segments.iter().map(|segment| segment.pieces.len()).collect();
    assert!(pieces.len() > 2 && pieces.iter().all(|&count| (20..=65).contains(&count)), "{pieces:?}");
    assert_eq!(made.check().expect("it reads"), []);
    let bytes = fs::read(trial.path()).expect("there");
    let all = made.block_page(0).expect("it reads").to_vec();
    let path = trial.folder.path().join("cut.pack");
    for cut in [all.len() / 2, all.len() - 2] {
        fs::write(&path, &bytes[..all[cut].offset as usize + 9]).expect("writable");
        let (left, _) = Pack::salvage(&path).expect("it reads").expect("blocks are left");
        assert_eq!(left.block_page(0).expect("it walks")[..], all[..cut]);
        for (entry, number) in all[..cut].iter().zip(0..) {
            let expected = made.read_block(number, entry).expect("it reads");
            assert!(left.read_block(number, entry).expect("it reads") == expected, "block {number}");
        }
    }
    // As versions 1 and 2 number them: those of the second segment from 17 on.
    let options = PackOptions { dictionary_bytes: Some(20 << 10), ..options };
    let made = trial.pack(reversed, &options);
    let mut bytes = fs::read(trial.path()).expect("there");
    let segment = &made.root.segments[1];
    assert!(segment.pieces.len() <= 17);
    for (piece, number) in segment.pieces.iter().zip(17..) {
        let start = piece.offset as usize;
        let end = start + piece.len as usize;
        let (frame, payload) = chunk::Frame::check(&bytes[start..end]).expect("sound");
        let mut renumbered = Vec::new();
        chunk::Frame { number, ..frame }.write(payload, &mut renumbered).expect("memory");
        bytes[start..end].copy_from_slice(&renumbered);
    }
    fs::write(&path, &bytes).expect("writable");
    assert_eq!(Pack::open(&path).expect("it opens").check().expect("it reads"), []);
}

#[test]
fn packs_of_version_1_still_open() {
    check_old(include_bytes!("old/version-1.pack"), &old_archive());
}

#[test]
fn packs_of_version_3_still_open() {
    check_old(include_bytes!("old/version-3.pack"), &archive_of_two_segments());
}

#[test]
fn packs_of_version_4_still_open() {
    check_old(include_bytes!("old/version-4.pack"), &archive_of_two_segments());
}

/// What the committed packs were made of: more than a segment of 1 MiB, most of it pages that come again.
fn archive_of_two_segments() -> Vec<u8> {
    (0..120).flat_map(|n| zlib_member(&page(n % 12, 9500).bytes(), 6, 8)).collect()
}

/// A pack of before is sound, and gives back what it was made of.
pub(super) fn check_old(pack: &[u8], archive: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.pack");
    fs::write(&path, pack).expect("writable");
    let pack = Pack::open(&path).expect("it opens");
    assert_eq!(pack.check().expect("it reads"), []);
    let mut out = Vec::new();
    let restored = pack.restore(&mut out, &RestoreOptions::new(folder.path()));
    let has_corrections =
        pack.root.palette.iter().any(|coding| matches!(coding, coding::Coding::GzipGuessed { .. }));
    if has_corrections && cfg!(not(feature = "preflate")) {
        let refused = restored.expect_err("no build without the feature makes its members");
        assert!(refused.hint().is_some_and(|hint| hint.contains("tamis-pack/preflate")), "{refused}");
        for record in pack.in_original_order() {
            pack.read(&record.expect("it reads"), &mut Vec::new()).expect("it reads");
        }
        return;
    }
    restored.expect("it restores");
    assert!(out == archive);
}

/// What the committed pack was made of: members of each encoder, one that no encoder makes, and garbage.
fn old_archive() -> Vec<u8> {
    let stored = |n: usize, record: &[u8]| match n % 5 {
        0 => zlib_member(record, 6, 8),
        1 => zlib_member(record, 9, 9),
        2 => member::zstd(record),
        3 => odd_member(record),
        _ => [&b"garbage"[..], &zlib_member(record, 1, 8)].concat(),
    };
    archive(15, stored)
}

#[test]
fn real_archives_come_back() {
    let Some(folder) = tamis_testkit::real_data("warc") else { return };
    let mut folders = vec![folder];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> =
            fs::read_dir(folder).expect("there").flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for path in entries {
            let len = path.metadata().map_or(0, |metadata| metadata.len());
            if path.is_dir() {
                folders.push(path);
            } else if len < 100_000 && count < 150 {
                count += 1;
                let trial = Trial::new(fs::read(&path).expect("readable"));
                let pack = trial
                    .pack(Survey::url_order, &PackOptions { verify: false, ..small_options(Profile::Fast) });
                assert!(trial.restored(&pack, 1 << 20) == trial.bytes, "{}", path.display());
                // Of an encoder that we do not know, the member is kept beside its content.
                let most = 2 * len + len / 5 + 1000;
                assert!(pack.facts().pack_len < most, "{}: {}", path.display(), pack.facts().pack_len);
            }
        }
    }
}

fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let part =
        (0_usize..11, 0_usize..40, prop::collection::vec(any::<u8>(), 0..80)).prop_map(|(kind, n, bytes)| {
            let record = page(n, 20 * n).bytes();
            match kind {
                0 => zlib_member(&record, 6, 8),
                1 => member::gzip_bad_crc(&record),
                2 => member::gzip_bad_data(&record),
                3 => member::gzip_bad_length(&record),
                4 => {
                    let member = member::gzip(&record);
                    member[..member.len() / 2].to_vec()
                }
                5 => member::zstd(&record),
                6 => record,
                7 => odd_member(&record),
                8 => member::gzip(&bytes),
                9 => member::gzip(b""),
                _ => bytes,
            }
        });
    prop::collection::vec(part, 0..10).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_the_bytes_they_come_back(bytes in hostile(), seed: u64) {
        let trial = Trial::new(bytes);
        let shuffled = |survey: &Survey| {
            let mut order: Vec<u32> = (0..survey.record_count() as u32).collect();
            order.sort_by_key(|&number| (u64::from(number) + 1).wrapping_mul(seed | 1).rotate_left(20));
            order
        };
        let options = PackOptions { block_bytes: Some(1 << 10), dictionary_bytes: Some(4 << 10), ..small_options(Profile::Fast) };
        let pack = trial.pack(shuffled, &options);
        prop_assert!(trial.restored(&pack, 1 << 10) == trial.bytes);
        prop_assert_eq!(pack.check().expect("it reads"), []);
        for record in pack.in_original_order() {
            pack.read(&record.expect("it reads"), &mut Vec::new()).expect("it reads");
        }
    }
}

#[test]
fn members_too_large_for_memory_are_packed_as_records() {
    let text: Vec<u8> = (0..1_600_000_u32)
        .flat_map(|n| (n.wrapping_mul(2_654_435_761) >> 25).to_string().into_bytes())
        .collect();
    assert!(3 * text.len() > coding::MEMBER_LIMIT);
    let huge =
        |n: usize| Record::resource(&format!("http://huge.org/{n}"), "text/html", text.repeat(3)).bytes();
    let members = [
        zlib_member(&page(1, 900).bytes(), 6, 8),
        zlib_member(&huge(1), 6, 8),
        flushed_member(&huge(2)),
        zlib_member(&page(2, 900).bytes(), 6, 8),
    ];
    let trial = Trial::new(members.concat());
    let survey = trial.survey(2);
    assert_eq!(survey.record_count(), 4);
    let options = PackOptions { block_bytes: Some(1 << 20), ..small_options(Profile::Fast) };
    let pack = trial.pack(Survey::url_order, &options);
    let codings: Vec<_> =
        pack.root.palette.iter().filter(|coding| **coding != coding::Coding::Plain).collect();
    assert!(matches!(codings[..], [coding::Coding::Gzip { .. }, coding::Coding::Kept]), "{codings:?}");
    assert!(trial.restored(&pack, 4 << 20) == trial.bytes);
    let (_, found) = pack.by_url("org,huge)/1").next().expect("there").expect("it reads");
    let mut bytes = Vec::new();
    pack.copy(&found, &mut bytes).expect("it reads");
    assert!(bytes == huge(1));
}

/// A member that was flushed in its midst, as no encoder that is known does.
fn flushed_member(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    let (first, second) = content.split_at(content.len() / 2);
    for piece in [first, second] {
        std::io::Write::write_all(&mut encoder, piece).expect("memory");
        std::io::Write::flush(&mut encoder).expect("memory");
    }
    encoder.finish().expect("memory")
}

#[test]
fn a_pack_of_the_name_that_another_run_wrote_is_not_replaced() {
    let trial = Trial::new(some_archive(3));
    let survey = trial.survey(1);
    let options = PackOptions { replace: false, ..small_options(Profile::Fast) };
    pack(&survey, &survey.url_order(), trial.path(), &options).expect("it packs");
    fs::write(trial.path(), b"of another run").expect("writable");
    let refused = pack(&survey, &survey.url_order(), trial.path(), &options).expect_err("it is there");
    let Error::Io { source, .. } = refused else { panic!("{refused}") };
    assert_eq!(source.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(trial.path()).expect("there"), b"of another run");
    assert_eq!(fs::read_dir(trial.folder.path()).expect("there").count(), 2, "nothing else is left");
}
