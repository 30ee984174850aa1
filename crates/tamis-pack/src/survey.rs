//! The first pass over an archive: how its file is made of content, and where its records are.

use std::fs::File;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;

use tamis_archive::{Codec, Record};
use xxhash_rust::xxh3::Xxh3;

use super::coding::{Coding, Remaker};
use super::find_records::{Feed, Found, find_records};
use super::large::Pieces;
use super::recognise::{Effort, Learned, gzip_member, large_gzip_member, zstd_frame};
use super::records::{Kind, Palette, Stretch, Texts, Unit};
use super::split::{Piece, Splitter};
use super::{Error, NoRecords, Result, varint};
use tamis_files::parallel;

/// A batch of members is at most this many, and about so many bytes.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 32 << 20;

/// Headers that are longer are not listed: they have names or lengths of their own.
const HEADER_LIMIT: usize = 64;

/// Of the members of a batch that no encoder made which is known, so many are tried with all.
const TRIED_WITH_ALL: usize = 4;

/// What is known of an archive before it is packed.
///
/// Memory: about 50 bytes and the key of the URL for each record, 24 bytes for each member.
#[derive(Debug)]
pub struct Survey {
    pub(super) path: PathBuf,
    pub(super) file_len: u64,
    pub(super) file_hash: u128,
    pub(super) units: Vec<Unit>,
    /// The keys of the URLs of the records.
    pub(super) keys: Texts,
    /// Which units are records.
    pub(super) record_units: Vec<u32>,
    pub(super) stretches: Vec<Stretch>,
    /// What is stored beside stretches, with their numbers; empty for those that are kept, which are read again.
    pub(super) sides: Vec<(u32, Vec<u8>)>,
    pub(super) palette: Palette,
    /// The dictionary of the zstd frames of the file.
    pub(super) dictionary: Option<Vec<u8>>,
    /// Whether the file begins as something compressed does.
    is_compressed: bool,
    /// Whether the file is a ZIP archive: a package, of which much is no record.
    is_package: bool,
}

/// A record, as the survey knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordFacts<'s> {
    /// Its place among the records of the file, from 0: the number that an order is made of.
    pub number: usize,
    /// Its type.
    pub kind: Kind,
    /// Where it is in the file, as an index states it: the offset of its member, or its own in a plain file.
    pub offset: u64,
    /// How many bytes it has, head, block and line ends.
    pub len: u64,
    /// The key of its URL (SURT); empty if it has none.
    pub key: &'s [u8],
}

impl Survey {
    /// Surveys an archive. `on_record` sees each record with its number on its way, so that sketches need no pass of their
    /// own; it may read as much of it as it likes.
    ///
    /// Memory while it works: about 300 MiB and 8 MiB for each of the `jobs`.
    pub fn new(
        path: impl AsRef<Path>,
        jobs: NonZero<usize>,
        on_record: impl FnMut(usize, &mut Record<'_>) + Send,
    ) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(Error::io(path))?;
        std::thread::scope(|threads| {
            let (feed, stream) = Feed::new();
            let finder = threads.spawn(move || find_records(path, stream, on_record));
            let cut = Cut::new(path, jobs).read(file, &feed);
            // So that the finder sees the end.
            drop(feed);
            let found = match finder.join() {
                Ok(found) => found,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            Ok(cut?.finish(&found?))
        })
    }

    /// The archive.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes the archive's file has.
    pub fn file_len(&self) -> u64 {
        self.file_len
    }

    /// How many bytes its content has: all members decoded.
    pub fn content_len(&self) -> u64 {
        self.units.last().map_or(0, |unit| unit.start + unit.len)
    }

    /// How much of the packed content readers see: what a package has beside its records is no damage of an archive.
    pub(super) fn shown_len(&self) -> u64 {
        let is_shown = |unit: &&Unit| !self.is_package || unit.kind.is_record();
        self.units.iter().filter(is_shown).map(|unit| unit.len).sum()
    }

    /// How many records it has.
    pub fn record_count(&self) -> usize {
        self.record_units.len()
    }

    /// An error if the file is not empty and nothing in it can be packed as a record. A pack of it would give back its bytes, and be of no other use.
    pub fn check_records(&self) -> Result<()> {
        if self.file_len == 0 || self.record_count() > 0 {
            return Ok(());
        }
        let why = if self.is_compressed { NoRecords::Compressed } else { NoRecords::NotAnArchive };
        Err(Error::NoRecords { path: self.path.clone(), why })
    }

    /// A record by its number.
    ///
    /// # Panics
    /// If there is no such record.
    pub fn record(&self, number: usize) -> RecordFacts<'_> {
        let unit = &self.units[self.record_units[number] as usize];
        RecordFacts {
            number,
            kind: unit.kind,
            offset: unit.offset,
            len: unit.len,
            key: self.keys.get(number),
        }
    }

