//! Packs of any bytes, and any bytes as a pack. With `cfg(fuzzing)` the library compares no checksums of chunks, which no fuzzer gets over.

use std::fs;
use std::num::NonZero;
use std::path::Path;

use tamis_pack::{Pack, PackOptions, Profile, RestoreOptions, Survey, pack};

const PROFILES: [Profile; 4] = [Profile::Fast, Profile::Default, Profile::Archive, Profile::Record];

/// If bit 0 of the first byte is set, the rest is an archive; else it is a pack.
pub fn check(data: &[u8]) {
    let Some((&control, bytes)) = data.split_first() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.pack");
    if control & 1 == 0 {
        fs::write(&path, bytes).expect("writable");
        read_all(&path, folder.path());
        return;
    }
    let archive = folder.path().join("a.warc");
    fs::write(&archive, bytes).expect("writable");
    let survey = Survey::new(&archive, NonZero::<usize>::MIN, |_, _| {}).expect("any bytes are surveyed");
    let mut order = survey.url_order();
    let turn = usize::from(control >> 3) % order.len().max(1);
    order.rotate_left(turn);
    let options = PackOptions {
        block_bytes: Some(1 << 10),
        dictionary_bytes: Some(2 << 10),
        ..PackOptions::new(PROFILES[usize::from(control >> 1) % 4])
    };
    pack(&survey, &order, &path, &options).expect("any bytes are packed, and come back");
    let records = read_all(&path, folder.path());
    assert_eq!(records, survey.record_count(), "all records are there");
}

/// Reads all that can be read in every way; gives how many records could be.
fn read_all(path: &Path, folder: &Path) -> usize {
    let Ok(opened) = Pack::open(path) else { return 0 };
    drop(opened.check());
    let mut read = 0;
    for record in opened.in_original_order().take(1000).flatten() {
        let (mut bytes, is_small) = (Vec::new(), record.len < 1 << 20);
        if is_small && opened.read(&record, &mut bytes).is_ok() {
            assert_eq!(bytes.len() as u64, record.len, "a record is as long as it says");
            read += usize::from(record.kind.is_record());
        }
        drop(opened.by_offset(record.offset));
    }
    let _ = opened.in_pack_order().map(|records| records.take(1000).count());
    let _ = opened.by_url("").take(1000).count();
    let _ = opened.by_url("org,").take(1000).count();
    let options = RestoreOptions { memory_bytes: 4 << 10, ..RestoreOptions::new(folder) };
    drop(opened.restore(&mut std::io::sink(), &options));
    read
}
