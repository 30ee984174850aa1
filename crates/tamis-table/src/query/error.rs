//! Errors of queries as they concern the one who wrote it: what is wrong, where it stands, and what may have been meant.

mod place;
mod plain;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Column as Field, SchemaError};
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Token, TokenWithSpan};

use super::growth::TooLarge;
use crate::column::COLUMNS;
use crate::dedup::Unreadable;
use place::{Place, tokens};

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
    #[error("{what} needs more memory than the limit, and cannot use temporary files")]
    Memory {
        /// The step that found none left.
        what: String,
    },
    /// The disk took no more.
    #[error("{0}")]
    Disk(String),
    /// What `dedup` found is needed, and cannot be read.
    #[error(transparent)]
    Duplicates(Unreadable),
    /// Threads could not be started.
    #[error("threads could not be started: {0}")]
    Threads(io::Error),
    /// Anything else that failed while it ran.
    #[error("{0}")]
    Run(Box<DataFusionError>),
}

impl From<DataFusionError> for QueryError {
    fn from(error: DataFusionError) -> Self {
        QueryError::Run(Box::new(error))
    }
}

/// Keywords that are misspelt most.
const KEYWORDS: [&str; 24] = [
    "select",
    "from",
    "where",
    "group",
    "order",
    "having",
    "limit",
    "distinct",
    "join",
    "left",
    "inner",
    "union",
    "between",
    "like",
    "and",
    "case",
    "when",
    "then",
    "else",
    "end",
    "unnest",
    "explain",
    "with",
    "intersect",
];

/// What is said of a panic of the engine.
pub(super) const BROKEN: &str = "the query engine failed on this query";

const TRY_CAST: &str = "`try_cast(… as …)` gives null where a value has another type";

impl QueryError {
    /// What may help, if anything.
    pub fn hint(&self) -> Option<&str> {
        match self {
            QueryError::Query { hint, .. } => hint.as_deref(),
            QueryError::Memory { .. } => Some("raise --memory, or use fewer threads with --jobs"),
            QueryError::Disk(_) => Some("free some space, or set TMPDIR to another folder"),
            _ => None,
        }
    }

    /// Why a file cannot be a table.
    pub(super) fn of_table(name: &str, path: &Path, error: &DataFusionError) -> Self {
        let reason = error.strip_backtrace();
        let reason = reason.split_once(": ").map_or(&*reason, |(_, reason)| reason);
        Self::simple(format!("table {name}: {}: {reason}", path.display()))
            .with_hint("--table NAME=FILE takes .csv, .tsv, .jsonl and .parquet files")
    }

    /// An error of planning or running a query.
    pub(super) fn of(error: &DataFusionError, sql: &str, context: &SessionContext) -> Self {
        let root = error.find_root();
        let text = root.to_string();
        if text.contains("panicked with message") {
            return Self::simple(BROKEN);
        }
        if let Some(why) = text.split("regex parse error:").nth(1) {
            let why = why.rsplit("error: ").next().unwrap_or(why).trim();
            return Self::simple(format!("invalid regular expression: {why}"));
        }
        match root {
            DataFusionError::SQL(error, _) => syntax(error, sql),
            DataFusionError::SchemaError(error, _) => schema(error, sql),
            DataFusionError::ResourcesExhausted(message) if message.contains("No space left") => {
                QueryError::Disk(message.clone())
            }
            DataFusionError::ResourcesExhausted(message) => QueryError::Memory { what: step(message) },
            DataFusionError::NotImplemented(message) if message.contains("single SQL statement") => {
                Self::simple("more than one query given").with_hint("run one query at a time")
            }
            DataFusionError::ArrowError(error, _) => value(&error.to_string(), sql),
            DataFusionError::IoError(error) => QueryError::Disk(error.to_string()),
            DataFusionError::Plan(message)
            | DataFusionError::Execution(message)
            | DataFusionError::Internal(message)
            | DataFusionError::NotImplemented(message) => plan(message, sql, context),
            DataFusionError::External(error) => match error.downcast_ref::<Unreadable>() {
                Some(unreadable) => QueryError::Duplicates(unreadable.clone()),
                None => of_value(&**error),
            },
            other => Self::simple(plain::message(&other.strip_backtrace())),
        }
    }

    fn simple(message: impl Into<String>) -> Self {
        QueryError::Query { message: message.into(), place: None, hint: None }
    }

