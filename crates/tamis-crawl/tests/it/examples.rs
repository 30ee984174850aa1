//! The example that people learn from: run, against a simulated web.

#[path = "../../examples/crawl_with_scope.rs"]
#[expect(dead_code, reason = "its `main` is for `cargo run --example`")]
mod crawl_with_scope;

use std::sync::Arc;

use tamis_crawl::crawl::CrawlOptions;
use tamis_crawl::fetch::{FetchOptions, Hosts};
use tamis_crawl::workbench::Politeness;
use tamis_sim::World;

use crate::crawl::start;

#[test]
fn the_example_stays_on_the_host_of_its_seed() {
    let web = start(World::plain(5, 4, 200));
    let seed = web.world().seeds(1).remove(0);
    let fetch = FetchOptions {
        allow_private: true,
        ..FetchOptions::new("example-crawler/1.0 (+mailto:me@example.org)")
    };
    let hosts = Hosts::parse(&web.hosts_file()).expect("a table");
    let quick = Politeness::Fixed { delay_ms: 0 };
    let options = CrawlOptions {
        host_politeness: quick,
        ip_politeness: quick,
        ..CrawlOptions::new("example-crawler", fetch, Arc::new(hosts))
    };
    let folder = tempfile::tempdir().expect("a folder");
    let figures = crawl_with_scope::crawl(folder.path(), &seed, options).expect("it crawls");
    assert!(figures.sums.pages > 5, "{} pages", figures.sums.pages);
    let asked = web.asked().pages;
    assert!(asked.len() > 5 && asked.iter().all(|url| url.starts_with(&seed)), "{asked:?}");
}
