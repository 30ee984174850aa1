//! Real `robots.txt` files, and what other parsers' authors expect of theirs.

use std::fs;
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use tamis_crawl::robots::{LONGEST_DELAY_MS, MAX_BYTES, Robots};

#[derive(Deserialize)]
struct Case {
    test: String,
    robots: String,
    agent: String,
    url: String,
    allowed: bool,
}

#[test]
fn every_case_of_google() {
    let Some(folder) = tamis_testkit::real_data("robots/google-robotstxt") else { return };
    let text = fs::read_to_string(folder.join("cases.json")).expect("the cases are there");
    let cases: Vec<Case> = serde_json::from_str(&text).expect("they are JSON");
    assert_eq!(cases.len(), 142);
    for Case { test, robots, agent, url, allowed } in cases {
        let found = Robots::parse(robots.as_bytes(), &agent).allows(path_of(&url));
        assert_eq!(found, allowed, "{test}: {agent} {url} in {robots:?}");
    }
}

/// Path and query as they are written, without what a URL parser would make of them.
fn path_of(url: &str) -> &str {
    let behind_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    behind_scheme.find('/').map_or("/", |slash| &behind_scheme[slash..])
}

#[test]
fn files_of_crawler_commons_say_what_its_tests_expect() {
    let Some(folder) = tamis_testkit::real_data("robots/crawler-commons/resources/robots") else { return };
    for (file, agent, path, allowed) in [
        ("directive-typos-robots.txt", "bot1", "/desallow/", false),
        ("directive-typos-robots.txt", "bot1", "/dissalow/", false),
        ("directive-typos-robots.txt", "bot2", "/useragent/", false),
        ("directive-typos-robots.txt", "bot2", "/desallow/", true),
        ("directive-typos-robots.txt", "bot3", "/useg-agent/", false),
        ("directive-typos-robots.txt", "bot4", "/useragent-no-colon/", false),
        ("format-errors-robots.txt", "bot1", "/whitespace-before-colon/", false),
        ("format-errors-robots.txt", "bot1", "/no-colon/", false),
        ("format-errors-robots.txt", "bot2", "/no-colon-useragent/", false),
        ("format-errors-robots.txt", "bot3", "/whitespace-before-colon/", true),
        ("format-errors-robots.txt", "bot3", "/other", false),
        ("many-user-agents.txt", "wget", "/", false),
        ("many-user-agents.txt", "nobody", "/", true),
        ("many-user-agents.txt", "nobody", "/bot-trap/", false),
        ("malformed-path.txt", "bot1", "/wiki/Wikipedia_talk:Mediation_Committee/", false),
        ("malformed-path.txt", "bot1", "/wiki/", true),
        ("dos-line-endings.txt", "bot1", "/", true),
        ("wildcards.txt", "anybot", "/wishlist/bogus", false),
        ("wildcards.txt", "anybot", "/wishlist/universal/page", true),
        ("wildcards.txt", "anybot", "/anydirectoryhere/gcrnsts", false),
        ("www.flot.com-robots.txt", "anybot", "/img/", false),
        ("robots-with-utf8-bom.txt", "anybot", "/profile", false),
        ("robots-with-utf16le-bom.txt", "anybot", "/profile", false),
        ("robots-with-utf16be-bom.txt", "anybot", "/profile", false),
        ("merge-rules.txt", "wget", "/foo/bar", true),
        ("merge-rules.txt", "wget", "/tmp/bar", false),
        ("merge-rules.txt", "curl", "/tmp", false),
        ("merge-rules.txt", "anybot", "/foo/bar", false),
        ("precedence-of-rules.txt", "testy", "/foo/bar", true),
        ("precedence-of-rules.txt", "testy", "/foo/b", false),
        ("precedence-of-rules.txt", "wget", "/foo", true),
        ("precedence-of-rules.txt", "wget", "/bar", false),
        ("rfc9309-example-longest-match-robots.txt", "foobot", "/example/page/a", true),
        ("rfc9309-example-longest-match-robots.txt", "foobot", "/example/page/disallowed.gif", false),
        ("rfc9309-example-rule-group-merging.txt", "examplebot", "/baz", false),
        ("rfc9309-example-rule-group-merging.txt", "examplebot", "/foo", false),
        ("rfc9309-example-rule-group-merging.txt", "bazbot", "/foo", true),
        ("rfc9309-example-rule-group-merging.txt", "bazbot", "/baz", false),
        ("rfc9309-example-simple-robots.txt", "anybot", "/a.gif", false),
        ("rfc9309-example-simple-robots.txt", "foobot", "/example/page.html", true),
        ("rfc9309-example-simple-robots.txt", "foobot", "/publications/", false),
        ("rfc9309-example-simple-robots.txt", "bazbot", "/example/page.html", false),
        ("rfc9309-example-simple-robots.txt", "quxbot", "/example/page.html", true),
        ("crawl-delay-group-merging.txt", "mybot", "/private/", false),
        ("crawl-delay-group-merging.txt", "yourbot", "/private/", false),
        ("crawl-delay-group-merging.txt", "yourbot", "/login/", false),
        ("crawl-delay-group-merging.txt", "anybot", "/login/", true),
    ] {
        assert_eq!(of_file(&folder.join(file), agent).allows(path), allowed, "{file}: {agent} {path}");
    }
}

