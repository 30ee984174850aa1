//! The man pages and the completions, which come from the same definition as the help.

use std::fs;

use crate::scene;

#[test]
fn the_manual_has_a_page_for_each_command() {
    let scene = scene();
    scene.check("man-dir", "man pages/man1");
    let pages = [
        "tamis-completions.1",
        "tamis-config-path.1",
        "tamis-config.1",
        "tamis-man.1",
        "tamis-warc.1",
        "tamis.1",
    ];
    for page in pages {
        let text = fs::read_to_string(scene.folder().join("pages/man1").join(page)).expect(page);
        assert!(text.contains(".SH NAME"), "{page}");
        assert!(text.contains("color"), "{page} has the global options");
    }
    assert!(scene.files().iter().all(|file| file.ends_with(".1")), "{:?}", scene.files());
    assert_eq!(
        scene.run("man").stdout,
        fs::read(scene.folder().join("pages/man1/tamis.1")).expect("it is there")
    );
    assert_eq!(scene.run("-q man pages/man1").code, Some(0), "pages are replaced");
}

#[test]
fn each_shell_gets_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = scene().run(&format!("completions {shell}"));
        let script = String::from_utf8(ran.stdout).expect("text");
        assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0), "{shell}");
        assert!(["completions", "warc", "progress"].iter().all(|word| script.contains(word)), "{shell}");
    }
    scene().check("completions-unknown-shell", "completions csh");
}
