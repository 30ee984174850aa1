//! What a block costs to unpack, and where blocks end so that none costs too much.
//!
//! Whoever reads one page unpacks its block up to the end of the page. What takes time there is the sequences of zstd, each a match to copy from
//! somewhere: text that compresses badly has 50 in a KiB, pages of one template have three. So blocks of the first kind are cut short, and those of the
//! second are long.

use std::ops::Range;

use zstd::zstd_safe::{CCtx, CDict, CParameter, InBuffer, OutBuffer, ResetDirective, compress_bound};

use super::chunk::Packing;
use super::codec::ROUGH_LEVEL;
use super::zstd_frame::header_len;
use super::{Error, Result};

/// The time that unpacking a block takes, by what there is to do; not on which machine it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(u64);

impl Cost {
    /// Fitted over the blocks of a corpus, of which nine of ten are within 20 %; see `docs/decisions/packed-blocks.md`.
    const PICOSECONDS_A_BYTE: u64 = 100;
    const PICOSECONDS_A_SEQUENCE: u64 = 15_000;

    pub(super) const fn microseconds(count: u64) -> Self {
        Self(count * 1_000_000)
    }

    fn new(len: usize, sequences: u64) -> Self {
        Self(len as u64 * Self::PICOSECONDS_A_BYTE + sequences * Self::PICOSECONDS_A_SEQUENCE)
    }

    /// That of a block of so many bytes.
    pub(super) fn of(packing: Packing, payload: &[u8], len: usize) -> Self {
        let sequences = match packing {
            Packing::Zstd | Packing::ZstdDictionary => sequences(payload, true),
            Packing::Stored | Packing::Lzma2 => 0,
        };
        Self::new(len, sequences)
    }
}

/// The most that a block may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockLimit {
    /// What it should cost by a quick look.
    pub(super) cost: Cost,
    /// What makes it worth to be cut in two when it is compressed.
    pub(super) most_cost: Cost,
    pub(super) len: usize,
}

impl BlockLimit {
    /// Where blocks end: before the unit with which one would be too much. A unit that costs too much alone is a block alone, since it is read as a whole in any case;
    /// it is cut only if it is too long. What ends at each of `unit_ends` has one of the `costs`.
    pub(super) fn block_ends(self, unit_ends: &[usize], costs: &[Cost]) -> Vec<usize> {
        let mut ends = Vec::new();
        let (mut block_start, mut block_cost, mut start) = (0, 0, 0);
        for (&end, &Cost(cost)) in unit_ends.iter().zip(costs) {
            let is_too_much = block_cost + cost > self.cost.0 || end - block_start > self.len;
            if is_too_much && start > block_start {
                ends.push(start);
                (block_start, block_cost) = (start, 0);
            }
            block_cost += cost;
            if end - block_start > self.len {
                let pieces = (end - start).div_ceil(self.len);
                ends.extend((1..pieces).map(|piece| start + (end - start) / pieces * piece));
                ends.push(end);
                (block_start, block_cost) = (end, 0);
            }
            start = end;
        }
        ends.extend((start > block_start).then_some(start));
        ends
    }
}

/// Where a block that costs too much is cut in two: at the end of the unit nearest to its middle. None if it is one unit.
pub(super) fn halve(block: &Range<usize>, unit_ends: &[usize]) -> Option<usize> {
    let middle = usize::midpoint(block.start, block.end);
    let next = unit_ends.partition_point(|&end| end < middle);
    let near = unit_ends[next.saturating_sub(1)..].iter().take(2).copied();
    near.filter(|&end| block.start < end && end < block.end).min_by_key(|end| end.abs_diff(middle))
}

/// Looks at records quickly, to say what they will cost in a block: in a hundredth of the time that the level of `default` takes, and about as many sequences, or
/// more where pages are much alike.
pub(super) struct QuickLook<'d>(CCtx<'d>);

impl<'d> QuickLook<'d> {
    /// So much is compressed at once.
    const STEP: usize = 1 << 20;

