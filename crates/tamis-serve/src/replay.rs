//! Replay in the browser: archived origins under hosts of their own, pages rewritten, and a policy that keeps them inside.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::sync::Arc;

use axum::body::Body;
use http::header::{
    ACCEPT_RANGES, ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS,
    ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    HeaderName, ORIGIN, RANGE, REFERER, VARY, X_DNS_PREFETCH_CONTROL,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use tamis_archive::captures::Capture;
use tamis_archive::cdx::Query;
use tamis_archive::http::{BodyEnd, DecodeLimits, HttpHead};
use tamis_archive::{Content, Payload, Timestamp};
use tamis_replay::headers;
use tamis_replay::memento::Uris;
use tamis_replay::page::{Kind, Origin, Page, Rewriter, Site, css, utf8};

use crate::audit::Audit;
use crate::failure::Failure;
use crate::listen::App;
use crate::memento::add_datetime;
use crate::outlet::{Outlet, Responder};
use crate::routes;
use crate::shelf::{Holdings, Shelf};
use crate::stored::{self, Given, Stored, set};
use crate::uri::escaped;

/// The script that runs in each page first.
const SCRIPT: &str = include_str!("page.js");
/// Where the server's own resources are on replay hosts.
const OWN: &str = "/~tamis/";
/// The most bytes that a rewritten payload decodes to.
const MAX_DECODED: u64 = 256 << 20;
/// The largest style sheet that is rewritten, and page that is transcoded: they are held in memory.
const MAX_HELD: u64 = 16 << 20;
/// The largest report.
const MAX_REPORT: usize = 64 << 10;

/// What is asked for of an archived origin.
struct Ask {
    origin: Origin,
    url: String,
    range: Option<String>,
    is_head: bool,
    /// Whether it becomes the page of the frame that the interface shows.
    is_page: bool,
    /// The archived page that asks.
    referer: Option<String>,
    /// Who may read the response from another origin of the same moment.
    reader: Option<HeaderValue>,
}

/// Answers a request to a replay host.
pub(crate) async fn answer(
    app: &Arc<App>,
    origin: Origin,
    parts: Parts,
    body: Body,
) -> Result<Response<Body>, Failure> {
    let shelf = origin.site.collection.checked_sub(1).and_then(|at| app.shelves.get(at));
    let shelf = shelf.ok_or_else(|| Failure::Misdirected("there is no such collection".to_owned()))?;
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
    match path.strip_prefix(OWN) {
        Some("page.js") => return Ok(script()),
        Some("report") => return report(&origin, shelf, body).await,
        _ => {}
    }
    let reader = reader(&parts.headers, &origin.site);
    if parts.method == Method::OPTIONS {
        return Ok(preflight(reader.as_ref()));
    }
    let dest = text(&parts.headers, "sec-fetch-dest");
    let url = origin.url(&path);
    if dest == "document" && text(&parts.headers, "sec-fetch-mode") == "navigate" {
        // Only in the frame of the interface are navigations kept inside.
        let base = format!("http://{}/c/{}", origin.site.bar(), escaped(shelf.name()));
        return routes::redirect(&Uris::new(base, &url).memento(&origin.site.timestamp));
    }
    let holdings = shelf.holdings()?;
    let ask = Ask {
        url,
        range: Some(text(&parts.headers, RANGE.as_str()).to_owned()).filter(|range| !range.is_empty()),
        is_head: parts.method == Method::HEAD,
        is_page: matches!(dest, "iframe" | "frame"),
        referer: archived(text(&parts.headers, REFERER.as_str())),
        reader,
        origin,
    };
    let shared = app.clone();
    let (page, missing) = (ask.referer.clone(), ask.url.clone());
    let answered = app.work.answer(move |responder| ask.answer(&shared, &holdings, responder)).await;
    if let (Err(Failure::NotFound(_)), Some(page)) = (&answered, page) {
        shelf.audit().add(&page, Audit::MISSING, &missing);
    }
    answered
}

/// Adds the headers that keep an archived page inside, whatever was answered.
pub(crate) fn protect(response: &mut Response<Body>, site: &Site) {
    let pattern = site.pattern();
    let own = format!("'self' {pattern} {}", pattern.replacen("http:", "ws:", 1));
    let policy = format!(
        "default-src {own} data: blob: 'unsafe-inline' 'unsafe-eval'; base-uri {own}; form-action {own}; \
         frame-ancestors http://{} {pattern}; webrtc 'block'; report-uri {OWN}report",
        site.bar()
    );
    set(response, CONTENT_SECURITY_POLICY, &policy);
    let headers = response.headers_mut();
    for (name, value) in [
        (X_DNS_PREFETCH_CONTROL, "off"),
        (http::header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
        (HeaderName::from_static("origin-agent-cluster"), "?1"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

impl Ask {
    fn answer(&self, app: &App, holdings: &Holdings, responder: Responder) -> Result<(), Failure> {
        let closest = Timestamp::parse_leniently(self.origin.site.timestamp.as_bytes());
        let query = Query { closest, ..Query::exact(&self.url) };
        let nearest = holdings.captures.nearest(&query, &mut routes::watch(app))?;
        let missing = || Failure::NotFound(format!("{} is not in the archive", self.url));
        let capture = nearest.capture.ok_or_else(missing)?;
        let write = |given: Given<'_>| self.write(given, &capture, holdings);
        stored::open(app, holdings, &capture, self.range.is_some(), responder, write)
    }

    fn write(&self, given: Given<'_>, capture: &Capture, holdings: &Holdings) -> Result<(), Failure> {
        let Given { mut record, revisit, len, responder } = given;
        let mut http = HttpHead::default();
        let content = Content::of(record.head, &mut record.body, &mut http)?;
        let kind = Kind::of(&http, content.mime.as_deref());
        let mut head = self.head(capture, &http, &content, revisit, holdings, kind != Kind::Other);
        if kind == Kind::Other {
            head.headers_mut().insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
            return Stored::of(&mut record)?.send(head, self.range.as_deref(), len, self.is_head, responder);
        }
        if self.is_head {
            responder.begin(head).finish_head();
            return Ok(());
        }
        let limits = DecodeLimits { max_output_bytes: MAX_DECODED, ..DecodeLimits::default() };
        let mut payload = Payload::of(&content, &mut record.body, &mut http, limits)?;
        match kind {
            Kind::Css => self.write_css(&mut payload, head, responder)?,
            _ => self.write_html(&mut payload, &http, head, responder)?,
        }
        let end = payload.outcome().map(|outcome| outcome.end);
        match end {
            Some(BodyEnd::Limit) => Err(Failure::Archive("the page decodes to more than 256 MiB".to_owned())),
            _ => Ok(()),
        }
    }

    fn write_css(
        &self,
        payload: &mut impl Read,
        head: Response<()>,
        responder: Responder,
    ) -> Result<(), Failure> {
        let mut text = Vec::new();
        payload.take(MAX_HELD).read_to_end(&mut text)?;
        let mut outlet = responder.begin(head);
        outlet.write_all(&css::rewrite(&text, &self.origin.site))?;
        // What is beyond the limit stays as it is: the policy holds for it, too.
        std::io::copy(payload, &mut outlet)?;
        Ok(outlet.finish()?)
    }

    fn write_html(
        &self,
        payload: &mut impl Read,
        http: &HttpHead,
        mut head: Response<()>,
        responder: Responder,
    ) -> Result<(), Failure> {
        let mut first = vec![0; 64 << 10];
        let len = fill(payload, &mut first)?;
        first.truncate(len);
        let media_type = http.fields().text("Content-Type").unwrap_or_default().into_owned();
        if let Some(transcode) = utf8::needed(&first, &media_type) {
            payload.take(MAX_HELD).read_to_end(&mut first)?;
            first = transcode.to_utf8(&first).into_bytes();
            set(&mut head, CONTENT_TYPE, "text/html; charset=utf-8");
        }
        let mut outlet = responder.begin(head);
        self.rewrite(&first, payload, &mut outlet)?;
        Ok(outlet.finish()?)
    }

    fn rewrite(&self, first: &[u8], rest: &mut impl Read, outlet: &mut Outlet) -> Result<(), Failure> {
        let failure = RefCell::new(None);
        let page = Page { site: self.origin.site.clone(), head: self.head_markup() };
        let mut rewriter = Rewriter::new(&page, |bytes: &[u8]| {
            if let Err(error) = outlet.write_all(bytes) {
                failure.borrow_mut().get_or_insert(error);
            }
        });
        let broken = |error: &dyn std::fmt::Display| {
            Failure::Archive(format!("the page cannot be rewritten: {error}"))
        };
        let mut buffer = vec![0; 64 << 10];
        let mut bytes: &[u8] = first;
        loop {
            rewriter.write(bytes).map_err(|error| broken(&error))?;
            if let Some(error) = failure.borrow_mut().take() {
                return Err(error.into());
            }
            let len = rest.read(&mut buffer)?;
            if len == 0 {
                break;
            }
            bytes = &buffer[..len];
        }
        rewriter.finish().map_err(|error| broken(&error))?;
        failure.into_inner().map_or(Ok(()), |error| Err(error.into()))
    }

    /// The script of the page, and what it has to know.
    fn head_markup(&self) -> String {
        let Site { timestamp, collection, port } = &self.origin.site;
        let host = self.origin.site.host(&self.origin.authority).unwrap_or_default();
        let moment =
            Timestamp::parse_leniently(timestamp.as_bytes()).map_or(0, |moment| moment.unix_seconds());
        format!(
            "<script src=\"http://{host}{OWN}page.js\" data-suffix=\".t{timestamp}.c{collection}.localhost:{port}\" \
             data-time=\"{}\" data-top=\"{}\"></script>",
            moment.saturating_mul(1000),
            u8::from(self.is_page)
        )
    }

    fn head(
        &self,
        capture: &Capture,
        http: &HttpHead,
        content: &Content,
        revisit: Option<HttpHead>,
        holdings: &Holdings,
        is_rewritten: bool,
    ) -> Response<()> {
        let mut head = routes::head("application/octet-stream", holdings);
        head.headers_mut().remove(CONTENT_TYPE);
        let own = revisit.filter(|http| http.status().is_some_and(|status| status != 304));
        let told = own.as_ref().unwrap_or(http);
        let status = if content.is_http { headers::status(told.status()) } else { 200 };
        *head.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
        for (name, value) in headers::page(told, &self.origin.site, is_rewritten).list {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_bytes(&value)) {
                head.headers_mut().append(name, value);
            }
        }
        if let Some(mime) = content.mime.as_deref().filter(|_| !head.headers().contains_key(CONTENT_TYPE)) {
            set(&mut head, CONTENT_TYPE, mime);
        }
        if let Some(reader) = &self.reader {
            allow(head.headers_mut(), reader);
        }
        add_datetime(&mut head, &capture.entry.timestamp);
        head
    }
}

fn script() -> Response<Body> {
    let mut response = Response::new(Body::from(SCRIPT));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

/// Notes what the policy kept inside.
async fn report(origin: &Origin, shelf: &Shelf, body: Body) -> Result<Response<Body>, Failure> {
    let bytes = axum::body::to_bytes(body, MAX_REPORT).await;
    let bytes = bytes.map_err(|_| Failure::BadRequest("the report is too large".to_owned()))?;
    let report: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let field = |name: &str| report["csp-report"][name].as_str().unwrap_or_default().to_owned();
    let page = archived(&field("document-uri")).unwrap_or_else(|| origin.url("/"));
    let directive = field("effective-directive");
    let blocked = field("blocked-uri");
    if !blocked.is_empty() {
        shelf.audit().add(&page, &directive, &archived(&blocked).unwrap_or(blocked));
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    Ok(response)
}

fn preflight(reader: Option<&HeaderValue>) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    if let Some(reader) = reader {
        let headers = response.headers_mut();
        allow(headers, reader);
        headers.insert(
            ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("GET, HEAD, POST, PUT, DELETE, PATCH"),
        );
        // With credentials `*` means itself, and nobody sends a header of that name.
        headers.insert(
            ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static("*, authorization, content-type, x-requested-with, range"),
        );
    }
    response
}

fn allow(headers: &mut HeaderMap, reader: &HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, reader.clone());
    headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    headers.insert(VARY, HeaderValue::from_static("origin"));
}

/// The origin that asks, if it is of the same collection and moment.
fn reader(headers: &HeaderMap, site: &Site) -> Option<HeaderValue> {
    let value = headers.get(ORIGIN)?;
    let origin = Origin::parse(value.to_str().ok()?.strip_prefix("http://")?)?;
    (origin.site == *site).then(|| value.clone())
}

/// The archived URL of a URL of a replay host.
fn archived(url: &str) -> Option<String> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("ws://"))?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    Some(Origin::parse(host)?.url(if path.is_empty() { "/" } else { path }))
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match reader.read(&mut buffer[len..])? {
            0 => break,
            read => len += read,
        }
    }
    Ok(len)
}
