//! Crawling for an event: a model of it, how relevant pages are to it, and how much links promise.
//!
//! [`Model::learn`] makes a [`Model`] of pages about the event: weighted terms, names and days, in a file that a person can edit
//! (`docs/formats/focus.md`). A [`Scorer`] judges pages by it ([`Relevance`]) and links ([`Scorer::hope`]); [`Sources`] learns as the crawl
//! goes which hosts are worth visiting. [`Judge`] asks them for a crawl, in the order of a [`Strategy`]; what it says of pages is kept in a log
//! ([`tamis_collection::relevance`]).

mod background;
mod calibrate;
mod dates;
mod days;
mod entities;
mod file;
mod harvest;
mod judge;
mod learn;
mod model;
mod names;
mod score;
mod sources;
mod tagged;
#[cfg(test)]
mod tests;
mod text;
mod vector;
mod words;

pub use dates::Days;
pub use entities::{Capitalized, Entities, NameKind};
pub use file::BadModel;
pub use harvest::{Ending, Harvest, HarvestCounter};
pub use judge::{FocusOptions, Judge, Judgement, Strategy, UnknownStrategy};
pub use learn::LearnOptions;
pub use model::{EventDate, LinkParts, Model, Name, Parts, Term};
pub use score::{Relevance, Scorer};
pub use sources::Sources;
pub use tagged::Tagged;
pub use text::PageText;
