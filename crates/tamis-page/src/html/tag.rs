//! The elements of HTML, by name, with what the tree builder and the readers of text must know of each.

/// What a name says of its element; bits of [`Tag::has`].
pub mod trait_bits {
    /// Has no content and no end tag.
    pub const VOID: u16 = 1;
    /// Starts on a new line in the text.
    pub const BLOCK: u16 = 1 << 1;
    /// Closes an open paragraph when it starts.
    pub const CLOSES_P: u16 = 1 << 2;
    /// Its content is characters, up to its end tag.
    pub const RAW: u16 = 1 << 3;
    /// Its content is characters and character references, up to its end tag.
    pub const RCDATA: u16 = 1 << 4;
    /// An end tag of an inline element does not look past it ("special" in HTML).
    pub const SPECIAL: u16 = 1 << 5;
    /// End tags and implied ends do not look past it ("scope" in HTML).
    pub const SCOPE: u16 = 1 << 6;
    /// May stand in a head.
    pub const HEAD: u16 = 1 << 7;
    /// h1 to h6.
    pub const HEADING: u16 = 1 << 8;
    /// Is never seen by a reader of the page.
    pub const UNSEEN: u16 = 1 << 9;
    /// The search for an open paragraph does not look past it ("button scope" in HTML).
    pub const P_SCOPE: u16 = 1 << 10;
    /// The search for an open item does not look past it ("list item scope" in HTML).
    pub const ITEM_SCOPE: u16 = 1 << 11;
    /// Is none of svg's or math's: ends them when it starts inside.
    pub const BREAKS_OUT: u16 = 1 << 12;
    /// Has a meaning in svg or math only: its content is HTML again.
    pub const ISLAND: u16 = 1 << 13;
}

use super::key::Names;
use trait_bits::{
    BLOCK, BREAKS_OUT, CLOSES_P, HEAD, HEADING, ISLAND, ITEM_SCOPE, P_SCOPE, RAW, RCDATA, SPECIAL, UNSEEN,
    VOID,
};

const FLOW: u16 = BLOCK | CLOSES_P | SPECIAL;
const SCOPE: u16 = trait_bits::SCOPE | P_SCOPE | ITEM_SCOPE;
const TABLE_PART: u16 = BLOCK | SPECIAL;

macro_rules! tags {
    ($($variant:ident $name:literal $bits:expr;)*) => {
        /// An element's name. Names that HTML does not define are [`Tag::Other`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Tag {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        const NAMES: &[&str; ALL.len()] = &[$($name,)*];
        const BITS: &[u16] = &[$($bits,)*];
        const ALL: &[Tag] = &[$(Tag::$variant,)*];
    };
}

