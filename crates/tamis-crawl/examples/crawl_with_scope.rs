//! Crawl with a scope of your own: which URLs, how deep, how many.
//!
//!     cargo run -p tamis-crawl --example crawl_with_scope -- FOLDER https://example.org/ mailto:me@example.org

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use tamis_crawl::Address;
use tamis_crawl::crawl::{Crawl, CrawlOptions, Folders, Snapshot};
use tamis_crawl::fetch::{DnsOptions, FetchOptions, SystemResolver};

/// Read like a file of `tamis crawl --rules`.
const SCOPE: &str = "\
scope host
exclude regex:\\.(zip|iso|pdf)$
max-depth 3
max-pages-per-host 1000
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &'static str| arguments.next().ok_or(what);
    let (folder, seed, contact) = (next("a folder")?, next("a seed")?, next("a contact")?);
    // Sites see the name and the contact, and robots.txt addresses the name.
    let fetch = FetchOptions::new(format!("example-crawler/1.0 (+{contact})"));
    let resolver =
        SystemResolver::new(DnsOptions::default()).map_err(|failure| format!("DNS: {failure:?}"))?;
    let options =
        CrawlOptions { max_pages: 100, ..CrawlOptions::new("example-crawler", fetch, Arc::new(resolver)) };
    let figures = crawl(Path::new(&folder), &seed, options)?;
    println!("{} pages", figures.sums.pages);
    Ok(())
}

/// Crawls until nothing is left in the scope. Run again after a kill, it goes on: what was archived is not fetched again.
pub(crate) fn crawl(folder: &Path, seed: &str, options: CrawlOptions) -> Result<Snapshot, Box<dyn Error>> {
    let seeds = vec![Address::parse(seed).ok_or("the seed is no URL that can be crawled")?];
    let options = CrawlOptions { seeds, scope: SCOPE.parse()?, ..options };
    let crawl = Crawl::open(&Folders::of(folder), &options, None)?;
    let progress = crawl.progress();
    // Archives are in FOLDER/archive, the state of the crawl is in FOLDER/frontier.
    crawl.run()?;
    Ok(progress.snapshot())
}
