//! Same records, same answers: by every command, whatever the format, the number of files and threads, and whether they are in a
//! collection that keeps columns.

use std::fs;
use std::thread;

use serde_json::Value;
use tamis_testkit::{ArchiveBuilder, Record, Scene, arc, http_response, member};

use crate::scene;

const THREADS: usize = 2;
const TEXT: &str = "A sieve is a frame with a cloth of hair or wire, and what falls through it is fine. In the kitchen it \
    parts flour from bran; at the river it parts gold from sand, and patience from haste. Nobody has ever seen a sieve in a \
    hurry, and those who shake it too much find all of the stones in the bread of the next morning.";
const GERMAN: &str = "Ein Sieb ist ein Rahmen mit einem Geflecht aus Haar oder Draht, und was hindurchf\u{e4}llt, ist fein. In der \
    K\u{fc}che trennt es das Mehl von der Kleie, am Fluss das Gold vom Sand, und immer die Geduld von der Eile.";

/// Columns that say where a record is stored, or are known in a collection only.
const OF_PLACE: [&str; 16] = [
    "id",
    "file",
    "offset",
    "in_member",
    "length",
    "filename",
    "kept_id",
    "kept_file",
    "kept_offset",
    "archives",
    "stored_bytes",
    "shared",
    "collection_id",
    "collection_name",
    "record_id",
    "ip",
];

/// A message with these lines after its status line.
fn message(status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 {status}\r\n{fields}\r\n\r\n").as_bytes(), body].concat()
}

fn html(title: &str, text: &str) -> String {
    format!(
        "<html lang=en><title>{title}</title><h1>{title}</h1><p>{text}</p><p>He said \u{201c}we {title} it\u{201d}, \
         and went <a href=/next>on to the next</a>.</p>"
    )
}

fn chunked(body: &[u8]) -> Vec<u8> {
    let chunk = |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let chunks: Vec<u8> = body.chunks(70).flat_map(chunk).collect();
    [&chunks[..], b"0\r\n\r\n"].concat()
}

/// Messages of all kinds, which any format can hold.
fn messages() -> Vec<(String, &'static str, Vec<u8>)> {
    let page = "text/html; charset=utf-8";
    let coded =
        |name: &str, body: Vec<u8>| message("200 OK", &format!("Content-Type: text/html\r\n{name}"), &body);
    let body = html("Coded", TEXT).into_bytes();
    let mut list = vec![
        (
            "text/html",
            http_response(
                "text/html; charset=windows-1251",
                b"<title>\xcf\xf0\xe8\xe2\xe5\xf2</title><p>\xec\xe8\xf0",
            ),
        ),
        (
            "text/html",
            http_response(
                "text/html",
                b"<meta charset=gbk><title>\xc4\xe3\xba\xc3</title><p>\xc4\xe3\xba\xc3",
            ),
        ),
        (
            "text/html",
            http_response(
                "text/html; charset=shift_jis",
                b"<title>\x93\xfa\x96\x7b</title><p>\x93\xfa\x96\x7b",
            ),
        ),
        (
            "text/html",
            http_response(
                "text/html; charset=iso-8859-1",
                b"<title>caf\xe9</title><p>Un caf\xe9, s'il vous pla\xeet.",
            ),
        ),
        ("text/html", http_response("text/html", b"\xff\xfe<\0p\0>\0h\0i\0")),
        ("text/html", coded("Transfer-Encoding: chunked", chunked(&body))),
        ("text/html", coded("Content-Encoding: gzip", member::gzip(&body))),
        (
            "text/html",
            coded("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", chunked(&member::gzip(&body))),
        ),
        ("text/html", message("301 Moved Permanently", "Location: /elsewhere?a=b\r\nContent-Length: 0", b"")),
        (
            "text/html",
            message("302 Found", "Location: http://b.example/\r\nContent-Type: text/html", b"<p>moved"),
        ),
        (
            "text/html",
            message("404 Not Found", "Content-Type: text/html", b"<title>Gone</title><p>Not here."),
        ),
        ("text/html", message("200 OK", "Server: x", b"<title>Untyped</title><p>No type is stated.")),
        ("text/html", http_response("text/html", "")),
        ("image/png", http_response("image/png", b"\x89PNG\r\n\x1a\n the same picture")),
        ("image/png", http_response("image/png", b"\x89PNG\r\n\x1a\n the same picture")),
        ("image/gif", http_response("image/gif", b"")),
        ("application/json", http_response("application/json", "{\"a\": [1, 2]}")),
        ("text/plain", http_response("text/plain; charset=utf-8", TEXT)),
        ("text/html", http_response(page, html("Large", &format!("{TEXT} ").repeat(300)))),
        (
            "application/warc",
            http_response(
                "application/warc",
                Record::response("http://inner.example/", http_response(page, "inner")).bytes(),
            ),
        ),
        (
            "application/gzip",
            http_response(
                "application/gzip",
                member::gzip(
                    &Record::response("http://inner.example/", http_response(page, "inner")).bytes(),
                ),
            ),
        ),
    ];
    for at in 0..24 {
        let text = match at % 4 {
            0 => TEXT.to_owned(),
            1 => TEXT.replace("hurry", &format!("hurry {at}")),
            2 => GERMAN.to_owned(),
            _ => format!("Page {at} has {}.", "some words of its own ".repeat(at + 3)),
        };
        list.push(("text/html", http_response(page, html(&format!("Page {}", at / 2), &text))));
    }
    let url = |at: usize| format!("http://{}.example/{at}", ["a", "b", "c"][at % 3]);
    list.into_iter().enumerate().map(|(at, (mime, message))| (url(at), mime, message)).collect()
}

