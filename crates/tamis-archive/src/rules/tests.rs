use super::*;

const ID: &str = "WARC-Record-ID: <urn:uuid:12345678-90ab-cdef-1234-567890abcdef>\r\n";
const DATE: &str = "WARC-Date: 2024-02-29T12:00:00Z\r\n";
const TARGET: &str = "WARC-Target-URI: http://a.example/\r\n";
const HTTP: &str = "Content-Type: application/http\r\nContent-Length: 5\r\n";

fn head(version: Version, lines: &str) -> Head {
    let mut head = Head { version, raw: format!("WARC/1.0\r\n{lines}\r\n").into_bytes(), ..Head::default() };
    head.fields.parse(lines.as_bytes());
    head.record_type = RecordType::from_name(head.fields.get("WARC-Type").unwrap_or_default());
    head
}

fn codes(version: Version, lines: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    check_head(&head(version, lines), &mut |fault| found.push(fault.code()));
    found
}

/// A head with all that its type asks for, and these lines.
fn with(record_type: &str, more: &str) -> String {
    let target = if matches!(record_type, "warcinfo" | "metadata") { "" } else { TARGET };
    let extra = match record_type {
        "revisit" => "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\r\n",
        "continuation" => "WARC-Segment-Origin-ID: <urn:x:1>\r\nWARC-Segment-Number: 2\r\n",
        _ => "",
    };
    let content_type = match record_type {
        "warcinfo" => "Content-Type: application/warc-fields\r\nContent-Length: 5\r\n",
        "continuation" => "Content-Length: 5\r\n",
        _ => HTTP,
    };
    format!("WARC-Type: {record_type}\r\n{ID}{DATE}{target}{extra}{content_type}{more}")
}

#[test]
fn every_type_has_a_head_that_breaks_no_rule() {
    for record_type in RecordType::KNOWN {
        for version in [Version::Warc(0, 17), Version::Warc(0, 18), Version::Warc(1, 0), Version::Warc(1, 1)]
        {
            let lines = with(record_type.name(), "X-Extra: a\r\nX-Extra: b\r\nX-Empty:\r\n");
            assert_eq!(codes(version, &lines), Vec::<&str>::new(), "{version} {record_type}");
            let loud = lines.to_ascii_uppercase();
            let loud: Vec<_> = codes(version, &loud).into_iter().filter(|code| !is_advice(code)).collect();
            assert_eq!(loud, Vec::<&str>::new(), "{version} {record_type} in capitals");
        }
    }
}

#[test]
fn each_type_asks_for_its_fields() {
    let cases = [
        ("warcinfo", 3),
        ("metadata", 3),
        ("response", 4),
        ("resource", 4),
        ("request", 4),
        ("conversion", 4),
        ("revisit", 5),
        ("continuation", 6),
        ("something", 3),
    ];
    for (record_type, fields) in cases {
        let lines = format!("WARC-Type: {record_type}\r\nContent-Length: 0\r\n");
        let missing =
            codes(Version::Warc(1, 0), &lines).iter().filter(|&&code| code == "missing-field").count();
        assert_eq!(missing + 1, fields, "{record_type}");
    }
}

