//! The counts as tables: for people, and as lines of JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

use super::counts::{Count, Counts};
use super::gather::Stats;
use crate::archives::Tally;
use crate::commands::warc::printable::{cut, printable};
use crate::human_count::HumanCount;
use crate::human_size::HumanSize;
use crate::palette::{Palette, paint};

/// Names in the first column are cut to this width.
const MAX_WIDTH: usize = 40;
const BAR_WIDTH: u64 = 30;

/// Everything that is to be told.
pub(super) struct Report {
    summary: Overview,
    tables: Vec<Table>,
}

/// The line above the tables.
#[derive(Serialize)]
struct Overview {
    by: &'static str,
    archives: u64,
    records: u64,
    stored_bytes: u64,
    unpacked_bytes: u64,
    damaged: u64,
    shared: u64,
    undated: u64,
    first: Option<String>,
    last: Option<String>,
}

/// Counts by one property of records.
struct Table {
    /// The property, as machines know it.
    by: &'static str,
    title: &'static str,
    shape: Shape,
    rows: Vec<(String, Count)>,
    /// What shares are of, if not of the table's own sum: a record may have two digests, or none.
    whole: Option<u64>,
    /// How many keys are not shown, and their counts; none for keys that were not told apart.
    more: Option<(Option<u64>, Count)>,
}

/// What a table shows beside its counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Shares and sizes.
    Sizes,
    /// Shares and bars.
    Bars,
    /// Nothing.
    Numbers,
}

impl Report {
    /// The tables of what was counted, each with at most `top` rows where any number of keys is possible.
    pub(super) fn new(stats: Stats, tally: &Tally, stored_bytes: u64, top: usize) -> Self {
        let summary = Overview {
            by: "total",
            archives: tally.files,
            records: stats.total.records,
            stored_bytes,
            unpacked_bytes: stats.total.unpacked,
            damaged: stats.damaged,
            shared: stats.shared,
            undated: stats.undated,
            first: stats.first.map(|date| date.to_string()),
            last: stats.last.map(|date| date.to_string()),
        };
        let records = stats.total.records;
        let captures = stats.captures;
        let faults =
            tally.faults.iter().map(|(code, _, records)| (code, Count { records, ..Count::default() }));
        let tables = vec![
            Table::of("type", "Record types", Shape::Sizes, by_size(stats.types)),
            Table::of("status", "HTTP statuses", Shape::Sizes, in_order(stats.statuses)),
            Table::top("mime", "Media types", stats.mimes, top),
            Table::top("host", "Hosts", stats.hosts, top),
            Table::of("month", "Months", Shape::Bars, in_order(stats.months)),
            Table::top("encoding", "Encodings", stats.encodings, top).out_of(captures),
            Table::top("body", "Bodies, decoded", stats.bodies, top),
            Table::top("version", "Versions", stats.versions, top),
            Table::top("compression", "Compression", stats.codecs, top),
            Table::top("digest", "Digests", stats.digests, top).out_of(records),
            Table::top("revisit", "Revisits, by profile", stats.profiles, top),
            Table::top("truncated", "Truncated, by reason", stats.truncated, top).out_of(records),
            Table::of("quirk", "HTTP quirks", Shape::Numbers, by_size(stats.quirks)),
            Table::of("fault", "Faults", Shape::Numbers, by_size(faults.collect())),
        ];
        Self { summary, tables: tables.into_iter().filter(|table| !table.rows.is_empty()).collect() }
    }

    /// A JSON object a line: the whole, then each row of each table.
    pub(super) fn write_jsonl(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &self.summary)?;
        out.write_all(b"\n")?;
        self.tables.iter().try_for_each(|table| table.write_jsonl(out))
    }

    /// Tables for people.
    pub(super) fn write_text(&self, out: &mut impl Write, palette: &Palette) -> io::Result<()> {
        self.summary.write(out, palette)?;
        let keys = self.tables.iter().flat_map(|table| &table.rows);
        let longest = keys.map(|(key, _)| label(key).chars().count()).max().unwrap_or_default();
        let width = longest.clamp(24, MAX_WIDTH);
        self.tables.iter().try_for_each(|table| table.write_text(out, palette, width))
    }
}

impl Overview {
    fn write(&self, out: &mut impl Write, palette: &Palette) -> io::Result<()> {
        let mut line = |label: &str, text: &dyn fmt::Display| {
            writeln!(out, "{} {text}", paint(palette.heading, format_args!("{label:<9}")))
        };
        let (stored, unpacked) = (HumanSize(self.stored_bytes), HumanSize(self.unpacked_bytes));
        let archives = HumanCount(self.archives);
        if self.stored_bytes > 0 {
            let ratio = self.unpacked_bytes as f64 / self.stored_bytes as f64;
            line(
                "Archives",
                &format_args!("{archives}; {stored} stored, {unpacked} unpacked, {ratio:.2} : 1"),
            )?;
        } else {
            line("Archives", &format_args!("{archives}; {unpacked} unpacked"))?;
        }
        let mut records = HumanCount(self.records).to_string();
        for (count, what) in [(self.damaged, "damaged"), (self.shared, "in shared compressed members")] {
            if count > 0 {
                records.extend([format!(", {} {what}", HumanCount(count))]);
            }
        }
        line("Records", &records)?;
        let undated =
            if self.undated == 0 { String::new() } else { format!(", {} without", HumanCount(self.undated)) };
        match (&self.first, &self.last) {
            (Some(first), Some(last)) => line("Dates", &format_args!("{first} to {last}{undated}")),
            _ => Ok(()),
        }
    }
}

