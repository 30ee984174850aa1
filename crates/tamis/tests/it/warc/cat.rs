//! `tamis warc cat`.

use tamis_testkit::{ArchiveBuilder, Record, member};

use super::{archives, gzip_archive, plain_archive, records};
use crate::scene;

#[test]
fn all_records_are_the_plain_archive() {
    let scene = archives().stdin(gzip_archive());
    for line in ["warc cat a.warc.gz", "warc cat b.warc", "warc cat -", "warc cat a.warc.gz -j 3"] {
        let ran = scene.run(line);
        assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0), "{line}");
        assert_eq!(ran.stdout, plain_archive(), "{line}");
    }
    assert_eq!(scene.run("warc cat a.warc.gz -o out.warc").code, Some(0));
    assert_eq!(std::fs::read(scene.folder().join("out.warc")).expect("written"), plain_archive());
    scene.check("cat-over-file", "warc cat a.warc.gz -o out.warc");
}

#[test]
fn each_part_of_a_record_can_be_had() {
    let scene = archives();
    let page = "warc cat a.warc.gz --url http://example.org/* --type response --limit 1";
    scene.check("cat-record", page);
    scene.check("cat-head", &format!("{page} --part head"));
    scene.check("cat-block", &format!("{page} --part block"));
    scene.check("cat-http-head", &format!("{page} --part http-head"));
    scene.check("cat-body", &format!("{page} --part body"));
    let coded = scene.run("warc cat a.warc.gz --url coded --part decoded");
    assert_eq!(coded.stdout, b"<p>coded</p>");
    let block = scene.run("warc cat a.warc.gz --type resource --part decoded");
    assert_eq!(block.stdout, b"\x89PNG\r\n\x1a\n");
}

#[test]
fn a_record_is_found_by_its_offset() {
    let scene = archives();
    let offset = ArchiveBuilder::new().gzip(&records()[0]).gzip(&records()[1]).build().len();
    let ran = scene.run(&format!("warc cat a.warc.gz --offset {offset}"));
    assert_eq!((ran.code, ran.stdout), (Some(0), records()[2].bytes()));
    let two = scene.run(&format!("warc cat a.warc.gz --offset {offset} --limit 2 --part decoded"));
    assert_eq!(two.stdout, b"<p>page</p><p>coded</p>");
    scene.check("cat-no-record-there", "warc cat a.warc.gz --offset 7");
    scene.check("cat-offset-behind-end", "warc cat a.warc.gz --offset 1000000");
    scene.check("cat-offset-of-two", "warc cat a.warc.gz b.warc --offset 0");
}

#[test]
fn bad_inputs_are_told() {
    let scene = archives();
    scene.check("cat-missing", "warc cat lost.warc");
    assert_eq!(scene.run("warc cat lost.warc --offset 0"), scene.run("warc cat lost.warc"));
    scene.check("cat-empty", "warc cat empty.warc");
    scene.check("cat-damaged", "warc cat damaged.warc.gz --part head");
    scene.check("cat-cut", "warc cat cut.warc.gz --part head");
    scene.check("cat-nothing", "warc cat a.warc.gz --status 500");
}

#[test]
fn a_body_that_does_not_decode_is_written_as_far_as_it_does() {
    let body = member::gzip(b"<p>whole, and long enough to be cut</p>");
    let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    let message = [&head[..], &body[..body.len() - 8]].concat();
    let archive = ArchiveBuilder::new().plain(&Record::response("http://a/", message)).build();
    scene().file("a.warc", archive).check("cat-body-cut", "warc cat a.warc --part decoded");
}

#[test]
fn a_closed_pipe_is_silent() {
    let ran = archives().run_with_closed_pipe("warc cat a.warc.gz");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
}
