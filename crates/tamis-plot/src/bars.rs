//! A histogram: one bar a line, with its label before it and its number behind it.

use super::canvas::{Anchor, Canvas, LEADING, Lettering, MARGIN, PLAIN, SIZE, WIDTH, plain_width, px};
use super::hue::{Hue, SOFT_INK};
use super::lettering::{printable, shortened};
use super::numbers::Numbers;

/// A histogram. Print it with [`printed`](Self::printed), or draw it with [`svg`](Self::svg).
///
/// Bars begin at zero and are as long as their values are large; those of negative values go the other way.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bars {
    /// What is counted, as one would write above a picture.
    pub title: String,
    /// How to write the values.
    pub numbers: Numbers,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

/// One bar of [`Bars`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// How long it is. What is not finite is written, and has no bar.
    pub value: f64,
    /// What else to say, such as the share of the whole; nothing if empty.
    pub note: String,
    /// The colour of the bar in the picture.
    pub hue: Hue,
}

impl Bar {
    /// A bar without a note.
    pub fn new(label: impl Into<String>, value: f64) -> Self {
        Self { label: label.into(), value, ..Self::default() }
    }

    /// The same with a note.
    #[must_use]
    pub fn with_note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// The same in another colour.
    #[must_use]
    pub fn with_hue(self, hue: Hue) -> Self {
        Self { hue, ..self }
    }

    /// What to draw: the value, or nothing where it is not finite.
    pub(super) fn length(&self) -> f64 {
        if self.value.is_finite() { self.value } else { 0.0 }
    }
}

/// The most of the width that labels take.
const LABELS: f64 = 0.4;
/// The most of the width that numbers and notes take.
const NUMBERS: f64 = 0.35;
/// Between a bar and the texts beside it.
const GAP: f64 = 8.0;
const ROW: f64 = 24.0;
const THICKNESS: f64 = 16.0;
/// Less than this one does not see.
const THINNEST: f64 = 1.0;

impl Bars {
    /// The histogram as SVG.
    pub fn svg(&self) -> String {
        let mut canvas = Canvas::new(&self.title);
        let rows: Vec<Row> = self.bars.iter().map(|bar| Row::of(bar, self.numbers)).collect();
        let widest = |width: fn(&Row) -> f64| rows.iter().map(width).fold(0.0, f64::max);
        let labels_end = MARGIN + widest(|row| plain_width(&row.label));
        let room = WIDTH - MARGIN - widest(Row::behind) - GAP - (labels_end + GAP);
        let extent = Extent::of(&self.bars);
        let zero = labels_end + GAP + room * extent.below();
        for (row, bar) in rows.iter().zip(&self.bars) {
            row.draw(&mut canvas, labels_end, zero, room * extent.share(bar.length()), bar.hue);
        }
        if rows.is_empty() {
            canvas.text(
                MARGIN,
                canvas.filled + SIZE,
                "nothing to show",
                Lettering { fill: SOFT_INK, ..PLAIN },
            );
            canvas.filled += LEADING;
        } else {
            let top = (zero, canvas.filled - ROW * rows.len() as f64);
            canvas.line(top, (zero, canvas.filled), SOFT_INK);
        }
        canvas.finish(&self.title, &self.in_words())
    }

    /// All that the picture says, nothing cut.
    fn in_words(&self) -> String {
        let words = |bar: &Bar| {
            let note = printable(&bar.note);
            let gap = if note.is_empty() { "" } else { ", " };
            format!("{}: {}{gap}{note}", printable(&bar.label), self.numbers.alone(bar.value))
        };
        self.bars.iter().map(words).collect::<Vec<_>>().join("; ")
    }
}

/// The texts of a bar, as long as there is room for.
struct Row {
    label: String,
    number: String,
    note: String,
}

impl Row {
    fn of(bar: &Bar, numbers: Numbers) -> Self {
        let number = shortened(&numbers.alone(bar.value), SIZE, WIDTH * NUMBERS);
        let left = WIDTH * NUMBERS - plain_width(&number) - GAP;
        Self {
            label: shortened(&printable(&bar.label), SIZE, WIDTH * LABELS),
            note: shortened(&printable(&bar.note), SIZE, left),
            number,
        }
    }

    /// The width of what stands behind the bar.
    fn behind(&self) -> f64 {
        let note = if self.note.is_empty() { 0.0 } else { GAP + plain_width(&self.note) };
        plain_width(&self.number) + note
    }

    fn draw(&self, canvas: &mut Canvas, labels_end: f64, zero: f64, length: f64, hue: Hue) {
        let top = canvas.filled + (ROW - THICKNESS) / 2.0;
        let base = canvas.filled + ROW / 2.0 + SIZE * 0.36;
        canvas.text(labels_end, base, &self.label, Lettering { anchor: Anchor::End, ..PLAIN });
        if length != 0.0 {
            let long = length.abs().max(THINNEST);
            let left = if length < 0.0 { zero - long } else { zero };
            let (x, y, width, height, fill) = (px(left), px(top), px(long), px(THICKNESS), hue.code());
            canvas.element(format_args!(
                r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#
            ));
        }
        let number_at = zero + length.max(0.0) + GAP;
        canvas.text(number_at, base, &self.number, PLAIN);
        let note_at = number_at + plain_width(&self.number) + GAP;
        canvas.text(note_at, base, &self.note, Lettering { fill: SOFT_INK, ..PLAIN });
        canvas.filled += ROW;
    }
}

