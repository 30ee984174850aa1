//! Settings per host, from a file that may change while a crawl runs.
//!
//! A table for each host, or for all hosts below a name:
//!
//! ```toml
//! ["*"]
//! headers = { "X-Crawl" = "eclipse" }
//!
//! ["*.example.org"]
//! delay = 10
//! exclude = ['regex:\.zip$']
//!
//! ["archive.example.org"]
//! max-pages = 500
//! auth = { user = "me", password = "sesame" }
//! ```
//!
//! For a host `*` counts first, then tables of names above it from the longest way up to the nearest, then its own. A later table
//! replaces single values; rules and headers of all of them count.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::SystemTime;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::Address;
use crate::fetch::{Credentials, is_reserved};
use crate::scope::Rule;

/// Larger files are no settings.
const MOST_BYTES: u64 = 16 << 20;
/// More seconds are no delay.
const LONGEST_DELAY_S: f64 = 1e7;

/// Settings by host. Memory: that of the file, some times over.
#[derive(Debug, Clone, Default)]
pub struct HostSettings {
    hosts: BTreeMap<String, Table>,
    hash: u64,
}

/// What holds for a host.
#[derive(Debug, Clone, Default)]
pub struct HostRules {
    /// How long it is left alone after a request, instead of the delay of all.
    pub delay_ms: Option<u64>,
    /// The most pages of it, those of earlier runs included.
    pub max_pages: Option<u32>,
    /// The most links from a seed to one of its pages.
    pub max_depth: Option<u32>,
    /// Whether nothing of it is fetched.
    pub ignore: bool,
    /// What of it is taken, whatever the scope says.
    pub include: Vec<Rule>,
    /// What of it is not.
    pub exclude: Vec<Rule>,
    /// Fields of each request to it.
    pub headers: HeaderMap,
    /// Who asks.
    pub auth: Option<Credentials>,
}

/// A file that does not say settings.
#[derive(Debug, thiserror::Error)]
pub enum HostSettingsError {
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not TOML, or has a key that is not known.
    #[error("{}: {source}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: Box<toml::de::Error>,
    },
    /// A value that cannot be.
    #[error("{}: [\"{host}\"]: {what}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The table.
        host: String,
        /// What is wrong.
        what: String,
    },
}

#[derive(Debug, Clone, Default)]
struct Table {
    rules: HostRules,
    ignore: Option<bool>,
}

/// A table as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    delay: Option<f64>,
    max_pages: Option<u32>,
    max_depth: Option<u32>,
    ignore: Option<bool>,
    include: Vec<String>,
    exclude: Vec<String>,
    headers: BTreeMap<String, String>,
    auth: Option<WrittenAuth>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenAuth {
    user: String,
    password: String,
    #[serde(default)]
    without_tls: bool,
}

impl HostSettings {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, HostSettingsError> {
        let failed = |source| HostSettingsError::Io { path: path.into(), source };
        if fs::metadata(path).map_err(failed)?.len() > MOST_BYTES {
            return Err(failed(std::io::ErrorKind::FileTooLarge.into()));
        }
        Self::parse(&fs::read_to_string(path).map_err(failed)?, path)
    }