    /// All records in the order of the file.
    pub fn records(&self) -> impl ExactSizeIterator<Item = RecordFacts<'_>> {
        (0..self.record_count()).map(|number| self.record(number))
    }

    /// The order by URL: that of the keys, records of one key as they stand in the file.
    pub fn url_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.record_count() as u32).collect();
        order.sort_by(|&a, &b| self.keys.get(a as usize).cmp(self.keys.get(b as usize)));
        order
    }

    /// What is stored beside a stretch.
    pub(super) fn side(&self, stretch: usize) -> &[u8] {
        let found = self.sides.binary_search_by_key(&(stretch as u32), |(number, _)| *number);
        found.map_or(&[], |at| &self.sides[at].1)
    }
}

/// What is collected while the file is cut.
struct Cut {
    survey: Survey,
    remakers: Vec<Remaker>,
    learned: Learned,
    hash: Xxh3,
    members: u64,
    /// Where raw stretches lie in the content.
    raw: Vec<(u64, u64)>,
    content_len: u64,
}

impl Cut {
    fn new(path: &Path, jobs: NonZero<usize>) -> Self {
        let survey = Survey {
            path: path.into(),
            file_len: 0,
            file_hash: 0,
            units: Vec::new(),
            keys: Texts::default(),
            record_units: Vec::new(),
            stretches: Vec::new(),
            sides: Vec::new(),
            palette: Palette::default(),
            dictionary: None,
            is_compressed: false,
            is_package: false,
        };
        let remakers = (0..jobs.get()).map(|_| Remaker::default()).collect();
        let (learned, hash) = (Learned::default(), Xxh3::new());
        Self { survey, remakers, learned, hash, members: 0, raw: Vec::new(), content_len: 0 }
    }

    fn read(mut self, file: File, feed: &Feed) -> Result<Self> {
        let mut splitter = Splitter::new(file);
        loop {
            let batch = self.next_batch(&mut splitter).map_err(Error::io(&self.survey.path))?;
            if batch.is_empty() {
                break;
            }
            self.take_batch(batch, splitter.dictionary(), &feed.0);
        }
        self.survey.dictionary = splitter.dictionary().map(<[u8]>::to_vec);
        self.survey.file_hash = self.hash.digest128();
        Ok(self)
    }

    /// Members that are looked at side by side: few at first, so that what they teach is soon of use.
    fn next_batch(&self, splitter: &mut Splitter) -> std::io::Result<Vec<Piece>> {
        let most = BATCH.min(8 << (self.members / 8).min(8));
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < most && bytes < BATCH_BYTES {
            let Some(piece) = splitter.next()? else { break };
            bytes += piece.memory();
            batch.push(piece);
        }
        Ok(batch)
    }

    fn take_batch(&mut self, batch: Vec<Piece>, dictionary: Option<&[u8]>, feed: &SyncSender<Vec<u8>>) {
        for remaker in &mut self.remakers {
            remaker.set_dictionary(dictionary.map(<[u8]>::to_vec));
        }
        let mut codings: Vec<Option<(Coding, Vec<u8>)>> = batch.iter().map(|_| None).collect();
        self.look(&batch, &mut codings, Effort::Learned, batch.len());
        // Those of the first batch all teach something; later ones only if they are of another kind.
        let tried = if self.members == 0 { batch.len() } else { TRIED_WITH_ALL };
        if self.look(&batch, &mut codings, Effort::Full, tried) > 0 {
            codings.iter().flatten().for_each(|(coding, _)| self.learned.add(coding));
            self.learned.settle();
            self.look(&batch, &mut codings, Effort::Learned, batch.len());
        }
        self.look(&batch, &mut codings, Effort::Corrections, batch.len());
        for (piece, coding) in batch.into_iter().zip(codings) {
            self.members += 1;
            self.take_piece(piece, coding, feed);
        }
        self.learned.settle();
    }

