//! A file under a temporary name, beside the file it will become.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// How many letters [`tempfile`] draws for a name.
const DRAWN: usize = 6;

/// Begins a file beside `path`, to be renamed to it when it is whole: `.a.warc.gz.k3Fx9Q.part` for `a.warc.gz`. It has the
/// permissions that any new file gets, and goes away if it is dropped.
///
/// A process that is killed leaves its file behind. So a file is locked while it is written, and those of the same name
/// that nobody holds a lock on are removed here. Where the file system has no locks, they stay.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.txt");
/// let mut file = tamis_files::part_file(&path)?;
/// std::io::Write::write_all(&mut file, b"whole")?;
/// file.persist(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn part_file(path: &Path) -> io::Result<NamedTempFile> {
    // The umask takes from it, as from any new file.
    begin(path, 0o666)
}

/// The same for a file with secrets: nobody but its owner can read or write it, from the first byte on and after it is renamed.
pub fn private_part_file(path: &Path) -> io::Result<NamedTempFile> {
    begin(path, 0o600)
}

fn begin(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy());
    remove_left(folder, &prefix);
    loop {
        let file = new_file(folder, &prefix, mode)?;
        // Some network file systems have no locks; there nothing is removed either.
        let _ = file.as_file().lock();
        // Another process may have taken it for one left behind before it was locked: then we begin anew.
        if file.path().try_exists()? {
            return Ok(file);
        }
    }
}

/// Whether a name is one that [`part_file`] gives: of a file that is being written, or that a killed process left.
pub fn is_part_name(name: &str) -> bool {
    let stem = name.strip_prefix('.').and_then(|name| name.strip_suffix(SUFFIX));
    let drawn = stem.and_then(|stem| stem.rsplit_once('.')).map(|(_, drawn)| drawn);
    drawn.is_some_and(is_drawn)
}

const SUFFIX: &str = ".part";

#[cfg_attr(not(unix), expect(unused_variables, reason = "modes are those of Unix"))]
fn new_file(folder: &Path, prefix: &str, mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(SUFFIX).rand_bytes(DRAWN);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    builder.tempfile_in(folder)
}

/// Removes what was left behind, as far as that can be. What cannot be removed does no harm but to take up space.
fn remove_left(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_part_of(&entry.file_name().to_string_lossy(), prefix) {
            // The lock is held until the file is gone, so that no other process can begin to write it.
            let left = File::open(entry.path()).ok().filter(|file| file.try_lock().is_ok());
            if left.is_some() {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn is_part_of(name: &str, prefix: &str) -> bool {
    let drawn = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(SUFFIX));
    drawn.is_some_and(is_drawn)
}

fn is_drawn(name: &str) -> bool {
    name.len() == DRAWN && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in [
            ".a.txt.Ab3dE6.part",
            ".a.txt.toolong.part",
            ".a.txt.a-b-cd.part",
            ".b.a.txt.Ab3dE6.part",
            "a.txt.Ab3dE6.part",
        ] {
            fs::write(path(name), "left").expect("writable");
        }
        fs::create_dir(path(".a.txt.aaaaaa.part")).expect("a folder");
        let first = part_file(&path("a.txt")).expect("begun");
        let second = part_file(&path("a.txt")).expect("begun beside it");
        let names = || {
            let entries = fs::read_dir(folder.path()).expect("there").map(|entry| entry.expect("there"));
            let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            names.sort();
            names
        };
        let found = names();
        assert!(first.path().exists() && second.path().exists(), "both are written");
        assert!(!found.contains(&".a.txt.Ab3dE6.part".into()), "{found:?}");
        assert_eq!(found.len(), 7, "{found:?}");
        first.persist(path("a.txt")).expect("renamed");
        drop(second);
        assert_eq!(names().len(), 6);
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_takes_the_place_of_one_that_all_can_read() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secrets");
        fs::write(&path, "old").expect("writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("ours");
        let file = private_part_file(&path).expect("begun");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(file.path()), 0o600);
        file.persist(&path).expect("renamed");
        assert_eq!(mode(&path), 0o600);
    }

    #[test]
    fn temporary_names_are_known_by_their_form() {
        for (name, expected) in [
            (".lock.abc123.part", true),
            (".a.warc.gz.Ab3dE6.part", true),
            (".notes.part", false),
            (".abc123.part", false),
            (".a.abc12é.part", false),
            ("a.abc123.part", false),
            (".a.abc123.part.txt", false),
        ] {
            assert_eq!(is_part_name(name), expected, "{name}");
        }
    }
}
