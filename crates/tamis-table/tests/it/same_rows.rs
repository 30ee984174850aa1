//! Same records, same rows: whatever the format, the number of files, the range size, the number of threads, and whether
//! they are in a collection that keeps columns.

use std::fs;
use std::num::NonZero;

use proptest::prelude::*;
use tamis_archive::wacz::{Overwrite, WaczContents, create};
use tamis_archive::{Source, Timestamp};
use tamis_collection::Kept;
use tamis_pack::{PackOptions, Profile, Survey, pack};
use tamis_table::{COLUMNS, Cut};
use tamis_testkit::{ArchiveBuilder, Record, arc, http_response, member};

use crate::materialise::Case;
use crate::rows::Table;

/// Columns that say where a record is stored. They differ between formats.
const OF_PLACE: [&str; 5] = ["id", "file", "offset", "in_member", "length"];
/// Columns that only a collection has values for.
const OF_COLLECTION: [&str; 2] = ["collection_id", "collection_name"];
/// Columns that an ARC record has no field for.
const NOT_IN_ARC: [&str; 2] = ["record_id", "ip"];

/// One capture to store.
#[derive(Debug, Clone)]
struct Capture {
    content_type: &'static str,
    body: Vec<u8>,
}

impl Capture {
    fn message(&self) -> Vec<u8> {
        http_response(self.content_type, &self.body)
    }
}

fn url(at: usize) -> String {
    format!("http://a.example/{at}")
}

/// The same captures in every format, each split into `files` files.
fn formats(captures: &[Capture], files: usize) -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let records: Vec<Record> = captures
        .iter()
        .enumerate()
        .map(|(at, capture)| Record::response(&url(at), capture.message()).with_digests())
        .collect();
    let samples: Vec<Vec<u8>> =
        (0..200_u32).map(|at| Record::warcinfo(&format!("{at}.warc")).bytes()).collect();
    let dictionary = member::train_dictionary(&samples);
    let parts: Vec<&[Record]> = records.chunks(records.len().div_ceil(files).max(1)).collect();
    let each = |write: &dyn Fn(&[Record]) -> Vec<u8>| parts.iter().map(|records| write(records)).collect();
    let fold = |add: fn(ArchiveBuilder, &Record) -> ArchiveBuilder| {
        each(&|records| records.iter().fold(ArchiveBuilder::new(), add).build())
    };
    let all_bytes = |records: &[Record]| records.iter().flat_map(Record::bytes).collect::<Vec<u8>>();
    let plain: Vec<Vec<u8>> = fold(ArchiveBuilder::plain);
    let gzipped: Vec<Vec<u8>> = fold(ArchiveBuilder::gzip);
    let packs = plain.iter().map(|bytes| packed(bytes)).collect();
    let packages = gzipped.iter().map(|bytes| packaged(bytes)).collect();
    vec![
        ("plain", plain),
        ("gzip", gzipped),
        ("zstd", fold(ArchiveBuilder::zstd)),
        (
            "zstd with a dictionary",
            each(&|records| {
                let start = ArchiveBuilder::new().dictionary(&dictionary, member::Dictionary::Raw);
                let add = |archive: ArchiveBuilder, record: &Record| {
                    archive.part(&member::zstd_with_dictionary(&record.bytes(), &dictionary))
                };
                records.iter().fold(start, add).build()
            }),
        ),
        ("one gzip member", each(&|records| member::gzip(&all_bytes(records)))),
        ("one zstd frame", each(&|records| member::zstd(&all_bytes(records)))),
        ("pack", packs),
        ("WACZ", packages),
    ]
}

/// A pack of an archive, with its records in their order and in some twenty blocks.
fn packed(archive: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (folder.path().join("a.warc"), folder.path().join("a.pack"));
    fs::write(&from, archive).expect("it can be written");
    let survey = Survey::new(&from, NonZero::<usize>::MIN, |_, _| {}).expect("it surveys");
    let order: Vec<u32> = (0..survey.record_count() as u32).collect();
    let options = PackOptions { block_bytes: Some(archive.len() / 20), ..PackOptions::new(Profile::Fast) };
    pack(&survey, &order, &to, &options).expect("it packs");
    fs::read(&to).expect("it reads")
}

/// A WACZ package of an archive.
fn packaged(archive: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (folder.path().join("a.warc.gz"), folder.path().join("a.wacz"));
    fs::write(&from, archive).expect("it can be written");
    let contents = WaczContents {
        warcs: &[Source::file(from)],
        indexes: &[],
        page_lists: Vec::new(),
        created: Timestamp::from_unix(1_786_000_000, 0).expect("a moment"),
        title: None,
        description: None,
        software: None,
        main_page: None,
    };
    create(&to, contents, Overwrite::Refuse, &mut |_| Ok(())).expect("it can be written");
    fs::read(&to).expect("it reads")
}

fn arc_file(captures: &[Capture]) -> Vec<u8> {
    let records = captures.iter().enumerate();
    let records =
        records.flat_map(|(at, capture)| arc::record(&url(at), capture.content_type, &capture.message()));
    arc::version_block_1_0("a.arc").into_iter().chain(records).collect()
}

fn select(leave_out: &[&str]) -> String {
    let names = COLUMNS.iter().map(|column| column.name);
    let names = names.filter(|name| !OF_PLACE.contains(name) && !leave_out.contains(name));
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    format!("select {} from pages", names.join(", "))
}

fn cut(bytes: u64) -> Cut {
    NonZero::new(bytes).map_or(Cut::Whole, Cut::Ranges)
}