    /// With the dictionary at [`ROUGH_LEVEL`], if there is one.
    pub(super) fn new(dictionary: Option<&'d CDict<'static>>) -> Result<Self> {
        let mut context = CCtx::try_create().ok_or(Error::Codec("zstd has no memory for a quick look"))?;
        context.set_parameter(CParameter::CompressionLevel(ROUGH_LEVEL)).map_err(refused)?;
        if let Some(dictionary) = dictionary {
            context.ref_cdict(dictionary).map_err(refused)?;
        }
        Ok(Self(context))
    }

    /// What each of the pieces of some bytes will cost, given those before it.
    pub(super) fn costs(&mut self, bytes: &[u8], ends: &[usize]) -> Result<Vec<Cost>> {
        self.0.reset(ResetDirective::SessionOnly).map_err(refused)?;
        let mut costs = Vec::with_capacity(ends.len());
        let mut start = 0;
        for &end in ends {
            let mut count = 0;
            for step in (start..end).step_by(Self::STEP) {
                count += self.sequences_of(&bytes[step..end.min(step + Self::STEP)], step == 0)?;
            }
            costs.push(Cost::new(end - start, count));
            start = end;
        }
        Ok(costs)
    }

    fn sequences_of(&mut self, bytes: &[u8], is_first: bool) -> Result<u64> {
        // Room for all, and for the blocks that a flush ends early.
        let mut out: Vec<u8> = Vec::with_capacity(compress_bound(bytes.len()) + (64 << 10));
        let mut input = InBuffer::around(bytes);
        let mut output = OutBuffer::around(&mut out);
        while input.pos() < bytes.len() {
            self.0.compress_stream(&mut output, &mut input).map_err(refused)?;
        }
        if self.0.flush_stream(&mut output).map_err(refused)? != 0 {
            return Err(refused(0));
        }
        Ok(sequences(&out, is_first))
    }
}

fn refused(_: usize) -> Error {
    Error::Codec("zstd fails to look at a record")
}

/// How many sequences the blocks of a frame have that zstd made, the frame's header in front or not (RFC 8878, section 3.1.1).
fn sequences(frame: &[u8], has_header: bool) -> u64 {
    const COMPRESSED: u32 = 2;
    let mut rest = frame.get(if has_header { header_len(frame) } else { 0 }..).unwrap_or_default();
    let mut sum = 0;
    while let Some((&[low, middle, high], blocks)) = rest.split_first_chunk() {
        let header = u32::from_le_bytes([low, middle, high, 0]);
        let (kind, size) = (header >> 1 & 3, (header >> 3) as usize);
        // A run of one byte states its length and is one byte.
        let (block, behind) = blocks.split_at(if kind == 1 { 1 } else { size }.min(blocks.len()));
        if kind == COMPRESSED {
            sum += sequences_of_block(block).unwrap_or(0);
        }
        rest = behind;
    }
    sum
}

