//! One connection: requests in, answers out, well or badly.

use std::fmt::Write;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::{Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use super::answer::{Answer, Coding, Conduct, Framing};
use super::coding;
use super::log::{Asked, Outcome};
use super::options::Quirk;
use super::request::{Accepts, Request, head_len};
use super::server::Shared;
use super::spot::Spot;

/// What a request may have as its head.
const LONGEST_HEAD: usize = 64 * 1024;
/// How many answers a connection has on hosts with a limit.
const FEW: u32 = 5;

/// A connection to a client.
pub(super) struct Connection<'a, S> {
    pub(super) shared: &'a Shared,
    pub(super) stream: S,
    pub(super) sent: Sent,
    number: u64,
    address: u32,
    secure: bool,
    answers: u32,
    received: Vec<u8>,
}

/// What went out for the request at hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sent {
    bytes: u64,
    last: Instant,
}

/// Whether a connection goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    GoOn,
    Close,
}

impl<'a, S: AsyncRead + AsyncWrite + Unpin> Connection<'a, S> {
    pub(super) fn new(shared: &'a Shared, stream: S, address: u32, secure: bool) -> Self {
        let number = shared.connections.fetch_add(1, Ordering::Relaxed);
        let sent = Sent { bytes: 0, last: Instant::now() };
        Self { shared, stream, sent, number, address, secure, answers: 0, received: Vec::new() }
    }

    /// Answers requests until one side has enough.
    pub(super) async fn run(mut self) -> io::Result<()> {
        while let Some(request) = self.receive().await? {
            if self.answer(&request).await? == Then::Close {
                break;
            }
        }
        self.stream.shutdown().await
    }

    /// The next request; none if the client is gone or makes no sense.
    async fn receive(&mut self) -> io::Result<Option<Request>> {
        let mut buffer = [0; 4096];
        loop {
            if let Some(len) = head_len(&self.received) {
                let request = Request::parse(&self.received[..len]);
                self.received.drain(..len);
                return Ok(request);
            }
            let read = self.stream.read(&mut buffer).await?;
            if read == 0 || self.received.len() > LONGEST_HEAD {
                return Ok(None);
            }
            self.received.extend_from_slice(&buffer[..read]);
        }
    }

    async fn answer(&mut self, request: &Request) -> io::Result<Then> {
        let start = Instant::now();
        let secure = self.secure || request.absolute_secure;
        let host = self.host(request);
        let asked =
            Asked { connection: self.number, address: self.address, host, secure, path: &request.path };
        let event = self.shared.log().begin(asked, self.shared.micros(start));
        self.sent = Sent { bytes: 0, last: start };
        let Some(host) = host.filter(|_| request.known) else {
            let status = if request.known { 421 } else { 405 };
            let sent = self.send_error(status).await;
            self.finish(event, status, 0, if sent.is_ok() { Outcome::Complete } else { Outcome::Left });
            return sent.map(|()| Then::Close);
        };
        let spot = self.shared.world.spot_on(host, secure, &request.path);
        let (answer, refused_s) = self.due(spot);
        let (status, planned) = (answer.status, planned(&answer, refused_s));
        let then = self.send_answer(request, spot, answer).await;
        let wait_ms = refused_s.map_or(0, |seconds| u64::from(seconds) * 1000);
        self.finish(event, status, wait_ms, if then.is_ok() { planned } else { Outcome::Left });
        then
    }

    /// The host that is asked. It is served where it lives; clients that use us as a proxy find it anywhere.
    fn host(&self, request: &Request) -> Option<u32> {
        let world = &self.shared.world;
        let host = world.host_index(&request.host)?;
        (request.absolute || world.hosts[host as usize].address == self.address).then_some(host)
    }

    /// The answer that is due now, and what `Retry-After` says if it is a refusal.
    fn due(&self, spot: Spot) -> (Answer, Option<u32>) {
        let mut answer = self.shared.world.answer_spot(spot);
        let refusals = answer.refusals.filter(|refusals| self.shared.asked_before(spot) < refusals.times);
        let Some(refusals) = refusals else { return (answer, None) };
        answer.status = refusals.status;
        answer.fields.push(("Retry-After", refusals.wait_s.to_string()));
        answer.body = b"<!DOCTYPE html><title>Later</title><p>Later.</p>\n".to_vec();
        (answer, Some(refusals.wait_s))
    }

