//! A look at pictures in tests, with the eyes of another program: usvg sets the text itself and measures it.

use resvg::usvg::{Group, Node, Rect, TextChunk, Tree};

use super::png::options;

/// What is in a picture.
pub(super) struct Picture {
    size: Area,
    /// Every text with the room it takes.
    pub(super) texts: Vec<(String, Area)>,
    /// Filled rectangles but the background.
    pub(super) bars: Vec<Area>,
    /// Everything.
    all: Vec<Area>,
}

/// A rectangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    fn of(rect: Rect) -> Self {
        let [left, right, top, bottom] =
            [rect.left(), rect.right(), rect.top(), rect.bottom()].map(f64::from);
        Self { left, right, top, bottom }
    }

    fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.right >= other.right
            && self.top <= other.top
            && self.bottom >= other.bottom
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

impl Picture {
    /// Reads an SVG, which has to be a sound one.
    pub(super) fn of(svg: &str) -> Self {
        let tree = Tree::from_str(svg, &options()).unwrap_or_else(|error| panic!("{error}: {svg}"));
        let (right, bottom) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
        let size = Area { left: 0.0, right, top: 0.0, bottom };
        let mut picture = Self { size, texts: Vec::new(), bars: Vec::new(), all: Vec::new() };
        picture.gather(tree.root());
        // The first is the background.
        picture.bars.remove(0);
        picture
    }

    fn gather(&mut self, group: &Group) {
        for node in group.children() {
            match node {
                Node::Group(inner) => self.gather(inner),
                Node::Text(text) => {
                    let written = text.chunks().iter().map(TextChunk::text).collect();
                    self.texts.push((written, Area::of(text.abs_bounding_box())));
                }
                Node::Path(path) if path.fill().is_some() && path.stroke().is_none() => {
                    self.bars.push(Area::of(path.abs_bounding_box()));
                }
                Node::Path(_) | Node::Image(_) => {}
            }
            self.all.push(Area::of(node.abs_stroke_bounding_box()));
        }
    }

    pub(super) fn has_text(&self, text: &str) -> bool {
        self.texts.iter().any(|(written, _)| written == text)
    }
}

/// Nothing is outside of the picture, and no text on another or on a bar.
pub(super) fn assert_sound(picture: &Picture) {
    for area in &picture.all {
        assert!(picture.size.holds(area), "{area:?} is outside of {:?}", picture.size);
    }
    for (i, (text, area)) in picture.texts.iter().enumerate() {
        for (other, other_area) in &picture.texts[..i] {
            assert!(!area.meets(other_area), "{text:?} on {other:?}: {area:?} {other_area:?}");
        }
        assert!(!picture.bars.iter().any(|bar| bar.meets(area)), "{text:?} on a bar");
    }
}

/// Texts as pages have them.
pub(super) fn hostile_texts() -> Vec<String> {
    let long = ["W".repeat(500), "so it goes ".repeat(50), "日本語".repeat(100)];
    let short = [
        "",
        "✓ same",
        "<script>alert(1)</script>",
        "]]> & \"quoted\" 'so'",
        "\u{1b}[31m\n\t\0\u{202E}turned",
        "e\u{301}\u{301}\u{301} 👩‍👩‍👧 ﷽",
        "שלום עולם",
    ];
    short.into_iter().map(str::to_owned).chain(long).collect()
}

/// Numbers as divisions make them.
pub(super) fn odd_numbers() -> Vec<f64> {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324];
    let plain = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        64.0,
        1234.5,
        -98_765.4,
        1e15,
        1e15 + 2.0,
        123_456_789_012.0,
        1e-9,
        1e300,
    ];
    odd.into_iter().chain(plain).collect()
}