    /// Looks for the codings of the first `most` pieces that have none; tells how many it found.
    fn look(
        &mut self,
        batch: &[Piece],
        codings: &mut [Option<(Coding, Vec<u8>)>],
        effort: Effort,
        most: usize,
    ) -> usize {
        let open: Vec<usize> = (0..batch.len()).filter(|&at| codings[at].is_none()).take(most).collect();
        let learned = &self.learned;
        let found = parallel::map(&mut self.remakers, &open, |remaker, _, &at| {
            batch[at].coding(remaker, learned, effort)
        });
        let mut count = 0;
        for (at, coding) in open.into_iter().zip(found) {
            count += usize::from(coding.is_some());
            codings[at] = coding;
        }
        count
    }

    fn take_piece(&mut self, piece: Piece, coding: Option<(Coding, Vec<u8>)>, feed: &SyncSender<Vec<u8>>) {
        self.hash.update(piece.stored());
        if self.survey.file_len == 0 {
            let start = piece.stored();
            self.survey.is_package = start.starts_with(b"PK\x03\x04");
            self.survey.is_compressed = coding.is_none() && Codec::of(start) != Codec::Plain;
        }
        let file_len = piece.stored().len() as u64;
        self.survey.file_len += file_len;
        let is_raw = matches!(piece, Piece::Raw(_)) || coding.is_none();
        let (coding, side) = coding.unwrap_or((Coding::Plain, Vec::new()));
        self.learned.add(&coding);
        let content_len = piece.content_len(is_raw);
        if is_raw {
            self.raw.push((self.content_len, self.content_len + content_len));
        } else {
            piece.feed(feed);
        }
        self.content_len += content_len;
        self.add_stretch(coding, side, file_len, content_len);
    }

    /// Adds a stretch, or makes the plain one before it longer.
    fn add_stretch(&mut self, coding: Coding, side: Vec<u8>, file_len: u64, content_len: u64) {
        let Survey { palette, stretches, sides, .. } = &mut self.survey;
        let plain = palette.sure_place(Coding::Plain);
        if coding == Coding::Plain
            && let Some(last) = stretches.last_mut().filter(|last| last.coding == plain)
        {
            last.file_len += file_len;
            last.content_len += content_len;
            return;
        }
        let header_len = coding.header(&[]).map_or(0, |(header, _)| header.len());
        let place = if header_len <= HEADER_LIMIT { palette.place(&coding) } else { None };
        let side = match (place, coding.header(&[])) {
            (None, Some((header, _))) => {
                let mut with_header = Vec::new();
                varint::put_text(&mut with_header, header);
                with_header.extend_from_slice(&side);
                with_header
            }
            _ => side,
        };
        let is_kept = coding == Coding::Kept;
        let coding = place.unwrap_or_else(|| palette.sure_place(coding.without_header()));
        if is_kept || !side.is_empty() {
            sides.push((stretches.len() as u32, side));
        }
        stretches.push(Stretch { coding, file_len, content_len });
    }

    /// Cuts the content where records and raw stretches begin.
    fn finish(mut self, found: &Found) -> Survey {
        let starts = self.starts(found);
        let mut keys = Texts::default();
        let (mut cursor, mut end_cursor) = (Cursor::default(), Cursor::default());
        for (at, &(start, origin)) in starts.iter().enumerate() {
            let end = starts.get(at + 1).map_or(self.content_len, |&(next, _)| next);
            if end == start {
                continue;
            }
            let kind = match origin {
                Origin::Record(number) => {
                    self.survey.record_units.push(self.survey.units.len() as u32);
                    keys.push(found.keys.get(number));
                    Kind::Record(found.types[number])
                }
                Origin::Raw => Kind::Raw,
                Origin::Gap => Kind::Gap,
            };
            let offset = cursor.offset_of(start, &self.survey);
            let is_short = matches!(origin, Origin::Record(number) if found.is_short[number]);
            let is_cut = is_short && end_cursor.is_member_end(end, &self.survey);
            self.survey.units.push(Unit { kind, start, len: end - start, offset, is_cut });
        }
        self.survey.keys = keys;
        self.survey
    }

    /// Where units begin in the content. The finder of records did not see raw stretches, so what it found is moved behind them.
    fn starts(&self, found: &Found) -> Vec<(u64, Origin)> {
        let mut starts = vec![(0, Origin::Gap)];
        for &(start, end) in &self.raw {
            starts.push((end, Origin::Gap));
            starts.push((start, Origin::Raw));
        }
        let (mut raw, mut shift) = (self.raw.iter().peekable(), 0);
        for (number, &start) in found.starts.iter().enumerate() {
            while let Some(&&(from, to)) = raw.peek()
                && from <= start + shift
            {
                shift += to - from;
                raw.next();
            }
            starts.push((start + shift, Origin::Record(number)));
        }
        // Of several at one place, the last in the order of `Origin` counts.
        starts.sort_unstable();
        starts.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                earlier.1 = later.1;
            }
            is_same
        });
        starts.dedup_by(|later, earlier| later.1 == Origin::Raw && earlier.1 == Origin::Raw);
        starts
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Gap,
    Record(usize),
    Raw,
}

