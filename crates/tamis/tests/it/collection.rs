//! `tamis new`, `tamis import`, `tamis status`.

use std::fs;

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response};

use crate::scene;

const TWEETS: &str = concat!(
    r#"{"id_str":"12","full_text":"","entities":{"urls":[{"expanded_url":"http://a.example/1"}]}}"#,
    "\n",
    r#"{"id_str":"7","full_text":"","entities":{"urls":[{"expanded_url":"https://www.a.example/1"},{"expanded_url":"https://c.example/"}]}}"#,
    "\n",
);
const URLS: &str = "# seeds\nhttp://a.example/1\nhttp://b.example/\nhttps://b.example/\n";

fn archive(urls: &[&str]) -> Vec<u8> {
    let page = |url: &str| Record::response(url, http_response("text/html", format!("<title>{url}</title>")));
    let start = ArchiveBuilder::new().gzip(&Record::warcinfo("a.warc.gz"));
    urls.iter().fold(start, |builder, url| builder.gzip(&page(url))).build()
}

/// A collection that was made at a known moment, and inputs for it.
pub(crate) fn eclipse() -> Scene {
    let about = "format = 1\nid = \"1041\"\nname = \"eclipse\"\nevent = \"the eclipse\"\ncreated = 2026-08-12T17:00:00Z\n";
    scene()
        .file("eclipse/collection.toml", about)
        .file("a.warc.gz", archive(&["http://a.example/1", "http://a.example/2"]))
        .file("more/a.warc.gz", archive(&["http://b.example/"]))
        .file("more/same.warc.gz", archive(&["http://a.example/1", "http://a.example/2"]))
        .file("seeds.txt", URLS)
        .file("tweets.jsonl", TWEETS)
}

#[test]
fn a_collection_is_made() {
    let scene = scene();
    scene.check("new", "new eclipse --event 'the \"great\" eclipse'");
    assert_eq!(scene.files(), ["eclipse/collection.toml"]);
    scene.check("new-exists", "new eclipse");
    let scene = scene.file("notes/x.txt", "");
    scene.check("new-other-folder", "new notes --id 7");
    scene.check("new-no-folder", "new no/eclipse");
    scene.check("new-bad-id", "new other --id 'a\tb'");
    assert_eq!(scene.files(), ["eclipse/collection.toml", "notes/x.txt"]);
}

#[test]
fn archives_urls_and_tweets_are_taken_in_once() {
    let scene = eclipse();
    scene.check("import", "import eclipse a.warc.gz more seeds.txt tweets.jsonl");
    scene.check("status", "status eclipse");
    let before = scene.run("status eclipse --format jsonl").stdout;
    scene.check("import-again", "import eclipse a.warc.gz more seeds.txt tweets.jsonl");
    let after = scene.run("status eclipse --format jsonl").stdout;
    let runs = |text: &[u8], n| String::from_utf8_lossy(text).replace(&format!("\"runs\":{n}"), "\"runs\":n");
    assert_eq!(runs(&before, 1), runs(&after, 2));
    let seeds = fs::read_to_string(scene.folder().join("eclipse/seeds.tsv")).expect("there");
    assert_eq!(
        seeds,
        "key\turl\ttweet_ids\n\
         example,a)/1\thttp://a.example/1\t7 12\n\
         example,b)/\thttp://b.example/\t\n\
         example,c)/\thttps://c.example/\t7\n"
    );
    let files = scene.files();
    let copied: Vec<_> = files.iter().filter(|name| name.starts_with("eclipse/archive/")).collect();
    assert_eq!(copied, ["eclipse/archive/a-2.warc.gz", "eclipse/archive/a.warc.gz"]);
}

#[test]
fn an_empty_collection_says_what_to_type() {
    eclipse().check("status-empty", "status eclipse");
}

#[test]
fn what_is_materialised_and_what_it_cost_is_told() {
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/../tamis-collection/tests/data/collection-1");
    let names = [
        "collection.toml",
        "archives.jsonl",
        "runs.jsonl",
        "seeds.tsv",
        "archive/sieves.warc.gz",
        "index/sieves.warc.gz.cdxj",
        "pages/manifest.json",
        "pages/00000.parquet",
    ];
    let read = |name: &str| fs::read(format!("{old}/{name}")).expect("it is committed");
    let scene = names.iter().fold(scene(), |scene, name| scene.file(&format!("sieves/{name}"), read(name)));
    scene.check("status-materialised", "status sieves");
    scene.check("status-jsonl", "status sieves --format jsonl");
    let remove = |name: &str| fs::remove_file(scene.folder().join("sieves").join(name)).expect("it is there");
    remove("index/sieves.warc.gz.cdxj");
    remove("pages/00000.parquet");
    let scene = scene.file("sieves/pages/.x.parquet.Ab3dE6.part", "half");
    scene.check("status-lost", "status sieves");
    assert_eq!(scene.run("import sieves sieves/archive/sieves.warc.gz").code, Some(0));
    let index = fs::read(scene.folder().join("sieves/index/sieves.warc.gz.cdxj")).expect("it is there again");
    assert_eq!(index, read("index/sieves.warc.gz.cdxj"));
    assert!(!scene.files().iter().any(|name| is_unfinished(name)));
}

