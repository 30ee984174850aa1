//! Look-up in sorted indexes: plain, compressed, ZipNum, and several as one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry::CdxEntry;
use super::files::{Files, Folder};
use super::query::{Matcher, Query};
use super::reader::{BadLine, BadLines};
use super::source::{Lines, Source};
use crate::{Error, Result, Timestamp};

/// One or several sorted index files that are asked as one.
///
/// A plain CDX or CDXJ file and the small index of a ZipNum are searched by halving; of a ZipNum only the blocks that can hold
/// an answer are inflated; a CDX or CDXJ file in gzip is read from its start. Files must be sorted by bytes.
///
/// Memory: for each file a buffer and a line; nothing of the files is kept between queries.
pub struct Index {
    sources: Vec<Source>,
}

impl Index {
    /// Opens index files. What each is, its first lines say; a file without an entry among the first 100 is refused.
    pub fn open<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self> {
        let mut index = Self { sources: Vec::new() };
        for path in paths {
            let path = path.as_ref();
            let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let source = Source::open(Arc::new(Folder(folder)), name, path)?;
            index.sources.push(source);
        }
        Ok(index)
    }

    /// Opens one index file by its name among `files`: a folder, or a package.
    pub fn open_in(files: Arc<dyn Files>, name: &str) -> Result<Self> {
        Ok(Self { sources: vec![Source::open(files, name.to_owned(), Path::new(name))?] })
    }

    /// One index of the files of both.
    #[must_use]
    pub fn join(mut self, other: Self) -> Self {
        self.sources.extend(other.sources);
        self
    }

    /// The entries that answer a query, in the order of their lines; those of several files are merged.
    ///
    /// Memory: with [`Query::closest`] or [`Query::reverse`], [`Query::limit`] entries, or all answers where no limit is set.
    pub fn query(&self, query: &Query) -> Result<Matches> {
        let (start, end) = query.key_range();
        let mut lines = MergedLines { end, ..MergedLines::default() };
        for (at, source) in self.sources.iter().enumerate() {
            lines.sources.push(SourceLines {
                lines: source.lines_from(&start)?,
                source: source.clone(),
                last: Vec::new(),
            });
            lines.advance(at, Vec::new())?;
        }
        let mut matches = Matches {
            lines,
            query: query.clone(),
            matcher: query.matcher(),
            ordered: None,
            given: 0,
            bad: BadLines::default(),
            line_number: 0,
        };
        if query.closest.is_some() || query.reverse {
            let ordered = matches.collect_ordered()?;
            matches.ordered = Some(ordered.into_iter());
        }
        Ok(matches)
    }
}

/// The entries that answer a query.
pub struct Matches {
    lines: MergedLines,
    query: Query,
    matcher: Matcher,
    ordered: Option<std::vec::IntoIter<CdxEntry>>,
    given: usize,
    bad: BadLines,
    line_number: u64,
}

impl Matches {
    /// The first 1000 lines in the range that are no entries or out of order, numbered from the first line of the range, each
    /// with the file it is in.
    pub fn bad_lines(&self) -> &[BadLine] {
        &self.bad.kept
    }

    /// How many lines in the range are no entries or out of order.
    pub fn bad_line_count(&self) -> u64 {
        self.bad.count
    }

    /// The next entry in the range of URLs and time, whatever the order and limit.
    fn next_in_range(&mut self) -> Result<Option<CdxEntry>> {
        loop {
            let next = self.lines.next_line()?;
            let Some((line, source)) = next else { break };
            self.line_number += 1;
            match source.parser.parse(line) {
                Ok(Some(entry)) if self.matcher.takes(&entry) => return Ok(Some(entry)),
                Ok(_) => {}
                Err(why) => self.bad.push(self.line_number, format!("{}: {why}", source.path.display())),
            }
            self.note_disorder();
        }
        self.note_disorder();
        Ok(None)
    }

    /// Counts lines that were found out of order.
    fn note_disorder(&mut self) {
        for path in self.lines.out_of_order.drain(..) {
            self.bad.push(self.line_number, format!("{}: the line is out of order", path.display()));
        }
    }

    fn collect_ordered(&mut self) -> Result<Vec<CdxEntry>> {
        let limit = self.query.limit.unwrap_or(usize::MAX);
        match self.query.closest {
            Some(moment) => self.collect_closest(moment, limit),
            None => self.collect_last(limit),
        }
    }

    fn collect_closest(&mut self, moment: Timestamp, limit: usize) -> Result<Vec<CdxEntry>> {
        let mut kept: BTreeMap<(u64, u64), CdxEntry> = BTreeMap::new();
        let mut number = 0;
        while let Some(entry) = self.next_in_range()? {
            kept.insert((distance(&entry, moment), number), entry);
            number += 1;
            if kept.len() > limit {
                kept.pop_last();
            }
        }
        Ok(kept.into_values().collect())
    }

    fn collect_last(&mut self, limit: usize) -> Result<Vec<CdxEntry>> {
        let mut kept = VecDeque::new();
        while let Some(entry) = self.next_in_range()? {
            kept.push_front(entry);
            kept.truncate(limit);
        }
        Ok(kept.into())
    }
}

