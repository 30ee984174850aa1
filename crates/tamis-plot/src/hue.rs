//! The colours of charts.

/// A colour that people with any colour vision tell from the others, and that stands out on white: the set of
/// Okabe and Ito (2008, <https://jfly.uni-koeln.de/color/>) without its yellow and black, with a grey.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Hue {
    /// What there is to show.
    #[default]
    Blue,
    /// What is wrong, or the second of two.
    Vermilion,
    /// What is right.
    Green,
    /// A fourth.
    Purple,
    /// A fifth.
    Orange,
    /// A sixth.
    Sky,
    /// What is there to compare with.
    Grey,
}

/// For text, and for what only helps to read.
pub(super) const INK: &str = "#222222";
/// For text beside the main one; contrast 7:1 on white.
pub(super) const SOFT_INK: &str = "#595959";
/// For lines across the picture.
pub(super) const GRID: &str = "#E3E3E3";

impl Hue {
    /// The hues to tell series apart by, the strongest first.
    const SERIES: [Self; 6] =
        [Self::Blue, Self::Vermilion, Self::Green, Self::Purple, Self::Orange, Self::Sky];

    /// The hue of a series, by its number among its kind.
    pub(super) fn of_series(number: usize) -> Self {
        Self::SERIES[number % Self::SERIES.len()]
    }

    /// As SVG has it.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Blue => "#0072B2",
            Self::Vermilion => "#D55E00",
            Self::Green => "#009E73",
            Self::Purple => "#CC79A7",
            Self::Orange => "#E69F00",
            Self::Sky => "#56B4E9",
            Self::Grey => "#7A7A7A",
        }
    }
}
