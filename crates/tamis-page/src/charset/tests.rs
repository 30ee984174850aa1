use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GBK, IBM866, ISO_2022_JP, KOI8_R, KOI8_U, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
};
use encoding_rs::{Encoding, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1255, WINDOWS_1256};
use proptest::prelude::*;

use super::*;

const RUSSIAN: &str = "Все люди рождаются свободными и равными в своем достоинстве и правах.";
const GREEK: &str = "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.";
const HEBREW: &str = "כל בני אדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון";
const ARABIC: &str = "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا";
const JAPANESE: &str = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。";
const KOREAN: &str = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.";
const SIMPLIFIED: &str =
    "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。";
const TRADITIONAL: &str =
    "人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心,並應以兄弟關係的精神相對待。";
const FRENCH: &str =
    "Tous les êtres humains naissent libres et égaux en dignité et en droits, où qu’ils soient nés.";

fn samples() -> Vec<(&'static Encoding, &'static str)> {
    vec![
        (WINDOWS_1251, RUSSIAN),
        (KOI8_R, RUSSIAN),
        (WINDOWS_1253, GREEK),
        (WINDOWS_1255, HEBREW),
        (WINDOWS_1256, ARABIC),
        (SHIFT_JIS, JAPANESE),
        (EUC_JP, JAPANESE),
        (ISO_2022_JP, JAPANESE),
        (EUC_KR, KOREAN),
        (GBK, SIMPLIFIED),
        (BIG5, TRADITIONAL),
        (WINDOWS_1252, FRENCH),
    ]
}

fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let (bytes, _, lossy) = encoding.encode(text);
    assert!(!lossy, "{text} in {}", encoding.name());
    bytes.into_owned()
}

/// What detection calls an encoding: KOI8-U has the letters of KOI8-R and four more.
fn as_detected(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == KOI8_R { KOI8_U } else { encoding }
}

#[track_caller]
fn assert_read(bytes: &[u8], header: Option<&str>, text: &str, encoding: &'static Encoding, rule: Rule) {
    let page = decode(bytes, header);
    assert_eq!((page.encoding.name(), page.rule), (encoding.name(), rule), "{text} said {header:?}");
    assert_eq!(page.text, text, "said {header:?}");
    assert_eq!(page.replacements, 0, "{text} said {header:?}");
}

#[test]
fn a_header_decides() {
    for (encoding, text) in samples() {
        let bytes = encoded(encoding, text);
        assert_read(&bytes, Some(encoding.name()), text, encoding, Rule::Header);
        assert_read(
            &bytes,
            Some(&format!("\"{}\"", encoding.name().to_lowercase())),
            text,
            encoding,
            Rule::Header,
        );
    }
}

#[test]
fn a_meta_decides_where_no_header_does() {
    for (encoding, text) in samples() {
        let page = format!("<html><head><meta charset={}><title>{text}</title>", encoding.name());
        assert_read(&encoded(encoding, &page), None, &page, encoding, Rule::Meta);
        assert_read(&encoded(encoding, &page), Some("no-such-charset"), &page, encoding, Rule::Meta);
        let page = format!("<?xml version='1.0' encoding='{}'?><html><p>{text}", encoding.name());
        assert_read(&encoded(encoding, &page), None, &page, encoding, Rule::Xml);
    }
}

#[test]
fn undeclared_pages_are_detected() {
    for (encoding, text) in samples() {
        let page = format!("<html><body><p>{text}</p><p>{text}</p>");
        assert_read(&encoded(encoding, &page), None, &page, as_detected(encoding), Rule::Detected);
    }
}