/// Compares the rows of every format and cut with those of one plain file that is read in one piece.
fn check(captures: &[Capture], sql: &str, ranges: &[u64], files: &[usize]) {
    let all = |formats: &[Vec<u8>]| Table::of_bytes(&formats.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let expected = all(&formats(captures, 1)[0].1).with(1, Cut::Whole).text(sql);
    for &files in files {
        for (format, bytes) in formats(captures, files) {
            for &range in ranges {
                for jobs in [1, 2] {
                    let rows = all(&bytes).with(jobs, cut(range)).text(sql);
                    assert!(rows == expected, "{format}, {files} files, ranges of {range}, {jobs} jobs");
                }
            }
        }
    }
}

fn capture() -> impl Strategy<Value = Capture> {
    let html = "[a-z ]{0,300}".prop_map(|text| Capture {
        content_type: "text/html; charset=utf-8",
        body: format!("<title>T</title><p>It was a dark night. {text} <a href=/x>the rain</a>.").into_bytes(),
    });
    // Bytes that do not compress keep what they contain: whole records, and the magic numbers of members.
    let binary =
        (proptest::collection::vec(any::<u8>(), 0..3000), 0..4_usize).prop_map(|(mut body, trap)| {
            let record = Record::response("http://trap.example/", http_response("text/html", "<p>A trap."));
            body.extend(match trap {
                0 => record.bytes(),
                1 => member::gzip(&record.bytes()),
                2 => member::zstd(&record.bytes()),
                _ => Vec::new(),
            });
            Capture { content_type: "application/octet-stream", body }
        });
    prop_oneof![2 => html, 1 => binary]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, max_shrink_iters: 20, ..ProptestConfig::default() })]

    #[test]
    fn the_same_records_give_the_same_rows(captures in proptest::collection::vec(capture(), 1..40)) {
        check(&captures, &select(&[]), &[0, 1500, 9000], &[1, 3]);
        let heads = "select status, count(*), count(distinct url), max(time) from captures group by status";
        check(&captures, heads, &[700, 4000], &[1]);
    }

    #[test]
    fn an_arc_file_gives_the_rows_of_a_warc_file(captures in proptest::collection::vec(capture(), 1..20)) {
        let sql = select(&NOT_IN_ARC);
        let warc = formats(&captures, 1).swap_remove(1).1;
        let expected = Table::of_bytes(&[&warc[0]]).with(1, Cut::Whole).text(&sql);
        for range in [0, 1500] {
            let rows = Table::of_bytes(&[&arc_file(&captures)]).with(2, cut(range)).text(&sql);
            prop_assert_eq!(&rows, &expected);
        }
    }
}

/// Columns of every stage: of the head, of the body, of the text, and of its words.
const SOME: [&str; 7] = ["url", "digest", "title", "text", "links", "languages", "stems"];

/// A filter on a column that is kept, and columns that are not.
const FILTERED: &str = "select url, status, html from pages where url like '%1' or url like '%5'";

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, max_shrink_iters: 10, ..ProptestConfig::default() })]

    #[test]
    fn a_collection_gives_the_same_rows_whatever_it_keeps(captures in proptest::collection::vec(capture(), 2..16)) {
        let sql = select(&OF_COLLECTION);
        let plain = &formats(&captures, 1)[0].1;
        let expected = Table::of_bytes(&[&plain[0]]).with(1, Cut::Whole).text(&sql);
        let filtered = Table::of_bytes(&[&plain[0]]).with(1, Cut::Whole).text(FILTERED);
        let all: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        for (files, kept) in [(1, Kept::Copy), (3, Kept::Reference)] {
            for (format, bytes) in formats(&captures, files) {
                let names = (0..).map(|at| format!("{at}.warc.gz"));
                let named: Vec<(String, Vec<u8>)> = names.zip(bytes).collect();
                let named: Vec<(&str, Vec<u8>)> =
                    named.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
                let case = Case::importing(&named, kept).with(files, cut(1500));
                prop_assert_eq!(&case.ask(&sql), &expected, "{}, {} files, nothing kept", format, files);
                for columns in [&SOME[..], &all] {
                    case.clean(columns, files, 4000);
                    let rows = case.ask(&sql);
                    prop_assert_eq!(&rows, &expected, "{}, {} files, {} columns kept", format, files, columns.len());
                    let rows = case.ask(FILTERED);
                    prop_assert_eq!(&rows, &filtered, "{}, {} files, filtered by a kept column", format, files);
                    let counts = case.ask("select count(*) = count(distinct id) as unique from pages");
                    prop_assert!(counts.contains("true"), "{}, {} files: {}", format, files, counts);
                }
            }
        }
    }
}

#[test]
fn records_from_nothing_to_fifty_megabytes_are_found_with_any_range() {
    // xorshift: bytes that do not compress, so that members are as large as records.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut noise = |len: usize| {
        let next = |_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        };
        let mut bytes: Vec<u8> = (0..len.div_ceil(8)).flat_map(next).collect();
        bytes.truncate(len);
        bytes
    };
    let sizes = [0, 1, 100, 3_000_000, 0, 70_000, 50_000_000, 10, 9_000_000, 0, 400_000];
    let captures: Vec<Capture> = sizes
        .map(|size| Capture { content_type: "application/octet-stream", body: noise(size) })
        .into_iter()
        .collect();
    let sql = "select url, status, mime_type, digest, \"type\" from pages";
    check(&captures, sql, &[300_000, 8 << 20], &[1]);
}
