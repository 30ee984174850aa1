//! `tamis lang` and `tamis warc wet`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use tamis_testkit::{ArchiveBuilder, Record, Scene, http_response};

use crate::scene;

const ENGLISH: &str = "The sieve is a frame with a cloth of hair or wire, and what falls through it is fine. In the kitchen it \
    parts flour from bran; at the river it parts gold from sand, and patience from haste. Everybody who has baked bread knows it.";
const GERMAN: &str = "Das Sieb ist ein Rahmen mit einem Tuch aus Haar oder Draht, und was hindurchfällt, ist fein. In der Küche \
    trennt es das Mehl von der Kleie, am Fluss das Gold vom Sand und die Geduld von der Eile. Wer Brot bäckt, der kennt es.";
const ITALIAN: &str = "Il setaccio è un telaio con una tela di crine o di filo, e ciò che passa è fine. In cucina separa la farina \
    dalla crusca, al fiume separa l'oro dalla sabbia e la pazienza dalla fretta. Chi fa il pane lo conosce molto bene.";

fn wet(pages: &[(&str, &str, Option<&str>)]) -> Vec<u8> {
    let record = |&(url, text, languages): &(&str, &str, Option<&str>)| {
        let record = Record::conversion(url, text);
        match languages {
            Some(languages) => record.field("WARC-Identified-Content-Language", languages),
            None => record,
        }
    };
    pages.iter().map(record).fold(ArchiveBuilder::new(), |archive, record| archive.gzip(&record)).build()
}

fn three() -> Scene {
    let both = format!("{ENGLISH}\n{GERMAN}\n");
    scene().file(
        "a.warc.wet.gz",
        wet(&[
            ("http://a.example/en", ENGLISH, Some("eng")),
            ("http://a.example/both", &both, Some("eng")),
            ("http://a.example/it", ITALIAN, None),
            ("http://a.example/de", GERMAN, Some("nld")),
            ("http://a.example/nothing", "12345 67890", Some("eng")),
        ]),
    )
}

#[test]
fn a_line_for_each_page_beside_what_the_archive_states() {
    for detector in ["tamis", "words", "cld2"] {
        let ran = three().run(&format!("lang a.warc.wet.gz -o - --detector {detector}"));
        let lines = String::from_utf8(ran.stdout).expect("UTF-8");
        let answers: Vec<&str> =
            lines.lines().map(|line| line.split_once("% ").map_or(line, |(start, _)| start)).collect();
        assert_eq!(answers.len(), 5, "{lines}");
        for (line, start) in answers.iter().zip([
            "http://a.example/both Response:",
            "http://a.example/de Response:deu | Expected:nld ✗ deu:",
            "http://a.example/en Response:eng | Expected:eng ✓ eng:",
            "http://a.example/it Response:ita | Expected: ✓ ita:",
            "http://a.example/nothing Response: | Expected:eng ✗ Other_Langs:0.0%;Not_Found:100.0%",
        ]) {
            assert!(line.starts_with(start), "{detector}: {line}");
        }
        let both: BTreeSet<&str> = answers[0]
            .split_once("Response:")
            .and_then(|(_, rest)| rest.split_once(' '))
            .map(|(codes, _)| codes.split(',').collect())
            .unwrap_or_default();
        // The reference's rule takes what has 3 points less and under 10 % of the words for a mistake.
        let expected: &[&str] = if detector == "words" { &["eng"] } else { &["deu", "eng"] };
        assert_eq!(both, expected.iter().copied().collect(), "{detector}: {lines}");
        assert_eq!(ran.code, Some(0));
    }
}

const INFO: &str = "http://a.example/de\tger\tUTF-8\nhttp://a.example/it\tita\tUTF-8\nhttp://a.example/en\teng\tUTF-8\textra\n\
    http://elsewhere.example/\tfra\tUTF-8\nhttp://a.example/both\teng,Klingon\tUTF-8\n";

#[test]
fn expectations_come_from_info_files_and_bad_lines_are_told() {
    let scene = three().file("info/info-00000.info", INFO);
    let ran = scene.run("lang a.warc.wet.gz --info info -o - --detector words");
    let (lines, said) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(lines.contains("/de Response:deu | Expected:deu ✓"), "{lines}");
    assert!(lines.contains("/en Response:eng | Expected: ✓"), "{lines}");
    assert!(said.contains("info-00000.info: line 3: 3 tabs where two are expected"), "{said}");
    assert!(said.contains("info-00000.info: line 5: unknown language code `Klingon`"), "{said}");
    assert_eq!((ran.code, lines.lines().count()), (Some(2), 5));
}

