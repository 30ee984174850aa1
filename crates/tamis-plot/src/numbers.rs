//! Numbers as a chart writes them.

/// How to write the numbers of an axis or of bars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Numbers {
    /// All digits before the point, in groups: `49,668`, `0.5`.
    #[default]
    Grouped,
    /// Three digits and a suffix: `49.7k`, `2M`.
    Short,
    /// Three digits and a decimal unit of bytes: `49.7 kB`, `2 MB`.
    Bytes,
}

/// Below this a fraction is written with an exponent.
const SMALLEST_PLAIN: f64 = 1e-5;
/// From here on digits are no longer exact.
const LARGEST_PLAIN: f64 = 1e15;

impl Numbers {
    /// A number on its own, as beside a bar.
    pub fn alone(self, value: f64) -> String {
        if value.is_nan() {
            return "n/a".to_owned();
        }
        if value.is_infinite() {
            return signed(value, "∞");
        }
        let magnitude = decade(value);
        let step = match self {
            Self::Grouped if value.fract() == 0.0 && value.abs() < LARGEST_PLAIN => 1.0,
            Self::Grouped => power(magnitude - 3),
            Self::Short | Self::Bytes => power(magnitude - 2),
        };
        // What counts only whole things has no fraction of a byte.
        self.among(value, if self == Self::Bytes { step.max(1.0) } else { step })
    }

    /// A number with as many digits as tell it from others that are a step away.
    pub(super) fn among(self, value: f64, step: f64) -> String {
        let rounded = if step > 0.0 { (value / step).round() * step } else { value };
        // A step can be too small to divide by.
        let value = if rounded.is_finite() { rounded } else { value };
        let (unit, suffix) = self.unit(value.abs());
        let scaled = value.abs() / unit;
        if scaled != 0.0 && !(SMALLEST_PLAIN..LARGEST_PLAIN).contains(&scaled) {
            return signed(value, &(scientific(scaled, step / unit) + suffix));
        }
        signed(value, &(grouped(scaled, decimals(step / unit)) + suffix))
    }

    /// The unit to write a magnitude in, and its suffix.
    fn unit(self, magnitude: f64) -> (f64, &'static str) {
        let suffixes = match self {
            Self::Grouped => return (1.0, ""),
            Self::Short => ["", "k", "M", "G", "T", "P", "E"],
            Self::Bytes => [" B", " kB", " MB", " GB", " TB", " PB", " EB"],
        };
        let power_of = |thousands: usize| power(3 * thousands as i32);
        let thousands = (1..suffixes.len()).rev().find(|&t| magnitude >= power_of(t)).unwrap_or(0);
        (power_of(thousands), suffixes[thousands])
    }
}

/// A number with the signs that ASCII has: `-3`, `inf`, `2e-6`.
pub(super) fn in_ascii(number: &str) -> String {
    let number = number.replace("×10", "e").replace('∞', "inf");
    let plain = |c| match c {
        '−' | '⁻' => '-',
        _ => SUPERSCRIPTS.iter().position(|&s| s == c).map_or(c, |digit| (b'0' + digit as u8) as char),
    };
    number.chars().map(plain).collect()
}

/// A power of ten.
pub(super) fn power(exponent: i32) -> f64 {
    // Unlike powi, parsing is exact.
    format!("1e{exponent}").parse().unwrap_or(0.0)
}

/// The exponent of the largest power of ten that is not above a magnitude; 0 for zero.
pub(super) fn decade(value: f64) -> i32 {
    let magnitude = value.abs();
    if magnitude == 0.0 || !magnitude.is_finite() {
        return 0;
    }
    let near = magnitude.log10().floor() as i32;
    if power(near + 1) <= magnitude { near + 1 } else { near }
}

fn signed(value: f64, magnitude: &str) -> String {
    let is_zero = magnitude.chars().all(|c| !matches!(c, '1'..='9' | '∞'));
    if value < 0.0 && !is_zero { format!("−{magnitude}") } else { magnitude.to_owned() }
}

/// The digits behind the point that a step needs.
fn decimals(step: f64) -> usize {
    if step > 0.0 { (-decade(step)).clamp(0, 12) as usize } else { 0 }
}

/// All digits of a number, in groups of three: `12,345`.
pub fn in_groups(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

fn grouped(magnitude: f64, decimals: usize) -> String {
    let text = format!("{magnitude:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), in_groups);
    match fraction.trim_end_matches('0') {
        "" => whole,
        fraction => format!("{whole}.{fraction}"),
    }
}

const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// `2×10⁻⁶`
fn scientific(magnitude: f64, step: f64) -> String {
    let digits = (decade(magnitude) - decade(step)).clamp(0, 3) as usize;
    let text = format!("{magnitude:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = if digits > 0 { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| SUPERSCRIPTS[digit as usize]);
    format!("{mantissa}×10{}", exponent.chars().map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::Numbers::{Bytes, Grouped, Short};
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        for (numbers, value, expected) in [
            (Grouped, 0.0, "0"),
            (Grouped, -0.0, "0"),
            (Grouped, 49_668.0, "49,668"),
            (Grouped, -1234.5, "−1,235"),
            (Grouped, 0.87312, "0.8731"),
            (Grouped, 0.5, "0.5"),
            (Grouped, 55.879, "55.88"),
            (Grouped, 0.000_002, "2×10⁻⁶"),
            (Grouped, 1e15, "1×10¹⁵"),
            (Grouped, f64::MAX, "1.798×10³⁰⁸"),
            (Grouped, 5e-324, "5×10⁻³²⁴"),
            (Grouped, f64::NAN, "n/a"),
            (Grouped, f64::INFINITY, "∞"),
            (Grouped, f64::NEG_INFINITY, "−∞"),
            (Short, 0.0, "0"),
            (Short, 999.0, "999"),
            (Short, 49_668.0, "49.7k"),
            (Short, 999_999.0, "1M"),
            (Short, -2_500_000.0, "−2.5M"),
            (Short, 0.25, "0.25"),
            (Bytes, 0.0, "0 B"),
            (Bytes, 1536.0, "1.54 kB"),
            (Bytes, 999_600.0, "1 MB"),
            (Bytes, 2e9, "2 GB"),
            (Bytes, 12.7, "13 B"),
        ] {
            assert_eq!(numbers.alone(value), expected, "{numbers:?} {value}");
        }
    }

    #[test]
    fn neighbours_on_an_axis_differ() {
        for numbers in [Grouped, Short, Bytes] {
            for step in [0.001, 0.2, 1.0, 5.0, 1e4, 5e8] {
                for start in [0_i32, 1, 99, 1000, -3] {
                    let written: Vec<_> =
                        (start..start + 9).map(|i| numbers.among(f64::from(i) * step, step)).collect();
                    assert!(written.windows(2).all(|pair| pair[0] != pair[1]), "{written:?}");
                }
            }
        }
    }

    #[test]
    fn ascii_has_signs_of_its_own() {
        for (value, expected) in [(-3.0, "-3"), (2e-6, "2e-6"), (f64::NEG_INFINITY, "-inf"), (0.5, "0.5")] {
            assert_eq!(in_ascii(&Grouped.alone(value)), expected);
        }
    }
}
