//! Indexes of any bytes: lines that are read can be written and read again, and every kind of index gives one answer.
//!
//! The first byte says what the rest is: lines, the files of an index with a query, sorted lines with a query, or the body of
//! a request.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Cursor};
use std::sync::Arc;

use tamis_archive::cdx::{
    CdxEntry, CdxReader, Files, IdxStyle, Index, LineParser, Query, ReadSeek, ZipNumBlock, ZipNumWriter,
    post_query, request_body,
};
use tamis_testkit::member;

use super::recipe;

/// Reads the bytes as what their first one says.
pub fn check(data: &[u8]) {
    let Some((&control, bytes)) = data.split_first() else { return };
    match control & 3 {
        0 => check_lines(bytes),
        1 => check_files(bytes),
        2 => check_queries(bytes),
        _ => check_request(bytes),
    }
}

/// Files in memory.
struct Memory(BTreeMap<&'static str, Vec<u8>>);

impl Files for Memory {
    fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>> {
        let bytes = self.0.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Cursor::new(bytes.clone())))
    }
}

fn entries(lines: &[u8], step: usize) -> (Vec<CdxEntry>, u64) {
    let mut reader = CdxReader::new(BufReader::with_capacity(step, lines), "-");
    let entries = reader.by_ref().map(|entry| entry.expect("bytes in memory give no error")).collect();
    (entries, reader.bad_line_count())
}

fn check_lines(lines: &[u8]) {
    let read = entries(lines, 8192);
    assert_eq!(entries(lines, 5), read, "in whatever pieces lines come");
    for entry in &read.0 {
        let eleven = entry.to_cdx11();
        assert_eq!(eleven.split(' ').count(), 11, "{eleven}");
        assert!(!eleven.contains('\n'), "{eleven}");
        assert_written_again(entry);
    }
    for line in lines.split(|&byte| byte == b'\n') {
        drop(ZipNumBlock::parse(line));
    }
}

/// What was read is written so that it reads the same. A line that begins with `!` would be taken for one of metadata.
fn assert_written_again(entry: &CdxEntry) {
    let line = entry.to_cdxj();
    assert!(!line.contains('\n'), "{line}");
    if line.starts_with('!') {
        return;
    }
    let again = LineParser::default().parse(line.as_bytes());
    let again = again.unwrap_or_else(|why| panic!("{line}: {why}")).expect("it is an entry");
    assert_eq!(again.to_cdxj(), line);
}

/// An index file, a shard of it and a query, each of any bytes.
fn check_files(bytes: &[u8]) {
    let mut parts = recipe::parts(bytes);
    let mut part = || parts.next().unwrap_or_default();
    let (query, index, shard, places) = (part(), part(), part(), part());
    let files = Memory(BTreeMap::from([
        ("index", index.to_vec()),
        ("index.gz", member::gzip(index)),
        ("index.loc", places.to_vec()),
        ("a", shard.to_vec()),
        ("a.gz", member::gzip(shard)),
    ]));
    let files: Arc<dyn Files> = Arc::new(files);
    for name in ["index", "index.gz"] {
        let Ok(index) = Index::open_in(files.clone(), name) else { continue };
        let Ok(mut matches) = index.query(&Query::pattern(&String::from_utf8_lossy(query))) else { continue };
        // An error may come again and again; the lines of so small an index are few.
        let _ = matches.by_ref().take(10_000).count();
        assert!(matches.bad_lines().len() <= 1000);
    }
}

/// A query, then lines: whether plain or packed, they answer alike.
fn check_queries(bytes: &[u8]) {
    let at = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (query, lines) = bytes.split_at(at);
    let query = Query::pattern(&String::from_utf8_lossy(query));
    let wanted = query.matcher();
    let (found, _) = entries(lines, 8192);
    let mut lines: Vec<String> = found.iter().map(CdxEntry::to_cdxj).collect();
    lines.retain(|line| !line.starts_with('!'));
    lines.sort();
    let mut parser = LineParser::default();
    let expected: Vec<String> = lines
        .iter()
        .filter_map(|line| parser.parse(line.as_bytes()).expect("we wrote it"))
        .filter(|entry| wanted.takes(entry))
        .map(|entry| entry.to_cdxj())
        .collect();
    let files = every_kind(&lines);
    for name in ["plain", "gzip", "tabs.idx", "json.idx"] {
        let index = Index::open_in(files.clone(), name).expect("we wrote it");
        let matches = index.query(&query).expect("we wrote it");
        let found: Vec<String> = matches.map(|entry| entry.expect("we wrote it").to_cdxj()).collect();
        assert_eq!(found, expected, "{name}, {query:?}");
    }
}

fn every_kind(lines: &[String]) -> Arc<dyn Files> {
    let text: Vec<u8> = lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect();
    let mut files = BTreeMap::from([("gzip", member::gzip(&text)), ("plain", text)]);
    for (data_name, idx_name, style) in
        [("tabs.gz", "tabs.idx", IdxStyle::Tabs), ("json.gz", "json.idx", IdxStyle::Json)]
    {
        let mut writer = ZipNumWriter::new(Vec::new(), Vec::new(), data_name, style).lines_per_block(2);
        for line in lines {
            writer.push(line.as_bytes()).expect("memory takes all");
        }
        let (data, idx) = writer.finish().expect("memory takes all");
        files.extend([(data_name, data), (idx_name, idx)]);
    }
    Arc::new(Memory(files))
}

/// A content type, then a body.
fn check_request(bytes: &[u8]) {
    let at = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (content_type, body) = bytes.split_at(at);
    let content_type = String::from_utf8_lossy(content_type);
    let body = body.get(1..).unwrap_or_default();
    assert!(request_body(&content_type, body).chars().count() <= 4096, "a key has an end");
    for method in ["POST", "GET"] {
        assert!(post_query(method, &content_type, body).starts_with("__wb_method="));
    }
}
