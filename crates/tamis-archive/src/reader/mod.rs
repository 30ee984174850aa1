//! The lending reader: one record after another out of any archive, sound or not.

mod block;
mod find;
mod pause;

use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::arc::ArcLine;
use crate::codec::Codec;
use crate::fault_log::FaultLog;
use crate::input::{Input, SHRINK};
use crate::members::{Found, Members};
use crate::{Body, Error, Fault, FaultKind, Faults, Head, MemberState, Record, RecordEnd, Result};
use pause::Pause;

/// How far ahead of a record its end is looked for, to tell a wrong length before the block is handed out.
const LOOK_AHEAD: usize = (1 << 20) / SHRINK;

/// What to do about faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Report each and go on.
    #[default]
    Lenient,
    /// Stop at the first that is more than a note.
    Strict,
}

/// Reads records one after another from a file or a stream, whatever its format and compression.
///
/// Memory: about 12 MiB, and for zstd the window of a frame (at most 128 MiB), whatever the size of records.
///
/// ```
/// use tamis_archive::{Mode, Reader};
///
/// let warc = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://example.org/\r\n\
///             WARC-Date: 2026-08-12T18:27:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n\
///             Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";
/// let mut reader = Reader::from_stream("hello.warc", warc.as_bytes(), Mode::Lenient);
/// while let Some(mut record) = reader.next()? {
///     let mut block = String::new();
///     std::io::Read::read_to_string(&mut record.body, &mut block).expect("text");
///     assert_eq!((record.head.target_uri().as_deref(), block.as_str()), (Some("http://example.org/"), "hello"));
/// }
/// assert!(reader.faults().is_empty());
/// # Ok::<(), tamis_archive::Error>(())
/// ```
pub struct Reader {
    head: Head,
    core: Core,
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and they go in every combination"
)]
/// All of the reader but the head, so that a head and a body can be lent side by side.
pub(crate) struct Core {
    path: PathBuf,
    mode: Mode,
    members: Members,
    place: Place,
    /// Whether the last head was of ARC, whose records are told apart in another way.
    is_arc: bool,
    record_offset: u64,
    /// Bytes of the block not yet consumed, and those consumed.
    left: u64,
    read: u64,
    /// How many records the member has given.
    in_member: u32,
    /// Line ends behind the last block; without any, what follows is the block going on.
    closed_by: usize,
    /// How many of them are line feeds.
    line_feeds: usize,
    /// Whether the last block goes on behind its length.
    is_torn: bool,
    /// The worst of the members that hold the record and are read to their end.
    members_before: MemberState,
    damage_before: u64,
    stored_end: Option<u64>,
    last_end: RecordEnd,
    records: u64,
    /// Records that begin here or behind are not ours.
    range_end: u64,
    /// How far to go before the next record is not looked for.
    pause: Pause,
    /// Whether the first record of the file is ours.
    is_first_range: bool,
    /// Whether a record begins here by someone else's word, so that an odd ARC head is taken for one.
    is_sent: bool,
    /// Damage of the store that no record shows, until it is reported.
    damage: Option<String>,
    /// Where the next record begins, for a range that is known to have none.
    due: Option<Standing>,
}

/// Where a reader stands between two records, with all that the reading of the next depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    pub(crate) offset: u64,
    /// Whether it is inside plain bytes, in which no compressed member is looked for.
    pub(crate) is_plain: bool,
    /// Whether the last record was of ARC.
    pub(crate) is_arc: bool,
    /// Where the last record begins, if what follows may be its block going on.
    pub(crate) open_record: Option<u64>,
}

impl Standing {
    /// At an offset of which nothing else is known.
    pub fn at(offset: u64) -> Self {
        Self { offset, ..Self::default() }
    }

    /// At a record in plain bytes.
    pub(crate) fn plain_at(offset: u64) -> Self {
        Self { is_plain: true, ..Self::at(offset) }
    }

    /// Where it is, in stored bytes.
    pub fn offset(self) -> u64 {
        self.offset
    }

    /// Whether a reader that found its start by itself goes on as the one that ended here would have: inside plain bytes
    /// that one takes no compressed member for one.
    pub fn is_met_by(self, start: Standing) -> bool {
        start.offset == self.offset && (start.is_plain || !self.is_plain)
    }

    /// The same, at an offset that is not smaller than `start`.
    #[must_use]
    pub fn not_before(self, start: u64) -> Standing {
        Standing { offset: self.offset.max(start), ..self }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Between,
    Block,
    End,
}

impl Reader {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>, mode: Mode) -> Result<Self> {
        let path = path.as_ref();
        let input = Input::open(path).map_err(Error::io(path))?;
        Ok(Self::new(path.into(), input, mode))
    }

