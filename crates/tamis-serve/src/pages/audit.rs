//! `/c/NAME/audit`: what replay kept inside or did not find, by page.

use std::sync::Arc;

use http::Request;
use maud::html;
use tamis_replay::memento::Uris;

use super::{number, page};
use crate::listen::App;
use crate::routes::{self, Answer};
use crate::uri::escaped;

/// Lines that are shown.
const MAX_SHOWN: usize = 1000;

/// `/c/NAME/audit`.
pub(crate) async fn audit(app: &Arc<App>, request: &Request<()>) -> Answer {
    let shelf = routes::shelf(app, request)?;
    let name = escaped(shelf.name());
    let (lines, left_out) = shelf.audit().lines();
    let hidden = lines.len().saturating_sub(MAX_SHOWN) as u64 + left_out;
    let body = html! {
        h1 { "Missing and blocked" }
        p { "What archived pages asked for since the server started, and did not get: it is not in the archive, or it would have left it." }
        @if lines.is_empty() { p { "Nothing yet." } }
        @else {
            div.scroll {
                table {
                    thead { tr { th { "Page" } th { "What" } th { "URL" } th.n { "Times" } } }
                    tbody {
                        @for line in lines.iter().take(MAX_SHOWN) {
                            tr {
                                td.u { a href={ "/c/" (name) "/url/" (Uris::new("", &line.page).original()) } { (line.page) } }
                                td { (line.what) }
                                td.u { (line.url) }
                                td.n { (number(line.count)) }
                            }
                        }
                    }
                }
            }
            @if hidden > 0 { p { "… and " (number(hidden)) " more" } }
        }
    };
    Ok(page("Missing and blocked", Some(shelf.name()), &body))
}
