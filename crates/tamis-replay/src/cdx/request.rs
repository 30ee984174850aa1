//! The parameters of a CDX server, read from a query string.

use std::fmt;

use tamis_archive::Timestamp;
use tamis_archive::cdx::{CdxEntry, MatchType, Query};

use super::{BLOCK_ENTRIES, Field, Filter};

/// Whose defaults, names and filter expressions hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// CDXJ lines by default; JSON is an object per line; filters contain, equal or match.
    Pywb,
    /// Lines of seven columns by default; JSON is an array of arrays; filters match the whole value. OutbackCDX filters so, too.
    Wayback,
}

/// How entries are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Key, timestamp and JSON.
    Cdxj,
    /// An object per line.
    JsonLines,
    /// One array, the names of the columns first.
    JsonArrays,
    /// Columns with blanks between them.
    Text,
}

/// The order of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// That of the index: by key, then by time.
    Index,
    /// The last first.
    Reverse,
    /// The nearest to a moment first.
    Closest(Timestamp),
    /// That of the index, but only the last entries: `limit=-5`.
    Last,
}

/// Neighbours with the same start of a field are one entry: the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collapse {
    /// The field.
    pub field: Field,
    /// How many characters count. None: all.
    pub len: Option<usize>,
}

/// A page of the entries in the range of the URL and the time, before filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Its number, from 0.
    pub number: u64,
    /// Its size in entries.
    pub entries: u64,
}

/// Where a listing was cut: the last entry that was given, and how many with its key and moment came up to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumeKey {
    /// Key and moment, with a blank between them.
    pub line: String,
    /// How many entries with this key and moment were looked at.
    pub count: u64,
}

/// A question to a CDX server.
#[derive(Debug, Clone)]
pub struct Request {
    /// Which entries are in the range.
    pub query: Query,
    /// Conditions that all must hold.
    pub filters: Vec<Filter>,
    /// Neighbours that are one entry.
    pub collapse: Vec<Collapse>,
    /// The order.
    pub order: Order,
    /// How many entries are skipped.
    pub offset: u64,
    /// How many entries are given at most.
    pub limit: Option<u64>,
    /// Only this page.
    pub page: Option<Page>,
    /// Whether the number of pages is asked for.
    pub wants_page_count: bool,
    /// Where to go on.
    pub resume: Option<ResumeKey>,
    /// Whether the key to go on with is asked for.
    pub wants_resume_key: bool,
    /// The columns. None: all that the output has by itself.
    pub fields: Option<Vec<Field>>,
    /// How entries are written.
    pub output: Output,
    /// Whose rules hold.
    pub dialect: Dialect,
    /// Whether the response may be compressed.
    pub may_gzip: bool,
}

/// A parameter that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}={value}: {why}")]
pub struct BadRequest {
    name: String,
    value: String,
    why: String,
}

impl BadRequest {
    /// A parameter, its value and what is wrong with it.
    pub fn new(name: &str, value: &str, why: &str) -> Self {
        let value = value.chars().take(200).collect();
        Self { name: name.to_owned(), value, why: why.to_owned() }
    }
}

impl Request {
    /// Reads a query string. Parameters that it does not know are ignored, as all CDX servers do.
    pub fn parse(query: &str, dialect: Dialect) -> Result<Self, BadRequest> {
        let mut parameters = Parameters::default();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            parameters.take(&name, &value, dialect)?;
        }
        parameters.finish(dialect)
    }

    /// Whether entries have to be held back before the first can be given.
    pub fn is_ordered(&self) -> bool {
        self.order != Order::Index
    }
}

/// Parameters as they are met.
#[derive(Default)]
struct Parameters {
    url: Option<String>,
    match_type: Option<MatchType>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    closest: Option<Timestamp>,
    sort: Option<String>,
    limit: Option<i64>,
    offset: u64,
    page: Option<u64>,
    page_size: Option<u64>,
    wants_page_count: bool,
    resume: Option<ResumeKey>,
    wants_resume_key: bool,
    filters: Vec<Filter>,
    collapse: Vec<Collapse>,
    fields: Option<Vec<Field>>,
    output: Option<Output>,
    no_gzip: bool,
}

