//! HTTP/2 over one connection, one request at a time, written down as HTTP/1.1.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::{Body, Incoming};
use hyper::client::conn::http2;
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::TokioIo;

use super::exchange::{Protocol, Taken, Truncated};
use super::failure::Failure;
use super::limits::Limits;
use super::received::{Received, Spool};
use super::stream::Stream;
use super::tee::{Keep, Tape, Tee};
use super::throttle::Throttle;
use super::watch::Watch;

/// What a server may send of a body before we have read it.
const WINDOW_BYTES: u32 = 256 << 10;

/// One connection that speaks HTTP/2.
pub(super) struct Http2 {
    sender: http2::SendRequest<Empty<Bytes>>,
    driver: Driver,
    tape: Tape,
    spool: Option<Arc<Spool>>,
}

type Connection = http2::Connection<TokioIo<Tee<Stream>>, Empty<Bytes>, Tasks>;
type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What must be polled for the connection to work.
struct Driver {
    /// `None` once the connection ended.
    connection: Option<Pin<Box<Connection>>>,
    tasks: Tasks,
}

/// What the connection would spawn. It lives and dies with the connection instead, so that no server keeps it alive.
#[derive(Clone, Default)]
struct Tasks {
    running: Arc<Mutex<Vec<Task>>>,
}

impl Http2 {
    /// Begins to speak. What does not stay in memory of large responses goes to `spool`.
    pub(super) async fn open(
        stream: Stream,
        limits: &Limits,
        throttle: &Throttle,
        spool: Option<Arc<Spool>>,
    ) -> Result<Self, Failure> {
        let tape = Tape::new(Keep::Count, None);
        let io = TokioIo::new(Tee::new(stream, tape.clone(), throttle));
        let tasks = Tasks::default();
        let (sender, connection) = http2::Builder::new(tasks.clone())
            .initial_stream_window_size(WINDOW_BYTES)
            .initial_connection_window_size(WINDOW_BYTES)
            .max_header_list_size(u32::try_from(limits.max_head_bytes).unwrap_or(u32::MAX))
            .handshake(io)
            .await
            .map_err(|_| Failure::Http2)?;
        Ok(Self { sender, driver: Driver { connection: Some(Box::pin(connection)), tasks }, tape, spool })
    }

    /// Whether another request can be sent, as far as is known.
    pub(super) fn is_open(&self) -> bool {
        self.driver.connection.is_some() && self.sender.is_ready()
    }

    /// Nothing more can be sent.
    pub(super) fn close(&mut self) {
        self.driver = Driver { connection: None, tasks: Tasks::default() };
    }

