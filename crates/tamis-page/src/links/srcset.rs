//! The candidates of a `srcset`, by HTML's rules (<https://html.spec.whatwg.org/#parsing-a-srcset-attribute>).

/// The references of the candidates, in order. A candidate with a descriptor that makes no sense is passed over.
pub fn references(srcset: &str) -> impl Iterator<Item = &str> {
    let mut rest = srcset;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches(|c: char| is_space(c) || c == ',');
            if rest.is_empty() {
                return None;
            }
            let end = rest.find(is_space).unwrap_or(rest.len());
            let (reference, behind) = rest.split_at(end);
            let bare = reference.trim_end_matches(',');
            if bare.len() < reference.len() {
                rest = behind;
                return Some(bare);
            }
            let (descriptors, behind) = behind.split_at(descriptors_end(behind));
            rest = behind;
            if descriptors.split(is_space).all(is_descriptor) {
                return Some(bare);
            }
        }
    })
}

/// The comma that ends a candidate; those in brackets do not.
fn descriptors_end(text: &str) -> usize {
    let mut in_brackets = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => in_brackets = true,
            b')' => in_brackets = false,
            b',' if !in_brackets => return at,
            _ => {}
        }
    }
    text.len()
}

/// A width, a height or a density; nothing is a density of 1.
fn is_descriptor(text: &str) -> bool {
    match text.as_bytes() {
        [] => true,
        [number @ .., b'w' | b'h'] => {
            number.iter().all(u8::is_ascii_digit) && number.iter().any(|&b| b != b'0')
        }
        [.., b'x'] => text[..text.len() - 1].parse::<f64>().is_ok_and(|density| density >= 0.0),
        _ => false,
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_split_as_html_wants() {
        for (srcset, expected) in [
            ("", &[][..]),
            (" , ,, ", &[]),
            ("a", &["a"]),
            ("a 1x, b 2x", &["a", "b"]),
            ("a 100w,b 200w", &["a", "b"]),
            ("a, b", &["a", "b"]),
            ("a,b 2x", &["a,b"]),
            ("a,, b 2x", &["a", "b"]),
            (
                "/w_300,h_200/a.jpg 300w,\n /w_600,h_400/a.jpg 600w",
                &["/w_300,h_200/a.jpg", "/w_600,h_400/a.jpg"],
            ),
            ("data:image/gif;base64,R0 1x, b 2x", &["data:image/gif;base64,R0", "b"]),
            ("a 1.5x, b 1e1x, c -1x, d 0w, e 1q, f 10w 5h", &["a", "b", "f"]),
            ("a (1x, 2x) , b", &["b"]),
            ("a (", &[]),
            ("ä 1x", &["ä"]),
            ("a \u{e4}x, b", &["b"]),
        ] {
            assert_eq!(references(srcset).collect::<Vec<_>>(), expected, "{srcset}");
        }
    }
}
