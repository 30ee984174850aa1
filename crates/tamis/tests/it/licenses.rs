//! The licences of all that is in the binary: lists that are complete, licences that are allowed, manifests that tell the truth.

mod crates;
mod expression;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crates::Package;
use expression::Expression;

use crate::scene;

/// How to renew the lists.
const RENEW: &str = "TAMIS_LICENSES=update cargo test --workspace --test it licenses";

/// `embedded.toml`.
#[derive(Deserialize)]
struct EmbeddedFile {
    urls: BTreeMap<String, String>,
    data: Vec<Embedded>,
}

/// Data in the binary.
#[derive(Deserialize)]
struct Embedded {
    file: Option<String>,
    #[serde(rename = "crate")]
    package: Option<String>,
    what: String,
    license: String,
    attribution: String,
    /// Paths of licence texts, or names of those beside the models.
    #[serde(default)]
    texts: Vec<String>,
}

impl Embedded {
    fn source(&self) -> String {
        let package =
            || format!("crate {}", self.package.as_deref().expect("data are of a file or of a crate"));
        self.file.clone().unwrap_or_else(package)
    }
}

fn embedded() -> Vec<Embedded> {
    embedded_file().data
}

fn embedded_file() -> EmbeddedFile {
    let text = fs::read_to_string(crates::workspace().join("crates/tamis/licenses/embedded.toml"));
    toml::from_str(&text.expect("it is readable")).expect("it is sound")
}

