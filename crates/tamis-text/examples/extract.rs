//! `extract < LIST`: main text of HTML files, as JSON lines. LIST has lines `FILE<TAB>URL`.

use std::fs;
use std::io::{Read, stdin};

use tamis_text::{content, html};

fn main() {
    let mut nanos = 0;
    let mut bytes = 0;
    let mut pages = 0;
    let explain = std::env::args().any(|arg| arg == "--explain");
    let full = std::env::args().any(|arg| arg == "--full");
    for line in stdin().lines() {
        let line = line.expect("a line of UTF-8");
        let file = line.split('\t').next().unwrap_or_default();
        let raw = read(file);
        let start = std::time::Instant::now();
        let text = decode(&raw);
        let tree = html::parse(&text);
        let title = tree.find(html::Tag::Title).map(|id| tree.text_content(id)).unwrap_or_default();
        let content = content::read(&tree, &title);
        if explain {
            for block in content::explain(&tree, &title) {
                println!(
                    "{}",
                    serde_json::json!({"file": file, "text": block.text, "kept": block.kept, "in_root": block.in_root, "kind": block.kind, "hints": block.hints, "role": block.role, "link_share": block.link_share})
                );
            }
            continue;
        }
        nanos += start.elapsed().as_nanos();
        bytes += raw.len();
        pages += 1;
        let text = if full { &content.full.text } else { &content.main.text };
        println!("{}", serde_json::json!({"file": file, "text": text, "title": title}));
    }
    let seconds = nanos as f64 / 1e9;
    eprintln!(
        "{pages} pages, {:.1} MB/s, {:.0} pages/s of 174 KB",
        bytes as f64 / 1e6 / seconds,
        bytes as f64 / 174e3 / seconds
    );
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

fn decode(raw: &[u8]) -> std::borrow::Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(raw) {
        return text.into();
    }
    let head = String::from_utf8_lossy(&raw[..raw.len().min(4096)]).to_lowercase();
    let label = head.split("charset=").nth(1).map(|rest| {
        rest.trim_start_matches(['"', '\''])
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .next()
            .unwrap_or("")
            .to_owned()
    });
    let encoding = label
        .and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()))
        .unwrap_or(encoding_rs::WINDOWS_1252);
    encoding.decode(raw).0
}
