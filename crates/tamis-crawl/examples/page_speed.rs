//! What it costs to read a page: `cargo run --release -p tamis-crawl --example page_speed -- FOLDER…`.
//!
//! CPU time, the minimum of five rounds for each page; pages of 5 to 20 KB are also reported apart.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tamis_archive::http::HttpHead;
use tamis_crawl::Address;
use tamis_crawl::page::{Exchange, Options, PageReader};
use tamis_page::links;

#[derive(Default)]
struct Sum {
    pages: usize,
    bytes: usize,
    links: usize,
    times: [Duration; STEPS],
}

const STEPS: usize = 7;
const NAMES: [&str; STEPS] = [
    "decode",
    "parse",
    "parse + tamis_page::links",
    "read",
    "read, requisites",
    "read, link texts",
    "read, focused crawl",
];

fn main() {
    let mut files = Vec::new();
    std::env::args().skip(1).for_each(|folder| gather(Path::new(&folder), &mut files));
    files.sort();
    let (mut all, mut middle) = (Sum::default(), Sum::default());
    for file in &files {
        let Ok(body) = std::fs::read(file) else { continue };
        let (links, times) = measure(&body);
        let is_middle = (5_000..20_000).contains(&body.len());
        all.add(&body, links, times);
        if is_middle {
            middle.add(&body, links, times);
        }
    }
    all.print("all pages");
    middle.print("pages of 5 to 20 KB");
}

fn measure(body: &[u8]) -> (usize, [Duration; STEPS]) {
    let decoded = tamis_page::charset::decode(body, None).text;
    let url = url::Url::parse("http://site.example/dir/page.html").ok();
    let mut plain = PageReader::new(Options::default());
    let usual = Options::default();
    let mut requisites = PageReader::new(Options { requisites: true, ..usual });
    let mut texts = PageReader::new(Options { link_texts: true, ..usual });
    let mut focused = PageReader::new(Options { link_texts: true, page_text: true, ..usual });
    let times = [
        fastest(|| tamis_page::charset::decode(body, None).text.len()),
        fastest(|| tamis_page::html::parse(&decoded).nodes().len()),
        fastest(|| links::read(&tamis_page::html::parse(&decoded), url.as_ref()).len()),
        fastest(|| read(&mut plain, body).len()),
        fastest(|| read(&mut requisites, body).len()),
        fastest(|| read(&mut texts, body).len()),
        fastest(|| read(&mut focused, body).len()),
    ];
    (read(&mut plain, body).len(), times)
}

fn read(reader: &mut PageReader, body: &[u8]) -> Vec<tamis_crawl::page::Link> {
    let Some(address) = Address::parse("http://site.example/dir/page.html") else { return Vec::new() };
    let head = HttpHead::response(200, &[("content-type", "text/html")]);
    let body = reader.decode(&head, body, 0);
    reader.read(&Exchange { address: &address, head: &head, body: &body }).links
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
