//! How long pages that are made to hurt take, and whether the time grows as the page does: where it would grow with the
//! square, a page of 16 times the size would take 16 times as long for each byte.
//!
//!     cargo run -p tamis-page --example html_hostile -- 60000

use tamis_page::html::parse;

#[path = "../tests/it/hostile_pages.rs"]
mod hostile_pages;
use hostile_pages::cpu_seconds;

const GROWTH: usize = 16;

fn main() {
    let repeats = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(60_000);
    println!("{:<30} {:>9} {:>9} {:>8} {:>10}", "page", "MB", "MB/s", "x a byte", "nodes");
    for (name, make) in hostile_pages::ALL {
        let (once, _, _) = timed(&make(repeats));
        let (more, nodes, bytes) = timed(&make(repeats * GROWTH));
        let megabytes = bytes as f64 / 1e6;
        let growth = more / once / GROWTH as f64;
        println!("{name:<30} {megabytes:>9.1} {:>9.1} {growth:>8.2} {nodes:>10}", megabytes / more);
    }
}

/// The least CPU seconds of three times parsing a page and reading all its text; its nodes and its bytes.
fn timed(page: &str) -> (f64, usize, usize) {
    let runs = [(); 3].map(|()| timed_once(page));
    runs.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("there are three")
}

fn timed_once(page: &str) -> (f64, usize, usize) {
    let began = cpu_seconds();
    let tree = parse(page);
    let text: usize = (0..tree.nodes().len() as u32).map(|id| tree.text(id).len()).sum();
    let seconds = cpu_seconds() - began;
    std::hint::black_box(text);
    (seconds, tree.nodes().len(), page.len())
}
