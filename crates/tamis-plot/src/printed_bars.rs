//! A histogram in the letters of a terminal.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::bars::{Bar, Bars, Extent};
use super::lettering::{cut, printable};
use super::numbers::in_ascii;

/// What a terminal can show, and in which colours.
#[derive(Clone, Copy)]
pub struct Terminal<'a> {
    /// Its width; no line is longer.
    pub columns: usize,
    /// Whether it has more than ASCII. Labels and notes are printed as they are in any case.
    pub unicode: bool,
    /// The style of the title.
    pub title: Style,
    /// The style of notes.
    pub note: Style,
    /// The style of each bar.
    pub bar: &'a dyn Fn(&Bar) -> Style,
}

/// Bars shorter than this say nothing.
const LEAST_BAR: usize = 6;
/// Between columns.
const GAP: usize = 2;

impl Terminal<'_> {
    /// A terminal without colours.
    pub fn plain(columns: usize, unicode: bool) -> Self {
        Self { columns, unicode, title: Style::new(), note: Style::new(), bar: &|_| Style::new() }
    }

    fn cut(&self, text: &str, columns: usize) -> String {
        cut(text, if self.unicode { "…" } else { "..." }, columns as f64, |part| part.width() as f64)
    }
}

impl Bars {
    /// The histogram as lines of text, each with a line feed.
    pub fn printed(&self, terminal: &Terminal) -> String {
        let rows: Vec<Row> = self.bars.iter().map(|bar| self.row(bar, terminal)).collect();
        let columns = Columns::fit(&rows, terminal.columns);
        let extent = Extent::of(&self.bars);
        let notes_are_numbers = rows.iter().all(|row| row.note.is_empty() || begins_as_number(&row.note));
        let title = terminal.cut(&printable(&self.title), terminal.columns);
        let mut printed = String::new();
        if !title.is_empty() {
            printed.push_str(&painted(terminal.title, &title));
            printed.push('\n');
        }
        for (row, bar) in rows.iter().zip(&self.bars) {
            let drawn = Drawn::of(extent, bar.length(), columns.bar, terminal.unicode);
            let line = columns.line(row, &drawn, notes_are_numbers, terminal, (terminal.bar)(bar));
            printed.push_str(line.trim_end());
            printed.push('\n');
        }
        printed
    }

    fn row(&self, bar: &Bar, terminal: &Terminal) -> Row {
        let number = self.numbers.alone(bar.value);
        let number = if terminal.unicode { number } else { in_ascii(&number) };
        Row { label: printable(&bar.label), number, note: printable(&bar.note) }
    }
}

/// The texts of a bar.
struct Row {
    label: String,
    number: String,
    note: String,
}

/// The widths of the columns. One without a width is not there.
#[derive(Debug, Clone, Copy, Default)]
struct Columns {
    label: usize,
    bar: usize,
    number: usize,
    note: usize,
}

impl Columns {
    /// What fits: first the notes go, then the bars, then the ends of the labels.
    fn fit(rows: &[Row], width: usize) -> Self {
        let widest = |text: fn(&Row) -> &str| rows.iter().map(|row| text(row).width()).max().unwrap_or(0);
        let number = widest(|row| &row.number).min(width);
        let label = widest(|row| &row.label).min(width * 2 / 5);
        let note = widest(|row| &row.note).min(width / 3);
        for note in [note, 0] {
            let texts =
                [label, number, note].into_iter().filter(|&column| column > 0).map(|column| column + GAP);
            let bar = width.saturating_sub(texts.sum());
            if bar >= LEAST_BAR {
                return Self { label, bar, number, note };
            }
        }
        let label = widest(|row| &row.label).min(width.saturating_sub(number + GAP));
        Self { label, number, ..Self::default() }
    }

    /// A line, with spaces at its end.
    fn line(
        self,
        row: &Row,
        bar: &Drawn,
        notes_are_numbers: bool,
        terminal: &Terminal,
        style: Style,
    ) -> String {
        let label = padded(&terminal.cut(&row.label, self.label), self.label, Side::Right);
        let number = padded(&terminal.cut(&row.number, self.number), self.number, Side::Left);
        let note = terminal.cut(&row.note, self.note);
        let side = if notes_are_numbers { Side::Left } else { Side::Right };
        let note_padding = self.note.saturating_sub(note.width());
        let note = painted(terminal.note, &note);
        let note = match side {
            Side::Left => format!("{}{note}", " ".repeat(note_padding)),
            Side::Right => note,
        };
        let bar =
            format!("{}{}{}", " ".repeat(bar.before), painted(style, &bar.blocks), " ".repeat(bar.after));
        let all = [(self.label, label), (self.bar, bar), (self.number, number), (self.note, note)];
        let there = all.into_iter().filter(|(width, _)| *width > 0).map(|(_, text)| text);
        there.collect::<Vec<_>>().join(&" ".repeat(GAP))
    }
}

/// A bar in blocks, and the blanks around it.
#[derive(Debug, PartialEq, Eq)]
struct Drawn {
    before: usize,
    blocks: String,
    after: usize,
}

