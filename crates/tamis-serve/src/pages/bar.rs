//! `/c/NAME/web/TIME/URL` in a browser: the archived page in a frame, and a bar above it.

use axum::body::Body;
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, VARY};
use http::{HeaderValue, Response};
use maud::{DOCTYPE, html};
use tamis_replay::memento::Uris;
use tamis_replay::page::Site;

use super::date;
use crate::stored::set;
use crate::uri::escaped;

/// The script of the bar: it follows the page in the frame.
pub(crate) fn script() -> Response<Body> {
    let mut response = Response::new(Body::from(include_str!("bar.js")));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    response
}

/// The page of a capture. `frame` is where it is replayed.
pub(crate) fn bar(name: &str, base: &str, url: &str, site: &Site, frame: &str) -> Response<Body> {
    let uris = Uris::new(base, url);
    let (name, timestamp) = (escaped(name), &site.timestamp);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (url) " – " (date(timestamp)) " – tamis" }
                link rel="stylesheet" href="/style.css";
                script src="/bar.js" defer {}
            }
            body.replay {
                nav aria-label="Archive" data-base={ "/c/" (name) } data-time=(timestamp)
                    data-suffix={ ".t" (timestamp) ".c" (site.collection) ".localhost:" (site.port) } {
                    a.brand href={ "/c/" (name) } { "tamis" }
                    a data-to="before" rel="prev" accesskey="p" href={ "/c/" (name) "/before/" (timestamp) "/" (uris.original()) } { "← Previous" }
                    strong { (date(timestamp)) }
                    a data-to="after" rel="next" accesskey="n" href={ "/c/" (name) "/after/" (timestamp) "/" (uris.original()) } { "Next →" }
                    a data-to="url" href={ "/c/" (name) "/url/" (uris.original()) } { "Calendar" }
                    a href={ "/c/" (name) "/audit" } { "Missing" }
                    span.u data-url { (url) }
                }
                iframe src=(frame) title="The archived page" sandbox="allow-scripts allow-same-origin allow-forms allow-modals" {}
            }
        }
    };
    let mut response = Response::new(Body::from(markup.into_string()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept, sec-fetch-dest"));
    // The frame can go nowhere else: that is what keeps navigations of the page inside.
    let policy = format!(
        "default-src 'none'; style-src 'self'; script-src 'self'; frame-src {}; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'",
        site.pattern()
    );
    set(&mut response, CONTENT_SECURITY_POLICY, &policy);
    set(&mut response, HeaderName::from_static("x-dns-prefetch-control"), "off");
    response
}
