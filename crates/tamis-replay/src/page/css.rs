//! URLs in style sheets: `url()`, `@import`, `image-set()`.

use super::Site;

/// Maps the absolute URLs of a style sheet, and leaves every other byte as it is. What is not UTF-8 passes through.
///
/// Time is linear in the text.
pub fn rewrite(css: &[u8], site: &Site) -> Vec<u8> {
    let mut scan = Scan { css, at: 0, copied: 0, out: Vec::with_capacity(css.len()), site };
    scan.run();
    scan.out.extend_from_slice(&css[scan.copied..]);
    scan.out
}

struct Scan<'c> {
    css: &'c [u8],
    at: usize,
    /// Up to where bytes are in `out`.
    copied: usize,
    out: Vec<u8>,
    site: &'c Site,
}

impl Scan<'_> {
    fn run(&mut self) {
        // How deep in brackets an image-set began, if one is open.
        let (mut depth, mut image_set, mut is_import) = (0_usize, None, false);
        while let Some(&byte) = self.css.get(self.at) {
            match byte {
                b'/' if self.css.get(self.at + 1) == Some(&b'*') => self.skip_comment(),
                b'"' | b'\'' => {
                    let (start, end) = self.string(byte);
                    if is_import || image_set.is_some() {
                        self.map(start, end);
                    }
                    is_import = false;
                }
                b'\\' => self.at += 2,
                b'(' => {
                    depth += 1;
                    if self.word_before().eq_ignore_ascii_case(b"url") {
                        self.at += 1;
                        self.url();
                        depth -= 1;
                        is_import = false;
                        continue;
                    }
                    let word = self.word_before().to_ascii_lowercase();
                    if word == b"image-set" || word == b"-webkit-image-set" {
                        image_set = image_set.or(Some(depth));
                    }
                    self.at += 1;
                }
                b')' => {
                    if image_set == Some(depth) {
                        image_set = None;
                    }
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                b'@' => {
                    is_import = self.css[self.at + 1..]
                        .get(..6)
                        .is_some_and(|word| word.eq_ignore_ascii_case(b"import"));
                    self.at += 1;
                }
                b';' | b'{' | b'}' => {
                    is_import = false;
                    // An open bracket ends with its rule.
                    if byte != b';' {
                        (depth, image_set) = (0, None);
                    }
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
    }

    fn skip_comment(&mut self) {
        let from = (self.at + 2).min(self.css.len());
        let end = self.css[from..].windows(2).position(|two| two == b"*/");
        self.at = end.map_or(self.css.len(), |end| from + end + 2);
    }

    /// Goes over a string; where its content begins and ends.
    fn string(&mut self, quote: u8) -> (usize, usize) {
        let start = self.at + 1;
        let mut at = start;
        while let Some(&byte) = self.css.get(at) {
            match byte {
                b'\\' => at += 2,
                // A string does not go over a line end.
                b'\n' => break,
                _ if byte == quote => break,
                _ => at += 1,
            }
        }
        let end = at.min(self.css.len());
        self.at = (end + 1).min(self.css.len());
        (start.min(end), end)
    }

    /// Maps what stands in `url(…)`.
    fn url(&mut self) {
        while self.css.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let quote = self.css.get(self.at).copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let (start, end) = if let Some(quote) = quote { self.string(quote) } else { self.bare() };
        self.map(start, end);
        while self.css.get(self.at).is_some_and(|byte| !matches!(byte, b')' | b';' | b'}')) {
            self.at += 1;
        }
        if self.css.get(self.at) == Some(&b')') {
            self.at += 1;
        }
    }

    /// Goes over a URL without quotes; where it begins and ends.
    fn bare(&mut self) -> (usize, usize) {
        let start = self.at;
        let is_part = |byte: &u8| !matches!(byte, b')' | b'\n' | b'"' | b'\'' | b'(');
        while self.css.get(self.at).is_some_and(is_part) {
            self.at += if self.css[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at = self.at.min(self.css.len());
        (start, self.at)
    }

    fn map(&mut self, start: usize, end: usize) {
        let Ok(url) = std::str::from_utf8(&self.css[start..end]) else { return };
        let Some(mapped) = self.site.map(&unescaped(url)) else { return };
        self.out.extend_from_slice(&self.css[self.copied..start]);
        self.out.extend_from_slice(escaped(&mapped).as_bytes());
        self.copied = end;
    }

    /// The identifier that ends here.
    fn word_before(&self) -> &[u8] {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let len = self.css[..self.at].iter().rev().take(24).take_while(|byte| is_part(byte)).count();
        &self.css[self.at - len..self.at]
    }
}

/// Undoes the escapes of CSS: `\3a ` is a colon.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        let mut code = 0;
        let mut digits = 0;
        while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)).filter(|_| digits < 6) {
            code = code * 16 + digit;
            digits += 1;
            chars.next();
        }
        if digits == 0 {
            plain.extend(chars.next().filter(|&c| c != '\n'));
        } else {
            chars.next_if(char::is_ascii_whitespace);
            plain.push(char::from_u32(code).filter(|&c| c != '\0').unwrap_or('\u{fffd}'));
        }
    }
    plain
}

/// A URL that ends neither a string nor brackets.
fn escaped(url: &str) -> String {
    let mut safe = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '"' => safe.push_str("%22"),
            '\'' => safe.push_str("%27"),
            '(' => safe.push_str("%28"),
            ')' => safe.push_str("%29"),
            '\\' => safe.push_str("%5C"),
            c if c.is_whitespace() || c.is_control() => safe.push_str("%20"),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_urls_are_mapped_and_nothing_else() {
        let site = Site { timestamp: "20200101000000".into(), collection: 1, port: 80 };
        let to = "http://a.t20200101000000.c1.localhost:80";
        for (css, expected) in [
            ("a{b:url(http://a/x.png)}", format!("a{{b:url({to}/x.png)}}")),
            ("a{b:url( 'http://a/x' )}", format!("a{{b:url( '{to}/x' )}}")),
            ("a{b:URL(\"//a/x\")}", format!("a{{b:URL(\"{to}/x\")}}")),
            ("@import 'http://a/x.css' screen;", format!("@import '{to}/x.css' screen;")),
            ("@IMPORT url(http://a/x.css);", format!("@IMPORT url({to}/x.css);")),
            (
                "a{b:image-set(\"http://a/x\" 1x, 'http://a/y' 2x)}",
                format!("a{{b:image-set(\"{to}/x\" 1x, '{to}/y' 2x)}}"),
            ),
            ("a{b:url(http\\3a //a/x)}", format!("a{{b:url({to}/x)}}")),
            ("a{b:url(http:\\2f\\2f a/x)}", format!("a{{b:url({to}/x)}}")),
            ("a{b:url(http://a/x", format!("a{{b:url({to}/x")),
            ("a{content:'http://a/'}", "a{content:'http://a/'}".into()),
            ("/* url(http://a/) */", "/* url(http://a/) */".into()),
            ("a{b:url(x.png)}", "a{b:url(x.png)}".into()),
            ("a{b:url(data:image/png;base64,//a)}", "a{b:url(data:image/png;base64,//a)}".into()),
            ("a{b:format('http://a/')}", "a{b:format('http://a/')}".into()),
            ("", String::new()),
        ] {
            assert_eq!(String::from_utf8_lossy(&rewrite(css.as_bytes(), &site)), expected, "{css}");
        }
    }

    #[test]
    fn any_bytes_pass() {
        let site = Site { timestamp: "20200101000000".into(), collection: 1, port: 80 };
        for css in [
            &b"\xff\xfeurl(\xff)"[..],
            b"url(",
            b"\\",
            b"'\\",
            b"/*",
            b"@",
            b"@import",
            b"((((",
            b"url('\n",
            b"a\\",
        ] {
            assert_eq!(rewrite(css, &site), css);
        }
    }
}
