//! What the author of a page says of a part of it: by the element's name, role, class and id.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::vocabulary::{PARTS, of_itemprop, of_role, of_word};
use crate::html::{Memo, Name, NodeId, Tag, Tree};

/// A set of things said of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hints(u32);

impl Hints {
    pub(crate) const NONE: Hints = Hints(0);
    /// Menus, breadcrumbs, pagers, tables of contents.
    pub(crate) const NAVIGATION: Hints = Hints(1);
    /// The page's foot: imprint, legal lines.
    pub(crate) const FOOTER: Hints = Hints(1 << 1);
    /// The page's head: logo, search.
    pub(crate) const HEADER: Hints = Hints(1 << 2);
    /// Beside the content.
    pub(crate) const ASIDE: Hints = Hints(1 << 3);
    /// What readers wrote.
    pub(crate) const COMMENTS: Hints = Hints(1 << 4);
    /// Teasers of other pages.
    pub(crate) const RELATED: Hints = Hints(1 << 5);
    /// Buttons to share, follow, print.
    pub(crate) const SHARE: Hints = Hints(1 << 6);
    /// Advertisements, newsletters, subscriptions, consent.
    pub(crate) const PROMOTION: Hints = Hints(1 << 7);
    /// About the text: author, date, tags, counts.
    pub(crate) const META: Hints = Hints(1 << 8);
    /// Not shown.
    pub(crate) const HIDDEN: Hints = Hints(1 << 9);
    /// Forms, buttons, dialogs.
    pub(crate) const CONTROL: Hints = Hints(1 << 10);
    /// Captions and credits of pictures.
    pub(crate) const CAPTION: Hints = Hints(1 << 11);
    /// Holds the text of an article, by name.
    pub(crate) const BODY: Hints = Hints(1 << 12);
    /// Holds the main part of the page, by name.
    pub(crate) const MAIN: Hints = Hints(1 << 13);
    /// Holds one article, post or entry.
    pub(crate) const ARTICLE: Hints = Hints(1 << 14);
    /// One contribution to a thread.
    pub(crate) const POST: Hints = Hints(1 << 15);
    /// The headline.
    pub(crate) const TITLE: Hints = Hints(1 << 16);

    /// A class or id that speaks of navigation; less certain than an element or role that does.
    pub(crate) const LIKE_NAVIGATION: Hints = Hints(1 << 17);
    /// A class or id that speaks of a sidebar.
    pub(crate) const LIKE_ASIDE: Hints = Hints(1 << 18);
    /// A class or id that speaks of forms, buttons, dialogs.
    pub(crate) const LIKE_CONTROL: Hints = Hints(1 << 19);

    /// The text of one contribution among several.
    pub(crate) const POST_BODY: Hints = Hints(1 << 20);

    /// In a figure: a picture's text, unless it is a table, code or a quotation.
    pub(crate) const FIGURE: Hints = Hints(1 << 21);

    /// Keeps a part out of the main text of any page.
    pub(crate) const FRAME: Hints = Hints::NAVIGATION
        .with(Hints::FOOTER)
        .with(Hints::HEADER)
        .with(Hints::ASIDE)
        .with(Hints::SHARE)
        .with(Hints::CONTROL);
    /// Keeps a part out of an article.
    pub(crate) const BESIDE_ARTICLE: Hints =
        Hints::COMMENTS.with(Hints::RELATED).with(Hints::PROMOTION).with(Hints::META).with(Hints::CAPTION);
    /// Keeps a part out unless it is prose amid prose.
    pub(crate) const DOUBTFUL: Hints =
        Hints::LIKE_NAVIGATION.with(Hints::LIKE_ASIDE).with(Hints::LIKE_CONTROL).with(Hints::HIDDEN);

    /// What an element around the text is sometimes named, for reasons of its own.
    pub(crate) const OVERRULED_BY_BODY: Hints =
        Hints::SHARE.with(Hints::PROMOTION).with(Hints::META).with(Hints::CAPTION).with(Hints::DOUBTFUL);

