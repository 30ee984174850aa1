//! `tamis warc get`.

use std::fs;

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response};

use super::{archives, records};
use crate::scene;

fn page(url: &str, date: &str, text: &str) -> Record {
    Record::response(url, http_response("text/html", text)).with_digests().with("WARC-Date", date)
}

/// An archive of three pages, the last two of one URL.
fn three_pages() -> Vec<u8> {
    let pages = [
        page("http://a.example/", "2014-01-01T00:00:00Z", "<p>first</p>"),
        page("http://b.example/", "2015-01-01T00:00:00Z", "<p>second</p>"),
        page("http://b.example/", "2016-01-01T00:00:00Z", "<p>third</p>"),
    ];
    pages.iter().fold(ArchiveBuilder::new(), ArchiveBuilder::gzip).build()
}

/// Damages the first page of an archive, which does not change its size.
fn spoil(scene: &Scene, name: &str) {
    let path = scene.folder().join(name);
    let mut bytes = fs::read(&path).expect("there");
    bytes[60] ^= 0xff;
    fs::write(&path, bytes).expect("writable");
}

fn collection() -> Scene {
    let about = "format = 1\nid = \"7\"\nname = \"eclipse\"\ncreated = 2026-08-12T17:00:00Z\n";
    let scene = scene().file("eclipse/collection.toml", about).file("a.warc.gz", three_pages());
    assert_eq!(scene.run("import eclipse a.warc.gz").code, Some(0));
    scene
}

#[test]
fn a_capture_is_found_with_and_without_an_index() {
    let scene = archives();
    scene.run("warc index a.warc.gz -o a.cdxj");
    for index in ["", "--index a.cdxj"] {
        let get = |rest: &str| scene.run(&format!("warc get {rest} a.warc.gz {index}"));
        assert_eq!(get("http://example.org/coded?q=1").stdout, b"<p>coded</p>", "{index}");
        assert_eq!(get("HTTPS://www.Example.org/coded?q=1").stdout, b"<p>coded</p>", "{index}");
        // The newest capture is a revisit: its payload is that of the first.
        assert_eq!(get("http://example.org/").stdout, b"<p>page</p>", "{index}");
        assert_eq!(get("http://example.org/none").code, Some(1), "{index}");
        assert_eq!(get("http://example.org/ --until 2020").code, Some(1), "{index}");
    }
    scene.check("get-record", "warc get http://b.example/lost a.warc.gz --part record");
    scene.check("get-nearest", "warc get http://example.org/ a.warc.gz --at 2024-02 --part head");
    scene.check("get-list", "warc get *.example.org a.warc.gz --list");
    scene.check("get-none", "warc get http://example.org/none a.warc.gz");
    scene.check("get-missing", "warc get http://example.org/ nothing.warc");
    scene.check("get-damaged", "warc get http://example.org/ damaged.warc.gz");
}

#[test]
fn a_revisit_without_its_first_capture_is_told() {
    let [.., revisit, _, _] = records();
    let scene = scene().file("revisit.warc", revisit.bytes());
    scene.check("get-revisit-alone", "warc get http://example.org/ revisit.warc");
    assert_eq!(scene.run("warc get http://example.org/ revisit.warc --part record").code, Some(0));
}

#[test]
fn an_index_of_another_file_is_told() {
    let scene = archives();
    scene.run("warc index a.warc.gz -o a.cdxj");
    let other = Record::resource("http://other.example/", "text/plain", "other");
    let scene = scene.file("elsewhere/a.warc.gz", other.bytes());
    scene.check("get-wrong-file", "warc get http://example.org/coded?q=1 elsewhere/a.warc.gz --index a.cdxj");
}

#[test]
fn an_archive_named_as_an_index_is_told() {
    let scene = archives();
    scene.check("get-archive-as-index", "warc get http://example.org/ --index a.warc.gz a.warc.gz");
}

#[test]
fn a_list_is_the_same_with_and_without_an_index() {
    let scene = archives();
    scene.run("warc index a.warc.gz -o a.cdxj");
    for rest in ["", "--at 2024-02", "--at 2024-02 --limit 2", "--limit 3", "--since 2024-02"] {
        let list =
            |index: &str| scene.run(&format!("warc get *.example.org a.warc.gz --list {rest} {index}"));
        let (read, indexed) = (list(""), list("--index a.cdxj"));
        assert_eq!(read.code, Some(0), "{rest}");
        assert_eq!(read.stdout, indexed.stdout, "{rest}");
    }
}

#[test]
fn captures_are_not_lost_however_many_there_are() {
    const COUNT: u64 = 120_000;
    let lines = (0..COUNT).fold(String::new(), |lines, n| {
        let moment = 20_000_101_000_000 + n / 60 / 60 * 10_000 + n / 60 % 60 * 100 + n % 60;
        lines + &format!("org,example)/ {moment} http://example.org/ text/html 200 - - - 10 {n} a.warc.gz\n")
    });
    let scene = scene().file("a.cdx", lines).file("a.warc.gz", "");
    let listed = scene.run("warc get http://example.org/ a.warc.gz --index a.cdx --list");
    assert_eq!(listed.stdout.split(|&byte| byte == b'\n').count() as u64, COUNT + 1);
    let newest = scene.run("warc get http://example.org/ a.warc.gz --index a.cdx -v");
    let said = String::from_utf8_lossy(&newest.stderr).into_owned();
    assert!(said.contains("119999 more"), "{said}");
    assert!(said.contains("offset 119999"), "{said}");
}

