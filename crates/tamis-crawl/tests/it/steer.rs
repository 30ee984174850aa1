//! Crawls that are steered: settings per host, commands, rate and bandwidth.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tamis_archive::RecordType;
use tamis_crawl::crawl::{
    Change, Command, ControlError, Crawl, CrawlOptions, End, Folders, InForce, Left, Operation, Progress,
    Run, control, left,
};
use tamis_crawl::workbench::Politeness;
use tamis_sim::{AuditRules, World};

use super::crawl::{archived, options, start};
use super::loopback::{Asked, answer, crawl_of, records, run, serve};

const HTML: &str = "Content-Type: text/html\r\n";

/// A site whose first page links to twenty others.
fn site() -> (String, Asked) {
    let (at, asked) = serve(|target, _| {
        let links = (0..20).map(|page| format!("<a href=/{page}>{page}</a>")).collect::<Vec<_>>().concat();
        answer("200 OK", HTML, if target == "/" { &links } else { target })
    });
    (format!("http://{at}/"), asked)
}

fn with_settings(folder: &Path, seed: &str, text: &str) -> CrawlOptions {
    let path = folder.join("hosts.toml");
    fs::write(&path, text).expect("writes");
    let operation = Operation { host_settings: Some(path), ..Operation::default() };
    CrawlOptions { operation, ..crawl_of(seed) }
}

fn refused(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    left::<Box<tamis_crawl::Error>>(&Folders::of(folder), Left::Refused, |url| {
        found.push((url.url, url.kind));
        Ok(())
    })
    .expect("reads");
    found
}

#[test]
fn settings_of_a_host_say_what_is_fetched_and_how() {
    let (seed, asked) = site();
    let folder = tempfile::tempdir().expect("a folder");
    let text = "['127.0.0.1']\nmax-pages = 5\nexclude = ['regex:/1[0-9]$']\nheaders = { X-Key = 'k' }\n\
                auth = { user = 'me', password = 'sesame', without-tls = true }\n";
    let options = with_settings(folder.path(), &seed, text);
    run(folder.path(), &options);
    let heads = asked.lock().expect("no panic").clone();
    assert_eq!(heads.len(), 5);
    // The password is for the server, not for who gets the archive.
    assert!(
        heads
            .iter()
            .all(|head| head.contains("X-Key: k\r\n")
                && head.contains("Authorization: Basic bWU6c2VzYW1l\r\n"))
    );
    let requests: Vec<String> = records(folder.path())
        .into_iter()
        .filter(|seen| seen.kind == RecordType::Request)
        .map(|seen| String::from_utf8_lossy(&seen.block).into_owned())
        .collect();
    assert!(
        requests.len() > 5
            && requests.iter().all(|request| request.contains("Authorization: (withheld)\r\n"))
    );
    let refused_now = refused(folder.path());
    let excluded = |url: &str| url.len() == seed.len() + 2 && url[seed.len()..].starts_with('1');
    assert_eq!(refused_now.iter().filter(|(_, kind)| kind == "excluded").count(), 10, "{refused_now:?}");
    assert!(refused_now.iter().all(|(url, kind)| (kind == "excluded") == excluded(url)), "{refused_now:?}");
    // What settings left out is fetched once they are gone.
    run(folder.path(), &crawl_of(&seed));
    assert_eq!(asked.lock().expect("no panic").len(), 21);
}

