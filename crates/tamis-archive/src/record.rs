//! A record as the reader lends it: its head, and its block as bytes to be read.

use std::io::{self, BufRead, Read};
use std::path::Path;

use crate::http::{Extent, HttpHead, Parse};
use crate::reader::Core;
use crate::{Codec, Error, Head, Result};

/// One record, lent by a [`Reader`](crate::Reader) until the next is asked for.
pub struct Record<'r> {
    /// The head.
    pub head: &'r Head,
    /// The block: what stands between the head and the record's end.
    pub body: Body<'r>,
}

/// The block of a record, to be read at most once. What is left unread is passed over.
pub struct Body<'r> {
    pub(crate) core: &'r mut Core,
}

/// What is known of a record once its last byte is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordEnd {
    /// How many bytes of the file the record takes, as an index states it: its compressed member, or in a plain file
    /// its head and block without the line ends that close it. None if it shares its compressed member with
    /// others, so that no range of the file holds it alone.
    pub stored_len: Option<u64>,
    /// How many bytes the block really has.
    pub block_len: u64,
    /// Whether any byte of the record is missing or in doubt.
    pub is_damaged: bool,
    /// Whether two line ends close the record, CRLF or LF; one is enough in ARC.
    pub is_closed: bool,
    /// Whether bytes that begin no record follow the block at once: it may go on in them.
    pub is_torn: bool,
    /// What the compressed member says for the bytes; the worst, if the record lies in several.
    pub member: MemberState,
}

/// What the compression of a stretch of a file says about its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemberState {
    /// The checksum is right, or the member goes on behind the record and has decoded without a fault so far.
    Sound,
    /// There is no compression, and so no checksum.
    Plain,
    /// The member ends early; what is there has decoded without a fault.
    Truncated,
    /// The data do not decode, or the checksum differs.
    Corrupt,
}

impl<'r> Record<'r> {
    /// Byte offset of the record in the file as stored: what an index states. Records that share a compressed member have
    /// the offset of that member.
    pub fn offset(&self) -> u64 {
        self.body.core.record_offset()
    }

    /// The codec of the member that the record begins in.
    pub fn codec(&self) -> Codec {
        self.body.core.codec()
    }

    /// Reads the record to its end and tells what was learnt there.
    pub fn finish(mut self) -> Result<RecordEnd> {
        self.close()
    }

    pub(crate) fn close(&mut self) -> Result<RecordEnd> {
        let end = self.body.core.finish_record();
        end.map_err(Error::io(self.body.core.path()))
    }

    /// The head and the block, to be used side by side.
    pub fn into_parts(self) -> (&'r Head, Body<'r>) {
        (self.head, self.body)
    }
}

impl Body<'_> {
    /// The first bytes of what is left, at least `want` of them (up to 2 MiB) unless the block is shorter.
    pub fn peek(&mut self, want: usize) -> io::Result<&[u8]> {
        self.core.peek_block(want)
    }

    /// Reads the HTTP head that the block begins with, without consuming it. Its length, or none if there is none.
    pub fn peek_http(&mut self, http: &mut HttpHead) -> io::Result<Option<usize>> {
        let mut want = 4 << 10;
        loop {
            let bytes = self.peek(want)?;
            let extent = if bytes.len() < want { Extent::Whole } else { Extent::Prefix };
            match http.parse(bytes, extent) {
                Parse::Done(len) => return Ok(Some(len)),
                Parse::NotHttp => return Ok(None),
                Parse::Partial => want *= 2,
            }
        }
    }

    /// Reads the HTTP head that the block begins with; what is left is the body of the message. False if there is none.
    pub fn read_http(&mut self, http: &mut HttpHead) -> io::Result<bool> {
        let len = self.peek_http(http)?;
        self.consume(len.unwrap_or(0));
        Ok(len.is_some())
    }

    /// Reads on to the end of the block, or until `most` bytes were added to `out`.
    pub fn append_to(&mut self, out: &mut Vec<u8>, most: u64) -> io::Result<()> {
        let mut room = usize::try_from(most).unwrap_or(usize::MAX);
        while room > 0 {
            let available = self.fill_buf()?;
            let len = available.len().min(room);
            if len == 0 {
                break;
            }
            out.extend_from_slice(&available[..len]);
            self.consume(len);
            room -= len;
        }
        Ok(())
    }

    /// The name of what is read, for messages.
    pub fn path(&self) -> &Path {
        self.core.path()
    }

    /// How many bytes are left by the record's own account. A damaged record may have fewer.
    pub fn remaining(&self) -> u64 {
        self.core.block_left()
    }
}

impl BufRead for Body<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.core.peek_block(1)
    }

    fn consume(&mut self, n: usize) {
        self.core.consume_block(n);
    }
}

impl Read for Body<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let n = available.len().min(buf.len());
        buf[..n].copy_from_slice(&available[..n]);
        self.consume(n);
        Ok(n)
    }
}
