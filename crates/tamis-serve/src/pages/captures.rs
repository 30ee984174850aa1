//! `/c/NAME/url/URL`: the captures of a URL, or of the URLs of a prefix or a domain.

use std::sync::Arc;

use axum::body::Body;
use http::{Request, Response};
use maud::{Markup, html};
use tamis_archive::cdx::{CdxEntry, MatchType, Query};
use tamis_replay::memento::Uris;
use tamis_replay::place::requested_url;

use super::calendar::Calendar;
use super::collections::look_up_form;
use super::{date, notes, number, page, size};
use crate::failure::Failure;
use crate::listen::App;
use crate::routes::{self, Answer};
use crate::shelf::Holdings;
use crate::uri::{escaped, tail};

/// Captures that are listed on a page.
const MAX_LISTED: usize = 2000;
/// Captures that are counted for a page: a second of work.
const MAX_COUNTED: u64 = 1_000_000;

/// What is asked for.
struct Ask {
    name: String,
    base: String,
    /// The URL or the pattern, as it is shown.
    shown: String,
    query: Query,
}

/// What was found.
#[derive(Default)]
struct Found {
    listed: Vec<CdxEntry>,
    count: u64,
    is_cut: bool,
    calendar: Calendar,
}

/// `/c/NAME/url?url=…`: where the form leads.
pub(crate) async fn look_up(app: &Arc<App>, request: &Request<()>) -> Answer {
    let shelf = routes::shelf(app, request)?;
    let query = request.uri().query().unwrap_or_default();
    let mut given = url::form_urlencoded::parse(query.as_bytes());
    let url = given.find(|(name, _)| name == "url").map(|(_, url)| url.trim().to_owned());
    let url = url.filter(|url| !url.is_empty());
    let url = url.ok_or_else(|| Failure::BadRequest("name a URL: `?url=http://example.org/`".to_owned()))?;
    routes::redirect(&format!("/c/{}/url/{}", escaped(shelf.name()), Uris::new("", &url).original()))
}

/// `/c/NAME/url/URL`: its captures.
pub(crate) async fn captures(app: &Arc<App>, request: &Request<()>) -> Answer {
    let shelf = routes::shelf(app, request)?;
    let holdings = shelf.holdings()?;
    let shown = tail(request.uri(), 3);
    let query = query(&shown).ok_or_else(|| Failure::BadRequest("the path names no URL".to_owned()))?;
    let ask = Ask { name: shelf.name().to_owned(), base: routes::base(request, shelf)?, shown, query };
    let shared = app.clone();
    app.work
        .answer(move |responder| {
            responder.whole(ask.page(&shared, &holdings)?);
            Ok(())
        })
        .await
}

fn query(text: &str) -> Option<Query> {
    if text.starts_with("*.") || text.ends_with('*') {
        return Some(Query::pattern(text)).filter(|query| !query.url.is_empty());
    }
    Some(Query::exact(requested_url(text)?))
}

impl Ask {
    fn page(&self, app: &App, holdings: &Holdings) -> Result<Response<Body>, Failure> {
        let found = self.find(app, holdings)?;
        let mut notes_here = holdings.notes.clone();
        if found.is_cut {
            notes_here.push(format!("only the first {} captures were counted", number(found.count)));
        }
        let name = escaped(&self.name);
        let cdx: String = url::form_urlencoded::byte_serialize(self.shown.as_bytes()).collect();
        let last = found.listed.last().filter(|_| found.count > found.listed.len() as u64);
        let body = html! {
            h1 { (self.shown) }
            (notes(&notes_here))
            (look_up_form(&name, &self.shown))
            @if found.count == 0 { p { "No captures." } }
            @else {
                p {
                    (number(found.count)) @if found.count == 1 { " capture" } @else { " captures" } " · "
                    a href={ (self.base) "/cdx?url=" (cdx) } { "CDX" }
                    @if self.is_exact() {
                        " · " a href=(self.uris().timemap(tamis_replay::memento::TimeMapFormat::Link)) { "TimeMap" }
                    }
                }
                (found.calendar.markup(last.filter(|_| self.is_exact()).map(|entry| &*entry.timestamp)))
                (self.list(&found.listed))
                @if let Some(last) = last {
                    p { "Listed up to " (date(&last.timestamp)) "; the CDX has all of them." }
                }
            }
        };
        let mut response = page(&self.shown, Some(&self.name), &body);
        if found.count == 0 {
            *response.status_mut() = http::StatusCode::NOT_FOUND;
        }
        Ok(response)
    }

    fn find(&self, app: &App, holdings: &Holdings) -> Result<Found, Failure> {
        let mut watch = routes::watch(app);
        let mut listing = holdings.captures.list(&self.query, &mut watch)?;
        let mut found = Found::default();
        while let Some(capture) = listing.next_capture()? {
            if found.count == MAX_COUNTED {
                found.is_cut = true;
                break;
            }
            found.count += 1;
            found.calendar.add(&capture.entry.timestamp);
            if found.listed.len() < MAX_LISTED {
                found.listed.push(capture.entry);
            }
        }
        listing.report(&mut watch)?;
        Ok(found)
    }

    fn is_exact(&self) -> bool {
        self.query.match_type == MatchType::Exact
    }

    fn uris(&self) -> Uris {
        Uris::new(&*self.base, &self.query.url)
    }

    fn list(&self, entries: &[CdxEntry]) -> Markup {
        let mut before: Option<&CdxEntry> = None;
        let rows: Vec<_> = entries
            .iter()
            .map(|entry| {
                let is_first =
                    before.is_none_or(|before| before.timestamp.get(..6) != entry.timestamp.get(..6));
                let is_same = before.is_some_and(|before| {
                    before.urlkey == entry.urlkey && before.digest == entry.digest && !entry.digest.is_empty()
                });
                before = Some(entry);
                self.row(entry, is_first && self.is_exact(), is_same)
            })
            .collect();
        html! {
            div.scroll {
                table {
                    thead {
                        tr {
                            th { "Captured" }
                            @if !self.is_exact() { th { "URL" } }
                            th.n { "Status" } th { "Type" } th.n { "Stored" } th { "Content" }
                        }
                    }
                    tbody { @for row in rows { (row) } }
                }
            }
        }
    }

    fn row(&self, entry: &CdxEntry, is_first_of_month: bool, is_same: bool) -> Markup {
        let url = if entry.url.is_empty() { &self.query.url } else { &entry.url };
        let uris = Uris::new(&*self.base, url);
        let month = entry.timestamp.get(..6).filter(|_| is_first_of_month).map(|month| format!("m{month}"));
        html! {
            tr id=[month] {
                td { a href=(uris.memento(&entry.timestamp)) { (date(&entry.timestamp)) } }
                @if !self.is_exact() {
                    td.u { a href={ "/c/" (escaped(&self.name)) "/url/" (uris.original()) } { (url) } }
                }
                td.n { @if let Some(status) = entry.status { (status) } }
                td { (entry.mime) }
                td.n { @if let Some(length) = entry.length { (size(length)) } }
                td.dim { a href=(uris.raw(&entry.timestamp)) { "bytes" } " " @if is_same { "as before" } @else if entry.is_revisit() { "revisit" } }
            }
        }
    }
}
