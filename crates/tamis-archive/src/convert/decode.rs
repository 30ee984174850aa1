//! Responses without their codings, for programs that cannot undo them.
//!
//! As Common Crawl does it: the body is stored as it decodes, `Content-Encoding`, `Transfer-Encoding` and the old `Content-Length` are kept
//! under names that begin with `X-Crawl-`, and `Content-Length` is that of the new body. `WARC-Payload-Digest` and `WARC-Block-Digest` are
//! those of what is stored now; revisits of such a payload state its new digest, too, and say nothing of codings any more.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read, Write};
use std::sync::Arc;

use super::MEMORY_LIMIT;
use crate::head_lines::head_lines;
use crate::http::{BodyEnd, BodyReader, Coding, DecodeLimits, Extent, HttpHead, Parse};
use crate::write::Spool;
use crate::{Algorithm, Digest, Error, Hasher, Head, Reader, RecordType, Result, StatedDigest};

/// Heads of messages that are longer stay as they are.
const LONGEST_HEAD: usize = 1 << 20;
/// What a body may decode to.
const LIMITS: DecodeLimits = DecodeLimits { max_output_bytes: 16 << 30, max_ratio: 2_000 };

/// Which codings are undone, and what is known of the payloads that revisits refer to.
#[derive(Debug, Clone, Default)]
pub struct Decode {
    /// Bodies in none of these stay as they are; all codings of the others are undone. Empty for all codings.
    pub codings: Vec<Coding>,
    /// The payloads that revisits refer to, as [`Payloads`] has found them.
    pub payloads: Arc<Payloads>,
}

/// Payloads by the digests that they had, with those that they have without codings, and their lengths.
///
/// Memory: some 100 bytes for each payload that a revisit refers to.
#[derive(Debug, Default)]
pub struct Payloads {
    wanted: HashSet<Digest>,
    decoded: HashMap<Digest, (Digest, u64)>,
}

/// What became of a record.
pub(super) enum Decoded {
    /// It is to be written so.
    Changed { head: Vec<u8>, block: Spool },
    /// It has no coding that is to be undone.
    AsItIs,
    /// Its body does not decode to its end.
    Undecodable,
    /// A revisit whose payload was not among what was read.
    Orphan,
}

/// A body without its codings.
struct Body {
    spool: Spool,
    digest: Digest,
}

impl Payloads {
    /// Notes the payloads that the revisits of an archive refer to.
    pub fn want(&mut self, reader: &mut Reader) -> Result<()> {
        while let Some(record) = reader.next()? {
            if record.head.record_type() == RecordType::Revisit {
                self.wanted.extend(payload_digest(record.head));
            }
        }
        Ok(())
    }

    /// Whether any revisit refers to a payload.
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Looks for those payloads in an archive, and decodes them.
    pub fn find(&mut self, reader: &mut Reader, codings: &[Coding]) -> Result<()> {
        let mut block = Spool::new(MEMORY_LIMIT, None);
        while let Some(mut record) = reader.next()? {
            let head = record.head;
            let Some(digest) = payload_digest(head).filter(|digest| self.wanted.contains(digest)) else {
                continue;
            };
            if head.record_type() != RecordType::Response
                || !head.holds_http()
                || self.decoded.contains_key(&digest)
            {
                continue;
            }
            block.fill(&mut record.body, |_| ()).map_err(Error::io(record.body.path()))?;
            let found = body(head, &mut block, codings).map_err(Error::io(std::env::temp_dir()))?;
            if let Ok(Some((_, body))) = found {
                self.decoded.insert(digest, (body.digest, body.spool.len()));
            }
        }
        Ok(())
    }
}

impl Decode {
    /// What a record is without codings.
    pub(super) fn decode(&self, head: &Head, block: &mut Spool) -> io::Result<Decoded> {
        if !head.holds_http() {
            return Ok(Decoded::AsItIs);
        }
        match head.record_type() {
            RecordType::Response => self.response(head, block),
            RecordType::Revisit => self.revisit(head, block),
            _ => Ok(Decoded::AsItIs),
        }
    }

    fn response(&self, head: &Head, block: &mut Spool) -> io::Result<Decoded> {
        let (http, mut body) = match body(head, block, &self.codings)? {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(Decoded::AsItIs),
            Err(()) => return Ok(Decoded::Undecodable),
        };
        let fields = without_codings(&http, body.spool.len());
        changed(head, &fields, Some(&mut body.spool), Some(body.digest))
    }

    /// Its block is the head of a message whose body is elsewhere.
    fn revisit(&self, head: &Head, block: &mut Spool) -> io::Result<Decoded> {
        let Some((http, _)) = http_head(block)? else { return Ok(Decoded::AsItIs) };
        let known = payload_digest(head).and_then(|digest| self.payloads.decoded.get(&digest));
        match known {
            Some((digest, len)) => changed(head, &without_codings(&http, *len), None, Some(*digest)),
            // It may be one of those that are left as they are.
            None if http.is_coded() && self.is_wanted(&http) => Ok(Decoded::Orphan),
            None => Ok(Decoded::AsItIs),
        }
    }

