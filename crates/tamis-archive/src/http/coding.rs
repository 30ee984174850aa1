//! The codings that `Transfer-Encoding` and `Content-Encoding` name.

use std::fmt;

use super::head::HttpHead;
use super::quirk::{HttpQuirk, HttpQuirks};
use crate::fields::trim;

/// A coding that can be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names of the IANA registry")]
pub enum Coding {
    Chunked,
    Gzip,
    /// Whether zlib's, as the standard says, or raw, as some servers send it.
    Deflate,
    Br,
    Zstd,
}

/// No server needs more than two; whoever sends more wants to see the reader work.
pub(super) const MAX_CODINGS: usize = 5;

/// The codings of a body, in the order in which they are undone.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) chunked: bool,
    pub(super) layers: Vec<Coding>,
    pub(super) quirks: HttpQuirks,
}

/// What a word in a list of codings means.
enum Named {
    Known(Coding),
    Nothing,
    Unknown,
}

impl Coding {
    /// The registered name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chunked => "chunked",
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Br => "br",
            Self::Zstd => "zstd",
        }
    }
}

impl fmt::Display for Coding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Plan {
    /// The plan for the body behind this head.
    pub(super) fn of(head: &HttpHead) -> Self {
        let mut plan = Self::default();
        let goes_on = plan.undo(head, "Transfer-Encoding");
        if goes_on {
            plan.undo(head, "Content-Encoding");
        }
        plan
    }

    /// Adds the codings of all fields of this name, the last one first. False from a coding on that is not undone.
    fn undo(&mut self, head: &HttpHead, field: &str) -> bool {
        // Fields are few and lists short; to collect them is simpler than to walk them backwards.
        let values: Vec<&[u8]> = head.fields().all(field).collect();
        let words = values.into_iter().rev().flat_map(|value| value.rsplit(|&b| b == b','));
        for word in words {
            match named(trim(word)) {
                Named::Nothing => {}
                Named::Known(Coding::Chunked) if field == "Transfer-Encoding" => self.chunked = true,
                Named::Known(Coding::Chunked) | Named::Unknown => {
                    self.quirks.insert(HttpQuirk::UnknownCoding);
                    return false;
                }
                Named::Known(_) if self.layers.len() == MAX_CODINGS => {
                    self.quirks.insert(HttpQuirk::TooManyCodings);
                    return false;
                }
                Named::Known(coding) => self.layers.push(coding),
            }
        }
        true
    }
}

fn named(word: &[u8]) -> Named {
    const NAMES: [(&str, Coding); 9] = [
        ("gzip", Coding::Gzip),
        ("chunked", Coding::Chunked),
        ("br", Coding::Br),
        ("deflate", Coding::Deflate),
        ("zstd", Coding::Zstd),
        ("x-gzip", Coding::Gzip),
        ("x-deflate", Coding::Deflate),
        ("brotli", Coding::Br),
        ("x-zstd", Coding::Zstd),
    ];
    // Seen in place of a coding; none of them changes a byte.
    const NOTHING: [&str; 8] = ["", "identity", "none", "binary", "utf-8", "utf8", "8bit", "7bit"];
    let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    match NAMES.into_iter().find(|(name, _)| is(name)) {
        Some((_, coding)) => Named::Known(coding),
        None if NOTHING.into_iter().any(is) => Named::Nothing,
        None => Named::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Extent;

    #[test]
    fn codings_are_undone_from_the_last() {
        use Coding::*;
        let cases: &[(&str, bool, &[Coding], &[HttpQuirk])] = &[
            ("", false, &[], &[]),
            ("Content-Encoding: gzip", false, &[Gzip], &[]),
            ("Content-Encoding: X-GZIP , br", false, &[Br, Gzip], &[]),
            ("Content-Encoding: gzip\r\nContent-Encoding: zstd", false, &[Zstd, Gzip], &[]),
            ("Transfer-Encoding: deflate, chunked\r\nContent-Encoding: br", true, &[Deflate, Br], &[]),
            ("Content-Encoding: identity, , UTF-8", false, &[], &[]),
            ("Content-Encoding: gzip, aes128gcm, br", false, &[Br], &[HttpQuirk::UnknownCoding]),
            ("Content-Encoding: chunked", false, &[], &[HttpQuirk::UnknownCoding]),
            ("Content-Encoding: br,br,br,br,br,br", false, &[Br; 5], &[HttpQuirk::TooManyCodings]),
            ("Transfer-Encoding: odd\r\nContent-Encoding: br", false, &[], &[HttpQuirk::UnknownCoding]),
        ];
        for (fields, chunked, layers, quirks) in cases {
            let mut head = HttpHead::default();
            head.parse(format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").as_bytes(), Extent::Whole);
            let plan = Plan::of(&head);
            assert_eq!((plan.chunked, &plan.layers[..]), (*chunked, *layers), "{fields:?}");
            assert_eq!(plan.quirks, HttpQuirks::of(quirks), "{fields:?}");
        }
    }
}
