//! A pack as the archive that readers find in it: its content, plain, in the order of the pack.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tamis_archive::{Bytes, Hole, KeyedRecords};

use super::chunk::{ChunkKind, FOOTER_LEN, is_like};
use super::damage::Part;
use super::{Error, Pack, Result};

/// So much is unpacked behind a place: a reader asks for a page in small pieces, and few pages are longer.
const READ_AHEAD: usize = 256 << 10;

/// The content of a pack.
pub(super) struct Content {
    pack: Pack,
    /// Damage of the pack that no hole shows: that it was cut short, or damage by which nothing is lost.
    damage: Option<String>,
}

impl Content {
    fn readable_len(&self) -> u64 {
        self.pack.root.shown_len
    }

    /// What is missing from an offset on, and where the content goes on: behind the block, or behind all blocks of a page that
    /// does not say where they are.
    fn hole(&self, offset: u64, error: Error) -> io::Error {
        let Error::Damaged { damage, .. } = error else { return plain(error) };
        let Ok((number, entry, start)) = self.pack.block_at(offset) else {
            let pages = &self.pack.root.blocks;
            let next = pages.iter().map(|page| page.first).find(|&first| first > offset);
            return Hole { end: next.unwrap_or(self.readable_len()), what: damage.to_string() }.into_error();
        };
        let what = match damage.part {
            Part::Chunk(ChunkKind::Block, _) => damage.to_string(),
            _ => format!("block {} at offset {}: {damage}", self.pack.block_number(number), entry.offset),
        };
        Hole { end: start.saturating_add(entry.raw_len), what }.into_error()
    }
}

/// A block of the content by its number, as far as it is unpacked.
type Unpacked = (u64, Arc<Vec<u8>>);

impl Content {
    /// Reads from an offset on, given the block that was read last. Gives the block that was read now.
    fn read(&self, last: Option<Unpacked>, offset: u64, room: &mut [u8]) -> Result<(usize, Unpacked)> {
        let (number, entry, start) = self.pack.block_at(offset)?;
        let shown = self.readable_len().saturating_sub(offset);
        let room_len = room.len().min(usize::try_from(shown).unwrap_or(usize::MAX));
        let room = &mut room[..room_len];
        let inside = (offset - start) as usize;
        let wanted = inside.saturating_add(room.len().max(READ_AHEAD)).min(entry.raw_len as usize);
        let block = match last {
            Some((known, block)) if known == number && block.len() >= wanted => block,
            // Whoever wants more of a block, or comes from the one before, goes over all of the pack.
            Some((known, _)) if known == number || known.checked_add(1) == Some(number) => {
                self.pack.whole_block(number, &entry)?
            }
            _ => self.pack.block(number, &entry, wanted)?,
        };
        let rest = block.get(inside..).unwrap_or_default();
        let len = rest.len().min(room.len());
        room[..len].copy_from_slice(&rest[..len]);
        Ok((len, (number, block)))
    }
}

impl Bytes for Content {
    fn len(&self) -> u64 {
        self.readable_len()
    }

    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        if offset >= self.readable_len() || room.is_empty() {
            return Ok(0);
        }
        Ok(self.read(None, offset, room).map_err(|error| self.hole(offset, error))?.0)
    }

    fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes> {
        Arc::new(Reading { content: self, block: Mutex::new(None) })
    }

    fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    fn first_record(&self, from: u64) -> Option<u64> {
        self.pack.first_record(from)
    }

    fn records_of(&self, keys: Range<&[u8]>) -> Option<KeyedRecords<'_>> {
        let unindexed = self.pack.after_records().ok()?;
        let starts = self.pack.starts_of(keys)?;
        Some(KeyedRecords { offsets: Box::new(starts.map(|start| start.map_err(plain))), unindexed })
    }

    fn records_at_original(&self, offset: u64) -> Option<io::Result<Vec<u64>>> {
        let records = self.pack.by_offset(offset).map_err(plain);
        Some(records.map(|records| records.iter().map(|record| record.start).collect()))
    }

    fn cut_end(&self, record: u64) -> Option<u64> {
        self.pack.cut_end(record)
    }
}

/// The content as one reader sees it, with the block that it reads: other readers cannot push that block out of a cache.
struct Reading {
    content: Arc<Content>,
    block: Mutex<Option<Unpacked>>,
}

impl Bytes for Reading {
    fn len(&self) -> u64 {
        self.content.len()
    }

    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        if offset >= self.len() || room.is_empty() {
            return Ok(0);
        }
        let lock = || self.block.lock().unwrap_or_else(PoisonError::into_inner);
        let last = lock().take();
        let read = self.content.read(last, offset, room);
        let (len, block) = read.map_err(|error| self.content.hole(offset, error))?;
        *lock() = Some(block);
        Ok(len)
    }

    fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes> {
        self.content.clone().for_reader()
    }

    fn damage(&self) -> Option<&str> {
        self.content.damage()
    }

    fn first_record(&self, from: u64) -> Option<u64> {
        self.content.first_record(from)
    }

    fn records_of(&self, keys: Range<&[u8]>) -> Option<KeyedRecords<'_>> {
        self.content.records_of(keys)
    }

    fn records_at_original(&self, offset: u64) -> Option<io::Result<Vec<u64>>> {
        self.content.records_at_original(offset)
    }

    fn cut_end(&self, record: u64) -> Option<u64> {
        self.content.cut_end(record)
    }
}

/// Opens the archive that a pack holds, for a [`tamis_archive::Door`]; none for a file that is no pack.
///
/// Damaged blocks are holes in it. Of a pack that was cut short all blocks before the cut can be read. Readers of one
/// [`tamis_archive::Source`] share the pack and its memory, but for the block they read.
pub fn open_bytes(path: &Path) -> io::Result<Option<Arc<dyn Bytes>>> {
    Ok(open_content(path)?.map(|content| Arc::new(content) as Arc<dyn Bytes>))
}

fn open_content(path: &Path) -> io::Result<Option<Content>> {
    if !looks_like_a_pack(path)? {
        return Ok(None);
    }
    Ok(Some(match Pack::open(path) {
        Ok(pack) => {
            let damage = pack.outer_damage().map_err(plain)?;
            let damage = damage.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            Content { pack, damage: (!damage.is_empty()).then_some(damage) }
        }
        Err(error @ Error::Damaged { .. }) => {
            let Some((pack, what)) = Pack::salvage(path).map_err(plain)? else { return Err(plain(error)) };
            Content { pack, damage: Some(what) }
        }
        Err(error) => return Err(plain(error)),
    }))
}

/// By its first and last bytes, of which some may be damaged.
fn looks_like_a_pack(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let (mut start, mut end) = (Vec::new(), Vec::new());
    (&mut file).take(16).read_to_end(&mut start)?;
    let len = file.metadata()?.len();
    file.seek(SeekFrom::Start(len.saturating_sub(FOOTER_LEN as u64)))?;
    file.take(FOOTER_LEN as u64).read_to_end(&mut end)?;
    Ok(is_like(&start, &end))
}

/// An error without the name of the file, which whoever asked says.
fn plain(error: Error) -> io::Error {
    match error {
        Error::Io { source, .. } => source,
        Error::Damaged { damage, .. } => io::Error::other(format!("damaged pack: {damage}")),
        Error::NotAPack { why, .. } => io::Error::other(why),
        other => io::Error::other(other),
    }
}
