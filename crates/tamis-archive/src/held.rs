//! Files that hold an archive in another form: whoever knows the form lends the archive's bytes.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The bytes of an archive that a file holds in another form, at any offset.
pub trait Held: Send + Sync {
    /// How many there are.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads some from an offset on; none at the end.
    fn read_at(&self, offset: u64, room: &mut [u8]) -> io::Result<usize>;
}

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
