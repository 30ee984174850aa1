//! The file of a package while it is written.

use std::io::{self, Seek, SeekFrom, Write};

/// A file that takes all that comes behind its first error, and drops it.
///
/// A `ZipWriter` that is dropped tries to finish its file, and prints to stderr if it cannot. Behind an error, which the caller
/// has got, nobody wants the file any more, nor to read of it twice.
pub(super) struct Target<W> {
    pub(super) inner: W,
    has_failed: bool,
    /// Where the next byte goes, or would: the `ZipWriter` counts on it.
    position: u64,
    len: u64,
}

impl<W> Target<W> {
    /// A file that is empty.
    pub(super) fn new(inner: W) -> Self {
        Self { inner, has_failed: false, position: 0, len: 0 }
    }

    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        self.has_failed = result.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        result
    }
}

impl<W: Write> Write for Target<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = bytes.len();
        if !self.has_failed {
            let result = self.inner.write(bytes);
            written = self.note(result)?;
        }
        self.position += written as u64;
        self.len = self.len.max(self.position);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.has_failed {
            return Ok(());
        }
        let result = self.inner.flush();
        self.note(result)
    }
}

impl<W: Seek> Seek for Target<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = if self.has_failed {
            let place = match to {
                SeekFrom::Start(place) => Some(place),
                SeekFrom::Current(by) => self.position.checked_add_signed(by),
                SeekFrom::End(by) => self.len.checked_add_signed(by),
            };
            place.ok_or(io::ErrorKind::InvalidInput)?
        } else {
            let result = self.inner.seek(to);
            self.note(result)?
        };
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use tamis_testkit::Full;

    use super::*;

    #[test]
    fn an_error_comes_once() {
        let mut target = Target::new(Full(10));
        assert!(target.write_all(b"whole").is_ok());
        let error = target.write_all(b"too much").expect_err("it is full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(target.write_all(b"more").is_ok() && target.flush().is_ok());
        assert_eq!(target.inner.0, 5, "nothing of it is written");
    }
}
