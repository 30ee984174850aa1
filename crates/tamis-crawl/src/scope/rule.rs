//! One rule, as people write it.

use std::fmt;
use std::str::FromStr;

use regex::Regex;
use thiserror::Error;

use crate::Address;

/// Addresses by what they have in common: `host:www.example.org`, `domain:example.org`,
/// `prefix:https://example.org/news/` (the scheme does not matter), `surt:(org,example,)/news`, `regex:\.pdf$`.
///
/// With `depth:3` behind it, a rule that includes holds up to three links from a seed, one that excludes beyond them.
#[derive(Debug, Clone)]
pub struct Rule {
    pub(super) what: What,
    pub(super) depth: Option<u32>,
}

#[derive(Debug, Clone)]
pub(super) enum What {
    Host(String),
    Domain(String),
    /// Without scheme: `//example.org/news/`.
    Prefix(String),
    Regex(Regex),
}

/// What is wrong with a rule.
#[derive(Debug, Error)]
pub enum RuleError {
    /// It does not say by what to know addresses.
    #[error("`{0}` is not a rule\nhint: use `host:…`, `domain:…`, `prefix:…`, `surt:…` or `regex:…`")]
    Kind(String),
    /// It names no host that could be.
    #[error("`{0}` has no host that can be crawled")]
    Host(String),
    /// Its regular expression has a fault.
    #[error("`{text}` is not a regular expression: {source}")]
    Regex {
        /// The expression.
        text: String,
        /// Where the fault is.
        source: Box<regex::Error>,
    },
    /// Its depth is no number.
    #[error("`{0}` is not a number of links from a seed")]
    Depth(String),
}

impl Rule {
    pub(super) fn host(host: &str) -> Self {
        What::Host(host.to_owned()).into()
    }

    pub(super) fn domain(name: &str) -> Self {
        What::Domain(name.to_owned()).into()
    }

    /// All in the folder of an address and below.
    pub(super) fn prefix_of_folder(address: &Address) -> Self {
        let path = address.path_and_query();
        let path = path.split('?').next().unwrap_or(path);
        let folder = &path[..=path.rfind('/').unwrap_or(0)];
        What::Prefix(format!("//{}{folder}", address.authority())).into()
    }

    /// Whether a rule that includes holds for an address so many links from a seed.
    pub(crate) fn holds_up_to(&self, address: &Address, depth: u32) -> bool {
        self.depth.is_none_or(|deepest| depth <= deepest) && self.matches(address)
    }

    /// Whether a rule that excludes holds for an address so many links from a seed.
    pub(crate) fn holds_beyond(&self, address: &Address, depth: u32) -> bool {
        self.depth.is_none_or(|last| depth > last) && self.matches(address)
    }

    /// Whether an address is one that the rule means, whatever its depth.
    pub fn matches(&self, address: &Address) -> bool {
        match &self.what {
            What::Host(host) => host_of(address) == host,
            What::Domain(domain) => is_of_domain(host_of(address), domain),
            What::Prefix(prefix) => without_scheme(address).starts_with(prefix.as_str()),
            What::Regex(regex) => regex.is_match(address.as_str()),
        }
    }
}

impl From<What> for Rule {
    fn from(what: What) -> Self {
        Self { what, depth: None }
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let text = text.trim();
        let (text, depth) = match text.rsplit_once([' ', '\t']) {
            Some((text, last)) if last.starts_with("depth:") => {
                let digits = &last["depth:".len()..];
                (text.trim_end(), Some(digits.parse().map_err(|_| RuleError::Depth(digits.to_owned()))?))
            }
            _ => (text, None),
        };
        let (kind, value) = text.split_once(':').ok_or_else(|| RuleError::Kind(text.to_owned()))?;
        let what = What::read(kind, value.trim())?.ok_or_else(|| RuleError::Kind(text.to_owned()))?;
        Ok(Self { what, depth })
    }
}

impl What {
    fn read(kind: &str, value: &str) -> Result<Option<Self>, RuleError> {
        Ok(Some(match kind {
            "host" => Self::Host(spelt_host(value)?),
            "domain" => Self::Domain(spelt_host(value.trim_start_matches("*."))?),
            "prefix" => Self::prefix(value)?,
            "surt" => Self::surt(value)?,
            "regex" => {
                Self::Regex(Regex::new(value).map_err(|source| RuleError::Regex {
                    text: value.to_owned(),
                    source: Box::new(source),
                })?)
            }
            _ => return Ok(None),
        }))
    }

