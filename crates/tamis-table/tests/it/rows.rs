//! Rows, their order, and the books.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use tamis_archive::wacz::{Wacz, WaczEntry};
use tamis_archive::{Door, Opener, Source};
use tamis_table::query::{Engine, Prepared, Settings};
use tamis_table::{COLUMNS, Column, Context, Cut, Limits, Member, Pages};
use tamis_testkit::{ArchiveBuilder, Record, http_response};

/// Archives in a folder of their own, as a table.
pub(crate) struct Table {
    folder: tempfile::TempDir,
    sources: Vec<Source>,
    jobs: usize,
    cut: Cut,
    context: Arc<Context>,
}

pub(crate) fn page(url: &str, title: &str) -> Record {
    let html = format!(
        "<html lang=en><title>{title}</title><h1>{title}</h1><p>It was a dark and stormy night, said \
         \u{201c}the old man\u{201d}, and <a href=/next>the rain fell in torrents</a>."
    );
    Record::response(url, http_response("text/html; charset=utf-8", html))
}

pub(crate) fn pages(count: usize) -> Vec<Record> {
    (0..count).map(|at| page(&format!("http://a.example/{at}"), &format!("Title {at}"))).collect()
}

pub(crate) fn gzipped(records: &[Record]) -> Vec<u8> {
    records.iter().fold(ArchiveBuilder::new(), ArchiveBuilder::gzip).build()
}

/// A door that knows packs.
pub(crate) fn door() -> Door {
    Door::new([tamis_pack::open_bytes as Opener])
}

/// The archives that a file holds: those of a WACZ package, or the file itself.
fn archives_in(path: PathBuf) -> Vec<Source> {
    let Ok(mut package) = Wacz::open(&path) else { return vec![door().source(path)] };
    let ranges = package.warc_ranges().expect("a sound package");
    let part = |(entry, range): (WaczEntry, Option<_>)| {
        Source::part(&path, entry.name, range.expect("stored as it is"))
    };
    ranges.into_iter().map(part).collect()
}

impl Table {
    pub(crate) fn of(records: &[Record]) -> Self {
        Self::of_bytes(&[&gzipped(records)])
    }

    pub(crate) fn of_bytes(files: &[&[u8]]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |(bytes, at): (&&[u8], usize)| {
            let path = folder.path().join(format!("{at}.warc.gz"));
            std::fs::write(&path, bytes).expect("it can be written");
            archives_in(path)
        };
        let sources = files.iter().zip(0..).flat_map(write).collect();
        let cut = Cut::Ranges(NonZero::new(500).expect("not zero"));
        Self { folder, sources, jobs: 2, cut, context: Arc::default() }
    }

    pub(crate) fn with(mut self, jobs: usize, cut: Cut) -> Self {
        (self.jobs, self.cut) = (jobs, cut);
        self
    }

    /// Reads only so many bytes of each page.
    fn cutting_pages(mut self, page_bytes: u64) -> Self {
        self.context = Arc::new(Context { limits: Limits { page_bytes }, ..Context::default() });
        self
    }

    pub(crate) fn run(&self, sql: &str) -> (Vec<RecordBatch>, Prepared) {
        let (rows, prepared, _) = self.run_and_keep(sql);
        (rows, prepared)
    }

    fn run_and_keep(&self, sql: &str) -> (Vec<RecordBatch>, Prepared, Arc<Pages>) {
        let settings = Settings {
            jobs: NonZero::new(self.jobs).expect("not zero"),
            memory_bytes: 64 << 20,
            spill: PathBuf::from(self.folder.path()),
        };
        let engine = Engine::new(settings).expect("an engine");
        let pages = Arc::new(Pages::new(self.members(), self.cut));
        let prepared = engine.prepare(sql, &pages).expect("it can be planned");
        let mut rows = Vec::new();
        let mut each = |batch| {
            rows.push(batch);
            ControlFlow::Continue(())
        };
        engine.run(&prepared, &mut each).expect("it runs");
        assert_eq!(prepared.audit(), [], "{sql}");
        (rows, prepared, pages)
    }

    fn members(&self) -> Vec<Member> {
        self.sources.iter().map(|source| Member::alone(source.clone(), self.context.clone())).collect()
    }

    pub(crate) fn text(&self, sql: &str) -> String {
        pretty_format_batches(&self.run(sql).0).expect("it prints").to_string()
    }
}

#[test]
fn rows_come_in_the_order_of_the_files_whatever_the_threads_and_ranges() {
    let records = || (0..200).map(|at| page(&format!("http://a.example/{at}"), "T")).collect::<Vec<_>>();
    let sql = "select url, \"offset\", title from pages where url not like '%7'";
    let whole = Table::of(&records()).with(1, Cut::Whole).text(sql);
    assert_eq!(whole.lines().count(), 184);
    for (jobs, range) in [(1, 500), (2, 500), (5, 3000), (2, 1 << 20)] {
        let cut = Cut::Ranges(NonZero::new(range).expect("not zero"));
        assert_eq!(Table::of(&records()).with(jobs, cut).text(sql), whole, "{jobs} {range}");
    }
}

#[test]
fn a_limit_gives_the_first_rows() {
    let table = Table::of(&pages(200));
    let text = table.text("select url from pages where status = 200 limit 2 offset 150");
    assert!(text.contains("/150 ") && text.contains("/151 ") && text.lines().count() == 6, "{text}");
}

#[test]
fn groups_without_an_order_are_sorted() {
    let table = Table::of(&pages(30));
    let text = table.text("select substr(url, 18, 1) as digit, count(*) as n from pages group by 1");
    let digits: Vec<&str> = text.lines().filter(|line| line.contains("| ")).skip(1).collect();
    assert!(digits.is_sorted() && digits.len() == 10, "{text}");
}

