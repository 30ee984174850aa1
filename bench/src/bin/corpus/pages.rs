//! The pages of the test data, each with the address it gives itself.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use memchr::memmem;
use walkdir::WalkDir;

/// What counts as a page, by the end of its name; the ground truth beside the pages does not.
const KINDS: [(&str, &str); 4] =
    [(".html", "text/html"), (".testhtml", "text/html"), (".html.gz", "text/html"), (".jpeg", "image/jpeg")];

/// A page on disk.
pub(crate) struct Page {
    path: PathBuf,
    pub(crate) url: String,
    pub(crate) mime: &'static str,
}

impl Page {
    /// The page's bytes, unpacked.
    pub(crate) fn body(&self) -> Result<Vec<u8>> {
        read(&self.path).with_context(|| self.path.display().to_string())
    }
}

/// All pages under a folder, in the order of their paths.
pub(crate) fn find(folder: &Path) -> Result<Vec<Page>> {
    let mut pages = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let path = entry?.into_path();
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        let Some((_, mime)) = KINDS.iter().find(|(end, _)| name.ends_with(end)) else { continue };
        let body = read(&path).with_context(|| path.display().to_string())?;
        let url = canonical(&body).unwrap_or_else(|| made_up(&name));
        pages.push(Page { path, url, mime });
    }
    Ok(pages)
}

/// Fisher-Yates with a generator of a few bits: any order does, if it is always the same one.
pub(crate) fn shuffle(pages: &mut [Page], seed: u64) {
    let mut state = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    for i in (1..pages.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        pages.swap(i, (state % (i as u64 + 1)) as usize);
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    if path.extension().is_none_or(|end| end != "gz") {
        return Ok(fs::read(path)?);
    }
    let mut body = Vec::new();
    GzDecoder::new(File::open(path)?).read_to_end(&mut body)?;
    Ok(body)
}

/// The address in `<link rel="canonical" href="…">`, if it can stand in a WARC head as it is.
fn canonical(body: &[u8]) -> Option<String> {
    let mark = memmem::find(body, b"rel=\"canonical\"")?;
    let begin = memchr::memrchr(b'<', &body[..mark])?;
    let end = mark + memchr::memchr(b'>', &body[mark..])?;
    let tag = &body[begin..end];
    let value = memmem::find(tag, b"href=\"")? + b"href=\"".len();
    let len = memchr::memchr(b'"', &tag[value..])?;
    let url = std::str::from_utf8(&tag[value..value + len]).ok()?.replace("&amp;", "&");
    let web = url.starts_with("http://") || url.starts_with("https://");
    (web && url.bytes().all(|byte| byte.is_ascii_graphic())).then_some(url)
}

/// An address from the path: its first folder is the site.
fn made_up(name: &str) -> String {
    let (site, rest) = name.split_once('/').unwrap_or(("pages", name));
    let path: String = rest.bytes().map(escaped).collect();
    format!("https://www.{site}.example/{path}")
}

fn escaped(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_its_own_address() {
        let cases: [(&[u8], Option<&str>); 6] = [
            (b"<link rel=\"canonical\" href=\"https://a.b/c?d=1&amp;e=2\">", Some("https://a.b/c?d=1&e=2")),
            (b"<link href=\"http://a.b/\" rel=\"canonical\"/>", Some("http://a.b/")),
            (b"<link rel=\"canonical\" href=\"/relative\">", None),
            (b"<link rel=\"canonical\" href=\"https://a.b/with space\">", None),
            (b"<link rel=\"canonical\" href=\"https&#x3A;&#x2F;&#x2F;a.b\">", None),
            (b"rel=\"canonical\" href=\"", None),
        ];
        for (body, url) in cases {
            assert_eq!(canonical(body).as_deref(), url, "{}", String::from_utf8_lossy(body));
        }
    }

    #[test]
    fn a_page_that_does_not_say_gets_an_address_from_its_path() {
        assert_eq!(made_up("site/a b.html"), "https://www.site.example/a%20b.html");
    }
}
