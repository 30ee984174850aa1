//! Where the payload of a URL goes: a path that every file system takes.

use tamis_archive::{Algorithm, Digest};

use super::extension;

/// The longest name of a folder or file. File systems take 255 bytes; room is left for a timestamp and for those
/// that count otherwise.
const MAX_NAME: usize = 100;
/// The longest path below the folder. Windows takes 260 characters in all.
const MAX_PATH: usize = 180;
/// A query up to this length becomes part of the name; a longer one is replaced by its hash.
const MAX_QUERY: usize = 48;

/// Names that Windows keeps for devices, with any extension.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Folders and a name, all in ASCII and all safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) folders: Vec<String>,
    /// The name without its extension.
    pub(super) stem: String,
    /// The extension without its dot; may be empty.
    pub(super) extension: String,
}

impl Place {
    /// The place for a URL: `host/path/name.extension`. The extension is that of the URL, or else that of the media type.
    pub(super) fn of(url: &str, mime: Option<&str>) -> Self {
        let url_without_fragment = url.split('#').next().unwrap_or_default();
        let (host, path) = split_host(url_without_fragment);
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let segments = folders.split('/').filter(|segment| !matches!(*segment, "" | "."));
        let folders: Vec<String> = std::iter::once(&*host).chain(segments).map(safe_name).collect();
        let (stem, extension) = split_extension(name, mime);
        let stem =
            if query.is_empty() { safe_name(&stem) } else { safe_name(&format!("{stem}@{}", short(query))) };
        let place = Self { folders, stem, extension };
        if place.len() <= MAX_PATH { place } else { place.shortened(url) }
    }

    fn len(&self) -> usize {
        self.folders.iter().map(|folder| folder.len() + 1).sum::<usize>()
            + self.stem.len()
            + self.extension.len()
            + 1
    }

    /// The host, one folder for all that is too long, and a name made unique by the hash of the URL.
    fn shortened(mut self, url: &str) -> Self {
        self.folders.truncate(1);
        self.folders.push("_long".into());
        shorten(&mut self.stem, 40);
        self.stem.extend(["~", &hash(url)]);
        self
    }
}

/// The host with its port, and the rest. A URL without a host is put under its scheme.
fn split_host(url: &str) -> (String, &str) {
    if let Some((_, rest)) = url.split_once("://") {
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let authority = &rest[..end];
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let host = if host.is_empty() { "_" } else { host };
        return (host.to_ascii_lowercase(), &rest[end..]);
    }
    match url.split_once(':') {
        Some((scheme, rest)) if !scheme.is_empty() => (scheme.to_ascii_lowercase(), rest),
        _ => ("_".into(), url),
    }
}

/// The stem and the extension of a name. One that is no name is that of a folder's own page.
fn split_extension(name: &str, mime: Option<&str>) -> (String, String) {
    let by_mime = || mime.and_then(extension::of).unwrap_or_default().to_owned();
    if name.is_empty() {
        let extension = by_mime();
        return ("index".into(), if extension.is_empty() { "html".into() } else { extension });
    }
    match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() && is_extension(end) => (stem.to_owned(), end.to_owned()),
        _ => (name.to_owned(), by_mime()),
    }
}

/// Up to five letters and digits, and not digits alone: `page.2` has none.
fn is_extension(text: &str) -> bool {
    (1..=5).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric())
        && !text.bytes().all(|b| b.is_ascii_digit())
}

fn short(query: &str) -> String {
    if escape(query).len() <= MAX_QUERY { query.to_owned() } else { hash(query) }
}

/// A name without anything that a file system forbids or gives a meaning to.
fn safe_name(name: &str) -> String {
    let mut safe = escape(name);
    // `.`, `..` and hidden files in front; Windows drops dots and blanks at the end.
    if safe.starts_with('.') {
        safe.replace_range(..1, "%2E");
    }
    if safe.ends_with('.') {
        safe.replace_range(safe.len() - 1.., "%2E");
    }
    if is_reserved(&safe) {
        safe.insert(0, '_');
    }
    if safe.len() > MAX_NAME {
        shorten(&mut safe, MAX_NAME - 20);
        safe.extend(["~", &hash(name)]);
    }
    if safe.is_empty() { "_".into() } else { safe }
}

/// Every byte that is not safe on all file systems as `%XX`.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~%!$&'()+,;=@[]".contains(&byte) {
            safe.push(char::from(byte));
        } else {
            safe.extend([format!("%{byte:02X}")]);
        }
    }
    safe
}

