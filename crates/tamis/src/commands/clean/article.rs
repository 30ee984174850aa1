//! Files of article lines as input.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::Path;

use anyhow::Context as _;
use flate2::read::MultiGzDecoder;
use serde_json::json;
use tamis_page::article::Article;
use tamis_page::date::Date;

use super::input::Named;
use super::{Args, Format};
use crate::interrupt;
use crate::output::Output;
use crate::session::Session;

/// No line of an article is longer: a page of 64 MiB, its markup and its text.
const LONGEST: u64 = 256 << 20;

/// Whether a file is one of article lines: fields of one letter, with tabs between them, the address among the first.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut fields = line.split(|&byte| byte == b'\t').take(3);
    let is_field = |field: &[u8]| matches!(field, [b'A'..=b'Z', b':', ..]);
    line.contains(&b'\t') && line.starts_with(b"U:") && fields.all(is_field)
}

/// How many articles were read.
#[derive(Default)]
pub(super) struct Articles {
    pub(super) written: u64,
    /// Lines that are not articles.
    pub(super) skipped: u64,
}

/// Reads files of article lines and prints them, repaired if asked for. A line that is not an article is reported and skipped.
pub(super) fn clean(
    args: &Args,
    files: &[Named],
    session: &Session,
    output: &mut Output<'_>,
) -> anyhow::Result<Articles> {
    let mut articles = Articles::default();
    for file in files {
        let mut input = open(&file.path).with_context(|| format!("cannot read {}", file.name))?;
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            let read = read.with_context(|| format!("{}: line {number}", file.name))?;
            if read == 0 {
                break;
            }
            interrupt::check()?;
            match Article::parse(&String::from_utf8_lossy(&line)) {
                Ok(article) => {
                    articles.written += 1;
                    output.write_all(&lines(article, args))?;
                }
                Err(error) => {
                    articles.skipped += 1;
                    session.printer.warn(format_args!("{}: line {number}: {error}", file.name));
                }
            }
        }
    }
    Ok(articles)
}

fn open(path: &Path) -> std::io::Result<Box<dyn BufRead>> {
    let mut stored = BufReader::new(File::open(path)?);
    let is_packed = stored.fill_buf()?.starts_with(&[0x1F, 0x8B]);
    Ok(if is_packed { Box::new(BufReader::new(MultiGzDecoder::new(stored))) } else { Box::new(stored) })
}

/// An article in the form asked for, mended before if that is asked for.
fn lines(mut article: Article, args: &Args) -> Vec<u8> {
    let damage = args.repair.then(|| {
        let day = article.date.as_deref().and_then(day);
        article.repair(day)
    });
    let mut made = Vec::new();
    match args.format() {
        Format::Article => {
            // Writing to memory does not fail.
            let _ = writeln!(made, "{article}");
        }
        Format::Jsonl => {
            let place = |start: usize, length: usize| json!([start, length]);
            let links: Vec<_> = article
                .links
                .iter()
                .map(|link| json!({ "url": link.url, "place": link.place.map(|at| place(at.start, at.length)) }))
                .collect();
            let quotes: Vec<_> = article
                .quotes
                .iter()
                .map(|quote| json!({ "text": quote.text, "place": place(quote.place.start, quote.place.length) }))
                .collect();
            let row = json!({
                "url": article.url,
                "date": article.date,
                "title": article.original_title,
                "text": article.text,
                "usable": article.quality.as_ref().map(|quality| quality.usable),
                "languages": article.quality.as_ref().map(|quality| &quality.languages),
                "damage": damage.filter(|damage| !damage.is_sound()).map(|damage| damage.kind.letter()),
                "links": links,
                "quotes": quotes,
            });
            let _ = writeln!(made, "{row}");
        }
        _ => made.extend(format!("{}\n\n", article.text).bytes()),
    }
    made
}

/// The day that a date of an article begins with: `2012-03-04 …`.
fn day(date: &str) -> Option<Date> {
    let mut numbers = date.get(..10)?.split('-');
    let (year, month, day) = (numbers.next()?, numbers.next()?, numbers.next()?);
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn article_lines_are_known_by_their_fields() {
        for (bytes, expected) in [
            (&b"U:http://a.example/\tD:2012-01-01\tT:A"[..], true),
            (b"U:http://a.example/\tT:A\nanything", true),
            (b"U:http://a.example/", false),
            (b"U: the letter\tand more", false),
            (b"<!doctype html>", false),
            (b"", false),
        ] {
            assert_eq!(is_one(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
