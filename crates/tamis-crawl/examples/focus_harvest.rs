//! How much of a crawl is relevant: focused crawls against best-first and breadth-first ones, over simulated webs with planted events.
//!
//!     cargo run -p tamis-crawl --example focus_harvest -- FOLDER [SEEDS] [PAGES]
//!
//! Drives the sieve, the workbench and the judge of a crawl in one thread and in simulated time: a page takes 50 ms, a host is left alone
//! for a second. Harvest and recall go by what was planted, not by what the judge thinks. Writes `focus.md` and `focus.svg` to FOLDER.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use tamis_archive::http::HttpHead;
use tamis_crawl::Address;
use tamis_crawl::focus::{FocusOptions, Judge, LearnOptions, Model, PageText, Sources, Strategy, Tagged};
use tamis_crawl::page::{Exchange, Options, PageReader};
use tamis_crawl::sieve::{self, Note, Sieve, SieveKind, SieveOptions, UrlId, UrlLogReader};
use tamis_crawl::workbench::{Backoff, Config, Entry, Outcome, Politeness, Take, Workbench};
use tamis_sim::{World, WorldOptions};

const HOSTS: u32 = 400;
const WORLD_PAGES: u32 = 400_000;
const MODEL_PAGES: usize = 8;
const PAGE_MS: u64 = 50;
const REFRESH: usize = 256;
const POINTS: [usize; 2] = [1_000, 5_000];
/// 97.5 % of Student's t for 1, 2, … degrees of freedom.
const T: [f64; 20] = [
    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11,
    2.10, 2.09, 2.09,
];

/// What one crawl brought.
struct Course {
    /// Of each page in the order of the crawl, whether it is about the event.
    relevant: Vec<bool>,
    /// Pages about the event in the whole web.
    targets: u64,
    /// Pages that the judge and the plan disagree about.
    misjudged: usize,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".to_owned());
    let seeds: u64 = arguments.next().and_then(|seeds| seeds.parse().ok()).unwrap_or(10);
    let pages: usize = arguments.next().and_then(|pages| pages.parse().ok()).unwrap_or(5_000);
    let began = Instant::now();
    let courses = Mutex::new(Vec::new());
    let next = Mutex::new(0..seeds);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(seed) = next.lock().expect("nobody panics").next() else { break };
                    let found = compare(seed, pages);
                    eprintln!("seed {seed}: {} s", began.elapsed().as_secs());
                    courses.lock().expect("nobody panics").push((seed, found));
                }
            });
        }
    });
    let mut courses = courses.into_inner().expect("nobody panics");
    courses.sort_by_key(|(seed, _)| *seed);
    let by_strategy: Vec<Vec<&Course>> =
        (0..3).map(|at| courses.iter().map(|(_, found)| &found[at]).collect()).collect();
    let report = report(&by_strategy, pages);
    print!("{report}");
    let folder = Path::new(&folder);
    std::fs::write(folder.join("focus.md"), report).expect("writes");
    std::fs::write(folder.join("focus.svg"), chart(&by_strategy, pages)).expect("writes");
}

/// One web, one event, three crawls.
fn compare(seed: u64, pages: usize) -> Vec<Course> {
    let world = World::new(WorldOptions::eventful(seed, HOSTS, WORLD_PAGES));
    let event = (seed % 6) as u8;
    let seeds = world.event_articles(event, MODEL_PAGES);
    let texts: Vec<PageText> = seeds.iter().map(|url| text(&world, url)).collect();
    let model = Model::learn(&texts, &Tagged::default(), LearnOptions::default());
    let targets = world.count_event_articles(event);
    let crawl = |strategy| {
        let options = FocusOptions { strategy, ..FocusOptions::new(model.clone()) };
        let mut crawl = Simulated::new(&world, event, &options);
        for seed in &seeds {
            crawl.offer(seed, 1.0);
        }
        let (relevant, misjudged) = crawl.run(pages);
        Course { relevant, targets, misjudged }
    };
    Strategy::ALL.map(crawl).into()
}

fn text(world: &World, url: &str) -> PageText {
    let body = world.answer(url).expect("of this world").body;
    PageText::read(&body, Some("text/html; charset=utf-8"), url)
}

/// A crawl without network: the parts of the real one, in simulated time.
struct Simulated<'w> {
    world: &'w World,
    event: u8,
    strategy: Strategy,
    judge: Judge,
    power: f32,
    sources: Sources,
    reader: PageReader,
    sieve: Box<dyn Sieve>,
    log: UrlLogReader,
    position: UrlId,
    bench: Workbench,
    _folder: tempfile::TempDir,
}

