//! URLs that stand in the text as such, without an element around them.

use memchr::memmem;

/// Where URLs may start, in order: at `http://`, `https://` and `www.`; [`length`] decides.
pub(crate) fn starts(text: &str) -> impl Iterator<Item = usize> {
    let schemes = memmem::find_iter(text.as_bytes(), b"://").filter_map(|at| scheme_start(text, at));
    let mut schemes = schemes.peekable();
    let mut hosts = memmem::find_iter(text.as_bytes(), b"www.").peekable();
    std::iter::from_fn(move || match (schemes.peek(), hosts.peek()) {
        (Some(scheme), Some(host)) if host < scheme => hosts.next(),
        (Some(_), _) => schemes.next(),
        (None, _) => hosts.next(),
    })
}

/// Bytes of a URL in a text; nobody writes a longer one out.
const LONGEST_URL: usize = 2_048;

/// Length in bytes of the URL at `start`: up to what no URL holds, without the punctuation of the sentence around it.
/// 0 where there is none.
pub(crate) fn length(text: &str, start: usize) -> usize {
    let (before, text) = text.split_at(start);
    let host = if text.starts_with("www.") {
        0
    } else {
        memmem::find(text.as_bytes(), b"://").map_or(0, |at| at + 3)
    };
    if is_within_word(before, host == 0) {
        return 0;
    }
    // Looked at before the URL's end is: what is no URL must not cost a search to the end of the text.
    if !text[host..].starts_with(|c: char| c.is_alphanumeric() || c == '[') {
        return 0;
    }
    let text = &text[..text.floor_char_boundary(LONGEST_URL)];
    let end = text.find(|c| !may_hold(c)).unwrap_or(text.len());
    let length = without_punctuation(&text[..end]);
    let Some(name) = text.get(host..length) else { return 0 };
    let name = name.split(['/', '?', '#']).next().unwrap_or(name);
    let is_host = name.starts_with(char::is_alphanumeric) || name.starts_with('[');
    let has_labels = host > 0 || name.trim_start_matches("www.").contains('.');
    if is_host && has_labels { length } else { 0 }
}

/// `at` is that of `://`.
fn scheme_start(text: &str, at: usize) -> Option<usize> {
    let before = &text.as_bytes()[..at];
    [&b"https"[..], b"http"].iter().find_map(|scheme| {
        let start = at.checked_sub(scheme.len())?;
        before[start..].eq_ignore_ascii_case(scheme).then_some(start)
    })
}

/// Whether what starts behind this text is the rest of a word, or of a name in an address.
fn is_within_word(before: &str, is_host: bool) -> bool {
    before.bytes().next_back().is_some_and(|byte| {
        byte.is_ascii_alphanumeric() || (is_host && matches!(byte, b'/' | b'.' | b'-' | b'_' | b'@' | b'='))
    })
}

/// Characters of URLs as people write them: letters of scripts that put spaces between words, too.
fn may_hold(c: char) -> bool {
    match c {
        '!'..='~' => !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}'),
        _ => c.is_alphanumeric() && !is_unspaced(c),
    }
}

/// Scripts without spaces between words: there, text goes on right behind a URL.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Length without punctuation at the end, and without brackets that close nothing in the URL.
fn without_punctuation(url: &str) -> usize {
    let count = |bracket: u8| memchr::memchr_iter(bracket, url.as_bytes()).count();
    let mut round = count(b')').saturating_sub(count(b'('));
    let mut square = count(b']').saturating_sub(count(b'['));
    let mut length = url.len();
    for byte in url.bytes().rev() {
        match byte {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'~' | b'(' | b'[' | b'&' => {}
            b')' if round > 0 => round -= 1,
            b']' if square > 0 => square -= 1,
            _ => break,
        }
        length -= 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut covered = 0;
        let mut urls = Vec::new();
        for start in starts(text) {
            if start >= covered {
                let length = length(text, start);
                covered = start + length;
                urls.extend((length > 0).then(|| &text[start..covered]));
            }
        }
        urls
    }

    #[test]
    fn urls_end_where_the_sentence_goes_on() {
        for (text, urls) in [
            ("none here: // www. http:// ://x", &[][..]),
            ("See http://a.example/b, or https://c.example.", &["http://a.example/b", "https://c.example"]),
            ("(http://a.example/b_(c))", &["http://a.example/b_(c)"]),
            ("(see http://a.example/b).", &["http://a.example/b"]),
            ("[x](http://a.example/b)!", &["http://a.example/b"]),
            ("<http://a.example/?q=1&r=2>", &["http://a.example/?q=1&r=2"]),
            ("\u{201c}http://a.example/x\u{201d}", &["http://a.example/x"]),
            ("HTTP://A.EXAMPLE/x?", &["HTTP://A.EXAMPLE/x"]),
            ("www.a.example/b; wwww.x.y", &["www.a.example/b"]),
            ("www.nothing mail@www.a.example", &[]),
            ("http://www.a.example www.b.example", &["http://www.a.example", "www.b.example"]),
            ("http://x.example/?u=http://y.example/", &["http://x.example/?u=http://y.example/"]),
            ("xhttp://a.example", &[]),
            ("请看http://a.example/b。谢谢", &["http://a.example/b"]),
            ("请看http://a.example/b谢谢", &["http://a.example/b"]),
            ("http://пример.рф/путь?", &["http://пример.рф/путь"]),
            ("http://[::1]/x", &["http://[::1]/x"]),
            ("http://a.example/x...", &["http://a.example/x"]),
            ("http://...", &[]),
            ("*http://a.example/*", &["http://a.example/"]),
        ] {
            assert_eq!(found(text), urls, "{text}");
        }
    }
}
