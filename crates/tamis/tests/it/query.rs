//! `tamis query`.

use std::fs;

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response, member};

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

/// Members that the first 1,000 lines lack were left out, with exit code 0; other types in later rows were an error.
#[test]
fn all_lines_of_a_table_tell_its_columns() {
    let numbers = |line: &dyn Fn(usize) -> String| (0..1500).map(line).collect::<String>();
    let jsonl = numbers(&|at| format!("{{\"a\":{at}}}\n")) + "{\"a\":1500,\"b\":\"late\"}\n";
    let csv = "a,b\n".to_owned() + &numbers(&|at| format!("{at},x\n")) + "1500.5,late\n";
    let scene = pages().file("t.jsonl", jsonl).file("t.csv", csv).file("none.csv", "");
    for (table, expected) in [("t.jsonl", "a,b\n1500,late\n"), ("t.csv", "a,b\n1500.5,late\n")] {
        let ran = scene.run(&format!(
            "query a.warc.gz 'select * from t order by a desc limit 1' --table t={table} --format csv"
        ));
        assert_eq!((ran.code, &*String::from_utf8_lossy(&ran.stdout)), (Some(0), expected), "{ran}");
    }
    let ran = scene.run("query a.warc.gz 'select * from t' --table t=none.csv");
    assert_eq!(ran.code, Some(2), "{ran}");
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

/// A limit ended a query before the faults that it had met were reported: exit code 0 without the second page.
#[test]
fn a_limit_reports_the_faults_up_to_its_last_row_and_none_of_later_ranges() {
    let page = |at: usize| {
        Record::response(&format!("http://a.example/{at}"), http_response("text/html", noise(at)))
    };
    let damaged = |builder: ArchiveBuilder, at: usize| {
        let mut member = member::gzip(&page(at).bytes());
        let middle = member.len() / 2;
        member[middle] ^= 0x55;
        builder.part(&member)
    };
    let archive = (0..400).fold(ArchiveBuilder::new(), |builder, at| match at {
        1 | 350 => damaged(builder, at),
        _ => builder.gzip(&page(at)),
    });
    let scene = scene().file("a.warc.gz", archive.build());
    for (limit, faults) in [(2, 1), (5, 1), (150, 1), (360, 2)] {
        let run = |jobs: u8, columns: &str| {
            scene.run(&format!(
                "query a.warc.gz 'select {columns} from pages limit {limit}' --format csv -j {jobs}"
            ))
        };
        for columns in ["url", "url, title"] {
            let (one, four) = (run(1, columns), run(4, columns));
            let said = String::from_utf8_lossy(&one.stderr).into_owned();
            assert_eq!((one.code, said.lines().count()), (Some(2), faults), "{limit}, {columns}: {one}");
            assert_eq!(said, String::from_utf8_lossy(&four.stderr), "{limit}, {columns}");
            assert_eq!(one.stdout, four.stdout, "{limit}, {columns}");
        }
    }
}

/// A page that does not compress, so that archives of some pages have several ranges.
fn noise(seed: usize) -> String {
    let mut state = seed as u64 + 0x9E37_79B9_7F4A_7C15;
    let words = (0..2500).map(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        format!("{state:x}")
    });
    format!("<title>{seed}</title><p>{}</p>", words.collect::<Vec<_>>().join(" "))
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

#[test]
fn a_query_writes_no_file_however_deep_the_sink_is() {
    let scene = pages().file("kept.csv", "kept\n");
    let kept = scene.folder().join("kept.csv");
    let before = scene.files();
    let path = kept.display();
    for sql in [
        format!("copy (select url from pages) to '{path}' stored as csv"),
        format!("explain copy (select url from pages) to '{path}' stored as csv"),
        format!("explain analyze copy (select url from pages) to '{path}' stored as csv"),
        format!("explain verbose copy pages to '{path}' stored as csv"),
        format!("explain analyze verbose copy pages to '{path}.new' stored as parquet"),
        format!("create external table t (a varchar) stored as csv location '{path}'"),
        format!("explain create external table t (a varchar) stored as csv location '{path}'"),
        "create table t as select url from pages".to_owned(),
        "create view v as select url from pages".to_owned(),
        "explain analyze create table t as select url from pages".to_owned(),
        "select url into t from pages".to_owned(),
        "insert into pages select * from pages".to_owned(),
        "explain analyze insert into pages select * from pages".to_owned(),
        "delete from pages where true".to_owned(),
        "update pages set url = 'x'".to_owned(),
        "truncate table pages".to_owned(),
        "set datafusion.execution.target_partitions = 1".to_owned(),
        "explain set datafusion.execution.target_partitions = 1".to_owned(),
        "reset datafusion.execution.target_partitions".to_owned(),
        "prepare p as select url from pages".to_owned(),
        "start transaction".to_owned(),
        "create function f(int) returns int return $1".to_owned(),
        "select * from (copy pages to 'x')".to_owned(),
    ] {
        let scene = pages().file("kept.csv", "kept\n").file("q.sql", &sql);
        let ran = scene.run("query a.warc.gz -f q.sql");
        assert_eq!(ran.code, Some(2), "{sql}: {ran}");
        assert_eq!(scene.files(), ["a.warc.gz", "kept.csv", "q.sql"], "{sql}");
    }
    assert_eq!((fs::read_to_string(&kept).expect("still there").as_str(), scene.files()), ("kept\n", before));
    for sql in
        ["explain analyze select url from pages", "show tables", "describe pages", "show columns from pages"]
    {
        let ran = scene.run(&format!("query a.warc.gz '{sql}'"));
        assert_eq!(ran.code, Some(0), "{sql}: {ran}");
    }
}

#[test]
fn functions_that_grow_stay_within_the_memory() {
    let scene = pages();
    for (sql, function) in [
        ("select length(repeat('a', 2000000000))", "repeat"),
        ("select length(repeat(url, 2000000000)) from pages", "repeat"),
        ("select length(lpad('a', 2000000000))", "lpad"),
        ("select length(rpad(url, 2000000000, 'é')) from pages", "rpad"),
        ("select length(replace(repeat(url, 100000), 'e', repeat('b', 60000))) from pages", "replace"),
        (
            "select length(regexp_replace(repeat(url, 100000), 'e', repeat('b', 60000), 'g')) from pages",
            "regexp_replace",
        ),
        ("select cardinality(range(0, 2000000000))", "range"),
        ("select cardinality(generate_series(0, 2000000000 + status)) from pages", "generate_series"),
        (
            "select cardinality(generate_series(timestamp '2000-01-01', timestamp '2024-01-01', interval '1 second'))",
            "generate_series",
        ),
        ("select cardinality(array_repeat(url, 2000000000)) from pages", "array_repeat"),
        ("select cardinality(array_resize(make_array(1), 2000000000))", "array_resize"),
    ] {
        let scene = pages().file("q.sql", sql);
        let ran = scene.run("query a.warc.gz -f q.sql --memory 358MB");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.code, Some(2), "{sql}: {ran}");
        assert!(said.contains(&format!("{function} would produce more than")), "{sql}: {ran}");
    }
    for (sql, expected) in [
        ("select length(repeat('ab', 1000)) as n", "2000"),
        ("select lpad('a', 3, 'é') as n", "ééa"),
        ("select replace('aXbX', 'X', '--') as n", "a--b--"),
        ("select regexp_replace('aXbX', 'X', '-', 'g') as n", "a-b-"),
        ("select cardinality(generate_series(1, 1000)) as n", "1000"),
        (
            "select cardinality(range(timestamp '2000-01-01', timestamp '2000-02-01', interval '1 day')) as n",
            "31",
        ),
        ("select concat('a', null, 'b') as n", "ab"),
        ("select array_to_string(array_repeat('a', 3), '-') as n", "a-a-a"),
        ("select cardinality(array_concat(make_array(1), make_array(2))) as n", "2"),
    ] {
        let scene = pages().file("q.sql", sql);
        let ran = scene.run("query a.warc.gz -f q.sql --format csv");
        assert_eq!(String::from_utf8_lossy(&ran.stdout), format!("n\n{expected}\n"), "{sql}: {ran}");
    }
    scene.check(
        "query-grows",
        "query a.warc.gz 'select length(repeat(url, 2000000000)) from pages' --memory 358MB",
    );
}

