//! What pages gave, and its way out: rows in order, warnings, the last lines.

use std::collections::BTreeMap;
use std::io::Write;

use tamis_text::status::Status;

use super::row::Row;
use super::{Args, Format};
use crate::human_count::HumanCount;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::session::Session;
use crate::summary::Summary;

/// Numbers of things, by what they are.
pub(super) type Counts = BTreeMap<&'static str, u64>;

/// What some pages gave.
#[derive(Default)]
pub(super) struct Cleaned {
    pub(super) lines: Vec<u8>,
    with_text: u64,
    /// Pages without text, by the reason.
    textless: Counts,
    /// Records that are no captures, by their type.
    pub(super) others: Counts,
    /// Links that are relative to an address that is not known.
    pub(super) relative_links: u64,
    pub(super) too_large: Vec<String>,
    /// Files that end early, and why.
    pub(super) cut: Vec<String>,
}

impl Cleaned {
    /// Adds a page's row or text.
    pub(super) fn add(&mut self, row: &Row<'_>, args: &Args) {
        let has_text = !row.page.content.main.text.is_empty();
        if has_text {
            self.with_text += 1;
        } else {
            *self.textless.entry(reason(row)).or_default() += 1;
        }
        match args.format() {
            Format::Jsonl => row.write_json(&args.wanted, &mut self.lines),
            Format::Article if has_text => row.write_article(&mut self.lines),
            Format::Text if has_text => row.write_text(&args.wanted, &mut self.lines),
            _ => {}
        }
    }

    /// Counts a record that is no capture.
    pub(super) fn pass_over(&mut self, record_type: &'static str) {
        *self.others.entry(record_type).or_default() += 1;
    }

    /// All pages, with text or without.
    pub(super) fn pages(&self) -> u64 {
        self.with_text + self.textless.values().sum::<u64>()
    }
}

/// Why a page has no text.
fn reason(row: &Row<'_>) -> &'static str {
    match row.page.status {
        _ if row.is_no_http => "not HTTP",
        Status::NotHtml => "not HTML",
        Status::Http(status) if status != 200 => "of another HTTP status than 200",
        _ => "without text",
    }
}

/// The pages as they are printed, in order.
pub(super) struct Printed<'p> {
    session: &'p Session,
    pub(super) output: Output<'p>,
    format: Format,
    summary: Summary,
    with_text: u64,
    textless: Counts,
    others: Counts,
    relative_links: u64,
    pub(super) lost: u64,
}

impl<'p> Printed<'p> {
    pub(super) fn new(session: &'p Session, output: Output<'p>, format: Format) -> Self {
        Self {
            session,
            output,
            format,
            summary: Summary::default(),
            with_text: 0,
            textless: Counts::new(),
            others: Counts::new(),
            relative_links: 0,
            lost: 0,
        }
    }

    pub(super) fn take(&mut self, cleaned: &Cleaned) -> anyhow::Result<()> {
        self.output.write_all(&cleaned.lines)?;
        self.with_text += cleaned.with_text;
        self.relative_links += cleaned.relative_links;
        merge(&mut self.textless, &cleaned.textless);
        merge(&mut self.others, &cleaned.others);
        self.lost += (cleaned.too_large.len() + cleaned.cut.len()) as u64;
        for place in &cleaned.cut {
            self.session.printer.warn(format_args!("{place}; the page is taken as far as it goes"));
        }
        for place in &cleaned.too_large {
            self.summary.dropped("too large", 1);
            self.session.printer.warn(format_args!("{place}: the page is too large and left out"));
        }
        Ok(())
    }

    /// Prints an article that was read.
    pub(super) fn take_article(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        self.with_text += 1;
        Ok(self.output.write_all(lines)?)
    }

    /// Whether there was any page, with text or without.
    pub(super) fn has_pages(&self) -> bool {
        self.with_text > 0 || !self.textless.is_empty()
    }

    /// Says what archives without a page hold instead.
    pub(super) fn tell_others(&self) {
        if !self.has_pages() && !self.others.is_empty() {
            let list = listed(&self.others);
            self.session.printer.warn(format_args!("no captures in the archives; their records are {list}"));
        }
    }

    pub(super) fn finish(mut self) -> anyhow::Result<Outcome> {
        if !self.output.is_stdout() {
            self.summary.went_to(&self.output);
        }
        self.sum_up();
        self.output.finish()?;
        if self.relative_links > 0 {
            let links = HumanCount::of(self.relative_links, "relative link");
            self.session.printer.warn(format_args!("{links} left out: the pages' addresses are not known"));
            self.session.printer.hint("give a file its address with --url, many with --list");
        }
        self.session.printer.summary(&self.summary);
        let outcome = if self.with_text == 0 { Outcome::Negative } else { Outcome::Done };
        Ok(outcome.and(Outcome::of_skipped(self.lost)))
    }

    /// Text drops pages without text; rows have them, and say how many they are.
    fn sum_up(&mut self) {
        let revisits = self.others.get("revisit").copied().unwrap_or_default();
        self.summary.dropped("revisit", revisits);
        let textless: u64 = self.textless.values().sum();
        if self.format == Format::Jsonl && textless > 0 {
            let pages = HumanCount::of(self.with_text + textless, "page");
            let (with_text, rest) = (HumanCount(self.with_text), listed(&self.textless));
            self.summary.wrote(format_args!("{pages}: {with_text} with text, {rest}"));
            return;
        }
        for (reason, count) in &self.textless {
            self.summary.dropped(reason, *count);
        }
        self.summary.wrote(HumanCount::of(self.with_text, "page"));
    }
}

fn merge(into: &mut Counts, counts: &Counts) {
    for (name, count) in counts {
        *into.entry(name).or_default() += count;
    }
}

/// `3 not HTML, 1 without text`, the most frequent first.
fn listed(counts: &Counts) -> String {
    let mut list: Vec<_> = counts.iter().collect();
    list.sort_by_key(|&(name, count)| (std::cmp::Reverse(*count), *name));
    let list: Vec<_> = list.iter().map(|(name, count)| format!("{} {name}", HumanCount(**count))).collect();
    list.join(", ")
}
