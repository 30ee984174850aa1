//! The text of an SVG picture.

use std::fmt::{self, Write};

use super::hue::INK;
use super::lettering::{FAMILIES, printable, width, wrapped};

/// A picture of a fixed width that grows downwards.
pub(super) struct Canvas {
    body: String,
    /// How far down it is filled.
    pub(super) filled: f64,
}

/// Where a text stands from its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// The place and the looks of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lettering {
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) fill: &'static str,
    /// Read from below.
    pub(super) upright: bool,
}

/// The width of every picture.
pub(super) const WIDTH: f64 = 640.0;
/// Left free all around.
pub(super) const MARGIN: f64 = 16.0;
/// The size of all text but the title.
pub(super) const SIZE: f64 = 12.0;
/// From a line of text to the next.
pub(super) const LEADING: f64 = 18.0;

const TITLE_SIZE: f64 = 15.0;
const TITLE_LEADING: f64 = 21.0;
const TITLE_LINES: usize = 4;

/// Ordinary text that begins at its place.
pub(super) const PLAIN: Lettering =
    Lettering { size: SIZE, anchor: Anchor::Start, fill: INK, upright: false };

impl Canvas {
    /// A picture with a title.
    pub(super) fn new(title: &str) -> Self {
        let mut canvas = Self { body: String::new(), filled: MARGIN };
        for line in wrapped(&printable(title), TITLE_SIZE, WIDTH - 2.0 * MARGIN, TITLE_LINES) {
            canvas.text(MARGIN, canvas.filled + TITLE_SIZE, &line, Lettering { size: TITLE_SIZE, ..PLAIN });
            canvas.filled += TITLE_LEADING;
        }
        if canvas.filled > MARGIN {
            canvas.filled += 7.0;
        }
        canvas
    }

    /// Writes an element as it is.
    pub(super) fn element(&mut self, element: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.body, "{element}");
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str) {
        let (x1, y1, x2, y2) = (px(from.0), px(from.1), px(to.0), px(to.1));
        self.element(format_args!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{stroke}"/>"#));
    }

    /// A text with its base line at a place. It has to be `printable`.
    pub(super) fn text(&mut self, x: f64, y: f64, text: &str, lettering: Lettering) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (px(x), px(y));
        let place = if lettering.upright {
            format!(r#"transform="translate({x} {y}) rotate(-90)""#)
        } else {
            format!(r#"x="{x}" y="{y}""#)
        };
        let anchor = match lettering.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (size, fill, text) = (px(lettering.size), lettering.fill, escaped(text));
        self.element(format_args!(r#"<text {place} font-size="{size}" fill="{fill}"{anchor}>{text}</text>"#));
    }

    /// The whole text of the picture. Programs that read to people say the title and the description.
    pub(super) fn finish(self, title: &str, description: &str) -> String {
        let (width, height) = (px(WIDTH), px(self.filled + MARGIN));
        let (title, description) = (escaped(&printable(title)), escaped(description));
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" font-family="{FAMILIES}">
<title>{title}</title>
<desc>{description}</desc>
<rect width="{width}" height="{height}" fill="#FFFFFF"/>
{}</svg>
"##,
            self.body
        )
    }
}

/// The width of ordinary text.
pub(super) fn plain_width(text: &str) -> f64 {
    width(text, SIZE)
}

/// A length with two decimals at most, which is finer than any screen, and without the noise of the last digits.
pub(super) fn px(length: f64) -> String {
    let hundredths = (length * 100.0).round();
    // No `-0`.
    let hundredths = if hundredths == 0.0 { 0.0 } else { hundredths };
    (hundredths / 100.0).to_string()
}

/// Text as XML and HTML hold it.
pub fn escaped(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => made.push_str("&amp;"),
            '<' => made.push_str("&lt;"),
            '>' => made.push_str("&gt;"),
            '"' => made.push_str("&quot;"),
            '\'' => made.push_str("&#39;"),
            _ => made.push(c),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_two_decimals_at_most() {
        for (length, expected) in [
            (0.0, "0"),
            (-0.001, "0"),
            (1.0, "1"),
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.33"),
            (-2.555, "-2.56"),
        ] {
            assert_eq!(px(length), expected);
        }
    }

    #[test]
    fn markup_in_text_is_text() {
        assert_eq!(escaped(r#"<script>&"'"#), "&lt;script&gt;&amp;&quot;&#39;");
    }
}
