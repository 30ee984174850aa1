//! An archive in memory.

use std::ops::Range;

use tamis_archive::http::HttpHead;
use tamis_archive::{Mode, Reader, Result, surt};

/// All records, unpacked, one behind the other.
#[derive(Default)]
pub(crate) struct Archive {
    pub(crate) bytes: Vec<u8>,
    pub(crate) records: Vec<Record>,
}

pub(crate) struct Record {
    pub(crate) surt: String,
    pub(crate) is_html: bool,
    pub(crate) all: Range<usize>,
    body: usize,
}

impl Archive {
    pub(crate) fn read(path: &str) -> Result<Self> {
        let mut archive = Self::default();
        let mut http = HttpHead::default();
        let mut reader = Reader::open(path, Mode::Lenient)?;
        while let Some(mut record) = reader.next()? {
            let start = archive.bytes.len();
            archive.bytes.extend_from_slice(record.head.raw());
            let block = archive.bytes.len();
            let head_len =
                record.body.peek_http(&mut http).map_err(tamis_archive::Error::io(path))?.unwrap_or(0);
            let is_html = http.media_type().is_some_and(|kind| kind.contains("html"));
            let surt = surt(record.head.target_uri().as_deref().unwrap_or_default());
            record.body.append_to(&mut archive.bytes, u64::MAX).map_err(tamis_archive::Error::io(path))?;
            archive.bytes.extend_from_slice(b"\r\n\r\n");
            let end = archive.bytes.len();
            archive.records.push(Record {
                surt,
                is_html,
                all: start..end,
                body: (block + head_len).min(end - 4),
            });
        }
        Ok(archive)
    }

    pub(crate) fn record(&self, number: u64) -> &[u8] {
        &self.bytes[self.records[number as usize].all.clone()]
    }

    /// What the record holds behind its HTTP head.
    pub(crate) fn body(&self, number: u64) -> &[u8] {
        let record = &self.records[number as usize];
        &self.bytes[record.body..record.all.end - 4]
    }
}
