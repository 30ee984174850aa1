//! Memento (RFC 7089): datetimes, links and TimeMaps.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;
use tamis_archive::Timestamp;

/// The last second of the year 9999, which no HTTP date is after.
const LAST_SECOND: u64 = 253_402_300_799;

/// The URIs of a URL's captures on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uris {
    /// The address of the collection: `http://127.0.0.1:8080/c/NAME`.
    base: String,
    /// The original URL, safe in a header.
    url: String,
}

/// How a TimeMap is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeMapFormat {
    /// `application/link-format` (RFC 6690), which RFC 7089 requires.
    Link,
    /// The JSON of `MemGator` and the Memento aggregators.
    Json,
    /// The CDXJ of `MemGator`: headers that begin with `@`, then a line per memento.
    Cdxj,
}

/// Writes a TimeMap, memento by memento. Memory: the first and the last.
pub struct TimeMap<'u, W> {
    out: W,
    uris: &'u Uris,
    format: TimeMapFormat,
    first: Option<Memento>,
    /// Not written yet, for it may be the last.
    waiting: Option<Memento>,
}

/// A capture in a TimeMap.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Memento {
    timestamp: String,
    moment: Timestamp,
}

/// A moment as HTTP writes it: `Tue, 20 Jun 2000 18:02:59 GMT`. Moments before 1970 are 1970.
pub fn http_date(moment: Timestamp) -> String {
    let seconds = u64::try_from(moment.unix_seconds()).unwrap_or(0).min(LAST_SECOND);
    httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds))
}

/// Reads `Accept-Datetime`.
pub fn accept_datetime(value: &str) -> Option<Timestamp> {
    let time: SystemTime = httpdate::parse_http_date(value.trim()).ok()?;
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Timestamp::from_unix(i64::try_from(since.as_secs()).ok()?, 0)
}

impl Uris {
    /// The URIs of a URL in the collection at `base`.
    pub fn new(base: impl Into<String>, url: &str) -> Self {
        Self { base: base.into(), url: header_safe(url) }
    }

    /// The original resource.
    pub fn original(&self) -> &str {
        &self.url
    }

    /// Its TimeGate.
    pub fn timegate(&self) -> String {
        format!("{}/timegate/{}", self.base, self.url)
    }

    /// Its TimeMap.
    pub fn timemap(&self, format: TimeMapFormat) -> String {
        format!("{}/timemap/{}/{}", self.base, format.name(), self.url)
    }

    /// A capture of it.
    pub fn memento(&self, timestamp: &str) -> String {
        format!("{}/web/{timestamp}/{}", self.base, self.url)
    }

    /// The bytes of a capture of it.
    pub fn raw(&self, timestamp: &str) -> String {
        format!("{}/web/{timestamp}id_/{}", self.base, self.url)
    }

    /// The value of `Link` for a TimeGate, or for a memento if there is one.
    pub fn link(&self, memento: Option<(&str, Timestamp)>) -> String {
        let mut link = format!(
            "<{}>; rel=\"original\", <{}>; rel=\"timegate\", <{}>; rel=\"timemap\"; type=\"application/link-format\"",
            self.url,
            self.timegate(),
            self.timemap(TimeMapFormat::Link)
        );
        if let Some((timestamp, moment)) = memento {
            // Writing to a text cannot fail.
            let _ = write!(
                link,
                ", <{}>; rel=\"memento\"; datetime=\"{}\"",
                self.memento(timestamp),
                http_date(moment)
            );
        }
        link
    }
}

impl TimeMapFormat {
    /// Finds a format by its name in a path.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "link" => Some(Self::Link),
            "json" => Some(Self::Json),
            "cdxj" => Some(Self::Cdxj),
            _ => None,
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Link => "application/link-format",
            Self::Json => "application/json",
            Self::Cdxj => "application/cdxj+ors",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Json => "json",
            Self::Cdxj => "cdxj",
        }
    }
}

