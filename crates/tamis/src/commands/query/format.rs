//! The forms that rows come in.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use clap::ValueEnum;
use tamis_table::SchemaRef;
use tamis_table::sink::{
    ArticleSink, CsvSink, JsonlSink, ParquetOptions, ParquetSink, PlanSink, ReferenceSink, Sink, SinkError,
    TableOptions, TableSink, TextSink, TsvSink, is_plan,
};
use terminal_size::{Width, terminal_size_of};

use crate::output::Content;

/// A form to print rows in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum Format {
    /// Aligned columns, for people
    Table,
    /// Comma-separated values (RFC 4180)
    Csv,
    /// Values with tabs between them, names in the first line
    Tsv,
    /// A JSON object a line
    Jsonl,
    /// A Parquet file
    Parquet,
    /// All columns of the reference, in its order
    #[value(skip)]
    Reference,
    /// Pages as plain text
    #[value(skip)]
    Text,
    /// Article lines
    #[value(skip)]
    Article,
}

impl Format {
    /// The form that the name of a file asks for.
    pub(in crate::commands) fn of_file(path: Option<&Path>) -> Self {
        let ending = path.and_then(Path::extension).map(OsStr::to_ascii_lowercase);
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("csv") => Self::Csv,
            Some("tsv" | "tab") => Self::Tsv,
            Some("jsonl" | "ndjson" | "json") => Self::Jsonl,
            Some("parquet" | "pq") => Self::Parquet,
            _ => Self::Table,
        }
    }

    pub(in crate::commands) fn content(self) -> Content {
        if self == Self::Parquet { Content::Binary } else { Content::Text }
    }

    /// A sink for rows, which a person may see on a terminal.
    pub(in crate::commands) fn sink<'w>(
        self,
        to: &'w mut impl Write,
        is_seen: bool,
        schema: &SchemaRef,
    ) -> Result<Box<dyn Sink + 'w>, SinkError> {
        Ok(match self {
            Self::Table => return Ok(table(to, is_seen, schema)),
            Self::Csv => Box::new(CsvSink::new(to, schema)?),
            Self::Tsv => Box::new(TsvSink::new(to, schema)?),
            Self::Reference => Box::new(ReferenceSink::new(to, schema)?),
            Self::Jsonl => Box::new(JsonlSink::new(to, schema)),
            Self::Text => Box::new(TextSink::new(to)),
            Self::Article => Box::new(ArticleSink::new(to)),
            Self::Parquet => Box::new(ParquetSink::new(to, schema, &ParquetOptions::default())?),
        })
    }
}

fn table<'w>(to: &'w mut impl Write, is_seen: bool, schema: &SchemaRef) -> Box<dyn Sink + 'w> {
    if is_plan(schema) {
        return Box::new(PlanSink::new(to));
    }
    let width = is_seen.then(terminal_width).flatten();
    Box::new(TableSink::new(to, schema, TableOptions { width }))
}

/// The columns of the terminal that stdout is.
fn terminal_width() -> Option<usize> {
    terminal_size_of(std::io::stdout()).map(|(Width(columns), _)| usize::from(columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_a_file_tells_the_form() {
        for (name, format) in [
            ("a.parquet", Format::Parquet),
            ("a.CSV", Format::Csv),
            ("a.b.tsv", Format::Tsv),
            ("a.jsonl", Format::Jsonl),
            ("a.txt", Format::Table),
            ("a", Format::Table),
        ] {
            assert_eq!(Format::of_file(Some(Path::new(name))), format, "{name}");
        }
        assert_eq!(Format::of_file(None), Format::Table);
    }
}
