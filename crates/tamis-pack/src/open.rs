//! A pack opened: its root, and chunks on demand.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem;
use zstd::zstd_safe::DDict;

use super::block::Started;
use super::cache::Cache;
use super::chunk::{
    ChunkKind, FOOTER_LEN, FOOTER_MAGIC, FOOTER_MAGIC_AT, Frame, HEADER, MAGIC_LEN, is_header,
    is_later_version, is_like, parse_footer,
};
use super::codec::decode_chunk;
use super::damage::{Damage, Part};
use super::pages::{BlockEntry, Entry, MemberEntry, OriginalEntry, PAGE, RecordEntry, read_urls};
use super::profile::Profile;
use super::root::{PagePlace, Place, Root};
use super::walk::Walk;
use super::{Error, Result};

/// How much of the end of a pack is looked at for its root, if the footer is damaged.
const ROOT_LIMIT: u64 = 64 << 20;

/// The second root ends as near to the end of the file as that, the footer not counted, even if bytes were inserted there.
const NEAR_END: usize = 4 << 10;

/// So many bytes are summed up at most in the search for it.
const SEARCH_BUDGET: usize = 512 << 20;

/// So many pages of each table are kept; a page has some 20 KB.
const PAGES_KEPT: usize = 32;

/// A pack, open for reading. It may be shared by threads.
///
/// ```
/// use tamis_pack::{Pack, PackOptions, Profile, Survey, pack};
///
/// # let folder = tempfile::tempdir()?;
/// # let (archive, packed) = (folder.path().join("a.warc"), folder.path().join("a.pack"));
/// # let bytes = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://example.org/\r\nWARC-Date: 2026-08-12T18:27:00Z\r\n\
/// #     WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";
/// # std::fs::write(&archive, bytes)?;
/// let survey = Survey::new(&archive, 1.try_into()?, |_, _| {})?;
/// pack(&survey, &survey.url_order(), &packed, &PackOptions::new(Profile::Fast))?;
///
/// let pack = Pack::open(&packed)?;
/// let record = pack.record(0)?.ok_or("a record")?;
/// let mut block = Vec::new();
/// pack.read(&record, &mut block)?;
/// assert!(block.starts_with(b"WARC/1.1") && block.ends_with(b"hello\r\n\r\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Memory: the root (some 50 bytes for each 1,024 records), 64 MiB of blocks or the largest block, the block that a page was read of last, 32 pages of each table, and 32 MiB of
/// dictionaries, or up to 512 MiB if single pages of so many segments are read.
pub struct Pack {
    path: PathBuf,
    file: File,
    pub(super) len: u64,
    pub(super) root: Root,
    /// Where the root is that was read.
    pub(super) root_place: Place,
    pub(super) damage: Vec<Damage>,
    /// By how much chunks lie behind the places that tables give them: bytes were inserted before them, or are missing.
    pub(super) shift: i64,
    /// The blocks of a pack without a root.
    pub(super) salvaged: Option<Salvaged>,
    pub(super) caches: Caches,
}

/// Blocks that were found by their frames.
pub(super) struct Salvaged {
    pub(super) blocks: Vec<BlockEntry>,
    /// Their numbers in their frames.
    pub(super) numbers: Vec<u64>,
}

#[derive(Default)]
pub(super) struct Caches {
    pub(super) blocks: Mutex<Cache<Vec<u8>>>,
    pub(super) started: Mutex<Started>,
    pub(super) dictionaries: Mutex<Cache<DDict<'static>>>,
    block_pages: Mutex<Cache<Vec<BlockEntry>>>,
    walked_pages: Mutex<Cache<Vec<BlockEntry>>>,
    /// All chunks, as their frames tell them: found once, when the tables do not find them.
    pub(super) walked: Mutex<Option<Arc<Walk>>>,
    record_pages: Mutex<Cache<Vec<RecordEntry>>>,
    original_pages: Mutex<Cache<Vec<OriginalEntry>>>,
    member_pages: Mutex<Cache<Vec<MemberEntry>>>,
    url_pages: Mutex<Cache<UrlPage>>,
}

/// Keys of URLs with the numbers of their records.
pub(super) type UrlPage = Vec<(Vec<u8>, u64)>;