#[test]
fn fields_stay_with_their_types() {
    let refers = "WARC-Refers-To: <urn:x:1>\r\n";
    let concurrent = "WARC-Concurrent-To: <urn:x:1>\r\nWARC-Concurrent-To: <urn:x:2>\r\n";
    let address = "WARC-IP-Address: 2001:db8::1\r\n";
    let cases = [
        ("warcinfo", TARGET, Some("forbidden-field")),
        ("warcinfo", "WARC-Filename: a b.warc\r\n", None),
        ("response", "WARC-Filename: a.warc\r\n", Some("forbidden-field")),
        ("something", "WARC-Filename: a.warc\r\n", Some("advice-unknown-type")),
        ("warcinfo", "WARC-Warcinfo-ID: <urn:x:1>\r\n", Some("forbidden-field")),
        ("response", refers, Some("forbidden-field")),
        ("metadata", refers, None),
        ("conversion", refers, None),
        ("request", concurrent, None),
        ("conversion", "WARC-Concurrent-To: <urn:x:1>\r\n", Some("forbidden-field")),
        ("response", address, None),
        ("warcinfo", address, Some("forbidden-field")),
        ("response", "WARC-Segment-Origin-ID: <urn:x:1>\r\n", Some("forbidden-field")),
        ("resource", "WARC-Segment-Total-Length: 10\r\n", Some("forbidden-field")),
        ("continuation", "WARC-Segment-Total-Length: 10\r\n", None),
        (
            "metadata",
            "WARC-Payload-Digest: md5:71B506802DB4A192BF780C6401EE31DE\r\n",
            Some("advice-unfit-field"),
        ),
        ("response", "WARC-Profile: http://a.example/\r\n", Some("advice-unfit-field")),
    ];
    for (record_type, more, expected) in cases {
        let found = codes(Version::Warc(1, 0), &with(record_type, more));
        assert_eq!(found, Vec::from_iter(expected), "{record_type} {more}");
    }
}

#[test]
fn values_have_their_form() {
    let sha1 = "WARC-Block-Digest: sha1:";
    let cases = [
        ("WARC-IP-Address: 10.0.0.256\r\n", "bad-ip"),
        ("WARC-Truncated: too long\r\n", "bad-token"),
        ("WARC-Identified-Payload-Type: html\r\n", "bad-media-type"),
        ("WARC-Segment-Number: one\r\n", "bad-number"),
        ("WARC-Concurrent-To: urn:x:1\r\n", "bad-id"),
        ("WARC-Concurrent-To: <nothing>\r\n", "bad-uri"),
        ("WARC-Concurrent-To: <urn:uuid:1>\r\n", "advice-uuid"),
        ("WARC-Truncated:\r\n", "empty-field"),
        ("WARC-Date: 2024-02-29T12:00:00Z\r\n", "repeated-field"),
        ("X Name: 1\r\n", "bad-field-name"),
        ("X-Name: a\u{7}b\r\n", "bad-text"),
        ("Content-Length: +5\r\n", "repeated-field bad-number"),
        (&format!("{sha1}71B506802DB4A192BF780C6401EE31DE\r\n"), "bad-digest"),
        (&format!("{sha1}    \r\n"), "bad-digest"),
        ("WARC-Block-Digest: 5XRCLALILFBHEHD3S5B5Z3JROYZ5ADRT\r\n", "bad-digest"),
        ("WARC-Block-Digest: :5XRCLALILFBHEHD3S5B5Z3JROYZ5ADRT\r\n", "bad-digest"),
        (&format!("{sha1}EDE22581685942721C7B9743DCED317633D00E33\r\n"), ""),
        (&format!("{sha1}5xrclalilfbhehd3s5b5z3jroyz5adrt\r\n"), ""),
        (&format!("{sha1}7eIlgWhZQnIce5dD3O0xdjPQDjM=\r\n"), ""),
        ("WARC-Block-Digest: md5:OG2QNABNWSQZFP3YBRSAD3RR3Y======\r\n", ""),
        ("WARC-Block-Digest: md5:OG2QNABNWSQZFP3YBRSAD3RR3Y\r\n", ""),
        ("WARC-Block-Digest: blake3:whatever\r\n", ""),
    ];
    for (more, expected) in cases {
        assert_eq!(codes(Version::Warc(1, 0), &with("response", more)).join(" "), expected, "{more}");
    }
}

#[test]
fn text_that_is_not_utf8_is_reported_once() {
    let mut head = head(Version::Warc(1, 0), &with("resource", ""));
    head.fields.push(b"WARC-Filename\xe9", b"caf\xe9");
    head.fields.push(b"X-Name", b"caf\xe9");
    let mut found = Vec::new();
    check_head(&head, &mut |fault| found.push(fault.to_string()));
    let expected =
        ["WARC-Filenameé \"café\": the field name is not a token", "X-Name \"café\": the value is not UTF-8"];
    assert_eq!(found, expected);
}

