//! The little of a request that a server has to know.

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of a request, and any of them go together")]
pub(super) struct Request {
    /// Whether only the head of the answer is asked for.
    pub(super) head_only: bool,
    /// Whether the method is one we know.
    pub(super) known: bool,
    /// The host in small letters, without port.
    pub(super) host: String,
    /// Path and query.
    pub(super) path: String,
    /// Whether it came in the form that clients use with proxies.
    pub(super) absolute: bool,
    /// Whether an `https` URL came in that form.
    pub(super) absolute_secure: bool,
    /// HTTP/1.0, which knows no chunks.
    pub(super) old_version: bool,
    pub(super) keep_alive: bool,
    pub(super) accepts: Accepts,
}

/// The codings a client accepts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) gzip: bool,
    pub(super) br: bool,
    pub(super) zstd: bool,
}

/// The length of the first head in `bytes`, with the empty line.
pub(super) fn head_len(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4)
}

impl Request {
    /// Reads a head; `None` if it is none.
    pub(super) fn parse(head: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(head).ok()?;
        let mut lines = text.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target, version) = (first.next()?, first.next()?, first.next()?);
        let mut request = Self {
            head_only: method == "HEAD",
            known: matches!(method, "GET" | "HEAD"),
            host: String::new(),
            path: target.to_owned(),
            absolute: false,
            absolute_secure: false,
            old_version: version == "HTTP/1.0",
            keep_alive: version == "HTTP/1.1",
            accepts: Accepts::default(),
        };
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            request.take_field(name, value.trim());
        }
        request.take_absolute();
        (version.starts_with("HTTP/1.") && request.path.starts_with('/')).then_some(request)
    }

    fn take_field(&mut self, name: &str, value: &str) {
        if name.eq_ignore_ascii_case("host") {
            self.host = host_of(value);
        } else if name.eq_ignore_ascii_case("connection") {
            let value = value.to_ascii_lowercase();
            self.keep_alive = !value.contains("close") && (self.keep_alive || value.contains("keep-alive"));
        } else if name.eq_ignore_ascii_case("accept-encoding") {
            let accepts = |coding: &str| value.split([',', ';']).any(|part| part.trim() == coding);
            self.accepts = Accepts { gzip: accepts("gzip"), br: accepts("br"), zstd: accepts("zstd") };
        }
    }

    fn take_absolute(&mut self) {
        let target = std::mem::take(&mut self.path);
        let Some((scheme, rest)) = target.split_once("://").filter(|(scheme, _)| scheme.starts_with("http"))
        else {
            self.path = target;
            return;
        };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        self.host = host_of(host);
        self.path = if path.is_empty() { "/".to_owned() } else { path.to_owned() };
        self.absolute = true;
        self.absolute_secure = scheme == "https";
    }
}

fn host_of(value: &str) -> String {
    value.split(':').next().unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads() {
        let head = b"GET /a?b HTTP/1.1\r\nHOST: H.example:80\r\nAccept-Encoding: gzip;q=1, br\r\n\r\n";
        assert_eq!(head_len(head), Some(head.len()));
        let request = Request::parse(head).expect("a request");
        assert_eq!((&*request.host, &*request.path), ("h.example", "/a?b"));
        assert_eq!(request.accepts, Accepts { gzip: true, br: true, zstd: false });
        assert!(request.keep_alive && request.known && !request.absolute);

        let request = Request::parse(b"HEAD http://x.example HTTP/1.0\r\n\r\n").expect("a request");
        assert_eq!((&*request.host, &*request.path), ("x.example", "/"));
        assert!(request.head_only && request.absolute && !request.keep_alive);
    }

    #[test]
    fn what_is_no_head() {
        for bytes in [&b""[..], b"\r\n\r\n", b"GET", b"GET /\r\n\r\n", b"\xff\xfe \xff HTTP/1.1\r\n\r\n"] {
            assert_eq!(Request::parse(bytes), None, "{bytes:?}");
        }
    }
}
