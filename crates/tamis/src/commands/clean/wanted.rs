//! Columns that rows have when asked for.

/// What rows have beyond the usual.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line, and none rules out another"
)]
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Wanted {
    /// Add `full_text`: all visible text of the page
    #[arg(long)]
    pub(super) full_text: bool,
    /// Add `comments`: reader comments below an article
    #[arg(long)]
    pub(super) comments: bool,
    /// Add `links`: url, kind, rel, anchor, before, after, start, length
    #[arg(long)]
    pub(super) links: bool,
    /// Add `quotes`: start, length, text
    #[arg(long)]
    quotes: bool,
}

impl Wanted {
    /// Whether a column is asked for.
    pub(super) fn names(&self, column: &str) -> bool {
        match column {
            "full_text" => self.full_text,
            "comments" => self.comments,
            "links" => self.links,
            "quotes" => self.quotes,
            _ => false,
        }
    }

    /// Whether any of it has a place in rows only.
    pub(super) fn needs_rows(&self) -> bool {
        self.links || self.quotes
    }
}