#[test]
fn a_dry_run_touches_nothing() {
    let scene = eclipse();
    scene.run("import eclipse a.warc.gz");
    let files = scene.files();
    scene.check(
        "import-dry-run",
        "import eclipse a.warc.gz more seeds.txt tweets.jsonl missing.warc --dry-run",
    );
    assert_eq!(scene.files(), files);
}

#[test]
fn a_damaged_archive_among_good_ones_is_taken_as_it_is() {
    let bytes = archive(&["http://d.example/1", "http://d.example/2"]);
    let torn = &bytes[..bytes.len() - 40];
    let scene = eclipse().file("torn.warc.gz", torn).file("none.warc.gz", "this is nothing at all");
    scene.check("import-damaged", "import eclipse torn.warc.gz a.warc.gz none.warc.gz");
    assert_eq!(fs::read(scene.folder().join("eclipse/archive/torn.warc.gz")).expect("there"), torn);
    scene.check("status-damaged", "status eclipse");
}

#[test]
fn what_cannot_be_imported_is_told() {
    let scene = eclipse()
        .file("words.txt", "some words\n")
        .file("empty.txt", "")
        .file("half.txt", "http://a.example/\nno url\n")
        .file("table.csv", "name,age\nx,1\n");
    scene.check("import-missing", "import eclipse a.warc missing.txt");
    scene.check("import-misfits", "import eclipse words.txt empty.txt half.txt table.csv");
    scene.check("import-no-collection", "import ecl a.warc.gz");
    scene.check("import-into-folder", "import more a.warc.gz");
    scene.check("status-no-collection", "status a.warc.gz");
}

#[test]
fn references_are_watched() {
    let scene = eclipse();
    scene.check("import-reference", "import eclipse a.warc.gz more/a.warc.gz --reference");
    assert!(scene.files().iter().all(|name| !name.starts_with("eclipse/archive/")));
    let rows = scene.run("clean eclipse --format jsonl").stdout;
    assert_eq!(
        rows.split(|byte| *byte == b'\n').filter(|row| !row.is_empty()).count(),
        3,
        "of both, wherever they are"
    );
    fs::remove_file(scene.folder().join("more/a.warc.gz")).expect("there");
    let scene = scene.file("a.warc.gz", archive(&["http://a.example/3"]));
    scene.check("status-changed", "status eclipse");
    let asked = scene.run("query eclipse 'select count(*) from pages'");
    assert_eq!(asked.code, Some(2), "{asked}");
    assert!(String::from_utf8_lossy(&asked.stderr).contains("a.warc.gz has changed since"), "{asked}");
    assert_eq!(scene.run("import eclipse a.warc.gz --reference").code, Some(0));
    let said = String::from_utf8(scene.run("status eclipse").stdout).expect("UTF-8");
    assert!(!said.contains("CHANGED") && said.contains("MISSING"), "{said}");
}

#[test]
fn a_moved_reference_does_not_double_rows() {
    let scene = eclipse();
    let count = |scene: &Scene| {
        let ran = scene.run("query eclipse 'select count(*) as rows from pages' --format csv");
        (ran.code, String::from_utf8_lossy(&ran.stdout).lines().nth(1).unwrap_or_default().to_owned())
    };
    assert_eq!(scene.run("import eclipse a.warc.gz --reference").code, Some(0));
    assert_eq!(scene.run("clean eclipse").code, Some(0));
    fs::rename(scene.folder().join("a.warc.gz"), scene.folder().join("moved.warc.gz")).expect("writable");
    scene.check("import-moved", "import eclipse moved.warc.gz --reference");
    assert_eq!(count(&scene), (Some(0), "2".to_owned()));
}