impl Iterator for Matches {
    type Item = Result<CdxEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(ordered) = &mut self.ordered {
            return ordered.next().map(Ok);
        }
        if self.query.limit.is_some_and(|limit| self.given >= limit) {
            return None;
        }
        self.given += 1;
        self.next_in_range().transpose()
    }
}

/// Seconds between an entry and a moment. An entry whose moment cannot be read is the farthest.
fn distance(entry: &CdxEntry, moment: Timestamp) -> u64 {
    let captured = Timestamp::parse(entry.timestamp.as_bytes());
    captured.map_or(u64::MAX, |captured| captured.unix_seconds().abs_diff(moment.unix_seconds()))
}

/// The lines of several sources in order. Equal lines come in the order of the sources.
#[derive(Default)]
struct MergedLines {
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    sources: Vec<SourceLines>,
    /// The line that was given last, and its source, which is not advanced before the next is asked for.
    current: Option<(Vec<u8>, usize)>,
    end: Vec<u8>,
    /// The files of lines that came after a greater one, until they are counted.
    out_of_order: Vec<PathBuf>,
}

struct SourceLines {
    lines: Lines,
    source: Source,
    /// The line that was read last.
    last: Vec<u8>,
}

impl MergedLines {
    /// The next line and its source.
    fn next_line(&mut self) -> Result<Option<(&[u8], &mut Source)>> {
        if let Some((line, at)) = self.current.take() {
            self.advance(at, line)?;
        }
        self.current = self.heads.pop().map(|Reverse(head)| head);
        Ok(self.current.as_ref().map(|(line, at)| (line.as_slice(), &mut self.sources[*at].source)))
    }

