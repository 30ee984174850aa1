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
    scene.check("clean-empty-rows", "clean empty.html --format jsonl");
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

#[test]
fn relative_links_without_an_address_are_counted_and_said_how_to_keep() {
    let based = PAGE.replacen("<nav>", "<base href='https://base.example/x/'><nav>", 1);
    let scene = pages().file("based.html", based);
    scene.check("clean-relative-links", "clean page.html --format jsonl --links");
    let ran = scene.run("clean based.html --format jsonl --links");
    assert!(text(&ran.stdout).contains(r#""url":"https://base.example/more""#));
    assert_eq!(text(&ran.stderr), "     out 1 page\n");
    assert_eq!(text(&scene.run("clean page.html").stderr), "     out 1 page\n", "text has no links to lose");
}

#[test]
fn a_date_after_the_file_was_last_changed_is_none() {
    let scene = pages().file("later.html", PAGE).file("future.html", PAGE.replace("2019-", "2090-"));
    let moment = std::time::UNIX_EPOCH + std::time::Duration::from_mins(25_000_000);
    let file = std::fs::File::options().write(true).open(scene.folder().join("later.html")).expect("there");
    file.set_modified(moment).expect("settable");
    for (line, expected) in [
        ("clean page.html --format jsonl", r#""date":"2019-05-06T08:00:00Z","date_rule":"opengraph""#),
        ("clean later.html --format jsonl", r#""date":null"#),
        ("clean future.html --format jsonl", r#""date":"2019","date_rule":"copyright""#),
    ] {
        let row = text(&scene.run(line).stdout);
        assert!(row.contains(expected), "{line}: {row}");
    }
    let scene = scene.stdin(PAGE.replace("2019", "2090"));
    let row = text(&scene.run("clean - --format jsonl").stdout);
    assert!(row.contains(r#""file":"-""#) && row.contains(r#""date":null"#), "{row}");
}

#[test]
fn what_is_piped_in_is_called_by_its_name() {
    let archive = ArchiveBuilder::new()
        .gzip(&Record::response("https://sieve.example/", http_response("text/html; charset=utf-8", PAGE)));
    let row = text(&scene().stdin(archive.build()).run("clean - --format jsonl").stdout);
    assert!(row.starts_with(r#"{"file":"-","offset":0,"url":"https://sieve.example/""#), "{row}");
}

#[cfg(unix)]
#[test]
fn pipes_are_read_from_their_first_byte() {
    let scene = pages().file("b.html", "<title>Second</title><p>The text of another page.");
    let line =
        r#"-c '"$0" clean <(cat page.html) <(cat a.warc.gz) <(cat b.html) --format jsonl --max-size 1MB'"#;
    let shell = Scene::new("bash", "").env("IN", &scene.folder().display().to_string());
    let line = line.replace("\"$0\" clean", &format!("cd $IN; {} clean", env!("CARGO_BIN_EXE_tamis")));
    let ran = shell.run(&line);
    let rows = text(&ran.stdout);
    let titles: Vec<_> =
        rows.lines().filter_map(|row| row.split_once(r#""title":"#)?.1.split(',').next()).collect();
    let expected = [r#""Sieves of the world""#, r#""Sieves of the world""#, "null", "null", r#""Second""#];
    assert_eq!((ran.code, &titles[..]), (Some(0), &expected[..]), "{}", text(&ran.stderr));
    assert!(rows.starts_with(r#"{"file":"/dev/fd/"#), "{rows}");
}

#[test]
fn an_address_needs_no_scheme() {
    let scene = pages();
    scene.check("clean-bare-address", "clean sieve.example.org a.warc.gz");
    scene.check("clean-bare-address-alone", "clean example.org/");
    let archive = ArchiveBuilder::new()
        .gzip(&Record::response("https://www.sieve.org/a", http_response("text/html; charset=utf-8", PAGE)));
    let ran = scene.file("b.warc.gz", archive.build()).run("clean sieve.org/a b.warc.gz");
    assert_eq!(ran.code, Some(0));
    assert!(text(&ran.stdout).starts_with("https://www.sieve.org/a\n# Sieves of the world\n"));
}

#[test]
fn texts_that_others_took_out_of_pages_are_pages() {
    let wet = ArchiveBuilder::new()
        .gzip(&Record::warcinfo("a.warc.wet.gz"))
        .gzip(
            &Record::conversion(
                "https://sieve.example/es",
                "El tamiz\n\u{AB}Nada m\u{E1}s simple\u{BB}, dijo.\n",
            )
            .field("WARC-Identified-Content-Language", "spa,eng"),
        )
        .gzip(&Record::conversion("https://sieve.example/none", "Only words."))
        .gzip(&Record::conversion("https://sieve.example/image", "x").with("Content-Type", "image/x"));
    let scene = scene().file("a.warc.wet.gz", wet.build());
    scene.check("clean-wet", "clean a.warc.wet.gz");
    scene.check("clean-wet-rows", "clean a.warc.wet.gz --format jsonl --links --quotes --full-text");
}

#[test]
fn records_that_are_no_http_responses_are_read_or_counted() {
    let archive = ArchiveBuilder::new()
        .gzip(&Record::warcinfo("a.warc.gz"))
        .gzip(&Record::resource("file:///sieve.html", "text/html", PAGE))
        .gzip(
            &Record::response("dns:sieve.example", "20240229\nsieve.example. 1 IN A 1.2.3.4\n")
                .with("Content-Type", "text/dns"),
        )
        .gzip(&Record::response("https://sieve.example/", "no HTTP at all"));
    let scene = scene().file("a.warc.gz", archive.build());
    scene.check("clean-no-http", "clean a.warc.gz");
    scene.check("clean-no-http-rows", "clean a.warc.gz --format jsonl");
}

#[test]
fn an_archive_without_captures_says_what_it_holds() {
    let archive = ArchiveBuilder::new()
        .gzip(&Record::warcinfo("a.warc.wat.gz"))
        .gzip(&Record::metadata("https://sieve.example/", "a: b"));
    scene().file("a.warc.wat.gz", archive.build()).check("clean-wat", "clean a.warc.wat.gz");
}

#[test]
fn a_terminal_gets_nothing_to_obey() {
    let page = "<title>Red \u{1B}[31mtitle</title><p>Some \u{1B}]0;x\u{7}words\tand\u{9B}2J more of them.";
    let archive = ArchiveBuilder::new()
        .gzip(&Record::response("https://sieve.example/", http_response("text/html; charset=utf-8", page)));
    let said = text(&scene().file("a.warc.gz", archive.build()).run("clean a.warc.gz").stdout);
    assert_eq!(said, "https://sieve.example/\n# Red [31mtitle\n\nSome ]0;xwords and2J more of them.\n\n");
}

#[test]
fn the_last_lines_say_where_it_went() {
    let ran = pages().run("clean page.html --format jsonl -o rows.jsonl");
    assert_eq!(text(&ran.stderr), "     out 1 page\n      to rows.jsonl\n");
}

#[test]
fn revisits_are_counted() {
    let first = Record::response("https://sieve.example/", http_response("text/html", PAGE)).with_digests();
    let again = Record::revisit("https://sieve.example/", "HTTP/1.1 200 OK\r\n\r\n", &first);
    let archive = ArchiveBuilder::new().gzip(&first).gzip(&again);
    let ran = scene().file("a.warc.gz", archive.build()).run("clean a.warc.gz --format jsonl");
    assert_eq!(text(&ran.stderr), "     out 1 page\n dropped 1: 1 revisit\n");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_owned()).expect("UTF-8")
}