#[test]
fn an_invalid_package_is_refused() {
    let scene = eclipse().file("no.wacz", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    scene.check("import-invalid-wacz", "import eclipse no.wacz");
    assert_eq!(scene.run("import eclipse no.wacz --dry-run").code, Some(2));
    assert!(scene.files().iter().all(|name| !name.starts_with("eclipse/archive/")));
}

#[test]
fn a_newer_collection_is_refused() {
    let scene = eclipse().file("new/collection.toml", "format = 3\nwhatever = 1\n");
    let files = scene.files();
    scene.check("status-newer", "status new");
    scene.check("import-newer", "import new a.warc.gz");
    assert_eq!(scene.files(), files);
}

#[test]
fn what_comes_through_a_pipe_is_taken() {
    let scene = eclipse().stdin(archive(&["http://p.example/"]));
    assert_eq!(scene.run("import eclipse -").code, Some(0));
    let scene = scene.stdin(URLS);
    assert_eq!(scene.run("import eclipse -").code, Some(0));
    assert_eq!(scene.run("import eclipse - --reference").code, Some(2));
    let said = String::from_utf8(scene.run("status eclipse").stdout).expect("UTF-8");
    assert!(said.contains("stdin: ") && said.contains("2 URLs"), "{said}");
}

fn is_unfinished(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|ending| ending == "part")
}

