//! The folder that payloads are written into, and nothing outside of it.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use tempfile::{NamedTempFile, TempDir, TempPath};

use crate::hint::WithHint;

/// A folder, and one in it for what is not finished; that one goes away in the end.
pub(super) struct Folder {
    root: PathBuf,
    unfinished: TempDir,
}

impl Folder {
    /// Makes the folder, or takes one that is empty. One that is not is taken by force.
    pub(super) fn open(root: &Path, force: bool) -> anyhow::Result<Self> {
        let cannot = || format!("cannot write into {}", root.display());
        fs::create_dir_all(root).with_context(cannot)?;
        let is_empty = fs::read_dir(root).with_context(cannot)?.next().is_none();
        if !is_empty && !force {
            return Err(anyhow!("{} is not empty", root.display())).hint(
                "name a new folder; `--force` writes into this one and replaces files of the same name",
            );
        }
        // It would be written through, wherever it leads.
        if fs::symlink_metadata(root.join(super::MANIFEST)).is_ok_and(|meta| meta.is_symlink()) {
            return Err(anyhow!("{} is a link", root.join(super::MANIFEST).display())).hint("remove it");
        }
        let unfinished =
            tempfile::Builder::new().prefix(".unfinished-").tempdir_in(root).with_context(cannot)?;
        Ok(Self { root: root.to_owned(), unfinished })
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
                    let kind = if meta.is_symlink() { "a link" } else { "no folder" };
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
