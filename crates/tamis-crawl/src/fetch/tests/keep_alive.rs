//! Several requests over one connection, and its end.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::super::{Connection, Failure};
use super::server::{address, config, read_request, run, serve};

/// Answers so many requests on each connection, and closes. Counts connections.
fn serve_requests(count: usize, last: &'static str) -> (std::net::SocketAddr, Arc<AtomicUsize>) {
    let connections = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&connections);
    let at = serve(move |mut stream| {
        counter.fetch_add(1, Ordering::Relaxed);
        for i in 1..=count {
            let Some(request) = read_request(&mut stream) else { return };
            let target = String::from_utf8_lossy(&request).split(' ').nth(1).unwrap_or_default().to_owned();
            let extra = if i == count { last } else { "" };
            let body = target.repeat(100 * i);
            let answer = if i % 2 == 0 {
                format!("HTTP/1.1 200 OK\r\n{extra}Content-Length: {}\r\n\r\n{body}", body.len())
            } else {
                format!(
                    "HTTP/1.1 200 OK\r\n{extra}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
                    body.len()
                )
            };
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    });
    (at, connections)
}

#[test]
fn one_connection_serves_many_requests_until_it_is_closed() {
    let (at, connections) = serve_requests(5, "Connection: close\r\n");
    run(async {
        let mut connection = Connection::open(&address(at, "/"), at, &config()).await.expect("connects");
        for i in 1..=5 {
            assert!(connection.is_open(), "{i}");
            let path = format!("/page{i}");
            let exchange = connection.get(&address(at, &path)).await.expect("an answer");
            assert_eq!((exchange.truncated, exchange.status), (None, 200));
            assert_eq!(String::from_utf8_lossy(&exchange.body()), path.repeat(100 * i));
        }
        assert_eq!(
            (connection.is_open(), connection.exchanges()),
            (false, 5),
            "the server said that it closes"
        );
    });
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

#[test]
fn a_connection_closed_in_silence_may_be_opened_anew() {
    let (at, connections) = serve_requests(1, "");
    run(async {
        let page = address(at, "/");
        let mut connection = Connection::open(&page, at, &config()).await.expect("connects");
        connection.get(&page).await.expect("an answer");
        thread::sleep(Duration::from_millis(100));
        let failure = connection.get(&page).await.expect_err("closed");
        assert_eq!((failure, failure.may_retry_at_once()), (Failure::Stale, true));
        assert!(!connection.is_open());
        let mut connection = Connection::open(&page, at, &config()).await.expect("connects");
        connection.get(&page).await.expect("an answer");
    });
    assert_eq!(connections.load(Ordering::Relaxed), 2);
}

#[test]
fn what_comes_between_two_requests_is_no_answer() {
    let at = serve(|mut stream| {
        while read_request(&mut stream).is_some() {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            thread::sleep(Duration::from_millis(50));
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
        }
    });
    run(async {
        let page = address(at, "/");
        let mut connection = Connection::open(&page, at, &config()).await.expect("connects");
        assert_eq!(connection.get(&page).await.expect("an answer").raw_body(), b"ok");
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(connection.get(&page).await.map(|exchange| exchange.response), Err(Failure::Stale));
    });
}

#[test]
fn a_connection_is_for_one_origin() {
    let (at, _) = serve_requests(1, "");
    run(async {
        let mut connection = Connection::open(&address(at, "/"), at, &config()).await.expect("connects");
        let other = crate::address::Address::parse("http://example.org/").expect("an address");
        assert_eq!(connection.get(&other).await.map(|_| ()), Err(Failure::BadRequest));
    });
}

#[test]
fn a_request_given_up_ends_the_connection() {
    let at = serve(|mut stream| {
        while read_request(&mut stream).is_some() {
            thread::sleep(Duration::from_millis(200));
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        }
    });
    run(async {
        let page = address(at, "/");
        let mut connection = Connection::open(&page, at, &config()).await.expect("connects");
        connection.get(&page).await.expect("an answer");
        let given_up = tokio::time::timeout(Duration::from_millis(20), connection.get(&page)).await;
        assert!(given_up.is_err());
        assert!(!connection.is_open());
        assert_eq!(connection.get(&page).await.map(|_| ()), Err(Failure::Stale));
    });
}