    /// Opens the part of a file that holds an archive: an entry stored in a WACZ. Offsets count from its start.
    pub fn open_part(path: impl AsRef<Path>, part: Range<u64>, mode: Mode) -> Result<Self> {
        let path = path.as_ref();
        let input = Input::open_part(path, part.start, part.end - part.start).map_err(Error::io(path))?;
        Ok(Self::new(path.into(), input, mode))
    }

    /// Reads a stream under a name that error messages use.
    pub fn from_stream(name: impl Into<PathBuf>, stream: impl Read + Send + 'static, mode: Mode) -> Self {
        Self::new(name.into(), Input::stream(Box::new(stream)), mode)
    }

    /// Opens a file at the offset of a record, as an index states it.
    pub fn open_at(path: impl AsRef<Path>, offset: u64, mode: Mode) -> Result<Self> {
        let mut reader = Self::open(path, mode)?;
        reader.seek(offset)?;
        Ok(reader)
    }

    /// Goes to the offset of a record, as an index states it.
    pub fn seek(&mut self, offset: u64) -> Result<()> {
        self.go_to(offset)?;
        self.core.is_sent = true;
        self.core
            .members
            .begin_plain_if(|bytes| ArcLine::parse(bytes).is_some())
            .map_err(Error::io(&self.core.path))
    }

    fn go_to(&mut self, offset: u64) -> Result<()> {
        if offset > 0 {
            self.core.damage = None;
        }
        let moved = self.core.members.go_to(offset).map_err(Error::io(&self.core.path))?;
        self.core.place = Place::Between;
        self.core.in_member = 0;
        if moved {
            return Ok(());
        }
        let source = io::Error::new(io::ErrorKind::NotSeekable, "a stream has no random access");
        Err(Error::Io { path: self.core.path.clone(), source })
    }

    /// Narrows the reader to the records that begin in a range of the file, wherever in it the first one begins.
    ///
    /// Returns where that is; the offset is `u64::MAX` if there is none. A place that only looks like a record may be taken
    /// for one: compare it with where the reader of the range before stands at its end, as [`scan`](crate::scan) does, or
    /// use [`Source::open_range`](crate::Source::open_range), which is exact.
    pub fn enter_range(&mut self, range: Range<u64>) -> Result<Standing> {
        if !self.begin_range(&range)? {
            return Ok(self.here());
        }
        let is_found = self.core.members.synchronise(range.end).map_err(Error::io(&self.core.path))?;
        if is_found { Ok(self.here()) } else { Ok(self.end_range(self.core.members.input_offset())) }
    }

    /// Like [`Self::enter_range`]; none if the first record cannot be told from one inside another record.
    pub(crate) fn enter_range_surely(&mut self, range: Range<u64>) -> Result<Option<Standing>> {
        if !self.begin_range(&range)? {
            return Ok(Some(self.here()));
        }
        let found = self.core.members.synchronise_surely(range.end).map_err(Error::io(&self.core.path))?;
        Ok(match found {
            Found::Sure => Some(self.here()),
            Found::Unsure => None,
            Found::Nothing => Some(self.end_range(self.core.members.input_offset())),
        })
    }

    /// Narrows the reader to a range in which no record begins; the next one is known to begin at `due`.
    pub(crate) fn enter_range_without_record(&mut self, due: Standing) -> Standing {
        self.core.is_first_range = false;
        self.core.due = Some(due);
        self.end_range(due.offset)
    }

    /// Narrows the reader to what follows from a plain record that is known to begin at an offset.
    pub(crate) fn enter_plain_record(&mut self, offset: u64, end: u64) -> Result<Standing> {
        let start = Standing::plain_at(offset);
        self.enter_range_at(start, end)?;
        self.core.is_sent = true;
        Ok(start)
    }

    /// Goes to the start of a range. False if that is the start of the file.
    fn begin_range(&mut self, range: &Range<u64>) -> Result<bool> {
        self.core.range_end = range.end;
        if range.start > 0 {
            self.core.is_first_range = false;
            self.go_to(range.start)?;
        }
        Ok(range.start > 0)
    }

    /// The place before the first record of a range.
    fn here(&self) -> Standing {
        let is_plain = self.core.members.is_plain_ahead();
        Standing { offset: self.core.members.input_offset(), is_plain, ..Standing::default() }
    }

    /// Gives no record. To look on would be to read the file once for each range.
    fn end_range(&mut self, looked_up_to: u64) -> Standing {
        self.core.place = Place::End;
        self.core.stored_end = Some(looked_up_to);
        Standing { offset: u64::MAX, ..Standing::default() }
    }

