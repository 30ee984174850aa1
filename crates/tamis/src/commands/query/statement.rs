//! Which of the words is the query.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, anyhow};

use crate::hint::WithHint;

/// A query, and what it is asked of.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) sql: String,
    pub(super) inputs: Vec<OsString>,
}

const EXAMPLE: &str = "put the query last, in quotes: tamis query INPUT \"select count(*) from pages\"";

impl Asked {
    /// The query is the last word, or in a file.
    pub(super) fn of(words: &[OsString], file: Option<&Path>) -> anyhow::Result<Self> {
        let (sql, inputs) = match file {
            Some(file) => (read(file, words)?, words),
            None => last(words)?,
        };
        if inputs.is_empty() {
            return Err(anyhow!("no input to query")).hint("give archives or folders before the query");
        }
        if sql.trim().is_empty() {
            return Err(anyhow!("the query is empty")).hint(EXAMPLE);
        }
        Ok(Self { sql, inputs: inputs.to_vec() })
    }
}

fn last(words: &[OsString]) -> anyhow::Result<(String, &[OsString])> {
    let Some((last, inputs)) = words.split_last() else { return Err(anyhow!("no query")).hint(EXAMPLE) };
    let is_query = last.to_str().filter(|text| text.contains(char::is_whitespace));
    match is_query {
        Some(sql) if !Path::new(last).exists() => Ok((sql.to_owned(), inputs)),
        _ => Err(anyhow!("{} is not a query", Path::new(last).display())).hint(EXAMPLE),
    }
}

fn read(file: &Path, words: &[OsString]) -> anyhow::Result<String> {
    if file != Path::new("-") {
        return fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()));
    }
    if words.iter().any(|word| word == "-" || word == "@-") {
        return Err(anyhow!("stdin is given more than once"))
            .hint("read the query or the archive from a file");
    }
    io::read_to_string(io::stdin()).context("cannot read the query from stdin")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hint::hints;

    #[test]
    fn the_last_word_is_the_query() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let asked = Asked::of(&words(&["a.warc", "b.warc", "select 1"]), None).expect("a query");
        assert_eq!((&*asked.sql, asked.inputs.len()), ("select 1", 2));
        for (wrong, message) in [
            (&["a.warc"][..], "a.warc is not a query"),
            (&["select 1"], "no input to query"),
            (&["select 1", "a.warc"], "a.warc is not a query"),
            (&["a.warc", "  "], "the query is empty"),
        ] {
            let error = Asked::of(&words(wrong), None).expect_err(message);
            assert_eq!((error.to_string(), hints(&error).len()), (message.to_owned(), 1));
        }
    }
}