#[test]
fn a_declaration_of_utf_8_gives_way_to_bytes_that_are_not() {
    for (encoding, text) in samples().into_iter().filter(|(encoding, _)| *encoding != ISO_2022_JP) {
        let page = format!("<meta charset=utf-8><p>{text}</p><p>{text}</p>");
        let bytes = encoded(encoding, &page);
        assert_read(&bytes, None, &page, as_detected(encoding), Rule::Detected);
        assert_read(&bytes, Some("utf-8"), &page, as_detected(encoding), Rule::Detected);
        assert!(decode(&bytes, None).overruled());
        let page = format!("<meta charset={}><p>{text}</p>", encoding.name());
        assert_read(&encoded(encoding, &page), Some("utf-8"), &page, encoding, Rule::Meta);
    }
}

#[test]
fn utf_8_under_any_other_name_is_utf_8() {
    for label in ["iso-8859-1", "windows-1251", "gbk", "shift_jis", "big5", "koi8-r", "us-ascii", "utf-16"] {
        for (_, text) in samples() {
            let page = decode(text.as_bytes(), Some(label));
            assert_eq!((page.text.as_ref(), page.rule), (text, Rule::Utf8Valid), "{label}");
            assert!(matches!(page.text, Cow::Borrowed(_)));
            assert_eq!(page.declared.map(|declared| declared.label).as_deref(), Some(label));
        }
    }
    let page = decode("<meta charset=iso-8859-1>©".as_bytes(), None);
    assert_eq!((page.rule, page.overruled()), (Rule::Utf8Valid, true));
}

#[test]
fn two_chinese_characters_do_not_make_utf_8() {
    // 巧 in GBK is C7 C9; 痛 is CD B4, a valid sequence of UTF-8.
    assert_read(b"\xcd\xb4\xcd\xb4", Some("gbk"), "痛痛", GBK, Rule::Header);
}

#[test]
fn a_few_broken_bytes_leave_utf_8_alone() {
    let mut bytes = FRENCH.repeat(3).into_bytes();
    bytes.splice(40..40, *b"\xe9\xff");
    for header in [None, Some("utf-8")] {
        let page = decode(&bytes, header);
        assert_eq!((page.encoding, page.replacements), (UTF_8, 2), "{header:?}");
    }
    // Where something else was declared it takes more sequences to overrule it.
    let mut bytes = FRENCH.repeat(20).into_bytes();
    bytes.splice(40..40, *b"\xe9\xff");
    let page = decode(&bytes, Some("iso-8859-1"));
    assert_eq!((page.encoding, page.rule, page.replacements), (UTF_8, Rule::Utf8Valid, 2));
}

#[test]
fn the_cut_end_of_a_page_is_no_reason_to_doubt() {
    for text in ["abc é", "漢"] {
        for header in [None, Some("utf-8")] {
            let cut = [text.as_bytes(), b"\xe6\xbc"].concat();
            let page = decode(&cut, header);
            assert_eq!((page.encoding, page.replacements), (UTF_8, 1), "{text} {header:?}");
        }
    }
}

#[test]
fn byte_order_marks() {
    let wide =
        |bytes: fn(u16) -> [u8; 2]| "\u{FEFF}<p>漢字😀".encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    for (bytes, encoding) in [
        ("\u{FEFF}<p>漢字😀".as_bytes().to_vec(), UTF_8),
        (wide(u16::to_le_bytes), UTF_16LE),
        (wide(u16::to_be_bytes), UTF_16BE),
    ] {
        for header in [None, Some("gbk"), Some("utf-8")] {
            assert_read(&bytes, header, "<p>漢字😀", encoding, Rule::Bom);
        }
    }
}

#[test]
fn utf_16_without_a_mark() {
    let bytes: Vec<u8> = "<html><p>漢字</p>".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_read(&bytes, None, "<html><p>漢字</p>", UTF_16BE, Rule::Detected);
    assert_read(&bytes, Some("utf-16"), "<html><p>漢字</p>", UTF_16BE, Rule::Detected);
    assert_read(&bytes, Some("utf-16be"), "<html><p>漢字</p>", UTF_16BE, Rule::Header);
}

