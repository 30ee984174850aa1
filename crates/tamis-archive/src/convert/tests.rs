use super::*;
use crate::write::{Compression, WriterOptions};
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
