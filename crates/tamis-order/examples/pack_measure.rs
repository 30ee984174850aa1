//! Packs an archive and measures it: `cargo run --release -p tamis-order --example pack_measure -- ARCHIVE PACK PROFILE`; or measures the reading of
//! a pack that is there: `-- read PACK`.
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
use tamis_archive::{Mode, Reader, Record};
use tamis_order::order::{Page, PathSettings, Space, SurtOrder, path};
use tamis_order::pack::{Pack, PackOptions, PackedRecord, Profile, RestoreOptions, Survey, pack};
use tamis_order::sketch::MinHash;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [command, path] = &words[..]
        && command == "read"
    {
        return measure_reading(path, NonZero::<usize>::MIN);
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

/// Pages at random, of a pack whose dictionaries were read before.
fn measure_pages(pack: &Pack, records: &[PackedRecord]) -> Outcome<()> {
    const PAGES: usize = 2000;
    let (mut walls, mut works, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 1_usize;
    for _ in 0..PAGES {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = records[(at >> 20) % records.len()].number;
        bytes.clear();
        let start = Instant::now();
        let (read, work) = timed(|| -> Outcome<()> {
            let found = pack.record(number)?.ok_or("a record")?;
            Ok(pack.read(&found, &mut bytes)?)
        });
        walls.push(start.elapsed());
        read?;
        works.push(work);
    }
    for (name, times) in [("wall", &mut walls), ("processor", &mut works)] {
        times.sort();
        let slow = times.iter().filter(|&&time| time > Duration::from_millis(3)).count();
        println!(
            "  a page at random, {name} time: median {:.2?}, 95 % {:.2?}, most {:.2?}; {:.1} % above 3 ms",
            times[PAGES / 2],
            times[PAGES * 95 / 100],
            times[PAGES - 1],
            slow as f64 * 100.0 / PAGES as f64
        );
    }
    Ok(())
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
