//! JSON as pages have it: mostly sound, often not.
//!
//! Read all the same: line ends inside strings, quotes inside strings that nobody escaped, commas too many or too few,
//! comments, `CDATA` and `<!--` around it, an end that is missing. Nothing is copied but what is asked for.

use std::borrow::Cow;

use memchr::memchr2;

/// Values inside values beyond this depth are left out.
const DEEPEST: usize = 48;
/// Values of one page; a page with more is no page but a data base.
const MOST_VALUES: usize = 200_000;

/// A value; strings lie in the page.
#[derive(Debug, PartialEq)]
pub(super) enum Json<'a> {
    /// `true`, `false`, `null`, numbers and whatever else has no quotes.
    Plain(&'a str),
    /// A string as written, without its quotes.
    Text(&'a str),
    /// An array.
    List(Vec<Json<'a>>),
    /// An object.
    Map(Vec<(&'a str, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Reads all values of a page's scripts, one behind the other.
    pub(super) fn read(scripts: &[&'a str]) -> Vec<Json<'a>> {
        let mut found = Vec::new();
        let mut values = 0;
        for script in scripts {
            let mut reader = Reader { rest: script, values };
            reader.script(&mut found);
            values = reader.values;
        }
        found
    }

    /// The value of a key of an object.
    pub(super) fn get(&self, key: &str) -> Option<&Json<'a>> {
        match self {
            Json::Map(pairs) => pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The elements of an array; any other value is the only one.
    pub(super) fn each(&self) -> &[Json<'a>] {
        match self {
            Json::List(values) => values,
            value => std::slice::from_ref(value),
        }
    }

    /// A string's or number's characters, escapes of JSON and of HTML decoded.
    pub(super) fn text(&self) -> Option<Cow<'a, str>> {
        match self {
            Json::Text(raw) => Some(decoded(raw)),
            Json::Plain(raw) => raw.starts_with(|c: char| c.is_ascii_digit()).then_some(Cow::Borrowed(*raw)),
            _ => None,
        }
    }
}

fn decoded(raw: &str) -> Cow<'_, str> {
    let text = unescaped(raw);
    if memchr::memchr(b'&', text.as_bytes()).is_none() {
        return text;
    }
    Cow::Owned(htmlize::unescape(&*text).into_owned())
}

fn unescaped(raw: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = push_escape(&rest[at + 1..], &mut text);
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// Decodes what follows a backslash; gives what is behind it.
fn push_escape<'r>(rest: &'r str, text: &mut String) -> &'r str {
    let Some(kind) = rest.chars().next() else { return rest };
    let after = &rest[kind.len_utf8()..];
    match kind {
        'n' | 'r' | 't' | 'b' | 'f' => text.push(' '),
        'u' => {
            if let Some((c, after)) = unicode_escape(after) {
                text.push(c);
                return after;
            }
        }
        other => text.push(other),
    }
    after
}

/// `00e4`, or `d83d\ude00`.
fn unicode_escape(rest: &str) -> Option<(char, &str)> {
    let unit = |text: &str| u32::from_str_radix(text.get(..4)?, 16).ok();
    let high = unit(rest)?;
    let after = &rest[4..];
    if (0xd800..0xdc00).contains(&high)
        && let Some(low) =
            after.strip_prefix("\\u").and_then(unit).filter(|low| (0xdc00..0xe000).contains(low))
    {
        let c = char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))?;
        return Some((c, &after[6..]));
    }
    Some((char::from_u32(high).unwrap_or('\u{fffd}'), after))
}

struct Reader<'a> {
    rest: &'a str,
    values: usize,
}

impl<'a> Reader<'a> {
    fn script(&mut self, found: &mut Vec<Json<'a>>) {
        while let Some(at) = self.rest.find(['{', '[']).filter(|_| self.values <= MOST_VALUES) {
            self.rest = &self.rest[at..];
            if let Some(rest) = self.rest.strip_prefix("[CDATA[") {
                self.rest = rest;
                continue;
            }
            let before = self.rest.len();
            found.extend(self.value(0));
            if self.rest.len() == before {
                break;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Json<'a>> {
        self.skip_noise();
        self.values += 1;
        let first = self.rest.as_bytes().first()?;
        if self.values > MOST_VALUES {
            self.rest = "";
            return None;
        }
        match first {
            b'{' => Some(self.map(depth)),
            b'[' => Some(self.list(depth)),
            b'"' => Some(Json::Text(self.string())),
            b'}' | b']' | b',' | b':' => None,
            _ => Some(Json::Plain(self.plain())),
        }
    }

    fn map(&mut self, depth: usize) -> Json<'a> {
        let mut pairs = Vec::new();
        self.advance(1);
        loop {
            self.skip_separators();
            let Some(first) = self.rest.as_bytes().first() else { break };
            let key = match first {
                b'}' => {
                    self.advance(1);
                    break;
                }
                // The object has lost its end.
                b']' => break,
                b'"' => self.string(),
                b'{' | b'[' => {
                    _ = self.nested(depth);
                    continue;
                }
                _ => self.plain(),
            };
            self.skip_noise();
            if !self.rest.starts_with(':') {
                continue;
            }
            self.advance(1);
            pairs.extend(self.nested(depth).map(|value| (key, value)));
        }
        Json::Map(pairs)
    }

    fn list(&mut self, depth: usize) -> Json<'a> {
        let mut values = Vec::new();
        self.advance(1);
        loop {
            self.skip_separators();
            match self.rest.as_bytes().first() {
                None | Some(b'}') => break,
                Some(b']') => {
                    self.advance(1);
                    break;
                }
                Some(b':') => self.advance(1),
                _ => values.extend(self.nested(depth)),
            }
        }
        Json::List(values)
    }

    /// The value one level deeper. Too deep, it is passed over: its brackets then close what is around it, which only
    /// loses what nobody reads.
    fn nested(&mut self, depth: usize) -> Option<Json<'a>> {
        if depth < DEEPEST {
            return self.value(depth + 1);
        }
        self.skip_noise();
        match self.rest.as_bytes().first()? {
            b'"' => _ = self.string(),
            b'}' | b']' => {}
            b'{' | b'[' | b',' | b':' => self.advance(1),
            _ => _ = self.plain(),
        }
        None
    }

    /// A string ends at a quote that something of JSON follows; other quotes are its author's.
    fn string(&mut self) -> &'a str {
        let bytes = self.rest.as_bytes();
        let mut at = 1;
        while let Some(next) = memchr2(b'"', b'\\', &bytes[at..]) {
            at += next;
            if bytes[at] == b'\\' {
                at = (at + 2).min(bytes.len());
            } else if ends_string(&bytes[at + 1..]) {
                let text = &self.rest[1..at];
                self.advance(at + 1);
                return text;
            } else {
                at += 1;
            }
        }
        let text = self.rest.get(1..).unwrap_or("");
        self.rest = "";
        text
    }

    fn plain(&mut self) -> &'a str {
        let end = self.rest.find([',', '}', ']', ':', '\n', '{', '[', '"']).unwrap_or(self.rest.len()).max(1);
        let end = self.rest.ceil_char_boundary(end);
        let text = self.rest[..end].trim();
        self.advance(end);
        text
    }

    fn skip_separators(&mut self) {
        self.skip_noise();
        while self.rest.starts_with([',', ';']) {
            self.advance(1);
            self.skip_noise();
        }
    }

    /// White space, comments and what hid scripts from the browsers of 1996.
    fn skip_noise(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let comment_end = if self.rest.starts_with("/*") {
                "*/"
            } else if self.rest.starts_with("//") {
                "\n"
            } else if self.rest.starts_with("<!--") || self.rest.starts_with("-->") {
                "-"
            } else {
                return;
            };
            let end =
                self.rest[2..].find(comment_end).map_or(self.rest.len(), |at| at + 2 + comment_end.len());
            self.advance(end.max(1));
        }
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }
}

