//! `tamis` alone: what it is, what it can do, and three lines to try.
//!
//! Who types a name and nothing else asks what it is, so the answer is the data: it goes to stdout, as cargo's does,
//! and the exit code is 0.

use std::io::Write;

use crate::cli;
use crate::outcome::Outcome;
use crate::palette::paint;
use crate::session::Session;
use crate::when::When;

/// Commands that work at once, one after another, without a network: a test runs them.
pub const EXAMPLES: [(&str, &str); 3] = [
    ("tamis demo", "crawl a small web, clean it, find duplicates, query it"),
    ("tamis warc stats tamis-demo/demo.warc.gz", "count what its archive holds"),
    ("tamis status tamis-demo/eclipse", "show what its collection holds"),
];

/// Prints it.
pub fn run(session: &Session) -> anyhow::Result<Outcome> {
    let palette = session.printer.out_palette();
    let mut out = session.printer.out();
    let definition = cli::definition(When::Auto);
    let about = definition.get_about().map(ToString::to_string).unwrap_or_default();
    writeln!(out, "{about}\n\n{}", paint(palette.heading, "Commands, in pipeline order:"))?;
    for command in definition.get_subcommands() {
        let name = paint(palette.name, format!("{:<12}", command.get_name()));
        writeln!(out, "  {name} {}", command.get_about().map(ToString::to_string).unwrap_or_default())?;
    }
    writeln!(out, "\n{}", paint(palette.heading, "Try these, no network needed:"))?;
    let width = EXAMPLES.iter().map(|(line, _)| line.len()).max().unwrap_or_default();
    for (line, about) in EXAMPLES {
        let line = paint(palette.name, format!("{line:<width$}"));
        writeln!(out, "  {line}  {}", paint(palette.dim, format!("# {about}")))?;
    }
    writeln!(out, "\n`tamis COMMAND --help` describes a command.")?;
    Ok(Outcome::Done)
}