    fn with_place(mut self, at: Option<Place>) -> Self {
        if let QueryError::Query { place, .. } = &mut self {
            *place = at;
        }
        self
    }

    fn with_hint(mut self, text: impl Into<String>) -> Self {
        if let QueryError::Query { hint, .. } = &mut self {
            *hint = Some(text.into());
        }
        self
    }
}

/// An error of a function of ours.
fn of_value(error: &(dyn std::error::Error + Send + Sync + 'static)) -> QueryError {
    let told = QueryError::simple(error.to_string());
    if error.is::<TooLarge>() {
        return told.with_hint("raise --memory, up to 1 GiB per thread, or compute smaller values");
    }
    told
}

/// What the parser does not understand.
fn syntax(error: &ParserError, sql: &str) -> QueryError {
    let (ParserError::ParserError(text) | ParserError::TokenizerError(text)) = error else {
        return QueryError::simple("the query is nested too deeply");
    };
    let (text, at) = match text.rsplit_once(" at Line: ") {
        Some((text, at)) => (text, position(at)),
        None => (&**text, None),
    };
    let place = at.and_then(|at| Place::at(sql, at, 1));
    if let Some(error) = unclosed(text) {
        return error.with_place(place);
    }
    let Some((expected, found)) =
        text.strip_prefix("Expected: ").and_then(|text| text.split_once(", found: "))
    else {
        return QueryError::simple(plain::message(text)).with_place(place);
    };
    let tokens = tokens(sql);
    let here = tokens
        .iter()
        .position(|token| at == Some((token.span.start.line as usize, token.span.start.column as usize)));
    if let Some((word, meant)) = misspelt(&tokens, here) {
        let hint = format!("did you mean {}?", meant.to_uppercase());
        return QueryError::simple(format!("unknown keyword {}", word.token))
            .with_place(Place::of_token(sql, word))
            .with_hint(hint);
    }
    let is_end = found == "EOF";
    let message = match expected {
        "end of statement" => format!("unexpected {found}"),
        _ if is_end => format!("the query ends, but {} is expected", expected_words(expected)),
        _ => format!("expected {}, found {found}", expected_words(expected)),
    };
    let place = match here.and_then(|here| tokens.get(here)) {
        Some(token) => Place::of_token(sql, token),
        None if is_end => Place::end(sql),
        None => place,
    };
    let error = QueryError::simple(message).with_place(place);
    let count = |keyword| tokens.iter().filter(|token| is_keyword(&token.token, keyword)).count();
    if matches!(found.to_ascii_lowercase().as_str(), "order" | "group") {
        return error.with_hint(format!("write {} BY", found.to_uppercase()));
    }
    if count(Keyword::CASE) > count(Keyword::END) {
        return error.with_hint("write CASE WHEN … THEN … END");
    }
    error
}

/// A text, name or comment that is not closed.
fn unclosed(text: &str) -> Option<QueryError> {
    if text.starts_with("Unterminated string literal") {
        let hint = "end the string with a single quote; write two for a quote inside it";
        return Some(QueryError::simple("the string that starts here is not closed").with_hint(hint));
    }
    if text.starts_with("Expected close delimiter") {
        return Some(QueryError::simple("the name that starts here is not closed"));
    }
    text.contains("multi-line comment")
        .then(|| QueryError::simple("the comment is not closed; it ends with */"))
}

/// A word at the place of an error or shortly before it that is nearly a keyword, and that keyword.
fn misspelt(tokens: &[TokenWithSpan], here: Option<usize>) -> Option<(&TokenWithSpan, &'static str)> {
    let end = here.map_or(tokens.len(), |here| here + 1);
    let start = end.saturating_sub(3);
    tokens.get(start..end)?.iter().rev().find_map(|token| {
        let Token::Word(word) = &token.token else { return None };
        let text = word.value.to_lowercase();
        let is_column = COLUMNS.iter().any(|column| column.name == text);
        if word.quote_style.is_some() || word.keyword != Keyword::NoKeyword || is_column {
            return None;
        }
        let near = |keyword: &&&str| strsim::osa_distance(&text, keyword) == 1;
        KEYWORDS.iter().find(near).map(|keyword| (token, *keyword))
    })
}

fn expected_words(expected: &str) -> &str {
    match expected {
        "an SQL statement" => "SELECT, WITH or EXPLAIN",
        ")" => "a closing bracket",
        "(" => "an opening bracket",
        other => other,
    }
}

fn is_keyword(token: &Token, keyword: Keyword) -> bool {
    matches!(token, Token::Word(word) if word.keyword == keyword && word.quote_style.is_none())
}

/// Columns and tables that are not known, or not told apart.
fn schema(error: &SchemaError, sql: &str) -> QueryError {
    match error {
        SchemaError::FieldNotFound { field, valid_fields } => no_column(field, valid_fields, sql),
        SchemaError::AmbiguousReference { field } => {
            QueryError::simple(format!("more than one table has a column {}", field.name))
                .with_place(Place::of_word(sql, &field.name))
                .with_hint(format!("add the table name: TABLE.{}", field.name))
        }
        SchemaError::DuplicateQualifiedField { name, .. }
        | SchemaError::DuplicateUnqualifiedField { name } => {
            QueryError::simple(format!("two columns are called {name}"))
                .with_place(Place::of_word(sql, name))
                .with_hint(format!("rename one of them: {name} AS other"))
        }
    }
}

fn no_column(field: &Field, valid: &[Field], sql: &str) -> QueryError {
    let tokens = tokens(sql);
    if valid.is_empty() && !tokens.iter().any(|token| is_keyword(&token.token, Keyword::FROM)) {
        return QueryError::simple("the query has no FROM")
            .with_place(Place::end(sql))
            .with_hint("write SELECT … FROM pages");
    }
    if let Some(table) = &field.relation
        && !valid
            .iter()
            .any(|known| known.relation.as_ref().is_some_and(|known| known.table() == table.table()))
    {
        return QueryError::simple(format!("unknown table {}", table.table()))
            .with_place(Place::of_word(sql, table.table()))
            .with_hint(format!("write just {0}, or FROM pages {1}", field.name, table.table()));
    }
    let own = COLUMNS.iter().map(|column| column.name);
    let meant = nearest(&field.name, valid.iter().map(|field| &*field.name).chain(own));
    let is_in_quotes = tokens.iter().any(
        |token| matches!(&token.token, Token::Word(word) if word.value == field.name && word.quote_style == Some('"')),
    );
    let hint = match meant {
        Some(meant) => format!("did you mean {meant}?"),
        None if is_in_quotes => format!("strings need single quotes: '{}'", field.name),
        None => "tamis query --columns lists all columns".to_owned(),
    };
    QueryError::simple(format!("no column {}", field.name))
        .with_place(Place::of_word(sql, &field.name))
        .with_hint(hint)
}

/// Values that are not of the type that they are read as.
fn value(text: &str, sql: &str) -> QueryError {
    let text = ["Cast error: ", "Parser error: "]
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))
        .unwrap_or(text);
    if text.starts_with("Divide by zero") {
        return QueryError::simple("division by zero")
            .with_hint("nullif(x, 0) makes the divisor null instead");
    }
    let Some(given) = text.split(['\'', '"']).nth(1) else { return QueryError::simple(plain::message(text)) };
    let (kind, example) = if text.contains("timestamp") || text.contains("date") {
        ("a timestamp", Some("write it as '2024-05-06' or '2024-05-06T07:08:09Z'"))
    } else if text.contains("interval") {
        ("an interval", Some("write it as interval '1 day'"))
    } else if text.contains(" Int") || text.contains(" UInt") {
        ("an integer", None)
    } else if text.contains("Float") || text.contains("Decimal") {
        ("a number", None)
    } else {
        return QueryError::simple(plain::message(text)).with_hint(TRY_CAST);
    };
    let place = Place::of_text(sql, given);
    let hint = example.filter(|_| place.is_some()).unwrap_or(TRY_CAST);
    QueryError::simple(format!("'{given}' is not {kind}")).with_place(place).with_hint(hint)
}

