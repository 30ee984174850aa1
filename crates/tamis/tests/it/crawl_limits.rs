//! What a crawl says of what it leaves out, waits for and has already.

use std::sync::Arc;

use tamis_sim::{ServeOptions, World, serve};
use tamis_testkit::Record;

use crate::scene;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_crawl_that_waits_for_permission_says_so_and_prints_the_command() {
    let web = serve(Arc::new(World::plain(4, 1, 20)), &ServeOptions::default()).expect("listens");
    let scene = scene().file("hosts", web.hosts_file());
    let seed = web.world().seeds(1)[0].clone();
    let line = format!("crawl sim {seed} --contact me@example.org --hosts hosts --delay 0 --server-delay 0");
    let ran = scene.run(&line);
    assert_eq!(ran.code, Some(1), "{}", text(&ran.stderr));
    assert!(text(&ran.stderr).contains("waiting for permission"), "{}", text(&ran.stderr));
    assert!(text(&ran.stderr).contains("next tamis crawl sim --allow-private"), "{}", text(&ran.stderr));
    let ran = scene.run("crawl sim --allow-private --max-pages 5");
    assert_eq!(ran.code, Some(0), "{}", text(&ran.stderr));
    assert!(text(&ran.stderr).contains("next tamis crawl sim --allow-private"), "{}", text(&ran.stderr));
    let ran = scene.run("crawl sim");
    assert_eq!(ran.code, Some(1), "what is left is still not permitted: {}", text(&ran.stderr));
    assert_eq!(scene.run("crawl sim --allow-private").code, Some(0));
}

#[test]
fn a_seed_that_is_known_is_said_to_be_known() {
    let web = serve(Arc::new(World::plain(4, 1, 5)), &ServeOptions::default()).expect("listens");
    let scene = scene().file("hosts", web.hosts_file());
    let seed = web.world().seeds(1)[0].clone();
    let line = format!(
        "crawl sim {seed} --contact me@example.org --hosts hosts --allow-private --delay 0 --server-delay 0"
    );
    assert_eq!(scene.run(&line).code, Some(0));
    let again = text(&scene.run(&line).stderr);
    assert!(again.contains(&format!("{seed}: known since 20")) && again.contains("(status-200)"), "{again}");
}

#[test]
fn links_that_were_not_followed_are_listed_with_their_reasons() {
    let web = serve(Arc::new(World::plain(4, 3, 60)), &ServeOptions::default()).expect("listens");
    let scene = scene().file("hosts", web.hosts_file());
    let seed = web.world().seeds(1)[0].clone();
    let line = format!(
        "crawl sim {seed} --contact me@example.org --hosts hosts --allow-private --delay 0 --server-delay 0 --scope host --max-depth 2"
    );
    assert_eq!(scene.run(&line).code, Some(0));
    let listed = text(&scene.run("crawl status sim --not-followed").stdout);
    for reason in ["out-of-scope", "too-deep"] {
        assert!(listed.lines().any(|line| line.split('\t').nth(1) == Some(reason)), "{reason}: {listed}");
    }
    let asked = web.asked().pages;
    assert!(
        listed.lines().all(|line| !asked.contains(line.split('\t').next().unwrap_or_default())),
        "{listed}"
    );
}

#[test]
fn archives_are_converted_without_codings() {
    let page = "<title>A page</title>";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
    let block = format!("{head}{:x}\r\n{page}\r\n0\r\n\r\n", page.len());
    let archive = Record::response("http://a.example/", block).with_digests().bytes();
    let scene = scene().file("a.warc", archive);
    let ran = scene.run("warc convert a.warc -o b.warc --decode");
    assert_eq!(ran.code, Some(0), "{}", text(&ran.stderr));
    assert!(text(&ran.stderr).contains("1 record without codings"), "{}", text(&ran.stderr));
    assert_eq!(scene.run("warc check b.warc").code, Some(0));
    let written = text(&std::fs::read(scene.folder().join("b.warc")).expect("written"));
    let expected =
        format!("X-Crawl-Transfer-Encoding: chunked\r\nContent-Length: {}\r\n\r\n{page}", page.len());
    assert!(written.contains(&expected), "{written}");
    assert_eq!(scene.run("warc convert a.warc -o c.warc --decode=zstd").code, Some(0));
    let same = std::fs::read(scene.folder().join("c.warc")).expect("written");
    assert_eq!(text(&same), text(&std::fs::read(scene.folder().join("a.warc")).expect("there")));
}
