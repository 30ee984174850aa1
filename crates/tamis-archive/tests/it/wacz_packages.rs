//! WACZ packages: those of others, our own, and broken ones.

use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tamis_archive::http::DecodeLimits;
use tamis_archive::wacz::{
    IndexFile, Overwrite, Page, PageLine, PageList, Wacz, WaczContents, WaczProblem, WaczReport, create,
    validate,
};
use tamis_archive::{Error, Part, ScanOptions, Source, Timestamp, scan};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::data;

const WARC: &[u8] = b"WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: 0\r\n\r\n\r\n\r\n";

fn check(path: &Path) -> WaczReport {
    validate(path, DecodeLimits::default()).expect("a zip file")
}

fn codes(report: &WaczReport) -> Vec<&'static str> {
    report.problems.iter().map(WaczProblem::code).collect()
}

fn pages(count: u32) -> impl Iterator<Item = Page> {
    (0..count).map(|number| Page {
        id: Some(format!("p{number}")),
        url: format!("https://example.com/{number}"),
        ts: "2024-05-06T07:08:09Z".into(),
        title: Some(format!("Page {number}")),
        text: None,
        further: serde_json::Map::new(),
    })
}

/// A package of one small WARC, its index and three pages.
fn package(folder: &Path, overwrite: Overwrite) -> Result<PathBuf, Error> {
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("the folder takes files");
        path
    };
    let (warc, cdx, idx) = (
        put("Data 1.warc", WARC),
        put("some.cdx.gz", b"\x1f\x8b not really"),
        put("some.idx", b"!meta 0 {}\n"),
    );
    let path = folder.join("package.wacz");
    let contents = WaczContents {
        warcs: &[Source::file(warc)],
        indexes: &[
            IndexFile { name: "index.cdx.gz", path: &cdx },
            IndexFile { name: "index.idx", path: &idx },
        ],
        page_lists: vec![PageList { id: "pages", title: "All Pages", pages: Box::new(pages(3).map(Ok)) }],
        created: Timestamp::parse(b"2024-05-06T07:08:09Z").expect("a moment"),
        title: Some("A package"),
        description: None,
        software: Some("tamis"),
        main_page: Some(("https://example.com/0", None)),
    };
    create(&path, contents, overwrite, &mut |_| Ok(())).map(|_| path)
}

/// The package again, with some entries changed: new bytes, or none to leave it out.
fn changed(source: &Path, changes: &[(&str, Option<&[u8]>)]) -> PathBuf {
    let mut zip = ZipArchive::new(fs::File::open(source).expect("a file")).expect("a zip file");
    let mut entries = Vec::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).expect("an entry");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("sound bytes");
        entries.push((file.name().expect("a name").into_owned(), file.compression(), bytes));
    }
    let target = source.with_extension("changed.wacz");
    let mut out = ZipWriter::new(fs::File::create(&target).expect("a new file"));
    let mut put = |name: &str, method, bytes: &[u8]| {
        out.start_file(name, SimpleFileOptions::default().compression_method(method)).expect("an entry");
        out.write_all(bytes).expect("room");
    };
    for (name, method, bytes) in &entries {
        match changes.iter().find(|(changed, _)| changed == name) {
            None => put(name, *method, bytes),
            Some((_, Some(bytes))) => put(name, *method, bytes),
            Some((_, None)) => {}
        }
    }
    for (name, bytes) in changes.iter().filter(|(name, _)| entries.iter().all(|entry| entry.0 != *name)) {
        put(name, CompressionMethod::Deflated, bytes.unwrap_or_default());
    }
    out.finish().expect("a zip file");
    target
}

#[test]
fn packages_of_others_are_judged_as_their_names_say() {
    let Some(folder) = data::unpacked("warc/py-wacz") else { return };
    let cases: [(&str, bool, &[&str]); 5] = [
        ("valid_example_1.wacz", true, &[]),
        ("valid_example_2.wacz", true, &[]),
        ("valid_signed_example_1.wacz", true, &["signature-unchecked"]),
        // Invalid by who signed it alone, which we say that we do not check.
        ("invalid_signed_example_1.wacz", true, &["signature-unchecked"]),
        (
            "invalid_example_1.wacz",
            false,
            &["missing", "missing", "missing", "missing-version", "missing-entry", "unlisted-entry"],
        ),
    ];
    for (name, is_valid, problems) in cases {
        let report = check(&folder.join(name));
        assert_eq!(
            (report.is_valid(), codes(&report)),
            (is_valid, problems.to_vec()),
            "{name}: {:?}",
            report.problems
        );
    }
}

