//! Bytes from an archive to somewhere else, and which of the two failed.

use std::io::{self, Read, Write};
use std::path::Path;

use tamis_archive::Error;

/// Copies all bytes, through a buffer of 64 KiB. `path` is the name of what is read: an error of reading is a
/// [`tamis_archive::Error`], one of writing is not.
pub(super) fn copy(from: &mut impl Read, path: &Path, to: &mut impl Write) -> anyhow::Result<u64> {
    let mut buffer = vec![0; 1 << 16];
    let mut total = 0;
    loop {
        let len = match from.read(&mut buffer) {
            Ok(0) => return Ok(total),
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::io(path)(error).into()),
        };
        to.write_all(&buffer[..len])?;
        total += len as u64;
    }
}

/// Puts each side's error where [`Archives::read`](crate::archives::Archives::read) looks for it: that of the archive, which
/// is then passed over, outside; that of the output, which ends the command, inside.
pub(super) fn by_side<T>(result: anyhow::Result<T>) -> tamis_archive::Result<anyhow::Result<T>> {
    match result.map_err(anyhow::Error::downcast) {
        Ok(value) => Ok(Ok(value)),
        Err(Ok(reading)) => Err(reading),
        Err(Err(writing)) => Ok(Err(writing)),
    }
}
