//! `/` and `/c/NAME`: what is served.

use std::sync::Arc;

use http::Request;
use maud::{Markup, html};

use super::{date, notes, number, page, size};
use crate::listen::App;
use crate::routes::{self, Answer};
use crate::shelf::{Absent, Holdings, Shelf};
use crate::uri::escaped;

/// `/`: the collections.
pub(crate) async fn home(app: &Arc<App>, _request: &Request<()>) -> Answer {
    let body = html! {
        h1 { "Collections" }
        div.scroll {
            table {
                thead { tr { th { "Name" } th.n { "Archives" } th.n { "Size" } th.n { "Captures" } th { "Period" } } }
                tbody { @for shelf in &app.shelves { (row(shelf)) } }
            }
        }
    };
    Ok(page("Collections", None, &body))
}

fn row(shelf: &Shelf) -> Markup {
    let link = html! { a href={ "/c/" (escaped(shelf.name())) } { (shelf.name()) } };
    match shelf.holdings() {
        Ok(holdings) => html! {
            tr {
                td { (link) @if !holdings.notes.is_empty() { " " span.warn { "incomplete" } } }
                td.n { (number(holdings.archives as u64)) }
                td.n { (size(holdings.bytes)) }
                td.n { (captures(&holdings)) }
                td { (period(&holdings)) }
            }
        },
        Err(Absent::Preparing) => {
            html! { tr { td { (link) } td colspan="4" { "its archives are being read" } } }
        }
        Err(Absent::Failed(why)) => html! { tr { td { (link) } td.warn colspan="4" { (why) } } },
    }
}

fn captures(holdings: &Holdings) -> String {
    match holdings.stats().map(|stats| stats.captures) {
        Some(Some(captures)) => number(captures),
        // Packs know where captures are, but not how many.
        Some(None) => "not counted".to_owned(),
        None => "being counted".to_owned(),
    }
}

fn period(holdings: &Holdings) -> String {
    match holdings.stats().and_then(|stats| stats.period.as_ref()) {
        Some((first, last)) => format!("{} – {}", date(first), date(last)),
        None => String::new(),
    }
}

/// `/c/NAME`: one collection.
pub(crate) async fn collection(app: &Arc<App>, request: &Request<()>) -> Answer {
    let shelf = routes::shelf(app, request)?;
    let holdings = shelf.holdings()?;
    let (name, base) = (escaped(shelf.name()), routes::base(request, shelf)?);
    let body = html! {
        h1 { (shelf.name()) }
        (notes(&holdings.notes))
        (look_up_form(&name, ""))
        dl {
            dt { "Archives" } dd { (number(holdings.archives as u64)) }
            dt { "Size" } dd { (size(holdings.bytes)) }
            dt { "Captures" } dd { (captures(&holdings)) }
            dt { "Period" } dd { (period(&holdings)) }
        }
        h2 { "For programs" }
        dl {
            dt { "CDX, as pywb" } dd { code { (base) "/cdx?url=" em { "URL" } } }
            dt { "CDX, as the Wayback Machine" } dd { code { (base) "/cdx/search/cdx?url=" em { "URL" } } }
            dt { "TimeMap" } dd { code { (base) "/timemap/link/" em { "URL" } } }
            dt { "TimeGate" } dd { code { (base) "/timegate/" em { "URL" } } }
            dt { "Bytes" } dd { code { (base) "/web/" em { "TIME" } "id_/" em { "URL" } } }
        }
    };
    Ok(page(shelf.name(), None, &body))
}

/// The form that asks for the captures of a URL.
pub(super) fn look_up_form(name: &str, url: &str) -> Markup {
    html! {
        form action={ "/c/" (name) "/url" } method="get" role="search" {
            input type="text" name="url" value=(url) required aria-label="URL" placeholder="URL, example.org/* or *.example.org"
                autocapitalize="off" spellcheck="false";
            button type="submit" { "Show captures" }
        }
    }
}