fn ends_string(after: &[u8]) -> bool {
    let next = after.iter().find(|byte| !byte.is_ascii_whitespace());
    next.is_none_or(|byte| matches!(byte, b',' | b':' | b'}' | b']' | b'/' | b'"'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(source: &str) -> String {
        let values = Json::read(&[source]);
        let text = values.first().and_then(|value| value.get("name")).and_then(Json::text);
        text.unwrap_or_default().into_owned()
    }

    #[test]
    fn sound_and_broken_json_is_read() {
        for source in [
            r#"{"name":"Ann"}"#,
            r#"{"a":[1,{"b":null}],"name":"Ann"}"#,
            r#"{"a":[1,2,],"name":"Ann",}"#,
            r#"{"a":"x" "name":"Ann"}"#.replace("\"x\" ", "\"x\"\n,").as_str(),
            "<!--\n{\"name\":\"Ann\"}\n-->",
            "//<![CDATA[\n{\"name\":\"Ann\"}\n//]]>",
            "/* {} */ {\"name\":\"Ann\"}".replace("{} ", "").as_str(),
            r#"{"a":"He said "no" twice","name":"Ann"}"#,
            "{\"a\":\"two\nlines\t\",\"name\":\"Ann\"",
            r#"{"a":undefined,"name":"Ann"}"#,
            r#"{"a":{"b":[1,2},"name":"Ann"}"#.replace("[1,2}", "[1,2]}").as_str(),
        ] {
            assert_eq!(name(source), "Ann", "{source}");
        }
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(name(r#"{"name":"\u00c4nn \ud83d\ude00 \"B\" \/ &amp; C\n"}"#), "Änn 😀 \"B\" / & C ");
        assert_eq!(name(r#"{"name":"\ud83d x \u12"}"#), "\u{fffd} x 12");
    }

    #[test]
    fn endless_nesting_ends() {
        let values = Json::read(&[&"[".repeat(100_000)]).len();
        assert!(values <= 2);
        Json::read(&[&"{\"a\":".repeat(100_000)]);
    }

    #[test]
    fn all_scripts_of_a_page_share_one_limit() {
        let script = format!("[{}]", "1,".repeat(MOST_VALUES / 3));
        let values = Json::read(&[&*script; 5]);
        let count: usize = values.iter().map(|value| value.each().len()).sum();
        assert!((MOST_VALUES - 5..=MOST_VALUES).contains(&count), "{count}");
    }

    proptest! {
        #[test]
        fn anything_is_read(source in r#"([\[\]{}:,"\\/*<!a-zé\-]|null|\PC){0,60}"#) {
            for value in Json::read(&[&source]) {
                value.text();
                value.get("a");
            }
        }
    }
}
