//! Series of pages that are alike, with the default settings: what ends is found, what does not end is left.

use std::collections::{BTreeMap, BTreeSet};

use tamis_crawl::crawl::{Crawl, CrawlOptions, Folders, Left, NearPolicy, Snapshot, left};
use tamis_crawl::scope::ScopeOptions;
use tamis_sim::{OracleRules, Special, World, WorldOptions, oracle};

use super::crawl::{archived, options, start};

fn defaults(web: &tamis_sim::Running) -> CrawlOptions {
    let options = options(web, 1, 0);
    let scope = ScopeOptions { reach: options.scope.reach, ..ScopeOptions::default() };
    CrawlOptions { scope, near_duplicates: NearPolicy::default(), ..options }
}

fn crawl(folder: &std::path::Path, options: &CrawlOptions) -> Snapshot {
    let crawl = Crawl::open(&Folders::of(folder), options, None).expect("opens");
    let progress = crawl.progress();
    crawl.run().expect("crawls");
    progress.snapshot()
}

fn pages(folder: &std::path::Path) -> BTreeSet<String> {
    archived(folder).into_iter().filter(|url| !url.ends_with("/robots.txt")).collect()
}

/// How many pages of a kind are fetched at most, by the beginning of the path.
const MOST: [(&str, usize); 7] = [
    ("/maze/", 5_600),
    ("/results?", 900),
    ("/labyrinth/", 900),
    ("/calendar?", 900),
    ("/deep/", 12),
    ("/shop?", 12),
    ("/onward", 0),
];

fn kind(url: &str) -> &'static str {
    let path =
        url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).unwrap_or("/");
    MOST.iter().map(|(kind, _)| *kind).find(|kind| path.starts_with(kind)).unwrap_or("page")
}

/// A small world that has every kind of series and of endless space.
fn world_of_all() -> World {
    let wanted = [Special::Calendar, Special::Sessions, Special::EndlessPath];
    let has_all = |world: &World| {
        let pages = oracle(world, world.seeds(1), &OracleRules::default()).pages;
        let found: BTreeSet<_> =
            pages.iter().filter_map(|url| world.special_of(url)).map(|kind| format!("{kind:?}")).collect();
        Special::SERIES.iter().chain(&wanted).all(|kind| found.contains(&format!("{kind:?}")))
    };
    (0..500).map(|seed| World::series(seed, 1, 60)).find(has_all).expect("one of them has all")
}

#[test]
fn what_ends_is_found_and_what_does_not_is_left() {
    let web = start(world_of_all());
    let expected = oracle(web.world(), web.world().seeds(1), &OracleRules::default()).pages;
    for (path, least) in [("/register/", 400), ("/catalogue/", 500), ("/gallery/", 260), ("/agenda/", 700)] {
        let count = expected.iter().filter(|url| url.contains(path)).count();
        assert!(count >= least, "the world has {count} pages of {path}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let snapshot = crawl(folder.path(), &defaults(&web));
    let found = pages(folder.path());
    let missed: Vec<_> = expected.difference(&found).collect();
    assert!(
        missed.is_empty(),
        "missed {} of {}, such as {:?}: {snapshot:?}",
        missed.len(),
        expected.len(),
        &missed[..5.min(missed.len())]
    );
    let mut counts = BTreeMap::<&str, usize>::new();
    found.difference(&expected).for_each(|url| *counts.entry(kind(url)).or_default() += 1);
    for (kind, most) in MOST {
        let count = counts.remove(kind).unwrap_or(0);
        assert!(count <= most, "{count} pages of {kind}");
    }
    assert_eq!(counts.remove("page"), None, "{counts:?}");
    let mut left_out = BTreeMap::<String, u64>::new();
    left::<Box<tamis_crawl::Error>>(&Folders::of(folder.path()), Left::Refused, |url| {
        *left_out.entry(url.kind).or_default() += 1;
        Ok(())
    })
    .expect("reads");
    assert_eq!(left_out, snapshot.left_out, "what is counted is listed");
    assert!(left_out["trap-stale"] > 100, "{left_out:?}");
    // A restart remembers which patterns are closed.
    let again = crawl(folder.path(), &defaults(&web));
    assert_eq!(again.sums.pages, snapshot.sums.pages);
}

#[test]
fn links_of_near_duplicates_are_left_out_only_when_asked() {
    let specials = vec![(Special::Register, 0.05)];
    let web = start(World::new(WorldOptions { specials, ..WorldOptions::series(5, 1, 40) }));
    let expected = oracle(web.world(), web.world().seeds(1), &OracleRules::default()).pages;
    let folder = tempfile::tempdir().expect("a folder");
    let skipping =
        crawl(folder.path(), &CrawlOptions { near_duplicates: NearPolicy::Skip, ..defaults(&web) });
    assert!(pages(folder.path()).len() * 2 < expected.len());
    assert!(skipping.refused["near-duplicate"] > 0, "{skipping:?}");
    crawl(folder.path(), &defaults(&web));
    assert_eq!(pages(folder.path()), expected, "what was left out is found in the archives");
}
