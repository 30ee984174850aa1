//! A new pack compared to its archive: the file is made again and set beside the original.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use super::open::Pack;
use super::restore::RestoreOptions;
use super::write::folder_of;
use super::{Error, PackOptions, Result, Survey};

/// Restores a pack and compares each byte with the archive.
pub(super) fn compare(pack: &Path, survey: &Survey, options: &PackOptions) -> Result<()> {
    let file = File::open(&survey.path).map_err(Error::io(&survey.path))?;
    let mut original = Original {
        file: BufReader::with_capacity(1 << 20, file),
        offset: 0,
        differs: None,
        bytes: Vec::new(),
    };
    let restore = RestoreOptions {
        jobs: options.jobs,
        memory_bytes: options.segment_bytes,
        folder: folder_of(pack).into(),
    };
    let result = Pack::open(pack)?.restore(&mut original, &restore);
    match original.differs {
        Some(offset) => Err(Error::NotRestored { path: survey.path.clone(), offset }),
        None => result,
    }
}

/// Takes the bytes that must be those of a file.
struct Original {
    file: BufReader<File>,
    offset: u64,
    differs: Option<u64>,
    bytes: Vec<u8>,
}

impl Write for Original {
    fn write(&mut self, made: &[u8]) -> io::Result<usize> {
        self.bytes.clear();
        (&mut self.file).take(made.len() as u64).read_to_end(&mut self.bytes)?;
        let same = made.iter().zip(&self.bytes).take_while(|(made, there)| made == there).count();
        self.offset += same as u64;
        if same < made.len() {
            self.differs = Some(self.offset);
            return Err(io::Error::other("the restored file differs"));
        }
        Ok(made.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
