//! `tamis crawl`: the simulated web into a collection, whatever happens meanwhile.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tamis_sim::{AuditRules, OracleRules, Quirk, Running, ServeOptions, World, WorldOptions, oracle, serve};
use tamis_testkit::{Ran, Scene};

use crate::scene;

const KILLS: u64 = 20;
/// Requests that were answered and not yet written down when a crawl was killed: a few for each of the 30 hosts. All of them are
/// asked for again, and no others. To begin anew each time would be some 400 a kill.
const IN_FLIGHT: u64 = 60;

/// A web that is served, and a folder with the file that says where its hosts are.
fn web(world: World) -> (Running, Scene) {
    let web = serve(Arc::new(world), &ServeOptions::default()).expect("listens");
    let scene = scene().file("hosts", web.hosts_file());
    (web, scene)
}

/// The words of a crawl of that web.
fn words(web: &Running, delay: &str) -> Vec<String> {
    let fixed = ["--contact", "me@example.org", "--hosts", "hosts", "--allow-private", "--scope", "any"];
    let quick = ["--server-delay", "0", "--back-off", "0.05", "--timeout", "5", "--delay", delay];
    let words = ["crawl", "sim"].into_iter().map(str::to_owned).chain(web.world().seeds(2));
    words.chain(fixed.iter().chain(&quick).map(|word| (*word).to_owned())).collect()
}

fn line(words: &[String]) -> String {
    words.join(" ")
}

fn stderr(ran: &Ran) -> String {
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

fn count(scene: &Scene, query: &str) -> String {
    let ran = scene.run(&format!("query sim '{query}' --format csv"));
    assert_eq!(ran.code, Some(0), "{ran}");
    String::from_utf8_lossy(&ran.stdout).trim().replace('\n', " ")
}

#[test]
fn a_crawl_becomes_a_collection_that_can_be_asked() {
    let (web, scene) = web(World::demo(1));
    let ran = scene.run(&line(&words(&web, "0")));
    assert_eq!(ran.code, Some(0), "{ran}");
    assert!(stderr(&ran).contains("finished") && stderr(&ran).contains("tamis query sim"), "{ran}");
    let rules = OracleRules { certificates: false, ..OracleRules::default() };
    let expected = oracle(web.world(), web.world().seeds(2), &rules);
    let urls = expected.pages.len() + expected.robots.len() + expected.sitemaps.len();
    assert_eq!(count(&scene, "select count(distinct url) n from pages"), format!("n {urls}"));
    let status = scene.run("crawl status sim");
    assert!(String::from_utf8_lossy(&status.stdout).starts_with("state           finished"), "{status}");
    assert_eq!(scene.run("warc check sim/archive").code, Some(0));
    let again = scene.run("crawl sim --allow-private");
    assert_eq!(again.code, Some(0), "{again}");
    assert!(stderr(&again).contains("0 in this run"), "nothing is left to do: {again}");
}

#[test]
fn pages_are_fetched_again_when_they_are_due() {
    let (web, scene) = web(World::demo(6));
    assert_eq!(scene.run(&line(&words(&web, "0"))).code, Some(0));
    let responses = || count(&scene, "select count(*) n from pages");
    let (asked, before) = (web.asked().pages.len(), responses());
    let early = scene.run("crawl sim --allow-private --again");
    assert!(early.code == Some(0) && responses() == before, "nothing is a day old: {early}");
    let all = scene.run("crawl sim --allow-private --again --min-age 0s --max-age 0s");
    assert!(all.code == Some(0) && !stderr(&all).contains(" 0 payloads"), "{all}");
    assert_eq!(web.asked().pages.len(), asked, "the same pages");
    assert_ne!(responses(), before);
    assert_eq!(scene.run("warc check sim/archive").code, Some(0));
    let changes = scene.run("crawl status sim --changes");
    let changes = String::from_utf8_lossy(&changes.stdout).into_owned();
    let rows: Vec<Vec<&str>> = changes.lines().map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() > 100 && rows.iter().all(|row| row.len() == 6), "{changes}");
    assert!(
        rows.iter().filter(|row| row[1] == "2" && row[2] == "0" && row[3] == "0.000").count() > 100,
        "{changes}"
    );
    for (flags, said) in [
        ("--again --min-age soon", "--min-age: `soon` is not a span of time"),
        ("--again --min-age 9d --max-age 1d", "--min-age is more than --max-age"),
    ] {
        let ran = scene.run(&format!("crawl sim --allow-private {flags}"));
        assert!(ran.code == Some(2) && stderr(&ran).contains(said), "{ran}");
    }
}

