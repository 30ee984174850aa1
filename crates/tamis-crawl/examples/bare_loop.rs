//! The least that a crawl with WARC costs, to hold crawlers against:
//! `cargo run --release -p tamis-crawl --example bare_loop -- FOLDER SEED HOSTS`.
//!
//! One thread, one blocking connection per host, every `href="…"` of a page once, each response a gzip member of level 1 in one file.
//! No robots.txt, politeness, digests, near-duplicates, state or index. It only reads what `tamis-sim` sends.

use std::collections::{HashMap, HashSet, VecDeque};
use std::error::Error;
use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use memchr::memmem;
use tamis_archive::write::{Compression, Writer, WriterOptions};
use tamis_crawl::Address;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, seed, hosts] = &words[..] else { return Err("usage: bare_loop FOLDER SEED HOSTS".into()) };
    std::fs::create_dir_all(folder)?;
    let table = std::fs::read_to_string(hosts)?;
    let places: HashMap<&str, &str> = table
        .lines()
        .filter_map(|line| line.split_once(char::is_whitespace))
        .flat_map(|(at, names)| names.split_whitespace().map(move |name| (name, at)))
        .collect();
    let compression = Compression::Gzip { level: 1, skip_lengths: false };
    let options = WriterOptions { compression, ..WriterOptions::default() };
    let mut archive = Writer::new(File::create(Path::new(folder).join("bare.warc.gz"))?, options)?;
    let mut connections: HashMap<String, TcpStream> = HashMap::new();
    let (mut known, mut queue) = (HashSet::new(), VecDeque::from([seed.clone()]));
    known.insert(xxhash_rust::xxh3::xxh3_64(seed.as_bytes()));
    let (mut pages, mut response) = (0_u64, Vec::new());
    while let Some(url) = queue.pop_front() {
        let Some(address) = Address::parse(&url) else { continue };
        let Some(at) = places.get(address.host()) else { continue };
        if !connections.contains_key(address.host()) {
            let stream = TcpStream::connect(at)?;
            stream.set_nodelay(true)?;
            connections.insert(address.host().to_owned(), stream);
        }
        let Some(stream) = connections.get_mut(address.host()) else { continue };
        let is_kept = exchange(stream, &address, &mut response)?;
        if !is_kept {
            connections.remove(address.host());
        }
        pages += 1;
        let head = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {}\r\n\r\n",
            response.len()
        );
        archive.write_raw(head.as_bytes(), &response)?;
        let base = url::Url::parse(&url)?;
        for link in links(&response) {
            let link = match link.strip_prefix("http://") {
                Some(_) => link.to_owned(),
                None => base.join(link)?.into(),
            };
            if known.insert(xxhash_rust::xxh3::xxh3_64(link.as_bytes())) {
                queue.push_back(link);
            }
        }
    }
    println!("{{\"pages\":{pages}}}");
    Ok(())
}

/// Sends a request and reads the response. Gives whether the connection can be used again.
fn exchange(stream: &mut TcpStream, address: &Address, response: &mut Vec<u8>) -> Outcome<bool> {
    let (target, authority) = (address.path_and_query(), address.authority());
    let request = format!("GET {target} HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: bare/0\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    response.clear();
    let mut room = [0; 16 << 10];
    let mut end = None;
    while end.is_none_or(|end| response.len() < end) {
        let len = stream.read(&mut room)?;
        if len == 0 {
            return Ok(false);
        }
        response.extend_from_slice(&room[..len]);
        if end.is_none() {
            end = memmem::find(response, b"\r\n\r\n")
                .map(|head| head + 4 + content_length(&response[..head]).unwrap_or(0));
        }
    }
    Ok(memmem::find(response, b"onnection: close").is_none())
}

fn content_length(head: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(head).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Content-Length: "));
    line?.trim().parse().ok()
}

fn links(page: &[u8]) -> impl Iterator<Item = &str> {
    const START: &[u8] = b"href=\"";
    memmem::find_iter(page, START).filter_map(|at| {
        let rest = &page[at + START.len()..];
        let link = &rest[..memchr::memchr2(b'"', b'#', rest)?];
        std::str::from_utf8(link).ok()
    })
}
