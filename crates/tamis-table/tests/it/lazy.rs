//! Only what is asked for is computed: the steps taken are counted.

use std::collections::BTreeMap;

use tamis_table::query::Prepared;
use tamis_table::{COLUMNS, Cut, Stages, metric_name};

use crate::rows::{Table, page, pages};

/// How often each step was taken for a query, those never taken left out.
fn steps(table: &Table, sql: &str) -> BTreeMap<&'static str, usize> {
    steps_of(&table.run(sql).1)
}

/// How often each step was taken by a query that ran.
pub(crate) fn steps_of(prepared: &Prepared) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let mut plans = vec![prepared.plan().clone()];
    while let Some(plan) = plans.pop() {
        plans.extend(plan.children().into_iter().cloned());
        let metrics = plan.metrics().unwrap_or_default();
        for name in Stages::all_names() {
            let count = metrics.sum_by_name(&metric_name(name)).map_or(0, |value| value.as_usize());
            *counts.entry(name).or_default() += count;
        }
    }
    counts.retain(|_, count| *count > 0);
    counts
}

pub(crate) fn expected(steps: &[(&'static str, usize)]) -> BTreeMap<&'static str, usize> {
    steps.iter().copied().collect()
}

#[test]
fn what_heads_say_parses_nothing() {
    let table = Table::of(&pages(20));
    for sql in [
        "select count(*) from pages",
        "select url, status from pages",
        "select status, count(*) from pages group by status",
        "select mime_type, domain_name, time, length from pages where host = 'a.example' order by url",
        "select url from pages where title is not null and url = 'none'",
    ] {
        assert_eq!(steps(&table, sql), expected(&[]), "{sql}");
    }
}

#[test]
fn a_title_needs_no_main_text_and_a_text_no_metadata() {
    let table = Table::of(&pages(20));
    let parsed = [("body", 20), ("charset", 20), ("html", 20)];
    let with = |step| expected(&[&parsed[..], &[(step, 20)]].concat());
    assert_eq!(steps(&table, "select title from pages"), with("metadata"));
    assert_eq!(steps(&table, "select max(length(text)) from pages"), with("text"));
    assert_eq!(steps(&table, "select sub_urls from pages"), with("links"));
    assert_eq!(steps(&table, "select html from pages"), expected(&parsed[..2]));
}

#[test]
fn dear_columns_are_computed_for_rows_that_pass_the_filter() {
    let table = Table::of(&pages(20));
    for (sql, html, text) in [
        ("select text from pages where url = 'http://a.example/3'", 1, 1),
        ("select text from pages where host = 'a.example' and url like '%1%'", 11, 11),
        ("select text from pages where title = 'Title 4'", 20, 1),
        ("select text from pages where title = 'Title 4' and url like '%4'", 2, 1),
    ] {
        let steps = steps(&table, sql);
        assert_eq!((steps["html"], steps["text"]), (html, text), "{sql}");
    }
}

#[test]
fn a_limit_stops_reading() {
    let table = Table::of(&pages(600)).with(2, Cut::Whole);
    for (sql, html, text) in [
        ("select text from pages limit 3", 3, 3),
        ("select text from pages where title like 'Title 1%' limit 2", 11, 2),
        ("select text from pages where url like '%1' limit 2 offset 1", 3, 3),
    ] {
        let steps = steps(&table, sql);
        assert_eq!((steps["html"], steps["text"]), (html, text), "{sql}");
    }
}

#[test]
fn every_column_brings_its_steps_and_no_others() {
    let table = Table::of(&[page("http://a.example/", "A title")]);
    for column in COLUMNS {
        let taken = steps(&table, &format!("select \"{}\" from pages", column.name));
        // Reading a head costs nothing that is worth counting; quotes are found in a text that is there.
        let named = column.stages.names().filter(|name| !matches!(*name, "http" | "quotes"));
        assert_eq!(taken, named.map(|name| (name, 1)).collect(), "{}", column.name);
    }
}

#[test]
fn a_plan_names_what_will_run() {
    let table = Table::of(&pages(1));
    let (rows, _) = table.run("explain select title from pages where status = 200");
    let text = format!("{rows:?}");
    assert!(text.contains("annotators=[http, body, charset, html, metadata]"), "{text}");
    assert!(text.contains("predicate=status"), "{text}");
    assert!(!text.contains("FilterExec"), "{text}");
}