    async fn send_answer(&mut self, request: &Request, spot: Spot, answer: Answer) -> io::Result<Then> {
        if let Conduct::Hostile(special) = answer.conduct {
            return self.misbehave(special, request, answer).await.map(|()| Then::Close);
        }
        self.answers += 1;
        let quirk = self.shared.world.hosts[spot.host as usize].quirk;
        let limited =
            self.answers >= FEW && matches!(quirk, Some(Quirk::FewPerConnection | Quirk::SilentClose));
        let close = !request.keep_alive || limited;
        let announced = close && quirk != Some(Quirk::SilentClose);
        let wire = wire(answer, request, announced);
        self.send(&wire.bytes).await?;
        Ok(if close || wire.ends_connection { Then::Close } else { Then::GoOn })
    }

    async fn send_error(&mut self, status: u16) -> io::Result<()> {
        let head =
            format!("HTTP/1.1 {status} {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", reason(status));
        self.send(head.as_bytes()).await
    }

    fn finish(&self, event: usize, status: u16, wait_ms: u64, outcome: Outcome) {
        // The client left when we noticed, not when we last wrote.
        let end = if outcome == Outcome::Left { Instant::now() } else { self.sent.last };
        self.shared.log().end(event, |event| {
            event.end_us = self.shared.micros(end).max(event.start_us);
            event.bytes = self.sent.bytes;
            event.status = status;
            event.wait_ms = wait_ms;
            event.outcome = outcome;
        });
    }

    /// Sends all bytes, and notes the moment right before the last of them went out.
    pub(super) async fn send(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let Self { stream, sent, .. } = self;
        poll_fn(|cx| {
            while !bytes.is_empty() {
                let now = Instant::now();
                let written = ready!(Pin::new(&mut *stream).poll_write(cx, bytes))?;
                if written == 0 {
                    return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
                }
                bytes = &bytes[written..];
                sent.bytes += written as u64;
                sent.last = now;
            }
            Pin::new(&mut *stream).poll_flush(cx)
        })
        .await
    }

    /// Waits until the client leaves, but not for ever.
    pub(super) async fn wait_for_the_client(&mut self, longest_ms: u32) {
        let mut buffer = [0; 64];
        let gone = async { while self.stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {} };
        let _ = timeout(Duration::from_millis(u64::from(longest_ms)), gone).await;
        self.sent.last = Instant::now();
    }
}

/// An answer in its bytes.
struct Wire {
    bytes: Vec<u8>,
    ends_connection: bool,
}

fn planned(answer: &Answer, refused: Option<u32>) -> Outcome {
    match answer.conduct {
        Conduct::Hostile(super::Special::Slow | super::Special::HugeHead) => Outcome::Complete,
        Conduct::Hostile(_) => Outcome::Broken,
        Conduct::Good if refused.is_some() => Outcome::Refused,
        Conduct::Good => Outcome::Complete,
    }
}

fn wire(answer: Answer, request: &Request, close: bool) -> Wire {
    let framing = if request.old_version && answer.framing == Framing::Chunked {
        Framing::Length
    } else {
        answer.framing
    };
    let coding = accepted(answer.coding, request.accepts);
    let mut head = head(&answer);
    let body = coding::encode(coding, answer.body);
    if let Some(name) = coding_name(coding) {
        let _ = write!(head, "Content-Encoding: {name}\r\n");
    }
    let _ = match framing {
        Framing::Length => write!(head, "Content-Length: {}\r\n", body.len()),
        Framing::Chunked => write!(head, "Transfer-Encoding: chunked\r\n"),
        Framing::Close => Ok(()),
    };
    head.push_str(if close || framing == Framing::Close { "Connection: close\r\n\r\n" } else { "\r\n" });
    let mut bytes = head.into_bytes();
    match framing {
        _ if request.head_only => {}
        Framing::Chunked => bytes.extend_from_slice(&coding::chunked(&body)),
        _ => bytes.extend_from_slice(&body),
    }
    Wire { bytes, ends_connection: framing == Framing::Close }
}

/// The status line and the fields that do not depend on how the body is sent.
pub(super) fn head(answer: &Answer) -> String {
    let mut head = format!("HTTP/1.1 {} {}\r\nServer: sim\r\n", answer.status, reason(answer.status));
    for (name, value) in &answer.fields {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head
}

fn accepted(coding: Coding, accepts: Accepts) -> Coding {
    match coding {
        Coding::Gzip if accepts.gzip => Coding::Gzip,
        Coding::Brotli if accepts.br => Coding::Brotli,
        Coding::Zstd if accepts.zstd => Coding::Zstd,
        _ => Coding::Identity,
    }
}

fn coding_name(coding: Coding) -> Option<&'static str> {
    match coding {
        Coding::Identity => None,
        Coding::Gzip => Some("gzip"),
        Coding::Brotli => Some("br"),
        Coding::Zstd => Some("zstd"),
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        421 => "Misdirected Request",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}
