//! The relevance of pages to the event of a collection, by URL.

use std::collections::HashMap;
use std::path::Path;

use tamis_collection::relevance::{self, Line, Scores, Torn};

use tamis_collection::Result;

/// The relevance of all pages that were judged.
///
/// Memory: about 80 bytes and the length of its URL for each page.
#[derive(Debug, Default)]
pub struct Relevance {
    of_url: HashMap<Box<str>, Scores>,
    /// The archives all of whose pages were judged, with the fingerprint of the model that did.
    archives: HashMap<String, String>,
    torn: Option<Torn>,
}

impl Relevance {
    /// The relevance of a page. Of several lines about it the last holds.
    pub fn of(&self, url: &str) -> Option<&Scores> {
        self.of_url.get(url)
    }

    /// Whether no page was judged.
    pub fn is_empty(&self) -> bool {
        self.of_url.is_empty()
    }

    /// Whether all pages of an archive were judged, by this model if one is given; a WARC file in a package goes by the name
    /// `PACKAGE#ENTRY`.
    pub(crate) fn has_judged(&self, file: &str, model: Option<&str>) -> bool {
        let package = file.split('#').next().unwrap_or(file);
        let judged = self.archives.get(package);
        judged.is_some_and(|by| model.is_none_or(|model| by == model))
    }

    /// The unfinished line at the end of the log, which was skipped.
    pub fn torn(&self) -> Option<Torn> {
        self.torn
    }

    /// Reads the log of a collection, if it has one.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let (mut of_url, mut archives) = (HashMap::new(), HashMap::new());
        let torn = relevance::read_all(&root.join(relevance::FILE), |line| match line {
            Line::Page(judged) => drop(of_url.insert(judged.url.into_boxed_str(), judged.scores)),
            Line::Archive(judged) => drop(archives.insert(judged.archive, judged.model)),
        })?;
        Ok(Self { of_url, archives, torn })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_last_whole_line_about_a_page_holds_and_a_torn_one_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(relevance::FILE);
        assert!(Relevance::read(folder.path()).expect("no file is nothing").is_empty());
        let line = |relevance: f64| {
            format!(
                r#"{{"id":1,"time_ms":5,"relevance":{relevance},"terms":0.1,"places":0,"dates":null,"relevant":true,"url":"http://a.example/"}}"#
            )
        };
        let whole =
            format!("{{\"format\":\"tamis-relevance\",\"version\":1}}\n{}\n{}\n", line(0.2), line(0.75));
        fs::write(&path, format!("{whole}{{\"id\":2,")).expect("writable");
        let read = Relevance::read(folder.path()).expect("readable");
        assert_eq!(read.of("http://a.example/").map(|scores| scores.relevance), Some(0.75));
        assert!(read.of("http://b.example/").is_none());
        assert_eq!(read.torn(), Some(Torn { offset: whole.len() as u64, len_bytes: 8 }));
    }
}
