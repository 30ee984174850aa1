//! The addresses that a site lists for robots: sitemaps and their indexes, feeds (RSS, Atom), plain lists, each of
//! them also in gzip.
//!
//! Reading takes one pass and, whatever the input, memory for one entry ([`LONGEST_TEXT`] a part). What is damaged is
//! read as far as it goes: an address counts when it is whole, though the file around it be cut.

mod bounded;
mod list;
mod markup;
mod reader;
mod tokens;

pub use reader::read;

/// Longer texts and tags are passed over.
pub const LONGEST_TEXT: usize = 16 * 1024;

/// How much of a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most entries. By sitemaps.org 50,000; sites have files with more.
    pub max_entries: usize,
    /// The most bytes after decompression, by sitemaps.org 50 MiB.
    pub max_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_entries: 500_000, max_bytes: 50 << 20 }
    }
}

/// What an entry leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A page.
    Page,
    /// Another sitemap.
    Sitemap,
}

/// One address of the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry<'a> {
    /// The address as it is written, without surrounding blanks: it should be absolute.
    pub loc: &'a str,
    /// What it leads to.
    pub kind: Kind,
    /// When what it leads to last changed, in milliseconds since 1970.
    pub lastmod_ms: Option<u64>,
    /// How it matters beside others of the site, from 0 to 1; 0.5 where nothing is said.
    pub priority: Option<f32>,
}

/// What a file was found to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// Neither of the others.
    #[default]
    Unknown,
    /// `<urlset>` of sitemaps.org.
    UrlSet,
    /// `<sitemapindex>` of sitemaps.org.
    Index,
    /// RSS of any version.
    Rss,
    /// Atom.
    Atom,
    /// An address a line.
    List,
}

/// What came out of reading a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// What the file was.
    pub format: Format,
    /// Entries that were given.
    pub entries: usize,
    /// Entries without an address, or with one that is too long.
    pub empty: usize,
    /// Whether a limit ended the reading.
    pub is_cut: bool,
    /// Whether the input ended early or with an error.
    pub is_damaged: bool,
}
