//! Bytes of a file or a stream behind one window that can grow, go back and skip.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use crate::bytes::{self, Bytes, Hole};

/// Fuzzing has small inputs; windows to match show it what happens at their ends.
pub(crate) const SHRINK: usize = if cfg!(fuzzing) { 16 } else { 1 };

/// The window's usual size. Reading in pieces of this size costs under 1 % of inflating them.
pub(crate) const WINDOW: usize = (2 << 20) / SHRINK;

/// How much is asked for at once: what the processor's cache holds, so that the bytes are still there when they are used.
pub(crate) const READ: usize = (256 << 10) / SHRINK;

/// Below this many unread bytes a refill is worth its move of what is left.
const LOW_WATER: usize = (256 << 10) / SHRINK;

/// A file, a part of one, or a stream, read through a window.
pub(crate) struct Input {
    source: Source,
    buf: Vec<u8>,
    /// Unread bytes are `buf[start..end]`; those before `start` are kept until room is needed.
    start: usize,
    end: usize,
    /// Offset of `buf[0]`, counted from the start of the source.
    base: u64,
    eof: bool,
    /// What keeps the source from being read on behind the window. The window's end is an end until it is passed.
    hole: Option<Hole>,
}

enum Source {
    /// A part of a file: it begins `first` bytes into the file and is `len` bytes long.
    File {
        file: File,
        first: u64,
        len: u64,
    },
    /// A store of another form.
    Stored(Arc<dyn Bytes>),
    Stream(Box<dyn Read + Send>),
}

