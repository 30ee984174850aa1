//! Colours: `--color` wins over the environment, that over the config file, that over the terminal.

use crate::scene;

#[test]
fn colors_come_where_they_are_asked_for() {
    let escape = |bytes: &[u8]| bytes.contains(&0x1b);
    for (line, set, config, colored) in [
        ("", None, "", false),
        ("--color always", None, "", true),
        ("--color always", Some(("NO_COLOR", "1")), "", true),
        ("--color never", Some(("CLICOLOR_FORCE", "1")), "", false),
        ("", Some(("CLICOLOR_FORCE", "1")), "", true),
        ("", Some(("TAMIS_COLOR", "always")), "", true),
        ("", Some(("NO_COLOR", "1")), "color = \"always\"", false),
        ("", None, "color = \"always\"", true),
    ] {
        let mut scene = scene().file("home/.config/tamis/config.toml", config);
        if let Some((name, value)) = set {
            scene = scene.env(name, value);
        }
        let ran = scene.run(&format!("config {line}"));
        assert_eq!((ran.code, escape(&ran.stdout)), (Some(0), colored), "{line} {set:?} {config}");
    }
}

#[test]
fn help_and_errors_are_colored_alike() {
    for (line, on_stderr) in [("--color always --help", false), ("--color=always cofnig", true)] {
        let ran = scene().run(line);
        let said = if on_stderr { ran.stderr } else { ran.stdout };
        assert!(said.contains(&0x1b), "{line}");
    }
    let ran = scene().env("CLICOLOR_FORCE", "1").run("--color never --help");
    assert!(!ran.stdout.contains(&0x1b));
    let broken = scene().file("c.toml", "colour = 1");
    assert!(broken.run("--color always --config c.toml config").stderr.starts_with(b"\x1b["));
}

#[test]
fn what_is_colored_reads_the_same() {
    scene().check("color-alone", "--color always");
}

/// A name as a hostile archive or folder may have it: a title, colours, C1, a line written over, text reversed.
#[cfg(target_os = "linux")]
const NAME: &str = "a\u{1b}]0;x\u{7}\u{1b}[31m\u{9b}2J\rb\u{202e}c.warc";

#[cfg(target_os = "linux")]
#[test]
fn names_of_files_reach_no_terminal_as_sequences() {
    let scene = crate::scene().file(NAME, "no archive").file("list", NAME);
    for line in
        ["warc check @list", "warc ls @list -v", "status @list", "query @list 'select url from pages'"]
    {
        for color in ["never", "always"] {
            let ran = scene.run(&format!("{line} --color {color}"));
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            let ours = ["\u{1b}[1m", "\u{1b}[31m", "\u{1b}[33m", "\u{1b}[36m", "\u{1b}[2m", "\u{1b}[0m"];
            let left = ours.iter().fold(said.clone(), |said, color| said.replace(color, ""));
            let is_bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!left.contains(is_bad), "{line}: {said:?}");
        }
    }
    let said = scene.run("query @list 'select url from pages'").stderr;
    assert!(
        String::from_utf8_lossy(&said).contains("a\\u{1b}]0;x\\u{7}"),
        "{:?}",
        String::from_utf8_lossy(&said)
    );
}

/// A glob makes words of the names in a folder of somebody else, and one that begins with `-` is an option that does not exist.
#[test]
fn usage_errors_quote_no_sequences() {
    for color in ["never", "always"] {
        let ran = scene().run(&format!("warc ls --color {color} --a\u{1b}]0;x\u{7}\u{9b}2J\u{202e}b"));
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.code == Some(2) && said.contains("unexpected argument"), "{ran}");
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{said:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn titles_are_tamed_on_a_terminal_and_kept_in_a_pipe() {
    use std::process::{Command, Stdio};

    use tamis_testkit::{ArchiveBuilder, Record, http_response};

    let title = "t\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}x";
    let page =
        Record::response("http://a.example/", http_response("text/html", format!("<title>{title}</title>")));
    let scene = crate::scene().file("a.warc", ArchiveBuilder::new().plain(&page).build());
    let piped = scene.run("query a.warc 'select title from pages' --format csv").stdout;
    let piped = String::from_utf8_lossy(&piped).into_owned();
    for format in ["csv", "tsv", "table", "csv -o /dev/tty"] {
        let line = format!(
            "{} query a.warc 'select title from pages' --format {format}",
            env!("CARGO_BIN_EXE_tamis")
        );
        // `script` of util-linux gives a command a terminal; where it is missing, the filter's own tests are left.
        let ran = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(scene.folder())
            .stdin(Stdio::null())
            .output();
        let Ok(ran) = ran else {
            eprintln!("no `script` on this machine: skipped");
            return;
        };
        let seen = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(seen.contains("title"), "{seen:?}");
        assert!(
            !seen.contains("\u{1b}]0") && !seen.contains(['\u{7}', '\u{9b}', '\u{202e}']),
            "{format}: {seen:?}"
        );
    }
    assert!(piped.contains('\u{202e}'), "a pipe gets what the page has: {piped:?}");
}
