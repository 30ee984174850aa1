//! One exchange as the records of an archive.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tamis_archive::cdx::CdxEntry;
use tamis_archive::write::{Block, NewRecord, RecordId, RevisitProfile, Truncation, Writer, WriterOptions};
use tamis_archive::{Digest, Timestamp, sha1_pair, surt};

use super::known::Known;
use crate::fetch::TlsInfo;
use crate::{Error, Result};

/// The field with the outcome of the check of a server's certificate. It is ours: no standard has one.
const TLS_CHECK: &str = "Tamis-TLS-Certificate";
/// Memory for the block of a record that was spooled.
const LARGE_MEMORY_BYTES: usize = 1 << 20;

/// The media type of answers of name servers (RFC 4027).
const DNS: &str = "text/dns";

/// What was asked, and what came back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capture<'a> {
    /// The address.
    pub url: &'a str,
    /// The server's.
    pub ip: Option<IpAddr>,
    /// When the request began, in milliseconds since 1970.
    pub began_ms: u64,
    /// The request as it was sent.
    pub request: &'a [u8],
    /// The response as it came.
    pub response: &'a [u8],
    /// The length of the response's head.
    pub head_len: usize,
    /// The status.
    pub status: u16,
    /// The media type that the head states.
    pub content_type: Option<&'a str>,
    /// Why the response is not whole.
    pub truncated: Option<Truncation>,
    /// The HTTP version, unless it was HTTP/1 without TLS.
    pub protocol: Option<&'static str>,
    /// What TLS was agreed upon.
    pub tls: Option<&'a TlsInfo>,
}

/// The digests of a response.
#[derive(Debug, Clone, Copy)]
pub(super) struct Digests {
    /// Of what follows the head.
    pub payload: Digest,
    /// Of the whole, if it was computed in the same pass; the writer computes it otherwise.
    pub block: Option<Digest>,
}

/// A payload that was stored before.
#[derive(Debug, Clone)]
pub(super) struct Earlier {
    /// Why it is the payload of this exchange, too.
    pub profile: RevisitProfile,
    /// The address it came from.
    pub url: String,
    /// When.
    pub date: Timestamp,
    /// The id of its record.
    pub id: RecordId,
}

impl Earlier {
    /// The server says that it still holds.
    pub(super) fn confirmed(known: &Known) -> Self {
        Self { profile: RevisitProfile::ServerNotModified, ..Self::same(known) }
    }

    /// The server sent it once more.
    pub(super) fn same(known: &Known) -> Self {
        let Known { url, date, id, .. } = known.clone();
        Self { profile: RevisitProfile::IdenticalPayloadDigest, url, date, id }
    }
}

/// The records of an exchange, as they are stored.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// One behind the other.
    pub bytes: Vec<u8>,
    /// The same, of a response that was spooled: in a temporary file without a name, and its length. Then `bytes` is empty.
    pub file: Option<(File, u64)>,
    /// What an index says of the first, but for its place.
    pub entry: Option<Box<CdxEntry>>,
}

impl Stored {
    /// Bytes of the records.
    pub(super) fn len(&self) -> u64 {
        self.file.as_ref().map_or(self.bytes.len() as u64, |(_, len)| *len)
    }

    /// Whether there are no records.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Makes records in memory, one exchange at a time.
#[derive(Debug)]
pub(super) struct RecordMaker {
    writer: Writer<Vec<u8>>,
    warcinfo: WarcinfoId,
    options: WriterOptions,
}

/// The id of the warcinfo record of the file that is being written. Records that are made while a file is closed name that of the file before, which
/// describes the same run.
pub(super) type WarcinfoId = Arc<Mutex<RecordId>>;

impl RecordMaker {
    /// A maker whose records go into files of these options.
    pub(super) fn new(options: WriterOptions, warcinfo: WarcinfoId) -> Result<Self> {
        Ok(Self { writer: Writer::new(Vec::new(), options.clone())?.continuing(), options, warcinfo })
    }