    /// Takes the next line of a source, if it has one before the end of the range.
    fn advance(&mut self, at: usize, mut line: Vec<u8>) -> Result<()> {
        let SourceLines { lines, source, last } = &mut self.sources[at];
        let mut is_past_end = false;
        while lines.next_line(&mut line).map_err(Error::io(&*source.path))? {
            let is_blank = line.trim_ascii().is_empty();
            if line < *last && !is_blank {
                self.out_of_order.push(source.path.clone());
            }
            if line < self.end {
                last.clone_from(&line);
                self.heads.push(Reverse((line, at)));
                break;
            }
            // A damaged line may be greater than the range, and the next line in it again.
            if is_past_end {
                break;
            }
            is_past_end = true;
            last.clone_from(&line);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cdx::{IdxStyle, Legend, LineParser, MatchType, ReadSeek, ZipNumWriter};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;
    use std::io::{self, Cursor, Write};

    /// Files in memory, as a package would offer them.
    struct Memory(BTreeMap<String, Vec<u8>>);

    impl Files for Memory {
        fn open(&self, name: &str) -> io::Result<Box<dyn ReadSeek>> {
            let bytes = self.0.get(name).ok_or(io::ErrorKind::NotFound)?;
            Ok(Box::new(Cursor::new(bytes.clone())))
        }
    }

    fn entry(host: &str, path: &str, timestamp: &str, offset: u64) -> CdxEntry {
        let url = format!("http://{host}/{path}");
        CdxEntry {
            urlkey: crate::surt(&url),
            timestamp: timestamp.into(),
            url,
            offset,
            filename: "f".into(),
            ..CdxEntry::default()
        }
    }

    /// The lines in each kind of file that an index can be.
    fn every_kind(lines: &[String], legend: Option<&Legend>) -> Vec<Index> {
        let mut text: Vec<u8> = legend.map(|legend| legend.header() + "\n").unwrap_or_default().into_bytes();
        text.extend(lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()));
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(&text).unwrap();
        let mut files =
            BTreeMap::from([("plain".to_owned(), text), ("gzip".to_owned(), gzip.finish().unwrap())]);
        for (name, style) in [("tabs", IdxStyle::Tabs), ("json", IdxStyle::Json)] {
            let mut writer =
                ZipNumWriter::new(Vec::new(), Vec::new(), format!("{name}.gz"), style).lines_per_block(3);
            for line in lines {
                writer.push(line.as_bytes()).unwrap();
            }
            let (data, idx) = writer.finish().unwrap();
            files.extend([(format!("{name}.gz"), data), (format!("{name}.idx"), idx)]);
        }
        let files = Arc::new(Memory(files));
        let names = if legend.is_some() {
            &["plain", "gzip"][..]
        } else {
            &["plain", "gzip", "tabs.idx", "json.idx"]
        };
        names.iter().map(|name| Index::open_in(files.clone(), name).unwrap()).collect()
    }

    /// The answers by a plain reading of what a query means.
    fn naive(entries: &[CdxEntry], query: &Query) -> Vec<CdxEntry> {
        let key = crate::surt(&query.url);
        let host = key.split(")/").next().unwrap();
        let is_match = |entry: &&CdxEntry| match query.match_type {
            MatchType::Exact => entry.urlkey == key,
            MatchType::Prefix => entry.urlkey.starts_with(&key),
            MatchType::Host => entry.urlkey.split(")/").next() == Some(host),
            MatchType::Domain => {
                let found = entry.urlkey.split(")/").next().unwrap();
                found == host || found.starts_with(&format!("{host},"))
            }
        };
        let in_time = |entry: &&CdxEntry| {
            let moment = |m: Timestamp| m.digits();
            query.from.is_none_or(|from| entry.timestamp >= moment(from))
                && query.to.is_none_or(|to| entry.timestamp <= moment(to))
        };
        let mut found: Vec<_> = entries.iter().filter(is_match).filter(in_time).cloned().collect();
        if let Some(closest) = query.closest {
            found.sort_by_key(|entry| distance(entry, closest));
        } else if query.reverse {
            found.reverse();
        }
        found.truncate(query.limit.unwrap_or(usize::MAX));
        found
    }

    fn any_moment() -> impl Strategy<Value = String> {
        "20(0[0-9]|1[0-9])0[1-9](0[1-9]|1[0-9])(0[0-9]|1[0-9])0000"
    }

    prop_compose! {
        fn any_query()(
            host in "(a|b|a\\.b|b\\.a)\\.(org|com)", path in "[ab]{0,2}", kind in 0usize..4, reverse: bool,
            moments in prop::array::uniform3(prop::option::weighted(0.3, any_moment())), limit in prop::option::of(0usize..6),
        ) -> Query {
            let match_type = [MatchType::Exact, MatchType::Prefix, MatchType::Host, MatchType::Domain][kind];
            let [from, to, closest] = moments.map(|moment| moment.and_then(|moment| moment.parse().ok()));
            Query { url: format!("http://{host}/{path}"), match_type, from, to, limit, closest, reverse, start: None }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]
        #[test]
        fn every_kind_of_file_answers_as_a_linear_scan(
            captures in prop::collection::vec(("(a|b|a\\.b|b\\.a)\\.(org|com)", "[ab]{0,2}", any_moment()), 0..40),
            query in any_query(), as_cdx: bool,
        ) {
            let entries = captures.iter().zip(0..).map(|((host, path, moment), n)| entry(host, path, moment, n));
            let write = if as_cdx { CdxEntry::to_cdx11 } else { CdxEntry::to_cdxj };
            let mut lines: Vec<String> = entries.map(|entry| write(&entry)).collect();
            lines.sort();
            let parse = |line: &String| LineParser::default().parse(line.as_bytes()).unwrap().unwrap();
            let entries: Vec<CdxEntry> = lines.iter().map(parse).collect();
            let expected = naive(&entries, &query);
            let legend = Legend::cdx11();
            for index in every_kind(&lines, as_cdx.then_some(&legend)) {
                let found: Vec<_> = index.query(&query).unwrap().map(Result::unwrap).collect();
                prop_assert_eq!(&found, &expected);
            }
            let (odd, even): (Vec<_>, Vec<_>) = lines.iter().cloned().enumerate().partition(|(at, _)| at % 2 == 1);
            let half = |lines: Vec<(usize, String)>| lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>();
            let [left, right] = [even, odd].map(|lines| every_kind(&half(lines), None).pop().unwrap());
            let found: Vec<_> = left.join(right).query(&query).unwrap().map(Result::unwrap).collect();
            prop_assert_eq!(&found, &expected);
        }
    }

    #[test]
    fn a_missing_or_damaged_shard_is_an_error_with_its_name() {
        let idx = b"a)/ 2014\tone.gz\t0\t10\t1\n".to_vec();
        let files = Memory(BTreeMap::from([("i.idx".to_owned(), idx.clone())]));
        let index = Index::open_in(Arc::new(files), "i.idx").unwrap();
        let error = index.query(&Query::exact("http://a/")).err().expect("no shard").to_string();
        assert!(error.contains("i.idx") && error.contains("one.gz"), "{error}");
        let files = Memory(BTreeMap::from([
            ("i.idx".to_owned(), idx),
            ("one.gz".to_owned(), b"no gzip data".to_vec()),
        ]));
        let index = Index::open_in(Arc::new(files), "i.idx").unwrap();
        assert!(index.query(&Query::exact("http://a/")).is_err());
    }

    #[test]
    fn a_file_that_is_no_index_is_refused() {
        let entry = b"a)/ 2014 http://a/ - - - - - - 1 f\n";
        for (bytes, is_index) in [
            (&b""[..], true),
            (b"!meta {}\n\n", true),
            (entry, true),
            (&[b"one bad line\n", &entry[..]].concat(), true),
            (b"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n", false),
            (b"PK\x03\x04\x00\x00", false),
            (&[&b"bad\n".repeat(100)[..], entry].concat(), false),
        ] {
            let files = Memory(BTreeMap::from([("a".to_owned(), bytes.to_vec())]));
            let opened = Index::open_in(Arc::new(files), "a");
            assert_eq!(opened.is_ok(), is_index, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn a_file_that_is_not_sorted_by_key_is_refused() {
        let files =
            Memory(BTreeMap::from([("a.cdx".to_owned(), b" CDX b N a\n2014 a)/ http://a/\n".to_vec())]));
        assert!(Index::open_in(Arc::new(files), "a.cdx").is_err());
    }
}