/// Behind the literals stands the number of sequences.
fn sequences_of_block(block: &[u8]) -> Option<u64> {
    let first = usize::from(*block.first()?);
    let (kind, format) = (first & 3, first >> 2 & 3);
    let number = |len: usize| -> Option<usize> {
        let mut bytes = [0; 8];
        bytes[..len].copy_from_slice(block.get(..len)?);
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    };
    let literals_len = if kind < 2 {
        let (header_len, size) = match format {
            0 | 2 => (1, first >> 3),
            1 => (2, number(2)? >> 4),
            _ => (3, number(3)? >> 4),
        };
        header_len + if kind == 0 { size } else { 1 }
    } else {
        let (header_len, bits) = [(3, 10), (3, 10), (4, 14), (5, 18)][format];
        header_len + (number(header_len)? >> (4 + bits) & ((1 << bits) - 1))
    };
    let byte = |at: usize| block.get(literals_len + at).map(|&byte| u64::from(byte));
    Some(match byte(0)? {
        few @ 0..128 => few,
        255 => byte(1)? + (byte(2)? << 8) + 0x7f00,
        some => ((some - 128) << 8) + byte(1)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many times a piece that is nowhere else, of all bytes or of few, then one that is everywhere.
    fn copies(count: usize, letters: u32) -> Vec<u8> {
        let phrase = b"a phrase that stands behind everything else here";
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b'0'.wrapping_add((state >> 16 & (letters - 1)) as u8)
        };
        (0..count).flat_map(|_| [(0..60).map(|_| next()).collect(), phrase.to_vec()].concat()).collect()
    }

    #[test]
    fn sequences_are_counted_whatever_the_literals() {
        for (count, letters) in [(20, 256), (100, 256), (100, 16), (5000, 256), (5000, 32), (30_000, 256)] {
            let bytes = copies(count, letters);
            for level in [1, 9, 19] {
                let frame = zstd::bulk::compress(&bytes, level).expect("it compresses");
                let found = sequences(&frame, true) as usize;
                // Few letters repeat by chance, too.
                let most = if letters == 256 { count + count / 4 } else { 20 * count };
                assert!((count * 3 / 4..=most).contains(&found), "{count} {letters} {level}: {found}");
            }
        }
        let run = zstd::bulk::compress(&vec![7; 1 << 20], 3).expect("it compresses");
        assert!(sequences(&run, true) <= 16);
        let frame = zstd::bulk::compress(&copies(100, 16), 3).expect("it compresses");
        for cut in 0..200 {
            sequences(&frame[cut.min(frame.len())..], true);
            sequences(&frame[..cut.min(frame.len())], true);
        }
    }

    #[test]
    fn a_quick_look_sees_what_is_dear() {
        let (dear, cheap) = (copies(20_000, 256), vec![7; 2 << 20]);
        let bytes = [&cheap[..], &dear, &cheap].concat();
        let ends = [cheap.len(), cheap.len() + dear.len(), bytes.len()];
        let costs = QuickLook::new(None).expect("memory").costs(&bytes, &ends).expect("it looks");
        let exact = Cost::new(dear.len(), 20_000).0;
        assert!(costs[1].0.abs_diff(exact) < exact / 3, "{costs:?} {exact}");
        assert!(costs[0] < Cost::microseconds(250) && costs[2] < Cost::microseconds(250), "{costs:?}");
    }

    #[test]
    fn blocks_end_before_they_cost_or_hold_too_much() {
        for (unit_ends, costs, expected) in [
            (&[10, 20, 30, 40][..], &[4, 4, 4, 4][..], &[20, 40][..]),
            (&[10, 20, 30], &[9, 1, 1], &[20, 30]),
            (&[10, 20, 30], &[1, 25, 1], &[10, 20, 30]),
            (&[10, 130, 140], &[1, 1, 1], &[10, 70, 130, 140]),
            (&[60, 110, 170], &[1, 1, 1], &[110, 170]),
            (&[10, 10, 20], &[3, 0, 3], &[20]),
            (&[0, 10, 20], &[0, 100, 1], &[10, 20]),
            (&[330, 340], &[100, 1], &[110, 220, 330, 340]),
            (&[0], &[0], &[]),
        ] {
            let limit = BlockLimit { cost: Cost(10), most_cost: Cost(10), len: 110 };
            let costs: Vec<_> = costs.iter().map(|&cost| Cost(cost)).collect();
            assert_eq!(limit.block_ends(unit_ends, &costs), expected, "{unit_ends:?}");
        }
    }

    #[test]
    fn a_block_is_halved_at_a_record_and_not_inside_one() {
        let large = 1 << 20;
        for (block, unit_ends, expected) in [
            (0..100, &[10, 40, 55, 100][..], Some(55)),
            (0..100, &[10, 100], Some(10)),
            (0..100, &[90, 100], Some(90)),
            (0..100, &[100], None),
            (10..100, &[10, 100, 200], None),
            (0..large, &[large], None),
            (0..large, &[7, large + 9], Some(7)),
        ] {
            assert_eq!(halve(&block, unit_ends), expected, "{block:?} {unit_ends:?}");
        }
    }
}
