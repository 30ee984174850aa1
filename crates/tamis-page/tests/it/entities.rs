//! Character references, with html5ever as the oracle.

use std::fmt::Write;

use html5ever::data::NAMED_ENTITIES;

use super::reading::{html5ever, ours};

/// Every name that HTML has, and every part of one, before characters that end it, that might, and that do not.
#[test]
fn named_references_are_those_of_html5ever() {
    let mut page = String::new();
    for name in NAMED_ENTITIES.keys() {
        for behind in ["", ";", "=", "x", "1", " "] {
            let name = name.trim_end_matches(';');
            writeln!(page, "<p title=\"&{name}{behind}\">|&{name}{behind}|</p>").expect("a string grows");
        }
    }
    same(&page);
}

#[test]
fn numeric_references_are_those_of_html5ever() {
    let mut page = String::new();
    let planes = (0x1_0000..0x11_0000).step_by(0xFFF);
    for code in
        (0..0x3000).chain(0xD700..0xE100).chain(0xFD00..0x1_0010).chain(planes).chain(0x10_FFF0..0x11_0010)
    {
        // Both make a NUL of one, which is no word of a text; the other is a line end, which readings make alike.
        if code != 0 && code != 13 {
            writeln!(page, "<p title='&#{code};&#x{code:x}'>|&#{code}|&#X{code:X};|</p>")
                .expect("a string grows");
        }
    }
    same(&page);
    same("|&#;|&#x;|&#xg;|&#99999999999999999999;|&#x110000000000000000041;|&#-1;|&# 1;|&|&;|&amp");
}

fn same(page: &str) {
    let (ours, oracle) = (ours(page), html5ever(page));
    for (ours, oracle) in ours.words.iter().zip(&oracle.words) {
        assert_eq!(ours.text, oracle.text);
    }
    for (ours, oracle) in ours.elements.iter().zip(&oracle.elements) {
        assert_eq!(ours, oracle);
    }
    assert_eq!((ours.words.len(), ours.elements.len()), (oracle.words.len(), oracle.elements.len()));
}
