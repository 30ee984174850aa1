//! Checksums of the blocks of an archive, as the list of archives states them.
//!
//! gzip members have checksums; plain WARC and ARC files have none, and zstd frames only if their writer wanted. Without
//! these a changed byte of a page would be read like any other.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tamis_archive::{BlockSums, Codec, ExpectedSums, PACK_MAGIC};

use super::archive::Entry;
use super::{Error, Result};

/// The checksums of the blocks of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Text", into = "Text")]
pub struct Blocks(BlockSums);

/// How they are written.
#[derive(Serialize, Deserialize)]
struct Text {
    bytes: u32,
    crc32: String,
}

impl Blocks {
    pub(super) fn new(sums: BlockSums) -> Self {
        Self(sums)
    }

    /// These, unless the archive, or each WARC file of a package, begins as a format that has its own.
    pub(super) fn needed_for(self, path: &Path, entries: Option<&[Entry]>) -> Result<Option<Self>> {
        let mut file = File::open(path).map_err(Error::read(path))?;
        let whole = [0];
        let starts: Vec<u64> =
            entries.map_or(whole.to_vec(), |entries| entries.iter().map(|entry| entry.start).collect());
        for start in starts {
            if !has_checksums(&mut file, start).map_err(Error::read(path))? {
                return Ok(Some(self));
            }
        }
        Ok(None)
    }

    /// What readers compare the archive with.
    pub(super) fn expected(&self, root: &Path) -> Arc<ExpectedSums> {
        let root = root.to_string_lossy();
        let is_plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
        let root = if root.chars().all(is_plain) { &*root } else { "COLLECTION" };
        let hint = format!("`tamis archives verify {root}` checks the archive");
        Arc::new(ExpectedSums { sums: self.0.clone(), hint })
    }
}

/// Whether a gzip file or a pack begins at an offset.
fn has_checksums(file: &mut File, start: u64) -> io::Result<bool> {
    let mut magic = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(PACK_MAGIC.len() as u64).read_to_end(&mut magic)?;
    Ok(Codec::of(&magic) == Codec::Gzip || magic == PACK_MAGIC)
}

impl From<Blocks> for Text {
    fn from(blocks: Blocks) -> Self {
        let mut crc32 = String::with_capacity(blocks.0.crcs().len() * 8);
        for crc in blocks.0.crcs() {
            // A string takes all.
            let _ = write!(crc32, "{crc:08x}");
        }
        Self { bytes: blocks.0.block_bytes(), crc32 }
    }
}

impl TryFrom<Text> for Blocks {
    type Error = String;

    fn try_from(text: Text) -> std::result::Result<Self, String> {
        let crcs = crcs_of(&text.crc32).ok_or("`crc32` of the blocks is not a list of checksums")?;
        let sums = BlockSums::new(text.bytes, crcs);
        sums.map(Self).ok_or_else(|| format!("blocks of {} bytes", text.bytes))
    }
}

/// The numbers of a text of eight hexadecimal digits each.
pub(super) fn crcs_of(text: &str) -> Option<Vec<u32>> {
    let crc = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.len() == 8)?;
        u32::from_str_radix(digits, 16).ok()
    };
    text.as_bytes().chunks(8).map(crc).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_come_back_and_bad_ones_are_refused() {
        let sums = BlockSums::new(16384, vec![0, 1, u32::MAX]).expect("sound");
        let text = serde_json::to_string(&Blocks(sums.clone())).expect("JSON");
        assert_eq!(text, r#"{"bytes":16384,"crc32":"0000000000000001ffffffff"}"#);
        assert_eq!(serde_json::from_str::<Blocks>(&text).expect("sound"), Blocks(sums));
        for bad in [
            r#"{"bytes":0,"crc32":"00000000"}"#,
            r#"{"bytes":4294967295,"crc32":"00000000"}"#,
            r#"{"bytes":16384,"crc32":"0000000"}"#,
            r#"{"bytes":16384,"crc32":"0000000x"}"#,
            r#"{"bytes":16384}"#,
        ] {
            assert!(serde_json::from_str::<Blocks>(bad).is_err(), "{bad}");
        }
    }
}
