use std::fs;
use std::path::{Path, PathBuf};

use tamis_testkit::{ArchiveBuilder, Record, http_response};

use super::*;
use crate::cdx::Indexer;
use crate::{Mode, Reader};

const URL: &str = "http://example.org/";

/// A folder with archives.
struct Shelf(tempfile::TempDir);

fn shelf() -> Shelf {
    Shelf(tempfile::tempdir().expect("a folder"))
}

impl Shelf {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn archive(&self, name: &str, records: &[Record]) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        let bytes = records.iter().fold(ArchiveBuilder::new(), ArchiveBuilder::gzip).build();
        fs::write(path, bytes).expect("writable");
        self
    }

    /// The sorted CDXJ lines of an archive, under a name.
    fn lines(&self, archive: &str, name: &str) -> Vec<String> {
        let mut reader = Reader::open(self.path(archive), Mode::Lenient).expect("it opens");
        let (mut indexer, mut entries) = (Indexer::default(), Vec::new());
        while let Some(record) = reader.next().expect("it reads") {
            indexer.index(record, name, &mut entries).expect("it reads");
        }
        let mut lines: Vec<String> = entries.iter().map(CdxEntry::to_cdxj).collect();
        lines.sort();
        lines
    }

    fn index(&self, lines: &[String]) -> Index {
        let count = fs::read_dir(self.0.path()).expect("a folder").count();
        let path = self.path(&format!("{count}.cdxj"));
        fs::write(&path, lines.join("\n") + "\n").expect("writable");
        Index::open([path]).expect("it opens")
    }

    fn sources(&self, archives: &[&str]) -> Vec<(String, Source)> {
        let source = |name: &&str| Source::file(self.path(name));
        archives.iter().map(|name| (source(name).file_name(), source(name))).collect()
    }

    /// Archives that are read.
    fn read(&self, archives: &[&str]) -> Captures {
        let mut captures = Captures::new(options());
        self.sources(archives).into_iter().for_each(|(name, source)| captures.add(name, source));
        captures
    }

    /// The same archives with an index of all of them.
    fn indexed(&self, archives: &[&str]) -> Captures {
        let mut lines: Vec<String> = archives
            .iter()
            .flat_map(|name| {
                self.lines(name, Path::new(name).file_name().expect("a name").to_str().expect("ASCII"))
            })
            .collect();
        lines.sort();
        self.indexed_by(&lines, archives)
    }

    fn indexed_by(&self, lines: &[String], archives: &[&str]) -> Captures {
        let mut captures = Captures::new(options());
        captures.add_indexed(self.index(lines), self.sources(archives));
        captures
    }
}

fn options() -> CaptureOptions {
    CaptureOptions { scan: ScanOptions::default(), sort_folder: std::env::temp_dir() }
}

fn page(url: &str, date: &str, text: &str) -> Record {
    Record::response(url, http_response("text/html", text)).with_digests().with("WARC-Date", date)
}

fn revisit(date: &str, of: &Record) -> Record {
    Record::revisit(URL, "HTTP/1.1 200 OK\r\n\r\n", of).with("WARC-Date", date)
}

