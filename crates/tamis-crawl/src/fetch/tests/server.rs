//! Servers that do exactly what a test tells them, and clients for them.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use super::super::{Connection, Exchange, Failure, FetchConfig, FetchOptions, Limits};
use crate::address::Address;

/// Short enough for a test, long enough for a busy machine.
pub(super) const LIMITS: Limits = Limits {
    connect_ms: 10_000,
    tls_ms: 2_000,
    first_byte_ms: 1_500,
    whole_ms: 6_000,
    idle_ms: 1_000,
    min_bytes_per_s: 1_000,
    max_head_bytes: 16 << 10,
    max_headers: 20,
    max_body_bytes: 50_000,
};

/// Serves each connection on a thread of its own, until the tests end.
pub(super) fn serve(handle: impl Fn(TcpStream) + Clone + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let at = listener.local_addr().expect("a bound port");
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let handle = handle.clone();
            thread::spawn(move || handle(stream));
        }
    });
    at
}

/// Answers the first request of each connection with these bytes, and closes.
pub(super) fn serve_once(answer: impl Into<Vec<u8>>) -> SocketAddr {
    let answer = answer.into();
    serve(move |mut stream| {
        read_request(&mut stream);
        // The client may have seen enough.
        let _ = stream.write_all(&answer);
    })
}

/// A request through its empty line; `None` when there is no more.
pub(super) fn read_request(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => request.push(byte[0]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => return None,
        }
    }
    Some(request)
}

pub(super) fn options(limits: Limits) -> FetchOptions {
    let mut options = FetchOptions::new("tamis-test (+mailto:crawl@example.org)");
    options.limits = limits;
    options.allow_private = true;
    options
}

pub(super) fn config() -> FetchConfig {
    FetchConfig::new(&options(LIMITS)).expect("sound options")
}

/// An address at this server.
pub(super) fn address(at: SocketAddr, path: &str) -> Address {
    Address::parse(&format!("http://{at}{path}")).expect("an address")
}

pub(super) fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(future)
}

/// One request on a connection of its own.
pub(super) fn get(at: SocketAddr, limits: Limits) -> Result<Exchange, Failure> {
    let config = FetchConfig::new(&options(limits)).expect("sound options");
    let address = address(at, "/");
    run(async { Connection::open(&address, at, &config).await?.get(&address).await })
}