    fn is_wanted(&self, http: &HttpHead) -> bool {
        self.codings.is_empty() || http.codings().any(|coding| self.codings.contains(&coding))
    }
}

/// The head of a message, and its body without codings; nothing if it has none that are to be undone, an error if they cannot be.
fn body(
    head: &Head,
    block: &mut Spool,
    codings: &[Coding],
) -> io::Result<Result<Option<(HttpHead, Body)>, ()>> {
    let Some((http, head_len)) = http_head(block)? else { return Ok(Ok(None)) };
    let is_wanted =
        http.is_coded() && (codings.is_empty() || http.codings().any(|coding| codings.contains(&coding)));
    if !is_wanted {
        return Ok(Ok(None));
    }
    let mut stored = block.reader()?;
    io::copy(&mut (&mut stored).take(head_len as u64), &mut io::sink())?;
    let mut reader = BodyReader::new(&http, stored, LIMITS);
    let stated = head.fields().get("WARC-Payload-Digest").map(StatedDigest::parse);
    let mut hasher = Hasher::new(algorithm(stated));
    let mut spool = Spool::new(MEMORY_LIMIT, None);
    spool.fill(&mut reader, |piece| hasher.update(piece))?;
    // A record that was cut says so; what it has is decoded all the same.
    let is_cut = head.fields().get("WARC-Truncated").is_some();
    match reader.outcome().end {
        BodyEnd::Complete => {}
        BodyEnd::Truncated if is_cut => {}
        _ => return Ok(Err(())),
    }
    drop(reader);
    Ok(Ok(Some((http, Body { spool, digest: hasher.finish() }))))
}

/// The head of the message in a block, and its length.
fn http_head(block: &mut Spool) -> io::Result<Option<(HttpHead, usize)>> {
    let first = block.first(LONGEST_HEAD)?;
    let mut http = HttpHead::default();
    let extent = if first.len() as u64 == block.len() { Extent::Whole } else { Extent::Prefix };
    Ok(match http.parse(&first, extent) {
        Parse::Done(len) if len > 0 => Some((http, len)),
        _ => None,
    })
}

/// The head of a message whose body is stored without codings.
fn without_codings(http: &HttpHead, len: u64) -> Vec<u8> {
    let mut fields = [http.start_line(), b"\r\n"].concat();
    for (name, value) in http.fields().iter() {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        if is("Content-Encoding") || is("Transfer-Encoding") || is("Content-Length") {
            fields.extend_from_slice(b"X-Crawl-");
        }
        for part in [name, b": ", value, b"\r\n"] {
            fields.extend_from_slice(part);
        }
    }
    fields.extend_from_slice(format!("Content-Length: {len}\r\n\r\n").as_bytes());
    fields
}

/// A record with another block.
fn changed(
    head: &Head,
    fields: &[u8],
    body: Option<&mut Spool>,
    payload: Option<Digest>,
) -> io::Result<Decoded> {
    let stated = head.fields().get("WARC-Block-Digest").map(StatedDigest::parse);
    let mut hasher = Hasher::new(algorithm(stated));
    hasher.update(fields);
    let mut block = Spool::new(MEMORY_LIMIT, None);
    block.write_all(fields)?;
    if let Some(body) = body {
        let (mut stored, mut piece) = (body.reader()?, vec![0; 64 << 10]);
        loop {
            let read = stored.read(&mut piece)?;
            if read == 0 {
                break;
            }
            hasher.update(&piece[..read]);
            block.write_all(&piece[..read])?;
        }
    }
    let block_digest = hasher.finish();
    let (version, lines) = head_lines(head.raw());
    let (mut changed, mut passed) = (version.to_vec(), version.len());
    for line in lines {
        passed += line.raw.len();
        let value = line.value();
        let spelt = |digest: &Digest| StatedDigest::parse(&value).spell(digest).into_bytes();
        let new = match () {
            () if line.is_named("Content-Length") => Some(block.len().to_string().into_bytes()),
            () if line.is_named("WARC-Block-Digest") => Some(spelt(&block_digest)),
            () if line.is_named("WARC-Payload-Digest") => payload.as_ref().map(spelt),
            () => None,
        };
        match new {
            Some(value) => changed.extend(line.with_value(&value)),
            None => changed.extend_from_slice(line.raw),
        }
    }
    changed.extend_from_slice(&head.raw()[passed..]);
    Ok(Decoded::Changed { head: changed, block })
}

fn payload_digest(head: &Head) -> Option<Digest> {
    StatedDigest::parse(head.fields().get("WARC-Payload-Digest")?).digest().ok()
}

fn algorithm(stated: Option<StatedDigest<'_>>) -> Algorithm {
    stated.and_then(|stated| stated.digest().ok()).map_or(Algorithm::Sha1, |digest| digest.algorithm())
}