impl<'u, W: Write> TimeMap<'u, W> {
    /// Begins a TimeMap.
    pub fn begin(mut out: W, uris: &'u Uris, format: TimeMapFormat) -> io::Result<Self> {
        let (own, timegate) = (uris.timemap(format), uris.timegate());
        match format {
            TimeMapFormat::Link => write!(
                out,
                "<{}>; rel=\"original\",\n<{own}>; rel=\"self\"; type=\"{}\",\n<{timegate}>; rel=\"timegate\"",
                uris.original(),
                format.media_type()
            )?,
            TimeMapFormat::Json => write!(
                out,
                "{{\"original_uri\": {}, \"self\": {}, \"mementos\": {{\"list\": [",
                json!(uris.original()),
                json!(own)
            )?,
            TimeMapFormat::Cdxj => write!(
                out,
                "!context [\"http://tools.ietf.org/html/rfc7089\"]\n!id {}\n!keys [\"memento_datetime_YYYYMMDDhhmmss\"]\n\
                 !meta {}\n!meta {}\n",
                json!({ "uri": own }),
                json!({ "original_uri": uris.original() }),
                json!({ "timegate_uri": timegate })
            )?,
        }
        Ok(Self { out, uris, format, first: None, waiting: None })
    }

    /// Adds the capture of a timestamp of an index. Captures of one second are one memento; a timestamp that is no moment is none.
    pub fn push(&mut self, timestamp: &str) -> io::Result<()> {
        let Some(moment) = Timestamp::parse_leniently(timestamp.as_bytes()) else { return Ok(()) };
        if self.waiting.as_ref().is_some_and(|waiting| waiting.moment.digits() == moment.digits()) {
            return Ok(());
        }
        let memento = Memento { timestamp: moment.digits(), moment };
        if let Some(waiting) = self.waiting.replace(memento) {
            self.write(&waiting, false)?;
        }
        Ok(())
    }

    /// Ends the TimeMap.
    pub fn finish(mut self) -> io::Result<W> {
        let last = self.waiting.take();
        if let Some(last) = &last {
            self.write(last, true)?;
        }
        if self.format == TimeMapFormat::Json {
            let one = |memento: &Option<Memento>| memento.as_ref().map(|memento| self.object(memento));
            let maps = json!({
                "link_format": self.uris.timemap(TimeMapFormat::Link),
                "json_format": self.uris.timemap(TimeMapFormat::Json),
                "cdxj_format": self.uris.timemap(TimeMapFormat::Cdxj),
            });
            let (first, last) = (json!(one(&self.first)), json!(one(&last)));
            let timegate = json!(self.uris.timegate());
            write!(
                self.out,
                "],\n\"first\": {first}, \"last\": {last}}},\n\"timemap_uri\": {maps}, \"timegate_uri\": {timegate}}}"
            )?;
        }
        self.out.write_all(b"\n")?;
        Ok(self.out)
    }

    fn write(&mut self, memento: &Memento, is_last: bool) -> io::Result<()> {
        let is_first = self.first.is_none();
        let (uri, date) = (self.uris.memento(&memento.timestamp), http_date(memento.moment));
        let rel = match (is_first, is_last) {
            (true, true) => "first last memento",
            (true, false) => "first memento",
            (false, true) => "last memento",
            (false, false) => "memento",
        };
        match self.format {
            TimeMapFormat::Link => write!(self.out, ",\n<{uri}>; rel=\"{rel}\"; datetime=\"{date}\"")?,
            TimeMapFormat::Json => {
                let comma = if is_first { "\n" } else { ",\n" };
                write!(self.out, "{comma}{}", self.object(memento))?;
            }
            TimeMapFormat::Cdxj => {
                let object = json!({ "uri": uri, "rel": rel, "datetime": date });
                writeln!(self.out, "{} {object}", memento.timestamp)?;
            }
        }
        if is_first {
            self.first = Some(memento.clone());
        }
        Ok(())
    }

    fn object(&self, memento: &Memento) -> serde_json::Value {
        let Memento { timestamp, moment } = memento;
        let date = moment.to_seconds().to_string();
        json!({ "datetime": date, "uri": self.uris.memento(timestamp) })
    }
}

