//! A request and its answer, as they went over the wire.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::net::IpAddr;
use std::sync::Arc;

use tamis_archive::http::{BodyOutcome, BodyReader, Dechunk, DecodeLimits, Extent, HttpHead, Parse};

use super::failure::Failure;
use super::tls::TlsInfo;
use crate::address::Address;

/// A request and its answer.
#[derive(Debug, Clone)]
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
    /// The answer, head and body, without interim answers and without what came behind its end.
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
    pub(super) response: Vec<u8>,
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
            response: taken.response,
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

    /// The body as it was transferred, all codings in place.
    pub fn raw_body(&self) -> &[u8] {
        &self.response[self.head_len..]
    }

    /// The body with the transfer coding undone and the content coding in place.
    pub fn body(&self) -> Cow<'_, [u8]> {
        without_chunks(&self.head, self.raw_body())
    }

    /// The body with all codings undone, within limits, and what came of it.
    pub fn decoded(&self, limits: DecodeLimits) -> (Vec<u8>, BodyOutcome) {
        let raw = self.raw_body();
        let mut reader = BodyReader::new(&self.head, raw, limits);
        let mut out = Vec::with_capacity(raw.len());
        // A slice reads without errors; what does not decode shows in the outcome.
        let _ = reader.read_to_end(&mut out);
        (out, reader.outcome())
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
        let status = drop_interim(&mut self.response, &mut head)?;
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
        let mut rest = &self.response[head.len_bytes()..];
        let mut chunks = Dechunk::new(&mut rest);
        // A slice reads without errors.
        let _ = io::copy(&mut chunks, &mut io::sink());
        self.response.len() - rest.len()
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

    fn taken(response: &str, body_len: usize, truncated: Option<Truncated>) -> Taken {
        let (request, response) = (Vec::new(), response.as_bytes().to_vec());
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
            assert_eq!(String::from_utf8_lossy(&taken.response), kept);
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

    proptest! {
        #[test]
        fn any_bytes_are_cut_within_their_limits(start in prop::sample::select(vec!["", "HTTP/1.1 100\r\n\r\nHTTP/1.1 200",
                                                     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n"]),
                                                 rest: Vec<u8>, body_len in 0..100_usize, longest in 0..50_usize, whole: bool) {
            let response = [start.as_bytes(), &rest].concat();
            let truncated = (!whole).then_some(Truncated::Time);
            let mut taken = Taken { request: Vec::new(), response, body_len, protocol: Protocol::Http11, truncated };
            if let Ok(cut) = taken.cut(longest) {
                let len = taken.response.len() - cut.head.len_bytes();
                prop_assert!(len <= longest);
            }
        }
    }
}