impl Input {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let meta = file.metadata()?;
        if meta.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Pipes and devices have no length and no offsets.
        if !meta.is_file() {
            return Ok(Self::stream(Box::new(file)));
        }
        Ok(Self::part(file, 0, meta.len()))
    }

    pub(crate) fn open_part(path: &Path, first: u64, len: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(first))?;
        Ok(Self::part(file, first, len))
    }

    pub(crate) fn stored(bytes: Arc<dyn Bytes>) -> Self {
        Self::new(Source::Stored(bytes))
    }

    pub(crate) fn stream(stream: Box<dyn Read + Send>) -> Self {
        Self::new(Source::Stream(stream))
    }

    fn part(file: File, first: u64, len: u64) -> Self {
        Self::new(Source::File { file, first, len })
    }

    fn new(source: Source) -> Self {
        let small = source.len().map_or(WINDOW, |len| len.min(WINDOW as u64) as usize + 1);
        Self { source, buf: vec![0; small], start: 0, end: 0, base: 0, eof: false, hole: None }
    }

    /// The unread bytes at hand.
    pub(crate) fn window(&self) -> &[u8] {
        &self.buf[self.start..self.end]
    }

    /// Offset of the next unread byte.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Whether the window holds all that is left.
    pub(crate) fn at_eof(&self) -> bool {
        self.eof
    }

    /// Damage of a store that reading does not meet.
    pub(crate) fn damage(&self) -> Option<&str> {
        match &self.source {
            Source::Stored(bytes) => bytes.damage(),
            Source::File { .. } | Source::Stream(_) => None,
        }
    }

    /// Where a record ends that the end of its member cut short, where a store knows it.
    pub(crate) fn cut_end(&self, record: u64) -> Option<u64> {
        match &self.source {
            Source::Stored(bytes) => bytes.cut_end(record),
            Source::File { .. } | Source::Stream(_) => None,
        }
    }

    /// The length, where the source has one.
    pub(crate) fn len(&self) -> Option<u64> {
        self.source.len()
    }

    pub(crate) fn consume(&mut self, n: usize) {
        self.start = (self.start + n).min(self.end);
    }

    /// Makes sure that a good stretch of bytes is at hand, unless the end is near.
    pub(crate) fn top_up(&mut self) -> io::Result<()> {
        while !self.eof && self.end - self.start < LOW_WATER {
            self.fill()?;
        }
        Ok(())
    }

    /// Fills the window to its usual size.
    pub(crate) fn fill_window(&mut self) -> io::Result<()> {
        while !self.eof && self.end - self.start < WINDOW {
            self.fill()?;
        }
        Ok(())
    }

    /// Reads more bytes behind the window. False at the end.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        if self.eof {
            return Ok(false);
        }
        // Moving little to stay within the front of the buffer is cheaper than leaving the cache.
        if self.start >= READ && self.end - self.start <= self.start / 4 || self.start == self.end {
            self.move_to_front();
        } else if self.end == self.buf.len() {
            self.make_room();
        }
        let room_end = self.buf.len().min(self.end + READ);
        let room = &mut self.buf[self.end..room_end];
        let n = match &mut self.source {
            Source::File { file, len, .. } => {
                let left = len.saturating_sub(self.base + self.end as u64);
                let room_len = room.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                read_some(file, &mut room[..room_len])?
            }
            Source::Stored(bytes) => match bytes.read_at(self.base + self.end as u64, room) {
                Ok(n) => n,
                Err(error) => {
                    self.hole = Some(Hole::of(&error).cloned().ok_or(error)?);
                    0
                }
            },
            Source::Stream(stream) => read_some(stream, room)?,
        };
        if self.base == 0 && self.end == 0 && matches!(self.source, Source::Stream(_)) {
            bytes::refuse_stream(&self.buf[..n])?;
        }
        self.end += n;
        self.eof = n == 0;
        Ok(n > 0)
    }

    /// Moves what is unread to the front, or doubles the window where that frees too little.
    fn make_room(&mut self) {
        if self.start >= self.buf.len() / 2 || self.buf.len() - (self.end - self.start) >= LOW_WATER {
            self.move_to_front();
        } else {
            self.buf.resize(self.buf.len() * 2, 0);
        }
    }

    fn move_to_front(&mut self) {
        self.buf.copy_within(self.start..self.end, 0);
        self.base += self.start as u64;
        (self.start, self.end) = (0, self.end - self.start);
    }

    /// Goes behind the damaged bytes that the window ends at: where they begin, how many they are, and what is wrong.
    pub(crate) fn pass_hole(&mut self) -> io::Result<Option<(u64, u64, String)>> {
        let Some(Hole { end, what }) = self.hole.take() else { return Ok(None) };
        let start = self.base + self.end as u64;
        let end = end.max(start + 1);
        self.consume(self.end - self.start);
        self.go_to(end)?;
        Ok(Some((start, end - start, what)))
    }

    /// Goes to an offset, back or forth. False, with nothing changed, where the source cannot.
    pub(crate) fn go_to(&mut self, offset: u64) -> io::Result<bool> {
        if offset >= self.base && offset <= self.base + self.end as u64 {
            self.start = (offset - self.base) as usize;
            return Ok(true);
        }
        let Some(len) = self.len() else { return Ok(false) };
        let offset = offset.min(len);
        if let Source::File { file, first, .. } = &mut self.source {
            file.seek(SeekFrom::Start(*first + offset))?;
        }
        (self.base, self.start, self.end, self.eof) = (offset, 0, 0, false);
        self.hole = None;
        Ok(true)
    }

    /// Passes over bytes beyond the window without reading them, where the source can. Returns how many.
    pub(crate) fn skip(&mut self, n: u64) -> io::Result<u64> {
        let before = self.offset();
        match self.len() {
            Some(len) if n > (self.end - self.start) as u64 => {
                self.go_to(before.saturating_add(n).min(len))?;
            }
            _ => self.consume(usize::try_from(n).unwrap_or(usize::MAX)),
        }
        Ok(self.offset() - before)
    }

    /// Reads at an offset without moving, where the source can; an empty result at the end.
    pub(crate) fn read_at<'b>(&self, offset: u64, buf: &'b mut [u8]) -> io::Result<Option<&'b [u8]>> {
        let Some(len) = self.len() else { return Ok(None) };
        let room = buf.len().min(usize::try_from(len.saturating_sub(offset)).unwrap_or(usize::MAX));
        let mut filled = 0;
        while filled < room {
            match self.source.read_at(&mut buf[filled..room], offset + filled as u64) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if Hole::of(&error).is_some() => break,
                Err(error) => return Err(error),
            }
        }
        Ok(Some(&buf[..filled]))
    }
}

