//! `tamis fetch`, `tamis build` and `tamis report`: from seeds to a collection that can be shown.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tamis_sim::{Running, ServeOptions, World, WorldOptions, serve};
use tamis_testkit::{ArchiveBuilder, Ran, Record, Scene, http_response};

use crate::scene;

/// Settings of crawls of a web on loopback.
const QUICK: &str = "--contact me@example.org --hosts hosts --allow-private --server-delay 0 --back-off 0.05 --timeout 5 --delay 0";

fn web() -> (Running, Scene) {
    let web = serve(Arc::new(World::demo(1)), &ServeOptions::default()).expect("listens");
    let scene = scene().file("hosts", web.hosts_file());
    (web, scene)
}

fn stdout(ran: &Ran) -> String {
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

fn plan(web: &Running) -> String {
    let seeds: Vec<String> = web.world().seeds(2).into_iter().map(|seed| format!("{seed:?}")).collect();
    format!(
        "collection = 'made'\nevent = 'A demo'\n[crawl]\ninputs = [{}]\ncontact = 'me@example.org'\nhosts = 'hosts'\n\
         allow-private = true\nscope = 'any'\nserver-delay = 0\nback-off = 0.05\ntimeout = 5\ndelay = 0\n\
         [clean]\n[dedup]\n[[output]]\nsql = 'select url, title from pages where duplicate_of is null order by url'\n\
         output = 'pages.csv'\n[[output]]\nsql = 'select distinct url from pages order by url'\noutput = 'urls.csv'\n[report]\n[done]\ncommand = ['sh', '-c', 'echo $TAMIS_STEP >> told.txt']\n",
        seeds.join(", ")
    )
}

#[test]
fn a_plan_is_built_and_only_what_is_missing_is_done_again() {
    let (web, scene) = web();
    let scene = scene.file("plan.toml", plan(&web));
    let ran = scene.run("build plan.toml");
    assert_eq!(ran.code, Some(0), "{ran}");
    let read = |name: &str| fs::read_to_string(scene.folder().join(name)).unwrap_or_default();
    assert_eq!(read("told.txt"), "crawl\nclean\ndedup\noutput\noutput 2\nreport\n");
    let rows = read("pages.csv");
    assert!(rows.lines().count() > 10, "{rows}");
    let page = read("made/report.html");
    assert!(page.contains("<h2>Languages</h2>") && page.contains("<svg"), "{page}");
    assert_eq!(read("made/events.jsonl").lines().count(), 6);
    let again = scene.run("build plan.toml");
    assert_eq!(again.code, Some(0), "{again}");
    let told = String::from_utf8_lossy(&again.stderr).into_owned();
    assert_eq!(told.matches(": nothing to do").count(), 6, "{told}");
    assert_eq!(read("pages.csv"), rows);
    let mut elsewhere = Command::new(env!("CARGO_BIN_EXE_tamis"));
    let elsewhere =
        elsewhere.arg("build").arg(scene.folder().join("plan.toml")).current_dir(env!("CARGO_TARGET_TMPDIR"));
    let told = String::from_utf8_lossy(&elsewhere.output().expect("it runs").stderr).into_owned();
    assert_eq!(told.matches(": nothing to do").count(), 6, "given in another folder it is the same: {told}");
    fs::remove_file(scene.folder().join("pages.csv")).expect("it is there");
    let told = String::from_utf8_lossy(&scene.run("build plan.toml").stderr).into_owned();
    assert_eq!(told.matches(": nothing to do").count(), 5, "{told}");
    assert_eq!(read("pages.csv"), rows);
    let scene = scene.file("plan.toml", plan(&web).replace("urls.csv", "hosts"));
    let refused = scene.run("build plan.toml");
    assert_eq!(refused.code, Some(2), "a file that was there is not replaced: {refused}");
}

#[test]
fn a_file_more_that_a_plan_means_is_taken_in() {
    let page = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
                WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nContent-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n";
    let scene =
        scene().file("plan.toml", "collection = 'c'\n[import]\ninputs = ['*.warc']\n").file("one.warc", page);
    assert_eq!(scene.run("build plan.toml").code, Some(0));
    let told = |ran: &Ran| String::from_utf8_lossy(&ran.stderr).into_owned();
    let again = scene.run("build plan.toml");
    assert!(told(&again).contains("import: nothing to do"), "{again}");
    let scene = scene.file("two.warc", page.replace("a.example", "b.example"));
    let more = scene.run("build plan.toml");
    assert!(!told(&more).contains("nothing to do"), "{more}");
    let count = scene.run("query c 'select count(*) n from pages' --format csv");
    assert_eq!(stdout(&count).lines().nth(1), Some("2"), "{count}");
}

#[test]
fn fetching_leaves_to_a_crawl_what_is_the_crawls() {
    let (web, scene) = web();
    let seeds = web.world().seeds(2);
    let scene = scene.file("urls.txt", format!("{}\n", seeds[1]));
    let ran = scene.run(&format!("crawl got {} --scope any --max-pages 3 {QUICK}", seeds[0]));
    assert_eq!(ran.code, Some(0), "{ran}");
    let count = || stdout(&scene.run("query got 'select count(*) n from pages' --format csv"));
    let crawled = count();
    let ran = scene.run(&format!("fetch got urls.txt {QUICK}"));
    assert_eq!(ran.code, Some(0), "{ran}");
    let number = |text: &str| text.lines().nth(1).and_then(|line| line.trim().parse::<u64>().ok());
    let (before, after) = (number(&crawled).expect("a count"), number(&count()).expect("a count"));
    assert!((1..=4).contains(&(after - before)), "an address and what it leads to: {before}, {after}");
    let again = scene.run(&format!("crawl got --max-pages 3 {QUICK}"));
    assert_eq!(again.code, Some(0), "{again}");
    assert!(number(&count()) > Some(after), "the crawl goes on");
}

/// Starts a build and kills it so long after its step `step` of six began. Whether that step began at all.
fn kill_in_step(scene: &Scene, step: usize, after: Duration) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .args(["build", "plan.toml"])
        .current_dir(scene.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let told = BufReader::new(child.stderr.take().expect("it is piped"));
    let begins = format!("[{step}/6] ");
    let mut lines = told.lines().map_while(Result::ok);
    let begun = lines.any(|line| line.starts_with(&begins) && !line.ends_with("nothing to do"));
    thread::sleep(after);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    begun
}

#[test]
fn a_build_that_is_killed_in_each_step_makes_the_same_collection() {
    let (web, scene) = web();
    let scene = scene.file("plan.toml", plan(&web));
    let kills = (1..=6).flat_map(|step| [0, 15, 90].map(|after_ms| (step, Duration::from_millis(after_ms))));
    // A fast step may be done before its kill arrives, and the one after it too.
    let landed = kills.filter(|&(step, after)| kill_in_step(&scene, step, after)).count();
    assert!(landed >= 3, "only {landed} of 18 kills met a step at work");
    let calm = self::scene().file("hosts", web.hosts_file()).file("plan.toml", plan(&web));
    // How often a site refused is for it to say: a request that was cut off counts for it. Which of two equal pages
    // comes first, and so holds the text, is chance. A kill may have rules fetched once more.
    let asks = [
        "select url, status from pages where status not in (429, 503) and url not like $$%/robots.txt$$ order by url, status",
        "select distinct title, text from pages where status not in (429, 503) and url not like $$%/robots.txt$$ order by title, text",
        "select count(*), count(duplicate_of) from pages where status not in (429, 503) and url not like $$%/robots.txt$$",
    ];
    let made = |scene: &Scene| {
        let ran = scene.run("build plan.toml");
        assert_eq!(ran.code, Some(0), "{ran}");
        let urls = fs::read_to_string(scene.folder().join("urls.csv")).expect("it was written");
        let rows = asks.map(|sql| stdout(&scene.run(&format!("query made '{sql}' --format csv"))));
        assert!(rows[0].lines().count() > 10, "{}", rows[0]);
        (urls, rows)
    };
    assert_eq!(made(&scene), made(&calm));
}

#[test]
fn the_pages_of_a_plan_are_counted_over_all_runs() {
    let (web, scene) = web();
    let limited = plan(&web).replace("[crawl]\n", "[crawl]\nmax-pages = 12\n");
    let scene = scene.file("plan.toml", limited);
    // Killed soon, so that the crawl is done in two runs.
    kill_in_step(&scene, 1, Duration::from_millis(60));
    assert_eq!(scene.run("build plan.toml").code, Some(0));
    let status =
        fs::read_to_string(scene.folder().join("made/frontier/status.json")).expect("it was written");
    let status: serde_json::Value = serde_json::from_str(&status).expect("JSON");
    assert_eq!(
        (&status["state"], &status["figures"]["sums"]["pages"]),
        (&"limit".into(), &12.into()),
        "{status}"
    );
}

#[test]
fn plans_that_are_wrong_are_told_before_anything_is_done() {
    let scene = scene()
        .file("unknown.toml", "collection = 'c'\n[crwal]\n")
        .file("option.toml", "collection = 'c'\n[clean]\n[dedup]\nnaer = 'none'\n");
    scene.check("build-unknown", "build unknown.toml");
    scene.check("build-option", "build option.toml");
    scene.check("build-none", "build none.toml");
    for (name, steps) in [
        ("sql", "[[output]]\nsql = 'select titel from pages'\noutput = 'o.csv'"),
        ("column", "[clean]\ncolumns = ['titel']"),
        ("input", "[import]\ninputs = ['none.warc']"),
        ("focus", "[crawl]\ninputs = ['http://a.example/']\nfocus = 'none.txt'"),
        ("contact", "[import]\ninputs = ['contact.toml']\n[crawl]\ninputs = ['http://a.example/']"),
        ("inside", "[[output]]\nsql = 'select url from pages'\noutput = 'c/seeds.tsv'"),
    ] {
        let file = format!("{name}.toml");
        let scene = self::scene().file(&file, format!("collection = 'c'\n{steps}\n"));
        scene.check(&format!("build-{name}"), &format!("build {file} --dry-run"));
    }
    let scene = scene.file("empty.toml", "collection = 'c'\n");
    scene.check("build-empty", "build empty.toml");
    assert!(!scene.folder().join("c").exists(), "nothing was made");
}

#[test]
fn urls_are_fetched_to_the_end_of_their_redirects_and_no_further() {
    let (web, scene) = web();
    let seeds = web.world().seeds(3);
    let list = format!("{}\nhttp://nowhere.invalid/\n{}\n", seeds.join("\n"), seeds[0]);
    let scene = scene.file("urls.txt", list);
    let ran = scene.run(&format!("fetch got urls.txt {QUICK}"));
    assert_eq!(ran.code, Some(0), "{ran}");
    let fetched = fs::read_to_string(scene.folder().join("got/fetched.tsv")).expect("it was written");
    assert_eq!(fetched.lines().count(), seeds.len() + 2, "{fetched}");
    assert!(
        fetched.contains("http://nowhere.invalid/\t2001\tdead\t0\thttp://nowhere.invalid/\tno-such-host\n"),
        "{fetched}"
    );
    let pages = scene.run(
        "query got 'select count(distinct url) from pages where mime_type = $$text/html$$' --format csv",
    );
    let most = seeds.len() + fetched.lines().filter(|line| !line.contains("\t0\thttp")).count();
    let count: usize =
        stdout(&pages).lines().nth(1).and_then(|line| line.trim().parse().ok()).unwrap_or(usize::MAX);
    assert!(count <= most, "{count} pages of {most}: {fetched}");
    let again = scene.run(&format!("fetch got {QUICK}"));
    assert_eq!(again.code, Some(0), "{again}");
}

#[test]
fn a_report_has_shares_of_all_pages_and_tells_guessed_dates_apart() {
    let page = |head: &str, foot: &str| {
        http_response(
            "text/html",
            format!(
                "<title>t</title>{head}<p>Some words about a sieve, and some more of them.</p><footer>{foot}</footer>"
            ),
        )
    };
    let stated = "<meta property=article:published_time content=2019-05-06>";
    let mut archive = ArchiveBuilder::new()
        .plain(&Record::response("http://s0.example/stated", page(stated, "")))
        .plain(&Record::response("http://s0.example/guessed", page("", "© 2018 The Sieve")));
    for site in 0..23 {
        archive = archive.plain(&Record::response(&format!("http://s{site}.example/"), page("", "")));
    }
    let scene = scene().file("a.warc", archive.build());
    for line in ["new c", "import c a.warc", "clean c", "report c -o c.md"] {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(0), "{ran}");
    }
    let text = fs::read_to_string(scene.folder().join("c.md")).expect("it was written");
    assert!(
        text.contains("- **25** captures\n- **25** pages with text\n- **23** sites\n"),
        "key figures: {text}"
    );
    assert!(text.contains("| s0.example | 3 | 12.0 % |"), "of 25 captures: {text}");
    assert!(text.contains("| other | 3 | 12.0 % |"), "20 of 23 sites are shown: {text}");
    assert!(text.contains("1 date stated by the page. 1 guessed from its text"), "{text}");
    assert!(text.contains("23 captures without a date."), "{text}");
    assert!(
        text.contains("**Published: dates stated by pages (% of 25 captures)**")
            && text.contains("**Published: guessed dates (% of 25 captures)**"),
        "{text}"
    );
    assert!(
        text.contains("| 2018 | 0 | 0.0 % |\n| 2019 | 1 | 4.0 % |")
            || text.contains("| 2019-05 | 1 | 4.0 % |"),
        "{text}"
    );
}

