//! The colours of what we print.

use std::fmt;

use anstyle::{AnsiColor, Effects, Style};

/// A style for each kind of text. All are empty where there shall be no colours.
///
/// We choose before we print instead of stripping escape sequences behind it: the bytes of an archived page go
/// through the same streams, and a sequence that is part of a page must stay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Palette {
    /// `error:`
    pub error: Style,
    /// `warning:`
    pub warning: Style,
    /// `hint:`
    pub hint: Style,
    /// Headings, and the labels of a summary.
    pub heading: Style,
    /// Commands to type, names of things.
    pub name: Style,
    /// What is there to look up, not to read.
    pub dim: Style,
}

impl Palette {
    /// Colours, or none.
    pub fn new(colored: bool) -> Self {
        if !colored {
            return Self::default();
        }
        let bold = Style::new().bold();
        let bold_in = |color: AnsiColor| bold.fg_color(Some(color.into()));
        Self {
            error: bold_in(AnsiColor::Red),
            warning: bold_in(AnsiColor::Yellow),
            hint: bold_in(AnsiColor::Cyan),
            heading: bold_in(AnsiColor::Green),
            name: bold,
            dim: Style::new().effects(Effects::DIMMED),
        }
    }

    /// Whether there are no colours.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

/// Text in a style, to print with `{}`.
pub fn paint<T: fmt::Display>(style: Style, text: T) -> impl fmt::Display {
    fmt::from_fn(move |f| write!(f, "{style}{text}{style:#}"))
}

/// The same styles for what clap prints: help and usage errors.
pub fn for_clap() -> clap::builder::Styles {
    let palette = Palette::new(true);
    clap::builder::Styles::styled()
        .header(palette.heading)
        .usage(palette.heading)
        .literal(palette.name)
        .error(palette.error)
        .valid(palette.hint)
        .invalid(palette.warning)
}
