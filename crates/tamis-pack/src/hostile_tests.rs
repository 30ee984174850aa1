//! Packs made to deceive: chunks whose bytes were changed and whose checksums were made right again.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::chunk::{FOOTER_LEN, Frame, HEADER};
use super::tests::{Trial, small_options, some_archive};
use super::*;

/// Where the payloads of the chunks of a pack are, and their checksums before them.
fn chunks(bytes: &[u8]) -> Vec<(usize, std::ops::Range<usize>)> {
    let (mut at, mut found) = (HEADER.len(), Vec::new());
    while at + FOOTER_LEN < bytes.len() {
        let (frame, len) = Frame::parse(&bytes[at..]).expect("a sound pack");
        let end = at + len + frame.stored_len as usize;
        found.push((at, at + len..end));
        at = end;
    }
    found
}

/// Makes the checksum of a chunk right.
fn reseal(bytes: &mut [u8], start: usize, payload: std::ops::Range<usize>) {
    let numbers = start..payload.start - 8;
    let check = xxh3_64(&[&bytes[numbers.clone()], &bytes[payload.clone()]].concat());
    bytes[numbers.end..payload.start].copy_from_slice(&check.to_le_bytes());
}

/// Reads in every way; whether it works does not matter.
fn read_all(path: &Path, folder: &Path) {
    let Ok(pack) = Pack::open(path) else { return };
    drop(pack.check());
    for record in pack.in_original_order().take(100).flatten() {
        if record.len < 1 << 20 {
            let mut bytes = Vec::new();
            assert!(pack.read(&record, &mut bytes).is_err() || bytes.len() as u64 == record.len);
        }
        drop(pack.by_offset(record.offset));
    }
    let _ = pack.in_pack_order().map(|records| records.take(100).count());
    let _ = (pack.by_url("").take(100).count(), pack.by_url("org,host1").take(100).count());
    let options = RestoreOptions { memory_bytes: 4 << 10, ..RestoreOptions::new(folder) };
    drop(pack.restore(&mut std::io::sink(), &options));
}

/// A pack of pages, and one with opened blocks.
static PACKS: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let archives = [(Profile::Fast, some_archive(5)), (Profile::Archive, super::inner::archive_of_streams())];
    archives.map(|(profile, archive)| {
        let trial = Trial::new(archive);
        let options = PackOptions { dictionary_bytes: Some(2 << 10), ..small_options(profile) };
        drop(trial.pack(Survey::url_order, &options));
        fs::read(trial.path()).expect("there")
    })
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn packs_made_to_deceive_are_read_without_a_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..5), is_opened in prop::bool::weighted(0.1),
    ) {
        let trial = Trial::new(Vec::new());
        let mut bytes = PACKS[usize::from(is_opened)].clone();
        let chunks = chunks(&bytes);
        for (chunk, at, value) in changes {
            // Most chunks are tables, which the first ones are not.
            let (start, payload) = chunks[chunk.index(chunks.len())].clone();
            if !payload.is_empty() {
                bytes[payload.start + at.index(payload.len())] = value;
            }
            reseal(&mut bytes, start, payload);
        }
        fs::write(trial.path(), &bytes).expect("writable");
        read_all(&trial.path(), trial.folder.path());
    }

    #[test]
    fn any_bytes_behind_a_header_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let trial = Trial::new(Vec::new());
        let root_len = bytes.len() as u64 / 2;
        let footer = chunk::footer(HEADER.len() as u64, root_len);
        fs::write(trial.path(), [&HEADER[..], &bytes, &footer].concat()).expect("writable");
        read_all(&trial.path(), trial.folder.path());
    }
}

/// A sound pack whose root says something else.
fn with_root(bytes: &[u8], change: impl Fn(&mut root::Root)) -> Vec<u8> {
    let roots = chunks(bytes);
    let (start, _) = roots[roots.len() - 2];
    let (second, payload) = roots[roots.len() - 1].clone();
    let (frame, stored) = Frame::check(&bytes[second..payload.end]).expect("sound");
    let raw = codec::decode_chunk(&frame, stored, None).expect("sound");
    let mut root = root::Root::read(&raw, bytes.len() as u64, true).expect("sound");
    change(&mut root);
    let raw = root.write();
    let (packing, stored) = codec::encode_small(&raw).expect("memory");
    let mut out = bytes[..start].to_vec();
    let mut place = (0, 0);
    for number in 0..2 {
        let (stored_len, raw_len) = (stored.len() as u64, raw.len() as u64);
        let frame = Frame { packing, number, stored_len, raw_len, ..frame };
        place = (out.len() as u64, frame.write(&stored, &mut out).expect("memory"));
    }
    out.extend_from_slice(&chunk::footer(place.0, place.1));
    out
}