#[test]
fn a_pack_is_asked_and_an_index_of_its_archive_fits_it() {
    let scene = scene().file("a.warc.gz", three_pages());
    assert_eq!(scene.run("warc index a.warc.gz -o a.cdxj").code, Some(0));
    assert_eq!(scene.run("pack a.warc.gz --profile record").code, Some(0));
    assert_eq!(scene.run("pack a.warc.gz --profile record -o a.pack").code, Some(0));
    for inputs in ["a.warc.gz.pack", "a.pack", "a.warc.gz.pack --index a.cdxj", "a.pack --index a.cdxj"] {
        let get = |rest: &str| scene.run(&format!("warc get {rest} {inputs}"));
        assert_eq!(get("http://a.example/").stdout, b"<p>first</p>", "{inputs}");
        assert_eq!(get("http://b.example/").stdout, b"<p>third</p>", "{inputs}");
        let nearest = get("http://b.example/ --at 2014");
        assert!(nearest.code == Some(0) && nearest.stdout == b"<p>second</p>", "{inputs}: {nearest}");
        assert_eq!(get("http://b.example/none").code, Some(1), "{inputs}");
    }
    let of_pack = scene.run("clean http://b.example/ a.warc.gz.pack --format csv").stdout;
    let of_archive = scene.run("clean http://b.example/ a.warc.gz --format csv").stdout;
    let texts = |csv: &[u8]| String::from_utf8_lossy(csv).matches("b.example").count();
    assert!(texts(&of_pack) > 0 && texts(&of_pack) == texts(&of_archive));
}

#[test]
fn a_collection_is_looked_up_by_its_own_indexes() {
    let scene = collection();
    let all = scene.run("warc get http://b.example/ eclipse --list").stdout;
    assert_eq!(String::from_utf8_lossy(&all).lines().count(), 2);
    spoil(&scene, "eclipse/archive/a.warc.gz");
    // Whoever reads the archive from its start meets the damage.
    assert_eq!(scene.run("warc get http://b.example/ eclipse/archive/a.warc.gz").code, Some(2));
    let ran = scene.run("warc get http://b.example/ eclipse");
    assert!(ran.code == Some(0) && ran.stdout == b"<p>third</p>" && ran.stderr.is_empty(), "{ran}");
    let ran = scene.run("clean http://b.example/ eclipse --format jsonl");
    assert!(ran.code == Some(0) && !String::from_utf8_lossy(&ran.stderr).contains("warning"), "{ran}");
    assert_eq!(String::from_utf8_lossy(&ran.stdout).lines().count(), 2, "{ran}");
    assert_eq!(scene.run("warc get http://a.example/ eclipse").code, Some(2));
    fs::remove_file(scene.folder().join("eclipse/index/a.warc.gz.cdxj")).expect("it was there");
    let ran = scene.run("warc get http://b.example/ eclipse");
    assert!(ran.code == Some(2) && ran.stdout == b"<p>third</p>", "{ran}");
}

#[test]
fn conversions_of_a_collection_are_found_though_its_index_has_none() {
    let text = Record::conversion("http://b.example/", "second").with("WARC-Date", "2015-01-01T00:00:00Z");
    let scene = collection().file("b.warc.wet.gz", ArchiveBuilder::new().gzip(&text).build());
    assert_eq!(scene.run("import eclipse b.warc.wet.gz").code, Some(0));
    let ran = scene.run("warc get http://b.example/ eclipse --at 2015");
    assert_eq!(ran.code, Some(0), "{ran}");
    let listed = scene.run("warc get http://b.example/ eclipse --list");
    assert_eq!(String::from_utf8_lossy(&listed.stdout).lines().count(), 3, "{listed}");
}

#[test]
fn an_index_does_not_lead_out_of_the_inputs() {
    let secret = page("http://b.example/", "2015-01-01T00:00:00Z", "secret").bytes();
    let line = concat!(
        r#"example,b)/ 20150101000000 {"url": "http://b.example/", "offset": "0", "#,
        r#""filename": "../secret.warc"}"#,
        "\n"
    );
    let scene =
        scene().file("secret.warc", secret).file("in/a.warc.gz", three_pages()).file("in/a.cdxj", line);
    scene.check("get-outside", "warc get http://b.example/ in/a.warc.gz --index in/a.cdxj");
}

#[test]
fn a_stale_index_is_noticed() {
    let old = page("http://b.example/", "2015-01-01T00:00:00Z", "<p>old</p>");
    let scene = scene().file("a.warc.gz", ArchiveBuilder::new().gzip(&old).build());
    assert_eq!(scene.run("warc index a.warc.gz -o a.cdxj").code, Some(0));
    let new = page("http://b.example/", "2016-01-01T00:00:00Z", "<p>new</p>");
    let scene = scene.file("a.warc.gz", ArchiveBuilder::new().gzip(&new).build());
    scene.check("get-stale", "warc get http://b.example/ a.warc.gz --index a.cdxj");
}

#[test]
fn a_damaged_index_is_told() {
    let scene = scene().file("a.warc.gz", three_pages());
    let lines = String::from_utf8(scene.run("warc index a.warc.gz").stdout).expect("UTF-8");
    let damaged: Vec<String> =
        lines.lines().map(|line| line.replace("20150101000000 {", "20150101000000 (")).collect();
    let scene = scene.file("a.cdxj", damaged.join("\n") + "\n");
    scene.check("get-damaged-index", "warc get http://b.example/ a.warc.gz --index a.cdxj");
    scene.check("get-damaged-index-list", "warc get http://b.example/ a.warc.gz --index a.cdxj --list");
}
