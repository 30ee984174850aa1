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
