//! svg and math: elements with rules of their own, and the islands of HTML inside them.
//!
//! <https://html.spec.whatwg.org/#parsing-main-inforeign>

use super::attribute::{Attribute, Name};
use super::build::Builder;
use super::tag::Tag;
use super::tag::trait_bits::{BREAKS_OUT, ISLAND};

/// An open element at which the rules change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Island {
    /// Its place among the open elements.
    pub(super) height: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Svg,
    Math,
    Html,
}

impl<'a> Builder<'a> {
    /// Whether a start tag here is svg's or math's.
    pub(super) fn in_foreign(&self) -> bool {
        self.islands.last().is_some_and(|island| island.kind != Kind::Html)
    }

    /// Whether the current element itself is svg's or math's: there `<![CDATA[` is text.
    pub(super) fn takes_cdata(&self) -> bool {
        self.islands
            .last()
            .is_some_and(|island| island.kind != Kind::Html || island.height + 1 == self.open.len())
    }

    /// What the name means outside svg and math.
    pub(super) fn in_html(tag: Tag) -> Tag {
        match tag {
            Tag::Image => Tag::Img,
            _ if tag.has(ISLAND) => Tag::Other,
            _ => tag,
        }
    }

    /// Goes on in svg or math, whose element is the current one.
    pub(super) fn enter_foreign(&mut self, tag: Tag, self_closing: bool) {
        self.enter(if tag == Tag::Svg { Kind::Svg } else { Kind::Math });
        if self_closing {
            self.pop();
        }
    }

    fn enter(&mut self, kind: Kind) {
        self.islands.push(Island { height: self.open.len() - 1, kind });
    }

    /// A start tag inside svg or math; whether it was one of theirs.
    pub(super) fn foreign_start(&mut self, tag: Tag, name: &'a str, self_closing: bool) -> bool {
        if tag.has(BREAKS_OUT) || (tag == Tag::Font && self.waiting_attributes().iter().any(is_of_font)) {
            self.break_out();
            return false;
        }
        let inner = self.inner_rules(tag);
        let tag = match tag {
            Tag::A | Tag::Script | Tag::Style | Tag::Svg | Tag::Math | Tag::Title => tag,
            _ if inner.is_some() => tag,
            _ => Tag::Other,
        };
        if self.push(tag, name) {
            if let Some(kind) = inner {
                self.enter(kind);
            }
            if self_closing {
                self.pop();
            }
        }
        true
    }

    /// The rules inside this element, where they are others than around it.
    fn inner_rules(&self, tag: Tag) -> Option<Kind> {
        let math = self.islands.last().is_some_and(|island| island.kind == Kind::Math);
        match tag {
            Tag::ForeignObject | Tag::Desc | Tag::Title if !math => Some(Kind::Html),
            Tag::Mi | Tag::Mo | Tag::Mn | Tag::Ms | Tag::Mtext if math => Some(Kind::Html),
            Tag::AnnotationXml if math && self.waiting_attributes().iter().any(is_html) => Some(Kind::Html),
            Tag::Svg if math && self.current_name().eq_ignore_ascii_case("annotation-xml") => Some(Kind::Svg),
            _ => None,
        }
    }

    fn current_name(&self) -> &'a str {
        self.open.last().map_or("", |&id| self.nodes[id as usize].raw)
    }

    /// Ends svg and math, up to the HTML around them.
    fn break_out(&mut self) {
        while let Some(island) = self.islands.last().copied().filter(|island| island.kind != Kind::Html) {
            self.pop_to(island.height);
        }
    }

    /// An end tag while the current element is svg's or math's; whether it ended one of theirs.
    pub(super) fn foreign_end(&mut self, tag: Tag, name: &str) -> bool {
        if matches!(tag, Tag::P | Tag::Br) {
            self.break_out();
            return false;
        }
        for height in (self.foreign_base()..self.open.len()).rev() {
            if self.nodes[self.open[height] as usize].raw.eq_ignore_ascii_case(name) {
                self.pop_to(height);
                return true;
            }
        }
        false
    }

    /// The lowest open element from which on all are svg's or math's.
    fn foreign_base(&self) -> usize {
        let mut base = self.open.len();
        for island in self.islands.iter().rev() {
            match island.kind {
                Kind::Html if island.height + 1 != base => break,
                Kind::Html => {}
                Kind::Svg | Kind::Math => base = island.height,
            }
        }
        base
    }
}

/// A `font` with one of these is HTML's.
fn is_of_font(attribute: &Attribute<'_>) -> bool {
    ["color", "face", "size"].iter().any(|name| attribute.written.eq_ignore_ascii_case(name))
}

fn is_html(attribute: &Attribute<'_>) -> bool {
    let html = ["text/html", "application/xhtml+xml"];
    attribute.name == Name::Other
        && attribute.written.eq_ignore_ascii_case("encoding")
        && html.iter().any(|kind| attribute.raw.eq_ignore_ascii_case(kind))
}
