//! Globs that the shell left to us: quoted ones, and all on systems whose shell knows none.

use std::path::{Path, PathBuf};

use anyhow::Context;
use globset::{GlobBuilder, GlobMatcher};
use walkdir::WalkDir;

use crate::hint::WithHint;

/// Whether a path has a character that a glob gives a meaning to.
pub(crate) fn is_glob(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(['*', '?', '[', '{']))
}

/// All paths that match, in the order of their names. `*` stays within a folder, `**` goes through them.
pub(super) fn matches(pattern: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (base, rest) = split(pattern);
    let depth = if rest.to_string_lossy().contains("**") { usize::MAX } else { rest.components().count() };
    let matcher = compile(&rest)?;
    let start = if base.as_os_str().is_empty() { Path::new(".") } else { &base };
    let mut walk =
        WalkDir::new(start).follow_links(true).min_depth(1).max_depth(depth).sort_by_file_name().into_iter();
    let mut found = Vec::new();
    while let Some(entry) = walk.next() {
        // A folder below that cannot be opened holds nothing that matches, as in a shell.
        let Ok(entry) = entry else { continue };
        let Ok(below) = entry.path().strip_prefix(start) else { continue };
        if matcher.is_match(below) {
            found.push(base.join(below));
            if entry.file_type().is_dir() {
                walk.skip_current_dir();
            }
        }
    }
    Ok(found)
}

/// The folders before the first glob, and the rest.
fn split(pattern: &Path) -> (PathBuf, PathBuf) {
    let is_plain = |part: &std::path::Component<'_>| !is_glob(Path::new(part.as_os_str()));
    let plain = pattern.components().take_while(is_plain).count();
    (pattern.components().take(plain).collect(), pattern.components().skip(plain).collect())
}

fn compile(pattern: &Path) -> anyhow::Result<GlobMatcher> {
    let text = pattern.to_string_lossy();
    let glob = GlobBuilder::new(&text).literal_separator(true).build();
    let glob =
        glob.with_context(|| format!("{text}: invalid glob")).hint("escape a literal bracket with `\\`")?;
    Ok(glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_is_split_behind_its_plain_folders() {
        for (pattern, base, rest) in [
            ("*.warc", "", "*.warc"),
            ("a/b/*.warc", "a/b", "*.warc"),
            ("/data/**/x.warc", "/data", "**/x.warc"),
            ("a*/b/c", "", "a*/b/c"),
        ] {
            assert_eq!(split(Path::new(pattern)), (PathBuf::from(base), PathBuf::from(rest)), "{pattern}");
        }
    }
}
