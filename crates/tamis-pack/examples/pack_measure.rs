//! Packs an archive and measures it: `cargo run --release -p tamis-pack --example pack_measure -- ARCHIVE PACK PROFILE`; or measures the reading of
//! a pack that is there: `-- read PACK`; or that of its records in ranges of 16 MiB by several threads, as all commands read archives: `-- ranges PACK JOBS`.
//!
//! Options: `order=path|url|file|FILE` (a record number a line), `window=MIB` (of `path`), `write-order=FILE`, `jobs=N`, `segment=MIB`, `dictionary=KIB`, `block=KIB`, `verify=no`.
//! Speeds are of processor time, so that a machine with other work says the same.

use std::error::Error;
use std::fs;
use std::io::Read;
use std::num::NonZero;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use tamis_archive::{Mode, Reader, Record, ScanOptions, scan};
use tamis_near::sketch::MinHash;
use tamis_pack::order::{Page, PathSettings, Space, SurtOrder, path};
use tamis_pack::{Pack, PackOptions, PackedRecord, Profile, RestoreOptions, Survey, pack};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [command, path] = &words[..]
        && command == "read"
    {
        return measure_reading(path, NonZero::<usize>::MIN);
    }
    if let [command, path, jobs] = &words[..]
        && command == "ranges"
    {
        measure_ranges(path, jobs.parse()?);
        return Ok(());
    }
    let [archive, path, profile, rest @ ..] = &words[..] else { return Err("ARCHIVE PACK PROFILE".into()) };
    let mut options = PackOptions::new(Profile::from_name(profile).ok_or("a profile")?);
    let (mut order, mut window, mut write_order) = ("path", 4_u64, None);
    for word in rest {
        let (name, value) = word.split_once('=').ok_or("NAME=VALUE")?;
        match name {
            "order" => order = value,
            "window" => window = value.parse()?,
            "write-order" => write_order = Some(value),
            "jobs" => options.jobs = value.parse()?,
            "segment" => options.segment_bytes = value.parse::<u64>()? << 20,
            "dictionary" => options.dictionary_bytes = Some(value.parse::<usize>()? << 10),
            "block" => options.block_bytes = Some(value.parse::<usize>()? << 10),
            "verify" => options.verify = value != "no",
            _ => return Err(format!("{name}: not an option").into()),
        }
    }
    let mut sketches = Vec::new();
    let is_path = order == "path";
    let (survey, surveyed) = timed(|| {
        Survey::new(archive, options.jobs, |_, record| {
            if is_path {
                sketches.push(sketch(record));
            }
        })
    });
    let survey = survey?;
    let (order, ordering) = timed(|| order_of(&survey, order, &sketches, window << 20));
    let order = order?;
    if let Some(to) = write_order {
        fs::write(to, order.iter().map(u32::to_string).collect::<Vec<_>>().join("\n"))?;
    }
    let (packed, packing) = timed(|| pack(&survey, &order, path, &options));
    let packed = packed?;
    let share = |bytes: u64, of: u64| 100.0 * bytes as f64 / of as f64;
    println!(
        "{profile}: {} of {} bytes: {:.2} % of the archive, {:.3} % of its content ({} bytes)",
        packed.pack_len,
        packed.file_len,
        share(packed.pack_len, packed.file_len),
        share(packed.pack_len, packed.content_len),
        packed.content_len
    );
    let index = packed.pack_len - packed.block_bytes - packed.dictionary_bytes;
    println!(
        "  {} records, {} blocks {}, dictionaries {}, index and root {index}, {} members with corrections",
        packed.records, packed.blocks, packed.block_bytes, packed.dictionary_bytes, packed.inexact_members
    );
    let speed = |time: Duration| packed.content_len as f64 / time.as_secs_f64() / 1e6;
    println!(
        "  survey {:.1} s, {:.0} MB/s; order {:.1} s; packing {:.1} s, {:.2} MB/s of processor time",
        surveyed.as_secs_f64(),
        speed(surveyed),
        ordering.as_secs_f64(),
        packing.as_secs_f64(),
        speed(packing)
    );
    measure_reading(path, options.jobs)?;
    println!("  memory at its most: {} MB", peak_memory());
    Ok(())
}

