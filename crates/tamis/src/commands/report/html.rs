//! The report as one page of HTML that loads nothing.

use std::fmt::Write;

use super::figures::Figures;
use super::section::{Section, Shown};

const STYLE: &str = "
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h1 { font-size: 1.8rem; margin-bottom: 0; }
h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid #e3e3e3; padding-bottom: .25rem; }
.lead { color: #595959; margin-top: .25rem; }
nav { font-size: .9rem; }
nav a { margin-right: .8rem; color: #0b5394; }
figure { margin: 1rem 0; }
svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #eee; overflow-wrap: anywhere; }
td.short { white-space: nowrap; }
.empty { color: #595959; }
details { font-size: .9rem; }
@media print { nav, details { display: none; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
";

/// A cell of a table up to this length stays in one line.
const SHORT_BYTES: usize = 24;

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
<nav>"#
    );
    for (at, section) in figures.sections.iter().enumerate() {
        let _ = write!(page, r##"<a href="#s{at}">{}</a>"##, escaped(section.heading));
    }
    page.push_str("</nav>\n");
    for (at, section) in figures.sections.iter().enumerate() {
        write_section(section, at, &mut page);
    }
    let _ = write!(page, "<p class=\"lead\">{}</p>\n</body>\n</html>\n", escaped(&figures.made));
    page
}

fn write_section(section: &Section, at: usize, page: &mut String) {
    let class = if section.is_filled() { "" } else { r#" class="empty""# };
    let (heading, words) = (escaped(section.heading), escaped(&section.words));
    let _ = write!(page, "<section id=\"s{at}\">\n<h2>{heading}</h2>\n<p{class}>{words}</p>\n");
    for shown in &section.shown {
        match shown.svg() {
            Some(svg) => {
                let _ = write!(page, "<figure>\n{svg}</figure>\n<details><summary>as a table</summary>\n");
                write_table(shown, page);
                page.push_str("</details>\n");
            }
            None => write_table(shown, page),
        }
    }
    page.push_str("</section>\n");
}

fn write_table(shown: &Shown, page: &mut String) {
    let (names, rows) = shown.table();
    page.push_str("<table>\n<thead><tr>");
    page.extend(names.iter().map(|name| format!("<th>{}</th>", escaped(name))));
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        page.push_str("<tr>");
        page.extend(row.iter().map(|cell| {
            // Dates and numbers are not broken, addresses are.
            let class = if cell.len() <= SHORT_BYTES { " class=\"short\"" } else { "" };
            format!("<td{class}>{}</td>", escaped(cell))
        }));
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table>\n");
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
    fn nothing_is_loaded() {
        let page = write(&figures()).replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"));
    }
}