/// All rows came back as unique, with exit code 0.
#[test]
fn a_plan_that_asks_for_duplicates_without_finding_them_says_so() {
    let page =
        |url: &str| Record::response(url, http_response("text/html", "<title>t</title><p>The same page."));
    let archive =
        ArchiveBuilder::new().plain(&page("http://a.example/")).plain(&page("http://b.example/")).build();
    let plan = |dedup: &str| {
        format!(
            "collection = 'c'\n[import]\ninputs = ['a.warc']\n[clean]\n{dedup}[[output]]\n\
             sql = 'select url from pages where duplicate_of is null'\noutput = 'out.csv'\n"
        )
    };
    let scene =
        scene().file("a.warc", archive).file("without.toml", plan("")).file("with.toml", plan("[dedup]\n"));
    let ran = scene.run("build without.toml");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.code == Some(2) && said.contains("2 captures of 1 archive not compared yet"), "{ran}");
    let ran = scene.run("build with.toml");
    assert_eq!(ran.code, Some(0), "{ran}");
    let rows = fs::read_to_string(scene.folder().join("out.csv")).expect("written");
    assert_eq!(rows, "url\nhttp://a.example/\n");
}

#[test]
fn a_report_says_what_is_not_there_yet() {
    let (web, scene) = web();
    let ran = scene.run(&format!("crawl got {} --scope host --max-pages 5 {QUICK}", web.world().seeds(1)[0]));
    assert_eq!(ran.code, Some(0), "{ran}");
    let ran = scene.run("report got -o got.md");
    assert_eq!(ran.code, Some(0), "{ran}");
    let text = fs::read_to_string(scene.folder().join("got.md")).expect("it was written");
    assert!(text.contains("## Duplicates\n\nNot known yet: run `tamis dedup got`."), "{text}");
    assert!(text.contains("| site | count |"), "{text}");
    let ran = scene.run("report got -o got.md");
    assert_eq!(ran.code, Some(2), "a file is not replaced unasked: {ran}");
    let ran = scene.run("report got -o got.pdf");
    assert_eq!(ran.code, Some(2), "it is no HTML under another name: {ran}");
}

