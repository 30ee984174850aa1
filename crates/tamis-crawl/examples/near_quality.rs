//! How well fingerprints tell near-duplicates from other pages, by the length of their shingles.
//!
//! `cargo run --release -p tamis-crawl --example near_quality -- FOLDER…` reads the HTML files of the folders. Changes are
//! planted in each page's text, and the pages are compared among themselves.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tamis_crawl::Address;
use tamis_crawl::page::{Exchange, Options, PageReader};
use tamis_order::simhash::distance;

/// A way to make a fingerprint.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    len: usize,
    at_words: bool,
}

const WAYS: &[Way] = &[
    Way { name: "4", len: 4, at_words: false },
    Way { name: "6", len: 6, at_words: false },
    Way { name: "8", len: 8, at_words: false },
    Way { name: "10", len: 10, at_words: false },
    Way { name: "12", len: 12, at_words: false },
    Way { name: "16", len: 16, at_words: false },
    Way { name: "24", len: 24, at_words: false },
    Way { name: "12, at starts of words", len: 12, at_words: true },
];

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
    for way in WAYS {
        judge(*way, &texts, &sketches);
    }
}

fn judge(way: Way, texts: &[Vec<u8>], sketches: &[[u32; 64]]) {
    let prints: Vec<u64> = texts.iter().map(|text| fingerprint(text, way)).collect();
    println!("shingles of {}", way.name);
    for &(name, places, out, put) in CHANGES {
        let mut within = [0; 4];
        let mut count = 0;
        for (at, text) in texts.iter().enumerate().step_by(4) {
            let other = &texts[mix(at as u64) as usize % texts.len()];
            let changed = fingerprint(&change(text, other, places, out, put, at as u64), way);
            let bits = distance(prints[at], changed) as usize;
            (bits..4).for_each(|k| within[k] += 1);
            count += 1;
        }
        let shares: Vec<String> =
            within.iter().map(|&n| format!("{:5.1}", 100.0 * f64::from(n) / f64::from(count))).collect();
        println!("  {name:<34} k=0..3: {} %", shares.join(" "));
    }
    pairs(texts, &prints, sketches);
}

/// All pairs of pages: which are near by their fingerprints, and which are by their words.
fn pairs(texts: &[Vec<u8>], prints: &[u64], sketches: &[[u32; 64]]) {
    let (mut found, mut right, mut alike) = ([0; 4], [0; 4], 0);
    for one in 0..texts.len() {
        for other in 0..one {
            let bits = distance(prints[one], prints[other]) as usize;
            let share = sketches[one].iter().zip(&sketches[other]).filter(|(a, b)| a == b).count();
            if bits > 3 && share < 56 {
                continue;
            }
            let resemblance = resemblance(&texts[one], &texts[other]);
            alike += u32::from(resemblance >= 0.9);
            (bits..4).for_each(|k| {
                found[k] += 1;
                right[k] += u32::from(resemblance >= 0.9);
            });
            if std::env::var_os("SHOW").is_some() && bits <= 3 && resemblance < 0.5 {
                let head =
                    |at: usize| String::from_utf8_lossy(&texts[at][..texts[at].len().min(150)]).into_owned();
                println!("    {bits} {resemblance:.2}\n      {}\n      {}", head(one), head(other));
            }
        }
    }
    for k in 0..4 {
        println!(
            "  real pairs, k={k}: {} found, {} of them alike ({:.1} %); {:.1} % of the {alike} alike",
            found[k],
            right[k],
            100.0 * f64::from(right[k]) / f64::from(found[k].max(1)),
            100.0 * f64::from(right[k]) / f64::from(alike.max(1)),
        );
    }
}

fn fingerprint(text: &[u8], way: Way) -> u64 {
    let mut votes = [0_i32; 64];
    for (at, shingle) in text.windows(way.len).enumerate() {
        if way.at_words && at > 0 && text[at - 1] != b' ' {
            continue;
        }
        let hash = xxhash_rust::xxh3::xxh3_64(shingle);
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
    let field = |name: &str| (name == "content-type").then_some("text/html");
    let mut reader = PageReader::new(Options::default());
    reader.read(&Exchange { address: &address, status: 200, field, body: &body });
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
