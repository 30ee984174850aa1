//! A disk without room.

use std::io::{self, Write};

/// A writer that has room for so many bytes, and refuses a write that does not fit whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Full(pub usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
