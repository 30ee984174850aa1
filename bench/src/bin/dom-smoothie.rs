//! The `dom_smoothie` crate over a list of pages: `FILE<TAB>URL` a line on stdin, a line of JSON a page on stdout
//! (see `quality/README.md`).

use std::fs;
use std::io::{self, BufRead, BufWriter, Write};

use anyhow::{Context, Result};
use dom_smoothie::{Config, Readability, TextMode};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use serde_json::{Value, json};

/// Where browsers look for the charset of a page, and some more: pages often miss the 1024 bytes of the standard.
const PRESCAN_BYTES: usize = 4096;

fn main() -> Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (file, url) = line.split_once('\t').unwrap_or((&line, ""));
        let bytes = fs::read(file).with_context(|| file.to_owned())?;
        serde_json::to_writer(&mut out, &page(file, url, &decode(&bytes)))?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// The crate's text with paragraphs kept apart: its default runs them together and loses every word at a seam.
fn page(file: &str, url: &str, html: &str) -> Value {
    let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
    let url = (!url.is_empty()).then_some(url);
    let article = Readability::new(html, url, Some(config)).and_then(|mut reader| reader.parse());
    match article {
        Ok(article) => json!({
            "file": file,
            "text": article.text_content.as_ref(),
            "title": article.title,
            "author": article.byline,
            "date": article.published_time,
            "site_name": article.site_name,
            "language": article.lang,
            "description": article.excerpt,
        }),
        Err(error) => json!({ "file": file, "text": "", "error": error.to_string() }),
    }
}

/// The crate wants a string: byte order mark, then the charset the page names, then UTF-8 or windows-1252.
fn decode(bytes: &[u8]) -> String {
    let encoding = declared(bytes)
        .unwrap_or_else(|| if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 });
    encoding.decode(bytes).0.into_owned()
}

fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    let at = memchr::memmem::find(head, b"charset=")? + b"charset=".len();
    let rest = head[at..].trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end = rest.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"-_:.".contains(byte)))?;
    Encoding::for_label(&rest[..end])
}