fn is_reserved(name: &str) -> bool {
    let base = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let (device, number) = base.split_at_checked(3).unwrap_or((&base, ""));
    let is_port =
        matches!(device, "com" | "lpt") && number.len() == 1 && number.as_bytes()[0].is_ascii_digit();
    is_port || (number.is_empty() && RESERVED[..4].contains(&device))
}

/// Cuts an escaped name, and with it an escape that the cut would break.
fn shorten(name: &mut String, len: usize) {
    name.truncate(len);
    let is_broken = |at: usize| at + 3 > name.len();
    if let Some(at) = name.rfind('%').filter(|&at| is_broken(at)) {
        name.truncate(at);
    }
}

/// Sixteen hexadecimal digits.
fn hash(text: &str) -> String {
    let digest = Digest::of(Algorithm::Sha1, text.as_bytes());
    let number = digest.as_bytes().iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    format!("{number:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(url: &str, mime: &str) -> String {
        let place = Place::of(url, Some(mime));
        let dot = if place.extension.is_empty() { "" } else { "." };
        format!("{}/{}{dot}{}", place.folders.join("/"), place.stem, place.extension)
    }

    #[test]
    fn a_url_becomes_a_path() {
        for (url, mime, expected) in [
            ("http://example.org", "text/html", "example.org/index.html"),
            ("http://Example.ORG/", "text/html", "example.org/index.html"),
            ("http://a/dir/", "application/json", "a/dir/index.json"),
            ("http://a/b/page", "text/html", "a/b/page.html"),
            ("http://a/b/page.php", "text/html", "a/b/page.php"),
            ("http://a/v1.2", "text/html", "a/v1.2.html"),
            ("http://a/x", "application/x-nothing", "a/x"),
            ("http://u:p@a:8080/x.png#top", "image/png", "a%3A8080/x.png"),
            ("http://a/s?q=a/b&n=1", "text/html", "a/s@q=a%2Fb&n=1.html"),
            ("http://a?q", "text/html", "a/index@q.html"),
            ("http://a//b/./c", "text/plain", "a/b/c.txt"),
            ("http://a/ü é", "text/html", "a/%C3%BC%20%C3%A9.html"),
            ("dns:example.org", "text/dns", "dns/example.org"),
            ("urn:X-wpull:log", "text/plain", "urn/X-wpull%3Alog.txt"),
            ("file:///tmp/shot.png", "image/png", "_/tmp/shot.png"),
            ("", "", "_/index.html"),
        ] {
            assert_eq!(path(url, mime), expected, "{url}");
        }
    }

    #[test]
    fn no_url_gets_out_of_its_folder() {
        for (url, expected) in [
            ("http://a/../../etc/passwd", "a/%2E%2E/%2E%2E/etc/passwd"),
            ("http://../x", "%2E%2E/x"),
            ("http://a/..", "a/%2E%2E"),
            ("http://a/..\\..\\x", "a/%2E.%5C..%5Cx"),
            ("http://a/%2e%2e/x", "a/%2e%2e/x"),
            ("http://a/c:/x", "a/c%3A/x"),
            ("http://a/.htaccess", "a/%2Ehtaccess"),
            ("http://a/end./x", "a/end%2E/x"),
            ("http://a/nul\0/x\n", "a/nul%00/x%0A"),
            ("http://a/NUL/con.txt", "a/_NUL/_con.txt"),
            ("http://com1/lpt9.x/common", "_com1/_lpt9.x/common"),
            ("/etc/passwd", "_/etc/passwd"),
        ] {
            assert_eq!(path(url, ""), expected, "{url}");
        }
    }

    #[test]
    fn paths_are_short_and_still_differ() {
        let long = |end: &str| {
            format!("http://a/{}/{}?{}{end}", "d/".repeat(300), "n".repeat(5000), "q".repeat(300))
        };
        let (one, two) = (path(&long("1"), "text/html"), path(&long("2"), "text/html"));
        assert_ne!(one, two);
        let letters = format!("http://a/{}", "ü".repeat(400));
        for path in [one, two, path(&format!("http://{}/", "h".repeat(400)), ""), path(&letters, "")] {
            assert!(path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/.~@_%".contains(&b)), "{path}");
            assert!(!path.contains("%~") && !path.contains("%C~"), "{path}");
            assert!(path.len() <= MAX_PATH && path.split('/').all(|name| name.len() <= MAX_NAME), "{path}");
        }
        let (one, two) = (format!("http://a/{}1", "n".repeat(120)), format!("http://a/{}2", "n".repeat(120)));
        assert_ne!(path(&one, ""), path(&two, ""));
    }
}