/// A plan that cannot be made.
fn plan(text: &str, sql: &str, context: &SessionContext) -> QueryError {
    let quoted = text.split('\'').nth(1).unwrap_or_default();
    if text.contains("No function matches the given name and argument types") {
        return wrong_arguments(text, sql, context);
    }
    if text.starts_with("Invalid function") {
        return no_function(quoted, sql, context);
    }
    if text.starts_with("table ") && text.contains("not found") {
        return no_table(quoted.rsplit('.').next().unwrap_or(quoted), sql);
    }
    if text.starts_with("Substring without") {
        return QueryError::simple("substr needs a start position")
            .with_place(Place::of_word(sql, "substr").or_else(|| Place::of_word(sql, "substring")))
            .with_hint("write substr(text, start) or substr(text, start, length); positions start at 1");
    }
    if let Some(operands) = between(text, "Cannot coerce arithmetic expression ", " to valid types") {
        let operands = plain::types(operands);
        let hint = if operands.contains("timestamp") {
            "add or subtract an interval: interval '1 day'"
        } else {
            "cast(… as double) converts a string to a number"
        };
        return QueryError::simple(format!("cannot compute {operands}")).with_hint(hint);
    }
    if let Some(operands) = between(text, "There isn't a common type to coerce ", " in LIKE") {
        return QueryError::simple(format!("LIKE compares strings, not {}", plain::types(operands)));
    }
    if let Some(kind) = text.split(" returning ").nth(1).filter(|_| text.contains("non-boolean predicate")) {
        let name = quoted.rsplit('.').next().unwrap_or(quoted);
        return QueryError::simple(format!("WHERE needs a condition, but {name} is {}", plain::types(kind)))
            .with_place(Place::of_word(sql, name))
            .with_hint("compare it with something, or write IS NOT NULL");
    }
    grouping(text, sql, context).or_else(|| fields(text, sql)).unwrap_or_else(|| other(text, quoted, sql))
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    text.split_once(before)?.1.split_once(after).map(|(found, _)| found)
}

