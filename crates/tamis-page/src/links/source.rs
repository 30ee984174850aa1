//! The references of an element: which attributes hold them, of what kind they are, and their values.
//!
//! [`each_reference`] is the only definition of what a link is. [`read`](super::read()) adds the texts in and around links; a crawler
//! that needs URLs alone calls it directly.

use super::script::{self, ImportMap};
use super::{Kind, refresh, srcset, style};
use crate::html::{Attribute, Name, NodeId, Tag, Tree, parse};

/// Documents within documents, by `srcdoc`.
const DEEPEST_DOCUMENT: usize = 3;

/// Which references are wanted beyond those that lead to other pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What the page loads: images, scripts, style sheets, media.
    pub requisites: bool,
    /// Also what styles, modules, import maps, drawings, manifests and the documents of `srcdoc` load: all that a browser fetches.
    pub styles: bool,
}

/// A reference of an element.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'r, 'a> {
    /// What it leads to, or loads.
    pub kind: Kind,
    /// The reference, with character references decoded. Relative, absolute, or no URL at all.
    pub text: &'r str,
    /// The attribute's value as written, if the reference is all of it.
    pub raw: Option<&'a str>,
}

/// Gives each reference of a node, in the order of its attributes. References that are empty are skipped, except those of anchors.
#[inline]
pub fn each_reference<'a>(tree: &Tree<'a>, id: NodeId, wanted: Wanted, give: impl FnMut(Reference<'_, 'a>)) {
    // Most nodes hold none: they must cost a caller no more than this look.
    let tag = tree.node(id).tag;
    if wanted.styles || leads(tag) || (wanted.requisites && loads(tag)) {
        of_node(tree, id, wanted, 0, give);
    }
}

fn of_node<'a>(
    tree: &Tree<'a>,
    id: NodeId,
    wanted: Wanted,
    depth: usize,
    mut give: impl FnMut(Reference<'_, 'a>),
) {
    let node = tree.node(id);
    if node.tag == Tag::Text {
        match tree.node(node.parent).tag {
            Tag::Style if wanted.styles => of_style(node.raw, give),
            Tag::Script if wanted.styles => of_script(tree, id, give),
            _ => {}
        }
        return;
    }
    if node.tag == Tag::Other {
        if wanted.styles {
            of_drawing(tree, id, &mut give);
        }
    } else if node.tag == Tag::Iframe && wanted.styles && depth < DEEPEST_DOCUMENT {
        let document = tree.attribute(id, Name::Srcdoc);
        of_document(&document.unwrap_or_default(), wanted, depth + 1, &mut |kind, text| {
            give(Reference { kind, text, raw: None });
        });
    }
    let attributes = tree.attributes(id);
    for (at, attribute) in attributes.iter().enumerate() {
        let Some(holds) = holds(node.tag, attribute.name) else { continue };
        // Of two attributes with one name, the first counts.
        if !attributes[..at].iter().any(|earlier| earlier.name == attribute.name) {
            of_attribute(tree, id, (holds, attribute), wanted, &mut give);
        }
    }
}

fn of_attribute<'a>(
    tree: &Tree<'a>,
    id: NodeId,
    (holds, attribute): (Holds, &Attribute<'a>),
    wanted: Wanted,
    give: &mut impl FnMut(Reference<'_, 'a>),
) {
    let is_wanted = |kind: Kind| wanted.requisites || !kind.is_requisite();
    match holds {
        Holds::One(kind) => one(kind_in(tree, id, kind), attribute, is_wanted, give),
        Holds::Related => {
            let raw = |name| tree.raw_attribute(id, name).unwrap_or_default();
            let kind = match related(raw(Name::Rel), raw(Name::As)) {
                Kind::Relation if wanted.styles && is_manifest(raw(Name::Rel)) => Kind::Media,
                kind => kind,
            };
            one(kind, attribute, is_wanted, give);
        }
        Holds::Set => {
            if is_wanted(Kind::Image) {
                let set = attribute.value();
                for text in srcset::references(&set) {
                    give(Reference { kind: Kind::Image, text, raw: None });
                }
            }
        }
        Holds::Refresh => {
            let equivalent = tree.raw_attribute(id, Name::HttpEquiv).unwrap_or_default();
            if equivalent.trim().eq_ignore_ascii_case("refresh") {
                let content = attribute.value();
                if let Some(text) = refresh::reference(&content) {
                    give(Reference { kind: Kind::Refresh, text, raw: None });
                }
            }
        }
        Holds::Style => {
            if wanted.styles {
                of_style(&attribute.value(), give);
            }
        }
    }
}

fn one<'a>(
    kind: Kind,
    attribute: &Attribute<'a>,
    is_wanted: impl Fn(Kind) -> bool,
    give: &mut impl FnMut(Reference<'_, 'a>),
) {
    let is_empty = attribute.raw.trim_ascii().is_empty();
    if is_wanted(kind) && (kind == Kind::Anchor || !is_empty) {
        give(Reference { kind, text: &attribute.value(), raw: Some(attribute.raw) });
    }
}

