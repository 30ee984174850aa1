//! `/c/NAME/web/TSid_/URL`: the bytes of a capture, as they were.

use std::sync::Arc;

use http::header::{
    ACCEPT_RANGES, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, IF_RANGE, LOCATION, RANGE,
};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use tamis_archive::Timestamp;
use tamis_archive::captures::Capture;
use tamis_archive::cdx::Query;
use tamis_archive::http::HttpHead;
use tamis_replay::headers;
use tamis_replay::memento::Uris;
use tamis_replay::page::Site;
use tamis_replay::place::{Place, When};

use crate::failure::Failure;
use crate::listen::App;
use crate::memento::{add_datetime, add_link, none};
use crate::outlet::Responder;
use crate::pages;
use crate::routes::{self, Answer};
use crate::shelf::Holdings;
use crate::stored::{self, Given, Stored, set};
use crate::uri::{escaped, tail};

/// The policy of bytes of strangers: they run nothing, load nothing, and have an origin of their own.
const POLICY: &str = "default-src 'none'; sandbox";

/// What is asked for.
struct Ask {
    /// The name and the number of the collection.
    name: String,
    collection: usize,
    base: String,
    url: String,
    closest: Option<Timestamp>,
    /// The moment as it was written.
    written: Option<String>,
    is_raw: bool,
    range: Option<String>,
    is_head: bool,
    /// Whether a browser asks for something to show.
    is_shown: bool,
}

/// Gives the bytes of a capture, or sends the client to where they are.
pub(crate) async fn answer(app: &Arc<App>, request: &Request<()>) -> Answer {
    let shelf = routes::shelf(app, request)?;
    let holdings = shelf.holdings()?;
    let place = Place::parse(&tail(request.uri(), 3));
    let Place { when, is_raw, url } =
        place.ok_or_else(|| Failure::BadRequest("the path names no URL".to_owned()))?;
    let base = routes::base(request, shelf)?;
    let (closest, written) = match when {
        When::All => return routes::redirect(&format!("{base}/url/{}", Uris::new("", &url).original())),
        When::Newest => (None, None),
        When::At(moment, written) => (Some(moment), Some(written)),
    };
    let headers = request.headers();
    let range = headers.get(RANGE).filter(|_| !headers.contains_key(IF_RANGE));
    let collection = app.shelves.iter().position(|other| other.name() == shelf.name()).map_or(0, |at| at + 1);
    let ask = Ask {
        name: shelf.name().to_owned(),
        collection,
        base,
        url,
        closest,
        written,
        is_raw,
        range: range.and_then(|range| range.to_str().ok()).map(str::to_owned),
        is_head: request.method() == Method::HEAD,
        is_shown: is_shown(headers),
    };
    let shared = app.clone();
    app.work.answer(move |responder| ask.answer(&shared, &holdings, responder)).await
}

/// Whether a browser asks for a page or a frame.
fn is_shown(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_place = matches!(text("sec-fetch-dest"), "document" | "iframe" | "frame" | "embed" | "object");
    is_place || text("accept").starts_with("text/html,")
}

impl Ask {
    fn answer(&self, app: &App, holdings: &Holdings, responder: Responder) -> Result<(), Failure> {
        let query = Query { closest: self.closest, ..Query::exact(&self.url) };
        let nearest = holdings.captures.nearest(&query, &mut routes::watch(app))?;
        let capture = nearest.capture.ok_or_else(|| none(&self.url))?;
        let timestamp = &capture.entry.timestamp;
        let has_name = timestamp.len() >= 4 && timestamp.bytes().all(|byte| byte.is_ascii_digit());
        let is_there = self.written.as_ref() == Some(timestamp) || !has_name;
        if self.is_shown && !self.is_raw && app.replays && has_name {
            responder.whole(self.show(app, timestamp)?);
            return Ok(());
        }
        if !self.is_raw || !is_there {
            let uris = Uris::new(&*self.base, &self.url);
            let mut response = routes::redirect(&uris.raw(timestamp))?;
            add_link(&mut response, &uris, Some(timestamp));
            responder.whole(response);
            return Ok(());
        }
        let write = |given: Given<'_>| self.write(given, &capture, holdings);
        stored::open(app, holdings, &capture, self.range.is_some(), responder, write)
    }

