//! Pages as plain text for people: URL, title, date and authors, then the text.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;

use super::cell::Cells;
use super::{Sink, SinkError};

/// Writes pages as plain text, separated by blank lines. Rows need the column `text` (or `full_text`); `url`, `file`, `title`,
/// `date`, `author` and `comments` are used where they are present. Memory: one page.
pub struct TextSink<W> {
    to: W,
}

impl<W: Write> TextSink<W> {
    /// A sink that writes to a stream.
    pub fn new(to: W) -> Self {
        Self { to }
    }
}

impl<W: Write> Sink for TextSink<W> {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        let names: Vec<String> = rows.schema().fields().iter().map(|field| field.name().clone()).collect();
        let columns = Cells::of_all(rows.columns())?;
        for row in 0..rows.num_rows() {
            let value = |name: &str| {
                let at = names.iter().position(|other| other == name)?;
                columns[at].joined(row).filter(|text| !text.is_empty())
            };
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
            self.to.write_all(page.as_bytes())?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        Ok(self.to.flush()?)
    }
}

/// Writes the column `article`, one line per page that has one. Memory: one line.
pub struct ArticleSink<W> {
    to: W,
}

impl<W: Write> ArticleSink<W> {
    /// A sink that writes to a stream.
    pub fn new(to: W) -> Self {
        Self { to }
    }
}

impl<W: Write> Sink for ArticleSink<W> {
    fn write(&mut self, rows: &RecordBatch) -> Result<(), SinkError> {
        let Some(articles) = rows.column_by_name("article") else { return Ok(()) };
        let articles = Cells::new(articles)?;
        for article in (0..rows.num_rows()).filter_map(|row| articles.text(row)) {
            self.to.write_all(article.as_bytes())?;
            self.to.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), SinkError> {
        Ok(self.to.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::samples;

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
