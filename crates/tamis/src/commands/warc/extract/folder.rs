//! The folder that payloads are written into, and nothing outside of it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tempfile::{NamedTempFile, TempPath};

use crate::hint::WithHint;
use crate::work_folder::WorkFolder;

/// The folder in it for what is not finished. It goes away in the end.
const UNFINISHED: &str = ".unfinished";
/// There until the work is finished, if the folder was new: all else in it is of a run that was not.
const BEGUN: &str = ".begun";

/// A folder, and one in it for what is not finished.
pub(super) struct Folder {
    root: PathBuf,
    unfinished: WorkFolder,
    /// Whether all that it holds is ours.
    is_ours: bool,
}

impl Folder {
    /// Makes the folder, or takes one that is empty, or one that a run began and did not finish. Another one is taken by
    /// force.
    pub(super) fn open(root: &Path, force: bool) -> anyhow::Result<Self> {
        let cannot = || format!("cannot write into {}", root.display());
        fs::create_dir_all(root).with_context(cannot)?;
        let entries = fs::read_dir(root).with_context(cannot)?;
        let is_empty = entries.flatten().all(|entry| entry.file_name() == UNFINISHED);
        let is_ours = is_empty || is_begun(root);
        if !is_ours && !force {
            return Err(anyhow!("{} is not empty", root.display()))
                .hint("give a new folder, or use `--force` to write to this one and replace files");
        }
        // It would be written through, wherever it leads.
        if fs::symlink_metadata(root.join(super::MANIFEST)).is_ok_and(|meta| meta.is_symlink()) {
            return Err(anyhow!("{} is a symbolic link", root.join(super::MANIFEST).display()))
                .hint("remove it");
        }
        let unfinished = WorkFolder::open(root.join(UNFINISHED))?;
        if is_ours {
            fs::write(root.join(BEGUN), "").with_context(cannot)?;
        }
        Ok(Self { root: root.to_owned(), unfinished, is_ours })
    }

    /// Whether files in it may be replaced unasked: they are of a run that was not finished.
    pub(super) fn is_ours(&self) -> bool {
        self.is_ours
    }

    /// The work is finished: a later run that finds the folder must be forced to write into it.
    pub(super) fn finish(&self) -> anyhow::Result<()> {
        if self.is_ours {
            fs::remove_file(self.join(BEGUN))
                .with_context(|| format!("cannot write into {}", self.root.display()))?;
        }
        Ok(())
    }

    /// A path in the folder.
    pub(super) fn join(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// A file to write into, without a name of its own yet.
    pub(super) fn file(&self) -> anyhow::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The umask takes from it, as from any new file.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(self.unfinished.path());
        file.with_context(|| format!("cannot write into {}", self.root.display()))
    }

    /// Gives a finished file its name, a path with `/` between names. It replaces a file of the same name, or a link.
    pub(super) fn keep(&self, file: TempPath, path: &str) -> anyhow::Result<()> {
        let (folders, _) = path.rsplit_once('/').unwrap_or(("", path));
        let cannot = || format!("cannot write {}", self.join(path).display());
        self.make_folders(folders).with_context(cannot)?;
        file.persist(self.join(path)).map_err(|error| error.error).with_context(cannot)
    }

    /// Makes folders one in another. A link in the way would lead out of the folder, and is refused.
    fn make_folders(&self, folders: &str) -> io::Result<()> {
        let mut path = self.root.clone();
        for name in folders.split('/').filter(|name| !name.is_empty()) {
            path.push(name);
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_dir() => {}
                Ok(meta) => {
                    let kind = if meta.is_symlink() { "a symbolic link" } else { "not a folder" };
                    let why = format!("{} is {kind}", path.display());
                    return Err(io::Error::new(ErrorKind::NotADirectory, why));
                }
                Err(error) if error.kind() == ErrorKind::NotFound => fs::create_dir(&path)?,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Whether a run began to write into an empty folder and did not finish.
pub(super) fn is_begun(root: &Path) -> bool {
    fs::symlink_metadata(root.join(BEGUN)).is_ok_and(|meta| meta.is_file())
}
