//! HTTP/1.1 over one connection, with a tape of its bytes.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::{Body, Incoming};
use hyper::client::conn::http1;
use hyper::{Request, Response, Version};
use hyper_util::rt::TokioIo;
use tamis_archive::http::HttpHead;

use super::exchange::{Protocol, Taken, Truncated, drop_interim};
use super::failure::Failure;
use super::limits::Limits;
use super::received::Spool;
use super::stream::Stream;
use super::tee::{Keep, Tape, Tee};
use super::throttle::Throttle;
use super::watch::Watch;

/// The most that is read at once, and so the most that is read beyond a limit.
const MAX_READ_BYTES: usize = 64 << 10;

/// One connection that speaks HTTP/1.1.
pub(super) struct Http1 {
    sender: http1::SendRequest<Empty<Bytes>>,
    /// `None` once the connection ended.
    driver: Option<Pin<Box<Driver>>>,
    tape: Tape,
}

type Driver = http1::Connection<TokioIo<Tee<Stream>>, Empty<Bytes>>;

/// How reading a body ended.
struct BodyRead {
    len: usize,
    truncated: Option<Truncated>,
}

impl Http1 {
    /// Begins to speak. What does not stay in memory of large responses goes to `spool`.
    pub(super) async fn open(
        stream: Stream,
        limits: &Limits,
        throttle: &Throttle,
        spool: Option<Arc<Spool>>,
    ) -> Result<Self, Failure> {
        let tape = Tape::new(Keep::Bytes, spool);
        let io = TokioIo::new(Tee::new(stream, tape.clone(), throttle));
        let mut builder = http1::Builder::new();
        builder
            .title_case_headers(true)
            // Old servers send what the standard forbids and browsers take; so do we.
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .ignore_invalid_headers_in_responses(true)
            .max_headers(limits.max_headers)
            .max_header_size(limits.max_head_bytes)
            .max_buf_size(limits.max_head_bytes.max(MAX_READ_BYTES));
        let (sender, driver) = builder.handshake(io).await.map_err(|_| Failure::NoAnswer)?;
        Ok(Self { sender, driver: Some(Box::pin(driver)), tape })
    }

    /// Whether another request can be sent, as far as is known.
    pub(super) fn is_open(&self) -> bool {
        self.driver.is_some() && !self.sender.is_closed()
    }

    /// Nothing more can be sent.
    pub(super) fn close(&mut self) {
        self.driver = None;
    }

    /// Reads what came between two requests, which belongs to none, and notices whether the server closed.
    pub(super) async fn settle(&mut self) {
        poll_fn(|cx| {
            self.drive(cx);
            Poll::Ready(())
        })
        .await;
    }

    /// Sends a request and reads the answer.
    pub(super) async fn exchange(
        &mut self,
        request: Request<Empty<Bytes>>,
        watch: &mut Watch,
        limits: &Limits,
    ) -> Result<Taken, Failure> {
        self.settle().await;
        self.tape.begin(limits.max_head_bytes + MAX_READ_BYTES);
        let answer = self.head(request, watch).await?;
        let protocol = if answer.version() == Version::HTTP_10 { Protocol::Http10 } else { Protocol::Http11 };
        self.make_room(answer.body(), limits);
        let body = self.body(answer.into_body(), watch).await;
        if body.truncated.is_some() {
            self.close();
        }
        let mut recorded = self.tape.lock();
        let (request, response) =
            (std::mem::take(&mut recorded.request), std::mem::take(&mut recorded.response));
        Ok(Taken { request, response, body_len: body.len, protocol, truncated: body.truncated })
    }

    async fn head(
        &mut self,
        request: Request<Empty<Bytes>>,
        watch: &mut Watch,
    ) -> Result<Response<Incoming>, Failure> {
        let mut answer = pin!(self.sender.send_request(request));
        let driver = &mut self.driver;
        let tape = &self.tape;
        let outcome = poll_fn(|cx| {
            drive(driver, cx);
            if let Poll::Ready(answer) = answer.as_mut().poll(cx) {
                return Poll::Ready(answer.map_err(|error| failure_of(&error, tape)));
            }
            watch.poll(cx, || tape.received()).map(|()| Err(late(tape)))
        })
        .await;
        if outcome.is_err() {
            self.close();
        }
        outcome
    }