/// All kinds of records. Some state digests, others do not.
fn records() -> Vec<Record> {
    let response = |(at, (url, _, message)): (usize, (String, &str, Vec<u8>))| {
        let record = Record::response(&url, message).field("WARC-IP-Address", "192.0.2.7");
        if at % 2 == 0 { record.with_digests() } else { record }
    };
    let mut records = vec![Record::warcinfo("a.warc.gz")];
    records.extend(messages().into_iter().enumerate().map(response));
    let first = records[1].clone();
    let url = "http://a.example/0";
    records.extend([
        Record::request(url),
        Record::metadata(url, "via: http://seed.example/\r\n"),
        Record::revisit(url, "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", &first),
        Record::resource("http://a.example/file.html", "text/html", html("Resource", TEXT)),
        Record::resource("http://a.example/notes.txt", "text/plain", "some notes"),
        Record::conversion("http://a.example/wet", TEXT).field("WARC-Identified-Content-Language", "eng"),
        Record::conversion("http://a.example/wet-de", GERMAN),
    ]);
    records
}

fn build(records: &[Record], add: impl Fn(ArchiveBuilder, &Record) -> ArchiveBuilder) -> Vec<u8> {
    records.iter().fold(ArchiveBuilder::new(), add).build()
}

fn done(scene: &Scene, line: &str) {
    let ran = scene.run(line);
    assert_eq!(ran.code, Some(0), "{line}: {ran}");
}

/// Adds a query of all columns but those of `dedup`, which archives that are in no collection have no values of.
fn with_query(scene: Scene) -> Scene {
    let ran = scene.run("query --columns --format jsonl");
    let columns = std::str::from_utf8(&ran.stdout).expect("UTF-8").lines().map(|line| {
        let column: Value = serde_json::from_str(line).expect("JSON");
        (column["kind"] == "column", column["name"].as_str().expect("text").to_owned())
    });
    let of_dedup = ["duplicate_of", "duplicate_kind", "similarity"];
    let columns = columns.filter(|(is_column, name)| *is_column && !of_dedup.contains(&&**name));
    let columns: Vec<String> = columns.map(|(_, name)| format!("\"{name}\"")).collect();
    scene.file("pages.sql", format!("select {} from pages", columns.join(", ")))
}

