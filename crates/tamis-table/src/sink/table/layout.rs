//! How wide columns are, and rows laid out by it.

use std::io::{self, Write};

use super::width::{cut, width};

/// Between two columns.
const GAP: usize = 2;
/// A column that is cut to less than this says nothing; then each row is a block.
const LEAST: usize = 12;
/// Where nothing is cut, a column is no wider than this for the sake of the widest value.
const UNBOUND: usize = 100;

/// A column, as far as it concerns the layout.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) is_number: bool,
    /// The width of its widest value, or its name.
    pub(super) widest: usize,
}

/// How rows are laid out.
#[derive(Debug)]
pub(super) enum Layout {
    /// A line a row.
    Lines { columns: Vec<Column>, widths: Vec<usize>, is_cut: bool },
    /// A block a row, a line a value: how wide lines are, and names.
    Blocks { columns: Vec<Column>, line: usize, names: usize },
}

impl Layout {
    /// A layout for a terminal's width, or for none.
    pub(super) fn of(columns: Vec<Column>, terminal: Option<usize>) -> Self {
        let Some(line) = terminal else {
            let widths = columns.iter().map(|column| column.widest.min(UNBOUND)).collect();
            return Layout::Lines { columns, widths, is_cut: false };
        };
        if let Some(widths) = fit(&columns, line) {
            return Layout::Lines { columns, widths, is_cut: true };
        }
        let names = columns.iter().map(|column| width(&column.name)).max().unwrap_or(0);
        Layout::Blocks { columns, line, names }
    }

    pub(super) fn write_head(&self, to: &mut impl Write) -> io::Result<()> {
        let Layout::Lines { columns, widths, .. } = self else { return Ok(()) };
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        self.write_row(&names, 0, to)?;
        let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        writeln!(to, "{}", rules.join("  "))
    }

    pub(super) fn write_row(&self, row: &[String], number: u64, to: &mut impl Write) -> io::Result<()> {
        match self {
            Layout::Lines { columns, widths, is_cut } => write_line(row, columns, widths, *is_cut, to),
            Layout::Blocks { columns, line, names } => {
                let head = format!("── {number} ");
                writeln!(to, "{head}{}", "─".repeat(line.saturating_sub(width(&head))))?;
                for (column, value) in columns.iter().zip(row) {
                    let room = line.saturating_sub(names + GAP).max(LEAST);
                    let gap = " ".repeat(names + GAP - width(&column.name));
                    let value = if column.is_number { value.clone() } else { cut(value, room) };
                    writeln!(to, "{}{gap}{value}", column.name)?;
                }
                Ok(())
            }
        }
    }
}

fn write_line(
    row: &[String],
    columns: &[Column],
    widths: &[usize],
    is_cut: bool,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut text = String::new();
    for ((value, column), &room) in row.iter().zip(columns).zip(widths) {
        let value = if is_cut && !column.is_number { cut(value, room) } else { value.clone() };
        let blank = " ".repeat(room.saturating_sub(width(&value)));
        let (before, behind) = if column.is_number { (&*blank, "") } else { ("", &*blank) };
        text.extend([before, &value, behind, "  "]);
    }
    writeln!(to, "{}", text.trim_end())
}

/// The width of each column so that all fit into a line; none if they cannot. The widest give way first, numbers never.
fn fit(columns: &[Column], line: usize) -> Option<Vec<usize>> {
    let gaps = GAP * columns.len().saturating_sub(1);
    let with_cap = |cap: usize| -> Vec<usize> {
        let width = |column: &Column| if column.is_number { column.widest } else { column.widest.min(cap) };
        columns.iter().map(width).collect()
    };
    let fits = |cap: &usize| with_cap(*cap).iter().sum::<usize>() + gaps <= line;
    // One column has a line of its own in any case.
    if columns.len() <= 1 {
        return Some(with_cap(line));
    }
    let cap = (LEAST..=line).rev().find(fits)?;
    let mut widths = with_cap(cap);
    // What the cap leaves over goes to the first that could use it.
    let mut left = line - gaps - widths.iter().sum::<usize>();
    for (width, column) in widths.iter_mut().zip(columns) {
        let more = left.min(column.widest - *width).min(1);
        *width += more;
        left -= more;
    }
    Some(widths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(widest: usize, is_number: bool) -> Column {
        Column { name: "c".to_owned(), is_number, widest }
    }

    #[test]
    fn the_widest_columns_give_way_first_and_numbers_never() {
        let columns = [column(5, true), column(100, false), column(10, false), column(80, false)];
        assert_eq!(fit(&columns, 80), Some(vec![5, 30, 10, 29]));
        assert_eq!(fit(&columns, 200), Some(vec![5, 99, 10, 80]));
        assert_eq!(fit(&columns, 300), Some(vec![5, 100, 10, 80]));
        assert_eq!(fit(&columns, 30), None);
        assert_eq!(fit(&[column(100, false)], 5), Some(vec![5]));
    }
}
