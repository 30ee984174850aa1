//! `tamis query`.

use std::fs;

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response};

use crate::scene;

const PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8>\
    <title>Sieves of the world | The Sieve</title><meta name=author content='Ann Miller'>\
    <article><h1>Sieves of the world</h1>\
    <p>A sieve is a frame with a cloth of hair or wire, and what falls through it is fine. \
    In the kitchen it parts flour from bran; at the river it parts gold from sand, and patience from haste.</p></article>";

fn archive() -> ArchiveBuilder {
    ArchiveBuilder::new()
        .gzip(&Record::response("https://sieve.example/", http_response("text/html; charset=utf-8", PAGE)))
        .gzip(&Record::response("https://sieve.example/logo.png", http_response("image/png", "\u{1}png")))
        .gzip(&Record::response("https://日本.example/a,b\t\"c\"", http_response("text/html", "<p> </p>")))
}

fn pages() -> Scene {
    scene().file("a.warc.gz", archive().build())
}

const LIST: &str = "'select url, status, time, mime, author from pages'";

#[test]
fn rows_come_in_every_form() {
    let scene = pages();
    for format in ["table", "csv", "tsv", "jsonl"] {
        scene.check(&format!("query-{format}"), &format!("query a.warc.gz {LIST} --format {format}"));
    }
}

#[test]
fn the_name_of_the_output_tells_the_form() {
    let scene = pages();
    scene.check("query-parquet", &format!("query a.warc.gz {LIST} -o rows.parquet"));
    let file = fs::read(scene.folder().join("rows.parquet")).expect("written");
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
    let streamed = scene.run(&format!("query a.warc.gz {LIST} --format parquet")).stdout;
    assert_eq!(streamed, file);
    scene.check("query-output-exists", &format!("query a.warc.gz {LIST} -o rows.parquet"));
}

#[test]
fn an_output_whose_ending_is_unknown_is_refused() {
    let scene = pages();
    scene.check("query-xlsx", &format!("query a.warc.gz {LIST} -o rows.xlsx"));
    assert!(!scene.folder().join("rows.xlsx").exists());
    let columns = scene.run("query --columns -o columns.xlsx");
    assert_eq!(columns.code, Some(2), "{columns}");
    let dedup = scene.run("dedup a.warc.gz -o duplicates.xlsx");
    assert_eq!(dedup.code, Some(2), "{dedup}");
    assert_eq!(scene.run(&format!("query a.warc.gz {LIST} -o rows.out --format csv")).code, Some(0));
}

#[test]
fn null_is_told_from_an_empty_text() {
    let scene = pages().file("q.sql", "select url, null as a, '' as b, '-' as c from pages limit 1");
    let rows = |options: &str| {
        let ran = scene.run(&format!("query a.warc.gz -f q.sql {options}"));
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    assert_eq!(rows("--format csv"), "url,a,b,c\nhttps://sieve.example/,,\"\",-\n");
    assert_eq!(rows("--format csv --null -"), "url,a,b,c\nhttps://sieve.example/,-,\"\",\"-\"\n");
    assert_eq!(rows("--format tsv --null NULL"), "url\ta\tb\tc\nhttps://sieve.example/\tNULL\t\t-\n");
    scene.check("query-null-jsonl", &format!("query a.warc.gz {LIST} --format jsonl --null NULL"));
    scene.check("query-null-comma", &format!("query a.warc.gz {LIST} --format csv --null a,b"));
}

#[test]
fn a_field_of_an_element_is_named_after_a_dot() {
    let page = "<title>t</title><p>A <a href=/one>link</a> to another page, and some words around it.</p>";
    let scene = scene().file(
        "a.warc",
        ArchiveBuilder::new()
            .plain(&Record::response("http://a.example/", http_response("text/html", page)))
            .build(),
    );
    for field in ["links[1].url", "links[1].URL", "p.links[1].url"] {
        let ran = scene.run(&format!("query a.warc 'select {field} as u from pages p' --format csv"));
        let said = format!("{field}: {ran}");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "u\nhttp://a.example/one\n", "{said}");
    }
}

