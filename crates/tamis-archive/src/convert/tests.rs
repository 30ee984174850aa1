use super::*;
use crate::write::{Compression, NewRecord, RevisitProfile, WriterOptions};
use crate::{Mode, Reader, RecordType};

fn converted(archive: &[u8], version: Option<WarcVersion>) -> (Vec<Converted>, Vec<u8>) {
    let options = WriterOptions {
        version: version.unwrap_or_default(),
        compression: Compression::Plain,
        link_warcinfo: false,
        ..WriterOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).expect("good options");
    let mut converter = Converter::new(version);
    let mut reader = Reader::from_stream("test", std::io::Cursor::new(archive.to_vec()), Mode::Lenient);
    let mut fates = Vec::new();
    while let Some(record) = reader.next().expect("reads") {
        fates.push(converter.convert(record, &mut writer).expect("writes"));
    }
    (fates, writer.finish().expect("memory"))
}

#[test]
fn odd_heads_keep_every_byte() {
    let archive = b"WARC/1.0\r\nwarc-type:resource\r\nX-Odd:\r\n folded\r\n\tagain\r\nno field\r\n\
        content-length:  3\r\n\r\nabc\r\n\r\nWARC/0.17\nWARC-Type: resource\nContent-Length: 0\n\n\r\n\r\n";
    let (fates, copy) = converted(archive, None);
    assert_eq!(fates, [Converted::Copied, Converted::Copied]);
    assert_eq!(String::from_utf8_lossy(&copy), String::from_utf8_lossy(archive));
}

#[test]
fn another_version_changes_its_line_alone() {
    let archive = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Date: 2024-02-29T12:34:56Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let (fates, copy) = converted(archive.as_bytes(), Some(WarcVersion::V1_0));
    assert_eq!(fates, [Converted::Relabelled { dates: 0 }]);
    assert_eq!(String::from_utf8_lossy(&copy), archive.replace("WARC/1.1", "WARC/1.0"));
    let (fates, same) = converted(archive.as_bytes(), Some(WarcVersion::V1_1));
    assert_eq!((fates.as_slice(), same.as_slice()), (&[Converted::Copied][..], archive.as_bytes()));
}

#[test]
fn damaged_records_are_left_out() {
    let archive = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 9\r\n\r\nabc";
    assert_eq!(converted(archive, None), (vec![Converted::LeftOut("damaged")], Vec::new()));
}

#[test]
fn arc_becomes_warc() {
    let archive = "filedesc://a.arc 0.0.0.0 20240229123456 text/plain 20\n1 0 InternetArchive\n\n\
        http://a.org/b c 192.0.2.7 20240229123456 text/html 19\nHTTP/1.0 200 OK\r\n\r\n\n\
        dns:a.org 192.0.2.7 20240229123456 text/dns 3\nabc\n\
        http://a.org/raw 0.0.0.0 20240229123456 no-type 3\nabc\n";
    let (fates, copy) = converted(archive.as_bytes(), None);
    let mapped = |records| Converted::Mapped { records };
    assert_eq!(fates, [mapped(2), mapped(1), mapped(1), mapped(1)]);
    let mut reader = Reader::from_stream("copy", std::io::Cursor::new(copy), Mode::Strict);
    let mut seen = Vec::new();
    while let Some(record) = reader.next().expect("is sound") {
        crate::check_head(record.head, &mut |kind| panic!("{kind}"));
        let fields = record.head.fields();
        let text = |name: &str| fields.text(name).unwrap_or_default().into_owned();
        seen.push((
            record.head.record_type(),
            text("WARC-Target-URI"),
            text("Content-Type"),
            text("WARC-IP-Address"),
        ));
    }
    let seen: Vec<_> = seen.iter().map(|(t, u, c, i)| (*t, u.as_str(), c.as_str(), i.as_str())).collect();
    assert_eq!(
        seen,
        [
            (RecordType::Warcinfo, "", "application/warc-fields", ""),
            (RecordType::Metadata, "filedesc://a.arc", "text/plain", ""),
            (RecordType::Response, "http://a.org/b%20c", "application/http;msgtype=response", "192.0.2.7"),
            (RecordType::Resource, "dns:a.org", "text/dns", "192.0.2.7"),
            (RecordType::Resource, "http://a.org/raw", "application/octet-stream", ""),
        ]
    );
}

