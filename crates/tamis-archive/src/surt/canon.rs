//! Canonical forms of URLs beside that of index keys, each a list of small steps on the parts of a URL.
//!
//! The forms and the order of their steps are those of the library urlcanon, whose test vectors they agree with.

use super::escape::{escape, is_unsafe, unescape, unescape_repeatedly};
use super::host::{normal_dots, parse_ipv4, shortest_ipv6, uts46, without_www};
use super::ia::IaUrl;
use super::parsed::{ParsedUrl, default_port, without_breaks};
use super::path::resolve_dots;
use super::{SurtOptions, into_text, session};

/// A canonical form of URLs, from the most careful to the one that folds most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Canon {
    /// What browsers do before they fetch (WHATWG URL). Bytes that they would refuse stay.
    Whatwg,
    /// The rules of Google's Safe Browsing lists, with the port kept.
    Google,
    /// One form for URLs that mean the same: escapes and order of parameters are made one, user and password dropped.
    SemanticPrecise,
    /// [`Canon::SemanticPrecise`] without the fragment.
    Semantic,
    /// One form for URLs that probably mean the same: no `www.`, session ids or capital letters, one scheme for the web.
    Aggressive,
    /// The form that [`surt`](super::surt) makes keys of.
    Archive,
}

/// The URL in a canonical form.
pub fn canonicalize(url: impl AsRef<[u8]>, canon: Canon) -> String {
    let url = url.as_ref();
    if canon == Canon::Archive {
        return archive(url);
    }
    let mut parts = ParsedUrl::parse(url);
    parts.leading_junk.clear();
    parts.trailing_junk.clear();
    match canon {
        Canon::Whatwg => parts.whatwg(),
        Canon::Google => parts.google(),
        Canon::SemanticPrecise => parts.semantic(),
        Canon::Semantic => {
            parts.semantic();
            parts.remove_fragment();
        }
        Canon::Aggressive | Canon::Archive => {
            parts.semantic();
            parts.remove_fragment();
            parts.fold();
        }
    }
    into_text(parts.to_bytes())
}

fn archive(url: &[u8]) -> String {
    let Some(mut parts) = IaUrl::parse(url) else { return String::new() };
    parts.canonicalize(SurtOptions::default());
    into_text(parts.to_url())
}

impl ParsedUrl {
    fn whatwg(&mut self) {
        self.clean_syntax();
        if self.is_special() {
            self.host = unescape(&self.host);
        }
        self.normalize_address();
        self.punycode_host();
        // What was escaped because it would end the host stays so.
        let is_address = self.host.starts_with(b"[");
        let ends_host = |byte: u8| !is_address && matches!(byte, b'#' | b'/' | b':' | b'?' | b'@' | b'\\');
        self.host = escape(&self.host, |byte| !byte.is_ascii_graphic() || ends_host(byte));
        self.fix_backslashes();
        let in_path: fn(u8) -> bool = if self.path.starts_with(b"/") || self.is_special() {
            |byte| !byte.is_ascii_graphic() || b"\"#<>?`{}".contains(&byte)
        } else {
            is_control
        };
        self.path = escape(&self.path, in_path);
        self.add_leading_slash();
        self.path = resolve_dots(&self.path, self.is_special());
        self.fill_empty_path();
        let in_userinfo = |byte: u8| !byte.is_ascii_graphic() || b"\"#<>?`{}/:;=@[\\]^|".contains(&byte);
        self.username = escape(&self.username, in_userinfo);
        self.password = escape(&self.password, in_userinfo);
        self.query = escape(&self.query, |byte| !byte.is_ascii_graphic() || b"\"#<>".contains(&byte));
        self.fragment = escape(&self.fragment, is_control);
    }