tags! {
    Text "#text" 0;
    Document "#document" SPECIAL | SCOPE;
    Other "#other" 0;
    A "a" 0; Abbr "abbr" 0; Address "address" FLOW; Applet "applet" SPECIAL | SCOPE; Area "area" VOID | SPECIAL;
    Article "article" FLOW; Aside "aside" FLOW; Audio "audio" 0;
    Body "body" BLOCK | SPECIAL | BREAKS_OUT; Base "base" VOID | HEAD | SPECIAL; Basefont "basefont" VOID | HEAD | SPECIAL; Big "big" BREAKS_OUT;
    B "b" BREAKS_OUT; Bdi "bdi" 0; Bdo "bdo" 0; Bgsound "bgsound" VOID | HEAD | SPECIAL; Blockquote "blockquote" FLOW | BREAKS_OUT; Br "br" VOID | SPECIAL | BREAKS_OUT;
    Button "button" SPECIAL | P_SCOPE;
    Canvas "canvas" 0; Caption "caption" TABLE_PART | SCOPE; Center "center" FLOW | BREAKS_OUT; Cite "cite" 0; Code "code" BREAKS_OUT;
    Col "col" VOID | SPECIAL; Colgroup "colgroup" SPECIAL;
    Data "data" 0; Datalist "datalist" UNSEEN; Dd "dd" FLOW | BREAKS_OUT; Del "del" 0; Details "details" FLOW; Dfn "dfn" 0;
    Dialog "dialog" FLOW; Dir "dir" FLOW; Div "div" FLOW | BREAKS_OUT; Dl "dl" FLOW | BREAKS_OUT; Dt "dt" FLOW | BREAKS_OUT;
    Em "em" BREAKS_OUT; Embed "embed" VOID | SPECIAL | BREAKS_OUT;
    Fieldset "fieldset" FLOW; Figcaption "figcaption" FLOW; Figure "figure" FLOW; Font "font" 0; Footer "footer" FLOW;
    Form "form" FLOW; Frame "frame" VOID | SPECIAL; Frameset "frameset" SPECIAL;
    H1 "h1" FLOW | HEADING | BREAKS_OUT; H2 "h2" FLOW | HEADING | BREAKS_OUT; H3 "h3" FLOW | HEADING | BREAKS_OUT; H4 "h4" FLOW | HEADING | BREAKS_OUT; H5 "h5" FLOW | HEADING | BREAKS_OUT; H6 "h6" FLOW | HEADING | BREAKS_OUT;
    Head "head" SPECIAL | UNSEEN | BREAKS_OUT; Header "header" FLOW; Hgroup "hgroup" FLOW; Hr "hr" FLOW | VOID | BREAKS_OUT; Html "html" SPECIAL | SCOPE;
    I "i" BREAKS_OUT; Iframe "iframe" RAW | SPECIAL | UNSEEN; Image "image" VOID; Img "img" VOID | SPECIAL | BREAKS_OUT; Input "input" VOID | SPECIAL; Ins "ins" 0;
    Kbd "kbd" 0; Keygen "keygen" VOID | SPECIAL;
    Label "label" 0; Legend "legend" BLOCK; Li "li" FLOW | BREAKS_OUT; Link "link" VOID | HEAD | SPECIAL; Listing "listing" FLOW | BREAKS_OUT;
    Main "main" FLOW; Map "map" 0; Mark "mark" 0; Marquee "marquee" SPECIAL | SCOPE; Math "math" 0; Menu "menu" FLOW | BREAKS_OUT;
    Meta "meta" VOID | HEAD | SPECIAL | BREAKS_OUT; Meter "meter" 0;
    Nav "nav" FLOW; Nobr "nobr" BREAKS_OUT; Noembed "noembed" RAW | SPECIAL | UNSEEN; Noframes "noframes" RAW | HEAD | SPECIAL | UNSEEN;
    Noscript "noscript" HEAD | SPECIAL;
    Object "object" SPECIAL | SCOPE; Ol "ol" FLOW | BREAKS_OUT | ITEM_SCOPE; Optgroup "optgroup" BLOCK; Option "option" BLOCK; Output "output" 0;
    P "p" FLOW | BREAKS_OUT; Param "param" VOID | SPECIAL; Picture "picture" 0; Plaintext "plaintext" FLOW | RAW; Pre "pre" FLOW | BREAKS_OUT; Progress "progress" 0;
    Q "q" 0;
    Rb "rb" 0; Rp "rp" 0; Rt "rt" 0; Rtc "rtc" 0; Ruby "ruby" BREAKS_OUT;
    S "s" BREAKS_OUT; Samp "samp" 0; Script "script" RAW | HEAD | SPECIAL | UNSEEN; Search "search" FLOW; Section "section" FLOW; Select "select" SPECIAL;
    Slot "slot" 0; Small "small" BREAKS_OUT; Source "source" VOID | SPECIAL; Span "span" BREAKS_OUT; Strike "strike" BREAKS_OUT; Strong "strong" BREAKS_OUT;
    Style "style" RAW | HEAD | SPECIAL | UNSEEN; Sub "sub" BREAKS_OUT; Summary "summary" FLOW; Sup "sup" BREAKS_OUT; Svg "svg" UNSEEN;
    Table "table" FLOW | SCOPE | BREAKS_OUT; Tbody "tbody" TABLE_PART; Td "td" TABLE_PART | SCOPE; Template "template" HEAD | SPECIAL | SCOPE | UNSEEN;
    Textarea "textarea" RCDATA | SPECIAL | UNSEEN; Tfoot "tfoot" TABLE_PART; Th "th" TABLE_PART | SCOPE; Thead "thead" TABLE_PART;
    Time "time" 0; Title "title" SCOPE | RCDATA | HEAD | SPECIAL | UNSEEN; Tr "tr" TABLE_PART; Track "track" VOID | SPECIAL; Tt "tt" BREAKS_OUT;
    U "u" BREAKS_OUT; Ul "ul" FLOW | BREAKS_OUT | ITEM_SCOPE; Var "var" BREAKS_OUT; Video "video" 0; Wbr "wbr" VOID | SPECIAL; Xmp "xmp" FLOW | RAW;
    AnnotationXml "annotation-xml" SPECIAL | SCOPE | ISLAND; Desc "desc" SPECIAL | SCOPE | ISLAND;
    ForeignObject "foreignobject" SPECIAL | SCOPE | ISLAND; Mi "mi" SPECIAL | SCOPE | ISLAND; Mn "mn" SPECIAL | SCOPE | ISLAND;
    Mo "mo" SPECIAL | SCOPE | ISLAND; Ms "ms" SPECIAL | SCOPE | ISLAND; Mtext "mtext" SPECIAL | SCOPE | ISLAND;
}

static TABLE: Names<{ ALL.len() }> = Names::new(NAMES);

impl Tag {
    /// How many there are.
    pub const COUNT: usize = ALL.len();

    /// The tag of a name as written, whatever its case.
    pub fn of(name: &[u8]) -> Tag {
        TABLE.place(name).map_or(Tag::Other, |place| ALL[place])
    }

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Whether the element has one of these traits.
    pub fn has(self, bits: u16) -> bool {
        BITS[self as usize] & bits != 0
    }

    /// 1 to 6 for h1 to h6.
    pub fn heading_level(self) -> Option<u8> {
        self.has(HEADING).then(|| self as u8 - Tag::H1 as u8 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_tag_in_any_case() {
        for &tag in &ALL[3..] {
            assert_eq!(Tag::of(tag.name().as_bytes()), tag);
            assert_eq!(Tag::of(tag.name().to_uppercase().as_bytes()), tag);
        }
    }

    #[test]
    fn other_names_are_other() {
        for name in ["", "x", "my-element", "an-element-with-a-long-name", "o:p"] {
            assert_eq!(Tag::of(name.as_bytes()), Tag::Other, "{name}");
        }
    }

    #[test]
    fn headings_have_levels() {
        assert_eq!(Tag::H1.heading_level(), Some(1));
        assert_eq!(Tag::H6.heading_level(), Some(6));
        assert_eq!(Tag::Header.heading_level(), None);
    }
}
