//! Tokens into a tree, by HTML's rules as far as they change what a reader sees.
//!
//! Kept: implied ends of paragraphs, items, cells, rows, options and forms; scopes; void and raw elements; foreign
//! content; rows that a cell makes up; links that are closed across blocks.
//!
//! Left out, by design:
//! - Formatting elements are not opened again in later blocks. A link that is never closed therefore ends with the
//!   block it stands in.
//! - Text and elements that stand in a table but in no cell stay where they are written; HTML moves them before the
//!   table ("foster parenting").
//! - `html`, `head`, `body`, `tbody` and `colgroup` are not made up where the page has none.
//! - A link that is closed within a block it started outside of: HTML moves the link into the block, we close the block
//!   with it and open one like it behind.
//! - A table always ends a paragraph, also where there is no doctype.
//! - Framesets are elements like others, and what stands beside them is kept.
//! - Text in a `noscript` of the head stays there; HTML without scripting makes it the start of the body.
//! - NULs are dropped, also where HTML makes them U+FFFD.
//!
//! The tests hold the tree against html5ever's, with floors for how far they agree.

use super::attribute::Attribute;
use super::foreign::Island;
use super::tag::Tag;
use super::tag::trait_bits::{RAW, RCDATA, VOID};
use super::tokenizer::{Token, Tokenizer};
use super::tree::{Node, NodeId, Tree};

/// Elements within elements beyond this depth become siblings, as in browsers: every look up the stack is bounded.
const DEEPEST: usize = 512;
/// Nodes of a page; some 300 MB of memory. The largest real page we know has 1.2 million.
const MOST_NODES: usize = 6_000_000;
/// Kinds of names that HTML does not define, as far as we tell them apart without comparing them.
const OTHER_NAMES: usize = 256;

/// Parses a page. Never fails: every sequence of characters is a page.
pub fn parse(page: &str) -> Tree<'_> {
    let mut builder = Builder::new(page.len());
    // A byte order mark at the start is no text.
    let mut tokenizer = Tokenizer::new(page.strip_prefix('\u{FEFF}').unwrap_or(page));
    loop {
        if builder.takes_cdata()
            && let Some(text) = tokenizer.cdata()
        {
            builder.text(text, false);
            continue;
        }
        let Some(token) = tokenizer.next(&mut builder.attributes) else { break };
        match token {
            Token::Text { raw, is_plain } => builder.text(raw, is_plain),
            Token::End { tag, name } => builder.end(tag, name),
            Token::Start { tag, name, self_closing } => {
                if builder.start(tag, name, self_closing) == Content::Raw {
                    builder.raw_content(tokenizer.raw_text(tag));
                }
            }
        }
        if builder.nodes.len() > MOST_NODES {
            builder.truncated = true;
            break;
        }
    }
    builder.finish()
}

/// How the tokeniser goes on behind a start tag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Markup,
    Raw,
}

/// What is open, and all that is built.
pub(super) struct Builder<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
    /// The open elements, the document first.
    pub(super) open: Vec<NodeId>,
    /// How many elements of each name are open: most end tags without a start are answered by this alone.
    open_count: [u16; Tag::COUNT],
    /// The same for names that HTML does not define, by a few bits of the name.
    other_count: [u16; OTHER_NAMES],
    /// Where svg and math begin among the open elements, and where HTML begins again inside.
    pub(super) islands: Vec<Island>,
    /// The form that was started last, until its end tag.
    pub(super) form: Option<NodeId>,
    /// A form whose end tag came while elements inside it were open: it ends with them.
    pub(super) ended_form: Option<NodeId>,
    /// The attributes before this one belong to nodes.
    attributed: usize,
    truncated: bool,
}

impl<'a> Builder<'a> {
    fn new(page_bytes: usize) -> Self {
        let guess = page_bytes / 24 + 16;
        let mut builder = Builder {
            nodes: Vec::with_capacity(guess.min(1 << 20)),
            attributes: Vec::with_capacity(guess.min(1 << 20)),
            open: Vec::with_capacity(64),
            open_count: [0; Tag::COUNT],
            other_count: [0; OTHER_NAMES],
            islands: Vec::new(),
            form: None,
            ended_form: None,
            attributed: 0,
            truncated: false,
        };
        builder.push(Tag::Document, "");
        builder
    }