/// The most of a record that is looked at, as the command does.
const MOST_BYTES: u64 = 16 << 20;

fn sketch(record: &mut Record<'_>) -> MinHash {
    let mut body = Vec::new();
    let _ = record.body.by_ref().take(MOST_BYTES).read_to_end(&mut body);
    MinHash::of_bytes(&body)
}

fn order_of(survey: &Survey, order: &str, sketches: &[MinHash], window_bytes: u64) -> Outcome<Vec<u32>> {
    Ok(match order {
        "path" => by_path(survey, sketches, window_bytes)?,
        "url" => survey.url_order(),
        "file" => (0..survey.record_count() as u32).collect(),
        path => fs::read_to_string(path)?.lines().map(str::parse).collect::<Result<_, _>>()?,
    })
}

fn by_path(survey: &Survey, sketches: &[MinHash], window_bytes: u64) -> Outcome<Vec<u32>> {
    let space = Space { folder: std::env::temp_dir(), memory_bytes: 512 << 20 };
    let mut sorted = SurtOrder::new(&space);
    for (record, sketch) in survey.records().zip(sketches) {
        let (number, len_bytes) = (record.number as u64, record.len);
        sorted.add(Page { record: number, surt: record.key, len_bytes, sketch })?;
    }
    let reader = Mutex::new(Reader::open(survey.path(), Mode::Lenient)?);
    let read = |number: u64, to: &mut Vec<u8>| {
        let mut reader = reader.lock().map_err(|_| std::io::Error::other("a panic"))?;
        reader.seek(survey.record(number as usize).offset).map_err(std::io::Error::other)?;
        if let Some(mut record) = reader.next().map_err(std::io::Error::other)? {
            record.body.by_ref().take(MOST_BYTES).read_to_end(to)?;
        }
        Ok(())
    };
    let settings = PathSettings { window_bytes, ..PathSettings::default() };
    let ordered = path(sorted.finish()?, &settings, &space, Some(&read))?;
    Ok(ordered.records.into_iter().map(|number| number as u32).collect())
}

/// All records, read by threads that each open the pack for a range.
fn measure_ranges(path: &str, jobs: NonZero<usize>) {
    let door = tamis_archive::Door::new([tamis_pack::open_bytes as tamis_archive::Opener]);
    let options = ScanOptions { jobs, ..ScanOptions::default() };
    let (mut records, mut bytes) = (0_u64, 0_u64);
    let start = Instant::now();
    let ((), work) = timed(|| {
        scan(
            &[door.source(path)],
            options,
            |part, sum: &mut (u64, u64)| {
                while let Some(mut record) = part.reader.next()? {
                    sum.0 += 1;
                    sum.1 += std::io::copy(&mut record.body, &mut std::io::sink()).unwrap_or(0);
                }
                Ok(())
            },
            |piece| {
                let (count, len) = piece.result.unwrap_or_default();
                (records, bytes) = (records + count, bytes + len);
                std::ops::ControlFlow::Continue(())
            },
        );
    });
    println!(
        "{records} records of {bytes} bytes in ranges, {jobs} threads: {:.2?}, {work:.2?} of processor time; memory at its most {} MB",
        start.elapsed(),
        peak_memory()
    );
}

