//! One line of a `robots.txt`.

/// What a line says; values are without comment and surrounding blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Agent(&'a [u8]),
    Allow(&'a [u8]),
    Disallow(&'a [u8]),
    CrawlDelay(&'a [u8]),
    RequestRate(&'a [u8]),
    Sitemap(&'a [u8]),
}

/// Names as they are written in the wild, in small letters; the misspellings are those that Google's parser and that
/// of crawler-commons take.
const NAMES: &[(&str, Kind)] = &[
    ("user-agent", Kind::Agent),
    ("useragent", Kind::Agent),
    ("user agent", Kind::Agent),
    ("user_agent", Kind::Agent),
    ("useg-agent", Kind::Agent),
    ("disallow", Kind::Disallow),
    ("dissallow", Kind::Disallow),
    ("dissalow", Kind::Disallow),
    ("disalow", Kind::Disallow),
    ("diasllow", Kind::Disallow),
    ("disallaw", Kind::Disallow),
    ("desallow", Kind::Disallow),
    ("disallows", Kind::Disallow),
    ("disallowed", Kind::Disallow),
    ("allow", Kind::Allow),
    ("crawl-delay", Kind::CrawlDelay),
    ("crawldelay", Kind::CrawlDelay),
    ("crawl delay", Kind::CrawlDelay),
    ("crawl_delay", Kind::CrawlDelay),
    ("request-rate", Kind::RequestRate),
    ("sitemap", Kind::Sitemap),
    ("site-map", Kind::Sitemap),
];

#[derive(Clone, Copy)]
enum Kind {
    Agent,
    Allow,
    Disallow,
    CrawlDelay,
    RequestRate,
    Sitemap,
}

impl<'a> Line<'a> {
    /// Reads a line without its end; none for what says nothing to robots.
    pub(super) fn read(line: &'a [u8]) -> Option<Self> {
        let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let line = trim(line);
        let colon = memchr::memchr(b':', line);
        let named = colon.and_then(|at| Some((kind_of(trim(&line[..at]))?, trim(&line[at + 1..]))));
        let (kind, value) = match named.or_else(|| without_colon(line)) {
            Some(found) => found,
            None => (lonely_sitemap(line)?, line),
        };
        Some(kind.with(value))
    }
}

impl Kind {
    fn with(self, value: &[u8]) -> Line<'_> {
        match self {
            Self::Agent => Line::Agent(value),
            Self::Allow => Line::Allow(value),
            Self::Disallow => Line::Disallow(value),
            Self::CrawlDelay => Line::CrawlDelay(value),
            Self::RequestRate => Line::RequestRate(value),
            Self::Sitemap => Line::Sitemap(value),
        }
    }
}

/// Without surrounding blanks; U+00A0, which editors of text leave behind lines, is one, too.
fn trim(mut text: &[u8]) -> &[u8] {
    const NO_BREAK: &[u8] = "\u{A0}".as_bytes();
    loop {
        let ascii = text.trim_ascii();
        let shorter = ascii.strip_prefix(NO_BREAK).or_else(|| ascii.strip_suffix(NO_BREAK));
        match shorter {
            Some(shorter) => text = shorter,
            None => return ascii,
        }
    }
}

fn kind_of(name: &[u8]) -> Option<Kind> {
    NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes())).map(|&(_, kind)| kind)
}

/// `Disallow /x`: Google's parser takes it where there are two words and no more, so that prose is no rule.
fn without_colon(line: &[u8]) -> Option<(Kind, &[u8])> {
    let blank = line.iter().position(u8::is_ascii_whitespace)?;
    let value = line[blank..].trim_ascii();
    let is_one_word = !value.iter().any(u8::is_ascii_whitespace);
    Some((kind_of(&line[..blank]).filter(|_| is_one_word)?, value))
}

/// A sitemap's address on a line of its own.
fn lonely_sitemap(line: &[u8]) -> Option<Kind> {
    let scheme = line.iter().take(8).map(u8::to_ascii_lowercase).collect::<Vec<_>>();
    let is_address = scheme.starts_with(b"http://") || scheme == b"https://";
    let is_one_word = !line.iter().any(u8::is_ascii_whitespace);
    (is_address && is_one_word && memchr::memmem::find(line, b"sitemap").is_some()).then_some(Kind::Sitemap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_people_write_them() {
        for (text, expected) in [
            ("User-Agent: a", Some(Line::Agent(b"a"))),
            ("  useragent\t:\ta # b", Some(Line::Agent(b"a"))),
            ("user agent a", None),
            ("user-agent a", Some(Line::Agent(b"a"))),
            ("Disallow:\u{A0}/x\u{A0} ", Some(Line::Disallow(b"/x"))),
            ("DISALOW:/x y", Some(Line::Disallow(b"/x y"))),
            ("Disallow /x", Some(Line::Disallow(b"/x"))),
            ("Disallow /x:y", Some(Line::Disallow(b"/x:y"))),
            ("disallow everything to all", None),
            ("Disallow:#all", Some(Line::Disallow(b""))),
            ("allow : /", Some(Line::Allow(b"/"))),
            ("Crawl-delay: 10", Some(Line::CrawlDelay(b"10"))),
            ("Request-rate: 1/5", Some(Line::RequestRate(b"1/5"))),
            ("Sitemap: http://a/b", Some(Line::Sitemap(b"http://a/b"))),
            ("https://a/sitemap.xml", Some(Line::Sitemap(b"https://a/sitemap.xml"))),
            ("https://a/index.html", None),
            ("noindex: /x", None),
            ("# Disallow: /", None),
            ("", None),
            (":", None),
        ] {
            assert_eq!(Line::read(text.as_bytes()), expected, "{text}");
        }
    }
}
