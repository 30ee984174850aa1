//! Records one behind the other, with the place of each.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::block_digests::BlockDigests;
use super::encoder::{Encoder, Pieces, Source};
use super::head_text::{HeadFacts, write_head};
use super::raw_head::check_length;
use super::record_id::RecordIds;
use super::spool::Spool;
use super::{Block, Compression, NewRecord, RecordId, WriterOptions};
use crate::{Error, RecordType, Result};

/// What closes a WARC record.
const RECORD_END: &[u8] = b"\r\n\r\n";

/// Where a new record lies, and what the writer found out about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Byte offset of the record in the stored file, as a CDX has it.
    pub offset: u64,
    /// Bytes that the record takes up in the stored file.
    pub length: u64,
    /// Its `WARC-Record-ID`.
    pub record_id: RecordId,
    /// Its `WARC-Payload-Digest`, if it has one.
    pub payload_digest: Option<String>,
}

/// Appends records to a stream.
///
/// Each record is written by few calls (one, if it is compressed and fits in memory), so a file needs no buffer
/// around it. The writer knows no end mark: a stream is whole after every record.
///
/// ```
/// use tamis_archive::write::{NewRecord, Writer, WriterOptions};
///
/// let mut writer = Writer::new(Vec::new(), WriterOptions::default())?;
/// let page = NewRecord::resource("http://example.org/", "2026-08-12T18:27:00Z".parse()?, "text/plain");
/// let written = writer.write(&page, "hello")?;
/// assert_eq!(written.offset, 0);
/// let gzip: Vec<u8> = writer.finish()?;
/// assert_eq!(gzip[..2], [0x1F, 0x8B]);
/// # Ok::<(), tamis_archive::Error>(())
/// ```
pub struct Writer<W: Write> {
    out: W,
    path: PathBuf,
    options: WriterOptions,
    encoder: Encoder,
    ids: RecordIds,
    warcinfo_id: Option<RecordId>,
    head: Vec<u8>,
    block: Spool,
    scratch: Spool,
    offset: u64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing is written, not even the dictionary.
    Fresh,
    Sound,
    /// A record was written in part.
    Torn,
}

impl<W: Write> Writer<W> {
    /// Begins a stream. Nothing is written before the first record.
    pub fn new(out: W, options: WriterOptions) -> Result<Self> {
        options.compression.check()?;
        let spool = || Spool::new(options.memory_limit, options.spool_folder.clone());
        let (block, scratch) = (spool(), spool());
        Ok(Self {
            out,
            path: PathBuf::from("-"),
            encoder: Encoder::new(&options.compression).map_err(Error::io("-"))?,
            ids: RecordIds::from_seed(&options.id_seed),
            warcinfo_id: None,
            head: Vec::new(),
            block,
            scratch,
            offset: 0,
            state: State::Fresh,
            options,
        })
    }

    /// Names the file in error messages.
    #[must_use]
    pub fn named(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = path.into();
        self
    }

    /// Goes on with a file that others began: what a file begins with ([`Compression::preamble`]) is not written.
    #[must_use]
    pub fn continuing(mut self) -> Self {
        self.state = State::Sound;
        self
    }

