use std::io::Cursor;

use super::*;
use crate::write::{Compression, WriterOptions};
use crate::{Mode, Reader, Severity};

const HEAD: &str = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:1>\r\n\
    WARC-Date: 2024-02-29T12:34:56Z\r\nWARC-Target-URI: http://a/\r\nContent-Type: text/plain\r\n";
/// `printf abc | sha1sum | xxd -r -p | base32`
const ABC: &str = "WARC-Block-Digest: sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5\r\n";

fn repaired(archive: &[u8], damaged: Damaged) -> (Vec<Repaired>, Vec<u8>) {
    let options =
        WriterOptions { compression: Compression::Plain, link_warcinfo: false, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), options).expect("good options");
    let mut repairer = Repairer::new(damaged);
    let mut reader = Reader::from_stream("test", Cursor::new(archive.to_vec()), Mode::Lenient);
    let mut fates = Vec::new();
    while let Some(record) = reader.next().expect("reads") {
        fates.push(repairer.repair(record, &mut writer).expect("writes"));
    }
    (fates, writer.finish().expect("memory"))
}

fn only(archive: &str, damaged: Damaged) -> (Fate, String) {
    let (fates, bytes) = repaired(archive.as_bytes(), damaged);
    assert_eq!(fates.len(), 1, "{archive}");
    (fates[0].fate.clone(), String::from_utf8(bytes).expect("is text"))
}

fn assert_sound(bytes: &str) {
    let mut reader = Reader::from_stream("copy", Cursor::new(bytes.to_owned()), Mode::Strict);
    let mut verifier = Verifier::default();
    while let Some(record) = reader.next().expect("is sound") {
        let refuse = &mut |kind: FaultKind| {
            assert!(kind.severity() == Severity::Note, "{kind}: {bytes}");
        };
        crate::check_head(record.head, refuse);
        verifier.verify(record, refuse).expect("reads");
    }
}

#[test]
fn heads_are_mended_without_inventing() {
    let head = |more: &str| format!("{HEAD}{more}Content-Length: 3\r\n\r\nabc\r\n\r\n");
    for (archive, kinds, part) in [
        (head("A: b\r\n\tc\r\n"), &[][..], "A: b\r\n\tc\r\n"),
        (
            head("").replace("WARC/1.0", "WARC/1.0 x"),
            &["version"],
            "WARC/1.0\r\nTamis-Original-Version: WARC/1.0 x\r\n",
        ),
        (
            head("").replace("WARC/1.0", "WARC/7.3"),
            &["version"],
            "WARC/1.1\r\nTamis-Original-Version: WARC/7.3\r\n",
        ),
        (head("").replace("\r\n", "\n"), &["line-ends"], "WARC-Record-ID: <urn:x:1>\r\n"),
        (head("A:\r\n \r\n b\r\n"), &["line-ends"], "A: b\r\n"),
        (head("no field\r\n"), &["header-line"], "Tamis-Original-Line: no field\r\n"),
        (head("bad name: x\r\n"), &["header-line"], "Tamis-Original-Line: bad name: x\r\n"),
        (head("WARC-Truncated:\r\n"), &["empty-field"], "\r\nContent-Length: 3\r\n\r\nabc"),
        (head("WARC-Date: 2024-02-29T12:34:56Z\r\n"), &["repeated-field"], "plain\r\nContent-Length"),
        (head("WARC-Date: 2025\r\n"), &["repeated-field"], "Tamis-Original-WARC-Date: 2025\r\n"),
        (head("WARC-Filename: x\r\n"), &["forbidden-field"], "Tamis-Original-WARC-Filename: x\r\n"),
        (head("WARC-IP-Address: here\r\n"), &["bad-ip"], "Tamis-Original-WARC-IP-Address: here\r\n"),
        (head("X: \u{b}\r\n"), &["text"], "Tamis-Original-X: %0B\r\nX: %0B\r\n"),
        (head("X: 5%\u{b}\r\n"), &["text"], "Tamis-Original-X: 5%25%0B\r\nX: 5%%0B\r\n"),
        (
            head("").replace("<urn:x:1>", "urn:x:1"),
            &["bad-id"],
            "WARC-Record-ID: <urn:x:1>\r\nTamis-Original-WARC-Record-ID: urn:x:1\r\n",
        ),
        (
            head("").replace("<urn:x:1>", "1"),
            &["bad-uri", "record-id"],
            "Tamis-Original-WARC-Record-ID: 1\r\n",
        ),
        (
            head("").replace("2024-02-29T12:34:56Z", "20240229123456"),
            &["bad-date"],
            "WARC-Date: 2024-02-29T12:34:56Z\r\nTamis-Original-WARC-Date: 20240229123456\r\n",
        ),
        (
            head("").replace("2024-02-29T12:34:56Z", "2024-02-29 12:34:56.123456789"),
            &["bad-date"],
            "WARC-Date: 2024-02-29T12:34:56Z\r\nTamis-Original-WARC-Date: 2024-02-29 12:34:56.123456789\r\n",
        ),
        (
            head("").replace("2024-02-29T12:34:56Z", "20240229123456789").replace("WARC/1.0", "WARC/1.1"),
            &["bad-date"],
            "WARC-Date: 2024-02-29T12:34:56.789Z\r\nTamis-Original-WARC-Date: 20240229123456789\r\n",
        ),
        (
            head("").replace("http://a/", "http://a/b c"),
            &["bad-uri"],
            "WARC-Target-URI: http://a/b%20c\r\nTamis-Original-WARC-Target-URI: http://a/b c\r\n",
        ),
        (
            head("").replace("Content-Type: text/plain\r\n", ""),
            &["content-type"],
            "Content-Type: application/octet-stream\r\n",
        ),
        (head("").replace("WARC-Record-ID: <urn:x:1>\r\n", ""), &["record-id"], "WARC-Record-ID: <urn:uuid:"),
    ] {
        let (fate, bytes) = only(&archive, Damaged::LeaveOut);
        let expected = if kinds.is_empty() { Fate::Copied } else { Fate::Mended(kinds.to_vec()) };
        assert_eq!(fate, expected, "{archive}");
        assert!(bytes.contains(part), "{part}: {bytes}");
        assert_sound(&bytes);
        assert_eq!(only(&bytes, Damaged::LeaveOut), (Fate::Copied, bytes), "a second time changes nothing");
    }
}

