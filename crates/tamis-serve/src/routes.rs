//! Which URL is answered by what.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::routing::get;
use http::header::{CONTENT_TYPE, HeaderName, LOCATION};
use http::request::Parts;
use http::{HeaderValue, Request, Response, StatusCode};
use tamis_archive::captures::Event;
use tamis_replay::cdx::Dialect;

use crate::failure::Failure;
use crate::listen::App;
use crate::shelf::{Holdings, Shelf};
use crate::uri::{escaped, segment};
use crate::{cdx, guard, memento, neighbours, pages, raw};

pub(crate) type Answer = Result<Response<Body>, Failure>;

/// All URLs of the server.
pub(crate) fn router(app: Arc<App>) -> Router {
    let text = |answer: Answer| answer.unwrap_or_else(Failure::into_response);
    let page = |answer: Answer| answer.unwrap_or_else(|failure| pages::failed(&failure));
    let cdx = move |dialect: Dialect| {
        get(move |State(app): State<Arc<App>>, parts: Parts| async move {
            text(cdx::answer(&app, &Request::from_parts(parts, ()), dialect).await)
        })
    };
    macro_rules! route {
        ($wrap:ident, $answer:path) => {
            get(move |State(app): State<Arc<App>>, parts: Parts| async move {
                $wrap($answer(&app, &Request::from_parts(parts, ())).await)
            })
        };
    }
    Router::new()
        .route("/", route!(page, pages::home))
        .route("/style.css", get(async || pages::style()))
        .route("/bar.js", get(async || pages::bar_script()))
        .route("/c/{name}", route!(page, pages::collection))
        .route("/c/{name}/", route!(page, pages::collection))
        .route("/c/{name}/url", route!(page, pages::look_up))
        .route("/c/{name}/url/{*url}", route!(page, pages::captures))
        .route("/c/{name}/cdx", cdx(Dialect::Pywb))
        .route("/c/{name}/cdx/search/cdx", cdx(Dialect::Wayback))
        .route("/c/{name}/timemap/{format}/{*url}", route!(text, memento::timemap))
        .route("/c/{name}/timegate/{*url}", route!(text, memento::timegate))
        .route("/c/{name}/audit", route!(page, pages::audit))
        .route("/c/{name}/before/{*place}", route!(page, neighbours::before))
        .route("/c/{name}/after/{*place}", route!(page, neighbours::after))
        .route("/c/{name}/web/{*place}", route!(text, raw::answer))
        .fallback(async || pages::failed(&Failure::NotFound("there is no such page".to_owned())))
        .with_state(app)
}

/// The shelf that a request names.
pub(crate) fn shelf<'a>(app: &'a App, request: &Request<()>) -> Result<&'a Shelf, Failure> {
    let name = segment(request.uri(), 1);
    let shelf = app.shelves.iter().find(|shelf| shelf.name() == name);
    shelf.ok_or_else(|| Failure::NotFound(format!("there is no collection {name:?} here")))
}

/// The address of a collection, as the client sees it.
pub(crate) fn base(request: &Request<()>, shelf: &Shelf) -> Result<String, Failure> {
    Ok(format!("http://{}/c/{}", guard::host(request)?, escaped(shelf.name())))
}

/// A response that sends the client elsewhere.
pub(crate) fn redirect(target: &str) -> Answer {
    let target = HeaderValue::try_from(target)
        .map_err(|_| Failure::BadRequest("the URL has characters that no header takes".to_owned()))?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    response.headers_mut().insert(LOCATION, target);
    Ok(response)
}

/// The head of a response, which says if the answer may be incomplete.
pub(crate) fn head(media_type: &'static str, holdings: &Holdings) -> Response<()> {
    let mut head = Response::new(());
    head.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    if let Some(first) = holdings.notes.first() {
        let text: String =
            first.chars().map(|c| if c.is_ascii_graphic() { c } else { ' ' }).take(200).collect();
        let value = format!("{} known; {}", holdings.notes.len(), text.trim());
        if let Ok(value) = HeaderValue::try_from(value) {
            head.headers_mut().insert(HeaderName::from_static("tamis-incomplete"), value);
        }
    }
    head
}

/// Says what a look-up meets.
pub(crate) fn watch(app: &App) -> impl FnMut(Event<'_>) -> ControlFlow<()> {
    |event| {
        match event {
            Event::Unreadable { error } => (app.say)(&error.to_string()),
            Event::BadLines { first, count } => {
                (app.say)(&format!("{count} bad lines in an index: {}", first.why));
            }
            Event::Read { .. } | Event::Faults { .. } => {}
        }
        ControlFlow::Continue(())
    }
}
