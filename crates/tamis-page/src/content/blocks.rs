//! The page as a list of blocks: runs of text that a reader sees as a paragraph, a heading, an item, a cell.

use crate::content::counts::Counts;
use crate::content::hints::{HintReader, Hints, of_tag};
use crate::html::trait_bits::{BLOCK, UNSEEN};
use crate::html::{Name, NodeId, Tag, Tree};

/// A run of text without a line break that a block element makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Its text nodes are within these; nodes that are not seen may be, too.
    pub(crate) first: NodeId,
    pub(crate) last: NodeId,
    /// What it is to a reader: the nearest p, heading, li, td, pre …
    pub(crate) role: Tag,
    /// Characters that are no space; one of Chinese, Japanese or Korean counts for two.
    pub(crate) chars: u32,
    /// Those of them in links.
    pub(crate) link_chars: u32,
    pub(crate) words: u32,
    /// Ends of sentences.
    pub(crate) stops: u32,
    /// Commas, and what serves for them elsewhere.
    pub(crate) commas: u32,
    /// What is said of it and of all that it is in.
    pub(crate) hints: Hints,
}

impl Block {
    /// The share of the characters that are in links.
    pub(crate) fn link_share(&self) -> f64 {
        f64::from(self.link_chars) / f64::from(self.chars.max(1))
    }

    /// Characters outside of links.
    pub(crate) fn plain_chars(&self) -> u32 {
        self.chars - self.link_chars
    }

    pub(crate) fn is_heading(&self) -> bool {
        self.role.heading_level().is_some()
    }
}

/// A page's blocks, and which of them each element holds.
pub(crate) struct Outline<'t, 'a> {
    pub(crate) tree: &'t Tree<'a>,
    pub(crate) blocks: Vec<Block>,
    /// For each node, and for the end, how many blocks start before it.
    first_block: Vec<u32>,
    /// Elements of which something is said, in the order of the page.
    pub(crate) hinted: Vec<(NodeId, Hints)>,
    /// Characters before each block, and in all.
    chars_before: Vec<u32>,
}

impl<'t, 'a> Outline<'t, 'a> {
    pub(crate) fn new(tree: &'t Tree<'a>) -> Self {
        let mut walk = Walk::new(tree);
        walk.run();
        let mut chars_before = vec![0];
        let mut sum = 0;
        for block in &walk.blocks {
            sum += block.chars;
            chars_before.push(sum);
        }
        Outline {
            tree,
            blocks: walk.blocks,
            first_block: walk.first_block,
            hinted: walk.hinted,
            chars_before,
        }
    }

    /// The blocks in an element, by their place in `blocks`.
    pub(crate) fn blocks_in(&self, id: NodeId) -> std::ops::Range<usize> {
        let end = self.tree.node(id).end;
        self.first_block[id as usize] as usize..self.first_block[end as usize] as usize
    }

    /// Characters in an element.
    pub(crate) fn chars_in(&self, id: NodeId) -> u32 {
        let blocks = self.blocks_in(id);
        self.chars_before[blocks.end] - self.chars_before[blocks.start]
    }
}

/// An open element.
struct Open {
    end: NodeId,
    is_block: bool,
    /// The role of blocks in it.
    role: Tag,
    in_link: bool,
}

struct Walk<'t, 'a> {
    tree: &'t Tree<'a>,
    hints: HintReader<'a>,
    open: Vec<Open>,
    blocks: Vec<Block>,
    first_block: Vec<u32>,
    hinted: Vec<(NodeId, Hints)>,
    current: Option<Block>,
    /// Line breaks since the last text.
    breaks: u32,
    in_word: bool,
}

impl<'t, 'a> Walk<'t, 'a> {
    fn new(tree: &'t Tree<'a>) -> Self {
        let count = tree.nodes().len();
        Walk {
            tree,
            hints: HintReader::default(),
            open: Vec::with_capacity(64),
            blocks: Vec::with_capacity(count / 8),
            first_block: Vec::with_capacity(count + 1),
            hinted: Vec::new(),
            current: None,
            breaks: 0,
            in_word: false,
        }
    }

    fn run(&mut self) {
        let end = self.tree.nodes().len() as NodeId;
        let mut id = 0;
        while id < end {
            self.close_before(id);
            let node = self.tree.node(id);
            if node.tag == Tag::Text {
                self.first_block.push(self.started());
                self.text(id);
                id += 1;
            } else if is_unseen(self.tree, id) {
                id = self.skip(id);
            } else {
                self.element(id);
                id += 1;
            }
        }
        self.close_before(end);
        self.flush();
        self.first_block.push(self.blocks.len() as u32);
    }

