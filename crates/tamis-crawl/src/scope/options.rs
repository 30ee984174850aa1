//! What a crawl is for, as options and as text.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::canonical::Canonical;
use super::rule::{Rule, RuleError};
use super::session::Sessions;
use super::trap::TrapOptions;
use crate::Scheme;

/// How far a crawl goes from its seeds by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The hosts of the seeds; `www.example.org` and `example.org` are taken for one.
    Host,
    /// The registered domains of the seeds with all their hosts.
    #[default]
    Domain,
    /// The folders of the seeds and what is below them.
    Prefix,
    /// The whole web.
    Any,
}

/// Which schemes are crawled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Schemes {
    /// Plain HTTP.
    pub http: bool,
    /// HTTP over TLS.
    pub https: bool,
}

/// What a crawl is for. As text, a line each; `#` at the start of a line is for people:
///
/// ```text
/// scope domain
/// include domain:example.org depth:3
/// exclude regex:\.(zip|iso)$
/// max-depth 12
/// max-pages-per-host 10000
/// schemes https
/// outlinks yes
/// sessions refuse
/// trap max-path-segments 30
/// ```
#[derive(Debug, Clone, Default)]
pub struct ScopeOptions {
    /// What belongs to the crawl because of the seeds.
    pub reach: Reach,
    /// What belongs to it, too.
    pub include: Vec<Rule>,
    /// What does not in any case.
    pub exclude: Vec<Rule>,
    /// The most links from a seed.
    pub max_depth: Option<u32>,
    /// The most addresses of a host.
    pub max_pages_per_host: Option<u32>,
    /// Which schemes are crawled.
    pub schemes: Schemes,
    /// Whether pages outside are taken that a page within links to; their links are not.
    pub outlinks: bool,
    /// What is done with session identifiers.
    pub sessions: Sessions,
    /// From where on an address is a trap.
    pub traps: TrapOptions,
    /// Which spellings of URLs are taken for one.
    pub canonical: Canonical,
}

/// A line that says nothing of a scope.
#[derive(Debug, Error)]
pub enum OptionsError {
    /// The line has an unknown word or value.
    #[error("line {line}: unknown scope rule `{text}`\nhint: use {known}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What it says.
        text: String,
        /// What it could say.
        known: &'static str,
    },
    /// The line has a rule that does not hold.
    #[error("line {line}: {source}")]
    Rule {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        source: RuleError,
    },
}

const KNOWN: &str = "`scope host|domain|prefix|any`, `include RULE`, `exclude RULE`, `max-depth N`, \
    `max-pages-per-host N`, `schemes http https`, `outlinks yes|no`, `sessions drop|refuse|keep`, `canonical tracking www case param:NAME`, `trap NAME N|off`";

impl ScopeOptions {
    /// Takes over what text says; what it does not speak of stays.
    pub fn read(&mut self, text: &str) -> Result<(), OptionsError> {
        for (at, text) in text.lines().enumerate() {
            let text = text.trim();
            if !text.is_empty() && !text.starts_with('#') {
                self.read_line(text, at + 1)?;
            }
        }
        Ok(())
    }

    fn read_line(&mut self, text: &str, line: usize) -> Result<(), OptionsError> {
        let (word, value) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let value = value.trim();
        let rule = || value.parse().map_err(|source| OptionsError::Rule { line, source });
        let taken = match word {
            "include" => {
                self.include.push(rule()?);
                Some(())
            }
            "exclude" => {
                self.exclude.push(rule()?);
                Some(())
            }
            "scope" => value.parse().ok().map(|reach| self.reach = reach),
            "max-depth" => value.parse().ok().map(|max| self.max_depth = Some(max)),
            "max-pages-per-host" => value.parse().ok().map(|max| self.max_pages_per_host = Some(max)),
            "schemes" => Schemes::read(value).map(|schemes| self.schemes = schemes),
            "outlinks" => yes_or_no(value).map(|yes| self.outlinks = yes),
            "canonical" => value.parse().ok().map(|canonical| self.canonical = canonical),
            "sessions" => value.parse().ok().map(|sessions| self.sessions = sessions),
            "trap" => {
                value.split_once([' ', '\t']).and_then(|(name, value)| self.traps.set(name, value.trim()))
            }
            _ => None,
        };
        taken.ok_or_else(|| OptionsError::Line { line, text: text.to_owned(), known: KNOWN })
    }
}

