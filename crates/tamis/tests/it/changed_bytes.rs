//! Changed bytes of archives whose format has no checksums: no answer of a collection takes them for what was imported.

use std::fs;

use tamis_testkit::{ArchiveBuilder, Record, Scene, arc, http_response, member};

use crate::collection::eclipse;
use crate::corruption::{Damage, copy, in_turn, restore};

const HTML: &str = "query eclipse 'select url, html from pages order by id' --format jsonl";

fn message(url: &str, text: &str) -> Vec<u8> {
    let html =
        format!("<title>{url}</title><p>{}</p>", format!("{text} is a page about sieves. ").repeat(40));
    http_response("text/html", html)
}

fn plain() -> Vec<u8> {
    let page = |url: &str, text: &str| Record::response(url, message(url, text));
    let archive = ArchiveBuilder::new().plain(&Record::warcinfo("plain.warc"));
    archive.plain(&page("http://p.example/1", "one")).plain(&page("http://p.example/2", "two")).build()
}

fn old() -> Vec<u8> {
    let page = |url: &str, text: &str| arc::record(url, "text/html", &message(url, text));
    let first = arc::version_block_1_0("old.arc");
    [first, page("http://o.example/1", "three"), page("http://o.example/2", "four")].concat()
}

/// Frames without a checksum.
fn frames() -> Vec<u8> {
    let frame = |record: Record| member::zstd_unchecked(&record.bytes());
    let page = |url: &str, text: &str| frame(Record::response(url, message(url, text)));
    [page("http://z.example/1", "five"), page("http://z.example/2", "six")].concat()
}

fn all() -> Scene {
    let scene = eclipse().file("plain.warc", plain()).file("old.arc", old()).file("z.warc.zst", frames());
    assert_eq!(scene.run("warc wacz create plain.warc -o package.wacz").code, Some(0));
    scene
}

fn done(scene: &Scene, lines: &[&str]) {
    for line in lines {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(0), "{line}: {ran}");
    }
}

/// A collection of these archives, and a copy that stays as it is.
fn sound() -> Scene {
    let scene = all();
    let lines = [
        "import eclipse plain.warc old.arc z.warc.zst seeds.txt tweets.jsonl",
        "clean eclipse",
        "dedup eclipse",
    ];
    done(&scene, &lines);
    copy(&scene.folder().join("eclipse"), &scene.folder().join("pristine"));
    scene
}

fn flip(scene: &Scene, file: &str, at: usize) {
    let path = scene.folder().join(file);
    let mut bytes = fs::read(&path).expect("there");
    bytes[at] ^= 1;
    fs::write(&path, bytes).expect("writable");
}

fn position(bytes: &[u8], text: &str) -> usize {
    bytes.windows(text.len()).position(|window| window == text.as_bytes()).expect("there")
}

#[test]
fn nothing_is_silently_wrong_whichever_byte_of_an_archive_without_checksums_is_changed() {
    let damages: Vec<Damage> = (30..1000).step_by(194).map(Damage::FlipAt).collect();
    let (files, wrong) = in_turn(sound, &damages, |name| name.starts_with("archive"));
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(files, 3);
}

#[test]
fn a_changed_byte_of_a_page_is_a_fault_of_every_command_that_reads_pages() {
    for name in ["plain.warc", "package.wacz"] {
        let scene = all();
        done(&scene, &[&format!("import eclipse {name}")]);
        copy(&scene.folder().join("eclipse"), &scene.folder().join("pristine"));
        let bytes = fs::read(scene.folder().join(name)).expect("there");
        let at = position(&bytes, "two is a page");
        for line in [
            HTML,
            "query eclipse 'select text from pages' -j 1 --format jsonl",
            "clean eclipse --format jsonl",
            "dedup eclipse",
            "lang eclipse",
            "warc get http://p.example/2 eclipse",
        ] {
            restore(&scene);
            flip(&scene, &format!("eclipse/archive/{name}"), at);
            let ran = scene.run(line);
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            let expected = "changed since the import (`tamis archives verify eclipse` checks the archive)";
            assert!(
                ran.code == Some(2)
                    && said.contains(name)
                    && said.contains(expected)
                    && said.contains("offset"),
                "{line}: {ran}"
            );
            assert!(!String::from_utf8_lossy(&ran.stdout).contains("uwo is"), "{line}: {ran}");
        }
    }
}

/// What was read of a damaged archive is not kept as if it were all.
#[test]
fn columns_kept_while_an_archive_was_changed_are_not_taken_for_those_of_the_sound_one() {
    let scene = all();
    done(&scene, &["import eclipse plain.warc"]);
    let expected = scene.run("query eclipse 'select url, text from pages order by id' --format jsonl").stdout;
    flip(&scene, "eclipse/archive/plain.warc", position(&plain(), "two is a page"));
    assert_eq!(scene.run("clean eclipse").code, Some(2));
    done(&scene, &["archives relocate eclipse plain.warc plain.warc"]);
    let ran = scene.run("query eclipse 'select url, text from pages order by id' --format jsonl");
    assert!(ran.code == Some(2) || ran.stdout == expected, "{ran}");
}