/// The types of columns were guessed from pieces of the file that ended within a quoted value.
#[test]
fn csv_that_was_written_is_read_again_whatever_is_in_its_values() {
    let page = |at: usize| {
        let text = format!("<p>A path C:\\\"quoted\\\" of page {at}, and more.</p>\n").repeat(60);
        Record::response(&format!("http://a.example/{at}"), http_response("text/html", text))
    };
    let archive = (0..40).fold(ArchiveBuilder::new(), |archive, at| archive.gzip(&page(at)));
    let scene = scene().file("a.warc.gz", archive.build());
    let sql = "select url, html, text, status, links, null as nothing from pages";
    for ending in ["csv", "parquet"] {
        let ran = scene.run(&format!("query a.warc.gz '{sql}' -o rows.{ending}"));
        assert_eq!(ran.code, Some(0), "{ran}");
    }
    let read = |table: &str| {
        let sql =
            "select url, status, octet_length(html) as html, octet_length(text) as text from t order by url";
        let ran = scene.run(&format!("query a.warc.gz '{sql}' --table t={table} --format csv"));
        assert_eq!(ran.code, Some(0), "{table}: {ran}");
        String::from_utf8(ran.stdout).expect("UTF-8")
    };
    let expected = read("rows.parquet");
    assert_eq!(expected.lines().count(), 41);
    assert_eq!(read("rows.csv"), expected);
}

#[test]
fn limits_that_no_machine_can_keep_are_refused() {
    let scene = pages();
    scene.check("query-many-threads", "query a.warc.gz 'select url from pages' -j 100000");
    scene.check("query-little-memory", "query a.warc.gz 'select url from pages' --memory 1k");
    for command in ["dedup a.warc.gz", "lang a.warc.gz -o run"] {
        let ran = scene.run(&format!("{command} --memory 1k"));
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.code == Some(2) && said.contains("a query needs at least 358 MB"), "{command}: {ran}");
    }
    for command in
        ["warc ls a.warc.gz", "warc check a.warc.gz", "clean a.warc.gz", "pack a.warc.gz -o a.pack"]
    {
        let ran = scene.run(&format!("{command} -j 100000"));
        assert_eq!(ran.code, Some(2), "{command}: {ran}");
    }
    let ran = scene.run("query a.warc.gz 'select url from pages' --memory 358MB -j 1000 --format csv");
    assert_eq!(ran.code, Some(0), "threads that do not fit are not started: {ran}");
}

#[test]
fn groups_and_nothing_are_answers() {
    let scene = pages();
    scene.check("query-group", "query a.warc.gz 'select mime, count(*) as pages from pages group by mime'");
    scene.check("query-no-rows", "query a.warc.gz 'select url from pages where status = 404'");
}

#[test]
fn a_query_may_be_in_a_file_or_on_stdin() {
    let scene =
        pages().file("q.sql", "select count(*) as n\nfrom pages;\n").stdin("select count(*) as n from pages");
    let expected = "n\n3\n";
    for line in ["query a.warc.gz -f q.sql --format csv", "query a.warc.gz -f - --format csv"] {
        assert_eq!(String::from_utf8_lossy(&scene.run(line).stdout), expected, "{line}");
    }
    scene.check("query-stdin-twice", "query - -f -");
}

#[test]
fn explain_names_the_annotators() {
    let ran = pages().run("query a.warc.gz 'explain select title from pages where status = 200'");
    let plan = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert_eq!(ran.code, Some(0));
    assert!(plan.starts_with("logical plan:\n  "), "{plan}");
    assert!(plan.contains("annotators=[http, body, charset, html, metadata]"), "{plan}");
}

