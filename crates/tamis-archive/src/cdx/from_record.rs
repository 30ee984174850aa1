//! Index entries made of records.

use std::io::{self, Read};

use serde_json::Value;

use super::{CdxEntry, post_query, request_body};
use crate::head::without_brackets;
use crate::http::HttpHead;
use crate::{Body, Error, Head, Record, RecordType, Result, payload_digest, payload_mime, surt};

/// The longest body of a request that becomes part of a key.
const REQUEST_LIMIT: u64 = 1 << 20;

/// What to index, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexOptions {
    /// The types of records that get an entry. A `metadata` or `resource` record of `application/warc-fields` gets none:
    /// it tells of the crawl, not of a page.
    pub types: Vec<RecordType>,
    /// Whether the body of a POST or PUT request becomes part of the key of the response beside it.
    pub post_append: bool,
}

impl Default for IndexOptions {
    fn default() -> Self {
        use RecordType::{Metadata, Resource, Response, Revisit};
        Self { types: vec![Response, Revisit, Resource, Metadata], post_append: false }
    }
}

/// Makes index entries of the records of a file, in their order, as cdxj-indexer does.
#[derive(Debug, Default)]
pub struct Indexer {
    options: IndexOptions,
    http: HttpHead,
    previous: Option<Exchange>,
}

/// One half of an exchange, whose other half may be the next record.
#[derive(Debug)]
struct Exchange {
    record_type: RecordType,
    url: String,
    id: Option<Vec<u8>>,
    concurrent_to: Option<Vec<u8>>,
    entry: Option<CdxEntry>,
    request: Option<Request>,
}

/// A request whose body tells it from others to the same URL.
#[derive(Debug)]
struct Request {
    method: String,
    content_type: String,
    body: Vec<u8>,
}

impl Indexer {
    /// An indexer with options.
    pub fn new(options: IndexOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Reads a record to its end and adds the entries that it completes.
    pub fn index(&mut self, mut record: Record<'_>, filename: &str, out: &mut Vec<CdxEntry>) -> Result<()> {
        let head = record.head;
        let is_wanted = self.wants(head);
        let is_request = self.options.post_append && head.record_type() == RecordType::Request;
        if !is_wanted && !is_request {
            self.flush(out);
            return Ok(());
        }
        let offset = record.offset();
        let request = if is_request { self.read_request(&mut record.body) } else { Ok(None) };
        let request = request.map_err(Error::io(record.body.path()))?;
        let entry = if is_wanted { self.entry(head, &mut record.body).map(Some) } else { Ok(None) };
        let mut entry = entry.map_err(Error::io(record.body.path()))?;
        let end = record.finish()?;
        if let Some(entry) = &mut entry {
            entry.offset = offset;
            entry.length = end.stored_len;
            filename.clone_into(&mut entry.filename);
        }
        if self.options.post_append {
            self.pair(Exchange::new(head, entry, request), out);
        } else {
            out.extend(entry);
        }
        Ok(())
    }

    /// Adds the entry that waited for its other half. Call it at the end of each file.
    pub fn flush(&mut self, out: &mut Vec<CdxEntry>) {
        out.extend(self.previous.take().and_then(|exchange| exchange.entry));
    }

    fn wants(&self, head: &Head) -> bool {
        let record_type = head.record_type();
        let tells_of_crawl = matches!(record_type, RecordType::Metadata | RecordType::Resource)
            && head.media_type().as_deref() == Some("application/warc-fields");
        self.options.types.contains(&record_type)
            && !tells_of_crawl
            && head.fields().get("WARC-Target-URI").is_some()
    }

    /// All of an entry but where it is.
    fn entry(&mut self, head: &Head, body: &mut Body<'_>) -> io::Result<CdxEntry> {
        let record_type = head.record_type();
        let is_http = head.holds_http() && body.read_http(&mut self.http)?;
        let has_status = matches!(record_type, RecordType::Response | RecordType::Revisit);
        // A blank would end the column of a CDX line.
        let url = head.target_uri().unwrap_or_default().replace(' ', "%20");
        let digest = payload_digest(head, body)?.unwrap_or_default();
        Ok(CdxEntry {
            urlkey: surt(head.fields().get("WARC-Target-URI").map(without_brackets).unwrap_or_default()),
            timestamp: timestamp(head),
            mime: self.mime(head, is_http),
            status: if is_http && has_status { self.http.status() } else { None },
            digest,
            url,
            ..CdxEntry::default()
        })
    }

    /// The media type of the payload; CDX has a word of its own for revisits.
    fn mime(&self, head: &Head, is_http: bool) -> String {
        if head.record_type() == RecordType::Revisit {
            return "warc/revisit".into();
        }
        payload_mime(head, is_http.then_some(&self.http)).unwrap_or_default()
    }

    fn read_request(&mut self, body: &mut Body<'_>) -> io::Result<Option<Request>> {
        if !body.read_http(&mut self.http)? {
            return Ok(None);
        }
        let method = String::from_utf8_lossy(self.http.method()).to_ascii_uppercase();
        if !matches!(method.as_str(), "POST" | "PUT") {
            return Ok(None);
        }
        let content_type = self.http.fields().text("Content-Type").unwrap_or_default().into_owned();
        let mut bytes = Vec::new();
        body.take(REQUEST_LIMIT).read_to_end(&mut bytes)?;
        Ok(Some(Request { method, content_type, body: bytes }))
    }

    /// Joins a request and a response that stand side by side.
    fn pair(&mut self, current: Exchange, out: &mut Vec<CdxEntry>) {
        let Some(previous) = self.previous.take() else {
            self.previous = Some(current);
            return;
        };
        if !previous.belongs_to(&current) {
            out.extend(previous.entry);
            self.previous = Some(current);
            return;
        }
        let (mut previous, mut current) = (previous, current);
        let request = previous.request.take().or_else(|| current.request.take());
        if let Some(request) = request {
            for entry in [&mut previous.entry, &mut current.entry].into_iter().flatten() {
                request.extend(entry);
            }
        }
        out.extend(previous.entry.into_iter().chain(current.entry));
    }
}

impl Exchange {
    fn new(head: &Head, entry: Option<CdxEntry>, request: Option<Request>) -> Self {
        Self {
            record_type: head.record_type(),
            url: head.target_uri().unwrap_or_default().into_owned(),
            id: head.fields().get("WARC-Record-ID").map(<[u8]>::to_vec),
            concurrent_to: head.fields().get("WARC-Concurrent-To").map(<[u8]>::to_vec),
            entry,
            request,
        }
    }

    /// Whether the two are the request and the response of one exchange, by what the second says.
    fn belongs_to(&self, next: &Self) -> bool {
        use RecordType::{Request, Response};
        let is_pair =
            matches!((self.record_type, next.record_type), (Request, Response) | (Response, Request));
        is_pair && self.url == next.url && self.id.is_some() && next.concurrent_to == self.id
    }
}

impl Request {
    /// Makes the request part of the key of an entry.
    fn extend(&self, entry: &mut CdxEntry) {
        let query = post_query(&self.method, &self.content_type, &self.body);
        let joint = if entry.url.contains('?') { '&' } else { '?' };
        entry.urlkey = surt(format!("{}{joint}{query}", entry.url));
        let body = request_body(&self.content_type, &self.body);
        entry.extra.push(("requestBody".into(), Value::from(body)));
        entry.extra.push(("method".into(), Value::from(self.method.clone())));
    }
}

/// Fourteen digits, or `-` for a date that is none.
fn timestamp(head: &Head) -> String {
    head.date().map_or_else(|| "-".into(), |date| date.digits())
}