#[test]
fn a_crawl_for_an_event_without_its_file_leaves_nothing_behind() {
    let scene = scene().file("hosts", "").file("broken.toml", "version = 1\n");
    for file in ["missing.txt", "missing.toml", "broken.toml"] {
        let ran = scene.run(&format!("crawl sim http://a.example/ --focus {file} {QUICK}"));
        assert_eq!(ran.code, Some(2), "{ran}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains(file), "{ran}");
        assert!(!scene.folder().join("sim").exists(), "{file} leaves a folder");
    }
}

#[test]
fn a_crawl_for_an_event_learns_it_and_says_what_each_page_has_of_it() {
    let world = World::new(WorldOptions::eventful(11, 40, 12_000));
    let web = serve(Arc::new(world), &ServeOptions::default()).expect("listens");
    let articles = web.world().event_articles(2, 6);
    let scene = scene().file("hosts", web.hosts_file()).file("model.txt", articles[..3].join("\n"));
    let seeds = articles[3..].join(" ");
    let line = format!("crawl sim {seeds} --scope any --focus model.txt --max-pages 80 {QUICK}");
    let ran = scene.run(&line);
    assert_eq!(ran.code, Some(0), "{ran}");
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(told.contains("learned from 3 pages: ") && told.contains("harvest "), "{told}");
    let shown = scene.run("focus show sim --top 3");
    let model = stdout(&shown);
    assert!(model.contains("weights: terms 0.") && model.contains("a page is relevant at "), "{shown}");
    let ranked = scene.run("focus ranked sim");
    let first = stdout(&ranked).lines().next().unwrap_or_default().to_owned();
    assert!(first.starts_with("0 : ") && first.contains(" , 1 , http://"), "{first}");
    let about = |is_event: bool| {
        let query = "query sim 'select url from pages where relevant' --format csv";
        let urls = stdout(&scene.run(query));
        urls.lines()
            .skip(1)
            .filter(|url| web.world().event(url.trim()).is_some_and(|event| event == 2) == is_event)
            .count()
    };
    let (right, wrong) = (about(true), about(false));
    assert!(right >= 5 && right > 4 * wrong, "{right} pages are about the event, {wrong} are not");
    let again = scene.run(&format!("crawl sim --max-pages 5 {QUICK}"));
    assert_eq!(again.code, Some(0), "it goes on without being told the event again: {again}");
    let page = scene.run("report sim -o -");
    assert!(stdout(&page).contains("Harvest"), "the report has the curve");
}

#[test]
fn pages_that_no_focused_crawl_met_are_judged_too() {
    let world = World::new(WorldOptions::eventful(11, 40, 12_000));
    let web = serve(Arc::new(world), &ServeOptions::default()).expect("listens");
    let articles = web.world().event_articles(2, 5);
    let scene = scene()
        .file("hosts", web.hosts_file())
        .file("model.txt", articles[..2].join("\n"))
        .file("before.txt", &articles[2])
        .file("behind.txt", &articles[3]);
    let run = |line: &str| {
        let ran = scene.run(line);
        assert_eq!(ran.code, Some(0), "{ran}");
        ran
    };
    let is_judged = |urls: &[String]| {
        let judged = stdout(&run("query sim 'select url from pages where relevance > 0' --format csv"));
        urls.iter().all(|url| judged.lines().any(|line| line.trim() == url))
    };
    run(&format!("fetch sim before.txt {QUICK}"));
    let line = format!("crawl sim {} --scope any --focus model.txt --max-pages 20 {QUICK}", articles[4]);
    let crawled = run(&line);
    let told = String::from_utf8_lossy(&crawled.stderr);
    assert!(told.contains("scored the existing pages: "), "{told}");
    assert!(is_judged(&articles[..3]), "what it learnt from, and what was there before");
    run(&format!("fetch sim behind.txt {QUICK}"));
    assert!(is_judged(&articles[..4]), "what was fetched later");
    let log = || fs::read_to_string(scene.folder().join("sim/relevance.jsonl")).expect("it was written");
    let ranked = || stdout(&run("focus ranked sim"));
    let (before, list) = (log(), ranked());
    run("focus judge sim");
    assert_eq!(log(), before, "what is judged is not judged again");
    let model = scene.folder().join("sim/focus.toml");
    let edited =
        fs::read_to_string(&model).expect("it was learnt").replacen("tunnel = 0.5", "tunnel = 0.4", 1);
    fs::write(&model, edited).expect("writable");
    run("focus judge sim");
    assert!(log().lines().count() > before.lines().count() + 4, "unless the model was edited");
    assert_eq!(ranked(), list, "what was edited says nothing of pages");
    fs::write(
        &model,
        fs::read_to_string(&model).expect("there").replacen("threshold = 0.", "threshold = 0.9", 1),
    )
    .expect("writable");
    let told = run(&format!("crawl sim --max-pages 5 {QUICK}"));
    assert!(String::from_utf8_lossy(&told.stderr).contains("the model has changed"), "{told}");
    assert!(ranked().lines().count() < list.lines().count(), "fewer are relevant now");
}

#[test]
fn a_dry_run_shows_the_command_that_runs_after_each_step() {
    let plan = "collection = 'c'\n[clean]\n[dedup]\n[done]\ncommand = ['sh', '-c', 'touch ran']\n";
    let scene = scene().file("plan.toml", plan);
    scene.check("build-dry-run-done", "build plan.toml --dry-run");
    assert_eq!(scene.files(), ["plan.toml"], "nothing was run");
}