impl FromStr for ScopeOptions {
    type Err = OptionsError;

    fn from_str(text: &str) -> Result<Self, OptionsError> {
        let mut options = Self::default();
        options.read(text)?;
        Ok(options)
    }
}

/// The text that reads as the same options, whole but for trap limits at their defaults.
impl fmt::Display for ScopeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "scope {}", self.reach)?;
        self.include.iter().try_for_each(|rule| writeln!(f, "include {rule}"))?;
        self.exclude.iter().try_for_each(|rule| writeln!(f, "exclude {rule}"))?;
        self.max_depth.map_or(Ok(()), |max| writeln!(f, "max-depth {max}"))?;
        self.max_pages_per_host.map_or(Ok(()), |max| writeln!(f, "max-pages-per-host {max}"))?;
        writeln!(f, "schemes {}", self.schemes)?;
        writeln!(f, "outlinks {}", if self.outlinks { "yes" } else { "no" })?;
        writeln!(f, "sessions {}", self.sessions)?;
        if self.canonical != Canonical::default() {
            writeln!(f, "canonical {}", self.canonical)?;
        }
        self.traps.changed().try_for_each(|(name, value)| match value {
            u32::MAX => writeln!(f, "trap {name} off"),
            value => writeln!(f, "trap {name} {value}"),
        })
    }
}

impl Schemes {
    /// Whether a scheme is crawled.
    pub fn has(self, scheme: Scheme) -> bool {
        match scheme {
            Scheme::Http => self.http,
            Scheme::Https => self.https,
        }
    }

    fn read(text: &str) -> Option<Self> {
        let mut schemes = Self { http: false, https: false };
        for word in text.split_ascii_whitespace() {
            match word {
                "http" => schemes.http = true,
                "https" => schemes.https = true,
                _ => return None,
            }
        }
        (schemes.http || schemes.https).then_some(schemes)
    }
}

impl Default for Schemes {
    fn default() -> Self {
        Self { http: true, https: true }
    }
}

impl fmt::Display for Schemes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.http, self.https) {
            (true, true) => "http https",
            (true, false) => "http",
            _ => "https",
        })
    }
}

impl FromStr for Reach {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text {
            "host" => Self::Host,
            "domain" => Self::Domain,
            "prefix" => Self::Prefix,
            "any" => Self::Any,
            _ => return Err(()),
        })
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Host => "host",
            Self::Domain => "domain",
            Self::Prefix => "prefix",
            Self::Any => "any",
        })
    }
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_options_say_the_same() {
        let text = "scope prefix\ninclude domain:example.org depth:3\nexclude regex:\\.(zip|iso)$\nmax-depth 12\n\
                    max-pages-per-host 10000\nschemes https\noutlinks yes\nsessions refuse\ncanonical tracking param:sid\n\
                    trap max-path-segments 30\ntrap max-years-ahead off\n";
        let options: ScopeOptions = text.parse().expect("it reads");
        assert_eq!(options.to_string(), text);
        assert_eq!(options.traps.max_path_segments, 30);
    }

    #[test]
    fn nothing_said_is_the_default() {
        let options: ScopeOptions = "\n # a note\n\n".parse().expect("it reads");
        assert_eq!(options.to_string(), "scope domain\nschemes http https\noutlinks no\nsessions drop\n");
    }

    #[test]
    fn faults_are_told_with_their_line() {
        for (text, said) in [
            ("\nscope galaxy", "line 2: unknown scope rule `scope galaxy`\nhint: use `scope host"),
            ("trap max-fish 3", "line 1: unknown scope rule `trap max-fish 3`"),
            ("include regex:(", "line 1: `(` is not a regular expression"),
            ("schemes ftp", "line 1: unknown scope rule `schemes ftp`"),
            ("schemes", "line 1: unknown scope rule `schemes`"),
            ("max-depth -1", "line 1: unknown scope rule `max-depth -1`"),
        ] {
            let error = text.parse::<ScopeOptions>().expect_err(text);
            assert!(error.to_string().starts_with(said), "{error}");
        }
    }
}
