//! Time and memory of ordering many pages: `cargo run --release -p tamis-pack --example order_scaling -- PAGES [MB]`
//!
//! Pages are made up, and as varied as those of a crawl: sites of 1 to 2,000 pages, of which each has the frame of one of 300
//! systems, blocks of its own, and some text that is taken from other pages. What is timed is everything from a page's bytes
//! to the permutation, apart from making the page. MB is the memory ordering may use, 512 unless told.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tamis_near::sketch::MinHash;
use tamis_pack::order::{Page, PathSettings, Space, SurtOrder, path};

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let pages: u64 = args.next().and_then(|pages| pages.parse().ok()).unwrap_or(100_000);
    let memory_mb: usize = args.next().and_then(|memory| memory.parse().ok()).unwrap_or(512);
    let space = Space { folder: std::env::temp_dir(), memory_bytes: memory_mb << 20 };
    let (mut order, mut text) = (SurtOrder::new(&space), String::new());
    let (mut making, mut bytes) = (Duration::ZERO, 0);
    for record in 0..pages {
        let began = cpu();
        // A number that visits all pages once, far from each other: the order of a crawl.
        let surt = make(record.wrapping_mul(7_368_787) % pages.max(1), &mut text);
        making += cpu().saturating_sub(began);
        bytes += text.len() as u64;
        let sketch = MinHash::of_bytes(text.as_bytes());
        order.add(Page { record, surt: surt.as_bytes(), len_bytes: text.len() as u64, sketch: &sketch })?;
    }
    let sketched = cpu().saturating_sub(making);
    let sorted = order.finish()?;
    let ordered = path(sorted, &PathSettings::default(), &space, None)?;
    let all = cpu().saturating_sub(making);
    println!(
        "{} pages, {} MB, {} segments: sketches and runs {sketched:.1?}, order {:.1?}, {:.1} µs a page, {:.0} pages/s; peak {} MB",
        ordered.records.len(),
        bytes / 1_000_000,
        ordered.segments.len(),
        all.saturating_sub(sketched),
        all.as_secs_f64() * 1e6 / pages as f64,
        pages as f64 / all.as_secs_f64(),
        peak_mb(),
    );
    Ok(())
}

/// Writes the page and gives its address.
fn make(page: u64, text: &mut String) -> String {
    let mut site = mix(page / 2000) % 2000;
    let mut rank = page % 2000;
    // Sites of 2000, 1000, 500 … pages.
    let mut left = 2000;
    while rank < left / 2 && left > 1 {
        left /= 2;
        site = mix(site);
    }
    rank %= left.max(1);
    let system = site % 300;
    text.clear();
    for line in 0..40 {
        let _ = writeln!(text, "<div class=\"s{} c{}\">", system, mix(system * 64 + line) >> 40);
    }
    for line in 0..20 {
        let _ = writeln!(
            text,
            "<a href=\"/{:x}\">{:x}</a>",
            mix(site + line) >> 44,
            mix(site ^ line << 32) >> 40
        );
    }
    let copied = mix(page) % 10;
    for sentence in 0..30 + mix(page + 1) % 40 {
        let from = if sentence < copied { mix(page) % 5000 } else { page };
        let word = |at: u64| mix(from * 1000 + sentence * 10 + at) >> 50;
        let _ = writeln!(
            text,
            "<p>w{} w{} w{} w{} w{} w{}</p>",
            word(0),
            word(1),
            word(2),
            word(3),
            word(4),
            word(5)
        );
    }
    format!("com,site{site:016x})/{rank:04}/{page}")
}

fn mix(at: u64) -> u64 {
    let at = (at ^ at >> 30).wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let at = (at ^ at >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    at ^ at >> 31
}

/// CPU time of the process, all threads.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1000
}
