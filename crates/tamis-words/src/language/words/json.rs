//! The dictionary's file.

use serde::{Deserialize, Deserializer, de};

use super::Language;

/// What is wrong with a dictionary, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("dictionary, line {line}, column {column}, {field}: {problem}")]
pub struct DictionaryError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in bytes.
    pub column: usize,
    /// The field, from the outside in: `languages[2].ISO_639_V2`.
    pub field: String,
    /// What is wrong with it.
    pub problem: String,
}

/// A dictionary as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dictionary {
    pub(super) name: String,
    #[serde(rename = "type")]
    _kind: String,
    pub(super) version: String,
    pub(super) languages: Vec<Entry>,
}

/// A language of a dictionary.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "ISO_639_V1", default, deserialize_with = "maybe_code::<_, 2>")]
    _short: (),
    #[serde(rename = "ISO_639_V2", deserialize_with = "code")]
    code: [u8; 3],
    #[serde(rename = "ISO_639_V2_alt", default, deserialize_with = "maybe_code::<_, 3>")]
    _other: (),
    pub(super) words: Vec<String>,
}

impl Entry {
    /// The language by its own code, whichever of the two the file has.
    pub(super) fn language(&self) -> Language {
        let code = Language::of_code(self.code).expect("read as three small letters");
        Language::parse(code.code()).unwrap_or(code)
    }
}

pub(super) fn parse(json: &[u8]) -> Result<Dictionary, DictionaryError> {
    let json = json.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(json);
    let mut reader = serde_json::Deserializer::from_slice(json);
    let dictionary: Dictionary = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let field = error.path().to_string();
        located(error.inner(), field)
    })?;
    reader.end().map_err(|error| located(&error, "behind the end".to_owned()))?;
    if dictionary.languages.len() > usize::from(u16::MAX) {
        let problem = format!("{} languages; at most {} go in", dictionary.languages.len(), u16::MAX);
        return Err(DictionaryError { line: 1, column: 1, field: "languages".to_owned(), problem });
    }
    Ok(dictionary)
}

fn located(error: &serde_json::Error, field: String) -> DictionaryError {
    let (line, column) = (error.line(), error.column());
    let problem = error.to_string();
    let problem =
        problem.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&problem).to_owned();
    DictionaryError {
        line,
        column,
        field: if field == "." { "the whole".to_owned() } else { field },
        problem,
    }
}

fn code<'de, D: Deserializer<'de>>(field: D) -> Result<[u8; 3], D::Error> {
    let text = String::deserialize(field)?;
    let letters: Option<[u8; 3]> = text.as_bytes().try_into().ok();
    let letters = letters.filter(|letters| letters.iter().all(u8::is_ascii_lowercase));
    letters.ok_or_else(|| de::Error::custom(format!("`{text}` is not a code of three lower-case letters")))
}

/// A code that may be missing or empty. Only its form is looked at.
fn maybe_code<'de, D: Deserializer<'de>, const LETTERS: usize>(field: D) -> Result<(), D::Error> {
    let text = String::deserialize(field)?;
    if text.is_empty() || text.len() == LETTERS && text.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Ok(());
    }
    Err(de::Error::custom(format!("`{text}` is not a code of {LETTERS} lower-case letters")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(json: &str) -> String {
        parse(json.as_bytes()).map_or_else(|error| error.to_string(), |_| "none".to_owned())
    }

    fn with_language(language: &str) -> String {
        format!("{{\"name\":\"d\",\"type\":\"t\",\"version\":\"1\",\n\"languages\":[\n{language}\n]}}")
    }

    #[test]
    fn a_language_may_lack_the_codes_it_has_not() {
        for language in [
            r#"{"name":"Cebuano","ISO_639_V2":"ceb","words":["ang"]}"#,
            r#"{"name":"Cebuano","ISO_639_V1":"","ISO_639_V2":"ceb","ISO_639_V2_alt":"","words":[]}"#,
        ] {
            assert_eq!(problem(&with_language(language)), "none");
        }
        assert_eq!(problem(&format!("\u{FEFF}{}", with_language(""))), "none");
    }

    #[test]
    fn a_bibliographic_code_stands_for_its_language() {
        let json = with_language(r#"{"name":"German","ISO_639_V2":"ger","words":["ich"]}"#);
        let dictionary = parse(json.as_bytes()).expect("a good dictionary");
        assert_eq!(dictionary.languages[0].language().code(), "deu");
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_field() {
        for (language, expected) in [
            (
                r#"{"name":"German","ISO_639_V2":"deu","wörter":["ich"]}"#,
                "dictionary, line 3, column 45, languages[0].wörter: unknown field `wörter`, expected one of `name`, \
                 `ISO_639_V1`, `ISO_639_V2`, `ISO_639_V2_alt`, `words`",
            ),
            (
                r#"{"name":"German","ISO_639_V2":"deu","words":["ich",7]}"#,
                "dictionary, line 3, column 52, languages[0].words[1]: invalid type: integer `7`, expected a string",
            ),
            (
                r#"{"name":"German","ISO_639_V2":"de","words":["ich"]}"#,
                "dictionary, line 3, column 34, languages[0].ISO_639_V2: `de` is not a code of three lower-case letters",
            ),
            (
                r#"{"name":"German","ISO_639_V1":"deu","ISO_639_V2":"deu","words":["ich"]}"#,
                "dictionary, line 3, column 35, languages[0].ISO_639_V1: `deu` is not a code of 2 lower-case letters",
            ),
            (
                r#"{"name":"German","ISO_639_V2":"deu"}"#,
                "dictionary, line 3, column 36, languages[0]: missing field `words`",
            ),
        ] {
            assert_eq!(problem(&with_language(language)), expected);
        }
        let cut = &with_language("{\"name\":\"German\"")[..60];
        assert!(problem(cut).starts_with("dictionary, line 3, column"), "{}", problem(cut));
        assert_eq!(problem(""), "dictionary, line 1, column 0, the whole: EOF while parsing a value");
        let trailing = format!("{}x", with_language(""));
        assert!(problem(&trailing).contains("behind the end: trailing characters"), "{}", problem(&trailing));
    }
}
