//! `collection.toml`: what the collection is.
//!
//! It is written once and never again, so people may edit it, and what they or others add to it stays.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tamis_archive::Timestamp;
use toml::de::{DeTable, DeValue};
use toml::value::Datetime;

use super::{Error, Result, sums};

/// The version of the folder that is made, and the newest that is read.
pub const FORMAT: u64 = 1;
const HEAD: &str = "# A collection of web pages; see `tamis status`.\nformat = 1\n";
/// The file that makes a folder a collection.
pub(super) const FILE: &str = "collection.toml";

/// What a collection is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The id: the column `collection-id`.
    pub id: String,
    /// The name: the column `collection-name`.
    pub name: String,
    /// The event or subject it is about.
    pub event: Option<String>,
    /// When it was made, as the file says it.
    pub created: Option<String>,
}

/// What a new collection shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct New {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The event or subject it is about.
    pub event: Option<String>,
    /// When it is made.
    pub created: Timestamp,
}

impl New {
    /// The text of the file. Refuses what would not fit into a row.
    pub(super) fn to_toml(&self) -> Result<String> {
        for (key, value) in
            [("id", Some(&self.id)), ("name", Some(&self.name)), ("event", self.event.as_ref())]
        {
            if let Some(value) = value {
                check(key, value)?;
            }
        }
        let Self { id, name, event, created } = self.clone();
        Ok(About { id, name, event, created: Some(created.to_seconds().to_string()) }.to_toml())
    }
}

impl About {
    /// The text of the file.
    pub(super) fn to_toml(&self) -> String {
        let mut text = HEAD.to_owned();
        for (key, value) in
            [("id", Some(&self.id)), ("name", Some(&self.name)), ("event", self.event.as_ref())]
        {
            if let Some(value) = value {
                // Writing to a text cannot fail.
                let _ = writeln!(text, "{key} = {}", quoted(value));
            }
        }
        if let Some(created) = &self.created {
            let _ = match created.parse::<Datetime>() {
                Ok(_) => writeln!(text, "created = {created}"),
                Err(_) => writeln!(text, "created = {}", quoted(created)),
            };
        }
        text
    }

    /// Reads the file of a collection.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let path = root.join(FILE);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if root.join(sums::FILE).exists() {
                    return Err(Error::damaged(path, "it is missing"));
                }
                let why = if root.exists() {
                    format!("it has no {FILE}")
                } else {
                    "there is no such folder".into()
                };
                return Err(Error::NotACollection { path: root.into(), why });
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(Error::NotACollection { path: root.into(), why: "not a folder".into() });
            }
            text => text.map_err(Error::read(&path))?,
        };
        let table = DeTable::parse(&text).map_err(|why| {
            let start = why.span().map_or(0, |span| span.start.min(text.len()));
            let line = text.as_bytes()[..start].split(|&byte| byte == b'\n').count();
            Error::damaged(&path, format!("line {line}: {}", why.message()))
        })?;
        Self::of(table.get_ref(), &path)
    }

    fn of(table: &DeTable<'_>, path: &Path) -> Result<Self> {
        let text = |key: &str| match table.get(key).map(toml::Spanned::get_ref) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(text.to_string())),
            Some(DeValue::Integer(number)) => Ok(Some(number.to_string())),
            Some(DeValue::Datetime(moment)) => Ok(Some(moment.to_string())),
            Some(_) => Err(Error::damaged(path, format!("`{key}` is not a string"))),
        };
        let format = text("format")?.and_then(|format| format.parse().ok());
        let format: u64 =
            format.ok_or_else(|| Error::damaged(path, "`format` is missing or not a number"))?;
        if format > FORMAT {
            return Err(Error::Newer { path: path.into(), found: format, known: FORMAT });
        }
        let needed =
            |key: &str| text(key)?.ok_or_else(|| Error::damaged(path, format!("`{key}` is missing")));
        Ok(Self {
            id: needed("id")?,
            name: needed("name")?,
            event: text("event")?,
            created: text("created")?,
        })
    }
}

fn check(what: &'static str, value: &str) -> Result<()> {
    let why = if value.trim().is_empty() && what != "event" {
        "it is empty"
    } else if value.contains(char::is_control) {
        "it has control characters"
    } else {
        return Ok(());
    };
    Err(Error::Value { what, value: value.into(), why })
}

/// A basic string of TOML: that of JSON, as long as there are no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(id: &str, name: &str) -> New {
        let created = Timestamp::from_unix(1_700_000_000, 5).expect("a moment");
        New { id: id.into(), name: name.into(), event: Some("a \"b\" \\ é".into()), created }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(FILE), new("7", "x").to_toml().expect("sound")).expect("writable");
        let about = About::read(folder.path()).expect("sound");
        let expected = About {
            id: "7".into(),
            name: "x".into(),
            event: Some("a \"b\" \\ é".into()),
            created: Some("2023-11-14T22:13:20Z".into()),
        };
        assert_eq!(about, expected);
    }

    #[test]
    fn what_fits_into_no_row_is_refused() {
        for (id, name) in [("", "x"), ("a\tb", "x"), ("a", " ")] {
            assert!(new(id, name).to_toml().is_err(), "{id:?} {name:?}");
        }
    }

    #[test]
    fn people_may_edit_it() {
        let folder = tempfile::tempdir().expect("a folder");
        for (text, expected) in [
            ("format = 1\nid = 7\nname = 'x'\n[mine]\na = 1", Ok("7")),
            (
                "format = 2\nsomething = 'else'",
                Err("made by a newer tamis (format 2; this one reads up to 1)"),
            ),
            ("id = 'a'", Err("`format` is missing or not a number")),
            ("format = 1\nid = 'a'", Err("`name` is missing")),
            ("format = 1\nid = [1]\nname = 'a'", Err("`id` is not a string")),
            ("format = ", Err("line 1")),
        ] {
            fs::write(folder.path().join(FILE), text).expect("writable");
            match (About::read(folder.path()), expected) {
                (Ok(about), Ok(id)) => assert_eq!(about.id, id),
                (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }
}
