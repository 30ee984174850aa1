//! ZipNum: sorted lines in gzip members of some thousand lines each, and a small index with the first line of each.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::json;
use crate::{Error, Result};

/// How the small index is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdxStyle {
    /// `key moment⇥shard⇥offset⇥length⇥number`, as Common Crawl's `cluster.idx` and pywb have it.
    Tabs,
    /// A `!meta` line, then `key moment {"offset": …, "length": …}`, as WACZ and cdxj-indexer have it.
    Json,
    /// [`IdxStyle::Json`] with the SHA-256 of each member.
    JsonWithDigest,
}

/// A block of lines, as a line of the small index tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZipNumBlock {
    /// The file it is in; empty where the line leaves it to the `!meta` line.
    pub shard: String,
    /// Byte offset of the gzip member.
    pub offset: u64,
    /// Bytes of the gzip member.
    pub length: u64,
}

impl ZipNumBlock {
    /// Reads a line of the small index in either style. None where it is no such line.
    pub fn parse(line: &[u8]) -> Option<Self> {
        if memchr::memchr(b'\t', line).is_some() {
            let mut columns = line.split(|&byte| byte == b'\t').skip(1).map(String::from_utf8_lossy);
            let (shard, offset, length) = (columns.next()?, columns.next()?, columns.next()?);
            let (offset, length) = (offset.trim().parse().ok()?, length.trim().parse().ok()?);
            return Some(Self { shard: shard.into_owned(), offset, length });
        }
        // A key may hold a brace, but no blank.
        let start = if line.starts_with(b"{") { 0 } else { memchr::memmem::find(line, b" {")? + 1 };
        let fields = json::parse_object(&line[start..]).ok()?;
        let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let number = |name: &str| match field(name)? {
            Value::String(text) => text.parse().ok(),
            value => value.as_u64(),
        };
        let shard = field("filename").and_then(Value::as_str).unwrap_or_default();
        Some(Self { shard: shard.to_owned(), offset: number("offset")?, length: number("length")? })
    }
}

/// The shard that a `!meta` line of WACZ's small index names. None where it is no such line.
pub(super) fn shard_of_meta(line: &[u8]) -> Option<String> {
    let text = line.strip_prefix(b"!meta ")?;
    let fields = json::parse_object(&text[memchr::memchr(b'{', text)?..]).ok()?;
    let field = |name: &str| fields.iter().find(|(key, _)| key == name).and_then(|(_, value)| value.as_str());
    field("format").filter(|format| format.starts_with("cdxj-gzip"))?;
    Some(field("filename").unwrap_or_default().to_owned())
}

/// Packs sorted lines. Memory: the lines of one block, plain and compressed.
pub struct ZipNumWriter<D, I> {
    data: D,
    index: I,
    style: IdxStyle,
    shard: String,
    lines_per_block: u64,
    block: Vec<u8>,
    /// Key and moment of the first line of the block.
    first: Vec<u8>,
    lines: u64,
    offset: u64,
    number: u64,
}

impl<D: Write, I: Write> ZipNumWriter<D, I> {
    /// The usual number of lines in a block.
    pub const DEFAULT_LINES: u64 = 3000;

    /// Writes blocks to `data`, which will be named `shard`, and the small index to `index`.
    pub fn new(data: D, index: I, shard: impl Into<String>, style: IdxStyle) -> Self {
        Self {
            data,
            index,
            style,
            shard: shard.into(),
            lines_per_block: Self::DEFAULT_LINES,
            block: Vec::new(),
            first: Vec::new(),
            lines: 0,
            offset: 0,
            number: 0,
        }
    }

    /// Puts this many lines into a block, at least one.
    #[must_use]
    pub fn lines_per_block(mut self, lines: u64) -> Self {
        self.lines_per_block = lines.max(1);
        self
    }

    /// Adds a line without its line end. Lines must come in order.
    pub fn push(&mut self, line: &[u8]) -> Result<()> {
        if self.lines == 0 {
            self.first = key_and_moment(line).to_vec();
        }
        self.block.extend_from_slice(line);
        self.block.push(b'\n');
        self.lines += 1;
        if self.lines == self.lines_per_block { self.end_block() } else { Ok(()) }
    }

    /// Writes what is left, and gives the outputs back.
    pub fn finish(mut self) -> Result<(D, I)> {
        if self.lines > 0 {
            self.end_block()?;
        } else if self.number == 0 {
            self.write_meta()?;
        }
        self.data.flush().and_then(|()| self.index.flush()).map_err(Error::io(&*self.shard))?;
        Ok((self.data, self.index))
    }

