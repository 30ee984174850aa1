//! Write an archive: a warcinfo record, then a response and its request, each a gzip member.
//!
//!     cargo run -p tamis-archive --example write_archive -- new.warc.gz

use std::fs::File;
use std::path::Path;

use tamis_archive::write::{NewRecord, Writer, WriterOptions, warc_fields};
use tamis_archive::{Error, Result, Timestamp};

fn main() -> Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "new.warc.gz".to_owned());
    write(Path::new(&path))
}

/// Writes three records.
pub(crate) fn write(path: &Path) -> Result<()> {
    let file = File::create(path).map_err(Error::io(path))?;
    // The default is WARC 1.1 with a gzip member for each record. The writer adds lengths, digests and record ids.
    let mut writer = Writer::new(file, WriterOptions::default())?.named(path);
    let date: Timestamp = "2026-08-12T18:27:00Z".parse()?;
    writer.write(&NewRecord::warcinfo(date), &warc_fields([("software", "write_archive")])?)?;
    let url = "http://example.org/";
    let response = NewRecord::response(url, date).ip_address([192, 0, 2, 1].into());
    let written = writer.write(&response, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello")?;
    let request = NewRecord::request(url, date).concurrent_to(&written.record_id);
    writer.write(&request, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")?;
    writer.finish()?.sync_all().map_err(Error::io(path))
}