fn measure_reading(path: &str, jobs: NonZero<usize>) -> Outcome<()> {
    let (opened, opening) = timed(|| Pack::open(path));
    let opened = opened?;
    let records: Vec<PackedRecord> = opened.in_pack_order()?.collect::<Result<_, _>>()?;
    let content: u64 = records.iter().map(|record| record.len).sum();
    let mut bytes = Vec::new();
    let (read, reading) = timed(|| {
        records.iter().try_for_each(|record| {
            bytes.clear();
            opened.read(record, &mut bytes)
        })
    });
    read?;
    println!(
        "  open {opening:.1?}; all records in pack order {:.0} MB/s",
        content as f64 / reading.as_secs_f64() / 1e6
    );
    if records.is_empty() {
        return Ok(());
    }
    measure_pages(&opened, &records)?;
    let (damage, checking) = timed(|| opened.check());
    println!("  check: {} damaged, {:.2?}", damage?.len(), checking);
    let restore = RestoreOptions { jobs, ..RestoreOptions::new(std::env::temp_dir()) };
    let (restored, restoring) = timed(|| opened.restore(&mut std::io::sink(), &restore));
    restored?;
    println!(
        "  restore {:.1} s, {:.0} MB/s",
        restoring.as_secs_f64(),
        content as f64 / restoring.as_secs_f64() / 1e6
    );
    Ok(())
}

/// Pages that are larger are told apart.
const PAGE_BYTES: u64 = 1 << 20;

/// Single pages of a pack whose dictionaries were read before, in an order in which no block is kept from one page of it to the next; of each page the
/// shortest of some rounds.
fn measure_pages(pack: &Pack, records: &[PackedRecord]) -> Outcome<()> {
    const ROUNDS: usize = 5;
    let numbers = far_apart(records, 10_000);
    let mut best = vec![(Duration::MAX, Duration::MAX); numbers.len()];
    let mut bytes = Vec::new();
    for _ in 0..ROUNDS {
        for (&(number, _), best) in numbers.iter().zip(&mut best) {
            bytes.clear();
            let start = Instant::now();
            let (read, work) = timed(|| -> Outcome<()> {
                let found = pack.record(number)?.ok_or("a record")?;
                Ok(pack.read(&found, &mut bytes)?)
            });
            read?;
            *best = (best.0.min(start.elapsed()), best.1.min(work));
        }
    }
    for (size, is_large) in [("up to 1 MiB", false), ("larger", true)] {
        let of = numbers.iter().zip(&best).filter(|((_, len), _)| (*len > PAGE_BYTES) == is_large);
        let (walls, works): (Vec<_>, Vec<_>) = of.map(|(_, best)| *best).unzip();
        for (clock, times) in [("wall", walls), ("processor", works)] {
            tell_times(&format!("{} pages {size}, {clock} time", times.len()), times);
        }
    }
    Ok(())
}

fn tell_times(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let Some(&most) = times.last() else { return };
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    let slow = times.iter().filter(|&&time| time > Duration::from_millis(3)).count();
    println!(
        "  {name}: median {:.2?}, 95 % {:.2?}, 99 % {:.2?}, most {most:.2?}; {slow} above 3 ms",
        at(50),
        at(95),
        at(99)
    );
}

/// Numbers and lengths of at most so many records, at equal distances, in an order that goes in large steps over the pack.
fn far_apart(records: &[PackedRecord], most: usize) -> Vec<(u64, u64)> {
    const PARTS: usize = 128;
    // Neighbours are 47 and 81 steps apart.
    const STEP: usize = 49;
    let chosen: Vec<_> = records.iter().step_by(records.len().div_ceil(most).max(1)).collect();
    let part_len = chosen.len().div_ceil(PARTS);
    let places = (0..part_len).flat_map(|at| (0..PARTS).map(move |part| part * STEP % PARTS * part_len + at));
    places.filter_map(|place| chosen.get(place)).map(|record| (record.number, record.len)).collect()
}

/// What a call gives, and the processor time of all threads that it takes.
fn timed<T>(call: impl FnOnce() -> T) -> (T, Duration) {
    let now = || {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let start = now();
    let result = call();
    (result, now().saturating_sub(start))
}

fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1000
}
