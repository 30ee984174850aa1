//! Where links stand in a text that was written from the page.

use std::borrow::Cow;
use std::ops::Range;

use super::{Kind, Links, Record, Standing};
use crate::html::{NodeId, Tree};

/// A text node and where its characters went in some text.
///
/// White space at the node's ends counts as not written; within, each run is one character, or all of it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The text node.
    pub node: NodeId,
    /// Index of its first character in the text.
    pub start: u32,
    /// One past its last.
    pub end: u32,
}

/// Characters of a text that belong to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Index of the first character; where the link has none, of the one that follows it.
    pub start: u32,
    /// How many there are; 0 where nothing of the link is in the text.
    pub length: u32,
}

/// Where a URL stands in its text node, in characters, by the two ways white space may be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct InNode {
    /// Characters of the URL.
    pub(super) length: u32,
    /// Characters before it with runs of white space as one.
    pub(super) collapsed: u32,
    /// Characters before it with all white space.
    pub(super) kept: u32,
    /// Characters of the node with all white space within.
    pub(super) kept_length: u32,
}

impl Links {
    /// For each link its position in a text, given the text nodes that went into it, in the order of the page. None for
    /// links of the head and title, which stand in no text.
    pub fn positions(&self, placed: &[Placed]) -> Vec<Option<Position>> {
        self.records.iter().map(|record| position(record, placed)).collect()
    }
}

fn position(record: &Record, placed: &[Placed]) -> Option<Position> {
    if record.standing == Standing::Head {
        return None;
    }
    let first = placed.partition_point(|text| text.node < record.node);
    let behind = placed.partition_point(|text| text.node < record.end).max(first);
    let inner = &placed[first..behind];
    if let ([text, ..], Some(in_node)) = (inner, &record.in_node) {
        return Some(in_text(*text, **in_node));
    }
    Some(match (inner, record.kind) {
        ([from, .., to], Kind::Anchor) => span(from.start, to.end),
        ([only], Kind::Anchor) => span(only.start, only.end),
        _ => Position { start: place(placed, first), length: 0 },
    })
}

/// The place before the text that follows.
fn place(placed: &[Placed], first: usize) -> u32 {
    match (placed.get(first), placed.last()) {
        (Some(next), _) => next.start,
        (None, Some(last)) => last.end,
        (None, None) => 0,
    }
}

fn span(start: u32, end: u32) -> Position {
    Position { start, length: end.saturating_sub(start) }
}

fn in_text(text: Placed, url: InNode) -> Position {
    let keeps = text.end.saturating_sub(text.start) == url.kept_length;
    let before = if keeps { url.kept } else { url.collapsed };
    let start = text.start.saturating_add(before).min(text.end);
    span(start, start.saturating_add(url.length).min(text.end))
}

/// Counts the characters before the URLs of a text node, going over it once however many there are.
#[derive(Default)]
pub(super) struct Counter<'a> {
    node: NodeId,
    /// The node's text with all white space within, and how much of it was gone over, in bytes and characters.
    kept: Cow<'a, str>,
    kept_at: usize,
    kept_chars: u32,
    kept_length: u32,
    /// The same with runs of white space as one.
    collapsed_at: usize,
    collapsed_chars: u32,
}

impl<'a> Counter<'a> {
    /// `seen` is the visible text from the node on; the URL stands in it at `at`, behind those counted before.
    pub(super) fn count(&mut self, tree: &Tree<'a>, node: NodeId, seen: &str, at: Range<usize>) -> InNode {
        if self.node != node {
            let kept = trimmed(tree.text(node));
            let kept_length = chars(&kept);
            let collapsed_at = seen.len() - seen.trim_start().len();
            *self = Counter { node, kept, kept_length, collapsed_at, ..Counter::default() };
        }
        self.collapsed_chars += chars(&seen[self.collapsed_at..at.start]);
        self.collapsed_at = at.start;
        let url = &seen[at];
        let kept = &self.kept[self.kept_at..];
        let skipped = memchr::memmem::find(kept.as_bytes(), url.as_bytes()).unwrap_or_default();
        self.kept_chars += chars(&kept[..skipped]);
        self.kept_at += skipped;
        InNode {
            length: chars(url),
            collapsed: self.collapsed_chars,
            kept: self.kept_chars,
            kept_length: self.kept_length,
        }
    }
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

fn chars(text: &str) -> u32 {
    text.chars().count() as u32
}
