//! What classes and ids tell about their elements.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Its text names an author.
pub(super) const AUTHOR: u8 = 1;
/// Its text holds the page's date, or the line with it.
pub(super) const DATE: u8 = 1 << 1;
/// Somebody else's text: comments, teasers, lists of other pages.
pub(super) const ASIDE: u8 = 1 << 2;
/// Says of a date that it is the first one.
pub(super) const PUBLISHED: u8 = 1 << 3;
/// Says of a date that it is a later one.
pub(super) const MODIFIED: u8 = 1 << 4;
/// Says of a part that it is not the author's name but his picture, his life or his links.
pub(super) const NO_NAME: u8 = 1 << 5;
/// Readers' text.
pub(super) const COMMENT: u8 = 1 << 7;
/// Says clearly that it is the author.
pub(super) const NAME: u8 = 1 << 6;

#[rustfmt::skip]
const WORDS: &[(&str, u8)] = &[
    ("author-name", NAME), ("author_name", NAME), ("authorname", NAME), ("author__name", NAME), ("author-link", NAME), ("byline", AUTHOR | DATE),
    ("author", AUTHOR), ("autor", AUTHOR), ("auteur", AUTHOR), ("verfasser", AUTHOR), ("writer", AUTHOR), ("reporter", AUTHOR),
    ("journalist", AUTHOR), ("contributor", AUTHOR), ("screenname", AUTHOR), ("screen-name", AUTHOR), ("posted-by", AUTHOR), ("postedby", AUTHOR),
    ("submitted", AUTHOR | DATE), ("redakteur", AUTHOR), ("signature", AUTHOR), ("creditline", AUTHOR), ("credits", AUTHOR), ("username", AUTHOR),
    ("avatar", NO_NAME), ("bio", NO_NAME), ("author-desc", NO_NAME), ("author-social", NO_NAME), ("author-image", NO_NAME), ("author-box", NO_NAME),
    ("author-info", NO_NAME), ("about-author", NO_NAME), ("about-the-author", NO_NAME), ("authority", NO_NAME), ("autoren", NO_NAME), ("follow", NO_NAME),
    ("date", DATE), ("datum", DATE), ("fecha", DATE), ("publish", DATE | PUBLISHED), ("posted", DATE | PUBLISHED), ("created", DATE | PUBLISHED),
    ("pubtime", DATE | PUBLISHED), ("time", DATE), ("parution", DATE | PUBLISHED), ("calendar", DATE), ("clock", DATE),
    ("veroeffentlicht", DATE | PUBLISHED), ("dateline", DATE), ("timestamp", DATE), ("meta", DATE), ("subline", DATE),
    ("post-info", DATE), ("postinfo", DATE), ("article-info", DATE), ("entry-info", DATE), ("post_detail", DATE), ("post-detail", DATE), ("infos", DATE),
    ("updated", DATE | MODIFIED), ("modified", DATE | MODIFIED), ("lastmod", DATE | MODIFIED), ("update-", 0), ("revision", DATE | MODIFIED),
    ("comment", ASIDE | COMMENT), ("sidebar", ASIDE), ("related", ASIDE), ("recommend", ASIDE), ("widget", ASIDE), ("teaser", ASIDE),
    ("popular", ASIDE), ("latest", ASIDE), ("trending", ASIDE), ("footer", ASIDE), ("post-footer", 0), ("entry-footer", 0), ("article-footer", 0), ("post_footer", 0), ("article__footer", 0), ("navigation", ASIDE), ("menu", ASIDE),
    ("newsletter", ASIDE), ("similar", ASIDE), ("most-read", ASIDE), ("mostread", ASIDE), ("more-news", ASIDE), ("read-more", ASIDE),
    ("archive", ASIDE), ("respond", ASIDE | COMMENT), ("disqus", ASIDE | COMMENT), ("promo", ASIDE), ("carousel", ASIDE), ("countdown", ASIDE), ("breadcrumb", ASIDE),
    ("cookie", ASIDE), ("next-post", ASIDE), ("prev-post", ASIDE), ("post-nav", ASIDE), ("modal", ASIDE), ("event-date", ASIDE),
];

static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::DFA))
        .build(WORDS.iter().map(|(word, _)| word))
        .expect("a short list of short words")
});

/// What a class or an id says.
pub(super) fn hints(names: &str) -> u8 {
    // Classes made by machines go on and on, and say nothing.
    let names = &names[..names.floor_char_boundary(400)];
    FINDER.find_iter(names).fold(0, |bits, found| bits | WORDS[found.pattern().as_usize()].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_tell_what_they_hold() {
        assert_eq!(hints("entry-Date published"), DATE | PUBLISHED);
        assert_eq!(hints("post-author vcard"), AUTHOR);
        assert_eq!(hints("comment-author"), ASIDE | COMMENT | AUTHOR);
        assert_eq!(hints("col-md-6 btn"), 0);
        assert_eq!(hints(""), 0);
    }
}
