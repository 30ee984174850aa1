//! A request and its answer, as they went over the wire.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::net::IpAddr;
use std::sync::Arc;

use tamis_archive::http::{BodyOutcome, BodyReader, Dechunk, DecodeLimits, Extent, HttpHead, Parse};

use super::failure::Failure;
use super::received::{Received, ResponseReader, Rest, len_of};
use super::tls::TlsInfo;
use crate::address::Address;

/// A request and its answer.
#[derive(Debug)]
pub struct Exchange {
    /// What was asked for.
    pub address: Address,
    /// Who was asked.
    pub ip: IpAddr,
    /// When the request was sent, in milliseconds since 1970.
    pub began_ms: u64,
    /// When the answer ended.
    pub ended_ms: u64,
    /// The request, through the empty line at its end.
    pub request: Vec<u8>,
    /// The response, head and body, without interim responses and without what came after its end. Of one that was spooled, only the
    /// first bytes: see [`Exchange::is_in_memory`].
    pub response: Vec<u8>,
    /// Where the body begins in `response`.
    pub head_len: usize,
    /// The status of the answer.
    pub status: u16,
    /// What was spoken.
    pub protocol: Protocol,
    /// Why the answer is not whole, if it is not.
    pub truncated: Option<Truncated>,
    /// What TLS was agreed upon.
    pub tls: Option<Arc<TlsInfo>>,
    head: HttpHead,
    rest: Option<Rest>,
}

/// Why an answer is not whole, in the words of `WARC-Truncated`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Truncated {
    /// It took too long.
    Time,
    /// It was too long.
    Length,
    /// The connection ended before it.
    Disconnect,
    /// Its framing broke: behind the place nobody can tell where it ends.
    Unspecified,
}

/// What a connection speaks, in the words of `WARC-Protocol`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// HTTP/1.0.
    Http10,
    /// HTTP/1.1.
    Http11,
    /// HTTP/2 over TLS.
    H2,
}

/// What an exchange was made of, before its answer is read.
pub(super) struct Taken {
    pub(super) request: Vec<u8>,
    pub(super) response: Received,
    /// Bytes of the body that the protocol gave, transfer coding undone.
    pub(super) body_len: usize,
    pub(super) protocol: Protocol,
    pub(super) truncated: Option<Truncated>,
}

/// An answer with its place in the stream found.
pub(super) struct Cut {
    pub(super) head: HttpHead,
    pub(super) status: u16,
    /// Whether bytes followed that belong to no answer.
    pub(super) has_surplus: bool,
}

impl Exchange {
    pub(super) fn new(address: Address, ip: IpAddr, taken: Taken, cut: Cut, times: (u64, u64)) -> Self {
        Self {
            address,
            ip,
            began_ms: times.0,
            ended_ms: times.1,
            request: taken.request,
            response: taken.response.memory,
            rest: taken.response.rest,
            head_len: cut.head.len_bytes(),
            status: cut.status,
            protocol: taken.protocol,
            truncated: taken.truncated,
            tls: None,
            head: cut.head,
        }
    }

    /// The head of the answer.
    pub fn head(&self) -> &HttpHead {
        &self.head
    }

    /// The value of the first field of this name, in any case of letters.
    pub fn field(&self, name: &str) -> Option<&[u8]> {
        self.head.fields().get(name)
    }

    /// Bytes of the response.
    pub fn len(&self) -> usize {
        self.response.len() + len_of(self.rest.as_ref())
    }

    /// Whether it has no bytes, which no response has.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether [`Exchange::response`] is all of it; else the rest is in a temporary file.
    pub fn is_in_memory(&self) -> bool {
        self.rest.is_none()
    }

