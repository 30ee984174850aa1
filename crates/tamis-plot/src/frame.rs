//! The axes around a chart, and where points are between them.

use super::axis::{Axis, Mark, Ruler};
use super::canvas::{Anchor, Canvas, LEADING, Lettering, MARGIN, PLAIN, SIZE, WIDTH, plain_width};
use super::hue::{GRID, INK, SOFT_INK};
use super::lettering::{printable, shortened};

/// The room between two axes, in units of the picture.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Ruler,
    y: Ruler,
}

const HEIGHT: f64 = 300.0;
/// The length of a mark that has a label.
const MARK: f64 = 5.0;
/// The length of one that has none.
const SMALL_MARK: f64 = 3.0;
/// Between a mark and its label.
const GAP: f64 = 4.0;
/// The least between two labels side by side.
const BETWEEN: f64 = 10.0;
/// Labels at the left side.
const MOST_ROWS: usize = 7;
/// Labels below.
const MOST_COLUMNS: usize = 8;

impl Frame {
    /// The frame for points that all have a place on both axes, below what is there.
    pub(super) fn new<P>(x: &Axis, y: &Axis, top: f64, points: impl Fn() -> P) -> Self
    where
        P: Iterator<Item = (f64, f64)>,
    {
        // The upper label stands half above the frame.
        let top = top + SIZE / 2.0;
        let rows = y.ruler(points().map(|point| point.1), MOST_ROWS);
        let title = if y.label.is_empty() { 0.0 } else { LEADING };
        let left = MARGIN + title + widest(&rows) + GAP + MARK;
        let of_columns = |most| {
            let columns = x.ruler(points().map(|point| point.0), most);
            // The labels at both ends stand half outside.
            let half = widest(&columns) / 2.0;
            let right = WIDTH - MARGIN.max(half + MARGIN / 2.0);
            Self {
                left: left.max(half + MARGIN / 2.0),
                right,
                top,
                bottom: top + HEIGHT,
                x: columns,
                y: rows.clone(),
            }
        };
        let least = of_columns(2);
        (3..=MOST_COLUMNS).rev().map(of_columns).find(Self::has_room).unwrap_or(least)
    }

    /// Where a point is in the picture.
    pub(super) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.across(self.x.place(x)), self.up(self.y.place(y)))
    }

    /// Draws the grid and the axes, and ends the picture below them.
    pub(super) fn draw(&self, canvas: &mut Canvas, x_label: &str, y_label: &str, is_empty: bool) {
        self.draw_grid(canvas);
        self.draw_columns(canvas);
        self.draw_rows(canvas);
        canvas.line((self.left, self.top), (self.left, self.bottom), INK);
        canvas.line((self.left, self.bottom), (self.right, self.bottom), INK);
        if is_empty {
            let (x, y) = (self.across(0.5), self.up(0.5));
            let lettering = Lettering { anchor: Anchor::Middle, fill: SOFT_INK, ..PLAIN };
            canvas.text(x, y, "nothing to show", lettering);
        }
        canvas.filled = self.bottom + MARK + GAP + SIZE;
        self.draw_labels(canvas, &printable(x_label), &printable(y_label));
    }

    fn across(&self, part: f64) -> f64 {
        self.left + (self.right - self.left) * part
    }

    fn up(&self, part: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * part
    }

    /// Whether no label below touches the next.
    fn has_room(&self) -> bool {
        let spans: Vec<(f64, f64)> = self
            .x
            .labels()
            .map(|(part, label)| (self.across(part), plain_width(label) / 2.0))
            .map(|(middle, half)| (middle - half, middle + half))
            .collect();
        spans.windows(2).all(|pair| pair[0].1 + BETWEEN <= pair[1].0)
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        for (part, _) in self.x.labels() {
            let x = self.across(part);
            canvas.line((x, self.top), (x, self.bottom), GRID);
        }
        for (part, _) in self.y.labels() {
            let y = self.up(part);
            canvas.line((self.left, y), (self.right, y), GRID);
        }
        if self.y.low < 0.0 && self.y.high > 0.0 {
            let zero = self.up(self.y.place(0.0));
            canvas.line((self.left, zero), (self.right, zero), SOFT_INK);
        }
    }

    fn draw_columns(&self, canvas: &mut Canvas) {
        let lettering = Lettering { anchor: Anchor::Middle, ..PLAIN };
        for mark in &self.x.marks {
            let (x, long) = (self.across(self.x.place(mark.at)), length(mark));
            canvas.line((x, self.bottom), (x, self.bottom + long), INK);
            if let Some(label) = &mark.label {
                canvas.text(x, self.bottom + long + GAP + SIZE * 0.8, label, lettering);
            }
        }
    }

    fn draw_rows(&self, canvas: &mut Canvas) {
        let lettering = Lettering { anchor: Anchor::End, ..PLAIN };
        for mark in &self.y.marks {
            let (y, long) = (self.up(self.y.place(mark.at)), length(mark));
            canvas.line((self.left - long, y), (self.left, y), INK);
            if let Some(label) = &mark.label {
                canvas.text(self.left - long - GAP, y + SIZE * 0.36, label, lettering);
            }
        }
    }

    /// What the axes measure, in their middles.
    fn draw_labels(&self, canvas: &mut Canvas, x_label: &str, y_label: &str) {
        let lettering = Lettering { anchor: Anchor::Middle, ..PLAIN };
        if !x_label.is_empty() {
            let middle = self.across(0.5);
            let fits = 2.0 * (middle.min(WIDTH - middle) - MARGIN);
            canvas.filled += LEADING;
            canvas.text(middle, canvas.filled - 1.0, &shortened(x_label, SIZE, fits), lettering);
        }
        let y_label = shortened(y_label, SIZE, HEIGHT);
        canvas.text(MARGIN + SIZE * 0.8, self.up(0.5), &y_label, Lettering { upright: true, ..lettering });
    }
}

fn widest(ruler: &Ruler) -> f64 {
    ruler.labels().map(|(_, label)| plain_width(label)).fold(0.0, f64::max)
}

fn length(mark: &Mark) -> f64 {
    if mark.label.is_some() { MARK } else { SMALL_MARK }
}
