//! A pack written: the second pass over the archive, blocks, tables, and a look at the whole before it gets its name.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use tamis_files::part_file;
use zstd::zstd_safe::{CDict, DDict};

use super::chunk::{ChunkKind, FOOTER_LEN, Frame, HEADER, Packing, footer};
use super::chunk_writer::ChunkWriter;
use super::codec::{BlockEncoder, Guess, ROUGH_LEVEL, encode_small};
use super::contents::read_contents;
use super::cost::{BlockLimit, Cost, QuickLook, halve};
use super::inner::{Inner, Opener, Worth};
use super::pages::BlockEntry;
use super::plan::{Plan, block_ends, with_descriptions_first};
use super::profile::{MAX_BLOCK, Method, Profile};
use super::root::{DictionaryPlace, Place};
use super::scatter::Scatter;
use super::tables::write_tables;
use super::{Error, PackOptions, Result, Survey, dictionary, inner, varint};
use tamis_files::parallel;

/// So many blocks for each thread are compressed between two writes.
const GROUP: usize = 16;

/// A dictionary is stored in at most so many pieces, each of at least so many bytes, and one more that is all of them by exclusive or.
pub(super) const PIECES: usize = 64;
const PIECE_LEN: usize = 1 << 10;

/// The dictionary of a segment stands after the first of its blocks, so that neither bytes that are lost from the front of the
/// file nor some that are inserted there cost a segment: after so many bytes of blocks, or an eighth of them.
const BEFORE_DICTIONARY: u64 = 1 << 20;

/// How long the pieces of a dictionary are, but for the last.
pub(super) fn piece_len(stored_len: usize) -> usize {
    stored_len.div_ceil((stored_len / PIECE_LEN).clamp(2, PIECES))
}

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
    /// In how many of them streams that were compressed already are opened.
    pub opened_blocks: u64,
    /// How many members could not be made again from their content, and are kept as they are or with corrections.
    pub inexact_members: u64,
}