    /// The response from a byte of its head, or the first of its body, to its end.
    pub fn reader(&self, from: usize) -> io::Result<ResponseReader<'_>> {
        ResponseReader::new(&self.response, self.rest.as_ref(), from)
    }

    /// The first bytes of the body as it was transferred: all of it, or at most so many of one that was spooled.
    pub fn start_of_body(&self, most_bytes: usize) -> io::Result<Cow<'_, [u8]>> {
        if self.is_in_memory() {
            return Ok(self.raw_body().into());
        }
        let mut bytes = Vec::new();
        self.reader(self.head_len)?.take(most_bytes as u64).read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }

    /// The body as it was transferred, all codings in place, as far as it is in memory.
    pub fn raw_body(&self) -> &[u8] {
        &self.response[self.head_len..]
    }

    /// The body with the transfer coding undone and the content coding in place.
    pub fn body(&self) -> Cow<'_, [u8]> {
        without_chunks(&self.head, self.raw_body())
    }

    /// The body with all codings undone, within limits, and what came of it. Fails only if it was spooled and cannot be read.
    pub fn decoded(&self, limits: DecodeLimits) -> io::Result<(Vec<u8>, BodyOutcome)> {
        let mut reader = BodyReader::new(&self.head, self.reader(self.head_len)?, limits);
        let mut out = Vec::with_capacity(self.raw_body().len());
        reader.read_to_end(&mut out)?;
        Ok((out, reader.outcome()))
    }
}

impl Truncated {
    /// The value of `WARC-Truncated`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Length => "length",
            Self::Disconnect => "disconnect",
            Self::Unspecified => "unspecified",
        }
    }
}

impl fmt::Display for Truncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Protocol {
    /// The value of `WARC-Protocol`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Http10 => "http/1.0",
            Self::Http11 => "http/1.1",
            Self::H2 => "h2",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Taken {
    /// Reads the head, and drops what is before the answer and behind it.
    pub(super) fn cut(&mut self, max_body_bytes: usize) -> Result<Cut, Failure> {
        let mut head = HttpHead::default();
        let status = drop_interim(&mut self.response.memory, &mut head)?;
        let end = if self.truncated.is_none() { self.end(&head) } else { self.response.len() };
        let has_surplus = end < self.response.len();
        let longest = head.len_bytes().saturating_add(max_body_bytes);
        if end > longest {
            self.truncated.get_or_insert(Truncated::Length);
        }
        self.response.truncate(end.min(longest));
        Ok(Cut { head, status, has_surplus })
    }

    /// Where a whole answer ends.
    fn end(&self, head: &HttpHead) -> usize {
        let plain_end = head.len_bytes() + self.body_len;
        if plain_end >= self.response.len() || !is_chunked(head) {
            return plain_end.min(self.response.len());
        }
        if let Some(len) = chunked_len(self.response.memory.get(head.len_bytes()..).unwrap_or_default()) {
            return head.len_bytes() + len;
        }
        let Ok(mut rest) = self.response.reader(head.len_bytes()) else { return self.response.len() };
        let mut counted = io::BufReader::new(&mut rest);
        let read = io::copy(&mut Dechunk::new(&mut counted), &mut io::sink());
        let ahead = counted.buffer().len() as u64;
        let left = io::copy(&mut rest, &mut io::sink());
        match (read, left) {
            (Ok(_), Ok(left)) => self.response.len() - (ahead + left) as usize,
            // A file that cannot be read any more: what is there is kept as it is.
            _ => self.response.len(),
        }
    }
}

/// Reads the head of the answer behind interim ones, which are taken out.
pub(super) fn drop_interim(response: &mut Vec<u8>, head: &mut HttpHead) -> Result<u16, Failure> {
    let mut at = 0;
    loop {
        let Parse::Done(len) = head.parse(&response[at..], Extent::Whole) else {
            return Err(Failure::NotHttp);
        };
        match head.status() {
            Some(100 | 102..=199) if len > 0 => at += len,
            Some(status) => {
                response.drain(..at);
                return Ok(status);
            }
            None => return Err(Failure::NotHttp),
        }
    }
}

/// The length of a chunked body that is in memory to its end, without trailers and oddities: what nearly all servers send. Nothing is
/// copied; for other bodies [`Dechunk`] decides.
fn chunked_len(body: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let line = memchr::memchr(b'\n', body.get(at..)?)?;
        let digits = body[at..at + line].strip_suffix(b"\r")?;
        let is_size = (1..=8).contains(&digits.len()) && digits.iter().all(u8::is_ascii_hexdigit);
        let size = std::str::from_utf8(digits).ok().filter(|_| is_size)?;
        let size = usize::from_str_radix(size, 16).ok()?;
        at += line + 1 + size;
        if body.get(at..at + 2)? != b"\r\n" {
            return None;
        }
        at += 2;
        if size == 0 {
            return Some(at);
        }
    }
}

