//! The lines of an info file: what another detector said of a page.

use std::fmt;

use super::Language;

/// `url<TAB>languages<TAB>charset`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InfoLine<'a> {
    /// The page's address, as it was crawled.
    pub url: &'a str,
    /// Its languages. Empty if the other detector found none.
    pub languages: Vec<Language>,
    /// Its encoding; may be empty.
    pub charset: &'a str,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InfoLineError {
    /// Not the three fields.
    #[error("{tabs} tabs where two are expected (url, languages, charset)")]
    Fields {
        /// The tabs there are.
        tabs: usize,
    },
    /// Nothing before the first tab.
    #[error("no URL before the first tab")]
    NoUrl,
    /// Something among the languages that is no code.
    #[error("unknown language code `{code}`")]
    Language {
        /// What stands there.
        code: String,
    },
}

impl<'a> InfoLine<'a> {
    /// Reads a line, with or without its line end.
    pub fn parse(line: &'a str) -> Result<Self, InfoLineError> {
        let line = line.trim_end_matches(['\r', '\n']);
        let mut fields = line.split('\t');
        let (Some(url), Some(codes), Some(charset), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(InfoLineError::Fields { tabs: line.matches('\t').count() });
        };
        if url.is_empty() {
            return Err(InfoLineError::NoUrl);
        }
        Ok(Self { url, languages: languages(codes)?, charset })
    }
}

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}\t{}\t{}", self.url, Codes(&self.languages), self.charset)
    }
}

/// Languages with commas between.
pub(super) struct Codes<'a>(pub(super) &'a [Language]);

impl fmt::Display for Codes<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, language) in self.0.iter().enumerate() {
            write!(out, "{}{language}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// Languages of a list with commas between, each once. Codes of any part of ISO 639 are understood; one of three letters that we
/// know nothing of stands for a language all the same. `und`, `mis`, `mul` and `zxx` name none.
pub fn languages(codes: &str) -> Result<Vec<Language>, InfoLineError> {
    let mut found = Vec::new();
    for code in codes.split(',').map(str::trim).filter(|code| !code.is_empty()) {
        if matches!(code, "und" | "mis" | "mul" | "zxx") {
            continue;
        }
        let unlisted = || Language::of_code(code.as_bytes().try_into().ok()?);
        let language = Language::parse(code).or_else(unlisted);
        let language = language.ok_or_else(|| InfoLineError::Language { code: code.to_owned() })?;
        if !found.contains(&language) {
            found.push(language);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_written_alike() {
        for (line, expected) in
            [("http://163.30.102.1/modules/mylinks/\tzho,eng\tUTF-8", "zho,eng"), ("http://a/\t\t", "")]
        {
            let info = InfoLine::parse(line).expect("a good line");
            assert_eq!(Codes(&info.languages).to_string(), expected);
            assert_eq!(info.to_string(), line);
        }
    }

    #[test]
    fn other_codes_are_aliases() {
        for (codes, expected) in [
            ("ger,fre", "deu,fra"),
            ("de, en", "deu,eng"),
            ("de,ger,deu", "deu"),
            ("und", ""),
            (",eng,", "eng"),
            ("qaa", "qaa"),
        ] {
            let line = format!("http://a/\t{codes}\tUTF-8\r\n");
            let info = InfoLine::parse(&line).expect("a good line");
            assert_eq!(
                (Codes(&info.languages).to_string(), info.charset),
                (expected.to_owned(), "UTF-8"),
                "{codes}"
            );
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, expected) in [
            ("", "0 tabs where two are expected (url, languages, charset)"),
            ("http://a/\teng", "1 tabs where two are expected (url, languages, charset)"),
            ("http://a/\teng\tUTF-8\t", "3 tabs where two are expected (url, languages, charset)"),
            ("\teng\tUTF-8", "no URL before the first tab"),
            ("http://a/\tEnglish\tUTF-8", "unknown language code `English`"),
            ("http://a/\teng,x1\tUTF-8", "unknown language code `x1`"),
        ] {
            assert_eq!(InfoLine::parse(line).expect_err(line).to_string(), expected);
        }
    }
}
