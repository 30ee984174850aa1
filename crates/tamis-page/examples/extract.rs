//! `extract [--explain] < LIST`: HTML files as pages, JSON lines out. LIST has lines `FILE<TAB>URL`. With `--explain` a line for each
//! block of a page, and what became of it. Prints the speed on stderr.

use std::fs;
use std::io::{Read, stdin};

use serde_json::json;
use tamis_page::page::{Capture, Options};
use tamis_page::status::Origin;
use tamis_page::{charset, content, html, page};
use url::Url;

fn main() {
    let (mut seconds, mut bytes, mut pages) = (0.0, 0, 0);
    let explain = std::env::args().any(|arg| arg == "--explain");
    for line in stdin().lines() {
        let line = line.expect("a line of UTF-8");
        let (file, url) = line.split_once('\t').unwrap_or((&line, ""));
        let raw = read(file);
        if explain {
            show_blocks(file, &raw);
            continue;
        }
        let start = std::time::Instant::now();
        let url = Url::parse(url).ok();
        let capture = Capture {
            bytes: &raw,
            content_type: None,
            http_status: None,
            url: url.as_ref(),
            fetched: None,
            origin: Origin::Archived,
        };
        let page = page::read(&capture, Options::default());
        seconds += start.elapsed().as_secs_f64();
        bytes += raw.len();
        pages += 1;
        let meta = &page.metadata;
        println!(
            "{}",
            json!({
                "file": file, "text": page.content.main.text, "title": meta.title.as_ref().map(|t| &t.value),
                "author": meta.authors.iter().map(|a| &a.value).collect::<Vec<_>>(),
                "date": meta.published.as_ref().map(|d| d.value.to_string()),
            })
        );
    }
    eprintln!(
        "{pages} pages, {:.1} MB/s, {:.0} pages/s of 174 KB",
        bytes as f64 / 1e6 / seconds,
        bytes as f64 / 174e3 / seconds
    );
}

fn show_blocks(file: &str, raw: &[u8]) {
    let text = charset::decode(raw, None).text;
    for block in content::explain(&html::parse(&text)) {
        println!(
            "{}",
            json!({
                "file": file, "text": block.text, "kept": block.kept, "in_root": block.in_root, "kind": block.kind,
                "hints": block.hints, "role": block.role, "link_share": block.link_share,
            })
        );
    }
}

fn read(file: &str) -> Vec<u8> {
    let raw = fs::read(file).unwrap_or_default();
    if !raw.starts_with(&[0x1F, 0x8B]) {
        return raw;
    }
    let mut plain = Vec::new();
    _ = flate2::read::MultiGzDecoder::new(&raw[..]).read_to_end(&mut plain);
    plain
}
