//! Values of a column as text and as JSON.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};

const FORMAT: FormatOptions<'static> = FormatOptions::new().with_display_error(false);

/// A column whose values are asked for one by one.
pub(super) struct Cells {
    array: ArrayRef,
    form: Form,
}

/// What a value is in JSON.
enum Form {
    Null,
    Text(StringArray),
    Flag,
    Number,
    /// A number that may be none: not finite.
    Float,
    /// What JSON has no type for, such as a moment: its text.
    Quoted,
    /// Where the lists begin and end, and their items.
    List(Vec<usize>, Box<Cells>),
    Struct(Vec<(String, Cells)>),
    /// Where the maps begin and end, their keys and values.
    Map(Vec<usize>, Box<Cells>, Box<Cells>),
}

/// Whether values of a type are numbers, which people want right-aligned.
pub(super) fn is_number(data_type: &DataType) -> bool {
    data_type.is_numeric()
}

impl Cells {
    pub(super) fn new(array: &ArrayRef) -> Result<Self, ArrowError> {
        let array = plain(array)?;
        let form = match array.data_type() {
            DataType::Null => Form::Null,
            DataType::Boolean => Form::Flag,
            DataType::Utf8 => Form::Text(array.as_string::<i32>().clone()),
            DataType::Float16 | DataType::Float32 | DataType::Float64 => Form::Float,
            data_type if is_number(data_type) => Form::Number,
            DataType::List(_) => {
                let lists = array.as_list::<i32>();
                let ends = lists.offsets().iter().map(|&at| at as usize).collect();
                Form::List(ends, Box::new(Cells::new(lists.values())?))
            }
            DataType::Struct(fields) => {
                let names = fields.iter().map(|field| field.name().clone());
                let columns = array.as_struct().columns().iter().map(Cells::new);
                Form::Struct(names.zip(columns.collect::<Result<Vec<_>, _>>()?).collect())
            }
            DataType::Map(..) => {
                let maps = array.as_map();
                let ends = maps.offsets().iter().map(|&at| at as usize).collect();
                Form::Map(ends, Box::new(Cells::new(maps.keys())?), Box::new(Cells::new(maps.values())?))
            }
            _ => Form::Quoted,
        };
        Ok(Self { array, form })
    }

    /// All columns of some rows.
    pub(super) fn of_all(columns: &[ArrayRef]) -> Result<Vec<Self>, ArrowError> {
        columns.iter().map(Cells::new).collect()
    }

    pub(super) fn is_null(&self, row: usize) -> bool {
        matches!(self.form, Form::Null) || self.array.is_null(row)
    }

