//! Each class of errors that a person meets, with its message, the text that is marked, and the hint.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::QueryError;
use crate::pages::{Cut, Pages};
use crate::query::{Engine, Settings};

/// The error of a query over an empty table, be it planned or run.
fn error_of(sql: &str) -> QueryError {
    let folder = tempfile::tempdir().expect("a folder");
    let settings =
        Settings { jobs: NonZero::<usize>::MIN, memory_bytes: 64 << 20, spill: folder.path().to_owned() };
    let engine = Engine::new(settings).expect("an engine");
    let pages = Arc::new(Pages::new(Vec::new(), Cut::Whole));
    match engine.prepare(sql, &pages) {
        Err(error) => error,
        Ok(query) => engine.run(&query, &mut |_| ControlFlow::Continue(())).expect_err(sql),
    }
}

/// The part of a query that the marks are under.
fn marked(error: &str) -> String {
    let lines: Vec<&str> = error.lines().collect();
    let [_, line, marks] = lines[..] else { return String::new() };
    let (start, end) = (marks.find('^').unwrap_or_default(), marks.rfind('^').unwrap_or_default());
    line.chars().skip(start).take(end + 1 - start).collect()
}

/// Queries with the message, the marked text and the hint of their error.
const CLASSES: &[(&str, &str, &str, &str)] = &[
    // Syntax.
    ("select url", "the query has no FROM", "", "write SELECT … FROM pages"),
    ("selct url from pages", "unknown keyword selct", "selct", "did you mean SELECT?"),
    ("select url frm pages", "unknown keyword frm", "frm", "did you mean FROM?"),
    ("select url from pages wher status = 200", "unknown keyword wher", "wher", "did you mean WHERE?"),
    ("select url from pages order status", "unexpected order", "order", "write ORDER BY"),
    ("select url from pages where", "the query ends, but an expression is expected", "", ""),
    (
        "select url from pages where (status = 200",
        "the query ends, but a closing bracket is expected",
        "",
        "",
    ),
    ("select count(distinct) from pages", "expected an expression, found )", ")", ""),
    (
        "select url from pages where url = 'abc",
        "the string that starts here is not closed",
        "'",
        "end the string with a single quote; write two for a quote inside it",
    ),
    ("select url from pages; select 1", "more than one query given", "", "run one query at a time"),
    // Names.
    ("select titel from pages", "no column titel", "titel", "did you mean title?"),
    (
        "select url from pages where url = \"abc\"",
        "no column abc",
        "\"abc\"",
        "strings need single quotes: 'abc'",
    ),
    ("select p.url from pages", "unknown table p", "p", "write just url, or FROM pages p"),
    (
        "select url from page",
        "no table page",
        "page",
        "tables: pages, captures, links, duplicates (after `tamis dedup`), and those of --table NAME=FILE",
    ),
    ("select hosst(url) from pages", "no function hosst", "hosst", "did you mean host?"),
    (
        "select row_number() from pages",
        "row_number is a window function",
        "row_number",
        "write row_number() OVER (ORDER BY …)",
    ),
    (
        "select url from pages a join pages b on a.url = b.url",
        "more than one table has a column url",
        "url",
        "add the table name: TABLE.url",
    ),
    ("select links[1].urll from pages", "no field urll", "urll", "did you mean url?"),
    (
        "select links.url from pages",
        "a list has no fields",
        "links",
        "use an element, such as links[1].field, or expand it to rows with unnest(links)",
    ),
    ("select url, url from pages", "two columns are called url", "url", "rename one of them: … AS other"),
    // Types and arguments.
    ("select upper() from pages", "upper needs arguments", "upper", "write upper(text)"),
    ("select upper(url, url) from pages", "upper does not take (text, text)", "upper", "write upper(text)"),
    ("select length(links) from pages", "length does not take (list)", "length", "write length(text)"),
    ("select host(url, url) from pages", "host does not take (text, text)", "host", "write host(text)"),
    (
        "select url + 1 from pages",
        "cannot compute text + integer",
        "",
        "cast(… as double) converts a string to a number",
    ),
    (
        "select url from pages where title",
        "WHERE needs a condition, but title is text",
        "title",
        "compare it with something, or write IS NOT NULL",
    ),
    (
        "select url from pages where status = 'abc'",
        "'abc' is not an integer",
        "'abc'",
        "`try_cast(… as …)` gives null where a value has another type",
    ),
    (
        "select url from pages where time > '2020-13-45'",
        "'2020-13-45' is not a timestamp",
        "'2020-13-45'",
        "write it as '2024-05-06' or '2024-05-06T07:08:09Z'",
    ),
    ("select url from pages where url ~ '('", "invalid regular expression: unclosed group", "", ""),
    // Aggregates.
    (
        "select url, count(*) from pages",
        "url is neither grouped by nor aggregated",
        "url",
        "add GROUP BY url, or use an aggregate such as min(url)",
    ),
    (
        "select url from pages where count(*) > 1",
        "WHERE cannot use aggregates",
        "count",
        "use HAVING, after GROUP BY",
    ),
    (
        "select max(count(*)) from pages",
        "aggregates cannot be nested",
        "",
        "compute the inner one in a subquery",
    ),
];

#[test]
fn each_class_of_errors_has_a_plain_message_with_its_place() {
    for &(sql, message, place, hint) in CLASSES {
        let error = error_of(sql);
        let text = error.to_string();
        assert_eq!(text.lines().next(), Some(message), "{sql}: {text}");
        assert_eq!(marked(&text).trim(), place, "{sql}: {text}");
        assert_eq!(error.hint().unwrap_or_default(), hint, "{sql}");
    }
}

#[test]
fn no_message_shows_internals() {
    for sql in [
        "select sum(url) from pages",
        "select substr(url) from pages",
        "select array_length(url) from pages",
        "select time + 1 from pages",
        "select url from pages where url like 5",
        "select links['url'] from pages",
        "select url from pages where status = $1",
        "select url from pages limit -1",
        "select offset, titel from pages",
    ] {
        let error = error_of(sql);
        let all = format!("{error} {}", error.hint().unwrap_or_default());
        for internal in
            ["Utf8", "Int64", "Struct(", "Span", "Internal error", "DataFusion", "Error during", "EOF"]
        {
            assert!(!all.contains(internal), "{sql}: {all}");
        }
    }
}
