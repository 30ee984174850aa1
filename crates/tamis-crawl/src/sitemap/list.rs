//! An address a line.

use std::io::BufRead;

use super::bounded::Bounded;
use super::{LONGEST_TEXT, Summary};

/// Gives each line that starts like an absolute address, until it is told to stop.
pub(super) fn read<R: BufRead>(
    input: &mut Bounded<R>,
    summary: &mut Summary,
    mut give: impl FnMut(&str, &mut Summary) -> bool,
) {
    let (mut line, mut is_too_long) = (Vec::new(), false);
    loop {
        let window = input.window();
        let at_end = window.is_empty();
        let found = memchr::memchr2(b'\n', b'\r', window);
        let n = found.unwrap_or(window.len());
        is_too_long |= line.len() + n > LONGEST_TEXT;
        if !is_too_long {
            line.extend_from_slice(&window[..n]);
        }
        input.consume(n + usize::from(found.is_some()));
        if found.is_none() && !at_end {
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        let address = text.trim_start_matches('\u{FEFF}').trim();
        summary.empty += usize::from(is_too_long);
        // The last line of a file that was cut is half an address.
        let is_whole = !is_too_long && !(at_end && (input.is_cut || input.is_damaged));
        if is_whole && is_absolute(address) && !give(address, summary) || at_end {
            return;
        }
        line.clear();
        is_too_long = false;
    }
}

fn is_absolute(text: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}
