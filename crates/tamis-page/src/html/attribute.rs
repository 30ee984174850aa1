//! Attributes of an element: what was written, and its value decoded.

use std::borrow::Cow;

use super::key::Names;

macro_rules! names {
    ($($variant:ident $name:literal;)*) => {
        /// An attribute's name, as far as a reader of pages has a use for it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Name {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
            /// Any other name.
            Other,
        }

        const NAMES: &[&str; ALL.len()] = &[$($name,)*];
        const ALL: &[Name] = &[$(Name::$variant,)*];
    };
}

names! {
    About "about"; Action "action"; Alt "alt"; AriaHidden "aria-hidden"; AriaLabel "aria-label"; As "as"; Background "background"; Charset "charset";
    Cite "cite"; Class "class"; Color "color"; Content "content"; Data "data"; DataLazySrc "data-lazy-src"; DataLazySrcset "data-lazy-srcset"; DataOriginal "data-original";
    DataSrc "data-src"; DataSrcset "data-srcset"; Datetime "datetime";
    Formaction "formaction"; Hidden "hidden"; Href "href"; Hreflang "hreflang"; HttpEquiv "http-equiv"; Id "id"; Imagesrcset "imagesrcset"; Itemid "itemid"; Itemprop "itemprop"; Itemref "itemref";
    Itemscope "itemscope"; Itemtype "itemtype"; Lang "lang"; Name "name"; Poster "poster"; Prefix "prefix"; Property "property";
    Rel "rel"; Resource "resource"; Role "role"; Shadowrootmode "shadowrootmode"; Src "src"; Srcdoc "srcdoc"; Srcset "srcset"; Style "style";
    Title "title"; Type "type"; Typeof "typeof"; Value "value"; Vocab "vocab"; XlinkHref "xlink:href"; XmlLang "xml:lang";
}

static TABLE: Names<{ ALL.len() }> = Names::new(NAMES);

impl Name {
    /// The name as written, whatever its case.
    pub fn of(written: &[u8]) -> Name {
        TABLE.place(written).map_or(Name::Other, |place| ALL[place])
    }
}

/// An attribute as it stands in the page.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// Which one it is.
    pub name: Name,
    /// Its name as written.
    pub written: &'a str,
    /// Its value as written, without the quotes.
    pub raw: &'a str,
}

impl<'a> Attribute<'a> {
    /// The value with its character references decoded.
    pub fn value(&self) -> Cow<'a, str> {
        if memchr::memchr2(b'&', 0, self.raw.as_bytes()).is_none() {
            return Cow::Borrowed(self.raw);
        }
        let value = htmlize::unescape_attribute(self.raw);
        if value.contains('\0') { Cow::Owned(value.replace('\0', "\u{FFFD}")) } else { value }
    }

    /// Whether it keeps its element from view.
    pub fn hides(&self) -> bool {
        match self.name {
            Name::Hidden => !self.raw.eq_ignore_ascii_case("until-found"),
            Name::AriaHidden => self.raw.eq_ignore_ascii_case("true"),
            Name::Style => style_hides(self.raw),
            _ => false,
        }
    }
}

/// Whether a style keeps its element from view.
fn style_hides(style: &str) -> bool {
    style.split(';').any(|rule| {
        let Some((property, value)) = rule.split_once(':') else { return false };
        let starts =
            |with: &str| value.trim().get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
        let property = property.trim();
        (property.eq_ignore_ascii_case("display") && starts("none"))
            || (property.eq_ignore_ascii_case("visibility") && starts("hidden"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_case() {
        assert_eq!(Name::of(b"href"), Name::Href);
        assert_eq!(Name::of(b"HTTP-Equiv"), Name::HttpEquiv);
        assert_eq!(Name::of(b"data-a-very-long-name-of-somebody"), Name::Other);
        assert_eq!(Name::of(b""), Name::Other);
    }

    #[test]
    fn references_in_values_are_decoded_as_html_wants() {
        let value = |raw| Attribute { name: Name::Href, written: "href", raw }.value().into_owned();
        assert_eq!(value("a?b=1&amp;c=2"), "a?b=1&c=2");
        assert_eq!(value("a?b=1&copy=2"), "a?b=1&copy=2");
        assert_eq!(value("&#228;&#xe4;"), "ää");
    }

    #[test]
    fn attributes_hide_their_element() {
        for (name, raw, expected) in [
            (Name::Hidden, "", true),
            (Name::Hidden, "until-found", false),
            (Name::AriaHidden, "true", true),
            (Name::AriaHidden, "false", false),
            (Name::Class, "hidden", false),
            (Name::Style, "color: red; display:none", true),
            (Name::Style, "Display: NONE !important", true),
            (Name::Style, "visibility:hidden", true),
            (Name::Style, "display: block", false),
            (Name::Style, "overflow: hidden", false),
            (Name::Style, "display:\u{e4}", false),
        ] {
            assert_eq!(Attribute { name, written: "", raw }.hides(), expected, "{name:?}={raw}");
        }
    }
}