/// A URL without what would end it in a `Link`, or the header itself.
fn header_safe(url: &str) -> String {
    let mut safe = String::with_capacity(url.len());
    for byte in url.bytes() {
        if byte.is_ascii_graphic() && !b"<>\"\\^`{|}".contains(&byte) {
            safe.push(char::from(byte));
        } else {
            let _ = write!(safe, "%{byte:02X}");
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Timestamp {
        text.parse().expect("a moment")
    }

    #[test]
    fn datetimes_are_those_of_http() {
        for (text, date) in [
            ("20000620180259", "Tue, 20 Jun 2000 18:02:59 GMT"),
            ("1994", "Sat, 01 Jan 1994 00:00:00 GMT"),
            ("9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT"),
            ("1000", "Thu, 01 Jan 1970 00:00:00 GMT"),
        ] {
            assert_eq!(http_date(moment(text)), date);
        }
        assert_eq!(accept_datetime(" Tue, 20 Jun 2000 18:02:59 GMT"), Some(moment("20000620180259")));
        for bad in ["", "now", "2014", "Tue, 20 Foo 2000 18:02:59 GMT"] {
            assert_eq!(accept_datetime(bad), None, "{bad}");
        }
    }

    #[test]
    fn links_name_the_original_its_timegate_and_its_timemap() {
        let uris = Uris::new("http://h/c/n", "http://a/?b");
        assert_eq!(
            uris.link(Some(("20000620180259", moment("20000620180259")))),
            "<http://a/?b>; rel=\"original\", <http://h/c/n/timegate/http://a/?b>; rel=\"timegate\", \
             <http://h/c/n/timemap/link/http://a/?b>; rel=\"timemap\"; type=\"application/link-format\", \
             <http://h/c/n/web/20000620180259/http://a/?b>; rel=\"memento\"; datetime=\"Tue, 20 Jun 2000 18:02:59 GMT\""
        );
        let hostile = Uris::new("http://h", "http://a/>; rel=\"x\"\r\nSet-Cookie: é");
        assert!(!hostile.link(None).contains(['\r', '\n', 'é']), "{}", hostile.link(None));
        assert!(hostile.original().starts_with("http://a/%3E;%20rel=%22x%22%0D%0A"), "{hostile:?}");
    }

    fn timemap(format: TimeMapFormat, timestamps: &[&str]) -> String {
        let uris = Uris::new("http://h", "http://a/");
        let mut map = TimeMap::begin(Vec::new(), &uris, format).expect("to memory");
        for timestamp in timestamps {
            map.push(timestamp).expect("to memory");
        }
        String::from_utf8(map.finish().expect("to memory")).expect("UTF-8")
    }

    #[test]
    fn a_timemap_has_each_moment_once_and_marks_the_ends() {
        let timestamps = ["20010101000000", "20020101000000", "20020101000000", "-", "20030101000000"];
        let map = timemap(TimeMapFormat::Link, &timestamps);
        let expected = "<http://a/>; rel=\"original\",\n\
            <http://h/timemap/link/http://a/>; rel=\"self\"; type=\"application/link-format\",\n\
            <http://h/timegate/http://a/>; rel=\"timegate\",\n\
            <http://h/web/20010101000000/http://a/>; rel=\"first memento\"; datetime=\"Mon, 01 Jan 2001 00:00:00 GMT\",\n\
            <http://h/web/20020101000000/http://a/>; rel=\"memento\"; datetime=\"Tue, 01 Jan 2002 00:00:00 GMT\",\n\
            <http://h/web/20030101000000/http://a/>; rel=\"last memento\"; datetime=\"Wed, 01 Jan 2003 00:00:00 GMT\"\n";
        assert_eq!(map, expected);
        let json: serde_json::Value =
            serde_json::from_str(&timemap(TimeMapFormat::Json, &timestamps)).expect("JSON");
        assert_eq!(json["mementos"]["list"].as_array().map(Vec::len), Some(3));
        assert_eq!(json["mementos"]["last"]["datetime"], "2003-01-01T00:00:00Z");
        assert_eq!(json["timegate_uri"], "http://h/timegate/http://a/");
        let cdxj = timemap(TimeMapFormat::Cdxj, &timestamps);
        assert_eq!(cdxj.lines().filter(|line| line.starts_with("20")).count(), 3);
        assert!(cdxj.contains("\"rel\":\"last memento\""), "{cdxj}");
    }

    #[test]
    fn a_timemap_of_one_capture_is_sound() {
        assert!(timemap(TimeMapFormat::Link, &["2001"]).contains("rel=\"first last memento\""));
        let json = timemap(TimeMapFormat::Json, &["2001"]);
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
    }
}
