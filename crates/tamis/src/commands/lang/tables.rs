//! Rows of words under each other.

use std::io::{self, Write};

/// Writes rows, each cell as wide as the widest of its column; all but the first to the right.
pub(in crate::commands) fn write(
    out: &mut impl Write,
    head: &[&str],
    rows: &[Vec<String>],
) -> io::Result<()> {
    let width = |at: usize| {
        let cells = rows.iter().map(|row| row[at].chars().count());
        cells.chain([head[at].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::from(" ");
        for (at, cell) in cells.enumerate() {
            let pad = " ".repeat(widths[at] - cell.chars().count());
            let parts = if at == 0 { [" ", cell, &pad] } else { ["  ", &pad, cell] };
            text.extend(parts);
        }
        writeln!(out, "{}", text.trim_end())
    };
    line(&mut head.iter().copied())?;
    rows.iter().try_for_each(|row| line(&mut row.iter().map(String::as_str)))
}
