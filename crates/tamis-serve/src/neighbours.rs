//! `/c/NAME/before/TIME/URL` and `/c/NAME/after/TIME/URL`: the capture before or after a moment.

use std::sync::Arc;

use http::Request;
use tamis_archive::cdx::Query;
use tamis_replay::memento::Uris;
use tamis_replay::place::{Place, When};

use crate::failure::Failure;
use crate::listen::App;
use crate::routes::{self, Answer};
use crate::uri::tail;

/// The capture before a moment; the list of captures if there is none.
pub(crate) async fn before(app: &Arc<App>, request: &Request<()>) -> Answer {
    neighbour(app, request, |found, moment| found < moment, true).await
}

/// The capture after a moment; the list of captures if there is none.
pub(crate) async fn after(app: &Arc<App>, request: &Request<()>) -> Answer {
    neighbour(app, request, |found, moment| found > moment, false).await
}

async fn neighbour(
    app: &Arc<App>,
    request: &Request<()>,
    is_there: fn(&str, &str) -> bool,
    takes_last: bool,
) -> Answer {
    let shelf = routes::shelf(app, request)?;
    let holdings = shelf.holdings()?;
    let place = Place::parse(&tail(request.uri(), 3));
    let Some(Place { when: When::At(moment, _), url, .. }) = place else {
        return Err(Failure::BadRequest("the path names no moment and URL".to_owned()));
    };
    let (base, moment) = (routes::base(request, shelf)?, moment.digits());
    let shared = app.clone();
    app.work
        .answer(move |responder| {
            let mut watch = routes::watch(&shared);
            let mut listing = holdings.captures.list(&Query::exact(&url), &mut watch)?;
            let mut found: Option<String> = None;
            while let Some(capture) = listing.next_capture()? {
                let timestamp = capture.entry.timestamp;
                if is_there(&timestamp, &moment) {
                    found = Some(timestamp);
                    if !takes_last {
                        break;
                    }
                }
            }
            let uris = Uris::new(&*base, &url);
            let target = match found {
                Some(timestamp) => uris.memento(&timestamp),
                None => format!("{base}/url/{}", uris.original()),
            };
            responder.whole(routes::redirect(&target)?);
            Ok(())
        })
        .await
}
