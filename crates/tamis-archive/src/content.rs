//! What a record says about what it holds.

use std::io::{self, Read};

use crate::http::{BodyOutcome, BodyReader, DecodeLimits, HttpHead, HttpKind};
use crate::{Body, Head};

/// What a record says about what it holds, read from its head and that of its HTTP message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    /// Whether the block is an HTTP message.
    pub is_http: bool,
    /// The status of a response.
    pub status: Option<u16>,
    /// The media type of the payload, in lower case and without parameters.
    pub mime: Option<String>,
}

impl Content {
    /// Looks into the block without consuming it. `http` is left empty where there is no message.
    pub fn of(head: &Head, body: &mut Body<'_>, http: &mut HttpHead) -> io::Result<Self> {
        http.clear();
        if !head.holds_http() || body.peek_http(http)?.is_none() {
            return Ok(Self { mime: head.media_type(), ..Self::default() });
        }
        let status = http.status().filter(|_| http.kind() == HttpKind::Response);
        Ok(Self { is_http: true, status, mime: http.media_type() })
    }
}

/// The payload of a record: the body of its message with all codings undone, or its block.
pub enum Payload<'a, 'r> {
    /// The body of an HTTP message.
    Message(BodyReader<&'a mut Body<'r>>),
    /// The block itself.
    Block(&'a mut Body<'r>),
}

impl<'a, 'r> Payload<'a, 'r> {
    /// The payload of a record whose [`Content`] was just looked at.
    pub fn of(
        content: &Content,
        body: &'a mut Body<'r>,
        http: &mut HttpHead,
        limits: DecodeLimits,
    ) -> io::Result<Self> {
        if !content.is_http {
            return Ok(Self::Block(body));
        }
        body.read_http(http)?;
        Ok(Self::Message(BodyReader::new(http, body, limits)))
    }

    /// What came of decoding. A block needs none.
    pub fn outcome(&self) -> Option<BodyOutcome> {
        match self {
            Self::Message(reader) => Some(reader.outcome()),
            Self::Block(_) => None,
        }
    }
}

impl Read for Payload<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Message(reader) => reader.read(out),
            Self::Block(body) => body.read(out),
        }
    }
}
