//! Arrays of a column, built row by row.

mod words;

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayBuilder, ArrayRef, BinaryBuilder, BooleanBuilder, Float32Builder, Float64Builder, Int32Builder,
    Int64Builder, ListArray, ListBuilder, StringArray, StringBuilder, StructArray,
    TimestampMillisecondBuilder,
};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use datafusion::arrow::datatypes::{DataType, Fields};
use tamis_page::links::{Link, Position};
use tamis_page::repair::Diagnosis;
use tamis_words::language::Answer;

use crate::column::{self, Kind};
use words::{KeywordsBuilder, NamesBuilder, PlacesBuilder, RangesBuilder, SpansBuilder, TagsBuilder};

pub(crate) use words::{Found, Span};

/// An array in the making.
pub(crate) enum Build {
    Text(StringBuilder),
    Texts(ListBuilder<StringBuilder>),
    Count(Int64Builder),
    Status(Int32Builder),
    Time(TimestampMillisecondBuilder),
    Flag(BooleanBuilder),
    Links(Box<LinksBuilder>),
    Spans(Box<SpansBuilder>),
    Ranges(Box<RangesBuilder>),
    Tags(Box<TagsBuilder>),
    Names(Box<NamesBuilder>),
    Places(Box<PlacesBuilder>),
    Keywords(Box<KeywordsBuilder>),
    Headers(Box<HeadersBuilder>),
    Damage(Box<DamageBuilder>),
    Languages(Box<LanguagesBuilder>),
    LanguageCounts(Box<LanguageCountsBuilder>),
    Bytes(BinaryBuilder),
    Share(Float64Builder),
}

impl Build {
    pub(crate) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text => Build::Text(StringBuilder::new()),
            Kind::Texts => Build::Texts(
                ListBuilder::new(StringBuilder::new()).with_field(column::item(DataType::Utf8, true)),
            ),
            Kind::Count | Kind::Fingerprint => Build::Count(Int64Builder::new()),
            Kind::Status => Build::Status(Int32Builder::new()),
            Kind::Time => Build::Time(TimestampMillisecondBuilder::new().with_timezone("UTC")),
            Kind::Flag => Build::Flag(BooleanBuilder::new()),
            Kind::Links => Build::Links(Box::default()),
            Kind::Spans => Build::Spans(Box::default()),
            Kind::Ranges => Build::Ranges(Box::default()),
            Kind::Tags => Build::Tags(Box::default()),
            Kind::Names => Build::Names(Box::default()),
            Kind::Places => Build::Places(Box::default()),
            Kind::Keywords => Build::Keywords(Box::default()),
            Kind::Headers => Build::Headers(Box::default()),
            Kind::Damage => Build::Damage(Box::default()),
            Kind::Languages => Build::Languages(Box::default()),
            Kind::LanguageCounts => Build::LanguageCounts(Box::default()),
            Kind::Bytes => Build::Bytes(BinaryBuilder::new()),
            Kind::Share => Build::Share(Float64Builder::new()),
        }
    }

    /// The array of all rows since the last; the next begins empty.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        match self {
            Build::Text(build) => finish_texts(build),
            Build::Texts(build) => Arc::new(build.finish()),
            Build::Count(build) => Arc::new(build.finish()),
            Build::Status(build) => Arc::new(build.finish()),
            Build::Time(build) => Arc::new(build.finish()),
            Build::Flag(build) => Arc::new(build.finish()),
            Build::Links(build) => build.finish(),
            Build::Spans(build) => build.finish(),
            Build::Ranges(build) => build.finish(),
            Build::Tags(build) => build.finish(),
            Build::Names(build) => build.finish(),
            Build::Places(build) => build.finish(),
            Build::Keywords(build) => build.finish(),
            Build::Headers(build) => build.finish(),
            Build::Damage(build) => build.finish(),
            Build::Languages(build) => build.finish(),
            Build::LanguageCounts(build) => build.finish(),
            Build::Bytes(build) => Arc::new(build.finish()),
            Build::Share(build) => Arc::new(build.finish()),
        }
    }

    pub(crate) fn text(&mut self, value: Option<impl AsRef<str>>) {
        if let Build::Text(build) = self {
            build.append_option(value);
        }
    }

    pub(crate) fn texts<'a>(&mut self, values: Option<impl IntoIterator<Item = &'a str>>) {
        if let Build::Texts(build) = self {
            let is_known = values.is_some();
            values.into_iter().flatten().for_each(|value| build.values().append_value(value));
            build.append(is_known);
        }
    }

    pub(crate) fn count(&mut self, value: Option<u64>) {
        if let Build::Count(build) = self {
            build.append_option(value.map(|value| value as i64));
        }
    }

    pub(crate) fn bytes(&mut self, value: Option<impl AsRef<[u8]>>) {
        if let Build::Bytes(build) = self {
            build.append_option(value);
        }
    }

    pub(crate) fn share(&mut self, value: Option<f64>) {
        if let Build::Share(build) = self {
            build.append_option(value);
        }
    }

    pub(crate) fn status(&mut self, value: Option<u16>) {
        if let Build::Status(build) = self {
            build.append_option(value.map(i32::from));
        }
    }

    pub(crate) fn time(&mut self, milliseconds: Option<i64>) {
        if let Build::Time(build) = self {
            build.append_option(milliseconds);
        }
    }

    pub(crate) fn flag(&mut self, value: Option<bool>) {
        if let Build::Flag(build) = self {
            build.append_option(value);
        }
    }
}

