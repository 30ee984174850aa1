//! Which files of a folder are archives or pages, judged by their names.

use std::ffi::OsStr;

/// What a command wants of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wanted {
    /// Archives.
    #[default]
    Archives,
    /// Archives, and HTML files.
    ArchivesAndPages,
    /// Archives, and HTML files where there are none.
    ArchivesOrPages,
    /// HTML files.
    Pages,
    /// Archives; where there is none, HTML files; and where there are none of these, tweets.
    ArchivesPagesOrTweets,
    /// HTML files, and tweets where there are none.
    PagesOrTweets,
    /// Tweets.
    Tweets,
    /// Files of a URL index.
    Indexes,
    /// Info files: what is expected of pages.
    Infos,
}

/// Endings that say what is inside.
const ARCHIVES: [&str; 5] = ["warc", "arc", "wet", "wat", "wacz"];
const PAGES: [&str; 3] = ["html", "htm", "xhtml"];
const TWEETS: [&str; 5] = ["jsonl", "ndjson", "json", "csv", "tsv"];
const INDEXES: [&str; 2] = ["cdxj", "cdx"];
const INFOS: [&str; 1] = ["info"];
/// Endings behind those, for compression, for a file that its writer has not closed, and for packs.
const WRAPPERS: [&str; 7] = ["gz", "zst", "zstd", "bz2", "xz", "open", "pack"];

impl Wanted {
    /// What it is called when there is none.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Wanted::Archives => "archive",
            Wanted::ArchivesAndPages | Wanted::ArchivesOrPages => "archive or page",
            Wanted::Pages => "HTML file",
            Wanted::ArchivesPagesOrTweets | Wanted::PagesOrTweets => "archive, HTML file or tweet file",
            Wanted::Tweets => "tweet file",
            Wanted::Indexes => "index file",
            Wanted::Infos => "info file",
        }
    }

    /// Names for a hint.
    pub(super) fn examples(self) -> &'static str {
        match self {
            Wanted::Archives => "*.warc.gz, *.arc, *.wet.zst, *.wat, *.wacz …",
            Wanted::ArchivesAndPages | Wanted::ArchivesOrPages => {
                "*.warc.gz, *.arc, *.wacz, *.html, *.htm.gz …"
            }
            Wanted::Pages => "*.html, *.htm.gz, *.xhtml …",
            Wanted::ArchivesPagesOrTweets | Wanted::PagesOrTweets => {
                "*.warc.gz, *.arc, *.wacz, *.html, *.jsonl, *.csv.gz …"
            }
            Wanted::Tweets => "*.jsonl, *.json.gz, *.csv …",
            Wanted::Indexes => "cdx-00000.gz, *.cdxj, *.cdxj.gz …",
            Wanted::Infos => "*.info, *.info.gz …",
        }
    }

    /// What is wanted of a folder that has nothing of it.
    pub(super) fn otherwise(self) -> Option<Self> {
        match self {
            Self::ArchivesPagesOrTweets => Some(Self::PagesOrTweets),
            Self::PagesOrTweets => Some(Self::Tweets),
            Self::ArchivesOrPages => Some(Self::Pages),
            _ => None,
        }
    }

    /// Whether a file of this name is worth opening when its folder is given.
    pub(crate) fn has(self, name: &OsStr) -> bool {
        match self {
            Wanted::Archives | Wanted::ArchivesPagesOrTweets | Wanted::ArchivesOrPages => {
                ends_in(name, &ARCHIVES)
            }
            Wanted::Pages | Wanted::PagesOrTweets => ends_in(name, &PAGES),
            Wanted::ArchivesAndPages => ends_in(name, &ARCHIVES) || ends_in(name, &PAGES),
            Wanted::Tweets => ends_in(name, &TWEETS),
            // Common Crawl's are called cdx-00000.gz.
            Wanted::Indexes => ends_in(name, &INDEXES) || name.to_string_lossy().starts_with("cdx-"),
            Wanted::Infos => ends_in(name, &INFOS),
        }
    }
}

fn ends_in(name: &OsStr, kinds: &[&str]) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let mut endings = name.split('.').rev();
    let ending = endings.by_ref().find(|ending| !WRAPPERS.contains(ending)).unwrap_or_default();
    // `warc` alone is a name, not an ending.
    kinds.contains(&ending) && endings.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_wanted_where_they_are_asked_for() {
        for (name, expected) in [("a.html", true), ("a.HTM.gz", true), ("a.warc", true), ("a.css", false)] {
            assert_eq!(Wanted::ArchivesAndPages.has(OsStr::new(name)), expected, "{name}");
        }
        assert!(!Wanted::Archives.has(OsStr::new("a.html")));
    }

    #[test]
    fn archives_are_known_by_their_endings() {
        for (name, expected) in [
            ("a.warc", true),
            ("A.WARC.GZ", true),
            ("CC-MAIN-1.warc.wet.gz", true),
            ("x.wat.zst", true),
            ("x.arc", true),
            ("x.wacz", true),
            ("x.warc.gz.open", true),
            ("x.warc.gz.pack", true),
            (".warc", true),
            ("warc", false),
            ("warc.gz", false),
            ("a.gz", false),
            ("a.cdxj", false),
            ("a.warc.txt", false),
            ("", false),
        ] {
            assert_eq!(Wanted::Archives.has(OsStr::new(name)), expected, "{name}");
        }
    }
}
