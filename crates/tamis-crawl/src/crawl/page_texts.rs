//! The texts of pages that a crawl has archived: what a model is learnt from.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use tamis_archive::{Mode, Reader, RecordType};
use url::Url;

use super::restart::{Http, read_http};
use super::{Folders, PARSED_BYTES};
use crate::focus::PageText;
use crate::page::Body;
use crate::{Address, Error, Result};

/// Redirects that are followed in a row.
const MOST_HOPS: usize = 10;

/// The texts of the pages with these addresses, or where those redirect to, as the archives of a crawl have them; in the order of the addresses, without
/// those that are not there or have no text. Reads all archives. Memory: the texts, and the addresses of all redirects.
pub fn page_texts(folders: &Folders, addresses: &[Address]) -> Result<Vec<PageText>> {
    let archives = archives(&folders.archive)?;
    let mut redirects: HashMap<String, String> = HashMap::new();
    for path in &archives {
        each_response(path, |url, http| {
            if let Some(to) = location(url, http) {
                redirects.insert(url.to_owned(), to);
            }
        })?;
    }
    let ends: Vec<&str> = addresses.iter().map(|address| end(address.as_str(), &redirects)).collect();
    let mut texts: HashMap<&str, PageText> = HashMap::new();
    for path in &archives {
        each_response(path, |url, http| {
            let wanted = ends.iter().find(|end| **end == url);
            if let Some(wanted) = wanted.filter(|_| http.head.status() == Some(200)) {
                texts.insert(wanted, text(url, http));
            }
        })?;
    }
    Ok(ends.iter().filter_map(|end| texts.remove(end)).filter(|page| !page.is_empty()).collect())
}

fn archives(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |source| Error::io(folder, source);
    let mut archives = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.contains(".warc") && path.extension().is_none_or(|ending| ending != "torn") {
            archives.push(path);
        }
    }
    archives.sort();
    Ok(archives)
}

fn each_response(path: &Path, mut give: impl FnMut(&str, &Http)) -> Result<()> {
    let mut reader = Reader::open(path, Mode::Lenient)?;
    while let Some(record) = reader.next()? {
        let (head, block) = record.into_parts();
        let url = head.target_uri().map(std::borrow::Cow::into_owned);
        if head.record_type() == RecordType::Response
            && let Some(url) = url
            && let Some(http) = read_http(block, path)?
        {
            give(&url, &http);
        }
    }
    Ok(())
}

fn location(url: &str, http: &Http) -> Option<String> {
    http.head.status().filter(|status| (300..400).contains(status))?;
    let to = std::str::from_utf8(http.head.fields().get("location")?).ok()?;
    let to = Url::parse(url).ok()?.join(to).ok()?;
    Address::from_url(to).map(|address| address.as_str().to_owned())
}

fn end<'a>(mut url: &'a str, redirects: &'a HashMap<String, String>) -> &'a str {
    for _ in 0..MOST_HOPS {
        match redirects.get(url) {
            Some(next) => url = next,
            None => break,
        }
    }
    url
}

fn text(url: &str, http: &Http) -> PageText {
    let field = |name: &str| http.head.fields().get(name).and_then(|value| std::str::from_utf8(value).ok());
    let body = Body::decoded(&http.head, &http.raw_body, PARSED_BYTES, PARSED_BYTES);
    PageText::read(body.bytes(), field("content-type"), url)
}