/// The records in every form, each with the words that name it on a command line.
fn forms(scene: Scene) -> (Scene, Vec<String>) {
    let records = records();
    let gzip = build(&records, ArchiveBuilder::gzip);
    let whole: Vec<u8> = records.iter().flat_map(Record::bytes).collect();
    let parts: Vec<&[Record]> = records.chunks(records.len().div_ceil(3)).collect();
    let mut scene = scene
        .file("gzip.warc.gz", &gzip)
        .file("plain.warc", &whole)
        .file("zstd.warc.zst", build(&records, ArchiveBuilder::zstd))
        .file("solid.warc.gz", member::gzip(&whole))
        .file("solid.warc.zst", member::zstd(&whole));
    for (part, at) in parts.iter().zip(0..) {
        scene = scene.file(&format!("parts/{at}.warc.gz"), build(part, ArchiveBuilder::gzip));
    }
    for line in [
        "warc convert gzip.warc.gz -o dictionary.warc.zst --dictionary train",
        "pack gzip.warc.gz -o gzip.warc.gz.pack --order crawl --profile fast",
        "pack parts/0.warc.gz parts/1.warc.gz parts/2.warc.gz -o packs/ --order crawl --profile record",
        "warc wacz create gzip.warc.gz -o one.wacz",
        "warc wacz create parts/0.warc.gz parts/1.warc.gz parts/2.warc.gz -o three.wacz",
        "new copied",
        "import copied gzip.warc.gz",
        "new some",
        "import some parts",
        "clean some --columns url,title,digest,links",
        "new kept",
        "import kept gzip.warc.gz.pack --reference",
        "clean kept --columns all",
        "new package",
        "import package three.wacz",
        "clean package",
    ] {
        done(&scene, line);
    }
    let forms = "gzip.warc.gz plain.warc zstd.warc.zst dictionary.warc.zst solid.warc.gz solid.warc.zst parts \
        gzip.warc.gz.pack packs one.wacz three.wacz copied some kept package";
    let forms = forms.split_whitespace().map(str::to_owned).collect();
    (scene, forms)
}

/// Rows as JSON, without what says where a record is.
fn rows(stdout: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(stdout).expect("UTF-8");
    let row = |line: &str| {
        // CDXJ has a key and a date before its object.
        let (key, object) = line.split_at(line.find('{').expect("an object"));
        let mut object: serde_json::Map<String, Value> = serde_json::from_str(object).expect("JSON");
        object.retain(|name, _| !OF_PLACE.contains(&&**name));
        format!("{key}{}", Value::Object(object))
    };
    text.lines().map(row).collect()
}

fn sorted(mut rows: Vec<String>) -> Vec<String> {
    rows.sort();
    rows
}