#[test]
fn a_host_outside_the_scope_is_included_and_one_inside_ignored() {
    let (other, other_asked) = site();
    let link = other.replace("127.0.0.1", "127.0.0.2");
    let (at, _) =
        serve(move |_, _| answer("200 OK", HTML, &format!("<a href={other}>a</a><a href={link}>b</a>")));
    let seed = format!("http://{at}/");
    for (text, pages) in [("", 0), ("['127.0.0.1']\ninclude = ['regex:.']\n", 21)] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut options = with_settings(folder.path(), &seed, text);
        options.scope.reach = tamis_crawl::scope::Reach::Prefix;
        options.seeds = vec![tamis_crawl::Address::parse(&format!("{seed}in/")).expect("a seed")];
        run(folder.path(), &options);
        assert_eq!(other_asked.lock().expect("no panic").len(), pages, "{text}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), &with_settings(folder.path(), &seed, "['*']\nignore = true\n"));
    assert!(archived(folder.path()).is_empty());
}

/// A crawl that runs on a thread of its own.
struct Running {
    progress: Arc<Progress>,
    thread: thread::JoinHandle<Option<End>>,
}

fn begin(folder: &Path, options: &CrawlOptions) -> Running {
    fs::create_dir_all(folder.join("frontier")).expect("made");
    let run = Run::open(&Folders::of(folder), options, None, Instant::now()).expect("opens");
    let progress = run.crawl().progress();
    let thread = thread::spawn(move || run.watched(|| false, |_| ()).expect("runs").end);
    Running { progress, thread }
}

fn within(seconds: u64, what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(seconds), "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn settings_are_read_again_while_a_crawl_runs_and_errors_leave_the_old_ones() {
    let (seed, asked) = site();
    let folder = tempfile::tempdir().expect("a folder");
    let options = with_settings(folder.path(), &seed, "['127.0.0.1']\ndelay = 3000\n");
    let crawl = begin(folder.path(), &options);
    let told = || crawl.progress.snapshot().in_force;
    within(20, "the settings are told", || told().settings_read_ms > 0);
    let read_ms = told().settings_read_ms;
    let path = folder.path().join("hosts.toml");
    fs::write(&path, "['127.0.0.1']\ndelay = 'soon'\n").expect("writes");
    within(20, "the error is told", || told().settings_error.is_some());
    let error = told().settings_error.expect("it is");
    assert!(error.contains("hosts.toml") && error.contains("line 2"), "{error}");
    assert_eq!(told().settings_read_ms, read_ms, "what was read before holds");
    fs::write(&path, "['127.0.0.1']\nignore = true\n").expect("writes");
    within(20, "they are read", || told().settings_read_ms > read_ms && told().settings_error.is_none());
    let notices = crawl.progress.take_notices();
    assert!(notices.len() <= 2, "{notices:?}");
    crawl.progress.stop();
    crawl.thread.join().expect("no panic");
    assert!(asked.lock().expect("no panic").len() <= 1);
}

fn tell(folder: &Path, command: &Command) -> InForce {
    control(folder, command).expect("it listens")
}

#[cfg(unix)]
#[test]
fn a_running_crawl_pauses_changes_and_stops_as_it_is_told() {
    let web = start(World::plain(8, 4, 400));
    let folder = tempfile::tempdir().expect("a folder");
    let slow = Politeness::Fixed { delay_ms: 200 };
    let operation = Operation { control: true, ..Operation::default() };
    let slow = CrawlOptions { operation, host_politeness: slow, ip_politeness: slow, ..options(&web, 1, 0) };
    assert!(matches!(control(folder.path(), &Command::Show), Err(ControlError::NotRunning(_))));
    let crawl = begin(folder.path(), &slow);
    let pages = || crawl.progress.snapshot().sums.pages;
    within(20, "it listens", || control(folder.path(), &Command::Show).is_ok());
    within(20, "it crawls", || pages() > 2);
    assert!(tell(folder.path(), &Command::Pause).paused);
    within(20, "it comes to rest", || {
        let before = pages();
        thread::sleep(Duration::from_millis(900));
        pages() == before
    });
    assert!(crawl.progress.snapshot().in_force.paused);
    let change = Change {
        delay_ms: Some(20),
        server_delay_ms: Some(10),
        exclude: vec!["regex:/local/1".into()],
        ..Change::default()
    };
    let told = tell(folder.path(), &Command::Set(change));
    assert_eq!((told.delay_ms, told.server_delay_ms, told.paused), (Some(20), 10, true));
    assert_eq!(told.exclude, ["regex:/local/1"]);
    let bad = Change { include: vec!["regex:(".into()], ..Change::default() };
    assert!(
        matches!(control(folder.path(), &Command::Set(bad)), Err(ControlError::Refused(why)) if why.contains("regex:("))
    );
    let before = pages();
    assert!(!tell(folder.path(), &Command::Resume).paused);
    within(20, "it goes on, faster than before", || pages() > before + 60);
    tell(folder.path(), &Command::Stop);
    assert_eq!(crawl.thread.join().expect("no panic"), Some(End::Stopped));
    assert!(!folder.path().join("control").exists(), "the socket goes with the crawl");
    assert!(refused(folder.path()).iter().all(|(url, kind)| kind != "excluded" || url.contains("/local/1")));
    let audit = web.audit(&AuditRules { host_delay_ms: 20, ip_delay_ms: 10, ..AuditRules::default() });
    assert_eq!(audit.faults.count(), 0, "{:?}", audit.faults);
    // What is left is fetched by the next run, the rule being gone.
    Crawl::open(&Folders::of(folder.path()), &options(&web, 1, 0), None)
        .expect("opens")
        .run()
        .expect("crawls");
    let expected = tamis_sim::oracle(web.world(), web.world().seeds(1), &tamis_sim::OracleRules::default());
    assert_eq!(web.asked().pages, expected.pages);
}

#[cfg(unix)]
#[test]
fn a_limit_of_pages_is_moved_while_a_crawl_runs() {
    let (seed, asked) = site();
    let folder = tempfile::tempdir().expect("a folder");
    let operation = Operation { control: true, ..Operation::default() };
    let slow = Politeness::Fixed { delay_ms: 100 };
    let crawl = begin(folder.path(), &CrawlOptions { operation, host_politeness: slow, ..crawl_of(&seed) });
    within(20, "it listens", || control(folder.path(), &Command::Show).is_ok());
    tell(folder.path(), &Command::Pause);
    thread::sleep(Duration::from_millis(300));
    let before = asked.lock().expect("no panic").len();
    tell(folder.path(), &Command::Set(Change { max_pages: Some(3), ..Change::default() }));
    tell(folder.path(), &Command::Resume);
    crawl.thread.join().expect("no panic");
    assert_eq!(asked.lock().expect("no panic").len(), before + 3);
}

#[test]
fn requests_and_bytes_keep_to_their_limits() {
    let big = "x".repeat(20_000);
    let (at, asked) = serve(move |target, _| {
        let links = (0..9).map(|page| format!("<a href=/{page}>{page}</a>")).collect::<Vec<_>>().concat();
        answer("200 OK", HTML, if target == "/" { &links } else { &big })
    });
    let seed = format!("http://{at}/");
    for (operation, least) in [
        // Ten pages and robots.txt at ten requests a second; nine pages of 20 kB at 100 kB a second.
        (Operation { rate_milli: 10_000, ..Operation::default() }, Duration::from_millis(900)),
        (Operation { bandwidth: 100_000, ..Operation::default() }, Duration::from_millis(1_500)),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let began = Instant::now();
        let snapshot = run(folder.path(), &CrawlOptions { operation, ..crawl_of(&seed) });
        assert!(began.elapsed() >= least, "{:?}", began.elapsed());
        assert_eq!(snapshot.sums.pages, 10);
    }
    assert_eq!(asked.lock().expect("no panic").len(), 20);
}
