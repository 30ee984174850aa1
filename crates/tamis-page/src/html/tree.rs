//! A page as a tree, flat: nodes lie in the order of the page, and each knows where its descendants end.
//!
//! So going over a subtree is a loop over a slice, nothing recurses however deep the page nests, and sums over subtrees
//! are sums over ranges. A node is never moved: where HTML would take nodes elsewhere (text in tables, misnested
//! formatting), ours stay in the order a reader sees them. The builder's tests hold this against html5ever.

use std::borrow::Cow;
use std::ops::Range;

use super::attribute::{Attribute, Name};
use super::tag::Tag;
use super::white_space::{push_space, push_words};

/// A node's place in its tree.
pub type NodeId = u32;

/// An element or a run of characters.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The element's name; [`Tag::Text`] for characters.
    pub tag: Tag,
    /// The element around it; the document is its own parent.
    pub parent: NodeId,
    /// One past its last descendant.
    pub end: NodeId,
    /// How many elements are around it.
    pub depth: u16,
    pub(super) attribute_count: u16,
    pub(super) first_attribute: u32,
    /// Whether its characters stand for themselves: no references, no NULs.
    pub(super) is_plain: bool,
    /// The characters, or the element's name, as written.
    pub raw: &'a str,
}

/// A page's nodes. The first is the document.
#[derive(Debug)]
pub struct Tree<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) attributes: Vec<Attribute<'a>>,
    pub(super) truncated: bool,
}

impl<'a> Tree<'a> {
    /// The document node.
    pub const ROOT: NodeId = 0;

    /// All nodes, in the order of the page.
    pub fn nodes(&self) -> &[Node<'a>] {
        &self.nodes
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id as usize]
    }

    /// Whether the page had more nodes than a tree takes.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The node's descendants, in the order of the page.
    pub fn descendants(&self, id: NodeId) -> Range<NodeId> {
        id + 1..self.node(id).end
    }

    /// The node's children.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.node(id).end;
        let mut next = id + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.node(child).end;
            Some(child)
        })
    }

    /// The elements around a node, the nearest first, the document last.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let mut at = id;
        std::iter::from_fn(move || {
            let parent = self.node(at).parent;
            (parent != at).then(|| {
                at = parent;
                at
            })
        })
    }

    /// The element's attributes, as written.
    pub fn attributes(&self, id: NodeId) -> &[Attribute<'a>] {
        let node = self.node(id);
        let first = node.first_attribute as usize;
        &self.attributes[first..first + usize::from(node.attribute_count)]
    }

    /// The value of an attribute, decoded.
    pub fn attribute(&self, id: NodeId, name: Name) -> Option<Cow<'a, str>> {
        self.attributes(id).iter().find(|attribute| attribute.name == name).map(Attribute::value)
    }

    /// The value of an attribute as written; enough where it holds no character references that matter.
    pub fn raw_attribute(&self, id: NodeId, name: Name) -> Option<&'a str> {
        self.attributes(id).iter().find(|attribute| attribute.name == name).map(|attribute| attribute.raw)
    }

    /// Whether the element is kept from view by its own attributes.
    pub fn is_hidden(&self, id: NodeId) -> bool {
        self.attributes(id).iter().any(Attribute::hides)
    }

    /// The first element of this name.
    pub fn find(&self, tag: Tag) -> Option<NodeId> {
        self.nodes.iter().position(|node| node.tag == tag).map(|at| at as NodeId)
    }

    /// The characters of a text node, decoded, without NULs, white space as it stands.
    pub fn text(&self, id: NodeId) -> Cow<'a, str> {
        let node = self.node(id);
        if node.tag != Tag::Text {
            return Cow::Borrowed("");
        }
        if node.is_plain {
            return Cow::Borrowed(node.raw);
        }
        let text =
            if self.is_raw(node.parent) { Cow::Borrowed(node.raw) } else { htmlize::unescape(node.raw) };
        if text.contains('\0') { Cow::Owned(text.replace('\0', "")) } else { text }
    }

    /// All characters below a node, decoded, each run of white space as one space, none at the ends.
    pub fn text_content(&self, id: NodeId) -> String {
        let mut content = String::new();
        for child in self.descendants(id) {
            if self.node(child).tag == Tag::Text {
                push_words(&mut content, &self.text(child));
            } else if self.node(child).tag.has(super::tag::trait_bits::BLOCK)
                || self.node(child).tag == Tag::Br
            {
                push_space(&mut content);
            }
        }
        content.truncate(content.trim_end().len());
        content
    }

    /// Whether characters in this element are not decoded.
    fn is_raw(&self, id: NodeId) -> bool {
        self.node(id).tag.has(super::tag::trait_bits::RAW)
    }
}
