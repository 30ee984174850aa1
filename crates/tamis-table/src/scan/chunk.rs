//! Some records: the columns that their heads give, and the blocks of those that may be pages.

use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use tamis_archive::http::HttpHead;
use tamis_archive::{Body, Content, Error, Reader, Record, RecordType, payload_digest};
use tamis_page::metadata::Date;
use url::Url;

use super::heads::{Facts, Identity, Place};
use super::kept::append_current;
use super::plan::Plan;
use super::{Context, Split};
use crate::build::Build;
use crate::column::Append;
use crate::stage::Stages;

/// So many rows make a chunk at most: what arrow and its filters work well with.
const MOST_ROWS: usize = 8192;
/// The same where bodies are looked into: nobody waits long for the first row, and few are read that a limit drops.
pub(super) const MOST_PAGES: usize = 512;
/// So many bytes of blocks are kept before a chunk ends: what a processor's cache still has when pages are looked into.
const MOST_BYTES: usize = 2 << 20;

/// Some records.
pub(super) struct Chunk {
    /// The archive's name.
    file: Arc<str>,
    context: Arc<Context>,
    /// The columns made from identities, unless kept columns have told them.
    current: Vec<Build>,
    heads: Vec<Build>,
    captures: Vec<Kept>,
    blocks: Vec<u8>,
    len: usize,
    /// Where the record is that was read last.
    at: Option<Place>,
}

/// What is kept of a capture until its body is looked into.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) record_type: RecordType,
    pub(super) url: Option<Url>,
    pub(super) fetched: Option<Date>,
    pub(super) content_type: Option<String>,
    pub(super) language: Option<String>,
    pub(super) status: Option<u16>,
    /// The head of a message whose body is in a coding.
    pub(super) coded: Option<Box<HttpHead>>,
    /// Whether bytes of the record are missing or in doubt.
    pub(super) is_damaged: bool,
    /// Whether the block is longer than what is kept of it.
    pub(super) is_cut: bool,
    /// Whether who stored it says that it is not whole (WARC-Truncated).
    pub(super) is_truncated: bool,
    block: Range<usize>,
}

impl Chunk {
    pub(super) fn new(plan: &Plan, split: &Split, has_kept: bool) -> Self {
        let current = if has_kept { &[][..] } else { &plan.current };
        let builds = |columns: &[&'static crate::Column]| {
            columns.iter().map(|column| Build::new(column.kind)).collect()
        };
        Self {
            file: split.name.clone(),
            context: split.context.clone(),
            current: builds(current),
            heads: builds(&plan.heads),
            captures: Vec::new(),
            blocks: Vec::new(),
            len: 0,
            at: None,
        }
    }

    /// Reads records until the chunk is full or there are no more, after `skip` captures. What was read before an error counts.
    pub(super) fn fill(
        &mut self,
        reader: &mut Reader,
        http: &mut HttpHead,
        plan: &Plan,
        skip: &mut u64,
    ) -> tamis_archive::Result<()> {
        self.clear();
        let most = if plan.needs_body() { MOST_PAGES } else { MOST_ROWS };
        while self.len < most && self.blocks.len() < MOST_BYTES {
            let Some(record) = reader.next()? else { break };
            let place = self.arrive(record.offset());
            if !record.head.record_type().is_capture() {
                continue;
            }
            if *skip > 0 {
                *skip -= 1;
            } else {
                self.take(record, place, http, plan)?;
            }
        }
        Ok(())
    }

    /// Reads the captures at these places, which ascend, until the chunk is full. Gives false if one is missing.
    pub(super) fn fill_at(
        &mut self,
        reader: &mut Reader,
        http: &mut HttpHead,
        plan: &Plan,
        places: &[Place],
    ) -> tamis_archive::Result<bool> {
        self.clear();
        while self.len < places.len().min(MOST_PAGES) && self.blocks.len() < MOST_BYTES {
            let Some(record) = reader.next()? else { return Ok(false) };
            let (place, wanted) = (self.arrive(record.offset()), places[self.len]);
            if place > wanted {
                return Ok(false);
            }
            if place == wanted && record.head.record_type().is_capture() {
                self.take(record, place, http, plan)?;
            }
        }
        Ok(true)
    }

    /// Forgets the record that was read last: the reader was moved.
    pub(super) fn depart(&mut self) {
        self.at = None;
    }

    /// The place of the record that the reader gave.
    fn arrive(&mut self, offset: u64) -> Place {
        let place = Place::after(self.at, offset);
        self.at = Some(place);
        place
    }

