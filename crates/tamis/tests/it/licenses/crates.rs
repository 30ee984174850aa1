//! The crates of the workspace and those it needs, as Cargo resolves them.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde::Deserialize;

/// The platform of the list. Other platforms need a few other crates.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// A crate.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) license: Option<String>,
    pub(super) repository: Option<String>,
    /// None for a crate of the workspace.
    pub(super) source: Option<String>,
    manifest_path: PathBuf,
}

impl Package {
    /// The folder of its sources.
    pub(super) fn folder(&self) -> &Path {
        self.manifest_path.parent().expect("a manifest is in a folder")
    }

    pub(super) fn is_ours(&self) -> bool {
        self.source.is_none()
    }
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// The folder of the workspace.
pub(super) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

/// All crates that the workspace needs, also for its tests and its builds, by name and version.
pub(super) static ALL: LazyLock<BTreeMap<(String, String), Package>> = LazyLock::new(|| {
    let metadata = cargo(&["metadata", "--format-version", "1", "--filter-platform", PLATFORM]);
    let metadata: Metadata = serde_json::from_str(&metadata).expect("Cargo prints what it documents");
    let by_name = |package: Package| ((package.name.clone(), package.version.clone()), package);
    metadata.packages.into_iter().map(by_name).collect()
});

/// The names and versions of the crates that are linked into the binary, with its default features: no macros, no build scripts.
pub(super) static LINKED: LazyLock<BTreeSet<(String, String)>> = LazyLock::new(|| {
    let tree = cargo(&[
        "tree",
        "--package",
        "tamis",
        "--edges",
        "normal,no-proc-macro",
        "--target",
        PLATFORM,
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    let pair = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_owned();
        Some((name, words.next()?.trim_start_matches('v').to_owned()))
    };
    tree.lines().filter_map(pair).collect()
});

fn cargo(args: &[&str]) -> String {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // Sources of other platforms may be absent, and tests do not go to the network.
    let output = Command::new(program)
        .args(args)
        .args(["--locked", "--offline"])
        .current_dir(workspace())
        .output()
        .expect("Cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "run `cargo fetch --target {PLATFORM}` first: {errors}");
    String::from_utf8(output.stdout).expect("Cargo prints UTF-8")
}
