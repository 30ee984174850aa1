//! Lists of words of a text, with their places.

use std::borrow::Cow;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float32Builder, Int32Builder, StringBuilder};

use super::{Lists, Texts};
use crate::column;

/// A part of a text, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span<'a> {
    /// Its first character.
    pub(crate) start: u32,
    /// How many characters it has.
    pub(crate) length: u32,
    pub(crate) text: Cow<'a, str>,
}

#[derive(Default)]
struct Ranges {
    starts: Int32Builder,
    lengths: Int32Builder,
}

impl Ranges {
    fn push(&mut self, start: u32, length: u32) {
        self.starts.append_value(start as i32);
        self.lengths.append_value(length as i32);
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        vec![Arc::new(self.starts.finish()), Arc::new(self.lengths.finish())]
    }
}

#[derive(Default)]
pub(crate) struct RangesBuilder {
    lists: Lists,
    ranges: Ranges,
}

impl RangesBuilder {
    /// Adds a list of starts and lengths.
    pub(crate) fn append(&mut self, ranges: Option<impl Iterator<Item = (u32, u32)>>) {
        let length =
            ranges.map(|ranges| ranges.map(|(start, length)| self.ranges.push(start, length)).count());
        self.lists.push(length);
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        let children = self.ranges.finish();
        self.lists.finish(column::range_fields(), children)
    }
}

#[derive(Default)]
struct Spans {
    ranges: Ranges,
    texts: Texts,
}

impl Spans {
    fn push(&mut self, span: &Span<'_>) {
        self.ranges.push(span.start, span.length);
        self.texts.push(&span.text);
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let mut children = self.ranges.finish();
        children.push(self.texts.finish());
        children
    }
}

#[derive(Default)]
pub(crate) struct SpansBuilder {
    lists: Lists,
    spans: Spans,
}

impl SpansBuilder {
    pub(crate) fn append<'a>(&mut self, spans: Option<impl Iterator<Item = Span<'a>>>) {
        let length = spans.map(|spans| spans.map(|span| self.spans.push(&span)).count());
        self.lists.push(length);
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        let children = self.spans.finish();
        self.lists.finish(column::span_fields(), children)
    }
}

#[derive(Default)]
pub(crate) struct TagsBuilder {
    lists: Lists,
    spans: Spans,
    tags: Texts,
}

impl TagsBuilder {
    pub(crate) fn append<'a>(&mut self, tagged: Option<impl Iterator<Item = (Span<'a>, &'static str)>>) {
        let push = |(span, tag): (Span<'_>, &str)| {
            self.spans.push(&span);
            self.tags.push(tag);
        };
        let length = tagged.map(|tagged| tagged.map(push).count());
        self.lists.push(length);
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        let mut children = self.spans.finish();
        children.push(self.tags.finish());
        self.lists.finish(column::tag_fields(), children)
    }
}

#[derive(Default)]
struct Names {
    spans: Spans,
    confidences: Float32Builder,
}

impl Names {
    fn push(&mut self, span: &Span<'_>, confidence: f32) {
        self.spans.push(span);
        self.confidences.append_value(confidence);
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let mut children = self.spans.finish();
        children.push(Arc::new(self.confidences.finish()));
        children
    }
}

#[derive(Default)]
pub(crate) struct NamesBuilder {
    lists: Lists,
    names: Names,
}

impl NamesBuilder {
    /// Adds a list of names with the confidence of each.
    pub(crate) fn append<'a>(&mut self, names: Option<impl Iterator<Item = (Span<'a>, f32)>>) {
        let length =
            names.map(|names| names.map(|(span, confidence)| self.names.push(&span, confidence)).count());
        self.lists.push(length);
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        let children = self.names.finish();
        self.lists.finish(column::name_fields(), children)
    }
}

/// Where a name of a place probably is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) place: String,
    pub(crate) country: String,
    pub(crate) latitude: f32,
    pub(crate) longitude: f32,
    pub(crate) confidence: f32,
}

#[derive(Default)]
pub(crate) struct PlacesBuilder {
    lists: Lists,
    names: Names,
    places: StringBuilder,
    countries: StringBuilder,
    numbers: [Float32Builder; 3],
}

impl PlacesBuilder {
    /// Adds a list of names with the confidence of each, and where it is, if known.
    pub(crate) fn append<'a>(&mut self, names: Option<impl Iterator<Item = (Span<'a>, f32, Option<Found>)>>) {
        let push = |(span, confidence, found): (Span<'a>, f32, Option<Found>)| {
            self.names.push(&span, confidence);
            self.places.append_option(found.as_ref().map(|found| &found.place));
            self.countries.append_option(found.as_ref().map(|found| &found.country));
            let numbers = found.as_ref().map(|found| [found.latitude, found.longitude, found.confidence]);
            for (at, build) in self.numbers.iter_mut().enumerate() {
                build.append_option(numbers.map(|numbers| numbers[at]));
            }
        };
        let length = names.map(|names| names.map(push).count());
        self.lists.push(length);
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        let mut children = self.names.finish();
        children.push(Arc::new(self.places.finish()));
        children.push(Arc::new(self.countries.finish()));
        children.extend(self.numbers.iter_mut().map(|build| Arc::new(build.finish()) as ArrayRef));
        self.lists.finish(column::place_fields(), children)
    }
}

#[derive(Default)]
pub(crate) struct KeywordsBuilder {
    lists: Lists,
    texts: Texts,
    scores: Float32Builder,
}

impl KeywordsBuilder {
    pub(crate) fn append<'a>(&mut self, keywords: Option<impl Iterator<Item = (&'a str, f32)>>) {
        let push = |(text, score): (&str, f32)| {
            self.texts.push(text);
            self.scores.append_value(score);
        };
        let length = keywords.map(|keywords| keywords.map(push).count());
        self.lists.push(length);
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        let children: Vec<ArrayRef> = vec![self.texts.finish(), Arc::new(self.scores.finish())];
        self.lists.finish(column::keyword_fields(), children)
    }
}