#[test]
fn a_computed_column_keeps_the_order_with_more_threads_than_ranges() {
    let sql = "select upper(url) as url, title from pages";
    let whole = Table::of(&pages(60)).with(1, Cut::Whole).text(sql);
    for range in [700, 2500] {
        let cut = Cut::Ranges(NonZero::new(range).expect("not zero"));
        assert_eq!(Table::of(&pages(60)).with(8, cut).text(sql), whole, "{range}");
    }
}

#[test]
fn a_limit_over_groups_takes_the_first_of_them_and_ties_have_an_order() {
    let groups = "select url, count(*) as n from pages group by url limit 3";
    let ties = "select url, status from pages order by status limit 4";
    for (jobs, range) in [(1, 500), (4, 500), (3, 2000)] {
        let cut = Cut::Ranges(NonZero::new(range).expect("not zero"));
        let table = Table::of(&pages(90)).with(jobs, cut);
        let text = table.text(groups);
        assert!(text.contains("a.example/0 ") && text.contains("a.example/10 "), "{text}");
        let text = table.text(ties);
        assert!(text.contains("a.example/0 ") && text.contains("a.example/11 "), "{text}");
    }
}

#[test]
fn chance_is_met_before_the_limit() {
    let text = Table::of(&pages(200))
        .text("select count(*) as n from (select url from pages where random() < 2 limit 150)");
    assert!(text.contains("| 150 "), "{text}");
}

#[test]
fn large_pages_are_handed_on_in_several_batches() {
    let large = |at: usize| {
        let html = format!("<title>{at}</title><p>{}", "word ".repeat(2 << 20));
        let mut body = Vec::new();
        let mut encoder = flate2::write::GzEncoder::new(&mut body, flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, html.as_bytes()).expect("memory");
        encoder.finish().expect("memory");
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        Record::response(&format!("http://a.example/{at}"), [head.into_bytes(), body].concat())
    };
    let records: Vec<Record> = (0..9).map(large).collect();
    let table = Table::of(&records).with(1, Cut::Whole);
    let (batches, _) = table.run("select url, html from pages");
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 9);
    assert!(batches.len() > 1, "{}", batches.len());
}

#[test]
fn an_archive_inside_a_page_is_not_taken_for_records() {
    let inner = http_response("application/warc", gzipped(&pages(40)));
    let outer = Record::response("http://b.example/archive.warc.gz", inner);
    let bytes = ArchiveBuilder::new().plain(&outer).plain(&page("http://b.example/", "Outer")).build();
    let table = Table::of_bytes(&[&bytes]);
    assert_eq!(table.text("select url from pages").lines().count(), 6);
}

#[test]
fn columns_have_the_names_of_the_reference_too() {
    let table = Table::of(&pages(1));
    let text = table.text("select \"webpage:title\", domain, clean_text from pages");
    assert!(text.contains("webpage:title") && text.contains("Title 0") && text.contains("stormy"), "{text}");
}

#[test]
fn texts_of_pages_are_rows_too() {
    let table = Table::of(&[Record::conversion("http://a.example/", "Only the text is left.")]);
    let text = table.text("select type, url, text, status_code, title from pages");
    assert!(
        text.contains("conversion") && text.contains("Only the text is left.") && text.contains("3200"),
        "{text}"
    );
}

/// Steps are shared between columns, and some are left out where others need less.
#[test]
fn a_column_is_the_same_whatever_is_asked_for_beside_it() {
    let text = Record::conversion("http://a.example/", "It was a dark and stormy night, and the rain fell.");
    let table = Table::of(&[text, page("http://a.example/page", "A title")]).with(1, Cut::Whole);
    let first =
        |sql: &str| -> Vec<_> { table.run(sql).0.iter().map(|rows| rows.column(0).clone()).collect() };
    for Column { name, .. } in COLUMNS {
        let alone = first(&format!("select \"{name}\" from pages"));
        for beside in ["languages", "language_confidence, quotes", "text", "title"] {
            let both = first(&format!("select \"{name}\" as own, {beside} from pages"));
            assert_eq!(both, alone, "{name} beside {beside}");
        }
        let filtered = first(&format!("select \"{name}\" from pages where languages is not null"));
        assert_eq!(filtered, alone, "{name} behind a filter");
    }
}

#[test]
fn a_table_may_be_read_twice_by_one_query() {
    let table = Table::of(&pages(10));
    for sql in [
        "select count(*) from pages a join pages b on a.url = b.url",
        "select count(*) from pages where url in (select url from pages where title like '%4')",
    ] {
        let text = table.text(sql);
        assert!(text.contains("| 1"), "{text}");
    }
}

/// The bytes that a digest needs were taken for the end of the page.
#[test]
fn a_page_larger_than_the_limit_is_counted_whichever_columns_are_asked_for() {
    let record = |at: usize, words: usize| {
        let html = format!("<title>{at}</title><p>{}", "some words ".repeat(words));
        Record::response(&format!("http://a.example/{at}"), http_response("text/html", html))
    };
    let records = [record(0, 10), record(1, 3000), record(2, 20)];
    let table = Table::of(&records).cutting_pages(1000);
    for columns in ["text", "digest, text", "*", "title, cut"] {
        let (rows, _, pages) = table.run_and_keep(&format!("select {columns} from pages"));
        assert_eq!(rows.iter().map(RecordBatch::num_rows).sum::<usize>(), 3);
        assert_eq!(pages.oversized(0), 1, "{columns}");
    }
}
