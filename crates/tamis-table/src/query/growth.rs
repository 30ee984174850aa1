//! Functions whose result can be far larger than their arguments, with a limit on what one call makes.
//!
//! The engine's memory pool knows of sorts, groups and joins, not of what functions make of a batch of rows. Each function here knows
//! a bound for its result before it is called, and a call beyond the limit is refused.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::compute::kernels::length::length;
use datafusion::arrow::datatypes::{
    DataType, FieldRef, Int64Type, IntervalMonthDayNanoType, IntervalUnit, TimeUnit,
};
use datafusion::common::config::ConfigOptions;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature,
};
use datafusion::prelude::SessionContext;

use crate::footer::contained;

/// No call makes more, whatever the memory: offsets of texts and lists are 32-bit numbers.
const MAX_BYTES: u64 = 1 << 30;
/// A limit that pages of a usual size never reach.
const MIN_BYTES: u64 = 64 << 20;
/// What one element of a list takes at least.
const ELEMENT_BYTES: u64 = 8;
const SECONDS_PER_DAY: f64 = 86_400.0;

/// How large the result of a function can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Growth {
    /// The first argument, as often as the second says: `repeat`, `array_repeat`.
    Repeat,
    /// So many characters as the second argument says: `lpad`, `rpad`.
    Pad,
    /// The third argument for each occurrence of the second in the first: `replace`.
    Replace,
    /// The third argument for each match in the first: `regexp_replace`, `array_replace_all`.
    ReplaceMatches,
    /// All arguments together: `concat`, `array_concat`.
    Sum,
    /// The second argument after each element of the first: `array_to_string`.
    Join,
    /// So many elements as the second argument says: `array_resize`.
    Resize,
    /// Start, stop and step: `range`, `generate_series`.
    Series,
}

const FUNCTIONS: &[(&str, Growth)] = &[
    ("array_append", Growth::Sum),
    ("array_concat", Growth::Sum),
    ("array_prepend", Growth::Sum),
    ("array_repeat", Growth::Repeat),
    ("array_replace_all", Growth::ReplaceMatches),
    ("array_resize", Growth::Resize),
    ("array_to_string", Growth::Join),
    ("concat", Growth::Sum),
    ("concat_ws", Growth::Sum),
    ("generate_series", Growth::Series),
    ("lpad", Growth::Pad),
    ("make_array", Growth::Sum),
    ("range", Growth::Series),
    ("regexp_replace", Growth::ReplaceMatches),
    ("repeat", Growth::Repeat),
    ("replace", Growth::Replace),
    ("rpad", Growth::Pad),
];

/// A call that would make too much.
#[derive(Debug, thiserror::Error)]
#[error("{function} would produce more than {} MB for a batch of rows", limit_bytes / 1_000_000)]
pub(super) struct TooLarge {
    function: String,
    limit_bytes: u64,
}

/// Puts a limit on all functions that need one.
pub(super) fn guard(context: &SessionContext, memory_bytes: usize, jobs: usize) -> Result<()> {
    let limit_bytes = (memory_bytes as u64 / jobs as u64).clamp(MIN_BYTES, MAX_BYTES);
    for &(name, growth) in FUNCTIONS {
        let inner = context.udf(name)?;
        context.register_udf(Guarded { inner, growth, limit_bytes }.into());
    }
    Ok(())
}

/// A function with a limit on its results.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Guarded {
    inner: Arc<ScalarUDF>,
    growth: Growth,
    limit_bytes: u64,
}

/// What is not passed on is what would put the bare function in the place of this one.
impl ScalarUDFImpl for Guarded {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }

    fn schema_name(&self, args: &[Expr]) -> Result<String> {
        self.inner.schema_name(args)
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.inner.inner().return_type(arg_types)
    }

    fn with_updated_config(&self, config: &ConfigOptions) -> Option<ScalarUDF> {
        let inner = Arc::new(self.inner.inner().with_updated_config(config)?);
        Some(Self { inner, ..*self }.into())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.inner.return_field_from_args(args)
    }

    fn is_strict(&self) -> bool {
        self.inner.inner().is_strict()
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let bound = self.growth.bound(&args.args, args.number_rows)?;
        if bound > self.limit_bytes {
            let function = self.name().to_owned();
            let error = TooLarge { function, limit_bytes: self.limit_bytes };
            return Err(DataFusionError::External(Box::new(error)));
        }
        // `lpad` of a negative length panics in the engine, for one.
        let made = contained(|| self.inner.invoke_with_args(args));
        made.unwrap_or_else(|_| {
            Err(DataFusionError::Execution(format!("{} cannot take these values", self.name())))
        })
    }

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(arg_types)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }
}

