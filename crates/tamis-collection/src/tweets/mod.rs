//! Tweets as a source of pages: which URLs they name, and for each URL the ids of the tweets that name it.
//!
//! [`read`] takes what people have of Twitter: CSV of the common exporters, JSON lines of both generations of the API
//! (flat or in pages), one big JSON array, a member's own archive. [`UrlTweets`] turns the tweets round, to the column
//! `tweet-ids`. Short links that nobody has expanded stay as they are; whoever fetches them follows them.
//!
//! Memory: one record of at most [`MAX_RECORD_BYTES`] and what is made of it, whatever the length of the input.

mod cells;
mod columns;
mod csv;
mod documents;
mod family;
mod id;
mod json;
mod kind;
mod lines;
mod links;
mod report;
mod sink;
mod sniff;
mod text_urls;
mod time;
mod url_tweets;

use std::io::{self, BufRead, Read};

use tamis_archive::Timestamp;

pub use id::{BadId, TweetId};
pub use kind::OtherKind;
pub use report::{BadRecord, Report};
pub(crate) use url_tweets::key;
pub use url_tweets::{UrlRow, UrlRows, UrlTweets};

use sink::Sink;

/// The longest line, CSV record or JSON value that is read. Longer ones are passed over and reported.
pub const MAX_RECORD_BYTES: usize = 16 << 20;

/// How tweets are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A table with a line of column names (or columns that speak for themselves), between commas, semicolons or tabs.
    Csv,
    /// A JSON object on each line: a tweet of either API, or a page of tweets.
    JsonLines,
    /// JSON objects in an array, or one behind the other, with line ends anywhere.
    Json,
}

/// How [`read`] reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; none to tell it from the first bytes.
    pub format: Option<Format>,
    /// Also give the links to the platform itself: tweets, and pictures and videos in tweets.
    pub keep_own_links: bool,
}

/// A tweet, lent to whoever reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tweet<'a> {
    /// The id.
    pub id: TweetId,
    /// The URLs it names, and those of the tweets it repeats or quotes: each once, in order, as far expanded as the
    /// input has them. All are `http` or `https` with a host, without blanks or control characters.
    pub urls: &'a [String],
    /// When it was written.
    pub time: Option<Timestamp>,
    /// Its language in the words of the platform, such as `en`, or `und` for unknown.
    pub language: Option<&'a str>,
    /// How it came into the input.
    pub role: Role,
}

/// How a tweet came into the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// It is one of those that were collected.
    Collected,
    /// It only came along, since a collected one repeats, quotes or answers it.
    Referenced,
}

/// What stops the reading of tweets. Bad records do not: they are in the [`Report`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input cannot be read.
    #[error("cannot read the tweets: {0}")]
    Io(#[from] io::Error),
    /// The bytes are no text that tweets are written in.
    #[error("not tweets, but {what}\nhint: {hint}")]
    Bytes {
        /// What they are instead.
        what: &'static str,
        /// What the user can do.
        hint: &'static str,
    },
    /// The table has no column with ids, or none with URLs or texts.
    #[error(
        "no column {missing} among: {found}\nhint: the first line must name the columns: `id` for the tweet's id, and \
         `url`, `urls` or `text` for its URLs"
    )]
    Columns {
        /// What is not there: `of tweet ids`, `of URLs or texts`.
        missing: &'static str,
        /// The first line.
        found: String,
    },
    /// The table of URLs cannot be sorted.
    #[error(transparent)]
    Sort(#[from] tamis_files::Error),
}

/// The result of this module's calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Reads tweets and lends each to `each`; the first error of `each` ends the reading.
///
/// Compression is the caller's affair. A record that cannot be read is reported and passed over.
pub fn read(
    mut input: impl BufRead,
    options: ReadOptions,
    each: impl FnMut(&Tweet<'_>) -> Result<()>,
) -> Result<Report> {
    let head = sniff::head(&mut input)?;
    let format = match options.format {
        Some(format) => format,
        None => head.format()?,
    };
    let line = head.line;
    let input = io::Cursor::new(head.bytes).chain(input);
    let mut sink = Sink::new(format, options.keep_own_links, each);
    match format {
        Format::Csv => cells::read(input, line, &mut sink)?,
        Format::JsonLines => json::read_lines(input, line, &mut sink)?,
        Format::Json => json::read_documents(input, line, &mut sink)?,
    }
    Ok(sink.report)
}

#[cfg(test)]
mod tests;
