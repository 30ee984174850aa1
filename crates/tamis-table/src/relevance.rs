//! What a focused crawl found of pages: `relevance.jsonl`.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::collection::Result;
use crate::collection::log::Log;

/// The file in a collection; `docs/formats/focus.md` describes it.
pub(crate) const FILE: &str = "relevance.jsonl";
const FORMAT: &str = "tamis-relevance";

/// What was found of a page.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Judged {
    /// How relevant it is, 0 to 1.
    pub relevance: f64,
    /// The similarity in terms.
    pub terms: f64,
    /// The agreement in names.
    pub places: f64,
    /// The agreement in days; none if the page or the model names none.
    pub dates: Option<f64>,
    /// Whether it counted as relevant.
    pub relevant: bool,
}

#[derive(Deserialize)]
struct Line {
    url: String,
    #[serde(flatten)]
    judged: Judged,
}

/// What was found of all pages.
///
/// Memory: about 80 bytes and the length of its address for each page.
#[derive(Debug, Default)]
pub struct Relevance(HashMap<Box<str>, Judged>);

impl Relevance {
    /// What was found of a page. Of several lines about it the last holds.
    pub fn of(&self, url: &str) -> Option<&Judged> {
        self.0.get(url)
    }

    /// Reads the log; nothing was found where there is none, or nothing in it yet. The last line may be half written.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let mut all = HashMap::new();
        if fs::metadata(path).is_ok_and(|meta| meta.len() > 0) {
            let log: Log<Line> = Log::new(path.to_owned(), FORMAT);
            log.each(|Line { url, judged }| {
                all.insert(url.into_boxed_str(), judged);
            })?;
        }
        Ok(Self(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_whole_line_about_a_page_holds() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        assert!(Relevance::read(&path).expect("no file is nothing").of("http://a.example/").is_none());
        let line = |relevance: f64| {
            format!(
                r#"{{"id":1,"time_ms":5,"relevance":{relevance},"terms":0.1,"places":0,"dates":null,"relevant":true,"url":"http://a.example/"}}"#
            )
        };
        let text = format!(
            "{{\"format\":\"tamis-relevance\",\"version\":1}}\n{}\n{}\n{{\"id\":2,",
            line(0.2),
            line(0.75)
        );
        fs::write(&path, text).expect("writable");
        let read = Relevance::read(&path).expect("readable");
        assert_eq!(read.of("http://a.example/").map(|judged| judged.relevance), Some(0.75));
        assert!(read.of("http://b.example/").is_none());
        for damaged in ["{\"format\":\"tamis-relevance\",\"version\":1}\n{\n", "half a head", "\n\n"] {
            fs::write(&path, damaged).expect("writable");
            assert!(Relevance::read(&path).is_err(), "{damaged}");
        }
    }
}
