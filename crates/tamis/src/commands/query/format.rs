//! The forms that rows come in.

use std::io::Write;
use std::path::Path;

use anyhow::anyhow;
use clap::ValueEnum;
use tamis_table::SchemaRef;
use tamis_table::sink::{
    ArticleSink, CsvSink, Formulas, JsonlSink, ParquetOptions, ParquetSink, PlanSink, ReferenceSink, Sink,
    SinkError, TableOptions, TableSink, TextSink, TsvSink, is_plan,
};
use terminal_size::{Width, terminal_size_of};

use crate::hint::WithHint;
use crate::output::Content;

/// A form to print rows in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum Format {
    /// Aligned columns, human-readable
    Table,
    /// Comma-separated values (RFC 4180)
    Csv,
    /// Tab-separated values with a header line
    Tsv,
    /// One JSON object per line
    Jsonl,
    /// A Parquet file
    Parquet,
    /// Tab-separated, with the columns of the Collection Management Webpages report in its order
    #[value(skip)]
    Reference,
    /// Pages as plain text
    #[value(skip)]
    Text,
    /// Article lines
    #[value(skip)]
    Article,
}

/// The endings of file names that say the form.
const ENDINGS: [(&str, Format); 9] = [
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("tab", Format::Tsv),
    ("jsonl", Format::Jsonl),
    ("ndjson", Format::Jsonl),
    ("json", Format::Jsonl),
    ("parquet", Format::Parquet),
    ("pq", Format::Parquet),
    ("txt", Format::Table),
];

/// `--format` and `--null`, for commands that write rows.
#[derive(Debug, Clone, Default, clap::Args)]
pub(in crate::commands) struct RowsArgs {
    /// Output format [default: by the extension of the output file, or else table]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write null as TEXT in csv and tsv; csv quotes values equal to TEXT [default: empty; "" in rows of one column]
    #[arg(long, value_name = "TEXT", value_parser = null_text)]
    null: Option<String>,
    /// Put ' before texts in csv and tsv that a spreadsheet would run as a formula (starting with = + - @)
    #[arg(long)]
    csv_safe: bool,
}

/// How rows are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::commands) struct Rows {
    format: Format,
    null: String,
    formulas: Formulas,
}

impl RowsArgs {
    /// Whether a format was asked for.
    pub(in crate::commands) fn is_given(&self) -> bool {
        self.format.is_some()
    }

    /// How to write rows to a file, or to stdout.
    pub(in crate::commands) fn rows(&self, output: Option<&Path>) -> anyhow::Result<Rows> {
        let format = match self.format {
            Some(format) => format,
            None => Format::of_file(output)?,
        };
        if self.null.is_some() && !matches!(format, Format::Csv | Format::Tsv) {
            return Err(anyhow!("--null requires csv or tsv")).hint("add `--format csv` or `--format tsv`");
        }
        if self.csv_safe && !matches!(format, Format::Csv | Format::Tsv) {
            return Err(anyhow!("--csv-safe requires csv or tsv"))
                .hint("add `--format csv` or `--format tsv`");
        }
        let formulas = if self.csv_safe { Formulas::Quoted } else { Formulas::Kept };
        Ok(Rows { format, null: self.null.clone().unwrap_or_default(), formulas })
    }
}

/// A text that stands for null without quotes.
fn null_text(text: &str) -> Result<String, String> {
    if text.contains(['"', ',']) || text.contains(char::is_control) {
        return Err("must not contain quotes, commas or control characters".to_owned());
    }
    Ok(text.to_owned())
}

impl Format {
    /// The form that the name of a file asks for; a table, if it has no ending.
    fn of_file(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some((path, ending)) = path.and_then(|path| Some((path, path.extension()?))) else {
            return Ok(Self::Table);
        };
        let known = ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known));
        let endings = || ENDINGS.map(|(known, _)| format!(".{known}")).join(", ");
        known
            .map(|(_, format)| *format)
            .ok_or_else(|| anyhow!("{}: unknown file extension .{}", path.display(), ending.display()))
            .hint(format!("known extensions: {}; or use `--format`", endings()))
    }

    /// A sink that writes null as nothing.
    pub(in crate::commands) fn sink<'w>(
        self,
        to: &'w mut impl Write,
        is_seen: bool,
        schema: &SchemaRef,
    ) -> Result<Box<dyn Sink + 'w>, SinkError> {
        Rows { format: self, null: String::new(), formulas: Formulas::Kept }.sink(to, is_seen, schema)
    }

    pub(in crate::commands) fn content(self) -> Content {
        if self == Self::Parquet { Content::Binary } else { Content::Text }
    }
}

impl Rows {
    pub(in crate::commands) fn content(&self) -> Content {
        self.format.content()
    }

    /// Whether rows are a table for people.
    pub(in crate::commands) fn is_table(&self) -> bool {
        self.format == Format::Table
    }

    /// A sink for rows, which a person may see on a terminal.
    pub(in crate::commands) fn sink<'w>(
        &self,
        to: &'w mut impl Write,
        is_seen: bool,
        schema: &SchemaRef,
    ) -> Result<Box<dyn Sink + 'w>, SinkError> {
        Ok(match self.format {
            Format::Table => return Ok(table(to, is_seen, schema)),
            Format::Csv => Box::new(CsvSink::new(to, schema, &self.null, self.formulas)?),
            Format::Tsv => Box::new(TsvSink::new(to, schema, &self.null, self.formulas)?),
            Format::Reference => Box::new(ReferenceSink::new(to, schema)?),
            Format::Jsonl => Box::new(JsonlSink::new(to, schema)),
            Format::Text => Box::new(TextSink::new(to)),
            Format::Article => Box::new(ArticleSink::new(to)),
            Format::Parquet => Box::new(ParquetSink::new(to, schema, &ParquetOptions::default())?),
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
    use crate::hint::hints;

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
            assert_eq!(Format::of_file(Some(Path::new(name))).ok(), Some(format), "{name}");
        }
        assert_eq!(Format::of_file(None).ok(), Some(Format::Table));
    }

    #[test]
    fn an_unknown_ending_is_refused_with_the_known_ones() {
        for name in ["x.xlsx", "rows.csv.gz", "a.7"] {
            let error = Format::of_file(Some(Path::new(name))).expect_err(name);
            assert!(error.to_string().starts_with(name), "{error}");
            assert!(hints(&error)[0].starts_with("known extensions: .csv, .tsv,"), "{error}");
        }
        let asked = RowsArgs { format: Some(Format::Csv), null: None, csv_safe: false };
        assert!(asked.rows(Some(Path::new("x.xlsx"))).is_ok(), "--format says what the name does not");
    }
}
