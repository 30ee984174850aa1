//! Bytes of unknown number, kept in memory up to a limit and in a temporary file beyond it.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

/// Room before the bytes, so that a head can be set before a block without moving the block. Few heads are longer.
const HEAD_ROOM: usize = 4096;

/// How much is read at once where a file is at one end.
const CHUNK: usize = 256 * 1024;

/// Bytes on their way: a block, a compressed record, a stretch of an archive. They are in memory up to a limit, and in
/// an unnamed temporary file beyond it. Used again for each record, it allocates for the largest one alone.
#[derive(Debug)]
pub struct Spool {
    /// [`HEAD_ROOM`] bytes, then what is spooled; the chunk on its way to the file once there is one.
    bytes: Vec<u8>,
    file: Option<File>,
    len: u64,
    limit: usize,
    folder: Option<PathBuf>,
}

impl Spool {
    /// Takes so many bytes in memory. `folder` is where the temporary file goes; none means where the system has such
    /// files.
    pub fn new(limit: usize, folder: Option<PathBuf>) -> Self {
        Self { bytes: vec![0; HEAD_ROOM], file: None, len: 0, limit, folder }
    }

    /// Forgets all bytes and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.resize(HEAD_ROOM, 0);
        self.file = None;
        self.len = 0;
    }

    /// How many bytes it holds.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes, if they are in memory.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.file.is_none().then(|| &self.bytes[HEAD_ROOM..])
    }

    /// The first bytes, at most `most` of them.
    pub fn first(&mut self, most: usize) -> io::Result<Vec<u8>> {
        let mut first = Vec::new();
        self.reader()?.take(most as u64).read_to_end(&mut first)?;
        Ok(first)
    }

    /// Cuts off what is behind this length.
    pub fn truncate(&mut self, len: u64) -> io::Result<()> {
        if len >= self.len {
            return Ok(());
        }
        match &mut self.file {
            Some(file) => {
                file.set_len(len)?;
                file.seek(io::SeekFrom::Start(len))?;
            }
            None => self.bytes.truncate(HEAD_ROOM + len as usize),
        }
        self.len = len;
        Ok(())
    }

    /// Whether so many bytes stay in memory.
    pub(super) fn fits(&self, len: usize) -> bool {
        len <= self.limit
    }

    /// Reads a stream to its end in place of what was there, showing all its bytes to `each` in their order.
    pub fn fill(&mut self, stream: &mut dyn Read, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        self.clear();
        let most = (self.limit as u64).saturating_add(1);
        (&mut *stream).take(most).read_to_end(&mut self.bytes).map_err(|error| reading(&error))?;
        let first = &self.bytes[HEAD_ROOM..];
        self.len = first.len() as u64;
        each(first);
        if first.len() <= self.limit {
            return Ok(());
        }
        let mut file = self.to_file()?;
        loop {
            self.bytes.clear();
            let read = (&mut *stream)
                .take(CHUNK as u64)
                .read_to_end(&mut self.bytes)
                .map_err(|error| reading(&error))?;
            if read == 0 {
                break;
            }
            self.len += read as u64;
            each(&self.bytes);
            file.write_all(&self.bytes)?;
        }
        self.file = Some(file);
        Ok(())
    }

    /// Head, spooled bytes and end as one slice. None if they are in a file.
    pub(super) fn join(&mut self, head: &[u8], end: &[u8]) -> Option<&[u8]> {
        if self.file.is_some() {
            return None;
        }
        let start = if let Some(start) = HEAD_ROOM.checked_sub(head.len()) {
            self.bytes[start..HEAD_ROOM].copy_from_slice(head);
            start
        } else {
            self.bytes.splice(..HEAD_ROOM, head.iter().copied());
            0
        };
        self.bytes.extend_from_slice(end);
        Some(&self.bytes[start..])
    }

    /// The bytes from their beginning. What is written after this goes where reading stopped.
    pub fn reader(&mut self) -> io::Result<Box<dyn Read + '_>> {
        match &mut self.file {
            Some(file) => {
                file.rewind()?;
                Ok(Box::new(file))
            }
            None => Ok(Box::new(&self.bytes[HEAD_ROOM..])),
        }
    }

    fn to_file(&self) -> io::Result<File> {
        let mut file = match &self.folder {
            Some(folder) => tempfile::tempfile_in(folder)?,
            None => tempfile::tempfile()?,
        };
        file.write_all(&self.bytes[HEAD_ROOM..])?;
        Ok(file)
    }
}

/// Bytes go behind those that are there.
impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() && self.bytes.len() - HEAD_ROOM + bytes.len() > self.limit {
            self.file = Some(self.to_file()?);
        }
        match &mut self.file {
            Some(file) => file.write_all(bytes)?,
            None => self.bytes.extend_from_slice(bytes),
        }
        self.len += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Fills as much of `buffer` as the stream has, and says how much that is.
pub(super) fn read_full(stream: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match stream.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Tells a stream that cannot be read from a file that cannot be written.
fn reading(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the block cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(spool: &mut Spool) -> Vec<u8> {
        let mut bytes = Vec::new();
        spool.reader().expect("rewinds").read_to_end(&mut bytes).expect("reads");
        bytes
    }

    #[test]
    fn bytes_come_back_below_at_and_above_the_limit() {
        let mut spool = Spool::new(1000, None);
        for len in [0, 1, 999, 1000, 1001, 5000, CHUNK * 2 + 3, 10] {
            let block: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            let mut seen = Vec::new();
            spool.fill(&mut &block[..], |piece| seen.extend_from_slice(piece)).expect("spools");
            assert_eq!((spool.len(), spool.file.is_some()), (len as u64, len > 1000));
            assert!(seen == block && all(&mut spool) == block, "{len}");
            let joined = spool.join(b"head", b"end").map(<[u8]>::to_vec);
            assert_eq!(joined, (len <= 1000).then(|| [b"head", &block[..], b"end"].concat()), "{len}");
        }
    }

    #[test]
    fn a_head_longer_than_its_room_is_set_before_the_block_too() {
        let mut spool = Spool::new(1000, None);
        for head_len in [0, HEAD_ROOM - 1, HEAD_ROOM, HEAD_ROOM + 1, 3 * HEAD_ROOM, 5] {
            let head = vec![b'h'; head_len];
            spool.fill(&mut &b"block"[..], |_| ()).expect("spools");
            assert_eq!(spool.join(&head, b"end"), Some(&[&head[..], b"blockend"].concat()[..]), "{head_len}");
        }
    }

    #[test]
    fn what_is_written_in_pieces_comes_back() {
        let mut spool = Spool::new(10, None);
        for pieces in [&["abc", "def"][..], &["0123456789", "", "x"], &["0123456789"]] {
            spool.clear();
            for piece in pieces {
                spool.write_all(piece.as_bytes()).expect("spools");
            }
            assert_eq!(all(&mut spool), pieces.concat().as_bytes());
        }
    }
}
