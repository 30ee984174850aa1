//! Where raw text ends: content that is characters up to the end tag of its own element.

use memchr::{memchr, memchr2};

use super::tokenizer::is_space;

/// Where the end tag of this name starts.
pub(super) fn end_tag_at(rest: &[u8], name: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr(b'<', &rest[at..]) {
        at += found;
        if is_tag(&rest[at + 1..], b"/", name) {
            return at;
        }
        at += 1;
    }
    rest.len()
}

/// Where the end tag of a script starts.
///
/// In a script, `<!--` up to `-->` may hold `<script` with an end tag of its own, which does not end the script
/// (<https://html.spec.whatwg.org/#script-data-double-escaped-state>).
pub(super) fn script_end(rest: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = memchr(b'<', &rest[at..]) {
        at += found;
        let behind = &rest[at + 1..];
        if is_tag(behind, b"/", b"script") {
            return at;
        }
        at += 1;
        if behind.starts_with(b"!--") {
            match escaped_end(rest, at + 1) {
                Escaped::EndTag(end) => return end,
                Escaped::Plain(end) => at = end,
            }
        }
    }
    rest.len()
}

/// How an escaped part of a script ends.
enum Escaped {
    /// The script ends there.
    EndTag(usize),
    /// The script goes on there.
    Plain(usize),
}

/// `from` is where the two dashes of `<!--` stand.
fn escaped_end(rest: &[u8], from: usize) -> Escaped {
    let mut at = from;
    let mut in_inner_script = false;
    while let Some(found) = memchr2(b'<', b'>', &rest[at..]) {
        at += found;
        if rest[at] == b'>' {
            if rest[from..at].ends_with(b"--") {
                return Escaped::Plain(at + 1);
            }
        } else if is_tag(&rest[at + 1..], b"/", b"script") {
            if !in_inner_script {
                return Escaped::EndTag(at);
            }
            in_inner_script = false;
        } else if is_tag(&rest[at + 1..], b"", b"script") {
            in_inner_script = true;
        }
        at += 1;
    }
    Escaped::EndTag(rest.len())
}

/// Whether a tag of this name stands behind a `<`.
fn is_tag(behind: &[u8], slash: &[u8], name: &[u8]) -> bool {
    let Some(behind) = behind.strip_prefix(slash) else { return false };
    behind.len() > name.len()
        && behind[..name.len()].eq_ignore_ascii_case(name)
        && (is_space(behind[name.len()]) || matches!(behind[name.len()], b'/' | b'>'))
}
