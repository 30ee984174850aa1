//! What a query may be: long, deep and large, but each within a limit.
//!
//! Parsers, planners and what drops their trees recurse, and a stack that overflows ends the program without a word. So the text is
//! measured before it is parsed: tokens that follow each other without a comma can nest at most as deep as there are of them. Plans
//! are measured before they are optimised, and constants after that: a constant is repeated for each row of a batch.

use std::collections::HashMap;
use std::ops::ControlFlow;

use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::sql::parser::Statement as DfStatement;
use datafusion::sql::sqlparser::ast::{ObjectName, Query, Visit, Visitor};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

/// The text of a query in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;
/// Its words, numbers and signs.
const MAX_TOKENS: usize = 200_000;
/// Tokens in a row without a comma, those before the brackets that are open included.
const MAX_RUN: usize = 4_000;
/// UNION, INTERSECT, EXCEPT and JOIN.
const MAX_COMBINED: usize = 500;
/// Nodes of a plan, each use of a common table expression counted.
const MAX_NODES: usize = 5_000;
/// Constant texts that are longer than this,
const LONG_BYTES: usize = 1 << 10;
/// have at most so many bytes together.
const MAX_LONG_BYTES: usize = 64 << 10;

fn too_large<T>(what: &str) -> Result<T> {
    Err(DataFusionError::Plan(format!("the query is too large: {what}")))
}

/// Refuses texts whose parsing could take too much stack or memory.
pub(super) fn check_text(sql: &str) -> Result<()> {
    if sql.len() > MAX_TEXT_BYTES {
        return too_large("its text has more than 1 MiB");
    }
    // The parser says what is wrong with a text that has no tokens.
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, sql).tokenize() else { return Ok(()) };
    let tokens = tokens.into_iter().filter(|token| !matches!(token, Token::Whitespace(_)));
    let (mut all, mut combined) = (0, 0);
    // The length of the run at which each open bracket stands, and of the run so far.
    let (mut open, mut run) = (Vec::new(), 0);
    for token in tokens {
        all += 1;
        run += 1;
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => open.push(run),
            Token::RParen | Token::RBracket | Token::RBrace => run = open.pop().unwrap_or(run),
            Token::Comma | Token::SemiColon => run = open.last().copied().unwrap_or(0),
            Token::Word(word) if word.quote_style.is_none() && combines(word.keyword) => combined += 1,
            _ => {}
        }
        if all > MAX_TOKENS {
            return too_large("it has more than 200,000 tokens");
        }
        if run > MAX_RUN {
            return too_large("an expression has more than 4,000 tokens; use IN (…) for long lists");
        }
        if combined > MAX_COMBINED {
            return too_large("it combines more than 500 tables");
        }
    }
    Ok(())
}

fn combines(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT | Keyword::MINUS | Keyword::JOIN)
}

/// Refuses statements whose table expressions name each other so often that their plan has no room: each use is planned anew, so
/// forty of them that name the one before twice make a trillion.
pub(super) fn check_uses(statement: &DfStatement) -> Result<()> {
    match statement {
        DfStatement::Explain(explain) => check_uses(&explain.statement),
        DfStatement::Statement(statement) => {
            let mut uses = Uses::default();
            match statement.visit(&mut uses) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => {
                    too_large("its tables are referenced more than 5,000 times, directly or through CTEs")
                }
            }
        }
        _ => Ok(()),
    }
}

/// How often tables are read by the queries that are being visited.
#[derive(Default)]
struct Uses {
    /// The reads of a table expression, by its name.
    named: HashMap<String, usize>,
    /// Table expressions whose queries are not visited yet.
    waiting: HashMap<*const Query, String>,
    /// The reads of each query that is being visited, the innermost last.
    open: Vec<usize>,
}

impl Visitor for Uses {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for table in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.waiting.insert(&raw const *table.query, table.alias.name.value.to_lowercase());
        }
        self.open.push(0);
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        let name = name.to_string().trim_matches('"').to_lowercase();
        let reads = self.named.get(&name).copied().unwrap_or(1);
        self.add(reads)
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let reads = self.open.pop().unwrap_or(0).max(1);
        match self.waiting.remove(&(&raw const *query)) {
            Some(name) => {
                // Of two with one name the larger counts, wherever they are known.
                let known = self.named.entry(name).or_default();
                *known = reads.max(*known);
                ControlFlow::Continue(())
            }
            None => self.add(reads),
        }
    }
}

impl Uses {
    fn add(&mut self, reads: usize) -> ControlFlow<()> {
        let Some(open) = self.open.last_mut() else { return ControlFlow::Continue(()) };
        *open = open.saturating_add(reads);
        if *open > MAX_NODES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Refuses plans that could take too long to optimise. A table expression that is named twice is there twice.
pub(super) fn check_plan(plan: &LogicalPlan) -> Result<()> {
    let mut nodes = 0;
    plan.apply_with_subqueries(|_| {
        nodes += 1;
        if nodes > MAX_NODES {
            return too_large("its plan has more than 5,000 steps");
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    check_constants(plan)
}

/// Refuses long constants, those that were written and those that were computed of others.
pub(super) fn check_constants(plan: &LogicalPlan) -> Result<()> {
    let mut bytes = 0;
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expression| {
            expression.apply(|part| {
                bytes += constant_bytes(part);
                if bytes > MAX_LONG_BYTES {
                    return too_large("its long constants exceed 64 KiB in total");
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    })?;
    Ok(())
}

/// The size of a long constant; others count nothing.
fn constant_bytes(expression: &Expr) -> usize {
    let Expr::Literal(value, _) = expression else { return 0 };
    let bytes = match value {
        ScalarValue::Utf8(Some(text))
        | ScalarValue::LargeUtf8(Some(text))
        | ScalarValue::Utf8View(Some(text)) => text.len(),
        ScalarValue::Null | ScalarValue::Boolean(_) | ScalarValue::Int64(_) | ScalarValue::Float64(_) => 0,
        other => other.size(),
    };
    if bytes > LONG_BYTES { bytes } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(sql: &str) -> Option<String> {
        check_text(sql).err().map(|error| error.strip_backtrace())
    }

    #[test]
    fn long_lists_are_taken_and_deep_expressions_refused() {
        let list = format!("select url from pages where status in ({}200)", "404, ".repeat(50_000));
        assert_eq!(refusal(&list), None);
        let terms = format!("select 1{}", "+1".repeat(1_900));
        assert_eq!(refusal(&terms), None);
        for (deep, reason) in [
            (format!("select 1{}", "+1".repeat(100_000)), "an expression"),
            (format!("select x{}", " is null".repeat(3_000)), "an expression"),
            (format!("select {}x", "f(a + ".repeat(2_000)), "an expression"),
            (format!("select 1, 2{}", " union all select 1, 2".repeat(501)), "500 tables"),
            (format!("select {}1", "1, ".repeat(100_000)), "200,000"),
            (format!("select '{}'", "x".repeat(MAX_TEXT_BYTES)), "1 MiB"),
        ] {
            let told = refusal(&deep).unwrap_or_default();
            assert!(told.contains(reason), "{told}, not {reason}");
        }
    }
}