#[test]
fn the_same_lines_for_any_number_of_partitions_and_threads() {
    let scene = three().file("b.warc.wet", wet(&[("http://b.example/", ENGLISH, Some("eng"))]));
    let one = scene.run("lang a.warc.wet.gz b.warc.wet -o -").stdout;
    let one: BTreeSet<String> = String::from_utf8(one).expect("UTF-8").lines().map(str::to_owned).collect();
    for (partitions, jobs) in [(1, 2), (3, 1), (7, 2)] {
        let line = format!(
            "lang a.warc.wet.gz b.warc.wet -o run{partitions} --partitions {partitions} -j {jobs} --memory 512M"
        );
        assert_eq!(scene.run(&line).code, Some(0), "{line}");
        let mut lines = BTreeSet::new();
        for at in 0..partitions {
            let part = format!("run{partitions}/part-{at:05}.txt");
            let text = fs::read_to_string(scene.folder().join(part)).expect("a file for each partition");
            let own: Vec<&str> = text.lines().collect();
            assert!(own.is_sorted(), "{text}");
            lines.extend(own.into_iter().map(str::to_owned));
        }
        assert_eq!(lines, one, "{line}");
    }
}

#[test]
fn without_expectations_the_chart_is_of_languages_and_claims_no_agreement() {
    let scene = scene().file(
        "a.warc.wet",
        wet(&[
            ("http://a.example/en", ENGLISH, None),
            ("http://a.example/it", ITALIAN, None),
            ("http://a.example/nothing", "12345 67890", None),
        ]),
    );
    let ran = scene.run("lang a.warc.wet -o run --plot run.svg");
    let report = String::from_utf8_lossy(&ran.stdout);
    let svg = fs::read_to_string(scene.folder().join("run.svg")).expect("drawn");
    for part in ["Languages found by tamis, 3 pages", "ita Italian", "none found", "33.3 %"] {
        assert!(report.contains(part) && svg.contains(part), "{part}: {report}");
    }
    assert!(!report.contains('✓') && !report.contains("same") && !svg.contains('✓'), "{report}");
}

#[test]
fn a_run_leaves_a_report_that_is_printed_and_drawn_again() {
    let scene = three();
    assert_eq!(scene.run("lang a.warc.wet.gz -o run --plot run.svg --plot run.png").code, Some(0));
    let ran = scene.run("lang report run");
    let report = String::from_utf8_lossy(&ran.stdout);
    for part in ["5 pages with tamis", "✓ same", "Dutch nld", "No languages were expected of 1 page"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let svg = fs::read_to_string(scene.folder().join("run.svg")).expect("drawn");
    assert!(svg.contains("✓ same") && svg.contains("25.0 %"), "of the four with an expectation: {svg}");
    assert!(fs::read(scene.folder().join("run.png")).expect("drawn").starts_with(b"\x89PNG"));
    assert_eq!(scene.run("lang a.warc.wet.gz a.warc.wet.gz -o run2").code, Some(0));
    let ran = scene.run("lang report run2 run --plot time.svg");
    assert!(String::from_utf8_lossy(&ran.stdout).contains("pages/s"));
    assert!(fs::read_to_string(scene.folder().join("time.svg")).expect("drawn").contains("in proportion"));
}

#[test]
fn columns_are_lines_too() {
    let scene = three();
    let ran = scene.run("lang a.warc.wet.gz -o - --format jsonl");
    let lines = String::from_utf8_lossy(&ran.stdout);
    assert!(
        lines.contains(
            r#"{"url":"http://a.example/de","response":["deu"],"expected":["nld"],"agreement":"✗""#
        ),
        "{lines}"
    );
    assert_eq!(scene.run("lang a.warc.wet.gz -o run --format parquet").code, Some(0));
    assert!(fs::read(scene.folder().join("run/part-00000.parquet")).expect("written").starts_with(b"PAR1"));
}

#[test]
fn what_is_wrong_is_told() {
    let scene =
        three().file("bad.json", r#"{"name":"x","type":"300","version":"1","languages":[{"nom":"German"}]}"#);
    scene.check("lang-bad-dictionary", "lang a.warc.wet.gz --dictionary bad.json -o -");
    scene.check("lang-missing", "lang missing.warc.wet.gz -o -");
    scene.check("lang-plot-name", "lang a.warc.wet.gz -o run --plot chart.pdf");
    let scene = scene.file("mine/letter.txt", "dear");
    scene.check("lang-folder-exists", "lang a.warc.wet.gz -o mine");
    scene.check("lang-folder-of-others", "lang a.warc.wet.gz -o mine --force");
    assert_eq!(fs::read(scene.folder().join("mine/letter.txt")).expect("still there"), b"dear");
    scene.check("lang-no-report", "lang report mine");
}

const INDEX: &str = r#"example,a)/de 20240408181829 {"url": "http://a.example/de", "filename": "crawl/CC-00007.warc.gz", "charset": "UTF-8", "languages": "deu"}
example,a)/en 20240408181829 {"url": "http://a.example/en", "filename": "crawl/CC-00007.warc.gz", "charset": "UTF-8", "languages": "eng"}
no line of an index
example,b)/ 20240408181829 {"url": "http://b.example/", "filename": "crawl/CC-00008.warc.gz"}
"#;