impl<'w> Simulated<'w> {
    fn new(world: &'w World, event: u8, options: &FocusOptions) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let sieve = sieve::open(SieveKind::Memory, &folder.path().join("sieve"), SieveOptions::default())
            .expect("opens");
        let config = Config {
            order: options.strategy.order(),
            host: Politeness::Fixed { delay_ms: 1_000 },
            ip: Politeness::Fixed { delay_ms: 100 },
            backoff: Backoff::default(),
            head_entries: 512,
            memory_bytes: 32 << 20,
            least: options.least(),
        };
        let bench = Workbench::create(&folder.path().join("queues"), config).expect("a file");
        Self {
            world,
            event,
            strategy: options.strategy,
            judge: Judge::new(options),
            power: options.sources() as f32,
            sources: Sources::default(),
            reader: PageReader::new(Options { link_texts: true, page_text: true, ..Options::default() }),
            log: sieve.log(),
            position: UrlId::FIRST,
            sieve,
            bench,
            _folder: folder,
        }
    }

    fn offer(&mut self, url: &str, score: f32) {
        self.sieve.offer(url, Note { score, ..Note::default() }).expect("a disk");
    }

    /// Crawls so many pages: of each, whether it is about the event; and how many were judged wrongly.
    fn run(mut self, pages: usize) -> (Vec<bool>, usize) {
        let (mut now_ms, mut relevant, mut misjudged) = (1_000, Vec::new(), 0);
        while relevant.len() < pages {
            self.queue();
            while let Some(host) = self.bench.unresolved(now_ms) {
                let address = self.world.address(self.bench.name(host)).expect("of this world");
                self.bench.resolved(host, address.into(), now_ms);
            }
            match self.bench.take(now_ms) {
                Take::Visit(visit) => {
                    let entry = self.bench.next(visit.host()).expect("a file");
                    let end = Outcome {
                        began_ms: now_ms,
                        ended_ms: now_ms + PAGE_MS,
                        pages: 1,
                        ..Outcome::default()
                    };
                    self.bench.put_back(visit, &end);
                    if let Some(entry) = entry {
                        let (is_relevant, is_judged_so) = self.fetch(entry, relevant.len());
                        relevant.push(is_relevant);
                        misjudged += usize::from(is_relevant != is_judged_so);
                    }
                    now_ms += PAGE_MS;
                }
                Take::Wait { until_ms } => now_ms = until_ms,
                Take::Busy | Take::Idle => break,
            }
        }
        (relevant, misjudged)
    }

    /// Takes what is new from the log to the queues.
    fn queue(&mut self) {
        self.sieve.flush().expect("a disk");
        let mut cursor = self.log.cursor(self.position);
        while let Some(found) = cursor.next_url().expect("sound") {
            self.position = found.next;
            let address = Address::parse(found.url).expect("an address");
            let entry = Entry { id: found.id.0, score: found.note.score };
            self.bench.add(address.host(), entry).expect("a file");
        }
    }

    /// Fetches a page and offers its links: whether it is about the event, and whether it was judged so.
    fn fetch(&mut self, entry: Entry, count: usize) -> (bool, bool) {
        let mut room = Vec::new();
        let url = self.log.read_at(UrlId(entry.id), &mut room).expect("logged").url.to_owned();
        let answer = self.world.answer(&url).expect("of this world");
        let kind = "text/html; charset=utf-8";
        let address = Address::parse(&url).expect("an address");
        let head = HttpHead::response(answer.status, &[("content-type", kind)]);
        let body = self.reader.decode(&head, &answer.body, 0);
        let exchange = Exchange { address: &address, head: &head, body: &body };
        let facts = self.reader.read(&exchange);
        let is_about = self.world.event(&url) == Some(self.event);
        if self.strategy == Strategy::BreadthFirst {
            facts.links.iter().for_each(|link| self.offer(link.address.as_str(), 0.0));
            return (is_about, is_about);
        }
        let judgement =
            self.judge.judge(facts.page_text.as_ref().unwrap_or(&PageText::default()), entry.score);
        for link in &facts.links {
            let score = self.judge.link(&judgement, link);
            self.offer(link.address.as_str(), score);
        }
        self.sources.note(address.host(), judgement.is_relevant);
        self.weigh(address.host(), count);
        (is_about, judgement.is_relevant)
    }

    fn weigh(&mut self, host: &str, count: usize) {
        if self.power <= 0.0 {
            return;
        }
        let all = if count.is_multiple_of(REFRESH) { self.bench.hosts().collect() } else { Vec::new() };
        for host in self.bench.host(host).into_iter().chain(all) {
            let worth = self.sources.worth(self.bench.name(host)).powf(self.power);
            self.bench.set_worth(host, worth);
        }
    }
}

/// A mean and half its interval of confidence of 95 %.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let t = T[values.len().saturating_sub(2).min(T.len() - 1)];
    let half = if values.len() > 1 { t * (squares / (count - 1.0) / count).sqrt() } else { 0.0 };
    (mean, half)
}

fn relevant(course: &Course, at: usize) -> f64 {
    course.relevant.iter().take(at).filter(|relevant| **relevant).count() as f64
}

/// The share of relevant pages; of a crawl that ended before, of those it fetched.
fn harvest(course: &Course, at: usize) -> f64 {
    relevant(course, at) / course.relevant.len().min(at).max(1) as f64
}

