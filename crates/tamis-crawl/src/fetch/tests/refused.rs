//! Addresses that are not connected to, however they are found.

use super::super::{Connection, Failure, FetchConfig, FetchOptions, Hosts, candidates};
use super::server::{run, serve_once};
use crate::address::Address;

const TABLE: &str = "127.0.0.1:8080 inside.example\n8.8.8.8 mixed.example\n::1 mixed.example\n\
                     2606:4700::1 both.example\n1.1.1.1 both.example\n1.1.1.1 both.example\n";

#[test]
fn private_addresses_are_left_out() {
    let hosts = Hosts::parse(TABLE).expect("a table");
    let found = |text: &str, allow| {
        let address = Address::parse(text).expect(text);
        let found = run(candidates(&address, &hosts, allow));
        found.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    };
    let text = |text: &str| Ok(text.to_owned());
    for (address, guarded, allowed) in [
        ("http://inside.example/", Err(Failure::AddressRefused), text("127.0.0.1:8080")),
        ("http://mixed.example/", text("8.8.8.8:80"), text("8.8.8.8:80 [::1]:80")),
        (
            "https://both.example/",
            text("1.1.1.1:443 [2606:4700::1]:443"),
            text("1.1.1.1:443 [2606:4700::1]:443"),
        ),
        ("http://none.example/", Err(Failure::NoSuchHost), Err(Failure::NoSuchHost)),
        ("http://127.1/", Err(Failure::AddressRefused), text("127.0.0.1:80")),
        ("http://0x7f000001/", Err(Failure::AddressRefused), text("127.0.0.1:80")),
        ("http://[::ffff:10.0.0.1]:81/", Err(Failure::AddressRefused), text("[::ffff:10.0.0.1]:81")),
    ] {
        assert_eq!((found(address, false), found(address, true)), (guarded, allowed), "{address}");
    }
}

#[test]
fn a_connection_checks_where_it_goes_itself() {
    let at = serve_once("HTTP/1.1 200 OK\r\n\r\n");
    let config = FetchConfig::new(&FetchOptions::new("tamis-test")).expect("sound options");
    let address = Address::parse("http://example.org/").expect("an address");
    let refused = run(Connection::open(&address, at, &config)).map(|_| ());
    assert_eq!(refused, Err(Failure::AddressRefused));
}

#[test]
fn ports_of_other_protocols_are_not_connected_to() {
    let config = super::server::config();
    let open = |url: &str, to: &str| {
        let address = Address::parse(url).expect(url);
        run(Connection::open(&address, to.parse().expect(to), &config)).map(|_| ())
    };
    for (url, to) in [
        ("http://127.0.0.1:25/", "127.0.0.1:25"),
        ("http://127.0.0.1:0/", "127.0.0.1:0"),
        ("https://a.example:6667/", "127.0.0.1:6667"),
        // Wherever a table of hosts leads.
        ("http://a.example:22/", "127.0.0.1:2"),
        ("http://a.example/", "127.0.0.1:22"),
    ] {
        assert_eq!(open(url, to), Err(Failure::PortRefused), "{url} {to}");
    }
    assert_eq!(open("http://127.0.0.1:2/", "127.0.0.1:2"), Err(Failure::ConnectionRefused));
    let guarded = FetchConfig::new(&FetchOptions::new("tamis-test")).expect("sound options");
    let address = Address::parse("http://127.0.0.1:25/").expect("an address");
    let refused = run(Connection::open(&address, ([127, 0, 0, 1], 25).into(), &guarded)).map(|_| ());
    assert_eq!(refused, Err(Failure::AddressRefused), "private addresses are refused first");
}

#[test]
fn a_table_goes_before_what_it_does_not_know() {
    let table = |text| Hosts::parse(text).expect("a table");
    let both = (table("1.1.1.1:81 a.example"), table("2.2.2.2 *"));
    for (host, expected) in [("a.example", "1.1.1.1:81"), ("b.example", "2.2.2.2:80")] {
        let address = Address::parse(&format!("http://{host}/")).expect(host);
        let found = run(candidates(&address, &both, false)).expect("an address");
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    }
}
