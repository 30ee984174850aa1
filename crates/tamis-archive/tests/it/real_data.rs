//! Where the real archives are, if they are there.

use std::path::{Path, PathBuf};

/// A folder of the unpacked test data: under `TAMIS_DATA_UNPACKED`, or else `target/data` of the workspace.
/// Says on stderr that the test is skipped if there is none.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let unpacked = std::env::var_os("TAMIS_DATA_UNPACKED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data"), PathBuf::from);
    let folder = unpacked.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: no test data in {}; unpack it and set TAMIS_DATA_UNPACKED", folder.display());
    None
}