/// Goes along the stretches, to tell offsets in the file of growing places in the content.
#[derive(Default)]
struct Cursor {
    stretch: usize,
    content: u64,
    file: u64,
}

impl Cursor {
    /// Whether a compressed member ends at a place.
    fn is_member_end(&mut self, place: u64, survey: &Survey) -> bool {
        self.offset_of(place, survey);
        let before = self.stretch.checked_sub(1).and_then(|before| survey.stretches.get(before));
        self.content == place
            && before.is_some_and(|before| survey.palette.0[before.coding as usize] != Coding::Plain)
    }

    fn offset_of(&mut self, place: u64, survey: &Survey) -> u64 {
        while let Some(stretch) = survey.stretches.get(self.stretch)
            && self.content + stretch.content_len <= place
        {
            self.content += stretch.content_len;
            self.file += stretch.file_len;
            self.stretch += 1;
        }
        let coding =
            survey.stretches.get(self.stretch).map(|stretch| &survey.palette.0[stretch.coding as usize]);
        let inside = if coding == Some(&Coding::Plain) { place - self.content } else { 0 };
        self.file + inside
    }
}

impl Piece {
    fn stored(&self) -> &[u8] {
        match self {
            Self::Plain(bytes) | Self::Raw(bytes) => bytes,
            Self::Gzip { stored, .. }
            | Self::LargeGzip { stored, .. }
            | Self::Zstd { stored, .. }
            | Self::Cut { stored, .. } => stored,
        }
    }

    /// How much content it has, or how many bytes if that is raw.
    fn content_len(&self, is_raw: bool) -> u64 {
        match self {
            _ if is_raw => self.stored().len() as u64,
            Self::LargeGzip { content_len, .. } => *content_len,
            Self::Plain(bytes) | Self::Raw(bytes) => bytes.len() as u64,
            Self::Gzip { content, .. } | Self::Zstd { content, .. } | Self::Cut { content, .. } => {
                content.len() as u64
            }
        }
    }

    /// Gives its content to the finder of records. If that has failed, its error comes out when it is joined.
    fn feed(self, feed: &SyncSender<Vec<u8>>) {
        let Self::LargeGzip { stored, header_len, .. } = &self else {
            let _ = feed.send(self.into_content());
            return;
        };
        let mut pieces = Pieces::new(&stored[*header_len..]);
        while let Some(piece) = pieces.next().filter(|piece| !piece.is_empty()) {
            if feed.send(piece.to_vec()).is_err() {
                return;
            }
        }
    }

    fn into_content(self) -> Vec<u8> {
        match self {
            Self::Plain(bytes) | Self::Raw(bytes) => bytes,
            Self::Gzip { content, .. } | Self::Zstd { content, .. } | Self::Cut { content, .. } => content,
            // It goes by in pieces.
            Self::LargeGzip { .. } => Vec::new(),
        }
    }

    fn memory(&self) -> usize {
        match self {
            Self::Plain(bytes) | Self::Raw(bytes) => bytes.len(),
            Self::LargeGzip { stored, .. } => stored.len(),
            Self::Gzip { stored, content, .. }
            | Self::Zstd { stored, content }
            | Self::Cut { stored, content } => stored.len() + content.len(),
        }
    }

    fn coding(&self, remaker: &mut Remaker, learned: &Learned, effort: Effort) -> Option<(Coding, Vec<u8>)> {
        match self {
            Self::Plain(_) | Self::Raw(_) => Some((Coding::Plain, Vec::new())),
            Self::Cut { .. } => Some((Coding::Kept, Vec::new())),
            Self::Gzip { stored, header_len, content } => {
                gzip_member(remaker, learned, effort, (stored, *header_len), content)
            }
            Self::LargeGzip { stored, header_len, .. } => {
                large_gzip_member(learned, effort, (stored, *header_len)).map(|coding| (coding, Vec::new()))
            }
            Self::Zstd { stored, content } => {
                zstd_frame(remaker, learned, effort, stored, content).map(|coding| (coding, Vec::new()))
            }
        }
    }
}
