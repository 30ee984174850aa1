//! When a page was published and changed.

use url::Url;

use super::class_hint::{MODIFIED, PUBLISHED};
use super::date::{Moment, Precision, Reader, in_address, in_file_name};
use super::scan::Scan;
use super::signal::{Field, SPARE, Signal};
use super::{Found, Rule, node_text, page_text};
use crate::html::{Name, NodeId, Tag, Tree};

/// Whom to believe about the first day.
pub(super) const PUBLISHED_ORDER: &[Rule] = &[
    Rule::OpenGraph,
    Rule::Parsely,
    Rule::Sailthru,
    Rule::Citation,
    Rule::Meta,
    Rule::DublinCore,
    Rule::JsonLd,
    Rule::Microdata,
    Rule::Rdfa,
    Rule::HttpEquiv,
];

/// Whom to believe about the last change.
pub(super) const MODIFIED_ORDER: &[Rule] = &[
    Rule::JsonLd,
    Rule::OpenGraph,
    Rule::Microdata,
    Rule::Rdfa,
    Rule::Meta,
    Rule::DublinCore,
    Rule::HttpEquiv,
];

/// Texts longer than this are no dates.
const LONGEST_DATE: usize = 200;
/// Elements that are asked for their date.
const MOST_TRIED: usize = 60;
/// A text of at most so many characters with a date in it is about the date.
const LONGEST_LINE: usize = 50;
/// Nodes behind the heading in which a date without a name is the page's.
const NEAR: NodeId = 80;

/// Everything that is needed to find a page's dates.
pub(super) struct Dates<'p, 'a> {
    pub(super) tree: &'p Tree<'a>,
    pub(super) scan: &'p Scan<'a>,
    pub(super) url: Option<&'p Url>,
    pub(super) heading: Option<NodeId>,
    pub(super) reader: Reader,
}

impl Dates<'_, '_> {
    /// When the page was last changed.
    pub(super) fn modified(&self) -> Option<Found<Moment>> {
        self.stated(Field::Modified, MODIFIED_ORDER, 0..=u8::MAX)
            .or_else(|| self.shown(|hints| hints & MODIFIED != 0))
    }

    /// When the page was published.
    pub(super) fn published(&self) -> Option<Found<Moment>> {
        let address = self
            .url
            .and_then(|url| in_address(url, &self.reader))
            .map(|moment| Found::new(moment, Rule::Url));
        let (day, month) = match address {
            Some(found) if found.value.precision == Precision::Day => (Some(found), None),
            other => (None, other),
        };
        day.or_else(|| self.stated(Field::Published, PUBLISHED_ORDER, 0..=SPARE - 1))
            .or_else(|| self.shown(|hints| hints & MODIFIED == 0 && hints & PUBLISHED != 0))
            .or_else(|| self.shown(|hints| hints & MODIFIED == 0))
            .or_else(|| self.near_heading(true))
            .or_else(|| self.modified())
            .or_else(|| self.near_heading(false))
            .or_else(|| self.stated(Field::Published, PUBLISHED_ORDER, SPARE..=u8::MAX))
            .or_else(|| page_text::date(self, month.as_ref().map(|found| found.value.date)))
            .or_else(|| self.image())
            .or(month)
            .or_else(|| self.copyright())
    }

    /// What structured data and `<meta>` say.
    fn stated(
        &self,
        field: Field,
        order: &[Rule],
        ranks: std::ops::RangeInclusive<u8>,
    ) -> Option<Found<Moment>> {
        self.scan
            .of_field(field, order)
            .into_iter()
            .filter(|signal| ranks.contains(&signal.rank))
            .filter(|signal| signal.node == Tree::ROOT || !self.scan.is_aside(signal.node, self.heading))
            .find_map(|signal| Some(Found::new(self.value(signal)?, signal.rule)))
    }

    fn value(&self, signal: &Signal<'_>) -> Option<Moment> {
        if signal.value.is_empty() {
            return self.reader.value(&node_text(self.tree, signal.node, LONGEST_DATE));
        }
        self.reader.value(&signal.value)
    }

    /// `<time>` and elements whose class speaks of dates: the one nearest to the heading, and without one the first.
    fn shown(&self, wanted: impl Fn(u8) -> bool) -> Option<Found<Moment>> {
        let usable = |id, hints| hints & MODIFIED != 0 || !self.scan.is_aside(id, self.heading);
        let dated = self.scan.dated.iter().filter(|&&(id, hints)| wanted(hints) && usable(id, hints));
        let mut ids: Vec<NodeId> = dated.map(|&(id, _)| id).collect();
        ids.sort_by_key(|&id| self.distance(id));
        ids.into_iter().take(MOST_TRIED).find_map(|id| self.element(id))
    }

    /// How far a node is from the heading; above it counts double, for dates mostly stand below.
    fn distance(&self, id: NodeId) -> NodeId {
        match self.heading {
            Some(heading) if id < heading => (heading - id).saturating_mul(2),
            Some(heading) => id - heading,
            None => id,
        }
    }

    fn element(&self, id: NodeId) -> Option<Found<Moment>> {
        let rule = if self.tree.node(id).tag == Tag::Time { Rule::Time } else { Rule::Class };
        for name in [Name::Datetime, Name::Content, Name::Title] {
            if let Some(moment) = self.tree.attribute(id, name).and_then(|value| self.reader.value(&value)) {
                return Some(Found::new(moment, rule));
            }
        }
        let text = node_text(self.tree, id, LONGEST_DATE);
        self.reader
            .value(&text)
            .filter(|moment| moment.precision == Precision::Day)
            .map(|moment| Found::new(moment, rule))
    }

    /// A date in short texts right behind the heading, or right above it.
    fn near_heading(&self, alone: bool) -> Option<Found<Moment>> {
        let heading = self.heading?;
        let end = self.tree.node(heading).end;
        let last = (self.tree.nodes().len() as NodeId).min(end + NEAR);
        let first = heading.saturating_sub(NEAR / 2);
        (end..last).chain((first..heading).rev()).find_map(|id| {
            let node = self.tree.node(id);
            let usable = node.tag == Tag::Text
                && node.raw.len() < LONGEST_DATE
                && node.raw.bytes().any(|byte| byte.is_ascii_digit());
            if !usable || self.scan.is_aside(id, self.heading) {
                return None;
            }
            let text = self.tree.text(id);
            let is_line = text.trim().chars().count() < LONGEST_LINE || page_text::has_cue(&text);
            let moment = self.reader.first(&text).filter(|_| !alone || is_line)?;
            (moment.precision == Precision::Day).then(|| Found::new(moment, Rule::Text))
        })
    }

    fn image(&self) -> Option<Found<Moment>> {
        let images = self.scan.of_field(Field::Image, &[Rule::OpenGraph, Rule::JsonLd, Rule::Twitter]);
        images
            .into_iter()
            .find_map(|signal| Some(Found::new(in_file_name(&signal.value, &self.reader)?, Rule::Image)))
    }

    /// The last year of the copyright line.
    fn copyright(&self) -> Option<Found<Moment>> {
        let years =
            self.scan.copyrights.iter().flat_map(|&id| super::organization::years(&self.tree.text(id)));
        let year = years.max()?;
        Some(Found::new(self.reader.year(year)?, Rule::Copyright))
    }
}
