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