    fn end_block(&mut self) -> Result<()> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        let member =
            gzip.write_all(&self.block).and_then(|()| gzip.finish()).map_err(Error::io(&*self.shard))?;
        if self.number == 0 {
            self.write_meta()?;
        }
        self.number += 1;
        self.write_idx_line(&member).map_err(Error::io(&*self.shard))?;
        self.data.write_all(&member).map_err(Error::io(&*self.shard))?;
        self.offset += member.len() as u64;
        self.block.clear();
        self.lines = 0;
        Ok(())
    }

    fn write_meta(&mut self) -> Result<()> {
        if self.style == IdxStyle::Tabs {
            return Ok(());
        }
        let mut line = String::from("!meta 0 ");
        json::Object::open(&mut line).text("format", "cdxj-gzip-1.0").text("filename", &self.shard).close();
        writeln!(self.index, "{line}").map_err(Error::io(&*self.shard))
    }

    fn write_idx_line(&mut self, member: &[u8]) -> io::Result<()> {
        let Self { index, shard, offset, number, .. } = self;
        let length = member.len();
        index.write_all(&self.first)?;
        match self.style {
            IdxStyle::Tabs => writeln!(index, "\t{shard}\t{offset}\t{length}\t{number}"),
            IdxStyle::Json => writeln!(index, " {{\"offset\": {offset}, \"length\": {length}}}"),
            IdxStyle::JsonWithDigest => {
                let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(member));
                writeln!(
                    index,
                    " {{\"offset\": {offset}, \"length\": {length}, \"digest\": \"sha256:{digest}\"}}"
                )
            }
        }
    }
}

/// What stands before the second blank.
fn key_and_moment(line: &[u8]) -> &[u8] {
    let end = memchr::memchr_iter(b' ', line).nth(1).unwrap_or(line.len());
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(style: IdxStyle) -> String {
        let mut writer = ZipNumWriter::new(Vec::new(), Vec::new(), "a.cdx.gz", style).lines_per_block(2);
        for line in ["a)/ 2014 {}", "b)/ 2014 {}", "c)/ 2015 {\"url\": \"x y\"}"] {
            writer.push(line.as_bytes()).unwrap();
        }
        let (data, index) = writer.finish().unwrap();
        let index = String::from_utf8(index).unwrap();
        let last = ZipNumBlock::parse(index.lines().last().unwrap().as_bytes()).unwrap();
        assert_eq!(last.offset + last.length, data.len() as u64);
        assert_eq!(data[last.offset as usize..][..2], [0x1f, 0x8b]);
        index.replace(&last.offset.to_string(), "N").replace(&last.length.to_string(), "M")
    }

    #[test]
    fn a_key_may_hold_a_brace() {
        let line = br#"org,a)/{b} 2014 {"offset": 5, "length": "7"}"#;
        let block = ZipNumBlock { shard: String::new(), offset: 5, length: 7 };
        assert_eq!(ZipNumBlock::parse(line), Some(block));
    }

    #[test]
    fn the_small_index_is_that_of_the_peers() {
        assert!(packed(IdxStyle::Tabs).ends_with("c)/ 2015\ta.cdx.gz\tN\tM\t2\n"));
        let json = packed(IdxStyle::Json);
        assert!(json.starts_with(
            "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"a.cdx.gz\"}\na)/ 2014 {\"offset\": 0, "
        ));
        assert!(json.ends_with("c)/ 2015 {\"offset\": N, \"length\": M}\n"), "{json}");
        assert!(packed(IdxStyle::JsonWithDigest).contains("\"digest\": \"sha256:"));
    }

    #[test]
    fn lines_of_the_small_index_are_read() {
        for (line, expected) in [
            ("org,iana)/ 2014\tzipnum\t275\t328\t2", Some(("zipnum", 275, 328))),
            ("org,iana)/ 2014\tzipnum\t275\t328", Some(("zipnum", 275, 328))),
            (r#"a)/ 2014 {"offset": 5, "length": "6", "digest": "x"}"#, Some(("", 5, 6))),
            ("a)/ 2014 {\"offset\": 5}", None),
            ("a\tb\tc\td", None),
            ("a)/ 2014 http://a/", None),
        ] {
            let block = ZipNumBlock::parse(line.as_bytes());
            let found = block.as_ref().map(|block| (block.shard.as_str(), block.offset, block.length));
            assert_eq!(found, expected, "{line}");
        }
        assert_eq!(
            shard_of_meta(br#"!meta 0 {"format": "cdxj-gzip-1.0", "filename": "i.gz"}"#).as_deref(),
            Some("i.gz")
        );
        assert_eq!(shard_of_meta(br#"!meta {"created_at": "2018"}"#), None);
    }
}
