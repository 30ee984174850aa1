//! The site a URL belongs to, and the country its name speaks of.

mod countries;

use countries::{COUNTRIES, OTHER_SCRIPTS};
use url::{Host, Url};

/// A country, by ISO 3166-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Country {
    /// Two letters, upper case.
    pub code: &'static str,
    /// Its short name in English.
    pub name: &'static str,
}

/// The host of a URL and what its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain<'u> {
    /// The host: a name in lower case, without the dot that may end it, or an address.
    pub host: &'u str,
    /// The part of the name that somebody registered: one label and the public suffix behind it. The host itself where
    /// it is an address or has no such part.
    pub name: &'u str,
    /// The country of the name.
    pub country: Option<Country>,
}

impl<'u> Domain<'u> {
    /// The domain of a URL; none where it has no host.
    pub fn of(url: &'u Url) -> Option<Domain<'u>> {
        let written = url.host_str().filter(|host| !host.is_empty())?;
        if !matches!(url.host(), Some(Host::Domain(_))) {
            return Some(Domain { host: written, name: written, country: None });
        }
        let host = written.strip_suffix('.').unwrap_or(written);
        Some(Domain { host, name: psl::domain_str(host).unwrap_or(host), country: country(host) })
    }
}

impl Country {
    /// The country of a code, whatever its case.
    pub fn of(code: &str) -> Option<Country> {
        let upper = code.to_ascii_uppercase();
        let at = COUNTRIES.binary_search_by_key(&upper.as_str(), |&(code, _)| code).ok()?;
        let (code, name) = COUNTRIES[at];
        Some(Country { code, name })
    }
}

/// The country that a host's top-level domain stands for. None where anybody may register there, as under `.io`, unless
/// the second level is kept for the country's state and schools.
pub fn country(host: &str) -> Option<Country> {
    let mut labels = host.trim_end_matches('.').rsplit('.');
    let top = labels.next()?;
    if is_sold_as_generic(top) && !labels.next().is_some_and(|second| is_national(second, host)) {
        return None;
    }
    match top {
        "uk" => Country::of("GB"),
        // Kept for the United States' state, forces and schools by their registries' rules.
        "gov" | "mil" | "edu" => Country::of("US"),
        _ if top.starts_with("xn--") => {
            let at = OTHER_SCRIPTS.binary_search_by_key(&top, |&(name, _)| name).ok()?;
            Country::of(OTHER_SCRIPTS[at].1)
        }
        _ if HAVE_NO_DOMAIN.contains(&top) => None,
        _ => Country::of(top),
    }
}

/// Codes of ISO 3166-1 that are no top-level domain in use.
const HAVE_NO_DOMAIN: &[&str] = &["bl", "bq", "bv", "eh", "gb", "mf", "sj", "um"];

/// Country domains whose names are sold, and bought, for their sound: more of their sites are of elsewhere.
const SOLD_AS_GENERIC: &[&str] = &[
    "ac", "ad", "ag", "ai", "am", "as", "bz", "cc", "cd", "cf", "co", "cx", "dj", "fm", "ga", "gd", "gg",
    "gl", "gq", "gs", "hm", "im", "io", "ki", "la", "lc", "ly", "me", "ml", "mp", "ms", "nf", "nr", "nu",
    "pn", "pw", "sc", "sh", "so", "sr", "st", "su", "sx", "tc", "tf", "tk", "tl", "tm", "to", "tv", "vc",
    "vg", "vu", "ws",
];

fn is_sold_as_generic(top: &str) -> bool {
    SOLD_AS_GENERIC.binary_search(&top).is_ok()
}

/// Whether the second level is one that the country keeps for its own institutions.
fn is_national(second: &str, host: &str) -> bool {
    matches!(second, "gov" | "gob" | "gouv" | "mil" | "edu" | "ac" | "sch")
        && psl::suffix_str(host).is_some_and(|suffix| suffix.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registered_part_is_found() {
        for (url, host, name) in [
            ("http://www.example.us/x", "www.example.us", "example.us"),
            ("https://www.example.co.uk/", "www.example.co.uk", "example.co.uk"),
            ("https://WWW.Example.COM:8080/", "www.example.com", "example.com"),
            ("https://www.example.com./", "www.example.com", "example.com"),
            ("https://someone.github.io/", "someone.github.io", "someone.github.io"),
            ("http://co.uk/", "co.uk", "co.uk"),
            ("http://localhost:1/", "localhost", "localhost"),
            ("http://192.0.2.1/", "192.0.2.1", "192.0.2.1"),
            ("http://[2001:db8::1]/", "[2001:db8::1]", "[2001:db8::1]"),
            ("http://a.b.公司.cn/", "a.b.xn--55qx5d.cn", "b.xn--55qx5d.cn"),
        ] {
            let url = Url::parse(url).expect("a URL");
            let domain = Domain::of(&url).expect("a host");
            assert_eq!((domain.host, domain.name), (host, name), "{url}");
        }
        for url in ["data:,x", "file:///x", "mailto:a@b.example"] {
            assert_eq!(Domain::of(&Url::parse(url).expect("a URL")), None, "{url}");
        }
    }

    #[test]
    fn countries_are_told_but_not_by_names_sold_to_all() {
        for (url, code) in [
            ("http://www.fs.fed.us/", Some("US")),
            ("http://example.fr/", Some("FR")),
            ("http://example.co.uk/", Some("GB")),
            ("http://example.is/", Some("IS")),
            ("http://example.ch./", Some("CH")),
            ("http://президент.рф/", Some("RU")),
            ("http://例.中国/", Some("CN")),
            ("http://www.nasa.gov/", Some("US")),
            ("http://ow.ly/", None),
            ("http://example.io/", None),
            ("http://example.gg/", None),
            ("http://example.tv/", None),
            ("http://example.com.co/", None),
            ("http://www.minsalud.gov.co/", Some("CO")),
            ("http://gov.example.co/", None),
            ("http://example.com/", None),
            ("http://example.eu/", None),
            ("http://example.su/", None),
            ("http://192.0.2.1/", None),
        ] {
            let url = Url::parse(url).expect("a URL");
            let country = Domain::of(&url).and_then(|domain| domain.country);
            assert_eq!(country.map(|country| country.code), code, "{url}");
        }
        assert_eq!(Country::of("us").map(|country| country.name), Some("United States"));
    }

    #[test]
    fn the_tables_are_ordered_and_whole() {
        assert_eq!(COUNTRIES.len(), 249);
        assert!(COUNTRIES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(OTHER_SCRIPTS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(SOLD_AS_GENERIC.is_sorted_by(|a, b| a < b));
        for (label, code) in OTHER_SCRIPTS {
            assert!(Country::of(code).is_some(), "{code}");
            let suffix = psl::suffix(label.as_bytes()).expect("a suffix");
            assert!(suffix.is_known(), "{label} of {code}");
        }
    }
}
