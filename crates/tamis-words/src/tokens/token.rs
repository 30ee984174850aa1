//! A token: a place in a text, and how it is written.

use std::borrow::Cow;

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its first character, counted from the start of the text.
    pub start: u32,
    /// The character behind its last one.
    pub end: u32,
    /// Its first byte in the text.
    pub start_byte: u32,
    /// The byte behind its last one.
    pub end_byte: u32,
    /// How it is written.
    pub form: Form,
}

/// How a token is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it stands in the text.
    AsIs,
    /// As one of few: quotation marks, dashes and the like.
    Fixed(&'static str),
    /// A word without its soft hyphens, with ASCII apostrophes.
    Word,
    /// A number without the spaces in it.
    Number,
    /// With `&` for `&amp;`.
    Unescaped,
    /// With spaces that do not break.
    Spaced,
    /// Quotation marks in ASCII.
    Quotes,
    /// Two single quotation marks before a word, in ASCII.
    OpenPair,
    /// Two single quotation marks behind a word, in ASCII.
    ClosePair,
    /// With a point that is a token of its own, too: it ends an abbreviation and the sentence.
    WithPoint,
}

impl Token {
    /// The part of the text that it stands for.
    pub fn source<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start_byte as usize..self.end_byte as usize).unwrap_or_default()
    }

    /// The token as it is written.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let source = self.source(text);
        match self.form {
            Form::AsIs => Cow::Borrowed(source),
            Form::Fixed(written) => Cow::Borrowed(written),
            Form::Word => word(source),
            Form::Number => Cow::Owned(source.replace(['\u{2009}', '\u{202F}', '\u{66C}', '\u{AD}'], "")),
            Form::Unescaped => Cow::Owned(source.replace("&amp;", "&").replace("&AMP;", "&")),
            Form::Spaced => Cow::Owned(source.replace([' ', '\n', '\r'], "\u{A0}")),
            Form::Quotes => Cow::Owned(quotes(source)),
            Form::OpenPair => Cow::Owned(quotes(&source.replace('\'', "`"))),
            Form::ClosePair => Cow::Owned(quotes(&source.replace('`', "'"))),
            Form::WithPoint => Cow::Owned(word(source).into_owned() + "."),
        }
    }
}

fn word(source: &str) -> Cow<'_, str> {
    if let Some(at) = source.find("&apos;") {
        return Cow::Owned(source.replace(&source[at..at + "&apos;".len()], "'"));
    }
    if source.is_ascii() {
        return Cow::Borrowed(source);
    }
    let kept = source.chars().filter(|&character| character != '\u{AD}');
    let written: String = kept.map(apostrophe).collect();
    // A soft hyphen by itself is a hyphen.
    Cow::Owned(if written.is_empty() { "-".to_owned() } else { written })
}

/// An apostrophe in ASCII; other characters as they are.
fn apostrophe(character: char) -> char {
    match character {
        '\u{92}' | '\u{B4}' | '\u{2019}' => '\'',
        '\u{91}' | '\u{2018}' | '\u{201B}' => '`',
        _ => character,
    }
}

/// Quotation marks in ASCII; other characters as they are.
fn quotes(source: &str) -> String {
    let mut written = String::new();
    for character in source.chars() {
        match character {
            '\u{82}' | '\u{91}' | '\u{2018}' | '\u{201A}' | '\u{201B}' | '\u{2039}' => written.push('`'),
            '\u{84}' | '\u{93}' | '\u{AB}' | '\u{201C}' | '\u{201E}' => written.push_str("``"),
            '\u{94}' | '\u{BB}' | '\u{201D}' => written.push_str("''"),
            '\u{92}' | '\u{2019}' | '\u{203A}' => written.push('\''),
            other => written.push(other),
        }
    }
    written
}
