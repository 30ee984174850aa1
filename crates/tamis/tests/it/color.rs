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
