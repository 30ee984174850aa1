//! Writes a folder of sample archives: every record type, both versions, every way to store.
//!
//! `cargo run -p tamis-archive --example write_samples -- FOLDER`, then `scripts/interop FOLDER` lets other tools read
//! them. Beside the archives lies `expected.jsonl`: a line a record, with the place that the writer told.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use tamis_archive::convert::{Converter, Decode, Payloads};
use tamis_archive::write::{
    Compression, Dictionary, DictionaryForm, DigestAlgorithm, NewRecord, RevisitProfile, RollingOptions,
    RollingWriter, Truncation, WarcVersion, Writer, WriterOptions, Written, recover_open, warc_fields,
};
use tamis_archive::{Algorithm, Digest, Mode, Reader, Result, Timestamp};

const PAGES: usize = 40;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: write_samples FOLDER")?);
    fs::create_dir_all(&folder)?;
    let mut expected = File::create(folder.join("expected.jsonl"))?;
    for (version_name, version) in [("10", WarcVersion::V1_0), ("11", WarcVersion::V1_1)] {
        for (way, compression) in ways()? {
            let options = WriterOptions {
                version,
                compression,
                id_seed: way.into(),
                // Small, so that the long records of the samples go through temporary files.
                memory_limit: 100_000,
                ..WriterOptions::default()
            };
            write_archive(&folder, &format!("all-{version_name}-{way}"), &options, &mut expected)?;
        }
    }
    let sha256 = WriterOptions { digest: DigestAlgorithm::Sha256, ..WriterOptions::default() };
    write_archive(&folder, "sha256", &sha256, &mut expected)?;
    write_rolling(&folder)?;
    write_torn(&folder)?;
    write_decoded(&folder)?;
    Ok(())
}

/// Responses that came in zstd and chunks, and a revisit of each, as `warc convert --decode` stores them.
fn write_decoded(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let options = WriterOptions { link_warcinfo: false, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), options.clone())?;
    for number in 0..PAGES {
        let text = format!("<title>Page {number}</title>{}", "words ".repeat(number));
        let coded = zstd::encode_all(text.as_bytes(), 3)?;
        let mut body = format!("{:x}\r\n", coded.len()).into_bytes();
        body.extend_from_slice(&coded);
        body.extend_from_slice(b"\r\n0\r\n\r\n");
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: zstd\r\nTransfer-Encoding: chunked\r\n\r\n";
        let payload = Digest::of(Algorithm::Sha1, &body).to_string();
        let uri = format!("http://example.org/coded/{number}");
        let response = NewRecord::response(&uri, moment(number)).payload_digest(&payload);
        writer.write(&response, &[&head[..], &body].concat()[..])?;
        let again = NewRecord::revisit(
            &format!("{uri}/again"),
            moment(number),
            RevisitProfile::IdenticalPayloadDigest,
        );
        writer.write(&again.payload_digest(&payload).refers_to_target(&uri, moment(number)), &head[..])?;
    }
    let coded = writer.finish()?;
    let open = || Reader::from_stream("coded", std::io::Cursor::new(coded.clone()), Mode::Strict);
    let mut payloads = Payloads::default();
    payloads.want(&mut open())?;
    payloads.find(&mut open(), &[])?;
    let decode = Decode { payloads: payloads.into(), ..Decode::default() };
    let path = folder.join("decoded.warc.gz");
    let mut writer = Writer::new(File::create(&path)?, options)?.named(&path);
    let (mut converter, mut reader) = (Converter::new(None).decoding(decode), open());
    while let Some(record) = reader.next()? {
        converter.convert(record, &mut writer)?;
    }
    writer.finish()?;
    Ok(())
}

fn ways() -> Result<Vec<(&'static str, Compression)>> {
    let samples: Vec<Vec<u8>> = (0..400).map(page).collect();
    let train = |form| Dictionary::train(&samples, 4096, form).map(Some);
    Ok(vec![
        ("plain", Compression::Plain),
        ("gzip", Compression::GZIP),
        ("gzip-stored", Compression::Gzip { level: 0, skip_lengths: false }),
        ("gzip-sl", Compression::Gzip { level: 9, skip_lengths: true }),
        ("zstd", Compression::Zstd { level: 3, dictionary: None }),
        ("zstd-dict-raw", Compression::Zstd { level: 3, dictionary: train(DictionaryForm::Raw)? }),
        ("zstd-dict-packed", Compression::Zstd { level: 19, dictionary: train(DictionaryForm::Compressed)? }),
    ])
}

