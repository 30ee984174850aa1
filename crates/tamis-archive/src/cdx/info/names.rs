//! What the info file of an archive is called.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::archives::Archives;
use crate::{Algorithm, Digest};

/// The folder of the files that go by the whole path of their archive.
pub(super) const BY_PATH: &str = "by-path";

/// A part of a path that is longer is cut: most file systems take 255 bytes.
const MAX_PART_BYTES: usize = 200;

/// The ways to call an archive's file, the shortest first.
const WAYS: [fn(&str) -> Option<String>; 4] =
    [by_number, by_stem, |archive| Some(by_path(archive)), |archive| Some(by_path_and_digest(archive))];

/// Decides for each archive, by its number, the first way whose name no other archive could have.
///
/// Names are compared without regard to the case of letters, as some file systems do. They are compared by a hash: where
/// two hashes are the same by chance, a longer name is taken than was needed. Memory: 17 bytes an archive.
pub(super) struct Names {
    ways: Vec<u8>,
}

impl Names {
    pub(super) fn of(archives: &Archives) -> Self {
        let last = WAYS.len() as u8 - 1;
        let mut ways = vec![last; archives.len() as usize];
        for (way, name) in WAYS.iter().enumerate().rev().skip(1) {
            let hashes: Vec<Option<u64>> =
                archives.iter().map(|archive| name(archive).map(|name| folded(&name))).collect();
            let mut sorted: Vec<u64> = hashes.iter().flatten().copied().collect();
            sorted.sort_unstable();
            for (chosen, hash) in ways.iter_mut().zip(&hashes) {
                if hash.is_some_and(|hash| is_alone(&sorted, hash)) {
                    *chosen = way as u8;
                }
            }
        }
        Self { ways }
    }

    /// The path of an archive's file below the output folder.
    pub(super) fn path(&self, archives: &Archives, number: u32) -> String {
        let way = WAYS[self.ways[number as usize] as usize];
        let archive = archives.name(number);
        way(archive).unwrap_or_else(|| by_path_and_digest(archive))
    }
}

fn folded(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.to_lowercase().hash(&mut hasher);
    hasher.finish()
}

fn is_alone(sorted: &[u64], hash: u64) -> bool {
    let at = sorted.partition_point(|&other| other < hash);
    sorted.get(at + 1) != Some(&hash)
}

/// `…-00001.warc.gz` is `info-00001.info`, as the reference has it.
fn by_number(archive: &str) -> Option<String> {
    let (_, number) = stem(archive).rsplit_once('-')?;
    let is_number = number.len() == 5 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("info-{number}.info"))
}

/// `segments/1/warc/a-00001.warc.gz` is `a-00001.info`.
fn by_stem(archive: &str) -> Option<String> {
    let stem = stem(archive);
    (!stem.is_empty()).then(|| format!("{}.info", part(stem)))
}

/// `segments/1/warc/a-00001.warc.gz` is `by-path/segments/1/warc/a-00001.warc.gz.info`.
fn by_path(archive: &str) -> String {
    let (folders, name) = archive.rsplit_once('/').unwrap_or(("", archive));
    let mut path = format!("{BY_PATH}/");
    for folder in folders.split('/').filter(|_| archive.contains('/')) {
        let folder = part(folder);
        path.push_str(&folder);
        // A file may have such a name.
        path.push_str(if folder.to_ascii_lowercase().ends_with(".info") { "%/" } else { "/" });
    }
    format!("{path}{}.info", part(name))
}

fn by_path_and_digest(archive: &str) -> String {
    let path = by_path(archive);
    format!("{}~{}.info", path.trim_end_matches(".info"), digest(archive))
}

/// The file's name without its folders and what tells its format.
fn stem(archive: &str) -> &str {
    let name = archive.rsplit('/').next().unwrap_or(archive);
    let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let name = [".wet", ".wat"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    [".warc", ".arc"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// A name that every file system takes for itself: no separators, no leading dot, neither empty nor too long.
fn part(name: &str) -> String {
    let mut part = String::with_capacity(name.len());
    for (at, byte) in name.bytes().enumerate() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-_+=@,".contains(&byte) || (byte == b'.' && at > 0);
        if is_plain {
            part.push(char::from(byte));
        } else {
            // Writing to a String does not fail.
            let _ = write!(part, "%{byte:02X}");
        }
    }
    if part.is_empty() {
        part.push('%');
    }
    if part.len() > MAX_PART_BYTES {
        part.truncate(MAX_PART_BYTES - 20);
        part.push('~');
        part.push_str(&digest(name));
    }
    part
}

fn digest(text: &str) -> String {
    Digest::of(Algorithm::Sha1, text.as_bytes()).to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn names(archives: &[&str]) -> Vec<String> {
        let mut table = Archives::default();
        let numbers: Vec<u32> = archives.iter().map(|name| table.number(name)).collect();
        let names = Names::of(&table);
        numbers.into_iter().map(|number| names.path(&table, number)).collect()
    }

    #[test]
    fn the_shortest_name_that_no_other_could_have_is_taken() {
        let found = names(&[
            "s/1/warc/a-00001.warc.gz",
            "s/2/warc/b-00002.warc.gz",
            "s/3/warc/c-00002.warc.gz",
            "s/4/warc/d-00003.warc.gz",
            "s/4/robotstxt/d-00003.warc.gz",
            "plain.warc",
            "PLAIN.warc.gz",
            "x/plain.warc",
            "X/plain.warc",
            "../../etc/.passwd",
            "a//b\\c.arc.gz",
            "-00009.warc.zst",
        ]);
        let expected = [
            "info-00001.info",
            "b-00002.info",
            "c-00002.info",
            "by-path/s/4/warc/d-00003.warc.gz.info",
            "by-path/s/4/robotstxt/d-00003.warc.gz.info",
            "by-path/plain.warc.info",
            "by-path/PLAIN.warc.gz.info",
            "by-path/x/plain.warc~de1d2dcbe6cff7eb.info",
            "by-path/X/plain.warc~4e6fa5b8a43a3ba0.info",
            "%2Epasswd.info",
            "b%5Cc.info",
            "info-00009.info",
        ];
        for (found, expected) in found.iter().zip(expected) {
            let same_but_digest = found.split('~').next() == expected.split('~').next();
            assert!(same_but_digest && found.len() == expected.len(), "{found} {expected}");
        }
        assert_ne!(found[7], found[8]);
    }

    #[test]
    fn long_and_empty_parts_are_names_too() {
        let long = "y".repeat(900);
        let found = names(&[&long, "", "/", "//"]);
        assert!(
            found.iter().all(|path| path.split('/').all(|part| (1..=210).contains(&part.len()))),
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn names_stay_below_the_folder_and_apart(
            archives in prop::collection::btree_set("[aA./\\\\%-]{0,3}(\\.info/)?(0000[12])?(\\.warc)?(\\.gz)?", 0..30),
        ) {
            let found = names(&archives.iter().map(String::as_str).collect::<Vec<_>>());
            let apart: BTreeSet<String> = found.iter().map(|path| path.to_lowercase()).collect();
            let folders = found.iter().flat_map(|path| path.match_indices('/').map(|(at, _)| path[..at].to_lowercase()));
            prop_assert!(folders.into_iter().all(|folder| !apart.contains(&folder)));
            prop_assert_eq!(apart.len(), archives.len());
            for part in found.iter().flat_map(|path| path.split('/')) {
                prop_assert!(!part.is_empty() && !part.starts_with('.') && !part.contains('\\'), "{}", part);
            }
        }
    }
}
