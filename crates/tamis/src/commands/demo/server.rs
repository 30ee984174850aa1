//! The server of the demo: one listener on 127.0.0.1 for all sites, which writes down what it was asked for.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::web::{Response, Web};

/// The longest head of a request.
const MAX_HEAD_BYTES: u64 = 16 << 10;
/// How long a connection may be idle.
const IDLE: Duration = Duration::from_secs(30);

/// A web that is being served, until this is dropped.
pub(super) struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    web: Web,
    /// Host and path of each request, in order.
    requests: Mutex<Vec<(String, String)>>,
    stopped: AtomicBool,
}

impl Server {
    /// Serves a web on a free port of 127.0.0.1.
    pub(super) fn start(web: Web) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { web, requests: Mutex::default(), stopped: AtomicBool::new(false) });
        let for_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("demo server".to_owned())
            .spawn(move || accept(&listener, &for_thread))?;
        Ok(Self { shared, address, thread: Some(thread) })
    }

    pub(super) fn web(&self) -> &Web {
        &self.shared.web
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// A line `address:port host` for every host, as `--hosts` reads it.
    pub(super) fn hosts_file(&self) -> String {
        let line = |host: &String| format!("{} {host}\n", self.address);
        self.web().hosts().iter().map(line).collect::<Vec<_>>().concat()
    }

    /// Host and path of every request so far, in order.
    pub(super) fn requests(&self) -> Vec<(String, String)> {
        self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        // Wakes the listener, which then sees that it is to stop.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.stopped.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // Out of file descriptors: some are closed soon.
            thread::sleep(Duration::from_millis(10));
            continue;
        };
        let shared = Arc::clone(shared);
        // A client that breaks off sees so itself.
        thread::spawn(move || drop(converse(&stream, &shared)));
    }
}

/// Answers the requests of a connection.
fn converse(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let mut writer = stream;
    while let Some((host, path)) = read_request(&mut reader)? {
        let response = response(shared.web.get(&host, &path), &format!("{host} has no page {path}\n"));
        shared.requests.lock().unwrap_or_else(PoisonError::into_inner).push((host, path));
        writer.write_all(&response)?;
    }
    Ok(())
}

/// Host and path of the next request; none at the end. Bodies are not expected: crawlers send GET.
fn read_request(reader: &mut impl BufRead) -> io::Result<Option<(String, String)>> {
    let mut reader = reader.take(MAX_HEAD_BYTES);
    let (mut line, mut path, mut host) = (String::new(), String::new(), String::new());
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let text = line.trim_end();
        if path.is_empty() {
            text.split(' ').nth(1).unwrap_or("/").clone_into(&mut path);
        } else if text.is_empty() {
            return Ok(Some((host, path)));
        } else if let Some((_, value)) =
            text.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("host"))
        {
            // The port is that of the URL, not ours.
            host = value.trim().split(':').next().unwrap_or_default().to_ascii_lowercase();
        }
    }
}

fn response(response: Option<&Response>, not_found: &str) -> Vec<u8> {
    let (status, extra, body) = match response {
        Some(Response::Html(page)) => {
            ("200 OK", "Content-Type: text/html; charset=utf-8\r\n".to_owned(), page.as_str())
        }
        Some(Response::Text(text)) => {
            ("200 OK", "Content-Type: text/plain; charset=utf-8\r\n".to_owned(), text.as_str())
        }
        Some(Response::Redirect(path)) => ("301 Moved Permanently", format!("Location: {path}\r\n"), ""),
        Some(Response::ServerError) => {
            ("500 Internal Server Error", "Content-Type: text/plain\r\n".to_owned(), "broken\n")
        }
        None => ("404 Not Found", "Content-Type: text/plain\r\n".to_owned(), not_found),
    };
    format!("HTTP/1.1 {status}\r\n{extra}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(server: &Server, request: &str) -> String {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        stream.shutdown(std::net::Shutdown::Write).expect("an end");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    #[test]
    fn sites_are_told_apart_by_host_and_requests_are_kept() {
        let server = Server::start(Web::build().expect("a web")).expect("loopback");
        for (host, path, expected) in [
            ("skywatch.example", "/eclipse/1", "HTTP/1.1 200 OK"),
            ("jardin.example", "/eclipse/1", "HTTP/1.1 404 Not Found"),
            ("jardin.example:80", "/about-us", "HTTP/1.1 301 Moved Permanently\r\nLocation: /\r\n"),
            ("newswire.example", "/archive/1998", "HTTP/1.1 500"),
        ] {
            let answer = get(&server, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
            assert!(answer.starts_with(expected), "{host}{path}: {answer}");
        }
        let requests = server.requests();
        assert_eq!(requests.len(), 4);
        assert_eq!(requests[2], ("jardin.example".to_owned(), "/about-us".to_owned()));
        assert_eq!(server.hosts_file().lines().count(), server.web().hosts().len());
    }

    #[test]
    fn an_endless_head_ends_the_connection() {
        let server = Server::start(Web::build().expect("a web")).expect("loopback");
        let head = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(1 << 15));
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        // The server may close while we write.
        let _ = stream.write_all(head.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert_eq!((answer.len(), server.requests().len()), (0, 0));
    }
}
