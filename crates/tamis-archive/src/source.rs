//! Where archives are, and how their bytes are opened.

mod starts;

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use crate::block_sums::Checked;
use crate::input::Input;
use crate::{Bytes, Door, Error, ExpectedSums, Mode, Reader, Result, Standing};
use starts::Starts;

/// Where an archive is: a file, an entry of a WACZ, standard input, or any store of bytes. Cheap to clone; clones share what
/// is known of it.
#[derive(Clone)]
pub struct Source(Arc<Inner>);

struct Inner {
    place: Place,
    /// Where records begin, as far as somebody had to find out.
    starts: Starts,
}

enum Place {
    File { path: PathBuf, held: Held },
    Part { path: PathBuf, name: String, range: Range<u64>, expected: Option<Arc<ExpectedSums>> },
    Stdin,
    Stored { name: PathBuf, bytes: Arc<dyn Bytes> },
}

/// What a file holds in another format, as long as a reader has it open.
#[derive(Default)]
struct Held {
    door: Door,
    /// What a file is compared with that is an archive itself.
    expected: Option<Arc<ExpectedSums>>,
    open: Mutex<Option<Weak<dyn Bytes>>>,
    /// The length of the archive, once the file was opened: none for a file that is an archive itself.
    len: OnceLock<Option<u64>>,
}

