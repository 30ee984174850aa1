//! The server gives what the function says, and misbehaves as planned.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use super::client::{get, raw, read_answer};
use crate::{
    AuditRules, OracleRules, Quirk, Running, ServeOptions, Special, World, WorldOptions, oracle, serve,
};

pub(super) fn start(options: WorldOptions) -> Running {
    serve(Arc::new(World::new(options)), &ServeOptions::default()).expect("sockets on loopback")
}

#[test]
fn answers_are_those_of_the_function() {
    let running = start(WorldOptions { retry_after_s: 0, ..WorldOptions::polite_test(11, 30, 600) });
    let world = running.world();
    let reach = oracle(world, world.seeds(30), &OracleRules { robots: false, ..OracleRules::default() });
    let extra = world.hosts().map(|host| format!("http://{host}/robots.txt"));
    let mut statuses = BTreeSet::new();
    for url in reach.pages.into_iter().chain(extra) {
        let planned = world.answer(&url).expect("a URL of the world");
        for _ in 0..planned.refusals.map_or(0, |refusals| refusals.times) {
            let got = get(&running, &url).expect("a refusal");
            assert_eq!(Some(got.status), planned.refusals.map(|refusals| refusals.status));
            assert_eq!(got.field("Retry-After"), Some("0"));
        }
        let got = get(&running, &url).expect("an answer");
        assert_eq!(got.status, planned.status, "{url}");
        assert_eq!(got.body, planned.body, "{url}");
        for (name, value) in &planned.fields {
            assert_eq!(got.field(name), Some(&**value), "{url}");
        }
        statuses.insert(got.status);
    }
    assert!(statuses.is_superset(&BTreeSet::from([200, 301, 302, 404, 410, 500])), "{statuses:?}");
}

#[test]
fn every_socket_is_loopback() {
    let running = start(WorldOptions::polite_test(1, 30, 60));
    let lines = running.hosts_file();
    assert_eq!(lines.lines().count(), 30);
    for line in lines.lines() {
        let (address, host) = line.split_once(' ').expect("two fields");
        let address: SocketAddr = address.parse().expect("an address");
        assert!(address.ip().is_loopback());
        assert_eq!(running.world().address(host).map(Into::into), Some(address.ip()));
    }
}

#[test]
fn connections_are_kept_and_closed_as_planned() {
    let few = [(Quirk::FewPerConnection, 1.0)];
    let silent = [(Quirk::SilentClose, 1.0)];
    for (quirks, answers, announced) in [(&[][..], 12, 0), (&few[..], 5, 1), (&silent[..], 5, 0)] {
        let options = WorldOptions { quirks: quirks.to_vec(), ..WorldOptions::plain(1, 2, 10) };
        let running = start(options);
        let mut stream =
            TcpStream::connect(running.resolve("h0001.sim.example").expect("a host")).expect("a stream");
        let request = b"GET /robots.txt HTTP/1.1\r\nHost: h0001.sim.example\r\n\r\n".repeat(11);
        let last = b"GET / HTTP/1.1\r\nHost: h0001.sim.example\r\nConnection: close\r\n\r\n";
        stream.write_all(&[&request[..], last].concat()).expect("a request");
        let mut out = Vec::new();
        // What was not read any more is answered with a reset.
        let _ = stream.read_to_end(&mut out);
        let text = String::from_utf8_lossy(&out);
        assert_eq!(text.matches("HTTP/1.1 200").count(), answers);
        let closes = text.matches("Connection: close").count();
        assert_eq!(closes, announced + usize::from(answers == 12));
        assert_eq!(running.audit(&AuditRules::default()).connections, 1);
    }
}

#[test]
fn a_host_is_served_where_it_lives_or_through_a_proxy() {
    let running = start(WorldOptions::plain(1, 4, 40));
    let ask = |target: &str| {
        let mut stream =
            TcpStream::connect(running.resolve("h0001.sim.example").expect("a host")).expect("a stream");
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: h0002.sim.example\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut out = Vec::new();
        stream.read_to_end(&mut out).expect("an answer");
        read_answer(&out).expect("an answer").status
    };
    assert_eq!(ask("/"), 421);
    assert_eq!(ask("http://h0002.sim.example/"), 200);
    assert_eq!(running.audit(&AuditRules::default()).strangers, 1);
}

fn one_kind(special: Special) -> Running {
    start(WorldOptions {
        specials: vec![(special, 0.5)],
        slow_ms: 100,
        stall_ms: 300,
        bomb_bytes: 4 << 20,
        ..WorldOptions::plain(1, 1, 20)
    })
}

#[test]
fn hostile_pages_misbehave_as_planned() {
    for special in Special::HOSTILE {
        let running = one_kind(special);
        let world = running.world();
        let reach = oracle(world, world.seeds(1), &OracleRules::default());
        let url = reach.pages.iter().find(|url| world.special_of(url) == Some(special)).expect("such a page");
        let body = world.answer(url).expect("an answer").body.len();
        let out = raw(&running, url, "Connection: close\r\n", 3 << 20).unwrap_or_default();
        let well = read_answer(&out).is_some();
        match special {
            Special::StallInHead => assert!(!out.is_empty() && out.len() < 40),
            Special::StallInBody => assert!(out.len() > body / 3 && out.len() < body),
            Special::Drip => assert!((2..20).contains(&out.len()), "{}", out.len()),
            Special::LengthTooShort => assert!(out.len() > body && !well),
            Special::LengthTooLong | Special::CloseInChunk | Special::BadChunk => {
                assert!(!well && !out.is_empty());
            }
            Special::CloseEarly => assert!(out.is_empty()),
            Special::GzipBomb => assert_eq!(read_answer(&out).map(|got| got.body.len()), Some(4 << 20)),
            Special::HugeHead => assert!(well && out.len() > 256_000),
            Special::EndlessHead | Special::EndlessBody => assert!(out.len() >= 3 << 20),
            Special::NotHttp => assert!(out.starts_with(b"220 ")),
            _ => assert!(well, "{special:?}"),
        }
    }
}

#[test]
fn hosts_with_quirks_misbehave_whatever_is_asked() {
    for (quirk, starts_with) in [(Quirk::NotHttp, "220"), (Quirk::Stalls, "HTTP/1.1 200 OK\r\nContent-Ty")] {
        let options =
            WorldOptions { quirks: vec![(quirk, 1.0)], stall_ms: 100, ..WorldOptions::plain(1, 2, 10) };
        let running = start(options);
        let out = raw(&running, "http://h0001.sim.example/robots.txt", "", usize::MAX).expect("bytes");
        assert!(out.starts_with(starts_with.as_bytes()), "{quirk:?}");
    }
    let options =
        WorldOptions { quirks: vec![(Quirk::BadCertificate, 1.0)], ..WorldOptions::plain(1, 2, 10) };
    let running = start(options);
    let error = get(&running, "https://h0001.sim.example/").expect_err("a wrong certificate");
    assert!(error.to_string().contains("certificate"), "{error}");
    assert_eq!(get(&running, "http://h0001.sim.example/").expect("a redirect").status, 301);
}
