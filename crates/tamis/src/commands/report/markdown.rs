//! The report as Markdown.

use std::fmt::Write;

use super::figures::Figures;
use super::section::Shown;

/// The whole text.
pub(super) fn write(figures: &Figures) -> String {
    let mut text = format!("# {}\n\n{}\n", cell(&figures.title), cell(&figures.lead));
    if !figures.keys.is_empty() {
        text.push('\n');
    }
    for (value, what) in &figures.keys {
        // Writing to a string does not fail.
        let _ = writeln!(text, "- **{}** {}", cell(value), cell(what));
    }
    for section in &figures.sections {
        // Writing to a string does not fail.
        let _ = write!(text, "\n## {}\n\n{}\n", section.heading, cell(&section.words));
        section.shown.iter().for_each(|shown| write_table(shown, &mut text));
    }
    let _ = write!(text, "\n{}\n", cell(&figures.made));
    text
}

fn write_table(shown: &Shown, text: &mut String) {
    let (names, rows) = shown.table();
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    if let Some(title) = shown.title() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n**{}**", cell(&title));
    }
    text.push('\n');
    text.push_str(&line(names.iter().map(|name| cell(name)).collect()));
    text.push_str(&line(names.iter().map(|_| "---".to_owned()).collect()));
    for row in rows {
        text.push_str(&line(row.iter().map(|value| cell(value)).collect()));
    }
}

/// Text that means nothing to Markdown.
fn cell(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '#' => made.extend(['\\', c]),
            c if c.is_control() => made.push(' '),
            c => made.push(c),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::report::section::Section;

    #[test]
    fn cells_do_not_break_tables() {
        let rows = vec![vec!["a|b\nc".to_owned(), "<script>".to_owned()]];
        let section = Section::new("Sites", "Words.").with(Shown::Table { names: vec!["site", "x"], rows });
        let text = write(&Figures { title: "T".to_owned(), sections: vec![section], ..Figures::default() });
        assert!(text.contains("| site | x |\n| --- | --- |\n| a\\|b c | \\<script\\> |\n"), "{text}");
    }
}