/// Waits until a command holds the collection.
#[cfg(unix)]
fn wait_for_holder(scene: &Scene) {
    let lock = scene.folder().join("eclipse/lock");
    let is_held = || fs::read_to_string(&lock).is_ok_and(|text| text.contains("tamis import"));
    for _ in 0..500 {
        if is_held() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("nobody took the lock");
}

#[cfg(unix)]
#[test]
fn two_writers_do_not_meet_and_a_killed_one_is_in_nobodys_way() {
    use std::process::{Command, Stdio};

    // Large enough to be killed in the middle.
    let record = Record::resource("http://big.example/", "x/y", vec![b'x'; 100_000]);
    let big = (0..600).fold(ArchiveBuilder::new(), |builder, _| builder.plain(&record)).build();
    let scene = eclipse().file("big.warc", big);
    let mut first = Command::new(env!("CARGO_BIN_EXE_tamis"));
    first.args(["import", "eclipse", "big.warc"]).current_dir(scene.folder());
    let mut first =
        first.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    wait_for_holder(&scene);
    let second = scene.run("import eclipse a.warc.gz");
    first.kill().expect("it runs");
    first.wait().expect("it ends");
    let said = String::from_utf8(second.stderr).expect("UTF-8").replace(&first.id().to_string(), "PID");
    let (held, rest) = said.split_once(" since 2").expect("when it was locked");
    assert_eq!(
        (second.code, held, rest.split_once('\n').map(|(_, hint)| hint)),
        (
            Some(2),
            "error: eclipse is locked by process PID (tamis import eclipse big.warc)",
            Some("hint: wait for it to finish, then try again\n")
        )
    );
    assert_eq!(scene.run("import eclipse big.warc a.warc.gz").code, Some(0), "it goes on");
    let left: Vec<_> = scene.files().into_iter().filter(|name| is_unfinished(name)).collect();
    assert_eq!(left, [""; 0]);
    let said = String::from_utf8(scene.run("status eclipse").stdout).expect("UTF-8");
    assert!(said.contains("big.warc: ") && said.contains("600 captures"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_leaves_no_half_file() {
    let record = Record::resource("http://big.example/", "x/y", vec![b'x'; 100_000]);
    let big = (0..3).fold(ArchiveBuilder::new(), |builder, _| builder.plain(&record)).build();
    let scene = eclipse().file("big.warc", big);
    // A limit of 64 KiB stands in for the disk. Its signal is ignored, so that the write fails.
    let program = env!("CARGO_BIN_EXE_tamis");
    let script =
        format!("trap '' XFSZ; ulimit -f 128; exec {program} import eclipse a.warc.gz big.warc seeds.txt");
    let ran = std::process::Command::new("sh").args(["-c", &script]).current_dir(scene.folder()).output();
    let ran = ran.expect("sh runs");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.starts_with("error: cannot write eclipse/archive/big.warc: File too large"), "{said}");
    let files = scene.files();
    assert!(files.iter().all(|name| !is_unfinished(name)), "{files:?}");
    assert!(files.contains(&"eclipse/archive/a.warc.gz".into()), "what came before is there: {files:?}");
    assert!(!files.contains(&"eclipse/archive/big.warc".into()), "{files:?}");
    assert_eq!(scene.run("import eclipse a.warc.gz big.warc seeds.txt").code, Some(0), "it goes on");
}

#[test]
fn a_package_is_taken_whole_and_read_inside() {
    let scene = eclipse();
    assert_eq!(scene.run("warc wacz create a.warc.gz more/a.warc.gz -o p.wacz").code, Some(2), "of one name");
    assert_eq!(scene.run("warc wacz create a.warc.gz -o p.wacz").code, Some(0));
    assert_eq!(scene.run("import eclipse p.wacz").code, Some(0));
    let said = String::from_utf8(scene.run("status eclipse").stdout).expect("UTF-8");
    assert!(said.contains("p.wacz: ") && said.contains("2 captures"), "{said}");
    let index = fs::read_to_string(scene.folder().join("eclipse/index/p.wacz.cdxj")).expect("there");
    assert!(index.contains(r#""filename": "p.wacz#archive/a.warc.gz""#), "{index}");
}

/// A collection with kept columns, and files outside that must stay as they are.
#[cfg(unix)]
fn beside_precious() -> Scene {
    let scene = eclipse().file("precious/a.txt", "precious\n").file("precious/sub/b.parquet", "precious\n");
    let ran = scene.run("import eclipse a.warc.gz seeds.txt");
    assert_eq!(ran.code, Some(0), "{ran}");
    scene
}

#[cfg(unix)]
fn assert_untouched(scene: &Scene, line: &str) {
    let read = |name: &str| fs::read_to_string(scene.folder().join("precious").join(name));
    let found = (read("a.txt").ok(), read("sub/b.parquet").ok());
    let precious = Some("precious\n".to_owned());
    assert_eq!(found, (precious.clone(), precious), "{line}");
    let names: Vec<String> = scene.files().into_iter().filter(|name| name.starts_with("precious")).collect();
    assert_eq!(names, ["precious/a.txt", "precious/sub/b.parquet"], "{line}");
}

#[cfg(unix)]
#[test]
fn links_in_a_collection_lead_no_command_out_of_it() {
    use std::os::unix::fs::symlink;

    let lines = [
        "clean eclipse",
        "report eclipse",
        "dedup eclipse",
        "status eclipse",
        "import eclipse more",
        "archives repair eclipse",
        "archives remove eclipse a.warc.gz",
        "archives empty-trash eclipse",
        "archives relocate eclipse a.warc.gz a.warc.gz",
        "query eclipse 'select url from pages'",
        "crawl eclipse http://127.0.0.1:9/ --contact a@a.example",
        "fetch eclipse --contact a@a.example",
    ];
    for (name, target) in [
        ("pages", "precious/sub"),
        ("dedup", "precious"),
        ("trash", "precious"),
        ("archive", "precious"),
        ("index", "precious"),
        ("frontier", "precious"),
        ("frontier-fetch", "precious"),
        ("lock", "precious/a.txt"),
        ("report.html", "precious/a.txt"),
        ("runs.jsonl", "precious/a.txt"),
        ("archives.jsonl", "precious/a.txt"),
        ("fetched.tsv", "precious/a.txt"),
        ("relevance.jsonl", "precious/a.txt"),
        ("pages/_manifest.json", "precious/a.txt"),
        ("lock", "precious/new.txt"),
    ] {
        let scene = beside_precious();
        let link = scene.folder().join("eclipse").join(name);
        if link.is_dir() {
            fs::remove_dir_all(&link).expect("removed");
        } else if link.exists() {
            fs::remove_file(&link).expect("removed");
        }
        symlink(scene.folder().join(target), &link).expect("made");
        for line in lines {
            let ran = scene.run(line);
            assert_ne!(ran.code, Some(0), "{name}, {line}: {ran}");
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            let expected = format!("eclipse/{name} is a symbolic link");
            assert!(said.contains(&expected), "{name}, {line}: {ran}");
            assert_untouched(&scene, &format!("{name}, {line}"));
        }
    }
    let scene = beside_precious();
    symlink(scene.folder().join("precious/a.txt"), scene.folder().join("eclipse/report.html")).expect("made");
    scene.check("collection-link", "report eclipse");
}

#[cfg(unix)]
#[test]
fn names_in_lists_lead_no_command_out_of_a_collection() {
    let manifest = |file: &str| {
        format!(r#"{{"version":1,"parts":[{{"file":"{file}","archive":"a.warc.gz","end":null}}]}}"#)
    };
    let list = |name: &str| {
        let archive = format!(
            r#"{{"name":"{name}","kept":"copy","origin":{{"path":"/x","modified_ns":null}},"bytes":9,"sha256":"","records":1,"captures":1,"faults":0}}"#
        );
        format!("{{\"format\":\"tamis-archives\",\"version\":1}}\n{archive}\n")
    };
    let removal = |name: &str, part: &str| {
        format!(
            r#"{{"archive":{{"name":"{name}","kept":"copy","origin":{{"path":"/x","modified_ns":null}},"bytes":9,"sha256":"","records":1,"captures":1,"faults":0}},"parts":["{part}"]}}"#
        )
    };
    for (file, text) in [
        ("pages/_manifest.json", manifest("../../precious/sub/b.parquet")),
        ("pages/_manifest.json", manifest("PLACE/precious/sub/b.parquet")),
        ("archives.jsonl", list("../../precious/a.txt")),
        ("archives.jsonl", list("PLACE/precious/a.txt")),
        ("archives.jsonl", list("..")),
        ("trash/a/removal.json", removal("../../precious/a.txt", "x.parquet")),
        ("trash/a/removal.json", removal("a.warc.gz", "../../precious/sub/b.parquet")),
    ] {
        let scene =
            eclipse().file("precious/a.txt", "precious\n").file("precious/sub/b.parquet", "precious\n");
        let text = text.replace("PLACE", &scene.folder().display().to_string());
        let scene = scene.file(&format!("eclipse/{file}"), &text);
        for line in [
            "clean eclipse",
            "archives remove eclipse ../../precious/a.txt",
            "archives repair eclipse",
            "dedup eclipse",
            "report eclipse",
        ] {
            scene.run(line);
            assert_untouched(&scene, &format!("{text}: {line}"));
        }
        let scene = eclipse().file(&format!("eclipse/{file}"), &text);
        let ran = scene.run("clean eclipse");
        assert_eq!(ran.code, Some(2), "{text}: {ran}");
    }
}

/// They were left out, with exit code 0.
#[test]
fn every_command_says_which_archives_are_not_in_the_list_yet() {
    let scene = eclipse();
    assert_eq!(scene.run("import eclipse a.warc.gz").code, Some(0));
    let archive = scene.folder().join("eclipse/archive");
    fs::copy(scene.folder().join("a.warc.gz"), archive.join("b.warc.gz.open")).expect("it can be copied");
    for line in [
        "query eclipse 'select count(*) from pages'",
        "clean eclipse --format jsonl",
        "clean eclipse",
        "lang eclipse -o -",
        "dedup eclipse",
        "warc ls eclipse",
        "warc stats eclipse",
        "warc check eclipse",
        "warc index eclipse",
        "warc convert eclipse -o converted/",
        "warc extract eclipse -o extracted",
        "warc wacz create eclipse -o eclipse.wacz",
        "warc wet eclipse -o wet/",
        "pack eclipse -o packed/",
        "report eclipse",
    ] {
        let ran = scene.run(line);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.code == Some(2) && said.contains("b.warc.gz.open"), "{line}: {ran}");
        assert!(!said.contains("being written"), "{line} takes itself for the writer: {ran}");
    }
}

#[test]
fn html_files_become_an_archive_of_resource_records() {
    let page = |title: &str| format!("<title>{title}</title><p>A page with <a href=next.html>a link</a>.");
    let scene = eclipse()
        .file("mirror/example.org/index.html", page("Home"))
        .file("mirror/example.org/a/b.html", page("Inner"))
        .file("mirror/example.org/data.json", "{}")
        .file("loose.html", page("Loose"));
    for (line, code) in [
        ("import eclipse mirror loose.html --dry-run", 0),
        ("import eclipse mirror loose.html --reference", 2),
        ("import eclipse mirror loose.html", 0),
        ("import eclipse mirror loose.html", 0),
        ("archives verify eclipse", 0),
        ("warc check eclipse", 0),
        ("clean eclipse", 0),
    ] {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(code), "{line}: {ran}");
    }
    let rows = "'select type, mime_type, status_code, title, time, links[1].url as link from pages order by title' --format csv";
    let of_collection = scene.run(&format!("query eclipse {rows}"));
    let of_files = scene.run(&format!("query mirror {rows}"));
    let text = String::from_utf8_lossy(&of_collection.stdout).into_owned();
    let of_files = String::from_utf8_lossy(&of_files.stdout).into_owned();
    assert_eq!(text.lines().count(), 4, "imported once: {text}");
    assert!(of_files.lines().all(|line| text.lines().any(|other| other == line)), "{of_files}: {text}");
    assert!(text.contains("http://example.org/a/next.html"), "{text}");
    let loose = scene.run("query eclipse 'select url from pages order by url' --format csv").stdout;
    let loose = scene.settled(&String::from_utf8_lossy(&loose));
    assert_eq!(loose, "url\nfile://[DIR]/loose.html\nhttp://example.org/\nhttp://example.org/a/b.html\n");
    let piped = eclipse().stdin(page("Piped")).run("import eclipse -");
    assert_eq!(piped.code, Some(2), "{piped}");
}
