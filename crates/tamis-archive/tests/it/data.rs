//! Where the real test data lies. None of it is part of this repository.

use std::env;
use std::path::{Path, PathBuf};

/// A file or folder of the unpacked data, or none with a line that says what was skipped and how to get it.
///
/// The unpacked folder is `TAMIS_DATA_UNPACKED`, else `target/data` of the workspace. The archives it comes from are in
/// `TAMIS_DATA`, else in `../shared/data` beside the workspace.
pub(crate) fn unpacked(name: &str) -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = env::var_os("TAMIS_DATA_UNPACKED").map_or(workspace.join("target/data"), PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    let archives = env::var_os("TAMIS_DATA").map_or(workspace.join("../shared/data"), PathBuf::from);
    eprintln!("SKIPPED: {} is absent", path.display());
    if archives.join("unpack").exists() {
        eprintln!("hint: {} {}", archives.join("unpack").display(), folder.display());
    }
    None
}