    /// A value as text: itself, or JSON where it has parts. None for null.
    pub(super) fn text(&self, row: usize) -> Option<Cow<'_, str>> {
        if self.is_null(row) {
            return None;
        }
        match &self.form {
            Form::Text(texts) => Some(Cow::Borrowed(texts.value(row))),
            Form::List(..) | Form::Struct(_) | Form::Map(..) => {
                let mut json = Vec::new();
                self.write_json(row, &mut json);
                Some(Cow::Owned(String::from_utf8_lossy(&json).into_owned()))
            }
            _ => self.formatted(row).map(Cow::Owned),
        }
    }

    /// The same, but a list of texts is the texts with a comma between them, and a list of words their texts, with their tags if they
    /// have any. A name is there once.
    pub(super) fn joined(&self, row: usize) -> Option<Cow<'_, str>> {
        match &self.form {
            Form::List(ends, items) if matches!(items.form, Form::Text(_)) && !self.is_null(row) => {
                let texts: Vec<_> = (ends[row]..ends[row + 1]).filter_map(|item| items.text(item)).collect();
                Some(Cow::Owned(texts.join(",")))
            }
            Form::List(ends, items) if !self.is_null(row) => {
                items.joined_words(ends[row]..ends[row + 1]).map(Cow::Owned).or_else(|| self.text(row))
            }
            _ => self.text(row),
        }
    }

    /// The texts of words, if these are words.
    fn joined_words(&self, rows: Range<usize>) -> Option<String> {
        let Form::Struct(fields) = &self.form else { return None };
        let field = |name: &str| fields.iter().find(|(other, _)| other == name).map(|(_, cells)| cells);
        let (texts, tags) = (field("text")?, field("tag"));
        let word = |row: usize| {
            let tag = tags.and_then(|tags| tags.text(row)).map(|tag| format!(":{tag}"));
            format!("{}{}", texts.text(row).unwrap_or_default(), tag.unwrap_or_default())
        };
        let mut seen = HashSet::new();
        let is_name = field("confidence").is_some();
        let words = rows.map(word).filter(|word| !is_name || seen.insert(word.clone()));
        Some(words.collect::<Vec<_>>().join(","))
    }

    /// Adds a value as JSON.
    pub(super) fn write_json(&self, row: usize, to: &mut Vec<u8>) {
        if self.is_null(row) {
            return to.extend(b"null");
        }
        match &self.form {
            Form::Null => to.extend(b"null"),
            Form::Text(texts) => write_string(texts.value(row), to),
            Form::List(ends, items) => {
                write_between(*b"[]", ends[row]..ends[row + 1], to, |item, to| items.write_json(item, to));
            }
            Form::Struct(fields) => write_between(*b"{}", fields, to, |(name, cells), to| {
                write_string(name, to);
                to.push(b':');
                cells.write_json(row, to);
            }),
            Form::Map(ends, keys, values) => {
                write_between(*b"{}", ends[row]..ends[row + 1], to, |entry, to| {
                    write_string(&keys.text(entry).unwrap_or_default(), to);
                    to.push(b':');
                    values.write_json(entry, to);
                });
            }
            Form::Flag | Form::Number | Form::Float | Form::Quoted => self.write_scalar(row, to),
        }
    }

    fn write_scalar(&self, row: usize, to: &mut Vec<u8>) {
        let is_finite = |text: &String| text.parse().is_ok_and(f64::is_finite);
        match (self.formatted(row), &self.form) {
            (Some(text), Form::Quoted) => write_string(&text, to),
            (Some(text), Form::Float) if !is_finite(&text) => to.extend(b"null"),
            (Some(text), _) => to.extend(text.bytes()),
            (None, _) => to.extend(b"null"),
        }
    }

    /// None for a moment that no calendar has.
    fn formatted(&self, row: usize) -> Option<String> {
        ArrayFormatter::try_new(&self.array, &FORMAT).ok()?.value(row).try_to_string().ok()
    }
}

/// An array in the plainest of the types that say the same.
fn plain(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        DataType::LargeUtf8 | DataType::Utf8View => cast(array, &DataType::Utf8),
        DataType::Dictionary(_, value) => plain(&cast(array, value)?),
        DataType::RunEndEncoded(_, value) => plain(&cast(array, value.data_type())?),
        DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::ListView(item)
        | DataType::LargeListView(item) => cast(array, &DataType::List(item.clone())),
        _ => Ok(array.clone()),
    }
}

fn write_between<T>(
    brackets: [u8; 2],
    items: impl IntoIterator<Item = T>,
    to: &mut Vec<u8>,
    mut write: impl FnMut(T, &mut Vec<u8>),
) {
    to.push(brackets[0]);
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            to.push(b',');
        }
        write(item, to);
    }
    to.push(brackets[1]);
}

/// Adds a string as JSON has it.
pub(super) fn write_string(text: &str, to: &mut Vec<u8>) {
    serde_json::to_writer(to, text).expect("a string goes into memory");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::samples;

    #[test]
    fn values_are_what_they_are_in_json() {
        let rows = samples::rows();
        let cells = Cells::of_all(rows.columns()).expect("all types are known");
        let json = |row: usize| -> Vec<String> {
            let of = |cells: &Cells| {
                let mut to = Vec::new();
                cells.write_json(row, &mut to);
                String::from_utf8(to).expect("JSON is UTF-8")
            };
            cells.iter().map(of).collect()
        };
        assert_eq!(json(0), samples::JSON);
        assert!(json(1).iter().all(|value| value == "null"), "{:?}", json(1));
    }

    #[test]
    fn text_is_bare_and_parts_are_json() {
        let rows = samples::rows();
        let cells = Cells::of_all(rows.columns()).expect("all types are known");
        let texts: Vec<_> = cells.iter().map(|cells| cells.text(0).unwrap_or_default()).collect();
        assert_eq!(texts[0], "a \"b\"\tc\r\nd, e");
        assert_eq!(texts[samples::TEXTS], r#"["x","y,z"]"#);
        assert_eq!(cells[samples::TEXTS].joined(0).as_deref(), Some("x,y,z"));
        assert!(cells.iter().all(|cells| cells.text(1).is_none()));
    }
}