impl Drawn {
    /// Any value but zero is at least the thinnest block.
    fn of(extent: Extent, value: f64, columns: usize, unicode: bool) -> Self {
        // Zero is between two columns.
        let zero = (extent.below() * columns as f64).round();
        let (room, steps) = match (value < 0.0, unicode) {
            (true, true) => (zero, 2.0),
            (false, true) => (columns as f64 - zero, 8.0),
            (true, false) => (zero, 1.0),
            (false, false) => (columns as f64 - zero, 1.0),
        };
        let long = (extent.share(value).abs() * columns as f64).min(room) * steps;
        let long = if value != 0.0 && room > 0.0 { long.round().max(1.0) } else { 0.0 };
        let blocks = match (value < 0.0, unicode) {
            (_, false) => "#".repeat(long as usize),
            (true, true) => to_the_left(long as usize),
            (false, true) => to_the_right(long as usize),
        };
        let (zero, width) = (zero as usize, blocks.width());
        let before = if value < 0.0 { zero.saturating_sub(width) } else { zero };
        Self { before, after: columns.saturating_sub(before + width), blocks }
    }
}

/// Eighths of columns from the left on.
fn to_the_right(eighths: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}

/// Halves of columns up to the right: Unicode 1.1 has no other blocks that begin within a column.
fn to_the_left(halves: usize) -> String {
    let part = if halves.is_multiple_of(2) { "" } else { "▐" };
    part.to_owned() + &"█".repeat(halves / 2)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

fn padded(text: &str, columns: usize, side: Side) -> String {
    let blanks = " ".repeat(columns.saturating_sub(text.width()));
    match side {
        Side::Left => blanks + text,
        Side::Right => text.to_owned() + &blanks,
    }
}

fn painted(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}

/// Numbers are aligned at their ends, prose at its beginning.
fn begins_as_number(note: &str) -> bool {
    note.starts_with(|c: char| c.is_ascii_digit() || "+-−±<>≈~.".contains(c))
}

#[cfg(test)]
mod tests {
    use anstyle::AnsiColor;

    use super::super::inspection::{hostile_texts, odd_numbers};
    use super::super::numbers::Numbers;
    use super::*;

    fn pages() -> Bars {
        Bars {
            title: "Pages".into(),
            bars: vec![
                Bar::new("✓ same", 49_668.0).with_note("55.9 %"),
                Bar::new("✗ other", 21_950.0).with_note("24.7 %"),
                Bar::new("÷ several", 12.0).with_note("0.0 %"),
                Bar::new("none", 0.0),
            ],
            ..Bars::default()
        }
    }

    #[test]
    fn bars_are_printed_in_eighths_of_columns() {
        let expected = "\
Pages
✓ same     ███████████  49,668  55.9 %
✗ other    ████▉        21,950  24.7 %
÷ several  ▏                12   0.0 %
none                         0
";
        assert_eq!(pages().printed(&Terminal::plain(38, true)), expected);
    }

    #[test]
    fn a_terminal_without_unicode_has_coarser_bars() {
        let mut bars = pages();
        bars.bars[3] = Bar::new("less", -2e4).with_note("a word");
        let expected = "\
Pages
✓ same         ###########   49,668  55.9 %
✗ other        #####         21,950  24.7 %
÷ several      #                 12  0.0 %
less       ####             -20,000  a word
";
        assert_eq!(bars.printed(&Terminal::plain(43, false)), expected);
    }

    #[test]
    fn bars_of_negative_values_go_to_the_left() {
        let bar = |value| Bar::new("x", value);
        let bars = Bars { bars: [-2.0, 2.0, -1.0, 0.25].map(bar).to_vec(), ..Bars::default() };
        let expected = "\
x  ████        −2
x      ████     2
x    ██        −1
x      ▌     0.25
";
        assert_eq!(bars.printed(&Terminal::plain(17, true)), expected);
    }

    #[test]
    fn styles_go_around_what_they_are_for() {
        let green = Style::new().fg_color(Some(AnsiColor::Green.into()));
        let style = |bar: &Bar| if bar.label.starts_with('✓') { green } else { Style::new() };
        let terminal = Terminal { bar: &style, note: Style::new().dimmed(), ..Terminal::plain(38, true) };
        let printed = pages().printed(&terminal);
        assert!(
            printed.contains("✓ same     \u{1b}[32m███████████\u{1b}[0m  49,668  \u{1b}[2m55.9 %\u{1b}[0m\n")
        );
        assert!(printed.contains("✗ other    ████▉        21,950"));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let (texts, numbers) = (hostile_texts(), odd_numbers());
        let all = texts.iter().zip(numbers.iter().cycle()).zip(texts.iter().cycle().skip(1));
        let bars: Vec<Bar> = all
            .map(|((label, &value), note)| Bar::new(label.clone(), value).with_note(note.clone()))
            .collect();
        let widths = (0..40).chain([60, 80, 132, 400]);
        for (columns, unicode) in widths.flat_map(|columns| [(columns, true), (columns, false)]) {
            for (title, bars) in
                texts.iter().zip([vec![], bars[..2].to_vec(), bars.clone()].into_iter().cycle())
            {
                let lines = bars.len() + usize::from(!printable(title).is_empty());
                let printed = Bars { title: title.clone(), numbers: Numbers::Short, bars }
                    .printed(&Terminal::plain(columns, unicode));
                assert!(printed.lines().count() <= lines);
                for line in printed.lines() {
                    assert!(line.width() <= columns, "{columns}: {line:?}");
                    assert!(!line.contains(char::is_control), "{line:?}");
                }
            }
        }
    }
}
