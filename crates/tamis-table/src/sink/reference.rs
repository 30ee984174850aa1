//! Rows as the reference wrote them: a page a line, all its columns in its order, with tabs between them.
//!
//! A column that is not among the rows is empty.

use std::io::Write;

use datafusion::arrow::datatypes::SchemaRef;

use super::SinkError;
use super::line::{Columns, Line, LineSink};
use super::tsv::write_line;
use crate::column::Column;

/// The columns, in the order of the reference's appendix A, with the names of its tables.
#[rustfmt::skip]
pub const REFERENCE_COLUMNS: [&str; 29] = [
    "Key",
    "metadata:doc-type", "metadata:collection-id", "metadata:collection-name",
    "webpage:url", "webpage:html", "webpage:language", "webpage:title", "webpage:author/publisher",
    "webpage:organization-name", "webpage:create-time", "webpage:domain-name", "webpage:domain-location",
    "webpage:sub-urls", "webpage:fetch-time", "webpage:mime-type", "webpage:status-code", "webpage:tweet-ids",
    "clean-webpage:clean-text", "clean-webpage:clean-text-profanity", "clean-webpage:keywords", "clean-webpage:tokens",
    "clean-webpage:stemmed", "clean-webpage:lemmatized", "clean-webpage:POS", "clean-webpage:sner-people",
    "clean-webpage:sner-organizations", "clean-webpage:sner-locations", "clean-webpage:real-world-events",
];

/// Writes rows as the seed system wrote them. Memory: one line.
pub type ReferenceSink<W> = LineSink<W, Reference>;

/// A line of the columns of the seed system.
pub struct Reference {
    /// For each of its columns the number of ours.
    places: [Option<usize>; REFERENCE_COLUMNS.len()],
}

impl<W: Write> ReferenceSink<W> {
    /// A sink for rows of a schema whose columns may have any of their names; other columns are left out.
    pub fn new(to: W, schema: &SchemaRef) -> Result<Self, SinkError> {
        let is_called = |name: &str, wanted: &str| {
            name.eq_ignore_ascii_case(wanted)
                || Column::named(name).is_some_and(|column| column.full_name.eq_ignore_ascii_case(wanted))
        };
        let place = |wanted: &str| schema.fields().iter().position(|field| is_called(field.name(), wanted));
        let mut head = Vec::new();
        write_line(REFERENCE_COLUMNS.into_iter().map(Some), "", &mut head);
        Self::beginning(to, Reference { places: REFERENCE_COLUMNS.map(place) }, &head)
    }
}

impl Line for Reference {
    fn append(&self, columns: &Columns<'_>, row: usize, to: &mut Vec<u8>) {
        write_line(self.places.iter().map(|place| columns.cells[(*place)?].joined(row)), "", to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::COLUMNS;
    use crate::sink::{Sink, samples};

    #[test]
    fn columns_stand_where_the_reference_has_them() {
        let rows = samples::of_texts(&[
            ("text", vec![Some("two\nlines")]),
            ("host", vec![Some("left out")]),
            ("url", vec![Some("http://a.example/")]),
            ("key", vec![Some("http://a.example/-2019-05-06T08:00:00Z")]),
            ("webpage:title", vec![Some("A")]),
        ]);
        let mut out = Vec::new();
        let mut sink = Box::new(ReferenceSink::new(&mut out, &rows.schema()).expect("memory takes all"));
        sink.write(&rows).expect("memory takes all");
        sink.finish().expect("memory takes all");
        let text = String::from_utf8(out).expect("UTF-8");
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!(lines[0], REFERENCE_COLUMNS);
        let filled: Vec<_> =
            (0..29).filter(|&at| !lines[1][at].is_empty()).map(|at| (at, lines[1][at])).collect();
        let key = "http://a.example/-2019-05-06T08:00:00Z";
        assert_eq!(filled, [(0, key), (4, "http://a.example/"), (7, "A"), (18, "two lines")]);
    }

    #[test]
    fn all_columns_that_share_their_names_with_the_reference_are_in_it() {
        let ours = COLUMNS.iter().filter(|column| {
            ["metadata:", "webpage:", "clean-webpage:"]
                .iter()
                .any(|family| column.full_name.starts_with(family))
        });
        let left_out: Vec<_> =
            ours.map(|column| column.full_name).filter(|name| !REFERENCE_COLUMNS.contains(name)).collect();
        assert_eq!(left_out, ["metadata:dummy-data"], "its appendix has none");
    }
}
