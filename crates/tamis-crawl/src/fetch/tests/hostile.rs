//! Every hostile server ends in a counted failure or in an exchange that says how it was cut.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use tamis_archive::http::{BodyEnd, DecodeLimits};

use super::super::{Failure, Truncated};
use super::server::{LIMITS, address, get, read_request, serve, serve_once};

const OK: &str = "HTTP/1.1 200 OK\r\n";

/// Sends a beginning, and then the same bytes again and again, as long as somebody listens.
fn serve_endless(start: &'static str, again: &'static [u8], pause: Duration) -> SocketAddr {
    serve(move |mut stream| {
        read_request(&mut stream);
        let mut sent = stream.write_all(start.as_bytes());
        while sent.is_ok() {
            thread::sleep(pause);
            sent = stream.write_all(again);
        }
    })
}

/// Sends a beginning, and then nothing.
fn serve_stalled(start: &'static str) -> SocketAddr {
    serve(move |mut stream| {
        read_request(&mut stream);
        let _ = stream.write_all(start.as_bytes());
        thread::sleep(Duration::from_mins(1));
    })
}

fn failure(at: SocketAddr) -> Failure {
    get(at, LIMITS).map(|exchange| exchange.truncated).expect_err("no answer")
}

/// How an answer was cut, and how long its body is.
fn cut(at: SocketAddr) -> (Option<Truncated>, usize) {
    let exchange = get(at, LIMITS).expect("an answer");
    assert_eq!(exchange.status, 200);
    (exchange.truncated, exchange.raw_body().len())
}

#[test]
fn servers_that_stall() {
    assert_eq!(failure(serve_stalled("")), Failure::FirstByteTimeout);
    assert_eq!(failure(serve_stalled("HTTP/1.1 200 OK\r\nA: ")), Failure::HeadTimeout);
    assert_eq!(
        cut(serve_stalled("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")),
        (Some(Truncated::Time), 3)
    );
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";
    assert_eq!(cut(serve_stalled(chunked)), (Some(Truncated::Time), 8));
    assert_eq!(
        cut(serve_stalled("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")),
        (Some(Truncated::Time), 0)
    );
}

#[test]
fn servers_that_drip() {
    let pause = Duration::from_millis(100);
    assert_eq!(failure(serve_endless(OK, b"A", pause)), Failure::HeadTimeout);
    let (truncated, len) = cut(serve_endless("HTTP/1.1 200 OK\r\n\r\n", b"a", pause));
    assert_eq!(truncated, Some(Truncated::Time));
    assert!((1..200).contains(&len), "{len}");
}

#[test]
fn servers_that_never_end() {
    let now = Duration::ZERO;
    assert_eq!(
        failure(serve_endless(OK, b"A: bcdefghijklmnop\r\n", now)),
        Failure::HeadTooLarge,
        "endless fields"
    );
    assert_eq!(failure(serve_endless(OK, b"aaaaaaaa", now)), Failure::HeadTooLarge, "an endless line");
    let interim = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    assert_eq!(failure(serve_endless("", interim, now)), Failure::HeadTooLarge, "endless interim answers");
    let longest = (Some(Truncated::Length), LIMITS.max_body_bytes);
    assert_eq!(cut(serve_endless("HTTP/1.1 200 OK\r\n\r\n", &[b'a'; 5000], now)), longest, "an endless body");
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    assert_eq!(cut(serve_endless(chunked, b"5\r\nabcde\r\n", now)), longest, "endless chunks");
    let stated = "HTTP/1.1 200 OK\r\nContent-Length: 123456789012\r\n\r\n";
    assert_eq!(cut(serve_endless(stated, &[b'a'; 5000], now)), longest, "as long as stated");
}

#[test]
fn heads_with_too_many_fields() {
    let fields: Vec<_> = (0..=LIMITS.max_headers).map(|i| format!("A{i}: b\r\n")).collect();
    assert_eq!(failure(serve_once(format!("{OK}{}\r\n", fields.concat()))), Failure::HeadTooLarge);
}