impl Growth {
    /// Bytes that a result has at most.
    fn bound(self, args: &[ColumnarValue], rows: usize) -> Result<u64> {
        // A function of constants is called once.
        let rows = if args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_))) { 1 } else { rows };
        match (self, args) {
            (Self::Repeat, [what, count]) => {
                let (what, count) = (bytes(what, rows)?, integers(count, rows)?);
                Ok(sum(what.zip(count).map(|(bytes, count)| bytes.max(1).saturating_mul(count))))
            }
            (Self::Pad, [text, count, ..]) => {
                let (text, count) = (bytes(text, rows)?, integers(count, rows)?);
                // A character of UTF-8 has at most four bytes.
                let longest = if args.len() > 2 { 4 } else { 1 };
                Ok(sum(text.zip(count).map(|(bytes, count)| bytes.max(count.saturating_mul(longest)))))
            }
            (Self::Replace, [text, from, to]) => replaced(text, from, to, rows),
            (Self::ReplaceMatches, [what, _, to, ..]) => {
                let (what, to) = (bytes(what, rows)?, bytes(to, rows)?);
                let bound = |(what, to): (u64, u64)| what.saturating_add(to.saturating_mul(what + 1));
                // A match for each byte is far from what expressions find in pages.
                Ok(sum(what.zip(to).map(bound)) / 16)
            }
            (Self::Join, [list, separator, ..]) => {
                let (sizes, counts) = (bytes(list, rows)?, counts(list, rows)?);
                let joined = |((size, count), separator): ((u64, u64), u64)| {
                    // Numbers become digits.
                    size.saturating_mul(3).saturating_add(count.saturating_mul(separator))
                };
                Ok(sum(sizes.zip(counts).zip(bytes(separator, rows)?).map(joined)))
            }
            (Self::Resize, [_, count, rest @ ..]) => {
                let filler: Box<dyn Iterator<Item = u64>> = match rest.first() {
                    Some(filler) => Box::new(bytes(filler, rows)?),
                    None => Box::new(std::iter::repeat_n(0, rows)),
                };
                let resized =
                    |(count, filler): (u64, u64)| count.saturating_mul(filler.saturating_add(ELEMENT_BYTES));
                Ok(sum(integers(count, rows)?.zip(filler).map(resized)))
            }
            (Self::Series, args) => series(args, rows),
            (_, args) => {
                let mut total = 0_u64;
                for arg in args {
                    total = total.saturating_add(sum(bytes(arg, rows)?));
                }
                Ok(total)
            }
        }
    }
}

fn sum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::saturating_add)
}

/// An argument as an array of as many rows as there are; one row of a constant.
fn array_of(value: &ColumnarValue) -> Result<ArrayRef> {
    match value {
        ColumnarValue::Array(array) => Ok(array.clone()),
        ColumnarValue::Scalar(value) => value.to_array(),
    }
}

/// The values of an argument for each row, by `of` its array.
fn per_row(
    value: &ColumnarValue,
    rows: usize,
    of: impl Fn(&ArrayRef) -> Result<Vec<u64>>,
) -> Result<impl Iterator<Item = u64>> {
    let mut values = of(&array_of(value)?)?;
    if matches!(value, ColumnarValue::Scalar(_)) {
        values = vec![values.first().copied().unwrap_or(0); rows];
    }
    Ok(values.into_iter())
}

/// The size of each value in bytes.
fn bytes(value: &ColumnarValue, rows: usize) -> Result<impl Iterator<Item = u64>> {
    per_row(value, rows, |array| match array.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Binary => lengths(array),
        DataType::List(_) | DataType::LargeList(_) => {
            let values: &ArrayRef = match array.as_list_opt::<i32>() {
                Some(list) => list.values(),
                None => array.as_list::<i64>().values(),
            };
            let element = (values.get_array_memory_size() / values.len().max(1)) as u64;
            Ok(lengths(array)?.into_iter().map(|count| count.saturating_mul(element + 1)).collect())
        }
        _ => Ok(vec![(array.get_array_memory_size() / array.len().max(1)) as u64; array.len()]),
    })
}

/// The number of elements of each list.
fn counts(value: &ColumnarValue, rows: usize) -> Result<impl Iterator<Item = u64>> {
    per_row(value, rows, |array| match array.data_type() {
        DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) => lengths(array),
        _ => Ok(vec![1; array.len()]),
    })
}

