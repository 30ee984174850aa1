//! A stream that keeps a copy of what goes through it.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::received::{Received, Spool};
use super::throttle::{Throttle, Throttled};

/// Passes bytes through and copies them onto a tape.
#[derive(Debug)]
pub(super) struct Tee<S> {
    stream: S,
    tape: Tape,
    throttled: Throttled,
}

/// What went through a stream during one exchange. Both who speaks HTTP and who keeps the bytes hold it.
#[derive(Debug, Clone)]
pub(super) struct Tape {
    shared: Arc<Mutex<Recorded>>,
}

/// What is on a tape.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    pub(super) request: Vec<u8>,
    pub(super) response: Received,
    /// Bytes that came, kept or not.
    pub(super) received: u64,
    /// Behind so many bytes of an answer reading fails.
    pub(super) max_response_bytes: usize,
    /// Whether it did.
    pub(super) is_full: bool,
    keep: Keep,
    /// Where what does not stay in memory of large responses goes.
    spool: Option<Arc<Spool>>,
}

/// Whether bytes are kept or only counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Keep {
    #[default]
    Bytes,
    Count,
}

impl Tape {
    pub(super) fn new(keep: Keep, spool: Option<Arc<Spool>>) -> Self {
        Self { shared: Arc::new(Mutex::new(Recorded { keep, spool, ..Recorded::default() })) }
    }

    /// Begins an exchange.
    pub(super) fn begin(&self, max_response_bytes: usize) {
        let mut recorded = self.lock();
        let (keep, spool) = (recorded.keep, recorded.spool.take());
        let response = Received::new(spool.clone());
        *recorded = Recorded { response, max_response_bytes, keep, spool, ..Recorded::default() };
    }

    /// The tape itself. Whoever holds it does not poll the stream meanwhile.
    pub(super) fn lock(&self) -> MutexGuard<'_, Recorded> {
        // Only copying bytes happens under the lock, which leaves them whole wherever it might panic.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes that came since the exchange began.
    pub(super) fn received(&self) -> u64 {
        self.lock().received
    }
}

impl<S> Tee<S> {
    pub(super) fn new(stream: S, tape: Tape, throttle: &Throttle) -> Self {
        Self { stream, tape, throttled: Throttled::new(throttle.clone()) }
    }
}

impl Recorded {
    fn record_read(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.received += bytes.len() as u64;
        if self.keep == Keep::Bytes { self.response.push(bytes) } else { Ok(()) }
    }

    /// Refuses to read on behind the limit.
    fn check(&mut self) -> io::Result<()> {
        self.is_full = self.response.len() > self.max_response_bytes;
        if self.is_full { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(()) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Tee<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        this.tape.lock().check()?;
        if this.throttled.poll(cx).is_pending() {
            return Poll::Pending;
        }
        let before = buf.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buf);
        let new = &buf.filled()[before..];
        if !new.is_empty() {
            this.throttled.spend(new.len());
            this.tape.lock().record_read(new)?;
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Tee<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        if let Poll::Ready(Ok(len)) = written {
            let mut recorded = this.tape.lock();
            if recorded.keep == Keep::Bytes {
                recorded.request.extend_from_slice(&bytes[..len]);
            }
        }
        written
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
