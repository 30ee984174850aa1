//! What is written out of a record.

use std::io::{self, IsTerminal, Read, Write};

use anyhow::Context;
use clap::ValueEnum;
use tamis_archive::http::{BodyEnd, DecodeLimits, HttpHead};
use tamis_archive::{Error, Record, Version};

use super::printable::Tamed;
use super::transfer::copy;
use crate::output::{Content as Kind, Output, OutputArgs};
use crate::session::Session;
use tamis_archive::{Content, Payload};

/// A part of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Part {
    /// The whole record
    Record,
    /// The WARC header, with the empty line that ends it
    Head,
    /// The block: everything after the WARC header
    Block,
    /// The HTTP header; empty if there is none
    HttpHead,
    /// The HTTP body as sent, or the block if it is not an HTTP message
    Body,
    /// The HTTP body with chunks joined and content codings decoded
    Decoded,
}

/// Writes parts of records to stdout or a file.
pub(super) struct PartWriter<'p> {
    part: Part,
    target: Target<'p>,
}

/// Where the bytes go.
enum Target<'p> {
    Stream(Output<'p>),
    Terminal(Tamed<Output<'p>>),
}

impl<'p> PartWriter<'p> {
    /// Opens the output.
    pub(super) fn open(part: Part, output: &OutputArgs, session: &'p Session) -> anyhow::Result<Self> {
        let output = output.open(&session.printer, Kind::Text)?;
        let is_terminal = output.is_stdout() && io::stdout().is_terminal();
        let target = if is_terminal { Target::Terminal(Tamed::new(output)) } else { Target::Stream(output) };
        Ok(Self { part, target })
    }

    /// Writes a part of a record. Says what keeps a body from being decoded to its end.
    pub(super) fn write(
        &mut self,
        record: Record<'_>,
        content: &Content,
        http: &mut HttpHead,
    ) -> anyhow::Result<Option<&'static str>> {
        let closed_by: &[u8] = match record.head.version() {
            Version::Arc1 | Version::Arc2 => b"\n",
            _ => b"\r\n\r\n",
        };
        let (head, mut body) = record.into_parts();
        let path = body.path().to_owned();
        let head_len = if content.is_http { http.len_bytes() as u64 } else { 0 };
        let out = &mut self.target;
        match self.part {
            Part::Head => out.write_all(head.raw())?,
            Part::Record => {
                out.write_all(head.raw())?;
                copy(&mut body, &path, out)?;
                out.write_all(closed_by)?;
            }
            Part::Block => drop(copy(&mut body, &path, out)?),
            Part::HttpHead => drop(copy(&mut body.take(head_len), &path, out)?),
            Part::Body => {
                copy(&mut (&mut body).take(head_len), &path, &mut io::sink())?;
                copy(&mut body, &path, out)?;
            }
            Part::Decoded => {
                let payload = Payload::of(content, &mut body, http, DecodeLimits::default());
                let mut payload = payload.map_err(Error::io(&path))?;
                copy(&mut payload, &path, out)?;
                return Ok(payload.outcome().and_then(|outcome| why_cut(outcome.end)));
            }
        }
        Ok(None)
    }

    /// Makes sure that all is written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.target.finish()
    }
}

fn why_cut(end: BodyEnd) -> Option<&'static str> {
    match end {
        BodyEnd::Open | BodyEnd::Complete => None,
        BodyEnd::Truncated => Some("the body ends within its content coding"),
        BodyEnd::Corrupt => Some("the body cannot be decoded to its end"),
        BodyEnd::Limit => {
            Some("the body decodes to more than 1 GiB, or to 1000 times its size; the rest is not written")
        }
    }
}

impl Target<'_> {
    fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Stream(output) => output.finish(),
            Self::Terminal(mut tamed) => tamed.flush().context("cannot write to the terminal"),
        }
    }
}

impl Write for Target<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(output) => output.write(bytes),
            Self::Terminal(tamed) => tamed.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(output) => output.flush(),
            Self::Terminal(tamed) => tamed.flush(),
        }
    }
}