/// The largest `pageSize`, in blocks.
const MAX_PAGE_BLOCKS: u64 = 1000;

impl Parameters {
    fn take(&mut self, name: &str, value: &str, dialect: Dialect) -> Result<(), BadRequest> {
        let bad = |why: &str| BadRequest::new(name, value, why);
        let number = || value.parse::<u64>().map_err(|_| bad("expected a number"));
        match name {
            "url" => self.url = Some(value.to_owned()),
            "matchType" => self.match_type = Some(match_type(value).ok_or_else(|| bad("unknown"))?),
            // Interfaces send empty fields of forms, too.
            "from" | "to" | "closest" | "limit" | "offset" | "page" | "pageSize" | "resumeKey"
                if value.is_empty() => {}
            "from" => self.from = Some(moment(value).ok_or_else(|| bad("expected 4 to 14 digits"))?),
            "to" => self.to = Some(moment(value).ok_or_else(|| bad("expected 4 to 14 digits"))?),
            "closest" => self.closest = Some(moment(value).ok_or_else(|| bad("expected 4 to 14 digits"))?),
            "sort" => self.sort = Some(value.to_owned()),
            "limit" => self.limit = Some(value.parse().map_err(|_| bad("expected a number"))?),
            "offset" => self.offset = number()?,
            "page" => self.page = Some(number()?),
            "pageSize" => self.page_size = Some(number()?.clamp(1, MAX_PAGE_BLOCKS)),
            "showNumPages" => self.wants_page_count = is_true(value),
            "showResumeKey" => self.wants_resume_key = is_true(value),
            "resumeKey" => {
                let key = ResumeKey::parse(value);
                self.resume = Some(key.ok_or_else(|| bad("not a key that this server gave"))?);
            }
            "filter" => self.filters.push(Filter::parse(value, dialect)?),
            "collapse" => {
                self.collapse.push(Collapse::parse(value).ok_or_else(|| bad("expected field[:N]"))?);
            }
            "collapseTime" => {
                let collapse = Collapse::parse(&format!("timestamp:{value}"));
                self.collapse.push(collapse.ok_or_else(|| bad("expected a number of digits"))?);
            }
            "fl" | "fields" if !value.is_empty() => self.fields = Some(fields(value)),
            "output" => self.output = Some(output(value, dialect).ok_or_else(|| bad("unknown"))?),
            "gzip" => self.no_gzip = !is_true(value),
            _ => {}
        }
        Ok(())
    }

    fn finish(self, dialect: Dialect) -> Result<Request, BadRequest> {
        let url = self.url.as_deref().filter(|url| !url.is_empty());
        let url = url.ok_or_else(|| BadRequest::new("url", "", "it is required"))?;
        let mut query = match self.match_type {
            Some(match_type) => {
                // `matchType` and a wildcard may come together.
                let bare = url.strip_prefix("*.").filter(|_| match_type == MatchType::Domain).unwrap_or(url);
                let bare = bare.strip_suffix('*').filter(|_| match_type == MatchType::Prefix).unwrap_or(bare);
                Query { match_type, ..Query::exact(bare) }
            }
            None => Query::pattern(url),
        };
        query.from = self.from;
        query.to = self.to;
        query.start = self.resume.as_ref().map(|key| key.line.clone());
        let order = self.order()?;
        let blocks = self.page_size.unwrap_or(5);
        let page = self.page.map(|number| Page { number, entries: blocks * BLOCK_ENTRIES });
        if order != Order::Index && (self.resume.is_some() || self.wants_resume_key) {
            return Err(BadRequest::new("resumeKey", "", "only entries in the order of the index have one"));
        }
        let default = match dialect {
            Dialect::Pywb => Output::Cdxj,
            Dialect::Wayback => Output::Text,
        };
        Ok(Request {
            query,
            filters: self.filters,
            collapse: self.collapse,
            order,
            offset: self.offset,
            limit: self.limit.map(i64::unsigned_abs),
            page: page
                .or(self.wants_page_count.then_some(Page { number: 0, entries: blocks * BLOCK_ENTRIES })),
            wants_page_count: self.wants_page_count,
            resume: self.resume,
            wants_resume_key: self.wants_resume_key,
            fields: self.fields,
            output: self.output.unwrap_or(default),
            dialect,
            may_gzip: !self.no_gzip,
        })
    }

