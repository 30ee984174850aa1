//! `tamis warc check`.

use tamis_testkit::{ArchiveBuilder, Record, http_response};

use super::{archives, gzip_archive, large_archive};
use crate::scene;

#[test]
fn sound_archives_pass_and_others_are_told() {
    let scene = archives();
    scene.check("check", "warc check a.warc.gz b.warc");
    scene.check("check-damaged", "warc check damaged.warc.gz cut.warc.gz a.warc.gz");
    scene.check("check-empty", "warc check empty.warc");
    scene.check("check-missing", "warc check a.warc.gz nothing.warc");
    scene.check("check-jsonl", "warc check --format jsonl cut.warc.gz");
    scene.check("check-strict", "warc check --strict cut.warc.gz");
    let from_stdin = scene.stdin(gzip_archive()).run("warc check -");
    assert_eq!(from_stdin.code, Some(0));
}

#[test]
fn a_wrong_digest_is_damage_and_a_bare_line_feed_is_not() {
    let page =
        Record::response("http://example.org/", http_response("text/html", "<p>page</p>")).with_digests();
    let changed = String::from_utf8_lossy(&page.bytes()).replace("<p>page", "<p>Page");
    let bare = page.clone().lf_only().bytes();
    let scene = scene().file("changed.warc", changed).file("bare.warc", bare);
    scene.check("check-digest", "warc check changed.warc");
    scene.check("check-bare-lf", "warc check bare.warc");
    assert_eq!(scene.run("warc check --damage-only bare.warc").code, Some(0));
    assert_eq!(scene.run("warc check --damage-only changed.warc").code, Some(1));
}

#[test]
fn a_wrong_length_costs_one_record() {
    for off_by in [-9, -1, 1, 9, 100_000] {
        let page = |n: u32| {
            Record::response(&format!("http://example.org/{n}"), http_response("text/html", "<p>x</p>"))
        };
        let archive =
            ArchiveBuilder::new().plain(&page(1)).plain(&page(2).length_off_by(off_by)).plain(&page(3));
        let ran = scene().file("a.warc", archive.build()).run("warc check --format jsonl a.warc");
        let line: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
        assert_eq!((ran.code, &line["records"]), (Some(1), &3.into()), "{off_by} {line}");
    }
}

#[test]
fn any_number_of_threads_says_the_same() {
    let scene = scene().file("large.warc", large_archive());
    let alone = scene.run("warc check -j 1 large.warc");
    assert_eq!(alone.code, Some(0));
    assert_eq!(scene.run("warc check -j 3 large.warc"), alone);
}

/// More than ten thousand records in several pieces, with faults in many of them and a grave one behind most.
fn faulty_archive() -> Vec<u8> {
    let block = vec![b'x'; 3000];
    let sound = Record::resource("http://example.org/", "text/plain", block.clone()).bytes();
    let bare = Record::resource("http://example.org/", "text/plain", block).lf_only().bytes();
    let mut archive = sound.repeat(10);
    archive.extend(bare.repeat(10_500));
    archive.extend(b"garbage\n");
    archive.extend(sound.repeat(10));
    archive
}

#[test]
fn any_number_of_faults_is_counted_and_told_the_same_by_any_number_of_threads() {
    let scene = scene().file("faulty.warc", faulty_archive());
    for command in ["warc check", "warc check -v", "warc check --format jsonl", "warc stats"] {
        let alone = scene.run(&format!("{command} -j 1 faulty.warc"));
        let several = scene.run(&format!("{command} -j 3 faulty.warc"));
        assert_eq!(several, alone, "{command}");
    }
    let brief = String::from_utf8(scene.run("warc check faulty.warc").stdout).expect("text");
    assert!(brief.contains("faulty.warc: … and 10,490 more: bare-lf\n"), "{brief}");
    assert!(brief.contains("garbage"), "a fault behind thousands of others is told, too: {brief}");
    let all = String::from_utf8(scene.run("warc check -v faulty.warc").stdout).expect("text");
    assert!(all.contains("faulty.warc: … and 500 more: bare-lf\n"));
    let line = scene.run("warc check --format jsonl faulty.warc").stdout;
    let line: serde_json::Value = serde_json::from_slice(&line).expect("JSON");
    let details = line["details"].as_array().map(Vec::len);
    assert_eq!((&line["faults"]["bare-lf"], details), (&10_500.into(), Some(1000)));
    let faults: u64 =
        line["faults"].as_object().expect("counts").values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(line["details_left_out"], faults - 1000);
}

#[test]
fn strict_reading_gives_the_same_up_to_the_first_fault_with_any_number_of_threads() {
    let sound = Record::resource("http://example.org/", "text/plain", vec![b'x'; 50_000]).bytes();
    let archive = [sound.repeat(700), b"garbage\n".to_vec(), sound.repeat(100)].concat();
    let scene = scene().file("a.warc", archive);
    for command in
        ["check", "ls", "index", "stats", "get http://example.org/ --list", "extract --dry-run", "convert"]
    {
        let alone = scene.run(&format!("warc {command} --strict -j 1 a.warc"));
        let several = scene.run(&format!("warc {command} --strict -j 3 a.warc"));
        assert_eq!(several, alone, "{command}");
        assert_eq!(alone.code, Some(2), "{command}");
    }
    let listed = scene.run("warc ls --strict -j 3 a.warc").stdout;
    assert_eq!(String::from_utf8(listed).expect("text").lines().count(), 700);
}
