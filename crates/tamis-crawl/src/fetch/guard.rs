//! Addresses that a crawler of the public web has no business with.
//!
//! A page may link to `http://localhost/`, and a name may resolve to an address inside the network that the crawler
//! runs in, be it only for the moment of the request. So the address that is connected to is looked at, not the name.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is not public, or `None` if it is (RFC 6890 and the IANA registries it began).
pub fn reason(ip: IpAddr) -> Option<&'static str> {
    match ip {
        IpAddr::V4(ip) => reason_v4(ip),
        IpAddr::V6(ip) => reason_v6(ip),
    }
}

/// Whether an address is one of the public Internet.
pub fn is_public(ip: IpAddr) -> bool {
    reason(ip).is_none()
}

/// First address, length of the prefix, and what it is.
const SPECIAL_V4: [([u8; 4], u32, &str); 16] = [
    ([0, 0, 0, 0], 8, "unspecified"),
    ([10, 0, 0, 0], 8, "private"),
    ([100, 64, 0, 0], 10, "carrier-grade NAT"),
    ([127, 0, 0, 0], 8, "loopback"),
    ([169, 254, 0, 0], 16, "link-local"),
    ([172, 16, 0, 0], 12, "private"),
    ([192, 0, 0, 0], 24, "protocol assignments"),
    ([192, 0, 2, 0], 24, "documentation"),
    ([192, 88, 99, 0], 24, "6to4 relay"),
    ([192, 168, 0, 0], 16, "private"),
    ([198, 18, 0, 0], 15, "benchmarking"),
    ([198, 51, 100, 0], 24, "documentation"),
    ([203, 0, 113, 0], 24, "documentation"),
    ([224, 0, 0, 0], 4, "multicast"),
    ([255, 255, 255, 255], 32, "broadcast"),
    ([240, 0, 0, 0], 4, "reserved"),
];

/// First segments, length of the prefix, and what it is; the first that fits counts.
const SPECIAL_V6: [([u16; 4], u32, &str); 9] = [
    ([0xfe80, 0, 0, 0], 10, "link-local"),
    ([0xfec0, 0, 0, 0], 10, "site-local"),
    ([0xfc00, 0, 0, 0], 7, "private"),
    ([0xff00, 0, 0, 0], 8, "multicast"),
    ([0x0064, 0xff9b, 1, 0], 48, "local NAT64"),
    ([0x2001, 0, 0, 0], 32, "Teredo"),
    ([0x2001, 0, 0, 0], 23, "protocol assignments"),
    ([0x2001, 0xdb8, 0, 0], 32, "documentation"),
    ([0x3fff, 0, 0, 0], 20, "documentation"),
];

fn reason_v4(ip: Ipv4Addr) -> Option<&'static str> {
    let own = u32::from(ip);
    let fits = |first: [u8; 4], len: u32| (own ^ u32::from_be_bytes(first)) >> (32 - len) == 0;
    SPECIAL_V4.iter().find(|(first, len, _)| fits(*first, *len)).map(|(.., what)| *what)
}

fn reason_v6(ip: Ipv6Addr) -> Option<&'static str> {
    if let Some(inner) = embedded(ip) {
        return reason_v4(inner);
    }
    let own = (u128::from(ip) >> 64) as u64;
    let fits = |first: [u16; 4], len: u32| {
        let first = first.iter().fold(0_u64, |sum, segment| sum << 16 | u64::from(*segment));
        (own ^ first) >> (64 - len) == 0
    };
    if let Some((.., what)) = SPECIAL_V6.iter().find(|(first, len, _)| fits(*first, *len)) {
        return Some(what);
    }
    match ip {
        Ipv6Addr::LOCALHOST => Some("loopback"),
        Ipv6Addr::UNSPECIFIED => Some("unspecified"),
        // Nothing but 2000::/3 is given out for the public Internet.
        _ if ip.segments()[0] & 0xe000 != 0x2000 => Some("reserved"),
        _ => None,
    }
}

/// The IPv4 address that packets to this one end up at: mapped, translated (NAT64, RFC 6052) and 6to4 addresses.
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let bits = u128::from(ip);
    let segments = ip.segments();
    match segments {
        [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            Some(Ipv4Addr::from(bits as u32))
        }
        [0x2002, ..] => Some(Ipv4Addr::from((bits >> 80) as u32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart() {
        let cases = [
            ("8.8.8.8", None),
            ("1.1.1.1", None),
            ("99.255.255.255", None),
            ("100.128.0.1", None),
            ("172.15.255.255", None),
            ("172.32.0.0", None),
            ("192.0.1.1", None),
            ("198.20.0.1", None),
            ("223.255.255.255", None),
            ("0.0.0.0", Some("unspecified")),
            ("0.1.2.3", Some("unspecified")),
            ("10.255.0.1", Some("private")),
            ("100.64.0.1", Some("carrier-grade NAT")),
            ("100.127.255.255", Some("carrier-grade NAT")),
            ("127.0.0.1", Some("loopback")),
            ("127.255.3.4", Some("loopback")),
            ("169.254.169.254", Some("link-local")),
            ("172.16.0.1", Some("private")),
            ("172.31.255.255", Some("private")),
            ("192.0.0.8", Some("protocol assignments")),
            ("192.0.2.1", Some("documentation")),
            ("192.88.99.1", Some("6to4 relay")),
            ("192.168.1.1", Some("private")),
            ("198.19.255.255", Some("benchmarking")),
            ("198.51.100.7", Some("documentation")),
            ("203.0.113.7", Some("documentation")),
            ("224.0.0.1", Some("multicast")),
            ("239.255.255.255", Some("multicast")),
            ("240.0.0.1", Some("reserved")),
            ("255.255.255.255", Some("broadcast")),
            ("2606:4700::1111", None),
            ("2a00:1450::1", None),
            ("2001:200::1", None),
            ("::", Some("unspecified")),
            ("::1", Some("loopback")),
            ("::7f00:1", Some("reserved")),
            ("::ffff:8.8.8.8", None),
            ("::ffff:127.0.0.1", Some("loopback")),
            ("::ffff:0:10.0.0.1", Some("private")),
            ("64:ff9b::8.8.8.8", None),
            ("64:ff9b::10.0.0.1", Some("private")),
            ("64:ff9b:1::8.8.8.8", Some("local NAT64")),
            ("2002:808:808::1", None),
            ("2002:7f00:1::1", Some("loopback")),
            ("2002:c0a8:101::1", Some("private")),
            ("2001::1", Some("Teredo")),
            ("2001:10::1", Some("protocol assignments")),
            ("2001:db8::1", Some("documentation")),
            ("3fff:1000::1", None),
            ("3fff:fff::1", Some("documentation")),
            ("fc00::1", Some("private")),
            ("fdff::1", Some("private")),
            ("fe80::1", Some("link-local")),
            ("fec0::1", Some("site-local")),
            ("ff02::1", Some("multicast")),
            ("100::1", Some("reserved")),
            ("5f00::1", Some("reserved")),
            ("4000::1", Some("reserved")),
        ];
        for (text, expected) in cases {
            assert_eq!(reason(text.parse().expect(text)), expected, "{text}");
        }
    }
}