#[test]
fn info_files_are_made_from_an_index() {
    let scene = three().file("cdx-00000", INDEX);
    scene.check("lang-info", "lang info cdx-00000 -o info");
    let read = |name: &str| fs::read_to_string(scene.folder().join("info").join(name)).expect("written");
    assert_eq!(read("info-00007.info"), "http://a.example/de\tdeu\tUTF-8\nhttp://a.example/en\teng\tUTF-8\n");
    assert_eq!(read("info-00008.info"), "http://b.example/\t\t\n");
    let lines = scene.run("lang a.warc.wet.gz --info info -o -").stdout;
    assert!(String::from_utf8_lossy(&lines).contains("/de Response:deu | Expected:deu ✓"));
}

#[test]
fn pages_become_wet_with_languages_and_an_index() {
    let page = |text: &str| format!("<!doctype html><title>Sieb</title><body><p>{text}</p>");
    let archive = ArchiveBuilder::new()
        .gzip(&Record::response(
            "http://a.example/de",
            http_response("text/html; charset=utf-8", page(GERMAN)),
        ))
        .gzip(&Record::response("http://a.example/x.png", http_response("image/png", "png")))
        .gzip(&Record::response(
            "http://a.example/it",
            http_response("text/html; charset=utf-8", page(ITALIAN)),
        ));
    let scene = scene().file("a.warc.gz", archive.build());
    assert_eq!(scene.run("warc wet a.warc.gz -o wet/").code, Some(0));
    assert_eq!(scene.run("warc check wet/a.warc.wet.gz").code, Some(0));
    let lines = fs::read_to_string(scene.folder().join("wet/a.warc.wet.gz.cdxj")).expect("written");
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(lines.contains(r#""languages": "deu""#) && lines.contains(r#""languages": "ita""#), "{lines}");
    let got = scene.run("warc get a.example/it wet/a.warc.wet.gz --index wet/a.warc.wet.gz.cdxj");
    assert!(String::from_utf8_lossy(&got.stdout).contains("Il setaccio è un telaio"), "{got:?}");
    let answers = scene.run("lang wet/a.warc.wet.gz -o -").stdout;
    assert!(String::from_utf8_lossy(&answers).contains("/it Response:ita | Expected:ita ✓"));
    fs::copy(scene.folder().join("a.warc.gz"), scene.folder().join("a.warc")).expect("it can be copied");
    assert_eq!(scene.run("warc wet a.warc -o wet/ --to plain").code, Some(0), "another of the same name");
    let first = fs::read(scene.folder().join("wet/a.warc.wet.gz")).expect("written");
    assert_eq!(scene.run("warc wet a.warc.gz -o wet/ --force -j 1").code, Some(0));
    assert_eq!(fs::read(scene.folder().join("wet/a.warc.wet.gz")).expect("written"), first);
}

#[test]
fn lists_of_names_are_in_no_other_language() {
    let names = "Calgary\nEdmonton\nHalifax\nLethbridge\nOkanagan\nRegina\nSaskatoon\nToronto\nWinnipeg\nJonathan\nMalcolm\nWayne\n";
    let page = format!("{ENGLISH}\n{names}{ENGLISH}\n");
    let scene = scene().file("a.warc.wet.gz", wet(&[("http://a.example/", &page, None)]));
    let lines = String::from_utf8(scene.run("lang a.warc.wet.gz -o -").stdout).expect("UTF-8");
    assert!(lines.starts_with("http://a.example/ Response:eng | "), "{lines}");
}

#[test]
fn a_page_without_text_has_a_line() {
    let pages = [("http://a.example/1", "", None), ("http://a.example/2", "\n", None)];
    let scene = scene().file("a.warc.wet.gz", wet(&pages));
    for detector in ["tamis", "words", "cld2"] {
        let ran = scene.run(&format!("lang a.warc.wet.gz -o - --detector {detector}"));
        let lines = String::from_utf8(ran.stdout).expect("UTF-8");
        assert_eq!(
            lines.matches(" Response: | Expected: ✓ Other_Langs:0.0%;Not_Found:100.0%\n").count(),
            2,
            "{lines}"
        );
    }
}

/// Three index files with 300 archives, and a bad line now and then.
fn large_index() -> Scene {
    let mut random = 1_u64;
    let mut scene = scene();
    for file in 0..3 {
        let mut text = String::new();
        for line in 0..15_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (url, archive) = ((random >> 40) % 5000, (random >> 20) % 300);
            let json = format!(r#"{{"url": "http://a/{url}", "filename": "a-{archive:05}.warc.gz"}}"#);
            writeln!(text, "a)/ 2019 {}", if line % 999 == 0 { "bad" } else { &json }).expect("memory");
        }
        scene = scene.file(&format!("index/cdx-{file:05}"), text);
    }
    scene
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("it lists"));
    let read = |entry: fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap_or_default())
    };
    entries.map(read).collect()
}

