//! A line per request: the Combined Log Format, and the microseconds it took.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::{HeaderMap, Method, Uri};
use tamis_archive::Timestamp;

use crate::Error;

/// A file of requests.
pub(crate) struct AccessLog {
    file: Mutex<File>,
}

/// A request that was answered.
pub(crate) struct Line<'a> {
    pub(crate) peer: SocketAddr,
    pub(crate) method: &'a Method,
    pub(crate) uri: &'a Uri,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) status: u16,
    /// Bytes of the body, where they are known before it is sent.
    pub(crate) bytes: Option<u64>,
    pub(crate) took: Duration,
}

impl AccessLog {
    /// Opens a file to append to.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let error = |source| Error::Io { path: PathBuf::from(path), source };
        let file = File::options().create(true).append(true).open(path).map_err(error)?;
        Ok(Self { file: Mutex::new(file) })
    }

    /// Adds a line.
    pub(crate) fn add(&self, line: &Line<'_>) {
        let text = line.text(SystemTime::now());
        // A disk that is full must not stop the server.
        let _ = self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes());
    }
}

impl Line<'_> {
    fn text(&self, now: SystemTime) -> String {
        let field = |name: &str| {
            let value =
                self.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
            safe(&value.unwrap_or_else(|| "-".to_owned()))
        };
        let bytes = self.bytes.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string());
        format!(
            "{} - - [{}] \"{} {} HTTP/1.1\" {} {bytes} \"{}\" \"{}\" {}\n",
            self.peer.ip(),
            date(now),
            self.method,
            safe(&without_token(&self.uri.to_string())),
            self.status,
            field("referer"),
            field("user-agent"),
            self.took.as_micros()
        )
    }
}

/// `10/Oct/2000:13:55:36 +0000`
fn date(now: SystemTime) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let Some(moment) = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_unix(seconds, 0))
    else {
        return "-".to_owned();
    };
    let digits = moment.digits();
    let month = digits[4..6].parse::<usize>().map_or("-", |month| MONTHS[(month - 1) % 12]);
    let (year, day) = (&digits[..4], &digits[6..8]);
    format!("{day}/{month}/{year}:{}:{}:{} +0000", &digits[8..10], &digits[10..12], &digits[12..])
}

/// A URI without the token that a link to the server may carry.
fn without_token(uri: &str) -> String {
    let Some((path, query)) = uri.split_once('?') else { return uri.to_owned() };
    let hide = |pair: &str| if pair.starts_with("token=") { "token=…".to_owned() } else { pair.to_owned() };
    format!("{path}?{}", query.split('&').map(hide).collect::<Vec<_>>().join("&"))
}

/// A value that ends neither its quotes nor the line.
fn safe(value: &str) -> String {
    let mut safe = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '"' | '\\' => safe.extend(['\\', c]),
            c if c.is_control() => drop(write!(safe, "\\x{:02x}", u32::from(c))),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_and_hides_the_token() {
        let mut headers = HeaderMap::new();
        headers.insert(
            "user-agent",
            http::HeaderValue::from_bytes("x\" \\ \u{e9}".as_bytes()).expect("a value"),
        );
        let line = Line {
            peer: "127.0.0.1:99".parse().expect("an address"),
            method: &Method::GET,
            uri: &"/c/a?token=secret&x=1".parse().expect("a URI"),
            headers: &headers,
            status: 200,
            bytes: Some(7),
            took: Duration::from_micros(12),
        };
        let now = UNIX_EPOCH + Duration::from_secs(971_186_136);
        assert_eq!(
            line.text(now),
            "127.0.0.1 - - [10/Oct/2000:13:55:36 +0000] \"GET /c/a?token=…&x=1 HTTP/1.1\" 200 7 \"-\" \"x\\\" \\\\ \u{e9}\" 12\n"
        );
    }
}