/// The part of `deny.toml` that the tests check, too.
#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
struct Ban {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

fn deny() -> Deny {
    let text = fs::read_to_string(crates::workspace().join("deny.toml")).expect("it is readable");
    toml::from_str(&text).expect("it is sound")
}

impl Deny {
    /// The terms to keep to for a crate. None if its licence is not allowed.
    fn terms(&self, package: &Package) -> Option<BTreeSet<String>> {
        let exception = self.licenses.exceptions.iter().find(|exception| exception.name == package.name);
        let is_allowed = |id: &str| {
            let is_in = |allow: &[String]| allow.iter().any(|allowed| allowed == id);
            is_in(&self.licenses.allow) || exception.is_some_and(|exception| is_in(&exception.allow))
        };
        Expression::parse(package.license.as_deref()?).terms(&is_allowed)
    }
}

#[test]
fn each_crate_has_an_allowed_licence() {
    let deny = deny();
    for package in crates::ALL.values() {
        let Package { name, version, license, .. } = package;
        let license = license.as_deref().unwrap_or("no licence");
        assert!(deny.terms(package).is_some(), "{name} {version}: {license} is not allowed by deny.toml");
    }
    for Exception { name, allow } in &deny.licenses.exceptions {
        for id in allow {
            let has =
                |package: &Package| package.license.as_deref().is_some_and(|license| license.contains(id));
            let is_needed = crates::ALL.values().any(|package| package.name == *name && has(package));
            assert!(
                is_needed,
                "deny.toml allows {id} for {name}, which does not need it: remove the exception"
            );
        }
    }
}

#[test]
fn no_gnu_licence_is_allowed_but_by_exception() {
    let gnu: Vec<_> = deny().licenses.allow.into_iter().filter(|id| id.contains("GPL")).collect();
    assert!(gnu.is_empty(), "deny.toml allows {gnu:?} for all crates");
}

#[test]
fn crates_come_from_allowed_sources_and_none_is_banned() {
    let Deny { bans, sources, .. } = deny();
    for Package { name, version, source, .. } in crates::ALL.values() {
        if let Some(source) = source {
            let url = source.trim_start_matches("registry+").trim_start_matches("sparse+");
            assert!(
                sources.allow_registry.iter().any(|allowed| allowed == url),
                "{name} {version} is from {source}"
            );
        }
        assert!(!bans.deny.iter().any(|ban| ban.name == *name), "{name} {version} is banned by deny.toml");
    }
}

#[test]
fn the_lists_of_crates_and_licence_texts_are_complete() {
    let (workspace, all) = (crates::workspace(), &*crates::ALL);
    let mut rows = String::from("name\tversion\tlicense\turl\n");
    // By letters and digits: the text as it is, and what it applies to.
    let mut found: BTreeMap<String, (String, BTreeSet<String>)> = BTreeMap::new();
    let mut add = |text: String, of: &str| {
        let (_, applies_to) = found.entry(texts::key(&text)).or_insert_with(|| (text, BTreeSet::new()));
        applies_to.insert(of.to_owned());
    };
    for data in embedded() {
        for text in &data.texts {
            let path = if text.contains('/') {
                text.clone()
            } else {
                format!("crates/tamis-words/models/licenses/{text}.txt")
            };
            add(texts::read(&workspace.join(path)), &data.source());
        }
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        add(texts::read(&workspace.join(name)), "tamis");
    }
    for id in &*crates::LINKED {
        let package = all.get(id).unwrap_or_else(|| panic!("{id:?} is in the metadata of Cargo"));
        if package.is_ours() {
            continue;
        }
        let Package { name, version, .. } = package;
        let license = package.license.as_deref().expect("all have one");
        let url = package.repository.clone().unwrap_or_else(|| format!("https://crates.io/crates/{name}"));
        writeln!(rows, "{name}\t{version}\t{license}\t{url}").expect("a string takes all");
        let mut own = texts::of_package(package, &workspace);
        if own.is_empty() {
            let other =
                texts::stand_in(name).and_then(|other| all.values().find(|package| package.name == other));
            own = other.map(|other| texts::of_package(other, &workspace)).unwrap_or_default();
        }
        assert!(
            !own.is_empty() || license == "0BSD",
            "{name} {version} has no licence text: see SAME_AUTHORS"
        );
        for text in own {
            add(text, &format!("{name} {version}"));
        }
    }
    let mut sorted: Vec<(String, String)> = found
        .into_values()
        .map(|(text, applies_to)| (applies_to.into_iter().collect::<Vec<_>>().join(", "), text))
        .collect();
    sorted.sort();
    let mut all_texts = String::new();
    for (applies_to, text) in sorted {
        assert!(!text.contains("\n======== "), "a text of {applies_to} has the mark between texts");
        write!(all_texts, "======== {applies_to}\n\n{text}\n\n").expect("a string takes all");
    }
    compare("crates/tamis/licenses/crates.tsv", &rows);
    compare("crates/tamis/licenses/texts.txt", &format!("{}\n", all_texts.trim_end()));
}

#[test]
fn notice_names_all_embedded_data() {
    let mut notice = String::from(
        "tamis\nCopyright The tamis authors\n\nOur own code is licensed under Apache-2.0 OR MIT, at your choice (LICENSE-APACHE, LICENSE-MIT).\n\
         The data below are in the repository and in the binary, each under the licence named with it.\n\
         `tamis licenses` prints the crates in the binary, too, and `tamis licenses --texts` all licence texts\n\
         (crates/tamis/licenses/texts.txt).\n\
         This file is made from crates/tamis/licenses/embedded.toml.\n",
    );
    for data in embedded() {
        let Embedded { what, license, attribution, .. } = &data;
        write!(notice, "\n{what}\n  {}\n  {license}\n", data.source()).expect("a string takes all");
        for line in attribution.trim().lines() {
            writeln!(notice, "    {line}").expect("a string takes all");
        }
    }
    notice.push('\n');
    for (id, url) in embedded_file().urls {
        writeln!(notice, "{id}: {url}").expect("a string takes all");
    }
    compare("NOTICE", &notice);
}

#[test]
fn each_licence_of_data_has_a_url_or_a_text() {
    let EmbeddedFile { urls, data } = embedded_file();
    for data in &data {
        for id in terms_of_data(&data.license) {
            assert!(
                urls.contains_key(&id) || !data.texts.is_empty(),
                "{}: {id} has no URL and no text",
                data.what
            );
        }
    }
}

#[test]
fn each_included_file_is_listed() {
    let workspace = crates::workspace();
    let listed: Vec<PathBuf> =
        embedded().iter().filter_map(|data| data.file.as_ref().map(|file| workspace.join(file))).collect();
    for path in &listed {
        assert!(path.exists(), "embedded.toml names {}, which does not exist", path.display());
    }
    let ours = linked().filter(|package| package.is_ours());
    let mut count = 0;
    for package in ours {
        for source in sources(&package.folder().join("src")) {
            for path in included(&source) {
                count += 1;
                // The lists of licences themselves.
                let is_listed = path.starts_with(workspace.join("crates/tamis/licenses"))
                    || listed.iter().any(|listed| path.starts_with(listed));
                let (path, source) = (path.display(), source.display());
                assert!(
                    is_listed,
                    "{path}, which {source} includes, is not in crates/tamis/licenses/embedded.toml"
                );
            }
        }
    }
    assert!(count >= 15, "only {count} included files were found");
}

#[test]
fn manifests_state_the_licences_of_what_is_in_the_crates() {
    let (workspace, deny, data) = (crates::workspace(), deny(), embedded());
    let mut union = BTreeSet::new();
    for package in linked() {
        if !package.is_ours() {
            union.extend(deny.terms(package).unwrap_or_default());
            continue;
        }
        let within = |file: &String| workspace.join(file).starts_with(package.folder());
        let mut needed = BTreeSet::new();
        for data in data.iter().filter(|data| data.file.as_ref().is_some_and(within)) {
            needed.extend(terms_of_data(&data.license));
        }
        union.extend(needed.iter().cloned());
        // The binary states the union; the crate around CLD2 is CLD2's.
        if package.name != "tamis" && package.name != "tamis-cld2" {
            check_manifest(package, &needed);
        }
    }
    for data in data.iter().filter(|data| data.package.is_some()) {
        union.extend(terms_of_data(&data.license));
    }
    let tamis = crates::ALL.values().find(|package| package.name == "tamis").expect("it is ours");
    check_manifest(tamis, &union);
}

/// The crates in the binary.
fn linked() -> impl Iterator<Item = &'static Package> {
    crates::LINKED.iter().filter_map(|id| crates::ALL.get(id))
}

