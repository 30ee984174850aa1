//! A pack as the archive that readers find in it: its content, plain, in the order of the pack.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use tamis_archive::Held;

use super::Pack;

/// The content of a pack.
struct Content(Pack);

impl Held for Content {
    fn len(&self) -> u64 {
        self.0.facts().content_len
    }

    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
        if offset >= self.len() || room.is_empty() {
            return Ok(0);
        }
        let (number, entry, start) = self.0.block_at(offset).map_err(io::Error::other)?;
        let block = self.0.block(number, &entry).map_err(io::Error::other)?;
        let rest = &block[(offset - start) as usize..];
        let len = rest.len().min(room.len());
        room[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }
}

/// Opens the archive that a pack holds, for [`tamis_archive::open_held_by`]; none for a file that is no pack.
pub fn open_held(path: &Path) -> io::Result<Option<Arc<dyn Held>>> {
    let mut start = Vec::new();
    File::open(path)?.take(16).read_to_end(&mut start)?;
    if !Pack::is_pack(&start) {
        return Ok(None);
    }
    let pack = Pack::open(path).map_err(io::Error::other)?;
    Ok(Some(Arc::new(Content(pack))))
}
