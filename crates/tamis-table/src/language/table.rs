//! Lines as columns.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Float32Builder, Int64Builder, ListBuilder, RecordBatch, StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use tamis_words::language::{Agreement, Language};

use super::Line;
use crate::column;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let texts = DataType::List(Arc::new(column::item(DataType::Utf8, true)));
    let shares = DataType::List(Arc::new(column::item(DataType::Float32, true)));
    Arc::new(Schema::new(vec![
        Field::new("url", DataType::Utf8, true),
        Field::new("response", texts.clone(), true),
        Field::new("expected", texts.clone(), true),
        Field::new("agreement", DataType::Utf8, true),
        Field::new("languages", texts, true),
        Field::new("shares", shares, true),
        Field::new("not_found", DataType::Float32, true),
        Field::new("words_split", DataType::Boolean, true),
        Field::new("bytes", DataType::Int64, true),
    ]))
});

/// Lines in the making: what was answered and expected, how they agree, all languages seen with their shares of the
/// text, the share of none, and the text's length.
pub struct Table {
    urls: StringBuilder,
    lists: [ListBuilder<StringBuilder>; 3],
    agreements: StringBuilder,
    shares: ListBuilder<Float32Builder>,
    not_found: Float32Builder,
    split: BooleanBuilder,
    bytes: Int64Builder,
    len: usize,
}

impl Default for Table {
    fn default() -> Self {
        let texts = || ListBuilder::new(StringBuilder::new()).with_field(column::item(DataType::Utf8, true));
        Self {
            urls: StringBuilder::new(),
            lists: [texts(), texts(), texts()],
            agreements: StringBuilder::new(),
            shares: ListBuilder::new(Float32Builder::new()).with_field(column::item(DataType::Float32, true)),
            not_found: Float32Builder::new(),
            split: BooleanBuilder::new(),
            bytes: Int64Builder::new(),
            len: 0,
        }
    }
}

impl Table {
    /// The columns.
    pub fn schema() -> SchemaRef {
        SCHEMA.clone()
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a line.
    pub fn push(&mut self, line: &Line) {
        let answer = &line.answer;
        let seen: Vec<Language> = answer.counts.iter().map(|(language, _)| *language).collect();
        for (list, languages) in self.lists.iter_mut().zip([&answer.languages, &line.expected, &seen]) {
            for language in languages {
                list.values().append_value(language.code());
            }
            list.append(true);
        }
        for language in &seen {
            self.shares.values().append_value(answer.share(*language));
        }
        self.shares.append(true);
        let found: u32 = answer.counts.iter().map(|(_, count)| *count).fold(0, u32::saturating_add);
        let not_found = f64::from(answer.total.saturating_sub(found)) / f64::from(answer.total.max(1));
        self.not_found.append_value(if answer.total == 0 { 1.0 } else { not_found as f32 });
        self.urls.append_value(&line.url);
        let agreement = Agreement::of(&answer.languages, &line.expected);
        self.agreements.append_value(agreement.symbol().encode_utf8(&mut [0; 4]));
        self.split.append_value(answer.words_split);
        self.bytes.append_value(line.bytes as i64);
        self.len += 1;
    }

    /// All lines since the last time.
    ///
    /// # Panics
    /// Never: all columns get a value a line.
    pub fn take(&mut self) -> RecordBatch {
        self.len = 0;
        let [response, expected, seen] = &mut self.lists;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.urls.finish()),
            Arc::new(response.finish()),
            Arc::new(expected.finish()),
            Arc::new(self.agreements.finish()),
            Arc::new(seen.finish()),
            Arc::new(self.shares.finish()),
            Arc::new(self.not_found.finish()),
            Arc::new(self.split.finish()),
            Arc::new(self.bytes.finish()),
        ];
        RecordBatch::try_new(SCHEMA.clone(), columns)
            .expect("the columns are those of the schema, a value a line")
    }
}
