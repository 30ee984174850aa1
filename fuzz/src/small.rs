//! The small parsers: moments, digests, fields and URLs. The first byte says which.

use tamis_archive::surt::{Canon, ParsedUrl, SurtOptions, canonicalize, surt_with};
use tamis_archive::{Digest, Fields, Precision, StatedDigest, Timestamp};

/// Parses the bytes and what it wrote of them.
pub fn check(data: &[u8]) {
    let Some((&control, bytes)) = data.split_first() else { return };
    match control & 3 {
        0 => check_timestamp(bytes),
        1 => check_digest(bytes),
        2 => check_fields(bytes),
        _ => check_url(bytes, control >> 2),
    }
}

fn check_timestamp(bytes: &[u8]) {
    let Some(moment) = Timestamp::parse(bytes) else { return };
    let seconds = moment.to_seconds();
    let again = Timestamp::parse(moment.to_string().as_bytes()).expect("we wrote it");
    // ISO 8601 as the web has it knows no hour without minutes.
    let is_same = again == moment || moment.precision() == Precision::Hour && again.to_seconds() == seconds;
    assert!(is_same, "{moment}: {again:?} {moment:?}");
    assert_eq!(Timestamp::parse(moment.digits().as_bytes()), Some(seconds), "{moment}");
    assert_eq!(Timestamp::from_unix(moment.unix_seconds(), 0), Some(seconds), "{moment}");
}

fn check_digest(bytes: &[u8]) {
    let stated = StatedDigest::parse(bytes);
    let Ok(digest) = stated.digest() else { return };
    assert_eq!(stated.matches(&digest), Some(true));
    for text in [digest.to_string(), digest.to_hex(), stated.spell(&digest)] {
        assert_eq!(Digest::parse(text.as_bytes()), Ok(digest), "{text}");
    }
}

fn check_fields(bytes: &[u8]) {
    let mut fields = Fields::default();
    let report = fields.parse(bytes);
    let lines = bytes.split(|&b| b == b'\n').count();
    let told = report.bad_lines as usize + report.folded_lines as usize;
    assert!(fields.len() + told <= lines, "a field has a line");
    for (name, value) in fields.iter() {
        assert!(!name.is_empty() && !name.contains(&b'\n') && !value.contains(&b'\n'));
    }
    if let Some((name, value)) = fields.iter().next() {
        let name = String::from_utf8_lossy(name).into_owned();
        let is_text = !name.contains(char::REPLACEMENT_CHARACTER);
        assert!(!is_text || fields.get(&name) == Some(value), "{name:?}");
    }
}

fn check_url(bytes: &[u8], switches: u8) {
    let options = SurtOptions {
        canonicalize: switches & 1 == 0,
        with_scheme: switches & 2 != 0,
        trailing_comma: switches & 4 != 0,
        host_massage: switches & 8 == 0,
    };
    let key = surt_with(bytes, options);
    assert!(!key.is_empty() || bytes.is_empty() || !options.canonicalize, "a key is never empty");
    let parsed = ParsedUrl::parse(bytes);
    drop((parsed.surt(true, false), parsed.ssurt(), parsed.surt_ancestry(), parsed.to_bytes()));
    for canon in [
        Canon::Whatwg,
        Canon::Google,
        Canon::SemanticPrecise,
        Canon::Semantic,
        Canon::Aggressive,
        Canon::Archive,
    ] {
        drop(canonicalize(bytes, canon));
    }
}
