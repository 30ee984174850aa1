//! Tweets as rows of a table.

use std::io::BufRead;

use super::columns::Columns;
use super::csv::{Found, Record, Records, sniff_delimiter};
use super::json::{Entities, UrlEntity, has_too_many_parts};
use super::links::Links;
use super::sink::{Facts, Sink};
use super::text_urls::text_urls;
use super::{BadId, Error, Result, Role, Tweet, TweetId, time};

/// How much of the first line an error shows.
const MAX_SHOWN_CHARS: usize = 200;

/// Reads the rows of a table.
pub(super) fn read<F>(mut input: impl BufRead, before: u64, sink: &mut Sink<F>) -> Result<()>
where
    F: FnMut(&Tweet<'_>) -> Result<()>,
{
    // The first line is in the buffer whole: it was put there when the format was told.
    let delimiter = sniff_delimiter(first_line(input.fill_buf()?));
    let mut records = Records::new(input, delimiter, before);
    let mut record = Record::default();
    let mut columns = None;
    while let Some(found) = records.next(&mut record)? {
        match (found, &columns) {
            (Found::Bad(line, why), _) => sink.report.add_bad(line, why),
            (Found::Record(line), Some(columns)) => give_row(&record, columns, line, sink)?,
            (Found::Record(line), None) => {
                let (found, has_names) = find_columns(&record.cells())?;
                if !has_names {
                    give_row(&record, &found, line, sink)?;
                }
                columns = Some(found);
            }
        }
    }
    Ok(())
}

fn first_line(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// The columns, and whether the first record names them.
fn find_columns(first: &[String]) -> Result<(Columns, bool)> {
    let named = Columns::by_name(first);
    let has_links = !named.urls.is_empty() || !named.texts.is_empty();
    if !named.ids.is_empty() && has_links {
        return Ok((named, true));
    }
    if let Some(columns) = Columns::by_content(first) {
        return Ok((columns, false));
    }
    let missing = if named.ids.is_empty() { "of tweet ids" } else { "of URLs or texts" };
    let line = first.join(", ");
    let shown = line.chars().take(MAX_SHOWN_CHARS).map(|c| if c.is_control() { '\u{fffd}' } else { c });
    Err(Error::Columns { missing, found: shown.collect() })
}

fn give_row<F>(record: &Record, columns: &Columns, line: u64, sink: &mut Sink<F>) -> Result<()>
where
    F: FnMut(&Tweet<'_>) -> Result<()>,
{
    let id = match find_id(record, columns) {
        Ok(id) => id,
        Err(error) => {
            sink.report.add_bad(line, error);
            return Ok(());
        }
    };
    let time = columns.time.and_then(|at| time::parse(&record.cell(at)));
    let language = columns.language.map(|at| record.cell(at));
    let facts = Facts { id, time, language: language.as_deref(), role: Role::Collected };
    sink.tweet(&facts, find_links(record, columns))
}

/// The id of the first column that has a sound one; else what is wrong with the first.
fn find_id(record: &Record, columns: &Columns) -> Result<TweetId, BadId> {
    let mut all = columns.ids.iter().map(|&at| record.cell(at).parse::<TweetId>());
    let first = all.next().unwrap_or(Err(BadId::NotAnId(String::new())));
    first.or_else(|error| all.find_map(Result::ok).ok_or(error))
}

/// The links of the first column that has some.
fn find_links(record: &Record, columns: &Columns) -> Links {
    let mut links = Links::default();
    for &at in &columns.urls {
        add_cell(&record.cell(at), &mut links);
        if !links.is_empty() {
            break;
        }
    }
    if !columns.urls_are_complete && !links.lead_to_pages() {
        let text = columns.texts.iter().map(|&at| record.cell(at)).find(|text| !text.is_empty());
        text_urls(&text.unwrap_or_default()).for_each(|url| links.add(url));
    }
    links
}

/// Adds the links of a cell: one, several in a row, a list as JSON or Python write it, or entities as the API has them.
fn add_cell(cell: &str, links: &mut Links) {
    let cell = cell.trim();
    if matches!(cell, "" | "[]" | "{}" | "NA" | "nan" | "None" | "null") {
        return;
    }
    if !cell.starts_with(['[', '{', '"']) {
        return split_cell(cell).for_each(|url| links.add(url.to_owned()));
    }
    if has_too_many_parts(cell.as_bytes()) {
        return;
    }
    if let Ok(entities) = serde_json::from_str::<Vec<UrlEntity>>(cell) {
        for entity in &entities {
            links.add_entity(entity);
        }
    } else if let Ok(entities) = serde_json::from_str::<Entities>(cell) {
        links.add_entities(&entities);
    } else {
        for url in quoted_urls(cell) {
            links.add(url.to_owned());
        }
    }
}

/// URLs between blanks or bars, or behind a comma or semicolon that another URL follows: both may stand in URLs.
fn split_cell(cell: &str) -> impl Iterator<Item = &str> {
    let parts = cell.split(|c: char| c.is_whitespace() || c == '|');
    let parts = parts.flat_map(|part| {
        let mut rest = part;
        std::iter::from_fn(move || {
            let end = [",http", ";http"].iter().filter_map(|mark| rest.find(mark)).min();
            let (url, after) = end.map_or((rest, ""), |end| (&rest[..end], &rest[end + 1..]));
            let is_end = rest.is_empty();
            rest = after;
            (!is_end).then_some(url)
        })
    });
    parts.map(|url| url.trim_matches([',', ';'])).filter(|url| !url.is_empty())
}

/// What is in quotes of either kind and begins as a URL; the platform's short links only if there are no others, since
/// entities have each link in both forms.
fn quoted_urls(cell: &str) -> Vec<&str> {
    let is_url = |part: &&str| part.starts_with("http://") || part.starts_with("https://");
    let is_short = |url: &&str| url.starts_with("https://t.co/") || url.starts_with("http://t.co/");
    let (short, long): (Vec<&str>, Vec<&str>) = cell.split(['"', '\'']).filter(is_url).partition(is_short);
    if long.is_empty() { short } else { long }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_links_in_many_ways() {
        for (cell, expected) in [
            ("", &[][..]),
            ("[]", &[]),
            ("NA", &[]),
            ("http://a.example/1,2;3", &["http://a.example/1,2;3"]),
            ("http://a.example/ http://b.example/", &["http://a.example/", "http://b.example/"]),
            ("http://a.example/; http://b.example/", &["http://a.example/", "http://b.example/"]),
            (
                "http://a.example/,http://b.example/|http://c.example/",
                &["http://a.example/", "http://b.example/", "http://c.example/"],
            ),
            ("['http://a.example/', 'http://b.example/']", &["http://a.example/", "http://b.example/"]),
            (r#"["http://a.example/"]"#, &["http://a.example/"]),
            (r#""http://a.example/""#, &["http://a.example/"]),
            (r#"[{"url":"https://t.co/1","expanded_url":"http://a.example/"}]"#, &["http://a.example/"]),
            (r#"{"urls":[{"expanded_url":"http://a.example/"}]}"#, &["http://a.example/"]),
            (r"[{'url': 'https://t.co/1', 'expanded_url': 'http://a.example/'}]", &["http://a.example/"]),
        ] {
            let mut links = Links::default();
            add_cell(cell, &mut links);
            let found: Vec<String> = links.into_iter().map(|link| link.target).collect();
            assert_eq!(found, expected, "{cell}");
        }
    }
}
