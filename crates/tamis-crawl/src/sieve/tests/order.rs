//! Order, repetitions, restarts, readers.

use std::thread;

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Offer(u64),
    Flush,
    Settle,
    Reopen { memory_bytes: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        60 => (0..200_u64).prop_map(Step::Offer),
        20 => (0..10_u64).prop_map(Step::Offer),
        4 => Just(Step::Flush),
        6 => Just(Step::Settle),
        1 => (4_000..40_000_usize).prop_map(|memory_bytes| Step::Reopen { memory_bytes }),
    ];
    prop::collection::vec(step, 0..400)
}

/// Goes through the steps, and flushes at the end.
fn run(kind: SieveKind, steps: &[Step]) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut sieve = reopen(kind, folder.path(), 8_000);
    let numbers =
        steps.iter().filter_map(|step| if let Step::Offer(number) = step { Some(*number) } else { None });
    let offers = offers(numbers);
    let mut next = offers.iter();
    for step in steps {
        match step {
            Step::Offer(_) => {
                let (url, note) = next.next().expect("an offer for each step");
                sieve.offer(url, *note).expect("takes it");
            }
            Step::Flush => {
                sieve.flush().expect("flushes");
                assert_eq!(sieve.pending(), 0);
                check(kind, &*sieve, &oracle(&offers[..offers.len() - next.len()]), "after a flush");
            }
            Step::Settle => sieve.settle(Durability::Kill).expect("settles"),
            Step::Reopen { memory_bytes } => {
                sieve.settle(Durability::Kill).expect("settles");
                drop(sieve);
                sieve = reopen(kind, folder.path(), *memory_bytes);
            }
        }
    }
    sieve.flush().expect("flushes");
    check(kind, &*sieve, &oracle(&offers), "at the end");
    if kind != SieveKind::Bloom {
        assert_eq!(sieve.stats().urls, oracle(&offers).len() as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn as_a_set_and_a_list_would(steps in steps()) {
        for kind in SieveKind::ALL {
            run(kind, &steps);
        }
    }
}

#[test]
fn repetitions_within_and_across_flushes() {
    for kind in SieveKind::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sieve = reopen(kind, folder.path(), 100_000);
        let offers = many(20_000);
        for part in offers.chunks(5_000) {
            offer_all(&mut *sieve, part);
            sieve.flush().expect("flushes");
            offer_all(&mut *sieve, part);
        }
        sieve.flush().expect("flushes");
        check(kind, &*sieve, &oracle(&offers), "many");
        let stats = sieve.stats();
        assert_eq!((stats.offered, stats.pending, stats.cut_bytes), (40_000, 0, 0), "{kind}");
        let on_disk: u64 = oracle(&offers).iter().map(|(url, _)| url.len() as u64).sum();
        assert!(stats.disk_bytes > on_disk * 9 / 10, "{kind}: {stats:?}");
    }
}

#[test]
fn what_was_offered_is_decided_by_less_memory_too() {
    for kind in SieveKind::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let offers = many(5_000);
        let mut sieve = reopen(kind, folder.path(), 1 << 20);
        offer_all(&mut *sieve, &offers);
        sieve.settle(Durability::Power).expect("settles");
        drop(sieve);
        for memory_bytes in [50_000, 20_000] {
            drop(reopen(kind, folder.path(), memory_bytes));
        }
        let mut sieve = reopen(kind, folder.path(), 10_000);
        sieve.flush().expect("flushes");
        check(kind, &*sieve, &oracle(&offers), "less memory");
    }
}

#[test]
fn readers_see_what_is_committed_and_find_it_again() {
    for kind in SieveKind::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sieve = reopen(kind, folder.path(), 100_000);
        let offers = many(6_000);
        let expected = oracle(&offers);
        let reader = sieve.log();
        let last = expected.last().expect("some").0.clone();
        let tail = thread::spawn(move || {
            let (mut cursor, mut urls, mut buffer) = (reader.cursor(UrlId::FIRST), Vec::new(), Vec::new());
            while urls.last() != Some(&last) {
                let Some(entry) = cursor.next_url().expect("a sound log") else {
                    thread::yield_now();
                    continue;
                };
                let again = reader.read_at(entry.id, &mut buffer).expect("is there");
                assert_eq!(again, entry);
                assert_eq!(entry.signature, signature(entry.url));
                urls.push(entry.url.to_owned());
                assert_eq!(entry.next, cursor.position());
            }
            urls
        });
        for part in offers.chunks(700) {
            offer_all(&mut *sieve, part);
            sieve.settle(Durability::Kill).expect("settles");
            sieve.flush().expect("flushes");
        }
        let found = tail.join().expect("a reader that does not panic");
        if kind != SieveKind::Bloom {
            assert!(found.iter().eq(expected.iter().map(|(url, _)| url)), "{kind}");
        }
    }
}

#[test]
fn nothing_is_read_where_no_url_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut sieve = reopen(SieveKind::Mercator, folder.path(), 10_000);
    offer_all(&mut *sieve, &many(10));
    let (log, mut buffer) = (sieve.log(), Vec::new());
    assert!(matches!(log.read_at(UrlId::FIRST, &mut buffer), Err(Error::NotThere { .. })));
    sieve.flush().expect("flushes");
    assert!(log.read_at(UrlId::FIRST, &mut buffer).is_ok());
    assert!(matches!(log.read_at(UrlId(0), &mut buffer), Err(Error::NotThere { .. })));
    assert!(matches!(log.read_at(log.end(), &mut buffer), Err(Error::NotThere { .. })));
    assert!(matches!(log.read_at(UrlId(UrlId::FIRST.0 + 1), &mut buffer), Err(Error::Damaged { .. })));
}

#[test]
fn signatures_never_change() {
    let long = "https://www.example.org/".to_owned() + &"path/".repeat(60);
    // The first is a test vector of XXH3 itself; each of the others takes another of its branches.
    for (url, expected) in [
        ("", 0x2d06_8005_38d3_94c2),
        ("http://example.org/", 0xb73d_c5b0_66f5_3581),
        (&long[..100], 0xcdbf_a369_3aab_2150),
        (&long[..200], 0xf83d_caa7_f589_f000),
        (&long, 0xaa9c_5b79_d508_5ea0),
    ] {
        assert_eq!(signature(url), expected, "{url}: {:#x}", signature(url));
    }
}

#[test]
fn long_urls_and_none() {
    for kind in SieveKind::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sieve = reopen(kind, folder.path(), 10_000);
        sieve.flush().expect("nothing to flush");
        let long = "x".repeat(8_000);
        let offers: Offers =
            (0..50).map(|n| (format!("http://x.org/{long}{}", n % 20), Note::default())).collect();
        offer_all(&mut *sieve, &offers);
        let too_long = sieve.offer(&"x".repeat(20_000), Note::default());
        assert!(matches!(too_long, Err(Error::TooLong { .. })), "{kind}");
        sieve.flush().expect("flushes");
        check(kind, &*sieve, &oracle(&offers), "long ones");
    }
}

#[test]
fn kinds_by_name() {
    for kind in SieveKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    let unknown = "bloomy".parse::<SieveKind>().expect_err("no sieve");
    assert_eq!(unknown.to_string(), "no sieve \"bloomy\": memory, bloom, lsm, offline or mercator");
}