/// Asks, and counts what is met beside progress.
fn ask<T>(ask: impl FnOnce(&mut Watch<'_>) -> Result<T>) -> (Result<T>, u64) {
    let mut met = 0;
    let answer = ask(&mut |event| {
        met += match event {
            Event::Read { .. } => 0,
            Event::Faults { faults, .. } => faults.counts().of_severity(crate::Severity::Damage),
            Event::Unreadable { .. } => 1,
            Event::BadLines { count, .. } => count,
        };
        ControlFlow::Continue(())
    });
    (answer, met)
}

fn nearest(captures: &Captures, query: &Query) -> Option<Capture> {
    let (found, met) = ask(|watch| captures.nearest(query, watch));
    assert_eq!(met, 0);
    found.expect("it looks").capture
}

/// The block of the record that holds the payload of the capture nearest to a moment.
fn payload(captures: &Captures, closest: &str) -> Result<String, String> {
    let query = Query { closest: closest.parse().ok(), ..Query::exact(URL) };
    let capture = nearest(captures, &query).ok_or("no capture")?;
    let payload = ask(|watch| captures.payload(&capture, watch)).0.map_err(|error| error.to_string())?;
    let capture = match payload {
        Payload::Own => capture,
        Payload::Of(original) => *original,
        Payload::Missing(reference) => return Err(format!("missing: {}", reference.url)),
    };
    text(captures, &capture).map_err(|error| error.to_string())
}

fn text(captures: &Captures, capture: &Capture) -> Result<String> {
    let taken = captures.read(capture, |mut record| {
        let mut block = Vec::new();
        std::io::Read::read_to_end(&mut record.body, &mut block).expect("it reads");
        Ok::<_, Error>(block)
    })?;
    let block = String::from_utf8_lossy(&taken.value).into_owned();
    Ok(block.rsplit("\r\n\r\n").next().unwrap_or_default().to_owned())
}

fn listed(captures: &Captures, query: &Query) -> Vec<String> {
    let (listing, met) = ask(|watch| captures.list(query, watch));
    assert_eq!(met, 0);
    let mut listing = listing.expect("it looks");
    let mut lines = Vec::new();
    while let Some(capture) = listing.next_capture().expect("it reads") {
        lines.push(capture.entry.to_cdxj());
    }
    lines
}

#[test]
fn look_ups_are_the_same_with_an_index_and_without() {
    let shelf = shelf();
    let pages = |hosts: [&str; 3], year: u32| -> Vec<Record> {
        let page = |host: &str, n: u32| {
            page(&format!("http://{host}/a{n}"), &format!("{}-01-01T00:00:00Z", year + n), host)
        };
        hosts.iter().flat_map(|host| [page(host, 0), page(host, 1), page(host, 2)]).collect()
    };
    shelf.archive("a.warc.gz", &pages(["example.org", "b.example.org", "other.org"], 2010));
    shelf.archive("b.warc.gz", &pages(["example.org", "c.example.org", "example.org.uk"], 2015));
    let archives = ["a.warc.gz", "b.warc.gz"];
    let (read, indexed) = (shelf.read(&archives), shelf.indexed(&archives));
    let mut mixed = shelf.indexed(&archives[..1]);
    shelf.sources(&archives[1..]).into_iter().for_each(|(name, source)| mixed.add(name, source));
    for (pattern, count) in
        [("example.org/a1", 2), ("example.org/a*", 6), ("*.example.org", 12), ("other.org/", 0)]
    {
        for (closest, from, to, limit) in [
            (None, None, None, None),
            (Some("2012"), None, None, None),
            (Some("2012"), None, None, Some(3)),
            (None, Some("2011"), Some("2016"), Some(4)),
        ] {
            let moment = |moment: Option<&str>| moment.and_then(|moment| moment.parse().ok());
            let query = Query {
                closest: moment(closest),
                from: moment(from),
                to: moment(to),
                limit,
                ..Query::pattern(pattern)
            };
            let expected = listed(&read, &query);
            assert!(limit.is_some() || expected.len() == count, "{query:?}: {expected:?}");
            assert_eq!(listed(&indexed, &query), expected, "{query:?}");
            assert_eq!(listed(&mixed, &query), expected, "{query:?}");
            let entries = [&read, &indexed, &mixed].map(|captures| nearest(captures, &query));
            let lines = entries.map(|capture| capture.map(|capture| capture.entry.to_cdxj()));
            assert!(lines[0] == lines[1] && lines[0] == lines[2], "{query:?}: {lines:?}");
        }
    }
}

#[test]
fn a_revisit_is_resolved_in_another_archive_by_id_then_date_then_digest() {
    let original = page(URL, "2014-01-01T00:00:00Z", "same");
    let with_id = |record: Record, id: &str| record.with("WARC-Record-ID", id);
    let named = with_id(original.clone(), "<urn:uuid:1>");
    let later = with_id(original.clone().with("WARC-Date", "2014-06-01T00:00:00Z"), "<urn:uuid:2>");
    let other = with_id(page(URL, "2014-12-31T00:00:00Z", "other"), "<urn:uuid:3>");
    let elsewhere = page("http://mirror.org/", "2014-12-30T00:00:00Z", "same");
    let bare = revisit("2015-01-01T00:00:00Z", &original).without("WARC-Refers-To");
    for (revisit, expected, of) in [
        (bare.clone().field("WARC-Refers-To", "<urn:uuid:1>"), "20140101000000", URL),
        (bare.clone().field("WARC-Refers-To-Date", "2014-01-01T00:00:00Z"), "20140101000000", URL),
        (bare.clone(), "20140601000000", URL),
        (bare.clone().field("WARC-Refers-To", "<urn:uuid:3>"), "20140601000000", URL),
        (
            bare.clone().field("WARC-Refers-To-Target-URI", "http://mirror.org/"),
            "20141230000000",
            "http://mirror.org/",
        ),
    ] {
        let shelf = shelf();
        shelf.archive("a.warc.gz", &[named.clone(), later.clone()]);
        shelf.archive("b.warc.gz", &[other.clone(), elsewhere.clone()]);
        shelf.archive("c.warc.gz", &[revisit]);
        let archives = ["c.warc.gz", "a.warc.gz", "b.warc.gz"];
        for captures in [shelf.read(&archives), shelf.indexed(&archives)] {
            let query = Query { closest: "2016".parse().ok(), ..Query::exact(URL) };
            let capture = nearest(&captures, &query).expect("a capture");
            let found = ask(|watch| captures.payload(&capture, watch)).0.expect("it looks");
            let Payload::Of(found) = found else { panic!("{found:?}") };
            assert_eq!((&*found.entry.timestamp, &*found.entry.url), (expected, of));
            assert_eq!(text(&captures, &found).expect("it reads"), "same");
        }
    }
}

#[test]
fn the_payload_of_a_revisit_is_found_by_digest_under_another_url() {
    let shelf = shelf();
    let elsewhere = page("http://mirror.org/", "2014-12-30T00:00:00Z", "same");
    shelf.archive("a.warc.gz", std::slice::from_ref(&elsewhere));
    shelf.archive("b.warc.gz", &[revisit("2015-01-01T00:00:00Z", &elsewhere).without("WARC-Refers-To")]);
    assert_eq!(payload(&shelf.read(&["a.warc.gz", "b.warc.gz"]), "2015"), Ok("same".to_owned()));
}

#[test]
fn a_revisit_without_its_original_is_missing_and_not_another_page() {
    let shelf = shelf();
    let original = page(URL, "2014-01-01T00:00:00Z", "same");
    shelf.archive("a.warc.gz", &[revisit("2015-01-01T00:00:00Z", &original)]);
    shelf.archive("b.warc.gz", &[page(URL, "2014-12-31T00:00:00Z", "other")]);
    let archives = ["a.warc.gz", "b.warc.gz"];
    for captures in [shelf.read(&archives), shelf.indexed(&archives)] {
        assert_eq!(payload(&captures, "2015"), Err(format!("missing: {URL}")));
        assert_eq!(payload(&captures, "2014-12-31"), Ok("other".to_owned()));
    }
}

#[test]
fn an_index_opens_no_file_that_was_not_given() {
    let shelf = shelf();
    let secret = page(URL, "2014-01-01T00:00:00Z", "secret");
    shelf.archive("secret.warc.gz", std::slice::from_ref(&secret)).archive("in/a.warc.gz", &[]);
    let absolute = shelf.path("secret.warc.gz").to_str().expect("UTF-8").to_owned();
    for name in ["../secret.warc.gz", "secret.warc.gz", "in/../secret.warc.gz", &*absolute] {
        let captures = shelf.indexed_by(&shelf.lines("secret.warc.gz", name), &["in/a.warc.gz"]);
        let capture = nearest(&captures, &Query::exact(URL)).expect("a line");
        let error = text(&captures, &capture).expect_err("it must not be opened");
        assert!(matches!(&error, Error::NotGiven { name: named } if named == name), "{error}");
        assert!(error.hint().is_some());
    }
}

#[test]
fn an_index_of_another_file_is_noticed() {
    let shelf = shelf();
    let first = page(URL, "2014-01-01T00:00:00Z", "first");
    shelf.archive("a.warc.gz", std::slice::from_ref(&first));
    let lines = shelf.lines("a.warc.gz", "a.warc.gz");
    for changed in [
        // The same URL at the same offset, but another moment, or another payload.
        page(URL, "2015-01-01T00:00:00Z", "first"),
        page(URL, "2014-01-01T00:00:00Z", "other"),
        page("http://example.net/", "2014-01-01T00:00:00Z", "first"),
    ] {
        shelf.archive("a.warc.gz", &[changed]);
        let captures = shelf.indexed_by(&lines, &["a.warc.gz"]);
        let capture = nearest(&captures, &Query::exact(URL)).expect("a line");
        let error = text(&captures, &capture).expect_err("another record");
        assert!(matches!(error, Error::Stale { offset: 0, .. }), "{error}");
        let looked = ask(|watch| captures.payload(&capture, watch)).0;
        assert!(matches!(looked, Err(Error::Stale { .. })), "{looked:?}");
    }
}

#[test]
fn of_two_archives_of_one_name_the_one_with_the_record_is_read() {
    let shelf = shelf();
    shelf.archive("x/a.warc.gz", &[page(URL, "2014-01-01T00:00:00Z", "x")]);
    shelf.archive("y/a.warc.gz", &[page(URL, "2015-01-01T00:00:00Z", "y")]);
    let captures = shelf.indexed(&["x/a.warc.gz", "y/a.warc.gz"]);
    assert_eq!(payload(&captures, "2014"), Ok("x".to_owned()));
    assert_eq!(payload(&captures, "2015"), Ok("y".to_owned()));
}

#[test]
fn damaged_lines_of_an_index_are_reported_and_hide_nothing_after_them() {
    let shelf = shelf();
    let pages: Vec<Record> =
        (1..=9).map(|n| page(URL, &format!("201{n}-01-01T00:00:00Z"), &n.to_string())).collect();
    shelf.archive("a.warc.gz", &pages);
    let lines = shelf.lines("a.warc.gz", "a.warc.gz");
    for damage in [
        &|line: &String| line.replacen("org,", "zrg,", 1),
        &|line: &String| line.replacen('{', "(", 1),
        &|line: &String| line.replacen("\"offset\": \"", "\"offset\": \"x", 1),
    ] as [&dyn Fn(&String) -> String; 3]
    {
        let mut lines = lines.clone();
        lines[6] = damage(&lines[6]);
        let captures = shelf.indexed_by(&lines, &["a.warc.gz"]);
        let (found, met) = ask(|watch| captures.nearest(&Query::exact(URL), watch));
        assert_eq!((found.expect("it looks").count, met), (8, 1), "{}", lines[6]);
    }
}

#[test]
fn a_damaged_archive_is_reported_and_its_other_captures_are_found() {
    let shelf = shelf();
    let (first, second) = (page(URL, "2014-01-01T00:00:00Z", "1"), page(URL, "2015-01-01T00:00:00Z", "2"));
    shelf.archive("a.warc.gz", &[first, second]);
    let lines = shelf.lines("a.warc.gz", "a.warc.gz");
    let path = shelf.path("a.warc.gz");
    let mut bytes = fs::read(&path).expect("there");
    bytes[40] ^= 0xff;
    fs::write(&path, bytes).expect("writable");
    let (found, met) = ask(|watch| shelf.read(&["a.warc.gz"]).nearest(&Query::exact(URL), watch));
    assert!(found.expect("it looks").count >= 1 && met > 0);
    let captures = shelf.indexed_by(&lines, &["a.warc.gz"]);
    assert_eq!(payload(&captures, "2015"), Ok("2".to_owned()));
    let damaged = payload(&captures, "2014").expect_err("it is damaged");
    assert!(damaged.contains("is lost") && damaged.contains("corrupt"), "{damaged}");
}

#[test]
fn threads_share_a_look_up() {
    let shelf = shelf();
    let pages: Vec<Record> =
        (0..50).map(|n| page(&format!("{URL}{n}"), "2014-01-01T00:00:00Z", &format!("text {n}"))).collect();
    shelf.archive("a.warc.gz", &pages);
    let captures = shelf.indexed(&["a.warc.gz"]);
    std::thread::scope(|threads| {
        for start in 0..4 {
            let captures = &captures;
            threads.spawn(move || {
                for n in (start..50).step_by(3) {
                    let capture = nearest(captures, &Query::exact(format!("{URL}{n}"))).expect("there");
                    assert_eq!(text(captures, &capture).expect("it reads"), format!("text {n}"));
                }
            });
        }
    });
}

#[test]
fn a_caller_may_end_a_look_up() {
    let shelf = shelf();
    shelf.archive("a.warc.gz", &[page(URL, "2014-01-01T00:00:00Z", "1")]);
    let captures = shelf.read(&["a.warc.gz"]);
    let ended = captures.nearest(&Query::exact(URL), &mut |_| ControlFlow::Break(()));
    assert!(matches!(ended, Err(Error::Interrupted)), "{ended:?}");
}

#[test]
fn places_are_known_of_indexed_archives_only() {
    let shelf = shelf();
    shelf.archive("a.warc.gz", &[Record::warcinfo("a"), page(URL, "2014-01-01T00:00:00Z", "1")]);
    shelf.archive("b.warc.gz", &[page(URL, "2015-01-01T00:00:00Z", "2")]);
    let mut captures = shelf.indexed(&["a.warc.gz"]);
    shelf.sources(&["b.warc.gz"]).into_iter().for_each(|(name, source)| captures.add(name, source));
    let offset = nearest(&captures, &Query { to: "2014".parse().ok(), ..Query::exact(URL) });
    let offset = offset.expect("a capture").entry.offset;
    assert!(offset > 0);
    let places = ask(|watch| captures.places(&Query::exact(URL), watch)).0.expect("it looks");
    assert_eq!(places, [Some(vec![offset]), None]);
}