/// What a pack says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackFacts {
    /// What it was made for.
    pub profile: Profile,
    /// The length of the pack.
    pub pack_len: u64,
    /// The length of the archive.
    pub file_len: u64,
    /// The XXH3 hash, 128 bits, of the archive.
    pub file_hash: u128,
    /// The length of its content, all members decoded.
    pub content_len: u64,
    /// How many records it has.
    pub records: u64,
    /// How many parts it has: records, and what lies between them.
    pub parts: u64,
}

impl Pack {
    /// Whether a file begins as a pack does.
    pub fn is_pack(start: &[u8]) -> bool {
        start.starts_with(&HEADER[..MAGIC_LEN])
    }

    /// Opens a pack. Damage to its header or footer does not keep it from being read; [`Pack::check`] tells it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let file = File::open(path).map_err(Error::io(path))?;
        let len = file.metadata().map_err(Error::io(path))?.len();
        let mut opening = Opening { path, file: &file, len, damage: Vec::new() };
        let (root, root_place) = opening.root()?;
        let shift = opening.shift(&root, root_place)?;
        let Opening { len, damage, .. } = opening;
        let pack = Self { root_place, damage, shift, ..Self::with_root(path, file, len, root) };
        pack.check_content_len()?;
        Ok(pack)
    }

    /// A pack of which the root is known.
    pub(super) fn with_root(path: &Path, file: File, len: u64, root: Root) -> Self {
        let (root_place, damage, shift, salvaged) = (Place::default(), Vec::new(), 0, None);
        let (path, caches) = (path.into(), Caches::default());
        Self { path, file, len, root, root_place, damage, shift, salvaged, caches }
    }

    /// What it says of itself.
    pub fn facts(&self) -> PackFacts {
        let Root { profile, file_len, file_hash, content_len, records, units, .. } = self.root;
        PackFacts { profile, pack_len: self.len, file_len, file_hash, content_len, records, parts: units }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A chunk's payload, unpacked; not for blocks, which need their dictionary.
    pub(super) fn chunk(&self, part: (ChunkKind, u64), place: Place) -> Result<Vec<u8>> {
        self.chunk_by(part, place, |frame, payload| decode_chunk(frame, payload, None))
    }

    /// What is made of a chunk's payload.
    pub(super) fn chunk_by(
        &self,
        part: (ChunkKind, u64),
        place: Place,
        decode: impl FnOnce(&Frame, &[u8]) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        let damaged = || self.damaged(Part::Chunk(part.0, part.1), place);
        let is_it = |frame: &Frame| (frame.kind, frame.number) == part;
        let bytes = self.find_chunk(part, place, is_it)?.ok_or_else(damaged)?;
        let (frame, head_len) = Frame::parse(&bytes).ok_or_else(damaged)?;
        decode(&frame, &bytes[head_len..]).ok_or_else(damaged)
    }

    /// The bytes of a sound chunk: at its place, or where it went when bytes were inserted before it or went missing.
    pub(super) fn find_chunk(
        &self,
        part: (ChunkKind, u64),
        place: Place,
        is_it: impl Fn(&Frame) -> bool,
    ) -> Result<Option<Vec<u8>>> {
        let sound = |place: Place| -> Result<Option<Vec<u8>>> {
            let bytes = self.chunk_bytes(place)?;
            Ok(bytes.filter(|bytes| Frame::check(bytes).is_some_and(|(frame, _)| is_it(&frame))))
        };
        if let Some(bytes) = sound(place)? {
            return Ok(Some(bytes));
        }
        if place.len == 0 {
            return Ok(None);
        }
        let shifted = place.offset.checked_add_signed(self.shift).map(|offset| Place { offset, ..place });
        let shifted = shifted.filter(|&shifted| shifted != place);
        if let Some(bytes) = shifted.map_or(Ok(None), sound)? {
            return Ok(Some(bytes));
        }
        // Bytes were inserted or are missing at several places.
        let met = self.walk()?.place_of(part).filter(|&met| met != place && Some(met) != shifted);
        met.map_or(Ok(None), sound)
    }

    /// The bytes of a chunk; none if they are not in the file.
    pub(super) fn chunk_bytes(&self, place: Place) -> Result<Option<Vec<u8>>> {
        read_place(&self.file, self.len, place).map_err(Error::io(&self.path))
    }

    pub(super) fn damaged(&self, part: Part, Place { offset, len }: Place) -> Error {
        let damage = Damage { part, offset, len, records: None, is_mended: false };
        Error::Damaged { path: self.path.clone(), damage }
    }

    /// Compares what the root says of the content with the blocks. Readers cut that length into ranges, so a claim must not
    /// get further than this. A page of blocks that cannot be read has at most what the root could prove of it.
    fn check_content_len(&self) -> Result<()> {
        let deceives = || self.damaged(Part::Chunk(ChunkKind::Root, 1), self.root_place);
        let lens = self.root.block_page_lens().ok_or_else(deceives)?;
        for (page, len) in lens.into_iter().enumerate() {
            let blocks = match self.block_page(page) {
                Err(Error::Damaged { .. }) => continue,
                read => read?,
            };
            let sum = blocks.iter().fold(0_u64, |sum, block| sum.saturating_add(block.raw_len));
            if sum != len {
                return Err(deceives());
            }
        }
        Ok(())
    }

    /// A page of the block table. If it is damaged, the frames of the blocks say the same.
    pub(super) fn block_page(&self, page: usize) -> Result<Arc<Vec<BlockEntry>>> {
        if let Some(salvaged) = &self.salvaged {
            let blocks = salvaged.blocks.chunks(PAGE).nth(page).unwrap_or_default();
            return cached(&self.caches.walked_pages, page as u64, 1, PAGES_KEPT, || Ok(blocks.to_vec()));
        }
        let place = &self.root.blocks[page];
        let read = self.page(&self.caches.block_pages, ChunkKind::BlockPage, (page, place), BlockEntry::read);
        let Err(error @ Error::Damaged { .. }) = read else { return read };
        cached(&self.caches.walked_pages, page as u64, 1, PAGES_KEPT, || self.walked_page(page)?.ok_or(error))
    }

    /// The number that a block has in its frame.
    pub(super) fn block_number(&self, number: u64) -> u64 {
        let numbers = self.salvaged.as_ref().map(|salvaged| &salvaged.numbers);
        let found = numbers.zip(usize::try_from(number).ok()).and_then(|(numbers, at)| numbers.get(at));
        found.copied().unwrap_or(number)
    }

    pub(super) fn record_page(&self, page: usize) -> Result<Arc<Vec<RecordEntry>>> {
        self.page(
            &self.caches.record_pages,
            ChunkKind::RecordPage,
            (page, &self.root.packed[page]),
            RecordEntry::read,
        )
    }

    pub(super) fn original_page(&self, page: usize) -> Result<Arc<Vec<OriginalEntry>>> {
        let place = (page, &self.root.originals[page]);
        self.page(&self.caches.original_pages, ChunkKind::OriginalPage, place, OriginalEntry::read)
    }

    pub(super) fn member_page(&self, page: usize) -> Result<Arc<Vec<MemberEntry>>> {
        self.page(
            &self.caches.member_pages,
            ChunkKind::MemberPage,
            (page, &self.root.members[page]),
            MemberEntry::read,
        )
    }

    pub(super) fn url_page(&self, page: usize) -> Result<Arc<UrlPage>> {
        self.page(&self.caches.url_pages, ChunkKind::UrlPage, (page, &self.root.urls[page]), read_urls)
    }

    fn page<T>(
        &self,
        cache: &Mutex<Cache<T>>,
        kind: ChunkKind,
        (page, place): (usize, &PagePlace),
        read: impl Fn(&[u8], usize) -> Option<T>,
    ) -> Result<Arc<T>> {
        cached(cache, page as u64, 1, PAGES_KEPT, || {
            let bytes = self.chunk((kind, page as u64), place.place)?;
            let damaged = || self.damaged(Part::Chunk(kind, page as u64), place.place);
            read(&bytes, place.count as usize).ok_or_else(damaged)
        })
    }
}

