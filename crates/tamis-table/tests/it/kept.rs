//! Kept columns and archives give the same rows, in the same order, and only what is missing is computed.

use std::fs;

use datafusion::arrow::util::pretty::pretty_format_batches;

use crate::lazy::{expected, steps_of};
use crate::materialise::{Case, lost_parts, two_archives};
use crate::rows::{gzipped, pages};

/// Queries whose rows must not depend on what is kept.
const QUERIES: [&str; 8] = [
    "select count(*) from pages",
    "select url, title from pages",
    "select id, key, url, file, \"offset\", length, title, text from pages",
    "select url, html from pages where title = 'Title 4'",
    "select title from pages where text like '%torrents%' and url like '%7%'",
    "select title, surt from pages where surt > 'b' limit 7 offset 3",
    "select url from pages limit 5 offset 70",
    "select host, count(*), max(length(html)) from pages where status = 200 group by host",
];

#[test]
fn rows_and_their_order_do_not_depend_on_what_is_kept() {
    let case = Case::of(&two_archives());
    let before = QUERIES.map(|sql| case.ask(sql));
    for columns in [&["url"][..], &["title", "key"], &["url", "title", "text", "host", "status"], &["html"]] {
        case.clean(columns, 2, 3000);
        assert_eq!(QUERIES.map(|sql| case.ask(sql)), before, "{columns:?}");
    }
}

#[test]
fn only_what_is_not_kept_is_computed() {
    let case = Case::of(&two_archives());
    case.clean(&["url", "title", "status"], 2, 3000);
    let steps = |sql: &str| steps_of(&case.run(sql).1);
    for sql in [
        "select url, title from pages where duplicate_of is null",
        "select title, relevance, events, tweet_ids, collection_name from pages",
        "select count(*) from pages where title like 'Title 1%'",
    ] {
        assert_eq!(steps(sql), expected(&[]), "{sql}");
        let plan = case.ask(&format!("explain {sql}"));
        assert!(plan.contains("kept and archive: 0, archive: 0]"), "{plan}");
    }
    let text = [("body", 1), ("charset", 1), ("html", 1), ("text", 1)];
    assert_eq!(steps("select title, text from pages where title = 'Title 4'"), expected(&text));
    let plan = case.ask("explain select title, text from pages");
    assert!(plan.contains("ranges=[kept: 0, kept and archive:") && plan.contains("archive: 0]"), "{plan}");
    assert!(plan.contains("annotators=[http, body, charset, html, text]"), "{plan}");
}

#[test]
fn an_archive_that_is_gone_is_not_missed_by_queries_of_kept_columns() {
    let case = Case::of(&two_archives());
    case.clean(&["url", "title"], 2, 3000);
    let before = case.ask("select id, url, title from pages");
    for name in ["a.warc.gz", "b.warc.gz"] {
        fs::remove_file(case.root().join("archive").join(name)).expect("it is there");
    }
    assert_eq!(case.ask("select id, url, title from pages"), before);
}

#[test]
fn a_flipped_bit_in_a_part_never_changes_rows() {
    let case = Case::of(&[("a.warc.gz", gzipped(&pages(300)))]);
    case.clean(&["url", "title", "text", "length"], 1, 1 << 30);
    let sql = "select id, url, title, text, length from pages";
    let before = case.ask(sql);
    let (name, bytes) = case.parts().pop_first().expect("a part");
    let path = case.root().join("pages").join(name);
    let mut reported = 0;
    for at in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, damaged).expect("it can be written");
        let (rows, _, pages) = case.run(sql);
        assert_eq!(pretty_format_batches(&rows).expect("it prints").to_string(), before, "byte {at}");
        reported += usize::from(!lost_parts(&pages).is_empty());
    }
    assert!(reported >= 40, "the whole file is one block: {reported}");
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("it can be written");
    assert_eq!(case.clean(&["url"], 1, 1 << 30).parts, 1, "what is cut is made again");
    assert_eq!(fs::read(&path).expect("it reads"), bytes);
}

#[test]
fn captures_that_dedup_has_not_compared_are_counted() {
    let case = Case::of(&two_archives());
    let uncompared = |sql: &str| {
        let (_, _, pages) = case.run(sql);
        (0..2).map(|member| pages.uncompared(member)).sum::<u64>()
    };
    for kept in [false, true] {
        if kept {
            case.clean(&["url", "title"], 2, 3000);
        }
        assert_eq!(uncompared("select url, duplicate_of from pages"), 150);
        assert_eq!(uncompared("select url from pages where duplicate_of is null"), 150);
        assert_eq!(uncompared("select url from pages"), 0);
    }
}

#[test]
fn archives_that_are_still_being_written_are_read_as_far_as_they_are_whole() {
    let case = Case::of(&two_archives());
    let whole = gzipped(&pages(30));
    let torn = &whole[..whole.len() - 7];
    fs::write(case.root().join("archive/c.warc.gz.open"), torn).expect("it can be written");
    assert!(case.ask("select count(*) from pages").contains("| 179 "));
    assert!(case.ask("select count(*) from pages where file = 'c.warc.gz'").contains("| 29 "));
}