/// Packs an archive into a new file, its records in the given order of their numbers. The archive is not touched; the pack has
/// its name when it is whole, is on the disk and was compared to the archive.
///
/// Memory: [`PackOptions::segment_bytes`] and an eighth, 40 MiB to choose a dictionary, and for each of the jobs, and once
/// more for the dictionary, what a compressor needs: 240 MiB (`default`), 100 MiB (`record`), 20 MiB (`fast`), 1,500 MiB
/// (`archive`, which has no dictionary). Disk, if the content is larger than a segment: the content, lightly compressed, in
/// unnamed files beside the pack.
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
    // Another run may have written a pack of this name meanwhile.
    let named = if options.replace { file.persist(path) } else { file.persist_noclobber(path) };
    named.map_err(|error| Error::io(path)(error.error))?;
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
        let streams = self.find_streams(segment, starts);
        let held: Vec<_> = streams.iter().map(Inner::range).collect();
        let mut ends = block_ends(starts, segment.len(), block_bytes, is_alone, &held);
        let chosen = dictionary::choose(segment, &ends, self.options.dictionary_bytes(segment.len()));
        let number = self.segments.len() as u64;
        self.segments.push(DictionaryPlace::default());
        let unit_ends: Vec<_> =
            starts.iter().copied().skip_while(|&start| start == 0).chain([segment.len()]).collect();
        let Prepared { pair, rough, stored } = Prepared::new(&chosen, method, self.options.jobs.get())?;
        let dictionary_len = chosen.len();
        drop(chosen);
        if let Some(limit) = self.options.block_limit() {
            ends = self.cut_by_cost(segment, &unit_ends, &ends, limit, rough.as_ref())?;
        }
        let jobs = 0..self.options.jobs.get().min(ends.len());
        let mut makers = jobs
            .map(|_| BlockMaker::new(self.options, pair.as_ref(), rough.as_ref()))
            .collect::<Result<Vec<_>>>()?;
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let ranges: Vec<_> = starts.zip(&ends).map(|(start, &end)| start..end).collect();
        // Not by the number of blocks that come of it: it is not known yet.
        let (before, first_blocks) = (self.out.offset(), self.blocks.len() + ranges.len().div_ceil(8));
        let mut stored = stored;
        for group in ranges.chunks(GROUP * makers.len().max(1)) {
            let made = parallel::map(&mut makers, group, |maker, _, range| {
                maker.make_all(segment, range.clone(), &streams, &unit_ends)
            });
            for made in made {
                for (block, len) in made? {
                    self.write_block(block, len as u64, number)?;
                    let is_due =
                        self.out.offset() - before >= BEFORE_DICTIONARY || self.blocks.len() >= first_blocks;
                    if let Some(stored) = stored.take_if(|_| is_due) {
                        let place = self.write_dictionary(number, stored, dictionary_len as u64)?;
                        self.segments[number as usize] = place;
                    }
                }
            }
        }
        Ok(())
    }

    /// Where blocks end that each cost about as much as they may, by a quick look at the records between the given places.
    fn cut_by_cost(
        &self,
        segment: &[u8],
        unit_ends: &[usize],
        looks: &[usize],
        limit: BlockLimit,
        rough: Option<&CDict<'static>>,
    ) -> Result<Vec<usize>> {
        let mut states =
            (0..self.options.jobs.get()).map(|_| QuickLook::new(rough)).collect::<Result<Vec<_>>>()?;
        // Not inside records: one that is larger is looked at as a whole.
        let looks: Vec<_> =
            looks.iter().filter(|&end| unit_ends.binary_search(end).is_ok()).copied().collect();
        let starts = std::iter::once(0).chain(looks.iter().copied());
        let ranges: Vec<_> = starts.zip(&looks).map(|(start, &end)| start..end).collect();
        let costs = parallel::map(&mut states, &ranges, |look, _, range| {
            let inside = unit_ends.partition_point(|&end| end <= range.start)
                ..unit_ends.partition_point(|&end| end <= range.end);
            let ends: Vec<_> = unit_ends[inside].iter().map(|end| end - range.start).collect();
            look.costs(&segment[range.clone()], &ends)
        });
        let costs = costs.into_iter().collect::<Result<Vec<_>>>()?.concat();
        Ok(limit.block_ends(unit_ends, &costs))
    }

    /// The streams inside the parts of a segment, if they are to be opened.
    fn find_streams(&self, segment: &[u8], starts: &[usize]) -> Vec<Inner> {
        if self.options.worth().is_none() {
            return Vec::new();
        }
        let ends = starts.iter().copied().skip(1).chain([segment.len()]);
        let parts: Vec<_> = starts.iter().zip(ends).map(|(&start, end)| start..end).collect();
        let mut states = vec![(); self.options.jobs.get()];
        let found = parallel::map(&mut states, &parts, |(), _, part| inner::find(&segment[part.clone()]));
        let moved = |(found, part): (Vec<Inner>, &Range<usize>)| {
            let start = part.start;
            found.into_iter().map(move |stream| stream.moved(start))
        };
        found.into_iter().zip(&parts).flat_map(moved).collect()
    }

    fn write_block(&mut self, block: Block, raw_len: u64, segment: u64) -> Result<()> {
        let Block { packing, is_opened, payload } = block;
        let (number, stored_len) = (self.blocks.len() as u64, payload.len() as u64);
        let (kind, extra) = (ChunkKind::Block, Some(segment));
        let frame = Frame { kind, packing, is_opened, number, stored_len, raw_len, extra };
        let Place { offset, len } = self.out.put_frame(frame, &payload).map_err(Error::io(self.path))?;
        self.packed.block_bytes += len;
        self.packed.opened_blocks += u64::from(is_opened);
        self.blocks.push(BlockEntry { offset, chunk_len: len, raw_len, segment });
        Ok(())
    }

    /// Writes a dictionary so that any one of its pieces may be damaged: it would cost all blocks of the segment.
    fn write_dictionary(
        &mut self,
        segment: u64,
        (packing, stored): (Packing, Vec<u8>),
        raw_len: u64,
    ) -> Result<DictionaryPlace> {
        let len = piece_len(stored.len());
        let mut parity = vec![0; len];
        let mut pieces = Vec::new();
        let before = self.out.offset();
        let first = segment * (PIECES as u64 + 1);
        for (piece, number) in stored.chunks(len).zip(first..) {
            parity.iter_mut().zip(piece).for_each(|(sum, byte)| *sum ^= byte);
            pieces.push(self.put_piece(number, piece, stored.len())?);
        }
        pieces.push(self.put_piece(first + pieces.len() as u64, &parity, stored.len())?);
        self.packed.dictionary_bytes += self.out.offset() - before;
        Ok(DictionaryPlace {
            pieces,
            stored_len: stored.len() as u64,
            raw_len,
            is_compressed: packing == Packing::Zstd,
        })
    }

    fn put_piece(&mut self, number: u64, piece: &[u8], whole_len: usize) -> Result<Place> {
        let (kind, packing, len) = (ChunkKind::Dictionary, Packing::Stored, piece.len() as u64);
        let (stored_len, raw_len, extra) = (len, len, Some(whole_len as u64));
        let frame = Frame { kind, packing, is_opened: false, number, stored_len, raw_len, extra };
        self.out.put_frame(frame, piece).map_err(Error::io(self.path))
    }
}