    /// Reads the text of a file.
    pub fn parse(text: &str, path: &Path) -> Result<Self, HostSettingsError> {
        let written: BTreeMap<String, Written> = toml::from_str(text)
            .map_err(|source| HostSettingsError::Toml { path: path.into(), source: Box::new(source) })?;
        let mut settings = Self { hosts: BTreeMap::new(), hash: xxh3_64(text.as_bytes()) };
        for (host, written) in written {
            let wrong = |what| HostSettingsError::Value { path: path.into(), host: host.clone(), what };
            let key = key_of(&host)
                .ok_or_else(|| wrong("is not a host such as example.org or *.example.org".into()))?;
            settings.hosts.insert(key, Table::of(written).map_err(wrong)?);
        }
        Ok(settings)
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// What holds for a host.
    pub fn of(&self, host: &str) -> HostRules {
        let mut rules = HostRules::default();
        if self.hosts.is_empty() {
            return rules;
        }
        let host = host.trim_end_matches('.');
        let mut above: Vec<&str> =
            host.match_indices('.').map(|(at, _)| &host[at..]).filter(|name| name.len() > 1).collect();
        above.reverse();
        let keys = std::iter::once("*").chain(above).chain([host]);
        keys.filter_map(|key| self.hosts.get(key)).for_each(|table| table.add_to(&mut rules));
        rules
    }

    /// Whether an address outside the scope is taken because of its host.
    pub(crate) fn includes(&self, address: &Address, depth: u32) -> bool {
        !self.hosts.is_empty()
            && self.of(address.host()).include.iter().any(|rule| rule.holds_up_to(address, depth))
    }

    /// What the included addresses depend on; 0 if none are included.
    pub(crate) fn include_hash(&self) -> u64 {
        let has_rules = self.hosts.values().any(|table| !table.rules.include.is_empty());
        if has_rules { self.hash } else { 0 }
    }
}

impl HostRules {
    /// Whether a URL of the host at this depth is left out.
    pub fn excludes(&self, address: &Address, depth: u32) -> bool {
        self.ignore
            || self.max_depth.is_some_and(|max| depth > max)
            || self.exclude.iter().any(|rule| rule.holds_beyond(address, depth))
    }
}

impl Table {
    fn of(written: Written) -> Result<Self, String> {
        let Written { delay, max_pages, max_depth, ignore, include, exclude, headers, auth } = written;
        let delay_ms = match delay {
            Some(delay) if !(0.0..=LONGEST_DELAY_S).contains(&delay) => {
                return Err(format!("delay = {delay}: is not a number of seconds"));
            }
            delay => delay.map(|seconds| (seconds * 1000.0).round() as u64),
        };
        let rules = |words: Vec<String>| -> Result<Vec<Rule>, String> {
            words
                .iter()
                .map(|word| Rule::from_str(word).map_err(|error| format!("rule `{word}`: {error}")))
                .collect()
        };
        let mut fields = HeaderMap::new();
        for (name, value) in headers {
            let wrong = || format!("header `{name}`: cannot be sent");
            let key = HeaderName::from_str(&name).map_err(|_| wrong())?;
            if is_reserved(&key) {
                return Err(format!("header `{name}`: is set by the crawler"));
            }
            fields.insert(key, HeaderValue::from_str(&value).map_err(|_| wrong())?);
        }
        let auth = auth.map(|auth| {
            Credentials::basic(&auth.user, &auth.password, auth.without_tls)
                .ok_or_else(|| "auth: a user without colon and control characters is needed".to_owned())
        });
        let rules = HostRules {
            delay_ms,
            max_pages,
            max_depth,
            ignore: false,
            include: rules(include)?,
            exclude: rules(exclude)?,
            headers: fields,
            auth: auth.transpose()?,
        };
        Ok(Self { rules, ignore })
    }

