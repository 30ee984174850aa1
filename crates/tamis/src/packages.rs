//! The archives inside WACZ packages, as inputs of every command.
//!
//! A package is known by its first bytes, not by its name. Its WARC files lie in it as they are and are read in their
//! place; nothing is unpacked.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::anyhow;
use tamis_archive::Source;
use tamis_archive::wacz::Wacz;

use crate::command_line;
use crate::hint::WithHint;

/// The first bytes of a zip file with files in it, and of one without.
const MAGICS: [&[u8; 4]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// The archives of a package, and what is wrong with those that cannot be read.
#[derive(Default)]
pub struct Contents {
    /// The WARC files, in the order of the package.
    pub sources: Vec<Source>,
    /// Why some cannot be read, or the whole package.
    pub problems: Vec<anyhow::Error>,
}

/// Whether a file is a zip file, and so perhaps a package. What cannot be opened is none.
pub fn is_package(path: &Path) -> bool {
    // A pipe would lose the bytes that are looked at.
    let is_file = fs::metadata(path).is_ok_and(|meta| meta.is_file());
    let mut magic = [0; 4];
    is_file
        && File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok()
        && MAGICS.contains(&&magic)
}

/// Finds the WARC files of a package.
pub fn contents(path: &Path) -> Contents {
    let found = match Wacz::open(path).and_then(|mut wacz| wacz.warc_ranges()) {
        Ok(found) => found,
        Err(error) => return Contents { problems: vec![explain(path, error)], ..Contents::default() },
    };
    let mut contents = Contents::default();
    if found.is_empty() {
        let problem = anyhow!("{}: a zip file without WARC files", path.display());
        contents.problems.push(problem.hint("a WACZ package has them in `archive/`"));
    }
    for (entry, range) in found {
        // The name goes into messages; a terminal must not obey it.
        let name = entry.name.replace(char::is_control, "_");
        match range {
            Some(range) => contents.sources.push(Source::part(path, name, range)),
            None => contents.problems.push(compressed(path, &name)),
        }
    }
    contents
}

/// The error of a package that cannot be read, with what can be done about it.
pub fn explain(path: &Path, error: tamis_archive::Error) -> anyhow::Error {
    let hint = if is_package(path) {
        let path = command_line::join([path]);
        format!("the remaining records can be read as a stream: `tamis warc cat - < {path}`")
    } else {
        "a WACZ package is a zip file; `tamis warc check` checks plain archives".to_owned()
    };
    anyhow!(error).hint(hint)
}

fn compressed(path: &Path, name: &str) -> anyhow::Error {
    let path = path.display();
    anyhow!("{path}#{name}: compressed inside the zip file; skipped")
        .hint("unpack the WARC file and read that")
}
