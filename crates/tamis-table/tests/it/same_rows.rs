//! Same records, same rows: whatever the format, the number of files, the range size and the number of threads.

use std::num::NonZero;

use proptest::prelude::*;
use tamis_table::{COLUMNS, Cut};
use tamis_testkit::{ArchiveBuilder, Record, arc, http_response, member};

use crate::rows::Table;

/// Columns that say where a record is stored. They differ between formats.
const OF_PLACE: [&str; 4] = ["id", "file", "offset", "length"];
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
    vec![
        ("plain", fold(ArchiveBuilder::plain)),
        ("gzip", fold(ArchiveBuilder::gzip)),
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
    ]
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
