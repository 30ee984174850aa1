//! What the workbench costs: `cargo run --release -p tamis-crawl --example workbench_cost -- fifo|scored|turns`.
//!
//! One at a time: memory that one has freed would hide what the next one takes.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use tamis_crawl::workbench::{Config, Entry, Order, Outcome, Take, Workbench};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("fifo") => ten_million_entries(Order::Fifo),
        Some("scored") => ten_million_entries(Order::Scored),
        Some("turns") => turns_among_a_million_hosts(),
        _ => eprintln!("say what to measure: fifo, scored or turns"),
    }
}

/// Bytes of memory that are in use by the process, where the system tells.
fn resident_bytes() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

/// Time this thread has had of a processor: other programs do not count.
fn busy() -> Duration {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(times.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0))
}

fn address(number: u32) -> IpAddr {
    Ipv4Addr::from_bits(number).into()
}

fn name(host: u64) -> String {
    format!("www.host{host}.example.org")
}

fn fill(bench: &mut Workbench, hosts: u64, entries: u64) {
    let mut random = 1_u64;
    for id in 0..entries {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let host = (random >> 33) % hosts;
        let score = (random >> 40 & 0xff) as f32 / 256.0;
        bench.add(&name(host), Entry { id, score }).expect("a file");
    }
}

fn ten_million_entries(order: Order) {
    let folder = tempfile::tempdir().expect("a folder");
    let before = resident_bytes();
    let config = Config { order, ..Config::default() };
    let mut bench = Workbench::create(&folder.path().join("scratch"), config).expect("a file");
    let start = busy();
    fill(&mut bench, 100_000, 10_000_000);
    let add = busy().saturating_sub(start) / 10_000_000;
    for number in 0..100_000 {
        let host = bench.host(&name(number)).expect("every host has entries");
        bench.resolved(host, address(number as u32), 0);
    }
    let filled = resident_bytes().saturating_sub(before);
    println!("{order:?}: {} MB, {add:?} an add, {:?}", filled >> 20, bench.counts(0));
    let (start, mut taken) = (busy(), 0);
    // Round and round as a crawl goes: every host loses one entry a visit.
    for now_ms in (0..150).map(|round| round * 10_000) {
        while let Take::Visit(visit) = bench.take(now_ms) {
            taken += u32::from(bench.next(visit.host()).expect("a file").is_some());
            bench.put_back(visit, &Outcome { ended_ms: now_ms, ..Outcome::default() });
        }
    }
    let grown = resident_bytes().saturating_sub(before).max(filled);
    println!("{order:?}: {:?} a visit, {} MB", busy().saturating_sub(start) / taken, grown >> 20);
    assert_eq!(taken, 10_000_000, "nothing is lost");
}

fn turns_among_a_million_hosts() {
    const HOSTS: u32 = 1_000_000;
    let folder = tempfile::tempdir().expect("a folder");
    let before = resident_bytes();
    let mut bench = Workbench::create(&folder.path().join("scratch"), Config::default()).expect("a file");
    for host in 0..HOSTS {
        let host_id =
            bench.add(&name(host.into()), Entry { id: host.into(), score: 0.0 }).expect("a file").host;
        bench.resolved(host_id, address(host.wrapping_mul(2_654_435_761)), (host % 4_000).into());
    }
    println!(
        "{} bytes a host with its name, address and one entry",
        (resident_bytes() - before) / HOSTS as usize
    );
    let (mut turns, mut now_ms, mut random) = (0_u32, 0_u64, 1_u64);
    let start = busy();
    while turns < 2_000_000 {
        match bench.take(now_ms) {
            Take::Visit(visit) => {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let ended_ms = now_ms + (random >> 54);
                bench.put_back(visit, &Outcome { began_ms: now_ms, ended_ms, ..Outcome::default() });
                turns += 1;
            }
            Take::Wait { until_ms } => now_ms = until_ms,
            other => panic!("{other:?}"),
        }
    }
    let turn = busy().saturating_sub(start) / turns;
    println!("{turn:?} a turn");
}