/// A function that takes other arguments.
fn wrong_arguments(text: &str, sql: &str, context: &SessionContext) -> QueryError {
    let call = between(text, "argument types '", "'. You might").unwrap_or_default();
    let (name, given) = call.split_once('(').unwrap_or((call, ""));
    let written = called(name, sql, context);
    let (name, place) = match &written {
        Some((written, token)) => (&**written, Place::of_token(sql, token)),
        None => (name, Place::of_word(sql, name)),
    };
    let given = plain::types(given.strip_suffix(')').unwrap_or(given));
    let message = if given.is_empty() {
        format!("{name} needs arguments")
    } else {
        format!("{name} does not take ({given})")
    };
    let mut known: Vec<String> = Vec::new();
    for line in text.lines().skip_while(|line| !line.contains("Candidate functions")).skip(1) {
        let arguments = line.trim().split_once('(').map_or("", |(_, arguments)| arguments);
        let form = format!("{name}({}", plain::types(arguments));
        if !known.contains(&form) {
            known.push(form);
        }
    }
    let error = QueryError::simple(message).with_place(place);
    if known.is_empty() { error } else { error.with_hint(format!("write {}", known.join(" or "))) }
}

/// The word that a query calls a function by, which may be another name of it.
fn called(name: &str, sql: &str, context: &SessionContext) -> Option<(String, TokenWithSpan)> {
    let state = context.state();
    tokens(sql).windows(2).find_map(|pair| {
        let (Token::Word(word), Token::LParen) = (&pair[0].token, &pair[1].token) else { return None };
        let written = word.value.to_lowercase();
        let scalar = state.scalar_functions().get(&written).is_some_and(|function| function.name() == name);
        let aggregate =
            state.aggregate_functions().get(&written).is_some_and(|function| function.name() == name);
        (written == name || scalar || aggregate).then(|| (written, pair[0].clone()))
    })
}

fn no_function(name: &str, sql: &str, context: &SessionContext) -> QueryError {
    let state = context.state();
    let place = Place::of_word(sql, name);
    if state.window_functions().contains_key(name) {
        return QueryError::simple(format!("{name} is a window function"))
            .with_place(place)
            .with_hint(format!("write {name}() OVER (ORDER BY …)"));
    }
    let known = state.scalar_functions().keys().chain(state.aggregate_functions().keys());
    let mut known: Vec<&str> = known.map(String::as_str).collect();
    known.sort_unstable();
    let error = QueryError::simple(format!("no function {name}")).with_place(place);
    match nearest(name, known.into_iter()) {
        Some(meant) => error.with_hint(format!("did you mean {meant}?")),
        None => error.with_hint("tamis query --columns lists all functions besides those of SQL"),
    }
}

fn no_table(name: &str, sql: &str) -> QueryError {
    let hint = if name.eq_ignore_ascii_case("duplicates") {
        "run `tamis dedup COLLECTION` first; it creates the table"
    } else {
        "tables: pages, captures, links, duplicates (after `tamis dedup`), and those of --table NAME=FILE"
    };
    QueryError::simple(format!("no table {name}")).with_place(Place::of_word(sql, name)).with_hint(hint)
}