fn of_style<'a>(sheet: &str, mut give: impl FnMut(Reference<'_, 'a>)) {
    for text in style::references(sheet) {
        give(Reference { kind: style::kind(text), text, raw: None });
    }
}

/// What a script in the page imports. Names are explained by the import maps of the page; each map gives the modules that it names.
fn of_script<'a>(tree: &Tree<'a>, id: NodeId, mut give: impl FnMut(Reference<'_, 'a>)) {
    let node = tree.node(id);
    let mut give = |text: &str| give(Reference { kind: Kind::Script, text, raw: None });
    if is_of_type(tree, node.parent, "importmap") {
        ImportMap::parse(node.raw).modules().for_each(give);
        return;
    }
    if !is_run(tree, node.parent) {
        return;
    }
    let mut maps: Option<Vec<ImportMap>> = None;
    for specifier in script::imports(node.raw) {
        if script::is_reference(specifier) {
            give(specifier);
            continue;
        }
        let maps = maps.get_or_insert_with(|| import_maps(tree));
        maps.iter().filter_map(|map| map.resolve(specifier)).for_each(|reference| give(&reference));
    }
}

fn import_maps(tree: &Tree<'_>) -> Vec<ImportMap> {
    let texts = tree.nodes().iter().filter(|node| node.tag == Tag::Text);
    let of_maps = texts.filter(|node| {
        tree.node(node.parent).tag == Tag::Script && is_of_type(tree, node.parent, "importmap")
    });
    of_maps.map(|node| ImportMap::parse(node.raw)).collect()
}

/// Whether a browser runs a script, rather than leaving it to others as data.
fn is_run(tree: &Tree<'_>, id: NodeId) -> bool {
    let kind = tree.raw_attribute(id, Name::Type).unwrap_or_default().trim().to_ascii_lowercase();
    matches!(kind.as_str(), "" | "module") || kind.ends_with("javascript") || kind.ends_with("ecmascript")
}

fn is_of_type(tree: &Tree<'_>, id: NodeId, kind: &str) -> bool {
    tree.raw_attribute(id, Name::Type).is_some_and(|written| written.trim().eq_ignore_ascii_case(kind))
}

/// The picture, or the part of another drawing, that an element of a drawing shows.
fn of_drawing<'a>(tree: &Tree<'a>, id: NodeId, give: &mut impl FnMut(Reference<'_, 'a>)) {
    if !is(tree.node(id).raw, &["image", "use", "feImage"]) {
        return;
    }
    let attributes = tree.attributes(id);
    let links = attributes.iter().filter(|attribute| matches!(attribute.name, Name::Href | Name::XlinkHref));
    for attribute in links {
        let text = attribute.value();
        // The part of the drawing itself.
        if !text.trim_ascii_start().starts_with('#') && !text.trim_ascii().is_empty() {
            give(Reference { kind: Kind::Image, text: &text, raw: Some(attribute.raw) });
        }
    }
}

/// The references of a document that stands in an attribute; they are relative to the page.
fn of_document(html: &str, wanted: Wanted, depth: usize, give: &mut dyn FnMut(Kind, &str)) {
    if html.is_empty() {
        return;
    }
    let tree = parse(html);
    for id in 1..tree.nodes().len() as NodeId {
        of_node(&tree, id, wanted, depth, |reference| give(reference.kind, reference.text));
    }
}

fn is_manifest(rel: &str) -> bool {
    rel.split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case("manifest"))
}

/// A `<source>` belongs to a picture, if not to a video or sound.
fn kind_in(tree: &Tree<'_>, id: NodeId, kind: Kind) -> Kind {
    let node = tree.node(id);
    let in_picture = node.tag == Tag::Source && tree.node(node.parent).tag == Tag::Picture;
    if in_picture { Kind::Image } else { kind }
}

/// How an attribute holds references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// One.
    One(Kind),
    /// Images with descriptors, as in `srcset`.
    Set,
    /// One whose kind depends on the element's `rel`.
    Related,
    /// One after a number of seconds, if the element is a refresh.
    Refresh,
    /// Those of a style.
    Style,
}

/// Whether an element may hold references that are no requisites.
#[inline]
fn leads(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::A
            | Tag::Area
            | Tag::Blockquote
            | Tag::Button
            | Tag::Del
            | Tag::Form
            | Tag::Frame
            | Tag::Iframe
            | Tag::Input
            | Tag::Ins
            | Tag::Link
            | Tag::Meta
            | Tag::Q
    )
}

