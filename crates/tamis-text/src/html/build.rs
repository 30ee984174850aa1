//! Tokens into a tree, by HTML's rules as far as they change what a reader sees.
//!
//! Kept: implied ends of paragraphs, items, cells, rows and options; scopes; void and raw elements; foreign content;
//! links that are closed across blocks. Left out, since they change no text and no link: formatting elements are not
//! opened again in later blocks, text in tables stays where it is written, `html`, `head`, `body` and `tbody` are not
//! made up where the page has none.

use super::attribute::{Attribute, Name};
use super::tag::Tag;
use super::tag::trait_bits::{CLOSES_P, HEAD, HEADING, RAW, RCDATA, SCOPE, SPECIAL, VOID};
use super::tokenizer::{Token, Tokenizer};
use super::tree::{Node, NodeId, Tree};

/// Elements within elements beyond this depth become siblings, as in browsers: every look up the stack is bounded.
const DEEPEST: usize = 512;
/// Nodes of a page; some 300 MB of memory. The largest real page we know has 1.2 million.
const MOST_NODES: usize = 6_000_000;
/// Blocks that a misplaced `</a>` may close and open again.
const MOST_REOPENED: usize = 8;

/// Parses a page. Never fails: every sequence of characters is a page.
pub fn parse(page: &str) -> Tree<'_> {
    let mut builder = Builder::new(page.len());
    let mut tokenizer = Tokenizer::new(page);
    loop {
        if builder.foreign > 0
            && let Some(text) = tokenizer.cdata()
        {
            builder.text(text);
            continue;
        }
        let Some(token) = tokenizer.next(&mut builder.attributes) else { break };
        match token {
            Token::Text(text) => builder.text(text),
            Token::End { tag, name } => builder.end(tag, name),
            Token::Start { tag, name, self_closing } => {
                builder.start(tag, name, self_closing);
                if tag.has(RAW | RCDATA) && builder.foreign == 0 {
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

struct Builder<'a> {
    nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
    /// The open elements, the document first.
    open: Vec<NodeId>,
    /// How many elements of each name are open: most end tags without a start are answered by this alone.
    open_count: [u16; Tag::COUNT],
    /// How many svg and math elements are open.
    foreign: u16,
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
            foreign: 0,
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

    fn current(&self) -> Tag {
        self.open.last().map_or(Tag::Document, |&id| self.tag(id))
    }

    fn tag(&self, id: NodeId) -> Tag {
        self.nodes[id as usize].tag
    }

    fn is_open(&self, tag: Tag) -> bool {
        self.open_count[tag as usize] > 0
    }

    /// Adds a node below the current element, with the attributes that were read since the last one.
    fn add(&mut self, tag: Tag, raw: &'a str) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            tag,
            parent: self.open.last().copied().unwrap_or(id),
            end: id + 1,
            depth: self.open.len() as u16,
            attribute_count: (self.attributes.len() - self.attributed) as u16,
            first_attribute: self.attributed as u32,
            raw,
        });
        self.attributed = self.attributes.len();
        id
    }

    /// Adds an element and opens it, unless the stack is full.
    fn push(&mut self, tag: Tag, raw: &'a str) {
        let id = self.add(tag, raw);
        if self.open.len() < DEEPEST {
            self.open.push(id);
            self.open_count[tag as usize] += 1;
            self.foreign += u16::from(matches!(tag, Tag::Svg | Tag::Math));
        }
    }

    fn pop(&mut self) {
        let Some(id) = self.open.pop() else { return };
        let tag = self.tag(id);
        self.nodes[id as usize].end = self.nodes.len() as NodeId;
        self.open_count[tag as usize] -= 1;
        self.foreign -= u16::from(matches!(tag, Tag::Svg | Tag::Math));
    }

    /// Closes everything above, and with, the stack's element at this height.
    fn pop_to(&mut self, height: usize) {
        while self.open.len() > height.max(1) {
            self.pop();
        }
    }

    fn drop_attributes(&mut self) {
        self.attributes.truncate(self.attributed);
    }

    fn text(&mut self, text: &'a str) {
        if self.current() == Tag::Head && !text.trim_ascii().is_empty() {
            self.pop();
        }
        self.drop_attributes();
        self.add(Tag::Text, text);
    }

    fn raw_content(&mut self, text: &'a str) {
        if !text.is_empty() {
            self.add(Tag::Text, text);
        }
    }

    fn start(&mut self, tag: Tag, name: &'a str, self_closing: bool) {
        if self.foreign > 0 && self.foreign_start(tag, name, self_closing) {
            return;
        }
        if matches!(tag, Tag::Html | Tag::Body | Tag::Head) && self.repeated(tag) {
            return self.drop_attributes();
        }
        self.close_implied(tag);
        if tag.has(VOID) {
            self.add(tag, name);
            return;
        }
        self.push(tag, name);
        if self_closing && self.foreign > 0 {
            self.pop();
        }
    }

    /// A start tag inside svg or math; whether it was one of theirs.
    fn foreign_start(&mut self, tag: Tag, name: &'a str, self_closing: bool) -> bool {
        let current = self.open.last().map_or("", |&id| self.nodes[id as usize].raw);
        let takes_html =
            ["foreignobject", "desc", "annotation-xml"].iter().any(|n| current.eq_ignore_ascii_case(n));
        let breaks_out = tag.has(CLOSES_P)
            || matches!(
                tag,
                Tag::Body
                    | Tag::Br
                    | Tag::Img
                    | Tag::Head
                    | Tag::Span
                    | Tag::Strong
                    | Tag::Em
                    | Tag::B
                    | Tag::I
            );
        if takes_html || (breaks_out && self.inside_html_island()) {
            return false;
        }
        if breaks_out {
            let outer = self.open.iter().position(|&id| matches!(self.tag(id), Tag::Svg | Tag::Math));
            self.pop_to(outer.unwrap_or(1));
            return false;
        }
        let tag = if matches!(tag, Tag::Svg | Tag::Math | Tag::A | Tag::Title | Tag::Style | Tag::Script) {
            tag
        } else {
            Tag::Other
        };
        self.push(tag, name);
        if self_closing {
            self.pop();
        }
        true
    }

    /// Whether a `foreignObject` or the like is open inside the svg.
    fn inside_html_island(&self) -> bool {
        self.open.iter().rev().any(|&id| self.nodes[id as usize].raw.eq_ignore_ascii_case("foreignobject"))
    }

    /// A second `html`, `head` or `body` adds nothing; a `body` ends the head.
    fn repeated(&mut self, tag: Tag) -> bool {
        if tag == Tag::Body && self.is_open(Tag::Head) {
            self.close(Tag::Head, 0);
        }
        self.is_open(tag) || (tag != Tag::Body && self.is_open(Tag::Body))
    }

    /// Ends what a start tag ends without saying so.
    fn close_implied(&mut self, tag: Tag) {
        if self.is_open(Tag::Head) && !tag.has(HEAD) && tag != Tag::Other && !self.is_open(Tag::Template) {
            self.close(Tag::Head, 0);
        }
        match tag {
            Tag::Li => self.close_item(&[Tag::Li], &[Tag::Ul, Tag::Ol, Tag::Menu, Tag::Dir]),
            Tag::Dd | Tag::Dt => self.close_item(&[Tag::Dd, Tag::Dt], &[Tag::Dl]),
            Tag::Option => self.close_current(&[Tag::Option]),
            Tag::Optgroup => {
                self.close_current(&[Tag::Option]);
                self.close_current(&[Tag::Optgroup]);
            }
            Tag::Td | Tag::Th => self.close_table_part(&[Tag::Td, Tag::Th], &[Tag::Tr]),
            Tag::Tr => self.close_table_part(&[Tag::Tr, Tag::Td, Tag::Th, Tag::Caption], &[]),
            Tag::Thead | Tag::Tbody | Tag::Tfoot => {
                self.close_table_part(
                    &[
                        Tag::Thead,
                        Tag::Tbody,
                        Tag::Tfoot,
                        Tag::Tr,
                        Tag::Td,
                        Tag::Th,
                        Tag::Caption,
                        Tag::Colgroup,
                    ],
                    &[],
                );
            }
            Tag::A if self.is_open(Tag::A) => self.end_link(),
            Tag::Button if self.is_open(Tag::Button) => self.close(Tag::Button, SCOPE),
            Tag::Rb | Tag::Rt | Tag::Rp | Tag::Rtc => self.close_current(&[Tag::Rb, Tag::Rt, Tag::Rp]),
            _ => {}
        }
        if tag.has(CLOSES_P) && self.is_open(Tag::P) && !(tag == Tag::Table && self.current() == Tag::Button)
        {
            self.close(Tag::P, SCOPE);
        }
        if tag.has(HEADING) && self.current().has(HEADING) {
            self.pop();
        }
    }

    fn close_current(&mut self, tags: &[Tag]) {
        if tags.contains(&self.current()) {
            self.pop();
        }
    }

    /// Ends the open item of the list that the new one is in.
    fn close_item(&mut self, items: &[Tag], lists: &[Tag]) {
        for height in (1..self.open.len()).rev() {
            let tag = self.tag(self.open[height]);
            if items.contains(&tag) {
                return self.pop_to(height);
            }
            let stops = tag.has(SPECIAL) && !matches!(tag, Tag::Address | Tag::Div | Tag::P);
            if stops || lists.contains(&tag) {
                return;
            }
        }
    }

    /// Ends the outermost of these parts within the current table, or within the current `inside`.
    fn close_table_part(&mut self, parts: &[Tag], inside: &[Tag]) {
        let mut outermost = None;
        for height in (1..self.open.len()).rev() {
            let tag = self.tag(self.open[height]);
            if matches!(tag, Tag::Table | Tag::Template | Tag::Html) || inside.contains(&tag) {
                break;
            }
            if parts.contains(&tag) {
                outermost = Some(height);
            }
        }
        if let Some(height) = outermost {
            self.pop_to(height);
        }
    }

    /// Ends the nearest open element of this name, unless one with `barrier` traits is in between.
    fn close(&mut self, tag: Tag, barrier: u16) {
        if let Some(height) = self.height_of(tag, barrier) {
            self.pop_to(height);
        }
    }

    fn height_of(&self, tag: Tag, barrier: u16) -> Option<usize> {
        if !self.is_open(tag) {
            return None;
        }
        for height in (1..self.open.len()).rev() {
            let open = self.tag(self.open[height]);
            if open == tag {
                return Some(height);
            }
            if open.has(barrier) {
                return None;
            }
        }
        None
    }

    fn end(&mut self, tag: Tag, name: &'a str) {
        self.drop_attributes();
        match tag {
            Tag::Other => self.end_other(name),
            Tag::Html | Tag::Body => {}
            Tag::Br => _ = self.add(Tag::Br, name),
            Tag::P if self.height_of(Tag::P, SCOPE).is_none() => _ = self.add(Tag::P, name),
            Tag::A => self.end_link(),
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => self.end_heading(),
            Tag::Table => self.close(tag, 0),
            Tag::Tr | Tag::Td | Tag::Th | Tag::Thead | Tag::Tbody | Tag::Tfoot | Tag::Caption => {
                self.end_table_part(tag)
            }
            _ if tag.has(SPECIAL) => self.close(tag, SCOPE),
            _ => self.close(tag, SPECIAL),
        }
    }

    fn end_table_part(&mut self, tag: Tag) {
        for height in (1..self.open.len()).rev() {
            let open = self.tag(self.open[height]);
            if open == tag {
                return self.pop_to(height);
            }
            if matches!(open, Tag::Table | Tag::Template) {
                return;
            }
        }
    }

    fn end_heading(&mut self) {
        for height in (1..self.open.len()).rev() {
            let open = self.tag(self.open[height]);
            if open.has(HEADING) {
                return self.pop_to(height);
            }
            if open.has(SCOPE) {
                return;
            }
        }
    }

    fn end_other(&mut self, name: &str) {
        for height in (1..self.open.len()).rev() {
            let node = &self.nodes[self.open[height] as usize];
            if node.tag == Tag::Other && node.raw.eq_ignore_ascii_case(name) {
                return self.pop_to(height);
            }
            if node.tag.has(SPECIAL) && self.foreign == 0 {
                return;
            }
        }
    }

    /// Ends the open link. Blocks that were opened in it and are still open go on behind it, as their own elements, so
    /// that what follows is no part of the link.
    fn end_link(&mut self) {
        let Some(height) = self.height_of(Tag::A, SCOPE) else { return };
        let inner: Vec<NodeId> =
            self.open[height + 1..].iter().copied().filter(|&id| self.tag(id).has(SPECIAL)).collect();
        if inner.len() > MOST_REOPENED {
            return;
        }
        self.pop_to(height);
        for id in inner {
            self.reopen(id);
        }
    }

    /// Opens an element like this one; it has the same attributes.
    fn reopen(&mut self, id: NodeId) {
        let node = self.nodes[id as usize];
        let at = self.nodes.len();
        // The new tag's attributes wait at the end of the list; they are not this element's.
        let waiting = self.attributed;
        self.attributed = self.attributes.len();
        self.push(node.tag, node.raw);
        self.attributed = waiting;
        self.nodes[at].first_attribute = node.first_attribute;
        self.nodes[at].attribute_count = node.attribute_count;
    }
}

/// Whether an element of the page is kept from view by its own attributes.
pub(crate) fn is_hidden(tree: &Tree<'_>, id: NodeId) -> bool {
    tree.attributes(id).iter().any(|attribute| match attribute.name {
        Name::Hidden => !attribute.raw.eq_ignore_ascii_case("until-found"),
        Name::AriaHidden => attribute.raw.eq_ignore_ascii_case("true"),
        Name::Style => hides(attribute.raw),
        _ => false,
    })
}

fn hides(style: &str) -> bool {
    style.split(';').any(|rule| {
        let Some((property, value)) = rule.split_once(':') else { return false };
        let value = value.trim();
        match property.trim() {
            "display" => value.starts_with("none"),
            "visibility" => value.starts_with("hidden"),
            _ => false,
        }
    })
}
