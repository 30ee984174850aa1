//! A pack written: the second pass over the archive, blocks, tables, and a look at the whole before it gets its name.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use tamis_archive::write::part_file;
use zstd::zstd_safe::{CDict, DDict};

use super::chunk::{ChunkKind, FOOTER_LEN, HEADER, Packing, footer};
use super::chunk_writer::ChunkWriter;
use super::codec::{BlockEncoder, encode_small};
use super::contents::read_contents;
use super::pages::BlockEntry;
use super::plan::{Plan, block_ends, with_descriptions_first};
use super::profile::{Method, Profile};
use super::root::{DictionaryPlace, Place};
use super::scatter::Scatter;
use super::tables::write_tables;
use super::{Error, PackOptions, Result, Survey, dictionary, parallel};

/// So many blocks for each thread are compressed between two writes.
const GROUP: usize = 16;

/// A dictionary is stored in at most so many pieces, each of at least so many bytes, and one more that is all of them by exclusive or.
pub(super) const PIECES: usize = 16;
const PIECE_LEN: usize = 1 << 10;

/// What was packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Packed {
    /// The length of the pack.
    pub pack_len: u64,
    /// How much of it is blocks.
    pub block_bytes: u64,
    /// How much of it is dictionaries.
    pub dictionary_bytes: u64,
    /// The length of the archive.
    pub file_len: u64,
    /// The length of its content, all members decoded.
    pub content_len: u64,
    /// How many records it has.
    pub records: u64,
    /// How many blocks there are.
    pub blocks: u64,
    /// How many members could not be made again from their content, and are kept as they are or with corrections.
    pub inexact_members: u64,
}

/// Packs an archive into a new file, its records in the given order of their numbers. The archive is not touched; the pack has
/// its name when it is whole, is on the disk and was compared to the archive.
///
/// Memory: [`PackOptions::segment_bytes`] and an eighth, 40 MiB to choose a dictionary, and for each of the jobs what its compressor needs: 100 MiB
/// (`default`, `record`), 20 MiB (`fast`), 750 MiB (`archive`). Disk, if the content is larger than a segment: the content, lightly
/// compressed, in unnamed files beside the pack.
pub fn pack(survey: &Survey, order: &[u32], path: impl AsRef<Path>, options: &PackOptions) -> Result<Packed> {
    let path = path.as_ref();
    // Readers of ARC need what describes the file to come first.
    let plan = Plan::new(survey, &with_descriptions_first(survey, order))?;
    let file = part_file(path).map_err(Error::io(path))?;
    let packed = PackWriter::new(survey, options, path, file.as_file()).write(&plan)?;
    if options.verify {
        super::verify::compare(file.path(), survey, options)?;
    }
    file.as_file().sync_all().map_err(Error::io(path))?;
    file.persist(path).map_err(|error| Error::io(path)(error.error))?;
    sync_folder(path);
    Ok(packed)
}

/// Makes the name last, where the system can.
pub(super) fn sync_folder(path: &Path) {
    let folder = folder_of(path);
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

struct PackWriter<'a> {
    survey: &'a Survey,
    options: &'a PackOptions,
    path: &'a Path,
    out: ChunkWriter<BufWriter<&'a File>>,
    segments: Vec<DictionaryPlace>,
    blocks: Vec<BlockEntry>,
    packed: Packed,
}

impl<'a> PackWriter<'a> {
    fn new(survey: &'a Survey, options: &'a PackOptions, path: &'a Path, file: &'a File) -> Self {
        let out = ChunkWriter::new(BufWriter::with_capacity(1 << 20, file));
        let packed = Packed {
            file_len: survey.file_len,
            content_len: survey.content_len(),
            records: survey.record_count() as u64,
            inexact_members: survey.sides.len() as u64,
            ..Packed::default()
        };
        Self { survey, options, path, out, segments: Vec::new(), blocks: Vec::new(), packed }
    }

    fn write(mut self, plan: &Plan) -> Result<Packed> {
        let path = self.path;
        self.out.put_bytes(&HEADER).map_err(Error::io(path))?;
        let ends = plan.segment_ends(self.options.segment_bytes.max(1 << 20));
        let parts = permute(self.survey, plan, ends.clone(), folder_of(path))?;
        let mut start = 0;
        for (part, end) in parts.into_parts().zip(ends) {
            let part = part.map_err(Error::io(path))?;
            self.write_segment(&part, &plan.starts_in(start, end))?;
            start = end;
        }
        self.packed.blocks = self.blocks.len() as u64;
        let root = write_tables(
            self.survey,
            plan,
            self.options.profile,
            self.segments,
            &self.blocks,
            &mut self.out,
        )?;
        let footer: [u8; FOOTER_LEN] = footer(root.offset, root.len);
        self.out.put_bytes(&footer).map_err(Error::io(path))?;
        self.packed.pack_len = self.out.offset();
        self.out.into_inner().flush().map_err(Error::io(path))?;
        Ok(self.packed)
    }

