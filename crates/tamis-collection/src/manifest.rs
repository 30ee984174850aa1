//! `pages/_manifest.json`: which Parquet files are the materialised columns.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::blocks::crcs_of;
use super::sealed::{self, Versions};
use tamis_files::whole;

use super::{Collection, Error, Result};

/// The version that is written, and the newest that is read.
const VERSION: u64 = 2;
/// The limit that parts were made with which do not state one.
const PAGE_BYTES: u64 = 64 << 20;
/// From version 2 on it has a checksum.
const VERSIONS: Versions = Versions { sealed: 2, newest: VERSION };
/// Its name in the folder of the parts.
pub(super) const FILE: &str = "_manifest.json";
/// What it was called at first; then pandas and Spark took it for Parquet.
const OLD_FILE: &str = "manifest.json";

/// Which files are the materialised columns. A file that it does not name is none of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the format.
    pub version: u64,
    /// The files, by archive and place in it.
    pub parts: Vec<Part>,
    /// What others wrote beside, which stays.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A Parquet file: some columns of the captures of a range of an archive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// The name of the file in `pages/`.
    pub file: String,
    /// The archive, by its name in the collection.
    pub archive: String,
    /// Where the range begins in the archive.
    pub start: u64,
    /// Where it ends; none for the end of the archive.
    pub end: Option<u64>,
    /// The columns that it has.
    pub columns: Vec<String>,
    /// Whether damaged text was mended.
    pub repair: bool,
    /// Of larger pages only the first bytes were read.
    pub page_bytes: u64,
    /// How many pages were larger.
    pub oversized: u64,
    /// What the collection said of all pages when it was made, as a checksum: its id, its name, its tweets.
    pub shared: String,
    /// Records of all kinds in the range.
    pub records: u64,
    /// Records that are captures.
    pub captures: u64,
    /// Rows of the file.
    pub rows: u64,
    /// The size of the file.
    pub bytes: u64,
    /// Where in the archive the record behind the range begins.
    pub next_record: u64,
    /// What it cost to make.
    pub cpu_ms: u64,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// The CRC-32 of each 256 KiB of the file, eight hexadecimal digits each, one after another.
    pub blocks: String,
    /// What others wrote beside, which stays.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Collection {
    /// Whether a part is there as the manifest says, by its size, and can be checked while it is read. Parts without
    /// checksums or places of records were made by an earlier version: they are made again.
    pub fn has_part(&self, part: &Part) -> bool {
        let meta = fs::metadata(self.pages_folder().join(&part.file));
        let has = |column: &str| part.columns.iter().any(|name| name == column);
        let can_be_read = part.blocks().is_some() && has("offset") && has("in_member");
        can_be_read && meta.is_ok_and(|meta| meta.len() == part.bytes)
    }
}

impl Default for Part {
    fn default() -> Self {
        Self {
            file: String::new(),
            archive: String::new(),
            start: 0,
            end: None,
            columns: Vec::new(),
            repair: false,
            page_bytes: PAGE_BYTES,
            oversized: 0,
            shared: String::new(),
            records: 0,
            captures: 0,
            rows: 0,
            bytes: 0,
            next_record: 0,
            cpu_ms: 0,
            sha256: String::new(),
            blocks: String::new(),
            extra: Map::new(),
        }
    }
}

impl Part {
    /// Whether a column that needs the body has the values that would be computed within a limit: no page was cut elsewhere.
    pub fn serves(&self, page_bytes: u64) -> bool {
        if self.oversized == 0 { page_bytes >= self.page_bytes } else { page_bytes == self.page_bytes }
    }

    /// The range of the archive.
    pub fn range(&self) -> Range<u64> {
        self.start..self.end.unwrap_or(u64::MAX)
    }

    /// The checksums of its blocks, if it has them.
    pub fn blocks(&self) -> Option<Vec<u32>> {
        crcs_of(&self.blocks).filter(|blocks| !blocks.is_empty())
    }
}

impl Default for Manifest {
    fn default() -> Self {
        Self { version: VERSION, parts: Vec::new(), extra: Map::new() }
    }
}

