//! Pages as plain text for people: URL, title, date and authors, then the text.

use std::io::Write;

use super::line::{Columns, Line, LineSink};

/// Writes pages as plain text, separated by blank lines. Rows need the column `text` (or `full_text`); `url`, `file`, `title`,
/// `date`, `author` and `comments` are used where they are present. Memory: one page.
pub type TextSink<W> = LineSink<W, Text>;

/// A page as plain text.
pub struct Text;

impl<W: Write> TextSink<W> {
    /// A sink that writes to a stream.
    pub fn new(to: W) -> Self {
        Self::of(to, Text)
    }
}

impl Line for Text {
    fn append(&self, columns: &Columns<'_>, row: usize, to: &mut Vec<u8>) {
        let value = |name: &str| columns.named(name)?.joined(row).filter(|text| !text.is_empty());
        let mut page = value("url").or_else(|| value("file")).unwrap_or_default().into_owned();
        page.extend(value("title").map(|title| format!("\n# {title}")));
        let line: Vec<_> = value("date").into_iter().chain(value("author")).collect();
        if !line.is_empty() {
            page.push('\n');
            page.push_str(&line.join(" · "));
        }
        page.push_str("\n\n");
        page.push_str(&value("full_text").or_else(|| value("text")).unwrap_or_default());
        page.push_str("\n\n");
        page.extend(value("comments").map(|comments| format!("## Comments\n\n{comments}\n\n")));
        // A terminal obeys the control characters that a page may contain.
        page.retain(|c| !c.is_control() || matches!(c, '\n' | '\t'));
        to.extend(page.bytes());
    }
}

/// Writes the column `article`, one line per page that has one. Memory: one line.
pub type ArticleSink<W> = LineSink<W, Article>;

/// An article line.
pub struct Article;

impl<W: Write> ArticleSink<W> {
    /// A sink that writes to a stream.
    pub fn new(to: W) -> Self {
        Self::of(to, Article)
    }
}

impl Line for Article {
    fn append(&self, columns: &Columns<'_>, row: usize, to: &mut Vec<u8>) {
        if let Some(article) = columns.named("article").and_then(|cells| cells.text(row)) {
            to.extend(article.bytes());
            to.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::RecordBatch;

    use super::*;
    use crate::sink::{Sink, samples};

    fn written<'w>(
        rows: &RecordBatch,
        out: &'w mut Vec<u8>,
        sink: impl FnOnce(&'w mut Vec<u8>) -> Box<dyn Sink + 'w>,
    ) {
        let mut sink = sink(out);
        sink.write(rows).expect("memory takes all");
        sink.finish().expect("memory takes all");
    }

    #[test]
    fn a_page_has_its_head_and_its_text() {
        let rows = samples::of_texts(&[
            ("file", vec![Some("a.warc"), Some("b.html")]),
            ("url", vec![Some("http://a.example/"), None]),
            ("title", vec![Some("A \u{1b}[1mtitle"), None]),
            ("date", vec![Some("2019"), None]),
            ("text", vec![Some("One.\nTwo."), Some("Three.")]),
        ]);
        let mut out = Vec::new();
        written(&rows, &mut out, |out| Box::new(TextSink::new(out)));
        let expected = "http://a.example/\n# A [1mtitle\n2019\n\nOne.\nTwo.\n\nb.html\n\nThree.\n\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn pages_without_an_article_line_are_left_out() {
        let rows = samples::of_texts(&[("article", vec![Some("U:a\tT:b"), None, Some("U:c\tT:d")])]);
        let mut out = Vec::new();
        written(&rows, &mut out, |out| Box::new(ArticleSink::new(out)));
        assert_eq!(String::from_utf8_lossy(&out), "U:a\tT:b\nU:c\tT:d\n");
    }
}
