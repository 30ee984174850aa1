//! The server over plain sockets, on a free port of 127.0.0.1.

mod browser;
mod cdx;
mod hostile;
mod memento;
mod pages;
mod raw;
mod real;
mod replay;
mod shelves;

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tamis_archive::Source;
use tamis_serve::{Access, Files, Limits, Options, Server, Shelf, Stock};
use tamis_testkit::{ArchiveBuilder, Record};
use tempfile::TempDir;

/// A server that runs until it is dropped.
struct Served {
    address: SocketAddr,
    folder: Arc<TempDir>,
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A response.
#[derive(Debug)]
struct Got {
    status: u16,
    head: String,
    body: Vec<u8>,
}

/// The archives in a folder.
struct Folder(PathBuf);

impl Files for Folder {
    fn list(&self) -> (Vec<PathBuf>, Vec<String>) {
        let entries = std::fs::read_dir(&self.0).expect("a folder");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.retain(|path| path.to_string_lossy().contains(".warc"));
        paths.sort();
        (paths, Vec::new())
    }

    fn open(&self, path: &Path) -> (Vec<Source>, Vec<String>) {
        (vec![Source::file(path)], Vec::new())
    }
}

fn archive(folder: &Path, name: &str, records: &[Record]) {
    let bytes = records.iter().fold(ArchiveBuilder::new(), ArchiveBuilder::gzip).build();
    // It appears whole.
    std::fs::write(folder.join("part"), bytes).expect("writable");
    std::fs::rename(folder.join("part"), folder.join(name)).expect("writable");
}

/// A server of one archive of records, called `a`.
fn serve(records: &[Record]) -> Served {
    serve_with(records, Access::default(), Limits::default())
}

fn serve_with(records: &[Record], access: Access, limits: Limits) -> Served {
    let folder = Arc::new(tempfile::tempdir().expect("a folder"));
    archive(folder.path(), "a.warc.gz", records);
    let stock = Stock::Files(Box::new(Folder(folder.path().to_owned())));
    start(folder, vec![("a".to_owned(), stock)], access, limits)
}

fn start(folder: Arc<TempDir>, stocks: Vec<(String, Stock)>, access: Access, limits: Limits) -> Served {
    let shelves = stocks.into_iter().map(|(name, stock)| Shelf::new(name, stock, folder.path())).collect();
    let options = Options {
        address: "127.0.0.1:0".parse().expect("an address"),
        access,
        access_log: Some(folder.path().join("access.log")),
        limits,
        refresh: Duration::from_millis(100),
        say: Box::new(|text| eprintln!("{text}")),
    };
    let server = Server::bind(options, shelves).expect("it listens");
    let (address, is_stopped) = (server.address(), Arc::new(AtomicBool::new(false)));
    let stop = is_stopped.clone();
    let thread = std::thread::spawn(move || server.run(|| stop.load(Ordering::Relaxed)));
    Served { address, folder, is_stopped, thread: Some(thread) }
}

impl Served {
    /// Asks for a path, and again while the archives are being read.
    fn get(&self, path: &str) -> Got {
        self.get_with(path, &[])
    }

    fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Got {
        let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            let _ = write!(request, "Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            let _ = write!(request, "{name}: {value}\r\n");
        }
        request.push_str("\r\n");
        let until = Instant::now() + Duration::from_mins(1);
        loop {
            let got = self.send(request.as_bytes());
            if got.status != 503 || Instant::now() > until {
                return got;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends bytes, and reads until the server closes.
    fn send(&self, request: &[u8]) -> Got {
        let mut stream = self.connect();
        // A server that refuses may close before all is sent.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Got::parse(&bytes)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_mins(1))).expect("a timeout");
        stream
    }

    fn stop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends");
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Got {
    fn parse(bytes: &[u8]) -> Self {
        let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
            return Self { status: 0, head: String::from_utf8_lossy(bytes).into_owned(), body: Vec::new() };
        };
        let head = String::from_utf8_lossy(&bytes[..at]).into_owned();
        let status = head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut body = bytes[at + 4..].to_vec();
        if head.to_ascii_lowercase().contains("\ntransfer-encoding: chunked") {
            body = dechunked(&body);
        }
        Self { status, head, body }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn lines(&self) -> Vec<String> {
        self.text().lines().map(str::to_owned).collect()
    }
}

/// Written anew, so that the server's own is not its judge.
fn dechunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(at) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size =
            std::str::from_utf8(&bytes[..at]).ok().and_then(|size| usize::from_str_radix(size, 16).ok());
        let Some(size) = size.filter(|size| *size > 0) else { break };
        let end = (at + 2 + size).min(bytes.len());
        whole.extend_from_slice(&bytes[at + 2..end]);
        bytes = bytes.get(end + 2..).unwrap_or_default();
    }
    whole
}

/// A record of a page.
fn page(url: &str, date: &str, body: &str) -> Record {
    Record::response(url, tamis_testkit::http_response("text/html", body))
        .with_digests()
        .with("WARC-Date", date)
}
