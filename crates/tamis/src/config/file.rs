//! The config file: TOML, in which every key must be one we know.

use std::path::Path;

use anyhow::anyhow;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ALL, Entry, Origin, Place, Value};
use crate::hint::WithHint;
use crate::nearest::nearest;

/// The values that a config file sets, each with its line.
pub(super) fn parse(path: &Path, text: &str) -> anyhow::Result<Vec<Value>> {
    let file = File { path, text };
    let table = DeTable::parse(text).map_err(|error| {
        let line = file.line(error.span().map_or(0, |span| span.start));
        anyhow!("{}: {}", Place(path, line), error.message())
    })?;
    let mut values = Vec::new();
    file.gather("", table.get_ref(), &mut values)?;
    Ok(values)
}

struct File<'a> {
    path: &'a Path,
    text: &'a str,
}

impl File<'_> {
    fn gather(&self, table: &str, keys: &DeTable<'_>, values: &mut Vec<Value>) -> anyhow::Result<()> {
        for (name, value) in keys {
            let key = if table.is_empty() {
                name.get_ref().to_string()
            } else {
                format!("{table}.{}", name.get_ref())
            };
            let line = self.line(name.span().start);
            match (value.get_ref(), ALL.iter().find(|entry| entry.key == key)) {
                (DeValue::Table(inner), None) if is_table(&key) => self.gather(&key, inner, values)?,
                (_, Some(entry)) => values.push(self.value(entry, line, value)?),
                (_, None) => return Err(self.unknown(&key, line)),
            }
        }
        Ok(())
    }

    fn value(
        &self,
        entry: &'static Entry,
        line: usize,
        value: &Spanned<DeValue<'_>>,
    ) -> anyhow::Result<Value> {
        let wrong = |why: String| {
            anyhow!("{}: `{}`: {why}", Place(self.path, line), entry.key)
                .hint(format!("`{}`: {}", entry.key, entry.about))
        };
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(flag) => flag.to_string(),
            other => {
                return Err(wrong(format!(
                    "expected a single value, found {}",
                    with_article(other.type_str())
                )));
            }
        };
        (entry.check)(&text).map_err(wrong)?;
        Ok(Value { entry, text, origin: Origin::File { path: self.path.to_owned(), line } })
    }

    fn unknown(&self, key: &str, line: usize) -> anyhow::Error {
        let what = if is_table(key) { "is a table, not a setting" } else { "is not a setting" };
        let error = anyhow!("{}: `{key}` {what}", Place(self.path, line));
        error.hint(match probably_meant(key) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "`tamis config` lists all settings".to_owned(),
        })
    }

    /// The line, from 1 on, that a byte is in.
    fn line(&self, at: usize) -> usize {
        self.text.bytes().take(at).filter(|&b| b == b'\n').count() + 1
    }
}

fn is_table(key: &str) -> bool {
    ALL.iter().any(|entry| entry.key.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
}

/// A known key: one that differs little, else one of the same last name in another table.
fn probably_meant(key: &str) -> Option<&'static str> {
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
    nearest(key, ALL.iter().map(|entry| entry.key)).or_else(|| {
        ALL.iter().map(|entry| entry.key).find(|known| nearest(&last(key), [&*last(known)]).is_some())
    })
}

fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hint::hints;

    #[test]
    fn values_are_read_with_their_lines() {
        let text = "# mine\ncolor = \"never\"\njobs = 4\n\n[warc]\nrollover = \"64MiB\"\n";
        let values = parse(Path::new("c.toml"), text).expect("sound");
        let seen: Vec<_> =
            values.iter().map(|v| (v.entry.key, v.text.as_str(), v.origin.to_string())).collect();
        let expected = [("color", "never", 2), ("jobs", "4", 3), ("warc.rollover", "64MiB", 6)]
            .map(|(key, text, line)| (key, text, format!("c.toml:{line}")));
        assert_eq!(seen, expected);
        assert!(parse(Path::new("c.toml"), "").expect("an empty file is sound").is_empty());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_a_hint() {
        for (text, message, hint) in [
            ("\ncolour = \"never\"", "c.toml:2: `colour` is not a setting", "did you mean `color`?"),
            (
                "[warc]\n\nrolover = 1",
                "c.toml:3: `warc.rolover` is not a setting",
                "did you mean `warc.rollover`?",
            ),
            ("rollover = 1", "c.toml:1: `rollover` is not a setting", "did you mean `warc.rollover`?"),
            (
                "[wrac]\nrollover = 1",
                "c.toml:1: `wrac` is not a setting",
                "`tamis config` lists all settings",
            ),
            ("warc = 1", "c.toml:1: `warc` is a table, not a setting", "`tamis config` lists all settings"),
            ("jobs = 0", "c.toml:1: `jobs`: `0` is not `auto`", "`jobs`: number of threads"),
            (
                "color = [1]",
                "c.toml:1: `color`: expected a single value, found an array",
                "`color`: use colours",
            ),
            ("[color]", "c.toml:1: `color`: expected a single value, found a table", "`color`: use colours"),
            ("color = \"never\"\ncolor = \"auto\"", "c.toml:2: duplicate key", ""),
            ("jobs = = 2", "c.toml:1: ", ""),
        ] {
            let error = parse(Path::new("c.toml"), text).expect_err(text);
            assert!(error.to_string().starts_with(message), "{error}");
            assert!(hints(&error).first().unwrap_or(&"").starts_with(hint), "{text}: {:?}", hints(&error));
        }
    }
}
