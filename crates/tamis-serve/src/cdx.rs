//! `/c/NAME/cdx`: the captures that a query asks for.

use std::sync::Arc;

use axum::body::Body;
use http::header::ACCEPT_ENCODING;
use http::{HeaderMap, Request, Response};
use tamis_archive::captures::Listing;
use tamis_replay::cdx::{self, Dialect, Output, SelectError, Writer, select};

use crate::failure::Failure;
use crate::listen::App;
use crate::outlet::{Coded, Responder};
use crate::routes::{self, Answer};
use crate::shelf::Holdings;

/// Answers a query.
pub(crate) async fn answer(app: &Arc<App>, request: &Request<()>, dialect: Dialect) -> Answer {
    let holdings = routes::shelf(app, request)?.holdings()?;
    let query = request.uri().query().unwrap_or_default();
    let query =
        cdx::Request::parse(query, dialect).map_err(|error| Failure::BadRequest(error.to_string()))?;
    let is_gzip = query.may_gzip && takes_gzip(request.headers());
    let shared = app.clone();
    app.work.answer(move |responder| write(&shared, &holdings, &query, is_gzip, responder)).await
}

fn write(
    app: &App,
    holdings: &Holdings,
    query: &cdx::Request,
    is_gzip: bool,
    responder: Responder,
) -> Result<(), Failure> {
    let mut watch = routes::watch(app);
    let listing = holdings.captures.list(&query.query, &mut watch)?;
    if query.wants_page_count {
        let head = routes::head("application/json", holdings);
        return responder_of_count(query, listing, head, responder);
    }
    let head = routes::head(query.output.media_type(), holdings);
    let mut writer = Writer::new(Coded::begin(responder, head, is_gzip), query);
    let mut entries = Entries(listing);
    let selected = select(query, &mut entries, |entry| Ok(writer.entry(entry)?));
    let selected = selected.map_err(|error| match error {
        SelectError::TooMany => Failure::BadRequest(error.to_string()),
        SelectError::Other(failure) => failure,
    })?;
    entries.0.report(&mut watch)?;
    Ok(writer.finish(selected.resume_key.as_ref())?.finish()?)
}

/// Counts the entries in the range, and so the pages.
fn responder_of_count(
    query: &cdx::Request,
    mut listing: Listing,
    head: Response<()>,
    responder: Responder,
) -> Result<(), Failure> {
    let mut entries = 0;
    while listing.next_capture()?.is_some() {
        entries += 1_u64;
    }
    let page = query.page.map_or(u64::MAX, |page| page.entries);
    let (pages, blocks) = (entries.div_ceil(page), entries.div_ceil(cdx::BLOCK_ENTRIES));
    let text = match (query.dialect, query.output) {
        (Dialect::Wayback, _) | (_, Output::Text) => format!("{pages}\n"),
        _ => {
            let page_size = page / cdx::BLOCK_ENTRIES;
            format!("{{\"pages\": {pages}, \"pageSize\": {page_size}, \"blocks\": {blocks}}}\n")
        }
    };
    responder.whole(head.map(|()| Body::from(text)));
    Ok(())
}

/// The entries of a listing.
struct Entries(Listing);

impl Iterator for Entries {
    type Item = Result<tamis_archive::cdx::CdxEntry, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0
            .next_capture()
            .map_err(Failure::from)
            .transpose()
            .map(|capture| capture.map(|capture| capture.entry))
    }
}

/// Whether a client takes gzip.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let codings = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    codings.flat_map(|line| line.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        is_gzip
            && !parts
                .any(|part| matches!(part.replace(' ', "").as_str(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}