/// Archives of others state digests of other things: what was imported counts, not what is stated.
#[test]
fn archives_that_state_other_digests_are_no_fault() {
    let wrong = "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let page = Record::response("http://d.example/", message("http://d.example/", "one"));
    let page = page.field("WARC-Block-Digest", wrong).field("WARC-Payload-Digest", wrong);
    let scene = all().file("stated.warc", ArchiveBuilder::new().plain(&page).build());
    done(
        &scene,
        &[
            "import eclipse stated.warc plain.warc old.arc z.warc.zst package.wacz a.warc.gz",
            HTML,
            "clean eclipse",
            "dedup eclipse",
            HTML,
            "archives reindex eclipse plain.warc",
            "archives remove eclipse old.arc",
            "import eclipse old.arc",
            HTML,
            "archives verify eclipse --format text",
        ],
    );
}

/// Lists of before have no checksums of blocks: such archives are read as before, and `reindex` adds them.
#[test]
fn an_archive_listed_without_checksums_of_blocks_gets_them_when_it_is_indexed_again() {
    let scene = all();
    done(&scene, &["import eclipse plain.warc"]);
    let list = scene.folder().join("eclipse/archives.jsonl");
    let text = fs::read_to_string(&list).expect("there");
    let (start, end) =
        (text.find(",\"blocks\":").expect("blocks"), text.find(",\"records\"").expect("records"));
    // A list of version 1 needs no checksum of its own.
    let before = format!("{}{}", &text[..start], &text[end..]).replace("\"version\":2", "\"version\":1");
    let forget = || {
        fs::write(&list, &before).expect("writable");
        for name in ["checksums.json", "runs.jsonl"] {
            let _ = fs::remove_file(scene.folder().join("eclipse").join(name));
        }
    };
    let at = position(&plain(), "two is a page");
    let change = || flip(&scene, "eclipse/archive/plain.warc", at);
    forget();
    change();
    assert_eq!(scene.run(HTML).code, Some(0), "nothing is known of its blocks");
    change();
    done(&scene, &["archives reindex eclipse plain.warc", HTML]);
    change();
    assert_eq!(scene.run(HTML).code, Some(2));
}

#[test]
fn rows_and_faults_of_a_changed_archive_do_not_depend_on_threads() {
    let mut archive = ArchiveBuilder::new();
    for number in 0..60 {
        let url = format!("http://p.example/{number}");
        let text = format!("{number} {}", "a long page ".repeat(5000 + number));
        archive = archive.plain(&Record::response(&url, http_response("text/plain", text)));
    }
    let bytes = archive.build();
    let scene = eclipse().file("long.warc", &bytes);
    done(&scene, &["import eclipse long.warc"]);
    for share in [10, 47, 81] {
        flip(&scene, "eclipse/archive/long.warc", bytes.len() * share / 100);
    }
    let ask = |jobs: usize| {
        scene.run(&format!(
            "query eclipse 'select url, length(text) n from pages order by id' --format jsonl -j {jobs}"
        ))
    };
    let (one, two) = (ask(1), ask(2));
    assert_eq!((one.code, &one.stdout, &one.stderr), (two.code, &two.stdout, &two.stderr), "{one}\n{two}");
    assert_eq!(one.code, Some(2));
    let rows = String::from_utf8_lossy(&one.stdout).lines().count();
    assert!((54..=60).contains(&rows), "{one}");
}

#[test]
fn captures_that_were_damaged_when_columns_were_computed_are_missing_with_a_word() {
    let page = |number: u32| {
        let url = format!("http://g.example/{number}");
        Record::response(&url, message(&url, "seven"))
    };
    let archive = (0..6).fold(ArchiveBuilder::new(), |archive, number| archive.gzip(&page(number)));
    let scene = eclipse().file("g.warc.gz", archive.build());
    done(&scene, &["import eclipse g.warc.gz"]);
    let path = scene.folder().join("eclipse/archive/g.warc.gz");
    let sound = fs::read(&path).expect("imported");
    let mut damaged = sound.clone();
    let middle = damaged.len() / 2;
    damaged[middle - 20..middle + 20].fill(0);
    fs::write(&path, damaged).expect("writable");
    assert_eq!(scene.run("clean eclipse").code, Some(2));
    for sql in ["select count(*) from pages", "select url, title from pages", "select count(*) from captures"]
    {
        let ran = scene.run(&format!("query eclipse '{sql}'"));
        assert!(ran.code == Some(2) && ran.to_string().contains("missing from the answer"), "{sql}: {ran}");
    }
    // Once the archive is sound again and its columns are computed anew, nothing is missing.
    fs::write(&path, sound).expect("writable");
    fs::remove_dir_all(scene.folder().join("eclipse/pages")).expect("there");
    scene.run("archives repair eclipse");
    done(&scene, &["clean eclipse", "query eclipse 'select count(*) from pages'"]);
}