#[test]
fn pages_and_ranges_of_others_are_read() {
    let Some(folder) = data::unpacked("warc/py-wacz") else { return };
    let path = folder.join("valid_example_2.wacz");
    let mut wacz = Wacz::open(&path).expect("a package");
    let lines: Vec<_> =
        wacz.pages("pages/pages.jsonl").expect("pages").map(|line| line.expect("sound bytes").1).collect();
    assert_eq!(lines[0], PageLine::Header);
    assert!(matches!(&lines[1], PageLine::Page(page) if page.url == "http://www.example.com/"), "{lines:?}");
    let warc = wacz.warcs().next().expect("a WARC").name.clone();
    let range = wacz.range(&warc).expect("a sound directory").expect("a stored WARC");
    let mut file = wacz.into_inner();
    let mut bytes = vec![0; (range.end - range.start) as usize];
    file.seek(SeekFrom::Start(range.start)).expect("a place in the file");
    file.read_exact(&mut bytes).expect("bytes there");
    assert!(bytes == fs::read(folder.join("example-collection.warc")).expect("the WARC that was packed"));
}

#[test]
fn a_package_we_write_is_valid_and_reads_back() {
    let folder = TempDir::new().expect("a folder");
    let path = package(folder.path(), Overwrite::Refuse).expect("a package");
    let report = check(&path);
    assert_eq!((report.problems, report.entries), (vec![], 6));
    assert_eq!(report.verified, 5, "four files and datapackage.json");

    let mut wacz = Wacz::open(&path).expect("a package");
    let description = wacz.data_package().expect("a description");
    assert_eq!(description.text("created"), Some("2024-05-06T07:08:09Z"));
    assert_eq!(description.text("mainPageUrl"), Some("https://example.com/0"));
    let range = wacz.range("archive/Data 1.warc").expect("a directory").expect("a stored WARC");
    assert_eq!(fs::read(&path).expect("bytes")[range.start as usize..range.end as usize], *WARC);
    assert_eq!(wacz.range("pages/pages.jsonl").expect("a directory"), None, "compressed bytes have no range");
    let mut idx = String::new();
    wacz.read("indexes/index.idx").expect("an index").read_to_string(&mut idx).expect("text");
    assert_eq!(idx, "!meta 0 {}\n");
    assert_eq!(wacz.indexes().count(), 2);
    assert_eq!(wacz.pages("pages/pages.jsonl").expect("pages").count(), 4);
}

#[test]
fn the_same_contents_give_the_same_bytes() {
    let folder = TempDir::new().expect("a folder");
    let first = fs::read(package(folder.path(), Overwrite::Replace).expect("a package")).expect("bytes");
    let second = fs::read(package(folder.path(), Overwrite::Replace).expect("a package")).expect("bytes");
    assert!(first == second);
}

#[test]
fn a_file_that_is_there_is_not_overwritten_unasked() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("package.wacz");
    fs::write(&path, "mine").expect("room");
    assert!(matches!(package(folder.path(), Overwrite::Refuse), Err(Error::Io { .. })));
    assert_eq!(fs::read(&path).expect("bytes"), b"mine");
    package(folder.path(), Overwrite::Replace).expect("a package");
    let names: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names.len(), 4, "nothing is left behind: {names:?}");
}

#[test]
fn two_warcs_of_one_name_are_refused() {
    let warcs = ["a/x.warc", "b/x.warc"].map(Source::file);
    let contents = bare(&warcs);
    let error = create(Path::new("none.wacz"), contents, Overwrite::Refuse, &mut |_| Ok(()))
        .expect_err("names must differ");
    assert_eq!(error.to_string(), "file name for a package: \"x.warc\": two files of this name");
}

#[test]
fn files_that_are_no_warcs_by_name_are_refused() {
    for warc in [Source::stdin(), Source::file("a.warc.gz.open"), Source::file("a.arc.gz")] {
        let contents = bare(std::slice::from_ref(&warc));
        let error = create(Path::new("none.wacz"), contents, Overwrite::Refuse, &mut |_| Ok(()));
        let error = error.expect_err("no WARC").to_string();
        assert!(error.ends_with("not a file whose name ends in .warc or .warc.gz"), "{error}");
    }
}

