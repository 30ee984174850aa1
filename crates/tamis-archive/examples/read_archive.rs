//! Read an archive: status and URL of each response, and what is wrong with the file.
//!
//!     cargo run -p tamis-archive --example read_archive -- crawl.warc.gz

use std::path::Path;

use tamis_archive::http::HttpHead;
use tamis_archive::{Mode, Reader, RecordType, Result};

fn main() -> Result<()> {
    for path in std::env::args().skip(1) {
        for line in responses(Path::new(&path))? {
            println!("{line}");
        }
    }
    Ok(())
}

/// A line for each response, then one for each fault.
pub(crate) fn responses(path: &Path) -> Result<Vec<String>> {
    // Lenient: report damage and go on after it. Strict would stop at the first fault.
    let mut reader = Reader::open(path, Mode::Lenient)?;
    let mut http = HttpHead::default();
    let mut lines = Vec::new();
    while let Some(mut record) = reader.next()? {
        if record.head.record_type() != RecordType::Response {
            // What is not read is skipped.
            continue;
        }
        let url = record.head.target_uri().unwrap_or_default().into_owned();
        // The head of the HTTP message. After it, `record.body` is at the payload.
        let is_http = record.body.read_http(&mut http).map_err(tamis_archive::Error::io(path))?;
        let status = http.status().filter(|_| is_http).map_or("-".to_owned(), |status| status.to_string());
        lines.push(format!("{status} {url}"));
    }
    lines.extend(reader.take_faults().list.iter().map(ToString::to_string));
    Ok(lines)
}