/// The array of all texts since the last. The next begins with room for as many: growing by doubling copies them all.
fn finish_texts(build: &mut StringBuilder) -> ArrayRef {
    let (texts, bytes) = (build.len(), build.values_slice().len());
    let next = StringBuilder::with_capacity(texts + texts / 8, bytes + bytes / 8);
    Arc::new(std::mem::replace(build, next).finish())
}

/// Where the lists of a list column begin and end, and which of them are null.
#[derive(Default)]
struct Lists {
    lengths: Vec<usize>,
    known: Vec<bool>,
}

impl Lists {
    fn push(&mut self, length: Option<usize>) {
        self.lengths.push(length.unwrap_or(0));
        self.known.push(length.is_some());
    }

    fn finish(&mut self, fields: Fields, children: Vec<ArrayRef>) -> ArrayRef {
        let offsets = OffsetBuffer::from_lengths(std::mem::take(&mut self.lengths));
        let nulls = NullBuffer::from(std::mem::take(&mut self.known));
        let item = column::item(DataType::Struct(fields.clone()), false);
        let items = StructArray::new(fields, children, None);
        Arc::new(ListArray::new(Arc::new(item), offsets, Arc::new(items), Some(nulls)))
    }
}

/// Texts without nulls, one behind the other: links have millions of them, and a builder that knows of nulls takes thrice as long.
#[derive(Default)]
struct Texts {
    text: String,
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// The array of all since the last. The next begins with room for as many: growing by doubling copies them all.
    fn finish(&mut self) -> ArrayRef {
        let (texts, bytes) = (self.ends.len(), self.text.len());
        let next = Self {
            text: String::with_capacity(bytes + bytes / 8),
            ends: Vec::with_capacity(texts + texts / 8),
        };
        let Self { text, ends } = std::mem::replace(self, next);
        let offsets: ScalarBuffer<i32> = std::iter::once(0).chain(ends).map(|end| end as i32).collect();
        Arc::new(StringArray::new(OffsetBuffer::new(offsets), text.into_bytes().into(), None))
    }
}

#[derive(Default)]
pub(crate) struct LinksBuilder {
    lists: Lists,
    texts: [Texts; 6],
    places: [Int32Builder; 2],
}

impl LinksBuilder {
    pub(crate) fn append<'l>(&mut self, links: Option<impl Iterator<Item = (Link<'l>, Option<Position>)>>) {
        let length = links.map(|links| links.map(|(link, place)| self.push(link, place)).count());
        self.lists.push(length);
    }

    fn push(&mut self, link: Link<'_>, place: Option<Position>) {
        let values = [link.url(), link.kind().name(), link.rel(), link.anchor(), link.before(), link.after()];
        self.texts.iter_mut().zip(values).for_each(|(texts, value)| texts.push(value));
        self.places[0].append_option(place.map(|place| place.start as i32));
        self.places[1].append_option(place.map(|place| place.length as i32));
    }

    fn finish(&mut self) -> ArrayRef {
        let texts = self.texts.iter_mut().map(Texts::finish);
        let places = self.places.iter_mut().map(|build| Arc::new(build.finish()) as ArrayRef);
        self.lists.finish(column::link_fields(), texts.chain(places).collect())
    }
}