#[test]
fn a_proxy_is_named_again_or_the_crawl_does_not_go_on() {
    let scene = scene();
    let words =
        "--contact me@example.org --allow-private --robots-off 127.0.0.1 --tries 1 --back-off 0 --delay 0";
    // Nobody listens there.
    let ran = scene.run(&format!("crawl sim http://127.0.0.1:4/ {words} --proxy http://127.0.0.1:2"));
    assert!(ran.code == Some(1) && stderr(&ran).contains("1 proxy"), "{ran}");
    let ran = scene.run("crawl sim --allow-private --retry-failed");
    assert!(
        ran.code == Some(2) && stderr(&ran).contains("`--proxy http://127.0.0.1:2` goes on through it"),
        "{ran}"
    );
    let ran = scene.run("crawl sim --allow-private --retry-failed --proxy off");
    assert!(ran.code == Some(1) && stderr(&ran).contains("1 connection-refused"), "{ran}");
}

#[test]
fn archives_say_who_made_them_and_the_log_has_a_line_for_each_fetch() {
    let (web, scene) = web(World::demo(7));
    let flags = "--warc-prefix LIB-2024 --operator Library --warcinfo isPartOf:Eclipse --drop-type text/plain --max-pages 40";
    let ran = scene.run(&format!("{} {flags}", line(&words(&web, "0"))));
    assert_eq!(ran.code, Some(0), "{ran}");
    let archives: Vec<String> = scene
        .files()
        .into_iter()
        .filter(|file| file.starts_with("sim/archive/") && file.contains(".warc"))
        .collect();
    assert!(archives.len() == 1 && archives[0].starts_with("sim/archive/LIB-2024-"), "{archives:?}");
    let records = scene.run("warc cat sim/archive");
    let records = String::from_utf8_lossy(&records.stdout).into_owned();
    assert!(records.contains("operator: Library\r\n") && records.contains("isPartOf: Eclipse\r\n"));
    let log = std::fs::read_to_string(scene.folder().join("sim/crawl.log")).expect("there");
    assert!(
        log.lines().count() > 40 && log.lines().all(|line| line.split_ascii_whitespace().count() == 12),
        "{log}"
    );
    // It goes on with the names that it began with, and the collection knows them all.
    let again = scene.run("crawl sim --allow-private --max-pages 40 --warc-prefix OTHER");
    assert_eq!(again.code, Some(0), "{again}");
    assert!(scene.files().iter().all(|file| !file.contains("OTHER-")));
    let status = scene.run("status sim");
    assert!(
        status.code == Some(0) && !String::from_utf8_lossy(&status.stdout).contains("tamis import"),
        "{status}"
    );
    assert_eq!(scene.run("warc check sim/archive").code, Some(0));
}