/// What is kept under a number, or made now.
pub(super) fn cached<T>(
    cache: &Mutex<Cache<T>>,
    number: u64,
    size: usize,
    kept: usize,
    create: impl FnOnce() -> Result<T>,
) -> Result<Arc<T>> {
    let lock = || cache.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = lock().get(number) {
        return Ok(found);
    }
    // Made without the lock: two threads may make the same, which costs time and no more.
    let made = Arc::new(create()?);
    lock().put(number, Arc::clone(&made), size, kept);
    Ok(made)
}

/// The bytes of a place; none if the file ends before.
fn read_place(file: &File, file_len: u64, Place { offset, len }: Place) -> io::Result<Option<Vec<u8>>> {
    if offset.checked_add(len).is_none_or(|end| end > file_len) {
        return Ok(None);
    }
    let mut bytes = vec![0; len as usize];
    match read_exact_at(file, &mut bytes, offset) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(len) => {
                bytes = &mut bytes[len..];
                offset += len as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A pack that is being opened.
struct Opening<'a> {
    path: &'a Path,
    file: &'a File,
    len: u64,
    damage: Vec<Damage>,
}

impl Opening<'_> {
    fn root(&mut self) -> Result<(Root, Place)> {
        self.leave_surplus()?;
        let not_a_pack = |why| Error::NotAPack { path: self.path.into(), why };
        let header = self.read(Place { offset: 0, len: HEADER.len() as u64 })?;
        let footer_offset = self.len.saturating_sub(FOOTER_LEN as u64);
        let footer = self.read(Place { offset: footer_offset, len: FOOTER_LEN as u64 })?;
        let found = footer.as_deref().and_then(parse_footer);
        let is_magic = header.as_deref().is_some_and(Pack::is_pack);
        if header.as_deref().is_some_and(is_later_version) {
            return Err(not_a_pack("a pack of a newer version"));
        }
        let ends = (header.as_deref().unwrap_or_default(), footer.as_deref().unwrap_or_default());
        if !is_magic && found.is_none() && !is_like(ends.0, ends.1) {
            return Err(not_a_pack("not a pack"));
        }
        if !header.as_deref().is_some_and(is_header) {
            self.note(Part::Header, Place { offset: 0, len: HEADER.len() as u64 }, true);
        }
        let place = if let Some((offset, len)) = found {
            Place { offset, len }
        } else {
            let root = self.search_root()?;
            let footer = Place { offset: footer_offset, len: FOOTER_LEN as u64 };
            self.note(Part::Footer, footer, root.is_some());
            root.ok_or_else(|| self.error())?
        };
        self.read_root(place)
    }

    /// Takes bytes behind the footer for what they are, and the footer for the end.
    fn leave_surplus(&mut self) -> Result<()> {
        let start = self.len.saturating_sub(ROOT_LIMIT);
        let footer_offset = self.len.saturating_sub(FOOTER_LEN as u64);
        let footer = self.read(Place { offset: footer_offset, len: self.len - footer_offset })?;
        let header = self.read(Place { offset: 0, len: HEADER.len() as u64 })?;
        let is_pack = header.as_deref().is_some_and(Pack::is_pack);
        let is_end = |found: Option<(u64, u64)>, at: u64| {
            found.is_some_and(|(offset, len)| offset.checked_add(len) == Some(at))
        };
        if !is_pack || is_end(footer.as_deref().and_then(parse_footer), footer_offset) {
            return Ok(());
        }
        let Some(bytes) = self.read(Place { offset: start, len: self.len - start })? else { return Ok(()) };
        // That of a pack inside this one does not have the right offset.
        let is_footer =
            |at: usize| is_end(bytes.get(at..at + FOOTER_LEN).and_then(parse_footer), start + at as u64);
        let places =
            memmem::rfind_iter(&bytes, &FOOTER_MAGIC).filter_map(|at| at.checked_sub(FOOTER_MAGIC_AT));
        if let Some(at) = places.into_iter().find(|&at| is_footer(at)) {
            let end = start + (at + FOOTER_LEN) as u64;
            self.note(Part::Between, Place { offset: end, len: self.len - end }, true);
            self.len = end;
        }
        Ok(())
    }

    /// The root, or its first copy, which stands before it and has the same length.
    fn read_root(&mut self, place: Place) -> Result<(Root, Place)> {
        if let Some(root) = self.parse_root(place)? {
            return Ok((root, place));
        }
        // The second ends where the footer begins, wherever that is; the first lies before either place.
        let footer_offset = self.len.saturating_sub(FOOTER_LEN as u64);
        let at_end = footer_offset.checked_sub(place.len).map(|offset| Place { offset, len: place.len });
        let before =
            |place: Place| place.offset.checked_sub(place.len).map(|offset| Place { offset, len: place.len });
        if let Some(at_end) = at_end.filter(|&at_end| at_end != place)
            && let Some(root) = self.parse_root(at_end)?
        {
            return Ok((root, at_end));
        }
        let mut found = None;
        for first in [before(place), at_end.and_then(before)].into_iter().flatten() {
            if found.is_none() {
                found = self.parse_root(first)?.map(|root| (root, first));
            }
        }
        self.note(Part::Chunk(ChunkKind::Root, 1), place, found.is_some());
        found.ok_or_else(|| self.error())
    }

    /// By how much the roots lie behind the end of the chunks before them, as the root tells it.
    fn shift(&mut self, root: &Root, place: Place) -> Result<i64> {
        let bytes = self.read(place)?;
        let is_second = bytes.as_deref().and_then(Frame::parse).is_some_and(|(frame, _)| frame.number == 1);
        let first = if is_second { place.offset.saturating_sub(place.len) } else { place.offset };
        let stated = root.chunks_end().max(HEADER.len() as u64);
        let shift = i64::try_from(i128::from(first) - i128::from(stated)).unwrap_or(0);
        let lies = Place { offset: first, len: shift.unsigned_abs() };
        match shift {
            0 => {}
            1.. => self.note(Part::Inserted, lies, false),
            _ => self.note(Part::Missing, lies, false),
        }
        Ok(shift)
    }

    fn parse_root(&self, place: Place) -> Result<Option<Root>> {
        if place.len > ROOT_LIMIT {
            return Ok(None);
        }
        let bytes = self.read(place)?;
        let chunk =
            bytes.as_deref().and_then(Frame::check).filter(|(frame, _)| frame.kind == ChunkKind::Root);
        let raw = chunk.and_then(|(frame, payload)| decode_chunk(&frame, payload, None));
        let has_shown_len = chunk.is_some_and(|(frame, _)| frame.extra.is_some());
        Ok(raw.and_then(|raw| Root::read(&raw, self.len, has_shown_len)))
    }

    /// The root without the help of the footer: the chunk that ends where the footer begins, which may be cut.
    fn search_root(&self) -> Result<Option<Place>> {
        let start = self.len.saturating_sub(ROOT_LIMIT);
        let Some(bytes) = self.read(Place { offset: start, len: self.len - start })? else { return Ok(None) };
        let ends = bytes.len().saturating_sub(FOOTER_LEN + NEAR_END)..=bytes.len();
        // A file full of frames that reach to its end must not be summed up for each of them.
        let mut budget = SEARCH_BUDGET;
        let root = |at: usize| {
            let (frame, len) = Frame::parse(&bytes[at..])?;
            let end = usize::try_from(frame.stored_len).ok()?.checked_add(at + len)?;
            let is_root = frame.kind == ChunkKind::Root && ends.contains(&end) && end - at <= budget;
            if !is_root {
                return None;
            }
            budget -= end - at;
            Frame::check(&bytes[at..end])?;
            Some(Place { offset: start + at as u64, len: (end - at) as u64 })
        };
        Ok((0..bytes.len()).rev().find_map(root))
    }

    fn read(&self, place: Place) -> Result<Option<Vec<u8>>> {
        read_place(self.file, self.len, place).map_err(Error::io(self.path))
    }

    fn note(&mut self, part: Part, Place { offset, len }: Place, is_mended: bool) {
        self.damage.push(Damage { part, offset, len, records: None, is_mended });
    }

    /// The damage that was met last, as an error.
    fn error(&self) -> Error {
        match self.damage.last() {
            Some(damage) => Error::Damaged { path: self.path.into(), damage: damage.clone() },
            None => Error::NotAPack { path: self.path.into(), why: "not a pack" },
        }
    }
}
