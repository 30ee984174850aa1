//! A status for people.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use tamis_collection::{Condition, Kept};

use super::Report;
use crate::human_count::HumanCount;
use crate::human_duration::HumanDuration;
use crate::human_size::HumanSize;
use crate::palette::{Palette, paint};

const LABEL: usize = 9;

impl Report {
    /// Lines with a label each, at most `top` of a kind.
    pub(super) fn write_text(&self, out: &mut impl Write, palette: &Palette, top: usize) -> io::Result<()> {
        let about = self.collection.about();
        let status = &self.status;
        let mut lines = Lines { out, palette };
        lines.labelled("name", format_args!("{} (id {})", about.name, about.id))?;
        if let Some(event) = &about.event {
            lines.labelled("event", event)?;
        }
        if let Some(created) = &about.created {
            lines.labelled("created", created)?;
        }
        lines.labelled("archives", self.archives())?;
        for (archive, condition) in status.archives.iter().take(top) {
            let kept = if archive.kept == Kept::Reference { ", by reference" } else { "" };
            let faults = match archive.faults {
                0 => String::new(),
                faults => format!(", {}", HumanCount::of(faults, "fault")),
            };
            let state = match condition {
                Condition::Present => "",
                Condition::Missing => ", MISSING",
                Condition::Changed => ", CHANGED",
            };
            lines.more(format_args!(
                "{}: {}, {}, {}{faults}{kept}{state}",
                archive.name,
                HumanSize(archive.bytes),
                HumanCount::of(archive.records, "record"),
                HumanCount::of(archive.captures, "capture"),
            ))?;
        }
        lines.rest(status.archives.len(), top)?;
        lines.labelled("seeds", self.seeds())?;
        lines.labelled("pages", self.pages())?;
        let mut by_captures: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
        for column in &status.columns {
            by_captures.entry(column.captures).or_default().push(&column.name);
        }
        for (captures, columns) in by_captures.iter().rev() {
            let of = HumanCount::of(status.captures, "capture");
            lines.more(format_args!("{} of {of}: {}", HumanCount(*captures), folded(columns, top)))?;
        }
        if let Ok(compared) = &self.compared
            && !status.archives.is_empty()
        {
            lines.labelled("dedup", compared.found())?;
            if let Some(left) = compared.left() {
                lines.more(left)?;
            }
        }
        if let Some(holder) = &status.holder {
            lines.labelled("busy", format_args!("locked by {holder}"))?;
        }
        let problems = self.problems();
        for (at, problem) in problems.iter().take(top).enumerate() {
            if at == 0 { lines.labelled("to fix", problem)? } else { lines.more(problem)? }
        }
        lines.rest(problems.len(), top)?;
        lines.labelled("next", paint(palette.name, &self.next))
    }

    fn archives(&self) -> String {
        let status = &self.status;
        if status.archives.is_empty() {
            return "none".to_owned();
        }
        let uncleaned = match status.uncleaned.len() as u64 {
            0 => String::new(),
            uncleaned => format!("; {} not cleaned yet", HumanCount(uncleaned)),
        };
        format!(
            "{}, {}, {}, {}{uncleaned}",
            HumanCount::of(status.archives.len() as u64, "archive"),
            HumanSize(status.bytes),
            HumanCount::of(status.records, "record"),
            HumanCount::of(status.captures, "capture"),
        )
    }

    fn seeds(&self) -> String {
        let seeds = &self.status.seeds;
        match (seeds.urls, seeds.urls_of_tweets) {
            (0, _) => "none".to_owned(),
            (urls, 0) => HumanCount::of(urls, "URL"),
            (urls, of_tweets) => format!(
                "{}, {} of them from tweets ({})",
                HumanCount::of(urls, "URL"),
                HumanCount(of_tweets),
                HumanCount::of(seeds.mentions, "mention"),
            ),
        }
    }

    fn pages(&self) -> String {
        let status = &self.status;
        if status.parts == 0 {
            return "none stored yet".to_owned();
        }
        format!(
            "{}, {}, in {} of CPU time",
            HumanCount::of(status.parts, "part"),
            HumanSize(status.part_bytes),
            HumanDuration(Duration::from_millis(status.cpu_ms)),
        )
    }
}

/// The names of columns, or of many how many there are.
fn folded(columns: &[&str], top: usize) -> String {
    if columns.len() <= top {
        return columns.join(", ");
    }
    format!("{} (--top 0 lists them)", HumanCount::of(columns.len() as u64, "column"))
}

struct Lines<'a, W> {
    out: &'a mut W,
    palette: &'a Palette,
}

impl<W: Write> Lines<'_, W> {
    fn labelled(&mut self, label: &str, text: impl std::fmt::Display) -> io::Result<()> {
        let label = paint(self.palette.heading, format!("{label:>LABEL$}"));
        writeln!(self.out, "{label} {text}")
    }

    fn more(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.out, "{:LABEL$}   {text}", "")
    }

    fn rest(&mut self, all: usize, top: usize) -> io::Result<()> {
        match all.saturating_sub(top) as u64 {
            0 => Ok(()),
            rest => self.more(format_args!("… and {} more (--top 0 shows all)", HumanCount(rest))),
        }
    }
}
