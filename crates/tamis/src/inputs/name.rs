//! Which files of a folder are archives, judged by their names.

use std::ffi::OsStr;

/// Names for a hint.
pub(super) const EXAMPLES: &str = "*.warc.gz, *.arc, *.wet.zst, *.wat, *.wacz …";

/// Endings that say what is inside.
const KINDS: [&str; 5] = ["warc", "arc", "wet", "wat", "wacz"];
/// Endings behind those, for compression, and for a file that its writer has not closed.
const WRAPPERS: [&str; 6] = ["gz", "zst", "zstd", "bz2", "xz", "open"];

/// Whether a file of this name is worth opening when its folder is given.
pub(super) fn looks_like_archive(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let mut endings = name.split('.').rev();
    let ending = endings.by_ref().find(|ending| !WRAPPERS.contains(ending)).unwrap_or_default();
    // `warc` alone is a name, not an ending.
    KINDS.contains(&ending) && endings.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_known_by_their_endings() {
        for (name, expected) in [
            ("a.warc", true),
            ("A.WARC.GZ", true),
            ("CC-MAIN-1.warc.wet.gz", true),
            ("x.wat.zst", true),
            ("x.arc", true),
            ("x.wacz", true),
            ("x.warc.gz.open", true),
            (".warc", true),
            ("warc", false),
            ("warc.gz", false),
            ("a.gz", false),
            ("a.cdxj", false),
            ("a.warc.txt", false),
            ("", false),
        ] {
            assert_eq!(looks_like_archive(OsStr::new(name)), expected, "{name}");
        }
    }
}
