//! Files that must not stay behind, even if the program is ended on the spot.
//!
//! What is dropped removes its own files. A thread that ends the whole program, because a query does not stop or takes too much memory,
//! lets nothing be dropped; it calls [`remove_all`] instead.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static LISTED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file or folder that is removed if the program is ended on the spot, as long as this lives.
#[derive(Debug)]
pub(crate) struct Scrap(PathBuf);

impl Scrap {
    /// Lists a file or folder.
    pub(crate) fn new(path: &Path) -> Self {
        LISTED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Scrap {
    fn drop(&mut self) {
        LISTED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Removes all that is listed, as far as that can be done. The program ends after this.
pub(crate) fn remove_all() {
    for path in LISTED.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        // Nobody is left who could be told.
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("spill")).expect("made");
        for name in ["spill/1", "half", "kept", "dropped"] {
            fs::write(path(name), name).expect("written");
        }
        drop(Scrap::new(&path("dropped")));
        let _listed = [Scrap::new(&path("spill")), Scrap::new(&path("half"))];
        remove_all();
        let left = ["spill", "half", "kept", "dropped"].map(|name| path(name).exists());
        assert_eq!(left, [false, false, true, true]);
    }
}