#[test]
fn queries_that_are_too_deep_or_too_large_are_refused() {
    let deep = |count: usize| format!("select 1{} as n", "+1".repeat(count));
    let doubling: Vec<String> =
        (1..40).map(|at| format!(", t{at} as (select a.n from t{} a, t{} b)", at - 1, at - 1)).collect();
    let doubling = doubling.concat();
    for sql in [
        deep(100_000),
        format!("select {}1{}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("select {}true", "not ".repeat(100_000)),
        format!("select {}1", "- ".repeat(100_000)),
        format!("select x{}", "::int".repeat(100_000)),
        format!("select 1{}", " union all select 1".repeat(100_000)),
        format!("select 1 from pages{}", " cross join pages".repeat(100_000)),
        format!("select '{}'", "a".repeat(2 << 20)),
        format!("select url from pages where url in ('{}')", "a".repeat(100_000)),
        format!("with t0 as (select 1 as n){doubling} select count(*) from t39"),
        "select repeat('a', 10000000) from pages".to_owned(),
    ] {
        let ran = pages().file("q.sql", &sql).run("query a.warc.gz -f q.sql");
        let (start, _) = sql.split_at(sql.len().min(60));
        assert_eq!(ran.code, Some(2), "{start}: {ran}");
        assert!(String::from_utf8_lossy(&ran.stderr).starts_with("error: the query is "), "{start}: {ran}");
    }
    let ran = pages().file("q.sql", deep(300)).run("query a.warc.gz -f q.sql --format csv");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "n\n301\n", "{ran}");
    let of_rows = format!("select max(status{}) as n from pages", " + status".repeat(300));
    let ran = pages().file("q.sql", of_rows).run("query a.warc.gz -f q.sql --format csv");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "n\n60200\n", "{ran}");
    let terms = vec!["url like '%sieve%'"; 900].join(" or ");
    let ran = pages()
        .file("q.sql", format!("select count(*) as n from pages where {terms}"))
        .run("query a.warc.gz -f q.sql --format csv");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "n\n2\n", "{ran}");
}