    fn finish(mut self) -> Tree<'a> {
        while !self.open.is_empty() {
            self.pop();
        }
        Tree { nodes: self.nodes, attributes: self.attributes, truncated: self.truncated }
    }

    pub(super) fn current(&self) -> Tag {
        self.open.last().map_or(Tag::Document, |&id| self.tag(id))
    }

    pub(super) fn tag(&self, id: NodeId) -> Tag {
        self.nodes[id as usize].tag
    }

    pub(super) fn is_open(&self, tag: Tag) -> bool {
        self.open_count[tag as usize] > 0
    }

    /// Whether an element of this name, which HTML does not define, may be open; if not, none is.
    pub(super) fn may_be_open(&self, name: &str) -> bool {
        self.other_count[other_name(name)] > 0
    }

    /// The attributes of the start tag that is being read.
    pub(super) fn waiting_attributes(&self) -> &[Attribute<'a>] {
        &self.attributes[self.attributed..]
    }

    /// Adds a node below the current element, with the attributes that were read since the last one.
    pub(super) fn add(&mut self, tag: Tag, raw: &'a str) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            tag,
            parent: self.open.last().copied().unwrap_or(id),
            end: id + 1,
            depth: self.open.len() as u16,
            attribute_count: (self.attributes.len() - self.attributed) as u16,
            first_attribute: self.attributed as u32,
            is_plain: false,
            raw,
        });
        self.attributed = self.attributes.len();
        id
    }

    /// Adds an element and opens it, unless the stack is full. Raw text always gets its element, which holds nothing else;
    /// what is raw in HTML holds elements in svg and math.
    pub(super) fn push(&mut self, tag: Tag, raw: &'a str) -> bool {
        let id = self.add(tag, raw);
        let opens = self.open.len() < DEEPEST || (tag.has(RAW | RCDATA) && !self.in_foreign());
        if opens {
            self.open.push(id);
            self.open_count[tag as usize] += 1;
            if tag == Tag::Other {
                self.other_count[other_name(raw)] += 1;
            }
        }
        opens
    }

    pub(super) fn pop(&mut self) {
        let Some(id) = self.open.pop() else { return };
        let end = self.nodes.len() as NodeId;
        let node = &mut self.nodes[id as usize];
        node.end = end;
        self.open_count[node.tag as usize] -= 1;
        if node.tag == Tag::Other {
            self.other_count[other_name(node.raw)] -= 1;
        }
        if self.islands.last().is_some_and(|island| island.height == self.open.len()) {
            self.islands.pop();
        }
    }

    /// Closes everything above, and with, the stack's element at this height.
    pub(super) fn pop_to(&mut self, height: usize) {
        while self.open.len() > height.max(1) {
            self.pop();
        }
        if self.ended_form.is_some() && self.open.last() == self.ended_form.as_ref() {
            self.ended_form = None;
            self.pop();
        }
    }

    pub(super) fn drop_attributes(&mut self) {
        self.attributes.truncate(self.attributed);
    }

    fn text(&mut self, text: &'a str, is_plain: bool) {
        if self.current() == Tag::Head && !text.trim_ascii().is_empty() {
            self.pop_to(self.open.len() - 1);
        }
        let id = self.add(Tag::Text, text);
        self.nodes[id as usize].is_plain = is_plain;
    }

    fn raw_content(&mut self, text: &'a str) {
        if !text.is_empty() {
            self.add(Tag::Text, text);
        }
    }

    fn start(&mut self, tag: Tag, name: &'a str, self_closing: bool) -> Content {
        if self.in_foreign() && self.foreign_start(tag, name, self_closing) {
            return Content::Markup;
        }
        let tag = Self::in_html(tag);
        if self.is_dropped(tag) {
            self.drop_attributes();
            return Content::Markup;
        }
        self.close_implied(tag);
        if tag.has(VOID) {
            self.add(tag, name);
            return Content::Markup;
        }
        let opened = self.push(tag, name);
        match tag {
            Tag::Svg | Tag::Math if opened => self.enter_foreign(tag, self_closing),
            Tag::Form if opened && !self.is_open(Tag::Template) => self.form = self.open.last().copied(),
            _ => {}
        }
        if tag.has(RAW | RCDATA) { Content::Raw } else { Content::Markup }
    }

    /// Opens an element that the page has no tag for: the attributes that wait are not its own.
    pub(super) fn push_implied(&mut self, tag: Tag, raw: &'a str) {
        let waiting = std::mem::replace(&mut self.attributed, self.attributes.len());
        self.push(tag, raw);
        self.attributed = waiting;
    }

    /// Opens an element like this one; it has the same attributes.
    pub(super) fn reopen(&mut self, id: NodeId) {
        let node = self.nodes[id as usize];
        let at = self.nodes.len();
        self.push_implied(node.tag, node.raw);
        self.nodes[at].first_attribute = node.first_attribute;
        self.nodes[at].attribute_count = node.attribute_count;
    }
}

/// A few bits of a name, the same in any case.
fn other_name(name: &str) -> usize {
    let (Some(first), Some(last)) = (name.as_bytes().first(), name.as_bytes().last()) else { return 0 };
    let mixed = name.len() ^ usize::from(first | 0x20) << 3 ^ usize::from(last | 0x20);
    mixed % OTHER_NAMES
}
