//! Index files of other tools: read to the end, looked up, written again.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use tamis_archive::cdx::{CdxEntry, CdxReader, Index, MatchType, Query, ZipNumBlock};

use crate::data::unpacked;

#[test]
fn index_files_of_other_tools_are_read() {
    let Some(root) = unpacked("warc") else { return };
    for (name, entries, bad) in [
        ("pywb/cdx/iana.cdx", 171, 0),
        ("pywb/cdx/bad.cdx", 4, 0),
        ("pywb/cdx/post-test.cdx", 3, 0),
        ("pywb/cdx/httpbin-resource.cdxj", 1, 0),
        ("pywb/cdxj/iana.cdxj", 171, 0),
        ("pywb/cdxj/example-no-digest.cdxj", 3, 0),
        ("ipwb/indexes/salam-home.cdxj", 1, 0),
        ("ipwb/indexes/sample-old.cdxj", 65, 0),
        ("outbackcdx/test-integration/test1.cdx", 3, 0),
        ("cdx-writer/large_warcs/ftp-mayn-de-2016-08-04/ftp.mayn.de.exp", 3632, 0),
        (
            "cdx-writer/large_warcs/wb_urls.ia11013.20050517055850-c/wb_urls.ia11013.20050805040525.exp",
            2507,
            0,
        ),
        ("richardlehane/hello-world.cdx", 3, 0),
        // Columns in an order of their own and no legend: URL, address, moment.
        (
            "netarchivesuite/common/common-test/tests/dk/netarkivet/common/utils/arc/data/input/Reader2.cdx",
            0,
            2,
        ),
    ] {
        let path = root.join(name);
        let mut reader = CdxReader::new(BufReader::new(File::open(&path).expect(name)), &path);
        let count = reader.by_ref().inspect(|entry| assert!(entry.is_ok(), "{name}")).count();
        assert_eq!(
            (count, reader.bad_line_count() > 0),
            (count, bad > 0),
            "{name}: {:?}",
            reader.bad_lines()
        );
        assert_eq!(count, entries, "{name}: {:?}", reader.bad_lines());
    }
}

#[test]
fn lines_of_pywb_are_written_byte_for_byte() {
    let Some(root) = unpacked("warc/pywb") else { return };
    for name in
        ["cdxj/iana.cdxj", "cdxj/dupes.cdxj", "cdxj/post-test.cdxj", "cdx/iana.cdx", "cdx/example.cdx"]
    {
        let text = std::fs::read_to_string(root.join(name)).expect(name);
        let write = if name.starts_with("cdxj/") { CdxEntry::to_cdxj } else { CdxEntry::to_cdx11 };
        let entries = CdxReader::new(text.as_bytes(), name).map(|entry| write(&entry.expect(name)));
        let lines: Vec<String> = entries.collect();
        let expected: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(lines, expected, "{name}");
    }
}

#[test]
fn a_zipnum_of_pywb_answers_as_its_lines() {
    let Some(root) = unpacked("warc/pywb/zipcdx") else { return };
    let data = std::fs::read(root.join("zipnum-sample.cdx.gz")).expect("data");
    let mut text = String::new();
    for line in std::fs::read_to_string(root.join("zipnum-sample.idx")).expect("index").lines() {
        let block = ZipNumBlock::parse(line.as_bytes()).expect("a block");
        let member = &data[block.offset as usize..][..block.length as usize];
        flate2::read::GzDecoder::new(member).read_to_string(&mut text).expect("gzip");
        // The last line of each block has no line end.
        text.push('\n');
    }
    let all: Vec<CdxEntry> =
        CdxReader::new(text.as_bytes(), "lines").map(|entry| entry.expect("a line")).collect();
    assert!(all.len() > 100);
    let index = Index::open([root.join("zipnum-sample.idx")]).expect("a ZipNum");
    let find = |url: &str, match_type| -> Vec<CdxEntry> {
        let query = Query { url: url.into(), match_type, ..Query::default() };
        index.query(&query).expect("an answer").map(|entry| entry.expect("an entry")).collect()
    };
    for entry in &all {
        let expected: Vec<_> = all.iter().filter(|other| other.urlkey == entry.urlkey).cloned().collect();
        assert_eq!(find(&entry.url, MatchType::Exact), expected, "{}", entry.url);
    }
    let of_domain: Vec<_> =
        all.iter().filter(|entry| entry.urlkey.starts_with("org,iana")).cloned().collect();
    assert_eq!(find("iana.org", MatchType::Domain), of_domain);
    assert_eq!(find("http://nowhere.example/", MatchType::Exact), []);
}

#[test]
fn several_files_are_asked_as_one() {
    let Some(root) = unpacked("warc/pywb") else { return };
    let paths: Vec<PathBuf> =
        ["cdx/iana.cdx", "cdxj/dupes.cdxj", "cdxj/example.cdx.gz"].map(|name| root.join(name)).into();
    let index = Index::open(&paths).expect("indexes");
    let query =
        Query { closest: "20140127".parse().ok(), limit: Some(3), ..Query::exact("http://iana.org/") };
    let found: Vec<_> =
        index.query(&query).expect("an answer").map(|entry| entry.expect("an entry")).collect();
    let moments: Vec<&str> = found.iter().map(|entry| entry.timestamp.as_str()).collect();
    assert_eq!(moments, ["20140126200624", "20140127171238", "20140127171238"]);
    assert!(Path::new(&found[1].filename).ends_with("dupes.warc.gz"));
}