    /// Writes a record with its block.
    pub fn write<'b>(&mut self, record: &NewRecord, block: impl Into<Block<'b>>) -> Result<Written> {
        record.check()?;
        let mut digests = BlockDigests::new(self.options.digest, record);
        let (source, block_len) = self.take_in(block.into(), |piece| digests.update(piece))?;
        let (block_digest, payload_digest) = digests.finish();
        let block_digest = record.block_digest.clone().or(block_digest);
        let payload_digest = record.payload_digest.clone().or(payload_digest);
        let record_id = match &record.id {
            Some(id) => id.clone(),
            None => self.make_id(record, block_digest.as_deref()),
        };
        let is_linked = self.options.link_warcinfo
            && record.record_type != RecordType::Warcinfo
            && record.fields.get("WARC-Warcinfo-ID").is_none();
        let facts = HeadFacts {
            version: self.options.version,
            id: &record_id,
            warcinfo_id: self.warcinfo_id.as_ref().filter(|_| is_linked),
            block_digest: block_digest.as_deref(),
            payload_digest: payload_digest.as_deref(),
            content_length: block_len,
        };
        let mut head = std::mem::take(&mut self.head);
        write_head(&mut head, record, &facts);
        let stored = self.store(&Pieces { head: &head, source, end: RECORD_END, block_len });
        self.head = head;
        let (offset, length) = stored?;
        if record.record_type == RecordType::Warcinfo {
            self.warcinfo_id = Some(record_id.clone());
        }
        Ok(Written { offset, length, record_id, payload_digest })
    }

    /// Copies a WARC record: `head` from its version line through its empty line, byte for byte, then the block and
    /// the two line ends that close it. Refuses a head whose `Content-Length` is not that of the block.
    /// Gives the offset and the length of the stored record.
    pub fn write_raw<'b>(&mut self, head: &[u8], block: impl Into<Block<'b>>) -> Result<(u64, u64)> {
        self.write_raw_ending(head, block, RECORD_END)
    }

    /// Copies a record that ends otherwise: an ARC record ends with one LF.
    pub fn write_raw_ending<'b>(
        &mut self,
        head: &[u8],
        block: impl Into<Block<'b>>,
        end: &[u8],
    ) -> Result<(u64, u64)> {
        let (source, block_len) = self.take_in(block.into(), |_| ())?;
        check_length(head, block_len)?;
        self.store(&Pieces { head, source, end, block_len })
    }

    /// Copies a WARC record whose block is spooled already; the spool is used up.
    pub fn write_raw_spooled(&mut self, head: &[u8], block: &mut Spool) -> Result<(u64, u64)> {
        let block_len = block.len();
        check_length(head, block_len)?;
        std::mem::swap(&mut self.block, block);
        let stored = self.store(&Pieces { head, source: Source::Spooled, end: RECORD_END, block_len });
        std::mem::swap(&mut self.block, block);
        block.clear();
        stored
    }

    /// Copies records as they are stored: whole members or frames that a writer of the same compression made.
    /// Gives the offset of the first.
    pub(super) fn write_stored(&mut self, stored: &[u8]) -> Result<u64> {
        let offset = self.offset;
        match self.out.write_all(stored) {
            Ok(()) => {
                self.offset += stored.len() as u64;
                Ok(offset)
            }
            Err(source) => {
                self.state = State::Torn;
                Err(self.failed(source))
            }
        }
    }

    /// The same for `len` bytes of a stream.
    pub(super) fn copy_stored(&mut self, stored: &mut dyn Read, len: u64) -> Result<u64> {
        let offset = self.offset;
        let copied = io::copy(&mut stored.take(len), &mut self.out);
        match copied {
            Ok(copied) if copied == len => {
                self.offset += len;
                Ok(offset)
            }
            copied => {
                self.state = State::Torn;
                Err(self.failed(copied.err().unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into())))
            }
        }
    }

    /// Hands on what the stream below may hold back.
    pub fn flush(&mut self) -> Result<()> {
        self.out.flush().map_err(|source| self.failed(source))
    }

    /// Bytes written so far: the offset of the next record.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The options it was made with.
    pub fn options(&self) -> &WriterOptions {
        &self.options
    }

    /// The name of the file in error messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The stream below.
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    pub(super) fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Flushes, and gives the stream below back.
    pub fn finish(mut self) -> Result<W> {
        self.flush()?;
        Ok(self.out)
    }

    /// Turns to another stream, keeping memory, ids and options. Gives the stream before back, unflushed.
    pub(super) fn restart(&mut self, out: W, path: PathBuf) -> W {
        self.path = path;
        self.offset = 0;
        self.state = State::Fresh;
        self.warcinfo_id = None;
        std::mem::replace(&mut self.out, out)
    }

    pub(super) fn is_torn(&self) -> bool {
        self.state == State::Torn
    }

    /// Goes on after the stream was cut back to [`Writer::offset`].
    pub(super) fn mended(&mut self) {
        self.state = if self.offset == 0 { State::Fresh } else { State::Sound };
    }

    /// Reads the block so far that its length and digests are known.
    fn take_in<'b>(&mut self, block: Block<'b>, mut each: impl FnMut(&[u8])) -> Result<(Source<'b>, u64)> {
        match block {
            Block::Bytes(bytes) => {
                each(bytes);
                Ok((Source::Bytes(bytes), bytes.len() as u64))
            }
            Block::Stream(stream) => match self.block.fill(stream, each) {
                Ok(()) => Ok((Source::Spooled, self.block.len())),
                Err(source) => Err(self.failed(source)),
            },
        }
    }

    fn make_id(&mut self, record: &NewRecord, block_digest: Option<&str>) -> RecordId {
        let date = record.date.to_string();
        let known = [record.record_type.name(), &date, block_digest.unwrap_or_default()].map(str::as_bytes);
        let fields = record.fields.iter().flat_map(|(name, value)| [name, value]);
        self.ids.next(known.into_iter().chain(fields))
    }

    /// Writes the pieces, behind the dictionary if they are the first. Gives offset and length.
    fn store(&mut self, pieces: &Pieces<'_>) -> Result<(u64, u64)> {
        if self.state == State::Torn {
            return Err(
                self.failed(io::Error::other("a record was written only in part, so no record can follow"))
            );
        }
        match self.try_store(pieces) {
            Ok(extent) => Ok(extent),
            Err(source) => {
                self.state = State::Torn;
                Err(self.failed(source))
            }
        }
    }

    fn try_store(&mut self, pieces: &Pieces<'_>) -> io::Result<(u64, u64)> {
        if self.state == State::Fresh
            && let Compression::Zstd { dictionary: Some(dictionary), .. } = &self.options.compression
        {
            let frame = dictionary.frame()?;
            self.out.write_all(&frame)?;
            self.offset += frame.len() as u64;
        }
        self.state = State::Sound;
        let length = self.encoder.store(pieces, [&mut self.block, &mut self.scratch], &mut self.out)?;
        let offset = self.offset;
        self.offset += length;
        Ok((offset, length))
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Io { path: self.path.clone(), source }
    }
}