    fn google(&mut self) {
        self.default_to_http();
        self.clean_syntax();
        self.fix_backslashes();
        self.fill_empty_path();
        self.add_leading_slash();
        self.remove_fragment();
        for part in [&mut self.username, &mut self.password, &mut self.host, &mut self.port] {
            *part = unescape_repeatedly(part);
        }
        self.query = unescape_repeatedly(&self.query);
        self.path = resolve_dots(&unescape_repeatedly(&self.path), self.is_special());
        self.host = normal_dots(&self.host);
        self.collapse_slashes();
        self.punycode_host();
        self.normalize_address();
        for part in [&mut self.username, &mut self.password, &mut self.host, &mut self.port] {
            *part = escape(part, is_unsafe);
        }
        self.path = escape(&self.path, is_unsafe);
        self.query = escape(&self.query, is_unsafe);
    }

    fn semantic(&mut self) {
        self.default_to_http();
        self.clean_syntax();
        for part in [&mut self.host, &mut self.port, &mut self.path, &mut self.fragment] {
            *part = unescape_repeatedly(part);
        }
        self.host = normal_dots(&self.host);
        self.normalize_address();
        self.punycode_host();
        self.remove_userinfo();
        for part in [&mut self.host, &mut self.port, &mut self.fragment] {
            *part = escape(part, is_unsafe);
        }
        self.path = escape(&self.path, |byte| is_unsafe(byte) || byte == b'?');
        self.fix_backslashes();
        self.add_leading_slash();
        self.path = resolve_dots(&self.path, self.is_special());
        self.collapse_slashes();
        self.fill_empty_path();
        self.query = semantic_query(&self.query);
    }

    /// What [`Canon::Aggressive`] does beyond [`Canon::Semantic`].
    fn fold(&mut self) {
        if self.scheme == b"https" {
            self.scheme.pop();
        }
        self.host = without_www(&self.host).to_vec();
        self.path = session::strip_path_aggressively(&self.path.to_ascii_lowercase());
        if self.path.len() > 1 && self.path.ends_with(b"/") {
            self.path.pop();
        }
        self.query = folded_query(&self.query.to_ascii_lowercase());
        if self.query.is_empty() {
            self.question_mark.clear();
        }
    }

    /// Line ends and tabs, capital letters in the scheme, ports that go without saying, marks without meaning.
    fn clean_syntax(&mut self) {
        for part in [
            &mut self.scheme,
            &mut self.slashes,
            &mut self.username,
            &mut self.password,
            &mut self.host,
            &mut self.port,
            &mut self.path,
            &mut self.query,
            &mut self.fragment,
        ] {
            *part = without_breaks(part);
        }
        self.scheme.make_ascii_lowercase();
        if default_port(&self.scheme).is_some_and(|port| !port.is_empty() && port == self.port) {
            self.port.clear();
            self.colon_before_port.clear();
        }
        if self.password.is_empty() {
            self.colon_before_password.clear();
            if self.username.is_empty() {
                self.at_sign.clear();
            }
        }
        if !self.slashes.is_empty() || self.has_authority() || self.scheme == b"file" {
            self.slashes = b"//".to_vec();
        }
    }

    /// A URL without a scheme is one of the web.
    fn default_to_http(&mut self) {
        if !self.scheme.is_empty() {
            return;
        }
        self.scheme = b"http".to_vec();
        self.colon_after_scheme = b":".to_vec();
        if !self.path.is_empty() && !self.has_authority() {
            let path = std::mem::take(&mut self.path);
            self.set_authority_and_path(&path);
        }
    }

    fn normalize_address(&mut self) {
        let address = match self.host.first() {
            Some(b'[') => shortest_ipv6(&self.host),
            _ => parse_ipv4(&self.host).map(|address| address.to_string()),
        };
        if let Some(address) = address {
            self.host = address.into_bytes();
        }
    }

    fn punycode_host(&mut self) {
        if self.is_special()
            && let Some(host) = uts46(&self.host)
        {
            self.host = host;
        }
    }

    fn fix_backslashes(&mut self) {
        if self.is_special() {
            for part in [&mut self.slashes, &mut self.path] {
                part.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
            }
        }
    }

    fn add_leading_slash(&mut self) {
        if self.is_special() && !self.path.starts_with(b"/") {
            self.path.insert(0, b'/');
        }
    }

