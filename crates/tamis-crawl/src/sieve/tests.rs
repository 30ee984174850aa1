//! One suite for all sieves: what they write is what a set and a list would.

mod damage;
mod kill;
mod order;

use std::collections::HashSet;
use std::path::Path;

use super::*;

/// What a page links to.
type Offers = Vec<(String, Note)>;

/// Little memory, so that sieves flush by themselves; a Bloom filter that is large enough not to err here.
fn options(memory_bytes: usize) -> SieveOptions {
    SieveOptions { memory_bytes, expected_urls: memory_bytes as u64 / 8, durability: Durability::Kill }
}

fn url(number: u64) -> String {
    format!(
        "http://host-{}.example/{}",
        number % 7,
        "page/".repeat(number as usize % 5) + &number.to_string()
    )
}

/// Offers of numbered URLs, with a note that tells the first occurrence from later ones.
fn offers(numbers: impl IntoIterator<Item = u64>) -> Offers {
    let note =
        |at: usize| Note { depth: at as u16, hops: 0, score: if at.is_multiple_of(3) { 0.5 } else { 0.0 } };
    numbers.into_iter().enumerate().map(|(at, number)| (url(number), note(at))).collect()
}

/// Many URLs again and again, near and far from where they were first.
fn many(count: u64) -> Offers {
    offers((0..count).map(|n| if n % 2 == 0 { n } else { n * n % (n / 3 + 1) }))
}

/// What a sieve has to write.
fn oracle(offers: &[(String, Note)]) -> Offers {
    let mut seen = HashSet::new();
    offers.iter().filter(|(url, _)| seen.insert(url)).cloned().collect()
}

fn logged(sieve: &dyn Sieve) -> Offers {
    let mut cursor = sieve.log().cursor(UrlId::FIRST);
    let mut urls = Vec::new();
    while let Some(entry) = cursor.next_url().expect("a sound log") {
        urls.push((entry.url.to_owned(), entry.note));
    }
    urls
}

fn offer_all(sieve: &mut dyn Sieve, offers: &[(String, Note)]) {
    for (url, note) in offers {
        sieve.offer(url, *note).expect("takes it");
    }
}

fn reopen(kind: SieveKind, folder: &Path, memory_bytes: usize) -> Box<dyn Sieve> {
    open(kind, folder, options(memory_bytes)).expect("opens")
}

/// Holds the log against what should be in it. The Bloom filter may lack some, and has the rest in order.
fn check(kind: SieveKind, sieve: &dyn Sieve, expected: &Offers, context: &str) {
    let found = logged(sieve);
    if kind != SieveKind::Bloom {
        assert!(found == *expected, "{kind}: {context}: {} of {} URLs", found.len(), expected.len());
        return;
    }
    let mut rest = expected.iter();
    assert!(
        found.iter().all(|url| rest.any(|other| other == url)),
        "{kind}: {context}: order or a repetition"
    );
    let most_missing = 3.0 + 3.0 * sieve.stats().false_positive_rate * expected.len() as f64;
    let missing = expected.len() - found.len();
    assert!(missing as f64 <= most_missing, "{kind}: {context}: {missing} missing");
}