impl Manifest {
    /// Reads the manifest in a folder; an empty one where there is none. The first writer makes one, so Parquet files without
    /// it mean that it was lost.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let is_old = !folder.join(FILE).exists() && folder.join(OLD_FILE).exists();
        let path = folder.join(if is_old { OLD_FILE } else { FILE });
        let manifest: Option<Self> = sealed::read(&path, VERSIONS)?;
        if manifest.is_none() && has_parts(folder)? {
            return Err(Error::damaged(&path, "it is missing, but stored columns exist"));
        }
        let Some(manifest) = manifest else { return Ok(Self::default()) };
        for part in &manifest.parts {
            check_name(&part.file).map_err(|error| Error::damaged(&path, error))?;
        }
        Ok(Self { version: VERSION, ..manifest })
    }

    /// Writes an empty one where there is none.
    pub(super) fn begin(folder: &Path) -> Result<()> {
        let is_there = [FILE, OLD_FILE].iter().any(|name| folder.join(name).exists());
        if is_there { Ok(()) } else { Self::default().write(folder) }
    }

    /// Writes it whole or not at all: a part a line, so that people and tools for lines can look into it.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(FILE);
        let damaged = |why: serde_json::Error| Error::damaged(&path, why);
        let mut head =
            serde_json::to_value(Self { parts: Vec::new(), ..self.clone_head() }).map_err(damaged)?;
        if let Some(members) = head.as_object_mut() {
            members.remove("parts");
        }
        let mut text = serde_json::to_string(&head).map_err(damaged)?;
        text.truncate(text.len() - 1);
        text.push_str(",\"parts\":[");
        for (at, part) in self.parts.iter().enumerate() {
            text.push_str(if at == 0 { "\n" } else { ",\n" });
            text.push_str(&serde_json::to_string(part).map_err(damaged)?);
        }
        text.push_str("\n]}\n");
        whole::replace_with(&path, sealed::seal(&text).as_bytes())?;
        match fs::remove_file(folder.join(OLD_FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(&path)(error)),
            _ => Ok(()),
        }
    }

    fn clone_head(&self) -> Self {
        Self { version: self.version, parts: Vec::new(), extra: self.extra.clone() }
    }

    /// The manifest with parts more and parts less, in order.
    pub(super) fn with(&self, add: Vec<Part>, remove: &[String]) -> Result<Self> {
        let removed: BTreeSet<&str> = remove.iter().map(String::as_str).collect();
        let kept = self.parts.iter().filter(|part| !removed.contains(&*part.file)).cloned();
        let mut parts: Vec<Part> = kept.chain(add).collect();
        parts.sort_by(|a, b| (&a.archive, a.start, &a.file).cmp(&(&b.archive, b.start, &b.file)));
        let mut names = BTreeSet::new();
        for part in &parts {
            check_name(&part.file)?;
            if !names.insert(&*part.file) {
                return Err(bad_name(&part.file, "it is used twice"));
            }
        }
        Ok(Self { parts, ..self.clone_head() })
    }
}

/// Whether a folder has Parquet files.
fn has_parts(folder: &Path) -> Result<bool> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        entries => entries.map_err(Error::read(folder))?,
    };
    for entry in entries {
        let name = entry.map_err(Error::read(folder))?.file_name();
        if Path::new(&name).extension().is_some_and(|ending| ending == "parquet") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A plain name, which leads nowhere else and is not that of another kind of file.
pub(super) fn check_name(name: &str) -> Result<()> {
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', '\0']) {
        return Err(bad_name(name, "not a plain file name"));
    }
    if name == FILE {
        return Err(bad_name(name, "reserved for the manifest"));
    }
    Ok(())
}

fn bad_name(name: &str, why: &'static str) -> Error {
    Error::Value { what: "name of a part", value: name.into(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(file: &str, archive: &str, start: u64) -> Part {
        Part { file: file.into(), archive: archive.into(), start, ..Part::default() }
    }

    #[test]
    fn parts_come_in_the_order_of_archives_and_places() {
        let first = Manifest::default().with(vec![part("1", "b", 0), part("2", "a", 9)], &[]).expect("sound");
        let second = first.with(vec![part("3", "a", 7)], &["1".into()]).expect("sound");
        let names: Vec<_> = second.parts.iter().map(|part| &*part.file).collect();
        assert_eq!(names, ["3", "2"]);
    }

    #[test]
    fn names_that_lead_elsewhere_or_are_taken_are_refused() {
        let manifest = Manifest::default().with(vec![part("1", "a", 0)], &[]).expect("sound");
        for name in ["", "../x", "a/b", ".x", "_manifest.json", "1"] {
            assert!(manifest.with(vec![part(name, "a", 0)], &[]).is_err(), "{name:?}");
        }
    }

    #[test]
    fn what_others_wrote_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let text =
            r#"{"version":1,"note":"mine","parts":[{"file":"x","archive":"a","end":null,"mark":[1]}]}"#;
        fs::write(folder.path().join(FILE), text).expect("writable");
        let manifest = Manifest::read(folder.path()).expect("sound");
        manifest.with(vec![part("y", "b", 0)], &[]).expect("sound").write(folder.path()).expect("writable");
        let again = fs::read_to_string(folder.path().join(FILE)).expect("there");
        assert!(again.contains(r#""note":"mine""#) && again.contains(r#""mark":[1]"#), "{again}");
        assert_eq!(Manifest::read(folder.path()).expect("sound").parts[0], manifest.parts[0]);
        assert_eq!(again.lines().count(), 4, "{again}");
    }

    #[test]
    fn newer_and_broken_ones_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        for (text, expected) in [
            (r#"{"version":3,"parts":7}"#, "made by a newer tamis (format 3; this one reads up to 2)"),
            (r#"{"parts":[]}"#, "`version` is missing or not a number"),
            (r#"{"version":1,"parts":7}"#, "invalid type"),
            ("{", "EOF"),
        ] {
            fs::write(folder.path().join(FILE), text).expect("writable");
            let error = Manifest::read(folder.path()).expect_err("not sound").to_string();
            assert!(error.contains(expected), "{error}");
        }
        fs::remove_file(folder.path().join(FILE)).expect("there");
        assert_eq!(Manifest::read(folder.path()).expect("none is empty"), Manifest::default());
    }
}