#[cfg(target_os = "linux")]
#[test]
fn values_that_nobody_counts_end_the_query_before_they_fill_the_machine() {
    let doubling: Vec<String> =
        (1..40).map(|at| format!(", t{at} as (select s || s as s from t{})", at - 1)).collect();
    let doubling = doubling.concat();
    let sql = format!("with t0 as (select url as s from pages){doubling} select max(length(s)) from t39");
    let scene = pages().file("q.sql", sql).file("tmp/keep", "");
    let temp = scene.folder().join("tmp").display().to_string();
    let scene = scene.env("TMPDIR", &temp);
    let ran = scene.run("query a.warc.gz -f q.sql --memory 358MB");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(said.contains("far more memory than the limit of 358 MB") && said.contains("\nhint: "), "{ran}");
    assert_eq!(fs::read_dir(temp).expect("there").count(), 1, "what was spilled is gone");
}

#[test]
fn formulas_are_written_as_text_if_asked() {
    let scene = pages().file("q.sql", "select '=1+1' as a, -5 as b, '-5' as c, url from pages limit 1");
    let rows = |options: &str| {
        String::from_utf8_lossy(&scene.run(&format!("query a.warc.gz -f q.sql {options}")).stdout)
            .into_owned()
    };
    let url = "https://sieve.example/";
    assert_eq!(rows("--format csv"), format!("a,b,c,url\n=1+1,-5,-5,{url}\n"));
    assert_eq!(rows("--format csv --csv-safe"), format!("a,b,c,url\n'=1+1,-5,'-5,{url}\n"));
    assert_eq!(rows("--format tsv --csv-safe"), format!("a\tb\tc\turl\n'=1+1\t-5\t'-5\t{url}\n"));
    scene.check("query-csv-safe-jsonl", "query a.warc.gz -f q.sql --format jsonl --csv-safe");
}

#[test]
fn values_that_a_function_of_the_engine_panics_over_are_an_error() {
    let ran = pages().run("query a.warc.gz 'select lpad(url, -3 + status - status) from pages'");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!((ran.code, said.as_str()), (Some(2), "error: lpad cannot take these values\n"));
}

/// Two captures of a URL in one second have one key.
#[test]
fn ids_are_unique_where_keys_are_not() {
    let record = |text: &str| Record::response("http://a.example/", http_response("text/html", text));
    let one = ArchiveBuilder::new().gzip(&record("<p>one")).gzip(&record("<p>two")).build();
    let other = ArchiveBuilder::new().gzip(&record("<p>three")).build();
    let scene = scene().file("a.warc.gz", one).file("b.warc.gz", other);
    let sql = "'select count(*), count(distinct key), count(distinct id) from pages' --format csv";
    let ran = scene.run(&format!("query a.warc.gz b.warc.gz {sql}"));
    let rows = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert_eq!(rows.lines().nth(1), Some("3,1,3"), "{ran}");
}

/// The media type came with its parameters in one of them, and a page without an author had an empty one.
#[test]
fn query_and_clean_give_the_same_media_types_and_authors() {
    let scene = pages();
    let rows = |line: &str| -> Vec<(String, String, String)> {
        let ran = scene.run(line);
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        rows.map(|row| (row["url"].to_string(), row["mime_type"].to_string(), row["author"].to_string()))
            .collect()
    };
    let cleaned = rows("clean a.warc.gz --format jsonl");
    let queried = rows("query a.warc.gz 'select url, mime_type, author from pages' --format jsonl");
    assert!(
        !cleaned.is_empty() && cleaned.iter().all(|row| queried.contains(row)),
        "{cleaned:?} {queried:?}"
    );
}
