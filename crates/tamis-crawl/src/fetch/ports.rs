//! Ports of other protocols than the web's.
//!
//! A page may link to `http://example.org:25/`, and a mail server reads a request as commands. Nobody serves pages at
//! these ports, because no browser connects to them.

/// Whether pages may be fetched from a port.
pub fn is_allowed(port: u16) -> bool {
    BAD.binary_search(&port).is_err()
}

/// The bad ports of the [Fetch standard](https://fetch.spec.whatwg.org/#port-blocking), sorted.
const BAD: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_the_web_are_allowed_and_others_are_not() {
        assert!(BAD.is_sorted());
        for port in [80, 443, 81, 591, 8000, 8008, 8080, 8443, 8888, 10_081, 32_768, 65_535] {
            assert!(is_allowed(port), "{port}");
        }
        for port in [0, 1, 22, 25, 110, 143, 587, 2049, 6667, 10_080] {
            assert!(!is_allowed(port), "{port}");
        }
    }
}
