//! Files that hold an archive in another form: whoever knows the form lends the archive's bytes.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::{error, fmt, io};

/// How a pack begins. Its form is known above this crate; that it cannot be read from a stream is told here.
pub const PACK_MAGIC: [u8; 14] = *b"\x93tamis\rpack\n\x1a\0";

/// The bytes of an archive that a file holds in another form, at any offset.
pub trait Held: Send + Sync {
    /// How many there are.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads some from an offset on; none at the end. Where bytes are damaged the error is a [`Hole`]
    /// ([`Hole::into_error`]): what lies behind it can be read.
    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize>;
}

/// Bytes of an archive that cannot be had, since the part of the file that holds them is damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// Where the archive goes on.
    pub end: u64,
    /// Which part of the file it is, where, and what is wrong with it.
    pub what: String,
}

impl Hole {
    /// The hole as what [`Held::read_at`] gives.
    pub fn into_error(self) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, self)
    }

    /// The hole that an error is.
    pub(crate) fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for Hole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl error::Error for Hole {}

/// Opens what a file holds; none for a file that is an archive itself.
pub type OpenHeld = fn(&Path) -> io::Result<Option<Arc<dyn Held>>>;

static OPEN: OnceLock<OpenHeld> = OnceLock::new();

/// Has all readers of this process look into files of another form. Only the first call counts.
///
/// A crate that knows a form stands above this one, and readers are opened everywhere: so this is told once, at the start.
pub fn open_held_by(open: OpenHeld) {
    let _ = OPEN.set(open);
}

/// The archive that a file holds in another form, if it does.
pub(crate) fn open(path: &Path) -> io::Result<Option<Arc<dyn Held>>> {
    OPEN.get().map_or(Ok(None), |open| open(path))
}

/// Refuses a stream that begins as a form that needs random access.
pub(crate) fn refuse_stream(start: &[u8]) -> io::Result<()> {
    if start.starts_with(&PACK_MAGIC) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "a pack must be a file"));
    }
    Ok(())
}
