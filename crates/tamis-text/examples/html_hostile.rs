//! How long pages that are made to hurt take, and whether twice the page takes twice the time.
//!
//!     cargo run -p tamis-text --example html_hostile -- 1000000

use std::fs;

use tamis_text::html::parse;

#[path = "../tests/it/hostile_pages.rs"]
mod hostile_pages;

fn main() {
    let repeats = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(200_000);
    println!("{:<30} {:>9} {:>9} {:>7} {:>10}", "page", "MB", "MB/s", "x time", "nodes");
    for (name, make) in hostile_pages::ALL {
        let (once, _, _) = timed(&make(repeats));
        let (twice, nodes, bytes) = timed(&make(repeats * 2));
        let megabytes = bytes as f64 / 1e6;
        println!("{name:<30} {megabytes:>9.1} {:>9.1} {:>7.2} {nodes:>10}", megabytes / twice, twice / once);
    }
}

/// CPU seconds of parsing a page and reading all its text, its nodes and its bytes.
fn timed(page: &str) -> (f64, usize, usize) {
    let began = cpu_seconds();
    let tree = parse(page);
    let text: usize = (0..tree.nodes().len() as u32).map(|id| tree.text(id).len()).sum();
    let seconds = cpu_seconds() - began;
    std::hint::black_box(text);
    (seconds, tree.nodes().len(), page.len())
}

/// Of this thread, which on a busy machine says more than the clock.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or_default() / 1e9
}
