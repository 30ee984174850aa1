//! References in scripts: the modules that an ECMAScript module imports, and import maps.

use serde_json::Value;

/// Between `import` and `from` stand names; what is longer is none of them.
const LONGEST_CLAUSE: usize = 8 * 1024;
/// Levels of an import map: scopes, their maps, and what these say.
const DEEPEST_MAP: usize = 3;

/// What a script imports, as written: `import … from "x"`, `import "x"`, `export … from "x"`, and `import("x")` with nothing but a text in
/// the brackets. A script is not parsed: comments and texts are skipped, what is no `import` is passed over, and nothing is an error.
pub fn imports(script: &str) -> Vec<&str> {
    let mut scanner = Scanner { script, at: 0, found: Vec::new() };
    while scanner.step() {}
    scanner.found
}

/// Whether what is imported is a reference to a URL; other specifiers are names that an import map explains.
pub fn is_reference(specifier: &str) -> bool {
    ["./", "../", "/", "http://", "https://"].iter().any(|start| specifier.starts_with(start))
}

/// An import map: names of modules, and where they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ImportMap {
    entries: Vec<(String, String)>,
}

impl ImportMap {
    /// Reads a map (<https://html.spec.whatwg.org/#import-maps>). What is none has no entries.
    pub fn parse(text: &str) -> Self {
        let mut map = Self::default();
        let Ok(Value::Object(parts)) = serde_json::from_str(text) else { return map };
        for name in ["imports", "scopes"] {
            if let Some(part) = parts.get(name) {
                map.take(part, DEEPEST_MAP);
            }
        }
        map
    }

    /// The modules that it names, wherever they are used.
    pub fn modules(&self) -> impl Iterator<Item = &str> {
        self.entries
            .iter()
            .map(|(_, reference)| reference.as_str())
            .filter(|reference| !reference.ends_with('/'))
    }

    /// Where a module is that stands in a folder of the map; the longest name counts.
    pub fn resolve(&self, specifier: &str) -> Option<String> {
        let folders = self
            .entries
            .iter()
            .filter(|(name, _)| name.ends_with('/') && specifier.starts_with(name.as_str()));
        let (name, folder) = folders.max_by_key(|(name, _)| name.len())?;
        Some(format!("{folder}{}", &specifier[name.len()..]))
    }

    fn take(&mut self, part: &Value, levels: usize) {
        for (name, value) in part.as_object().into_iter().flatten() {
            match value {
                Value::String(reference) => self.entries.push((name.clone(), reference.clone())),
                Value::Object(_) if levels > 1 => self.take(value, levels - 1),
                _ => {}
            }
        }
    }
}

struct Scanner<'s> {
    script: &'s str,
    at: usize,
    found: Vec<&'s str>,
}