/// A dictionary in the forms that a segment needs.
struct Prepared {
    /// For compressing blocks and reading them again.
    pair: Option<(CDict<'static>, DDict<'static>)>,
    /// For quick looks.
    rough: Option<CDict<'static>>,
    /// As it is stored; none if there is no dictionary.
    stored: Option<(Packing, Vec<u8>)>,
}

impl Prepared {
    /// Each form takes seconds for a large dictionary, and none needs another: two threads make them if there are so many.
    fn new(chosen: &[u8], method: Method, jobs: usize) -> Result<Self> {
        if chosen.is_empty() {
            return Ok(Self { pair: None, rough: None, stored: None });
        }
        let no_memory = || Error::Codec("zstd has no memory for a dictionary");
        let pair = || -> Result<_> {
            let Method::Zstd(level) = method else { return Ok(None) };
            let coding = CDict::try_create(chosen, level).ok_or_else(no_memory)?;
            Ok(Some((coding, DDict::try_create(chosen).ok_or_else(no_memory)?)))
        };
        let stored = || encode_small(chosen);
        let (pair, stored) = if jobs > 1 {
            std::thread::scope(|threads| {
                let other = threads.spawn(stored);
                (pair(), other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
        } else {
            (pair(), stored())
        };
        let pair = pair?;
        let rough = pair.is_some().then(|| CDict::try_create(chosen, ROUGH_LEVEL)).flatten();
        Ok(Self { pair, rough, stored: Some(stored?) })
    }
}

/// Compresses blocks on one thread.
struct BlockMaker<'d> {
    encoder: BlockEncoder<'d>,
    opener: Opener,
    guess: Guess<'d>,
    worth: Option<Worth>,
    limit: Option<BlockLimit>,
}

struct Block {
    packing: Packing,
    is_opened: bool,
    payload: Vec<u8>,
}

impl<'d> BlockMaker<'d> {
    fn new(
        options: &PackOptions,
        dictionary: Option<&'d (CDict<'static>, DDict<'static>)>,
        rough: Option<&'d CDict<'static>>,
    ) -> Result<Self> {
        let encoder = BlockEncoder::new(options.method(), dictionary)?;
        let guess = Guess::new(rough)?;
        let (worth, limit) = (options.worth(), options.block_limit());
        Ok(Self { encoder, opener: Opener::default(), guess, worth, limit })
    }

    /// Blocks of a range of a segment, and their lengths: one, or more if that would cost too much.
    fn make_all(
        &mut self,
        segment: &[u8],
        range: Range<usize>,
        streams: &[Inner],
        unit_ends: &[usize],
    ) -> Result<Vec<(Block, usize)>> {
        let block = self.make(&segment[range.clone()], &streams_in(streams, &range))?;
        let cost = Cost::of(block.packing, &block.payload, range.len());
        let is_too_much = self.limit.is_some_and(|limit| cost > limit.most_cost);
        let Some(cut) = is_too_much.then(|| halve(&range, unit_ends)).flatten() else {
            return Ok(vec![(block, range.len())]);
        };
        let mut made = self.make_all(segment, range.start..cut, streams, unit_ends)?;
        made.extend(self.make_all(segment, cut..range.end, streams, unit_ends)?);
        Ok(made)
    }

    /// The payload of a block that has these streams.
    fn make(&mut self, raw: &[u8], streams: &[Inner]) -> Result<Block> {
        let Some(opened) = self.open(raw, streams) else {
            let (packing, payload) = self.encoder.encode(raw)?;
            return Ok(Block { packing, is_opened: false, payload });
        };
        let (packing, encoded) = self.encoder.encode(&opened)?;
        let mut payload = Vec::with_capacity(encoded.len() + varint::MAX_LEN);
        varint::put(&mut payload, opened.len() as u64);
        payload.extend_from_slice(&encoded);
        Ok(Block { packing, is_opened: true, payload })
    }

    fn open(&mut self, raw: &[u8], streams: &[Inner]) -> Option<Vec<u8>> {
        let worth = self.worth.filter(|_| !streams.is_empty())?;
        let plain_limit = worth.plain_limit.min(MAX_BLOCK.saturating_sub(raw.len()));
        let worth = Worth { plain_limit, ..worth };
        let opened = self.opener.open(raw, streams, worth, &mut |bytes| self.guess.len_of(bytes))?;
        (opened.len() <= MAX_BLOCK).then_some(opened)
    }
}

/// The streams that lie in a block as a whole, counted from its start.
fn streams_in(streams: &[Inner], block: &Range<usize>) -> Vec<Inner> {
    let first = streams.partition_point(|stream| stream.range().start < block.start);
    let inside = streams[first..].iter().take_while(|stream| stream.range().start < block.end);
    inside.filter_map(|stream| stream.inside(block)).collect()
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