    fn fill_empty_path(&mut self) {
        if self.path.is_empty() && self.has_authority() && self.is_special() {
            self.path.push(b'/');
        }
    }

    fn collapse_slashes(&mut self) {
        if self.is_special() {
            self.path.dedup_by(|a, b| *a == b'/' && *b == b'/');
        }
    }

    fn remove_fragment(&mut self) {
        self.hash_sign.clear();
        self.fragment.clear();
    }

    fn remove_userinfo(&mut self) {
        for part in
            [&mut self.username, &mut self.colon_before_password, &mut self.password, &mut self.at_sign]
        {
            part.clear();
        }
    }
}

/// Names and values escaped in one way, parameters sorted.
fn semantic_query(query: &[u8]) -> Vec<u8> {
    let recode =
        |text: &[u8]| escape(&unescape_repeatedly(text), |byte| is_unsafe(byte) || b"&=".contains(&byte));
    let mut parameters: Vec<Vec<u8>> = query
        .split(|&byte| byte == b'&')
        .map(|parameter| {
            let parts: Vec<_> = parameter.splitn(2, |&byte| byte == b'=').map(recode).collect();
            parts.join(&b'=')
        })
        .collect();
    parameters.sort_unstable();
    parameters.join(&b'&')
}

/// Without session ids and empty parameters, sorted.
fn folded_query(query: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for parameter in query.split(|&byte| byte == b'&').filter(|parameter| !parameter.is_empty()) {
        if kept.last().is_some_and(|last| session::is_cold_fusion_pair(last, parameter)) {
            kept.pop();
        } else if !session::is_session_parameter(parameter) {
            kept.push(parameter);
        }
    }
    kept.sort_unstable();
    kept.join(&b'&')
}

fn is_control(byte: u8) -> bool {
    !(b' '..=b'~').contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_folds_more_than_the_one_before() {
        let url = " HTTPS://me@WWW.Example.ORG:443/a/../B//c%41/?b=2&A=%31&sid=0123456789abcdef#top ";
        for (canon, expected) in [
            (Canon::Whatwg, "https://me@www.example.org/B//c%41/?b=2&A=%31&sid=0123456789abcdef#top"),
            (Canon::Google, "https://me@www.example.org/B/cA/?b=2&A=1&sid=0123456789abcdef"),
            (Canon::SemanticPrecise, "https://www.example.org/B/cA/?A=1&b=2&sid=0123456789abcdef#top"),
            (Canon::Semantic, "https://www.example.org/B/cA/?A=1&b=2&sid=0123456789abcdef"),
            (Canon::Aggressive, "http://example.org/b/ca?a=1&b=2"),
        ] {
            assert_eq!(canonicalize(url, canon), expected, "{canon:?}");
        }
    }

    #[test]
    fn a_url_without_a_scheme_is_one_of_the_web() {
        for url in ["example.org/a", "//example.org/a"] {
            assert_eq!(canonicalize(url, Canon::Semantic), "http://example.org/a", "{url}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_have_a_canonical_form(url: Vec<u8>) {
            for canon in [Canon::Whatwg, Canon::Google, Canon::Semantic, Canon::Aggressive, Canon::Archive] {
                canonicalize(&url, canon);
            }
            super::super::surt(&url);
        }

        #[test]
        fn the_canonical_form_is_its_own(url in "(https?://)?[a-zA-Z.2-5]{1,12}(:[0-9]{1,3})?/[a-zA-Z./%2-5?&=]{0,20}") {
            for canon in [Canon::Whatwg, Canon::Semantic] {
                let once = canonicalize(&url, canon);
                proptest::prop_assert_eq!(canonicalize(&once, canon), once, "{:?}", canon);
            }
        }

        #[test]
        fn a_host_with_escapes_stays_one(url in "http://[a-z2-5]{1,4}%(23|2F|3A|3F|40)[a-z.]{0,4}/[a-z]{0,4}") {
            let once = canonicalize(&url, Canon::Whatwg);
            proptest::prop_assert_eq!(canonicalize(&once, Canon::Whatwg), once);
        }
    }
}
