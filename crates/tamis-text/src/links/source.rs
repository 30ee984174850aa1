//! Which attributes of which elements hold references, and to what.

use super::Kind;
use crate::html::{Name, Tag};

/// How an attribute holds its references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// One.
    One(Kind),
    /// One or more with descriptors, as `srcset` does.
    Set(Kind),
    /// One whose kind the element's `rel` tells.
    Related,
    /// One behind a number of seconds, if the element is a refresh.
    Refresh,
}

/// Whether the element may hold references at all.
pub(crate) fn has_references(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::A
            | Tag::Area
            | Tag::Audio
            | Tag::Bgsound
            | Tag::Blockquote
            | Tag::Body
            | Tag::Button
            | Tag::Del
            | Tag::Embed
            | Tag::Form
            | Tag::Frame
            | Tag::Iframe
            | Tag::Image
            | Tag::Img
            | Tag::Input
            | Tag::Ins
            | Tag::Link
            | Tag::Meta
            | Tag::Object
            | Tag::Q
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
pub(crate) fn holds(tag: Tag, name: Name) -> Option<Holds> {
    use Holds::{One, Refresh, Related, Set};
    Some(match (tag, name) {
        (Tag::A | Tag::Area, Name::Href | Name::XlinkHref) => One(Kind::Anchor),
        (Tag::Img | Tag::Image, Name::Src | Name::DataSrc | Name::DataOriginal | Name::DataLazySrc)
        | (Tag::Input, Name::Src)
        | (Tag::Video, Name::Poster)
        | (Tag::Body | Tag::Table | Tag::Tr | Tag::Td | Tag::Th, Name::Background) => One(Kind::Image),
        (Tag::Img | Tag::Image | Tag::Source, Name::Srcset | Name::DataSrcset | Name::DataLazySrcset)
        | (Tag::Link, Name::Imagesrcset) => Set(Kind::Image),
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
        _ => return None,
    })
}

/// What a `<link>` leads to, by its `rel` in lower case and, where that loads something, its `as`.
pub(crate) fn related(rel: &str, loads: &str) -> Kind {
    for token in rel.split(' ') {
        match token {
            "stylesheet" => return Kind::Style,
            "icon"
            | "apple-touch-icon"
            | "apple-touch-icon-precomposed"
            | "apple-touch-startup-image"
            | "mask-icon"
            | "fluid-icon"
            | "image_src" => return Kind::Image,
            "modulepreload" => return Kind::Script,
            "preload" | "prefetch" => return loaded(loads),
            _ => {}
        }
    }
    Kind::Relation
}

fn loaded(loads: &str) -> Kind {
    match loads.trim().to_ascii_lowercase().as_str() {
        "script" | "worker" => Kind::Script,
        "style" => Kind::Style,
        "image" => Kind::Image,
        "audio" | "video" | "track" => Kind::Media,
        _ => Kind::Relation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rel_tells_the_kind() {
        for (rel, loads, kind) in [
            ("", "", Kind::Relation),
            ("canonical", "", Kind::Relation),
            ("alternate stylesheet", "", Kind::Style),
            ("alternate", "", Kind::Relation),
            ("shortcut icon", "", Kind::Image),
            ("preload", "Script", Kind::Script),
            ("preload", "font", Kind::Relation),
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
            assert!(!has_references(tag));
            assert_eq!(holds(tag, Name::Href), None);
        }
    }
}
