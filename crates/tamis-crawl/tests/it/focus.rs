//! Crawls for an event over the simulated web: what they bring, that they stay polite, and how they go on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use tamis_collection::relevance::{self, Judged, write_ranked};
use tamis_crawl::Address;
use tamis_crawl::crawl::{Crawl, CrawlOptions, Folders, Snapshot, page_texts};
use tamis_crawl::focus::{Capitalized, Ending, FocusOptions, LearnOptions, Model, PageText, Strategy};
use tamis_sim::{AuditRules, Running, World, WorldOptions};

use crate::crawl::{archived, options, start};

const EVENT: u8 = 2;

fn web() -> Running {
    start(World::new(WorldOptions::eventful(11, 40, 12_000)))
}

fn focus(web: &Running) -> FocusOptions {
    let read = |url: &String| {
        let body = web.world().answer(url).expect("of this world").body;
        PageText::read(&body, Some("text/html; charset=utf-8"), url)
    };
    let pages: Vec<PageText> = web.world().event_articles(EVENT, 6).iter().map(read).collect();
    FocusOptions::new(Model::learn(&pages, &Capitalized, LearnOptions::default()))
}

fn crawl_options(web: &Running, max_pages: u64) -> CrawlOptions {
    let seeds = web.world().event_articles(EVENT, 3);
    let seeds = seeds.iter().map(|seed| Address::parse(seed).expect("a seed")).collect();
    CrawlOptions { seeds, max_pages, ..options(web, 0, 20) }
}

fn crawl(folder: &Path, options: &CrawlOptions, focus: &FocusOptions) -> Snapshot {
    let crawl = Crawl::open_focused(&Folders::of(folder), options, focus, None).expect("opens");
    let progress = crawl.progress();
    crawl.run().expect("crawls");
    progress.snapshot()
}

fn lines(folder: &Path) -> Vec<Judged> {
    let mut lines = Vec::new();
    relevance::read(&Folders::of(folder).relevance(), |judged| lines.push(judged)).expect("sound");
    lines
}

#[test]
fn a_focused_crawl_brings_more_and_is_as_polite() {
    let mut harvests = BTreeMap::new();
    for strategy in Strategy::ALL {
        let web = web();
        let folder = tempfile::tempdir().expect("a folder");
        let focus = FocusOptions { strategy, ..focus(&web) };
        let snapshot = crawl(folder.path(), &crawl_options(&web, 150), &focus);
        let harvest = snapshot.harvest.expect("it is for an event");
        let lines = lines(folder.path());
        assert_eq!(lines.len() as u64, harvest.pages);
        assert_eq!(lines.iter().filter(|judged| judged.scores.relevant).count() as u64, harvest.relevant);
        let right = lines
            .iter()
            .filter(|judged| judged.scores.relevant == (web.world().event(&judged.url) == Some(EVENT)));
        assert!(right.count() * 10 >= lines.len() * 9, "one in ten is misjudged with {strategy}");
        let mut ranked = Vec::new();
        write_ranked(&Folders::of(folder.path()).relevance(), &mut ranked).expect("sound");
        let ranked = String::from_utf8(ranked).expect("text");
        assert!(ranked.starts_with("0 : ") && ranked.lines().count() as u64 == harvest.relevant, "{ranked}");
        harvests.insert(strategy.name(), harvest.ratio());
        let audit = web.audit(&AuditRules { host_delay_ms: 20, ip_delay_ms: 10, ..AuditRules::default() });
        assert_eq!(audit.faults.count(), 0, "{:?}", audit.faults);
    }
    assert!(harvests["focused"] > 1.3 * harvests["breadth-first"], "{harvests:?}");
}

#[test]
fn a_focused_crawl_goes_on_where_it_was() {
    let web = web();
    let folder = tempfile::tempdir().expect("a folder");
    let focus = focus(&web);
    crawl(folder.path(), &crawl_options(&web, 60), &focus);
    // As a kill may leave it: the journal without its last batch, the log of relevance with half a line more.
    let journal = folder.path().join("frontier/done");
    let len = std::fs::metadata(&journal).expect("there").len();
    OpenOptions::new().write(true).open(&journal).expect("opens").set_len(len - 150).expect("cuts");
    let log = Folders::of(folder.path()).relevance();
    OpenOptions::new().append(true).open(&log).expect("opens").write_all(b"{\"id\":12,\"ti").expect("writes");
    let snapshot = crawl(folder.path(), &crawl_options(&web, 40), &focus);
    let urls = archived(folder.path());
    let distinct: BTreeSet<&String> = urls.iter().collect();
    assert_eq!(distinct.len(), urls.len(), "nothing is fetched twice");
    let last: BTreeMap<Option<u64>, Judged> =
        lines(folder.path()).into_iter().map(|judged| (judged.id, judged)).collect();
    let harvest = snapshot.harvest.expect("it is for an event");
    assert_eq!(harvest.pages, last.len() as u64);
    assert_eq!(harvest.relevant, last.values().filter(|judged| judged.scores.relevant).count() as u64);
    assert!(harvest.pages >= 95, "{harvest:?}");
    let seeds = crawl_options(&web, 0).seeds;
    let texts = page_texts(&Folders::of(folder.path()), &seeds).expect("sound");
    let read: Vec<&str> = texts.iter().map(|page| &*page.url).collect();
    assert_eq!(
        read,
        seeds.iter().map(Address::as_str).collect::<Vec<_>>(),
        "model pages are read from the archive"
    );
    assert!(texts.iter().all(|page| focus.model.score(page).total > focus.model.threshold));
}

#[test]
fn a_poor_harvest_ends_a_crawl_and_so_does_the_end_of_hope() {
    let web = web();
    let poor = FocusOptions {
        strategy: Strategy::BreadthFirst,
        harvest_floor: 0.9,
        harvest_window: 30,
        ..focus(&web)
    };
    let folder = tempfile::tempdir().expect("a folder");
    let snapshot = crawl(folder.path(), &crawl_options(&web, 2_000), &poor);
    let harvest = snapshot.harvest.expect("it is for an event");
    assert_eq!(harvest.ended, Some(Ending::HarvestFloor));
    assert!(harvest.pages < 1_000, "{harvest:?}");
    let strict = FocusOptions { least_hope: 0.97, ..focus(&web) };
    let folder = tempfile::tempdir().expect("a folder");
    let snapshot = crawl(folder.path(), &crawl_options(&web, 2_000), &strict);
    let harvest = snapshot.harvest.expect("it is for an event");
    assert_eq!(harvest.ended, Some(Ending::NothingPromising), "{harvest:?}");
}
