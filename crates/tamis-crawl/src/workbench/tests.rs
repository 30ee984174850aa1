//! What the model does not reach.

use std::net::{IpAddr, Ipv4Addr};

use super::*;

fn entry(id: u64) -> Entry {
    Entry { id, score: 0.5 }
}

fn address(number: u32) -> IpAddr {
    Ipv4Addr::from_bits(0x0a00_0000 + number).into()
}

fn bench(config: Config) -> (tempfile::TempDir, Workbench) {
    let folder = tempfile::tempdir().expect("a folder");
    let bench = Workbench::create(&folder.path().join("scratch"), config).expect("a file");
    (folder, bench)
}

#[test]
fn a_host_fits_in_two_hundred_bytes() {
    // Itself, its queue, its name's pointer and slot, its place in a heap, its first block.
    let bytes = size_of::<Host>() + queues::QUEUE_BYTES + 16 + 16 + 16;
    assert!(bytes <= 200, "{bytes}");
}

#[test]
fn a_crawl_of_one_page() {
    let (_folder, mut bench) = bench(Config::default());
    assert!(matches!(bench.take(0), Take::Idle));
    let Added { host, queued } = bench.add("a.org", entry(7)).expect("a file");
    assert!(queued && matches!(bench.take(0), Take::Busy));
    assert_eq!((bench.unresolved(0), bench.unresolved(0)), (Some(host), None));
    bench.resolved(host, address(1), 100);
    assert!(matches!(bench.take(99), Take::Wait { until_ms: 100 }));
    let Take::Visit(visit) = bench.take(100) else { panic!("its turn") };
    assert_eq!((visit.host(), visit.ip(), bench.name(host)), (host, address(1), "a.org"));
    assert!(matches!(bench.take(100), Take::Busy));
    assert_eq!(bench.next(host).expect("a file").map(|entry| entry.id), Some(7));
    assert_eq!(bench.next(host).expect("a file"), None);
    let outcome = Outcome { began_ms: 100, ended_ms: 150, pages: 1, ..Outcome::default() };
    assert_eq!(bench.put_back(visit, &outcome), After::Ready { at_ms: 4_150 });
    assert!(matches!(bench.take(9_999), Take::Idle));
    bench.add("a.org", entry(8)).expect("a file");
    assert!(matches!(bench.take(4_149), Take::Wait { until_ms: 4_150 }));
}

#[test]
fn hosts_of_one_address_take_turns() {
    let (_folder, mut bench) = bench(Config::default());
    for name in ["a.org", "b.org", "c.org"] {
        let host = bench.add(name, entry(0)).expect("a file").host;
        bench.add(name, entry(1)).expect("a file");
        bench.resolved(host, address(1), 0);
    }
    let (mut now_ms, mut visited) = (0, Vec::new());
    while visited.len() < 6 {
        match bench.take(now_ms) {
            Take::Visit(visit) => {
                assert!(matches!(bench.take(now_ms), Take::Busy), "the address is held");
                bench.next(visit.host()).expect("a file").expect("an entry");
                visited.push((now_ms, bench.name(visit.host()).to_owned()));
                let outcome = Outcome { began_ms: now_ms, ended_ms: now_ms + 100, ..Outcome::default() };
                bench.put_back(visit, &outcome);
            }
            Take::Wait { until_ms } => now_ms = until_ms,
            other => panic!("{other:?}"),
        }
    }
    let expected = [(0, "a"), (600, "b"), (1_200, "c"), (4_100, "a"), (4_700, "b"), (5_300, "c")];
    assert_eq!(visited, expected.map(|(ms, name)| (ms, format!("{name}.org"))));
}

#[test]
fn the_slowest_hosts_are_those_that_keep_the_crawl_going() {
    let (_folder, mut bench) = bench(Config::default());
    for (name, queued, crawl_delay_ms) in [("a", 5, 0), ("b", 3, 60_000), ("c", 100, 0), ("d", 1, 0)] {
        let host = bench.add(name, entry(0)).expect("a file").host;
        for id in 1..=queued {
            bench.add(name, entry(id)).expect("a file");
        }
        bench.resolved(host, address(queued as u32), 0);
        let Take::Visit(visit) = bench.take(0) else { panic!("its turn") };
        bench.next(host).expect("a file");
        bench.put_back(visit, &Outcome { ended_ms: 10, crawl_delay_ms, ..Outcome::default() });
    }
    let slowest = |count| {
        let slowest = bench.slowest(count);
        slowest.iter().map(|slow| (bench.name(slow.host), slow.left_ms())).collect::<Vec<_>>()
    };
    assert_eq!(slowest(3), [("c", 401_000), ("b", 180_030), ("a", 20_050)]);
    assert_eq!(slowest(0), []);
    assert_eq!(slowest(9).len(), 4);
}