fn harvests(courses: &[&Course], at: usize) -> Vec<f64> {
    courses.iter().map(|course| harvest(course, at)).collect()
}

fn report(courses: &[Vec<&Course>], pages: usize) -> String {
    let seeds = courses[0].len();
    let mut out = format!(
        "# Focused crawls of simulated webs\n\nMade by `cargo run -p tamis-crawl --example focus_harvest`: {seeds} webs of {HOSTS} hosts and {WORLD_PAGES} pages with six\nplanted events in pairs of a kind, one event each; the model is learnt from the {MODEL_PAGES} seeds. A page takes {PAGE_MS} ms of simulated time, a host\nis left alone for a second. Harvest: the share of fetched pages that are about the event by the plan of the web (not by the\ncrawler's own judgement). Recall: the share of all pages about the event. Mean and interval of confidence (95 %, Student) over webs.\n\n"
    );
    let targets: Vec<f64> = courses[0].iter().map(|course| course.targets as f64).collect();
    let (mean_targets, _) = mean(&targets);
    let _ = writeln!(
        out,
        "On average {mean_targets:.0} of the pages ({:.1} %) are about the event.\n",
        100.0 * mean_targets / f64::from(WORLD_PAGES)
    );
    for at in POINTS.into_iter().filter(|at| *at <= pages) {
        let _ = writeln!(
            out,
            "## After {at} pages\n\n| order | harvest | recall | focused is better |\n|---|---|---|---|"
        );
        let focused = mean(&harvests(&courses[0], at)).0;
        for (strategy, courses) in Strategy::ALL.iter().zip(courses) {
            let (harvest, half) = mean(&harvests(courses, at));
            let recalls: Vec<f64> =
                courses.iter().map(|course| relevant(course, at) / course.targets as f64).collect();
            let (recall, recall_half) = mean(&recalls);
            let factor = focused / harvest;
            let _ = writeln!(
                out,
                "| {strategy} | {harvest:.3} ± {half:.3} | {recall:.3} ± {recall_half:.3} | {factor:.2} x |"
            );
        }
        out.push('\n');
    }
    let misjudged: usize = courses[0].iter().map(|course| course.misjudged).sum();
    let fetched: usize = courses[0].iter().map(|course| course.relevant.len()).sum();
    let _ = writeln!(
        out,
        "The judge of the focused crawls was wrong about {misjudged} of {fetched} pages ({:.1} %).\n\n![harvest](focus.svg)",
        100.0 * misjudged as f64 / fetched.max(1) as f64
    );
    out
}

const COLOURS: [&str; 3] = ["#0b5fa5", "#c2571a", "#6b6b6b"];
const WIDE: f64 = 640.0;
const HIGH: f64 = 360.0;

/// Harvest over pages: the means as lines, the intervals as bands.
fn chart(courses: &[Vec<&Course>], pages: usize) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-60 -30 {} {}\" font-family=\"sans-serif\" font-size=\"13\">\n<rect x=\"-60\" y=\"-30\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        WIDE + 180.0,
        HIGH + 90.0
    );
    for tick in 0..=5 {
        let (share, at) = (f64::from(tick) / 5.0, f64::from(tick) / 5.0 * pages as f64);
        let (x, y) = (share * WIDE, HIGH - share * HIGH);
        let _ = writeln!(
            svg,
            "<path d=\"M0 {y:.1}H{WIDE}\" stroke=\"#ddd\"/><text x=\"-8\" y=\"{:.1}\" text-anchor=\"end\">{share:.1}</text>",
            y + 4.0
        );
        let _ =
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{at:.0}</text>", HIGH + 20.0);
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">pages fetched</text><text x=\"-50\" y=\"-12\">harvest ratio</text>",
        WIDE / 2.0,
        HIGH + 45.0
    );
    for ((strategy, courses), colour) in Strategy::ALL.iter().zip(courses).zip(COLOURS) {
        let points: Vec<(f64, f64, f64)> = (1..=100)
            .map(|step| {
                let (value, half) = mean(&harvests(courses, (pages * step / 100).max(1)));
                (WIDE * step as f64 / 100.0, HIGH * (1.0 - value), HIGH * half)
            })
            .collect();
        let upper = points.iter().map(|(x, y, half)| format!("{x:.1},{:.1}", (y - half).max(0.0)));
        let lower = points.iter().rev().map(|(x, y, half)| format!("{x:.1},{:.1}", (y + half).min(HIGH)));
        let band: Vec<String> = upper.chain(lower).collect();
        let line: Vec<String> = points.iter().map(|(x, y, _)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(svg, "<polygon points=\"{}\" fill=\"{colour}\" opacity=\"0.15\"/>", band.join(" "));
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            line.join(" ")
        );
        let (_, y, _) = points[points.len() - 1];
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" fill=\"{colour}\">{strategy}</text>",
            WIDE + 8.0,
            y + 4.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}
