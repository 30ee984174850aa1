//! `tamis archives`.

use std::fs;

use tamis_testkit::Scene;

use crate::collection::eclipse;

/// A collection of an archive of its own and a referenced one, with kept columns.
fn two() -> Scene {
    let scene = eclipse();
    assert_eq!(scene.run("import eclipse a.warc.gz seeds.txt tweets.jsonl").code, Some(0));
    assert_eq!(scene.run("import eclipse more/a.warc.gz --reference").code, Some(0));
    assert_eq!(scene.run("clean eclipse --columns title").code, Some(0));
    scene
}

fn rows(scene: &Scene) -> (Option<i32>, String) {
    let ran = scene.run("query eclipse 'select url from pages order by url' --format csv");
    (ran.code, String::from_utf8_lossy(&ran.stdout).split_whitespace().skip(1).collect::<Vec<_>>().join(" "))
}

fn said(scene: &Scene, line: &str) -> String {
    let ran = scene.run(line);
    format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr))
}

#[test]
fn archives_are_listed() {
    let scene = two();
    scene.check("archives", "archives eclipse");
    assert_eq!(scene.run("archives eclipse --format jsonl").code, Some(0));
    fs::remove_file(scene.folder().join("more/a.warc.gz")).expect("there");
    scene.check("archives-missing", "archives eclipse");
    scene.check("archives-none", "archives more");
}

#[test]
fn a_sound_collection_verifies_and_a_touched_one_does_not() {
    let scene = two();
    scene.check("archives-verify", "archives verify eclipse");
    let path = scene.folder().join("eclipse/archive/a.warc.gz");
    let mut bytes = fs::read(&path).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("writable");
    fs::write(scene.folder().join("eclipse/index/a-2.warc.gz.cdxj"), "").expect("writable");
    scene.check("archives-verify-damaged", "archives verify eclipse");
    scene.check("archives-verify-name", "archives verify eclipse a-3.warc.gz");
    assert_eq!(scene.run("archives reindex eclipse a-2.warc.gz").code, Some(0));
    scene.check("archives-reindex-damaged", "archives reindex eclipse");
    assert_eq!(scene.run("archives relocate eclipse a.warc.gz a.warc.gz").code, Some(0));
    assert_eq!(scene.run("archives verify eclipse").code, Some(0));
}

#[test]
fn a_moved_reference_is_relocated() {
    let scene = two();
    let before = rows(&scene);
    fs::rename(scene.folder().join("more/a.warc.gz"), scene.folder().join("b.warc.gz")).expect("writable");
    assert_eq!(rows(&scene).0, Some(2), "it is missed");
    scene.check("archives-relocate-other", "archives relocate eclipse a-2.warc.gz a.warc.gz");
    scene.check("archives-relocate", "archives relocate eclipse a-2.warc.gz b.warc.gz");
    assert_eq!(rows(&scene), before);
    assert_eq!(scene.run("archives verify eclipse").code, Some(0));
}

#[test]
fn what_is_removed_goes_to_the_trash_and_references_are_forgotten() {
    let scene = two();
    assert_eq!(scene.run("dedup eclipse").code, Some(0));
    scene.check("archives-remove-dry-run", "archives remove eclipse a.warc.gz a-2.warc.gz --dry-run");
    assert_eq!(rows(&scene).1.split(' ').count(), 3);
    scene.check("archives-remove", "archives remove eclipse a.warc.gz");
    assert_eq!(rows(&scene), (Some(0), "http://b.example/".to_owned()));
    let asked = "query eclipse 'select url from pages where duplicate_of is null'";
    assert_eq!(scene.run(asked).code, Some(2));
    assert!(said(&scene, asked).contains("tamis dedup eclipse --redo"), "{}", said(&scene, asked));
    assert_eq!(scene.run("dedup eclipse").code, Some(2), "what was kept is gone");
    assert_eq!(scene.run("dedup eclipse --redo").code, Some(0));
    assert_eq!(scene.run(asked).code, Some(0));
    let trash = |scene: &Scene| {
        let files = scene.files();
        files.into_iter().filter(|name| name.starts_with("eclipse/trash/")).collect::<Vec<_>>()
    };
    let trashed = trash(&scene);
    assert!(trashed.contains(&"eclipse/trash/a.warc.gz/a.warc.gz".to_owned()), "{trashed:?}");
    assert!(trashed.contains(&"eclipse/trash/a.warc.gz/a.warc.gz.cdxj".to_owned()), "{trashed:?}");
    assert_eq!(scene.run("archives remove eclipse a-2.warc.gz").code, Some(0));
    assert!(scene.files().contains(&"more/a.warc.gz".to_owned()), "it is not ours");
    assert_eq!(rows(&scene).1, "");
    assert_eq!(scene.run("archives empty-trash eclipse --dry-run").code, Some(0));
    assert_eq!(trash(&scene).len(), trashed.len() + 3);
    assert_eq!(scene.run("archives empty-trash eclipse").code, Some(0));
    assert_eq!(trash(&scene), [""; 0]);
    assert_eq!(scene.run("import eclipse a.warc.gz").code, Some(0), "it may come back");
}

#[test]
fn a_removal_that_was_killed_is_finished_by_the_next_writer() {
    let scene = two();
    let folder = scene.folder().join("eclipse");
    let archives = folder.join("archives.jsonl");
    let own = fs::read_to_string(&archives).expect("there");
    let own: serde_json::Value =
        serde_json::from_str(own.lines().find(|line| line.contains("\"copy\"")).expect("listed"))
            .expect("JSON");
    // As a process leaves it that is killed before the line in the list.
    let intent = serde_json::json!({"archive": own, "parts": []}).to_string();
    let scene = scene.file("eclipse/trash/a.warc.gz/removal.json", &intent);
    assert_eq!(scene.run("archives reindex eclipse").code, Some(0));
    assert!(!folder.join("trash/a.warc.gz").exists(), "nothing was decided");
    assert_eq!(rows(&scene).1.split(' ').count(), 3);
    // And as one leaves it that is killed after that line, before anything is moved.
    assert_eq!(scene.run("archives remove eclipse a.warc.gz").code, Some(0));
    let place = folder.join("trash/a.warc.gz");
    fs::rename(place.join("removed.json"), place.join("removal.json")).expect("writable");
    fs::rename(place.join("a.warc.gz"), folder.join("archive/a.warc.gz")).expect("writable");
    assert_eq!(rows(&scene), (Some(0), "http://b.example/".to_owned()), "readers do not see it");
    assert_eq!(scene.run("archives reindex eclipse").code, Some(0));
    assert!(place.join("a.warc.gz").exists() && place.join("removed.json").exists());
}

#[test]
fn an_edited_collection_file_is_noticed() {
    let scene = two();
    let path = scene.folder().join("eclipse/collection.toml");
    let text = fs::read_to_string(&path).expect("there").replace("name = \"eclipse\"", "name = \"eclipsf\"");
    fs::write(&path, &text).expect("writable");
    scene.check("archives-edited", "status eclipse");
    assert_eq!(scene.run("archives repair eclipse --keep-edits").code, Some(0));
    assert!(said(&scene, "status eclipse").contains("eclipsf"));
    fs::remove_file(&path).expect("there");
    scene.check("archives-repair", "archives repair eclipse");
    assert!(said(&scene, "status eclipse").contains("eclipsf"));
}