#[derive(Default)]
pub(crate) struct HeadersBuilder {
    lists: Lists,
    names: StringBuilder,
    values: StringBuilder,
}

impl HeadersBuilder {
    pub(crate) fn append<'f>(&mut self, fields: Option<impl Iterator<Item = (&'f [u8], &'f [u8])>>) {
        let length = fields.map(|fields| fields.map(|(name, value)| self.push(name, value)).count());
        self.lists.push(length);
    }

    fn push(&mut self, name: &[u8], value: &[u8]) {
        self.names.append_value(String::from_utf8_lossy(name));
        self.values.append_value(String::from_utf8_lossy(value));
    }

    fn finish(&mut self) -> ArrayRef {
        let children: Vec<ArrayRef> = vec![finish_texts(&mut self.names), finish_texts(&mut self.values)];
        self.lists.finish(column::header_fields(), children)
    }
}

#[derive(Default)]
pub(crate) struct DamageBuilder {
    kinds: StringBuilder,
    counts: [Int64Builder; 4],
    known: Vec<bool>,
}

impl DamageBuilder {
    pub(crate) fn append(&mut self, damage: Option<&Diagnosis>) {
        let counts = damage.map_or([0; 4], |damage| {
            [damage.lower_cased, damage.misread, damage.lost.question_marks.len(), damage.lost.replaced.len()]
        });
        self.kinds.append_value(damage.map_or("", |damage| damage.kind.letter()));
        self.counts.iter_mut().zip(counts).for_each(|(build, count)| build.append_value(count as i64));
        self.known.push(damage.is_some());
    }

    fn finish(&mut self) -> ArrayRef {
        let counts = self.counts.iter_mut().map(|build| Arc::new(build.finish()) as ArrayRef);
        let children: Vec<ArrayRef> =
            std::iter::once(Arc::new(self.kinds.finish()) as ArrayRef).chain(counts).collect();
        let nulls = NullBuffer::from(std::mem::take(&mut self.known));
        Arc::new(StructArray::new(column::damage_fields(), children, Some(nulls)))
    }
}

#[derive(Default)]
pub(crate) struct LanguagesBuilder {
    lists: Lists,
    codes: StringBuilder,
    shares: Float32Builder,
}

impl LanguagesBuilder {
    pub(crate) fn append(&mut self, answer: Option<&Answer>) {
        for language in answer.iter().flat_map(|answer| &answer.languages) {
            self.codes.append_value(language.code());
            self.shares.append_value(answer.map_or(0.0, |answer| answer.share(*language)));
        }
        self.lists.push(answer.map(|answer| answer.languages.len()));
    }

    fn finish(&mut self) -> ArrayRef {
        let children: Vec<ArrayRef> = vec![Arc::new(self.codes.finish()), Arc::new(self.shares.finish())];
        self.lists.finish(column::language_fields(), children)
    }
}

#[derive(Default)]
pub(crate) struct LanguageCountsBuilder {
    lists: Lists,
    codes: StringBuilder,
    counts: Int64Builder,
    totals: Int64Builder,
    split: BooleanBuilder,
    bytes: Int64Builder,
    known: Vec<bool>,
}

impl LanguageCountsBuilder {
    pub(crate) fn append(&mut self, answer: Option<&Answer>, bytes: usize) {
        for (language, count) in answer.iter().flat_map(|answer| &answer.counts) {
            self.codes.append_value(language.code());
            self.counts.append_value(i64::from(*count));
        }
        self.lists.push(Some(answer.map_or(0, |answer| answer.counts.len())));
        self.totals.append_value(answer.map_or(0, |answer| i64::from(answer.total)));
        self.split.append_value(answer.is_some_and(|answer| answer.words_split));
        self.bytes.append_value(bytes as i64);
        self.known.push(answer.is_some());
    }

    fn finish(&mut self) -> ArrayRef {
        let counts: Vec<ArrayRef> = vec![Arc::new(self.codes.finish()), Arc::new(self.counts.finish())];
        let children: Vec<ArrayRef> = vec![
            self.lists.finish(column::language_count_fields(), counts),
            Arc::new(self.totals.finish()),
            Arc::new(self.split.finish()),
            Arc::new(self.bytes.finish()),
        ];
        let nulls = NullBuffer::from(std::mem::take(&mut self.known));
        Arc::new(StructArray::new(column::language_counts_fields(), children, Some(nulls)))
    }
}
