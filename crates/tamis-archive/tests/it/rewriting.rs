//! Archives written anew: what is sound stays byte by byte, and what is damaged becomes sound.

use std::io::Cursor;
use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use tamis_archive::convert::{Converted, Converter};
use tamis_archive::repair::{Damaged, Fate, Repaired, Repairer};
use tamis_archive::write::{Compression, Dictionary, DictionaryForm, NewRecord, Writer, WriterOptions};
use tamis_archive::{FaultKind, Mode, Reader, Severity, Verifier, check_head};
use tamis_testkit::{ArchiveBuilder, Record, arc, http_response, member, warc09};

fn writer(compression: Compression) -> Writer<Vec<u8>> {
    let options = WriterOptions { compression, link_warcinfo: false, ..WriterOptions::default() };
    Writer::new(Vec::new(), options).expect("good options")
}

fn reader(archive: &[u8], mode: Mode) -> Reader {
    Reader::from_stream("test", Cursor::new(archive.to_vec()), mode)
}

fn converted(archive: &[u8], compression: Compression) -> Vec<u8> {
    let (mut writer, mut converter) = (writer(compression), Converter::new(None));
    let mut reader = reader(archive, Mode::Lenient);
    while let Some(record) = reader.next().expect("reads") {
        let fate = converter.convert(record, &mut writer).expect("writes");
        assert!(!matches!(fate, Converted::LeftOut(_)), "{fate:?} {:?}", reader.faults());
    }
    writer.finish().expect("memory")
}

fn repaired(archive: &[u8], damaged: Damaged) -> (Vec<Repaired>, Vec<u8>) {
    let (mut writer, mut repairer) = (writer(Compression::Plain), Repairer::new(damaged));
    let mut reader = reader(archive, Mode::Lenient);
    let mut fates = Vec::new();
    while let Some(record) = reader.next().expect("reads") {
        fates.push(repairer.repair(record, &mut writer).expect("writes"));
    }
    (fates, writer.finish().expect("memory"))
}

/// What `tamis warc check` refuses, but for rules that could not be mended.
fn assert_sound(archive: &[u8], fates: &[Repaired], context: &str) {
    let excused: Vec<&str> = fates.iter().flat_map(|fate| &fate.remaining).map(FaultKind::code).collect();
    let mut reader = reader(archive, Mode::Lenient);
    let mut verifier = Verifier::default();
    let mut found = Vec::new();
    while let Some(record) = reader.next().expect("reads") {
        check_head(record.head, &mut |kind| found.push(kind));
        verifier.verify(record, &mut |kind| found.push(kind)).expect("reads");
    }
    found.extend(reader.take_faults().list.into_iter().map(|fault| fault.kind));
    found.retain(|kind| kind.severity() > Severity::Note && !excused.contains(&kind.code()));
    found.retain(|kind| !(archive.is_empty() && *kind == FaultKind::NoRecords));
    assert_eq!(found, [], "{context}: {}", String::from_utf8_lossy(archive));
}

/// Made once: training takes its time.
static DICTIONARY: LazyLock<Dictionary> = LazyLock::new(|| {
    let samples: Vec<Vec<u8>> = (0..300).map(|n| page(n, "some text").bytes()).collect();
    Dictionary::train(&samples, 2048, DictionaryForm::default()).expect("enough samples")
});

fn page(n: usize, text: &str) -> Record {
    let body = format!("<title>page {n}</title><p>{text} {}</p>", n * 7919);
    Record::response(&format!("http://a.example/{n}"), http_response("text/html", body)).with_digests()
}