#[test]
fn warcs_of_a_package_are_packed_again() {
    let folder = TempDir::new().expect("a folder");
    let first = package(folder.path(), Overwrite::Refuse).expect("a package");
    let (entry, range) =
        Wacz::open(&first).and_then(|mut wacz| wacz.warc_ranges()).expect("ranges").remove(0);
    let part = Source::part(first, entry.name, range.expect("a stored WARC"));
    let second = folder.path().join("second.wacz");
    let mut copied = 0;
    let mut watch = |bytes| {
        copied += bytes;
        Ok(())
    };
    create(&second, bare(&[part]), Overwrite::Refuse, &mut watch).expect("a package");
    assert_eq!(copied, WARC.len() as u64);
    let mut wacz = Wacz::open(&second).expect("a package");
    let range = wacz.range("archive/Data 1.warc").expect("a directory").expect("a stored WARC");
    assert_eq!(fs::read(&second).expect("bytes")[range.start as usize..range.end as usize], *WARC);
}

#[test]
fn who_watches_can_stop_the_writing() {
    let folder = TempDir::new().expect("a folder");
    let (warc, path) = (folder.path().join("a.warc"), folder.path().join("a.wacz"));
    fs::write(&warc, WARC).expect("room");
    let mut watch = |_| Err(std::io::Error::other("enough"));
    let stopped = create(&path, bare(&[Source::file(warc)]), Overwrite::Refuse, &mut watch);
    assert!(stopped.expect_err("it was stopped").to_string().ends_with("enough"));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left behind");
}

/// Several threads read ranges of a WARC in a package: offsets count from the beginning of the WARC.
#[test]
fn a_warc_in_a_package_is_read_in_ranges_as_one_beside_it_is() {
    let folder = TempDir::new().expect("a folder");
    let (warc, path) = (folder.path().join("a.warc"), folder.path().join("a.wacz"));
    let record = |n: usize| {
        let body = "x".repeat(n * 7 % 300);
        let len = body.len();
        format!(
            "WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:n:{n}>\r\nContent-Length: {len}\r\n\r\n{body}\r\n\r\n"
        )
    };
    fs::write(&warc, (0..200).map(record).collect::<String>()).expect("room");
    let beside = Source::file(warc);
    create(&path, bare(std::slice::from_ref(&beside)), Overwrite::Refuse, &mut |_| Ok(()))
        .expect("a package");
    let (entry, range) = Wacz::open(&path).and_then(|mut wacz| wacz.warc_ranges()).expect("ranges").remove(0);
    let inside = Source::part(path, entry.name, range.expect("a stored WARC"));
    let expected = records(&beside, 1, 1 << 20);
    assert_eq!(expected.len(), 200);
    for (jobs, range_bytes) in [(1, 1000), (2, 1000), (3, 100), (2, 1 << 20)] {
        assert_eq!(records(&inside, jobs, range_bytes), expected, "{jobs} threads, {range_bytes} bytes");
    }
}

/// Offset and id of each record, as several threads find them.
fn records(source: &Source, jobs: usize, range_bytes: u64) -> Vec<(u64, Vec<u8>)> {
    let options = ScanOptions {
        jobs: jobs.try_into().expect("not zero"),
        range_bytes: range_bytes.try_into().expect("not zero"),
        ..ScanOptions::default()
    };
    let mut all = Vec::new();
    let read = |part: Part<'_>, found: &mut Vec<_>| {
        while let Some(record) = part.reader.next()? {
            let id = record.head.fields().get("WARC-Record-ID").unwrap_or_default().to_vec();
            found.push((record.offset(), id));
        }
        assert!(part.reader.take_faults().list.is_empty());
        Ok(())
    };
    scan(std::slice::from_ref(source), options, read, |piece| {
        all.extend(piece.result.expect("readable"));
        ControlFlow::Continue(())
    });
    all
}

/// A package of WARC files alone.
fn bare(warcs: &[Source]) -> WaczContents<'_> {
    WaczContents {
        warcs,
        indexes: &[],
        page_lists: vec![],
        created: Timestamp::parse(b"2024").expect("a moment"),
        title: None,
        description: None,
        software: None,
        main_page: None,
    }
}