#[test]
fn servers_that_do_not_speak_http() {
    for bytes in [
        &b"SSH-2.0-OpenSSH_9.6\r\n"[..],
        b"\x15\x03\x01\x00\x02\x02\x50",
        b"<html>no head</html>\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        &[0; 4096],
    ] {
        assert_eq!(failure(serve_once(bytes)), Failure::NotHttp, "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn invalid_content_lengths_are_reported_as_such() {
    for length in [
        "18446744073709551615",
        "18446744073709551614",
        "18446744073709551616",
        "-3",
        "+3",
        "3\r\nContent-Length: 4",
        "3, 4",
        "three",
    ] {
        for before in ["", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"] {
            let answer = format!("{before}{OK}Content-Length: {length}\r\n\r\nabcd");
            assert_eq!(failure(serve_once(answer.clone())), Failure::BadLength, "{answer:?}");
        }
    }
    let longest = format!("{OK}Content-Length: {}\r\n\r\nabcd", u64::MAX - 2);
    assert_eq!(cut(serve_once(longest)), (Some(Truncated::Disconnect), 4));
}

#[test]
fn servers_that_close_early() {
    assert_eq!(failure(serve(drop)), Failure::NoAnswer, "before the request");
    assert_eq!(failure(serve_once("")), Failure::NoAnswer);
    assert_eq!(failure(serve_once("HTTP/1.1 200 OK\r\nA: b\r\n")), Failure::HeadCut);
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc";
    assert_eq!(cut(serve_once(short)), (Some(Truncated::Disconnect), 3));
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab";
    assert_eq!(cut(serve_once(chunked)), (Some(Truncated::Disconnect), 5));
    assert_eq!(
        cut(serve_once("HTTP/1.1 200 OK\r\n\r\nabc")),
        (None, 3),
        "the end of the connection ends the body"
    );
}

#[test]
fn chunks_that_make_no_sense() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for body in
        ["2\r\nab\r\nxyz\r\n", "<html>", "-1\r\n", "fffffffffffffffff\r\nab", "2\r\nabcd\r\n0\r\n\r\n"]
    {
        let (truncated, len) = cut(serve_once(format!("{head}{body}")));
        assert_eq!((truncated, len), (Some(Truncated::Unspecified), body.len()), "{body:?}");
    }
    let long_line = format!("{head}1;{}", "x".repeat(100_000));
    assert!(cut(serve_once(long_line)).0.is_some());
    let trailers = format!("{head}1\r\nx\r\n0\r\n{}", "A: b\r\n".repeat(20_000));
    assert!(cut(serve_once(trailers)).0.is_some());
}

#[test]
fn a_body_longer_than_stated_is_cut_and_ends_the_connection() {
    let at = serve(|mut stream: TcpStream| {
        while read_request(&mut stream).is_some() {
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdefHTTP/1.1 200 OK\r\n\r\n");
        }
    });
    super::server::run(async {
        let address = address(at, "/");
        let mut connection =
            super::super::Connection::open(&address, at, &super::server::config()).await.expect("connects");
        let exchange = connection.get(&address).await.expect("an answer");
        assert_eq!((exchange.raw_body(), exchange.truncated), (&b"abc"[..], None));
        assert!(!connection.is_open());
        assert_eq!(connection.get(&address).await.map(|_| ()), Err(Failure::Stale));
    });
}

#[test]
fn a_gzip_bomb_is_kept_small_and_decodes_within_limits() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![0; 20 << 20]).expect("a vector takes all bytes");
    let bomb = encoder.finish().expect("a vector takes all bytes");
    let head = format!("{OK}Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", bomb.len());
    let exchange = get(serve_once([head.as_bytes(), &bomb].concat()), LIMITS).expect("an answer");
    assert_eq!((exchange.raw_body(), exchange.truncated), (&bomb[..], None));
    let limits = DecodeLimits { max_output_bytes: 1 << 20, max_ratio: 2000 };
    let (decoded, outcome) = exchange.decoded(limits).expect("it is in memory");
    assert_eq!((decoded.len(), outcome.end), (1 << 20, BodyEnd::Limit));
}

#[test]
fn servers_that_are_not_there() {
    let gone =
        TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr()).expect("a port");
    assert_eq!(failure(gone), Failure::ConnectionRefused);
}
