//! Where `<meta http-equiv=refresh>` leads, by HTML's rules
//! (<https://html.spec.whatwg.org/#attr-meta-http-equiv-refresh>).

/// The reference in the content of a refresh; none where the page only loads itself again.
pub fn reference(content: &str) -> Option<&str> {
    let content = content.trim_start_matches(is_space);
    let time = content.trim_start_matches(|c: char| c.is_ascii_digit());
    if time.len() == content.len() && !content.starts_with('.') {
        return None;
    }
    let behind = time.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !behind.starts_with(|c: char| is_space(c) || c == ';' || c == ',') {
        return None;
    }
    let rest = behind.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start_matches(is_space);
    let reference = unquoted(after_name(rest).unwrap_or(rest));
    (!reference.is_empty()).then_some(reference)
}

/// What follows `url =`.
fn after_name(text: &str) -> Option<&str> {
    let name = text.get(..3)?;
    let rest = text[3..].trim_start_matches(is_space).strip_prefix('=')?;
    name.eq_ignore_ascii_case("url").then(|| rest.trim_start_matches(is_space))
}

fn unquoted(text: &str) -> &str {
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '\'' | '"')) else { return text };
    let inner = &text[1..];
    inner.split(quote).next().unwrap_or(inner)
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_found_in_every_way_of_writing_it() {
        for (content, expected) in [
            ("", None),
            ("5", None),
            ("5;", None),
            ("5; url=a", Some("a")),
            (" 0;URL='a b'x", Some("a b")),
            ("0,url=\"a\"", Some("a")),
            ("0 url = a", Some("a")),
            ("0;a", Some("a")),
            ("0; url", Some("url")),
            ("1.5;url=a", Some("a")),
            (".5;url=a", Some("a")),
            ("5x;url=a", None),
            ("url=a", None),
            ("0;url='a", Some("a")),
            ("0;ürl=a", Some("ürl=a")),
        ] {
            assert_eq!(reference(content), expected, "{content}");
        }
    }
}