    /// The page of a capture in a browser: a bar, and a frame in which it is replayed.
    fn show(&self, app: &App, timestamp: &str) -> Answer {
        let uris = Uris::new(&*self.base, &self.url);
        let site = Site { timestamp: timestamp.to_owned(), collection: self.collection, port: app.port };
        let bar = format!("http://{}/c/{}", site.bar(), escaped(&self.name));
        if self.written.as_deref() != Some(timestamp) || self.base != bar {
            return routes::redirect(&Uris::new(bar, &self.url).memento(timestamp));
        }
        match site.map(&self.url).filter(|_| timestamp.len() == 14) {
            Some(frame) => Ok(pages::bar(&self.name, &self.base, &self.url, &site, &frame)),
            None => routes::redirect(&uris.raw(timestamp)),
        }
    }

    fn write(&self, given: Given<'_>, capture: &Capture, holdings: &Holdings) -> Result<(), Failure> {
        let Given { mut record, revisit, len, responder } = given;
        let stored = Stored::of(&mut record)?;
        let head = self.head(capture, &stored, revisit, holdings);
        stored.send(head, self.range.as_deref(), len, self.is_head, responder)
    }

    /// The head of the response.
    fn head(
        &self,
        capture: &Capture,
        stored: &Stored<'_>,
        revisit: Option<HttpHead>,
        holdings: &Holdings,
    ) -> Response<()> {
        let mut head = routes::head("application/octet-stream", holdings);
        head.headers_mut().remove(CONTENT_TYPE);
        // A revisit that tells of an unmodified page has no headers of the page.
        let own = revisit.filter(|http| http.status().is_some_and(|status| status != 304));
        let http = own.as_ref().unwrap_or(&stored.http);
        let status = if stored.is_http { headers::status(http.status()) } else { 200 };
        *head.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
        self.add_archived(&mut head, stored, http);
        if head.status().is_redirection() {
            self.add_location(&mut head, capture, http);
        }
        let headers = head.headers_mut();
        headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        let uris = Uris::new(&*self.base, &self.url);
        add_link(&mut head, &uris, Some(&capture.entry.timestamp));
        add_datetime(&mut head, &capture.entry.timestamp);
        head
    }

    /// Adds the headers of the archived response.
    fn add_archived(&self, head: &mut Response<()>, stored: &Stored<'_>, http: &HttpHead) {
        let list = headers::raw(http);
        for (name, value) in list.list {
            // The coding is that of the bytes that are given, below.
            if name == "content-encoding" {
                continue;
            }
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_bytes(&value)) {
                head.headers_mut().append(name, value);
            }
        }
        if list.left_out > 0 {
            set(head, HeaderName::from_static("x-archive-left-out"), &list.left_out.to_string());
        }
        if let Some(coding) = stored.http.fields().text("Content-Encoding") {
            let coding = headers::printable(coding.as_bytes());
            set(head, http::header::CONTENT_ENCODING, &String::from_utf8_lossy(&coding));
        }
        if let Some(mime) = stored.mime.as_deref().filter(|_| !head.headers().contains_key(CONTENT_TYPE)) {
            set(head, CONTENT_TYPE, mime);
        }
        let media_type =
            head.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if self.is_shown && headers::is_active(media_type) {
            // A browser that shows the page would fetch what it names. Here it shows the source.
            let charset =
                media_type.split(';').find(|part| part.trim().to_ascii_lowercase().starts_with("charset="));
            let shown = format!("text/plain;{}", charset.unwrap_or(" charset=utf-8"));
            set(head, CONTENT_TYPE, &shown);
        }
    }

    /// Where the archived response redirects to, as it was at that moment.
    fn add_location(&self, head: &mut Response<()>, capture: &Capture, http: &HttpHead) {
        let Some(location) = http.fields().text("Location") else { return };
        let own = url::Url::parse(&capture.entry.url).or_else(|_| url::Url::parse(&self.url));
        let Some(target) = own.ok().and_then(|own| own.join(location.trim()).ok()) else { return };
        if matches!(target.scheme(), "http" | "https" | "ftp") {
            let uris = Uris::new(&*self.base, target.as_str());
            set(head, LOCATION, &uris.raw(&capture.entry.timestamp));
        }
    }
}
