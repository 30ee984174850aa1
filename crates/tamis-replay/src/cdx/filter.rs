//! `filter=`: which entries are left.

use regex::{Regex, RegexBuilder};
use tamis_archive::cdx::CdxEntry;

use super::{BadRequest, Dialect, Field};

/// The most memory that a compiled expression takes.
const MAX_REGEX_BYTES: usize = 1 << 20;

/// A condition on one field.
#[derive(Debug, Clone)]
pub struct Filter {
    /// None: the whole line in CDXJ.
    field: Option<Field>,
    is_negated: bool,
    test: Test,
    dialect: Dialect,
}

#[derive(Debug, Clone)]
enum Test {
    Contains(String),
    Equals(String),
    Matches(Regex),
}

impl Filter {
    /// Reads `[!][=|~]field:expression` as pywb does (contains, `=` equals, `~` matches from the start), or `[!]field:expression`
    /// as the Wayback CDX server and OutbackCDX do (the whole value matches).
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, BadRequest> {
        let (is_negated, rest) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (operator, rest) = match (dialect, rest.as_bytes().first()) {
            (Dialect::Pywb, Some(b'=' | b'~')) => rest.split_at(1),
            _ => ("", rest),
        };
        let (field, expression) = match rest.split_once(':') {
            Some((field, expression)) => (Some(Field::named(field)), expression),
            None if dialect == Dialect::Pywb => (None, rest),
            None => return Err(BadRequest::new("filter", text, "expected [!]field:expression")),
        };
        let condition = match (dialect, operator) {
            (Dialect::Wayback, _) => Test::Matches(regex(&format!("^(?:{expression})$"), text)?),
            (_, "=") => Test::Equals(expression.to_owned()),
            (_, "~") => Test::Matches(regex(&format!("^(?:{expression})"), text)?),
            _ => Test::Contains(expression.to_owned()),
        };
        Ok(Self { field, is_negated, test: condition, dialect })
    }

    /// Whether an entry meets the condition.
    pub fn takes(&self, entry: &CdxEntry) -> bool {
        let value = match &self.field {
            Some(field) => field.value(entry, self.dialect),
            None => entry.to_cdxj().into(),
        };
        // Lines of CDX have a dash where a value is missing, and expressions of users count on it.
        let value = if value.is_empty() && self.dialect == Dialect::Wayback { "-".into() } else { value };
        let is_met = match &self.test {
            Test::Contains(text) => value.contains(text.as_str()),
            Test::Equals(text) => value == text.as_str(),
            Test::Matches(regex) => regex.is_match(&value),
        };
        is_met != self.is_negated
    }
}

fn regex(pattern: &str, text: &str) -> Result<Regex, BadRequest> {
    RegexBuilder::new(pattern)
        .size_limit(MAX_REGEX_BYTES)
        .build()
        .map_err(|error| BadRequest::new("filter", text, &error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Dialect::{Pywb, Wayback};

    #[test]
    fn conditions_have_the_meaning_of_their_dialect() {
        let page = CdxEntry {
            url: "http://example.org/a".into(),
            mime: "text/html".into(),
            status: Some(200),
            ..CdxEntry::default()
        };
        let bare = CdxEntry { mime: "warc/revisit".into(), ..CdxEntry::default() };
        for (dialect, text, takes_page, takes_bare) in [
            (Pywb, "status:20", true, false),
            (Pywb, "=status:20", false, false),
            (Pywb, "=status:200", true, false),
            (Pywb, "!=status:200", false, true),
            (Pywb, "~status:[23]..", true, false),
            (Pywb, "!~status:[45]..", true, true),
            (Pywb, "~mime:text", true, false),
            (Pywb, "mimetype:html", true, false),
            (Pywb, "example.org", true, false),
            (Pywb, "!example.org", false, true),
            (Wayback, "statuscode:200", true, false),
            (Wayback, "statuscode:20", false, false),
            (Wayback, "!statuscode:[45]..", true, true),
            (Wayback, "mimetype:text/.*", true, false),
            (Wayback, "!mimetype:warc/revisit", true, false),
            (Wayback, "original:.*example.*", true, false),
            (Wayback, "statuscode:-", false, true),
            (Wayback, "statuscode:200|404", true, false),
        ] {
            let filter = Filter::parse(text, dialect).expect("it is sound");
            assert_eq!((filter.takes(&page), filter.takes(&bare)), (takes_page, takes_bare), "{text}");
        }
    }

    #[test]
    fn bad_and_huge_expressions_are_refused() {
        for (dialect, text) in [
            (Dialect::Pywb, "~status:[".to_owned()),
            (Dialect::Wayback, "status".to_owned()),
            (Dialect::Wayback, "url:(a{1000}){1000}".to_owned()),
            (Dialect::Wayback, "url:(?<n>a)(".to_owned()),
        ] {
            let error = Filter::parse(&text, dialect).expect_err("it is refused");
            assert!(error.to_string().starts_with("filter="), "{error}");
        }
    }
}
