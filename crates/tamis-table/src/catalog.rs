//! What a query may use, as rows.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};

use crate::column::{COLUMNS, Kind};
use crate::functions::FUNCTIONS;

/// All columns and functions: what it is, its name, its name in the reference, other names, its type, the steps it takes, and
/// what it says.
#[expect(clippy::missing_panics_doc, reason = "all columns are made from one list")]
pub fn catalog() -> RecordBatch {
    let columns = COLUMNS.iter().map(|column| {
        let aliases = column.aliases().collect::<Vec<_>>().join(", ");
        let steps = column.stages.to_string();
        let full_name = Some(column.full_name.to_owned());
        [
            Some("column".to_owned()),
            Some(column.name.to_owned()),
            full_name,
            Some(aliases),
            Some(column.kind.name().to_owned()),
            Some(steps),
            Some(column.about.to_owned()),
        ]
    });
    let functions = FUNCTIONS.iter().map(|function| {
        let (call, about) = (Some(function.call.to_owned()), Some(function.about.to_owned()));
        [Some("function".to_owned()), call, None, None, None, None, about]
    });
    let rows: Vec<[Option<String>; 7]> = columns.chain(functions).collect();
    let column =
        |at: usize| Arc::new(rows.iter().map(|row| row[at].as_deref()).collect::<StringArray>()) as ArrayRef;
    let names = ["kind", "name", "full_name", "other_names", "type", "annotators", "about"];
    RecordBatch::try_from_iter_with_nullable(
        names.into_iter().enumerate().map(|(at, name)| (name, column(at), true)),
    )
    .expect("all are as long as each other")
}

impl Kind {
    /// What people call the type.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Texts => "list of texts",
            Kind::Count | Kind::Status | Kind::Fingerprint | Kind::Share => "number",
            Kind::Time => "time",
            Kind::Flag => "true or false",
            Kind::Links
            | Kind::Spans
            | Kind::Ranges
            | Kind::Tags
            | Kind::Names
            | Kind::Places
            | Kind::Keywords
            | Kind::Headers
            | Kind::Languages => "list of structs",
            Kind::Damage | Kind::LanguageCounts => "struct",
            Kind::Bytes => "bytes",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_there_is_has_a_row() {
        assert_eq!(catalog().num_rows(), COLUMNS.len() + FUNCTIONS.len());
    }
}
