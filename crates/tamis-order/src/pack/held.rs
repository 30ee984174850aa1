//! A pack as the archive that readers find in it: its content, plain, in the order of the pack.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use tamis_archive::{Held, Hole};

use super::chunk::{ChunkKind, FOOTER_LEN, is_like};
use super::damage::Part;
use super::{Error, Pack, Result};

/// So much is unpacked behind a place: a reader asks for a page in small pieces, and few pages are longer.
const READ_AHEAD: usize = 256 << 10;

/// The content of a pack.
pub(super) struct Content {
    pack: Pack,
    /// What is wrong with the pack that no record tells: that it was cut short, or damage by which nothing is lost.
    told: Option<String>,
}

impl Content {
    fn content_len(&self) -> u64 {
        self.pack.facts().content_len
    }

    /// What is missing from an offset on, and where the content goes on: behind the block, or behind all blocks of a page that
    /// does not say where they are.
    fn hole(&self, offset: u64, error: Error) -> io::Error {
        let Error::Damaged { damage, .. } = error else { return plain(error) };
        let Ok((number, entry, start)) = self.pack.block_at(offset) else {
            let pages = &self.pack.root.blocks;
            let next = pages.iter().map(|page| page.first).find(|&first| first > offset);
            return Hole { end: next.unwrap_or(self.content_len()), what: damage.to_string() }.into_error();
        };
        let what = match damage.part {
            Part::Chunk(ChunkKind::Block, _) => damage.to_string(),
            _ => format!("block {number} at offset {}: {damage}", entry.offset),
        };
        Hole { end: start.saturating_add(entry.raw_len), what }.into_error()
    }
}

/// Somebody who reads the content of a pack, and the block they are in: however many read a pack, none has to unpack a block again that others pushed out.
struct Reading {
    content: Arc<Content>,
    block: Mutex<Option<(u64, Arc<Vec<u8>>)>>,
}

impl Reading {
    fn of(content: Arc<Content>) -> Arc<dyn Held> {
        Arc::new(Self { content, block: Mutex::new(None) })
    }

    fn read(&self, offset: u64, room: &mut [u8]) -> Result<usize> {
        let pack = &self.content.pack;
        let (number, entry, start) = pack.block_at(offset)?;
        let inside = (offset - start) as usize;
        let wanted = inside.saturating_add(room.len().max(READ_AHEAD)).min(entry.raw_len as usize);
        let lock = || self.block.lock().unwrap_or_else(PoisonError::into_inner);
        let last = lock().take();
        let block = match last {
            Some((known, block)) if known == number && block.len() >= wanted => block,
            // Whoever wants more of a block, or comes from the one before, goes over all of the pack.
            Some((known, _)) if known == number || known.checked_add(1) == Some(number) => {
                pack.whole_block(number, &entry)?
            }
            _ => pack.block(number, &entry, wanted)?,
        };
        let rest = block.get(inside..).unwrap_or_default();
        let len = rest.len().min(room.len());
        room[..len].copy_from_slice(&rest[..len]);
        *lock() = Some((number, block));
        Ok(len)
    }
}

impl Held for Reading {
    /// What is to be told counts as one byte, so that readers meet it.
    fn len(&self) -> u64 {
        self.content.content_len().saturating_add(self.content.told.is_some().into())
    }

    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        if offset >= self.len() || room.is_empty() {
            return Ok(0);
        }
        match &self.content.told {
            Some(what) if offset >= self.content.content_len() => {
                Err(Hole { end: self.len(), what: what.clone() }.into_error())
            }
            _ => self.read(offset, room).map_err(|error| self.content.hole(offset, error)),
        }
    }
}

/// Packs that are open now. Threads read ranges of a pack and open it for each: its tables and dictionaries are read once for all of them.
static OPEN: Mutex<Vec<(Identity, Weak<Content>)>> = Mutex::new(Vec::new());

/// Opens the archive that a pack holds, for [`tamis_archive::open_held_by`]; none for a file that is no pack.
///
/// Damaged blocks are holes in it. Of a pack that was cut short all blocks before the cut are there. Whoever opens a pack that is open already shares
/// it, and the memory that it takes, but for the block they read.
pub fn open_held(path: &Path) -> io::Result<Option<Arc<dyn Held>>> {
    Ok(shared(path)?.map(Reading::of))
}

/// The content of a pack, which is opened if it is not.
pub(super) fn shared(path: &Path) -> io::Result<Option<Arc<Content>>> {
    let identity = Identity::of(path)?;
    let lock = || OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let find = |open: &[(Identity, Weak<Content>)]| {
        open.iter().filter(|(known, _)| *known == identity).find_map(|(_, content)| content.upgrade())
    };
    if let Some(content) = find(&lock()) {
        return Ok(Some(content));
    }
    // Opened without the lock: others may be slow to open.
    let Some(content) = open_content(path)?.map(Arc::new) else { return Ok(None) };
    // A file that took its place meanwhile is not shared under its name.
    if Identity::of(path)? == identity {
        let mut open = lock();
        if let Some(content) = find(&open) {
            return Ok(Some(content));
        }
        open.retain(|(_, content)| content.strong_count() > 0);
        open.push((identity, Arc::downgrade(&content)));
    }
    Ok(Some(content))
}

fn open_content(path: &Path) -> io::Result<Option<Content>> {
    if !looks_like_a_pack(path)? {
        return Ok(None);
    }
    Ok(Some(match Pack::open(path) {
        Ok(pack) => {
            let damage = pack.outer_damage().map_err(plain)?;
            let told = damage.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            Content { pack, told: (!told.is_empty()).then_some(told) }
        }
        Err(error @ Error::Damaged { .. }) => {
            let Some((pack, what)) = Pack::salvage(path).map_err(plain)? else { return Err(plain(error)) };
            Content { pack, told: Some(what) }
        }
        Err(error) => return Err(plain(error)),
    }))
}

/// What tells a file from all others, and from itself after it was written to.
#[derive(PartialEq, Eq)]
struct Identity {
    file: FileId,
    len: u64,
    modified: Option<SystemTime>,
}

/// Device and number: while a file is open, no other has them.
#[cfg(unix)]
type FileId = (u64, u64);
#[cfg(not(unix))]
type FileId = std::path::PathBuf;

impl Identity {
    fn of(path: &Path) -> io::Result<Self> {
        let meta = std::fs::metadata(path)?;
        #[cfg(unix)]
        let file = {
            use std::os::unix::fs::MetadataExt;
            (meta.dev(), meta.ino())
        };
        #[cfg(not(unix))]
        let file = path.canonicalize()?;
        Ok(Self { file, len: meta.len(), modified: meta.modified().ok() })
    }
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
