//! Sums over ranges of blocks, and what of a block is prose.

use std::ops::Range;

use crate::content::blocks::{Block, Outline};

/// Sums of a weight over ranges of blocks.
pub(super) struct Weights {
    before: Vec<f64>,
}

impl Weights {
    pub(super) fn of(outline: &Outline<'_, '_>, weight: impl Fn(&Block) -> f64) -> Weights {
        let mut before = Vec::with_capacity(outline.blocks.len() + 1);
        before.push(0.0);
        let mut sum = 0.0;
        for block in &outline.blocks {
            sum += weight(block);
            before.push(sum);
        }
        Weights { before }
    }

    pub(super) fn total(&self) -> f64 {
        self.before.last().copied().unwrap_or(0.0)
    }

    pub(super) fn of_range(&self, blocks: &Range<usize>) -> f64 {
        self.before[blocks.end] - self.before[blocks.start]
    }

    pub(super) fn of_block(&self, at: usize) -> f64 {
        self.before[at + 1] - self.before[at]
    }
}

/// Characters of prose in a block, by its text alone.
pub(super) fn prose(block: &Block) -> f64 {
    let share = block.link_share();
    if block.is_heading() || share > 0.5 {
        return 0.0;
    }
    let chars = f64::from(block.plain_chars());
    let is_sentence = (block.stops + block.commas > 0 && block.words >= 6) || block.words >= 15;
    let factor = match (chars >= 80.0, is_sentence) {
        (true, true) => 1.0,
        (true, false) => 0.4,
        (false, true) => 0.7,
        (false, false) => 0.1,
    };
    chars * factor * (1.0 - share)
}
