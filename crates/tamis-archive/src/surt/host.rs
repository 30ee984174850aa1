//! Hosts: names in ASCII, addresses in their usual form, labels in reverse.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use super::escape::{escape, is_unsafe, unescape_repeatedly};

/// The host as keys of web archives have it: unescaped, in ASCII and lower case, without needless dots, an IPv4
/// address in dotted decimals.
pub(super) fn ia_host(raw: &[u8]) -> Vec<u8> {
    let mut host = unescape_repeatedly(raw);
    if !host.is_ascii()
        && let Some(ascii) = idna2003(&host)
    {
        host = ascii;
    }
    let host = single_dots(&host);
    let host = trim_dots(&host);
    match ia_ipv4(host) {
        Some(address) => address.to_string().into_bytes(),
        None => escape(&host.to_ascii_lowercase(), is_unsafe).to_ascii_lowercase(),
    }
}

/// `www.`, `www2.` … at the front removed, once.
pub(super) fn without_www(host: &[u8]) -> &[u8] {
    let Some(rest) = host.strip_prefix(b"www") else { return host };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    rest[digits..].strip_prefix(b".").unwrap_or(host)
}

/// The labels in reverse, with commas for dots.
pub(super) fn reversed(host: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(host.len() + 1);
    let mut labels = host.rsplit(|&byte| byte == b'.');
    out.extend_from_slice(labels.next().unwrap_or_default());
    for label in labels {
        out.push(b',');
        out.extend_from_slice(label);
    }
    out
}

/// Leading and trailing dots removed, several in a row made one. Dots alone stay, since a URL without a host is another.
pub(super) fn normal_dots(host: &[u8]) -> Vec<u8> {
    let trimmed = trim_dots(host);
    let mut out = if trimmed.is_empty() { host } else { trimmed }.to_vec();
    out.dedup_by(|a, b| *a == b'.' && *b == b'.');
    out
}

/// An IPv4 address in any spelling that browsers take (WHATWG URL, "IPv4 parser"): one to four numbers, decimal,
/// octal after `0`, hexadecimal after `0x`, the last one filling the bytes that remain. A missing number is 0.
pub fn parse_ipv4(host: &[u8]) -> Option<Ipv4Addr> {
    if host.is_empty() {
        return None;
    }
    let host = host.strip_suffix(b".").unwrap_or(host);
    let mut numbers = [0u64; 4];
    let mut count = 0;
    for part in host.split(|&byte| byte == b'.') {
        *numbers.get_mut(count)? = ipv4_number(part)?;
        count += 1;
    }
    ipv4_of_numbers(&numbers[..count])
}

/// An IPv6 address in brackets, in the shortest form (RFC 5952, section 4, but without dotted decimals).
pub(super) fn shortest_ipv6(host: &[u8]) -> Option<String> {
    let inner = host.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let address: Ipv6Addr = std::str::from_utf8(inner).ok()?.parse().ok()?;
    let segments = address.segments();
    let hex = |part: &[u16]| part.iter().map(|n| format!("{n:x}")).collect::<Vec<_>>().join(":");
    Some(match longest_zeros(segments) {
        (_, 0 | 1) => format!("[{}]", hex(&segments)),
        (at, len) => format!("[{}::{}]", hex(&segments[..at]), hex(&segments[at + len..])),
    })
}

/// The host in ASCII as browsers make it (UTS 46, non-transitional). None where it is no valid name.
pub(super) fn uts46(host: &[u8]) -> Option<Vec<u8>> {
    let ascii = Uts46::new().to_ascii(host, AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore).ok()?;
    Some(ascii.into_owned().into_bytes())
}

/// The host in ASCII by the older rules (RFC 3490) that index keys have always been made with.
///
/// Bytes that are not UTF-8 are dropped first. None where a label is empty, too long or has no ASCII form. UTS 46 maps
/// characters as RFC 3491 does but for the four that IDNA 2008 gave a meaning of their own; those are mapped before.
fn idna2003(host: &[u8]) -> Option<Vec<u8>> {
    let text: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
    if text.is_empty() {
        return Some(Vec::new());
    }
    let mut labels: Vec<&str> = text.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']).collect();
    let ends_in_dot = labels.last().is_some_and(|label| label.is_empty());
    labels.truncate(labels.len() - usize::from(ends_in_dot));
    let labels: Option<Vec<_>> = labels.into_iter().map(ascii_label).collect();
    let mut out = labels?.join(&b'.');
    out.extend_from_slice(if ends_in_dot { b"." } else { b"" });
    Some(out)
}

fn ascii_label(label: &str) -> Option<Cow<'_, [u8]>> {
    let ascii =
        if label.is_ascii() { Cow::Borrowed(label.as_bytes()) } else { Cow::Owned(ascii_form(label)?) };
    (1..64).contains(&ascii.len()).then_some(ascii)
}

fn ascii_form(label: &str) -> Option<Vec<u8>> {
    let mut mapped = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            'ß' | 'ẞ' => mapped.push_str("ss"),
            'ς' => mapped.push('σ'),
            '\u{200c}' | '\u{200d}' => {}
            // Shortened links end in an ellipsis; its dots are no label ends yet, but are trimmed later.
            '…' => mapped.push_str("..."),
            _ => mapped.push(c),
        }
    }
    if mapped.is_ascii() { Some(mapped.into_bytes()) } else { uts46(mapped.as_bytes()) }
}