/// Lines as they are.
fn lines(stdout: &[u8]) -> Vec<String> {
    std::str::from_utf8(stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// Rows of CSV or Parquet, as the program itself reads them.
fn table(scene: &Scene, stdout: &[u8], name: &str) -> Vec<String> {
    fs::write(scene.folder().join(name), stdout).expect("writable");
    let columns =
        "url, title, text, status_code, mime_type, domain_name, keywords, charset, date, description";
    let line = format!("query plain.warc 'select {columns} from t' --table t={name} --format jsonl");
    let ran = scene.run(&line);
    assert_eq!(ran.code, Some(0), "{line}: {ran}");
    rows(&ran.stdout)
}

/// Rows of the reference's columns, without those of a collection.
fn reference_rows(stdout: &[u8]) -> Vec<String> {
    let lines: Vec<Vec<&str>> =
        std::str::from_utf8(stdout).expect("UTF-8").lines().map(|line| line.split('\t').collect()).collect();
    let names = lines[0].clone();
    let cells = |line: Vec<&str>| {
        let cells = names.iter().zip(line).filter(|(name, _)| !name.starts_with("metadata:collection"));
        cells.map(|(_, cell)| cell).collect::<Vec<_>>().join("\t")
    };
    lines.into_iter().map(cells).collect()
}

/// What a command answers about a form.
fn answer(scene: &Scene, form: &str, question: &str) -> Vec<String> {
    let line = question.replace("FORM", form);
    let ran = scene.run(&line);
    assert_eq!(ran.code, Some(0), "{line}: {ran}");
    let kind = question.rsplit("--format ").next().unwrap_or_default();
    let file = format!("{}.{kind}", form.replace(['/', '.'], "-"));
    match kind {
        "csv" | "parquet" => table(scene, &ran.stdout, &file),
        "tsv" => reference_rows(&ran.stdout),
        // They are in the order of offsets, which records of one compressed member have in common.
        _ if question.starts_with("dedup") => sorted(rows(&ran.stdout)),
        "jsonl" => rows(&ran.stdout),
        _ if question.starts_with("warc index") => rows(&ran.stdout),
        _ => lines(&ran.stdout),
    }
}

const QUESTIONS: [&str; 14] = [
    "query FORM -f pages.sql -j 1 --format jsonl",
    "query FORM 'select key, url, type, time, status, mime_type, digest, host from captures' -j 3 --format jsonl",
    "query FORM 'select source, target, kind, anchor from links' --format jsonl",
    "clean FORM --format text",
    "clean FORM --links --quotes --full-text --format jsonl",
    "clean FORM --format csv",
    "clean FORM --format tsv",
    "clean FORM --format parquet",
    "lang FORM -o -",
    "dedup FORM --keep longest --format jsonl",
    "warc ls FORM --format jsonl",
    "warc stats FORM --format jsonl",
    "warc index FORM",
    "warc get http://a.example/6 FORM",
];

/// Whether a row of `warc stats` says how records are stored: their compression, and that they share members.
fn is_of_storage(row: &str) -> bool {
    row.contains(r#""by":"compression""#) || row.contains(r#""key":"member-shared""#)
}

/// The questions whose answers differ between a form and plain files.
fn differing(scene: &Scene, form: &str, expected: &[Vec<String>], questions: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (question, expected) in questions.iter().zip(expected) {
        // No index can say where a record is that shares its compressed member with others.
        if question.starts_with("warc get") && form.starts_with("solid") {
            continue;
        }
        let mut found = answer(scene, form, question);
        if question.starts_with("warc stats") {
            found.retain(|line| !is_of_storage(line));
        }
        if found != *expected {
            let differing = found.iter().zip(expected).find(|(found, expected)| found != expected);
            wrong.push(format!(
                "{form}: {question}: {} rows of {}: {differing:?}",
                found.len(),
                expected.len()
            ));
        }
    }
    wrong
}

fn expected(scene: &Scene, form: &str, questions: &[&str]) -> Vec<Vec<String>> {
    let answers = questions.iter().map(|question| {
        let mut lines = answer(scene, form, question);
        lines.retain(|line| !is_of_storage(line));
        assert!(!lines.is_empty(), "{question}");
        lines
    });
    answers.collect()
}

#[test]
fn every_command_gives_the_same_answer_about_the_same_records_in_every_form() {
    let (scene, forms) = forms(with_query(scene()));
    let expected = expected(&scene, "plain.warc", &QUESTIONS);
    assert_eq!(expected[0].len(), messages().len() + 5, "all captures have rows");
    let check = |thread: usize| {
        let forms = forms.iter().skip(thread).step_by(THREADS);
        forms.flat_map(|form| differing(&scene, form, &expected, &QUESTIONS)).collect::<Vec<_>>()
    };
    let wrong: Vec<String> = thread::scope(|threads| {
        let check = &check;
        let running: Vec<_> = (0..THREADS).map(|thread| threads.spawn(move || check(thread))).collect();
        running.into_iter().flat_map(|thread| thread.join().expect("it ends")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    done(&scene, "unpack gzip.warc.gz.pack -o back.warc.gz");
    let read = |name: &str| fs::read(scene.folder().join(name)).expect("there");
    assert!(read("back.warc.gz") == read("gzip.warc.gz"), "every byte comes back");
}

#[test]
fn arc_and_warc_give_the_same_answers() {
    let arc_records = messages().into_iter().map(|(url, mime, message)| arc::record(&url, mime, &message));
    // A response without a status line, as early crawlers kept them: a resource in WARC.
    let raw =
        arc::record("http://a.example/raw.html", "text/html", b"<title>Raw</title><p>No status line.</p>");
    let records = arc_records.flatten().chain(raw);
    let arc: Vec<u8> = arc::version_block_1_0("a.arc").into_iter().chain(records).collect();
    let scene =
        with_query(scene()).file("plain.warc", "").file("a.arc", &arc).file("a.arc.gz", member::gzip(&arc));
    done(&scene, "warc convert a.arc -o converted.warc.gz");
    done(&scene, "pack a.arc -o a.arc.pack --order crawl --profile fast");
    let questions: Vec<&str> = QUESTIONS.into_iter().filter(|question| !question.contains("warc ")).collect();
    let questions: Vec<&str> = questions.into_iter().filter(|question| !question.contains("csv")).collect();
    let expected = expected(&scene, "a.arc", &questions);
    let forms = ["a.arc.gz", "a.arc.pack", "converted.warc.gz"];
    let wrong: Vec<String> =
        forms.iter().flat_map(|form| differing(&scene, form, &expected, &questions)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn html_files_give_the_same_answers_one_by_one_and_in_a_folder() {
    let page = |at: usize| html(&format!("Page {at}"), &format!("{TEXT} {at}"));
    let scene = (0..6).fold(scene().file("plain.warc", ""), |scene, at| {
        scene.file(&format!("mirror/example.org/{at}.html"), page(at))
    });
    let scene = scene.file("mirror/example.org/index.html", html("Home", GERMAN));
    let names: Vec<String> = (0..6).map(|at| format!("mirror/example.org/{at}.html")).collect();
    let each = format!("{} mirror/example.org/index.html", names.join(" "));
    done(&scene, "new c");
    done(&scene, "import c mirror");
    let questions = [
        "query FORM 'select url, title, text, links, time, digest, languages from pages' --format jsonl",
        "clean FORM --format text",
        "lang FORM -o -",
        "dedup FORM --format jsonl",
    ];
    let expected = expected(&scene, &each, &questions);
    let wrong: Vec<String> = ["mirror", "mirror/example.org", "c"]
        .iter()
        .flat_map(|form| differing(&scene, form, &expected, &questions))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// WET files lacked the pages that an ARC holds without an HTTP message: the type on the line of the record was not read.
#[test]
fn wet_files_have_the_texts_of_the_table() {
    let arc_records = messages().into_iter().map(|(url, mime, message)| arc::record(&url, mime, &message));
    let raw = [("page", "text/html"), ("picture", "image/svg+xml")];
    let raw = raw.map(|(name, mime)| {
        arc::record(
            &format!("http://a.example/raw-{name}"),
            mime,
            format!("<p>A {name} of a sieve.").as_bytes(),
        )
    });
    let arc: Vec<u8> =
        arc::version_block_1_0("a.arc").into_iter().chain(arc_records.chain(raw).flatten()).collect();
    let scene = scene().file("a.arc", &arc).file("a.warc.gz", build(&records(), ArchiveBuilder::gzip));
    for archive in ["a.arc", "a.warc.gz"] {
        done(&scene, &format!("warc wet {archive} -o {archive}.wet"));
        let texts = |archive: &str, column: &str| {
            let sql = format!(
                "select url, {column} as text from pages where type <> $$conversion$$ and {column} <> $$$$"
            );
            let sql = if column == "text" { sql.replace("<> $$conversion", "= $$conversion") } else { sql };
            sorted(answer(&scene, archive, &format!("query FORM '{sql}' --format jsonl")))
        };
        let expected = texts(archive, "full_text");
        assert!(expected.len() > 20, "{expected:?}");
        assert_eq!(texts(&format!("{archive}.wet"), "text"), expected, "{archive}");
    }
}

/// The queries that the README shows of collections, and the output of its plan.
const KEPT_QUERIES: [&str; 7] = [
    "select title, domain_name, date from pages where text like $$%sieve%$$",
    "select url, title from pages where duplicate_of is null",
    "select url, title, text from pages where duplicate_of is null",
    "select mime, count(*) from pages group by mime",
    "select url, people, locations from pages where text_language = $$eng$$",
    "select languages[1].language as main, count(*) from pages group by main",
    "select target, count(*) from links where kind = $$anchor$$ group by target order by 2 desc limit 10",
];

#[test]
fn what_is_kept_is_answered_without_the_archives() {
    let scene = scene().file("gzip.warc.gz", build(&records(), ArchiveBuilder::gzip));
    for line in ["new c", "import c gzip.warc.gz", "clean c --columns light,words", "dedup c", "report c"] {
        done(&scene, line);
    }
    let report = |scene: &Scene| {
        let html = fs::read_to_string(scene.folder().join("c/report.html")).expect("written");
        html.lines().filter(|line| !line.contains("Made by tamis")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (of_report, of_status) = (report(&scene), scene.run("status c").stdout);
    let queries = KEPT_QUERIES.map(|sql| {
        let plan = scene.run(&format!("query c 'explain {sql}'")).stdout;
        let plan = String::from_utf8_lossy(&plan).into_owned();
        assert!(plan.contains("kept and archive: 0, archive: 0]"), "{sql}: {plan}");
        format!("query c '{sql}' --format jsonl")
    });
    let before = queries.each_ref().map(|line| answer(&scene, "c", line));
    assert!(before.iter().all(|rows| !rows.is_empty()), "{before:?}");
    fs::remove_file(scene.folder().join("c/archive/gzip.warc.gz")).expect("there");
    for (line, before) in queries.iter().zip(before) {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(2), "it says that the archive is missing: {ran}");
        assert_eq!(rows(&ran.stdout), before, "{line}");
    }
    assert_eq!(scene.run("report c --force").code, Some(2));
    assert_eq!(report(&scene), of_report);
    let status = scene.run("status c");
    let (now, before) = (String::from_utf8_lossy(&status.stdout), String::from_utf8_lossy(&of_status));
    let now: Vec<String> = now.lines().map(|line| line.replace(", MISSING", "")).collect();
    assert!(before.lines().all(|line| now.iter().any(|other| other == line)), "{now:?}: {before}");
}
