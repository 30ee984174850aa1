//! What is kept is what went over the wire.

use std::io::Write;
use std::sync::mpsc;

use super::super::{Connection, CookieLimits, FetchConfig, Protocol};
use super::server::{LIMITS, address, get, options, read_request, run, serve, serve_once};

#[test]
fn the_answer_is_kept_byte_for_byte() {
    let long = "x".repeat(40_000);
    let answers = [
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody".to_owned(),
        "HTTP/1.0 404 nicht da\r\nX-odd :  1 \r\nServer:a\r\n\r\nbody".to_owned(),
        "HTTP/1.1 200 OK\nA: bare\nContent-Length: 2\n\nab".to_owned(),
        "HTTP/1.1 200\r\nno field\r\nA: 1\r\n 2\r\nContent-Length: 0\r\n\r\n".to_owned(),
        "HTTP/1.1 301 Moved\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n".to_owned(),
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\nETag: \"a\"\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\n0A\r\n0123456789\r\n0\r\nT: x\r\n\r\n".to_owned(),
        format!("HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n{long}"),
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{long}"),
    ];
    for answer in answers {
        let exchange = get(serve_once(answer.clone()), LIMITS).expect(&answer);
        assert_eq!(String::from_utf8_lossy(&exchange.response), answer);
        assert_eq!(exchange.truncated, None, "{answer:?}");
        let body_at = exchange.head_len;
        assert!(answer[..body_at].ends_with("\n\r\n") || answer[..body_at].ends_with("\n\n"), "{answer:?}");
    }
}

#[test]
fn parts_of_an_exchange() {
    let answer =
        "HTTP/1.0 302 Found\r\nlocation: /b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n";
    let at = serve_once(format!(
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n{}",
        answer.replace("/1.0", "/1.1")
    ));
    let exchange = get(at, LIMITS).expect("an answer");
    assert_eq!(String::from_utf8_lossy(&exchange.response), answer.replace("/1.0", "/1.1"), "1xx is dropped");
    assert_eq!((exchange.status, exchange.protocol, exchange.ip), (302, Protocol::Http11, at.ip()));
    assert_eq!(exchange.field("Location"), Some(&b"/b"[..]));
    assert_eq!((&*exchange.body(), exchange.raw_body()), (&b"ab"[..], &b"2\r\nab\r\n0\r\n\r\n"[..]));
    assert!(exchange.began_ms > 1_700_000_000_000 && exchange.ended_ms >= exchange.began_ms);
}

#[test]
fn the_request_is_kept_byte_for_byte() {
    let (sender, requests) = mpsc::channel();
    let at = serve(move |mut stream| {
        while let Some(request) = read_request(&mut stream) {
            let _ = sender.send(request);
            let _ =
                stream.write_all(b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nContent-Length: 0\r\n\r\n");
        }
    });
    let mut options = options(LIMITS);
    options.accept_language = Some("it,de;q=0.5".to_owned());
    options.extra_headers.push(("From".to_owned(), "crawl@example.org".to_owned()));
    options.cookies = Some(CookieLimits::default());
    let config = FetchConfig::new(&options).expect("sound options");
    run(async {
        let target = "/a;b?q={\"x\"|^`}&r='[é]";
        let address = address(at, target);
        let mut connection = Connection::open(&address, at, &config).await.expect("connects");
        let first = connection.get(&address).await.expect("an answer");
        let second = connection.get(&address).await.expect("an answer");
        let expected = format!(
            "GET {} HTTP/1.1\r\nHost: {at}\r\nUser-Agent: tamis-test (+mailto:crawl@example.org)\r\n\
             Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
             Accept-Encoding: gzip, br\r\nAccept-Language: it,de;q=0.5\r\n\
             From: crawl@example.org\r\n",
            address.path_and_query()
        );
        assert_eq!(String::from_utf8_lossy(&first.request), format!("{expected}\r\n"));
        assert_eq!(String::from_utf8_lossy(&second.request), format!("{expected}Cookie: a=1\r\n\r\n"));
        assert_eq!(requests.try_iter().collect::<Vec<_>>(), [first.request, second.request]);
    });
}
