//! `tamis warc repair`.

use std::fs;

use tamis_testkit::{ArchiveBuilder, Record, http_response};

use super::{archives, gzip_archive, plain_archive, records};
use crate::scene;

/// Three pages, the second of which has a wrong length, LF for line ends and no id; and a fourth that is cut.
fn damaged() -> Vec<u8> {
    let page = |n: usize| {
        Record::response(&format!("http://a.example/{n}"), http_response("text/html", "<p>page</p>"))
    };
    ArchiveBuilder::new()
        .plain(&page(1))
        .plain(&page(2).lf_only().without("WARC-Record-ID").length_off_by(40))
        .plain(&page(3).with_digests())
        .plain(&page(4))
        .clipped_by(20)
        .build()
}

#[test]
fn a_damaged_archive_becomes_a_sound_one() {
    let scene = scene().file("a.warc", damaged());
    scene.check("repair", "warc repair a.warc -o b.warc");
    scene.check("repair-records", "warc cat b.warc");
    scene.check("repair-check", "warc check b.warc");
    scene.check("repair-again", "warc repair b.warc -o c.warc");
    assert_eq!(fs::read(scene.folder().join("b.warc")).ok(), fs::read(scene.folder().join("c.warc")).ok());
}

#[test]
fn what_is_damaged_can_be_kept_with_a_mark() {
    let scene = scene().file("a.warc", damaged());
    scene.check("repair-keep", "warc repair a.warc -o b.warc.gz --keep-damaged");
    let ran = scene.run("warc cat b.warc.gz --url 4");
    assert!(String::from_utf8_lossy(&ran.stdout).contains("WARC-Truncated: unspecified\r\n"));
    assert_eq!(scene.run("warc check b.warc.gz").code, Some(0));
}

#[test]
fn members_are_mended_and_left_out() {
    let scene = archives();
    scene.check("repair-members", "warc repair damaged.warc.gz cut.warc.gz -o new/");
    assert_eq!(scene.run("warc check new").code, Some(0));
    let [info, _, page, ..] = records();
    let expected = ArchiveBuilder::new().plain(&info).plain(&page).build();
    assert_eq!(scene.run("warc cat new/damaged.warc.gz").stdout, expected);
}

#[test]
fn a_sound_archive_stays_as_it_is() {
    let scene = archives().stdin(gzip_archive());
    scene.check("repair-sound", "warc repair a.warc.gz -o out.warc");
    assert_eq!(fs::read(scene.folder().join("out.warc")).expect("written"), plain_archive());
    assert_eq!(scene.run("warc repair - --to plain").stdout, plain_archive());
    let ran = scene.run_with_closed_pipe("warc repair a.warc.gz --to plain -q");
    assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
}

#[test]
fn the_file_of_a_crashed_crawl_is_an_input() {
    let mut open = gzip_archive();
    open.truncate(open.len() - 5);
    let scene = scene().file("a.warc.gz.open", open);
    scene.check("repair-open", "warc repair a.warc.gz.open -o new/");
    assert!(scene.files().contains(&"new/a.warc.gz".to_owned()));
}

#[test]
fn what_cannot_be_done_is_said() {
    let scene = archives();
    scene.check("repair-empty", "warc repair empty.warc -o out.warc");
    scene.check("repair-missing", "warc repair none.warc -o out.warc");
    scene.check("repair-over-file", "warc repair a.warc.gz -o b.warc");
    scene.check("repair-dry-run", "warc repair cut.warc.gz -o out.warc --dry-run -v");
    assert!(!scene.folder().join("out.warc").exists());
}
