//! The config file, and what is said when it is wrong.

use crate::scene;

const FILE: &str = "# mine\njobs = 2\n\n[warc]\nrollover = \"64 MiB\"\n";

#[test]
fn settings_are_shown_with_their_origins() {
    let scene = scene().file("home/.config/tamis/config.toml", FILE).env("TAMIS_PROGRESS", "never");
    scene.check("config", "config --color never");
    scene.check("config-jsonl", "config --format jsonl");
    scene.check("config-path", "config path");
}

#[test]
fn the_text_can_be_used_as_a_config_file() {
    let text = scene().run("config").stdout;
    let again = scene().file("c.toml", text).run("--config c.toml config --format jsonl");
    assert_eq!((again.code, String::from_utf8_lossy(&again.stderr).as_ref()), (Some(0), ""));
    assert!(String::from_utf8_lossy(&again.stdout).contains(r#""origin":"c.toml:4""#));
}

#[test]
fn a_wrong_config_is_named_with_its_line_and_a_hint() {
    for (name, text) in [
        ("unknown-key", "\n\ncolour = \"never\"\n"),
        ("unknown-key-in-table", "[warc]\nrolover = \"1 GB\"\n"),
        ("wrong-value", "[warc]\nrollover = \"large\"\n"),
        ("syntax", "jobs = \n"),
    ] {
        scene().file("c.toml", text).check(&format!("config-{name}"), "config --config c.toml");
    }
    scene().check("config-missing", "--config lost.toml config");
    scene().env("TAMIS_JOBS", "none").check("config-wrong-variable", "config");
}

#[test]
fn a_broken_config_does_not_stop_what_helps_to_mend_it() {
    let scene = scene().file("home/.config/tamis/config.toml", "colour = 1");
    for line in ["", "--help", "config path", "man", "completions bash", "licenses"] {
        assert_eq!(scene.run(line).code, Some(0), "{line}");
    }
    assert_eq!(scene.run("config").code, Some(2));
}
