//! The tokeniser against html5lib's cases, as far as it tells tokens apart: comments and doctypes it passes over.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::attribute::Attribute;
use super::tag::Tag;
use super::tokenizer::{Token, Tokenizer};

#[test]
fn html5libs_tokens_are_ours() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/html5lib/tokenizer");
    let mut agreed = 0;
    let mut differing = Vec::new();
    for file in fs::read_dir(folder).expect("the folder is there").flatten() {
        let text = fs::read_to_string(file.path()).expect("the cases are UTF-8");
        let cases: Value = serde_json::from_str(&text).expect("the cases are JSON");
        for case in cases["tests"].as_array().into_iter().flatten() {
            for (state, input, wanted) in runs(case) {
                let ours = tokens(&input, &state, case["lastStartTag"].as_str());
                if ours == wanted {
                    agreed += 1;
                } else {
                    differing.push(format!("{state}: {input:?}\n  ours   {ours:?}\n  wanted {wanted:?}"));
                }
            }
        }
    }
    println!("{agreed} agree, {} differ", differing.len());
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(agreed > 2000, "the cases are there");
}

/// A case once for each state it starts in, without those that start in a CDATA section or hold half a character.
fn runs(case: &Value) -> Vec<(String, String, Vec<String>)> {
    let double = case["doubleEscaped"].as_bool() == Some(true);
    let plain = |text: &str| if double { unescaped(text) } else { Some(text.to_owned()) };
    let Some(input) = case["input"].as_str().and_then(plain) else { return Vec::new() };
    let Some(wanted) = wanted(&case["output"], &plain) else { return Vec::new() };
    let data = [Value::from("Data state")];
    let states = case["initialStates"].as_array().map_or(&data[..], Vec::as_slice);
    let states = states.iter().filter_map(Value::as_str).filter(|state| *state != "CDATA section state");
    states.map(|state| (state.to_owned(), lines(&input), wanted.clone())).collect()
}

/// `\uHHHH`; none where it is half of a pair.
fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split("\\u");
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        let (code, rest) = part.split_at_checked(4)?;
        plain.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
        plain += rest;
    }
    Some(plain)
}

/// Line ends as the input stream has them.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn wanted(output: &Value, plain: &impl Fn(&str) -> Option<String>) -> Option<Vec<String>> {
    let mut list = List::default();
    for token in output.as_array()? {
        let text = |at: usize| token[at].as_str().and_then(plain);
        match token[0].as_str()? {
            "Character" => list.text(&text(1)?),
            "EndTag" => list.tag(&format!("</{}>", text(1)?)),
            "StartTag" => {
                let pair =
                    |(name, value): (&String, &Value)| Some((plain(name)?, value.as_str().and_then(plain)?));
                let attributes: Option<Vec<_>> = token[2].as_object()?.iter().map(pair).collect();
                list.tag(&start(&text(1)?, attributes?, token[3].as_bool() == Some(true)));
            }
            _ => {}
        }
    }
    Some(list.tokens)
}

fn tokens(input: &str, state: &str, last: Option<&str>) -> Vec<String> {
    let mut found = List::default();
    let mut tokenizer = Tokenizer::new(input);
    let element = last.map_or(Tag::Plaintext, |name| Tag::of(name.as_bytes()));
    match state {
        "RCDATA state" => found.text(&htmlize::unescape(tokenizer.raw_text(element))),
        "RAWTEXT state" | "Script data state" => found.text(tokenizer.raw_text(element)),
        "PLAINTEXT state" => found.text(tokenizer.raw_text(Tag::Plaintext)),
        _ => {}
    }
    let mut attributes = Vec::new();
    while let Some(token) = tokenizer.next(&mut attributes) {
        match token {
            Token::Text { raw, .. } => found.text(&htmlize::unescape(raw)),
            Token::End { name, .. } => found.tag(&format!("</{}>", name.to_ascii_lowercase())),
            Token::Start { name, self_closing, .. } => {
                let pair = |a: Attribute<'_>| (a.written.to_ascii_lowercase(), a.value().into_owned());
                let attributes = attributes.drain(..).map(pair).collect();
                found.tag(&start(&name.to_ascii_lowercase(), attributes, self_closing));
            }
        }
    }
    found.tokens
}

fn start(name: &str, mut attributes: Vec<(String, String)>, self_closing: bool) -> String {
    for (name, _) in &mut attributes {
        *name = name.replace('\0', "\u{FFFD}");
    }
    attributes.sort_by(|a, b| a.0.cmp(&b.0));
    attributes.dedup_by(|later, first| later.0 == first.0);
    format!("<{name} {attributes:?}{}>", if self_closing { "/" } else { "" })
}

/// Tokens as they are compared: neighbouring text is one, and a NUL is what HTML makes of it in most places.
#[derive(Default)]
struct List {
    tokens: Vec<String>,
    ends_in_text: bool,
}

impl List {
    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = text.replace('\0', "\u{FFFD}");
        match self.tokens.last_mut().filter(|_| self.ends_in_text) {
            Some(last) => last.push_str(&text),
            None => self.tokens.push(text),
        }
        self.ends_in_text = true;
    }

    fn tag(&mut self, tag: &str) {
        self.tokens.push(tag.replace('\0', "\u{FFFD}"));
        self.ends_in_text = false;
    }
}
