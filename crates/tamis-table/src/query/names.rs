//! The names that a query may call columns by, and the one that the table knows.
//!
//! `"webpage:title"` and `create_time` become `title` and `date` wherever they stand, before the query is planned; the
//! columns of the result keep the names that were asked for. `links[1].url` becomes `links[1]['url']`, the only form that the planner
//! knows for a field of an element.

use std::borrow::Cow;
use std::ops::ControlFlow;

use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{
    AccessExpr, Expr, Ident, Query, SelectItem, SetExpr, Statement, Subscript, Value, VisitMut, VisitorMut,
};

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::column::Column;

/// Calls columns by the names that the table knows.
pub(super) fn settle(statement: &mut DfStatement) {
    match statement {
        DfStatement::Statement(statement) => settle_sql(statement),
        DfStatement::Explain(explain) => settle(&mut explain.statement),
        _ => {}
    }
}

fn settle_sql(statement: &mut Statement) {
    if let Statement::Query(query) = statement {
        keep_names(query);
    }
    // It never breaks off.
    let _ = statement.visit(&mut Settle);
}

/// Has the result's columns called as they were asked for: by the name that was used, or by the expression itself.
fn keep_names(query: &mut Query) {
    let SetExpr::Select(select) = &mut *query.body else { return };
    for item in &mut select.projection {
        let SelectItem::UnnamedExpr(expression) = item else { continue };
        let heading = match &*expression {
            Expr::Identifier(name) if known(name).is_none() => continue,
            Expr::Identifier(name) => name.value.clone(),
            Expr::CompoundIdentifier(names) => match names.last() {
                Some(name) if known(name).is_some() => name.value.clone(),
                _ => continue,
            },
            // What an array holds becomes rows under a name of its own.
            Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("unnest") => continue,
            other => other.to_string(),
        };
        *item = SelectItem::ExprWithAlias { alias: quoted(&heading), expr: expression.clone() };
    }
}

/// The query with the column `offset` in quotes, where the word is no part of `LIMIT … OFFSET …`: SQL has it for itself.
pub(super) fn quote_offset(sql: &str) -> Cow<'_, str> {
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, sql).with_unescape(false).tokenize() else {
        return Cow::Borrowed(sql);
    };
    let is_blank = |token: &&Token| !matches!(token, Token::Whitespace(_));
    let is_offset = |token: &Token| matches!(token, Token::Word(word) if word.keyword == Keyword::OFFSET && word.quote_style.is_none());
    if !tokens.iter().any(is_offset) {
        return Cow::Borrowed(sql);
    }
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens[at + 1..].iter().find(is_blank);
        let is_keyword = matches!(next, Some(Token::Number(..) | Token::Placeholder(_)));
        if is_offset(token) && !is_keyword {
            text.push_str("\"offset\"");
        } else {
            text.push_str(&token.to_string());
        }
    }
    Cow::Owned(text)
}

struct Settle;

impl VisitorMut for Settle {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        if let Expr::CompoundFieldAccess { root, access_chain } = expression {
            quote_fields(root, access_chain);
        }
        let name = match expression {
            Expr::Identifier(name) => Some(name),
            // What stands behind a dot is a column of a table, or a part of a column that we do not know.
            Expr::CompoundIdentifier(names) if names.len() == 2 => names.last_mut(),
            _ => None,
        };
        if let Some(name) = name
            && let Some(known) = known(name)
        {
            *name = quoted(known);
        }
        ControlFlow::Continue(())
    }
}

/// Makes `['field']` of each `.field` after a subscript or a call. Those before are the names of a table and its column.
fn quote_fields(root: &Expr, chain: &mut [AccessExpr]) {
    let names = match root {
        Expr::Identifier(_) => chain.iter().take_while(|access| matches!(access, AccessExpr::Dot(_))).count(),
        _ => 0,
    };
    for access in &mut chain[names..] {
        if let AccessExpr::Dot(Expr::Identifier(field)) = access {
            let name =
                if field.quote_style.is_some() { field.value.clone() } else { field.value.to_lowercase() };
            let index = Expr::Value(Value::SingleQuotedString(name).with_span(field.span));
            *access = AccessExpr::Subscript(Subscript::Index { index });
        }
    }
}

/// The table's own name for a column that is called by another.
fn known(name: &Ident) -> Option<&'static str> {
    let spelled = if name.quote_style.is_some() { name.value.clone() } else { name.value.to_lowercase() };
    Column::named(&spelled).map(|column| column.name).filter(|own| *own != spelled)
}

fn quoted(name: &str) -> Ident {
    Ident::with_quote('"', name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::sql::parser::DFParser;

    #[test]
    fn offset_is_a_column_unless_it_is_a_number_of_rows() {
        for (asked, quoted) in [
            ("select offset from pages limit 3 offset 5", "select \"offset\" from pages limit 3 offset 5"),
            ("select p.OFFSET, 'offset' from pages p", "select p.\"offset\", 'offset' from pages p"),
            ("select 1", "select 1"),
        ] {
            assert_eq!(quote_offset(asked), quoted);
        }
    }

    #[test]
    fn columns_are_called_as_the_table_calls_them() {
        for (asked, settled) in [
            ("SELECT title FROM pages", "SELECT title FROM pages"),
            (
                "SELECT \"webpage:title\", mime FROM pages WHERE \"webpage:url\" = 'x'",
                "SELECT \"title\" AS \"webpage:title\", \"mime_type\" AS \"mime\" FROM pages WHERE \"url\" = 'x'",
            ),
            (
                "SELECT count(*) FROM pages AS p GROUP BY p.domain",
                "SELECT count(*) AS \"count(*)\" FROM pages AS p GROUP BY p.\"domain_name\"",
            ),
            (
                "WITH a AS (SELECT clean_text FROM pages) SELECT clean_text FROM a",
                "WITH a AS (SELECT \"text\" FROM pages) SELECT \"text\" AS \"clean_text\" FROM a",
            ),
            (
                "SELECT links[1].URL FROM pages WHERE p.links[1].domain = 'x'",
                "SELECT links[1]['url'] AS \"links[1].URL\" FROM pages WHERE p.links[1]['domain'] = 'x'",
            ),
        ] {
            let mut statement = DFParser::parse_sql(asked).expect("it is SQL").pop_front().expect("one");
            settle(&mut statement);
            assert_eq!(statement.to_string(), settled);
        }
    }
}
