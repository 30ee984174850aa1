//! The bytes of a response: the first of them in memory, the rest of a large one in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;
use std::sync::Arc;

use crate::spares::Spares;

/// Bytes of a response that stay in memory.
pub(super) const MEMORY_BYTES: usize = 256 << 10;

/// Where responses go while they come.
#[derive(Debug)]
pub(crate) struct Spool {
    /// The folder of temporary files.
    pub(crate) folder: PathBuf,
    /// Memory for the first bytes.
    pub(crate) spares: Arc<Spares>,
}

/// A response while it comes.
///
/// Memory: at most [`MEMORY_BYTES`] if there is a folder for temporary files. The file has no name, so that nothing remains of it
/// after a kill.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) memory: Vec<u8>,
    pub(super) rest: Option<Rest>,
    spool: Option<Arc<Spool>>,
}

/// What does not stay in memory.
#[derive(Debug)]
pub(super) struct Rest {
    file: File,
    len: u64,
}

/// Reads a response from some byte to its end.
#[derive(Debug)]
pub struct ResponseReader<'r> {
    memory: &'r [u8],
    rest: Option<io::Take<&'r File>>,
}

impl Received {
    /// Nothing yet. What is beyond [`MEMORY_BYTES`] goes to a file; without a spool all stays in memory.
    pub(super) fn new(spool: Option<Arc<Spool>>) -> Self {
        let memory = spool.as_ref().map_or_else(Vec::new, |spool| spool.spares.take());
        Self { memory, rest: None, spool }
    }

    /// Adds bytes at the end.
    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let fits = self.rest.is_none() && self.memory.len() + bytes.len() <= MEMORY_BYTES;
        match &self.spool {
            Some(spool) if !fits => {
                let rest = match &mut self.rest {
                    Some(rest) => rest,
                    None => self.rest.insert(Rest { file: tempfile::tempfile_in(&spool.folder)?, len: 0 }),
                };
                rest.file.write_all(bytes)?;
                rest.len += bytes.len() as u64;
            }
            _ => self.memory.extend_from_slice(bytes),
        }
        Ok(())
    }

    /// Makes room in memory for so many bytes that are likely to come.
    pub(super) fn reserve(&mut self, bytes: usize) {
        let room = MEMORY_BYTES.saturating_sub(self.memory.len());
        self.memory.reserve(if self.spool.is_some() { bytes.min(room) } else { bytes });
    }

    /// Bytes in all.
    pub(super) fn len(&self) -> usize {
        self.memory.len() + len_of(self.rest.as_ref())
    }

    /// All bytes from one on.
    pub(super) fn reader(&self, from: usize) -> io::Result<ResponseReader<'_>> {
        ResponseReader::new(&self.memory, self.rest.as_ref(), from)
    }

    /// Cuts off what is beyond a length.
    pub(super) fn truncate(&mut self, len: usize) {
        let in_memory = len.min(self.memory.len());
        self.memory.truncate(in_memory);
        self.rest = self.rest.take().filter(|_| len > in_memory);
        if let Some(rest) = &mut self.rest {
            rest.len = rest.len.min((len - in_memory) as u64);
        }
    }
}

/// Bytes of a response that are in its file.
pub(super) fn len_of(rest: Option<&Rest>) -> usize {
    rest.map_or(0, |rest| usize::try_from(rest.len).unwrap_or(usize::MAX))
}

impl<'r> ResponseReader<'r> {
    /// From one of the bytes in memory on. Readers of one response share the position of its file: one at a time.
    pub(super) fn new(memory: &'r [u8], rest: Option<&'r Rest>, from: usize) -> io::Result<Self> {
        let rest = match rest {
            Some(Rest { file, len }) => {
                let mut file = file;
                file.rewind()?;
                Some(file.take(*len))
            }
            None => None,
        };
        Ok(Self { memory: &memory[from.min(memory.len())..], rest })
    }
}

impl Read for ResponseReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if !self.memory.is_empty() {
            return self.memory.read(out);
        }
        self.rest.as_mut().map_or(Ok(0), |rest| rest.read(out))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn received(pieces: &[&[u8]], folder: Option<&Path>) -> Received {
        let spool = folder.map(|folder| Spool { folder: folder.into(), spares: Arc::default() });
        let mut received = Received::new(spool.map(Arc::new));
        for piece in pieces {
            received.push(piece).expect("writes");
        }
        received
    }

    fn all(received: &Received, from: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        received.reader(from).expect("reads").read_to_end(&mut bytes).expect("reads");
        bytes
    }

    #[test]
    fn large_responses_go_to_a_file_without_a_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let bytes: Vec<u8> = (0..3 * MEMORY_BYTES).map(|n| (n * 7 / 13) as u8).collect();
        let pieces: Vec<&[u8]> = bytes.chunks(10_007).collect();
        let (kept, spooled) = (received(&pieces, None), received(&pieces, Some(folder.path())));
        assert!(kept.rest.is_none() && spooled.memory.len() <= MEMORY_BYTES && spooled.rest.is_some());
        assert_eq!(std::fs::read_dir(folder.path()).expect("reads").count(), 0);
        for from in [0, 1, 5_000] {
            assert!(all(&kept, from) == bytes[from..] && all(&spooled, from) == bytes[from..], "{from}");
        }
    }

    #[test]
    fn a_response_is_cut_anywhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let bytes = vec![b'x'; 2 * MEMORY_BYTES];
        for len in [0, 10, MEMORY_BYTES - 1, MEMORY_BYTES, MEMORY_BYTES + 1, bytes.len(), bytes.len() + 9] {
            let mut received = received(&bytes.chunks(1 << 12).collect::<Vec<_>>(), Some(folder.path()));
            received.truncate(len);
            let left = len.min(bytes.len());
            assert_eq!((received.len(), all(&received, 0).len()), (left, left), "{len}");
        }
    }
}
