//! How the languages a detector answers agree with those that were expected.

mod tally;

use std::fmt;

use super::Language;

pub use tally::{Score, Tally};

/// How two sets of languages relate: the five classes of the reference, section 3.10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agreement {
    /// `✓`: the same languages.
    Same,
    /// `✗`: no language in common.
    Disjoint,
    /// `−`: some of the expected languages and no other.
    Fewer,
    /// `+`: all of the expected languages and others.
    More,
    /// `÷`: some of the expected languages and others.
    Overlap,
}

impl Agreement {
    /// All classes, in the reference's order.
    pub const ALL: [Self; 5] = [Self::Same, Self::Disjoint, Self::Fewer, Self::More, Self::Overlap];

    /// How an answer relates to what was expected. Where nothing was expected the answer is taken to be right, as in the
    /// reference; a [`Tally`] counts such pages apart.
    pub fn of(answered: &[Language], expected: &[Language]) -> Self {
        let is_subset =
            |one: &[Language], other: &[Language]| one.iter().all(|language| other.contains(language));
        if expected.is_empty() {
            return Self::Same;
        }
        match (is_subset(answered, expected), is_subset(expected, answered)) {
            (true, true) => Self::Same,
            _ if !answered.iter().any(|language| expected.contains(language)) => Self::Disjoint,
            (true, false) => Self::Fewer,
            (false, true) => Self::More,
            (false, false) => Self::Overlap,
        }
    }

    /// The class's sign in an answer line.
    pub const fn symbol(self) -> char {
        match self {
            Self::Same => '✓',
            Self::Disjoint => '✗',
            Self::Fewer => '−',
            Self::More => '+',
            Self::Overlap => '÷',
        }
    }

    /// The class with this sign. A hyphen or a dash stands for the minus, too.
    pub fn of_symbol(symbol: char) -> Option<Self> {
        let symbol = if matches!(symbol, '-' | '–' | '—') { '−' } else { symbol };
        Self::ALL.into_iter().find(|class| class.symbol() == symbol)
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn languages(codes: &str) -> Vec<Language> {
        codes.split_whitespace().map(|code| Language::parse(code).expect("a code")).collect()
    }

    #[test]
    fn two_sets_are_in_one_of_five_classes() {
        for (answered, expected, symbol) in [
            ("eng", "eng", '✓'),
            ("eng fra", "fra eng", '✓'),
            ("eng eng", "eng", '✓'),
            ("eng", "fra", '✗'),
            ("eng deu", "fra ita", '✗'),
            ("", "eng", '✗'),
            ("eng", "eng fra", '−'),
            ("eng fra", "eng", '+'),
            ("eng fra", "eng deu", '÷'),
            ("eng", "", '✓'),
            ("", "", '✓'),
        ] {
            let class = Agreement::of(&languages(answered), &languages(expected));
            assert_eq!(class.symbol(), symbol, "{answered} for {expected}");
            assert_eq!(Agreement::of_symbol(symbol), Some(class));
        }
        assert_eq!(Agreement::of_symbol('—'), Some(Agreement::Fewer));
        assert_eq!(Agreement::of_symbol('x'), None);
    }
}
