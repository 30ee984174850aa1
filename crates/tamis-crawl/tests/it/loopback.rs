//! A small server in 127.0.0.0/8 that answers as a test says and remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use tamis_archive::{Mode, Reader, RecordType};
use tamis_crawl::Address;
use tamis_crawl::crawl::{Crawl, CrawlOptions, Folders, Snapshot};
use tamis_sim::World;

use super::crawl::{options, start};

/// The heads of the requests, in their order.
pub(crate) type Asked = Arc<Mutex<Vec<String>>>;

/// Serves one request on each connection. The answer to `robots.txt` is 404.
pub(crate) fn serve(answer: impl Fn(&str, &str) -> String + Send + Sync + 'static) -> (SocketAddr, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
    let at = listener.local_addr().expect("an address");
    let (asked, answer) = (Asked::default(), Arc::new(answer));
    let heads = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let (heads, answer) = (Arc::clone(&heads), Arc::clone(&answer));
            thread::spawn(move || exchange(stream, &heads, &*answer));
        }
    });
    (at, asked)
}

fn exchange(mut stream: TcpStream, heads: &Asked, answer: &(impl Fn(&str, &str) -> String + ?Sized)) {
    let Some(head) = read_head(&mut stream) else { return };
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let said = if target.ends_with("/robots.txt") {
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned()
    } else {
        heads.lock().expect("no panic").push(head.clone());
        answer(&target, &head)
    };
    stream.write_all(said.as_bytes()).ok();
}

/// A head through its empty line.
pub(crate) fn read_head(stream: &mut impl Read) -> Option<String> {
    let mut head = String::new();
    let mut lines = BufReader::with_capacity(1, stream);
    while !head.ends_with("\r\n\r\n") {
        if lines.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    Some(head)
}

/// A response with these fields and this body.
pub(crate) fn answer(status: &str, fields: &str, body: &str) -> String {
    let len = body.len();
    format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {len}\r\nConnection: close\r\n\r\n{body}")
}

/// A crawl of one seed, as quick as it can be.
pub(crate) fn crawl_of(seed: &str) -> CrawlOptions {
    let web = start(World::plain(6, 1, 1));
    CrawlOptions { seeds: vec![Address::parse(seed).expect("a seed")], ..options(&web, 1, 0) }
}

pub(crate) fn run(folder: &std::path::Path, options: &CrawlOptions) -> Snapshot {
    let crawl = Crawl::open(&Folders::of(folder), options, None).expect("opens");
    let progress = crawl.progress();
    crawl.run().expect("crawls");
    progress.snapshot()
}

/// A record: its type, target, the text of its head and its block.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) kind: RecordType,
    pub(crate) url: String,
    pub(crate) head: String,
    pub(crate) block: Vec<u8>,
}

impl Seen {
    /// The first value of a field of the record's head.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// All records of the archives of a collection, in the order of their names.
pub(crate) fn records(folder: &std::path::Path) -> Vec<Seen> {
    let entries = std::fs::read_dir(folder.join("archive")).expect("a folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("reads").path()).collect();
    paths.sort();
    let mut seen = Vec::new();
    for path in paths {
        let mut reader = Reader::open(&path, Mode::Strict).expect("opens");
        while let Some(record) = reader.next().expect("is sound") {
            let (head, mut body) = record.into_parts();
            let mut block = Vec::new();
            body.read_to_end(&mut block).expect("reads");
            seen.push(Seen {
                kind: head.record_type(),
                url: head.target_uri().unwrap_or_default().into_owned(),
                head: String::from_utf8_lossy(head.raw()).into_owned(),
                block,
            });
        }
    }
    seen
}
