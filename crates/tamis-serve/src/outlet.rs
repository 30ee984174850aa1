//! The body of a response, written by a blocking thread.

use std::io::{self, Write};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures::stream;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::{HeaderValue, Response};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

/// What is sent at once.
const CHUNK_BYTES: usize = 64 << 10;
/// Chunks that wait for the client: 512 KiB.
const CHUNKS: usize = 8;
/// A client that takes no chunk for so long loses its connection.
const STALL: Duration = Duration::from_secs(30);

/// What a job gives its response to.
pub(crate) struct Responder {
    sender: oneshot::Sender<Response<Body>>,
}

/// A body that is being written. If it is dropped before [`Outlet::finish`], the client gets to know that it is cut: the connection
/// breaks.
pub(crate) struct Outlet {
    /// The head, until the first chunk.
    head: Option<(oneshot::Sender<Response<Body>>, Response<()>)>,
    chunks: Option<mpsc::Sender<Bytes>>,
    buffer: Vec<u8>,
}

/// An outlet that may compress.
pub(crate) enum Coded {
    Plain(Outlet),
    Gzip(Box<GzEncoder<Outlet>>),
}

impl Responder {
    pub(crate) fn new(sender: oneshot::Sender<Response<Body>>) -> Self {
        Self { sender }
    }

    /// Answers with a response without a body, or with one that is in memory.
    pub(crate) fn whole(self, response: Response<Body>) {
        // A client that has gone needs no answer.
        let _ = self.sender.send(response);
    }

    /// Begins a response whose body is written.
    pub(crate) fn begin(self, head: Response<()>) -> Outlet {
        Outlet { head: Some((self.sender, head)), chunks: None, buffer: Vec::with_capacity(CHUNK_BYTES) }
    }
}

impl Outlet {
    /// Ends the body. What fits into one chunk is sent with its length.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if let Some((sender, head)) = self.head.take() {
            let body = std::mem::take(&mut self.buffer);
            let _ = sender.send(head.map(|()| Body::from(body)));
            return Ok(());
        }
        self.send()?;
        // An empty chunk is the end.
        self.pass(Bytes::new())
    }

    /// Sends the head alone, for a request that asks for no more.
    pub(crate) fn finish_head(mut self) {
        if let Some((sender, head)) = self.head.take() {
            let _ = sender.send(head.map(|()| Body::empty()));
        }
    }

    fn send(&mut self) -> io::Result<()> {
        if let Some((sender, head)) = self.head.take() {
            let (chunks, receiver) = mpsc::channel(CHUNKS);
            let body = Body::from_stream(stream::unfold(Some(receiver), receive));
            sender.send(head.map(|()| body)).map_err(|_| gone())?;
            self.chunks = Some(chunks);
        }
        if self.buffer.is_empty() {
            return Ok(());
        }
        let chunk = Bytes::from(std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK_BYTES)));
        self.pass(chunk)
    }

    /// Hands a chunk to the connection, and waits for room as long as a client may stall.
    fn pass(&self, chunk: Bytes) -> io::Result<()> {
        let Some(chunks) = &self.chunks else { return Err(gone()) };
        match Handle::current().block_on(async { tokio::time::timeout(STALL, chunks.send(chunk)).await }) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(gone()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

/// The next chunk of a body. Chunks that end without an empty one are cut: the body ends in an error, so that nobody takes it for
/// whole.
async fn receive(
    receiver: Option<mpsc::Receiver<Bytes>>,
) -> Option<(io::Result<Bytes>, Option<mpsc::Receiver<Bytes>>)> {
    let mut receiver = receiver?;
    match receiver.recv().await {
        Some(chunk) if chunk.is_empty() => None,
        Some(chunk) => Some((Ok(chunk), Some(receiver))),
        None => Some((Err(io::ErrorKind::UnexpectedEof.into()), None)),
    }
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len().min(CHUNK_BYTES - self.buffer.len().min(CHUNK_BYTES - 1));
        self.buffer.extend_from_slice(&bytes[..len]);
        if self.buffer.len() >= CHUNK_BYTES {
            self.send()?;
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Coded {
    /// Begins a response, compressed if the client takes that.
    pub(crate) fn begin(responder: Responder, mut head: Response<()>, is_gzip: bool) -> Self {
        if !is_gzip {
            return Self::Plain(responder.begin(head));
        }
        head.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        head.headers_mut().remove(CONTENT_LENGTH);
        Self::Gzip(Box::new(GzEncoder::new(responder.begin(head), Compression::fast())))
    }

    /// Ends the body.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(outlet) => outlet.finish(),
            Self::Gzip(encoder) => encoder.finish()?.finish(),
        }
    }
}

impl Write for Coded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(outlet) => outlet.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn gone() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}