    pub(crate) const fn with(self, other: Hints) -> Hints {
        Hints(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Hints) -> Hints {
        Hints(self.0 & !other.0)
    }

    pub(crate) const fn any(self, of: Hints) -> bool {
        self.0 & of.0 != 0
    }

    /// The names of what is said.
    pub(crate) fn names(self) -> Vec<&'static str> {
        const NAMES: [&str; 22] = [
            "navigation",
            "footer",
            "header",
            "aside",
            "comments",
            "related",
            "share",
            "promotion",
            "meta",
            "hidden",
            "control",
            "caption",
            "body",
            "main",
            "article",
            "post",
            "title",
            "like-navigation",
            "like-aside",
            "like-control",
            "post-body",
            "figure",
        ];
        NAMES.iter().enumerate().filter(|&(bit, _)| self.0 >> bit & 1 == 1).map(|(_, &name)| name).collect()
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Reads hints off elements. Classes repeat, so each is looked at once.
#[derive(Default)]
pub(crate) struct HintReader<'a> {
    seen: Memo<'a, Hints>,
}

impl<'a> HintReader<'a> {
    /// What the element's attributes say.
    pub(crate) fn of(&mut self, tree: &Tree<'a>, id: NodeId) -> Hints {
        let mut hints = Hints::NONE;
        for attribute in tree.attributes(id) {
            hints = hints.with(match attribute.name {
                Name::Class | Name::Id => self.of_name(attribute.raw),
                Name::Role => of_role(attribute.raw),
                Name::Itemprop => of_itemprop(attribute.raw),
                _ if attribute.hides() => Hints::HIDDEN,
                Name::Rel if attribute.raw.eq_ignore_ascii_case("author") => Hints::META,
                _ => Hints::NONE,
            });
        }
        hints
    }

    fn of_name(&mut self, name: &'a str) -> Hints {
        if name.len() > 400 {
            return Hints::NONE;
        }
        self.seen.of(name, of_class)
    }
}

/// What the element's own name says.
pub(crate) fn of_tag(tag: Tag) -> Hints {
    match tag {
        Tag::Nav | Tag::Menu => Hints::NAVIGATION,
        Tag::Footer => Hints::FOOTER,
        Tag::Aside => Hints::ASIDE,
        Tag::Button | Tag::Select | Tag::Dialog | Tag::Label | Tag::Input | Tag::Fieldset | Tag::Search => {
            Hints::CONTROL
        }
        Tag::Figcaption => Hints::CAPTION,
        Tag::Figure => Hints::FIGURE,
        Tag::Main => Hints::MAIN,
        Tag::Article => Hints::ARTICLE,
        _ => Hints::NONE,
    }
}

static PART_FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(PARTS.iter().map(|(part, _)| part))
        .expect("the list of parts is small")
});

fn of_class(names: &str) -> Hints {
    // No part has a space in it: all names are searched at once where none has a prefix to be left out.
    if !names.contains(':') {
        return of_parts(names).with(of_words(names));
    }
    let bare = names.split_ascii_whitespace().map(|name| {
        // `print:hidden` says when, not what.
        name.rsplit(':').next().unwrap_or(name)
    });
    bare.fold(Hints::NONE, |hints, name| hints.with(of_parts(name)).with(of_words(name)))
}

fn of_parts(names: &str) -> Hints {
    PART_FINDER.find_iter(names).fold(Hints::NONE, |hints, found| hints.with(PARTS[found.pattern()].1))
}

/// What the words of a name say: `postMeta main-nav_2` has post, meta, main, nav and 2.
fn of_words(names: &str) -> Hints {
    let mut hints = Hints::NONE;
    let mut start = 0;
    let mut was_lower = false;
    for (at, c) in names.char_indices() {
        if !c.is_alphanumeric() {
            hints = hints.with(of_word(&names[start..at]));
            start = at + c.len_utf8();
        } else if c.is_ascii_uppercase() && was_lower {
            hints = hints.with(of_word(&names[start..at]));
            start = at;
        }
        was_lower = c.is_ascii_lowercase();
    }
    hints.with(of_word(&names[start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_part_is() {
        for (name, hints) in [
            ("entry-content clearfix", Hints::BODY.with(Hints::ARTICLE)),
            ("mainNav", Hints::LIKE_NAVIGATION),
            ("relatedPosts", Hints::RELATED),
            ("shadow-box", Hints::NONE),
            ("p-4 print:break-inside-avoid", Hints::NONE),
            ("ad_300", Hints::PROMOTION),
            ("header", Hints::NONE),
        ] {
            assert_eq!(of_class(name), hints, "{name}");
        }
    }
}
