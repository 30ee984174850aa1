//! The pass over a page of HTML that finds its links and its visible text.

use tamis_near::NormalForm;
use tamis_page::html::trait_bits::{BLOCK, UNSEEN, VOID};
use tamis_page::html::{Name, NodeId, Tag, Tree};
use tamis_page::links::{self, Kind, Resolver, each_reference};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::links::{LinkText, Links};
use super::{PageFacts, says_nofollow};
use crate::Address;

/// Directives to robots that are kept, and bytes of each.
const MOST_DIRECTIVES: usize = 16;
const LONGEST_DIRECTIVE: usize = 1024;

/// Reads a page: its text goes to `form`, its links to `links`, what else it says to `facts`.
///
/// With texts of links, links come from [`links::read_wanted`], which knows the text around them; without, from the same
/// [`each_reference`] directly.
pub(super) fn read(
    tree: &Tree<'_>,
    url: &Url,
    form: &mut NormalForm,
    facts: &mut PageFacts,
    links: &mut Links,
) {
    let has_texts = links.wants_texts();
    if has_texts {
        with_texts(tree, url, facts, links);
    }
    let resolver = (!has_texts).then(|| Resolver::of_page(tree, Some(url)));
    let mut walk =
        Walk { tree, resolver, room: String::new(), form, facts, links, blocks: Vec::new(), muted: 0 };
    for id in 1..tree.nodes().len() as NodeId {
        walk.leave(id);
        walk.references(id);
        if tree.node(id).tag == Tag::Text { walk.text(id) } else { walk.element(id) }
    }
}

/// Takes the links of a page with their texts.
fn with_texts(tree: &Tree<'_>, url: &Url, facts: &mut PageFacts, links: &mut Links) {
    for link in links::read_wanted(tree, Some(url), links.wanted()).iter() {
        if links.wants(link.kind()) && !is_within_page(tree, link.node(), link.kind()) {
            note_canonical(facts, link.kind(), link.url());
            let nofollow = is_nofollow(tree, link.node(), link.kind());
            links.add(link.kind(), link.url(), nofollow, || LinkText::of(link));
        }
    }
}

struct Walk<'w, 'a> {
    tree: &'w Tree<'a>,
    /// None if the links were read before.
    resolver: Option<Resolver>,
    /// The last URL that was resolved.
    room: String,
    form: &'w mut NormalForm,
    facts: &'w mut PageFacts,
    links: &'w mut Links,
    /// Ends of the open blocks.
    blocks: Vec<NodeId>,
    /// Text before this node is not seen.
    muted: NodeId,
}

impl Walk<'_, '_> {
    /// Closes the blocks that ended before this node.
    fn leave(&mut self, id: NodeId) {
        while self.blocks.last().is_some_and(|&end| end <= id) {
            self.blocks.pop();
            self.form.end_word();
        }
    }

    fn references(&mut self, id: NodeId) {
        let Some(resolver) = &self.resolver else { return };
        each_reference(self.tree, id, self.links.wanted(), |reference| {
            let kind = reference.kind;
            if !self.links.wants(kind) || (kind == Kind::Anchor && is_fragment(reference.text)) {
                return;
            }
            if let Some(url) = resolver.absolute(reference.text, &mut self.room) {
                note_canonical(self.facts, kind, url);
                self.links.add(kind, url, is_nofollow(self.tree, id, kind), LinkText::default);
            }
        });
    }

    fn text(&mut self, id: NodeId) {
        if id >= self.muted {
            let text = self.tree.text(id);
            self.form.push(&text);
            let shown = text.trim_ascii();
            if !shown.is_empty() {
                self.facts.shown =
                    (self.facts.shown ^ xxh3_64(shown.as_bytes())).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
        }
    }

    fn element(&mut self, id: NodeId) {
        let node = self.tree.node(id);
        let tag = node.tag;
        if tag.has(BLOCK) || tag == Tag::Br {
            self.form.end_word();
            if !tag.has(VOID) {
                self.blocks.push(node.end);
            }
        }
        if tag.has(UNSEEN) || (id >= self.muted && self.tree.is_hidden(id)) {
            self.muted = self.muted.max(node.end);
        }
        if tag == Tag::Meta {
            self.meta(id);
        }
    }

    fn meta(&mut self, id: NodeId) {
        let raw = |name| self.tree.raw_attribute(id, name).unwrap_or_default().trim();
        let name = raw(Name::Name).to_ascii_lowercase();
        if name.contains("bot") {
            let content = self.tree.attribute(id, Name::Content).unwrap_or_default();
            self.facts.nofollow |= name == "robots" && says_nofollow(&content);
            if self.facts.robots.len() < MOST_DIRECTIVES {
                let content = &content[..content.floor_char_boundary(LONGEST_DIRECTIVE)];
                let name = &name[..name.floor_char_boundary(LONGEST_DIRECTIVE)];
                self.facts.robots.push((name.into(), content.into()));
            }
        }
    }
}

/// Whether a link leads to a place on its own page. Against a `<base>` it would lead elsewhere, which nobody means.
fn is_within_page(tree: &Tree<'_>, id: NodeId, kind: Kind) -> bool {
    let href = || tree.attribute(id, Name::Href).or_else(|| tree.attribute(id, Name::XlinkHref));
    kind == Kind::Anchor && href().is_some_and(|href| is_fragment(&href))
}

fn is_fragment(reference: &str) -> bool {
    reference.trim_ascii_start().starts_with('#')
}

fn is_nofollow(tree: &Tree<'_>, id: NodeId, kind: Kind) -> bool {
    let rel = || tree.raw_attribute(id, Name::Rel).unwrap_or_default().split_ascii_whitespace();
    kind == Kind::Anchor && rel().any(|token| token.eq_ignore_ascii_case("nofollow"))
}

fn note_canonical(facts: &mut PageFacts, kind: Kind, url: &str) {
    if kind == Kind::Canonical && facts.canonical.is_none() {
        facts.canonical = Address::from_normal(url);
    }
}
