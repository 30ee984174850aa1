//! The lending reader: one record after another out of any archive, sound or not.

use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::arc::{self, ArcLine};
use crate::boundary::{find_record, line_ends, starts_loosely, starts_record};
use crate::codec::Codec;
use crate::input::Input;
use crate::members::Members;
use crate::{Body, Error, Fault, FaultKind, Head, MemberState, Record, RecordEnd, Result, Version};

/// A head longer than this is none.
const HEAD_LIMIT: usize = 1 << 20;

/// How far ahead of a record its end is looked for, to tell a wrong length before the block is handed out.
const LOOK_AHEAD: usize = 1 << 20;

/// As much of a head as is needed to know it for one.
const HEAD_ROOM: usize = 4 << 10;

/// As much of a block as can be asked for at once.
const PEEK_LIMIT: usize = 2 << 20;

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
pub struct Reader {
    head: Head,
    core: Core,
}

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
    /// The next record is not looked for while this much is read.
    pause_at: u64,
    /// Whether the first record of the file is ours.
    is_first_range: bool,
    /// Whether a record begins here by someone else's word, so that an odd ARC head is taken for one.
    is_sent: bool,
}

/// Where a reader stands between two records, with all that the reading of the next depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Standing {
    pub(crate) offset: u64,
    /// Whether it is inside plain bytes, in which no compressed member is looked for.
    pub(crate) is_plain: bool,
    /// Whether the last record was of ARC.
    pub(crate) is_arc: bool,
    /// Where the last record begins, if what follows may be its block going on.
    pub(crate) open_record: Option<u64>,
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
    /// Returns where that is. A place that only looks like a record may be taken for one; [`scan`](crate::scan) finds such
    /// mistakes by comparing it with the end of the range before.
    pub(crate) fn enter_range(&mut self, range: Range<u64>) -> Result<Standing> {
        self.core.range_end = range.end;
        if range.start > 0 {
            self.core.is_first_range = false;
            self.go_to(range.start)?;
            self.core.members.synchronise().map_err(Error::io(&self.core.path))?;
        }
        let is_plain = self.core.members.is_plain_ahead();
        Ok(Standing { offset: self.core.members.input_offset(), is_plain, ..Standing::default() })
    }

    /// Narrows the reader to what follows where another one stood, up to an offset.
    pub(crate) fn enter_range_at(&mut self, start: Standing, end: u64) -> Result<Standing> {
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
    pub(crate) fn standing(&self) -> Standing {
        let Core { members, is_arc, in_member, closed_by, record_offset, .. } = &self.core;
        let is_plain = members.plain_input().is_some();
        let open_record = (is_plain && *in_member > 0 && *closed_by == 0).then_some(*record_offset);
        Standing { offset: self.position(), is_plain, is_arc: *is_arc, open_record }
    }

    /// Whether all records of the input were given.
    pub fn is_at_end(&self) -> bool {
        self.core.place == Place::End
    }

    /// Makes the reader pause: [`Reader::next`] gives none once so many more stored bytes are read, until this is called
    /// again. False if the end was reached and there is nothing to go on with.
    pub(crate) fn read_on(&mut self, stored_bytes: u64) -> bool {
        if self.core.place == Place::End {
            return false;
        }
        self.core.pause_at = self.core.members.input_offset().saturating_add(stored_bytes);
        true
    }

    fn new(path: PathBuf, input: Input, mode: Mode) -> Self {
        let core = Core {
            path,
            mode,
            members: Members::new(input),
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
            pause_at: u64::MAX,
            is_first_range: true,
            is_sent: false,
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

    /// Takes the faults out of the reader. At most 10,000 are kept between two calls; [`Reader::fault_count`] knows all.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        self.core.members.faults.take()
    }

    /// How many faults were met in all.
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

    fn refuse_if_strict(&self) -> Result<()> {
        match self.members.faults.first_serious() {
            Some(fault) if self.mode == Mode::Strict => {
                Err(Error::Strict { path: self.path.clone(), fault: fault.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Goes to where the next record begins. False if there is none, or none that is ours.
    fn find_record(&mut self) -> io::Result<bool> {
        if self.place == Place::End || self.members.input_offset() >= self.pause_at {
            return Ok(false);
        }
        loop {
            let is_empty = self.pass_line_ends()?;
            if is_empty && !self.members.next_member()? {
                self.stored_end = Some(self.members.input_offset());
                return Ok(self.end_of_input());
            }
            if is_empty {
                self.in_member = 0;
            }
            let is_at_start = self.in_member == 0 || self.members.codec() == Codec::Plain;
            if self.members.offset() >= self.range_end && is_at_start {
                self.stored_end = None;
                self.place = Place::End;
                return Ok(false);
            }
            if is_empty {
                continue;
            }
            if self.is_head_due()? {
                return Ok(true);
            }
            self.pass_garbage()?;
        }
    }

    /// Always false. A file in which nothing was found is not fine.
    fn end_of_input(&mut self) -> bool {
        self.place = Place::End;
        if self.records == 0 && self.is_first_range && self.range_end == u64::MAX {
            self.members.report(0, FaultKind::NoRecords);
        }
        false
    }

    /// True if nothing of the member is left.
    fn pass_line_ends(&mut self) -> io::Result<bool> {
        loop {
            let window = self.members.peek(1)?;
            let n = line_ends(window);
            if n == window.len() {
                self.members.consume(n);
                if n == 0 {
                    return Ok(true);
                }
                continue;
            }
            self.members.consume(n);
            return Ok(false);
        }
    }

    fn is_head_due(&mut self) -> io::Result<bool> {
        let is_sent = std::mem::take(&mut self.is_sent);
        let window = self.members.peek(5)?;
        if starts_loosely(window) {
            self.is_arc = false;
            return Ok(true);
        }
        self.members.peek_line(arc::LINE_LIMIT)?;
        let window = self.members.peek_more(4)?;
        let line_len = arc::line_len(window).unwrap_or(window.len().min(arc::LINE_LIMIT));
        let line = ArcLine::parse(&window[..line_len]);
        // Where a file is ARC already, a head may be odd; elsewhere it must be beyond doubt.
        let is_due = self.is_arc || is_sent;
        let is_arc = line.is_some_and(|line| is_due || line.is_certain() || window.starts_with(b"filedesc:"));
        self.is_arc |= is_arc;
        Ok(is_arc)
    }

    /// Passes over bytes that begin no record, up to the next that do or the member's end.
    fn pass_garbage(&mut self) -> io::Result<()> {
        let start = self.members.offset();
        let mut len = 0;
        loop {
            let is_arc = self.is_arc;
            let window = self.members.peek(LOOK_AHEAD / 4)?;
            // The first byte was judged already.
            if let Some(at) = window.get(1..).and_then(|rest| find_record_after(rest, window[0], is_arc)) {
                self.members.consume(at + 1);
                len += at as u64 + 1;
                break;
            }
            let is_complete = self.members.is_complete();
            let window = self.members.window();
            // A head that is cut by the window's end is seen again.
            let n = if is_complete { window.len() } else { window.len() - window.len().min(LOOK_AHEAD / 8) };
            len += n as u64;
            self.members.consume(n);
            if n == 0 && !self.members.fill()? {
                let rest = self.members.window().len();
                self.members.consume(rest);
                len += rest as u64;
                break;
            }
            if is_complete {
                break;
            }
        }
        if self.in_member > 0 && self.closed_by == 0 {
            self.members.report(self.record_offset, FaultKind::BlockOverlong { extra: len });
        } else {
            self.members.report(start, FaultKind::Garbage { len });
        }
        Ok(())
    }

    /// Reads the head that is due. False if it is none after all; its first line is passed over.
    fn read_head(&mut self, head: &mut Head) -> io::Result<bool> {
        self.damage_before = self.members.faults.damage();
        self.record_offset = self.members.offset();
        head.raw.clear();
        let mut faults = Vec::new();
        let is_head = if self.is_arc {
            let window = self.members.window();
            let len = arc::line_len(window).unwrap_or(window.len());
            head.raw.extend_from_slice(&window[..len]);
            self.members.consume(len);
            head.parse_arc(&mut |kind| faults.push(kind))
        } else {
            match self.collect_head(&mut head.raw)? {
                None => {
                    head.parse_warc(&mut |kind| faults.push(kind));
                    true
                }
                Some(kind) => {
                    faults.push(kind);
                    false
                }
            }
        };
        for kind in faults {
            self.members.report(self.record_offset, kind);
        }
        if is_head {
            self.in_member += 1;
            self.records += 1;
            if self.in_member == 2 && self.members.codec() != Codec::Plain {
                self.members.report(self.record_offset, FaultKind::MemberShared);
            }
        }
        self.closed_by = 1;
        Ok(is_head)
    }

    /// Takes the bytes of a head through its empty line, or tells what is wrong.
    fn collect_head(&mut self, raw: &mut Vec<u8>) -> io::Result<Option<FaultKind>> {
        let mut scanned = 0;
        loop {
            let window = self.members.window();
            if let Some(len) = head_end(raw, window, scanned) {
                raw.extend_from_slice(&window[..len]);
                self.members.consume(len);
                return Ok(None);
            }
            if raw.len() + window.len() > HEAD_LIMIT {
                self.pass_line();
                return Ok(Some(FaultKind::HeadTooLong));
            }
            scanned = window.len();
            if self.members.fill()? {
                continue;
            }
            if self.members.codec() == Codec::Plain {
                self.pass_line();
                return Ok(Some(FaultKind::HeadTruncated));
            }
            // Members cut without regard to records: the head goes on in the next.
            raw.extend_from_slice(self.members.window());
            scanned = 0;
            if !self.members.next_member()? || starts_record(self.members.window()) {
                self.in_member = 0;
                return Ok(Some(FaultKind::HeadTruncated));
            }
        }
    }

    fn pass_line(&mut self) {
        let window = self.members.window();
        let len = memchr::memchr(b'\n', window).map_or(window.len(), |i| i + 1);
        self.members.consume(len);
    }

    /// Finds out how long the block is: what its head claims, unless the record's end is not there.
    fn settle_block(&mut self, head: &Head) -> io::Result<()> {
        self.read = 0;
        self.is_torn = false;
        self.members_before = MemberState::Sound;
        self.stored_end = None;
        self.place = Place::Block;
        let claimed = head.content_length();
        let is_arc = matches!(head.version(), Version::Arc1 | Version::Arc2);
        if claimed.is_none() && !is_arc {
            let value = head.fields().text("Content-Length").unwrap_or_default();
            self.members
                .report(self.record_offset, FaultKind::BadContentLength(value.chars().take(40).collect()));
        }
        let ahead = claimed.map_or(LOOK_AHEAD, |len| len.saturating_add(16).min(LOOK_AHEAD as u64) as usize);
        let window = self.members.peek(ahead)?.len();
        self.left = match claimed {
            Some(len) if self.ends_well(len, window)? => len,
            Some(len) => self.real_length(len)?,
            None => self.cut_before_record(None)?.unwrap_or(0),
        };
        Ok(())
    }

    /// The length of a block that does not end where its head claims, as far as the bytes tell.
    fn real_length(&mut self, claimed: u64) -> io::Result<u64> {
        if let Some(len) = self.cut_before_record(Some(claimed))? {
            return Ok(len);
        }
        let is_arc = self.is_arc;
        let window = self.members.peek(LOOK_AHEAD)?.len();
        let is_complete = self.members.is_complete();
        let Some(rest) = self.members.window().get(claimed as usize..).filter(|_| claimed <= window as u64)
        else {
            return Ok(claimed);
        };
        // A record that is closed as it should be has the right length; what follows is garbage.
        if rest.starts_with(b"\r\n\r\n") || rest.starts_with(b"\n\n") || (is_arc && rest.starts_with(b"\n")) {
            return Ok(claimed);
        }
        let end = find_record(rest, is_arc).or(is_complete.then_some(rest.len()));
        let extra = end.map_or(0, |end| without_record_end(&rest[..end])) as u64;
        if extra > 0 {
            self.members.report(self.record_offset, FaultKind::BlockOverlong { extra });
        }
        Ok(claimed + extra)
    }

    /// Whether a block of this length is followed by a record's end, as far as can be seen from here.
    fn ends_well(&mut self, len: u64, window_len: usize) -> io::Result<bool> {
        let is_complete = self.members.is_complete();
        if len < window_len as u64 || (len == window_len as u64 && is_complete) {
            let rest = &self.members.window()[len as usize..];
            return Ok(is_record_end(rest, is_complete));
        }
        if is_complete {
            // Past the end: of the file, or of a member, behind which the block may go on.
            return Ok(false);
        }
        let mut buf = [0; 256];
        let end = self.members.offset().saturating_add(len);
        let Some(input) = self.members.plain_input() else { return Ok(true) };
        Ok(match input.read_at(end, &mut buf)? {
            Some(rest) => {
                let is_inside = input.len().is_none_or(|input_len| end <= input_len);
                is_inside && is_record_end(rest, rest.len() < 256)
            }
            None => true,
        })
    }

    /// The length of a block that is cut short by the next record, if one begins inside. Without a claimed length the block
    /// goes to the next record, or to the member's end.
    fn cut_before_record(&mut self, claimed: Option<u64>) -> io::Result<Option<u64>> {
        let is_arc = self.is_arc;
        let is_complete = self.members.is_complete();
        let window = self.members.window();
        let seen = claimed.map_or(window.len(), |len| (window.len() as u64).min(len) as usize);
        // A head that begins inside is seen whole; one that begins behind is no business of this block.
        let looked_at = &window[..window.len().min(seen.saturating_add(HEAD_ROOM))];
        let found = find_record(looked_at, is_arc).filter(|&at| at < seen);
        let found = found.map(|at| without_record_end(&window[..at]));
        let Some(claimed) = claimed else {
            let whole = || is_complete.then(|| without_record_end(window));
            return Ok(found.or_else(whole).map(|len| len as u64));
        };
        let found = match found {
            Some(found) => Some(found as u64),
            None if is_complete || seen as u64 == claimed => None,
            None => self.find_far(claimed, seen as u64)?,
        };
        if let Some(found) = found {
            self.members.report(self.record_offset, FaultKind::BlockTruncated { claimed, found });
        }
        Ok(found)
    }

    /// Looks for a record inside a block that reaches beyond the window, in a file that can be read out of turn.
    fn find_far(&self, claimed: u64, seen: u64) -> io::Result<Option<u64>> {
        let Some(input) = self.members.plain_input() else { return Ok(None) };
        let start = self.members.offset();
        let mut buf = vec![0; LOOK_AHEAD];
        // A little of what was seen, for a head cut by the window's end.
        let mut at = seen.saturating_sub(4096);
        while at < claimed {
            let Some(bytes) = input.read_at(start + at, &mut buf)? else { return Ok(None) };
            if let Some(found) = find_record(bytes, self.is_arc).filter(|&found| found > 0) {
                return Ok(Some(at + without_record_end(&bytes[..found]) as u64));
            }
            if bytes.len() < LOOK_AHEAD {
                break;
            }
            at += (LOOK_AHEAD - 4096) as u64;
        }
        Ok(None)
    }

    /// At least `want` bytes of the block, unless it ends before.
    pub(crate) fn peek_block(&mut self, want: usize) -> io::Result<&[u8]> {
        let want = want.min(PEEK_LIMIT).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        while self.left > 0 && self.members.window().len() < want {
            if !self.members.fill()? && (!self.members.window().is_empty() || !self.go_on_in_next_member()?) {
                break;
            }
        }
        let len = self.members.window().len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        Ok(&self.members.window()[..len])
    }

    pub(crate) fn consume_block(&mut self, n: usize) {
        let n = n.min(usize::try_from(self.left).unwrap_or(usize::MAX)).min(self.members.window().len());
        self.members.consume(n);
        self.left -= n as u64;
        self.read += n as u64;
    }

    /// The member ends inside the block. True if the next member goes on with it; else the block is over.
    fn go_on_in_next_member(&mut self) -> io::Result<bool> {
        let claimed = self.read + self.left;
        let end = self.members.input_offset();
        self.members_before = self.members_before.max(self.members.state());
        let goes_on = self.members.codec() != Codec::Plain
            && self.members.next_member()?
            && !starts_record(self.members.window());
        if !goes_on {
            self.left = 0;
            self.stored_end = Some(end);
            self.in_member = 0;
            self.members.report(self.record_offset, FaultKind::BlockTruncated { claimed, found: self.read });
        }
        Ok(goes_on)
    }

    /// Passes over what is left of the record and judges its end. Does nothing between records.
    pub(crate) fn finish_record(&mut self) -> io::Result<RecordEnd> {
        if self.place != Place::Block {
            return Ok(self.last_end);
        }
        while self.left > 0 {
            let passed = self.members.skip(self.left)?;
            self.left -= passed;
            self.read += passed;
            if self.left > 0 {
                let more = self.peek_block(1)?;
                if more.is_empty() {
                    break;
                }
            }
        }
        self.place = Place::Between;
        // Where the block ran out with its member, the reader stands in the next one, which says nothing about it.
        let ran_out = self.stored_end.is_some();
        if !ran_out {
            self.close_record()?;
        }
        let own = if ran_out { MemberState::Sound } else { self.members.state() };
        let is_alone = self.in_member <= 1 || self.members.codec() == Codec::Plain;
        self.last_end = RecordEnd {
            stored_len: self.stored_end.filter(|_| is_alone).map(|end| end - self.record_offset),
            block_len: self.read,
            is_damaged: self.is_torn || self.members.faults.damage() > self.damage_before,
            is_closed: !ran_out && self.line_feeds >= if self.is_arc { 1 } else { 2 },
            is_torn: self.is_torn,
            member: self.members_before.max(own),
        };
        Ok(self.last_end)
    }

    /// Takes the two line ends behind the block, and finds where the record ends in the file.
    fn close_record(&mut self) -> io::Result<()> {
        let window = self.members.peek(8)?;
        self.closed_by = line_ends(window);
        let is_right = window.starts_with(b"\r\n\r\n") && self.closed_by == 4;
        self.line_feeds = memchr::memchr_iter(b'\n', &window[..self.closed_by]).count();
        let rest = &window[self.closed_by..];
        let goes_on = !rest.is_empty() && !starts_loosely(rest);
        self.is_torn = goes_on && self.closed_by == 0 && !self.is_arc;
        let n = self.closed_by.min(4);
        if !is_right && !self.is_arc && !goes_on {
            self.members.report(self.record_offset, FaultKind::MissingRecordEnd);
        }
        if self.members.codec() == Codec::Plain {
            self.stored_end = Some(self.members.offset());
        }
        self.members.consume(n);
        self.pass_line_ends_within_member()?;
        // The checksum stands behind the last byte: asking for one more is what checks it.
        if self.members.codec() != Codec::Plain
            && self.members.peek(1)?.is_empty()
            && self.members.is_complete()
        {
            self.stored_end = Some(self.members.input_offset());
        }
        Ok(())
    }

    /// More line ends than two belong to the record before them.
    fn pass_line_ends_within_member(&mut self) -> io::Result<()> {
        if self.closed_by != 4 {
            self.pass_line_ends()?;
        }
        Ok(())
    }
}

/// Whether the bytes behind a block close its record: line ends, then another record or nothing.
fn is_record_end(rest: &[u8], is_complete: bool) -> bool {
    let skip = line_ends(rest);
    let rest = &rest[skip..];
    if rest.is_empty() {
        return is_complete || skip >= 4;
    }
    // A head cut by the end of what is seen is given the benefit of the doubt.
    starts_loosely(rest)
        || starts_record(rest)
        || (rest.len() < 5 && !is_complete)
        || is_arc_like(rest, is_complete)
}

/// An ARC head line that is too long to be seen whole.
fn is_arc_like(rest: &[u8], is_complete: bool) -> bool {
    !is_complete && memchr::memchr(b'\n', rest).is_none() && rest.starts_with(b"http")
}

/// The length without the line ends that close a record: CRLFCRLF, or as many of LF.
fn without_record_end(bytes: &[u8]) -> usize {
    let mut len = bytes.len();
    for _ in 0..2 {
        if bytes[..len].ends_with(b"\r\n") {
            len -= 2;
        } else if bytes[..len].ends_with(b"\n") {
            len -= 1;
        }
    }
    len
}

/// The first record in `rest`, of which the byte before is known.
fn find_record_after(rest: &[u8], before: u8, is_arc: bool) -> Option<usize> {
    let found = find_record(rest, is_arc)?;
    if found == 0 && before != b'\n' {
        return find_record(&rest[1..], is_arc).map(|at| at + 1);
    }
    Some(found)
}

/// The length of `window` up to and including the empty line that ends a head begun in `raw`.
fn head_end(raw: &[u8], window: &[u8], scanned: usize) -> Option<usize> {
    let mut at = scanned.saturating_sub(2);
    while let Some(i) = memchr::memchr(b'\n', &window[at..]) {
        let line_end = at + i;
        let before = &window[..line_end];
        let cr = before.iter().rev().take_while(|&&b| b == b'\r').count();
        let before = &before[..line_end - cr];
        let line_before = if before.is_empty() { raw.last() } else { before.last() };
        let is_split_crlf = before.is_empty() && raw.ends_with(b"\n\r");
        if line_before == Some(&b'\n') || is_split_crlf {
            return Some(line_end + 1);
        }
        at = line_end + 1;
    }
    None
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
}
