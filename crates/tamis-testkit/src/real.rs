//! Archives that others made, for tests that go further than made-up data can.

use std::env;
use std::path::{Path, PathBuf};

/// A folder of the real data, such as `warc` or `warc/jhove`, or none.
///
/// It is sought under `TAMIS_DATA`, and under `target/data` of the workspace, where `scripts/test` unpacks it. A test
/// that gets none returns; this function has said on stderr that it was skipped.
pub fn real_data(set: &str) -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."));
    let named = env::var_os("TAMIS_DATA").map(PathBuf::from);
    let folder = named
        .into_iter()
        .chain([workspace.join("target/data")])
        .map(|base| base.join(set))
        .find(|at| at.is_dir());
    if folder.is_none() {
        eprintln!("skipped: the real data `{set}` is not unpacked; `scripts/test` says how");
    }
    folder
}
