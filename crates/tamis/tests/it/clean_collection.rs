//! `tamis clean COLLECTION`: columns computed once and kept, whatever happens meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response};

use crate::scene;

const ABOUT: &str = "format = 1\nid = \"7\"\nname = \"eclipse\"\ncreated = 2026-08-12T17:00:00Z\n";

fn archive(name: &str, pages: usize) -> Vec<u8> {
    let page = |at: usize| {
        let words = "The moon went before the sun, and birds fell silent. ".repeat(1 + at % 40);
        let html = format!("<html lang=en><title>Page {at} of {name}</title><h1>Page {at}</h1><p>{words}");
        Record::response(&format!("http://{name}.example/{at}"), http_response("text/html", html))
    };
    let start = ArchiveBuilder::new().gzip(&Record::warcinfo(name));
    (0..pages).fold(start, |builder, at| builder.gzip(&page(at))).build()
}

/// A collection with some archives, whose columns are not computed yet.
fn eclipse(archives: usize, pages: usize) -> Scene {
    let mut scene = scene().file("eclipse/collection.toml", ABOUT);
    for at in 0..archives {
        scene = scene.file(&format!("in/a{at:02}.warc.gz"), archive(&format!("a{at:02}"), pages));
    }
    assert_eq!(scene.run("import eclipse in").code, Some(0));
    scene
}

/// All that a reader of the collection's columns sees, but for what it cost.
fn kept(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.join("eclipse/pages")).expect("a folder");
    let files = entries.map(|entry| entry.expect("it lists").path());
    let named = files.map(|path| {
        let bytes = fs::read(&path).expect("it reads");
        (path.file_name().expect("a name").to_string_lossy().into_owned(), bytes)
    });
    let without_cost = |(name, bytes): (String, Vec<u8>)| match &*name {
        "_manifest.json" => {
            let mut manifest: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
            for part in manifest["parts"].as_array_mut().expect("a list") {
                part["cpu_ms"] = 0.into();
            }
            // It covers the cost, too.
            manifest["crc"] = "".into();
            (name, manifest.to_string().into_bytes())
        }
        _ => (name, bytes),
    };
    named.map(without_cost).collect()
}

#[test]
fn columns_are_computed_once() {
    let scene = eclipse(2, 3);
    scene.check("clean-collection-dry", "clean eclipse --dry-run");
    let first = scene.run("clean eclipse");
    assert_eq!(first.code, Some(0), "{first}");
    scene.check("clean-collection-again", "clean eclipse");
    scene.check(
        "clean-collection-rows",
        "query eclipse 'select url, title, collection_name from pages order by url'",
    );
    scene.check(
        "clean-collection-plan",
        "query eclipse 'select count(*) from pages where title like $$%1%$$'",
    );
    assert_eq!(scene.run("clean eclipse --columns html,quotes").code, Some(0));
    scene.check("clean-collection-no-column", "clean eclipse --columns titel");
    scene.check("clean-collection-two", "clean eclipse eclipse");
}

#[test]
fn a_damaged_archive_among_good_ones_costs_what_is_damaged() {
    let scene = scene().file("eclipse/collection.toml", ABOUT);
    let mut damaged = archive("bad", 30);
    let middle = damaged.len() / 2;
    damaged[middle..middle + 40].fill(0xAA);
    let scene = scene.file("in/bad.warc.gz", damaged).file("in/good.warc.gz", archive("good", 30));
    assert_eq!(scene.run("import eclipse in").code, Some(2));
    let ran = scene.run("clean eclipse");
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(String::from_utf8_lossy(&ran.stderr).contains("bad.warc.gz: offset"), "{ran}");
    let count = "query eclipse 'select host, count(*) from pages group by host' --format csv";
    let rows = String::from_utf8(scene.run(count).stdout).expect("text");
    assert!(rows.contains("good.example,30"), "{rows}");
    assert!(rows.contains("bad.example,2"), "all but the damaged: {rows}");
}

#[test]
fn a_run_that_is_killed_at_any_moment_is_completed_by_the_next() {
    let whole = eclipse(12, 60);
    let began = Instant::now();
    assert_eq!(whole.run("clean eclipse").code, Some(0));
    let took = began.elapsed();
    let expected = kept(whole.folder());

    let scene = eclipse(12, 60);
    for at in 0..20_u32 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .args(["clean", "eclipse", "-j", "2"])
            .current_dir(scene.folder())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        // Moments that lie all over the run, and differ from one round to the next.
        thread::sleep(
            took.mul_f64(f64::from((at * 7 + 3) % 20) / 20.0) + Duration::from_micros(137 * u64::from(at)),
        );
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let rows = scene.run("query eclipse 'select count(*) n from pages' --format csv");
        assert_eq!(String::from_utf8_lossy(&rows.stdout), "n\n720\n", "nothing half-written is seen");
        if at % 5 == 4 {
            fs::remove_dir_all(scene.folder().join("eclipse/pages")).expect("it is there");
        }
    }
    assert_eq!(scene.run("clean eclipse").code, Some(0));
    assert!(kept(scene.folder()) == expected);
}

#[test]
fn two_writers_do_not_meet() {
    let scene = eclipse(1, 2);
    let lock = fs::File::open(scene.folder().join("eclipse/lock")).expect("import made it");
    lock.lock().expect("it is free");
    let ran = scene.run("clean eclipse");
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(String::from_utf8_lossy(&ran.stderr).contains("hint: wait for it to finish"), "{ran}");
    drop(lock);
    assert_eq!(scene.run("clean eclipse").code, Some(0));
}

#[test]
fn a_collection_of_a_newer_version_is_not_touched() {
    let scene = eclipse(1, 2);
    let path = scene.folder().join("eclipse/pages/_manifest.json");
    fs::write(&path, "{\"version\":9,\"parts\":[]}").expect("it can be written");
    let ran = scene.run("clean eclipse");
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(String::from_utf8_lossy(&ran.stderr).contains("newer tamis"), "{ran}");
    assert_eq!(fs::read_to_string(&path).expect("there"), "{\"version\":9,\"parts\":[]}");
}

/// Tweets are found by the URL of a capture. Parts without it could not be completed by later runs.
#[test]
fn columns_may_be_kept_in_any_order() {
    let scene = eclipse(1, 5);
    for line in [
        "clean eclipse --columns html",
        "clean eclipse --columns tokens",
        "clean eclipse",
        "report eclipse -o -",
    ] {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(0), "{line}: {ran}");
    }
    let sql = "'select html, title, tweet_ids, url from pages order by url' --format csv";
    let (kept, computed) =
        (scene.run(&format!("query eclipse {sql}")), eclipse(1, 5).run(&format!("query eclipse {sql}")));
    assert_eq!(kept.stdout, computed.stdout);
}
