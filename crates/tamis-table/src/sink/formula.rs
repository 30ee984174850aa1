//! Cells that a spreadsheet takes for formulas.
//!
//! A page can have a title such as `=HYPERLINK(…)`, and a spreadsheet that opens the file runs it. A text that begins with `=`, `+`, `-` or
//! `@`, or with a tab or a carriage return (which are dropped before that), gets an apostrophe before it. Numbers stay as they are.
//! See <https://owasp.org/www-community/attacks/CSV_Injection>.

use std::borrow::Cow;

use datafusion::arrow::datatypes::{DataType, SchemaRef};

/// What becomes of texts that a spreadsheet would take for formulas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Formulas {
    /// They stay as they are.
    #[default]
    Kept,
    /// They get an apostrophe before them.
    Quoted,
}

impl Formulas {
    /// Which columns have texts to look at.
    pub(super) fn columns(self, schema: &SchemaRef) -> Vec<bool> {
        let is_number =
            |kind: &DataType| kind.is_numeric() || kind.is_temporal() || *kind == DataType::Boolean;
        schema.fields().iter().map(|field| self == Self::Quoted && !is_number(field.data_type())).collect()
    }

    /// The text as a cell.
    pub(super) fn cell(self, text: &str) -> Cow<'_, str> {
        if self == Self::Quoted && text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            return Cow::Owned(format!("'{text}"));
        }
        Cow::Borrowed(text)
    }
}

/// A value of a column as a cell.
pub(super) fn cell(is_text: bool, value: Option<Cow<'_, str>>) -> Option<Cow<'_, str>> {
    if !is_text {
        return value;
    }
    value.map(|text| match Formulas::Quoted.cell(&text) {
        Cow::Owned(quoted) => Cow::Owned(quoted),
        Cow::Borrowed(_) => text.clone(),
    })
}