impl Source {
    /// The length, where it has one.
    fn len(&self) -> Option<u64> {
        match self {
            Source::File { len, .. } => Some(*len),
            Source::Stored(bytes) => Some(bytes.len()),
            Source::Stream(_) => None,
        }
    }

    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Source::File { file, first, .. } => positioned_read(file, buf, first + offset),
            Source::Stored(bytes) => bytes.read_at(offset, buf),
            Source::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

#[cfg(unix)]
pub(crate) fn positioned_read(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buf, offset)
}

#[cfg(windows)]
pub(crate) fn positioned_read(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    // Moves the file's own position, so it is put back.
    let mut file = file;
    let before = file.stream_position()?;
    let n = std::os::windows::fs::FileExt::seek_read(file, buf, offset);
    file.seek(SeekFrom::Start(before))?;
    n
}

fn read_some(source: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i % 251) as u8).collect()
    }

    #[test]
    fn a_window_grows_and_slides() {
        let bytes = numbers(5 * WINDOW);
        let mut input = Input::stream(Box::new(io::Cursor::new(bytes.clone())));
        input.consume(0);
        while input.window().len() < 3 * WINDOW {
            assert!(input.fill().unwrap());
        }
        assert_eq!(input.window()[..10], bytes[..10]);
        input.consume(3 * WINDOW - 7);
        assert_eq!(input.offset(), 3 * WINDOW as u64 - 7);
        while input.fill().unwrap() {}
        assert_eq!(input.window(), &bytes[3 * WINDOW - 7..]);
    }

    struct Lent(Vec<u8>);

    impl Bytes for Lent {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize> {
            let rest = &self.0[usize::try_from(offset).expect("is small").min(self.0.len())..];
            // Blocks end where they end.
            let len = rest.len().min(room.len()).min(1000);
            room[..len].copy_from_slice(&rest[..len]);
            Ok(len)
        }

        fn for_reader(self: Arc<Self>) -> Arc<dyn Bytes> {
            self
        }
    }

    #[test]
    fn what_is_held_in_another_form_is_read_like_a_file() {
        let bytes = numbers(3 * WINDOW);
        let mut input = Input::stored(Arc::new(Lent(bytes.clone())));
        assert_eq!(input.len(), Some(bytes.len() as u64));
        input.top_up().unwrap();
        assert_eq!(input.skip(2 * WINDOW as u64).unwrap(), 2 * WINDOW as u64);
        input.top_up().unwrap();
        assert_eq!(input.window()[..5], bytes[2 * WINDOW..2 * WINDOW + 5]);
        assert!(input.go_to(3).unwrap());
        let mut buf = [0; 2000];
        let read = input.read_at(3 * WINDOW as u64 - 1500, &mut buf).unwrap();
        assert_eq!(read, Some(&bytes[3 * WINDOW - 1500..]));
        while input.fill().unwrap() {}
        assert_eq!(input.window(), &bytes[3..]);
    }

    #[test]
    fn a_file_can_go_back_and_skip() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let bytes = numbers(3 * WINDOW);
        io::Write::write_all(&mut file, &bytes).unwrap();
        let mut input = Input::open(file.path()).unwrap();
        input.top_up().unwrap();
        assert_eq!(input.skip(2 * WINDOW as u64).unwrap(), 2 * WINDOW as u64);
        input.top_up().unwrap();
        assert_eq!(input.window()[..5], bytes[2 * WINDOW..2 * WINDOW + 5]);
        assert!(input.go_to(3).unwrap());
        input.top_up().unwrap();
        assert_eq!(input.window()[0], bytes[3]);
        let mut buf = [0; 4];
        let tail = input.read_at(3 * WINDOW as u64 - 2, &mut buf).unwrap();
        assert_eq!(tail, Some(&bytes[3 * WINDOW - 2..]));
        assert_eq!(input.skip(u64::MAX).unwrap(), 3 * WINDOW as u64 - 3);
        assert!(!input.fill().unwrap());
    }
}
