//! Heads that are a line of words, ARC and WARC 0.9, as records with named fields. `docs/formats/arc.md` has the table.

use std::io::Write;
use std::net::IpAddr;

use super::{escaped_uri, printable};
use crate::fields::bytes_to_text;
use crate::rules::{has_media_type, is_token};
use crate::write::{Block, NewRecord, RecordId, Spool, Truncation, Writer, warc_fields};
use crate::{Error, Head, RecordType, Result, Timestamp, Version};

/// The field that keeps the line which a mapped record had for a head.
pub const ORIGINAL_HEAD: &str = "Tamis-Original-Head";

/// As much of a block as is looked at to tell what it is.
const LOOK: usize = 1 << 10;

/// The fields that the reader makes out of the words of the line. All others were named fields already.
const FROM_WORDS: [&str; 7] = [
    "WARC-Type",
    "WARC-Target-URI",
    "WARC-Date",
    "WARC-IP-Address",
    "Content-Type",
    "WARC-Record-ID",
    "Content-Length",
];

/// A record made of a line of words.
pub(crate) struct LineRecord {
    record: NewRecord,
    /// The warcinfo record before it, with its block: at the beginning of an ARC file.
    warcinfo: Option<(NewRecord, Vec<u8>)>,
}

impl LineRecord {
    /// Maps a head, or says why that cannot be. Ids depend on the head, its offset and the first bytes of the block.
    pub(crate) fn of(
        head: &Head,
        offset: u64,
        block: &mut Spool,
    ) -> Result<std::result::Result<Self, &'static str>> {
        let first = block.first(LOOK).map_err(Error::io("-"))?;
        let Some(date) = head.date() else { return Ok(Err("without a date")) };
        let source = Source { head, date, first: &first, offset };
        let is_arc_file_head = source.is_arc() && head.record_type() == RecordType::Warcinfo;
        let warcinfo = if is_arc_file_head { Some(source.warcinfo()?) } else { None };
        let record = source.fields(source.record());
        let record = match &warcinfo {
            Some((_, id, _)) => record.warcinfo_id(id),
            None => record,
        };
        let warcinfo = warcinfo.map(|(record, _, block)| (record, block));
        Ok(Ok(Self { record, warcinfo }))
    }

    /// Says in the record that its block was cut short.
    pub(crate) fn truncated(self) -> Self {
        Self { record: self.record.truncated(Truncation::Unspecified), ..self }
    }
}

/// Writes a mapped record and gives how many records came of it, or says why the standard has no place for it: a
/// revisit of WARC 0.9 names no profile.
pub(crate) fn write_line_record<W: Write>(
    writer: &mut Writer<W>,
    mapped: &LineRecord,
    block: &mut Spool,
) -> Result<std::result::Result<u64, &'static str>> {
    if let Some((warcinfo, fields)) = &mapped.warcinfo {
        writer.write(warcinfo, fields)?;
    }
    let written = if let Some(bytes) = block.bytes() {
        writer.write(&mapped.record, bytes)
    } else {
        let mut reader = block.reader().map_err(Error::io("-"))?;
        writer.write(&mapped.record, Block::Stream(&mut reader))
    };
    match written {
        Ok(_) => Ok(Ok(1 + u64::from(mapped.warcinfo.is_some()))),
        Err(Error::Value { .. }) => Ok(Err("not possible in WARC 1")),
        Err(error) => Err(error),
    }
}

/// What a record is made of.
struct Source<'a> {
    head: &'a Head,
    date: Timestamp,
    first: &'a [u8],
    offset: u64,
}

impl Source<'_> {
    fn is_arc(&self) -> bool {
        matches!(self.head.version(), Version::Arc1 | Version::Arc2)
    }

    /// The record by its type: what begins like an HTTP message is one, whatever the line says, and nothing else is.
    fn record(&self) -> NewRecord {
        let uri = escaped_uri(self.head.fields().get("WARC-Target-URI").unwrap_or_default());
        let is_http = self.first.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"));
        let named = |record_type| NewRecord::new(record_type, self.date).target_uri(&uri);
        match self.head.record_type() {
            RecordType::Warcinfo => {
                NewRecord::metadata(self.date).target_uri(&uri).content_type(&self.media_type())
            }
            RecordType::Response if is_http => NewRecord::response(&uri, self.date),
            RecordType::Response if self.is_arc() => NewRecord::resource(&uri, self.date, &self.media_type()),
            RecordType::Request if self.head.media_type().as_deref() == Some("message/http") => {
                NewRecord::request(&uri, self.date)
            }
            RecordType::Other => NewRecord::resource(&uri, self.date, &self.media_type()),
            other => named(other).content_type(&self.media_type()),
        }
    }

    /// What the line says of the record, beside its type, target, date and media type.
    fn fields(&self, record: NewRecord) -> NewRecord {
        let fields = self.head.fields();
        let mut record = record.id(self.id(b"record"));
        let is_address = matches!(
            self.head.record_type(),
            RecordType::Response | RecordType::Resource | RecordType::Request | RecordType::Revisit
        );
        if let Some(address) = fields.text("WARC-IP-Address").and_then(|text| text.parse::<IpAddr>().ok())
            && is_address
        {
            record = record.ip_address(address);
        }
        for (name, value) in fields.iter() {
            let name = bytes_to_text(name);
            let is_word = FROM_WORDS.iter().any(|word| word.eq_ignore_ascii_case(&name));
            if !is_word && is_token(name.as_bytes()) && !value.is_empty() {
                record = record.field(&name, printable(value));
            }
        }
        let line = self.head.raw().split(|&b| b == b'\n').next().unwrap_or_default();
        record.field(ORIGINAL_HEAD, printable(line.trim_ascii()))
    }

    /// The media type of the line, if it is one. ARC has `no-type` and worse.
    fn media_type(&self) -> String {
        let fields = self.head.fields();
        let stated =
            fields.get("ARC-Content-Type").or_else(|| fields.get("Content-Type")).unwrap_or_default();
        let is_clean = has_media_type(stated) && stated.iter().all(|b| b.is_ascii_graphic() || *b == b' ');
        if is_clean { bytes_to_text(stated).into_owned() } else { "application/octet-stream".into() }
    }

    /// The id that the line gives, as a URI, or one made of what is known.
    fn id(&self, role: &[u8]) -> RecordId {
        let stated = self.head.record_id().filter(|_| !self.is_arc()).and_then(|id| {
            let id = id.trim_matches(['<', '>']);
            let urn = if id.starts_with("uuid:") { format!("urn:{id}") } else { id.to_owned() };
            urn.parse().ok()
        });
        let offset = self.offset.to_le_bytes();
        stated.unwrap_or_else(|| RecordId::from_facts([role, &offset, self.head.raw(), self.first]))
    }

    /// The record that a WARC file begins with, for the head of an ARC file.
    fn warcinfo(&self) -> Result<(NewRecord, RecordId, Vec<u8>)> {
        let uri = self.head.target_uri().unwrap_or_default();
        let name = uri.trim_start_matches("filedesc:").trim_start_matches('/').to_owned();
        let id = self.id(b"warcinfo");
        let software = concat!("tamis/", env!("CARGO_PKG_VERSION"));
        let block = warc_fields([
            ("software", software),
            ("format", "WARC File Format"),
            (
                "description",
                "converted from ARC; the header of that file is in the metadata record after this one",
            ),
        ])?;
        let record = NewRecord::warcinfo(self.date).id(id.clone());
        let name = printable(name.as_bytes());
        let record = if name.is_empty() { record } else { record.field("Tamis-Original-Filename", &name) };
        Ok((record, id, block))
    }
}
