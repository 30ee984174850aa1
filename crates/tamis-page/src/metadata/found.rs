//! What was found, and by which rule.

use std::fmt;

macro_rules! rules {
    ($($(#[$doc:meta])* $variant:ident $word:literal;)*) => {
        /// Where in a page a value stood.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $($(#[$doc])* $variant,)*
        }

        impl Rule {
            /// The rule as a short word.
            pub fn word(self) -> &'static str {
                match self {
                    $(Rule::$variant => $word,)*
                }
            }
        }
    };
}

rules! {
    /// A `<script type="application/ld+json">`.
    JsonLd "json-ld";
    /// `itemprop`.
    Microdata "microdata";
    /// `property` of an element that is no `<meta>`.
    Rdfa "rdfa";
    /// `og:…` and `article:…`.
    OpenGraph "opengraph";
    /// `twitter:…`.
    Twitter "twitter";
    /// `dc.…` and `dcterms.…`.
    DublinCore "dublin-core";
    /// `citation_…`, for scholars' search engines.
    Citation "citation";
    /// `parsely-…`.
    Parsely "parsely";
    /// `sailthru.…`.
    Sailthru "sailthru";
    /// Any other `<meta name>`.
    Meta "meta";
    /// `<meta http-equiv>`.
    HttpEquiv "http-equiv";
    /// `<link rel>` or `<a rel>`.
    Rel "rel";
    /// The `lang` of `<html>` or `<body>`.
    Lang "lang";
    /// `<title>`.
    TitleTag "title";
    /// A heading.
    Heading "heading";
    /// `<time>`.
    Time "time";
    /// An element whose class or id says what it holds.
    Class "class";
    /// "By …", "Published on …".
    Byline "byline";
    /// The address of the page.
    Url "url";
    /// The address of the page's image.
    Image "image";
    /// `© 2019 Example Inc.`
    Copyright "copyright";
    /// A date in the text.
    Text "text";
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A value with the rule that found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// The value.
    pub value: T,
    /// Where it stood.
    pub rule: Rule,
}

impl<T> Found<T> {
    pub(super) fn new(value: T, rule: Rule) -> Self {
        Found { value, rule }
    }
}