/// Each pair of dots made one, once, as the keys have always been made: three dots become two.
fn single_dots(host: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(host.len());
    let mut rest = host;
    while let [first, tail @ ..] = rest {
        out.push(*first);
        rest = if *first == b'.' { tail.strip_prefix(b".").unwrap_or(tail) } else { tail };
    }
    out
}

fn trim_dots(host: &[u8]) -> &[u8] {
    let is_name = |byte: &u8| *byte != b'.';
    let Some(start) = host.iter().position(is_name) else { return b"" };
    let end = host.iter().rposition(is_name).map_or(start, |last| last + 1);
    &host[start..end]
}

/// An IPv4 address in the spellings that index keys resolve: digits alone (modulo 2^32), or one to four numbers that are
/// all octal where the first begins with `0`.
fn ia_ipv4(host: &[u8]) -> Option<Ipv4Addr> {
    if !host.is_empty() && host.iter().all(u8::is_ascii_digit) {
        let number = |n: u32, digit: &u8| n.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
        return Some(Ipv4Addr::from(host.iter().fold(0, number)));
    }
    let is_digit = match host.first()? {
        b'0' => |byte: &u8| matches!(byte, b'0'..=b'7' | b'.'),
        _ => |byte: &u8| matches!(byte, b'0'..=b'9' | b'.'),
    };
    if !host.iter().all(is_digit) || host.split(|&byte| byte == b'.').any(<[u8]>::is_empty) {
        return None;
    }
    parse_ipv4(host)
}

fn ipv4_of_numbers(numbers: &[u64]) -> Option<Ipv4Addr> {
    let (last, first) = numbers.split_last()?;
    if first.iter().any(|&n| n > 255) || *last >= 1 << (8 * (4 - first.len())) {
        return None;
    }
    let high = first.iter().zip([24, 16, 8]).map(|(n, shift)| n << shift).sum::<u64>();
    Some(Ipv4Addr::from((high + last) as u32))
}

fn ipv4_number(part: &[u8]) -> Option<u64> {
    let (digits, radix) = match part {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] => (digits, 8),
        _ => (part, 10),
    };
    digits.iter().try_fold(0u64, |n, &digit| {
        let digit = char::from(digit).to_digit(radix)?;
        Some(n.saturating_mul(radix.into()).saturating_add(digit.into()))
    })
}

/// Start and length of the first of the longest runs of zeros.
fn longest_zeros(segments: [u16; 8]) -> (usize, usize) {
    let run = |at: usize| segments[at..].iter().take_while(|&&n| n == 0).count();
    (0..8).map(|at| (at, run(at))).rev().max_by_key(|&(_, len)| len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_brought_to_one_form() {
        for (raw, expected) in [
            ("WWW.Example.ORG", "www.example.org"),
            ("bücher.ch", "xn--bcher-kva.ch"),
            ("b%C3%BCcher.ch", "xn--bcher-kva.ch"),
            ("straße.de", "strasse.de"),
            ("faß。de", "fass.de"),
            ("☃.com", "xn--n3h.com"),
            ("ä..com", "%c3%a4.com"),
            ("t.c…", "t.c"),
            ("a...b.", "a..b"),
            ("3279880203", "195.127.0.11"),
            ("4294967297", "0.0.0.1"),
            ("1.2", "1.0.0.2"),
            ("010.1.1.1", "8.1.1.1"),
            ("0.8.8.8", "0.8.8.8"),
            ("1.2.3.256", "1.2.3.256"),
            ("1.2.3.08", "1.2.3.08"),
            ("a b", "a%20b"),
            ("...", ""),
        ] {
            let host = ia_host(raw.as_bytes());
            assert_eq!(String::from_utf8_lossy(&host), expected, "{raw}");
        }
    }

    #[test]
    fn only_a_whole_www_label_is_removed() {
        for (host, expected) in [
            ("www.foo.com", "foo.com"),
            ("www12.foo.com", "foo.com"),
            ("www2foo.com", "www2foo.com"),
            ("www.www.foo.com", "www.foo.com"),
            ("www", "www"),
        ] {
            assert_eq!(without_www(host.as_bytes()), expected.as_bytes(), "{host}");
        }
    }

    #[test]
    fn labels_are_reversed() {
        for (host, expected) in [("a.b.c", "c,b,a"), ("a", "a"), ("", ""), ("a.", ",a"), (".", ",")] {
            assert_eq!(String::from_utf8_lossy(&reversed(host.as_bytes())), expected, "{host}");
        }
    }

    #[test]
    fn ipv6_addresses_are_shortened() {
        for (host, expected) in [
            ("[1:2:0:0:5:0:0:0]", Some("[1:2:0:0:5::]")),
            ("[1:0:0:2:3:0:0:4]", Some("[1::2:3:0:0:4]")),
            ("[0:0:0:0:0:0:0:0]", Some("[::]")),
            ("[1:0:3:4:5:6:7:8]", Some("[1:0:3:4:5:6:7:8]")),
            ("[::ffff:1.2.3.4]", Some("[::ffff:102:304]")),
            ("[nonsense]", None),
            ("1::2", None),
        ] {
            assert_eq!(shortest_ipv6(host.as_bytes()).as_deref(), expected, "{host}");
        }
    }
}
