//! Why there is no exchange.

use std::fmt;
use std::io;

/// Why an address gave no answer that could be kept. Each has a short [`Failure::name`] to count by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Failure {
    /// The name does not exist, or has no address.
    NoSuchHost,
    /// The name servers did not answer, or with an error.
    Dns,
    /// All addresses of the host are such as [`guard`](super::guard) refuses.
    AddressRefused,
    /// The server refused the connection.
    ConnectionRefused,
    /// There is no way to the server.
    Unreachable,
    /// The connection did not stand in time.
    ConnectTimeout,
    /// TLS could not be agreed upon.
    Tls,
    /// The certificate is not valid, and [`Verify::Strict`](super::Verify::Strict) was asked for.
    Certificate,
    /// TLS was not agreed upon in time.
    TlsTimeout,
    /// A kept connection had been closed before the server answered anything: worth another try on a new one.
    Stale,
    /// The server closed a new connection without an answer.
    NoAnswer,
    /// No byte of the answer came in time.
    FirstByteTimeout,
    /// The head of the answer did not end in time.
    HeadTimeout,
    /// The head of the answer is too long or has too many fields.
    HeadTooLarge,
    /// The server closed the connection within the head of the answer.
    HeadCut,
    /// The answer is not HTTP, or its head contradicts itself.
    NotHttp,
    /// The server broke the rules of HTTP/2, or took the request back.
    Http2,
    /// The request went to a connection of another origin, or its target cannot be written in a request.
    BadRequest,
    /// The port is one of those of other protocols, which [`ports`](super::ports) refuses.
    PortRefused,
    /// The `Content-Length` of the answer is no number, more than one, or too large to count.
    BadLength,
    /// The proxy could not be reached, or refused to go on.
    Proxy,
}

impl Failure {
    /// All of them, for statistics. Journals have their places: new ones go to the end.
    pub const ALL: [Self; 21] = [
        Self::NoSuchHost,
        Self::Dns,
        Self::AddressRefused,
        Self::ConnectionRefused,
        Self::Unreachable,
        Self::ConnectTimeout,
        Self::Tls,
        Self::Certificate,
        Self::TlsTimeout,
        Self::Stale,
        Self::NoAnswer,
        Self::FirstByteTimeout,
        Self::HeadTimeout,
        Self::HeadTooLarge,
        Self::HeadCut,
        Self::NotHttp,
        Self::Http2,
        Self::BadRequest,
        Self::PortRefused,
        Self::BadLength,
        Self::Proxy,
    ];

    /// A short name that does not change between versions.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSuchHost => "no-such-host",
            Self::Dns => "dns",
            Self::AddressRefused => "address-refused",
            Self::ConnectionRefused => "connection-refused",
            Self::Unreachable => "unreachable",
            Self::ConnectTimeout => "connect-timeout",
            Self::Tls => "tls",
            Self::Certificate => "certificate",
            Self::TlsTimeout => "tls-timeout",
            Self::Stale => "stale",
            Self::NoAnswer => "no-answer",
            Self::FirstByteTimeout => "first-byte-timeout",
            Self::HeadTimeout => "head-timeout",
            Self::HeadTooLarge => "head-too-large",
            Self::HeadCut => "head-cut",
            Self::NotHttp => "not-http",
            Self::Http2 => "http2",
            Self::BadRequest => "bad-request",
            Self::PortRefused => "port-refused",
            Self::BadLength => "bad-length",
            Self::Proxy => "proxy",
        }
    }

    /// Whether the request may be sent again at once, on a new connection: the server took no notice of it.
    pub fn may_retry_at_once(self) -> bool {
        self == Self::Stale
    }

    /// Whether something did not happen in time.
    pub fn is_late(self) -> bool {
        matches!(self, Self::ConnectTimeout | Self::TlsTimeout | Self::FirstByteTimeout | Self::HeadTimeout)
    }

    pub(super) fn of_connect(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset => Self::ConnectionRefused,
            io::ErrorKind::TimedOut => Self::ConnectTimeout,
            _ => Self::Unreachable,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_failures_apart() {
        let names: std::collections::BTreeSet<_> =
            Failure::ALL.iter().map(|failure| failure.name()).collect();
        assert_eq!(names.len(), Failure::ALL.len());
        for (i, failure) in Failure::ALL.into_iter().enumerate() {
            assert_eq!(failure as usize, i, "ALL is in the order of the variants");
        }
    }
}
