//! What a page loads is fetched with it, wherever it lies.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use tamis_crawl::Address;
use tamis_crawl::crawl::{Crawl, CrawlOptions, Folders};
use tamis_crawl::fetch::Hosts;
use tamis_crawl::scope::{Reach, ScopeOptions};
use tamis_sim::World;

use super::crawl::{options, start};

/// Documents by host and path, with their types.
const SITE: [(&str, &str, &str); 24] = [
    ("a.example/", "text/html", PAGE),
    ("a.example/next.html", "text/html", "<p>next</p>"),
    (
        "a.example/inner.js",
        "text/javascript",
        "import x from './deep.js'; import 'named'; 'import \"./no.js\"'",
    ),
    ("a.example/deep.js", "text/javascript", "export * from \"/deeper.js\"; import('./lazy.js')"),
    ("a.example/deeper.js", "text/javascript", "1"),
    ("a.example/lazy.js", "text/javascript", "2"),
    ("a.example/mapped.js", "text/javascript", "3"),
    ("a.example/folder/part.js", "text/javascript", "4"),
    ("a.example/app.webmanifest", "application/json", "{\"icons\": [{\"src\": \"icon.png\"}]}"),
    ("a.example/icon.png", "image/png", "p"),
    ("a.example/set-1.png", "image/png", "p"),
    ("a.example/set-2.png", "image/png", "p"),
    ("a.example/drawn.png", "image/png", "p"),
    ("a.example/sprite.svg", "image/svg+xml", "<svg/>"),
    ("a.example/doc.png", "image/png", "p"),
    ("cdn.example/style.css", "text/css", "@import 'fonts.css'; b { background: url(back.png) }"),
    ("cdn.example/fonts.css", "text/css", "@font-face { font-family: f; src: url(f.woff2) format('woff2') }"),
    ("cdn.example/f.woff2", "font/woff2", "f"),
    ("cdn.example/back.png", "image/png", "p"),
    ("cdn.example/moved.png", "redirect", "http://far.example/moved.png"),
    ("far.example/moved.png", "image/png", "p"),
    ("cdn.example/frame.html", "text/html", "<img src=framed.png><a href=/elsewhere.html>x</a>"),
    ("cdn.example/framed.png", "image/png", "p"),
    ("cdn.example/robots.txt", "text/plain", "User-agent: *\nDisallow: /forbidden"),
];

const PAGE: &str = r##"<link rel=stylesheet href=http://cdn.example/style.css><link rel=manifest href=app.webmanifest>
    <script type=importmap>{"imports": {"named": "/mapped.js", "folder/": "/folder/"}}</script>
    <script type=module>import a from "./inner.js"; import b from "folder/part.js"; import c from "named";</script>
    <svg><image href=drawn.png /><use href="sprite.svg#x"/><use href="#own"/></svg>
    <p style="background: image-set('set-1.png' 1x, url(set-2.png) 2x)"></p>
    <iframe srcdoc="&lt;img src=doc.png&gt;"></iframe><iframe src=http://cdn.example/frame.html></iframe>
    <img src=http://cdn.example/moved.png><img src=http://cdn.example/forbidden.png>
    <a href=next.html>next</a><a href=http://cdn.example/page.html>away</a>"##;

fn answer(stream: TcpStream, asked: &Mutex<BTreeSet<String>>) -> std::io::Result<()> {
    let site: BTreeMap<_, _> = SITE.iter().map(|(url, kind, body)| (*url, (*kind, *body))).collect();
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut stream, mut path, mut host, mut line) = (stream, String::new(), String::new(), String::new());
    while reader.read_line(&mut line)? > 2 {
        if let Some(rest) = line.strip_prefix("GET ") {
            rest.split(' ').next().unwrap_or_default().clone_into(&mut path);
        } else if let Some(rest) = line.strip_prefix("Host: ") {
            rest.trim().clone_into(&mut host);
        }
        line.clear();
    }
    let url = format!("{host}{path}");
    let found = site.get(url.as_str());
    if !url.ends_with("robots.txt") {
        asked.lock().expect("no panics").insert(url);
    }
    let response = match found {
        Some(("redirect", to)) => {
            format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        Some((kind, body)) => format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ),
        None => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned(),
    };
    stream.write_all(response.as_bytes())
}

#[test]
fn what_a_page_loads_is_fetched_wherever_it_lies() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let at = listener.local_addr().expect("bound");
    let asked = Arc::new(Mutex::new(BTreeSet::new()));
    let told = Arc::clone(&asked);
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| _ = answer(stream, &told)));
    let hosts = ["a", "cdn", "far"].map(|host| format!("{at} {host}.example\n")).concat();
    let unused = start(World::plain(1, 1, 1));
    let folder = tempfile::tempdir().expect("a folder");
    let options = CrawlOptions {
        seeds: vec![Address::parse("http://a.example/").expect("an address")],
        scope: ScopeOptions { reach: Reach::Host, ..ScopeOptions::default() },
        resolver: Arc::new(Hosts::parse(&hosts).expect("a table")),
        requisites: true,
        ..options(&unused, 0, 0)
    };
    Crawl::open(&Folders::of(folder.path()), &options, None).expect("opens").run().expect("crawls");
    let expected: BTreeSet<String> =
        SITE.iter().map(|(url, ..)| (*url).to_owned()).filter(|url| !url.ends_with("robots.txt")).collect();
    let asked = asked.lock().expect("no panics").clone();
    let (missed, surplus): (Vec<_>, Vec<_>) =
        (expected.difference(&asked).collect(), asked.difference(&expected).collect());
    assert!(missed.is_empty() && surplus.is_empty(), "missed {missed:?}, surplus {surplus:?}");
}
