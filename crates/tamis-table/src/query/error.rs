//! What can be wrong with a query, told with the place in it and what may have been meant.

use std::io;
use std::path::Path;

use datafusion::arrow::error::ArrowError;
use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::column::COLUMNS;

/// Why a query cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The query is wrong.
    #[error("{message}{}", place.as_ref().map(|place| format!("\n{place}")).unwrap_or_default())]
    Query {
        /// What is wrong.
        message: String,
        /// The line, with a mark under the place.
        place: Option<Place>,
        /// What may have been meant.
        hint: Option<String>,
    },
    /// It needs more memory than it may have.
    #[error("{what} needs more memory than it may have, and cannot go on on the disk")]
    Memory {
        /// The step that found none left.
        what: String,
    },
    /// The disk took no more.
    #[error("{0}")]
    Disk(String),
    /// Threads could not be started.
    #[error("threads could not be started: {0}")]
    Threads(io::Error),
    /// Anything else that failed while it ran.
    #[error("{0}")]
    Run(Box<DataFusionError>),
}

/// A place in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    line: String,
    number: usize,
    column: usize,
    width: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = self.number.to_string();
        let gap = " ".repeat(number.len());
        let indent = " ".repeat(self.column - 1);
        write!(f, "{number} | {}\n{gap} | {indent}{}", self.line, "^".repeat(self.width))
    }
}

impl From<DataFusionError> for QueryError {
    fn from(error: DataFusionError) -> Self {
        QueryError::Run(Box::new(error))
    }
}

impl QueryError {
    /// What may help, if anything.
    pub fn hint(&self) -> Option<&str> {
        match self {
            QueryError::Query { hint, .. } => hint.as_deref(),
            QueryError::Memory { .. } => Some("give it more with --memory, or fewer threads with --jobs"),
            QueryError::Disk(_) => Some("free some space, or name another folder with TMPDIR"),
            _ => None,
        }
    }

    /// Why a file cannot be a table.
    pub(super) fn of_table(name: &str, path: &Path, error: &DataFusionError) -> Self {
        let reason = error.strip_backtrace();
        let reason = reason.split_once(": ").map_or(&*reason, |(_, reason)| reason);
        QueryError::Query {
            message: format!("table {name}: {}: {reason}", path.display()),
            place: None,
            hint: Some("--table NAME=FILE takes .csv, .tsv, .jsonl and .parquet files".to_owned()),
        }
    }

    /// An error of planning or running, as it concerns the one who wrote the query.
    pub(super) fn of(error: DataFusionError, sql: &str, context: &SessionContext) -> Self {
        match error.find_root() {
            DataFusionError::SQL(error, _) => Self::syntax(error, sql),
            DataFusionError::SchemaError(error, _) => Self::names(error, sql),
            DataFusionError::ResourcesExhausted(message) if message.contains("No space left") => {
                QueryError::Disk(message.clone())
            }
            DataFusionError::ResourcesExhausted(message) => QueryError::Memory { what: step(message) },
            DataFusionError::NotImplemented(message) if message.contains("single SQL statement") => {
                Self::simple("there is more than one query", Some("ask one at a time"))
            }
            DataFusionError::ArrowError(error, _) => match &**error {
                ArrowError::CastError(message) | ArrowError::ParseError(message) => {
                    Self::simple(message, Some("try_cast gives null where a value is of another kind"))
                }
                error => Self::simple(&error.to_string(), None),
            },
            DataFusionError::IoError(error) => QueryError::Disk(error.to_string()),
            DataFusionError::Plan(message) => Self::plan(message, sql, context),
            _ => QueryError::Run(Box::new(error)),
        }
    }

    fn simple(message: &str, hint: Option<&str>) -> Self {
        QueryError::Query { message: message.to_owned(), place: None, hint: hint.map(str::to_owned) }
    }

    fn syntax(error: &ParserError, sql: &str) -> Self {
        let (ParserError::ParserError(message) | ParserError::TokenizerError(message)) = error else {
            return QueryError::Query { message: error.to_string(), place: None, hint: None };
        };
        let (message, place) = match message.rsplit_once(" at Line: ") {
            Some((message, at)) => (message, position(at).and_then(|at| Place::at(sql, at, 1))),
            None => (&**message, None),
        };
        QueryError::Query { message: message.to_owned(), place, hint: None }
    }