/// The licences of data, without those that our own licence gives a choice of.
fn terms_of_data(license: &str) -> BTreeSet<String> {
    if license == OWN {
        BTreeSet::new()
    } else {
        Expression::parse(license).terms(&|_| true).unwrap_or_default()
    }
}

const OWN: &str = "Apache-2.0 OR MIT";

#[track_caller]
fn check_manifest(package: &Package, needed: &BTreeSet<String>) {
    let mut expected = if needed.is_empty() { OWN.to_owned() } else { format!("({OWN})") };
    for id in needed {
        write!(expected, " AND {id}").expect("a string takes all");
    }
    let stated = package.license.as_deref().unwrap_or_default();
    assert_eq!(stated, expected, "`license` in the manifest of {}", package.name);
}

/// The Rust files of a folder, without those of tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// The files that a source includes before its tests. A path with a parameter of a macro counts as its folder.
fn included(source: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(source).expect("it is readable");
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let folder = source.parent().expect("a file is in a folder");
    let mut found = Vec::new();
    for part in ["include_bytes!(", "include_str!("].iter().flat_map(|name| code.split(name).skip(1)) {
        let path = part.trim_start().trim_start_matches("concat!(").trim_start();
        let path = path.strip_prefix('"').and_then(|path| path.split('"').next());
        let path =
            path.unwrap_or_else(|| panic!("{}: the path of an included file is unclear", source.display()));
        let path = folder.join(path.trim_end_matches('/'));
        found.push(path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    }
    found
}

/// Compares a file with what it should be, or writes it.
#[track_caller]
fn compare(path: &str, expected: &str) {
    let file = crates::workspace().join(path);
    if fs::read_to_string(&file).unwrap_or_default() == expected {
        return;
    }
    let is_update = std::env::var("TAMIS_LICENSES").is_ok_and(|value| value == "update");
    assert!(
        is_update,
        "{path} is not what the crates and data say now. Renew it and read the difference: {RENEW}"
    );
    fs::write(&file, expected).expect("it can be written");
}

#[test]
fn the_command_prints_program_data_and_crates() {
    let ran = scene().run("licenses --color never");
    let text = String::from_utf8(ran.stdout).expect("text");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
    for part in [
        "Apache-2.0 OR MIT, Copyright The tamis authors",
        "\nData in the binary\n",
        "\nFont of the charts\n  crates/tamis-plot/src/font/DejaVuSans-subset.ttf\n  Bitstream-Vera\n    DejaVu Sans 2.37",
        " crates in the binary\n",
        "\ndatafusion ",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(!text.contains("Permission is hereby granted"), "texts come when asked for");
    let texts = String::from_utf8(scene().run("licenses --texts").stdout).expect("text");
    for part in [
        "TERMS AND CONDITIONS FOR USE",
        "WordNet 3.0 Copyright 2006 by Princeton University",
        "UNICODE LICENSE V3",
        "Bitstream Vera",
    ] {
        assert!(texts.to_lowercase().contains(&part.to_lowercase()), "{part}");
    }
}

#[test]
fn the_command_prints_rows() {
    let ran = scene().run("licenses --format jsonl --texts");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut without_text = BTreeSet::new();
    for line in String::from_utf8(ran.stdout).expect("text").lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let field = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        *kinds.entry(field("kind")).or_default() += 1;
        match field("kind").as_str() {
            "crate" => _ = without_text.insert(format!("{} {}", field("name"), field("version"))),
            "text" => {
                assert!(field("text").len() >= 10, "{line}");
                for name in row["applies_to"].as_array().expect("a list") {
                    without_text.remove(name.as_str().unwrap_or_default());
                }
            }
            _ => assert!(!field("license").is_empty(), "{line}"),
        }
    }
    assert_eq!(kinds["program"], 1);
    assert_eq!(kinds["data"], embedded().len());
    assert!(kinds["crate"] > 100, "{kinds:?}");
    // 0BSD asks for no text.
    assert!(without_text.iter().all(|name| name.starts_with("varint-rs ")), "{without_text:?}");
}

#[test]
fn an_unknown_option_of_the_command_is_an_error() {
    assert_eq!(scene().run("licenses --format xml").code, Some(2));
}
