//! The original file made again: content in its order, and members as they were.

use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use tamis_files::part_file;
use xxhash_rust::xxh3::Xxh3;

use super::chunk::ChunkKind;
use super::coding::{Coding, MEMBER_LIMIT, Remaker};
use super::damage::Part;
use super::gzip_header::trailer;
use super::large::PieceDeflater;
use super::open::Pack;
use super::pages::{BlockEntry, MemberEntry, PAGE};
use super::profile::MAX_BLOCK;
use super::records::Stretch;
use super::scatter::Scatter;
use super::write::sync_folder;
use super::zstd_frame::{dictionary_of, skippable_len};
use super::{Error, Result};
use tamis_files::parallel;

/// Members that are made side by side: so many, and about so many bytes.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 16 << 20;

/// So many blocks for each thread are decompressed between two writes.
const GROUP: usize = 4;

/// The most parts that content is put in order by.
const MOST_PARTS: u64 = 512;

/// How to restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreOptions {
    /// How many threads work.
    pub jobs: NonZero<usize>,
    /// The most content that is held in memory at once; more goes to unnamed files.
    pub memory_bytes: u64,
    /// The folder of those files.
    pub folder: PathBuf,
}

impl RestoreOptions {
    /// One thread, 256 MiB, files in `folder`.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { jobs: NonZero::<usize>::MIN, memory_bytes: 256 << 20, folder: folder.into() }
    }
}

impl Pack {
    /// Writes the original file, every byte of it, and checks its hash at the end.
    ///
    /// Memory: [`RestoreOptions::memory_bytes`], 24 bytes a record, 80 MiB, and 16 MiB for each of the jobs (`archive`: a block, too).
    pub fn restore(&self, out: &mut dyn Write, options: &RestoreOptions) -> Result<()> {
        let needs_preflate = |coding: &Coding| matches!(coding, Coding::GzipGuessed { .. });
        if cfg!(not(feature = "preflate")) && self.root.palette.iter().any(needs_preflate) {
            return Err(Error::NeedsPreflate { path: self.path().into() });
        }
        let content = self.content_in_order(options)?;
        let mut rebuilder = Rebuilder::new(self, out, options.jobs);
        for part in content.into_parts() {
            rebuilder.push(&part.map_err(Error::io(&options.folder))?)?;
        }
        rebuilder.finish()
    }

    /// Restores into a file, which has its name when it is whole.
    pub fn unpack(&self, path: impl AsRef<Path>, options: &RestoreOptions) -> Result<()> {
        let path = path.as_ref();
        let mut file = part_file(path).map_err(Error::io(path))?;
        let mut out = io::BufWriter::with_capacity(1 << 20, file.as_file_mut());
        self.restore(&mut out, options)?;
        out.flush().map_err(Error::io(path))?;
        drop(out);
        file.as_file().sync_all().map_err(Error::io(path))?;
        file.persist(path).map_err(|error| Error::io(path)(error.error))?;
        sync_folder(path);
        Ok(())
    }

    /// The content, brought back to the order of the original file.
    fn content_in_order(&self, options: &RestoreOptions) -> Result<Scatter> {
        let units = self.units_in_pack_order()?;
        let len = self.root.content_len;
        self.check_block_lens(len)?;
        // More parts than this are more open files than a process may have.
        let step = options.memory_bytes.max(1 << 10).max(len / MOST_PARTS + 1);
        let mut ends: Vec<u64> = (1..len.div_ceil(step)).map(|part| part * step).collect();
        ends.extend((len > 0).then_some(len));
        let mut scatter = Scatter::new(ends, &options.folder);
        let (mut units, mut inside) = (units.into_iter().peekable(), 0);
        self.each_block(options.jobs, |mut bytes| {
            while !bytes.is_empty() {
                let Some(unit) = units.peek() else { break };
                let (now, later) = bytes.split_at(bytes.len().min((unit.len - inside) as usize));
                scatter.put(unit.content + inside, now).map_err(Error::io(&options.folder))?;
                inside += now.len() as u64;
                bytes = later;
                if inside == unit.len {
                    inside = 0;
                    units.next();
                }
            }
            Ok(())
        })?;
        match units.peek() {
            None => Ok(scatter),
            Some(_) => Err(Error::NotRestored { path: self.path().into(), offset: self.root.file_len }),
        }
    }

