//! `truncations FOLDER [PLACES]`: reads every page below a folder whole and cut at so many places (100), and tells where a cut page
//! took longest for its whole one. Places are the same in each run.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tamis_page::page::{Capture, Options, read};
use tamis_page::status::Origin;

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().expect("usage: truncations FOLDER [PLACES]");
    let places: u64 = args.next().map_or(100, |places| places.parse().expect("a number of places"));
    let mut seed = 1_u64;
    let (mut pages, mut cuts, mut slow) = (0_u32, 0_u32, Vec::new());
    for path in below(Path::new(&folder)) {
        let bytes = fs::read(&path).expect("it reads");
        pages += 1;
        let whole = (0..3).map(|_| time(&bytes)).min().unwrap_or_default();
        for _ in 0..places {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let end = (seed >> 16) as usize % (bytes.len() + 1);
            cuts += 1;
            let cut = time(&bytes[..end]);
            // What is quick is the clock's noise; what is slow once is the machine's.
            if cut > 2 * whole + Duration::from_micros(200) {
                let again = (0..5).map(|_| time(&bytes[..end])).min().unwrap_or_default();
                if again > 2 * whole {
                    slow.push((again.as_secs_f64() / whole.as_secs_f64(), end, path.clone()));
                }
            }
        }
    }
    slow.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{pages} pages, {cuts} cuts, {} slower than twice the whole page", slow.len());
    for (ratio, end, path) in slow.iter().take(10) {
        println!("{ratio:.1} x: {} cut at {end}", path.display());
    }
}

fn time(bytes: &[u8]) -> Duration {
    let capture = Capture {
        bytes,
        content_type: None,
        http_status: None,
        url: None,
        fetched: None,
        origin: Origin::Archived,
    };
    let start = Instant::now();
    let page = read(&capture, Options::default());
    std::hint::black_box(&page);
    start.elapsed()
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages.extend(below(&path));
        } else if path.extension().is_some_and(|end| end == "html") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}
