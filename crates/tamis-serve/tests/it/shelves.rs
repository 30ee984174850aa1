//! What is served: archives that come and go, collections with their indexes.

use std::fs;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tamis_archive::Door;
use tamis_collection::{Collection, Event, ImportOptions, Kept, New};
use tamis_serve::{Access, Limits, Stock};

use super::{Served, archive, page, serve, start};

fn count(served: &Served, url: &str) -> usize {
    served.get(&format!("/c/a/cdx?url={url}")).lines().len()
}

fn wait_for(what: &str, is_there: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_mins(1);
    while !is_there() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn archives_appear_change_and_go_while_the_server_runs() {
    let served = serve(&[page("http://example.org/", "2014-01-01T00:00:00Z", "1")]);
    assert_eq!(count(&served, "example.org"), 1);
    let folder = served.folder.path();
    archive(folder, "b.warc.gz", &[page("http://example.org/", "2015-01-01T00:00:00Z", "2")]);
    wait_for("the new archive is served", || count(&served, "example.org") == 2);
    assert_eq!(served.get("/c/a/web/20150101000000id_/http://example.org/").text(), "2");
    let two = [2016, 2017].map(|year| page("http://example.org/", &format!("{year}-01-01T00:00:00Z"), "3"));
    archive(folder, "b.warc.gz", &two);
    wait_for("the changed archive is read again", || count(&served, "example.org") == 3);
    fs::remove_file(folder.join("a.warc.gz")).expect("it goes");
    wait_for("what is gone is not served", || count(&served, "example.org") == 2);
}

#[test]
fn a_damaged_archive_is_served_and_said_to_be_incomplete() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    let pages: Vec<_> =
        (0..3).map(|n| page(&format!("http://example.org/{n}"), "2014-01-01T00:00:00Z", "text")).collect();
    archive(folder.path(), "a.warc.gz", &pages);
    let path = folder.path().join("a.warc.gz");
    let mut bytes = fs::read(&path).expect("there");
    bytes[40] ^= 0xff;
    fs::write(&path, bytes).expect("writable");
    let stock = Stock::Files(Box::new(super::Folder(folder.path().to_owned())));
    let served = start(folder, vec![("a".into(), stock)], Access::default(), Limits::default());
    let got = served.get("/c/a/cdx?url=example.org/*");
    assert!(got.lines().len() >= 2, "{}", got.text());
    assert!(got.header("tamis-incomplete").is_some_and(|note| note.contains("damaged")), "{}", got.head);
    assert!(served.get("/c/a").text().contains("Incomplete"));
}

/// Checksums come after the bytes: a damaged record was sent as a sound one.
#[test]
fn a_damaged_record_is_refused_before_any_of_it_is_sent() {
    let text: String =
        (0..4_000_u32).map(|n| char::from(b'a' + (n.wrapping_mul(2_654_435_761) >> 27) as u8 % 26)).collect();
    let urls: Vec<String> = (0..3).map(|n| format!("http://example.org/{n}")).collect();
    let pages: Vec<_> = urls.iter().map(|url| page(url, "2014-01-01T00:00:00Z", &text)).collect();
    for part in 1..6 {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        archive(folder.path(), "a.warc.gz", &pages);
        let path = folder.path().join("a.warc.gz");
        let mut bytes = fs::read(&path).expect("there");
        let at = bytes.len() * part / 6;
        bytes[at] ^= 0x10;
        fs::write(&path, bytes).expect("writable");
        let stock = Stock::Files(Box::new(super::Folder(folder.path().to_owned())));
        let served = start(folder, vec![("a".into(), stock)], Access::default(), Limits::default());
        let all = urls.iter().map(|url| served.get(&format!("/c/a/web/20140101000000id_/{url}")));
        let sound =
            all.filter(|got| got.status == 200).inspect(|got| assert_eq!(got.text(), text, "byte {at}"));
        assert_eq!(sound.count(), 2, "byte {at}");
    }
}

#[test]
fn an_archive_without_captures_is_empty_and_not_wrong() {
    let served = serve(&[tamis_testkit::Record::warcinfo("a")]);
    let got = served.get("/c/a/cdx?url=example.org");
    assert_eq!((got.status, got.text().as_str(), got.header("tamis-incomplete")), (200, "", None));
}

#[test]
fn a_collection_is_served_by_its_indexes() {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    archive(folder.path(), "x.warc.gz", &[page("http://example.org/", "2014-01-01T00:00:00Z", "text")]);
    let root = folder.path().join("events");
    let new = New {
        id: "events".into(),
        name: "Events".into(),
        event: None,
        created: "2024".parse().expect("a moment"),
    };
    let collection = Collection::create(&root, &new).expect("it is made");
    let options = ImportOptions { kept: Kept::Copy, jobs: NonZero::<usize>::MIN };
    let writer = collection.lock("test").expect("it is free");
    let mut watch = |_: Event<'_>| ControlFlow::Continue(());
    writer.import(&folder.path().join("x.warc.gz"), options, &mut watch).expect("it imports");
    drop(writer);
    let stock = Stock::Collection { path: root.clone(), door: Door::default() };
    let served = start(folder, vec![("a".into(), stock)], Access::default(), Limits::default());
    assert_eq!(count(&served, "example.org"), 1);
    assert_eq!(served.get("/c/a/web/20140101000000id_/http://example.org/").text(), "text");
    let made = fs::read_dir(served.folder.path()).expect("a folder");
    let made = made.filter(|entry| {
        entry.as_ref().expect("an entry").file_name().to_string_lossy().contains("tamis-serve-")
    });
    assert_eq!(made.count(), 0, "no index is made where there is one");
    wait_for("captures are counted", || {
        served.get("/c/a").text().contains("<dd>2014-01-01 00:00:00 – 2014-01-01 00:00:00</dd>")
    });
    // A crawl that writes is not silently left out.
    fs::write(root.join("archive/y.warc.gz.open"), b"").expect("writable");
    fs::write(root.join("archive/x.warc.gz"), b"gone").expect("writable");
    wait_for("what is missing is said", || {
        served.get("/c/a/cdx?url=example.org").header("tamis-incomplete").is_some()
    });
}