#[test]
fn targets_are_uris() {
    let cases = [
        ("http://a.example/?q=%20", ""),
        ("DNS:a.example", ""),
        ("urn:pageinfo:http://a.example/", ""),
        ("<http://a.example/>", "advice-target-brackets"),
        ("http://a.example/ü|{}", "advice-uri-escape"),
        ("http://a.example/%zz", "advice-uri-escape"),
        ("http://a.example/a b", "bad-uri"),
        ("<http://a.example/a b>", "bad-uri"),
        ("bad_uri", "bad-uri"),
        ("1http://a.example/", "bad-uri"),
        (":x", "bad-uri"),
        ("http:", "bad-uri"),
    ];
    for (target, expected) in cases {
        let lines = with("response", "").replace("http://a.example/", target);
        assert_eq!(codes(Version::Warc(1, 0), &lines).join(" "), expected, "{target}");
    }
}

#[test]
fn dates_follow_their_version() {
    let cases = [
        ("2024-02-29T12:00:00Z", "", ""),
        ("2024-02-29t12:00:00z", "", ""),
        ("2024-02-29T12:00:00.123Z", "advice-date-fraction", ""),
        ("2024-02-29T12:00:00.1234567890Z", "bad-date", "bad-date"),
        ("2024-02-29T12:00Z", "bad-date", ""),
        ("2024-02", "bad-date", ""),
        ("2024-02-29T12:00:00+01:00", "bad-date", "bad-date"),
        ("2024-02-29 12:00:00", "bad-date", "bad-date"),
        ("20240229120000", "bad-date", "bad-date"),
        ("2023-02-29T12:00:00Z", "bad-date", "bad-date"),
        ("blue monday", "bad-date", "bad-date"),
    ];
    for (date, in_1_0, in_1_1) in cases {
        let lines = with("response", "").replace("2024-02-29T12:00:00Z", date);
        assert_eq!(codes(Version::Warc(1, 0), &lines).join(" "), in_1_0, "{date} in WARC/1.0");
        assert_eq!(codes(Version::Warc(0, 18), &lines).join(" "), in_1_0, "{date} in WARC/0.18");
        assert_eq!(codes(Version::Warc(1, 1), &lines).join(" "), in_1_1, "{date} in WARC/1.1");
    }
}

#[test]
fn media_types_fit_the_record() {
    let cases = [
        ("response", "application/http; msgtype=response", ""),
        ("response", "application/http;MSGTYPE=\"response\"", ""),
        ("response", "application/http; msgtype=request", "content-type"),
        ("request", "application/http; msgtype=custom", "content-type"),
        ("response", "text/html", "advice-http-content-type"),
        ("resource", "text/html; charset=x", ""),
        ("warcinfo", "application/json", "content-type"),
        ("warcinfo", "APPLICATION/WARC-FIELDS; a=b", ""),
        ("metadata", "gif\\image", "bad-media-type"),
    ];
    for (record_type, media_type, expected) in cases {
        let lines = with(record_type, "").replace("application/http", media_type);
        let lines = lines.replace("application/warc-fields", media_type);
        assert_eq!(codes(Version::Warc(1, 1), &lines).join(" "), expected, "{record_type} {media_type}");
    }
    let bare = format!("WARC-Type: metadata\r\n{ID}{DATE}Content-Length: ");
    assert_eq!(codes(Version::Warc(1, 1), &format!("{bare}5\r\n")), ["missing-content-type"]);
    assert_eq!(codes(Version::Warc(1, 1), &format!("{bare}0\r\n")), Vec::<&str>::new());
}

#[test]
fn a_revisit_of_an_identical_payload_names_its_digest() {
    let lines = with("revisit", "").replace("server-not-modified", "identical-payload-digest");
    assert_eq!(codes(Version::Warc(1, 0), &lines), ["missing-field"]);
    let lines = format!("{lines}WARC-Payload-Digest: sha1:5XRCLALILFBHEHD3S5B5Z3JROYZ5ADRT\r\n");
    assert_eq!(codes(Version::Warc(1, 0), &lines), Vec::<&str>::new());
}

