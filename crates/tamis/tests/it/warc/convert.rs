//! `tamis warc convert`.

use std::fs;

use tamis_testkit::{Record, Scene, arc, http_response};

use super::{archives, gzip_archive, large_archive, plain_archive};
use crate::scene;

fn written(scene: &Scene, name: &str) -> Vec<u8> {
    fs::read(scene.folder().join(name)).expect("written")
}

fn convert(scene: &Scene, line: &str) {
    let ran = scene.run(&format!("warc convert {line}"));
    assert_eq!(ran.code, Some(0), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn an_archive_goes_round_and_comes_back() {
    let scene = archives();
    scene.check("convert", "warc convert a.warc.gz -o 1.warc.zst");
    convert(&scene, "1.warc.zst -o 2.warc.gz --level 9");
    convert(&scene, "2.warc.gz -o 3.warc");
    assert_eq!(written(&scene, "3.warc"), plain_archive());
    assert_eq!(written(&scene, "1.warc.zst")[..4], [0x28, 0xb5, 0x2f, 0xfd]);
}

#[test]
fn the_output_is_the_same_for_any_number_of_threads() {
    let scene = scene().file("a.warc", large_archive());
    convert(&scene, "a.warc -o 1.warc.zst -j 1");
    convert(&scene, "a.warc -o 3.warc.zst -j 3");
    assert!(written(&scene, "1.warc.zst") == written(&scene, "3.warc.zst"));
    convert(&scene, "3.warc.zst -o back.warc -j 2");
    assert!(written(&scene, "back.warc") == large_archive());
}

#[test]
fn several_inputs_become_one_file_or_one_each() {
    let scene = archives();
    scene.check("convert-joined", "warc convert a.warc.gz b.warc -o both.warc");
    assert_eq!(written(&scene, "both.warc"), [plain_archive(), plain_archive()].concat());
    scene.check("convert-folder", "warc convert a.warc.gz b.warc -o new/ --to zst");
    assert!(scene.files().contains(&"new/b.warc.zst".to_owned()), "{:?}", scene.files());
    scene.check("convert-same-name", "warc convert a.warc.gz new/a.warc.zst -o other/ --to plain");
}

#[test]
fn stdin_and_stdout_will_do() {
    let scene = archives().stdin(gzip_archive());
    let ran = scene.run("warc convert - --to plain");
    assert_eq!((ran.code, ran.stdout), (Some(0), plain_archive()));
    let ran = scene.run_with_closed_pipe("warc convert a.warc.gz --to plain -q");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
}

#[test]
fn damage_is_told_and_left_out() {
    let scene = archives();
    scene.check("convert-damaged", "warc convert damaged.warc.gz -o out.warc");
    scene.check("convert-cut", "warc convert cut.warc.gz -o cut.warc");
    scene.check("convert-strict", "warc convert cut.warc.gz -o strict.warc --strict");
    assert!(!scene.folder().join("strict.warc").exists());
}

#[test]
fn what_cannot_be_done_is_said_before_anything_is_written() {
    let scene = archives();
    scene.check("convert-empty", "warc convert empty.warc -o out.warc");
    scene.check("convert-missing", "warc convert a.warc.gx -o out.warc");
    scene.check("convert-over-file", "warc convert a.warc.gz -o b.warc");
    scene.check("convert-over-input", "warc convert b.warc -o b.warc --force");
    scene.check("convert-level", "warc convert b.warc -o c.warc.gz --level 13");
    scene.check("convert-plain-dictionary", "warc convert b.warc -o c.warc.gz --dictionary train");
    scene.check("convert-dry-run", "warc convert b.warc -o c.warc.gz --dry-run");
    assert!(!scene.files().iter().any(|name| name.starts_with("c.") || name == "out.warc"));
}

#[test]
fn a_version_is_a_line_and_the_dates_it_allows() {
    let dated = Record::resource("http://a/", "text/plain", "x").version("WARC/1.1");
    let dated = dated.with("WARC-Date", "2024-02-29T12:34:56.789Z");
    let scene = scene().file("a.warc", dated.bytes());
    scene.check("convert-version", "warc convert a.warc -o b.warc --warc-version 1.0");
    let expected = dated.version("WARC/1.0").bytes();
    let expected = String::from_utf8(expected).expect("is text").replace("56.789Z", "56Z");
    assert_eq!(String::from_utf8_lossy(&written(&scene, "b.warc")), expected);
}

#[test]
fn arc_becomes_warc() {
    let message = http_response("text/html", "<p>old</p>");
    let archive = [arc::version_block_1_0("a.arc"), arc::record("http://a.example/", "text/html", &message)];
    let scene = scene().file("a.arc", archive.concat());
    scene.check("convert-arc", "warc convert a.arc -o new/");
    scene.check("convert-arc-records", "warc cat new/a.warc");
    assert_eq!(scene.run("warc check new/a.warc").code, Some(0));
}

#[test]
fn a_dictionary_makes_small_pages_smaller() {
    let page = |n: usize| {
        let body =
            format!("<html><head><title>page {n}</title></head><body><p>{}</p></body></html>", n * 7919);
        Record::response(&format!("http://a.example/{n}"), http_response("text/html", body)).bytes()
    };
    let archive: Vec<u8> = (0..2000).flat_map(page).collect();
    let scene = scene().file("a.warc", &archive);
    convert(&scene, "a.warc -o with.warc.zst --dictionary train");
    convert(&scene, "a.warc -o without.warc.zst");
    assert!(2 * written(&scene, "with.warc.zst").len() < written(&scene, "without.warc.zst").len());
    convert(&scene, "with.warc.zst -o back.warc -j 3");
    assert!(written(&scene, "back.warc") == archive);
}

/// The media type of an ARC line was lost where the message states none.
#[test]
fn an_arc_record_keeps_its_media_type() {
    let untyped = b"HTTP/1.0 200 OK\r\nServer: x\r\n\r\n<title>T</title><p>A page.".to_vec();
    let records = [
        arc::record("http://a.example/untyped", "text/html", &untyped),
        arc::record("http://a.example/typed", "text/plain", &http_response("text/html", "<p>A page.")),
        arc::record("dns:a.example", "text/dns", b"a.example. 1 IN A 192.0.2.1"),
    ];
    let scene = scene().file("a.arc", [arc::version_block_1_0("a.arc"), records.concat()].concat());
    convert(&scene, "a.arc -o a.warc");
    let rows = |name: &str| {
        let sql = "select url, mime_type, status_code, title, digest from pages order by url";
        String::from_utf8(scene.run(&format!("query {name} '{sql}' --format csv")).stdout).expect("UTF-8")
    };
    assert!(rows("a.arc").contains("http://a.example/untyped,text/html,3200,T,"), "{}", rows("a.arc"));
    assert_eq!(rows("a.warc"), rows("a.arc"));
}
