//! Tweets as JSON: the fields of both generations of the API in one shape, and the objects around them.

use std::io::BufRead;

use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::documents::{Documents, End};
use super::family;
use super::lines::{Line, Lines};
use super::sink::Sink;
use super::{MAX_RECORD_BYTES, Result, Tweet};

/// The most objects and arrays in one record, since each takes more memory than it has bytes. A page of 500 tweets with
/// every field has fewer than 50,000.
const MAX_PARTS: usize = 250_000;

/// A tweet, a page of tweets or something else: whatever an object can be, all its fields optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_field_names, reason = "the names of the API")]
pub(super) struct Status {
    pub(super) id: Option<RawId>,
    pub(super) id_str: Option<RawId>,
    pub(super) created_at: Option<String>,
    pub(super) lang: Option<String>,
    pub(super) text: Option<String>,
    pub(super) full_text: Option<String>,
    pub(super) entities: Option<Entities>,
    /// The whole of a tweet of more than 140 characters (API 1.1, streamed).
    pub(super) extended_tweet: Option<Box<Status>>,
    /// The whole of a tweet of more than 280 characters (API 2).
    pub(super) note_tweet: Option<Box<Status>>,
    pub(super) retweeted_status: Option<Box<Status>>,
    pub(super) quoted_status: Option<Box<Status>>,
    /// Ids and how they are meant (API 2), with the tweets themselves where someone has put them in.
    pub(super) referenced_tweets: Option<Vec<Status>>,
    /// `retweeted`, `quoted` or `replied_to`, in `referenced_tweets`.
    pub(super) r#type: Option<String>,

    /// The results of a page, or the one tweet of a line of a stream (API 2).
    pub(super) data: Option<OneOrMany>,
    pub(super) includes: Option<Includes>,
    /// The tweet, in a member's own archive.
    pub(super) tweet: Option<Box<Status>>,

    // What tells other objects from tweets.
    pub(super) meta: Option<IgnoredAny>,
    pub(super) errors: Option<IgnoredAny>,
    pub(super) action: Option<IgnoredAny>,
    pub(super) tweet_count: Option<IgnoredAny>,
    pub(super) username: Option<IgnoredAny>,
    pub(super) screen_name: Option<IgnoredAny>,
    pub(super) member_count: Option<IgnoredAny>,
    pub(super) owner_id: Option<IgnoredAny>,
    pub(super) delete: Option<IgnoredAny>,
    pub(super) limit: Option<IgnoredAny>,
    pub(super) status_withheld: Option<IgnoredAny>,
    pub(super) disconnect: Option<IgnoredAny>,
    pub(super) warning: Option<IgnoredAny>,
}

/// What the platform found in the text.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Entities {
    pub(super) urls: Option<Vec<UrlEntity>>,
    pub(super) media: Option<Vec<UrlEntity>>,
}

/// A link in a text, in its several states of expansion.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct UrlEntity {
    /// As it stands in the text, mostly `https://t.co/…`.
    pub(super) url: Option<String>,
    /// As the author wrote it.
    pub(super) expanded_url: Option<String>,
    /// Where it led in the end (API 2).
    pub(super) unwound_url: Option<String>,
    /// Where it led in the end (API 1.1 with the enrichment of the same name).
    pub(super) unwound: Option<Box<UrlEntity>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Includes {
    pub(super) tweets: Option<Vec<Status>>,
}

/// An id as it is written.
#[derive(Debug)]
pub(super) enum RawId {
    Number(u64),
    Text(String),
    Float(f64),
}

/// One object or an array of them.
#[derive(Debug)]
pub(super) struct OneOrMany(pub(super) Vec<Status>);

/// Reads an object from each line.
pub(super) fn read_lines<F>(input: impl BufRead, before: u64, sink: &mut Sink<F>) -> Result<()>
where
    F: FnMut(&Tweet<'_>) -> Result<()>,
{
    let mut lines = Lines::new(input, before);
    let mut line = Vec::new();
    while let Some(end) = lines.next(&mut line)? {
        match (end, line.trim_ascii()) {
            (Line::TooLong, _) => sink.report.add_bad(lines.number, too_long("the line")),
            (Line::Whole, b"") => {}
            (Line::Whole, object) => read_object(object, lines.number, sink)?,
        }
    }
    Ok(())
}

/// Reads the objects of an array or a sequence.
pub(super) fn read_documents<F>(input: impl BufRead, before: u64, sink: &mut Sink<F>) -> Result<()>
where
    F: FnMut(&Tweet<'_>) -> Result<()>,
{
    let mut documents = Documents::new(input, before);
    let mut object = Vec::new();
    while let Some(document) = documents.next(&mut object)? {
        let line = document.line;
        match document.end {
            End::Whole => read_object(&object, line, sink)?,
            End::Early => sink.report.add_bad(line, "the input ends inside an object"),
            End::TooLong => sink.report.add_bad(line, too_long("the object")),
            End::Stray => sink.report.add_bad(line, "not an object"),
        }
    }
    Ok(())
}

fn read_object<F>(object: &[u8], line: u64, sink: &mut Sink<F>) -> Result<()>
where
    F: FnMut(&Tweet<'_>) -> Result<()>,
{
    if has_too_many_parts(object) {
        sink.report.add_bad(line, format_args!("the object has more than {MAX_PARTS} objects and arrays"));
        return Ok(());
    }
    match serde_json::from_slice::<Status>(object) {
        Ok(status) => family::give(&status, line, sink),
        Err(error) => {
            let (at, reason) = (line + (error.line() as u64).saturating_sub(1), explain(&error));
            sink.report.add_bad(at, reason);
            Ok(())
        }
    }
}

/// Whether JSON would take much more memory than it has bytes.
pub(super) fn has_too_many_parts(json: &[u8]) -> bool {
    json.iter().filter(|byte| matches!(byte, b'{' | b'[')).count() > MAX_PARTS
}

/// What is wrong, and the column. The parser counts lines from the start of the object.
fn explain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.rfind(" at line ").map_or(&*text, |end| &text[..end]);
    format!("column {}: {what}", error.column())
}

fn too_long(what: &str) -> String {
    format!("{what} is longer than {} MiB", MAX_RECORD_BYTES >> 20)
}

impl<'de> Deserialize<'de> for RawId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawIdVisitor)
    }
}

struct RawIdVisitor;

impl Visitor<'_> for RawIdVisitor {
    type Value = RawId;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an id")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<RawId, E> {
        Ok(RawId::Number(number))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<RawId, E> {
        Ok(RawId::Float(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RawId, E> {
        Ok(RawId::Text(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrManyVisitor)
    }
}

struct OneOrManyVisitor;

impl<'de> Visitor<'de> for OneOrManyVisitor {
    type Value = OneOrMany;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OneOrMany, A::Error> {
        let status = Status::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(OneOrMany(vec![status]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<OneOrMany, A::Error> {
        let mut all = Vec::new();
        while let Some(status) = seq.next_element()? {
            all.push(status);
        }
        Ok(OneOrMany(all))
    }
}