#[test]
fn delays_and_sitemaps_of_crawler_commons() {
    let Some(folder) = tamis_testkit::real_data("robots/crawler-commons/resources/robots") else { return };
    for (file, agent, delay_ms, sitemaps) in [
        ("astore.amazon.com-robots.txt", "anybot", Some(5_000), 0),
        ("crawl-delay-group-merging.txt", "mybot", Some(10_000), 0),
        ("crawl-delay-group-merging.txt", "anybot", Some(30_000), 0),
        ("dos-line-endings.txt", "anybot", Some(1_000), 0),
        ("extended-standard-robots.txt", "bot1", Some(2_000), 0),
        ("extended-standard-robots.txt", "bot3", Some(12_000), 0),
        ("extended-standard-robots.txt", "bot4", Some(125), 0),
        ("extended-standard-robots.txt", "anybot", None, 0),
        ("sitemap-robots.txt", "anybot", None, 3),
        ("sitemap-robots-dedup.txt", "anybot", None, 1),
        ("relative-sitemap-robots.txt", "anybot", None, 1),
        ("format-errors-robots.txt", "anybot", None, 1),
        ("twitter.com-robots.txt", "slurp", Some(1_000), 0),
        ("twitter.com-robots.txt", "anybot", None, 0),
    ] {
        let robots = of_file(&folder.join(file), agent);
        assert_eq!(robots.crawl_delay_ms(), delay_ms, "{file}: {agent}");
        assert_eq!(robots.sitemaps().len(), sitemaps, "{file}: {agent}");
    }
}

#[test]
fn files_of_temoto() {
    let Some(folder) = tamis_testkit::real_data("robots/temoto/_gofuzz/corpus") else { return };
    for (file, agent, path, allowed) in [
        ("disallow-all", "anybot", "/", false),
        ("google-matching", "c", "/fishheads/yummy.html", false),
        ("google-matching", "c", "/catfish", true),
        ("google-matching", "f", "/fish/", false),
        ("google-matching", "h", "/filename.php5", true),
        ("google-precedence", "a", "/page", true),
        ("google-precedence", "b", "/folder/page", true),
        ("google-precedence", "c", "/page.htm", false),
        ("google-precedence", "d", "/", true),
        ("google-precedence", "e", "/page.htm", false),
        ("google-wildcards", "anybot", "/path-to-l", false),
        ("google-wildcards", "anybot", "/path-to-lx", true),
        ("grouping", "b", "/a", false),
        ("grouping", "b", "/c", false),
        ("grouping", "a", "/c", true),
        ("html", "anybot", "/", true),
        ("wild-002", "anybot", "/it/oroscopo-di-oggi/x", false),
    ] {
        assert_eq!(of_file(&folder.join(file), agent).allows(path), allowed, "{file}: {agent} {path}");
    }
    assert_eq!(of_file(&folder.join("google-delays"), "b").crawl_delay_ms(), Some(3_500));
    assert_eq!(of_file(&folder.join("parse-error-003"), "bot").crawl_delay_ms(), None);
}

#[test]
fn two_thousand_real_files() {
    let Some(folder) = tamis_testkit::real_data("robots/protego/test_data") else { return };
    let (mut files, mut rules, mut heap, mut sitemaps, mut delays, mut closed) = (0, 0, 0, 0, 0, 0);
    let mut slowest = (0, String::new());
    for entry in fs::read_dir(&folder).expect("the folder lists") {
        let path = entry.expect("it lists").path();
        let bytes = fs::read(&path).expect("it reads");
        let start = Instant::now();
        let robots = Robots::parse(&bytes, "tamis");
        for long in ["a".repeat(2_000), "a/?&=".repeat(400)] {
            robots.allows(&format!("/{long}"));
        }
        slowest = slowest.max((start.elapsed().as_micros(), path.display().to_string()));
        files += 1;
        rules += robots.rule_count();
        heap += robots.heap_bytes();
        sitemaps += robots.sitemaps().len();
        delays += usize::from(robots.crawl_delay_ms().is_some());
        closed += usize::from(!robots.allows("/"));
        assert!(robots.heap_bytes() <= 4 * bytes.len().min(MAX_BYTES) + 64, "{}", path.display());
        assert!(robots.crawl_delay_ms() <= Some(LONGEST_DELAY_MS));
        assert!(robots.allows("/robots.txt"));
    }
    println!(
        "{files} files, {rules} rules, {heap} bytes, {sitemaps} sitemaps, {delays} delays, {closed} closed, {slowest:?}"
    );
    assert!(files >= 2_000 && rules > 30_000 && sitemaps > 4_000 && (100..400).contains(&delays));
    assert!((20..300).contains(&closed), "{closed} of {files} close all to a robot that they do not know");
}

fn of_file(path: &Path, agent: &str) -> Robots {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Robots::parse(&bytes, agent)
}