#[test]
fn each_damage_is_told() {
    type Case<'a> = (&'a str, Option<&'a [u8]>, &'a [&'a str]);
    let folder = TempDir::new().expect("a folder");
    let sound = package(folder.path(), Overwrite::Replace).expect("a package");
    let digest = br#"{"path": "datapackage.json", "hash": "sha256:00"}"#;
    let unsigned = br#"{"path": "datapackage.json", "hash": "md5:d41d8cd98f00b204e9800998ecf8427e", "signedData": {"hash": "x"}}"#;
    let cases: &[Case<'_>] = &[
        ("archive/Data 1.warc", Some(b"WARC/1.1"), &["wrong-size", "wrong-hash"]),
        ("archive/Data 1.warc", None, &["missing", "missing-entry"]),
        ("archive/more.warc.gz", Some(b"deflated"), &["compressed-entry", "unlisted-entry"]),
        ("indexes/index.cdx.gz", None, &["missing-entry"]),
        (
            "pages/pages.jsonl",
            Some(b"{\"url\": 5}\nno\n"),
            &["wrong-size", "wrong-hash", "bad-page", "bad-page"],
        ),
        ("pages/pages.jsonl", None, &["missing", "missing-entry"]),
        ("datapackage.json", None, &["missing"]),
        ("datapackage.json", Some(b"{}"), &["bad-datapackage", "wrong-hash"]),
        ("datapackage-digest.json", Some(b"{}"), &["bad-digest-file"]),
        ("datapackage-digest.json", Some(digest), &["unverifiable"]),
        (
            "datapackage-digest.json",
            Some(unsigned),
            &["wrong-hash", "wrong-signed-data", "wrong-signed-data", "signature-unchecked"],
        ),
        ("datapackage-digest.json", None, &[]),
        ("../evil.sh", Some(b"x"), &["unsafe-path", "unlisted-entry"]),
        ("C:\\evil.exe", Some(b"x"), &["unsafe-path", "unlisted-entry"]),
    ];
    for (name, bytes, expected) in cases {
        let report = check(&changed(&sound, &[(name, *bytes)]));
        assert_eq!(codes(&report), *expected, "{name}: {:?}", report.problems);
    }
}

#[test]
fn a_bomb_is_told_and_not_read() {
    let folder = TempDir::new().expect("a folder");
    let sound = package(folder.path(), Overwrite::Replace).expect("a package");
    let zeros = vec![0; 4 << 20];
    let path = changed(&sound, &[("indexes/index.idx", Some(&zeros))]);
    let limits = DecodeLimits { max_output_bytes: 1 << 40, max_ratio: 10 };
    let report = validate(&path, limits).expect("a zip file");
    assert_eq!(codes(&report), ["bomb"], "{:?}", report.problems);
}

#[test]
fn entries_that_share_bytes_are_told() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("shared.wacz");
    let mut zip = ZipWriter::new(fs::File::create(&path).expect("a new file"));
    zip.start_file(
        "archive/a.warc",
        SimpleFileOptions::default().compression_method(CompressionMethod::Stored),
    )
    .expect("an entry");
    zip.write_all(WARC).expect("room");
    zip.shallow_copy_file("archive/a.warc", "archive/b.warc").expect("a second name");
    zip.finish().expect("a zip file");
    assert!(codes(&check(&path)).contains(&"broken-directory"));
    let error = Wacz::open(&path).and_then(|mut wacz| wacz.warc_ranges()).expect_err("shared bytes");
    assert!(error.to_string().ends_with("two of its files share bytes"), "{error}");
}

#[test]
fn a_flipped_bit_anywhere_is_no_panic() {
    let folder = TempDir::new().expect("a folder");
    let sound = fs::read(package(folder.path(), Overwrite::Replace).expect("a package")).expect("bytes");
    let path = folder.path().join("flipped.wacz");
    for at in (0..sound.len()).step_by(7) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x41;
        fs::write(&path, &bytes).expect("room");
        let _ = validate(&path, DecodeLimits::default());
        bytes.truncate(at);
        fs::write(&path, &bytes).expect("room");
        assert!(validate(&path, DecodeLimits::default()).is_err(), "a package without its directory is none");
    }
}