impl<W: Write> std::fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer")
            .field("path", &self.path)
            .field("offset", &self.offset)
            .finish_non_exhaustive()
    }
}

impl Writer<Vec<u8>> {
    /// Takes the records that were stored in memory so far, for [`RollingWriter::append`](super::RollingWriter::append).
    /// The next one has offset 0 again.
    pub fn take_stored(&mut self) -> Vec<u8> {
        self.offset = 0;
        let room = Vec::with_capacity(self.out.len());
        std::mem::replace(&mut self.out, room)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_reader::{SeenRecord, decode, parse_all};
    use super::super::{RevisitProfile, Truncation, WarcVersion};
    use super::*;

    fn plain(version: WarcVersion) -> WriterOptions {
        WriterOptions { version, compression: Compression::Plain, ..WriterOptions::default() }
    }

    fn seen(version: WarcVersion, record: &NewRecord, block: &[u8]) -> SeenRecord {
        let mut writer = Writer::new(Vec::new(), plain(version)).expect("good options");
        writer.write(record, block).expect("is sound");
        parse_all(&writer.finish().expect("memory")).remove(0)
    }

    fn moment() -> crate::Timestamp {
        "2024-04-08T18:18:29.25Z".parse().expect("a moment")
    }

    #[test]
    fn a_head_says_all_in_a_fixed_order() {
        let mut writer = Writer::new(Vec::new(), plain(WarcVersion::V1_0)).expect("good options");
        let record = NewRecord::response("http://a/", moment())
            .id("urn:x:1".parse().expect("a URI"))
            .ip_address([192, 0, 2, 1].into())
            .concurrent_to(&"urn:x:2".parse().expect("a URI"))
            .concurrent_to(&"urn:x:3".parse().expect("a URI"))
            .truncated(Truncation::Length)
            .identified_payload_type("text/html")
            .field("X-Extra", " caf\u{e9} ");
        writer.write(&record, b"HTTP/1.1 200 OK\r\n\r\n").expect("is sound");
        let text = String::from_utf8(writer.finish().expect("memory")).expect("is text");
        let expected = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\n\
            WARC-Date: 2024-04-08T18:18:29Z\r\nWARC-Target-URI: http://a/\r\nWARC-IP-Address: 192.0.2.1\r\n\
            WARC-Concurrent-To: <urn:x:2>\r\nWARC-Concurrent-To: <urn:x:3>\r\nWARC-Truncated: length\r\n\
            WARC-Identified-Payload-Type: text/html\r\nX-Extra: caf\u{e9}\r\n\
            WARC-Block-Digest: sha1:OP3ZUEAEIGC5QPO47I7DR5X4KB6IV5TP\r\n\
            WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n\
            Content-Type: application/http;msgtype=response\r\nContent-Length: 19\r\n\r\n\
            HTTP/1.1 200 OK\r\n\r\n\r\n\r\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn dates_and_profiles_follow_the_version() {
        let revisit = NewRecord::revisit("http://a/", moment(), RevisitProfile::IdenticalPayloadDigest)
            .payload_digest("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
            .refers_to(&"urn:x:1".parse().expect("a URI"))
            .refers_to_target("http://b/", moment());
        for (version, date, number) in [
            (WarcVersion::V1_0, "2024-04-08T18:18:29Z", "1.0"),
            (WarcVersion::V1_1, "2024-04-08T18:18:29.25Z", "1.1"),
        ] {
            let seen = seen(version, &revisit, b"HTTP/1.1 200 OK\r\n\r\n");
            assert_eq!(seen.version, format!("WARC/{number}"));
            assert_eq!((seen.text("WARC-Date"), seen.text("WARC-Refers-To-Date")), (Some(date), Some(date)));
            let profile = format!("http://netpreserve.org/warc/{number}/revisit/identical-payload-digest");
            assert_eq!(seen.text("WARC-Profile"), Some(profile.as_str()));
            assert_eq!(seen.text("WARC-Refers-To-Target-URI"), Some("http://b/"));
        }
    }

    #[test]
    fn records_that_break_the_standard_are_refused() {
        let (date, id) = (moment(), "urn:x:1".parse().expect("a URI"));
        for bad in [
            NewRecord::new(RecordType::Other, date),
            NewRecord::new(RecordType::Response, date),
            NewRecord::response("", date),
            NewRecord::response("http://a/", date).target_uri("http://b/"),
            NewRecord::response("http://a/", date).field("content-length", "3"),
            NewRecord::response("http://a/", date).field("Bad Name", "3"),
            NewRecord::response("http://a/", date).field("A", "x\ny"),
            NewRecord::response("http://a/", date).block_digest("sha1"),
            NewRecord::warcinfo(date).target_uri("http://a/"),
            NewRecord::new(RecordType::Revisit, date).target_uri("http://a/"),
            NewRecord::revisit("http://a/", date, RevisitProfile::IdenticalPayloadDigest),
            NewRecord::new(RecordType::Continuation, date).target_uri("http://a/").segment_number(2),
        ] {
            let mut writer = Writer::new(Vec::new(), WriterOptions::default()).expect("good options");
            assert!(matches!(writer.write(&bad, b"x"), Err(Error::Value { .. })), "{bad:?}");
            assert_eq!(writer.offset(), 0);
        }
        let continuation = NewRecord::continuation("http://a/", date, 2, &id).segment_total_length(9);
        assert_eq!(
            seen(WarcVersion::V1_1, &continuation, b"x").text("WARC-Segment-Origin-ID"),
            Some("<urn:x:1>")
        );
    }

    #[test]
    fn records_are_copied_byte_for_byte() {
        let head = b"WARC/0.17\nwarc-type:response\nX: a\n folded \nContent-Length: 5\n\n";
        for compression in
            [Compression::Plain, Compression::GZIP, Compression::Zstd { level: 1, dictionary: None }]
        {
            let options = WriterOptions { compression, memory_limit: 2, ..WriterOptions::default() };
            let mut writer = Writer::new(Vec::new(), options).expect("good options");
            assert!(writer.write_raw(head, b"four").is_err(), "a wrong length");
            let first = writer.write_raw(head, b"block").expect("writes");
            let second = writer.write_raw(head, &mut io::Cursor::new(b"BLOCK")).expect("writes");
            assert_eq!(first.0 + first.1, second.0);
            writer.write_raw_ending(b"http://a/ 1.2.3.4 2008 text/html 1\n", b"x", b"\n").expect("writes");
            let copied = decode(&writer.finish().expect("memory"), b"");
            let expected = [
                &head[..],
                b"block\r\n\r\n",
                head,
                b"BLOCK\r\n\r\n",
                b"http://a/ 1.2.3.4 2008 text/html 1\nx\n",
            ];
            assert_eq!(copied, expected.concat());
        }
    }

    #[test]
    fn nothing_follows_a_record_that_was_written_in_part() {
        let mut writer =
            Writer::new(tamis_testkit::Full(1000), plain(WarcVersion::V1_1)).expect("good options");
        let record = NewRecord::response("http://a/", moment());
        writer.write(&record, b"x").expect("fits");
        let offset = writer.offset();
        assert!(writer.write(&record, &[b'x'; 1000]).is_err());
        assert!(writer.write(&record, b"").is_err());
        assert_eq!(writer.offset(), offset);
    }

    #[test]
    fn levels_out_of_range_are_refused() {
        for compression in [
            Compression::Gzip { level: 13, skip_lengths: false },
            Compression::Zstd { level: 23, dictionary: None },
        ] {
            let options = WriterOptions { compression, ..WriterOptions::default() };
            assert!(Writer::new(Vec::new(), options).is_err());
        }
    }
}