    fn clear(&mut self) {
        self.len = 0;
        self.captures.clear();
        self.blocks.clear();
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The columns that identities and heads give.
    pub(super) fn finish(&mut self) -> Vec<ArrayRef> {
        self.current.iter_mut().chain(&mut self.heads).map(Build::finish).collect()
    }

    /// What was kept of a capture, and its block.
    pub(super) fn capture(&self, at: usize) -> (&Kept, &[u8]) {
        let kept = &self.captures[at];
        (kept, &self.blocks[kept.block.clone()])
    }

    fn take(
        &mut self,
        mut record: Record<'_>,
        place: Place,
        http: &mut HttpHead,
        plan: &Plan,
    ) -> tamis_archive::Result<()> {
        let head = record.head;
        let path = record.body.path().to_owned();
        let record_type = tamis_archive::record_type(head, &mut record.body).map_err(Error::io(&path))?;
        let content = if plan.stages.contains(Stages::HTTP) {
            Content::of(head, &mut record.body, http).map_err(Error::io(&path))?
        } else {
            Content::default()
        };
        if content.is_http {
            record.body.consume(http.len_bytes());
        }
        let mut kept = plan.needs_body().then(|| Kept::of(&record, record_type, &content, http));
        let is_kept = kept.as_ref().is_some_and(Kept::may_be_page);
        let start = self.blocks.len();
        let most = if is_kept { self.context.limits.page_bytes } else { 0 };
        let mut payload =
            KeptPayload { body: &mut record.body, out: &mut self.blocks, room: most, is_cut: false };
        let digest = if plan.wants_digest {
            payload_digest(head, &mut payload).map_err(Error::io(&path))?
        } else {
            None
        };
        let is_cut = payload.keep_rest().map_err(Error::io(&path))?;
        if let Some(kept) = kept.as_mut().filter(|_| is_kept) {
            kept.block = start..self.blocks.len();
            kept.is_cut = is_cut;
        }
        let end = record.finish()?;
        if let Some(mut kept) = kept {
            kept.is_damaged = end.is_damaged;
            self.captures.push(kept);
        }
        let facts = Facts::new(head, record_type, http, content, digest, end.stored_len);
        let url = facts.url();
        let identity = Identity { file: &self.file, place, url, context: &self.context };
        append_current(&plan.current, &identity, &mut self.current);
        for (column, build) in plan.heads.iter().zip(&mut self.heads) {
            if let Append::Head(append) = column.append {
                append(&facts, build);
            }
        }
        self.len += 1;
        Ok(())
    }
}

/// The payload of a record on its way through a hasher: as many bytes as there is room for are kept.
struct KeptPayload<'a, 'r> {
    body: &'a mut Body<'r>,
    out: &'a mut Vec<u8>,
    room: u64,
    /// Whether there were bytes without room.
    is_cut: bool,
}

impl KeptPayload<'_, '_> {
    /// Keeps what was not read yet, as far as there is room. Tells whether there are bytes without room.
    fn keep_rest(self) -> io::Result<bool> {
        let before = self.out.len();
        self.body.append_to(self.out, self.room)?;
        let is_full = self.room > 0 && (self.out.len() - before) as u64 == self.room;
        Ok(self.is_cut || is_full && !self.body.fill_buf()?.is_empty())
    }
}

impl Read for KeptPayload<'_, '_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for KeptPayload<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.body.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        let kept = len.min(usize::try_from(self.room).unwrap_or(usize::MAX));
        // These bytes were lent before, so they are still at hand.
        if let Ok(bytes) = self.body.fill_buf() {
            self.out.extend_from_slice(&bytes[..kept.min(bytes.len())]);
        }
        self.room -= kept as u64;
        self.is_cut |= kept < len;
        self.body.consume(len);
    }
}

impl Kept {
    fn of(record: &Record<'_>, record_type: RecordType, content: &Content, http: &HttpHead) -> Self {
        let head = record.head;
        let content_type = if content.is_http {
            http.fields().text("Content-Type")
        } else {
            head.fields().text("ARC-Content-Type").or_else(|| head.fields().text("Content-Type"))
        };
        Self {
            record_type,
            url: head.target_uri().and_then(|url| Url::parse(&url).ok()),
            fetched: head.date().and_then(|time| {
                Date::from_unix_days(time.unix_seconds().div_euclid(86_400).try_into().ok()?)
            }),
            content_type: content_type.map(std::borrow::Cow::into_owned),
            language: head
                .fields()
                .text("WARC-Identified-Content-Language")
                .map(std::borrow::Cow::into_owned),
            status: content.status,
            coded: (content.is_http && http.is_coded()).then(|| Box::new(http.clone())),
            is_damaged: false,
            is_cut: false,
            is_truncated: head.fields().get("WARC-Truncated").is_some(),
            block: 0..0,
        }
    }

    /// Whether it is the text that somebody took out of a page.
    pub(super) fn is_text(&self) -> bool {
        self.record_type == RecordType::Conversion && self.is_of_type(&["text/plain"])
    }

    fn is_html(&self) -> bool {
        self.is_of_type(&["text/html", "application/xhtml+xml"])
    }

    fn is_of_type(&self, types: &[&str]) -> bool {
        let stated = self.content_type.as_deref().unwrap_or_default();
        let stated = stated.split(';').next().unwrap_or_default().trim();
        types.iter().any(|name| stated.eq_ignore_ascii_case(name))
    }

    /// Whether it is worth keeping the block: a revisit has none, and what its head says is no page is none.
    fn may_be_page(&self) -> bool {
        let mime = self.content_type.as_deref().unwrap_or("text/html");
        match self.record_type {
            RecordType::Revisit => false,
            RecordType::Conversion => self.is_text() || self.is_html(),
            _ => {
                tamis_page::status::Status::new(self.status, mime, true, tamis_page::status::Origin::Archived)
                    .is_sound()
            }
        }
    }
}