    fn units_in_pack_order(&self) -> Result<Vec<UnitPlace>> {
        let mut units = Vec::new();
        let mut content = 0_u64;
        for page in 0..self.root.originals.len() {
            for entry in self.original_page(page)?.iter() {
                units.push(UnitPlace { packed: entry.packed, content, len: entry.len });
                content = content.checked_add(entry.len).ok_or_else(|| self.broken_page(page))?;
            }
        }
        if content != self.root.content_len {
            return Err(self.broken_page(0));
        }
        units.sort_unstable_by_key(|unit| unit.packed);
        Ok(units)
    }

    /// Whether there are blocks for all of the content, and none that no block may be.
    fn check_block_lens(&self, content_len: u64) -> Result<()> {
        let mut sum = 0_u64;
        for page in 0..self.root.blocks.len() {
            let lens = self.block_page(page)?;
            sum = lens
                .iter()
                .fold(sum, |sum, block| sum.saturating_add(block.raw_len.min(MAX_BLOCK as u64 + 1)));
        }
        let not_restored = || Error::NotRestored { path: self.path().into(), offset: self.root.file_len };
        (sum == content_len).then_some(()).ok_or_else(not_restored)
    }

    fn broken_page(&self, page: usize) -> Error {
        let place = self.root.originals.get(page).map(|page| page.place).unwrap_or_default();
        self.damaged(Part::Chunk(ChunkKind::OriginalPage, page as u64), place)
    }

    /// Gives all blocks in their order.
    fn each_block(&self, jobs: NonZero<usize>, mut give: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut states = vec![(); jobs.get()];
        for page in 0..self.root.blocks.len() {
            let entries = self.block_page(page)?;
            let numbered: Vec<(u64, BlockEntry)> =
                (page as u64 * PAGE as u64..).zip(entries.iter().copied()).collect();
            // Large blocks go one a thread, so that memory has a bound.
            let is_large = entries.iter().any(|entry| entry.raw_len > 4 << 20);
            let group = if is_large { jobs.get() } else { GROUP * jobs.get() };
            for group in numbered.chunks(group) {
                let read = |(): &mut (), _: usize, (number, entry): &(u64, BlockEntry)| {
                    self.read_block(*number, entry)
                };
                for block in parallel::map(&mut states, group, read) {
                    give(&block?)?;
                }
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy)]
struct UnitPlace {
    packed: u64,
    content: u64,
    len: u64,
}

/// A member whose content is complete.
struct Ready {
    coding: u32,
    content: Vec<u8>,
    side: Vec<u8>,
    file_len: u64,
}

/// A member that is made while its content goes by.
struct LargeMember {
    /// None if the member is kept as it is.
    deflater: Option<PieceDeflater>,
    header_len: u64,
    crc: crc32fast::Hasher,
    content_len: u64,
    made_len: u64,
}

impl LargeMember {
    /// None for codings whose members are never large.
    fn new(coding: &Coding, header_len: u64) -> Option<Self> {
        let deflater = match coding {
            Coding::Kept => None,
            Coding::Gzip { encoder, .. } => Some(PieceDeflater::new(*encoder)?),
            _ => return None,
        };
        Some(Self { deflater, header_len, crc: crc32fast::Hasher::new(), content_len: 0, made_len: 0 })
    }

    /// Takes content, none of it for the end, and adds what is made of it.
    fn take(&mut self, content: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let Some(deflater) = &mut self.deflater else { return Some(()) };
        self.crc.update(content);
        self.content_len += content.len() as u64;
        let before = out.len();
        let is_made = deflater.push(content, &mut |bytes| {
            out.extend_from_slice(bytes);
            true
        });
        self.made_len += (out.len() - before) as u64;
        is_made.map(drop)
    }

    /// Adds the end of the member, and gives how long all of it is.
    fn finish(mut self, side: &[u8], out: &mut Vec<u8>) -> Option<u64> {
        if self.deflater.is_none() {
            out.extend_from_slice(side);
            return Some(side.len() as u64);
        }
        self.take(&[], out)?;
        let trailer = trailer(self.crc.finalize(), self.content_len);
        out.extend_from_slice(&trailer);
        Some(self.header_len + self.made_len + trailer.len() as u64)
    }
}

/// Takes content in the order of the original file and writes that.
struct Rebuilder<'a> {
    pack: &'a Pack,
    out: &'a mut dyn Write,
    hash: Xxh3,
    written: u64,
    remakers: Vec<Remaker>,
    members: Members<'a>,
    /// The member that content is taken for, and how much of it is there.
    current: Option<(MemberEntry, Vec<u8>)>,
    content: Vec<u8>,
    /// The member at work, if its content is too large for memory.
    large: Option<LargeMember>,
    taken: u64,
    batch: Vec<Ready>,
    batch_bytes: usize,
}

impl<'a> Rebuilder<'a> {
    fn new(pack: &'a Pack, out: &'a mut dyn Write, jobs: NonZero<usize>) -> Self {
        Self {
            pack,
            out,
            hash: Xxh3::new(),
            written: 0,
            remakers: (0..jobs.get()).map(|_| Remaker::default()).collect(),
            members: Members { pack, page: 0, at: 0, sides: Vec::new(), side_at: 0 },
            current: None,
            content: Vec::new(),
            large: None,
            taken: 0,
            batch: Vec::new(),
            batch_bytes: 0,
        }
    }