    /// Narrows the reader to what follows where another one stood, up to an offset.
    pub fn enter_range_at(&mut self, start: Standing, end: u64) -> Result<Standing> {
        self.core.range_end = end;
        self.core.is_first_range = false;
        self.go_to(start.offset)?;
        if start.is_plain {
            self.core.members.begin_plain();
        }
        self.core.is_arc = start.is_arc;
        self.core.in_member = u32::from(start.open_record.is_some());
        self.core.closed_by = usize::from(start.open_record.is_none());
        self.core.record_offset = start.open_record.unwrap_or(start.offset);
        Ok(start)
    }

    /// Where the reader stands behind the last record of its range.
    pub fn standing(&self) -> Standing {
        if let Some(due) = self.core.due {
            return due;
        }
        let Core { members, is_arc, in_member, closed_by, record_offset, .. } = &self.core;
        let is_plain = members.plain_input().is_some();
        let open_record = (is_plain && *in_member > 0 && *closed_by == 0).then_some(*record_offset);
        Standing { offset: self.position(), is_plain, is_arc: *is_arc, open_record }
    }

    /// Whether all records of the input were given.
    pub fn is_at_end(&self) -> bool {
        self.core.place == Place::End
    }

    pub(crate) fn new(path: PathBuf, input: Input, mode: Mode) -> Self {
        let damage = input.damage().map(str::to_owned);
        let mut members = Members::new(input);
        if mode == Mode::Strict {
            members.faults = FaultLog::strict();
        }
        let core = Core {
            path,
            mode,
            members,
            place: Place::Between,
            is_arc: false,
            record_offset: 0,
            left: 0,
            read: 0,
            in_member: 0,
            closed_by: 0,
            line_feeds: 0,
            is_torn: false,
            damage_before: 0,
            stored_end: None,
            last_end: RecordEnd {
                stored_len: None,
                block_len: 0,
                is_damaged: false,
                is_closed: true,
                is_torn: false,
                member: MemberState::Sound,
            },
            members_before: MemberState::Sound,
            records: 0,
            range_end: u64::MAX,
            pause: Pause::NEVER,
            is_first_range: true,
            is_sent: false,
            damage,
            due: None,
        };
        Self { head: Head::default(), core }
    }