    fn order(&self) -> Result<Order, BadRequest> {
        let is_last = self.limit.is_some_and(i64::is_negative);
        match (self.sort.as_deref(), self.closest) {
            (Some("reverse"), _) => Ok(Order::Reverse),
            // pywb and OutbackCDX take `closest` alone for the order, too.
            (Some("closest") | None, Some(moment)) => Ok(Order::Closest(moment)),
            (Some("closest"), None) => Err(BadRequest::new("sort", "closest", "`closest` names the moment")),
            (None | Some("" | "default"), _) if is_last => Ok(Order::Last),
            (None | Some("" | "default"), _) => Ok(Order::Index),
            (Some(other), _) => Err(BadRequest::new("sort", other, "expected default, reverse or closest")),
        }
    }
}

impl Collapse {
    fn parse(text: &str) -> Option<Self> {
        match text.split_once(':') {
            Some((field, len)) => Some(Self { field: Field::named(field), len: Some(len.parse().ok()?) }),
            None => (!text.is_empty()).then(|| Self { field: Field::named(text), len: None }),
        }
    }
}

impl ResumeKey {
    /// The key after an entry that was the `count`th with its key and moment.
    pub fn after(entry: &CdxEntry, count: u64) -> Self {
        Self { line: format!("{} {}", entry.urlkey, entry.timestamp), count }
    }

    /// Reads what [`Display`](fmt::Display) writes.
    fn parse(text: &str) -> Option<Self> {
        let (line, count) = text.rsplit_once('!')?;
        let is_line =
            line.rsplit_once(' ').is_some_and(|(key, moment)| !key.is_empty() && !moment.is_empty());
        is_line.then(|| Some(Self { line: line.to_owned(), count: count.parse().ok()? }))?
    }
}

/// `com,example)/ 20140101000000!1`
impl fmt::Display for ResumeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}!{}", self.line, self.count)
    }
}

/// A moment of 4 to 14 digits; of an odd number of them, as many as make a moment.
fn moment(text: &str) -> Option<Timestamp> {
    Timestamp::parse_leniently(text.as_bytes())
}

fn match_type(text: &str) -> Option<MatchType> {
    match text {
        "exact" | "" => Some(MatchType::Exact),
        "prefix" => Some(MatchType::Prefix),
        "host" => Some(MatchType::Host),
        "domain" => Some(MatchType::Domain),
        _ => None,
    }
}

fn output(text: &str, dialect: Dialect) -> Option<Output> {
    match text {
        "json" if dialect == Dialect::Pywb => Some(Output::JsonLines),
        "" if dialect == Dialect::Pywb => Some(Output::Cdxj),
        "json" | "jsonarrays" => Some(Output::JsonArrays),
        "jsonl" => Some(Output::JsonLines),
        "cdxj" => Some(Output::Cdxj),
        "text" | "cdx" | "" => Some(Output::Text),
        _ => None,
    }
}

fn fields(text: &str) -> Vec<Field> {
    let names = text.split([',', ' ']).filter(|name| !name.is_empty());
    // OutbackCDX takes the letters of a legend in one word, too.
    let is_legend =
        !text.contains([',', ' ']) && text.len() > 1 && text.chars().all(|c| "NbamskrMSVg".contains(c));
    if is_legend {
        return text.chars().map(|letter| Field::named(letter.encode_utf8(&mut [0; 4]))).collect();
    }
    names.map(Field::named).collect()
}

fn is_true(text: &str) -> bool {
    matches!(text, "true" | "1" | "yes" | "True")
}

