//! The report as one page of HTML that loads nothing.

use std::fmt::Write;

use super::figures::Figures;
use super::section::{Section, Shown};

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1f2328; --soft: #57606a; --rule: #d8dee4; --paper: #ffffff; --card: #f6f8fa; --link: #0b5394; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9ba7b4; --rule: #30363d; --paper: #0d1117; --card: #161b22; --link: #79b8ff; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.8rem; margin-bottom: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid var(--rule); padding-bottom: .25rem; }
a { color: var(--link); }
.lead, .empty, .made { color: var(--soft); margin-top: .25rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0; }
dl div { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: .6rem .8rem; }
dt { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
dd { margin: 0; color: var(--soft); font-size: .9rem; }
nav { font-size: .9rem; }
nav a { margin-right: .8rem; display: inline-block; }
figure { margin: 1rem 0; overflow-x: auto; background: #fff; border-radius: 8px; }
svg { display: block; width: 100%; min-width: 34rem; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; }
td.short { white-space: nowrap; }
summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
@media print { nav, details { display: none; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
";

/// A cell of a table up to this length stays in one line.
const SHORT_BYTES: usize = 24;
/// Longer tables are folded.
const OPEN_ROWS: usize = 5;

/// The whole page.
pub(super) fn write(figures: &Figures) -> String {
    let mut page = String::new();
    let (title, lead) = (escaped(&figures.title), escaped(&figures.lead));
    // Writing to a string does not fail.
    let _ = write!(
        page,
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p class="lead">{lead}</p>
<dl>
"#
    );
    for (value, what) in &figures.keys {
        let _ = writeln!(page, "<div><dt>{}</dt><dd>{}</dd></div>", escaped(value), escaped(what));
    }
    page.push_str("</dl>\n<nav>");
    for (at, section) in figures.sections.iter().enumerate() {
        let _ = write!(page, r##"<a href="#s{at}">{}</a>"##, escaped(section.heading));
    }
    page.push_str("</nav>\n");
    for (at, section) in figures.sections.iter().enumerate() {
        write_section(section, at, &mut page);
    }
    let _ = write!(page, "<p class=\"made\">{}</p>\n</body>\n</html>\n", escaped(&figures.made));
    page
}

fn write_section(section: &Section, at: usize, page: &mut String) {
    let class = if section.is_filled() { "" } else { r#" class="empty""# };
    let (heading, words) = (escaped(section.heading), escaped(&section.words));
    let _ = write!(page, "<section id=\"s{at}\">\n<h2>{heading}</h2>\n<p{class}>{words}</p>\n");
    for shown in &section.shown {
        match shown.svg() {
            Some(svg) => {
                let _ = write!(page, "<figure>\n{svg}</figure>\n<details><summary>As a table</summary>\n");
                write_table(shown, page);
                page.push_str("</details>\n");
            }
            None => write_folded(shown, page),
        }
    }
    page.push_str("</section>\n");
}

/// A table, folded if it is long.
fn write_folded(shown: &Shown, page: &mut String) {
    let rows = shown.table().1.len();
    if rows <= OPEN_ROWS {
        return write_table(shown, page);
    }
    // Writing to a string does not fail.
    let _ = writeln!(page, "<details><summary>Show {rows} rows</summary>");
    write_table(shown, page);
    page.push_str("</details>\n");
}

fn write_table(shown: &Shown, page: &mut String) {
    let (names, rows) = shown.table();
    let is_number = |at: usize| {
        !rows.is_empty() && rows.iter().all(|row| row.get(at).is_some_and(|cell| looks_like_number(cell)))
    };
    let classes: Vec<bool> = (0..names.len()).map(is_number).collect();
    let class = |at: usize, cell: &str| {
        if classes.get(at).copied().unwrap_or_default() {
            " class=\"number\""
        } else if cell.len() <= SHORT_BYTES {
            // Dates are not broken, URLs are.
            " class=\"short\""
        } else {
            ""
        }
    };
    page.push_str("<div class=\"wide\"><table>\n<thead><tr>");
    page.extend(
        names.iter().enumerate().map(|(at, name)| format!("<th{}>{}</th>", class(at, name), escaped(name))),
    );
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        page.push_str("<tr>");
        page.extend(
            row.iter().enumerate().map(|(at, cell)| format!("<td{}>{}</td>", class(at, cell), escaped(cell))),
        );
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table></div>\n");
}

/// A count, a share or a size: what is aligned to the right.
fn looks_like_number(cell: &str) -> bool {
    let number = cell.split(' ').next().unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
}

/// Text as HTML holds it, without what a page must not have.
fn escaped(text: &str) -> String {
    tamis_plot::escaped(&text.replace(char::is_control, " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::report::section::Counts;

    fn figures() -> Figures {
        let counts = vec![("<img src=x onerror=alert(1)>".to_owned(), 3), ("b&b".to_owned(), 1)];
        let filled = Section::new("Sites", "Two sites.")
            .with(Shown::Counts(Counts {
                title: "Sites".to_owned(),
                of: "site",
                values: counts,
                all: 4,
                ..Counts::default()
            }))
            .with(Shown::Table { names: vec!["a"], rows: Vec::new() });
        let empty = Section::new("Places", "Nothing yet.");
        Figures { title: "A <b>".to_owned(), sections: vec![filled, empty], ..Figures::default() }
    }

    #[test]
    fn nothing_of_a_page_becomes_markup() {
        let page = write(&figures());
        assert!(!page.contains("<img") && !page.contains("<b>"));
        assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
        assert!(page.contains("A &lt;b&gt;"));
    }

    #[test]
    fn what_is_empty_is_told_and_not_drawn() {
        let page = write(&figures());
        assert_eq!(page.matches("<svg").count(), 1);
        assert!(page.contains(r#"<p class="empty">Nothing yet.</p>"#));
    }

    #[test]
    fn long_tables_are_folded_and_numbers_stand_right() {
        let table = |rows: usize| {
            let rows = (0..rows)
                .map(|row| vec![format!("a{row}"), "1,234".to_owned(), "2026-08-12".to_owned()])
                .collect();
            let section = Section::new("Sources", "")
                .with(Shown::Table { names: vec!["archive", "captures", "day"], rows });
            write(&Figures { sections: vec![section], ..Figures::default() })
        };
        assert!(!table(5).contains("<details>"));
        let long = table(6);
        assert!(long.contains("<details><summary>Show 6 rows</summary>"), "{long}");
        assert!(
            long.contains(r#"<td class="number">1,234</td>"#)
                && long.contains(r#"<td class="short">2026-08-12</td>"#),
            "{long}"
        );
    }

    #[test]
    fn key_figures_come_first() {
        let keys = vec![("1,234".to_owned(), "captures of <b>".to_owned())];
        let page = write(&Figures { keys, ..figures() });
        let at = page.find("<dt>1,234</dt><dd>captures of &lt;b&gt;</dd>").expect("the figure");
        assert!(at < page.find("<h2>").expect("a section"));
    }

    #[test]
    fn nothing_is_loaded() {
        let page = write(&figures()).replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"));
    }
}