    /// Reads what came between two requests, and notices whether the server closed.
    pub(super) async fn settle(&mut self) {
        poll_fn(|cx| {
            self.driver.drive(cx);
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
        self.tape.begin(usize::MAX);
        let request_text = request_text(&request);
        let answer = self.head(request, watch).await?;
        let mut response = Received::new(self.spool.clone());
        response.memory = answer_text(&answer, limits)?;
        let head_len = response.len();
        let truncated = self.body(answer.into_body(), &mut response, watch, limits).await;
        if truncated.is_some() {
            self.close();
        }
        let body_len = response.len() - head_len;
        Ok(Taken { request: request_text, response, body_len, protocol: Protocol::H2, truncated })
    }

    async fn head(
        &mut self,
        request: Request<Empty<Bytes>>,
        watch: &mut Watch,
    ) -> Result<Response<Incoming>, Failure> {
        let mut answer = pin!(self.sender.send_request(request));
        let (driver, tape) = (&mut self.driver, &self.tape);
        let outcome = poll_fn(|cx| {
            driver.drive(cx);
            if let Poll::Ready(answer) = answer.as_mut().poll(cx) {
                return Poll::Ready(answer.map_err(|_| broken(tape)));
            }
            watch.poll(cx, || tape.received()).map(|()| Err(Failure::FirstByteTimeout))
        })
        .await;
        if outcome.is_err() {
            self.close();
        }
        outcome
    }

    async fn body(
        &mut self,
        mut body: Incoming,
        out: &mut Received,
        watch: &mut Watch,
        limits: &Limits,
    ) -> Option<Truncated> {
        let longest = out.len().saturating_add(limits.max_body_bytes);
        let (driver, tape) = (&mut self.driver, &self.tape);
        poll_fn(|cx| {
            let mut has_driven = false;
            loop {
                match Pin::new(&mut body).poll_frame(cx) {
                    Poll::Ready(Some(Ok(frame))) => {
                        if out.push(frame.data_ref().map_or(&[], |data| data)).is_err() {
                            return Poll::Ready(Some(Truncated::Unspecified));
                        }
                        has_driven = false;
                        if out.len() > longest {
                            return Poll::Ready(Some(Truncated::Length));
                        }
                    }
                    Poll::Ready(Some(Err(_))) => return Poll::Ready(Some(Truncated::Disconnect)),
                    Poll::Ready(None) => {
                        driver.drive(cx);
                        return Poll::Ready(None);
                    }
                    Poll::Pending if has_driven => break,
                    Poll::Pending => {
                        driver.drive(cx);
                        has_driven = true;
                    }
                }
            }
            watch.poll(cx, || tape.received()).map(|()| Some(Truncated::Time))
        })
        .await
    }
}

impl Driver {
    /// Lets the connection read and write. What ends it, those who wait for its answers hear of.
    fn drive(&mut self, cx: &mut Context<'_>) {
        self.tasks.poll(cx);
        if let Some(connection) = &mut self.connection
            && connection.as_mut().poll(cx).is_ready()
        {
            self.connection = None;
        }
        // A request just taken up is sent by what was spawned.
        self.tasks.poll(cx);
    }
}

impl Tasks {
    fn poll(&self, cx: &mut Context<'_>) {
        let taken = || std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        let mut waiting = Vec::new();
        loop {
            // Tasks may spawn tasks; those are polled too, before all rest.
            let mut tasks = taken();
            if tasks.is_empty() {
                break;
            }
            tasks.retain_mut(|task| task.as_mut().poll(cx).is_pending());
            waiting.append(&mut tasks);
        }
        self.running.lock().unwrap_or_else(PoisonError::into_inner).append(&mut waiting);
    }
}

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Tasks {
    fn execute(&self, task: F) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).push(Box::pin(task));
    }
}

fn broken(tape: &Tape) -> Failure {
    if tape.received() > 0 { Failure::Http2 } else { Failure::NoAnswer }
}

/// The request as HTTP/1.1 would have it, with names in small letters as HTTP/2 has them.
fn request_text(request: &Request<Empty<Bytes>>) -> Vec<u8> {
    let uri = request.uri();
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    let host = uri.authority().map_or("", |authority| authority.as_str());
    let mut text = format!("{} {target} HTTP/1.1\r\nhost: {host}\r\n", request.method()).into_bytes();
    write_fields(request.headers(), &mut text);
    text
}

/// The head of the answer as HTTP/1.1 would have it.
fn answer_text(answer: &Response<Incoming>, limits: &Limits) -> Result<Vec<u8>, Failure> {
    if answer.headers().len() > limits.max_headers {
        return Err(Failure::HeadTooLarge);
    }
    let status = answer.status();
    let reason = status.canonical_reason().unwrap_or("");
    let mut text = format!("HTTP/1.1 {} {reason}\r\n", status.as_str()).into_bytes();
    write_fields(answer.headers(), &mut text);
    Ok(text)
}

fn write_fields(fields: &HeaderMap, text: &mut Vec<u8>) {
    for (name, value) in fields {
        text.extend_from_slice(name.as_str().as_bytes());
        text.extend_from_slice(b": ");
        text.extend_from_slice(value.as_bytes());
        text.extend_from_slice(b"\r\n");
    }
    text.extend_from_slice(b"\r\n");
}