    /// How many blocks have started; the current one counts.
    fn started(&self) -> u32 {
        self.blocks.len() as u32 + u32::from(self.current.is_some())
    }

    /// Passes over an element and all in it.
    fn skip(&mut self, id: NodeId) -> NodeId {
        let end = self.tree.node(id).end;
        let started = self.started();
        self.first_block.extend((id..end).map(|_| started));
        end
    }

    fn close_before(&mut self, id: NodeId) {
        while self.open.last().is_some_and(|open| open.end <= id) {
            if self.open.pop().is_some_and(|open| open.is_block) {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        self.breaks = 0;
        self.in_word = false;
        self.blocks.extend(self.current.take());
    }

    fn element(&mut self, id: NodeId) {
        let node = self.tree.node(id);
        let tag = node.tag;
        if tag == Tag::Br {
            self.line_break();
            self.first_block.push(self.started());
            return;
        }
        let is_block = tag.has(BLOCK);
        if is_block {
            self.flush();
        }
        self.first_block.push(self.started());
        let hints = self.hints.of(self.tree, id).with(of_tag(tag));
        if !hints.is_empty() {
            self.hinted.push((id, hints));
        }
        if node.end == id + 1 {
            return;
        }
        let (role, in_link) = match self.open.last() {
            Some(outer) => (outer.role, outer.in_link),
            None => (Tag::Body, false),
        };
        self.open.push(Open {
            end: node.end,
            is_block,
            role: if is_role(tag) {
                tag
            } else if ends_role(tag) {
                Tag::Body
            } else {
                role
            },
            in_link: in_link || tag == Tag::A,
        });
    }

    /// One break is a line's end, two are a paragraph's.
    fn line_break(&mut self) {
        self.in_word = false;
        self.breaks += 1;
        if self.breaks >= 2 {
            self.flush();
        }
    }

    fn text(&mut self, id: NodeId) {
        let text = self.tree.text(id);
        let counts = Counts::of(text.as_bytes(), self.in_word);
        self.in_word = counts.in_word;
        if counts.chars == 0 {
            return;
        }
        self.breaks = 0;
        let Some(open) = self.open.last() else { return };
        let in_link = open.in_link;
        let block = self.current.get_or_insert(Block {
            first: id,
            last: id,
            role: open.role,
            chars: 0,
            link_chars: 0,
            words: 0,
            stops: 0,
            commas: 0,
            hints: Hints::NONE,
        });
        block.last = id;
        block.chars += counts.chars;
        block.link_chars += if in_link { counts.chars } else { 0 };
        block.words += counts.words;
        block.stops += counts.stops;
        block.commas += counts.commas;
    }
}

/// Whether a reader sees nothing of an element. Templates that are a shadow root are seen, and so is what scripts
/// would replace when it is more than a word to those without scripts: some forums have their whole thread there.
pub(crate) fn is_unseen(tree: &Tree<'_>, id: NodeId) -> bool {
    let tag = tree.node(id).tag;
    match tag {
        Tag::Template => tree.raw_attribute(id, Name::Shadowrootmode).is_none(),
        Tag::Noscript => !has_prose(tree, id),
        _ => tag.has(UNSEEN),
    }
}

/// Whether the text below a node is longer than a notice.
fn has_prose(tree: &Tree<'_>, id: NodeId) -> bool {
    let mut chars = 0;
    for child in tree.descendants(id).take(NOTICE_NODES) {
        let node = tree.node(child);
        if node.tag == Tag::Text && !tree.node(node.parent).tag.has(UNSEEN) {
            chars += node.raw.trim().len();
        }
        if chars > NOTICE_CHARS {
            return true;
        }
    }
    false
}

/// Nodes of a `noscript` that are looked at: they may nest.
const NOTICE_NODES: usize = 5_000;
/// A `noscript` with less is a notice or a picture.
const NOTICE_CHARS: usize = 500;

fn is_role(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::P
            | Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::Li
            | Tag::Td
            | Tag::Th
            | Tag::Dt
            | Tag::Dd
            | Tag::Pre
            | Tag::Blockquote
            | Tag::Figcaption
            | Tag::Caption
            | Tag::Summary
    )
}

/// What is inside is no longer part of the item or cell around it.
fn ends_role(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Dl | Tag::Table | Tag::Article | Tag::Section)
}