    fn names(error: &SchemaError, sql: &str) -> Self {
        let SchemaError::FieldNotFound { field, valid_fields } = error else {
            return QueryError::Query { message: error.to_string(), place: None, hint: None };
        };
        if valid_fields.is_empty() && Place::of_word(sql, "from").is_none() {
            let hint = "write `select … from pages`";
            return Self::simple(&format!("there is no table to take {} from", field.name), Some(hint));
        }
        let own = COLUMNS.iter().map(|column| column.name);
        let meant = nearest(&field.name, valid_fields.iter().map(|field| &*field.name).chain(own));
        let hint = match meant {
            Some(meant) => format!("did you mean {meant}?"),
            None => "tamis query --columns lists all columns".to_owned(),
        };
        QueryError::Query {
            message: format!("there is no column {}", field.name),
            place: Place::of_word(sql, &field.name),
            hint: Some(hint),
        }
    }

    fn plan(message: &str, sql: &str, context: &SessionContext) -> Self {
        let first = message.lines().next().unwrap_or(message);
        let quoted = first.split('\'').nth(1);
        if let Some(name) = quoted.filter(|_| first.starts_with("Invalid function")) {
            let state = context.state();
            let known = state.scalar_functions().keys().chain(state.aggregate_functions().keys());
            let mut known: Vec<&str> = known.map(String::as_str).collect();
            known.sort_unstable();
            return QueryError::Query {
                message: format!("there is no function {name}"),
                place: Place::of_word(sql, name),
                hint: nearest(name, known.into_iter()).map(|meant| format!("did you mean {meant}?")),
            };
        }
        if let Some(name) = quoted.filter(|_| first.starts_with("table ")) {
            let name = name.rsplit('.').next().unwrap_or(name);
            return QueryError::Query {
                message: format!("there is no table {name}"),
                place: Place::of_word(sql, name),
                hint: Some(if name.eq_ignore_ascii_case("duplicates") {
                    "`tamis dedup COLLECTION` finds duplicates; queries of the collection then have the table"
                        .to_owned()
                } else {
                    "the tables are pages, captures and links, duplicates after `tamis dedup`, and those of --table NAME=FILE".to_owned()
                }),
            };
        }
        QueryError::Query { message: message.to_owned(), place: None, hint: None }
    }
}

/// Which step of a query wanted memory, by the engine's message: `… for ExternalSorter[0] with …`.
fn step(message: &str) -> String {
    let name =
        message.split(" for ").nth(1).and_then(|rest| rest.split(['[', ' ']).next()).unwrap_or_default();
    let known = [("Sort", "a sort"), ("Group", "a GROUP BY"), ("SMJ", "a join"), ("Join", "a join")];
    let step = known.iter().find(|(part, _)| name.contains(part));
    step.map_or_else(|| "the query".to_owned(), |(_, step)| (*step).to_owned())
}

/// Line and column of `1, Column: 8`.
fn position(at: &str) -> Option<(usize, usize)> {
    let (line, column) = at.split_once(", Column: ")?;
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok();
    Some((digits(line)?, digits(column)?))
}

impl Place {
    fn at(sql: &str, (line, column): (usize, usize), width: usize) -> Option<Self> {
        let text = sql.lines().nth(line.checked_sub(1)?)?.to_owned();
        (column > 0).then_some(Place { line: text, number: line, column, width })
    }

    /// Where a word stands for the first time.
    fn of_word(sql: &str, word: &str) -> Option<Self> {
        let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize_with_location().ok()?;
        let is_it =
            |token: &Token| matches!(token, Token::Word(found) if found.value.eq_ignore_ascii_case(word));
        let found = tokens.iter().find(|token| is_it(&token.token))?;
        let (start, end) = (found.span.start, found.span.end);
        Place::at(
            sql,
            (start.line as usize, start.column as usize),
            (end.column.saturating_sub(start.column) as usize).max(1),
        )
    }
}

/// The name most like what was written, if any is like it.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let score = |other: &str| strsim::jaro_winkler(&name, other);
    known.filter(|other| score(other) > 0.8).max_by(|a, b| score(a).total_cmp(&score(b)))
}
