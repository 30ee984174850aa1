//! HTTP/2, written down as HTTP/1.1.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::{Frame, Incoming};
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;

use super::super::{Connection, Exchange, Failure, FetchConfig, Protocol, Protocols, Truncated};
use super::server::{LIMITS, options, run};
use super::tls::certificate;
use crate::address::Address;

type Answer = Response<http_body_util::combinators::BoxBody<Bytes, Infallible>>;

/// A body without end, each of its frames as long as this.
struct Endless(usize);

impl hyper::body::Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        std::task::Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![b'a'; self.0])))))
    }
}

async fn answer(request: Request<Incoming>) -> Result<Answer, Infallible> {
    let path = request.uri().path().to_owned();
    let full = |text: String| Full::new(Bytes::from(text)).boxed();
    let mut response = match &*path {
        "/endless" => Response::new(BodyExt::boxed(Endless(10_000))),
        "/stall" => {
            tokio::time::sleep(Duration::from_mins(1)).await;
            Response::new(full(path))
        }
        _ => Response::new(full(format!("{path} {}", request.uri().authority().map_or("", |a| a.as_str())))),
    };
    response.headers_mut().insert("x-path", "é".parse().expect("a value"));
    Ok(response)
}

fn serve_http2() -> SocketAddr {
    let (_, acceptor) = certificate("a.example", &[b"h2"]);
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let at = listener.local_addr().expect("a bound port");
    listener.set_nonblocking(true).expect("a socket");
    thread::spawn(move || {
        run(async move {
            let listener = TcpListener::from_std(listener).expect("a socket");
            while let Ok((stream, _)) = listener.accept().await {
                let Ok(stream) = acceptor.accept(stream).await else { continue };
                let served = http2::Builder::new(TokioExecutor::new())
                    .serve_connection(TokioIo::new(stream), service_fn(answer));
                tokio::spawn(served);
            }
        });
    });
    at
}

/// All these pages over one connection, as long as it stays open.
fn get_all(paths: &[&str], protocols: Protocols) -> Vec<Result<Exchange, Failure>> {
    let at = serve_http2();
    let mut options = options(LIMITS);
    options.protocols = protocols;
    let config = FetchConfig::new(&options).expect("sound options");
    run(async {
        let address = |path: &&str| Address::parse(&format!("https://a.example{path}")).expect("an address");
        let mut connection = match Connection::open(&address(&"/"), at, &config).await {
            Ok(connection) => connection,
            Err(failure) => return vec![Err(failure)],
        };
        let mut results = Vec::new();
        for path in paths {
            results.push(connection.get(&address(path)).await);
        }
        results
    })
}

#[test]
fn heads_are_written_as_http1() {
    let results = get_all(&["/one", "/two?q"], Protocols::Http2);
    for (result, (target, body)) in
        results.into_iter().zip([("/one", "/one a.example"), ("/two?q", "/two a.example")])
    {
        let exchange = result.expect("an answer");
        assert_eq!((exchange.protocol, exchange.status, exchange.truncated), (Protocol::H2, 200, None));
        assert_eq!(exchange.protocol.name(), "h2");
        let request = String::from_utf8(exchange.request.clone()).expect("text");
        let start = format!("GET {target} HTTP/1.1\r\nhost: a.example\r\nuser-agent: tamis-test ");
        assert!(request.starts_with(&start) && request.ends_with("\r\n\r\n"), "{request}");
        assert!(exchange.response.starts_with(b"HTTP/1.1 200 OK\r\nx-path: \xc3\xa9\r\n"));
        assert_eq!((&*exchange.body(), exchange.field("X-Path")), (body.as_bytes(), Some("é".as_bytes())));
    }
}

#[test]
fn limits_hold_for_http2_too() {
    let results = get_all(&["/one", "/endless", "/one"], Protocols::Http2);
    let endless = results[1].as_ref().expect("an answer");
    assert_eq!(
        (endless.truncated, endless.raw_body().len()),
        (Some(Truncated::Length), LIMITS.max_body_bytes)
    );
    assert_eq!(results[2].as_ref().map(|_| ()), Err(&Failure::Stale));
    let stalled = get_all(&["/stall"], Protocols::Http2).remove(0).map(|_| ());
    assert_eq!(stalled, Err(Failure::FirstByteTimeout));
}

#[test]
fn a_server_that_insists_on_http2_is_not_talked_to_in_http1() {
    let refused = get_all(&["/one"], Protocols::Http1).remove(0).map(|_| ());
    assert_eq!(refused, Err(Failure::Tls));
}
