//! Charts: [`Bars`] for a terminal and as SVG, [`Lines`] and [`Map`] as SVG, and [`png()`] of each.
//!
//! The SVG stands alone: no script, no style sheet, no font inside. Its layout is made with the widths of the font
//! in `font/`, which is also the one that [`png()`] draws with, so that a chart is the same on every machine. The same
//! data give the same bytes.
//!
//! Labels come from archived pages and may hold anything; what would break a terminal or XML is taken out, and what
//! is too long for its place ends in `…`. Numbers may be anything too: what is not finite is written but not drawn.
//!
//! Memory: the text of the chart, which grows with the bars, but with the pixels across rather than with the points
//! of lines (`thin`); while a line is drawn, a copy of its points.

mod axis;
mod bars;
mod canvas;
mod frame;
mod hue;
mod legend;
mod lettering;
mod lines;
mod log_ticks;
mod map;
mod numbers;
#[cfg(feature = "png")]
mod png;
mod printed_bars;
mod thin;

#[cfg(test)]
mod inspection;

pub use axis::{Axis, Scale};
pub use bars::{Bar, Bars};
pub use canvas::escaped;
pub use hue::Hue;
pub use lines::{Lines, Series, Stroke};
pub use map::{Map, Spot};
pub use numbers::{Numbers, in_groups};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use printed_bars::Terminal;
