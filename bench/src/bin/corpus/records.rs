//! The records of a capture, head and block, as Common Crawl writes them.

use data_encoding::BASE32;
use sha1::{Digest, Sha1};

/// Seconds between two pages of the crawl; with it all captures fall into one month.
const PACE_SECONDS: u64 = 60;
const SERVERS: [&str; 5] =
    ["nginx", "Apache/2.4.58 (Ubuntu)", "cloudflare", "Microsoft-IIS/10.0", "LiteSpeed"];
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

/// One visit of one page.
pub(crate) struct Capture<'a> {
    /// Which visit of the crawl it is; makes dates, ids and HTTP heads differ.
    pub(crate) number: u64,
    pub(crate) url: &'a str,
    pub(crate) body: &'a [u8],
    pub(crate) mime: &'static str,
}

impl Capture<'_> {
    /// Request, response and metadata record, each whole.
    pub(crate) fn records(&self) -> [Vec<u8>; 3] {
        [self.request(), self.response(), self.metadata()]
    }

    fn request(&self) -> Vec<u8> {
        let (host, path) = host_and_path(self.url);
        let block = format!(
            "GET {path} HTTP/1.1\r\nUser-Agent: CCBot/2.0 (https://commoncrawl.org/faq/)\r\n\
             Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
             Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: br,gzip\r\nHost: {host}\r\n\
             Connection: Keep-Alive\r\n\r\n"
        );
        let fields = format!(
            "WARC-Warcinfo-ID: {}\r\nWARC-IP-Address: {}\r\nWARC-Target-URI: {}\r\n",
            id("warcinfo", 0),
            self.address(),
            self.url
        );
        self.record("request", "application/http; msgtype=request", &fields, block.as_bytes())
    }

    fn response(&self) -> Vec<u8> {
        let mut block = self.http_head().into_bytes();
        block.extend_from_slice(self.body);
        let fields = format!(
            "WARC-Warcinfo-ID: {}\r\nWARC-Concurrent-To: {}\r\nWARC-IP-Address: {}\r\nWARC-Target-URI: {}\r\n\
             WARC-Payload-Digest: {}\r\nWARC-Block-Digest: {}\r\nWARC-Identified-Payload-Type: {}\r\n",
            id("warcinfo", 0),
            id("request", self.number),
            self.address(),
            self.url,
            sha1(self.body),
            sha1(&block),
            self.mime,
        );
        self.record("response", "application/http; msgtype=response", &fields, &block)
    }

    fn metadata(&self) -> Vec<u8> {
        let block = format!(
            "fetchTimeMs: {}\r\ncharset-detected: UTF-8\r\nlanguages-cld2: {{\"reliable\":true,\
             \"text-bytes\":{},\"languages\":[{{\"code\":\"en\",\"code-iso-639-3\":\"eng\",\"text-covered\":0.99,\
             \"score\":1127.0,\"name\":\"ENGLISH\"}}]}}\r\n\r\n",
            self.pick(1, 2000),
            self.body.len() / 9,
        );
        let fields = format!(
            "WARC-Warcinfo-ID: {}\r\nWARC-Concurrent-To: {}\r\nWARC-Target-URI: {}\r\n",
            id("warcinfo", 0),
            id("response", self.number),
            self.url
        );
        self.record("metadata", "application/warc-fields", &fields, block.as_bytes())
    }

    fn http_head(&self) -> String {
        let (day, hour, minute, second) = moment(self.number);
        let token = BASE32.encode(&Sha1::digest(self.number.to_le_bytes()));
        format!(
            "HTTP/1.1 200 OK\r\nDate: {weekday}, {day:02} Jan 2026 {hour:02}:{minute:02}:{second:02} GMT\r\n\
             Content-Type: {mime}; charset=UTF-8\r\nX-Crawl-Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\
             Server: {server}\r\nVary: Accept-Encoding, Cookie\r\nCache-Control: max-age={age}, must-revalidate\r\n\
             ETag: W/\"{etag}\"\r\nSet-Cookie: session={token}; path=/; HttpOnly; SameSite=Lax\r\n\
             Link: <{url}>; rel=\"canonical\"\r\nStrict-Transport-Security: max-age=31536000; includeSubDomains\r\n\
             X-Content-Type-Options: nosniff\r\nX-Frame-Options: SAMEORIGIN\r\nX-Cache: HIT from edge-{edge}\r\n\
             X-Crawl-Content-Encoding: gzip\r\nContent-Length: {len}\r\n\r\n",
            weekday = WEEKDAYS[(day - 1) as usize % WEEKDAYS.len()],
            mime = self.mime,
            server = SERVERS[self.pick(2, SERVERS.len() as u64) as usize],
            age = self.pick(3, 86_400),
            etag = &token[..16],
            url = self.url,
            edge = self.pick(4, 64),
            len = self.body.len(),
        )
    }

    fn record(&self, kind: &str, content_type: &str, fields: &str, block: &[u8]) -> Vec<u8> {
        let (day, hour, minute, second) = moment(self.number);
        let head = format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-01-{day:02}T{hour:02}:{minute:02}:{second:02}Z\r\n\
             WARC-Record-ID: {}\r\nContent-Length: {}\r\nContent-Type: {content_type}\r\n{fields}\r\n",
            id(kind, self.number),
            block.len(),
        );
        [head.as_bytes(), block, b"\r\n\r\n"].concat()
    }

    fn address(&self) -> String {
        format!("203.0.113.{}", self.pick(5, 254) + 1)
    }

    /// A number below `limit`, the same at each run; `salt` makes the picks of one capture differ.
    fn pick(&self, salt: u64, limit: u64) -> u64 {
        (self.number + salt).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23) % limit
    }
}

/// The record that opens the file.
pub(crate) fn warcinfo() -> Vec<u8> {
    let block = "isPartOf: tamis-bench\r\npublisher: The tamis authors\r\ndescription: pages of the test data\r\n\
                 format: WARC File Format 1.0\r\n\r\n";
    let head = format!(
        "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: {}\r\n\
         Content-Length: {}\r\nContent-Type: application/warc-fields\r\nWARC-Filename: corpus.warc.gz\r\n\r\n",
        id("warcinfo", 0),
        block.len(),
    );
    [head.as_bytes(), block.as_bytes(), b"\r\n\r\n"].concat()
}

/// Day of January 2026, hour, minute and second of a capture; from the month's end on it begins again.
fn moment(number: u64) -> (u64, u64, u64, u64) {
    let seconds = number * PACE_SECONDS;
    (1 + seconds / 86_400 % 31, seconds / 3600 % 24, seconds / 60 % 60, number * 7 % 60)
}

fn id(kind: &str, number: u64) -> String {
    let hash = Sha1::digest(format!("{kind} {number}"));
    let hex = data_encoding::HEXLOWER.encode(&hash[..16]);
    format!("<urn:uuid:{}-{}-{}-{}-{}>", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

fn sha1(bytes: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes)))
}

fn host_and_path(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or((rest, "/"), |slash| rest.split_at(slash))
}
