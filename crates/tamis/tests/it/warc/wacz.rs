//! `tamis warc wacz`, and packages as inputs of the other commands.

use std::fs;
use std::io::{Cursor, Read, Write};

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response, real_data};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{archives, gzip_archive, large_archive, plain_archive};
use crate::scene;

const CREATE: &str = "warc wacz create a.warc.gz b.warc -o p.wacz --created 2024-03-01T00:00:00Z";

/// Archives, and a package of two of them.
fn packages() -> Scene {
    let scene = archives();
    assert_eq!(scene.run(&format!("-q {CREATE}")).code, Some(0));
    scene
}

/// A zip file of stored and deflated files.
fn zip(files: &[(&str, CompressionMethod, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, method, bytes) in files {
        let options = SimpleFileOptions::default().compression_method(*method);
        zip.start_file(*name, options).expect("an entry");
        zip.write_all(bytes).expect("memory takes all");
    }
    zip.finish().expect("a zip file").into_inner()
}

/// The bytes of a file in a package.
fn entry(package: Vec<u8>, name: &str) -> Vec<u8> {
    let mut zip = ZipArchive::new(Cursor::new(package)).expect("a zip file");
    let mut bytes = Vec::new();
    zip.by_name(name).expect(name).read_to_end(&mut bytes).expect("sound");
    bytes
}

fn text(scene: &Scene, package: &str, name: &str) -> String {
    let package = fs::read(scene.folder().join(package)).expect("the package");
    String::from_utf8(entry(package, name)).expect("text")
}

#[test]
fn archives_are_packed_and_the_package_is_sound() {
    let scene = archives();
    scene.check("wacz-create", CREATE);
    scene.check("wacz-validate", "warc wacz validate p.wacz");
    scene.check("wacz-validate-quick", "warc wacz validate --quick p.wacz");
    scene.check("wacz-validate-jsonl", "warc wacz validate --format jsonl p.wacz");
    scene.check("wacz-ls", "warc wacz ls p.wacz");
    scene.check("wacz-ls-jsonl", "-q warc wacz ls --format jsonl p.wacz");
    scene.check("wacz-ls-two", "-q warc wacz ls p.wacz p.wacz");
    let package = fs::read(scene.folder().join("p.wacz")).expect("there");
    assert_eq!(entry(package.clone(), "archive/a.warc.gz"), gzip_archive());
    assert_eq!(entry(package.clone(), "archive/b.warc"), plain_archive());
    assert_eq!(scene.run(&format!("-q {CREATE} --force -j 3")).code, Some(0));
    assert!(
        package == fs::read(scene.folder().join("p.wacz")).expect("there"),
        "the same inputs, the same bytes"
    );
    scene.check("wacz-create-over-file", CREATE);
    assert!(scene.files().iter().all(|name| !name.contains("tamis-wacz")), "{:?}", scene.files());
}

#[test]
fn a_package_says_of_itself_what_it_was_told() {
    let scene = archives();
    let told = "--title 'A title' --description 'Two archives' --url http://example.org/";
    assert_eq!(scene.run(&format!("-q {CREATE} {told}")).code, Some(0));
    let about = text(&scene, "p.wacz", "datapackage.json");
    for line in [
        r#""title": "A title""#,
        r#""description": "Two archives""#,
        r#""created": "2024-03-01T00:00:00Z""#,
        r#""mainPageUrl": "http://example.org/""#,
        r#""mainPageDate": "2024-02-29T12:34:56Z""#,
    ] {
        assert!(about.contains(line), "{line} in {about}");
    }
    scene.check(
        "wacz-create-no-such-page",
        "warc wacz create a.warc.gz -o q.wacz --url http://example.org/none",
    );
    scene.check("wacz-create-wrong-date", "warc wacz create a.warc.gz -o q.wacz --created yesterday");
    assert!(!scene.folder().join("q.wacz").exists());
}

#[test]
fn pages_are_found_or_given() {
    let list = "{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"Mine\"}\n\
        {\"url\": \"http://example.org/\", \"ts\": \"2024-02-29T12:34:56Z\", \"title\": \"Home\", \"seed\": true}\n";
    let scene = packages().file("pages.jsonl", list).file("bad.jsonl", format!("{list}{{\"url\": 5}}\n"));
    let found = text(&scene, "p.wacz", "pages/pages.jsonl");
    let urls: Vec<&str> = found.lines().skip(1).filter_map(|line| line.split('"').nth(7)).collect();
    assert_eq!(urls, ["http://example.org/", "http://example.org/coded?q=1"], "each page once");
    assert_eq!(scene.run(&format!("-q {CREATE} --force --pages pages.jsonl")).code, Some(0));
    let given = text(&scene, "p.wacz", "pages/pages.jsonl");
    assert!(given.contains(r#""title":"Home""#) && given.contains(r#""seed":true"#), "{given}");
    assert_eq!(scene.run("-q warc wacz validate --quick p.wacz").code, Some(0));
    scene.check("wacz-create-bad-pages", &format!("{CREATE} --force --pages bad.jsonl"));
    scene.check("wacz-create-no-pages", &format!("{CREATE} --force --pages lost.jsonl"));
}

#[test]
fn what_a_package_cannot_hold_is_refused() {
    let scene = archives()
        .file("x/a.warc.gz", gzip_archive())
        .file("c.warc.gz.open", gzip_archive())
        .stdin(gzip_archive());
    scene.check("wacz-create-same-name", "warc wacz create a.warc.gz x/a.warc.gz -o p.wacz");
    scene.check("wacz-create-open-file", "warc wacz create c.warc.gz.open -o p.wacz");
    scene.check("wacz-create-stdin", "warc wacz create - -o p.wacz");
    scene.check("wacz-create-stdout", "warc wacz create a.warc.gz -o -");
    scene.check("wacz-create-missing", "warc wacz create lost.warc.gz -o p.wacz");
    scene.check("wacz-create-no-folder", "warc wacz create a.warc.gz -o lost/p.wacz");
    assert!(scene.files().iter().all(|name| !name.contains(".wacz")), "{:?}", scene.files());
}

#[test]
fn empty_and_damaged_archives_are_packed_and_told() {
    let scene = archives();
    scene.check("wacz-create-empty", "warc wacz create empty.warc -o empty.wacz --created 2024");
    assert_eq!(scene.run("-q warc wacz validate --quick empty.wacz").code, Some(0));
    scene.check("wacz-create-damaged", "warc wacz create damaged.warc.gz -o damaged.wacz --created 2024");
    scene.check("wacz-validate-damaged-archive", "warc wacz validate damaged.wacz");
    assert_eq!(scene.run("-q warc wacz validate --quick damaged.wacz").code, Some(0));
    scene.check(
        "wacz-create-some-missing",
        "warc wacz create a.warc.gz lost.warc -o some.wacz --created 2024",
    );
}

#[test]
fn bodies_of_requests_are_part_of_the_index() {
    let page = Record::response("http://a/form", http_response("text/html", "<p>sent</p>"));
    let request = "POST /form HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nq=1";
    let id = "<urn:uuid:00000000-0000-4000-8000-000000000001>";
    let request = Record::new("request", request)
        .field("WARC-Target-URI", "http://a/form")
        .field("WARC-Concurrent-To", id)
        .field("Content-Type", "application/http; msgtype=request");
    let archive = ArchiveBuilder::new().gzip(&page.with("WARC-Record-ID", id)).gzip(&request).build();
    let scene = scene().file("a.warc.gz", archive);
    assert_eq!(scene.run("-q warc wacz create a.warc.gz -o a.wacz").code, Some(0));
    assert!(text(&scene, "a.wacz", "indexes/index.idx").contains("a)/form?__wb_method=post&q=1 "));
}

#[test]
fn every_command_reads_packages() {
    let scene = packages();
    scene.check("wacz-as-input", "warc check p.wacz");
    let cat = scene.run("warc cat p.wacz");
    assert_eq!((cat.code, cat.stderr.len()), (Some(0), 0));
    assert_eq!(cat.stdout, [plain_archive(), plain_archive()].concat());
    assert_eq!(scene.run("warc index p.wacz").stdout, scene.run("warc index a.warc.gz b.warc").stdout);
    for command in ["warc ls --format jsonl", "warc stats"] {
        let (inside, beside) =
            (scene.run(&format!("{command} p.wacz")), scene.run(&format!("{command} a.warc.gz b.warc")));
        assert_eq!((inside.code, inside.stdout.len() > 100), (Some(0), true), "{command}");
        assert_eq!(
            String::from_utf8_lossy(&inside.stdout).lines().count(),
            String::from_utf8_lossy(&beside.stdout).lines().count()
        );
    }
    assert_eq!(
        scene.run("-q warc wacz create p.wacz damaged.warc.gz -o q.wacz").code,
        Some(2),
        "damage is told"
    );
    assert_eq!(scene.run("-q warc cat q.wacz --type warcinfo --limit 2").code, Some(0));
}

#[test]
fn several_threads_read_a_large_archive_in_a_package() {
    let scene = scene().file("large.warc", large_archive());
    assert_eq!(scene.run("-q warc wacz create large.warc -o large.wacz").code, Some(0));
    let expected = scene.run("warc index large.warc -j 1").stdout;
    for jobs in [1, 3] {
        let ran = scene.run(&format!("warc index large.wacz -j {jobs}"));
        assert_eq!((ran.code, ran.stderr.len()), (Some(0), 0));
        assert!(ran.stdout == expected, "{jobs} threads");
    }
}

#[test]
fn what_is_no_package_is_told() {
    let package = fs::read(packages().folder().join("p.wacz")).expect("there");
    let mut flipped = package.clone();
    let at = flipped.windows(8).position(|w| w == b"WARC/1.0").expect("a plain WARC") + 3;
    flipped[at] ^= 1;
    let scene = archives()
        .file("cut.wacz", &package[..package.len() / 2])
        .file("flipped.wacz", flipped)
        .file("none.wacz", zip(&[]))
        .file("other.wacz", zip(&[("readme.txt", CompressionMethod::Deflated, b"hello")]))
        .stdin(&package[..package.len() / 2]);
    scene.check("wacz-validate-missing", "warc wacz validate lost.wacz");
    scene.check("wacz-validate-warc", "warc wacz validate b.warc");
    scene.check("wacz-validate-stdin", "warc wacz validate -");
    for name in ["cut", "flipped", "none", "other"] {
        scene.check(&format!("wacz-validate-{name}"), &format!("warc wacz validate {name}.wacz"));
        scene.check(&format!("wacz-check-{name}"), &format!("warc check {name}.wacz"));
    }
    let salvaged = scene.run("warc cat - --type resource --part body");
    assert_eq!((salvaged.code, &*salvaged.stdout), (Some(2), &b"\x89PNG\r\n\x1a\n"[..]), "as the hint says");
    scene.check("wacz-ls-bad", "warc wacz ls lost.wacz cut.wacz b.warc other.wacz");
}

#[test]
fn hostile_packages_do_no_harm() {
    let warc = plain_archive();
    let stored = CompressionMethod::Stored;
    let names = zip(&[
        ("archive/../../evil.warc", stored, &warc),
        ("archive/\u{1b}[31mred\n.warc", stored, &warc),
        ("../evil.sh", stored, b"rm"),
        ("/etc/evil", stored, b"x"),
    ]);
    let zeros = vec![0; 64 << 20];
    let bomb = zip(&[
        ("archive/a.warc", CompressionMethod::Deflated, &zeros),
        ("pages/pages.jsonl", CompressionMethod::Deflated, &zeros),
    ]);
    let mut shared = ZipWriter::new(Cursor::new(Vec::new()));
    shared
        .start_file("archive/a.warc", SimpleFileOptions::default().compression_method(stored))
        .expect("an entry");
    shared.write_all(&warc).expect("memory takes all");
    shared.shallow_copy_file("archive/a.warc", "archive/b.warc").expect("a second name");
    let shared = shared.finish().expect("a zip file").into_inner();
    let scene = scene().file("names.wacz", names).file("bomb.wacz", bomb).file("shared.wacz", shared);
    for name in ["names", "bomb", "shared"] {
        scene.check(&format!("wacz-validate-{name}"), &format!("warc wacz validate {name}.wacz"));
        scene.check(&format!("wacz-check-{name}"), &format!("warc check {name}.wacz"));
    }
    scene.check("wacz-ls-names", "warc wacz ls names.wacz");
    let made = scene.run("warc wacz create names.wacz -o new.wacz");
    assert_eq!(made.code, Some(0), "{made}");
    let ls = scene.run("-q warc wacz ls new.wacz");
    let ls = String::from_utf8(ls.stdout).expect("text");
    assert!(!ls.contains("..") && ls.contains(" archive/evil.warc\n"), "{ls}");
    let files = scene.files();
    assert_eq!(files, ["bomb.wacz", "names.wacz", "new.wacz", "shared.wacz"], "nothing was unpacked");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_in_one_error() {
    let big: Vec<u8> =
        (0..200u8).flat_map(|n| Record::resource("http://a/", "x/y", vec![n; 1000]).bytes()).collect();
    let scene = scene().file("a.warc", big);
    // A limit of 64 KiB stands in for the disk. Its signal is ignored, so that the write fails.
    let script = format!(
        "trap '' XFSZ; ulimit -f 128; exec {} warc wacz create a.warc -o p.wacz",
        env!("CARGO_BIN_EXE_tamis")
    );
    let ran = std::process::Command::new("sh").args(["-c", &script]).current_dir(scene.folder()).output();
    let ran = ran.expect("sh runs");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.starts_with("error: ") && said.contains("p.wacz: ") && said.lines().count() == 1, "{said}");
    assert_eq!(scene.files(), ["a.warc"]);
}

#[test]
fn a_file_that_is_listed_many_times_is_read_once() {
    let zeros = vec![0; 1 << 20];
    let hash = "sha256:30e14955ebf1352266dc2ff8067e68104607e750abb9d3b36582b8af909fcb58";
    let listed = format!(r#"{{"path": "archive/a.warc", "hash": "{hash}", "bytes": {}}}"#, zeros.len());
    let resources = vec![listed; 20_000].join(",");
    let json =
        format!(r#"{{"profile": "data-package", "wacz_version": "1.1.1", "resources": [{resources}]}}"#);
    let many = zip(&[
        ("archive/a.warc", CompressionMethod::Stored, &zeros),
        ("datapackage.json", CompressionMethod::Stored, json.as_bytes()),
    ]);
    // To hash 20 GiB would take minutes.
    let ran = scene().file("many.wacz", many).run("warc wacz validate many.wacz --format jsonl");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains("\"digests\":1,"), "{said}");
}

#[test]
fn a_closed_pipe_is_silent() {
    let scene = packages();
    for line in ["warc wacz", "-q warc wacz ls p.wacz", "-q warc wacz validate p.wacz"] {
        let ran = scene.run_with_closed_pipe(line);
        assert_eq!((ran.code, String::from_utf8_lossy(&ran.stderr).as_ref()), (Some(0), ""), "{line}");
    }
}

#[test]
fn packages_of_others_are_read() {
    let Some(folder) = real_data("warc/py-wacz") else { return };
    for (name, code, records) in [
        ("valid_example_1.wacz", 0, 4),
        ("valid_example_2.wacz", 0, 4),
        ("valid_signed_example_1.wacz", 0, 4),
        ("invalid_signed_example_1.wacz", 0, 4),
        ("invalid_example_1.wacz", 1, 0),
    ] {
        let scene = scene().file("p.wacz", fs::read(folder.join(name)).expect("readable"));
        assert_eq!(scene.run("-q warc wacz validate p.wacz").code, Some(code), "{name}");
        let listed = scene.run("-q warc ls --format jsonl p.wacz").stdout;
        assert_eq!(String::from_utf8_lossy(&listed).lines().count(), records, "{name}");
    }
}

#[test]
fn archives_of_others_are_packed() {
    let Some(folder) = real_data("warc/pywb/warcs") else { return };
    let scene = scene();
    let made = scene.run(&format!("-q warc wacz create '{}/*.warc.gz' -o p.wacz", folder.display()));
    assert_eq!(made.code, Some(0), "{made}");
    assert_eq!(scene.run("-q warc wacz validate --damage-only p.wacz").code, Some(0));
    let about = text(&scene, "p.wacz", "pages/pages.jsonl");
    assert!(about.contains("\"http://www.iana.org/\""), "{about}");
}
