//! The pass over a page of HTML that finds its links and its visible text.

use std::borrow::Cow;

use tamis_order::NormalForm;
use tamis_text::html::trait_bits::{BLOCK, UNSEEN, VOID};
use tamis_text::html::{Name, NodeId, Tag, Tree, parse};
use tamis_text::links::{refresh, srcset};

use super::links::{Kind, Links};
use super::resolve::Resolver;
use super::{PageFacts, references, says_nofollow};
use crate::Address;

/// Bytes of a link's text that are kept.
const LONGEST_ANCHOR: usize = 256;
/// Nodes in a link that are looked at for its text: links in links must not cost the square of their number.
const MOST_NODES_IN_ANCHOR: usize = 64;
/// Directives to robots that are kept, and bytes of each.
const MOST_DIRECTIVES: usize = 16;
const LONGEST_DIRECTIVE: usize = 1024;

/// Reads a page: its text goes to `form`, its links to `links`, what else it says to `facts`.
pub(super) fn read(
    page: &str,
    address: &Address,
    form: &mut NormalForm,
    facts: &mut PageFacts,
    links: &mut Links,
) {
    let tree = parse(page);
    let bases = (0..).zip(tree.nodes()).filter(|(_, node)| node.tag == Tag::Base);
    let href = bases.into_iter().find_map(|(id, _)| tree.attribute(id, Name::Href));
    let Some(resolver) = Resolver::new(address, href.as_deref()) else { return };
    let wants_requisites = links.wants(Kind::Image);
    let mut walk =
        Walk { tree: &tree, resolver, form, facts, links, wants_requisites, blocks: Vec::new(), muted: 0 };
    for id in 1..tree.nodes().len() as NodeId {
        walk.leave(id);
        if tree.node(id).tag == Tag::Text { walk.text(id) } else { walk.element(id) }
    }
}

struct Walk<'w, 'a> {
    tree: &'w Tree<'a>,
    resolver: Resolver,
    form: &'w mut NormalForm,
    facts: &'w mut PageFacts,
    links: &'w mut Links,
    wants_requisites: bool,
    /// Ends of the open blocks.
    blocks: Vec<NodeId>,
    /// Text before this node is not seen.
    muted: NodeId,
}

impl<'a> Walk<'_, 'a> {
    /// Closes the blocks that ended before this node.
    fn leave(&mut self, id: NodeId) {
        while self.blocks.last().is_some_and(|&end| end <= id) {
            self.blocks.pop();
            self.form.end_word();
        }
    }

    fn text(&mut self, id: NodeId) {
        if id >= self.muted {
            self.form.push(&self.tree.text(id));
        } else if self.wants_requisites && self.tree.node(self.tree.node(id).parent).tag == Tag::Style {
            self.style(self.tree.node(id).raw);
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
        match tag {
            Tag::A => self.anchor(id, Kind::Anchor),
            Tag::Area => self.anchor(id, Kind::Area),
            Tag::Frame | Tag::Iframe => {
                self.all(id, Kind::Frame, &[Name::Src, Name::DataSrc, Name::DataLazySrc]);
            }
            Tag::Link => self.link(id),
            Tag::Meta => self.meta(id),
            _ if self.wants_requisites => self.requisites(id, tag),
            _ => {}
        }
    }

    fn anchor(&mut self, id: NodeId, kind: Kind) {
        let href = self.value(id, Name::Href).or_else(|| self.value(id, Name::XlinkHref));
        // A place on the page itself. With a base it leads to that, by the letter, and nobody means it.
        let href = href.filter(|href| !href.trim_ascii_start().starts_with('#'));
        let Some(address) = href.and_then(|href| self.resolver.resolve(&href)) else { return };
        let nofollow = self.rel(id).any(|token| token.eq_ignore_ascii_case("nofollow"));
        let anchor = self.links.wants_anchors().then(|| anchor_text(self.tree, id));
        self.links.add(kind, Some(address), nofollow, anchor);
    }

    fn link(&mut self, id: NodeId) {
        let kind = self.rel(id).find_map(|token| related(token, || self.tree.raw_attribute(id, Name::As)));
        let Some(kind) = kind.filter(|&kind| self.links.wants(kind)) else { return };
        let address = self.reference(id, Name::Href);
        if kind == Kind::Canonical && self.facts.canonical.is_none() {
            self.facts.canonical.clone_from(&address);
        }
        self.links.add(kind, address, false, None);
        if self.wants_requisites {
            self.set(id, Name::Imagesrcset);
        }
    }

    fn meta(&mut self, id: NodeId) {
        let raw = |name| self.tree.raw_attribute(id, name).unwrap_or_default().trim();
        if raw(Name::HttpEquiv).eq_ignore_ascii_case("refresh") {
            let content = self.value(id, Name::Content).unwrap_or_default();
            let reference = refresh::reference(&content);
            let address = reference.and_then(|reference| self.resolver.resolve(reference));
            self.links.add(Kind::Refresh, address, false, None);
        }
        let name = raw(Name::Name).to_ascii_lowercase();
        if name.contains("bot") {
            let content = self.value(id, Name::Content).unwrap_or_default();
            self.facts.nofollow |= name == "robots" && says_nofollow(&content);
            if self.facts.robots.len() < MOST_DIRECTIVES {
                let content = &content[..content.floor_char_boundary(LONGEST_DIRECTIVE)];
                let name = &name[..name.floor_char_boundary(LONGEST_DIRECTIVE)];
                self.facts.robots.push((name.into(), content.into()));
            }
        }
    }

    /// What an element loads.
    fn requisites(&mut self, id: NodeId, tag: Tag) {
        match tag {
            Tag::Img | Tag::Image => {
                self.all(id, Kind::Image, &[Name::Src, Name::DataSrc, Name::DataOriginal, Name::DataLazySrc]);
                self.sets(id);
            }
            Tag::Source => {
                let in_picture = self.tree.node(self.tree.node(id).parent).tag == Tag::Picture;
                self.all(id, if in_picture { Kind::Image } else { Kind::Media }, &[Name::Src, Name::DataSrc]);
                self.sets(id);
            }
            Tag::Video | Tag::Audio | Tag::Track | Tag::Embed | Tag::Bgsound => {
                self.all(id, Kind::Media, &[Name::Src, Name::DataSrc]);
                self.all(id, Kind::Image, &[Name::Poster]);
            }
            Tag::Script => self.all(id, Kind::Script, &[Name::Src]),
            Tag::Object => self.all(id, Kind::Media, &[Name::Data]),
            Tag::Input => self.all(id, Kind::Image, &[Name::Src]),
            Tag::Body | Tag::Table | Tag::Tr | Tag::Td | Tag::Th => {
                self.all(id, Kind::Image, &[Name::Background]);
            }
            _ => {}
        }
        if let Some(style) = self.value(id, Name::Style) {
            self.style(&style);
        }
    }

    fn style(&mut self, sheet: &str) {
        for reference in references::of_style(sheet) {
            self.links.add(Kind::in_style(reference), self.resolver.resolve(reference), false, None);
        }
    }

    fn all(&mut self, id: NodeId, kind: Kind, names: &[Name]) {
        for &name in names {
            self.links.add(kind, self.reference(id, name), false, None);
        }
    }

    fn sets(&mut self, id: NodeId) {
        for name in [Name::Srcset, Name::DataSrcset, Name::DataLazySrcset] {
            self.set(id, name);
        }
    }

    fn set(&mut self, id: NodeId, name: Name) {
        let Some(srcset) = self.value(id, name) else { return };
        for reference in srcset::references(&srcset) {
            self.links.add(Kind::Image, self.resolver.resolve(reference), false, None);
        }
    }

    /// The address that an attribute names; an empty one loads nothing.
    fn reference(&self, id: NodeId, name: Name) -> Option<Address> {
        let value = self.value(id, name).filter(|value| !value.trim_ascii().is_empty())?;
        self.resolver.resolve(&value)
    }

    fn value(&self, id: NodeId, name: Name) -> Option<Cow<'a, str>> {
        self.tree.attribute(id, name)
    }

    fn rel(&self, id: NodeId) -> impl Iterator<Item = &'a str> + use<'a> {
        self.tree.raw_attribute(id, Name::Rel).unwrap_or_default().split_ascii_whitespace()
    }
}

