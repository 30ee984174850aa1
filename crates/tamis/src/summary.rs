//! The last lines of a command: what went in, what came out, what was dropped and why, and what to type next.

use std::collections::BTreeMap;
use std::fmt;

use crate::human_count::HumanCount;
use crate::palette::{Palette, paint};

/// What a command did, gathered as it goes; [`Printer::summary`](crate::printer::Printer::summary) prints it.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    read: Option<String>,
    wrote: Option<String>,
    dropped: BTreeMap<String, u64>,
    went_to: Option<String>,
    next: Option<String>,
}

impl Summary {
    /// What went in: `3 files, 1.2 GB, 12,345 records`.
    pub fn read(&mut self, what: impl fmt::Display) -> &mut Self {
        self.read = Some(what.to_string());
        self
    }

    /// What came out.
    pub fn wrote(&mut self, what: impl fmt::Display) -> &mut Self {
        self.wrote = Some(what.to_string());
        self
    }

    /// Counts things that were left out, by reason.
    pub fn dropped(&mut self, reason: &str, count: u64) -> &mut Self {
        if count > 0 {
            *self.dropped.entry(reason.to_owned()).or_default() += count;
        }
        self
    }

    /// Where it went.
    pub fn went_to(&mut self, place: impl fmt::Display) -> &mut Self {
        self.went_to = Some(place.to_string());
        self
    }

    /// The command to type next.
    pub fn next(&mut self, command: impl fmt::Display) -> &mut Self {
        self.next = Some(command.to_string());
        self
    }

    /// The lines, each with its label.
    pub(crate) fn render(&self, palette: &Palette) -> String {
        let dropped = (!self.dropped.is_empty()).then(|| self.dropped_by_reason());
        let next = self.next.as_ref().map(|command| paint(palette.name, command).to_string());
        let lines = [
            ("in", self.read.clone()),
            ("out", self.wrote.clone()),
            ("dropped", dropped),
            ("to", self.went_to.clone()),
            ("next", next),
        ];
        let line = |(label, text): (&str, Option<String>)| {
            text.map(|text| format!("{} {text}\n", paint(palette.heading, format_args!("{label:>8}"))))
        };
        lines.into_iter().filter_map(line).collect()
    }

    /// `345: 300 duplicate, 45 without text`, the most frequent reason first.
    fn dropped_by_reason(&self) -> String {
        let mut reasons: Vec<_> = self.dropped.iter().collect();
        reasons.sort_by_key(|&(reason, count)| (std::cmp::Reverse(*count), reason));
        let total: u64 = self.dropped.values().sum();
        let list: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{} {reason}", HumanCount(**count))).collect();
        format!("{}: {}", HumanCount(total), list.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_names_what_there_is_and_nothing_else() {
        let mut summary = Summary::default();
        summary
            .read("2 files, 1.2 GB")
            .dropped("without text", 45)
            .dropped("duplicate", 1300)
            .dropped("late", 0);
        let expected = "      in 2 files, 1.2 GB\n dropped 1,345: 1,300 duplicate, 45 without text\n";
        assert_eq!(summary.render(&Palette::default()), expected);
        summary.wrote("10 records").went_to("a.warc.gz").next("tamis warc check a.warc.gz");
        assert_eq!(summary.render(&Palette::default()).lines().count(), 5);
        assert_eq!(Summary::default().render(&Palette::default()), "");
    }
}