/// A record with a head of any shape, closed as it should be.
fn odd_record() -> impl Strategy<Value = Vec<u8>> {
    let version = prop_oneof!["WARC/1\\.[01]", "warc/1\\.0", "WARC/0\\.1[78]"];
    let line =
        ("X-[A-Za-z]{1,9}", prop_oneof![": ?", " : ", ":\t"], "[ -9;-~é]{0,30}", "(\\+[ -~]{1,9}){0,2}");
    let block = prop_oneof![
        vec(any::<u8>(), 0..200),
        vec(prop_oneof![Just(b'\r'), Just(b'\n'), any::<u8>()], 0..40),
        (0..200_usize).prop_map(|len| b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody ".repeat(len / 30 + 1)),
    ];
    let length = prop_oneof!["Content-Length: ", "content-length:", "CONTENT-LENGTH :  "];
    (version, vec(line, 0..6), length, any::<bool>(), block).prop_map(
        |(version, lines, length, crlf, block)| {
            let end = if crlf { "\r\n" } else { "\n" };
            let mut head = format!("{version}{end}");
            for (name, colon, value, folds) in lines {
                let folded = folds.replace('+', &format!("{end}\tx"));
                head += &[&*name, &*colon, &*value, &*folded, end].concat();
            }
            head += &[&*length, &*block.len().to_string(), end, end].concat();
            [head.as_bytes(), &block, b"\r\n\r\n"].concat()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn compression_changes_no_byte_of_any_record(records in vec(odd_record(), 1..5)) {
        let plain = records.concat();
        let zstd = Compression::Zstd { level: 3, dictionary: None };
        let there = converted(&converted(&plain, zstd), Compression::GZIP);
        prop_assert_eq!(converted(&there, Compression::Plain), plain);
    }

    #[test]
    fn what_we_write_survives_every_compression(
        blocks in vec(vec(any::<u8>(), 0..400), 1..6),
        field in "[ -~é]{0,30}",
    ) {
        let date = "2024-04-08T18:18:29.25Z".parse().expect("a moment");
        let mut plain = writer(Compression::Plain);
        for block in &blocks {
            let block = &[b"HTTP/1.1 200 OK\r\n\r\n", &block[..]].concat();
            plain.write(&NewRecord::response("http://a/", date).field("X-Any", &field), block).expect("sound");
        }
        let plain = plain.finish().expect("memory");
        let mut copy = plain.clone();
        for compression in [
            Compression::Zstd { level: 1, dictionary: Some(DICTIONARY.clone()) },
            Compression::Gzip { level: 1, skip_lengths: true },
            Compression::Zstd { level: -3, dictionary: None },
            Compression::GZIP,
            Compression::Plain,
        ] {
            copy = converted(&copy, compression);
        }
        prop_assert_eq!(&copy, &plain);
        let (fates, same) = repaired(&plain, Damaged::LeaveOut);
        prop_assert!(fates.iter().all(|fate| fate.fate == Fate::Copied));
        prop_assert_eq!(same, plain);
    }

    #[test]
    fn any_changed_byte_leaves_a_sound_archive(at in any::<prop::sample::Index>(), bit in 0..8_u8, way in 0..3_usize) {
        let mut archive = archive(way, &[page(1, "a"), page(2, "b"), page(3, "c")]);
        let at = at.index(archive.len());
        archive[at] ^= 1 << bit;
        for damaged in [Damaged::LeaveOut, Damaged::Keep] {
            let (fates, mended) = repaired(&archive, damaged);
            assert_sound(&mended, &fates, &format!("way {way}, byte {at}, bit {bit}, {damaged:?}"));
        }
    }
}

fn archive(way: usize, records: &[Record]) -> Vec<u8> {
    let add = [ArchiveBuilder::plain, ArchiveBuilder::gzip, ArchiveBuilder::zstd][way];
    records.iter().fold(ArchiveBuilder::new(), add).build()
}

#[test]
fn a_cut_at_any_byte_costs_no_whole_record() {
    let records =
        [page(1, "first"), Record::resource("http://a/", "text/plain", "a\r\n\r\nb"), page(3, "third")];
    for way in 0..3 {
        let whole = archive(way, &records);
        let ends: Vec<usize> = (1..=3).map(|n| archive(way, &records[..n]).len()).collect();
        for cut in 0..=whole.len() {
            let sound = ends.iter().filter(|&&end| end <= cut).count();
            let expected: Vec<u8> = records[..sound].iter().flat_map(Record::bytes).collect();
            for damaged in [Damaged::LeaveOut, Damaged::Keep] {
                let (fates, mended) = repaired(&whole[..cut], damaged);
                let context = format!("way {way}, cut {cut}, {damaged:?}");
                assert!(mended.starts_with(&expected), "{context}: {fates:?}");
                assert_sound(&mended, &fates, &context);
            }
        }
    }
}

#[test]
fn every_fault_leaves_its_neighbours_and_a_sound_archive() {
    let spoiled = || page(2, "spoiled");
    let undigested = || spoiled().without("WARC-Block-Digest").without("WARC-Payload-Digest");
    let bytes = undigested().bytes();
    let faults: Vec<(&str, Vec<u8>)> = [
        ("too long", spoiled().length_off_by(7)),
        ("too long without a digest", undigested().length_off_by(7)),
        ("much too long", undigested().length_off_by(100_000)),
        ("a little too long", spoiled().length_off_by(2)),
        ("too short", spoiled().length_off_by(-5)),
        ("too short without a digest", undigested().length_off_by(-5)),
        ("no number", undigested().raw_length("ten")),
        ("negative", undigested().raw_length("-1")),
        ("no length", undigested().without("Content-Length")),
        ("no end", spoiled().ended_by(b"")),
        ("one line end", undigested().ended_by(b"\r\n")),
        ("three line ends", undigested().ended_by(b"\r\n\r\n\r\n")),
        ("LF", spoiled().lf_only()),
        ("folded", spoiled().folded("WARC-Date")),
        ("version", spoiled().version("WARC/9.9")),
        ("version with more", spoiled().version("WARC/1.0 beta")),
        ("no id", spoiled().without("WARC-Record-ID")),
        ("odd date", spoiled().with("WARC-Date", "20240229123456")),
        ("no date", spoiled().with("WARC-Date", "soon")),
        ("wrong digest", undigested().field("WARC-Block-Digest", "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")),
        ("blank in the URL", spoiled().with("WARC-Target-URI", "http://a/b c")),
        ("field twice", spoiled().field("WARC-Type", "resource")),
        ("empty field", spoiled().field("WARC-IP-Address", "")),
    ]
    .map(|(name, record)| (name, record.bytes()))
    .into();
    let members: [(&str, Vec<u8>); 7] = [
        ("bad checksum", member::gzip_bad_crc(&bytes)),
        ("bad length", member::gzip_bad_length(&bytes)),
        ("bad data", member::gzip_bad_data(&bytes)),
        ("clipped member", member::clipped(&member::gzip(&bytes), 30)),
        ("clipped trailer", member::clipped(&member::gzip(&bytes), 3)),
        ("garbage", b"nothing of the kind".to_vec()),
        ("clipped frame", member::clipped(&member::zstd(&bytes), 9)),
    ];
    let (before, behind) = (page(1, "before"), page(3, "behind"));
    for (name, fault) in &faults {
        for way in 0..3 {
            let part = [|b: &[u8]| b.to_vec(), member::gzip, member::zstd][way](fault);
            check_neighbours(way, &before, &part, &behind, &format!("{name}, way {way}"));
        }
    }
    for (name, part) in &members {
        for way in 1..3 {
            check_neighbours(way, &before, part, &behind, &format!("{name}, way {way}"));
        }
    }
}

fn check_neighbours(way: usize, before: &Record, part: &[u8], behind: &Record, context: &str) {
    let [first, last] = [before, behind].map(|record| archive(way, std::slice::from_ref(record)));
    let whole = [&first, part, &last].concat();
    for damaged in [Damaged::LeaveOut, Damaged::Keep] {
        let (fates, mended) = repaired(&whole, damaged);
        assert!(mended.starts_with(&before.bytes()), "{context}: {fates:?}");
        assert!(
            mended.ends_with(&behind.bytes()),
            "{context}: {fates:?} {}",
            String::from_utf8_lossy(&mended)
        );
        assert_sound(&mended, &fates, context);
    }
}

#[test]
fn the_oldest_formats_become_sound_warc() {
    let message = http_response("text/html", "<p>old</p>");
    let arc = [
        arc::version_block_1_1("a.arc"),
        arc::record("http://a.example/x y", "text/html", &message),
        arc::record_2("http://a.example/2", "text/html", 200, &message),
    ]
    .concat();
    let old_warc = [
        warc09::lower_case("http://a.example/", &message),
        warc09::with_fields("http://a.example/", &message),
        warc09::upper_case_padded("http://a.example/", &message),
    ]
    .concat();
    for (name, archive, records) in [("arc", arc, 4), ("0.9", old_warc, 3)] {
        let (fates, mended) = repaired(&archive, Damaged::LeaveOut);
        assert_sound(&mended, &fates, name);
        let count: u64 = fates.iter().map(|fate| fate.records).sum();
        assert_eq!(count, records, "{name} {fates:?}");
        assert_eq!(
            mended.windows(message.len()).filter(|bytes| *bytes == message).count() as u64,
            count.min(3) - u64::from(name == "arc")
        );
    }
}
