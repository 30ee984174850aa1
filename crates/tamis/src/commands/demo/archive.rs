//! The archive of the demo: a small site, captured as a crawler would.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use flate2::Compression as Level;
use flate2::write::GzEncoder;
use tamis_archive::Timestamp;
use tamis_archive::write::{NewRecord, RevisitProfile, Writer, WriterOptions, warc_fields};

use crate::output::Output;

const SITE: &str = "http://tamis.example";

/// The pages, each with its path and media type.
const PAGES: [(&str, &str, &str); 6] = [
    ("/", "text/html; charset=utf-8", include_str!("../../../demo/index.html")),
    ("/fr/", "text/html; charset=utf-8", include_str!("../../../demo/fr.html")),
    ("/it/", "text/html; charset=utf-8", include_str!("../../../demo/it.html")),
    ("/de/", "text/html; charset=utf-8", include_str!("../../../demo/de.html")),
    ("/ja/", "text/html; charset=utf-8", include_str!("../../../demo/ja.html")),
    ("/style.css", "text/css", include_str!("../../../demo/style.css")),
];

/// When the demo's pages were captured, in seconds since 1970: 2024-04-08T18:18:29Z, in the middle of an eclipse.
const CAPTURED: i64 = 1_712_600_309;

/// Writes the captures, as a crawler would: request and response, metadata, a page seen again, one that is not there.
pub(super) fn write(path: &Path) -> anyhow::Result<u64> {
    let mut writer = Writer::new(Output::create(path, true)?, WriterOptions::default())?.named(path);
    let mut records = 1;
    let about =
        warc_fields([("software", "tamis"), ("format", "WARC File Format 1.1"), ("isPartOf", "demo")])?;
    writer.write(&NewRecord::warcinfo(moment(0)?).filename("demo.warc.gz"), &about)?;
    let mut first = None;
    for (number, (page, content_type, body)) in PAGES.into_iter().enumerate() {
        let (url, date) = (format!("{SITE}{page}"), moment(number)?);
        let response = NewRecord::response(&url, date).ip_address([192, 0, 2, 1].into());
        let written = writer.write(&response, &response_to(page, content_type, body)?)?;
        let request = NewRecord::request(&url, date).concurrent_to(&written.record_id);
        writer.write(&request, format!("GET {page} HTTP/1.1\r\nHost: tamis.example\r\n\r\n").as_str())?;
        records += 2;
        first.get_or_insert(written);
    }
    let missing = "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\nnot here";
    writer.write(&NewRecord::response(&format!("{SITE}/sv/"), moment(7)?), missing)?;
    if let Some(original) = first {
        let url = format!("{SITE}/");
        let again = NewRecord::revisit(&url, moment(60)?, RevisitProfile::IdenticalPayloadDigest)
            .payload_digest(original.payload_digest.as_deref().unwrap_or_default())
            .refers_to(&original.record_id)
            .refers_to_target(&url, moment(0)?);
        writer.write(&again, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n")?;
    }
    writer.finish()?.finish()?;
    Ok(records + 2)
}

/// The response as a server would send it: the French page compressed and in chunks, the others plainly.
fn response_to(page: &str, content_type: &str, body: &str) -> anyhow::Result<Vec<u8>> {
    if page != "/fr/" {
        let len = body.len();
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len}\r\n\r\n");
        return Ok([head.as_bytes(), body.as_bytes()].concat());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Level::default());
    encoder.write_all(body.as_bytes())?;
    let packed = encoder.finish()?;
    let mut response = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    .into_bytes();
    for chunk in packed.chunks(200) {
        write!(response, "{:x}\r\n", chunk.len())?;
        response.extend_from_slice(chunk);
        response.extend_from_slice(b"\r\n");
    }
    response.extend_from_slice(b"0\r\n\r\n");
    Ok(response)
}

/// A copy without its last bytes.
pub(super) fn tear(archive: &Path, torn: &Path) -> anyhow::Result<()> {
    let mut bytes = fs::read(archive).with_context(|| format!("cannot read {}", archive.display()))?;
    bytes.truncate(bytes.len().saturating_sub(700));
    let mut copy = Output::create(torn, true)?;
    copy.write_all(&bytes)?;
    copy.finish()
}

fn moment(seconds: usize) -> anyhow::Result<Timestamp> {
    let moment = Timestamp::from_unix(CAPTURED + i64::try_from(seconds)?, 0);
    moment.ok_or_else(|| anyhow!("the demo's clock is wrong"))
}
