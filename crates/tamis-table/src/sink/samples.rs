//! Rows of every type, for tests.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Decimal128Array, DictionaryArray, Float64Array, ListBuilder, NullArray,
    RecordBatch, StringArray, StringBuilder, StringViewArray, StructArray, TimestampMillisecondArray,
    UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Int32Type};

/// The place of the list of texts.
pub(super) const TEXTS: usize = 8;

/// The first of [`rows`] in JSON.
pub(super) const JSON: [&str; 11] = [
    r#""a \"b\"\tc\r\nd, e""#,
    "18446744073709551615",
    "1.5",
    "null",
    "true",
    r#""2019-05-06T08:00:00.250Z""#,
    "12.30",
    r#""view""#,
    r#"["x","y,z"]"#,
    r#"{"name":"n","count":3}"#,
    r#""dict""#,
];

/// A row with values of every type, and one of nulls.
pub(crate) fn rows() -> RecordBatch {
    let mut texts = ListBuilder::new(StringBuilder::new());
    texts.append_value([Some("x"), Some("y,z")]);
    texts.append_null();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(StringArray::from(vec![Some("a \"b\"\tc\r\nd, e"), None]))),
        ("count", Arc::new(UInt64Array::from(vec![Some(u64::MAX), None]))),
        ("float", Arc::new(Float64Array::from(vec![Some(1.5), None]))),
        ("infinite", Arc::new(Float64Array::from(vec![Some(f64::INFINITY), None]))),
        ("flag", Arc::new(BooleanArray::from(vec![Some(true), None]))),
        ("time", Arc::new(times())),
        (
            "decimal",
            Arc::new(
                Decimal128Array::from(vec![Some(1230), None]).with_precision_and_scale(9, 2).expect("fits"),
            ),
        ),
        ("view", Arc::new(StringViewArray::from(vec![Some("view"), None]))),
        ("texts", Arc::new(texts.finish())),
        ("struct", Arc::new(structs())),
        ("dictionary", Arc::new([Some("dict"), None].into_iter().collect::<DictionaryArray<Int32Type>>())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .expect("as long as each other")
}

fn times() -> TimestampMillisecondArray {
    TimestampMillisecondArray::from(vec![Some(1_557_129_600_250), None]).with_timezone("UTC")
}

fn structs() -> StructArray {
    let fields =
        vec![Field::new("name", DataType::Utf8, false), Field::new("count", DataType::UInt64, false)];
    let children: Vec<ArrayRef> =
        vec![Arc::new(StringArray::from(vec!["n", ""])), Arc::new(UInt64Array::from(vec![3, 0]))];
    StructArray::new(fields.into(), children, Some(vec![true, false].into()))
}

/// Rows of texts in one column for each.
pub(crate) fn of_texts(columns: &[(&str, Vec<Option<&str>>)]) -> RecordBatch {
    let columns = columns
        .iter()
        .map(|(name, values)| (*name, Arc::new(StringArray::from(values.clone())) as ArrayRef, true));
    RecordBatch::try_from_iter_with_nullable(columns).expect("as long as each other")
}

/// A column of nothing.
pub(crate) fn nothing(rows: usize) -> RecordBatch {
    let column: ArrayRef = Arc::new(NullArray::new(rows));
    RecordBatch::try_from_iter_with_nullable([("nothing", column, true)]).expect("one column")
}
