//! Pages that are fetched again: conditions, revisit records, history.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tamis_archive::RecordType;
use tamis_archive::write::{NewRecord, Writer, WriterOptions};
use tamis_collection::{Collection, ImportOptions, Kept, New};
use tamis_crawl::crawl::{AgainOptions, Changes, CrawlOptions, Folders, changes};

use super::loopback::{Asked, Seen, answer, crawl_of, records, run, serve};

const NOW: AgainOptions = AgainOptions { min_age_ms: 0, max_age_ms: 0 };
const HTML: &str = "Content-Type: text/html\r\n";

fn long(text: &str) -> String {
    format!("<p>{}</p>", text.repeat(40))
}

/// A site with a page of each kind. What the counter says is the version of the pages that change.
fn site(version: Arc<AtomicU64>) -> (String, Asked) {
    let (at, asked) = serve(move |target, head| {
        let version = version.load(Relaxed);
        let asks = |field: &str| head.to_ascii_lowercase().contains(&field.to_ascii_lowercase());
        match target {
            "/" => answer(
                "200 OK",
                HTML,
                "<a href=/tag>a</a><a href=/date>b</a><a href=/same>c</a><a href=/new>d</a>",
            ),
            "/tag" if asks("If-None-Match: \"one\"\r\n") => {
                answer("304 Not Modified", "ETag: \"one\"\r\n", "")
            }
            "/tag" => answer("200 OK", "Content-Type: text/html\r\nETag: \"one\"\r\n", &long("tagged ")),
            "/date" if asks("If-Modified-Since: Mon, 01 Jan 2024 00:00:00 GMT\r\n") => {
                answer("304 Not Modified", "", "")
            }
            "/date" => {
                let fields = "Content-Type: text/html\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n";
                answer("200 OK", fields, &long("dated "))
            }
            "/same" => answer("200 OK", HTML, &long("the same ")),
            "/new" => {
                let news = if version == 1 { "first" } else { "second" };
                answer("200 OK", HTML, &format!("<a href=/found{version}>{news}</a>{}", long("alike ")))
            }
            _ => answer("200 OK", HTML, &long(target)),
        }
    });
    (format!("http://{at}/"), asked)
}

fn history(folder: &Path) -> BTreeMap<String, Changes> {
    let mut found = BTreeMap::new();
    changes::<Box<tamis_crawl::Error>>(&Folders::of(folder), |page| {
        found.insert(page.url, page.changes);
        Ok(())
    })
    .expect("reads");
    found
}

fn of<'s>(records: &'s [Seen], kind: RecordType, url: &str) -> Vec<&'s Seen> {
    records.iter().filter(|seen| seen.kind == kind && seen.url == url).collect()
}

#[test]
fn what_has_not_changed_becomes_a_revisit_and_what_is_new_is_followed() {
    let version = Arc::new(AtomicU64::new(1));
    let (seed, asked) = site(Arc::clone(&version));
    let folder = tempfile::tempdir().expect("a folder");
    let plain = crawl_of(&seed);
    run(folder.path(), &plain);
    let count = |asked: &Asked| asked.lock().expect("no panic").len();
    assert_eq!(count(&asked), 6);
    run(folder.path(), &plain);
    assert_eq!(count(&asked), 6, "nothing is fetched again unless asked for");
    let again = CrawlOptions { again: Some(NOW), ..plain };
    version.store(2, Relaxed);
    let snapshot = run(folder.path(), &again);
    // The six pages, and the link that is new in one of them although its text is nearly the same.
    assert_eq!(count(&asked), 13);
    assert_eq!(snapshot.sums.revisits, 5, "{snapshot:?}");
    let all = records(folder.path());
    for (path, profile) in [
        ("tag", "server-not-modified"),
        ("date", "server-not-modified"),
        ("same", "identical-payload-digest"),
    ] {
        let url = format!("{seed}{path}");
        let (original, revisit) = (of(&all, RecordType::Response, &url), of(&all, RecordType::Revisit, &url));
        assert_eq!((original.len(), revisit.len()), (1, 1), "{path}");
        let (original, revisit) = (original[0], revisit[0]);
        let field = |name: &str| revisit.field(name);
        let said = format!("http://netpreserve.org/warc/1.1/revisit/{profile}");
        assert_eq!(field("WARC-Profile"), Some(&*said));
        assert_eq!(field("WARC-Refers-To"), original.field("WARC-Record-ID"));
        assert_eq!(field("WARC-Refers-To-Date"), original.field("WARC-Date"));
        assert_eq!(field("WARC-Refers-To-Target-URI"), Some(&*url));
        assert_eq!(field("WARC-Payload-Digest"), original.field("WARC-Payload-Digest"));
        assert!(revisit.block.ends_with(b"\r\n\r\n"), "the head alone");
    }
    assert_eq!(of(&all, RecordType::Response, &format!("{seed}new")).len(), 2);
    assert_eq!(of(&all, RecordType::Response, &format!("{seed}found2")).len(), 1);

    // Once more: the validators are still known, and the history grows.
    run(folder.path(), &again);
    let all = records(folder.path());
    assert_eq!(of(&all, RecordType::Revisit, &format!("{seed}tag")).len(), 2);
    assert_eq!(of(&all, RecordType::Revisit, &format!("{seed}date")).len(), 2);
    let history = history(folder.path());
    let told = |path: &str| history.get(&format!("{seed}{path}")).map(|page| (page.compared, page.changed));
    assert_eq!([told("tag"), told("same"), told("found2")], [Some((2, 0)), Some((2, 0)), Some((1, 0))]);
    // Its text is the same but for one word.
    assert_eq!(told("new"), Some((2, 1)));
}

