//! Replay in headless Chromium: what reaches the server, and that nothing reaches the network.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tamis_testkit::{Record, http_response};

use super::{Served, page, serve};

/// Where Chromium is. Says loudly if it is nowhere.
pub(super) fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    let found = folders.find_map(|folder| Some(folder.join("chromium")).filter(|program| program.is_file()));
    if found.is_none() {
        eprintln!("NOT RUN: there is no `chromium` in PATH, so replay in a browser was not tested");
    }
    found
}

/// Shows a page for some seconds of its own time. Gives the document of the interface, and what the network log has.
pub(super) fn show(program: &Path, served: &Served, path: &str, further: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("net.json");
    let mut child = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"])
        .arg("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE *.localhost, EXCLUDE localhost, EXCLUDE 127.0.0.1")
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--log-net-log={}", log.display()))
        .args(["--virtual-time-budget=15000", "--window-size=1000,700"])
        .args(further)
        .arg(if further.is_empty() { "--dump-dom" } else { "--hide-scrollbars" })
        .arg(format!("http://localhost:{}{path}", served.address.port()))
        .stdout(fs::File::create(folder.path().join("out")).expect("writable"))
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let until = Instant::now() + Duration::from_mins(2);
    while child.try_wait().expect("it runs").is_none() {
        if Instant::now() > until {
            let _ = child.kill();
            let _ = child.wait();
            panic!("Chromium does not end");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    (read(&folder.path().join("out")), read(&log))
}

/// Takes a picture of a page, and keeps it in the folder that `TAMIS_PICTURES` names.
pub(super) fn picture(program: &Path, served: &Served, path: &str, name: &str) {
    let picture = served.folder.path().join("page.png");
    show(program, served, path, &[&format!("--screenshot={}", picture.display())]);
    assert!(fs::metadata(&picture).is_ok_and(|meta| meta.len() > 1000), "there is a picture");
    if let Some(folder) = std::env::var_os("TAMIS_PICTURES") {
        fs::copy(&picture, Path::new(&folder).join(format!("{name}.png"))).expect("writable");
    }
}

/// What the server was asked for, as its log has it.
pub(super) fn asked(served: &Served) -> BTreeSet<String> {
    let log = fs::read_to_string(served.folder.path().join("access.log")).expect("a log");
    let paths = log.lines().filter_map(|line| line.split(' ').nth(6));
    // A form without fields asks for an empty query.
    paths.map(|path| path.trim_end_matches('?').to_owned()).collect()
}

/// Ways to ask for a URL, by name. Each asks for `http://leak.example/NAME`.
const WAYS: &[(&str, &str)] = &[
    ("img", "<img src='http://leak.example/img'>"),
    ("srcset", "<img srcset='http://leak.example/srcset 1x'>"),
    ("style-attribute", "<p style='background:url(http://leak.example/style-attribute)'>x</p>"),
    ("style", "<style>b{background:url(http://leak.example/style)}</style><b>x</b>"),
    ("import", "<style>@import 'http://leak.example/import';</style>"),
    ("link", "<link rel=stylesheet href='//leak.example/link'>"),
    (
        "font",
        "<style>@font-face{font-family:f;src:url(http://leak.example/font)}i{font-family:f}</style><i>x</i>",
    ),
    ("script", "<script src='http://leak.example/script'></script>"),
    ("module", "<script type=module>import('http://leak.example/module').catch(()=>{})</script>"),
    ("iframe", "<iframe src='http://leak.example/iframe'></iframe>"),
    ("srcdoc", "<iframe srcdoc='<img src=http://leak.example/srcdoc>'></iframe>"),
    ("object", "<object data='http://leak.example/object'></object>"),
    ("embed", "<embed src='http://leak.example/embed'>"),
    ("video", "<video poster='http://leak.example/video'></video>"),
    ("preconnect", "<link rel=preconnect href='http://preconnect.leak.example/'>"),
    ("dns", "<link rel=dns-prefetch href='//dns.leak.example/'>"),
    ("prefetch", "<link rel=prefetch href='http://leak.example/prefetch'>"),
    ("fetch", "<script>fetch('http://leak.example/fetch').catch(()=>{})</script>"),
    ("xhr", "<script>var x=new XMLHttpRequest;x.open('GET','http://leak.example/xhr');x.send()</script>"),
    (
        "sync-xhr",
        "<script>try{var y=new XMLHttpRequest;y.open('GET','http://leak.example/sync-xhr',false);y.send()}catch(e){}</script>",
    ),
    ("beacon", "<script>navigator.sendBeacon('http://leak.example/beacon','x')</script>"),
    ("eventsource", "<script>new EventSource('http://leak.example/eventsource')</script>"),
    ("websocket", "<script>new WebSocket('ws://leak.example/websocket')</script>"),
    ("new-image", "<script>new Image().src='http://leak.example/new-image'</script>"),
    ("inner-html", "<div id=d></div><script>d.innerHTML='<img src=http://leak.example/inner-html>'</script>"),
    ("write", "<script>document.write('<img src=\"http://leak.example/write\">')</script>"),
    (
        "cssom",
        "<script>document.body.style.setProperty('background','url(http://leak.example/cssom)')</script>",
    ),
    (
        "set-attribute",
        "<script>var i=document.createElement('img');i.setAttribute('src','http://leak.example/set-attribute')</script>",
    ),
    (
        "blank-frame",
        "<script>var f=document.createElement('iframe');document.body.append(f);f.contentWindow.fetch('http://leak.example/blank-frame').catch(()=>{})</script>",
    ),
    (
        "worker",
        "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('http://leak.example/worker').catch(()=>{})\"])))</script>",
    ),
    (
        "form",
        "<form action='http://leak.example/form' target=t id=g></form><iframe name=t></iframe><script>g.submit()</script>",
    ),
    (
        "rtc",
        "<script>try{var p=new RTCPeerConnection({iceServers:[{urls:'stun:rtc.leak.example'}]});p.createDataChannel('x');p.createOffer().then(o=>p.setLocalDescription(o))}catch(e){}</script>",
    ),
    (
        "script-preconnect",
        "<script>var l=document.createElement('link');l.rel='preconnect';l.href='http://late.leak.example/';document.head.append(l)</script>",
    ),
    ("open", "<script>window.open('http://leak.example/open')</script>"),
    ("top", "<script>try{top.location='http://leak.example/top'}catch(e){}</script>"),
];
/// Ways that the policy or the frame stops, or that a headless browser does not go.
const STOPPED: &[&str] =
    &["preconnect", "dns", "prefetch", "rtc", "script-preconnect", "open", "top", "module", "worker"];

fn leaking() -> Vec<Record> {
    let body: String = WAYS.iter().map(|(_, markup)| *markup).collect();
    let html = format!(
        "<!doctype html><html><head><title>t</title></head><body>{body}<p>all text</p></body></html>"
    );
    let mut records = vec![page("http://page.example/", "2020-01-01T00:00:00Z", &html)];
    for (name, _) in WAYS {
        let media_type = match *name {
            "import" | "link" => "text/css",
            "script" | "module" => "text/javascript",
            "iframe" | "form" => "text/html",
            _ => "text/plain",
        };
        let record = Record::response(&format!("http://leak.example/{name}"), http_response(media_type, ""));
        records.push(record.with("WARC-Date", "2020-01-01T00:00:00Z"));
    }
    records
}

#[test]
fn a_page_that_asks_in_all_ways_gets_what_is_archived_and_nothing_else() {
    let Some(program) = chromium() else { return };
    let served = serve(&leaking());
    assert_eq!(served.get("/c/a/cdx?url=page.example").lines().len(), 1);
    let (document, log) = show(&program, &served, "/c/a/web/20200101000000/http://page.example/", &[]);
    assert!(document.contains("page.example.t20200101000000.c1.localhost"), "{document}");
    let asked = asked(&served);
    let missing: Vec<_> =
        WAYS.iter().map(|(name, _)| *name).filter(|name| !asked.contains(&format!("/{name}"))).collect();
    let unexpected: Vec<_> = missing.iter().filter(|name| !STOPPED.contains(name)).collect();
    assert!(unexpected.is_empty(), "not found in the archive: {unexpected:?}; asked: {asked:?}");
    // Whatever the browser looked up, connected to or asked for is below localhost.
    assert!(log.len() > 10_000, "there is a network log");
    let hosts =
        log.match_indices("leak.example").map(|(at, found)| &log[at..(at + found.len() + 20).min(log.len())]);
    let outside: BTreeSet<_> = hosts.filter(|text| !text.starts_with("leak.example.t20200101")).collect();
    assert!(outside.is_empty(), "{outside:?}");
}

#[test]
fn a_page_is_shown_under_its_bar_with_its_script_run() {
    let Some(program) = chromium() else { return };
    let html = "<!doctype html><title>Shown</title><h1>Archived page</h1><p id=p>before</p><script>\
        p.textContent='run at '+new Date().getUTCFullYear();\
        document.cookie='a=b';localStorage.x='y';\
        fetch('/done?'+encodeURIComponent([location.hostname.split('.t2')[0],document.cookie,new Date().getUTCFullYear(),typeof RTCPeerConnection].join('|')))\
        </script>";
    let served = serve(&[page("http://page.example/", "2020-01-01T00:00:00Z", html)]);
    assert_eq!(served.get("/c/a/cdx?url=page.example").lines().len(), 1);
    picture(&program, &served, "/c/a/web/20200101000000/http://page.example/", "replay");
    let asked = asked(&served);
    let expected = "/done?page.example%7Ca%3Db%7C2020%7Cundefined";
    assert!(asked.contains(expected), "{asked:?}");
    assert!(
        served.get("/c/a/audit").text().contains("not in the archive"),
        "the missing request is in the audit"
    );
}
