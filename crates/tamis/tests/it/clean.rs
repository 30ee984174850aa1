//! `tamis clean`.

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response};

use crate::scene;

const PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8>\
    <title>Sieves of the world | The Sieve</title><meta name=author content='Ann Miller'>\
    <meta property=article:published_time content=2019-05-06T08:00:00Z>\
    <nav><a href=/>Home</a> <a href=/shop>Shop</a></nav>\
    <article><h1>Sieves of the world</h1>\
    <div class=entry-content><p>A sieve is a frame with a cloth of hair or wire, and what falls through it is fine. \
    \u{201C}Nothing simpler was ever found\u{201D}, said the miller, and <a href='/more#top'>many agree</a> with him.</p>\
    <p>In the kitchen it parts flour from bran; at the river it parts gold from sand, and patience from haste.</p></div>\
    <div class=comments><p>I have one at home, it is great.</p></div></article>\
    <footer>\u{A9} 2019 Sieve Ltd. All rights reserved.</footer>";

fn pages() -> Scene {
    let archive = ArchiveBuilder::new()
        .gzip(&Record::response("https://sieve.example/", http_response("text/html; charset=utf-8", PAGE)))
        .gzip(&Record::response("https://sieve.example/logo.png", http_response("image/png", "\u{1}png")))
        .gzip(&Record::response("https://sieve.example/empty", http_response("text/html", "<p> </p>")));
    scene().file("a.warc.gz", archive.build()).file("page.html", PAGE)
}

#[test]
fn pages_of_an_archive_are_rows() {
    pages().check("clean-archive", "clean a.warc.gz --format jsonl");
}

#[test]
fn a_page_is_text_for_people() {
    let scene = pages();
    scene.check("clean-text", "clean https://sieve.example a.warc.gz");
    scene.check("clean-text-comments", "clean page.html --comments");
}

#[test]
fn links_quotes_comments_and_full_text_are_added_when_asked_for() {
    pages().check(
        "clean-all",
        "clean page.html --url https://sieve.example/a/ --format jsonl --links --quotes --comments --full-text",
    );
}

#[test]
fn the_rows_are_the_same_for_any_number_of_threads() {
    let scene = (0..200).fold(scene(), |scene, n| {
        scene.file(&format!("pages/{n:03}.html"), format!("<title>Page {n}</title><p>The text of page {n}."))
    });
    let one = scene.run("clean pages --format jsonl -j 1");
    assert_eq!((one.code, String::from_utf8_lossy(&one.stdout).lines().count()), (Some(0), 200));
    assert_eq!(scene.run("clean pages --format jsonl -j 3").stdout, one.stdout);
}

#[test]
fn a_list_gives_files_their_addresses() {
    let scene = pages().file("list.tsv", "page.html\thttps://sieve.example/x/\n");
    let out = scene.run("clean --list list.tsv --format jsonl --links").stdout;
    let row = String::from_utf8(out).expect("UTF-8");
    assert!(
        row.contains(r#""url":"https://sieve.example/x/""#)
            && row.contains(r#""url":"https://sieve.example/more""#),
        "{row}"
    );
}

#[test]
fn what_cannot_be_cleaned_is_told() {
    let scene = pages().file("large.html", "<p>words ".repeat(1000)).file("empty.html", "");
    scene.check("clean-missing", "clean missing.html page.html");
    scene.check("clean-too-large", "clean large.html page.html --max-size 2kB");
    scene.check("clean-empty", "clean empty.html");
    scene.check("clean-url-alone", "clean https://sieve.example/");
    scene.check("clean-no-capture", "clean https://other.example/ a.warc.gz");
}

#[test]
fn damaged_text_is_mended_if_asked() {
    let page = "<p>M\u{C3}\u{A4}nner, Fr\u{C3}\u{BC}hst\u{C3}\u{BC}ck und Gr\u{C3}\u{BC}n: \u{C3}\u{BC}ber Br\u{C3}\u{BC}cken gehen.";
    scene().file("b.html", page).check("clean-repair", "clean b.html --repair --format jsonl");
}

#[test]
fn what_is_cut_is_read_as_far_as_it_goes_and_marked() {
    let whole = tamis_testkit::member::gzip(PAGE.as_bytes());
    let archive = ArchiveBuilder::new()
        .gzip(&Record::response("https://sieve.example/", http_response("text/html; charset=utf-8", PAGE)))
        .build();
    let scene = scene()
        .file("cut.html.gz", &whole[..whole.len() - 60])
        .file("cut.warc.gz", &archive[..archive.len() - 60])
        .file("list.tsv", "cut.html.gz\tno address\n");
    for line in [
        "clean cut.html.gz --format jsonl",
        "clean cut.warc.gz --format jsonl",
        "clean --list list.tsv --format jsonl",
    ] {
        let out = scene.run(line);
        let row = String::from_utf8(out.stdout).expect("UTF-8");
        assert_eq!(out.code, Some(2), "{line}");
        assert!(row.contains("A sieve is a frame") && row.contains(r#""cut":true"#), "{line}: {row}");
        assert!(!out.stderr.is_empty(), "{line}");
    }
}
