//! Lines of the answer, read off rows.

use datafusion::arrow::array::{Array, AsArray, RecordBatch, StructArray};
use datafusion::arrow::datatypes::Int64Type;
use tamis_words::language::{self, Answer, Language};

/// A page: what was found, and what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The page's address; empty if the archive has none.
    pub url: String,
    /// The length of its text.
    pub bytes: u64,
    /// What was found.
    pub answer: Answer,
    /// What was expected; nothing if nothing is known.
    pub expected: Vec<Language>,
}

/// The lines of some rows. What is no page has none.
pub fn lines(rows: &RecordBatch) -> Vec<Line> {
    let urls = rows.column(0).as_string::<i32>();
    let (languages, counts) = (rows.column(1).as_list::<i32>(), rows.column(2).as_struct());
    let expected = rows.column(3).as_string::<i32>();
    let is_page = |row: &usize| languages.is_valid(*row);
    let line = |row: usize| Line {
        url: if urls.is_valid(row) { urls.value(row).to_owned() } else { String::new() },
        bytes: counts.column(3).as_primitive::<Int64Type>().value(row) as u64,
        answer: Answer { languages: codes(languages.value(row).as_struct()), ..counted(counts, row) },
        expected: if expected.is_valid(row) { expected_of(expected.value(row)) } else { Vec::new() },
    };
    (0..rows.num_rows()).filter(is_page).map(line).collect()
}

/// What an archive states may be anything: what is no list of codes says nothing.
fn expected_of(codes: &str) -> Vec<Language> {
    language::languages(&codes.replace(';', ",")).unwrap_or_default()
}

fn codes(languages: &StructArray) -> Vec<Language> {
    languages
        .column(0)
        .as_string::<i32>()
        .iter()
        .flatten()
        .filter_map(|code| Language::of_code(code.as_bytes().try_into().ok()?))
        .collect()
}

fn counted(counts: &StructArray, row: usize) -> Answer {
    let list = counts.column(0).as_list::<i32>().value(row);
    let numbers = list.as_struct().column(1).as_primitive::<Int64Type>().clone();
    let counted = codes(list.as_struct()).into_iter().zip(numbers.values().iter().map(|&count| count as u32));
    Answer {
        languages: Vec::new(),
        counts: counted.collect(),
        total: counts.column(1).as_primitive::<Int64Type>().value(row) as u32,
        words_split: counts.column(2).as_boolean().value(row),
    }
}
