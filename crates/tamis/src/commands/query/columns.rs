//! `--columns`: what queries can use.

use std::io::{self, Write};

use tamis_table::{COLUMNS, Column, FUNCTIONS, Stages, catalog};
use terminal_size::{Width, terminal_size};

use super::format::Rows;
use super::{Args, told};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::palette::{Palette, paint};
use crate::session::Session;

/// Where there is no terminal.
const USUAL_WIDTH: usize = 100;
/// Names and types stand in columns of their own.
const NAME: usize = 22;
const TYPE: usize = 16;

/// Lists columns and functions.
pub(super) fn run(args: &Args, form: &Rows, session: &Session) -> anyhow::Result<Outcome> {
    let mut output = args.output.open(&session.printer, form.content())?;
    if form.is_table() {
        // Also of one that is behind a pager.
        let width = terminal_size().map_or(USUAL_WIDTH, |(Width(columns), _)| usize::from(columns));
        let palette = if output.is_stdout() { *session.printer.out_palette() } else { Palette::default() };
        list(&mut output, width, &palette)?;
    } else {
        let rows = catalog();
        let mut sink = form.sink(&mut output, false, &rows.schema())?;
        sink.write(&rows).and_then(|()| sink.finish()).map_err(told::sink_error(args.output.path()))?;
    }
    output.finish()?;
    Ok(Outcome::Done)
}

/// Columns by what they cost, the cheap ones first.
fn list(to: &mut Output<'_>, width: usize, palette: &Palette) -> io::Result<()> {
    let mut costs: Vec<Stages> = Vec::new();
    for column in COLUMNS {
        if !costs.contains(&column.stages) {
            costs.push(column.stages);
        }
    }
    costs.sort_by_key(|stages| stages.names().count());
    for stages in costs {
        writeln!(to, "{}", paint(palette.heading, heading(stages)))?;
        for column in COLUMNS.iter().filter(|column| column.stages == stages) {
            let head = format!("{:<TYPE$}", column.kind.name());
            write_entry(to, (column.name, &head), &about(column), width, palette)?;
        }
        writeln!(to)?;
    }
    writeln!(to, "{}", paint(palette.heading, "Functions, in addition to those of SQL:"))?;
    for function in FUNCTIONS {
        write_entry(to, (function.call, ""), function.about, width, palette)?;
    }
    Ok(())
}

fn heading(stages: Stages) -> String {
    if stages == Stages::NONE {
        "Columns from the record header:".to_owned()
    } else {
        format!("Columns that need {stages}:")
    }
}

/// What a column says, and its other names.
fn about(column: &Column) -> String {
    let full = (column.full_name != column.name).then(|| format!("\"{}\"", column.full_name));
    let names: Vec<String> = full.into_iter().chain(column.aliases().map(str::to_owned)).collect();
    if names.is_empty() {
        column.about.to_owned()
    } else {
        format!("{} [{}]", column.about, names.join(", "))
    }
}

fn write_entry(
    to: &mut Output<'_>,
    (name, head): (&str, &str),
    text: &str,
    width: usize,
    palette: &Palette,
) -> io::Result<()> {
    let indent = 2 + NAME + head.len();
    let mut lines = wrapped(text, width.saturating_sub(indent).max(20)).into_iter();
    let first = lines.next().unwrap_or_default();
    writeln!(to, "  {}{head}{first}", paint(palette.name, format!("{name:<NAME$}")))?;
    lines.try_for_each(|line| writeln!(to, "{:indent$}{line}", ""))
}

/// The text in lines of so many characters, as far as its words let it.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is one");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.extend([" ", word]);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("a bc def g", 4), ["a bc", "def", "g"]);
        assert_eq!(wrapped("unbreakable", 4), ["unbreakable"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
