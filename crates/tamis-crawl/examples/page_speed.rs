//! What it costs to read a page: `cargo run --release -p tamis-crawl --example page_speed -- FOLDER…`.
//!
//! CPU time, the least of some rounds for each page; pages of 5 to 20 KB apart. Links are held against those that
//! `tamis_text::links` finds.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tamis_crawl::Address;
use tamis_crawl::page::{Exchange, Kind, Options, PageReader};
use tamis_text::links;

#[derive(Default)]
struct Sum {
    pages: usize,
    bytes: usize,
    links: usize,
    times: [Duration; STEPS],
}

const STEPS: usize = 5;
const NAMES: [&str; STEPS] = ["decode", "parse", "parse + tamis_text::links", "read", "read, all options"];

fn main() {
    let mut files = Vec::new();
    std::env::args().skip(1).for_each(|folder| gather(Path::new(&folder), &mut files));
    files.sort();
    let (mut all, mut middle) = (Sum::default(), Sum::default());
    let (mut same, mut pages) = (0, 0);
    for file in &files {
        let Ok(body) = std::fs::read(file) else { continue };
        let (links, times) = measure(&body);
        let is_middle = (5_000..20_000).contains(&body.len());
        all.add(&body, links, times);
        if is_middle {
            middle.add(&body, links, times);
        }
        pages += 1;
        match difference(&body) {
            difference if difference.is_empty() => same += 1,
            difference => println!("{}: {difference:?}", file.display()),
        }
    }
    println!("links as tamis_text::links finds them: {same} of {pages} pages");
    all.print("all pages");
    middle.print("pages of 5 to 20 KB");
}

fn measure(body: &[u8]) -> (usize, [Duration; STEPS]) {
    let decoded = tamis_text::charset::decode(body, None).text;
    let url = url::Url::parse("http://site.example/dir/page.html").ok();
    let mut plain = PageReader::new(Options::default());
    let mut every = PageReader::new(Options { requisites: true, anchors: true, ..Options::default() });
    let times = [
        fastest(|| tamis_text::charset::decode(body, None).text.len()),
        fastest(|| tamis_text::html::parse(&decoded).nodes().len()),
        fastest(|| links::read(&tamis_text::html::parse(&decoded), url.as_ref()).len()),
        fastest(|| read(&mut plain, body).len()),
        fastest(|| read(&mut every, body).len()),
    ];
    (read(&mut plain, body).len(), times)
}

fn read(reader: &mut PageReader, body: &[u8]) -> Vec<tamis_crawl::page::Link> {
    let Some(address) = Address::parse("http://site.example/dir/page.html") else { return Vec::new() };
    let field = |name: &str| (name == "content-type").then_some("text/html");
    reader.read(&Exchange { address: &address, status: 200, field, body }).links
}

/// Addresses of links to follow that only one of the two finds.
fn difference(body: &[u8]) -> Vec<String> {
    let text = tamis_text::charset::decode_hinted(
        body,
        tamis_text::charset::Hints { http_charset: None, tld: Some("example") },
    )
    .text;
    let url = url::Url::parse("http://site.example/dir/page.html").ok();
    let theirs = links::read(&tamis_text::html::parse(&text), url.as_ref());
    let wanted = [links::Kind::Anchor, links::Kind::Frame, links::Kind::Refresh];
    let theirs = theirs
        .iter()
        .filter(|link| wanted.contains(&link.kind()))
        .filter_map(|link| Address::parse(link.url()));
    let theirs: BTreeSet<String> = theirs.map(|address| address.to_string()).collect();
    let mut reader =
        PageReader::new(Options { most_links: usize::MAX, most_bytes: usize::MAX, ..Options::default() });
    let ours = read(&mut reader, body).into_iter();
    let related = [Kind::Canonical, Kind::Series, Kind::Alternate, Kind::Sitemap];
    let (related, ours): (Vec<_>, Vec<_>) = ours.partition(|link| related.contains(&link.kind));
    let related: BTreeSet<String> = related.iter().map(|link| link.address.to_string()).collect();
    let ours: BTreeSet<String> = ours.iter().map(|link| link.address.to_string()).collect();
    ours.symmetric_difference(&theirs)
        .filter(|address| !related.contains(*address))
        .take(5)
        .cloned()
        .collect()
}

impl Sum {
    fn add(&mut self, body: &[u8], links: usize, times: [Duration; STEPS]) {
        self.pages += 1;
        self.bytes += body.len();
        self.links += links;
        self.times.iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
    }

    fn print(&self, name: &str) {
        let pages = self.pages.max(1);
        println!("{name}: {pages}, {} bytes and {} links each", self.bytes / pages, self.links / pages);
        for (name, time) in NAMES.iter().zip(self.times) {
            let speed = self.bytes as f64 / time.as_secs_f64() / 1e6;
            println!("  {name:<26} {:>8.1} µs  {speed:>6.0} MB/s", time.as_secs_f64() * 1e6 / pages as f64);
        }
    }
}

fn fastest<T>(mut work: impl FnMut() -> T) -> Duration {
    let round = |_| {
        let start = clock_gettime(ClockId::ThreadCPUTime);
        black_box(work());
        let end = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(end.tv_sec as u64, end.tv_nsec as u32)
            .saturating_sub(Duration::new(start.tv_sec as u64, start.tv_nsec as u32))
    };
    (0..5).map(round).min().unwrap_or_default()
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