#[test]
fn making_info_files_goes_on_after_a_kill_at_any_moment() {
    let scene = large_index();
    assert_eq!(scene.run("lang info index -o whole").code, Some(2), "the bad lines are told");
    let (whole, killed) = (scene.folder().join("whole"), scene.folder().join("killed"));
    let mut kills = 0;
    // Longer each time, so that it comes to an end on a slow machine, too.
    for wait_ms in (20..).step_by(15) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .args(["lang", "info", "index", "-o", "killed", "--memory", "128K"])
            .current_dir(scene.folder())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        thread::sleep(Duration::from_millis(wait_ms));
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
        kills += 1;
        // What a kill left at the very end the next run takes away.
        let is_clear = [".info-work", ".info-work.done"].iter().all(|name| !killed.join(name).exists());
        if killed.join("archives.tsv").exists() && is_clear {
            break;
        }
    }
    assert!(kills > 1);
    assert!(files(&killed) == files(&whole));
}

#[test]
fn damaged_and_missing_inputs_are_told_and_the_rest_goes_on() {
    let whole =
        wet(&[("http://a.example/en", ENGLISH, Some("eng")), ("http://a.example/de", GERMAN, Some("deu"))]);
    let scene = scene()
        .file("torn.warc.wet.gz", &whole[..whole.len() - 40])
        .file("good.warc.wet.gz", &whole)
        .file("empty.warc.wet.gz", "")
        .file("noise.warc.wet.gz", [7_u8; 500]);
    for line in [
        "lang torn.warc.wet.gz -o -",
        "lang torn.warc.wet.gz empty.warc.wet.gz noise.warc.wet.gz -o -",
        "lang missing.warc.wet.gz good.warc.wet.gz -o -",
    ] {
        let ran = scene.run(line);
        let lines = String::from_utf8_lossy(&ran.stdout);
        assert!(lines.contains("/en Response:eng | Expected:eng ✓"), "{line}: {ran}");
        assert_eq!(ran.code, Some(2), "{line}: {ran}");
        assert!(
            String::from_utf8_lossy(&ran.stderr).contains("ing.warc.wet.gz") || line.contains("torn"),
            "{ran}"
        );
    }
    let ran = scene.run("lang info missing-index -o info");
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(!scene.folder().join("info").exists());
}

#[test]
fn damaged_pages_are_left_out_of_wet_and_told() {
    let page = |url: &str, text: &str| {
        Record::response(url, http_response("text/html; charset=utf-8", format!("<body><p>{text}</p>")))
    };
    let whole = ArchiveBuilder::new()
        .gzip(&page("http://a.example/de", GERMAN))
        .gzip(&page("http://a.example/it", ITALIAN))
        .build();
    let scene = scene().file("torn.warc.gz", &whole[..whole.len() - 40]).file("empty.warc.gz", "");
    let ran = scene.run("warc wet torn.warc.gz -o torn.warc.wet.gz");
    assert_eq!(ran.code, Some(2), "{ran}");
    let lines = fs::read_to_string(scene.folder().join("torn.warc.wet.gz.cdxj")).expect("written");
    assert!(lines.contains("a.example/de") && !lines.contains("a.example/it"), "{lines}");
    assert_eq!(scene.run("warc check torn.warc.wet.gz").code, Some(0));
    let ran = scene.run("warc wet torn.warc.gz -o torn.warc.wet.gz");
    assert!(String::from_utf8_lossy(&ran.stderr).contains("exists"), "{ran}");
    assert_eq!(scene.run("warc wet empty.warc.gz missing.warc.gz -o none/").code, Some(2));
}