    /// Allows for the body, and makes room for it where its length is stated: not more than is likely to come.
    fn make_room(&self, body: &Incoming, limits: &Limits) {
        const MOST: u64 = 1 << 20;
        let mut recorded = self.tape.lock();
        recorded.max_response_bytes = recorded.response.len().saturating_add(limits.max_body_bytes);
        let stated =
            body.size_hint().exact().unwrap_or(0).min(MOST).min(limits.max_body_bytes as u64) as usize;
        if stated > recorded.response.len() {
            recorded.response.reserve(stated);
        }
    }

    async fn body(&mut self, mut body: Incoming, watch: &mut Watch) -> BodyRead {
        let mut len = 0;
        let truncated = poll_fn(|cx| {
            let mut has_driven = false;
            loop {
                match Pin::new(&mut body).poll_frame(cx) {
                    Poll::Ready(Some(Ok(frame))) => {
                        len += frame.data_ref().map_or(0, Bytes::len);
                        has_driven = false;
                    }
                    Poll::Ready(Some(Err(error))) => {
                        return Poll::Ready(Some(truncation_of(&error, &self.tape)));
                    }
                    Poll::Ready(None) => {
                        // Lets the connection come to rest, so that it can be used again.
                        self.drive(cx);
                        return Poll::Ready(None);
                    }
                    Poll::Pending if has_driven => break,
                    Poll::Pending => {
                        self.drive(cx);
                        has_driven = true;
                    }
                }
            }
            watch.poll(cx, || self.tape.received()).map(|()| Some(Truncated::Time))
        })
        .await;
        BodyRead { len, truncated }
    }

    fn drive(&mut self, cx: &mut Context<'_>) {
        drive(&mut self.driver, cx);
    }
}

/// Lets the connection read and write. What ends it, those who wait for its answers hear of.
fn drive(driver: &mut Option<Pin<Box<Driver>>>, cx: &mut Context<'_>) {
    if let Some(connection) = driver
        && connection.as_mut().poll(cx).is_ready()
    {
        *driver = None;
    }
}

fn failure_of(error: &hyper::Error, tape: &Tape) -> Failure {
    let recorded = tape.lock();
    if recorded.is_full {
        Failure::HeadTooLarge
    } else if error.is_parse() && has_bad_length(&recorded.response.memory) {
        Failure::BadLength
    } else if error.is_parse_too_large() {
        Failure::HeadTooLarge
    } else if error.is_parse() {
        Failure::NotHttp
    } else if recorded.received > 0 {
        Failure::HeadCut
    } else {
        Failure::NoAnswer
    }
}

/// Whether the `Content-Length` of an answer is the reason why hyper refuses its head: no number, several, or more than it can count,
/// which it calls a head that is too large. With a transfer coding the length does not matter.
fn has_bad_length(response: &[u8]) -> bool {
    /// hyper keeps the two numbers above for bodies without a length.
    const MOST: u64 = u64::MAX - 2;
    let mut head = HttpHead::default();
    let is_read = drop_interim(&mut response.to_vec(), &mut head).is_ok();
    if !is_read || head.fields().get("Transfer-Encoding").is_some() {
        return false;
    }
    let stated = head.fields().all("Content-Length").flat_map(|value| value.split(|&byte| byte == b','));
    let mut lengths = stated.map(|text| length_of(text.trim_ascii()).filter(|length| *length <= MOST));
    let Some(first) = lengths.next() else { return false };
    first.is_none() || lengths.any(|length| length != first)
}

fn length_of(digits: &[u8]) -> Option<u64> {
    // `parse` takes a plus sign, too.
    let is_number = digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()
}

fn late(tape: &Tape) -> Failure {
    if tape.received() > 0 { Failure::HeadTimeout } else { Failure::FirstByteTimeout }
}

fn truncation_of(error: &hyper::Error, tape: &Tape) -> Truncated {
    if tape.lock().is_full {
        return Truncated::Length;
    }
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    let is_framing = source.is_some_and(|source| {
        matches!(source.kind(), std::io::ErrorKind::InvalidInput | std::io::ErrorKind::InvalidData)
    });
    if is_framing { Truncated::Unspecified } else { Truncated::Disconnect }
}
