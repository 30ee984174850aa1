//! Whether a record's bytes have the digests that its head states.

use std::io::{self, BufRead, Read, Write};

use crate::http::{Dechunk, HttpHead};
use crate::{
    Body, Digest, Error, FaultKind, Hasher, Head, Record, RecordEnd, RecordType, Result, StatedDigest,
};

/// Checks the digests of records, one after another, with memory that is used again.
pub struct Verifier {
    http: HttpHead,
    buf: Vec<u8>,
    checked: u64,
}

/// A digest that a head states.
#[derive(Clone, Copy)]
struct Stated<'h> {
    field: &'static str,
    text: &'h [u8],
    digest: Digest,
}

/// What the bytes of a record have: of the payload with its chunked coding, and without it where it has one.
struct Computed {
    block: Option<Digest>,
    payload: Option<Digest>,
    dechunked: Option<Digest>,
}

/// What the digests of a record say.
pub(crate) struct Digests {
    pub(crate) end: RecordEnd,
    /// How many stated digests are those of the bytes.
    pub(crate) matching: u64,
    /// [`FaultKind::DigestMismatch`] of the others.
    pub(crate) mismatches: Vec<FaultKind>,
}

impl Default for Verifier {
    fn default() -> Self {
        Self { http: HttpHead::default(), buf: vec![0; 64 << 10], checked: 0 }
    }
}

impl Verifier {
    /// How many digests were compared.
    pub fn checked(&self) -> u64 {
        self.checked
    }

    /// Reads a record to its end and tells of each digest that differs. A record that is damaged in another way is not
    /// compared: its digests are bound to differ.
    pub fn verify(
        &mut self,
        mut record: Record<'_>,
        report: &mut impl FnMut(FaultKind),
    ) -> Result<RecordEnd> {
        let mut digests = self.copy(&mut record, &mut io::sink())?;
        if !digests.end.is_damaged {
            self.checked += digests.matching + digests.mismatches.len() as u64;
            digests.mismatches.drain(..).for_each(report);
        }
        Ok(digests.end)
    }

    /// Reads a record to its end, writes its block to `out`, and compares the digests whatever the record's end is like.
    pub(crate) fn copy(&mut self, record: &mut Record<'_>, out: &mut dyn Write) -> Result<Digests> {
        let head = record.head;
        let block = Stated::of(head, "WARC-Block-Digest");
        let payload = Stated::of(head, "WARC-Payload-Digest").filter(|_| has_whole_payload(head));
        let computed = self.compute(head, &mut record.body, block, payload, out);
        let computed = computed.map_err(Error::io(record.body.path()))?;
        let mut digests = Digests { end: record.close()?, matching: 0, mismatches: Vec::new() };
        for (stated, actual) in
            [(block, [computed.block, None]), (payload, [computed.payload, computed.dechunked])]
        {
            match (stated, actual) {
                (Some(stated), _) if actual.contains(&Some(stated.digest)) => digests.matching += 1,
                (Some(stated), [Some(first), _]) => digests.mismatches.push(stated.mismatch(&first)),
                _ => {}
            }
        }
        Ok(digests)
    }

    fn compute(
        &mut self,
        head: &Head,
        body: &mut Body<'_>,
        block: Option<Stated<'_>>,
        payload: Option<Stated<'_>>,
        out: &mut dyn Write,
    ) -> io::Result<Computed> {
        let hasher = |stated: Option<Stated<'_>>| stated.map(|stated| Hasher::new(stated.digest.algorithm()));
        let mut tee = Tee { body, block: hasher(block), payload: None, out, written: Ok(()) };
        let is_http = payload.is_some() && head.holds_http() && tee.read_http(&mut self.http)?;
        tee.payload = hasher(payload);
        let is_chunked = is_http && self.http.fields().get("Transfer-Encoding").is_some();
        let mut dechunked = hasher(payload).filter(|_| is_chunked);
        if let Some(hasher) = &mut dechunked {
            let mut reader = Dechunk::new(&mut tee);
            loop {
                match reader.read(&mut self.buf)? {
                    0 => break,
                    n => hasher.update(&self.buf[..n]),
                }
            }
        }
        tee.drain()?;
        let Tee { block, payload, written, .. } = tee;
        written?;
        let [block, payload, dechunked] =
            [block, payload, dechunked].map(|hasher| hasher.map(Hasher::finish));
        Ok(Computed { block, payload, dechunked })
    }
}

impl<'h> Stated<'h> {
    /// The digest that a field states, if it can be checked.
    fn of(head: &'h Head, field: &'static str) -> Option<Self> {
        let text = head.fields().get(field)?;
        Some(Self { field, text, digest: Digest::parse(text).ok()? })
    }

    fn mismatch(&self, actual: &Digest) -> FaultKind {
        FaultKind::DigestMismatch {
            field: self.field,
            stated: String::from_utf8_lossy(self.text).into_owned(),
            actual: StatedDigest::parse(self.text).spell(actual),
        }
    }
}

/// The payload of a revisit is in the record it refers to, and that of a segment in several.
fn has_whole_payload(head: &Head) -> bool {
    !matches!(head.record_type(), RecordType::Revisit | RecordType::Continuation)
        && head.fields().get("WARC-Segment-Number").is_none()
}

/// A block whose bytes are hashed and written as they are consumed.
struct Tee<'a, 'r> {
    body: &'a mut Body<'r>,
    block: Option<Hasher>,
    payload: Option<Hasher>,
    out: &'a mut dyn Write,
    /// The first error of writing; a `consume` cannot tell it.
    written: io::Result<()>,
}

impl Tee<'_, '_> {
    fn read_http(&mut self, http: &mut HttpHead) -> io::Result<bool> {
        let Some(len) = self.body.peek_http(http)? else { return Ok(false) };
        self.consume(len);
        Ok(true)
    }

    fn drain(&mut self) -> io::Result<()> {
        loop {
            match self.fill_buf()?.len() {
                0 => return Ok(()),
                n => self.consume(n),
            }
        }
    }
}

impl BufRead for Tee<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.body.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        // What is consumed was given by `fill_buf`, so this gives the same again.
        if let Ok(bytes) = self.body.peek(n) {
            let bytes = &bytes[..n.min(bytes.len())];
            for hasher in [&mut self.block, &mut self.payload].into_iter().flatten() {
                hasher.update(bytes);
            }
            if self.written.is_ok() {
                self.written = self.out.write_all(bytes);
            }
        }
        self.body.consume(n);
    }
}

impl Read for Tee<'_, '_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let n = available.len().min(buf.len());
        buf[..n].copy_from_slice(&available[..n]);
        self.consume(n);
        Ok(n)
    }
}
