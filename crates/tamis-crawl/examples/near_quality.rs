//! How well fingerprints tell near-duplicates from other pages, by the length of their shingles.
//!
//! `cargo run --release -p tamis-crawl --example near_quality -- FOLDER…` reads the HTML files of the folders. Changes are
//! planted in each page's text, and the pages are compared among themselves.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tamis_archive::http::HttpHead;
use tamis_crawl::Address;
use tamis_crawl::page::{Exchange, Options, PageReader};
use tamis_near::simhash::distance;

/// Lengths of shingles in bytes.
const LENGTHS: &[usize] = &[4, 6, 8, 10, 12, 16];
/// Which shingles clash is chance: each length is judged with so many hash functions.
const SEEDS: u64 = 4;

/// A change: words taken out and put in, in so many places.
const CHANGES: &[(&str, usize, usize, usize)] = &[
    ("a teaser of 8 words put in", 1, 0, 8),
    ("a teaser of 8 words for another", 1, 8, 8),
    ("5 such", 5, 8, 8),
    ("a paragraph of 60 words put in", 1, 0, 60),
    ("half of the text for another's", 1, 1_000_000, 1_000_000),
];

fn main() {
    let mut files = Vec::new();
    std::env::args().skip(1).for_each(|folder| gather(Path::new(&folder), &mut files));
    files.sort();
    let mut texts: Vec<Vec<u8>> = files.iter().map(|file| normal_form(file)).collect();
    texts.retain(|text| text.len() >= 200);
    texts.sort();
    texts.dedup();
    println!("{} files, {} texts that differ and have 200 bytes or more", files.len(), texts.len());
    let sketches: Vec<[u32; 64]> = texts.iter().map(|text| min_hashes(text)).collect();
    for &len in LENGTHS {
        println!("shingles of {len}, sums over {SEEDS} hash functions");
        planted(len, &texts);
        pairs(len, &texts, &sketches);
    }
}

fn planted(len: usize, texts: &[Vec<u8>]) {
    for &(name, places, out, put) in CHANGES {
        let mut within = [0; 4];
        let mut count = 0;
        for (at, text) in texts.iter().enumerate().step_by(8) {
            let other = &texts[mix(at as u64) as usize % texts.len()];
            let changed = change(text, other, places, out, put, at as u64);
            for seed in 0..SEEDS {
                let bits = distance(fingerprint(text, len, seed), fingerprint(&changed, len, seed)) as usize;
                (bits..4).for_each(|k| within[k] += 1);
                count += 1;
            }
        }
        let shares = within.map(|n| format!("{:5.1}", 100.0 * f64::from(n) / f64::from(count)));
        println!("  {name:<34} k=0..3: {} %", shares.join(" "));
    }
}

/// All pairs of pages: which are near by their fingerprints, and which are by their words.
fn pairs(len: usize, texts: &[Vec<u8>], sketches: &[[u32; 64]]) {
    let prints = |text: &Vec<u8>| std::array::from_fn(|seed| fingerprint(text, len, seed as u64));
    let prints: Vec<[u64; SEEDS as usize]> = texts.iter().map(prints).collect();
    let (mut found, mut right, mut wrong, mut alike) = ([0; 4], [0; 4], [0; 4], 0);
    for one in 0..texts.len() {
        for other in 0..one {
            let bits = prints[one].iter().zip(&prints[other]).map(|(a, b)| distance(*a, *b) as usize);
            let bits: Vec<usize> = bits.collect();
            let share = sketches[one].iter().zip(&sketches[other]).filter(|(a, b)| a == b).count();
            if bits.iter().all(|&bits| bits > 3) && share < 52 {
                continue;
            }
            let resemblance = resemblance(&texts[one], &texts[other]);
            for bits in bits {
                alike += u32::from(resemblance >= 0.9);
                for k in bits..4 {
                    found[k] += 1;
                    right[k] += u32::from(resemblance >= 0.9);
                    wrong[k] += u32::from(resemblance < 0.5);
                }
            }
        }
    }
    for k in 0..4 {
        let recall = 100.0 * f64::from(right[k]) / f64::from(alike.max(1));
        println!(
            "  real pairs, k={k}: {} found, {} alike (of {alike}, {recall:.0} %), {} less than half alike",
            found[k], right[k], wrong[k]
        );
    }
}

fn fingerprint(text: &[u8], len: usize, seed: u64) -> u64 {
    let mut votes = [0_i32; 64];
    for shingle in text.windows(len) {
        let hash = xxhash_rust::xxh3::xxh3_64_with_seed(shingle, seed);
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += (hash >> bit & 1) as i32 * 2 - 1;
        }
    }
    (0..64).filter(|&bit| votes[bit] > 0).fold(0, |all, bit| all | 1 << bit)
}

/// Puts words of another text in the place of some.
fn change(text: &[u8], other: &[u8], places: usize, out: usize, put: usize, seed: u64) -> Vec<u8> {
    let mut words: Vec<&[u8]> = text.split_inclusive(|&b| b == b' ').collect();
    let others: Vec<&[u8]> = other.split_inclusive(|&b| b == b' ').collect();
    let half = words.len() / 2;
    for place in 0..places {
        let random = mix(seed << 8 | place as u64) as usize;
        let from = random % (others.len().saturating_sub(put) + 1);
        let put = &others[from..(from + put).min(others.len())];
        let put = &put[..put.len().min(half.max(8))];
        let out = out.min(half.min(put.len()));
        let at = (random >> 20) % (words.len() - out + 1);
        words.splice(at..at + out, put.iter().copied());
    }
    words.concat()
}

/// The share of runs of five words that two texts have in common, of all they have.
fn resemblance(one: &[u8], other: &[u8]) -> f64 {
    let (one, other) = (runs(one), runs(other));
    let common = one.intersection(&other).count();
    common as f64 / (one.len() + other.len() - common).max(1) as f64
}

fn runs(text: &[u8]) -> HashSet<u64> {
    let words: Vec<&[u8]> = text.split(|&b| b == b' ').collect();
    words.windows(5.min(words.len())).map(|run| xxhash_rust::xxh3::xxh3_64(&run.concat())).collect()
}

fn min_hashes(text: &[u8]) -> [u32; 64] {
    let runs = runs(text);
    std::array::from_fn(|row| {
        runs.iter().map(|run| (mix(run ^ mix(row as u64)) >> 32) as u32).min().unwrap_or(0)
    })
}

fn normal_form(file: &Path) -> Vec<u8> {
    let (Ok(body), Some(address)) = (std::fs::read(file), Address::parse("http://site.example/page")) else {
        return Vec::new();
    };
    let head = HttpHead::response(200, &[("content-type", "text/html")]);
    let mut reader = PageReader::new(Options::default());
    let body = reader.decode(&head, &body, 0);
    reader.read(&Exchange { address: &address, head: &head, body: &body });
    reader.normal_form().to_vec()
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
            files.push(path);
        }
    }
}

fn mix(at: u64) -> u64 {
    let at = (at ^ at >> 30).wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let at = (at ^ at >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    at ^ at >> 31
}