    fn add_to(&self, rules: &mut HostRules) {
        let own = &self.rules;
        rules.delay_ms = own.delay_ms.or(rules.delay_ms);
        rules.max_pages = own.max_pages.or(rules.max_pages);
        rules.max_depth = own.max_depth.or(rules.max_depth);
        rules.ignore = self.ignore.unwrap_or(rules.ignore);
        rules.include.extend(own.include.iter().cloned());
        rules.exclude.extend(own.exclude.iter().cloned());
        for (name, value) in &own.headers {
            rules.headers.insert(name, value.clone());
        }
        rules.auth = own.auth.clone().or(rules.auth.take());
    }
}

/// `*`, `.example.org` for the hosts below it, or a host as URLs spell it.
fn key_of(host: &str) -> Option<String> {
    if host == "*" {
        return Some(host.to_owned());
    }
    let name = host.strip_prefix("*.").unwrap_or(host);
    if name.is_empty() || name.contains(['/', '*', '@', ' ', '?', '#']) {
        return None;
    }
    let address = Address::parse(&format!("http://{name}/"))?;
    let spelt = address.host().trim_end_matches('.');
    // A port would never fit: settings are by host.
    (address.authority() == address.host())
        .then(|| if name == host { spelt.to_owned() } else { format!(".{spelt}") })
}

/// The file, and what of it is in force.
#[derive(Debug)]
pub(super) struct SettingsFile {
    path: PathBuf,
    seen: Option<(SystemTime, u64)>,
}

impl SettingsFile {
    /// A file that was read a moment ago, or is yet to be.
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), seen: None }
    }

    /// Reads the file if it is another than at the last look.
    pub(super) fn changed(&mut self) -> Option<Result<HostSettings, HostSettingsError>> {
        let meta = fs::metadata(&self.path).and_then(|meta| Ok((meta.modified()?, meta.len())));
        // A file that is missing for a moment is being replaced; if it stays away, the error is reported once.
        let now = meta.ok();
        if now == self.seen {
            return None;
        }
        self.seen = now;
        Some(HostSettings::read(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<HostSettings, String> {
        HostSettings::parse(text, Path::new("hosts.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn the_nearest_table_has_the_last_word() {
        let settings = read(
            "['*']\ndelay = 1\nexclude = ['regex:\\.zip$']\nheaders = { A = '1', B = '1' }\n\
             ['*.example.org']\ndelay = 2.5\nignore = true\nexclude = ['regex:\\.iso$']\n\
             ['a.b.Example.ORG']\nignore = false\nmax-pages = 3\nmax-depth = 2\nheaders = { B = '2' }\n\
             ['*.b.example.org']\ndelay = 7\n['bücher.de']\ndelay = 9\n",
        )
        .expect("sound");
        let near = settings.of("a.b.example.org");
        assert_eq!((near.delay_ms, near.max_pages, near.ignore), (Some(7_000), Some(3), false));
        assert_eq!(
            (near.exclude.len(), &near.headers["a"], &near.headers["b"]),
            (2, &"1".parse().expect("a value"), &"2".parse().expect("a value"))
        );
        assert!(settings.of("x.example.org").ignore && !settings.of("example.org").ignore);
        assert_eq!(settings.of("other.test").delay_ms, Some(1_000));
        assert_eq!(settings.of("xn--bcher-kva.de").delay_ms, Some(9_000));
        let address = |text: &str| Address::parse(text).expect(text);
        assert!(near.excludes(&address("http://a.b.example.org/x.iso"), 0));
        assert!(!near.excludes(&address("http://a.b.example.org/x"), 2));
        assert!(near.excludes(&address("http://a.b.example.org/x"), 3));
        assert!(read("").expect("nothing is sound").of("a.example").headers.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, said) in [
            ("['a.org']\ndelay = -1", "hosts.toml: [\"a.org\"]: delay = -1: is not a number of seconds"),
            ("['a.org']\ndelay = nan", "delay = NaN"),
            ("['a.org']\ndely = 1", "unknown field `dely`"),
            ("['a.org'\n", "hosts.toml: TOML parse error at line 1"),
            ("['a.org']\nexclude = ['regex:(']", "rule `regex:(`"),
            ("['a.org']\nheaders = { Host = 'x' }", "header `Host`: is set by the crawler"),
            ("['a.org']\nheaders = { 'a b' = 'x' }", "header `a b`: cannot be sent"),
            ("['a.org']\nauth = { user = 'a:b', password = 'x' }", "auth: a user without colon"),
            ("['a.org/x']\ndelay = 1", "is not a host such as"),
            ("['a.org:81']\ndelay = 1", "is not a host such as"),
            ("['*a.org']\ndelay = 1", "is not a host such as"),
            ("['']\ndelay = 1", "is not a host such as"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn a_file_is_read_when_it_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hosts.toml");
        let mut file = SettingsFile::new(&path);
        assert!(file.changed().is_none(), "it is not there, and was not");
        fs::write(&path, "['a.org']\ndelay = 1\n").expect("writes");
        assert!(matches!(file.changed(), Some(Ok(_))));
        assert!(file.changed().is_none());
        fs::write(&path, "['a.org']\ndelay = \n").expect("writes");
        assert!(matches!(file.changed(), Some(Err(_))));
        fs::remove_file(&path).expect("removed");
        assert!(matches!(file.changed(), Some(Err(HostSettingsError::Io { .. }))));
        assert!(file.changed().is_none());
    }
}
