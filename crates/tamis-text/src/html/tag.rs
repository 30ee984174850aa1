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
}

use trait_bits::{BLOCK, CLOSES_P, HEAD, HEADING, RAW, RCDATA, SCOPE, SPECIAL, UNSEEN, VOID};

const FLOW: u16 = BLOCK | CLOSES_P | SPECIAL;
const TABLE_PART: u16 = BLOCK | SPECIAL;

macro_rules! tags {
    ($($variant:ident $name:literal $bits:expr;)*) => {
        /// An element's name. Names that HTML does not define are [`Tag::Other`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Tag {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        const NAMES: &[&str] = &[$($name,)*];
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
    Body "body" BLOCK | SPECIAL; Base "base" VOID | HEAD | SPECIAL; Basefont "basefont" VOID | HEAD | SPECIAL; Big "big" 0;
    B "b" 0; Bdi "bdi" 0; Bdo "bdo" 0; Bgsound "bgsound" VOID | HEAD | SPECIAL; Blockquote "blockquote" FLOW; Br "br" VOID | SPECIAL;
    Button "button" SPECIAL;
    Canvas "canvas" 0; Caption "caption" TABLE_PART | SCOPE; Center "center" FLOW; Cite "cite" 0; Code "code" 0;
    Col "col" VOID | SPECIAL; Colgroup "colgroup" SPECIAL;
    Data "data" 0; Datalist "datalist" UNSEEN; Dd "dd" FLOW; Del "del" 0; Details "details" FLOW; Dfn "dfn" 0;
    Dialog "dialog" FLOW; Dir "dir" FLOW; Div "div" FLOW; Dl "dl" FLOW; Dt "dt" FLOW;
    Em "em" 0; Embed "embed" VOID | SPECIAL;
    Fieldset "fieldset" FLOW; Figcaption "figcaption" FLOW; Figure "figure" FLOW; Font "font" 0; Footer "footer" FLOW;
    Form "form" FLOW; Frame "frame" VOID | SPECIAL; Frameset "frameset" SPECIAL;
    H1 "h1" FLOW | HEADING; H2 "h2" FLOW | HEADING; H3 "h3" FLOW | HEADING; H4 "h4" FLOW | HEADING; H5 "h5" FLOW | HEADING; H6 "h6" FLOW | HEADING;
    Head "head" SPECIAL | UNSEEN; Header "header" FLOW; Hgroup "hgroup" FLOW; Hr "hr" FLOW | VOID; Html "html" SPECIAL | SCOPE;
    I "i" 0; Iframe "iframe" RAW | SPECIAL | UNSEEN; Image "image" VOID; Img "img" VOID | SPECIAL; Input "input" VOID | SPECIAL; Ins "ins" 0;
    Kbd "kbd" 0; Keygen "keygen" VOID | SPECIAL;
    Label "label" 0; Legend "legend" BLOCK; Li "li" FLOW; Link "link" VOID | HEAD | SPECIAL; Listing "listing" FLOW;
    Main "main" FLOW; Map "map" 0; Mark "mark" 0; Marquee "marquee" SPECIAL | SCOPE; Math "math" 0; Menu "menu" FLOW;
    Meta "meta" VOID | HEAD | SPECIAL; Meter "meter" 0;
    Nav "nav" FLOW; Nobr "nobr" 0; Noembed "noembed" RAW | SPECIAL | UNSEEN; Noframes "noframes" RAW | HEAD | SPECIAL | UNSEEN;
    Noscript "noscript" HEAD | SPECIAL;
    Object "object" SPECIAL | SCOPE; Ol "ol" FLOW; Optgroup "optgroup" BLOCK; Option "option" BLOCK; Output "output" 0;
    P "p" FLOW; Param "param" VOID | SPECIAL; Picture "picture" 0; Plaintext "plaintext" FLOW | RAW; Pre "pre" FLOW; Progress "progress" 0;
    Q "q" 0;
    Rb "rb" 0; Rp "rp" 0; Rt "rt" 0; Rtc "rtc" 0; Ruby "ruby" 0;
    S "s" 0; Samp "samp" 0; Script "script" RAW | HEAD | SPECIAL | UNSEEN; Search "search" FLOW; Section "section" FLOW; Select "select" SPECIAL;
    Slot "slot" 0; Small "small" 0; Source "source" VOID | SPECIAL; Span "span" 0; Strike "strike" 0; Strong "strong" 0;
    Style "style" RAW | HEAD | SPECIAL | UNSEEN; Sub "sub" 0; Summary "summary" FLOW; Sup "sup" 0; Svg "svg" UNSEEN;
    Table "table" FLOW | SCOPE; Tbody "tbody" TABLE_PART; Td "td" TABLE_PART | SCOPE; Template "template" HEAD | SPECIAL | SCOPE | UNSEEN;
    Textarea "textarea" RCDATA | SPECIAL | UNSEEN; Tfoot "tfoot" TABLE_PART; Th "th" TABLE_PART | SCOPE; Thead "thead" TABLE_PART;
    Time "time" 0; Title "title" RCDATA | HEAD | SPECIAL | UNSEEN; Tr "tr" TABLE_PART; Track "track" VOID | SPECIAL; Tt "tt" 0;
    U "u" 0; Ul "ul" FLOW; Var "var" 0; Video "video" 0; Wbr "wbr" VOID | SPECIAL; Xmp "xmp" FLOW | RAW;
}

impl Tag {
    /// How many there are.
    pub const COUNT: usize = ALL.len();

    /// The tag of a name as written, whatever its case.
    pub fn of(name: &[u8]) -> Tag {
        let Some(key) = Key::of(name) else { return Tag::Other };
        let mut slot = key.slot();
        while let Some(tag) = TABLE[slot] {
            if KEYS[tag as usize].is(key) {
                return tag;
            }
            slot = (slot + 1) % SLOTS;
        }
        Tag::Other
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

const SLOTS: usize = 512;
const LONGEST: usize = 16;

/// A name in lower case, in two words.
#[derive(Clone, Copy)]
struct Key(u64, u64);

impl Key {
    fn of(name: &[u8]) -> Option<Key> {
        if name.len() > LONGEST {
            return None;
        }
        let mut lower = [0; LONGEST];
        lower[..name.len()].copy_from_slice(name);
        lower.make_ascii_lowercase();
        Some(Key::of_lower(&lower))
    }

    const fn of_lower(bytes: &[u8; LONGEST]) -> Key {
        let whole = u128::from_le_bytes(*bytes);
        Key(whole as u64, (whole >> 64) as u64)
    }

    const fn slot(self) -> usize {
        let mixed = (self.0 ^ self.1.rotate_left(17)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 48) as usize % SLOTS
    }

    const fn is(self, other: Key) -> bool {
        self.0 == other.0 && self.1 == other.1
    }
}

const KEYS: [Key; ALL.len()] = keys();
static TABLE: [Option<Tag>; SLOTS] = table();

const fn keys() -> [Key; ALL.len()] {
    let mut keys = [Key(0, 0); ALL.len()];
    let mut at = 0;
    while at < ALL.len() {
        let name = NAMES[at].as_bytes();
        let mut bytes = [0; LONGEST];
        let mut i = 0;
        while i < name.len() {
            bytes[i] = name[i];
            i += 1;
        }
        keys[at] = Key::of_lower(&bytes);
        at += 1;
    }
    keys
}

const fn table() -> [Option<Tag>; SLOTS] {
    let mut table = [None; SLOTS];
    let mut at = 0;
    while at < ALL.len() {
        let mut slot = KEYS[at].slot();
        while table[slot].is_some() {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = Some(ALL[at]);
        at += 1;
    }
    table
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