/// A body without its transfer coding.
fn without_chunks<'a>(head: &HttpHead, raw: &'a [u8]) -> Cow<'a, [u8]> {
    if !is_chunked(head) {
        return Cow::Borrowed(raw);
    }
    let mut out = Vec::with_capacity(raw.len());
    // A slice reads without errors; what is no chunk is given as it stands.
    let _ = Dechunk::new(raw).read_to_end(&mut out);
    Cow::Owned(out)
}

fn is_chunked(head: &HttpHead) -> bool {
    let mut codings = head.fields().all("Transfer-Encoding").flat_map(|value| value.split(|&b| b == b','));
    codings.any(|word| word.trim_ascii().eq_ignore_ascii_case(b"chunked"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn received(bytes: &[u8]) -> Received {
        let mut received = Received::new(None);
        received.push(bytes).expect("memory");
        received
    }

    fn taken(response: &str, body_len: usize, truncated: Option<Truncated>) -> Taken {
        let (request, response) = (Vec::new(), received(response.as_bytes()));
        Taken { request, response, body_len, protocol: Protocol::Http11, truncated }
    }

    #[test]
    fn an_answer_is_cut_out_of_the_stream() {
        let ok = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n";
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n0\r\nT: x\r\n\r\n";
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n";
        for (stream, body_len, kept, has_surplus) in [
            (format!("{ok}body"), 4, format!("{ok}body"), false),
            (format!("{hints}{ok}body"), 4, format!("{ok}body"), false),
            (format!("{ok}bodyHTTP/1.1 200 OK\r\n\r\n"), 4, format!("{ok}body"), true),
            (chunked.to_owned(), 2, chunked.to_owned(), false),
            (format!("{chunked}more"), 2, chunked.to_owned(), true),
        ] {
            let mut taken = taken(&stream, body_len, None);
            let cut = taken.cut(1 << 20).expect("an answer");
            assert_eq!(String::from_utf8_lossy(&taken.response.memory), kept);
            assert_eq!((cut.status, cut.has_surplus), (200, has_surplus), "{stream:?}");
        }
    }

    #[test]
    fn an_answer_keeps_no_more_than_its_limit() {
        for (before, after) in [(None, Truncated::Length), (Some(Truncated::Time), Truncated::Time)] {
            let mut taken = taken("HTTP/1.1 200 OK\r\n\r\n0123456789", 10, before);
            let cut = taken.cut(4).expect("an answer");
            assert_eq!((taken.response.len() - cut.head.len_bytes(), cut.has_surplus), (4, false));
            assert_eq!(taken.truncated, Some(after));
        }
    }

    /// Where `Dechunk` says that a body ends.
    fn dechunked_len(body: &[u8]) -> usize {
        let mut rest = body;
        let _ = io::copy(&mut Dechunk::new(&mut rest), &mut io::sink());
        body.len() - rest.len()
    }

    proptest! {
        #[test]
        fn the_short_way_through_chunks_ends_where_the_long_one_does(
            chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 0..5), behind: Vec<u8>,
            flip in prop::option::of((any::<prop::sample::Index>(), any::<u8>()))
        ) {
            let mut body = Vec::new();
            for chunk in chunks {
                body.extend_from_slice(format!("{:X}\r\n", chunk.len()).as_bytes());
                body.extend_from_slice(&chunk);
                body.extend_from_slice(b"\r\n");
            }
            body.extend_from_slice(b"0\r\n\r\n");
            let is_plain = flip.is_none();
            let whole = body.len();
            body.extend_from_slice(&behind);
            if let Some((at, byte)) = flip {
                let at = at.index(body.len());
                body[at] = byte;
            }
            let found = chunked_len(&body);
            prop_assert!(found.is_none_or(|len| len == dechunked_len(&body)), "{found:?}");
            prop_assert!(!is_plain || found == Some(whole));
        }

        #[test]
        fn any_bytes_are_cut_within_their_limits(start in prop::sample::select(vec!["", "HTTP/1.1 100\r\n\r\nHTTP/1.1 200",
                                                     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n"]),
                                                 rest: Vec<u8>, body_len in 0..100_usize, longest in 0..50_usize, whole: bool) {
            let response = received(&[start.as_bytes(), &rest].concat());
            let truncated = (!whole).then_some(Truncated::Time);
            let mut taken = Taken { request: Vec::new(), response, body_len, protocol: Protocol::Http11, truncated };
            if let Ok(cut) = taken.cut(longest) {
                let len = taken.response.len() - cut.head.len_bytes();
                prop_assert!(len <= longest);
            }
        }
    }
}