    /// The next record, after passing over what is left of the one before. None at the end.
    #[expect(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> Result<Option<Record<'_>>> {
        let found = self.advance().map_err(Error::io(&self.core.path))?;
        self.core.refuse_if_strict()?;
        Ok(found.then_some(Record { head: &self.head, body: Body { core: &mut self.core } }))
    }

    fn advance(&mut self) -> io::Result<bool> {
        self.core.report_damage();
        self.core.finish_record()?;
        while self.core.find_record()? {
            if self.core.read_head(&mut self.head)? {
                self.core.settle_block(&self.head)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The faults met since they were last taken, in order.
    pub fn faults(&self) -> &[Fault] {
        self.core.members.faults()
    }

    /// Takes the faults out of the reader. At most 10,000 of a code are kept between two calls; all are counted.
    pub fn take_faults(&mut self) -> Faults {
        self.core.members.faults.take()
    }

    /// How many faults were met in all. A strict reader knows none behind the first that it refuses.
    pub fn fault_count(&self) -> u64 {
        self.core.members.faults.count()
    }

    /// How many records were given.
    pub fn records(&self) -> u64 {
        self.core.records
    }

    /// The name of what is read.
    pub fn path(&self) -> &Path {
        &self.core.path
    }

    /// How far the file is read, in stored bytes. For progress, and behind the last record the place of the next.
    pub fn position(&self) -> u64 {
        match self.core.place {
            Place::End => self.core.members.offset().max(self.core.stored_end.unwrap_or(0)),
            _ => self.core.members.input_offset(),
        }
    }

    /// The codec of the member that holds the current record.
    pub fn codec(&self) -> Codec {
        self.core.members.codec()
    }
}

impl Core {
    pub(crate) fn record_offset(&self) -> u64 {
        self.record_offset
    }

    pub(crate) fn codec(&self) -> Codec {
        self.members.codec()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn block_left(&self) -> u64 {
        self.left
    }

    /// Reports damage of the store, if this reader reads the archive from its start.
    fn report_damage(&mut self) {
        if let Some(what) = self.damage.take() {
            self.members.report(0, FaultKind::HeldDamaged { len: 0, what });
        }
    }

    fn refuse_if_strict(&self) -> Result<()> {
        match self.members.faults.first_serious() {
            Some(fault) if self.mode == Mode::Strict => {
                Err(Error::Strict { path: self.path.clone(), fault: fault.clone() })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tamis_testkit::{Record, member};

    use super::*;

    fn file_with(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(bytes).expect("it takes bytes");
        file
    }

    #[test]
    fn heads_without_an_end_and_bytes_full_of_magics_hide_no_record() {
        let page = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\nx\r\n\r\n";
        for (junk, count) in [
            (&b"WARC/1.0\nA: b\n"[..], 150_000),
            (&[0x1f, 0x8b, 8, 8][..], 100_000),
            (&[0x28, 0xb5, 0x2f, 0xfd][..], 100_000),
        ] {
            let file = file_with(&[&junk.repeat(count)[..], page].concat());
            let mut reader = Reader::open(file.path(), Mode::Lenient).unwrap();
            let mut found = 0;
            while let Some(record) = reader.next().unwrap() {
                found += u32::from(record.head.record_type() == crate::RecordType::Resource);
            }
            assert_eq!(found, 1, "{junk:?}");
            assert!(reader.fault_count() > 0);
        }
    }

    #[test]
    fn an_odd_arc_head_is_found_by_its_offset() {
        let odd = b"http://a.org/ nowhere never text/html 3\nabc\n";
        for stored in [odd.to_vec(), member::gzip(odd)] {
            let file = file_with(&[b"junk\n", &stored[..]].concat());
            let mut reader = Reader::open_at(file.path(), 5, Mode::Lenient).expect("it opens");
            let record = reader.next().expect("it reads").expect("there is one");
            assert_eq!((record.offset(), record.head.content_length()), (5, Some(3)));
        }
    }

    #[test]
    fn a_dictionary_that_zstd_refuses_is_a_fault_and_no_error() {
        // The magic of a dictionary, and none of its tables.
        let frame = member::dictionary_frame(b"\x37\xa4\x30\xec none", member::Dictionary::Raw);
        let record = Record::resource("http://a.org/", "text/plain", "page");
        let file = file_with(&[frame, member::zstd(&record.bytes())].concat());
        let mut reader = Reader::open(file.path(), Mode::Lenient).expect("it opens");
        assert!(reader.next().expect("it goes on").is_some(), "a frame that needs no dictionary is read");
        assert_eq!(reader.faults().len(), 1);
        assert_eq!(reader.faults()[0].kind.code(), "member-corrupt");
    }

    /// Gives so many bytes at a time.
    struct Steps(io::Cursor<Vec<u8>>, usize);

    impl Read for Steps {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let n = room.len().min(self.1);
            self.0.read(&mut room[..n])
        }
    }

    type Found = (Vec<(u64, u64)>, Vec<Fault>);

    fn offsets_and_lengths(mut reader: Reader) -> Found {
        let mut found = Vec::new();
        while let Some(record) = reader.next().expect("it reads") {
            let offset = record.offset();
            found.push((offset, record.finish().expect("it reads").block_len));
        }
        (found, reader.take_faults().list)
    }

    #[test]
    fn a_stream_gives_the_same_in_whatever_pieces_it_comes() {
        let page = |block: Vec<u8>| Record::resource("http://a.org/", "text/plain", block);
        let long = |less: usize| page(vec![b'x'; LOOK_AHEAD - less]);
        let last = page(b"last".to_vec()).bytes();
        for (what, first) in [
            ("a length too large, around what is seen", long(0).length_off_by(100).bytes()),
            ("a length too large, just within", long(200).length_off_by(100).bytes()),
            ("a length too small, around what is seen", long(0).length_off_by(-100).bytes()),
            (
                "many line ends, then garbage",
                [page(Vec::new()).bytes(), b"\r\n\r\n\r\njunk\r\n".to_vec()].concat(),
            ),
            ("four line feeds", page(b"x".to_vec()).ended_by(b"\n\n\n\n").bytes()),
            ("what looks like a head up to the window's end", b"junk\nWARC/1.0\r\n\r\n".repeat(40_000)),
        ] {
            let archive = [&last[..], &first, &last].concat();
            let read = |step| {
                let stream = Steps(io::Cursor::new(archive.clone()), step);
                offsets_and_lengths(Reader::from_stream("-", stream, Mode::Lenient))
            };
            let whole = read(usize::MAX);
            for step in [1000, 4096, 100_000] {
                assert_eq!(read(step), whole, "{what}, {step} bytes at a time");
            }
        }
    }

    #[test]
    fn a_record_behind_a_block_does_not_cut_it() {
        let block = vec![b'x'; LOOK_AHEAD + 50_000];
        let long = Record::resource("http://a.org/", "text/plain", block).length_off_by(-10_000).bytes();
        let next = Record::resource("http://b.org/", "text/plain", "page").bytes();
        let file = file_with(&[&long[..], &next].concat());
        let (records, faults) =
            offsets_and_lengths(Reader::open(file.path(), Mode::Lenient).expect("it opens"));
        assert_eq!(records, [(0, LOOK_AHEAD as u64 + 40_000), (long.len() as u64, 4)]);
        assert_eq!(faults.iter().map(|fault| fault.kind.code()).collect::<Vec<_>>(), ["block-overlong"]);
    }
}
