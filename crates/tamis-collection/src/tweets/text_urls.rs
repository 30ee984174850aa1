//! URLs in running text.

/// What ends a URL beside blanks: quotes, brackets that URLs escape, and the dots that a text was cut with.
const STOPS: &[char] = &['"', '<', '>', '`', '{', '}', '\\', '^', '…', '“', '”', '‘', '’', '«', '»'];
/// What stands behind a URL more often than at its end.
const TRAILING: &[char] = &['.', ',', ';', ':', '!', '?', '\'', '*'];

/// The URLs with a scheme in a text, in order. One that the text was cut in is left out.
pub(super) fn text_urls(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = find_scheme(rest)?;
            let from = &rest[start..];
            let end = url_end(from);
            rest = &from[end..];
            let url = without_trailing(&from[..end]);
            let is_cut = rest.starts_with('…') || rest.starts_with("...");
            let has_host = url.split_once("://").is_some_and(|(_, rest)| rest.contains('.'));
            if has_host && !is_cut {
                // The API escapes these characters in texts.
                return Some(url.replace("&amp;", "&"));
            }
        }
    })
}

/// Where the next `http://` or `https://` begins.
fn find_scheme(text: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let mark = from + text[from..].find("://")?;
        let before = &text.as_bytes()[from..mark];
        for scheme in [&b"https"[..], b"http"] {
            if before.len() >= scheme.len()
                && before[before.len() - scheme.len()..].eq_ignore_ascii_case(scheme)
            {
                return Some(mark - scheme.len());
            }
        }
        from = mark + 3;
    }
}

/// Where a URL at the start of the text ends. Twitter ends links at scripts that are written without blanks, and cuts
/// its own short ones behind the letters and digits.
fn url_end(text: &str) -> usize {
    let host = text.find("://").map_or(0, |at| at + 3);
    let is_short = text[host..].get(..5).is_some_and(|start| start.eq_ignore_ascii_case("t.co/"));
    let (from, ends): (usize, fn(char) -> bool) = if is_short {
        (host + 5, |c| !c.is_ascii_alphanumeric())
    } else {
        (host, |c| c.is_whitespace() || c.is_control() || STOPS.contains(&c))
    };
    let end = text[from..].find(ends).map_or(text.len(), |at| from + at);
    let Some(path) = text[host..end].find(['/', '?', '#']) else { return end };
    let is_foreign =
        |c: char| !c.is_ascii() && !matches!(c, '\u{c0}'..='\u{24f}' | '\u{400}'..='\u{4ff}' | '–');
    text[host + path..end].find(is_foreign).map_or(end, |at| host + path + at)
}

/// Without the punctuation of the sentence, and without a bracket that was opened before the URL.
fn without_trailing(mut url: &str) -> &str {
    loop {
        let shorter = url.trim_end_matches(TRAILING);
        let shorter = [('(', ')'), ('[', ']')].into_iter().fold(shorter, |url, (open, close)| {
            let is_unopened = url.matches(open).count() < url.matches(close).count();
            if is_unopened { url.strip_suffix(close).unwrap_or(url) } else { url }
        });
        if shorter.len() == url.len() {
            return url;
        }
        url = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_end_where_a_reader_would_end_them() {
        for (text, expected) in [
            ("no link", &[][..]),
            (
                "see http://example.org/a, and HTTPS://b.example.",
                &["http://example.org/a", "HTTPS://b.example"],
            ),
            ("(http://example.org/a_(b))", &["http://example.org/a_(b)"]),
            ("\"http://example.org/\"", &["http://example.org/"]),
            ("http://example.org/?a=1&amp;b=2", &["http://example.org/?a=1&b=2"]),
            ("https://t.co/Ab1だよ https://t.co/Cd2?x", &["https://t.co/Ab1", "https://t.co/Cd2"]),
            ("読む http://example.org/pageです", &["http://example.org/page"]),
            ("http://example.org/é/ж", &["http://example.org/é/ж"]),
            ("RT @a: https://t.co/ab… http://example.org/cut…", &[]),
            ("ftp://example.org http:// https://", &[]),
            ("http://http://example.org/", &["http://http://example.org/"]),
            ("xhttp://example.org", &["http://example.org"]),
        ] {
            assert_eq!(text_urls(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
