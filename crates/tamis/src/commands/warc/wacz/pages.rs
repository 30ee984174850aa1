//! The list of pages of a new package: found among the records, or given in a file.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tamis_archive::cdx::{CdxEntry, SortOptions, SortedLines, Sorter};
use tamis_archive::wacz::{Page, PageLine, PageLines};
use tamis_archive::{Algorithm, Hasher, Timestamp};

use crate::hint::WithHint;

/// The media types of pages.
const HTML: [&str; 3] = ["text/html", "application/xhtml+xml", "application/xhtml"];

/// Where the pages come from.
pub(super) enum Pages {
    /// The records: a line for each page with its moment and its URL, sorted by time.
    Found(Box<Sorter>),
    /// A file, whose lines are known to be pages.
    Given(PathBuf),
}

/// The pages one by one.
pub(super) type PageIter = Box<dyn Iterator<Item = io::Result<Page>>>;

impl Pages {
    /// Pages to be found. Memory: that of a [`Sorter`].
    pub(super) fn find(options: SortOptions) -> Self {
        Self::Found(Box::new(Sorter::new(options)))
    }

    /// The pages of a file, all of which must be sound.
    pub(super) fn given(path: &Path) -> anyhow::Result<Self> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        for line in PageLines::new(BufReader::new(file)) {
            let (number, line) = line.with_context(|| format!("cannot read {}", path.display()))?;
            if let PageLine::Bad(why) = line {
                return Err(anyhow!("{}: line {number}: {why}", path.display()))
                    .hint(r#"each line is a page: {"url": "https://…", "ts": "2024-02-29T12:34:56Z", "title": "…"}"#);
            }
        }
        Ok(Self::Given(path.to_owned()))
    }

    /// Takes note of a record that is a page: an HTML response with status 200.
    pub(super) fn note(&mut self, entry: &CdxEntry) -> tamis_archive::Result<()> {
        let Self::Found(sorter) = self else { return Ok(()) };
        let is_html = HTML.iter().any(|html| entry.mime.eq_ignore_ascii_case(html));
        let is_page = is_html && entry.status == Some(200) && !entry.url.contains(char::is_control);
        match Timestamp::parse(entry.timestamp.as_bytes()) {
            Some(moment) if is_page => {
                Ok(sorter.push(format!("{} {}", moment.digits(), entry.url).as_bytes())?)
            }
            _ => Ok(()),
        }
    }

    /// All pages in their order: by time, or as given.
    pub(super) fn into_iter(self) -> anyhow::Result<PageIter> {
        match self {
            Self::Found(sorter) => {
                let mut lines = sorter.into_lines()?;
                Ok(Box::new(std::iter::from_fn(move || next_found(&mut lines).transpose())))
            }
            Self::Given(path) => {
                let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
                Ok(Box::new(PageLines::new(BufReader::new(file)).filter_map(given_page)))
            }
        }
    }
}

fn next_found(lines: &mut SortedLines) -> io::Result<Option<Page>> {
    let Some(line) = lines.next_line().map_err(io::Error::other)? else { return Ok(None) };
    Ok(Some(found_page(&String::from_utf8_lossy(line))))
}

/// The page of a line. Its id comes of what it is, so that a page has the same one in each package.
fn found_page(line: &str) -> Page {
    let (digits, url) = line.split_once(' ').unwrap_or(("", line));
    let ts = Timestamp::parse(digits.as_bytes()).map(|moment| moment.to_string()).unwrap_or_default();
    let mut hasher = Hasher::new(Algorithm::Sha1);
    hasher.update(line.as_bytes());
    let mut id = hasher.finish().to_base32().to_ascii_lowercase();
    id.truncate(20);
    Page { id: Some(id), url: url.to_owned(), ts, ..Page::default() }
}

fn given_page(line: io::Result<(u64, PageLine)>) -> Option<io::Result<Page>> {
    match line {
        Ok((_, PageLine::Page(page))) => Some(Ok(page)),
        Ok((_, PageLine::Header)) => None,
        Ok((number, PageLine::Bad(why))) => {
            Some(Err(io::Error::other(format!("line {number} has changed: {why}"))))
        }
        Err(error) => Some(Err(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(url: &str, mime: &str, status: u16, timestamp: &str) -> CdxEntry {
        CdxEntry {
            url: url.into(),
            mime: mime.into(),
            status: Some(status),
            timestamp: timestamp.into(),
            ..CdxEntry::default()
        }
    }

    #[test]
    fn pages_are_html_that_was_there_each_once_by_time() {
        let mut pages = Pages::find(SortOptions::new(std::env::temp_dir()));
        for (url, mime, status, timestamp) in [
            ("http://b/", "text/html", 200, "20240229123457"),
            ("http://a/", "Text/HTML", 200, "20240229123458"),
            ("http://b/", "text/html", 200, "20240229123457"),
            ("http://c/", "text/html", 404, "20240229123457"),
            ("http://d/", "image/png", 200, "20240229123457"),
            ("http://e/\n", "text/html", 200, "20240229123457"),
            ("http://f/", "text/html", 200, "-"),
            ("http://g/", "warc/revisit", 200, "20240229123457"),
        ] {
            pages.note(&entry(url, mime, status, timestamp)).expect("room");
        }
        let found: Vec<Page> = pages.into_iter().expect("room").map(|page| page.expect("sound")).collect();
        let urls: Vec<_> = found.iter().map(|page| (page.url.as_str(), page.ts.as_str())).collect();
        assert_eq!(urls, [("http://b/", "2024-02-29T12:34:57Z"), ("http://a/", "2024-02-29T12:34:58Z")]);
        let ids: Vec<_> = found.iter().filter_map(|page| page.id.as_deref()).collect();
        assert!(ids[0] != ids[1] && ids.iter().all(|id| id.len() == 20), "{ids:?}");
    }
}
