//! Bytes that come in one order and are wanted in another, whatever their number: written to the part of the whole that they
//! belong to, one part after another then put right in memory. All reading and writing is sequential.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use zstd::stream::{read::Decoder, write::Encoder};

use super::varint;

/// A window of 256 KiB, since there are many encoders at once.
const WINDOW_LOG: u32 = 18;
const LEVEL: i32 = 1;
const BUFFER: usize = 64 << 10;

/// Takes pieces at their places in the whole and gives the whole part by part.
///
/// Memory: one part, if there is one; else about 1 MiB for each part, and one part at a time when they are read.
pub(super) struct Scatter {
    /// Where parts end.
    ends: Vec<u64>,
    parts: Vec<Part>,
    folder: PathBuf,
}

enum Part {
    /// Nothing was put there yet, so that what a hostile file only claims costs nothing.
    Empty,
    Memory(Vec<u8>),
    File(Box<Encoder<'static, BufWriter<File>>>),
}

impl Scatter {
    /// For a whole whose parts end at these places. Parts beyond the first go to unnamed files in `folder`.
    pub(super) fn new(ends: Vec<u64>, folder: &Path) -> Self {
        let parts = ends.iter().map(|_| Part::Empty).collect();
        Self { ends, parts, folder: folder.into() }
    }

    /// Puts bytes at their place.
    pub(super) fn put(&mut self, mut at: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let number = self.ends.partition_point(|&end| end <= at);
            let (Some(part), Some(&end)) = (self.parts.get_mut(number), self.ends.get(number)) else {
                return Err(io::Error::other("bytes after the end"));
            };
            if let Part::Empty = part {
                *part = match self.ends[..] {
                    [end] => Part::Memory(vec![0; end as usize]),
                    _ => Part::in_file(&self.folder)?,
                };
            }
            let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
            let (now, later) = bytes.split_at(bytes.len().min((end - at) as usize));
            part.put(at - start, now)?;
            at += now.len() as u64;
            bytes = later;
        }
        Ok(())
    }

    /// The parts in their order.
    pub(super) fn into_parts(self) -> impl Iterator<Item = io::Result<Vec<u8>>> {
        let starts = std::iter::once(0).chain(self.ends.clone());
        let lens: Vec<u64> = starts.zip(&self.ends).map(|(start, end)| end - start).collect();
        self.parts.into_iter().zip(lens).map(|(part, len)| part.read(len))
    }
}

impl Part {
    fn in_file(folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        let mut encoder = Encoder::new(BufWriter::with_capacity(BUFFER, file), LEVEL)?;
        encoder.window_log(WINDOW_LOG)?;
        encoder.include_checksum(true)?;
        Ok(Self::File(Box::new(encoder)))
    }

    fn put(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Empty => Ok(()),
            Self::Memory(all) => {
                all[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
            Self::File(encoder) => {
                let mut head = Vec::with_capacity(2 * varint::MAX_LEN);
                varint::put(&mut head, at);
                varint::put(&mut head, bytes.len() as u64);
                encoder.write_all(&head)?;
                encoder.write_all(bytes)
            }
        }
    }

    fn read(self, len: u64) -> io::Result<Vec<u8>> {
        let encoder = match self {
            Self::Empty => return Err(io::Error::other("a part is missing")),
            Self::Memory(all) => return Ok(all),
            Self::File(encoder) => encoder,
        };
        let mut file = encoder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        let mut input = BufReader::with_capacity(BUFFER, Decoder::new(file)?);
        let mut all = vec![0; len as usize];
        let mut left = len;
        while left > 0 {
            let (at, len) = (number(&mut input)?, number(&mut input)?);
            let (at, end) = (at as usize, at.saturating_add(len) as usize);
            let room = all.get_mut(at..end).ok_or_else(|| io::Error::other("a temporary file is damaged"))?;
            input.read_exact(room)?;
            left = left.saturating_sub(len);
        }
        // The checksum stands behind the last byte.
        io::copy(&mut input, &mut io::sink())?;
        Ok(all)
    }
}

fn number(input: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; varint::MAX_LEN];
    for len in 1..=bytes.len() {
        input.read_exact(&mut bytes[len - 1..len])?;
        if let Some(number) = varint::take(&mut &bytes[..len]) {
            return Ok(number);
        }
    }
    Err(io::Error::other("a temporary file is damaged"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pieces_in_any_order_make_the_whole(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..60), 0..20), parts in 1_u64..6, seed: u64,
        ) {
            let whole = pieces.concat();
            let len = whole.len() as u64;
            let mut ends: Vec<u64> = (1..=parts).map(|part| len * part / parts).filter(|&end| end > 0).collect();
            ends.dedup();
            let mut scatter = Scatter::new(ends, &std::env::temp_dir());
            let mut places: Vec<(usize, usize)> = Vec::new();
            for piece in &pieces {
                let start = places.last().map_or(0, |&(_, end)| end);
                places.push((start, start + piece.len()));
            }
            places.sort_by_key(|&(start, _)| (start as u64).wrapping_mul(seed | 1).rotate_left(17));
            for (start, end) in places {
                scatter.put(start as u64, &whole[start..end]).unwrap();
            }
            let parts: Vec<Vec<u8>> = scatter.into_parts().collect::<io::Result<_>>().unwrap();
            prop_assert_eq!(parts.concat(), whole);
        }
    }
}