#[cfg(test)]
mod tests {
    use super::*;
    use Dialect::{Pywb, Wayback};

    fn parse(query: &str) -> Request {
        Request::parse(query, Pywb).expect(query)
    }

    #[test]
    fn the_url_and_the_match_are_read() {
        for (query, url, match_type) in [
            ("url=http%3A%2F%2Fa.org%2F%3Fx%3D1%26y%3D2", "http://a.org/?x=1&y=2", MatchType::Exact),
            ("url=a.org/b*", "a.org/b", MatchType::Prefix),
            ("url=*.a.org", "a.org", MatchType::Domain),
            ("url=a.org&matchType=host", "a.org", MatchType::Host),
            ("url=a.org/b*&matchType=prefix", "a.org/b", MatchType::Prefix),
            ("url=*.a.org&matchType=domain", "a.org", MatchType::Domain),
            ("url=a.org/*&matchType=exact", "a.org/*", MatchType::Exact),
        ] {
            let request = parse(query);
            assert_eq!((&*request.query.url, request.query.match_type), (url, match_type), "{query}");
        }
    }

    #[test]
    fn order_and_limits_are_read() {
        let moment: Timestamp = "2014".parse().expect("a moment");
        for (query, order, limit) in [
            ("", Order::Index, None),
            ("&limit=5", Order::Index, Some(5)),
            ("&limit=-5", Order::Last, Some(5)),
            ("&sort=reverse&limit=", Order::Reverse, None),
            ("&sort=default&closest=2014", Order::Index, None),
            ("&closest=2014&limit=1", Order::Closest(moment), Some(1)),
            ("&sort=closest&closest=2014", Order::Closest(moment), None),
        ] {
            let request = parse(&format!("url=a{query}"));
            assert_eq!((request.order, request.limit), (order, limit), "{query}");
        }
    }

    #[test]
    fn each_dialect_has_its_outputs_and_columns() {
        for (dialect, query, expected) in [
            (Pywb, "", Output::Cdxj),
            (Wayback, "", Output::Text),
            (Pywb, "&output=json", Output::JsonLines),
            (Wayback, "&output=json", Output::JsonArrays),
            (Pywb, "&output=text", Output::Text),
            (Wayback, "&output=cdxj", Output::Cdxj),
            (Pywb, "&output=jsonarrays", Output::JsonArrays),
        ] {
            let request = Request::parse(&format!("url=a{query}"), dialect).expect(query);
            assert_eq!(request.output, expected, "{query}");
        }
        let columns = |text: &str| parse(&format!("url=a&fl={text}")).fields;
        let expected = Some(vec![Field::Url, Field::Timestamp]);
        for text in ["url,timestamp", "original,timestamp", "url%20timestamp", "ab"] {
            assert_eq!(columns(text), expected, "{text}");
        }
        assert_eq!(columns(""), None);
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        for (query, name) in [
            ("", "url="),
            ("url=", "url="),
            ("url=a&matchType=all", "matchType=all"),
            ("url=a&limit=x", "limit=x"),
            ("url=a&offset=-1", "offset=-1"),
            ("url=a&from=x", "from=x"),
            ("url=a&sort=random", "sort=random"),
            ("url=a&sort=closest", "sort=closest"),
            ("url=a&output=xml", "output=xml"),
            ("url=a&collapse=timestamp:x", "collapse=timestamp:x"),
            ("url=a&resumeKey=x", "resumeKey=x"),
            ("url=a&showResumeKey=true&sort=reverse", "resumeKey="),
        ] {
            let error = Request::parse(query, Pywb).expect_err(query).to_string();
            assert!(error.starts_with(name), "{query}: {error}");
        }
    }

    #[test]
    fn a_resume_key_is_read_as_it_was_written() {
        let key = ResumeKey { line: "org,a)/x!y 20140101000000".into(), count: 3 };
        let encoded: String = url::form_urlencoded::byte_serialize(key.to_string().as_bytes()).collect();
        assert_eq!(parse(&format!("url=a&resumeKey={encoded}")).resume, Some(key));
    }
}