/// What a token of the `rel` of a `<link>` says; `loads` is the element's `as`.
fn related<'a>(token: &str, loads: impl Fn() -> Option<&'a str>) -> Option<Kind> {
    let is = |names: &[&str]| names.iter().any(|name| token.eq_ignore_ascii_case(name));
    match () {
        () if is(&["stylesheet"]) => Some(Kind::Style),
        () if is(&["canonical"]) => Some(Kind::Canonical),
        () if is(&["next", "prev", "previous"]) => Some(Kind::Series),
        () if is(&["alternate", "amphtml"]) => Some(Kind::Alternate),
        () if is(&["sitemap"]) => Some(Kind::Sitemap),
        () if is(&["icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "image_src"]) => {
            Some(Kind::Image)
        }
        () if is(&["modulepreload"]) => Some(Kind::Script),
        () if is(&["preload", "prefetch"]) => loaded(loads().unwrap_or_default().trim()),
        () => None,
    }
}

fn loaded(loads: &str) -> Option<Kind> {
    let is = |names: &[&str]| names.iter().any(|name| loads.eq_ignore_ascii_case(name));
    match () {
        () if is(&["script", "worker"]) => Some(Kind::Script),
        () if is(&["style"]) => Some(Kind::Style),
        () if is(&["image"]) => Some(Kind::Image),
        () if is(&["audio", "video", "track", "font", "object", "embed"]) => Some(Kind::Media),
        () => None,
    }
}

/// The text of a link, each run of white space as one space; if it has none, that of its image or its label.
fn anchor_text(tree: &Tree<'_>, id: NodeId) -> Box<str> {
    let mut text = String::new();
    let mut instead: Option<Cow<'_, str>> = None;
    for node in tree.descendants(id).take(MOST_NODES_IN_ANCHOR) {
        match tree.node(node).tag {
            Tag::Text => push_words(&mut text, &tree.text(node)),
            Tag::Img => instead = instead.or_else(|| tree.attribute(node, Name::Alt)),
            _ => {}
        }
        if text.len() >= LONGEST_ANCHOR {
            break;
        }
    }
    if text.trim().is_empty() {
        text.clear();
        let label = || tree.attribute(id, Name::AriaLabel).or_else(|| tree.attribute(id, Name::Title));
        push_words(&mut text, &instead.or_else(label).unwrap_or_default());
    }
    text[..text.floor_char_boundary(LONGEST_ANCHOR)].trim().into()
}

fn push_words(text: &mut String, more: &str) {
    for c in more.chars().take(4 * LONGEST_ANCHOR) {
        match c.is_whitespace() {
            true if text.is_empty() || text.ends_with(' ') => {}
            true => text.push(' '),
            false => text.push(c),
        }
        if text.len() >= LONGEST_ANCHOR {
            return;
        }
    }
}