#[test]
fn columns_and_functions_are_listed() {
    let scene = scene();
    scene.check("query-columns", "query --columns");
    let rows = String::from_utf8(scene.run("query --columns --format jsonl").stdout).expect("UTF-8");
    assert!(rows.contains(r#"{"kind":"column","name":"title","full_name":"webpage:title""#), "{rows}");
    assert!(rows.contains(r#"{"kind":"function","name":"host(url)","full_name":null"#), "{rows}");
}

#[test]
fn what_is_wrong_with_a_query_is_told_with_its_place() {
    let scene = pages();
    scene.check("query-no-column", "query a.warc.gz 'select url, titel from pages'");
    scene.check("query-no-function", "query a.warc.gz 'select hosst(url) from pages'");
    scene.check("query-no-from", "query a.warc.gz 'select url pages limit 2'");
    scene.check("query-no-table", "query a.warc.gz 'select url from page'");
    scene.check("query-cut", "query a.warc.gz 'select url from pages where'");
    scene.check("query-group-missing", "query a.warc.gz 'select host, count(*) from pages'");
    scene.check("query-wrong-arguments", "query a.warc.gz 'select sum(url) from pages'");
    scene.check("query-syntax", "query a.warc.gz 'select url frm pages where'");
    scene.check("query-changes", "query a.warc.gz 'drop table pages'");
    scene.check("query-no-query", "query a.warc.gz");
    scene.check("query-no-input", "query 'select url from pages'");
    scene.check("query-memory", "query a.warc.gz 'select url from pages' --memory much");
}

#[test]
fn what_is_wrong_with_archives_is_told() {
    let scene = pages()
        .file("cut.warc.gz", archive().clipped_by(40).build())
        .file("empty.warc.gz", "")
        .file("noise.warc", "this is no archive at all");
    let count = "'select file, count(*) as n from pages group by file'";
    scene.check("query-missing", &format!("query a.warc.gz b.warc.gz {count}"));
    scene.check("query-damaged", &format!("query cut.warc.gz a.warc.gz {count}"));
    scene.check("query-empty", "query empty.warc.gz 'select url from pages'");
    scene.check("query-noise", &format!("query noise.warc a.warc.gz {count}"));
    scene.check("query-nothing", &format!("query missing.warc.gz {count}"));
}

#[test]
fn a_closed_pipe_is_silent() {
    let ran = pages().run_with_closed_pipe("query a.warc.gz 'select url from pages'");
    assert_eq!((ran.code, String::from_utf8_lossy(&ran.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn the_rows_are_the_same_for_any_number_of_threads_and_nothing_is_left_behind() {
    let many = (0..400).fold(ArchiveBuilder::new(), |archive, n| {
        let page =
            format!("<title>Page {n}</title><p>The text of page {n}, which has {} words.", "some ".repeat(n));
        archive.gzip(&Record::response(
            &format!("http://h{}.example/{n}", n % 7),
            http_response("text/html", &page),
        ))
    });
    let many = many.build();
    let scene = scene().file("a.warc.gz", &many).file("b.warc.gz", &many).file("tmp/keep", "");
    let scene = {
        let folder = scene.folder().join("tmp").display().to_string();
        scene.env("TMPDIR", &folder)
    };
    for sql in [
        "select url, title, text, time from pages",
        "select host, count(*), min(title) from pages group by host",
        "select distinct title from pages order by title desc limit 20",
    ] {
        for format in ["csv", "parquet"] {
            let run = |jobs: u8| {
                scene.run(&format!("query a.warc.gz b.warc.gz '{sql}' --format {format} -j {jobs}"))
            };
            let (one, three) = (run(1), run(3));
            assert_eq!((one.code, String::from_utf8_lossy(&one.stderr).as_ref()), (Some(0), ""), "{sql}");
            assert!(!one.stdout.is_empty() && one.stdout == three.stdout, "{sql} as {format}");
        }
    }
    assert_eq!(scene.files(), ["a.warc.gz", "b.warc.gz", "tmp/keep"]);
}

#[test]
fn records_larger_than_a_range_are_no_damage() {
    let page = |size: usize| http_response("text/plain", vec![b'x'; size]);
    let record =
        |number: usize| Record::response(&format!("http://a.example/{number}"), page(5_000_000 + number));
    let plain = (0..6).fold(ArchiveBuilder::new(), |builder, number| builder.plain(&record(number)));
    let scene = scene().file("large.warc", plain.build());
    for sql in [
        "select count(*) as n from pages",
        "select url from pages",
        "select status, count(*) from pages group by 1",
    ] {
        let ran = scene.run(&format!("query large.warc '{sql}' --format csv -j 2"));
        assert_eq!((ran.code, String::from_utf8_lossy(&ran.stderr).trim()), (Some(0), ""), "{sql}: {ran}");
    }
}