    fn write_segment(&mut self, segment: &[u8], starts: &[usize]) -> Result<()> {
        let (method, block_bytes) = (self.options.method(), self.options.block_bytes());
        let is_alone = self.options.profile == Profile::Record;
        let ends = block_ends(starts, segment.len(), block_bytes, is_alone);
        let chosen = dictionary::choose(segment, &ends, self.options.dictionary_bytes(segment.len()));
        let place = self.write_dictionary(&chosen)?;
        self.segments.push(place);
        let pair = match method {
            Method::Zstd(level) if !chosen.is_empty() => {
                let no_memory = || Error::Codec("zstd has no memory for a dictionary");
                let coding = CDict::try_create(&chosen, level).ok_or_else(no_memory)?;
                Some((coding, DDict::try_create(&chosen).ok_or_else(no_memory)?))
            }
            _ => None,
        };
        drop(chosen);
        let jobs = 0..self.options.jobs.get().min(ends.len());
        let mut encoders =
            jobs.map(|_| BlockEncoder::new(method, pair.as_ref())).collect::<Result<Vec<_>>>()?;
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let ranges: Vec<_> = starts.zip(&ends).map(|(start, &end)| start..end).collect();
        for group in ranges.chunks(GROUP * encoders.len().max(1)) {
            let made = parallel::map(&mut encoders, group, |encoder, _, range| {
                encoder.encode(&segment[range.clone()])
            });
            for (made, range) in made.into_iter().zip(group) {
                self.write_block(made?, range.len() as u64)?;
            }
        }
        Ok(())
    }

    fn write_block(&mut self, (packing, payload): (Packing, Vec<u8>), raw_len: u64) -> Result<()> {
        let number = self.blocks.len() as u64;
        let place = self.out.put(ChunkKind::Block, number, (packing, &payload), raw_len);
        let Place { offset, len } = place.map_err(Error::io(self.path))?;
        self.packed.block_bytes += len;
        let segment = self.segments.len() as u64 - 1;
        self.blocks.push(BlockEntry { offset, chunk_len: len, raw_len, segment });
        Ok(())
    }

    /// Writes a dictionary so that any one of its pieces may be damaged: it would cost all blocks of the segment.
    fn write_dictionary(&mut self, dictionary: &[u8]) -> Result<DictionaryPlace> {
        if dictionary.is_empty() {
            return Ok(DictionaryPlace::default());
        }
        let (packing, stored) = encode_small(dictionary)?;
        let count = (stored.len() / PIECE_LEN).clamp(2, PIECES);
        let len = stored.len().div_ceil(count);
        let mut parity = vec![0; len];
        let mut pieces = Vec::new();
        let before = self.out.offset();
        let first = self.segments.len() as u64 * (PIECES as u64 + 1);
        for (piece, number) in stored.chunks(len).zip(first..) {
            parity.iter_mut().zip(piece).for_each(|(sum, byte)| *sum ^= byte);
            pieces.push(self.put_piece(number, piece)?);
        }
        pieces.push(self.put_piece(first + pieces.len() as u64, &parity)?);
        self.packed.dictionary_bytes += self.out.offset() - before;
        Ok(DictionaryPlace {
            pieces,
            stored_len: stored.len() as u64,
            raw_len: dictionary.len() as u64,
            is_compressed: packing == Packing::Zstd,
        })
    }

    fn put_piece(&mut self, number: u64, piece: &[u8]) -> Result<Place> {
        let place = self.out.put(ChunkKind::Dictionary, number, (Packing::Stored, piece), piece.len() as u64);
        place.map_err(Error::io(self.path))
    }
}

/// The content of an archive, brought to the order of a plan.
pub(super) fn permute(survey: &Survey, plan: &Plan, ends: Vec<u64>, folder: &Path) -> Result<Scatter> {
    let mut scatter = Scatter::new(ends, folder);
    let mut units = survey.units.iter().zip(&plan.places).peekable();
    let mut at = 0;
    read_contents(survey, |mut bytes| {
        while !bytes.is_empty() {
            let Some(&(unit, place)) = units.peek() else { break };
            let inside = at - unit.start;
            let (now, later) = bytes.split_at(bytes.len().min((unit.len - inside) as usize));
            scatter.put(place + inside, now).map_err(Error::io(folder))?;
            at += now.len() as u64;
            bytes = later;
            if at == unit.start + unit.len {
                units.next();
            }
        }
        Ok(())
    })?;
    Ok(scatter)
}