impl Table {
    fn of(by: &'static str, title: &'static str, shape: Shape, rows: Vec<(String, Count)>) -> Self {
        Self { by, title, shape, rows, whole: None, more: None }
    }

    /// The keys with the most records.
    fn top(by: &'static str, title: &'static str, counts: Counts, top: usize) -> Self {
        let (mut rows, others) = counts.into_sorted();
        let hidden = rows.split_off(rows.len().min(top));
        let mut rest = others;
        for (_, count) in &hidden {
            rest.add(*count);
        }
        let keys = (others.records == 0).then_some(hidden.len() as u64);
        let more = (rest.records > 0).then_some((keys, rest));
        Self { by, title, shape: Shape::Sizes, rows, whole: None, more }
    }

    /// The same, with shares of this many records.
    fn out_of(mut self, records: u64) -> Self {
        self.whole = Some(records);
        self
    }

    fn write_jsonl(&self, out: &mut impl Write) -> io::Result<()> {
        let row = |key: Option<&str>, keys: Option<u64>, count: &Count| JsonRow {
            by: self.by,
            key: key.map(str::to_owned),
            keys,
            records: count.records,
            stored_bytes: (self.shape != Shape::Numbers).then_some(count.stored),
            unpacked_bytes: (self.shape != Shape::Numbers).then_some(count.unpacked),
        };
        let rows = self.rows.iter().map(|(key, count)| row(Some(key), None, count));
        let more = self.more.iter().map(|(keys, count)| row(None, *keys, count));
        for row in rows.chain(more) {
            serde_json::to_writer(&mut *out, &row)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn write_text(&self, out: &mut impl Write, palette: &Palette, width: usize) -> io::Result<()> {
        let columns = match self.shape {
            Shape::Sizes => format!("{:>12} {:>7} {:>9} {:>9}", "records", "share", "stored", "unpacked"),
            Shape::Bars => format!("{:>12} {:>7}", "records", "share"),
            Shape::Numbers => format!("{:>12}", "times"),
        };
        let title = paint(palette.heading, format!("{:<width$}", self.title));
        writeln!(out, "\n{title} {}", paint(palette.dim, columns))?;
        let sum = || self.rows.iter().chain(&self.more_row()).map(|(_, count)| count.records).sum();
        let total = self.whole.unwrap_or_else(sum).max(1);
        let largest = self.rows.iter().map(|(_, count)| count.records).max().unwrap_or_default().max(1);
        for (key, count) in &self.rows {
            let name = format!("{:<width$}", cut(&label(key), width));
            self.write_row(out, &name, count, total, largest)?;
        }
        if let Some((key, count)) = self.more_row() {
            let name = paint(palette.dim, format_args!("{key:<width$}")).to_string();
            self.write_row(out, &name, &count, total, largest)?;
        }
        Ok(())
    }

    fn more_row(&self) -> Option<(String, Count)> {
        self.more.map(|(keys, count)| {
            let name = keys.map_or_else(|| "others".into(), |keys| format!("{} more", HumanCount(keys)));
            (name, count)
        })
    }

    fn write_row(
        &self,
        out: &mut impl Write,
        name: &str,
        count: &Count,
        total: u64,
        largest: u64,
    ) -> io::Result<()> {
        write!(out, "{name} {:>12}", HumanCount(count.records))?;
        let share = count.records as f64 * 100.0 / total as f64;
        match self.shape {
            Shape::Numbers => writeln!(out),
            Shape::Bars => {
                // A month with any record shows.
                let len = (count.records * BAR_WIDTH).div_ceil(largest);
                writeln!(out, " {share:>5.1} % {}", "█".repeat(len as usize))
            }
            Shape::Sizes => {
                // A record that takes no bytes of its own shares them with others.
                let size = |bytes: u64| if bytes == 0 { "-".into() } else { HumanSize(bytes).to_string() };
                let (stored, unpacked) = (size(count.stored), size(count.unpacked));
                writeln!(out, " {share:>5.1} % {stored:>9} {unpacked:>9}")
            }
        }
    }
}

#[derive(Serialize)]
struct JsonRow {
    by: &'static str,
    /// None for all that is not shown.
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keys: Option<u64>,
    records: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stored_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unpacked_bytes: Option<u64>,
}

fn in_order<K: fmt::Display>(counts: BTreeMap<K, Count>) -> Vec<(String, Count)> {
    counts.into_iter().map(|(key, count)| (key.to_string(), count)).collect()
}

fn by_size<K: fmt::Display>(counts: BTreeMap<K, Count>) -> Vec<(String, Count)> {
    let mut rows = in_order(counts);
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(count.records));
    rows
}

fn label(key: &str) -> String {
    if key.is_empty() { "(none)".into() } else { printable(key).into_owned() }
}
