//! Spellings of URLs that are taken for one by choice: what each rule does is not true of every site.

use std::fmt;
use std::str::FromStr;

use crate::Address;

/// Rules that make one URL of several. None is in force unless it is chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Canonical {
    /// Parameters that tell of campaigns and clicks are left out: those of a list, such as `utm_source` and `fbclid`.
    pub tracking: bool,
    /// `www.` before a host is left out.
    pub www: bool,
    /// Path and query are in small letters.
    pub case: bool,
    /// Parameters of these names are left out, too; a `*` at the end stands for any ending.
    pub parameters: Vec<String>,
}

/// What is no rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a canonicalisation rule\nhint: rules are `tracking`, `www`, `case` and `param:NAME`")]
pub struct NoCanonical(String);

/// Parameters of advertisers and mailers. Ten of the clicks that platforms add, and the campaigns of three makers of statistics.
const TRACKING: [&str; 27] = [
    "utm_*",
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "msclkid",
    "yclid",
    "twclid",
    "ttclid",
    "igshid",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "hsctatracking",
    "mkt_tok",
    "oly_anon_id",
    "oly_enc_id",
    "vero_id",
    "wickedid",
    "pk_*",
    "mtm_*",
];

impl Canonical {
    /// Adds a rule.
    pub fn add(&mut self, word: &str) -> Result<(), NoCanonical> {
        match word.trim().split_once(':') {
            None if word.trim() == "tracking" => self.tracking = true,
            None if word.trim() == "www" => self.www = true,
            None if word.trim() == "case" => self.case = true,
            Some(("param", name)) if is_parameter(name) => self.parameters.push(name.to_ascii_lowercase()),
            _ => return Err(NoCanonical(word.to_owned())),
        }
        Ok(())
    }

    /// The one spelling of an address.
    pub fn apply(&self, address: Address) -> Address {
        if *self == Self::default() {
            return address;
        }
        let (path, query) = match address.path_and_query().split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (address.path_and_query(), None),
        };
        let scheme = &address.as_str()
            [..address.as_str().len() - address.authority().len() - address.path_and_query().len()];
        let bare = address.authority().strip_prefix("www.").filter(|rest| self.www && rest.contains('.'));
        let authority = bare.unwrap_or(address.authority());
        let left: Option<String> = query.map(|query| {
            let kept =
                query.split('&').filter(|pair| !self.drops(pair.split('=').next().unwrap_or_default()));
            kept.collect::<Vec<_>>().join("&")
        });
        let left = left.filter(|left| !left.is_empty());
        let mut rest = left.map_or_else(|| path.to_owned(), |left| format!("{path}?{left}"));
        if self.case {
            rest.make_ascii_lowercase();
        }
        Address::parse(&format!("{scheme}{authority}{rest}")).unwrap_or(address)
    }

    fn drops(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let fits = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        };
        self.tracking && TRACKING.into_iter().any(fits) || self.parameters.iter().any(|pattern| fits(pattern))
    }
}

fn is_parameter(name: &str) -> bool {
    let plain = name.strip_suffix('*').unwrap_or(name);
    !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_graphic() && !b"&=?#*".contains(&byte))
}

impl FromStr for Canonical {
    type Err = NoCanonical;

    fn from_str(text: &str) -> Result<Self, NoCanonical> {
        let mut canonical = Self::default();
        text.split_ascii_whitespace().try_for_each(|word| canonical.add(word))?;
        Ok(canonical)
    }
}

/// The rules, as they are read, with blanks between.
impl fmt::Display for Canonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [("tracking", self.tracking), ("www", self.www), ("case", self.case)];
        let named = named.into_iter().filter(|(_, is_chosen)| *is_chosen).map(|(name, _)| name.to_owned());
        let words: Vec<String> =
            named.chain(self.parameters.iter().map(|name| format!("param:{name}"))).collect();
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_does_what_it_says_and_nothing_else() {
        for (rules, url, expected) in [
            ("", "http://www.A.org/X?utm_source=1&b=2", "http://www.a.org/X?utm_source=1&b=2"),
            ("tracking", "https://www.a.org:81/X?utm_Source=1&b=2&fbclid=3", "https://www.a.org:81/X?b=2"),
            ("tracking", "http://a.org/x?gclid=1", "http://a.org/x"),
            ("tracking", "http://a.org/x?", "http://a.org/x"),
            ("tracking", "http://a.org/x?my_utm=1&=2&utm", "http://a.org/x?my_utm=1&=2&utm"),
            ("www", "http://www.a.org/X", "http://a.org/X"),
            ("www", "http://www.org/X", "http://www.org/X"),
            ("www", "http://www2.a.org/X", "http://www2.a.org/X"),
            ("case", "http://a.org/X%C3?Q=Y", "http://a.org/x%C3?q=y"),
            ("param:sid param:x_*", "http://a.org/?SID=1&a=2&x_y=3", "http://a.org/?a=2"),
        ] {
            let canonical: Canonical = rules.parse().expect(rules);
            let once = canonical.apply(Address::parse(url).expect(url));
            assert_eq!(once.as_str(), expected, "{rules}");
            assert_eq!(canonical.apply(once.clone()), once, "once is enough");
            assert_eq!(canonical.to_string(), rules);
        }
        for bad in ["wwww", "param:", "param:a=b", "param:*", "case:x"] {
            let error = bad.parse::<Canonical>().expect_err(bad).to_string();
            assert!(error.contains(&format!("`{bad}` is not a canonicalisation rule")), "{error}");
        }
    }
}
