//! Canonical URLs and keys, against the test vectors of the Python libraries `surt` and `urlcanon`.

use serde_json::{Map, Value};
use tamis_archive::surt::{Canon, ParsedUrl, SurtOptions, canonicalize, parse_ipv4, resolve_dots, surt_with};

use crate::data::unpacked;

#[test]
fn keys_agree_with_the_vectors_of_surt() {
    let Some(path) = unpacked("url/surt/vectors.json") else { return };
    let text = std::fs::read(path).expect("readable");
    let vectors: Vec<Value> = serde_json::from_slice(&text).expect("JSON");
    assert_eq!(vectors.len(), 46);
    for vector in &vectors {
        let field = |name: &str| vector[name].as_str().expect("a string");
        let key = surt_with(field("url"), options(field("options")));
        assert_eq!(key, field("surt"), "{vector}");
    }
}

#[test]
fn canonical_forms_agree_with_the_vectors_of_urlcanon() {
    for (file, section, canon, count) in [
        ("semantic_precise.json", None, Canon::SemanticPrecise, 280),
        ("supplemental_whatwg.json", None, Canon::Whatwg, 118),
        ("aggressive.json", None, Canon::Aggressive, 42),
        ("surt.json", Some("google"), Canon::Google, 32),
        ("surt.json", Some("googleSupplementalFromSurt"), Canon::Google, 5),
        ("surt.json", Some("Canonicalizer.DefaultIA"), Canon::Archive, 7),
        ("surt.json", Some("Canonicalizer.IA"), Canon::Archive, 7),
    ] {
        let form = |url: &[u8]| {
            // This one vector is text where all others are bytes; its byte 0xFC is no UTF-8, the letter is meant.
            let url = if url == b"B\xfccher.ch:8080" { "B\u{fc}cher.ch:8080".as_bytes() } else { url };
            canonicalize(url, canon).into_bytes()
        };
        check(file, section, count, form);
    }
}

#[test]
fn parts_of_keys_agree_with_the_vectors_of_urlcanon() {
    let key = |url: &[u8]| surt_with(url, SurtOptions::default()).into_bytes();
    check("surt.json", Some("defaultIASurt"), 16, key);
    // The parts of a key's making are not public; each is seen in the key of a URL around it.
    let path = |path: &[u8]| after(&key(&[b"http://a", path].concat()), b"a)");
    check("surt.json", Some("stripPathSessionId"), 4, |given| lowered_path(given, &path(given)));
    let query = |query: &[u8]| after(&key(&[b"http://a/?", query].concat()), b"a)/?");
    check("surt.json", Some("alphaRorderQuery"), 11, query);
    let host = |host: &[u8]| canonicalize([b"http://", host, b"/"].concat(), Canon::Archive).into_bytes();
    check("surt.json", Some("massageHost"), 5, |given| {
        let url = host(given);
        url[b"http://".len()..url.len() - 1].to_vec()
    });
    let unescaped = |text: &[u8]| {
        let url = canonicalize([b"x:/", text].concat(), Canon::Google);
        after(url.as_bytes(), b"x:/").into_iter().collect::<Vec<u8>>()
    };
    check("surt.json", Some("unescapeRepeatedly"), 8, |text| {
        // The canonical form escapes the percent sign that is left.
        String::from_utf8_lossy(&unescaped(text)).replace("%25", "%").into_bytes()
    });
}

#[test]
fn sortable_forms_agree_with_the_vectors_of_urlcanon() {
    let host = |host: &[u8]| {
        let url = ParsedUrl { host: host.to_vec(), ..ParsedUrl::default() };
        url.ssurt()
    };
    check("ssurt.json", Some("ssurtHost"), 3, host);
    check("ssurt.json", Some("ssurt"), 11, |url| ParsedUrl::parse(url).ssurt());
    check("ssurt.json", Some("surt"), 7, |url| ParsedUrl::parse(url).surt(true, true));
    check("ssurt.json", Some("surtWithoutScheme"), 6, |url| ParsedUrl::parse(url).surt(true, false));
    check("ssurt.json", Some("surtWithoutTrailingComma"), 5, |url| ParsedUrl::parse(url).surt(false, true));
    // `reverseHost` reverses hosts that a URL cannot have: an empty one, which stays empty here.
    check(
        "ssurt.json",
        Some("reverseHost"),
        5,
        |given| {
            if given.is_empty() { b",".to_vec() } else { host(given) }
        },
    );
}

#[test]
fn dots_in_paths_agree_with_the_vectors_of_urlcanon() {
    check("path_dots.json", Some("special"), 376, |path| resolve_dots(path, true));
    check("path_dots.json", Some("nonspecial"), 376, |path| resolve_dots(path, false));
}

