//! Functions of the field, for queries.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float64Array, Int64Array, ListBuilder, StringArray, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::ScalarValue;
use datafusion::common::cast::{as_binary_array, as_int64_array, as_string_array};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionImplementation, ScalarUDF, Volatility, create_udf,
};
use datafusion::prelude::SessionContext;
use tamis_near::simhash;
use tamis_near::sketch::MinHash;
use tamis_page::domain::Domain;
use unicode_segmentation::UnicodeSegmentation;
use url::Url;

/// A function that queries may use.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// Its name and arguments.
    pub call: &'static str,
    /// What it gives, in a line.
    pub about: &'static str,
}

/// The functions we add, beside those of DataFusion.
pub const FUNCTIONS: &[Function] = &[
    Function { call: "host(url)", about: "host of a URL, in lower case" },
    Function { call: "domain(url)", about: "registrable domain of a URL" },
    Function { call: "tld(url)", about: "public suffix of a URL" },
    Function { call: "path(url)", about: "path of a URL" },
    Function { call: "surt(url)", about: "SURT key of a URL, by which indexes are sorted" },
    Function { call: "country(url)", about: "country of a URL, by its top-level domain" },
    Function { call: "hamming(a, b)", about: "number of bits in which two fingerprints (simhash) differ" },
    Function { call: "resemblance(a, b)", about: "similarity of two sketches (minhash or sketch), 0 to 1" },
    Function { call: "tokens(text)", about: "words of a text, in lower case (Unicode UAX 29)" },
];

/// From a text to what it says, if anything.
type OfText = fn(&str) -> Option<String>;

/// Makes all functions known.
pub(crate) fn register(context: &SessionContext) {
    let of_url: [(&str, OfText); 6] = [
        ("host", |url| of_domain(url, |domain| Some(domain.host.to_owned()))),
        ("domain", |url| of_domain(url, |domain| Some(domain.name.to_owned()))),
        ("tld", |url| of_domain(url, |domain| Some(suffix(&domain).to_owned()))),
        ("path", |url| Url::parse(url).ok().map(|url| url.path().to_owned())),
        ("surt", |url| Some(tamis_archive::surt(url))),
        ("country", |url| of_domain(url, |domain| domain.country.map(|country| country.name.to_owned()))),
    ];
    for (name, make) in of_url {
        context.register_udf(of_text(name, make));
    }
    context.register_udf(tokens());
    context.register_udf(hamming());
    context.register_udf(resemblance());
}

fn of_domain(url: &str, part: impl Fn(Domain<'_>) -> Option<String>) -> Option<String> {
    Url::parse(url).ok().and_then(|url| part(Domain::of(&url)?))
}

/// What is behind the first label of a registrable domain.
fn suffix<'d>(domain: &Domain<'d>) -> &'d str {
    domain.name.split_once('.').map_or(domain.name, |(_, suffix)| suffix)
}

/// A function from text to text.
fn of_text(name: &str, make: OfText) -> ScalarUDF {
    let call = move |values: &StringArray| {
        let results: StringArray = values.iter().map(|value| value.and_then(make)).collect();
        Arc::new(results) as ArrayRef
    };
    create_udf(name, vec![DataType::Utf8], DataType::Utf8, Volatility::Immutable, on_arrays(call))
}

fn tokens() -> ScalarUDF {
    let call = |values: &StringArray| {
        let mut lists = ListBuilder::new(StringBuilder::new());
        for value in values {
            let words = value.into_iter().flat_map(UnicodeSegmentation::unicode_words);
            words.for_each(|word| lists.values().append_value(word.to_lowercase()));
            lists.append(value.is_some());
        }
        Arc::new(lists.finish()) as ArrayRef
    };
    let list = DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)));
    create_udf("tokens", vec![DataType::Utf8], list, Volatility::Immutable, on_arrays(call))
}

fn hamming() -> ScalarUDF {
    let call: ScalarFunctionImplementation = Arc::new(|arguments| {
        let arrays = ColumnarValue::values_to_arrays(arguments)?;
        let (one, other) = (as_int64_array(&arrays[0])?, as_int64_array(&arrays[1])?);
        let distance = |(one, other): (Option<i64>, Option<i64>)| {
            Some(i64::from(simhash::distance(one?.cast_unsigned(), other?.cast_unsigned())))
        };
        let made: Int64Array = one.iter().zip(other).map(distance).collect();
        Ok(ColumnarValue::Array(Arc::new(made)))
    });
    create_udf("hamming", vec![DataType::Int64; 2], DataType::Int64, Volatility::Immutable, call)
}

fn resemblance() -> ScalarUDF {
    let call: ScalarFunctionImplementation = Arc::new(|arguments| {
        let arrays = ColumnarValue::values_to_arrays(arguments)?;
        let (one, other) = (as_binary_array(&arrays[0])?, as_binary_array(&arrays[1])?);
        let sketch = |bytes: Option<&[u8]>| Some(MinHash::from_bytes(bytes?.try_into().ok()?));
        let made: Float64Array = one
            .iter()
            .zip(other)
            .map(|(one, other)| Some(sketch(one)?.similarity(&sketch(other)?)))
            .collect();
        Ok(ColumnarValue::Array(Arc::new(made)))
    });
    create_udf("resemblance", vec![DataType::Binary; 2], DataType::Float64, Volatility::Immutable, call)
}

/// A function of one column of text, which may also be one value.
fn on_arrays(
    call: impl Fn(&StringArray) -> ArrayRef + Send + Sync + 'static,
) -> ScalarFunctionImplementation {
    Arc::new(move |arguments| {
        let is_value = matches!(arguments, [ColumnarValue::Scalar(_)]);
        let arrays = ColumnarValue::values_to_arrays(arguments)?;
        let made = call(as_string_array(&arrays[0])?);
        if is_value {
            return ScalarValue::try_from_array(&made, 0).map(ColumnarValue::Scalar);
        }
        Ok(ColumnarValue::Array(made))
    })
}