#[test]
fn a_default_header_gives_way_to_the_page() {
    let page = format!("<meta charset=windows-1251><p>{RUSSIAN}</p>");
    assert_read(&encoded(WINDOWS_1251, &page), Some("iso-8859-1"), &page, WINDOWS_1251, Rule::Meta);
    let page = format!("<meta charset=koi8-r><p>{RUSSIAN}</p>");
    assert_read(&encoded(KOI8_R, &page), Some("iso-8859-1"), &page, KOI8_R, Rule::Meta);
    assert_read(&encoded(KOI8_R, RUSSIAN), Some("iso-8859-1"), RUSSIAN, KOI8_U, Rule::Detected);
    assert_read(&encoded(EUC_KR, KOREAN), Some("shift_jis"), KOREAN, EUC_KR, Rule::Detected);
    let latin = encoded(WINDOWS_1252, FRENCH);
    assert_eq!(decode(&latin, Some("iso-8859-2")).rule, Rule::Header);
}

#[test]
fn ascii_is_what_it_says_it_is() {
    assert_read(b"plain", None, "plain", UTF_8, Rule::Default);
    assert_read(b"plain", Some("latin1"), "plain", WINDOWS_1252, Rule::Header);
    assert_read(b"", None, "", UTF_8, Rule::Default);
    assert_read(b"a\0b", Some("utf-16"), "a\0b", UTF_8, Rule::Utf8Valid);
}

#[test]
fn replacement_characters_that_were_there_are_not_counted() {
    let page = decode("é\u{FFFD}é".as_bytes(), None);
    assert_eq!((page.replacements, page.text.as_ref()), (0, "é\u{FFFD}é"));
    let page = decode(b"\xc3\xa9\xc3\xa9\xef\xbf\xbd\xff", Some("utf-8"));
    assert_eq!((page.replacements, page.text.as_ref()), (1, "éé\u{FFFD}\u{FFFD}"));
    let page = decode(b"\xb1\xe0\xc2\xeb\xff\x84\x31\xa4\x37", Some("gbk"));
    assert_eq!((page.replacements, page.text.as_ref()), (1, "编码\u{FFFD}\u{FFFD}"));
}

#[test]
fn signs_and_dashes_are_no_ibm866() {
    for (bytes, text) in [
        (
            &b"with this Agreement \x97 no other access to it. Code of Civil Procedure, \xa7\xa71280 et seq."
                [..],
            "§§1280",
        ),
        (b"<p>5 \xa7 \x97 7 \xa7", "5 § — 7 §"),
    ] {
        let page = decode(bytes, Some("utf-8"));
        assert_eq!((page.encoding, page.rule), (WINDOWS_1252, Rule::Detected));
        assert!(page.text.contains(text), "{}", page.text);
    }
    let page = encoded(IBM866, RUSSIAN);
    assert_read(&page, None, RUSSIAN, IBM866, Rule::Detected);
    assert_read(b"\xa7\xa7 1 \x97", Some("ibm866"), "зз 1 Ч", IBM866, Rule::Header);
}

#[test]
fn a_country_tips_the_scales() {
    for tld in ["JP", "xn--p1ai", "..", "é", ""] {
        decode_hinted(b"\xb1\xb2\xb3 \xe9", Hints { tld: Some(tld), ..Hints::default() });
    }
}

proptest! {
    #[test]
    fn any_bytes_become_text(bytes in proptest::collection::vec(any::<u8>(), 0..400), label in ".{0,12}") {
        for header in [None, Some("utf-8"), Some("gbk"), Some("utf-16"), Some(label.as_str())] {
            let page = decode(&bytes, header);
            let replaced = page.text.matches(char::REPLACEMENT_CHARACTER).count();
            prop_assert!(replaced >= page.replacements);
        }
    }

    #[test]
    fn sound_utf_8_is_borrowed(text in "\\PC{0,200}") {
        let page = decode(text.as_bytes(), Some("utf-8"));
        if page.rule != Rule::Bom && page.encoding == UTF_8 {
            prop_assert_eq!(page.text.as_ref(), text.as_str());
            prop_assert!(matches!(page.text, Cow::Borrowed(_)));
        }
    }
}