    /// The stored records of an exchange: the response, or a revisit of the earlier one, then the request.
    pub(super) fn store(
        &mut self,
        capture: &Capture<'_>,
        digests: Digests,
        earlier: Option<&Earlier>,
    ) -> Result<Stored> {
        let (digests, block) = match earlier {
            Some(_) => (Digests { block: None, ..digests }, &capture.response[..capture.head_len]),
            None => (digests, capture.response),
        };
        let warcinfo = self.warcinfo();
        let entry = write(&mut self.writer, capture, digests, earlier, block.into(), &warcinfo)?;
        Ok(Stored { bytes: self.writer.take_stored(), file: None, entry: Some(Box::new(entry)) })
    }

    /// The stored records of an exchange whose response is not in memory. Memory: that of a writer with a small limit.
    pub(super) fn store_large(
        &self,
        capture: &Capture<'_>,
        digests: Digests,
        response: &mut dyn Read,
    ) -> Result<Stored> {
        let folder = self.options.spool_folder.clone().unwrap_or_else(std::env::temp_dir);
        let failed = |source| Error::io(&folder, source);
        let file = tempfile::tempfile_in(&folder).map_err(failed)?;
        let options = WriterOptions { memory_limit: LARGE_MEMORY_BYTES, ..self.options.clone() };
        let mut writer = Writer::new(file, options)?.continuing();
        let entry = write(&mut writer, capture, digests, None, Block::Stream(response), &self.warcinfo())?;
        let len = writer.offset();
        let mut file = writer.finish()?;
        file.flush().and_then(|()| file.rewind()).map_err(failed)?;
        Ok(Stored { bytes: Vec::new(), file: Some((file, len)), entry: Some(Box::new(entry)) })
    }

    fn warcinfo(&self) -> RecordId {
        self.warcinfo.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The record of what name servers said of a host, as Heritrix writes it: the moment, then a record of theirs a line.
    pub(super) fn store_dns(&mut self, host: &str, lines: &str, at_ms: u64) -> Result<Stored> {
        let (url, date) = (format!("dns:{host}"), moment(at_ms));
        let block = format!("{}\n{lines}", date.digits());
        let warcinfo = self.warcinfo();
        let record = NewRecord::response(&url, date)
            .content_type(DNS)
            .id(record_id(&url, at_ms))
            .warcinfo_id(&warcinfo);
        let written = self.writer.write(&record, block.as_bytes())?;
        let entry = CdxEntry {
            urlkey: surt(&url),
            timestamp: date.digits(),
            url,
            mime: DNS.to_owned(),
            digest: written.payload_digest.unwrap_or_default(),
            length: Some(written.length),
            ..CdxEntry::default()
        };
        Ok(Stored { bytes: self.writer.take_stored(), file: None, entry: Some(Box::new(entry)) })
    }
}

/// Writes the records of an exchange, and gives what an index says of the first.
fn write<W: Write>(
    writer: &mut Writer<W>,
    capture: &Capture<'_>,
    digests: Digests,
    earlier: Option<&Earlier>,
    block: Block<'_>,
    warcinfo: &RecordId,
) -> Result<CdxEntry> {
    let date = moment(capture.began_ms);
    let id = record_id(capture.url, capture.began_ms);
    let record = match earlier {
        Some(earlier) => revisit(capture.url, date, earlier),
        None => NewRecord::response(capture.url, date),
    };
    let payload = digests.payload;
    let mut record = record.id(id.clone()).warcinfo_id(warcinfo).payload_digest(&payload.to_string());
    if let Some(block) = digests.block {
        record = record.block_digest(&block.to_string());
    }
    let written = writer.write(&with_circumstances(with_connection(record, capture), capture), block)?;
    let request = NewRecord::request(capture.url, date).concurrent_to(&id).warcinfo_id(warcinfo);
    writer.write(&with_connection(request, capture), capture.request)?;
    Ok(CdxEntry { length: Some(written.length), ..entry(capture, date, &payload, earlier.is_some()) })
}

/// What an index says of an exchange: what reading its record again would say.
fn entry(capture: &Capture<'_>, date: Timestamp, payload: &Digest, is_revisit: bool) -> CdxEntry {
    let stated = capture.content_type.unwrap_or_default();
    let word = stated.split(|c: char| c == ';' || c.is_whitespace()).next().unwrap_or_default();
    CdxEntry {
        urlkey: surt(capture.url),
        timestamp: date.digits(),
        url: capture.url.to_owned(),
        mime: if is_revisit { "warc/revisit" } else { word }.to_owned(),
        status: Some(capture.status),
        digest: payload.to_string(),
        ..CdxEntry::default()
    }
}

fn revisit(url: &str, date: Timestamp, earlier: &Earlier) -> NewRecord {
    NewRecord::revisit(url, date, earlier.profile)
        .refers_to(&earlier.id)
        .refers_to_target(&earlier.url, earlier.date)
}

/// What holds for the response alone.
fn with_circumstances(mut record: NewRecord, capture: &Capture<'_>) -> NewRecord {
    if let Some(reason) = capture.truncated {
        record = record.truncated(reason);
    }
    match capture.tls {
        Some(tls) => record.field(TLS_CHECK, tls.certificate.to_string()),
        None => record,
    }
}

/// What holds for both records of an exchange: the server, and what was spoken with it.
fn with_connection(mut record: NewRecord, capture: &Capture<'_>) -> NewRecord {
    if let Some(ip) = capture.ip {
        record = record.ip_address(ip);
    }
    if let Some(protocol) = capture.protocol {
        record = record.field("WARC-Protocol", protocol);
    }
    if let Some(tls) = capture.tls {
        record = record.field("WARC-Protocol", tls.version);
        if !tls.cipher.is_empty() {
            record = record.field("WARC-Cipher-Suite", &tls.cipher);
        }
    }
    record
}

/// An address is never fetched twice in a millisecond, so its response needs no count: whoever knows address and moment
/// knows the id.
pub(super) fn record_id(url: &str, began_ms: u64) -> RecordId {
    RecordId::from_facts([&b"response"[..], url.as_bytes(), &began_ms.to_le_bytes()])
}

/// The digests of a response in memory. The payload is known again by that of all that follows the head, as it came.
pub(super) fn digests(response: &[u8], head_len: usize) -> Digests {
    let [block, payload] = sha1_pair([response, &response[head_len.min(response.len())..]]);
    Digests { payload, block: Some(block) }
}

/// Milliseconds since 1970 as a date.
pub(super) fn moment(ms: u64) -> Timestamp {
    let nanos = (ms % 1000) as u32 * 1_000_000;
    let seconds = i64::try_from(ms / 1000).unwrap_or(0);
    Timestamp::from_unix(seconds, nanos)
        .unwrap_or_else(|| Timestamp::from_unix(0, 0).expect("1970 is a year like any other"))
}

#[cfg(test)]
mod tests {
    use tamis_archive::Algorithm;
    use tamis_archive::write::Compression;