#[test]
fn odd_addresses_agree_with_the_vectors_of_urlcanon() {
    let Some(vectors) = load("funky_ipv4.json") else { return };
    for (host, expected) in vectors.as_object().expect("an object") {
        let found = parse_ipv4(host.as_bytes()).map(|address| address.to_string());
        assert_eq!(found.as_deref(), expected.as_str(), "{host}");
    }
}

#[test]
fn urls_put_together_again_are_the_same_bytes() {
    let Some(vectors) = load("idempotence.json") else { return };
    for url in vectors.as_array().expect("a list") {
        let url = bytes(url.as_str().expect("a string"));
        assert_eq!(ParsedUrl::parse(&url).to_bytes(), url);
    }
}

#[test]
fn urls_are_taken_apart_as_the_vectors_of_urlcanon_say() {
    let Some(vectors) = load("parsing.json") else { return };
    let vectors = vectors.as_object().expect("an object");
    assert_eq!(vectors.len(), 111);
    for (url, parts) in vectors {
        let parsed = ParsedUrl::parse(bytes(url));
        for (name, part) in named_parts(&parsed) {
            assert_eq!(part, bytes(parts[name].as_str().expect("a string")), "{name} of {url:?}");
        }
        if let Some(ancestry) = parts.get("surt_ancestry").and_then(Value::as_array) {
            let expected: Vec<_> =
                ancestry.iter().map(|part| bytes(part.as_str().expect("a string"))).collect();
            assert_eq!(parsed.surt_ancestry(), expected, "ancestry of {url:?}");
        }
    }
}

fn named_parts(url: &ParsedUrl) -> [(&'static str, &[u8]); 17] {
    [
        ("leading_junk", &url.leading_junk),
        ("scheme", &url.scheme),
        ("colon_after_scheme", &url.colon_after_scheme),
        ("slashes", &url.slashes),
        ("username", &url.username),
        ("colon_before_password", &url.colon_before_password),
        ("password", &url.password),
        ("at_sign", &url.at_sign),
        ("host", &url.host),
        ("colon_before_port", &url.colon_before_port),
        ("port", &url.port),
        ("path", &url.path),
        ("question_mark", &url.question_mark),
        ("query", &url.query),
        ("hash_sign", &url.hash_sign),
        ("fragment", &url.fragment),
        ("trailing_junk", &url.trailing_junk),
    ]
}

/// Checks each pair of a section of a file, or of the whole file.
fn check(file: &str, section: Option<&str>, count: usize, form: impl Fn(&[u8]) -> Vec<u8>) {
    let Some(vectors) = load(file) else { return };
    let pairs: &Map<String, Value> =
        section.map_or(&vectors, |name| &vectors[name]).as_object().expect("an object");
    assert_eq!(pairs.len(), count, "{file} {section:?}");
    let mut wrong = Vec::new();
    for (given, expected) in pairs {
        let expected = bytes(expected.as_str().expect("a string"));
        let found = form(&bytes(given));
        if found != expected {
            let [found, expected] = [found, expected].map(|text| String::from_utf8_lossy(&text).into_owned());
            wrong.push(format!("{given:?}: {found:?} is not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{file} {section:?}:\n{}", wrong.join("\n"));
}

/// The files hold bytes: each character below U+0100 is one byte, and text outside of escapes its UTF-8 bytes.
fn load(file: &str) -> Option<Value> {
    let text = std::fs::read(unpacked(&format!("url/urlcanon/{file}"))?).expect("readable");
    let text: String = text.into_iter().map(char::from).collect();
    Some(serde_json::from_str(&text).expect("JSON"))
}

fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).expect("below U+0100")).collect()
}

fn after(text: &[u8], prefix: &[u8]) -> Vec<u8> {
    text.strip_prefix(prefix).unwrap_or_default().to_vec()
}

/// A key is in lower case and has no slash at its end; where no more than that was done, the given path is taken.
fn lowered_path(given: &[u8], found: &[u8]) -> Vec<u8> {
    let lower = given.to_ascii_lowercase();
    if lower.strip_suffix(b"/").unwrap_or(&lower) == found { given.to_vec() } else { found.to_vec() }
}

/// Options as the Python tests write them: `with_scheme=True, trailing_comma=True`.
fn options(text: &str) -> SurtOptions {
    let mut options = SurtOptions::default();
    if text.starts_with("canonicalizer=lambda") {
        return SurtOptions { canonicalize: false, ..options };
    }
    for option in text.split(", ").filter(|option| !option.is_empty()) {
        let (name, value) = option.split_once('=').expect("name=value");
        let field = match name {
            "with_scheme" => &mut options.with_scheme,
            "trailing_comma" => &mut options.trailing_comma,
            "host_massage" => &mut options.host_massage,
            _ => panic!("option {name}"),
        };
        *field = value == "True";
    }
    options
}
