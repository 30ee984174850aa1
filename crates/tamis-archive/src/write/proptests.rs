//! What holds for every record, option and cut.

use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;

use super::dictionary::tests::trained;
use super::test_reader::{SeenRecord, decode, parse_all};
use super::*;
use crate::Timestamp;

/// What a test asks to be written.
#[derive(Debug, Clone)]
struct Wish {
    kind: u8,
    uri: String,
    field: Vec<u8>,
    block: Vec<u8>,
    streams: bool,
}

fn wish() -> impl Strategy<Value = Wish> {
    let field = vec(prop_oneof![Just(b'\t'), 0x20..0x7f_u8, 0x80..=0xff_u8], 0..40);
    let block = prop_oneof![
        vec(any::<u8>(), 0..300),
        vec(prop_oneof![Just(b'\r'), Just(b'\n'), Just(b'W'), any::<u8>()], 0..60),
        (0..5000_usize).prop_map(|len| b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody ".repeat(len / 30 + 1)),
    ];
    (0..6_u8, "[a-z]{1,8}(/[a-zé%0-9]{0,9}){0,5}", field, block, any::<bool>()).prop_map(
        |(kind, path, field, block, streams)| Wish {
            kind,
            uri: format!("http://{path}"),
            field,
            block,
            streams,
        },
    )
}

fn moment() -> Timestamp {
    "2024-04-08T18:18:29.123456Z".parse().expect("a moment")
}

impl Wish {
    fn record(&self) -> NewRecord {
        let (uri, date) = (&self.uri, moment());
        let record = match self.kind {
            0 => NewRecord::response(uri, date),
            1 => NewRecord::request(uri, date),
            2 => NewRecord::resource(uri, date, "text/html"),
            3 => NewRecord::metadata(date).target_uri(uri),
            4 => NewRecord::conversion(uri, date, "text/plain"),
            _ => NewRecord::revisit(uri, date, RevisitProfile::ServerNotModified),
        };
        record.field("X-Any", &self.field)
    }

    fn write_to<W: std::io::Write>(&self, writer: &mut Writer<W>) -> Written {
        let written = if self.streams {
            writer.write(&self.record(), &mut std::io::Cursor::new(&self.block))
        } else {
            writer.write(&self.record(), &self.block)
        };
        written.expect("is sound")
    }

    fn check(&self, seen: &SeenRecord) {
        assert_eq!(seen.block, self.block);
        assert_eq!(seen.text("WARC-Target-URI"), Some(self.uri.as_str()));
        assert_eq!(seen.get("X-Any"), Some(crate::fields::trim(&self.field)));
    }
}

/// Every way to store, with a memory limit that sends the longer blocks through files.
fn options() -> Vec<(WriterOptions, Vec<u8>)> {
    let raw = trained(DictionaryForm::Raw);
    let none = Vec::new();
    let zstd = |dictionary| Compression::Zstd { level: 3, dictionary };
    let ways = [
        (Compression::Plain, none.clone()),
        (Compression::GZIP, none.clone()),
        (Compression::Gzip { level: 1, skip_lengths: true }, none.clone()),
        (zstd(None), none),
        (zstd(Some(raw.clone())), raw.bytes().to_vec()),
        (zstd(Some(trained(DictionaryForm::Compressed))), raw.bytes().to_vec()),
    ];
    let options = |compression| WriterOptions { compression, memory_limit: 1000, ..WriterOptions::default() };
    ways.into_iter().map(|(compression, dictionary)| (options(compression), dictionary)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read_back_and_lies_where_the_writer_says(wishes in vec(wish(), 1..6)) {
        for (options, dictionary) in options() {
            let mut writer = Writer::new(Vec::new(), options.clone()).expect("good options");
            let written: Vec<Written> = wishes.iter().map(|wish| wish.write_to(&mut writer)).collect();
            let stored = writer.finish().expect("memory");
            let seen = parse_all(&decode(&stored, &dictionary));
            prop_assert_eq!(seen.len(), wishes.len());
            for ((wish, written), seen) in wishes.iter().zip(&written).zip(&seen) {
                wish.check(seen);
                let id = written.record_id.to_string();
                prop_assert_eq!(seen.text("WARC-Record-ID"), Some(id.as_str()));
                prop_assert_eq!(seen.text("WARC-Payload-Digest"), written.payload_digest.as_deref());
                let place = written.offset as usize..(written.offset + written.length) as usize;
                prop_assert_eq!(parse_all(&decode(&stored[place], &dictionary)), vec![seen.clone()]);
            }
            let last = written.last().expect("at least one");
            prop_assert_eq!(last.offset + last.length, stored.len() as u64);

            let mut again = Writer::new(Vec::new(), options).expect("good options");
            for wish in &wishes {
                wish.write_to(&mut again);
            }
            prop_assert!(again.finish().expect("memory") == stored, "the same records give the same bytes");
        }
    }

    #[test]
    fn no_value_makes_a_field_or_a_record_of_its_own(
        name in "[A-Za-z\r\n: -]{0,12}",
        value in "[a-z\r\n: \t\u{0}-\u{1f}]{0,20}",
        which in 0..9_u8,
    ) {
        let blank = NewRecord::response("http://a/", moment());
        let record = match which {
            0 => blank.field(&name, &value),
            1 => NewRecord::response(&value, moment()),
            2 => blank.content_type(&value),
            3 => blank.identified_payload_type(&value),
            4 => blank.block_digest(&value),
            5 => blank.payload_digest(&format!("sha1:{value}")),
            6 => blank.filename(&value),
            7 => blank.refers_to_target(&value, moment()),
            _ => blank.field("X-Any", &value),
        };
        let options = WriterOptions { compression: Compression::Plain, ..WriterOptions::default() };
        let mut writer = Writer::new(Vec::new(), options).expect("good options");
        let written = writer.write(&record, b"block");
        let stored = writer.finish().expect("memory");
        if written.is_err() {
            prop_assert!(stored.is_empty(), "what is refused is not written");
        } else {
            let seen = parse_all(&stored);
            prop_assert_eq!(seen.len(), 1);
            prop_assert_eq!(&seen[0].block, b"block");
            let fixed = 6 + usize::from(seen[0].get("WARC-Payload-Digest").is_some());
            prop_assert!(seen[0].fields.len() <= fixed + 3, "{:?}", seen[0].fields);
            prop_assert!(seen[0].fields.iter().all(|(_, value)| !value.contains(&b'\r') && !value.contains(&0)));
        }
    }
}

proptest! {
    // Each file is synced to the disk, which takes its time.
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_new_file_never_begins_within_a_record(wishes in vec(wish(), 1..12), max_bytes in 1..6000_u64) {
        for (writer, dictionary) in options() {
            let folder = tempfile::tempdir().expect("a folder");
            let mut rolling = RollingOptions::new(folder.path(), "test", moment());
            rolling.max_bytes = max_bytes;
            rolling.writer = writer;
            let mut writer = RollingWriter::new(rolling).expect("good options");
            for wish in &wishes {
                writer.write(&wish.record(), &wish.block).expect("writes");
            }
            let files = writer.finish().expect("closes");
            let mut seen = Vec::new();
            for file in &files {
                let records = parse_all(&decode(&std::fs::read(file).expect("is there"), &dictionary));
                let name = file.file_name().and_then(|name| name.to_str());
                prop_assert_eq!(records[0].text("WARC-Filename"), name);
                let warcinfo_id = records[0].text("WARC-Record-ID");
                prop_assert!(records[1..].iter().all(|record| record.text("WARC-Warcinfo-ID") == warcinfo_id));
                prop_assert!(records.len() > 1, "no file without a capture");
                seen.extend_from_slice(&records[1..]);
            }
            prop_assert_eq!(seen.len(), wishes.len());
            wishes.iter().zip(&seen).for_each(|(wish, seen)| wish.check(seen));
        }
    }
}

/// A small archive and the end of each record in it.
fn small_archive(options: &WriterOptions) -> (Vec<u8>, Vec<u64>) {
    let mut writer = Writer::new(Vec::new(), options.clone()).expect("good options");
    let blocks = ["HTTP/1.1 200 OK\r\n\r\nWARC/1.1\r\n\r\n", "", "third\r\n\r\n"];
    let ends = blocks.map(|block| {
        let written = writer.write(&NewRecord::response("http://a/", moment()), block).expect("writes");
        written.offset + written.length
    });
    (writer.finish().expect("memory"), ends.to_vec())
}

fn read_if_there(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

/// How many records end at or before a cut, and where the last of them ends.
fn whole_before(cut: usize, ends: &[u64]) -> (usize, usize) {
    let whole = ends.iter().filter(|&&end| end <= cut as u64).count();
    (whole, if whole == 0 { 0 } else { ends[whole - 1] as usize })
}

#[test]
fn a_file_cut_at_any_byte_is_sound_to_its_last_whole_record() {
    for (way, (options, _)) in options().iter().enumerate() {
        let (stored, ends) = small_archive(options);
        let mut file = tempfile::tempfile().expect("a file");
        std::io::Write::write_all(&mut file, &stored).expect("writes");
        for cut in (0..=stored.len()).rev() {
            file.set_len(cut as u64).expect("cuts");
            let sound = sound_length::sound_length(&file).expect("reads");
            let (whole, keep) = whole_before(cut, &ends);
            assert_eq!(sound.records, whole as u64, "way {way}, cut {cut}");
            assert!(whole == 0 || sound.len == keep as u64, "way {way}, cut {cut}: {sound:?}");
        }
    }
}

#[test]
fn recovery_keeps_every_whole_record_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for (way, (options, _)) in options().iter().enumerate() {
        let (stored, ends) = small_archive(options);
        let around = ends.iter().flat_map(|&end| [end as usize - 1, end as usize, end as usize + 1]);
        for cut in around.chain([0, 1, 20]).filter(|&cut| cut <= stored.len()) {
            let path = folder.path().join(format!("{way}-{cut}.warc"));
            let [open, torn] = [".open", ".torn"].map(|suffix| open_file::with_suffix(&path, suffix));
            std::fs::write(&open, &stored[..cut]).expect("writes");
            let (whole, keep) = whole_before(cut, &ends);

            let recovered = recover_open(&open).expect("recovers");
            let told = match &recovered[0].recovery {
                Recovery::Closed { records, .. } | Recovery::Cut { records, .. } => *records,
                Recovery::NoRecords { .. } => 0,
                other => panic!("{other:?}"),
            };
            assert_eq!(told, whole as u64, "way {way}, cut {cut}");
            assert_eq!((open.exists(), path.exists()), (false, whole > 0));
            assert_eq!(read_if_there(&path).unwrap_or_default(), stored[..keep], "way {way}, cut {cut}");
            assert_eq!(read_if_there(&torn).unwrap_or_default(), stored[keep..cut], "way {way}, cut {cut}");
        }
    }
    assert_eq!(recover_open(folder.path()).expect("reads"), [], "nothing is left to do");
}

#[test]
fn a_changed_byte_ends_the_sound_part_of_a_compressed_file() {
    for (way, (options, _)) in options().iter().enumerate().skip(1) {
        let (stored, ends) = small_archive(options);
        let (begin, end) = (ends[0] as usize, ends[1] as usize);
        for at in (begin + 20..end).step_by(5) {
            let mut damaged = stored.clone();
            damaged[at] ^= 0x55;
            let mut file = tempfile::tempfile().expect("a file");
            std::io::Write::write_all(&mut file, &damaged).expect("writes");
            let sound = sound_length::sound_length(&file).expect("reads");
            // Bytes of the `sl` field are no part of what a checksum covers.
            let is_lengths = way == 2 && at < begin + 24;
            let expected = if is_lengths { stored.len() } else { begin };
            assert_eq!(sound.len, expected as u64, "way {way}, byte {at}");
        }
    }
}

#[test]
fn a_recovery_killed_at_any_step_is_finished_by_the_next() {
    let options = WriterOptions::default();
    let (stored, ends) = small_archive(&options);
    let (cut, keep) = (stored.len() - 3, ends[1] as usize);
    // Each state that a kill can leave: names and contents.
    let [whole, sound, tail] = [&stored[..cut], &stored[..keep], &stored[keep..cut]];
    let states: [&[(&str, &[u8])]; 5] = [
        &[("a.warc.gz.open", whole)],
        &[("a.warc.gz.open", whole), ("a.warc.gz.torn.part", &tail[..2])],
        &[("a.warc.gz.open", whole), ("a.warc.gz.torn", tail)],
        &[("a.warc.gz.open", sound), ("a.warc.gz.torn", tail)],
        &[("a.warc.gz.open", sound), ("a.warc.gz", sound), ("a.warc.gz.torn", tail)],
    ];
    for state in states {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, bytes) in state {
            std::fs::write(folder.path().join(name), bytes).expect("writes");
        }
        recover_open(folder.path()).expect("recovers");
        let mut names: Vec<_> = std::fs::read_dir(folder.path())
            .expect("reads")
            .map(|entry| entry.expect("reads").file_name().into_string().expect("is text"))
            .collect();
        names.sort();
        assert_eq!(names, ["a.warc.gz", "a.warc.gz.torn"], "{state:?}");
        assert_eq!(std::fs::read(folder.path().join("a.warc.gz")).expect("is there"), sound);
        assert_eq!(std::fs::read(folder.path().join("a.warc.gz.torn")).expect("is there"), tail);
    }
}