impl Source {
    /// A file that is an archive itself. [`Door::source`] also reads files that hold one in another format.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::through(Door::default(), path.into())
    }

    /// A range of a file: an entry stored in a WACZ, with its name. Offsets count from the start of the range.
    pub fn part(path: impl Into<PathBuf>, name: impl Into<String>, range: Range<u64>) -> Self {
        Self::new(Place::Part { path: path.into(), name: name.into(), range, expected: None })
    }

    /// The same place, but every block of the file is compared with its checksum before it is used. A block that differs is a
    /// fault of each reader that needs it, and what it holds is not read. No effect on a file that holds an archive in another
    /// format.
    #[must_use]
    pub fn checked_by(&self, expected: &Arc<ExpectedSums>) -> Self {
        let expected = Some(expected.clone());
        match &self.0.place {
            Place::File { path, held } => {
                let held = Held { door: held.door.clone(), expected, ..Held::default() };
                Self::new(Place::File { path: path.clone(), held })
            }
            Place::Part { path, name, range, .. } => {
                let (path, name, range) = (path.clone(), name.clone(), range.clone());
                Self::new(Place::Part { path, name, range, expected })
            }
            Place::Stdin | Place::Stored { .. } => self.clone(),
        }
    }

    /// Standard input.
    pub fn stdin() -> Self {
        Self::new(Place::Stdin)
    }

    /// An archive in any store that can be read by range.
    pub fn stored(name: impl Into<PathBuf>, bytes: Arc<dyn Bytes>) -> Self {
        Self::new(Place::Stored { name: name.into(), bytes })
    }

    pub(crate) fn through(door: Door, path: PathBuf) -> Self {
        Self::new(Place::File { path, held: Held { door, ..Held::default() } })
    }

    fn new(place: Place) -> Self {
        Self(Arc::new(Inner { place, starts: Starts::default() }))
    }

    /// The name in messages and indexes.
    pub fn name(&self) -> PathBuf {
        match &self.0.place {
            Place::File { path, .. } | Place::Stored { name: path, .. } => path.clone(),
            Place::Part { path, name, .. } => PathBuf::from(format!("{}#{name}", path.display())),
            Place::Stdin => PathBuf::from("-"),
        }
    }

    /// The file that holds it.
    pub fn path(&self) -> Option<&Path> {
        match &self.0.place {
            Place::File { path, .. } | Place::Part { path, .. } => Some(path),
            Place::Stdin | Place::Stored { .. } => None,
        }
    }

    /// The path of an archive that has a file of its own.
    pub fn own_path(&self) -> Option<&Path> {
        self.entry().is_none().then(|| self.path()).flatten()
    }

    /// The name of the entry of a package.
    pub fn entry(&self) -> Option<&str> {
        match &self.0.place {
            Place::Part { name, .. } => Some(name),
            _ => None,
        }
    }

    /// The file that holds it, and which of its bytes if not all.
    pub(crate) fn file_range(&self) -> Option<(&Path, Option<Range<u64>>)> {
        match &self.0.place {
            Place::File { path, .. } => Some((path, None)),
            Place::Part { path, range, .. } => Some((path, Some(range.clone()))),
            Place::Stdin | Place::Stored { .. } => None,
        }
    }

    /// Whether it is standard input.
    pub fn is_stdin(&self) -> bool {
        matches!(self.0.place, Place::Stdin)
    }

    /// The file's name without its folder, as an index states it.
    pub fn file_name(&self) -> String {
        let base = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match &self.0.place {
            Place::File { path, .. } | Place::Stored { name: path, .. } => base(path),
            Place::Part { name, .. } => base(Path::new(name)),
            Place::Stdin => "-".into(),
        }
    }

    /// The number of stored bytes, if it can be known; of an archive in another format, the number of bytes that readers see.
    pub fn len(&self) -> Option<u64> {
        match &self.0.place {
            Place::File { path, held } => {
                let file = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
                let known = held.len.get().copied();
                // A file that cannot be opened has its own length; the reader reports the error.
                let held = known.or_else(|| held.open(path).ok().map(|bytes| bytes.map(|bytes| bytes.len())));
                Some(held.flatten().unwrap_or(file.len()))
            }
            Place::Part { range, .. } => Some(range.end - range.start),
            Place::Stdin => None,
            Place::Stored { bytes, .. } => Some(bytes.len()),
        }
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The store that holds the archive, if it is not read as a plain file.
    pub fn bytes(&self) -> io::Result<Option<Arc<dyn Bytes>>> {
        match &self.0.place {
            Place::File { path, held } => held.open(path),
            Place::Stored { bytes, .. } => Ok(Some(bytes.clone())),
            Place::Part { path, range, expected: Some(expected), .. } => {
                Ok(Some(Arc::new(Checked::open(path, Some(range.clone()), expected)?)))
            }
            Place::Part { .. } | Place::Stdin => Ok(None),
        }
    }

    /// A reader at its start.
    pub fn open(&self, mode: Mode) -> Result<Reader> {
        if let Some(bytes) = self.bytes().map_err(Error::io(self.name()))? {
            return Ok(Reader::new(self.name(), Input::stored(bytes.for_reader()), mode));
        }
        match &self.0.place {
            Place::File { path, .. } | Place::Stored { name: path, .. } => Reader::open(path, mode),
            Place::Part { path, range, .. } => Reader::open_part(path, range.clone(), mode),
            Place::Stdin => Ok(Reader::from_stream("-", io::stdin().take(u64::MAX), mode)),
        }
    }

    /// A reader at the offset of a record, as an index states it.
    pub fn open_at(&self, offset: u64, mode: Mode) -> Result<Reader> {
        let mut reader = self.open(mode)?;
        reader.seek(offset)?;
        Ok(reader)
    }

    /// A reader of exactly the records that begin in a range of its bytes, and where the first of them is; the offset is
    /// `u64::MAX` if there is none. All ranges of a source together give what one reader of the whole gives.
    ///
    /// In a compressed file the first record is found by looking at the range. Where that cannot be trusted, and in plain
    /// files, in which a record may hold another archive, records are followed from the start of the file: once for all
    /// clones of the source, and only heads are read where records are plain.
    pub fn open_range(&self, range: Range<u64>, mode: Mode) -> Result<(Reader, Standing)> {
        let mut reader = self.open(mode)?;
        if let Some(start) = reader.enter_range_surely(range.clone())? {
            return Ok((reader, start));
        }
        let bytes = self.bytes().map_err(Error::io(self.name()))?;
        let known = bytes.and_then(|bytes| bytes.first_record(range.start));
        let due = match known {
            Some(offset) => Standing::plain_at(offset),
            None => self.0.starts.first_at(range.start, self)?.not_before(range.start),
        };
        let start = match known {
            _ if due.offset() >= range.end => reader.enter_range_without_record(due),
            Some(offset) => reader.enter_plain_record(offset, range.end)?,
            None => reader.enter_range_at(due, range.end)?,
        };
        Ok((reader, start))
    }
}

impl Held {
    fn open(&self, path: &Path) -> io::Result<Option<Arc<dyn Bytes>>> {
        let is_plain = self.door.is_plain() && self.expected.is_none();
        if is_plain || !fs::metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = open.as_ref().and_then(Weak::upgrade) {
            return Ok(Some(bytes));
        }
        let mut bytes = self.door.open(path)?;
        if let (None, Some(expected)) = (&bytes, &self.expected) {
            bytes = Some(Arc::new(Checked::open(path, None, expected)?));
        }
        *open = bytes.as_ref().map(Arc::downgrade);
        self.len.get_or_init(|| bytes.as_ref().map(|bytes| bytes.len()));
        Ok(bytes)
    }
}

/// Sources are equal if they are the same place; two stores are only if they are the same value.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0.place, &other.0.place) {
            (Place::File { path: a, .. }, Place::File { path: b, .. }) => a == b,
            (Place::Part { path: a, range: r, .. }, Place::Part { path: b, range: s, .. }) => {
                a == b && r == s
            }
            (Place::Stdin, Place::Stdin) => true,
            (Place::Stored { bytes: a, .. }, Place::Stored { bytes: b, .. }) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for Source {}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").field(&self.name()).finish()
    }
}
