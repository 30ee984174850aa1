//! The fields of an entry, by the names that CDX servers give them.

use std::borrow::Cow;

use tamis_archive::cdx::CdxEntry;

use super::Dialect;

/// A field of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Field {
    UrlKey,
    Timestamp,
    Url,
    Mime,
    Status,
    Digest,
    Redirect,
    RobotFlags,
    Length,
    Offset,
    Filename,
    /// A further field of CDXJ, such as `method` or `languages`.
    Extra(String),
}

impl Field {
    /// Finds a field by its name in pywb, OutbackCDX or the Wayback CDX server, or by its letter in a CDX legend.
    pub fn named(name: &str) -> Self {
        match name {
            "urlkey" | "N" => Self::UrlKey,
            "timestamp" | "b" => Self::Timestamp,
            "url" | "original" | "a" => Self::Url,
            "mime" | "mimetype" | "m" => Self::Mime,
            "status" | "statuscode" | "s" => Self::Status,
            "digest" | "k" => Self::Digest,
            "redirect" | "redirecturl" | "r" => Self::Redirect,
            "robotflags" | "meta" | "M" => Self::RobotFlags,
            "length" | "compressedsize" | "S" => Self::Length,
            "offset" | "compressedoffset" | "V" => Self::Offset,
            "filename" | "file" | "g" => Self::Filename,
            other => Self::Extra(other.to_owned()),
        }
    }

    /// Its name in a dialect.
    pub fn name(&self, dialect: Dialect) -> &str {
        let is_wayback = dialect == Dialect::Wayback;
        match self {
            Self::UrlKey => "urlkey",
            Self::Timestamp => "timestamp",
            Self::Url if is_wayback => "original",
            Self::Url => "url",
            Self::Mime if is_wayback => "mimetype",
            Self::Mime => "mime",
            Self::Status if is_wayback => "statuscode",
            Self::Status => "status",
            Self::Digest => "digest",
            Self::Redirect => "redirect",
            Self::RobotFlags => "robotflags",
            Self::Length => "length",
            Self::Offset => "offset",
            Self::Filename => "filename",
            Self::Extra(name) => name,
        }
    }

    /// Its value; empty where the entry has none.
    pub fn value<'e>(&self, entry: &'e CdxEntry, dialect: Dialect) -> Cow<'e, str> {
        let number = |value: Option<u64>| value.map_or(Cow::Borrowed(""), |n| Cow::Owned(n.to_string()));
        match self {
            Self::UrlKey => entry.urlkey.as_str().into(),
            Self::Timestamp => entry.timestamp.as_str().into(),
            Self::Url => entry.url.as_str().into(),
            Self::Mime => entry.mime.as_str().into(),
            Self::Status => number(entry.status.map(u64::from)),
            // The Wayback CDX server and OutbackCDX leave the algorithm out.
            Self::Digest if dialect == Dialect::Wayback => {
                entry.digest.rsplit_once(':').map_or(entry.digest.as_str(), |(_, digest)| digest).into()
            }
            Self::Digest => entry.digest.as_str().into(),
            Self::Redirect => entry.redirect.as_str().into(),
            Self::RobotFlags => entry.robot_flags.as_str().into(),
            Self::Length => number(entry.length),
            Self::Offset => number((!entry.filename.is_empty()).then_some(entry.offset)),
            Self::Filename => entry.filename.as_str().into(),
            Self::Extra(name) => match entry.extra(name) {
                Some(serde_json::Value::String(text)) => text.as_str().into(),
                Some(serde_json::Value::Null) | None => "".into(),
                Some(other) => other.to_string().into(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_and_letter_finds_its_field() {
        for (names, field) in [
            (&["urlkey", "N"][..], Field::UrlKey),
            (&["timestamp", "b"], Field::Timestamp),
            (&["url", "original", "a"], Field::Url),
            (&["mime", "mimetype", "m"], Field::Mime),
            (&["status", "statuscode", "s"], Field::Status),
            (&["digest", "k"], Field::Digest),
            (&["length", "S"], Field::Length),
            (&["offset", "V"], Field::Offset),
            (&["filename", "g"], Field::Filename),
            (&["languages"], Field::Extra("languages".into())),
        ] {
            for name in names {
                assert_eq!(Field::named(name), field, "{name}");
            }
        }
    }

    #[test]
    fn a_field_has_the_value_and_the_name_of_its_dialect() {
        let entry = CdxEntry {
            url: "http://a/".into(),
            status: Some(404),
            digest: "sha1:ABC".into(),
            extra: vec![("n".into(), serde_json::json!(3)), ("none".into(), serde_json::Value::Null)],
            ..CdxEntry::default()
        };
        for (field, pywb, wayback) in [
            ("url", ("url", "http://a/"), ("original", "http://a/")),
            ("status", ("status", "404"), ("statuscode", "404")),
            ("digest", ("digest", "sha1:ABC"), ("digest", "ABC")),
            ("mime", ("mime", ""), ("mimetype", "")),
            // Offsets are of files.
            ("offset", ("offset", ""), ("offset", "")),
            ("n", ("n", "3"), ("n", "3")),
            ("none", ("none", ""), ("none", "")),
        ] {
            for (dialect, expected) in [(Dialect::Pywb, pywb), (Dialect::Wayback, wayback)] {
                let field = Field::named(field);
                assert_eq!((field.name(dialect), &*field.value(&entry, dialect)), expected);
            }
        }
    }
}