#[test]
fn a_claimed_length_of_the_content_is_compared_with_the_blocks() {
    let trial = Trial::new(Vec::new());
    let sound = &PACKS[0];
    fs::write(trial.path(), with_root(sound, |_| ())).expect("writable");
    let pack = Pack::open(trial.path()).expect("it opens");
    let (content_len, file_len) = (pack.facts().content_len, pack.facts().file_len);
    assert_eq!(pack.check().expect("it reads"), []);
    for claim in [content_len - 1, content_len + 1, 1 << 20, 1 << 48, i64::MAX as u64, u64::MAX] {
        fs::write(trial.path(), with_root(sound, |root| root.content_len = claim)).expect("writable");
        let refused = Pack::open(trial.path()).err().expect("refused").to_string();
        assert!(refused.contains("root 1 at offset"), "{refused}");
        // Readers see the blocks that are there.
        let held = open_bytes(&trial.path()).expect("it opens").expect("a pack");
        assert_eq!(held.len(), content_len, "{claim}");
    }
    // Page by page, too: blocks do not have more content than their pages say.
    fs::write(trial.path(), with_root(sound, |root| root.blocks[0].first = 7)).expect("writable");
    assert!(Pack::open(trial.path()).is_err());
    assert!(file_len > 0);
}

#[test]
fn more_entries_than_chunks_fit_into_the_file_are_refused() {
    let trial = Trial::new(Vec::new());
    let sound = &PACKS[0];
    let changes: [fn(&mut root::Root); 3] = [
        |root| root.segments.resize(100_000, root::DictionaryPlace::default()),
        |root| root.urls.resize(100_000, root.urls[0]),
        // Each of these pages sent a reader over all of the pack.
        |root| {
            let page = root::PagePlace { count: 1024, first: 0, ..root.blocks[0] };
            root.blocks.splice(0..0, std::iter::repeat_n(page, 3000));
        },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        fs::write(trial.path(), with_root(sound, change)).expect("writable");
        let seconds = tamis_testkit::cpu_seconds(|| assert!(Pack::open(trial.path()).is_err(), "{number}"));
        // Processor time: a reader that believes the claim reads the pack 3,000 times.
        assert!(seconds < 2.0, "{number}: {seconds} s");
    }
}

#[test]
fn every_block_and_page_damaged_is_told_in_linear_time() {
    let trial = Trial::new(some_archive(3000));
    let options = PackOptions { block_bytes: Some(1 << 10), ..small_options(Profile::Record) };
    let pack = trial.pack(Survey::url_order, &options);
    let mut bytes = fs::read(trial.path()).expect("there");
    let all = chunks(&bytes);
    let roots = all.len() - 2;
    for (_, payload) in &all[..roots] {
        bytes[payload.end - 1] ^= 1;
    }
    assert!(pack.root.blocks.len() > 2 && all.len() > 3000);
    fs::write(trial.path(), &bytes).expect("writable");
    let seconds = tamis_testkit::cpu_seconds(|| {
        let damaged = Pack::open(trial.path()).expect("it opens");
        assert_eq!(damaged.check().expect("it reads").len(), roots);
    });
    // Processor time: were each of the 3,000 chunks looked for from the start, it would take minutes.
    assert!(seconds < 10.0, "{seconds} s");
}

#[test]
fn a_record_past_the_end_of_the_content_is_damage_and_not_an_empty_record() {
    let trial = Trial::new(Vec::new());
    let bytes = with_root(&PACKS[0], |root| root.packed[0].first = u64::MAX - 3);
    fs::write(trial.path(), bytes).expect("writable");
    let pack = Pack::open(trial.path()).expect("it opens");
    let refused = pack.record(0).expect_err("no such place").to_string();
    assert!(refused.contains("record table"), "{refused}");
}
