//! Traps in paths.

use super::super::verdict::Trap;
use super::TrapOptions;
use super::calendar::{self, Window};

/// Paths with more segments are looked at up to here; with the defaults they are traps already.
const LOOKED_AT: usize = 64;

pub(super) fn find(path: &str, options: &TrapOptions, window: Window) -> Option<Trap> {
    let (mut segments, mut len) = ([""; LOOKED_AT], 0);
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        if len < LOOKED_AT {
            segments[len] = segment;
        }
        len += 1;
    }
    if len > options.max_path_segments as usize {
        return Some(Trap::DeepPath);
    }
    let segments = &segments[..len.min(LOOKED_AT)];
    if repeats(segments, options) {
        return Some(Trap::RepeatedSegments);
    }
    calendar::is_far_path(path, segments, window).then_some(Trap::Calendar)
}

/// Whether one segment, or a block of several, comes in a row more often than it may.
fn repeats(segments: &[&str], options: &TrapOptions) -> bool {
    (1..=segments.len() / 2).any(|block| {
        let max = if block == 1 { options.max_segment_repeats } else { options.max_block_repeats };
        has_run(segments, block, max as usize)
    })
}

/// Whether a block comes more than `max` times in a row, and says more than numbers do: tiles of maps and dates have
/// `/1/1/1/`.
fn has_run(segments: &[&str], block: usize, max: usize) -> bool {
    let needed = block.saturating_mul(max);
    let mut run = 0;
    for (at, (before, segment)) in segments.iter().zip(&segments[block..]).enumerate() {
        run = if before == segment { run + 1 } else { 0 };
        if run >= needed && segments[at + 1..=at + block].iter().any(|segment| !is_number(segment)) {
            return true;
        }
    }
    false
}

fn is_number(segment: &str) -> bool {
    segment.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_segments_and_blocks() {
        for (path, expected) in [
            ("a/a", false),
            ("a/a/a", true),
            ("x/a/a/a/y", true),
            ("a/b/a", false),
            ("a/b/a/b", true),
            ("x/a/b/c/a/b/c", true),
            ("a/b/c/a/b", false),
            ("1/1/1/1", false),
            ("1/2/1/2", false),
            ("a/1/a/1", true),
            ("", false),
        ] {
            let segments: Vec<_> = path.split('/').collect();
            assert_eq!(repeats(&segments, &TrapOptions::default()), expected, "{path}");
        }
    }
}