fn write_archive(folder: &Path, name: &str, options: &WriterOptions, expected: &mut File) -> Result<()> {
    let file_name = format!("{name}{}", options.compression.suffix());
    let path = folder.join(&file_name);
    let file = File::create(&path).map_err(tamis_archive::Error::io(&path))?;
    let mut writer = Writer::new(file, options.clone())?.named(&path);
    let mut log = |uri: &str, written: &Written| {
        let Written { offset, length, record_id, payload_digest } = written;
        let digest = payload_digest.as_deref().unwrap_or("-");
        let line = format!(
            r#"{{"file":"{file_name}","offset":{offset},"length":{length},"id":"{record_id}","uri":"{uri}","digest":"{digest}"}}"#
        );
        writeln!(expected, "{line}").map_err(tamis_archive::Error::io("expected.jsonl"))
    };
    let warcinfo = NewRecord::warcinfo(moment(0)).filename(&file_name);
    log("-", &writer.write(&warcinfo, &about()?)?)?;
    for number in 0..PAGES {
        let uri = format!("http://example.org/page/{number}?q=é&n={number}");
        let response = NewRecord::response(&uri, moment(number)).ip_address([192, 0, 2, number as u8].into());
        let response = writer.write(&response, &page(number))?;
        log(&uri, &response)?;
        let request = NewRecord::request(&uri, moment(number)).concurrent_to(&response.record_id);
        let get = format!("GET /page/{number}?q=%C3%A9&n={number} HTTP/1.1\r\nHost: example.org\r\n\r\n");
        log(&uri, &writer.write(&request, get.as_str())?)?;
        if number == 0 {
            for (record, block) in rare_types(&uri, &response)? {
                log(&uri, &writer.write(&record, &block)?)?;
            }
        }
    }
    let mut stream = long_page();
    let uri = "http://example.org/long";
    let record = NewRecord::response(uri, moment(99)).truncated(Truncation::Length);
    log(uri, &writer.write(&record, &mut stream)?)?;
    writer.finish()?;
    Ok(())
}

/// One of each type beside warcinfo, request and response.
fn rare_types(uri: &str, original: &Written) -> Result<Vec<(NewRecord, Vec<u8>)>> {
    let (id, date) = (&original.record_id, moment(1));
    let digest = original.payload_digest.as_deref().unwrap_or_default();
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n".to_vec();
    let not_modified = b"HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n".to_vec();
    let same = NewRecord::revisit(uri, date, RevisitProfile::IdenticalPayloadDigest)
        .payload_digest(digest)
        .refers_to(id)
        .refers_to_target(uri, moment(0));
    let unchanged = NewRecord::revisit(uri, date, RevisitProfile::ServerNotModified).refers_to(id);
    let metadata = NewRecord::metadata(date).target_uri(uri).concurrent_to(id);
    let resource = NewRecord::resource("file:///notes.txt", date, "text/plain");
    let conversion = NewRecord::conversion(uri, date, "text/plain").refers_to(id);
    let dns = NewRecord::response("dns:example.org", date).content_type("text/dns");
    let first = NewRecord::resource("http://example.org/split", date, "text/plain")
        .id("urn:uuid:00000000-0000-4000-8000-000000000001".parse()?)
        .segment_number(1);
    let second = NewRecord::continuation(
        "http://example.org/split",
        date,
        2,
        &"urn:uuid:00000000-0000-4000-8000-000000000001".parse()?,
    );
    Ok(vec![
        (same, head),
        (unchanged, not_modified),
        (metadata, warc_fields([("via", "http://example.org/"), ("hopsFromSeed", "L")])?),
        (resource, b"notes\r\n\r\nWARC/1.1\r\n".to_vec()),
        (conversion, b"page 0".to_vec()),
        (dns, b"20240408181829\nexample.org. 300 IN A 192.0.2.1\n".to_vec()),
        (first, b"first ".to_vec()),
        (second.segment_total_length(12), b"second".to_vec()),
        (NewRecord::response("http://example.org/empty", date), b"HTTP/1.1 204 No Content\r\n\r\n".to_vec()),
    ])
}

fn about() -> Result<Vec<u8>> {
    warc_fields([
        ("software", "tamis"),
        ("format", "WARC File Format"),
        ("description", "samples of the writer"),
    ])
}

fn page(number: usize) -> Vec<u8> {
    let words: Vec<String> = (0..number * 13 % 400).map(|i| format!("word{}", i * number % 97)).collect();
    let words = words.join(" ");
    let body = format!("<!doctype html><title>page {number}</title><h1>Page {number}</h1><p>{words}é</p>\n");
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A stream longer than the memory limit, whose length nobody has told.
fn long_page() -> impl Read {
    let head: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";
    head.chain(std::io::repeat(b'x').take(3_000_000))
}

fn write_rolling(folder: &Path) -> Result<()> {
    let mut options = RollingOptions::new(folder, "rolling", moment(0));
    options.max_bytes = 5_000;
    options.warcinfo = about()?;
    let mut writer = RollingWriter::new(options)?;
    for number in 0..PAGES {
        let uri = format!("http://example.org/page/{number}");
        writer.write(&NewRecord::response(&uri, moment(number)), &page(number))?;
    }
    writer.finish().map(drop)
}

/// A file as a crash leaves it, made sound again.
fn write_torn(folder: &Path) -> Result<()> {
    let mut writer = Writer::new(Vec::new(), WriterOptions::default())?;
    writer.write(&NewRecord::warcinfo(moment(0)).filename("torn.warc.gz"), &about()?)?;
    for number in 0..PAGES {
        writer.write(&NewRecord::response("http://example.org/", moment(number)), &page(number))?;
    }
    let mut bytes = writer.finish()?;
    bytes.truncate(bytes.len() - 7);
    let path = folder.join("torn.warc.gz.open");
    fs::write(&path, bytes).map_err(tamis_archive::Error::io(&path))?;
    recover_open(&path).map(drop)
}

fn moment(number: usize) -> Timestamp {
    Timestamp::from_unix(1_712_600_309 + i64::from(number as u32), 123_456_000).expect("a moment of 2024")
}
