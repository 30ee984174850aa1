//! Tokens as the Penn Treebank has them, the way that Stanford's PTBTokenizer (CoreNLP 3.9.2) tells them.

mod lexer;
mod rule;
mod table;

pub use rule::Rule;
pub use table::{END_OF_TEXT, MAGIC, Table, UP_TO_POINT};

use super::token::{Form, Token};
use lexer::{Found, Walk};

/// The tokens of a text by an automaton.
pub struct Tokens<'a> {
    walk: Walk<'a>,
    text: &'a str,
    /// How many characters there are before a byte.
    counted: (usize, u32),
}

impl<'a> Tokens<'a> {
    /// The tokens of a text.
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
