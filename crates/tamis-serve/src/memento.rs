//! TimeGates and TimeMaps (RFC 7089).

use std::sync::Arc;

use http::header::{HeaderName, LINK, VARY};
use http::{HeaderValue, Request, Response};
use tamis_archive::Timestamp;
use tamis_archive::cdx::Query;
use tamis_replay::memento::{TimeMap, TimeMapFormat, Uris, accept_datetime};
use tamis_replay::place::requested_url;

use crate::failure::Failure;
use crate::listen::App;
use crate::outlet::Coded;
use crate::routes::{self, Answer};
use crate::uri::{segment, tail};

/// `/c/NAME/timegate/URL`: sends the client to the capture nearest to `Accept-Datetime`, or to the newest.
pub(crate) async fn timegate(app: &Arc<App>, request: &Request<()>) -> Answer {
    let shelf = routes::shelf(app, request)?;
    let holdings = shelf.holdings()?;
    let url = requested(&tail(request.uri(), 3))?;
    let closest = match request.headers().get("accept-datetime") {
        None => None,
        Some(value) => {
            let moment = value.to_str().ok().and_then(accept_datetime);
            let bad = || Failure::BadRequest("Accept-Datetime: expected an HTTP date".to_owned());
            Some(moment.ok_or_else(bad)?)
        }
    };
    let uris = Uris::new(routes::base(request, shelf)?, &url);
    let shared = app.clone();
    app.work
        .answer(move |responder| {
            let query = Query { closest, ..Query::exact(&url) };
            let nearest = holdings.captures.nearest(&query, &mut routes::watch(&shared))?;
            let capture = nearest.capture.ok_or_else(|| none(&url))?;
            let timestamp = &capture.entry.timestamp;
            let mut response = routes::redirect(&uris.memento(timestamp))?;
            response.headers_mut().insert(VARY, HeaderValue::from_static("accept-datetime"));
            add_link(&mut response, &uris, Some(timestamp));
            responder.whole(response);
            Ok(())
        })
        .await
}

/// `/c/NAME/timemap/FORMAT/URL`: all captures.
pub(crate) async fn timemap(app: &Arc<App>, request: &Request<()>) -> Answer {
    let shelf = routes::shelf(app, request)?;
    let holdings = shelf.holdings()?;
    let name = segment(request.uri(), 3);
    let format = TimeMapFormat::named(&name).ok_or_else(|| {
        Failure::NotFound(format!("no TimeMap format {name:?}; there are link, json and cdxj"))
    })?;
    let url = requested(&tail(request.uri(), 4))?;
    let uris = Uris::new(routes::base(request, shelf)?, &url);
    let is_gzip = crate::cdx::takes_gzip(request.headers());
    let shared = app.clone();
    app.work
        .answer(move |responder| {
            let mut watch = routes::watch(&shared);
            let mut listing = holdings.captures.list(&Query::exact(&url), &mut watch)?;
            let mut next = listing.next_capture()?;
            if next.is_none() {
                return Err(none(&url));
            }
            let head = routes::head(format.media_type(), &holdings);
            let mut map = TimeMap::begin(Coded::begin(responder, head, is_gzip), &uris, format)?;
            while let Some(capture) = next {
                map.push(&capture.entry.timestamp)?;
                next = listing.next_capture()?;
            }
            listing.report(&mut watch)?;
            Ok(map.finish()?.finish()?)
        })
        .await
}

/// Adds `Link`, and for a capture `Memento-Datetime`.
pub(crate) fn add_link<B>(response: &mut Response<B>, uris: &Uris, memento: Option<&str>) {
    let memento =
        memento.and_then(|timestamp| Some((timestamp, Timestamp::parse_leniently(timestamp.as_bytes())?)));
    if let Ok(link) = HeaderValue::try_from(uris.link(memento)) {
        response.headers_mut().insert(LINK, link);
    }
}

/// Adds `Memento-Datetime`.
pub(crate) fn add_datetime<B>(response: &mut Response<B>, timestamp: &str) {
    let moment = Timestamp::parse_leniently(timestamp.as_bytes());
    let date = moment.map(tamis_replay::memento::http_date).and_then(|date| HeaderValue::try_from(date).ok());
    if let Some(date) = date {
        response.headers_mut().insert(HeaderName::from_static("memento-datetime"), date);
    }
}

/// The URL that a path names.
pub(crate) fn requested(text: &str) -> Result<String, Failure> {
    requested_url(text).ok_or_else(|| Failure::BadRequest("the path names no URL".to_owned()))
}

/// There is no capture of a URL.
pub(crate) fn none(url: &str) -> Failure {
    Failure::NotFound(format!("no capture of {url}"))
}
