//! `tamis warc get`.

use tamis_testkit::Record;

use super::{archives, records};
use crate::scene;

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
