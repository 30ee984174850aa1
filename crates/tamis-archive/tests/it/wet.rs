//! WET beside that of Common Crawl, for the same page.

use std::fs;
use std::io::{Cursor, Read};

use tamis_archive::convert::WetWriter;
use tamis_archive::write::{Compression, Writer};
use tamis_archive::{Fields, Head, Mode, Reader, RecordType, Timestamp, Verifier, check_head};

use crate::data::unpacked;

/// The fields and the text of a conversion record.
type Conversion = (Vec<(String, String)>, String);

fn fields_of(head: &Head) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    head.fields().iter().map(|(name, value)| (text(name), text(value))).collect()
}

fn conversion(archive: &[u8]) -> Conversion {
    let mut reader = Reader::from_stream("wet", Cursor::new(archive.to_vec()), Mode::Lenient);
    while let Some(mut record) = reader.next().expect("reads") {
        if record.head.record_type() == RecordType::Conversion {
            let mut text = String::new();
            record.body.read_to_string(&mut text).expect("UTF-8");
            return (fields_of(record.head), text);
        }
    }
    panic!("no conversion record");
}

/// The crawl's WARC turned to WET, with the text and the languages of Common Crawl's own.
fn wet_of(warc: &[u8], text: &str, compression: Compression) -> (Vec<u8>, Vec<String>) {
    let mut writer = Writer::new(Vec::new(), WetWriter::options(compression)).expect("good options");
    let mut wet = WetWriter::new(&mut writer, "whirlwind.warc.wet.gz");
    let mut reader = Reader::from_stream("warc", Cursor::new(warc.to_vec()), Mode::Lenient);
    let mut lines = Vec::new();
    while let Some(mut record) = reader.next().expect("reads") {
        match record.head.record_type() {
            RecordType::Warcinfo => {
                let (mut block, mut fields) = (Vec::new(), Fields::default());
                record.body.read_to_end(&mut block).expect("reads");
                fields.parse(&block);
                let date: Timestamp = record.head.date().expect("a date");
                wet.write_warcinfo(date, Some(&fields)).expect("writes");
            }
            RecordType::Response => {
                lines.push(wet.write_page(record.head, text, &["spa"]).expect("writes").to_cdxj());
            }
            _ => {}
        }
    }
    (writer.finish().expect("memory"), lines)
}

#[test]
fn a_page_has_the_fields_that_common_crawl_gives_it() {
    let Some(root) = unpacked("warc/whirlwind") else { return };
    let read = |name: &str| fs::read(root.join(name)).expect(name);
    let (theirs, text) = conversion(&read("whirlwind.warc.wet"));
    let (archive, _) = wet_of(&read("whirlwind.warc"), &text, Compression::Plain);
    let (ours, same_text) = conversion(&archive);
    assert_eq!(text, same_text);
    let names = |fields: &[(String, String)]| fields.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&ours), names(&theirs));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        // Theirs is drawn by chance, ours is made of the source's.
        assert!(ours == theirs || ours.0 == "WARC-Record-ID", "{ours:?} {theirs:?}");
    }
}

#[test]
fn a_wet_file_is_sound_and_its_lines_lead_to_its_records() {
    let Some(root) = unpacked("warc/whirlwind") else { return };
    let warc = fs::read(root.join("whirlwind.warc.gz")).expect("a WARC");
    for compression in
        [Compression::Plain, Compression::GZIP, Compression::Zstd { level: 3, dictionary: None }]
    {
        let (archive, lines) = wet_of(&warc, "El texto.\n", compression.clone());
        assert_eq!(wet_of(&warc, "El texto.\n", compression).0, archive, "the same bytes each time");
        let mut reader = Reader::from_stream("wet", Cursor::new(archive), Mode::Strict);
        let (mut faults, mut verifier) = (Vec::new(), Verifier::default());
        let mut places = Vec::new();
        while let Some(record) = reader.next().expect("sound") {
            places.push((record.offset(), record.head.record_type()));
            check_head(record.head, &mut |kind| faults.push(kind));
            verifier.verify(record, &mut |kind| faults.push(kind)).expect("reads");
        }
        assert_eq!((faults, reader.faults()), (vec![], &[][..]));
        let types: Vec<RecordType> = places.iter().map(|(_, kind)| *kind).collect();
        assert_eq!(types, [RecordType::Warcinfo, RecordType::Conversion]);
        assert!(lines[0].contains(&format!("\"offset\": \"{}\"", places[1].0)), "{}", lines[0]);
    }
}