    fn push(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            if self.current.is_none() {
                self.begin_member()?;
            }
            let Some((member, _)) = &self.current else { return Err(self.not_restored()) };
            let stretch = member.stretch;
            let left = (stretch.content_len - self.taken).min(bytes.len() as u64) as usize;
            let (now, later) = bytes.split_at(left);
            self.take_content(stretch, now)?;
            bytes = later;
        }
        Ok(())
    }

    fn take_content(&mut self, stretch: Stretch, bytes: &[u8]) -> Result<()> {
        if self.pack.coding(stretch.coding) == Some(&Coding::Plain) {
            self.note_dictionary(stretch, bytes);
            self.write(bytes)?;
        } else if let Some(large) = &mut self.large {
            let mut made = Vec::new();
            let is_made = large.take(bytes, &mut made);
            self.write(&made)?;
            is_made.ok_or_else(|| self.not_restored())?;
        } else {
            self.content.extend_from_slice(bytes);
        }
        self.taken += bytes.len() as u64;
        if self.taken == stretch.content_len { self.end_member() } else { Ok(()) }
    }

    /// Goes on to the next member; those without content are over at once.
    fn begin_member(&mut self) -> Result<()> {
        while self.current.is_none()
            && let Some((member, side)) = self.members.next()?
        {
            let coding = self.pack.coding(member.stretch.coding).ok_or_else(|| self.not_restored())?;
            let is_plain = *coding == Coding::Plain;
            if is_plain {
                self.flush()?;
            } else if member.stretch.content_len > MEMBER_LIMIT as u64 {
                self.flush()?;
                let (header, _) = coding.header(&side).ok_or_else(|| self.not_restored())?;
                let header = header.to_vec();
                self.large =
                    Some(LargeMember::new(coding, header.len() as u64).ok_or_else(|| self.not_restored())?);
                self.write(&header)?;
            }
            self.taken = 0;
            self.current = Some((member, side));
            if member.stretch.content_len == 0 {
                self.end_member()?;
            }
        }
        Ok(())
    }

