//! The part of a path that names a capture: `20140101000000id_/http://example.org/`.

use tamis_archive::Timestamp;

/// A URL at a moment, and what is asked for of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The moment.
    pub when: When,
    /// Whether the bytes are asked for as they were: `id_`.
    pub is_raw: bool,
    /// The URL, with its scheme.
    pub url: String,
}

/// The moment that a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// None: the newest capture.
    Newest,
    /// The capture nearest to this moment, as it was written.
    At(Timestamp, String),
    /// `*`: all captures.
    All,
}

impl Place {
    /// Reads what follows `/web/` in a path, undecoded, with the query. None if it holds no URL.
    pub fn parse(rest: &str) -> Option<Self> {
        let (first, after) = rest.split_once('/').unwrap_or((rest, ""));
        match moment(first) {
            Some((when, is_raw)) => Some(Self { when, is_raw, url: requested_url(after)? }),
            None => Some(Self { when: When::Newest, is_raw: false, url: requested_url(rest)? }),
        }
    }
}

/// The URL that a path or a form names: with `http://` where the scheme was left out, and with both slashes after it where a proxy
/// has merged them. None if there is nothing.
pub fn requested_url(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let lower: String = text.chars().take(12).collect::<String>().to_ascii_lowercase();
    for scheme in ["http:", "https:", "ftp:"] {
        if lower.starts_with(scheme) {
            let rest = text[scheme.len()..].trim_start_matches('/');
            return (!rest.is_empty()).then(|| format!("{scheme}//{rest}"));
        }
    }
    let is_other = ["urn:", "dns:", "whois:", "metadata:", "screenshot:", "file:", "data:"];
    if text.contains("://") && text.split("://").next().is_some_and(is_scheme)
        || is_other.iter().any(|scheme| lower.starts_with(scheme))
    {
        return Some(text.to_owned());
    }
    Some(format!("http://{}", text.trim_start_matches('/')))
}

fn is_scheme(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic()) && text.bytes().all(is_part)
}

/// Reads `20140101000000`, `2014id_`, `id_` or `*`. Other modifiers of pywb (`mp_`, `if_`, `js_` …) ask for the page.
fn moment(text: &str) -> Option<(When, bool)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, modifier) = text.split_at(digits);
    if text == "*" {
        return Some((When::All, false));
    }
    let is_modifier = match modifier.as_bytes() {
        [] => !digits.is_empty(),
        [a, b, b'_'] => a.is_ascii_lowercase() && b.is_ascii_lowercase(),
        _ => false,
    };
    if !is_modifier || digits.len() > 17 {
        return None;
    }
    let when = match digits.len() {
        0 => When::Newest,
        // The Internet Archive redirects `/web/2/URL` to the newest capture, and `/web/0/URL` to the oldest.
        1..4 if digits.starts_with('2') => When::Newest,
        1..4 => When::At("1000".parse().ok()?, digits.to_owned()),
        _ => When::At(Timestamp::parse_leniently(digits.as_bytes())?, digits.to_owned()),
    };
    Some((when, modifier == "id_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_a_url_at_a_moment() {
        for (path, moment, is_raw, url) in [
            ("20140101000000id_/http://example.org/", Some("20140101000000"), true, "http://example.org/"),
            (
                "20140101000000/http://example.org/?a=/b",
                Some("20140101000000"),
                false,
                "http://example.org/?a=/b",
            ),
            ("2014/example.org", Some("2014"), false, "http://example.org"),
            ("2014mp_/https:/example.org/x", Some("2014"), false, "https://example.org/x"),
            ("id_/http://example.org/", None, true, "http://example.org/"),
            ("2id_/http://example.org/", None, true, "http://example.org/"),
            ("http://example.org/2014/x", None, false, "http://example.org/2014/x"),
            ("http:/example.org/", None, false, "http://example.org/"),
            ("HTTP://Example.org/", None, false, "http://Example.org/"),
            ("example.org:8080/x", None, false, "http://example.org:8080/x"),
            ("2014/urn:pageinfo:http://a/", Some("2014"), false, "urn:pageinfo:http://a/"),
            ("2014/ftp://a/", Some("2014"), false, "ftp://a/"),
            ("2014/../../etc/passwd", Some("2014"), false, "http://../../etc/passwd"),
        ] {
            let place = Place::parse(path).expect(path);
            let written = match &place.when {
                When::At(_, text) => Some(text.as_str()),
                _ => None,
            };
            assert_eq!((written, place.is_raw, &*place.url), (moment, is_raw, url), "{path}");
        }
        assert_eq!(Place::parse("*/http://a/").expect("a URL").when, When::All);
        for path in ["", "2014/", "2014id_/", "http://", "2014/https:///"] {
            assert_eq!(Place::parse(path), None, "{path}");
        }
    }

    #[test]
    fn odd_moments_are_met_as_well_as_they_can() {
        for (text, expected) in
            [("20140229", "20140201000000"), ("201401011", "20140101000000"), ("0", "10000101000000")]
        {
            let place = Place::parse(&format!("{text}/a.org")).expect(text);
            let When::At(moment, _) = place.when else { panic!("{place:?}") };
            assert_eq!(moment.digits(), expected, "{text}");
        }
        // No moment, so a host.
        assert_eq!(Place::parse("9999999999999999999/a").expect("a URL").url, "http://9999999999999999999/a");
    }
}