#[cfg(unix)]
#[test]
fn a_running_crawl_is_steered_by_commands() {
    let (web, scene) = web(World::polite_test(8, 20, 400));
    let scene = scene.file("settings.toml", "['*']\nheaders = { X-Key = 'k' }\n");
    for (line, said) in [
        ("crawl pause sim", "no crawl is running"),
        ("crawl set sim --delay=-1", "--delay -1: not a number of seconds"),
        ("crawl set sim --rate fast", "is neither a number nor `off`"),
        ("crawl set sim --bandwidth 1", "the minimum is 4.1 kB"),
        ("crawl set sim --exclude regex:(", "rule `regex:(`"),
        ("crawl sim https://a.example/ --contact me@example.org --host-settings none.toml", "none.toml"),
        ("crawl sim https://a.example/ --contact me@example.org --rate 0", "--rate 0"),
        ("crawl sim https://a.example/ --contact me@example.org --bandwidth 9", "--bandwidth 9: too small"),
        ("crawl sim https://a.example/ --contact me@example.org --proxy ftp://a", "is not a proxy such as"),
        ("crawl sim https://a.example/ --contact me@example.org --proxy http://u:sesame@a", "--proxy-auth"),
        (
            "crawl sim https://a.example/ --contact me@example.org --proxy http://a --proxy-resolves",
            "private addresses",
        ),
        (
            "crawl sim https://a.example/ --contact me@example.org --proxy http://a --proxy-auth settings.toml",
            "is not USER:PASSWORD",
        ),
        (
            "crawl sim https://a.example/ --contact me@example.org --header Authorization:x",
            "every host would get it",
        ),
        (
            "crawl sim https://a.example/ --contact me@example.org --header X",
            "is not a name, a colon and a value",
        ),
        ("crawl sim https://a.example/ --contact me@example.org --header Host:x", "is set by the crawler"),
        (
            "crawl sim https://a.example/ --contact me@example.org --browser-cookies settings.toml",
            "line 1: is not a cookie",
        ),
        ("crawl sim https://a.example/ --contact me@example.org --keep-type html", "is not a media type"),
        ("crawl sim https://a.example/ --contact me@example.org --warc-prefix a/b", "--warc-prefix a/b"),
        (
            "crawl sim https://a.example/ --contact me@example.org --warcinfo software:x",
            "is written by the crawler",
        ),
        (
            "crawl sim https://a.example/ --contact me@example.org --canonical upper",
            "is not a canonicalisation rule",
        ),
        (
            "crawl sim https://a.example/ --contact me@example.org --allow-private-host a/9",
            "is not a host, an IP address or a network",
        ),
        (
            "crawl sim https://a.example/ --contact me@example.org --max-crawl-delay=-1",
            "--max-crawl-delay -1",
        ),
    ] {
        let ran = scene.run(line);
        assert!(ran.code == Some(2) && stderr(&ran).contains(said), "{ran}");
    }
    let child = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .args(words(&web, "0.2"))
        .args(["--host-settings", "settings.toml"])
        .current_dir(scene.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let began = std::time::Instant::now();
    while scene.run("crawl set sim").code != Some(0) && began.elapsed().as_secs() < 30 {
        thread::sleep(Duration::from_millis(50));
    }
    let said = |line: &str| {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(0), "{ran}");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    assert!(said("crawl pause sim").contains("paused; delay 0.2 s, per server 0 s, "));
    let set =
        said("crawl set sim --delay 0.05 --rate 90 --bandwidth 1M --exclude regex:/zzz --max-pages 5000");
    for part in [
        "paused; delay 0.05 s",
        "5,000 pages more, 90 requests/s, 1 MB/s",
        "exclude regex:/zzz",
        "settings.toml",
    ] {
        assert!(set.contains(part), "{part}: {set}");
    }
    thread::sleep(Duration::from_millis(2_500));
    let status = said("crawl status sim");
    assert!(status.contains("paused; delay 0.05 s") && status.contains("settings.toml, read 2"), "{status}");
    assert!(!said("crawl resume sim").contains("paused"));
    said("crawl stop sim");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(!scene.folder().join("sim/control").exists());
}

#[test]
fn a_crawl_that_is_killed_at_any_moment_goes_on() {
    let (web, scene) = web(World::polite_test(5, 30, 900));
    let rules = OracleRules { certificates: false, ..OracleRules::default() };
    let expected = oracle(web.world(), web.world().seeds(2), &rules);
    let words = words(&web, "0.01");
    for at in 0..KILLS {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .args(&words)
            .current_dir(scene.folder())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        thread::sleep(Duration::from_millis(60 + (at * 97) % 400));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    let last = scene.run(&line(&words));
    assert_eq!(last.code, Some(0), "{last}");
    let asked = web.asked();
    assert_eq!(expected.pages.difference(&asked.pages).take(5).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(asked.pages.difference(&expected.pages).take(5).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(scene.run("warc check sim/archive").code, Some(0));
    let audit = web.audit(&AuditRules { host_delay_ms: 10, ..AuditRules::default() });
    let faults = &audit.faults;
    for (name, finding) in faults.all() {
        let allowed = match name {
            // Who was killed before writing an answer down asks for it again, and does not know what it said: to come back
            // later, or not so often.
            "repeated" | "repeated_robots" | "retry_after" => KILLS * IN_FLIGHT,
            "crawl_delay" if finding.examples.iter().all(|example| example.ends_with("/robots.txt")) => KILLS,
            _ => 0,
        };
        assert!(finding.count <= allowed, "{name}: {finding:?}");
    }
    let twice = count(&scene, "select count(*) - count(distinct url) n from pages where status = 200");
    let twice: u64 = twice.trim_start_matches("n ").parse().expect("a number");
    assert!(twice <= KILLS * IN_FLIGHT, "{twice} pages twice");
}

#[test]
fn who_crawls_must_be_reachable_and_may_not_look_inside() {
    let scene = scene().file("empty.pem", "");
    for (line, said) in [
        ("crawl sim https://a.example/", "--contact"),
        ("crawl sim https://a.example/ --contact me", "not a mail address or URL"),
        ("crawl sim --contact me@example.org", "no seeds"),
        ("crawl sim ftp://a.example/ --contact me@example.org", "not a URL that can be crawled"),
        ("crawl sim https://a.example/ --contact me@example.org --sieve colander", "--sieve"),
        ("crawl sim https://a.example/ --contact me@example.org --compress lzma", "unknown compression"),
        ("crawl sim https://a.example/ --contact me@example.org --exclude regex:(", "rule `regex:(`"),
        ("crawl sim @none.txt --contact me@example.org", "cannot read none.txt"),
        ("crawl sim https://a.example/ --contact me@example.org --hosts none", "cannot read"),
        ("crawl a/b/c https://a.example/ --contact me@example.org", "create the folder a/b first"),
        ("crawl status sim", "no crawl was started here"),
        ("crawl status sim --failed", "no crawl was started here"),
        ("crawl sim https://a.example/ --contact me@example.org --in-flight 0", "1..=65535"),
        ("crawl sim https://a.example/ --contact me@example.org --tries 0", "1..=255"),
        ("crawl sim https://a.example/ --contact me@example.org --max-redirects 32", "0..=31"),
        ("crawl sim https://a.example/ --contact me@example.org --sieve-memory 0", "the minimum is 1 MB"),
        ("crawl sim https://a.example/ --contact me@example.org --max-size 0", "the minimum is 1 B"),
        ("crawl sim mailto:me@example.org --contact me@example.org", "not a URL that can be crawled"),
        ("crawl sim me@example.org --contact me@example.org", "not a URL that can be crawled"),
        ("crawl sim https://a.example/ --contact me@example.org --tls-ca none.pem", "cannot read none.pem"),
        ("crawl sim https://a.example/ --contact me@example.org --tls-ca empty.pem", "no certificate in PEM"),
        (
            "crawl sim https://a.example/ --contact me@example.org --tls never",
            "[possible values: record, strict]",
        ),
    ] {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(2), "{ran}");
        assert!(stderr(&ran).contains(said), "{ran}");
        assert!(!scene.folder().join("sim").exists(), "{line}: nothing is made");
    }
    let ran = scene.run("crawl sim http://127.0.0.1/ --contact me@example.org --delay 0");
    assert_eq!(ran.code, Some(1), "{ran}");
    assert!(
        stderr(&ran).contains("address-refused") && stderr(&ran).contains("waiting for permission"),
        "{ran}"
    );
}

#[test]
fn bad_seeds_of_a_file_are_told_and_the_rest_goes_on() {
    let (web, scene) = web(World::demo(2));
    let seed = &web.world().seeds(1)[0];
    let scene = scene.file("seeds.txt", format!("# seeds\nnot an address\n\n{seed}\n"));
    let flags =
        "--contact me@example.org --hosts hosts --allow-private --delay 0 --server-delay 0 --max-pages 3";
    let ran = scene.run(&format!("crawl sim @seeds.txt {flags}"));
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(stderr(&ran).contains("seeds.txt: line 2: `not an address`"), "{ran}");
    assert!(stderr(&ran).contains("3 responses"), "{ran}");
}

#[test]
fn damaged_state_is_told_and_left_as_it_is() {
    let (web, scene) = web(World::demo(3));
    assert_eq!(scene.run(&format!("{} --max-pages 5", line(&words(&web, "0")))).code, Some(0));
    for file in ["done", "crawl.json", "sieve/urls", "sieve/seen", "sieve/offered"] {
        let path = scene.folder().join("sim/frontier").join(file);
        let whole = std::fs::read(&path).expect("it is there");
        let damaged = b"this is something else altogether, and long enough to be read";
        std::fs::write(&path, damaged).expect("it can be written");
        let ran = scene.run("crawl sim --allow-private");
        assert_eq!(ran.code, Some(2), "{file}: {ran}");
        assert!(stderr(&ran).contains(file), "{file}: {ran}");
        assert_eq!(std::fs::read(&path).expect("it is there"), damaged, "{file}");
        std::fs::write(&path, whole).expect("it can be written");
    }
    std::fs::rename(scene.folder().join("sim/frontier/sieve"), scene.folder().join("away")).expect("moved");
    let ran = scene.run("crawl sim --allow-private");
    assert!(ran.code == Some(2) && stderr(&ran).contains("it has no URLs"), "{ran}");
    std::fs::remove_dir_all(scene.folder().join("sim/frontier/sieve")).expect("removed");
    std::fs::rename(scene.folder().join("away"), scene.folder().join("sim/frontier/sieve")).expect("moved");
    assert_eq!(scene.run("crawl sim --allow-private").code, Some(0), "mended, it goes on");
}

#[test]
fn an_interrupted_crawl_says_how_to_go_on() {
    let (web, scene) = web(World::polite_test(6, 20, 400));
    let child = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .args(words(&web, "0.2"))
        .current_dir(scene.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    thread::sleep(Duration::from_millis(1500));
    let signal = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("it runs");
    assert!(signal.success());
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(said.contains("tamis crawl sim"), "{said}");
    let status = scene.run("crawl status sim");
    assert!(String::from_utf8_lossy(&status.stdout).contains("stopped"), "{status}");
}

/// A web of servers that speak TLS; some show a certificate for somebody else.
fn secure_web() -> (Running, Scene) {
    let quirks = vec![(Quirk::BadCertificate, 0.5)];
    let (web, scene) = web(World::new(WorldOptions { tls: 1.0, quirks, ..WorldOptions::plain(3, 8, 60) }));
    let pem = web.ca_pem().to_owned();
    (web, scene.file("ca.pem", pem))
}

#[test]
fn certificates_that_fail_are_counted_and_refused_only_if_asked() {
    let (web, scene) = secure_web();
    let ran = scene.run(&format!("{} --tls-ca ca.pem", line(&words(&web, "0"))));
    let said = "servers whose certificate failed the check: ";
    let told = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        text.lines().find(|line| line.starts_with("certificates ")).map(str::to_owned)
    };
    let summary = told(&ran.stderr).unwrap_or_default();
    assert!(ran.code == Some(0) && summary.contains(said) && summary.ends_with(" other-host"), "{ran}");
    let status = scene.run("crawl status sim");
    assert_eq!(told(&status.stdout).as_deref(), Some(&*summary), "{status}");
    let json = scene.run("crawl status sim --json");
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert!(json["figures"]["unverified"]["other-host"].as_u64() > Some(0), "{json}");
    let heads = scene.run("warc cat sim/archive");
    let heads = String::from_utf8_lossy(&heads.stdout).into_owned();
    for field in ["Tamis-TLS-Certificate: valid", "Tamis-TLS-Certificate: failed (other-host)"] {
        assert!(heads.contains(field), "{field}");
    }
}

#[test]
fn a_strict_crawl_lists_what_it_refused() {
    let (web, scene) = secure_web();
    // The authority of the simulated web is not trusted here.
    let strict = scene.run(&format!("{} --tls strict", line(&words(&web, "0"))));
    assert!(strict.code == Some(1) && stderr(&strict).contains("certificate"), "{strict}");
    let failed = scene.run("crawl status sim --failed");
    let kinds = String::from_utf8_lossy(&failed.stdout).into_owned();
    assert!(!kinds.is_empty(), "{failed}");
    assert!(kinds.lines().all(|line| line.split('\t').nth(1) == Some("certificate")), "{failed}");
    let again = scene.run("crawl sim --allow-private --retry-failed");
    assert!(again.code == Some(1), "it is still strict: {again}");
    let lenient = scene.run("crawl sim --allow-private --retry-failed --tls record");
    assert!(lenient.code == Some(0) && stderr(&lenient).contains(" unknown-issuer"), "{lenient}");
}

#[test]
fn a_file_is_no_seed_and_a_port_is_no_scheme() {
    let scene = scene().file("seeds.txt", "https://a.example/\n");
    let ran = scene.run("crawl sim seeds.txt --contact me@example.org --dry-run");
    assert!(ran.code == Some(2) && stderr(&ran).contains("`@seeds.txt` reads seeds"), "{ran}");
    let ran = scene.run("crawl sim @seeds.txt a.example:8080/x [::1]:80 --contact me@example.org --dry-run");
    assert!(ran.code == Some(0) && stderr(&ran).contains("3 seeds on 2 hosts"), "{ran}");
}

#[test]
fn passwords_of_seeds_are_written_nowhere() {
    let scene = scene().file("seeds.txt", "http://me:sesame@127.0.0.1:2/b\n");
    let words =
        "--contact me@example.org --allow-private --robots-off 127.0.0.1 --tries 1 --back-off 0 --delay 0";
    let ran = scene.run(&format!("crawl sim http://me:sesame@127.0.0.1:2/a @seeds.txt {words}"));
    assert_eq!(ran.code, Some(1), "{ran}");
    let failed = scene.run("crawl status sim --failed");
    let failed = String::from_utf8_lossy(&failed.stdout).into_owned();
    assert!(
        failed.contains("http://127.0.0.1:2/a\t") && failed.contains("http://127.0.0.1:2/b\t"),
        "{failed}"
    );
    for file in scene.files().into_iter().filter(|file| file.starts_with("sim/")) {
        let path = scene.folder().join(&file);
        let bytes = if path.is_file() { std::fs::read(&path).expect("reads") } else { Vec::new() };
        assert!(!bytes.windows(6).any(|window| window == b"sesame"), "{file}");
    }
}

#[test]
fn what_failed_is_listed_and_tried_again() {
    let scene = scene();
    // Nobody listens there.
    let words =
        "--contact me@example.org --allow-private --robots-off 127.0.0.1 --tries 2 --back-off 0 --delay 0";
    let ran = scene.run(&format!("crawl sim http://127.0.0.1:2/ {words}"));
    assert!(ran.code == Some(1) && stderr(&ran).contains("tamis crawl status --failed sim"), "{ran}");
    let listed = |flags: &str| {
        let ran = scene.run(&format!("crawl status sim {flags}"));
        assert_eq!(ran.code, Some(0), "{ran}");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let failed = listed("--failed");
    let fields: Vec<&str> = failed.trim_end().split('\t').collect();
    assert_eq!([fields[0], fields[1], fields[3]], ["http://127.0.0.1:2/", "connection-refused", "2"]);
    assert!(listed("--failed --json").starts_with('{') && listed("--refused").is_empty());
    let again = scene.run("crawl sim --allow-private");
    assert!(stderr(&again).contains("2 connection-refused"), "nothing is asked for again: {again}");
    let again = scene.run("crawl sim --allow-private --retry-failed");
    assert!(stderr(&again).contains("4 connection-refused"), "{again}");
}

#[test]
fn a_wider_scope_looks_at_stored_pages_again() {
    let (web, scene) = web(World::demo(4));
    let narrow = scene.run(&format!("{} --max-depth 0", line(&words(&web, "0"))));
    assert!(narrow.code == Some(0) && stderr(&narrow).contains("too-deep"), "{narrow}");
    let before = count(&scene, "select count(*) n from pages");
    let wide = scene.run("crawl sim --allow-private --max-depth 9");
    assert!(wide.code == Some(0) && stderr(&wide).contains("the scope has changed"), "{wide}");
    assert_ne!(before, count(&scene, "select count(*) n from pages"));
    let again = scene.run("crawl sim --allow-private");
    assert!(!stderr(&again).contains("the scope has changed"), "{again}");
}

#[test]
fn figures_are_there_at_once_and_after_a_kill() {
    let (web, scene) = web(World::polite_test(7, 20, 400));
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .args(words(&web, "0.05"))
        .current_dir(scene.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let began = std::time::Instant::now();
    while !scene.folder().join("sim/frontier/status.json").exists() && began.elapsed().as_secs() < 20 {
        thread::sleep(Duration::from_millis(5));
    }
    let said = |flags: &str| {
        String::from_utf8_lossy(&scene.run(&format!("crawl status sim {flags}")).stdout).into_owned()
    };
    assert!(said("").starts_with("state           running"), "{}", said(""));
    thread::sleep(Duration::from_millis(1200));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(said("").starts_with("state           killed"), "{}", said(""));
    for line in ["pages           0 ", "stored          0 ", "hosts           0 ", "links           0 "] {
        assert!(!said("").contains(line), "{}", said(""));
    }
    assert!(said("--json").contains("\"state\": \"killed\""), "{}", said("--json"));
}

#[test]
fn what_was_cut_off_is_told_of_in_queries_and_in_status() {
    let (web, scene) = web(World::demo(5));
    assert_eq!(
        scene.run(&format!("{} --max-size 500 --max-pages 20", line(&words(&web, "0")))).code,
        Some(0)
    );
    let cut = count(&scene, "select count(*) n from pages where cut and truncated");
    assert_ne!(cut, "n 0");
    std::fs::write(scene.folder().join("sim/archive/sim-1.warc.gz.torn"), "half").expect("writes");
    let status = scene.run("status sim");
    assert_eq!(status.code, Some(0), "{status}");
    let said = String::from_utf8_lossy(&status.stdout);
    assert!(
        said.contains("sim-1.warc.gz.torn: cut off after the last complete record")
            && !said.contains("tamis import"),
        "{said}"
    );
}
