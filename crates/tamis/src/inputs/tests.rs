//! Inputs of every kind, found in a folder made for it.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::{Input, Wanted, expand};
use crate::hint::hints;

/// A folder with archives, other files, and names that look like something else.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for name in [
        "b.warc.gz",
        "a.warc",
        "notes.txt",
        "sub/deep/c.arc",
        "sub/d.wacz",
        "[x].warc",
        "@odd",
        "empty/readme",
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("can be made");
        fs::write(path, "12345").expect("can be written");
    }
    folder
}

/// Expands arguments below the folder; gives the inputs below it and the problems with their hints.
fn expanded(folder: &Path, arguments: &[&str]) -> (Vec<String>, Vec<String>) {
    let below = |argument: &&str| match argument.strip_prefix('@') {
        Some(list) if *argument != "@odd" => OsString::from(format!("@{}", folder.join(list).display())),
        _ if *argument == "-" => OsString::from("-"),
        _ => folder.join(argument).into_os_string(),
    };
    let arguments: Vec<OsString> = arguments.iter().map(below).collect();
    let (inputs, problems) = expand(&arguments, Wanted::Archives).expect("a sound list");
    assert_eq!(inputs.skipped, problems.len() as u64);
    let prefix = format!("{}/", folder.display());
    let list = inputs.list.iter().map(|input| input.to_string().replace(&prefix, "")).collect();
    let told =
        |problem: &anyhow::Error| format!("{problem} | {}", hints(problem).join(" ")).replace(&prefix, "");
    (list, problems.iter().map(told).collect())
}

#[test]
fn inputs_are_found_in_a_fixed_order() {
    let folder = folder();
    fs::write(folder.path().join("list.txt"), format!("{0}/b.warc.gz\n\n{0}/sub\n", folder.path().display()))
        .expect("can be written");
    for (arguments, expected) in [
        (vec!["b.warc.gz", "a.warc"], vec!["b.warc.gz", "a.warc"]),
        (vec!["notes.txt"], vec!["notes.txt"]),
        (vec![""], vec!["[x].warc", "a.warc", "b.warc.gz", "sub/d.wacz", "sub/deep/c.arc"]),
        (vec!["sub", "-"], vec!["sub/d.wacz", "sub/deep/c.arc", "-"]),
        (vec!["*.warc*"], vec!["[x].warc", "a.warc", "b.warc.gz"]),
        (vec!["**/*.arc"], vec!["sub/deep/c.arc"]),
        (vec!["s*"], vec!["sub/d.wacz", "sub/deep/c.arc"]),
        (vec!["sub/*"], vec!["sub/d.wacz", "sub/deep/c.arc"]),
        (vec!["{a,b}.warc*"], vec!["a.warc", "b.warc.gz"]),
        (vec!["[x].warc"], vec!["[x].warc"]),
        (vec!["@odd"], vec!["@odd"]),
        (vec!["@list.txt"], vec!["b.warc.gz", "sub/d.wacz", "sub/deep/c.arc"]),
    ] {
        let (list, problems) = expanded(folder.path(), &arguments);
        assert_eq!(
            (list, problems),
            (expected.iter().map(ToString::to_string).collect(), vec![]),
            "{arguments:?}"
        );
    }
}

#[test]
fn what_is_not_there_is_told_and_passed_over() {
    let folder = folder();
    for (argument, problem) in [
        ("a.wrac", "cannot read a.wrac | did you mean a.warc?"),
        ("sub/zzzz", "cannot read sub/zzzz | "),
        ("nowhere/a.warc", "cannot read nowhere/a.warc | the folder nowhere does not exist"),
        ("empty", "empty: no archive in this folder | in folders, files are selected by name"),
        ("*.cdx", "*.cdx: no match | "),
        ("[.cdx", "[.cdx: invalid glob | escape a literal bracket"),
        ("@lost.txt", "cannot read lost.txt | "),
    ] {
        let (list, problems) = expanded(folder.path(), &[argument, "a.warc"]);
        assert_eq!(list, ["a.warc"], "{argument}");
        assert_eq!(problems.len(), 1, "{argument}");
        assert!(
            problems[0].replace(&folder.path().display().to_string(), "").starts_with(problem),
            "{problems:?}"
        );
    }
}

#[test]
fn stdin_is_given_at_most_once() {
    for second in ["-", "@-"] {
        let error = expand(&["-".into(), second.into()], Wanted::Archives).expect_err("twice");
        assert_eq!(hints(&error), ["keep only one `-` or `@-`"]);
    }
}

#[test]
fn the_size_is_known_when_all_are_files() {
    let folder = folder();
    let argument = folder.path().join("*.warc*").into_os_string();
    let (mut inputs, _) = expand(&[argument], Wanted::Archives).expect("a sound list");
    assert_eq!(inputs.total_bytes(), Some(15));
    inputs.list.push(Input::Stdin);
    assert_eq!(inputs.total_bytes(), None);
}

#[test]
fn tweets_of_a_folder_are_taken_where_it_has_no_archive() {
    let folder = folder();
    let put = |name: &str| fs::write(folder.path().join(name), "12345").expect("can be written");
    let names = |below: &str| {
        let argument = [folder.path().join(below).into_os_string()];
        let (inputs, problems) = expand(&argument, Wanted::ArchivesPagesOrTweets).expect("a sound list");
        let names = inputs.list.iter().map(|input| input.to_string().rsplit('/').next().map(str::to_owned));
        (names.flatten().collect::<Vec<_>>(), problems.len())
    };
    assert_eq!(names("empty"), (Vec::new(), 1));
    put("empty/a.jsonl.gz");
    put("empty/b.csv");
    assert_eq!(names("empty"), (vec!["a.jsonl.gz".to_owned(), "b.csv".to_owned()], 0));
    put("sub/pages.jsonl");
    assert_eq!(
        names("sub"),
        (vec!["d.wacz".to_owned(), "c.arc".to_owned()], 0),
        "beside archives it is none"
    );
}
