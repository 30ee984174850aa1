//! Addresses among the inputs, with or without `https://` before them.

use std::path::Path;

use url::{Host, Url};

/// An argument that is an address beyond doubt.
pub(super) fn as_url(argument: &str) -> Option<Url> {
    let url = Url::parse(argument).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let (_, rest) = argument.split_once(':')?;
    rest.starts_with("//").then_some(url)
}

/// An argument that is no file and reads as an address without its scheme: a host under a public top-level domain, or
/// one of numbers, and perhaps a path. Archives are searched whatever the scheme.
pub(super) fn as_bare_url(argument: &str) -> Option<Url> {
    if argument.starts_with(['@', '-']) || Path::new(argument).exists() {
        return None;
    }
    let written = argument.split(['/', '?', '#', ':']).next()?.to_lowercase();
    let url = Url::parse(&format!("http://{argument}")).ok()?;
    let is_host = match url.host()? {
        // `1` would be the address 0.0.0.1.
        Host::Ipv4(address) => address.to_string() == written,
        Host::Ipv6(_) => false,
        Host::Domain(host) => {
            let is_known = || psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known());
            written.contains('.') && !written.contains(['*', ' ', '\\', '@']) && is_known()
        }
    };
    is_host.then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_files() {
        for (argument, expected) in [
            ("https://example.org/a", Some("https://example.org/a")),
            ("HTTP://Example.org", Some("http://example.org/")),
            ("http:a", None),
            ("ftp://example.org/", None),
            ("example.org/", None),
        ] {
            assert_eq!(as_url(argument).as_ref().map(Url::as_str), expected, "{argument}");
        }
        for (argument, expected) in [
            ("example.org/", Some("http://example.org/")),
            ("www.Example.co.uk", Some("http://www.example.co.uk/")),
            ("example.org:8080/a?b", Some("http://example.org:8080/a?b")),
            ("bücher.de", Some("http://xn--bcher-kva.de/")),
            ("127.0.0.1/x", Some("http://127.0.0.1/x")),
            ("missing.html", None),
            ("missing.warc.gz", None),
            ("pages/a.org", None),
            ("pages/*.com", None),
            ("*.com", None),
            ("7", None),
            ("", None),
            (".", None),
            ("-", None),
            ("@list.org", None),
        ] {
            assert_eq!(as_bare_url(argument).as_ref().map(Url::as_str), expected, "{argument}");
        }
    }
}
