//! The server of collections and archives: look-up, raw replay, and pages for people.
//!
//! A [`Server`] serves [`Shelf`]s, each under a name: collections by their own indexes, archives by one that is made in a temporary
//! file. Reading is done by blocking threads, at most [`Limits::lookups`] at once; answers are streamed, and a client that does not
//! take them loses its connection. Archived origins have hosts of their own below `localhost`, where browsers replay them. What is asked for has its semantics in `tamis-replay`.

mod access_log;
mod audit;
mod batch;
mod cdx;
mod error;
mod failure;
mod guard;
mod listen;
mod memento;
mod neighbours;
mod outlet;
mod pages;
mod raw;
mod replay;
mod routes;
mod shelf;
mod stored;
mod uri;
mod work;

pub use error::Error;
pub use guard::Access;
pub use listen::{Limits, Options, Server};
pub use shelf::{Files, Shelf, Stock};
