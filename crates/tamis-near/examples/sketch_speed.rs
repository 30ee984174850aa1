//! How fast sketches are made and fingerprints found:
//! `cargo run --release -p tamis-near --example sketch_speed [PAGE.html...]`.

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tamis_near::hamming::{Index, Ring};
use tamis_near::simhash::{SimHasher, simhash};
use tamis_near::sketch::{Chars, MinHash, Words};

fn main() {
    let text: Vec<u8> = (0..1 << 20).map(|at| b'a' + (mix(at) % 26) as u8).collect();
    for len in [1_000, 4_000, 16_000, 1 << 20] {
        let text = &text[..len];
        let time = fastest(|| simhash(black_box(text)));
        println!(
            "simhash of {len:>7} bytes        {:>8.2?}  {:>6.0} MB/s",
            time,
            len as f64 / time.as_secs_f64() / 1e6
        );
    }
    let time = fastest(|| {
        let mut hasher = SimHasher::new();
        text.chunks(40).for_each(|piece| hasher.write(piece));
        hasher.finish()
    });
    println!("in pieces of 40 bytes            {:>6.0} MB/s", text.len() as f64 / time.as_secs_f64() / 1e6);
    sketches();
    for count in [100_000, 1_000_000, 4_000_000] {
        ring(count);
    }
    for count in [1_000_000, 10_000_000, 40_000_000] {
        index(count);
    }
}

/// Each sketch of the pages that were named.
fn sketches() {
    let pages: Vec<Vec<u8>> = std::env::args().skip(1).filter_map(|path| std::fs::read(path).ok()).collect();
    let bytes: usize = pages.iter().map(Vec::len).sum();
    if pages.is_empty() {
        return;
    }
    let report = |name: &str, sketch: &dyn Fn(&[u8])| {
        let time = fastest(|| pages.iter().for_each(|page| sketch(page)));
        println!(
            "{name:<10} of {} pages, {bytes} bytes: {:.0} MB/s",
            pages.len(),
            bytes as f64 / time.as_secs_f64() / 1e6
        );
    };
    report("of_bytes", &|page| _ = black_box(MinHash::of_bytes(page)));
    report("of_text", &|page| _ = black_box(MinHash::of_text(page)));
    report("words", &|page| _ = black_box(Words::of_page(page)));
    report("chars", &|page| _ = black_box(Chars::of_page(page)));
    report("simhash", &|page| _ = black_box(simhash(page)));
}

fn index(count: u64) {
    let start = cpu();
    let index = Index::new((0..count).map(mix).collect());
    let built = since(start);
    let queries = 20_000;
    let search = fastest(|| (0..queries).filter(|&at| index.nearest(mix(at ^ 1 << 60), 3).is_some()).count());
    println!("index of {count:>8}: built in {built:.2?}, search {:.2?}", search / queries as u32);
}

fn ring(count: u64) {
    let mut ring = Ring::new(count as usize);
    let start = cpu();
    (0..2 * count).for_each(|at| _ = ring.insert(mix(at)));
    let insert = since(start) / (2 * count) as u32;
    let queries = 20_000;
    let search = fastest(|| (0..queries).filter(|&at| ring.nearest(mix(at ^ 1 << 60), 3).is_some()).count());
    println!(
        "ring of {count:>8}: insert {insert:.2?}, search {:.2?}, {} MB",
        search / queries as u32,
        ring.memory_bytes() >> 20
    );
}

/// The fastest of some runs: the machine is not ours alone.
fn fastest<T>(mut work: impl FnMut() -> T) -> Duration {
    let started = cpu();
    let mut best = Duration::MAX;
    while best == Duration::MAX || since(started) < Duration::from_millis(500) {
        let start = cpu();
        black_box(work());
        best = best.min(since(start));
    }
    best
}

/// CPU time of this thread.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn since(start: Duration) -> Duration {
    cpu().saturating_sub(start)
}

fn mix(at: u64) -> u64 {
    let at = (at ^ at >> 30).wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let at = (at ^ at >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    at ^ at >> 31
}
