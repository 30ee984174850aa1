//! Which plans have an order of their own, and one for those that have none.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{FetchType, LogicalPlan, LogicalPlanBuilder, SkipType, SortExpr};
use datafusion::prelude::Expr;

use super::tables::CAPTURES;

/// How many rows to pass over, and how many to take then.
pub(super) type Window = (usize, Option<usize>);

/// Whether a plan only picks and filters rows of one table.
pub(super) fn is_plain(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Projection(_) | LogicalPlan::Filter(_) | LogicalPlan::SubqueryAlias(_) => {
            // What chance decides is decided above the scan, where a limit of the scan would come too early.
            let is_odd = plan.expressions().iter().any(|part| has_subquery(part) || part.is_volatile());
            !is_odd && plan.inputs().into_iter().all(is_plain)
        }
        LogicalPlan::TableScan(scan) => ["pages", CAPTURES].contains(&scan.table_name.table()),
        _ => false,
    }
}

fn has_subquery(expression: &Expr) -> bool {
    use datafusion::common::tree_node::TreeNode;
    let is_subquery =
        |part: &Expr| Ok(matches!(part, Expr::ScalarSubquery(_) | Expr::InSubquery(_) | Expr::Exists(_)));
    expression.exists(is_subquery).unwrap_or(true)
}

/// A plan without the limit at its top, and that limit.
pub(super) fn split_window(plan: LogicalPlan) -> (LogicalPlan, Window) {
    if let LogicalPlan::Limit(limit) = &plan
        && let (Ok(SkipType::Literal(skip)), Ok(FetchType::Literal(fetch))) =
            (limit.get_skip_type(), limit.get_fetch_type())
        && is_plain(&limit.input)
    {
        return ((*limit.input).clone(), (skip, fetch));
    }
    (plan, (0, None))
}

/// The plan with its limit again.
pub(super) fn rejoin_window(plan: LogicalPlan, (skip, fetch): Window) -> Result<LogicalPlan> {
    if (skip, fetch) == (0, None) {
        return Ok(plan);
    }
    LogicalPlanBuilder::from(plan).limit(skip, fetch)?.build()
}

/// The plan with an order by all its columns, if it has none; what has one, but leaves rows in any order that are alike to it, with
/// one for those, too.
pub(super) fn in_order(plan: LogicalPlan) -> Result<LogicalPlan> {
    match plan {
        LogicalPlan::Sort(mut sort) => {
            let is_small = |name: &str| !LONG.contains(&name);
            let rest = keys(&sort.input, is_small).into_iter();
            let rest: Vec<SortExpr> =
                rest.filter(|key| !sort.expr.iter().any(|had| had.expr == key.expr)).collect();
            sort.expr.extend(rest);
            Ok(LogicalPlan::Sort(sort))
        }
        plan if has_order(&plan) || matches!(plan, LogicalPlan::Limit(_)) => {
            // A limit takes the first of what is in order.
            let has_inner = matches!(
                plan,
                LogicalPlan::Limit(_) | LogicalPlan::Projection(_) | LogicalPlan::SubqueryAlias(_)
            );
            if !has_inner {
                return Ok(plan);
            }
            let inputs =
                plan.inputs().into_iter().map(|input| in_order(input.clone())).collect::<Result<_>>()?;
            plan.with_new_exprs(plan.expressions(), inputs)
        }
        plan => {
            let keys = keys(&plan, |_| true);
            if keys.is_empty() { Ok(plan) } else { LogicalPlanBuilder::from(plan).sort(keys)?.build() }
        }
    }
}

/// Columns with whole texts. They are not worth comparing where others tell rows apart: a sort would hold them twice.
pub(super) const LONG: [&str; 5] = ["html", "text", "full_text", "comments", "links"];

/// All columns that can be sorted by, ascending.
fn keys(plan: &LogicalPlan, is_wanted: impl Fn(&str) -> bool) -> Vec<SortExpr> {
    let fields = plan.schema().iter();
    let wanted = fields.filter(|(_, field)| is_sortable(field.data_type()) && is_wanted(field.name()));
    wanted.map(|(table, field)| Expr::Column((table, field).into()).sort(true, true)).collect()
}

fn has_order(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Sort(_)
        | LogicalPlan::Explain(_)
        | LogicalPlan::Analyze(_)
        | LogicalPlan::DescribeTable(_)
        | LogicalPlan::Values(_)
        | LogicalPlan::EmptyRelation(_) => true,
        LogicalPlan::Limit(_) | LogicalPlan::Projection(_) | LogicalPlan::SubqueryAlias(_) => {
            plan.inputs().into_iter().all(has_order)
        }
        _ => false,
    }
}

fn is_sortable(data_type: &DataType) -> bool {
    !matches!(data_type, DataType::Struct(_) | DataType::List(_) | DataType::Map(..) | DataType::Null)
}
