//! Sieves over URLs that are made on the fly: about 60 bytes each, half of them repetitions.
//!
//! `sieves KIND MILLIONS FOLDER [near|far|mixed] [MEGABYTES]`. Repetitions are `far` (any URL before, all equally likely:
//! the worst for a sieve, as no cache helps), `near` (one of the last 10,000: links within a site) or `mixed` (half and
//! half, the default). Making the URLs is measured alone first, and what it took is taken off.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use std::{fs, thread};

use anyhow::{Context, Result, bail};
use nix::sys::resource::UsageWho;
use tamis_bench::measure::{cpu_seconds, peak_rss_kb};
use tamis_crawl::sieve::{self, Note, SieveKind, SieveOptions, UrlId, UrlLogReader};

const NEAR: u64 = 10_000;
const URL: &[u8] = b"https://www.example-0000.org/archive/section/page-0000000000.html";

#[derive(Clone, Copy, PartialEq)]
enum Repeats {
    Near,
    Far,
    Mixed,
}

/// Makes URLs: each is told by a number, and half the numbers have been there before.
struct Urls {
    text: Vec<u8>,
    repeats: Repeats,
    state: u64,
    made: u64,
}

impl Urls {
    fn new(repeats: Repeats) -> Self {
        Self { text: URL.to_vec(), repeats, state: 0, made: 0 }
    }

    #[inline]
    fn next(&mut self) -> &str {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut random = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        random = (random ^ random >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        random ^= random >> 31;
        let number = if random & 1 == 0 || self.made == 0 {
            self.made += 1;
            self.made - 1
        } else {
            let near = self.repeats == Repeats::Near || self.repeats == Repeats::Mixed && random & 2 == 0;
            let back = if near { NEAR.min(self.made) } else { self.made };
            self.made - 1 - ((u128::from(random) * u128::from(back)) >> 64) as u64
        };
        put_digits(&mut self.text[50..60], number);
        put_digits(&mut self.text[20..24], number / 64 % 10_000);
        str::from_utf8(&self.text).unwrap_or_default()
    }
}

fn put_digits(place: &mut [u8], mut number: u64) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kind, millions, folder, rest @ ..] = &args[..] else {
        bail!("usage: sieves KIND MILLIONS FOLDER [near|far|mixed] [MEGABYTES]");
    };
    let kind: SieveKind = kind.parse()?;
    let offers = millions.parse::<u64>()? * 1_000_000;
    let repeats = match rest.first().map_or("mixed", String::as_str) {
        "near" => Repeats::Near,
        "far" => Repeats::Far,
        "mixed" => Repeats::Mixed,
        other => bail!("no repetitions {other}"),
    };
    let megabytes: usize = rest.get(1).map_or(Ok(256), |text| text.parse())?;
    let options = SieveOptions { memory_bytes: megabytes << 20, ..SieveOptions::default() };
    if fs::exists(folder)? {
        bail!("{folder} is there already");
    }
    let generating = generate(offers, repeats)?;
    println!("making {offers} URLs of {} bytes: {generating:.2} s of CPU", URL.len());
    let outcome = run(kind, offers, repeats, Path::new(folder), options, generating);
    fs::remove_dir_all(folder).context("removing the folder")?;
    outcome
}

fn generate(offers: u64, repeats: Repeats) -> Result<f64> {
    let before = cpu_seconds(UsageWho::RUSAGE_SELF)?;
    let mut urls = Urls::new(repeats);
    for _ in 0..offers {
        black_box(urls.next());
    }
    Ok(cpu_seconds(UsageWho::RUSAGE_SELF)? - before)
}

fn run(
    kind: SieveKind,
    offers: u64,
    repeats: Repeats,
    folder: &Path,
    options: SieveOptions,
    generating: f64,
) -> Result<()> {
    let (began, before) = (Instant::now(), cpu_seconds(UsageWho::RUSAGE_SELF)?);
    let mut urls = Urls::new(repeats);
    let mut sieve = sieve::open(kind, folder, options)?;
    for offer in 1..=offers {
        sieve.offer(urls.next(), Note::default())?;
        if offer % (offers / 10).max(1) == 0 {
            let cpu = cpu_seconds(UsageWho::RUSAGE_SELF)? - before;
            println!("{offer} offers: {cpu:.2} s of CPU, {} MB resident at most", peak_rss_kb()? / 1024);
        }
    }
    sieve.flush()?;
    let (cpu, wall) = (cpu_seconds(UsageWho::RUSAGE_SELF)? - before, began.elapsed().as_secs_f64());
    let peak_mb = peak_rss_kb()? / 1024;
    let stats = sieve.stats();
    println!(
        "{kind}: {offers} offers, {} URLs of {} made, {} flushes, {} MB of files, rate {:.1e}",
        stats.urls,
        urls.made,
        stats.flushes,
        stats.disk_bytes >> 20,
        stats.false_positive_rate
    );
    println!(
        "{kind}: {:.2} s of CPU, {wall:.2} s; less making {:.2} s: {:.2} M URLs/s a core; {peak_mb} MB resident at most",
        cpu,
        cpu - generating,
        offers as f64 / 1e6 / (cpu - generating)
    );
    let reader = sieve.log();
    let check = thread::spawn(move || count(&reader));
    let logged = check.join().map_err(|_| anyhow::anyhow!("the reader of the log panicked"))??;
    println!("{kind}: {logged} URLs in the log, in the order they were made");
    Ok(())
}

/// Reads the log: the URLs must stand there as they were made, with none missing but for a Bloom filter's.
fn count(log: &UrlLogReader) -> Result<u64> {
    let (mut cursor, mut logged, mut last) = (log.cursor(UrlId::FIRST), 0, None);
    while let Some(entry) = cursor.next_url()? {
        let number: u64 = entry.url[50..60].parse()?;
        if last.is_some_and(|last| number <= last) {
            bail!("{} stands behind number {last:?}", entry.url);
        }
        last = Some(number);
        logged += 1;
    }
    Ok(logged)
}
