//! Parquet files from anybody: what can be checked before they are read, and what panics in their reader.
//!
//! The reader of Parquet asserts what a sound file has, such as offsets inside it, so a damaged or hostile footer panics. [`check`] refuses
//! what it can see; [`contained`] makes an error of a panic that is left.

use std::cell::Cell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};

const MAGIC: &[u8; 4] = b"PAR1";
/// The length of the metadata, and the magic bytes.
const FOOTER_BYTES: u64 = 8;

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread becomes an error of the file that is being read, or of the query that is run. A panic hook need not report it.
pub fn is_contained() -> bool {
    CONTAINED.get()
}

/// Has all panics of this thread become errors of what it runs. For threads of a runtime, which catches them.
pub(crate) fn contain_thread() {
    CONTAINED.set(true);
}

/// Calls a reader of a file; its panic is an error of the file.
pub(crate) fn contained<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    let before = CONTAINED.replace(true);
    // What is read into is dropped by those who get the error.
    let result = panic::catch_unwind(AssertUnwindSafe(read));
    CONTAINED.set(before);
    result.map_err(|_| "it is damaged".to_owned())
}

/// Refuses a file whose first and last bytes, footer or metadata are not those of Parquet, or lead out of the file.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let mut file = File::open(path).map_err(|error| error.to_string())?;
    let len = frame(&mut file)?;
    let metadata = contained(|| ParquetMetaDataReader::new().parse_and_finish(&file))?;
    let metadata = metadata.map_err(|error| error.to_string())?;
    check_metadata(&metadata, len)
}

/// Checks the magic bytes and that the footer fits. Gives the size of the file.
fn frame(file: &mut File) -> Result<u64, String> {
    let told = |error: std::io::Error| error.to_string();
    let len = file.metadata().map_err(told)?.len();
    let Some(room) = len.checked_sub(MAGIC.len() as u64 + FOOTER_BYTES) else {
        return Err(format!("not a Parquet file: it has {len} bytes"));
    };
    let (mut start, mut size, mut magic) = ([0; 4], [0; 4], [0; 4]);
    file.read_exact(&mut start).map_err(told)?;
    file.seek(SeekFrom::Start(len - FOOTER_BYTES)).map_err(told)?;
    file.read_exact(&mut size).map_err(told)?;
    file.read_exact(&mut magic).map_err(told)?;
    if start != *MAGIC {
        return Err("not a Parquet file: it does not start with PAR1".to_owned());
    }
    if magic != *MAGIC {
        return Err("it is truncated or damaged: it does not end with PAR1".to_owned());
    }
    let size = u64::from(u32::from_le_bytes(size));
    if size > room {
        return Err(format!("its footer is damaged: {size} bytes of metadata in a file of {len} bytes"));
    }
    Ok(len)
}

/// Checks that all that metadata point to is in the file.
pub(crate) fn check_metadata(metadata: &ParquetMetaData, len: u64) -> Result<(), String> {
    if metadata.file_metadata().num_rows() < 0 {
        return Err("its footer is damaged: a negative number of rows".to_owned());
    }
    let end = len.saturating_sub(FOOTER_BYTES);
    for group in metadata.row_groups() {
        let is_sound = group.num_rows() >= 0 && group.columns().iter().all(|chunk| is_inside(chunk, end));
        if !is_sound {
            return Err(format!("its footer is damaged: columns outside a file of {len} bytes"));
        }
    }
    Ok(())
}

fn is_inside(chunk: &ColumnChunkMetaData, end: u64) -> bool {
    let fits = |start: i64, size: i64| {
        let range = u64::try_from(start).ok().zip(u64::try_from(size).ok());
        range.and_then(|(start, size)| start.checked_add(size)).is_some_and(|last| last <= end)
    };
    let optional = |start: Option<i64>, size: Option<i32>| {
        start.is_none_or(|start| fits(start, size.map_or(0, i64::from)))
    };
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    fits(start, chunk.compressed_size())
        && fits(chunk.data_page_offset(), 0)
        && chunk.uncompressed_size() >= 0
        && chunk.num_values() >= 0
        && optional(chunk.column_index_offset(), chunk.column_index_length())
        && optional(chunk.offset_index_offset(), chunk.offset_index_length())
        && optional(chunk.bloom_filter_offset(), chunk.bloom_filter_length())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::{ParquetOptions, ParquetSink, Sink, samples};

    #[test]
    fn every_damaged_byte_of_a_footer_is_an_error_or_harmless() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.parquet");
        let rows = samples::rows();
        let mut sound = Vec::new();
        let options = ParquetOptions::default();
        let mut sink = Box::new(ParquetSink::new(&mut sound, &rows.schema(), &options).expect("a sink"));
        sink.write(&rows).expect("memory takes all");
        sink.finish().expect("memory takes all");
        let refusal = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            check(&path).err()
        };
        assert_eq!(refusal(&sound), None);
        for len in [0, 1, 4, 8, 11, 12, sound.len() / 2, sound.len() - 1] {
            assert!(refusal(&sound[..len]).is_some(), "{len} bytes");
        }
        for (at, expected) in [
            (0, "does not start"),
            (sound.len() - 1, "does not end"),
            (sound.len() - 5, "its footer is damaged"),
        ] {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x7f;
            assert!(refusal(&bytes).is_some_and(|why| why.contains(expected)), "{at}");
        }
        let mut refused = 0;
        for at in sound.len().saturating_sub(4000)..sound.len() {
            for value in [0, 0x7f, 0xff] {
                let mut bytes = sound.clone();
                bytes[at] = value;
                refused += usize::from(refusal(&bytes).is_some());
            }
        }
        assert!(refused > 100, "{refused} were refused");
    }

    #[test]
    fn a_panic_is_an_error_of_the_file() {
        assert_eq!(contained(|| 7), Ok(7));
        let told = contained(|| std::iter::empty::<u8>().next().expect("none"));
        assert!(told.is_err_and(|why| why.contains("damaged")));
        assert!(!is_contained());
    }
}
