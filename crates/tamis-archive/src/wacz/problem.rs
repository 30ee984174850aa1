//! What can be wrong with a package.

use std::fmt;

use crate::Severity;

/// One thing wrong with a package.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are the path of an entry, and what was stated, found or missing")]
pub enum WaczProblem {
    /// A file that every package must have, or one of its kind.
    Missing { what: &'static str },
    /// `datapackage.json` is none.
    BadDatapackage { why: String },
    /// `datapackage.json` states no version of WACZ.
    MissingVersion,
    /// A version of WACZ that we do not know.
    UnknownVersion { version: String },
    /// Entries of the list of files that name no file.
    BadResources { count: usize },
    /// `datapackage.json` lists a file that is not there.
    MissingEntry { path: String },
    /// A file that `datapackage.json` does not list.
    UnlistedEntry { path: String },
    /// A file has another digest than stated.
    WrongHash { path: String, stated: String, actual: String },
    /// A file has another length than stated.
    WrongSize { path: String, stated: u64, actual: u64 },
    /// A file has no digest that can be checked.
    Unverifiable { path: String, why: String },
    /// `datapackage-digest.json` is none.
    BadDigestFile { why: String },
    /// The package is signed. We do not check who signed it.
    SignatureUnchecked,
    /// The signature was made for another package.
    WrongSignedData { why: &'static str },
    /// A WARC or compressed index is compressed again by the zip file: nothing in it can be found by its offset.
    CompressedEntry { path: String },
    /// A line of a list of pages that is no page.
    BadPage { path: String, line: u64, why: String },
    /// More lines of a list of pages are bad than are listed.
    MoreBadPages { path: String, count: u64 },
    /// A name that points outside of the folder a package is unpacked to.
    UnsafePath { path: String },
    /// Two entries have one name.
    DuplicateNames,
    /// Two entries share bytes, or differ from what the directory says of them.
    BrokenDirectory { why: String },
    /// An entry cannot be read to its end.
    Unreadable { path: String, why: String },
    /// An entry grows beyond all reason when it is read.
    Bomb { path: String, limit: u64 },
}

impl WaczProblem {
    /// A short stable name, for counting problems by kind.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing",
            Self::BadDatapackage { .. } => "bad-datapackage",
            Self::MissingVersion => "missing-version",
            Self::UnknownVersion { .. } => "unknown-version",
            Self::BadResources { .. } => "bad-resources",
            Self::MissingEntry { .. } => "missing-entry",
            Self::UnlistedEntry { .. } => "unlisted-entry",
            Self::WrongHash { .. } => "wrong-hash",
            Self::WrongSize { .. } => "wrong-size",
            Self::Unverifiable { .. } => "unverifiable",
            Self::BadDigestFile { .. } => "bad-digest-file",
            Self::SignatureUnchecked => "signature-unchecked",
            Self::WrongSignedData { .. } => "wrong-signed-data",
            Self::CompressedEntry { .. } => "compressed-entry",
            Self::BadPage { .. } | Self::MoreBadPages { .. } => "bad-page",
            Self::UnsafePath { .. } => "unsafe-path",
            Self::DuplicateNames => "duplicate-names",
            Self::BrokenDirectory { .. } => "broken-directory",
            Self::Unreadable { .. } => "unreadable",
            Self::Bomb { .. } => "bomb",
        }
    }

    /// How much it matters. A package with nothing but notes is valid.
    pub fn severity(&self) -> Severity {
        match self {
            Self::SignatureUnchecked | Self::UnknownVersion { .. } => Severity::Note,
            Self::MissingEntry { .. }
            | Self::WrongHash { .. }
            | Self::WrongSize { .. }
            | Self::BrokenDirectory { .. }
            | Self::Unreadable { .. }
            | Self::Bomb { .. } => Severity::Damage,
            _ => Severity::Violation,
        }
    }
}

impl fmt::Display for WaczProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { what } => write!(f, "{what} is missing"),
            Self::BadDatapackage { why } => write!(f, "datapackage.json: {why}"),
            Self::MissingVersion => write!(f, "datapackage.json: no wacz_version"),
            Self::UnknownVersion { version } => {
                write!(f, "datapackage.json: unknown wacz_version {version:?}")
            }
            Self::BadResources { count } => write!(f, "datapackage.json: {count} resources without a path"),
            Self::MissingEntry { path } => write!(f, "{path}: listed in datapackage.json, but missing"),
            Self::UnlistedEntry { path } => write!(f, "{path}: not listed in datapackage.json"),
            Self::WrongHash { path, stated, actual } => {
                write!(f, "{path}: hash {stated}, but the file has {actual}")
            }
            Self::WrongSize { path, stated, actual } => {
                write!(f, "{path}: {stated} bytes stated, but {actual} found")
            }
            Self::Unverifiable { path, why } => write!(f, "{path}: hash cannot be checked: {why}"),
            Self::BadDigestFile { why } => write!(f, "datapackage-digest.json: {why}"),
            Self::SignatureUnchecked => write!(f, "signed; the signature was not checked"),
            Self::WrongSignedData { why } => write!(f, "datapackage-digest.json: {why}"),
            Self::CompressedEntry { path } => {
                write!(f, "{path}: compressed by the zip file, should be stored")
            }
            Self::BadPage { path, line, why } => write!(f, "{path}: line {line}: {why}"),
            Self::MoreBadPages { path, count } => write!(f, "{path}: {count} more bad lines"),
            Self::UnsafePath { path } => write!(f, "{path:?}: points outside the package"),
            Self::DuplicateNames => write!(f, "two entries have the same name"),
            Self::BrokenDirectory { why } => write!(f, "zip directory: {why}"),
            Self::Unreadable { path, why } => write!(f, "{path}: {why}"),
            Self::Bomb { path, limit } => {
                write!(f, "{path}: continues after {limit} bytes, more than its size allows")
            }
        }
    }
}
