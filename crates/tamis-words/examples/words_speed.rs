//! `words_speed [FOLDER]`: how fast the `words` detector goes over the texts in a folder, cut into pages of 4 kB. One thread.

use std::fs;
use std::time::Instant;

use tamis_words::language::{Cld2, Detect, Words};

const PAGE_BYTES: usize = 4096;
const ROUNDS: usize = 5;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder of texts");
    let texts: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok())
        .collect();
    let pages: Vec<&str> = texts.iter().flat_map(|text| pages(text)).collect();
    let megabytes = pages.iter().map(|page| page.len()).sum::<usize>() as f64 / 1e6;
    println!("{} pages, {megabytes:.1} MB", pages.len());
    for (name, detector) in [("words", Words::built_in() as &dyn Detect), ("cld2", &Cld2::default())] {
        let best = (0..ROUNDS).map(|_| seconds(detector, &pages)).fold(f64::MAX, f64::min);
        println!("{name}: {:.1} MB/s", megabytes / best);
    }
}

fn seconds(detector: &dyn Detect, pages: &[&str]) -> f64 {
    let start = Instant::now();
    let words: u64 = pages.iter().map(|page| u64::from(detector.detect(page).total)).sum();
    assert!(words > 0, "the texts have words");
    start.elapsed().as_secs_f64()
}

/// Whole lines, about as many as a page has.
fn pages(text: &str) -> Vec<&str> {
    let mut pages = Vec::new();
    let mut rest = text;
    while rest.len() > PAGE_BYTES {
        let near = rest.ceil_char_boundary(PAGE_BYTES);
        let end = rest[near..].find('\n').map_or(rest.len(), |at| near + at + 1);
        pages.push(&rest[..end]);
        rest = &rest[end..];
    }
    pages.push(rest);
    pages
}
