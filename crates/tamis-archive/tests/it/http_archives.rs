//! HTTP messages out of real archives.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use tamis_archive::http::{
    BodyEnd, BodyOutcome, BodyReader, Coding, DecodeLimits, Extent, HttpHead, HttpKind, HttpQuirk, Parse,
};

use crate::data;

/// The blocks of all records of a sound WARC, without the help of the reader that is tested elsewhere.
fn blocks(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut bytes = std::fs::read(path).expect("the file is there");
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain).expect("the file is sound");
        bytes = plain;
    }
    let mut blocks = Vec::new();
    let mut rest = &bytes[..];
    while let Some(head_len) = memchr::memmem::find(rest, b"\r\n\r\n").map(|i| i + 4) {
        let head = String::from_utf8_lossy(&rest[..head_len]).to_ascii_lowercase();
        let length =
            head.split("content-length:").nth(1).and_then(|rest| rest.lines().next()).expect("a length");
        let end = (head_len + length.trim().parse::<usize>().expect("a number")).min(rest.len());
        blocks.push((head, rest[head_len..end].to_vec()));
        rest = rest[end..].trim_ascii_start();
    }
    blocks
}

fn read(block: &[u8]) -> Option<(HttpHead, Vec<u8>, BodyOutcome)> {
    let mut head = HttpHead::default();
    let Parse::Done(len) = head.parse(block, Extent::Whole) else { return None };
    let mut reader = BodyReader::new(&head, &block[len..], DecodeLimits::default());
    let mut body = Vec::new();
    reader.read_to_end(&mut body).expect("a slice reads without errors");
    let outcome = reader.outcome();
    Some((head, body, outcome))
}

#[test]
fn search_result_pages_with_broken_heads_are_read() {
    let Some(folder) = data::unpacked("warc/archive-query-log/tests") else { return };
    let mut quirks = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        for (record, block) in blocks(&path) {
            if !record.contains("warc-type: response") {
                continue;
            }
            let (head, body, outcome) = read(&block).expect("a response");
            assert_eq!(head.kind(), HttpKind::Response);
            assert!(
                head.status().is_some(),
                "{}: {:?}",
                path.display(),
                head.start_line().escape_ascii().to_string()
            );
            assert_eq!(outcome.end, BodyEnd::Complete, "{}: {}", path.display(), outcome.quirks);
            let start = body.iter().find(|b| !b.is_ascii_whitespace());
            assert!(
                body.is_empty() || matches!(start, Some(b'<' | b'{' | b'[' | 0xef | b'(')),
                "{}: {start:?}",
                path.display()
            );
            for quirk in head.quirks().union(outcome.quirks).iter() {
                *quirks.entry(quirk).or_insert(0) += 1;
            }
        }
    }
    eprintln!("{quirks:?}");
    assert_eq!(quirks.get(&HttpQuirk::RepeatedVersion), Some(&293));
}

#[test]
fn chunked_bodies_are_read() {
    let Some(folder) = data::unpacked("warc") else { return };
    // The file, how its chunked body ends, and what is odd.
    let cases = [
        ("ipwb/warcs/baconIpsum_chunked.warc", BodyEnd::Complete, ""),
        // Its trailer stands behind the empty line that ends the body.
        ("ipwb/warcs/baconIpsum_chunked_httpTrailors.warc", BodyEnd::Complete, "bytes-after-chunks"),
        ("warcat/bad_http_chunked_content.warc", BodyEnd::Complete, "wrong-chunk-size"),
    ];
    for (name, end, quirks) in cases {
        let chunked: Vec<_> = blocks(&folder.join(name))
            .iter()
            .filter_map(|(_, block)| read(block))
            .filter(|(_, _, outcome)| outcome.undone().any(|coding| coding == Coding::Chunked))
            .collect();
        let (_, _, outcome) = chunked.first().expect(name);
        assert_eq!((outcome.end, outcome.quirks.to_string().as_str()), (end, quirks), "{name}");
    }
}