    use super::*;

    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n";

    fn stored(earlier: Option<&Earlier>) -> String {
        let id = record_id("http://a/", 0);
        let options = WriterOptions { compression: Compression::Plain, ..WriterOptions::default() };
        let mut maker = RecordMaker::new(options, Arc::new(Mutex::new(id))).expect("options are valid");
        let response = [HEAD, b"body"].concat();
        let capture = Capture {
            url: "http://a/",
            ip: None,
            began_ms: 1,
            request: b"GET / HTTP/1.1\r\n\r\n",
            response: &response,
            head_len: HEAD.len(),
            status: 200,
            content_type: None,
            truncated: None,
            protocol: None,
            tls: None,
        };
        let stored = maker.store(&capture, digests(&response, HEAD.len()), earlier).expect("memory");
        String::from_utf8(stored.bytes).expect("ASCII")
    }

    fn line(name: &str, text: &[u8]) -> String {
        format!("WARC-{name}-Digest: {}\r\n", Digest::of(Algorithm::Sha1, text))
    }

    #[test]
    fn a_response_has_the_digests_of_its_block_and_payload() {
        let stored = stored(None);
        assert!(stored.contains(&line("Block", &[HEAD, b"body"].concat())), "{stored}");
        assert!(stored.contains(&line("Payload", b"body")), "{stored}");
    }

    #[test]
    fn a_revisit_has_the_block_digest_of_its_head_alone() {
        let (profile, url) = (RevisitProfile::IdenticalPayloadDigest, "http://a/".to_owned());
        let earlier = Earlier { profile, date: moment(0), id: record_id(&url, 0), url };
        let stored = stored(Some(&earlier));
        assert!(stored.contains(&line("Block", HEAD)), "{stored}");
        assert!(stored.contains(&line("Payload", b"body")), "{stored}");
        assert!(!stored.contains(&line("Block", &[HEAD, b"body"].concat())), "{stored}");
    }
}
