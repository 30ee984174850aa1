//! What the manifests of the workspace must say so that its crates can be published.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn manifest(path: &Path) -> Table {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders and manifests of all crates.
fn crates() -> Vec<(PathBuf, Table)> {
    let folders = fs::read_dir(root().join("crates")).expect("the folder of crates");
    let folders = folders.map(|entry| entry.expect("an entry").path());
    folders.map(|folder| (folder.clone(), manifest(&folder.join("Cargo.toml")))).collect()
}

#[test]
fn path_dependencies_have_the_version_of_the_workspace_unless_they_are_for_tests_alone() {
    let workspace = manifest(&root().join("Cargo.toml"));
    let version = &workspace["workspace"]["package"]["version"];
    let private: Vec<String> = crates()
        .iter()
        .filter(|(_, manifest)| manifest["package"].get("publish") == Some(&Value::Boolean(false)))
        .map(|(folder, _)| folder.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    let mut seen = 0;
    for (name, dependency) in workspace["workspace"]["dependencies"].as_table().expect("a table") {
        if dependency.get("path").is_some() {
            seen += 1;
            let expected = (!private.contains(name)).then_some(version);
            assert_eq!(dependency.get("version"), expected, "{name} in Cargo.toml");
        }
    }
    assert!(seen > 10 && !private.is_empty(), "{seen} path dependencies, private: {private:?}");
    for (folder, manifest) in crates() {
        let is_private = private.iter().any(|name| folder.ends_with(name));
        for name in manifest.get("dependencies").and_then(Value::as_table).into_iter().flat_map(Table::keys) {
            assert!(is_private || !private.contains(name), "{}: {name} is not published", folder.display());
        }
    }
}

#[test]
fn every_crate_says_what_it_is() {
    for (folder, manifest) in crates() {
        let package = manifest["package"].as_table().expect("a table");
        for key in ["description", "repository", "keywords", "categories", "license", "readme"] {
            assert!(package.contains_key(key), "{}: no {key}", folder.display());
        }
        let readme = fs::read_to_string(folder.join("README.md")).expect("a README per crate");
        assert!((5..=15).contains(&readme.lines().count()), "{}: README.md", folder.display());
    }
}
