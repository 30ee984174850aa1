//! What the answer to a request for `robots.txt` means.

use super::Robots;

/// What follows from the status of the answer (RFC 9309 section 2.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reception {
    /// The body is a file to read.
    Parse,
    /// The file is elsewhere: to be followed [`Reception::MAX_REDIRECTS`] times; behind that it is as if there were none.
    Follow,
    /// There is no file: all may be fetched.
    AllowAll,
    /// The server does not answer: nothing may be fetched until it does, and it is asked again later.
    Unreachable,
}

impl Reception {
    /// How many redirects are followed, even to other hosts (section 2.3.1.2).
    pub const MAX_REDIRECTS: usize = 5;

    /// What a status means. An answer of 429 says that we come too often, not that there are no rules.
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Parse,
            301 | 302 | 303 | 307 | 308 => Self::Follow,
            429 => Self::Unreachable,
            300..=499 => Self::AllowAll,
            _ => Self::Unreachable,
        }
    }

    /// The rules that hold after this answer, for the robot with this product token.
    pub fn robots(self, body: &[u8], agent: &str) -> Robots {
        match self {
            Self::Parse => Robots::parse(body, agent),
            Self::Follow | Self::AllowAll => Robots::allow_all(),
            Self::Unreachable => Robots::disallow_all(),
        }
    }

    /// Whether to ask again soon, not only when the file is old.
    pub fn is_retried(self) -> bool {
        self == Self::Unreachable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_allows_and_a_silent_server_forbids() {
        let body = b"user-agent: *\ndisallow: /a";
        for (status, at_a, at_b) in [
            (200, false, true),
            (204, false, true),
            (301, true, true),
            (304, true, true),
            (401, true, true),
            (403, true, true),
            (404, true, true),
            (410, true, true),
            (429, false, false),
            (500, false, false),
            (503, false, false),
            (999, false, false),
            (0, false, false),
        ] {
            let robots = Reception::of_status(status).robots(body, "x");
            assert_eq!((robots.allows("/a"), robots.allows("/b")), (at_a, at_b), "{status}");
            assert!(robots.allows("/robots.txt"), "{status}");
        }
    }
}