#[test]
fn versions_without_a_standard_are_named() {
    assert_eq!(codes(Version::Unknown, &with("response", "")), Vec::<&str>::new());
}

#[test]
fn line_heads_have_a_moment_an_address_and_a_target() {
    let lines = "WARC-Target-URI: nowhere\r\nWARC-IP-Address: x\r\nWARC-Date: deadbeef\r\nContent-Type: -\n";
    assert_eq!(codes(Version::Arc1, lines), ["bad-uri", "bad-ip", "bad-date"]);
    let lines = "WARC-Target-URI: http://a.example/\r\nWARC-IP-Address: 0.0.0.0\r\nWARC-Date: 2008043020\r\n";
    assert_eq!(codes(Version::Arc2, lines), Vec::<&str>::new());
    assert_eq!(codes(Version::Warc(0, 9), lines), Vec::<&str>::new());
}

#[test]
fn long_values_are_shortened_in_reports() {
    let mut details = Vec::new();
    let lines = with("response", &format!("WARC-Truncated: {}\r\n", "é ".repeat(5000)));
    check_head(&head(Version::Warc(1, 0), &lines), &mut |fault| details.push(fault.to_string()));
    assert_eq!(details.len(), 1);
    assert!(details[0].chars().count() < 130, "{}", details[0]);
}

fn segment(record_type: &str, id: u32, number: &str, more: &str) -> Head {
    let lines = format!(
        "WARC-Type: {record_type}\r\nWARC-Record-ID: <urn:x:{id}>\r\n{TARGET}Content-Length: 10\r\n\
         WARC-Segment-Number: {number}\r\n{more}"
    );
    head(Version::Warc(1, 0), &lines)
}

fn file_codes(heads: &[Head]) -> Vec<&'static str> {
    let (mut rules, mut found) = (FileRules::default(), Vec::new());
    for head in heads {
        rules.check(&HeadFacts::of(head), &mut |fault| found.push(fault.code()));
    }
    found
}

#[test]
fn segments_make_up_one_record() {
    let origin = "WARC-Segment-Origin-ID: <urn:x:1>\r\n";
    let last = |total: u32| format!("{origin}WARC-Segment-Total-Length: {total}\r\n");
    let elsewhere = format!("{origin}WARC-Target-URI: http://b.example/\r\n");
    let moved = |head: Head| {
        let lines = String::from_utf8(head.raw).expect("made of text").replace("WARC/1.0\r\n", "");
        self::head(Version::Warc(1, 0), &lines.replacen(TARGET, "", 1))
    };
    let first = || segment("response", 1, "1", "");
    let next = |number: &str, more: &str| segment("continuation", number.parse().unwrap_or(9), number, more);
    let cases = [
        (vec![first(), next("2", origin), next("3", &last(30))], ""),
        (vec![first(), next("2", &last(30))], "segment-length"),
        (vec![first(), next("3", &last(30))], "segment-number"),
        (vec![first(), moved(next("2", &elsewhere))], "segment-target"),
        (vec![next("7", origin), next("8", &last(5))], ""),
        (vec![next("7", origin), next("9", origin)], "segment-number"),
    ];
    for (heads, expected) in cases {
        assert_eq!(file_codes(&heads).join(" "), expected, "{heads:?}");
    }
}

#[test]
fn identifiers_are_compared_within_a_window() {
    let record = |id: u32| head(Version::Warc(1, 1), &format!("WARC-Record-ID: <urn:x:{id}>\r\n"));
    assert_eq!(file_codes(&[record(1), record(2), record(1)]), ["advice-repeated-id"]);
    let far: Vec<Head> = (0..100).chain([0]).map(record).collect();
    assert_eq!(file_codes(&far), Vec::<&str>::new());
}
