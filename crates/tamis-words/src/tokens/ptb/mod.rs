//! Tokens as the Penn Treebank has them, the way that Stanford's `PTBTokenizer` (of `CoreNLP` 3.9.2) tells them with the options of
//! the article format.
//!
//! Made without its source: `rules.txt` and `classes.txt` were written from what it answered to texts and to all short
//! strings of many alphabets (`bench/tokens` compares the two). They become one automaton over classes of characters, which
//! takes the longest token at each place and reads no character more often than it must: the time is linear for any text.

mod lexer;
mod rule;
mod table;

pub use rule::Rule;
pub use table::{END_OF_TEXT, MAGIC, Table, UP_TO_POINT};

use std::sync::LazyLock;

use super::token::{Form, Token};
use lexer::{Found, Walk};

/// The stored automaton; `tamis-train lexer` makes it.
static STORED: &[u8] = include_bytes!("../../../models/tokens.bin");
static BUILT_IN: LazyLock<Table> =
    LazyLock::new(|| Table::read(STORED).expect("the tests of tamis-train make the same automaton"));

/// The tokens of a text.
///
/// ```
/// let text = "\"I can't,\" said Mr. O'Neil.";
/// let tokens: Vec<_> = tamis_words::tokens::ptb::tokens(text).map(|token| token.text(text).into_owned()).collect();
/// assert_eq!(tokens, ["``", "I", "ca", "n't", ",", "''", "said", "Mr.", "O'Neil", "."]);
/// ```
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens::by(&BUILT_IN, text)
}

/// The tokens of a text, one after the other.
pub struct Tokens<'a> {
    walk: Walk<'a>,
    text: &'a str,
    /// How many characters there are before a byte.
    counted: (usize, u32),
}

impl<'a> Tokens<'a> {
    /// The tokens of a text by an automaton.
    pub fn by(table: &'a Table, text: &'a str) -> Tokens<'a> {
        Tokens { walk: Walk::new(table, text), text, counted: (0, 0) }
    }

    /// The characters before a byte; tokens come in order, so that each byte is looked at once.
    fn characters(&mut self, byte: usize) -> u32 {
        let (from, before) = self.counted;
        let between = &self.text.as_bytes()[from..byte];
        let count = before + between.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32;
        self.counted = (byte, count);
        count
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let found = self.walk.token()?;
            if found.rule == Rule::Skip {
                continue;
            }
            let start = self.characters(found.start);
            let end = self.characters(found.end);
            let form = form(&found, &self.text[found.start..found.end]);
            return Some(Token {
                start,
                end,
                start_byte: found.start as u32,
                end_byte: found.end as u32,
                form,
            });
        }
    }
}

/// How a token is written.
fn form(found: &Found, source: &str) -> Form {
    match found.rule {
        Rule::Skip | Rule::Plain => plain(source),
        Rule::Word if source.is_ascii() && !source.contains(';') => Form::AsIs,
        Rule::Word => Form::Word,
        Rule::Number if source.is_ascii() => Form::AsIs,
        Rule::Number => Form::Number,
        Rule::Spaced => Form::Spaced,
        Rule::Quotes => Form::Quotes,
        Rule::OpenPair => Form::OpenPair,
        Rule::ClosePair => Form::ClosePair,
        Rule::OpenDouble => Form::Fixed("``"),
        Rule::CloseDouble => Form::Fixed("''"),
        Rule::OpenSingle => Form::Fixed("`"),
        Rule::CloseSingle => Form::Fixed("'"),
        Rule::Dash => Form::Fixed("--"),
        Rule::Ellipsis => Form::Fixed("..."),
        Rule::Fraction => Form::Fixed(fraction(source)),
        Rule::Ampersand => Form::Fixed("&"),
        Rule::Unescaped if source.contains(';') => Form::Unescaped,
        Rule::Unescaped => Form::AsIs,
        Rule::Less => Form::Fixed("<"),
        Rule::Greater => Form::Fixed(">"),
        Rule::Final => Form::WithPoint,
    }
}

/// Control characters where windows-1252 has others are read as those.
fn plain(source: &str) -> Form {
    Form::Fixed(match source {
        "\u{80}" => "€",
        "\u{86}" => "†",
        "\u{87}" => "‡",
        "\u{89}" => "‰",
        "\u{95}" => "•",
        "\u{98}" => "˜",
        "\u{99}" => "™",
        _ => return Form::AsIs,
    })
}

fn fraction(source: &str) -> &'static str {
    match source {
        "¼" => "1/4",
        "½" => "1/2",
        "¾" => "3/4",
        "⅓" => "1/3",
        _ => "2/3",
    }
}