#[test]
fn a_score_that_is_no_number_counts_as_none() {
    let (_folder, mut bench) = bench(Config { order: Order::Scored, ..Config::default() });
    let scores = [0.1, f32::NAN, 0.9, f32::INFINITY, -1.0, 0.9];
    let mut host = None;
    for (id, score) in (0..).zip(scores) {
        host = Some(bench.add("a.org", Entry { id, score }).expect("a file").host);
    }
    let host = host.expect("entries were added");
    let order: Vec<u64> =
        std::iter::from_fn(|| bench.next(host).expect("a file")).map(|entry| entry.id).collect();
    assert_eq!(order, [3, 2, 5, 0, 1, 4]);
}

#[test]
fn the_best_of_ready_hosts_goes_first_and_worth_counts() {
    let (_folder, mut bench) = bench(Config { order: Order::Scored, ..Config::default() });
    for (number, (name, score)) in (0..).zip([("poor", 0.2), ("good", 0.6), ("best", 0.9)]) {
        let host = bench.add(name, Entry { id: number, score }).expect("a file").host;
        bench.resolved(host, address(number as u32), 0);
    }
    let later = bench.add("later", Entry { id: 9, score: 1.0 }).expect("a file").host;
    bench.resolved(later, address(9), 5_000);
    // Of "best" everything was bad, of "poor" everything good.
    for (name, worth) in [("best", 0.05), ("poor", 20.0)] {
        bench.set_worth(bench.host(name).expect("known"), worth);
    }
    let mut order = Vec::new();
    for _ in 0..2 {
        let Take::Visit(visit) = bench.take(100) else { panic!("its turn") };
        order.push(bench.name(visit.host()).to_owned());
        bench.next(visit.host()).expect("a file").expect("an entry");
        bench.put_back(visit, &Outcome { began_ms: 100, ended_ms: 100, ..Outcome::default() });
    }
    // While it waits it gets something better, and goes before the one that comes to be ready.
    bench.add("best", Entry { id: 10, score: 0.999_9 }).expect("a file");
    bench.set_worth(bench.host("best").expect("known"), 1.0);
    let promise = bench.promise(bench.host("best").expect("known")).expect("an entry");
    assert!((promise - 0.999_9).abs() < 1e-6, "{promise}");
    for _ in 0..2 {
        let Take::Visit(visit) = bench.take(5_000) else { panic!("its turn") };
        order.push(bench.name(visit.host()).to_owned());
        bench.next(visit.host()).expect("a file").expect("an entry");
        bench.put_back(visit, &Outcome { began_ms: 5_000, ended_ms: 5_000, ..Outcome::default() });
    }
    assert_eq!(order, ["poor", "good", "later", "best"]);
}

#[test]
fn what_promises_too_little_waits_for_good() {
    let (_folder, mut bench) = bench(Config { order: Order::Scored, least: 0.1, ..Config::default() });
    for (number, score) in (0..).zip([0.5, 0.05]) {
        let host = bench.add("a.org", Entry { id: number, score }).expect("a file").host;
        bench.resolved(host, address(1), 0);
    }
    let host = bench.host("a.org").expect("known");
    assert!(!bench.is_idle());
    let Take::Visit(visit) = bench.take(0) else { panic!("its turn") };
    assert_eq!(bench.next(host).expect("a file").map(|entry| entry.id), Some(0));
    assert_eq!(bench.next(host).expect("a file"), None, "the other one promises too little");
    bench.put_back(visit, &Outcome { ended_ms: 10, ..Outcome::default() });
    assert!(matches!(bench.take(10), Take::Wait { .. }));
    assert!(matches!(bench.take(9_000), Take::Idle) && bench.is_idle());
    assert_eq!(bench.queued(host), 1, "it is not forgotten");
    bench.set_worth(host, 10.0);
    assert!(!bench.is_idle());
    let Take::Visit(visit) = bench.take(9_000) else { panic!("it is worth more now") };
    assert_eq!(bench.next(host).expect("a file").map(|entry| entry.id), Some(1));
    bench.put_back(visit, &Outcome::default());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_loses_nothing() {
    for order in [Order::Fifo, Order::Scored] {
        let config = Config { order, head_entries: 4, memory_bytes: 4_096, ..Config::default() };
        let mut bench = Workbench::create(Path::new("/dev/full"), config).expect("the device of full disks");
        let (mut failures, mut kept) = (0, Vec::new());
        for id in 0..60_000 {
            let score = (id % 10) as f32 / 10.0;
            match bench.add(&format!("host{}.org", id % 50), Entry { id, score }) {
                Ok(_) => kept.push(id),
                Err(error) => {
                    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
                    failures += 1;
                }
            }
        }
        assert!(failures > 0 && kept.len() > 1_000, "{failures}");
        let counts = bench.counts(0);
        assert_eq!(counts.entries_in_memory + counts.entries_on_disk, kept.len() as u64);
        // What is in memory or in the buffer of the file still comes out, once.
        let mut out = Vec::new();
        for host in (0..50).map(HostId) {
            while let Ok(Some(entry)) = bench.next(host) {
                out.push(entry.id);
            }
        }
        out.sort_unstable();
        assert!(out == kept, "{} of {}", out.len(), kept.len());
    }
}