#[test]
fn what_would_have_to_be_invented_remains() {
    let archive =
        format!("{HEAD}Content-Length: 3\r\n\r\nabc\r\n\r\n").replace("2024-02-29T12:34:56Z", "soon");
    let (fates, _) = repaired(archive.as_bytes(), Damaged::LeaveOut);
    let codes: Vec<_> = fates[0].remaining.iter().map(FaultKind::code).collect();
    assert_eq!((fates[0].fate.clone(), codes), (Fate::Copied, vec!["bad-date"]));
}

#[test]
fn a_wrong_length_is_set_right_where_the_true_end_is_known() {
    let next = format!("{HEAD}Content-Length: 0\r\n\r\n\r\n\r\n");
    for (stated, block) in [("9", "abc"), ("x", "abc"), ("1", "abc"), ("-1", "abc")] {
        let archive = format!("{HEAD}Content-Length: {stated}\r\n\r\n{block}\r\n\r\n{next}");
        let (fates, bytes) = repaired(archive.as_bytes(), Damaged::LeaveOut);
        let bytes = String::from_utf8(bytes).expect("is text");
        assert_eq!(fates[0].fate, Fate::Mended(vec!["length"]), "{stated}: {bytes}");
        assert!(bytes.contains("Content-Length: 3\r\nTamis-Original-Content-Length: "), "{bytes}");
        assert_eq!(fates[1].fate, Fate::Copied);
        assert_sound(&bytes);
    }
}

#[test]
fn a_digest_proves_a_block_whatever_else_is_wrong() {
    for archive in [
        format!("{HEAD}{ABC}Content-Length: 9\r\n\r\nabc"),
        format!("{HEAD}{ABC}Content-Length: 9\r\n\r\nabc\r\n\r\n"),
        format!("{HEAD}{ABC}Content-Length: 3\r\n\r\nabcgarbage\r\n\r\n"),
    ] {
        let (fate, bytes) = only(&archive, Damaged::LeaveOut);
        assert!(matches!(fate, Fate::Mended(_)), "{fate:?} {archive}");
        assert!(bytes.contains("Content-Length: 3\r\n") && bytes.ends_with("\r\n\r\nabc\r\n\r\n"), "{bytes}");
        assert_sound(&bytes);
    }
}

#[test]
fn damaged_records_are_left_out_or_kept_with_a_mark() {
    let digest = ABC.replace("VGMT", "AAAA");
    for (archive, why) in [
        (format!("{HEAD}Content-Length: 9\r\n\r\nabc"), "truncated"),
        (format!("{HEAD}Content-Length: 9\r\n\r\nabc\r\n\r\n"), "truncated"),
        (format!("{HEAD}{digest}Content-Length: 3\r\n\r\nabc\r\n\r\n"), "digest differs"),
    ] {
        assert_eq!(only(&archive, Damaged::LeaveOut), (Fate::LeftOut(why), String::new()), "{archive}");
        let (fate, bytes) = only(&archive, Damaged::Keep);
        assert_eq!(fate, Fate::Kept(why));
        assert!(bytes.contains("WARC-Truncated: unspecified\r\n"), "{bytes}");
        assert_sound(&bytes);
    }
}