    fn prefix(value: &str) -> Result<Self, RuleError> {
        let whole = if value.contains("://") { value.to_owned() } else { format!("http://{value}") };
        let address = Address::parse(&whole).ok_or_else(|| RuleError::Host(value.to_owned()))?;
        Ok(Self::Prefix(without_scheme(&address).to_owned()))
    }

    /// `(org,example,` is all of a domain, `(org,example,)/a` a prefix.
    fn surt(value: &str) -> Result<Self, RuleError> {
        let behind_scheme = value.split_once("://").map_or(value, |(_, rest)| rest);
        let surt = behind_scheme.strip_prefix('(').unwrap_or(behind_scheme);
        let (labels, path) = surt.split_once(')').map_or((surt, None), |(labels, path)| (labels, Some(path)));
        let (labels, port) = labels.split_once(':').map_or((labels, ""), |(labels, port)| (labels, port));
        let mut labels: Vec<_> = labels.trim_end_matches(',').split(',').collect();
        labels.reverse();
        let host = spelt_host(&labels.join("."))?;
        match (path, port.trim_end_matches(',')) {
            (None, _) => Ok(Self::Domain(host)),
            (Some(path), "") => Self::prefix(&format!("{host}{path}")),
            (Some(path), port) => Self::prefix(&format!("{host}:{port}{path}")),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Host(host) => write!(f, "host:{host}"),
            What::Domain(domain) => write!(f, "domain:{domain}"),
            What::Prefix(prefix) => write!(f, "prefix:{}", prefix.trim_start_matches('/')),
            What::Regex(regex) => write!(f, "regex:{regex}"),
        }?;
        self.depth.map_or(Ok(()), |depth| write!(f, " depth:{depth}"))
    }
}

/// The host without the dot that may end it.
pub(super) fn host_of(address: &Address) -> &str {
    let host = address.host();
    host.strip_suffix('.').unwrap_or(host)
}

/// An address from the slashes before its host on.
pub(super) fn without_scheme(address: &Address) -> &str {
    let text = address.as_str();
    text.find(':').map_or(text, |colon| &text[colon + 1..])
}

fn is_of_domain(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// A host as addresses spell it.
fn spelt_host(host: &str) -> Result<String, RuleError> {
    let is_bare = !host.is_empty() && !host.contains(['/', '?', '#', '@']);
    let address = Address::parse(&format!("http://{host}/")).filter(|_| is_bare);
    address.map(|address| host_of(&address).to_owned()).ok_or_else(|| RuleError::Host(host.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_know_their_addresses() {
        for (rule, spelt, url, expected) in [
            ("host:WWW.Example.org", "host:www.example.org", "http://www.example.org/a", true),
            ("host:example.org", "host:example.org", "http://www.example.org/a", false),
            ("domain:*.example.org", "domain:example.org", "http://a.example.org./a", true),
            ("domain:example.org", "domain:example.org", "http://notexample.org/", false),
            ("domain:Bücher.de depth:3", "domain:xn--bcher-kva.de depth:3", "http://xn--bcher-kva.de/", true),
            ("prefix:https://a.org/b", "prefix:a.org/b", "http://a.org/bc", true),
            ("prefix:a.org", "prefix:a.org/", "http://a.org.example/", false),
            ("surt:http://(org,a,", "domain:a.org", "http://b.a.org/", true),
            ("surt:(org,a,)/b", "prefix:a.org/b", "https://a.org/b/c", true),
            ("surt:(org,a,)/b", "prefix:a.org/b", "https://b.a.org/b/c", false),
            ("surt:(org,a:8080)/b", "prefix:a.org:8080/b", "http://a.org:8080/b", true),
            (r"regex:\.(zip|iso) ?$", r"regex:\.(zip|iso) ?$", "http://a.org/b.zip", true),
        ] {
            let rule: Rule = rule.parse().expect(rule);
            assert_eq!(rule.to_string(), spelt);
            assert_eq!(rule.matches(&Address::parse(url).expect(url)), expected, "{rule} {url}");
            let again: Rule = spelt.parse().expect(spelt);
            assert_eq!(again.to_string(), spelt);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (rule, said) in [
            ("example.org", "`example.org` is not a rule"),
            ("hots:a.org", "`hots:a.org` is not a rule"),
            ("host:", "`` has no host"),
            ("host:a/b", "`a/b` has no host"),
            ("prefix:ftp://a/", "`ftp://a/` has no host"),
            ("regex:(", "`(` is not a regular expression"),
            ("host:a.org depth:x", "`x` is not a number"),
        ] {
            let error = rule.parse::<Rule>().expect_err(rule);
            assert!(error.to_string().starts_with(said), "{error}");
        }
    }
}