/// Whether an element may hold references to requisites; those that [`leads`] has are not repeated.
#[inline]
fn loads(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Audio
            | Tag::Bgsound
            | Tag::Body
            | Tag::Embed
            | Tag::Image
            | Tag::Img
            | Tag::Object
            | Tag::Script
            | Tag::Source
            | Tag::Table
            | Tag::Td
            | Tag::Th
            | Tag::Tr
            | Tag::Track
            | Tag::Video
    )
}

/// What an attribute of an element holds.
fn holds(tag: Tag, name: Name) -> Option<Holds> {
    use Holds::{One, Refresh, Related, Set, Style};
    Some(match (tag, name) {
        (Tag::A | Tag::Area, Name::Href | Name::XlinkHref) => One(Kind::Anchor),
        (Tag::Img | Tag::Image, Name::Src | Name::DataSrc | Name::DataOriginal | Name::DataLazySrc)
        | (Tag::Input, Name::Src)
        | (Tag::Video, Name::Poster)
        | (Tag::Body | Tag::Table | Tag::Tr | Tag::Td | Tag::Th, Name::Background) => One(Kind::Image),
        (Tag::Img | Tag::Image | Tag::Source, Name::Srcset | Name::DataSrcset | Name::DataLazySrcset)
        | (Tag::Link, Name::Imagesrcset) => Set,
        (Tag::Script, Name::Src) => One(Kind::Script),
        (Tag::Iframe | Tag::Frame, Name::Src | Name::DataSrc | Name::DataLazySrc) => One(Kind::Frame),
        (Tag::Form, Name::Action) | (Tag::Button | Tag::Input, Name::Formaction) => One(Kind::Form),
        (
            Tag::Video | Tag::Audio | Tag::Source | Tag::Track | Tag::Embed | Tag::Bgsound,
            Name::Src | Name::DataSrc,
        )
        | (Tag::Object, Name::Data) => One(Kind::Media),
        (Tag::Link, Name::Href) => Related,
        (Tag::Blockquote | Tag::Q | Tag::Ins | Tag::Del, Name::Cite) => One(Kind::Relation),
        (Tag::Meta, Name::Content) => Refresh,
        (_, Name::Style) => Style,
        _ => return None,
    })
}

/// What a `<link>` leads to, by its `rel` and, where that preloads something, its `as`. A token that loads something takes
/// precedence: `alternate stylesheet` is a style sheet.
fn related(rel: &str, preloads: &str) -> Kind {
    let tokens = || rel.split_ascii_whitespace();
    let loaded = tokens().find_map(|token| match () {
        () if is(token, &["stylesheet"]) => Some(Kind::Style),
        () if is(token, ICONS) => Some(Kind::Image),
        () if is(token, &["modulepreload"]) => Some(Kind::Script),
        () if is(token, &["preload", "prefetch"]) => preloaded(preloads.trim()),
        () => None,
    });
    let led_to = || {
        tokens().find_map(|token| match () {
            () if is(token, &["canonical"]) => Some(Kind::Canonical),
            () if is(token, &["next", "prev", "previous"]) => Some(Kind::Series),
            () if is(token, &["alternate", "amphtml"]) => Some(Kind::Alternate),
            () if is(token, &["sitemap"]) => Some(Kind::Sitemap),
            () => None,
        })
    };
    loaded.or_else(led_to).unwrap_or(Kind::Relation)
}

const ICONS: &[&str] = &[
    "icon",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "apple-touch-startup-image",
    "mask-icon",
    "fluid-icon",
    "image_src",
];

fn preloaded(kind: &str) -> Option<Kind> {
    match () {
        () if is(kind, &["script", "worker"]) => Some(Kind::Script),
        () if is(kind, &["style"]) => Some(Kind::Style),
        () if is(kind, &["image"]) => Some(Kind::Image),
        () if is(kind, &["audio", "video", "track", "font", "object", "embed"]) => Some(Kind::Media),
        () => None,
    }
}

fn is(token: &str, names: &[&str]) -> bool {
    names.iter().any(|name| token.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rel_tells_the_kind() {
        for (rel, loads, kind) in [
            ("", "", Kind::Relation),
            ("canonical", "", Kind::Canonical),
            ("Prev", "", Kind::Series),
            ("author", "", Kind::Relation),
            ("alternate stylesheet", "", Kind::Style),
            ("alternate", "", Kind::Alternate),
            ("shortcut icon", "", Kind::Image),
            ("preload", "Script", Kind::Script),
            ("preload", "font", Kind::Media),
            ("prefetch", "", Kind::Relation),
            ("modulepreload", "", Kind::Script),
        ] {
            assert_eq!(related(rel, loads), kind, "{rel} {loads}");
        }
    }

    #[test]
    fn only_elements_that_may_hold_references_do() {
        for name in ["div", "p", "span", "base", "svg"] {
            let tag = Tag::of(name.as_bytes());
            assert!(!leads(tag) && !loads(tag));
            assert_eq!(holds(tag, Name::Href), None);
        }
    }
}
