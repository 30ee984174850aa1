//! Metadata of saved pages: reads lines `FILE<TAB>URL` and prints a JSON line for each.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamis_page::html;
use tamis_page::metadata::{self, Found, Search};
use url::Url;

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (mut pages, mut bytes, mut spent) = (0_u32, 0, Duration::ZERO);
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (file, url) = line.split_once('\t').unwrap_or((&line, ""));
        let page = std::fs::read(file)?;
        let text = decode(&page);
        let tree = html::parse(&text);
        let url = Url::parse(url).ok();
        let start = Instant::now();
        let found = metadata::read(&tree, url.as_ref(), None, Search::Whole);
        spent += start.elapsed();
        pages += 1;
        bytes += text.len();
        writeln!(out, "{}", row(file, &found))?;
    }
    out.flush()?;
    if pages > 0 {
        eprintln!("{pages} pages of {} KB: {:?} a page", bytes / 1000 / pages as usize, spent / pages);
    }
    Ok(())
}

/// The characters of a page, by its own word: a byte order mark, a charset in the first kilobytes, else UTF-8.
fn decode(page: &[u8]) -> String {
    let head = String::from_utf8_lossy(&page[..page.len().min(4096)]).to_ascii_lowercase();
    let named = head.split("charset=").nth(1).map(|rest| rest.trim_start_matches(['"', '\'']));
    let label = named
        .and_then(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').next());
    let utf8 = encoding_rs::UTF_8;
    let mut encoding =
        label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes())).unwrap_or(utf8);
    if std::str::from_utf8(page).is_ok() {
        encoding = utf8;
    }
    encoding.decode(page).0.into_owned()
}

fn row(file: &str, found: &metadata::Metadata) -> Value {
    let text = |found: &Option<Found<String>>| found.as_ref().map(|found| found.value.clone());
    let all = |found: &[Found<String>]| found.iter().map(|found| found.value.clone()).collect::<Vec<_>>();
    json!({
        "file": file,
        "title": text(&found.title),
        "title_rule": found.title.as_ref().map(|found| found.rule.word()),
        "author": all(&found.authors),
        "author_rule": found.authors.first().map(|found| found.rule.word()),
        "date": found.published.as_ref().map(|found| found.value.to_string()),
        "date_rule": found.published.as_ref().map(|found| found.rule.word()),
        "modified": found.modified.as_ref().map(|found| found.value.to_string()),
        "modified_rule": found.modified.as_ref().map(|found| found.rule.word()),
        "publisher": text(&found.publisher),
        "site_name": text(&found.site_name),
        "organization": text(&found.organization),
        "organization_rule": found.organization.as_ref().map(|found| found.rule.word()),
        "keywords": all(&found.keywords),
        "description": text(&found.description),
        "canonical": found.canonical.as_ref().map(|found| found.value.as_str()),
        "language": text(&found.language),
        "language_rule": found.language.as_ref().map(|found| found.rule.word()),
        "image": found.image.as_ref().map(|found| found.value.as_str()),
    })
}