    fn end_member(&mut self) -> Result<()> {
        let Some((MemberEntry { stretch, .. }, side)) = self.current.take() else { return Ok(()) };
        if self.pack.coding(stretch.coding) == Some(&Coding::Plain) {
            return Ok(());
        }
        if let Some(large) = self.large.take() {
            return self.end_large(large, &side, stretch.file_len);
        }
        let content = std::mem::take(&mut self.content);
        self.batch_bytes += content.len();
        self.batch.push(Ready { coding: stretch.coding, content, side, file_len: stretch.file_len });
        if self.batch.len() >= BATCH || self.batch_bytes >= BATCH_BYTES { self.flush() } else { Ok(()) }
    }

    fn end_large(&mut self, large: LargeMember, side: &[u8], file_len: u64) -> Result<()> {
        let mut made = Vec::new();
        let written = large.finish(side, &mut made).ok_or_else(|| self.not_restored())?;
        self.write(&made)?;
        if written == file_len { Ok(()) } else { Err(self.not_restored()) }
    }

    /// Makes the members that wait, and writes them.
    fn flush(&mut self) -> Result<()> {
        let batch = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        let palette = &self.pack.root.palette;
        let made = parallel::map(&mut self.remakers, &batch, |remaker, _, ready| {
            let mut out =
                Vec::with_capacity(ready.file_len.min(2 * ready.content.len() as u64 + 100) as usize);
            let coding = palette.get(ready.coding as usize)?;
            remaker.remake(coding, &ready.content, &ready.side, &mut out)?;
            (out.len() as u64 == ready.file_len).then_some(out)
        });
        for member in made {
            let member = member.ok_or_else(|| self.not_restored())?;
            self.write(&member)?;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.hash.update(bytes);
        self.written += bytes.len() as u64;
        self.out.write_all(bytes).map_err(Error::io("-"))
    }

    /// The first stretch may be the dictionary of all frames behind it.
    fn note_dictionary(&mut self, stretch: Stretch, bytes: &[u8]) {
        if self.written > 0 || self.taken > 0 {
            return;
        }
        let frame = skippable_len(bytes).and_then(|len| bytes.get(..usize::try_from(len).ok()?));
        let dictionary = frame.filter(|_| stretch.content_len <= bytes.len() as u64).and_then(dictionary_of);
        for remaker in &mut self.remakers {
            remaker.set_dictionary(dictionary.clone());
        }
    }

    fn finish(mut self) -> Result<()> {
        // Members without content may stand at the end.
        self.begin_member()?;
        if self.current.is_some() {
            return Err(self.not_restored());
        }
        self.flush()?;
        self.out.flush().map_err(Error::io("-"))?;
        let root = &self.pack.root;
        if self.written == root.file_len && self.hash.digest128() == root.file_hash {
            Ok(())
        } else {
            Err(self.not_restored())
        }
    }

    fn not_restored(&self) -> Error {
        Error::NotRestored { path: self.pack.path().into(), offset: self.written }
    }
}

/// The members of the original file and what is stored beside them.
struct Members<'a> {
    pack: &'a Pack,
    page: usize,
    at: usize,
    sides: Vec<u8>,
    side_at: usize,
}

impl Members<'_> {
    fn next(&mut self) -> Result<Option<(MemberEntry, Vec<u8>)>> {
        let Some(place) = self.pack.root.members.get(self.page) else { return Ok(None) };
        let entries = self.pack.member_page(self.page)?;
        if self.at == 0 {
            self.side_at = 0;
            self.sides = match place.side.len {
                0 => Vec::new(),
                _ => self.pack.chunk((ChunkKind::SidePage, self.page as u64), place.side)?,
            };
        }
        let entry = entries[self.at];
        let end = self.side_at.saturating_add(usize::try_from(entry.side_len).unwrap_or(usize::MAX));
        let damaged = || self.pack.damaged(Part::Chunk(ChunkKind::SidePage, self.page as u64), place.side);
        let side = self.sides.get(self.side_at..end).ok_or_else(damaged)?.to_vec();
        self.side_at = end;
        self.at += 1;
        if self.at == entries.len() {
            (self.page, self.at) = (self.page + 1, 0);
        }
        Ok(Some((entry, side)))
    }
}
