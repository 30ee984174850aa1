//! What a rule of the tokeniser makes of the text it matches.

/// How a token is written, given the text that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Rule {
    /// No token: white space and what is as good as none.
    Skip,
    /// As it stands.
    Plain,
    /// A word, without the soft hyphens in it, and with ASCII apostrophes.
    Word,
    /// A number, without the narrow spaces and Arabic separators of its thousands.
    Number,
    /// With spaces that do not break in place of spaces.
    Spaced,
    /// Quotation marks, in ASCII.
    Quotes,
    /// A pair of single quotation marks that opens.
    OpenPair,
    /// A pair of single quotation marks that closes.
    ClosePair,
    /// A double quotation mark that opens.
    OpenDouble,
    /// A double quotation mark that closes.
    CloseDouble,
    /// A single quotation mark that opens.
    OpenSingle,
    /// A single quotation mark that closes, or an apostrophe.
    CloseSingle,
    /// Dashes, as two hyphens.
    Dash,
    /// Three or more points, as three.
    Ellipsis,
    /// A fraction that is one character.
    Fraction,
    /// An ampersand that was escaped.
    Ampersand,
    /// With ampersands for escaped ones.
    Unescaped,
    /// A less-than sign that was escaped.
    Less,
    /// A greater-than sign that was escaped.
    Greater,
    /// An abbreviation whose point also ends the sentence: the point is a token again.
    Final,
}

/// All rules by their numbers.
const RULES: [(Rule, &str); 20] = [
    (Rule::Skip, "Skip"),
    (Rule::Plain, "Plain"),
    (Rule::Word, "Word"),
    (Rule::Number, "Number"),
    (Rule::Spaced, "Spaced"),
    (Rule::Quotes, "Quotes"),
    (Rule::OpenPair, "OpenPair"),
    (Rule::ClosePair, "ClosePair"),
    (Rule::OpenDouble, "OpenDouble"),
    (Rule::CloseDouble, "CloseDouble"),
    (Rule::OpenSingle, "OpenSingle"),
    (Rule::CloseSingle, "CloseSingle"),
    (Rule::Dash, "Dash"),
    (Rule::Ellipsis, "Ellipsis"),
    (Rule::Fraction, "Fraction"),
    (Rule::Ampersand, "Ampersand"),
    (Rule::Unescaped, "Unescaped"),
    (Rule::Less, "Less"),
    (Rule::Greater, "Greater"),
    (Rule::Final, "Final"),
];

impl Rule {
    /// The rule of this name in `rules.txt`.
    pub fn from_name(name: &str) -> Option<Rule> {
        RULES.iter().find(|rule| rule.1 == name).map(|rule| rule.0)
    }

    /// The rule of this number.
    pub fn from_number(number: u8) -> Option<Rule> {
        RULES.get(usize::from(number)).map(|rule| rule.0)
    }
}