/// Aggregates where they cannot be, and columns beside them that are in no group.
fn grouping(text: &str, sql: &str, context: &SessionContext) -> Option<QueryError> {
    let tokens = tokens(sql);
    if text.contains("must be in GROUP BY") || text.contains("must appear in the GROUP BY") {
        let column = between(text, "column \"", "\"")?;
        let name = column.rsplit('.').next().unwrap_or(column);
        let add = if tokens.iter().any(|token| is_keyword(&token.token, Keyword::GROUP)) {
            format!("add {name} to GROUP BY")
        } else {
            format!("add GROUP BY {name}")
        };
        return Some(
            QueryError::simple(format!("{name} is neither grouped by nor aggregated"))
                .with_place(Place::of_word(sql, name))
                .with_hint(format!("{add}, or use an aggregate such as min({name})")),
        );
    }
    if text.contains("not allowed in the WHERE clause") {
        let state = context.state();
        let is_aggregate = |token: &TokenWithSpan| matches!(&token.token, Token::Word(word) if state.aggregate_functions().contains_key(&word.value.to_lowercase()));
        let mut after = tokens.iter().skip_while(|token| !is_keyword(&token.token, Keyword::WHERE));
        let place = after.find(|token| is_aggregate(token)).and_then(|token| Place::of_token(sql, token));
        return Some(
            QueryError::simple("WHERE cannot use aggregates")
                .with_place(place)
                .with_hint("use HAVING, after GROUP BY"),
        );
    }
    text.starts_with("Aggregate function calls cannot be nested").then(|| {
        QueryError::simple("aggregates cannot be nested").with_hint("compute the inner one in a subquery")
    })
}

/// Fields of structs and lists.
fn fields(text: &str, sql: &str) -> Option<QueryError> {
    if let Some(field) = between(text, "Field ", " not found in struct") {
        let place = Place::of_text(sql, field).or_else(|| Place::of_word(sql, field));
        let known: Vec<String> =
            COLUMNS.iter().flat_map(|column| field_names(&column.kind.data_type())).collect();
        let error = QueryError::simple(format!("no field {field}")).with_place(place);
        return Some(match nearest(field, known.iter().map(String::as_str)) {
            Some(meant) => error.with_hint(format!("did you mean {meant}?")),
            None => error,
        });
    }
    if !text.contains("Cannot access field") {
        return None;
    }
    let kind = plain::types(between(text, "type ", " is not Struct")?);
    let tokens = tokens(sql);
    let column = tokens.windows(3).find(|three| {
        let is_list = matches!(&three[0].token, Token::Word(word) if COLUMNS.iter().any(|column| column.name == word.value && matches!(column.kind.data_type(), DataType::List(_))));
        is_list && (three[1].token == Token::Period || matches!(&three[2].token, Token::SingleQuotedString(_)))
    });
    let error = QueryError::simple(format!("a {kind} has no fields"));
    Some(match column {
        Some([column, ..]) => {
            let name = column.token.to_string();
            error.with_place(Place::of_token(sql, column)).with_hint(format!(
                "use an element, such as {name}[1].field, or expand it to rows with unnest({name})"
            ))
        }
        _ => error,
    })
}

/// The names of the fields in a type.
fn field_names(data_type: &DataType) -> Vec<String> {
    match data_type {
        DataType::Struct(fields) => fields.iter().map(|field| field.name().clone()).collect(),
        DataType::List(item) => field_names(item.data_type()),
        _ => Vec::new(),
    }
}

/// What is left.
fn other(text: &str, quoted: &str, sql: &str) -> QueryError {
    if text.starts_with("Placeholder") {
        return QueryError::simple(format!("{quoted} has no value")).with_hint("write the value itself");
    }
    if text.starts_with("Projections require unique") {
        let name = between(text, "the expression \"", "\"").unwrap_or_default();
        let name = name.rsplit([' ', '.']).next().unwrap_or(name);
        return QueryError::simple(format!("two columns are called {name}"))
            .with_place(Place::of_word(sql, name))
            .with_hint("rename one of them: … AS other");
    }
    if text.starts_with("Too many columns!") {
        return QueryError::simple("the subquery has more than one column");
    }
    if text.contains("timestamp from '") {
        return value(text, sql);
    }
    QueryError::simple(plain::message(text))
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

/// The name most like what was written, if any is like it.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let score = |other: &str| strsim::jaro_winkler(&name, other);
    known.filter(|other| score(other) > 0.8).max_by(|a, b| score(a).total_cmp(&score(b)))
}
