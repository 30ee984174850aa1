//! What a sieve costs as it grows: `cargo run --release -p tamis-crawl --example sieve_cost -- lsm 8 64`.
//!
//! The sieve, millions of URLs and megabytes of memory. Three of four offers are of URLs that are known, as links are. After each fifth of a
//! million new URLs it prints what the last of them cost: processor time of this thread and of the whole process, and time by the clock.

use std::time::{Duration, Instant};

use tamis_crawl::sieve::{self, Durability, Note, SieveKind, SieveOptions};

const STEP: u64 = 200_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, millions, megabytes] = words.as_slice() else {
        eprintln!("say which sieve, how many millions of URLs, and megabytes of memory");
        return;
    };
    let kind: SieveKind = kind.parse().expect("a sieve");
    let urls = millions.parse::<u64>().expect("a number") * 1_000_000;
    let memory_bytes = megabytes.parse::<usize>().expect("a number") << 20;
    let folder = tempfile::tempdir().expect("a folder");
    let options = SieveOptions { memory_bytes, expected_urls: urls, durability: Durability::Kill };
    let mut sieve = sieve::open(kind, folder.path(), options).expect("opens");
    let mut random = 1_u64;
    println!("| URLs | thread, s | process, s | clock, s |\n|--:|--:|--:|--:|");
    for step in 0..urls / STEP {
        let (thread, process, clock) = (thread_time(), process_time(), Instant::now());
        for new in step * STEP..(step + 1) * STEP {
            offer(&mut *sieve, new);
            for _ in 0..3 {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                offer(&mut *sieve, (random >> 20) % (new + 1));
            }
        }
        sieve.flush().expect("writes");
        let spent = |now: Duration, then: Duration| now.saturating_sub(then).as_secs_f64();
        println!(
            "| {:.1} M | {:.2} | {:.2} | {:.2} |",
            sieve.urls() as f64 / 1e6,
            spent(thread_time(), thread),
            spent(process_time(), process),
            clock.elapsed().as_secs_f64()
        );
    }
}

fn offer(sieve: &mut dyn sieve::Sieve, number: u64) {
    let host = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
    let url = format!("https://www.host{host}.example/articles/{}/title-of-{number}.html", number % 365);
    sieve.offer(&url, Note::default()).expect("writes");
}

/// Time this thread has had of a processor.
fn thread_time() -> Duration {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(times.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0))
}

/// Time that all threads of the process have had.
fn process_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<u64>().ok()).unwrap_or(0);
    Duration::from_millis((ticks(11) + ticks(12)) * 10)
}
