//! How series look, and the legend that says which is which.

use super::canvas::{Canvas, LEADING, MARGIN, PLAIN, SIZE, WIDTH, plain_width, px};
use super::hue::Hue;
use super::lettering::{printable, shortened};
use super::lines::{Series, Stroke};

/// The looks of a series. Colour, mark and dashes differ, so that the picture can be printed in black too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    hue: Hue,
    mark: Mark,
    dashes: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Circle,
    Square,
    Triangle,
    Diamond,
    Nabla,
}

const MARKS: [Mark; 5] = [Mark::Circle, Mark::Square, Mark::Triangle, Mark::Diamond, Mark::Nabla];
const DASHES: [&str; 3] = ["7 4", "2 3", "9 3 2 3"];

/// The length of the piece of line before a name.
const SAMPLE: f64 = 26.0;
/// Between that and the name.
const GAP: f64 = 7.0;
/// Between a name and what follows it.
const SPACE: f64 = 22.0;

impl Look {
    /// The looks of all series, in their order.
    pub(super) fn of_all(series: &[Series]) -> Vec<Self> {
        let (mut solid, mut dashed) = (0.., 0..);
        let look = |series: &Series| match series.stroke {
            Stroke::Solid => Self::solid(solid.next().unwrap_or(0)),
            Stroke::Dashed => Self::dashed(dashed.next().unwrap_or(0)),
        };
        series.iter().map(look).collect()
    }

    fn solid(number: usize) -> Self {
        Self { hue: Hue::of_series(number), mark: MARKS[number % MARKS.len()], dashes: None }
    }

    fn dashed(number: usize) -> Self {
        Self { hue: Hue::Grey, mark: Mark::Circle, dashes: Some(DASHES[number % DASHES.len()]) }
    }

    /// A line along the data of a path.
    pub(super) fn draw_line(&self, canvas: &mut Canvas, path: &str) {
        let dashes = self.dashes.map_or(String::new(), |dashes| format!(r#" stroke-dasharray="{dashes}""#));
        let stroke = self.hue.code();
        canvas.element(format_args!(
            r#"<path d="{path}" fill="none" stroke="{stroke}" stroke-width="2" stroke-linejoin="round"{dashes}/>"#
        ));
    }

    /// The mark of a point, with a white seam that sets it off from lines below.
    pub(super) fn draw_mark(&self, canvas: &mut Canvas, (x, y): (f64, f64)) {
        let (fill, seam) = (self.hue.code(), r##"stroke="#FFFFFF""##);
        let corners = match self.mark {
            Mark::Circle => {
                let (x, y) = (px(x), px(y));
                return canvas
                    .element(format_args!(r#"<circle cx="{x}" cy="{y}" r="4" fill="{fill}" {seam}/>"#));
            }
            Mark::Square => [(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)].as_slice(),
            Mark::Triangle => &[(-4.5, 3.5), (0.0, -4.5), (4.5, 3.5)],
            Mark::Diamond => &[(-5.0, 0.0), (0.0, -5.0), (5.0, 0.0), (0.0, 5.0)],
            Mark::Nabla => &[(-4.5, -3.5), (0.0, 4.5), (4.5, -3.5)],
        };
        let corner = |(dx, dy): &(f64, f64)| format!("{},{}", px(x + dx), px(y + dy));
        let points = corners.iter().map(corner).collect::<Vec<_>>().join(" ");
        canvas.element(format_args!(r#"<polygon points="{points}" fill="{fill}" {seam}/>"#));
    }
}

/// The legend, in one line or in columns of the same width; none if no series has a name.
pub(super) fn draw(canvas: &mut Canvas, series: &[Series], looks: &[Look]) {
    let room = WIDTH - 2.0 * MARGIN;
    let entries: Vec<Entry> =
        series.iter().zip(looks).filter_map(|(series, look)| Entry::of(series, look)).collect();
    let total: f64 = entries.iter().map(|entry| entry.width() + SPACE).sum();
    let widest = entries.iter().map(Entry::width).fold(0.0, f64::max);
    let least = if total - SPACE > room { widest } else { 0.0 };
    let mut x = MARGIN;
    for entry in &entries {
        let width = entry.width().max(least);
        if x > MARGIN && x + width > MARGIN + room {
            x = MARGIN;
            canvas.filled += LEADING;
        }
        entry.draw(canvas, x);
        x += width + SPACE;
    }
    if !entries.is_empty() {
        canvas.filled += LEADING + 10.0;
    }
}

/// A series in the legend.
struct Entry<'a> {
    name: String,
    look: &'a Look,
    is_marked: bool,
}

impl<'a> Entry<'a> {
    fn of(series: &Series, look: &'a Look) -> Option<Self> {
        let name = shortened(&printable(&series.name), SIZE, WIDTH - 2.0 * MARGIN - SAMPLE - GAP);
        (!name.is_empty()).then_some(Self { name, look, is_marked: series.is_marked() })
    }

    fn width(&self) -> f64 {
        SAMPLE + GAP + plain_width(&self.name)
    }

    fn draw(&self, canvas: &mut Canvas, x: f64) {
        let middle = canvas.filled + LEADING / 2.0;
        self.look.draw_line(canvas, &format!("M{} {}H{}", px(x), px(middle), px(x + SAMPLE)));
        if self.is_marked {
            self.look.draw_mark(canvas, (x + SAMPLE / 2.0, middle));
        }
        canvas.text(x + SAMPLE + GAP, middle + SIZE * 0.36, &self.name, PLAIN);
    }
}
