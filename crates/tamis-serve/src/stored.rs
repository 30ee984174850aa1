//! The record that holds the payload of a capture, opened.

use std::io::{self, BufReader, Read, Write};
use std::ops::Range;

use http::header::{CONTENT_LENGTH, CONTENT_RANGE, HeaderName};
use http::{HeaderValue, Response, StatusCode};
use tamis_archive::captures::{Capture, Payload};
use tamis_archive::http::{Dechunk, HttpHead};
use tamis_archive::{Body, Content, Record, Reference};
use tamis_replay::range::{Wanted, wanted};

use crate::failure::Failure;
use crate::listen::App;
use crate::outlet::Responder;
use crate::routes;
use crate::shelf::Holdings;

/// An open record, and what is to be done with it.
pub(crate) struct Given<'r> {
    pub(crate) record: Record<'r>,
    /// The head that a revisit has itself. The record is then another one.
    pub(crate) revisit: Option<HttpHead>,
    /// The length of the payload, if it was asked for.
    pub(crate) len: Option<u64>,
    pub(crate) responder: Responder,
}

/// The payload of a record, with its transfer coding undone and its content coding kept.
pub(crate) struct Stored<'b> {
    pub(crate) reader: Box<dyn Read + 'b>,
    pub(crate) len: Option<u64>,
    pub(crate) http: HttpHead,
    pub(crate) is_http: bool,
    pub(crate) mime: Option<String>,
}

/// What came of opening the record of a capture.
enum Step {
    Done,
    /// The length is needed first.
    Own(Responder),
    /// The payload is elsewhere.
    Revisit(Responder, Option<HttpHead>),
}

/// Opens the record that holds the payload of a capture, once if it is its own and no length is needed.
pub(crate) fn open(
    app: &App,
    holdings: &Holdings,
    capture: &Capture,
    needs_len: bool,
    responder: Responder,
    write: impl Fn(Given<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let captures = &holdings.captures;
    check(holdings, capture)?;
    let step = captures.read(capture, |mut record| {
        if Reference::of(record.head).is_some() {
            let mut http = HttpHead::default();
            let is_http = record.head.holds_http() && record.body.read_http(&mut http)?;
            return Ok::<_, Failure>(Step::Revisit(responder, is_http.then_some(http)));
        }
        if needs_len {
            return Ok(Step::Own(responder));
        }
        write(Given { record, revisit: None, len: None, responder }).map(|()| Step::Done)
    })?;
    let (responder, revisit, original) = match step.value {
        Step::Done => return Ok(()),
        Step::Own(responder) => (responder, None, None),
        Step::Revisit(responder, http) => match captures.payload(capture, &mut routes::watch(app))? {
            Payload::Own => (responder, http, None),
            Payload::Of(original) => (responder, http, Some(original)),
            Payload::Missing(reference) => {
                let why = format!(
                    "the capture is a revisit of {}, which is in none of the archives",
                    reference.url
                );
                return Err(Failure::Archive(why));
            }
        },
    };
    let holder = original.as_deref().unwrap_or(capture);
    if original.is_some() {
        check(holdings, holder)?;
    }
    let len =
        if needs_len { Some(captures.read(holder, |mut record| measure(&mut record))?.value) } else { None };
    captures.read(holder, |record| write(Given { record, revisit, len, responder })).map(|_| ())
}

/// Reads a record to its end before any of it is sent: checksums that fail come after the bytes they are for, and a response that has
/// begun cannot be taken back.
fn check(holdings: &Holdings, capture: &Capture) -> Result<(), Failure> {
    let end = holdings.captures.read(capture, |record| Ok::<_, Failure>(record.finish()?))?.value;
    if end.is_damaged {
        return Err(Failure::Archive("the record is damaged: bytes are missing or in doubt".to_owned()));
    }
    Ok(())
}

impl<'b> Stored<'b> {
    pub(crate) fn of<'r>(record: &'b mut Record<'r>) -> Result<Self, Failure> {
        let mut http = HttpHead::default();
        let body: &'b mut Body<'r> = &mut record.body;
        let content = Content::of(record.head, body, &mut http)?;
        if content.is_http {
            body.read_http(&mut http)?;
        }
        let codings = http.fields().text("Transfer-Encoding").unwrap_or_default().to_ascii_lowercase();
        let is_chunked = content.is_http && codings.contains("chunked");
        let len = (!is_chunked).then_some(body.remaining());
        let reader: Box<dyn Read + 'b> =
            if is_chunked { Box::new(Dechunk::new(BufReader::new(body))) } else { Box::new(body) };
        let (is_http, mime) = (content.is_http, content.mime);
        Ok(Self { reader, len, http, is_http, mime })
    }

    /// Sends the payload, or the part of it that is asked for.
    pub(crate) fn send(
        self,
        mut head: Response<()>,
        range: Option<&str>,
        len: Option<u64>,
        is_head: bool,
        responder: Responder,
    ) -> Result<(), Failure> {
        let range = range.filter(|_| head.status() == StatusCode::OK);
        let len = len.or(self.len);
        let part = part(&mut head, range, len)?;
        let mut outlet = responder.begin(head);
        if is_head {
            outlet.finish_head();
            return Ok(());
        }
        let mut reader = self.reader;
        io::copy(&mut (&mut reader).take(part.start), &mut io::sink())?;
        let sent = io::copy(&mut reader.take(part.end - part.start), &mut outlet)?;
        let promised = len.map(|len| len.min(part.end) - part.start);
        if promised.is_some_and(|promised| sent < promised) {
            return Err(Failure::Archive("the record ends before its length".to_owned()));
        }
        outlet.flush()?;
        Ok(outlet.finish()?)
    }
}

/// The part of a payload that is asked for, entered into the head.
fn part(head: &mut Response<()>, range: Option<&str>, len: Option<u64>) -> Result<Range<u64>, Failure> {
    let Some(len) = len else { return Ok(0..u64::MAX) };
    match wanted(range, len) {
        Wanted::Unsatisfiable => Err(Failure::Range(len)),
        Wanted::All => {
            set(head, CONTENT_LENGTH, &len.to_string());
            Ok(0..u64::MAX)
        }
        Wanted::Part(part) => {
            *head.status_mut() = StatusCode::PARTIAL_CONTENT;
            set(head, CONTENT_RANGE, &format!("bytes {}-{}/{len}", part.start, part.end - 1));
            set(head, CONTENT_LENGTH, &(part.end - part.start).to_string());
            Ok(part)
        }
    }
}

/// The length of a payload, counted where it is not known.
fn measure(record: &mut Record<'_>) -> Result<u64, Failure> {
    let mut stored = Stored::of(record)?;
    Ok(match stored.len {
        Some(len) => len,
        None => io::copy(&mut stored.reader, &mut io::sink())?,
    })
}

/// Sets a header. A value that is none is left out.
pub(crate) fn set<B>(head: &mut Response<B>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::try_from(value) {
        head.headers_mut().insert(name, value);
    }
}
