//! Changes packs at random, makes their checksums right, and reads them: `cargo run --release -p tamis-pack --example fuzz_packs -- SECONDS
//! [SEED]`. What is done is in `fuzz/src/sealed.rs`, which libfuzzer runs, too; this needs no nightly compiler.
//!
//! The seeds of inputs that panic or take more than ten seconds are told; memory is for `ulimit -v`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[path = "../../../fuzz/src/sealed.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets are another crate")]
mod sealed;

fn main() -> ExitCode {
    let words: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let (seconds, first) = (words.first().copied().unwrap_or(60), words.get(1).copied().unwrap_or(1));
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut seed, mut findings) = (first, 0);
    let mut slowest = Duration::ZERO;
    while Instant::now() < end {
        let data = bytes_of(seed);
        let start = Instant::now();
        let checked = catch_unwind(AssertUnwindSafe(|| sealed::check(&data)));
        slowest = slowest.max(start.elapsed());
        if checked.is_err() || start.elapsed() > Duration::from_secs(10) {
            eprintln!("seed {seed}: {:?} in {:?}", checked.map_err(|_| "a panic"), start.elapsed());
            findings += 1;
        }
        seed += 1;
    }
    println!("{} inputs, {findings} findings, the slowest in {slowest:?}", seed - first);
    if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The random bytes of a seed (`SplitMix64`).
fn bytes_of(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    (0..16).flat_map(|_| next().to_le_bytes()).collect()
}