#[test]
fn only_pages_that_are_due_are_asked_for() {
    let (seed, asked) = site(Arc::new(AtomicU64::new(1)));
    let folder = tempfile::tempdir().expect("a folder");
    let plain = crawl_of(&seed);
    run(folder.path(), &plain);
    let before = asked.lock().expect("no panic").len();
    let later = AgainOptions { min_age_ms: 3_600_000, max_age_ms: 7_200_000 };
    run(folder.path(), &CrawlOptions { again: Some(later), ..plain });
    assert_eq!(asked.lock().expect("no panic").len(), before);
}

/// A collection with a response of this URL in an archive that another program made.
fn import(root: &Path, url: &str, response: &str) {
    let file = root.with_extension("warc");
    let mut writer =
        Writer::new(std::fs::File::create(&file).expect("made"), WriterOptions::default()).expect("options");
    let date = "2020-05-06T07:08:09Z".parse().expect("a moment");
    writer.write(&NewRecord::warcinfo(date), b"software: another\r\n").expect("writes");
    writer.write(&NewRecord::response(url, date), response.as_bytes()).expect("writes");
    writer.finish().expect("writes");
    let now = "2024-01-01T00:00:00Z".parse().expect("a moment");
    let new = New { id: "c".to_owned(), name: "c".to_owned(), event: None, created: now };
    let collection = Collection::create(root, &new).expect("made");
    let writer = collection.lock("a test").expect("locks");
    let options = ImportOptions { kept: Kept::Copy, jobs: NonZero::<usize>::MIN };
    writer.import(&file, options, &mut |_| ControlFlow::Continue(())).expect("imports");
}

#[test]
fn an_imported_payload_is_not_stored_again_and_its_links_are_followed() {
    let body = format!("<a href=/next>on</a>{}", long("imported "));
    let served = body.clone();
    let (at, asked) = serve(move |target, _| match target {
        "/" => answer("200 OK", "Content-Type: text/html\r\nETag: \"one\"\r\n", &served),
        _ => answer("200 OK", HTML, &long("next ")),
    });
    let seed = format!("http://{at}/");
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("c");
    import(&root, &seed, &answer("200 OK", "Content-Type: text/html\r\nETag: \"one\"\r\n", &body));
    run(&root, &CrawlOptions { again: Some(AgainOptions::default()), ..crawl_of(&seed) });
    let all = records(&root);
    let revisit = of(&all, RecordType::Revisit, &seed);
    assert_eq!(revisit.len(), 1, "{all:?}");
    let original = of(&all, RecordType::Response, &seed)[0];
    assert_eq!(revisit[0].field("WARC-Refers-To"), original.field("WARC-Record-ID"));
    assert_eq!(revisit[0].field("WARC-Refers-To-Date"), Some("2020-05-06T07:08:09Z"));
    assert_eq!(of(&all, RecordType::Response, &format!("{seed}next")).len(), 1);
    let asked = asked.lock().expect("no panic");
    assert!(!asked[0].to_ascii_lowercase().contains("if-none-match"), "its links are not known yet");
}

#[test]
fn a_response_that_is_lost_is_fetched_whole() {
    let (seed, asked) = site(Arc::new(AtomicU64::new(1)));
    let folder = tempfile::tempdir().expect("a folder");
    let again = CrawlOptions { again: Some(NOW), ..crawl_of(&seed) };
    run(folder.path(), &again);
    std::fs::remove_dir_all(folder.path().join("archive")).expect("removed");
    run(folder.path(), &again);
    let asked = asked.lock().expect("no panic");
    assert_eq!(asked.len(), 12);
    assert!(!asked.iter().any(|head| head.to_ascii_lowercase().contains("if-none-match")));
}
