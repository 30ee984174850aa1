//! Kills: at any byte of what a sieve writes, between any two calls, and real ones.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::super::disk::stop;
use super::*;

const MEMORY: usize = 12_000;
const SETTLE_EVERY: usize = 10;

/// Offers from the start, with settles and flushes on the way, up to an error; how many were settled.
fn work(sieve: &mut dyn Sieve, offers: &[(String, Note)]) -> (usize, Result<()>) {
    let mut settled = 0;
    for (at, (url, note)) in offers.iter().enumerate() {
        let mut outcome = sieve.offer(url, *note);
        if outcome.is_ok() && at % SETTLE_EVERY == 9 {
            outcome = sieve.settle(Durability::Kill);
            settled = if outcome.is_ok() { at + 1 } else { settled };
        }
        if outcome.is_ok() && at % 130 == 129 {
            outcome = sieve.flush();
        }
        if outcome.is_err() {
            return (settled, outcome);
        }
    }
    (settled, sieve.flush())
}

/// Goes on after a kill: all that was settled is there, in order, and with the rest all is as if nothing had happened.
fn go_on(kind: SieveKind, folder: &Path, offers: &Offers, settled: usize, context: &str) {
    let mut sieve = reopen(kind, folder, MEMORY);
    sieve.flush().expect("flushes");
    let survived = logged(&*sieve).len();
    assert!(
        survived >= oracle(&offers[..settled]).len() || kind == SieveKind::Bloom,
        "{kind}: {context}: lost"
    );
    check(kind, &*sieve, &oracle(offers)[..survived].to_vec(), context);
    let (_, outcome) = work(&mut *sieve, offers);
    outcome.expect("goes on");
    check(kind, &*sieve, &oracle(offers), context);
}

/// How much a whole run writes.
fn written(kind: SieveKind, offers: &Offers) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let much = usize::MAX / 2;
    stop::after(much);
    let (_, outcome) = work(&mut *reopen(kind, folder.path(), MEMORY), offers);
    outcome.expect("runs to its end");
    much - stop::left()
}

#[test]
fn stopped_at_any_byte_and_again_while_it_mends() {
    let offers = many(700);
    for kind in SieveKind::ALL {
        let total = written(kind, &offers);
        let step = if kind == SieveKind::Lsm { 2003 } else { 211 };
        for at in (0..total).step_by(step).chain((total.saturating_sub(200)..total).step_by(7)) {
            let folder = tempfile::tempdir().expect("a folder");
            stop::after(at);
            let settled = match open(kind, folder.path(), options(MEMORY)) {
                Ok(mut sieve) => work(&mut *sieve, &offers).0,
                Err(_) => 0,
            };
            assert!(stop::never(), "{kind}: it was to stop at {at} of {total}");
            stop::after(at % 997);
            let again = open(kind, folder.path(), options(MEMORY));
            let _ = again.and_then(|mut sieve| work(&mut *sieve, &offers).1);
            stop::never();
            go_on(kind, folder.path(), &offers, settled, &format!("stopped at {at} of {total}"));
        }
    }
}

#[test]
fn copied_between_any_two_calls() {
    let offers = many(300);
    for kind in SieveKind::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sieve = reopen(kind, folder.path(), MEMORY);
        for (at, (url, note)) in offers.iter().enumerate() {
            sieve.offer(url, *note).expect("takes it");
            match at % 40 {
                9 => sieve.settle(Durability::Kill).expect("settles"),
                39 => sieve.flush().expect("flushes"),
                10 | 30 => {
                    let copy = tempfile::tempdir().expect("a folder");
                    copy_folder(folder.path(), copy.path());
                    go_on(kind, copy.path(), &offers, at / 40 * 40 + 10, &format!("copied at {at}"));
                }
                _ => {}
            }
        }
    }
}

pub(super) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in from.read_dir().expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copies");
        }
    }
}

/// Names the folder and the kind to the process that is killed.
const KILLED: &str = "TAMIS_TEST_SIEVE_KILLED";

/// What the process does that is killed.
fn fill_until_killed(arguments: &str) {
    let (kind, folder) = arguments.split_once(' ').expect("kind and folder");
    let kind: SieveKind = kind.parse().expect("a kind");
    let mut sieve = reopen(kind, Path::new(folder), 200_000);
    for (at, (url, note)) in many(1_000_000).iter().enumerate() {
        sieve.offer(url, *note).expect("takes it");
        if at % 100 == 99 {
            sieve.settle(Durability::Kill).expect("settles");
            println!("settled {}", at + 1);
        }
        if at % 5_000 == 4_999 {
            sieve.flush().expect("flushes");
        }
    }
}

#[test]
fn killed_for_good() {
    if let Ok(arguments) = std::env::var(KILLED) {
        return fill_until_killed(&arguments);
    }
    for (kind, kills) in SieveKind::ALL.into_iter().zip([7, 60, 30, 200, 320]) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "sieve::tests::kill::killed_for_good", "--nocapture"])
            .env(KILLED, format!("{kind} {}", folder.path().display()))
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut settled = lines
            .map_while(Result::ok)
            .filter_map(|line| line.strip_prefix("settled ")?.parse::<usize>().ok());
        settled.nth(kills - 1).expect("says how far it is");
        child.kill().expect("is killed");
        child.wait().expect("is gone");
        // The process may be far ahead of what was read from the pipe before the kill.
        let settled = settled.last().unwrap_or(kills * 100);
        let mut sieve = reopen(kind, folder.path(), 200_000);
        sieve.flush().expect("flushes");
        let offers = many(settled as u64 + 40_000);
        let expected = oracle(&offers);
        let survived = logged(&*sieve).len();
        assert!(survived + 3 >= oracle(&offers[..settled]).len(), "{kind}: {survived} survived {settled}");
        check(kind, &*sieve, &expected[..survived].to_vec(), "killed");
        offer_all(&mut *sieve, &offers);
        sieve.flush().expect("flushes");
        let found = logged(&*sieve);
        assert!(found.len() >= expected.len() - 10, "{kind}");
    }
}