/// How far bars go to both sides of zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    low: f64,
    high: f64,
}

impl Extent {
    pub(super) fn of(bars: &[Bar]) -> Self {
        let lengths = || bars.iter().map(Bar::length);
        Self { low: lengths().fold(0.0, f64::min), high: lengths().fold(0.0, f64::max) }
    }

    /// What part of the room a value takes, with its sign. Halved first, for the whole may be too large for a number.
    pub(super) fn share(self, value: f64) -> f64 {
        let half = self.high / 2.0 - self.low / 2.0;
        if half > 0.0 { value / 2.0 / half } else { 0.0 }
    }

    /// What part of the room is below zero.
    pub(super) fn below(self) -> f64 {
        -self.share(self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::super::inspection::{Picture, assert_sound, hostile_texts, odd_numbers};
    use super::*;

    fn bars(values: &[f64]) -> Bars {
        let bar =
            |(i, &value): (usize, &f64)| Bar::new(format!("label {i}"), value).with_note(format!("note {i}"));
        Bars { title: "Title".into(), bars: values.iter().enumerate().map(bar).collect(), ..Bars::default() }
    }

    #[test]
    fn a_histogram_says_all_it_should() {
        let mut bars = bars(&[49_668.0, 12.0, 0.0]);
        bars.bars[0].label = "✓ same".into();
        let svg = bars.svg();
        let picture = Picture::of(&svg);
        assert_sound(&picture);
        for text in ["Title", "✓ same", "49,668", "note 0", "label 1", "12", "note 1", "label 2", "0"] {
            assert!(picture.has_text(text), "{text}");
        }
        assert!(svg.contains("<desc>✓ same: 49,668, note 0; label 1: 12, note 1; "), "{svg}");
        assert!(svg.contains("<title>Title</title>") && svg.contains(r#"role="img""#));
    }

    #[test]
    fn bars_are_in_proportion_to_their_values() {
        for values in [
            &[100.0, 50.0, 25.0][..],
            &[-4.0, 2.0, 1.0],
            &[-2.0, -1.0],
            &[1e308, -1e308],
            &[3.0, f64::NAN, 1.5],
        ] {
            let picture = Picture::of(&bars(values).svg());
            assert_sound(&picture);
            let drawn: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
            assert_eq!(picture.bars.len(), drawn.len(), "{values:?}");
            let unit = picture.bars[0].width() / drawn[0].abs();
            for (bar, value) in picture.bars.iter().zip(&drawn) {
                assert!((bar.width() - value.abs() * unit).abs() < 0.02, "{values:?}: {bar:?}");
            }
        }
    }

    #[test]
    fn negative_bars_end_where_others_begin() {
        let picture = Picture::of(&bars(&[-4.0, 2.0]).svg());
        assert!((picture.bars[0].right - picture.bars[1].left).abs() < 0.02, "{:?}", picture.bars);
    }

    #[test]
    fn what_is_small_is_seen_and_what_is_nothing_is_not() {
        let picture = Picture::of(&bars(&[1e9, 1.0, 0.0, f64::NAN, f64::INFINITY]).svg());
        assert_eq!(picture.bars.len(), 2);
        assert!((picture.bars[1].width() - THINNEST).abs() < 0.01);
        assert!(picture.has_text("n/a") && picture.has_text("∞"));
    }

    #[test]
    fn any_numbers_and_labels_make_a_sound_picture() {
        let (texts, numbers) = (hostile_texts(), odd_numbers());
        for count in [0, 1, 3, 12] {
            for shift in 0..texts.len() {
                let text = |i: usize| texts[(i + shift) % texts.len()].clone();
                let bar =
                    |i: usize| Bar::new(text(i), numbers[(i + shift) % numbers.len()]).with_note(text(i + 1));
                let numbers = [Numbers::Grouped, Numbers::Short, Numbers::Bytes][shift % 3];
                let bars = Bars { title: text(2), numbers, bars: (0..count).map(bar).collect() };
                let svg = bars.svg();
                assert_sound(&Picture::of(&svg));
                assert_eq!(svg, bars.svg());
                assert!(!svg.contains("<script") && !svg.contains("NaN"), "{svg}");
            }
        }
    }

    #[test]
    fn a_label_that_is_too_long_ends_in_an_ellipsis() {
        let picture =
            Picture::of(&Bars { bars: vec![Bar::new("W".repeat(500), 1.0)], ..Bars::default() }.svg());
        assert!(picture.texts.iter().any(|(text, _)| text.starts_with("WWWW") && text.ends_with('…')));
    }
}
