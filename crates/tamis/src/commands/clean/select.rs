//! Pages selected from the table `pages` and printed.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

use tamis_archive::surt;
use tamis_table::query::Engine;
use tamis_table::sink::{PageCounts, PagesSink, PagesWanted, page_facts, schema_of_pages};
use tamis_table::{COLUMNS, Column, Pages};
use url::Url;

use super::input::Sorted;
use super::{Args, Format};
use crate::commands::query::{self, Watched, told};
use crate::human_count::HumanCount;
use crate::memory::Memory;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::session::Session;
use crate::summary::Summary;

/// The columns of rows, in their order.
const ROW: [&str; 27] = [
    "file",
    "offset",
    "url",
    "time",
    "status_code",
    "mime_type",
    "charset",
    "charset_rule",
    "charset_overruled",
    "damage",
    "title",
    "author",
    "publisher",
    "date",
    "date_rule",
    "modified",
    "site_name",
    "organization",
    "language",
    "description",
    "keywords",
    "canonical_url",
    "image",
    "domain_name",
    "domain_location",
    "cut",
    "truncated",
];

/// Selects pages and writes them to the output. Gives what was counted, and whether anything is missing.
pub(super) fn run(
    args: &Args,
    sorted: &Sorted,
    output: &mut Output<'_>,
    session: &Session,
) -> anyhow::Result<(PageCounts, Outcome)> {
    let pages = sorted.pages();
    let spill = query::spill_folder()?;
    let jobs = args.jobs.count(&session.config);
    let engine = Engine::new(query::settings(Memory::Auto, jobs, spill.path(), session)?)
        .map_err(told::query_error)?;
    let prepared = engine.prepare(&args.sql(&sorted.urls), &pages).map_err(told::query_error)?;
    let failed = told::sink_error(args.output.path());
    let is_seen = output.is_stdout() && io::stdout().is_terminal();
    let schema = schema_of_pages(&prepared.schema()).map_err(|error| failed(error.into()))?;
    let inner = args.format().rows().sink(output, is_seen, &schema).map_err(&failed)?;
    let mut sink = PagesSink::new(inner, args.format().wanted());
    let watched = Watched { verb: "cleaning", rows_are_seen: is_seen, output: args.output.path(), session };
    let ran = query::run_watched(&engine, &prepared, &pages, watched, |batch| sink.write(batch));
    ran.inspect_err(|_| {
        told::faults(&pages, &session.printer);
    })?;
    let mut outcome = told::incomplete(&prepared.audit(), &pages, &session.printer);
    let counts = sink.finish().map_err(&failed)?;
    tell_links(&counts, session);
    outcome = outcome.and(tell_no_captures(&counts, &pages, sorted, session));
    Ok((counts, outcome))
}

/// Says which records there are instead, where no capture was found.
fn tell_no_captures(counts: &PageCounts, pages: &Pages, sorted: &Sorted, session: &Session) -> Outcome {
    if counts.with_text > 0 || counts.revisits > 0 || !counts.without_text.is_empty() {
        return Outcome::Done;
    }
    if let [first, ..] = &sorted.urls[..] {
        let urls: Vec<_> = sorted.urls.iter().map(Url::as_str).collect();
        session.printer.warn(format_args!("no capture of {}", urls.join(", ")));
        if let Some(bare) = sorted.bare.first() {
            session.printer.hint(format_args!("{bare} was read as {first}, because no such file exists"));
        }
        return Outcome::Negative;
    }
    let records: u64 = (0..pages.members().len()).map(|member| pages.tally(member).records).sum();
    if records > 0 {
        let records = HumanCount::of(records, "record");
        session.printer.warn(format_args!("the archives have no captures, only {records} of other types"));
    }
    Outcome::Negative
}

/// Says how many links were left out.
fn tell_links(counts: &PageCounts, session: &Session) {
    if counts.unresolved_links > 0 {
        let links = HumanCount::of(counts.unresolved_links, "relative link");
        session.printer.warn(format_args!("{links} left out, because the page's URL is not known"));
        session.printer.hint("give an HTML file its URL with --url, or many with --list");
    }
}

/// Adds what was counted to a summary.
pub(super) fn sum_up(counts: &PageCounts, format: Format, summary: &mut Summary) {
    summary.dropped("revisit", counts.revisits);
    let textless: u64 = counts.without_text.values().sum();
    if format.wanted() == PagesWanted::All && textless > 0 {
        let pages = HumanCount::of(counts.with_text + textless, "page");
        let (with_text, rest) = (HumanCount(counts.with_text), listed(&counts.without_text));
        summary.wrote(format_args!("{pages}: {with_text} with text, {rest}"));
        return;
    }
    for (reason, &count) in &counts.without_text {
        summary.dropped(reason, count);
    }
    summary.wrote(HumanCount::of(counts.with_text, "page"));
}

/// `3 not HTML, 1 without text`, the most frequent first.
fn listed(counts: &BTreeMap<&'static str, u64>) -> String {
    let mut list: Vec<_> = counts.iter().collect();
    list.sort_by_key(|&(name, count)| (std::cmp::Reverse(*count), *name));
    let list: Vec<_> = list.iter().map(|(name, count)| format!("{} {name}", HumanCount(**count))).collect();
    list.join(", ")
}

impl Args {
    /// What is asked of the table `pages`.
    fn sql(&self, urls: &[Url]) -> String {
        let keys: Vec<String> =
            urls.iter().map(|url| format!("'{}'", surt(url.as_str()).replace('\'', "''"))).collect();
        let filter =
            if keys.is_empty() { String::new() } else { format!(" where surt in ({})", keys.join(", ")) };
        format!("select {}, {} from pages{filter}", self.selected(), page_facts(self.wanted.links))
    }

    /// The columns of the output, in SQL.
    fn selected(&self) -> String {
        let quoted = |name: &str| format!("\"{name}\"");
        let names = |is_selected: &dyn Fn(&Column) -> bool| -> Vec<String> {
            COLUMNS.iter().filter(|column| is_selected(column)).map(|column| quoted(column.name)).collect()
        };
        let columns = match self.format() {
            Format::Text => {
                let text = if self.wanted.full_text { "full_text" } else { "text" };
                let mut columns: Vec<String> = ["file", "url", "title", "date", text].map(quoted).into();
                columns.push("array_to_string(author, ', ') as author".to_owned());
                columns.extend(self.wanted.comments.then(|| quoted("comments")));
                columns
            }
            Format::Article => vec![quoted("article")],
            Format::Tsv => names(&Column::is_of_reference),
            Format::Parquet => names(&|column| column.is_light() || self.wanted.names(column.name)),
            Format::Jsonl | Format::Csv => {
                let text = ["text", "full_text", "comments", "links", "quotes"].into_iter();
                let text = text.filter(|name| *name == "text" || self.wanted.names(name));
                ROW.into_iter().chain(text).map(quoted).collect()
            }
        };
        columns.join(", ")
    }
}

impl Format {
    /// The form of rows that it is.
    fn rows(self) -> query::Format {
        match self {
            Format::Text => query::Format::Text,
            Format::Jsonl => query::Format::Jsonl,
            Format::Csv => query::Format::Csv,
            Format::Tsv => query::Format::Reference,
            Format::Parquet => query::Format::Parquet,
            Format::Article => query::Format::Article,
        }
    }

    /// Which pages it prints.
    pub(super) fn wanted(self) -> PagesWanted {
        match self {
            Format::Text | Format::Article => PagesWanted::WithText,
            _ => PagesWanted::All,
        }
    }

    pub(super) fn content(self) -> crate::output::Content {
        self.rows().content()
    }
}
