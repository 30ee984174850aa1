//! What a new user types first.

use tamis::commands::welcome::EXAMPLES;

use crate::scene;

#[test]
fn the_program_alone_says_what_it_is() {
    scene().check("alone", "");
}

#[test]
fn help_and_version_go_to_stdout() {
    scene().check("help", "--help");
    scene().check("help-short", "-h");
    scene().check("version", "--version");
}

#[test]
fn a_group_alone_shows_its_help() {
    let ran = scene().run("warc");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
    assert!(String::from_utf8_lossy(&ran.stdout).contains("Usage: tamis warc"));
}

#[test]
fn a_mistyped_command_gets_a_suggestion() {
    scene().check("unknown-command", "cofnig");
    scene().check("unknown-option", "config --fromat jsonl");
}

#[test]
fn quiet_and_verbose_exclude_each_other() {
    scene().check("quiet-and-verbose", "-q -v config");
}

#[test]
fn the_examples_work_as_printed_one_after_another() {
    let scene = scene();
    for (line, _) in EXAMPLES {
        let ran = scene.run(line.strip_prefix("tamis ").expect("they are ours"));
        assert_eq!(ran.code, Some(0), "{line}");
        assert!(!ran.stdout.is_empty(), "{line}");
    }
}

#[test]
fn the_demo_shows_the_whole_way() {
    let scene = scene();
    scene.check("demo", "demo --quiet");
    assert_eq!(scene.run("demo").code, Some(0), "a second time");
    let scene = scene.file("mine/notes.txt", "not a demo");
    scene.check("demo-elsewhere", "demo mine");
}

#[test]
fn a_closed_pipe_is_silent() {
    for line in ["", "config", "completions zsh", "licenses --texts", "man", "warc", "--help"] {
        let ran = scene().run_with_closed_pipe(line);
        assert_eq!((ran.code, String::from_utf8_lossy(&ran.stderr).as_ref()), (Some(0), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    use std::process::{Command, Stdio};

    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    let output =
        command.args(["completions", "bash"]).stdin(Stdio::null()).stdout(full).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "));
}