/// The length of each text in bytes, or of each list in elements; nothing for null.
fn lengths(array: &ArrayRef) -> Result<Vec<u64>> {
    unsigned(&length(array)?)
}

/// The whole numbers of an argument; those below zero as zero.
fn integers(value: &ColumnarValue, rows: usize) -> Result<impl Iterator<Item = u64>> {
    per_row(value, rows, unsigned)
}

fn unsigned(array: &ArrayRef) -> Result<Vec<u64>> {
    let numbers = signed(array)?;
    Ok(numbers.into_iter().map(|number| number.unwrap_or(0).max(0).unsigned_abs()).collect())
}

fn signed(array: &ArrayRef) -> Result<Vec<Option<i64>>> {
    let array = cast(array, &DataType::Int64)?;
    Ok(array.as_primitive::<Int64Type>().iter().collect())
}

/// A bound for `replace`, which counts what is found if the bound without that is too high to be of use.
fn replaced(text: &ColumnarValue, from: &ColumnarValue, to: &ColumnarValue, rows: usize) -> Result<u64> {
    let bound = |(text, from, to): (u64, u64, u64)| {
        text.saturating_add(to.saturating_mul(text.checked_div(from).unwrap_or(text) + 1))
    };
    let sizes = bytes(text, rows)?.zip(bytes(from, rows)?).zip(bytes(to, rows)?);
    let rough = sum(sizes.map(|((text, from), to)| bound((text, from, to))));
    if rough <= MIN_BYTES {
        return Ok(rough);
    }
    let texts = cast(&text.to_array(rows)?, &DataType::LargeUtf8)?;
    let (from, to) = (cast(&array_of(from)?, &DataType::LargeUtf8)?, bytes(to, rows)?);
    let (texts, from) = (texts.as_string::<i64>(), from.as_string::<i64>());
    let mut total = 0_u64;
    for (at, (text, to)) in texts.iter().zip(to).enumerate() {
        let from = from.iter().nth(if from.len() == 1 { 0 } else { at }).flatten().unwrap_or_default();
        let text = text.unwrap_or_default();
        let found = text.matches(from).count() as u64;
        total = total.saturating_add(text.len() as u64).saturating_add(found.saturating_mul(to));
    }
    Ok(total)
}

/// The bytes of `range` and `generate_series`.
fn series(args: &[ColumnarValue], rows: usize) -> Result<u64> {
    let arrays = args.iter().map(|arg| arg.to_array(rows)).collect::<Result<Vec<_>>>()?;
    let Some(first) = arrays.first() else { return Ok(0) };
    let is_number = first.data_type().is_integer();
    let numbers = |array: &ArrayRef| -> Result<Vec<f64>> {
        let seconds = DataType::Timestamp(TimeUnit::Second, None);
        let array = if is_number { array.clone() } else { cast(array, &seconds)? };
        Ok(signed(&array)?.into_iter().map(|number| number.unwrap_or(0) as f64).collect())
    };
    let (start, end) = match &arrays[..] {
        [end] => (vec![0.0; rows], numbers(end)?),
        [start, end, ..] => (numbers(start)?, numbers(end)?),
        [] => return Ok(0),
    };
    let step = match arrays.get(2) {
        Some(step) if is_number => numbers(step)?,
        Some(step) => seconds_of(step)?,
        None => vec![1.0; rows],
    };
    let count = |((start, end), step): ((f64, f64), f64)| {
        // A step of zero is refused by the function.
        if step == 0.0 { 0.0 } else { ((end - start) / step).max(0.0) + 1.0 }
    };
    let elements: f64 = start.into_iter().zip(end).zip(step).map(count).sum();
    Ok((elements * ELEMENT_BYTES as f64) as u64)
}

/// Intervals in seconds, with the shortest months.
fn seconds_of(array: &ArrayRef) -> Result<Vec<f64>> {
    let array = cast(array, &DataType::Interval(IntervalUnit::MonthDayNano))?;
    let intervals = array.as_primitive::<IntervalMonthDayNanoType>();
    let seconds = intervals.iter().map(|interval| {
        interval.map_or(0.0, |interval| {
            let days = f64::from(interval.months) * 28.0 + f64::from(interval.days);
            days * SECONDS_PER_DAY + interval.nanoseconds as f64 / 1e9
        })
    });
    Ok(seconds.collect())
}