#[test]
fn the_oldest_warc_stays_or_gets_named_fields() {
    let line = "warc/0.9 LENGTH response http://a.org/ 20061006192531 message/http uuid:00000000-0000-4000-8000-000000000001\r\n";
    let head = line.replace("LENGTH", "132") + "X: y\r\n\r\n";
    let archive =
        format!("{}HTTP/1.0 200 OK\r\n\r\n\r\n\r\n", head.replace("132", &(head.len() + 19 + 4).to_string()));
    let (fates, copy) = converted(archive.as_bytes(), None);
    assert_eq!(
        (fates.as_slice(), String::from_utf8_lossy(&copy).as_ref()),
        (&[Converted::Copied][..], archive.as_str())
    );
    let (fates, copy) = converted(archive.as_bytes(), Some(WarcVersion::V1_0));
    assert_eq!(fates, [Converted::Mapped { records: 1 }]);
    let text = String::from_utf8(copy).expect("is text");
    for part in [
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n",
        "WARC-Date: 2006-10-06T19:25:31Z\r\nWARC-Target-URI: http://a.org/\r\nX: y\r\n",
        "Tamis-Original-Head: warc/0.9 ",
        "Content-Type: application/http;msgtype=response\r\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

const PAGE: &str = "<title>A page that is stored in a coding</title>";

fn coded(coding: &str, body: &[u8]) -> Vec<u8> {
    let mut block = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    block.extend_from_slice(body);
    block
}

/// A response in this coding, and a revisit of its payload.
fn coded_archive(coding: &str, body: &[u8]) -> Vec<u8> {
    let options = WriterOptions { compression: Compression::Plain, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), options).expect("good options");
    let date = crate::Timestamp::parse(b"2024-02-29T12:34:56Z").expect("a date");
    let payload = crate::Digest::of(crate::Algorithm::Sha1, body).to_string();
    let block = coded(coding, body);
    let response = NewRecord::response("http://a.org/", date).payload_digest(&payload);
    writer.write(&response, &block[..]).expect("writes");
    let revisit = NewRecord::revisit("http://a.org/again", date, RevisitProfile::IdenticalPayloadDigest)
        .payload_digest(&payload)
        .refers_to_target("http://a.org/", date);
    writer.write(&revisit, &block[..block.len() - body.len()]).expect("writes");
    writer.finish().expect("memory")
}

fn reader(archive: &[u8]) -> Reader {
    Reader::from_stream("test", std::io::Cursor::new(archive.to_vec()), Mode::Lenient)
}

fn decoded(archive: &[u8], codings: &[crate::http::Coding], knows_payloads: bool) -> (Codings, Vec<u8>) {
    let mut payloads = Payloads::default();
    if knows_payloads {
        payloads.want(&mut reader(archive)).expect("reads");
        payloads.find(&mut reader(archive), codings).expect("reads");
    }
    let decode = Decode { codings: codings.to_vec(), payloads: std::sync::Arc::new(payloads) };
    let options =
        WriterOptions { compression: Compression::Plain, link_warcinfo: false, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), options).expect("good options");
    let (mut converter, mut reader) = (Converter::new(None).decoding(decode), reader(archive));
    while let Some(record) = reader.next().expect("reads") {
        converter.convert(record, &mut writer).expect("writes");
    }
    (converter.codings(), writer.finish().expect("memory"))
}

#[test]
fn bodies_are_stored_without_codings_and_digests_are_theirs() {
    let body = zstd::encode_all(PAGE.as_bytes(), 3).expect("memory");
    let archive = coded_archive("zstd", &body);
    let (codings, copy) = decoded(&archive, &[], true);
    assert_eq!(codings, Codings { undone: 2, ..Codings::default() });
    let expected = crate::Digest::of(crate::Algorithm::Sha1, PAGE.as_bytes());
    let (mut read, mut verifier) = (reader(&copy), crate::Verifier::default());
    let mut seen = 0;
    while let Some(mut record) = read.next().expect("is sound") {
        let stated = record.head.fields().get("WARC-Payload-Digest").map(crate::StatedDigest::parse);
        assert_eq!(stated.and_then(|stated| stated.matches(&expected)), Some(true), "{seen}");
        let block = record.body.peek(4096).expect("reads").to_vec();
        let text = String::from_utf8_lossy(&block);
        let len = format!(
            "X-Crawl-Content-Encoding: zstd\r\nX-Crawl-Content-Length: {}\r\nContent-Length: {}\r\n\r\n",
            body.len(),
            PAGE.len()
        );
        assert!(text.contains(&len), "{text}");
        assert_eq!(text.ends_with(PAGE), seen == 0, "{text}");
        verifier.verify(record, &mut |fault| panic!("{fault}")).expect("reads");
        seen += 1;
    }
    assert_eq!(seen, 2);
    assert_eq!(decoded(&copy, &[], true), (Codings::default(), copy), "once is enough");
}

#[test]
fn what_cannot_be_decoded_stays_as_it_is_and_is_counted() {
    let body = zstd::encode_all(PAGE.as_bytes(), 3).expect("memory");
    let archive = coded_archive("zstd", &body);
    let (codings, copy) = decoded(&archive, &[], false);
    assert_eq!(codings, Codings { undone: 1, orphans: 1, ..Codings::default() });
    assert!(
        String::from_utf8_lossy(&copy).contains("\r\nContent-Encoding: zstd"),
        "the revisit is as it was"
    );
    let damaged = coded_archive("zstd", &body[..body.len() / 2]);
    assert_eq!(
        decoded(&damaged, &[], true),
        (Codings { undecodable: 1, orphans: 1, ..Codings::default() }, damaged)
    );
    let other = decoded(&archive, &[crate::http::Coding::Br], true);
    assert_eq!(other, (Codings::default(), archive), "only the codings that were asked for");
}