impl<'s> Scanner<'s> {
    fn bytes(&self) -> &'s [u8] {
        self.script.as_bytes()
    }

    /// Goes on to what is next; false at the end.
    fn step(&mut self) -> bool {
        let Some(&byte) = self.bytes().get(self.at) else { return false };
        match byte {
            b'"' | b'\'' => self.at += 1 + text_len(&self.bytes()[self.at + 1..], byte),
            b'`' => self.at += 1 + template_len(&self.bytes()[self.at + 1..]),
            b'/' => self.slash(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'0'..=b'9' | 0x80.. => self.word(),
            _ => self.at += 1,
        }
        true
    }

    /// A comment, a regular expression or a division.
    fn slash(&mut self) {
        let rest = &self.bytes()[self.at + 1..];
        self.at += match rest.first() {
            Some(b'/') => 1 + memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            Some(b'*') => 3 + memchr::memmem::find(&rest[1..], b"*/").map_or(rest.len(), |end| end + 1),
            _ if self.begins_expression() => 1 + regex_len(rest),
            _ => 1,
        };
        self.at = self.at.min(self.script.len());
    }

    /// Whether a slash cannot be a division, by what stands before it.
    fn begins_expression(&self) -> bool {
        let before = self.bytes()[..self.at].trim_ascii_end();
        match before.last() {
            Some(last)
                if last.is_ascii_alphanumeric()
                    || matches!(last, b'_' | b'$' | b')' | b']' | b'}' | b'"' | b'\'' | b'`') =>
            {
                [&b"return"[..], b"typeof", b"case", b"in", b"of"].iter().any(|word| {
                    before.ends_with(word)
                        && !before[..before.len() - word.len()].last().is_some_and(|&byte| is_of_word(byte))
                })
            }
            _ => true,
        }
    }

    fn word(&mut self) {
        let start = self.at;
        let len = self.bytes()[start..]
            .iter()
            .position(|&byte| !is_of_word(byte))
            .unwrap_or(self.script.len() - start);
        self.at = start + len;
        let is_member = self.bytes()[..start].trim_ascii_end().ends_with(b".");
        match &self.bytes()[start..self.at] {
            b"import" if !is_member => self.import(),
            b"export" if !is_member => self.clause(),
            _ => {}
        }
    }

    fn import(&mut self) {
        let rest = &self.script[self.at..];
        let trimmed = rest.trim_ascii_start();
        let at = self.at + rest.len() - trimmed.len();
        match trimmed.as_bytes().first() {
            Some(b'"' | b'\'') => self.take(at, |_| true),
            Some(b'(') => {
                let inner = trimmed[1..].trim_ascii_start();
                let at = at + trimmed.len() - inner.len();
                self.take(at, |behind| {
                    matches!(behind.trim_ascii_start().as_bytes().first(), Some(b')' | b','))
                });
            }
            _ => self.clause(),
        }
    }

    /// The names between `import` or `export` and `from`.
    fn clause(&mut self) {
        let end = (self.at + LONGEST_CLAUSE).min(self.script.len());
        let mut at = self.at;
        while let Some(&byte) = self.bytes()[..end].get(at) {
            match byte {
                b'/' if self.bytes()[at..end].starts_with(b"/*") => {
                    let Some(len) = memchr::memmem::find(&self.bytes()[at + 2..end], b"*/") else { return };
                    at += len + 4;
                }
                b'/' if self.bytes()[at..end].starts_with(b"//") => {
                    let Some(len) = memchr::memchr(b'\n', &self.bytes()[at..end]) else { return };
                    at += len;
                }
                b'{' | b'}' | b',' | b'*' => at += 1,
                byte if byte.is_ascii_whitespace() => at += 1,
                byte if is_of_word(byte) => {
                    let len =
                        self.bytes()[at..end].iter().position(|&byte| !is_of_word(byte)).unwrap_or(end - at);
                    let is_from = &self.bytes()[at..at + len] == b"from";
                    at += len;
                    let rest = &self.script.as_bytes()[at..];
                    let blanks = rest.len() - rest.trim_ascii_start().len();
                    if is_from && matches!(rest.get(blanks), Some(b'"' | b'\'')) {
                        self.take(at + blanks, |_| true);
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    /// Takes the text in quotes at a place, if what stands after it is right.
    fn take(&mut self, at: usize, is_right: impl Fn(&str) -> bool) {
        let Some(&quote) = self.bytes().get(at).filter(|byte| matches!(byte, b'"' | b'\'')) else { return };
        let len = text_len(&self.bytes()[at + 1..], quote);
        let end = at + 1 + len;
        self.at = end;
        let is_closed = len > 0 && self.bytes()[end - 1] == quote;
        let text = self.script.get(at + 1..end - usize::from(is_closed)).unwrap_or_default();
        if is_closed && !text.is_empty() && !text.contains('\\') && is_right(&self.script[end..]) {
            self.found.push(text);
        }
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// The length of a text behind its quote, with the quote at its end; one that does not end is over with its line.
fn text_len(rest: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a template behind its quote. Texts in its expressions are not told from its own.
fn template_len(rest: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'`' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a regular expression behind its slash.
fn regex_len(rest: &[u8]) -> usize {
    let (mut at, mut in_class) = (0, false);
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return 0,
            b'/' if !in_class => return at + 1,
            b'[' => (at, in_class) = (at + 1, true),
            b']' => (at, in_class) = (at + 1, false),
            _ => at += 1,
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn imports_of_scripts() {
        for (script, expected) in [
            ("import a from './a.js'; import './b.js'", &["./a.js", "./b.js"][..]),
            (
                "import{a as b,c}from\"./a.js\";export*from'./b.js';export{x}from\"c\"",
                &["./a.js", "./b.js", "c"],
            ),
            ("import def, * as all from \n '../x.mjs'", &["../x.mjs"]),
            ("import /* why */ x, { // so\n y } from 'z'", &["z"]),
            ("const m = await import('./lazy.js'); import(`./t.js`); import('./' + name)", &["./lazy.js"]),
            ("import('./with.json', { with: { type: 'json' } })", &["./with.json"]),
            ("// import a from 'no'\n/* import 'no' */ 'import \"no\"'; `import 'no'`", &[]),
            ("a.import('no'); importer from 'no'; import.meta.url; export const from = 'no'", &[]),
            ("x = a / b; import 'yes'; y = c / d", &["yes"]),
            ("r = /['\"`]/; s = [/[/'\"]/]; import 'yes'", &["yes"]),
            ("return /'/.test(x) || import('./yes.js')", &["./yes.js"]),
            ("it's broken\nimport './yes.js'", &["./yes.js"]),
            ("export function f() { return 'no' }", &[]),
            ("import 'a\\u0062'", &[]),
            ("import 'never ends", &[]),
            ("import", &[]),
        ] {
            assert_eq!(imports(script), expected, "{script}");
        }
    }

    #[test]
    fn maps_name_modules_and_folders() {
        let map = ImportMap::parse(
            r#"{"imports": {"vue": "/js/vue.js", "lib/": "/lib/", "lib/deep/": "https://cdn.example/d/", "off": null},
                "scopes": {"/old/": {"vue": "/js/vue2.js"}}, "integrity": {"/js/vue.js": "sha384-x"}}"#,
        );
        let mut modules: Vec<_> = map.modules().collect();
        modules.sort_unstable();
        assert_eq!(modules, ["/js/vue.js", "/js/vue2.js"]);
        assert_eq!(map.resolve("lib/a.js").as_deref(), Some("/lib/a.js"));
        assert_eq!(map.resolve("lib/deep/b.js").as_deref(), Some("https://cdn.example/d/b.js"));
        assert_eq!(map.resolve("other"), None);
        for damaged in ["", "{", "[]", r#"{"imports": 3}"#] {
            assert_eq!(ImportMap::parse(damaged), ImportMap::default(), "{damaged}");
        }
    }

    #[test]
    fn names_and_references() {
        for (specifier, expected) in [
            ("./a", true),
            ("../a", true),
            ("/a", true),
            ("https://x/a", true),
            ("vue", false),
            ("@a/b", false),
            ("data:x", false),
        ] {
            assert_eq!(is_reference(specifier), expected, "{specifier}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(script in "([a-z'\"`/\\\\*(){},;= é\n]|import|export|from){0,60}") {
            imports(&script);
        }
    }
}
