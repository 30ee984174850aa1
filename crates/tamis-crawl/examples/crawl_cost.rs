//! A whole crawl as `tamis crawl` runs it by default, without the rest of the binary:
//! `cargo run --release -p tamis-crawl --example crawl_cost -- FOLDER SEED HOSTS [OPTION VALUE]…`.
//!
//! Options: `--compress gzip:1|zstd:1|none`, `--in-flight N`, `--max-pages N`, `--ca FILE`, `--max-size BYTES`, `--parsers N`. FOLDER is the new
//! collection, HOSTS a file with the addresses of hosts. Prints the counts and the processor time of this process as one line of JSON.
//! `bench/crawl/run --library` measures it beside wget and others.

use std::collections::HashMap;
use std::error::Error;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};
use tamis_archive::write::Compression;
use tamis_collection::{Collection, ImportOptions, Kept, New, ReadyIndex};
use tamis_crawl::Address;
use tamis_crawl::crawl::{CrawlOptions, Folders, Indexed, Run};
use tamis_crawl::fetch::{FetchOptions, Hosts, Limits};
use tamis_crawl::scope::{Reach, ScopeOptions};
use tamis_crawl::workbench::Politeness;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, seed, hosts, options @ ..] = &words[..] else {
        return Err("usage: crawl_cost FOLDER SEED HOSTS [--OPTION VALUE]…".into());
    };
    let given: HashMap<&str, &str> =
        options.chunks_exact(2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
    let (folder, options) = (Path::new(folder), crawl_options(seed, hosts, &given)?);
    let created = "2026-01-01T00:00:00Z".parse()?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Collection::create(folder, &New { id: name.clone(), name, event: None, created })?;
    let writer = Collection::open(folder)?.lock("crawl_cost")?;
    let began = Instant::now();
    std::fs::create_dir_all(folder.join("frontier"))?;
    let ended = Run::open(&Folders::of(folder), &options, None, began)?.watched(|| false, |_| ())?;
    let crawled = (cpu_s(), began.elapsed().as_secs_f64());
    let import = ImportOptions { kept: Kept::Copy, jobs: NonZero::<usize>::MIN };
    for Indexed { name, index, records, captures } in ended.archives? {
        let ready = ReadyIndex { path: &index, records, captures };
        let path = folder.join("archive").join(name);
        writer.import_indexed(&path, ready, import, &mut |_| ControlFlow::Continue(()))?;
    }
    let cpu = cpu_s();
    let sums = ended.after.sums;
    let us = |s: f64| s * 1e6 / sums.pages.max(1) as f64;
    println!(
        "{{\"pages\":{},\"robots\":{},\"connections\":{},\"cpu_s\":{cpu:.3},\"us_a_page\":{:.1},\
         \"us_to_enter\":{:.1},\"wall_s\":{:.2},\"max_rss\":{}}}",
        sums.pages,
        sums.robots,
        sums.connections,
        us(cpu),
        us(cpu - crawled.0),
        crawled.1,
        most_resident_kb() * 1024,
    );
    Ok(())
}

/// The defaults of `tamis crawl --scope any --delay 0 --server-delay 0 --allow-private`.
fn crawl_options(seed: &str, hosts: &str, given: &HashMap<&str, &str>) -> Outcome<CrawlOptions> {
    let number = |name: &str, default: u64| given.get(name).map_or(Ok(default), |word| word.parse());
    let limits = Limits::default();
    let max_body_bytes = number("--max-size", limits.max_body_bytes as u64)? as usize;
    let extra_roots_pem = given.get("--ca").map(std::fs::read).transpose()?;
    let at_once = Politeness::Fixed { delay_ms: 0 };
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let fetch = FetchOptions {
        limits: Limits { max_body_bytes, ..limits },
        allow_private: true,
        extra_roots_pem,
        ..FetchOptions::new("tamis/0 (+mailto:bench@example.org)")
    };
    let resolver = Arc::new(Hosts::parse(&std::fs::read_to_string(hosts)?)?);
    Ok(CrawlOptions {
        seeds: vec![Address::parse(seed).ok_or("the seed is no URL")?],
        scope: ScopeOptions { reach: Reach::Any, ..ScopeOptions::default() },
        host_politeness: at_once,
        ip_politeness: at_once,
        in_flight: number("--in-flight", 256)? as usize,
        parsers: number("--parsers", cores.saturating_sub(1).max(1) as u64)? as usize,
        max_pages: number("--max-pages", u64::MAX)?,
        prefix: "cost".to_owned(),
        compression: compression(given.get("--compress").copied().unwrap_or("gzip:1"))?,
        ..CrawlOptions::new("tamis", fetch, resolver)
    })
}

fn compression(word: &str) -> Outcome<Compression> {
    let (method, level) = word.split_once(':').unwrap_or((word, "1"));
    Ok(match method {
        "none" => Compression::Plain,
        "gzip" => Compression::Gzip { level: level.parse()?, skip_lengths: false },
        "zstd" => Compression::Zstd { level: level.parse()?, dictionary: None },
        _ => return Err("no such compression".into()),
    })
}

/// Processor time of this process, its own and the kernel's for it, in seconds.
fn cpu_s() -> f64 {
    let spent = clock_gettime(ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

fn most_resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_ascii_whitespace().next()?.parse().ok()).unwrap_or(0)
}
