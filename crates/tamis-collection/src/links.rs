//! No name that tamis owns in a collection is a link.
//!
//! A collection may come from somebody else. A link called `pages`, `lock` or `runs.jsonl` would have us truncate, append to or delete
//! what it points to, outside the collection. So each name that tamis owns, and everything in the folders it owns, must be a
//! regular file or a folder before anything is read or written; what is opened for writing is opened with [`no_follow`] besides.
//! Names that tamis does not know are left alone, whatever they are.

use std::fs::{self, FileType, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tamis_files::is_part_name;

use crate::{Error, Result};

/// The folders that tamis owns in a collection.
const FOLDERS: [&str; 9] =
    ["archive", "index", "pages", "dedup", "frontier", "frontier-fetch", "graph", "text", "trash"];

/// The files that tamis owns in a collection.
const FILES: [&str; 13] = [
    "collection.toml",
    "checksums.json",
    "archives.jsonl",
    "runs.jsonl",
    "seeds.tsv",
    "fetched.tsv",
    "events.jsonl",
    "outputs.txt",
    "focus.toml",
    "relevance.jsonl",
    "crawl.log",
    "report.html",
    "lock",
];

/// Refuses a collection in which a name that tamis owns is a link, a pipe or a device. Of several the first by name is reported.
///
/// Costs a look at each entry of the folders that tamis owns, and opens no file.
pub fn check(root: &Path) -> Result<()> {
    let is_owned = |name: &str| FOLDERS.contains(&name) || FILES.contains(&name) || is_part_name(name);
    let mut folders = Vec::new();
    let mut wrong = Vec::new();
    each_entry(root, &mut |name, path, kind| {
        if !is_owned(name) {
            return;
        }
        if kind.is_dir() && FOLDERS.contains(&name) {
            folders.push(path);
        } else if let Some(what) = not_ours(kind) {
            wrong.push((path, what));
        }
    })?;
    while let Some(folder) = folders.pop() {
        each_entry(&folder, &mut |_, path, kind| {
            if kind.is_dir() {
                folders.push(path);
            } else if let Some(what) = not_ours(kind) {
                wrong.push((path, what));
            }
        })?;
    }
    match wrong.into_iter().min() {
        Some((path, what)) => Err(Error::Link { path, what }),
        None => Ok(()),
    }
}

/// Opens nothing through a link: where the last part of the path is one, opening fails.
pub fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options
}

/// What is wrong with an entry that is neither a regular file nor a folder.
fn not_ours(kind: FileType) -> Option<&'static str> {
    if kind.is_symlink() {
        return Some("a symbolic link");
    }
    (!kind.is_file() && !kind.is_dir()).then_some("a pipe, a socket or a device")
}

fn each_entry(folder: &Path, each: &mut dyn FnMut(&str, PathBuf, FileType)) -> Result<()> {
    let failed = |source| Error::read(folder)(source);
    let entries = match fs::read_dir(folder) {
        // Whoever opens the collection says that it is not there. A writer may remove a folder while we look.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(()),
        entries => entries.map_err(failed)?,
    };
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let kind = match entry.file_type() {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            kind => kind.map_err(failed)?,
        };
        each(&entry.file_name().to_string_lossy(), entry.path(), kind);
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn every_owned_name_that_is_a_link_is_refused_at_any_depth() {
        let elsewhere = tempfile::tempdir().expect("a folder");
        let deep =
            ["archive/a.warc.gz", "pages/_manifest.json", "frontier/sieve/urls", "trash/a/removal.json"];
        let names = FOLDERS.iter().chain(&FILES).chain(&deep).chain(&[".lock.abc123.part"]);
        for name in names {
            let root = tempfile::tempdir().expect("a folder");
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("made");
            assert_eq!(check(root.path()).map_err(|error| error.to_string()), Ok(()), "{name}");
            // A link that leads nowhere is as bad: what is created through it is created outside.
            for target in [elsewhere.path().to_owned(), elsewhere.path().join("none")] {
                symlink(target, &path).expect("made");
                let error = check(root.path()).expect_err(name).to_string();
                assert_eq!(error, format!("{} is a symbolic link", path.display()));
                fs::remove_file(&path).expect("removed");
            }
        }
    }

    #[test]
    fn names_of_people_may_be_links_and_folders_may_be_missing() {
        let root = tempfile::tempdir().expect("a folder");
        symlink("/", root.path().join("notes")).expect("made");
        symlink("/", root.path().join(".notes.part")).expect("made");
        assert!(check(root.path()).is_ok());
        assert!(check(&root.path().join("none")).is_ok());
    }

    #[test]
    fn a_pipe_is_no_file_of_ours() {
        let root = tempfile::tempdir().expect("a folder");
        let lock = root.path().join("lock");
        let made = std::process::Command::new("mkfifo").arg(&lock).status().expect("it runs");
        assert!(made.success());
        let error = check(root.path()).expect_err("a pipe").to_string();
        assert_eq!(error, format!("{} is a pipe, a socket or a device", lock.display()));
    }

    #[test]
    fn nothing_is_opened_through_a_link() {
        let root = tempfile::tempdir().expect("a folder");
        let (link, file) = (root.path().join("link"), root.path().join("file"));
        fs::write(&file, "kept").expect("written");
        symlink(&file, &link).expect("made");
        let open = |path: &Path| no_follow(OpenOptions::new().write(true)).open(path);
        assert!(open(&link).is_err());
        open(&file).expect("a file").write_all(b"K").expect("writable");
        assert_eq!(fs::read_to_string(&file).expect("there"), "Kept");
    }
}
