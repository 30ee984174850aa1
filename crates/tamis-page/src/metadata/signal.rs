//! What a page says of itself, before anybody decides what to believe.

use std::borrow::Cow;

use super::Rule;
use crate::html::NodeId;

/// What a signal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Title,
    Author,
    Publisher,
    SiteName,
    Organization,
    Published,
    Modified,
    Keywords,
    Description,
    Canonical,
    Language,
    Image,
}

/// One statement.
#[derive(Clone, Debug)]
pub(super) struct Signal<'a> {
    pub(super) field: Field,
    pub(super) rule: Rule,
    /// Among those of one rule, the lower one is believed.
    pub(super) rank: u8,
    /// The element; its text is the value where `value` is empty.
    pub(super) node: NodeId,
    pub(super) value: Cow<'a, str>,
}

/// Rank of what a rule finds at its usual place.
pub(super) const USUAL: u8 = 0;
/// Rank of what only stands in where nothing better is said.
pub(super) const SPARE: u8 = 4;
