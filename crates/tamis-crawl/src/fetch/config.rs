//! How requests are made.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use hyper::HeaderMap;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, CONNECTION, CONTENT_LENGTH, COOKIE, HOST, HeaderName,
    HeaderValue, TE, TRANSFER_ENCODING, UPGRADE, USER_AGENT,
};
use thiserror::Error;

use super::browser_cookies::BrowserCookie;
use super::cookies::{CookieJar, CookieLimits};
use super::guard;
use super::limits::Limits;
use super::private_hosts::PrivateHost;
use super::proxy::Proxy;
use super::received::Spool;
use super::throttle::Throttle;
use super::tls::{Tls, Verify};
use crate::address::Address;

/// What can be chosen about requests.
#[derive(Debug, Clone)]
pub struct FetchOptions {
    /// Who asks, with a way to be reached.
    pub user_agent: String,
    /// Which media types are welcome.
    pub accept: String,
    /// Which languages are preferred; none is asked for by default.
    pub accept_language: Option<String>,
    /// Whether responses may be coded in zstd: smaller, but most programs that replay archives cannot decode it.
    pub accept_zstd: bool,
    /// Fields that are sent with every request.
    pub extra_headers: Vec<(String, String)>,
    /// The bounds of every exchange.
    pub limits: Limits,
    /// What to do about certificates that are not valid.
    pub verify: Verify,
    /// Certificates in PEM that are trusted beside those that browsers trust.
    pub extra_roots_pem: Option<Vec<u8>>,
    /// What is spoken over TLS.
    pub protocols: Protocols,
    /// Whether addresses that the [`guard`](super::guard) refuses are connected to.
    pub allow_private: bool,
    /// Hosts and networks that are connected to all the same.
    pub private_hosts: Vec<PrivateHost>,
    /// Whether cookies are kept and sent back, and how many. They are not by default: pages should be archived as
    /// everybody sees them.
    pub cookies: Option<CookieLimits>,
    /// Cookies that a browser has exported. They are sent, and nothing that servers set takes their place.
    pub browser_cookies: Vec<BrowserCookie>,
    /// What all connections go through.
    pub proxy: Option<Proxy>,
}

/// What is spoken over TLS. Without TLS it is always HTTP/1.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocols {
    /// HTTP/1.1 only: its bytes can be kept as they went over the wire, and it costs less.
    #[default]
    Http1,
    /// HTTP/2 with those servers that speak it.
    Http2,
}

/// Checked options, ready to be used by many connections. Clones share what they hold, cookies included.
#[derive(Clone)]
pub struct FetchConfig {
    shared: Arc<Shared>,
    spool: Option<Arc<Spool>>,
}

struct Shared {
    limits: Limits,
    allow_private: bool,
    private_hosts: Vec<PrivateHost>,
    fields: HeaderMap,
    tls: Tls,
    cookies: Option<CookieJar>,
    throttle: Throttle,
    browser_cookies: Vec<BrowserCookie>,
    proxy: Option<Proxy>,
}

/// Options that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// A name or value that cannot stand in a request.
    #[error("request header `{0}` cannot be sent: {1:?}")]
    Field(String, String),
    /// A field that the crawler writes itself.
    #[error("request header `{0}` is set by the crawler")]
    Reserved(String),
    /// A proxy that looks names up may connect to addresses that are refused.
    #[error("a proxy that resolves names may lead to private addresses, which are refused")]
    ProxyResolves,
    /// A root certificate that cannot be read.
    #[error("root certificate: {0}")]
    Root(String),
}

/// The codings that every program that replays archives undoes.
const CODINGS: &str = "gzip, br";
/// Those and zstd, which pywb and warcio do not undo.
const CODINGS_WITH_ZSTD: &str = "gzip, br, zstd";

const ACCEPT_DEFAULT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

impl FetchOptions {
    /// The defaults, for this user agent.
    pub fn new(user_agent: impl Into<String>) -> Self {
        Self {
            user_agent: user_agent.into(),
            accept: ACCEPT_DEFAULT.to_owned(),
            accept_language: None,
            accept_zstd: false,
            extra_headers: Vec::new(),
            limits: Limits::default(),
            verify: Verify::default(),
            extra_roots_pem: None,
            protocols: Protocols::default(),
            allow_private: false,
            private_hosts: Vec::new(),
            cookies: None,
            browser_cookies: Vec::new(),
            proxy: None,
        }
    }

    fn fields(&self) -> Result<HeaderMap, ConfigError> {
        let mut fields = HeaderMap::with_capacity(8 + self.extra_headers.len());
        fields.insert(USER_AGENT, value_of("User-Agent", &self.user_agent)?);
        fields.insert(ACCEPT, value_of("Accept", &self.accept)?);
        let codings = if self.accept_zstd { CODINGS_WITH_ZSTD } else { CODINGS };
        fields.insert(ACCEPT_ENCODING, HeaderValue::from_static(codings));
        if let Some(language) = &self.accept_language {
            fields.insert(ACCEPT_LANGUAGE, value_of("Accept-Language", language)?);
        }
        for (name, value) in &self.extra_headers {
            let key = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| ConfigError::Field(name.clone(), value.clone()))?;
            if is_reserved(&key) {
                return Err(ConfigError::Reserved(name.clone()));
            }
            fields.insert(key, value_of(name, value)?);
        }
        Ok(fields)
    }
}

impl FetchConfig {
    /// Checks the options.
    pub fn new(options: &FetchOptions) -> Result<Self, ConfigError> {
        if options.proxy.as_ref().is_some_and(Proxy::resolves) && !options.allow_private {
            return Err(ConfigError::ProxyResolves);
        }
        let shared = Shared {
            limits: options.limits,
            allow_private: options.allow_private,
            private_hosts: options.private_hosts.clone(),
            fields: options.fields()?,
            tls: Tls::new(options.verify, options.protocols, options.extra_roots_pem.as_deref())?,
            cookies: options.cookies.map(CookieJar::new),
            throttle: Throttle::default(),
            browser_cookies: options.browser_cookies.clone(),
            proxy: options.proxy.clone(),
        };
        Ok(Self { shared: Arc::new(shared), spool: None })
    }

    /// Keeps what is beyond the first 256 KiB of a response in a temporary file, and not in memory.
    #[must_use]
    pub(crate) fn with_spool(self, spool: Spool) -> Self {
        Self { spool: Some(Arc::new(spool)), ..self }
    }

    /// Where large responses go.
    pub(super) fn spool(&self) -> Option<Arc<Spool>> {
        self.spool.clone()
    }

    /// The bounds of every exchange.
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// Whether addresses that the [`guard`](super::guard) refuses are connected to.
    pub fn allow_private(&self) -> bool {
        self.shared.allow_private
    }

    /// Whether a host may be connected to at an address.
    pub fn may_connect(&self, host: &str, to: IpAddr) -> bool {
        self.allow_private()
            || guard::is_public(to)
            || self.shared.private_hosts.iter().any(|private| private.fits(host, to))
    }

    /// What all connections go through.
    pub(super) fn proxy(&self) -> Option<&Proxy> {
        self.shared.proxy.as_ref()
    }

    /// Whether the crawler does not look names up, since the proxy does.
    pub(crate) fn leaves_names_to_proxy(&self) -> bool {
        self.proxy().is_some_and(Proxy::resolves)
    }

    /// The value of `Cookie` for a request at this time, if there is any.
    pub(super) fn cookies_for(&self, address: &Address, now_s: u64) -> Option<HeaderValue> {
        let kept = self.cookies().and_then(|jar| jar.value_for(address));
        let given = self.shared.browser_cookies.iter().filter_map(|cookie| cookie.pair_for(address, now_s));
        let given: Vec<String> = given.map(|(name, value)| format!("{name}={value}")).collect();
        if given.is_empty() {
            return kept;
        }
        let kept = kept.as_ref().and_then(|value| value.to_str().ok()).unwrap_or_default();
        // What the browser has goes before what a server has set under the same name.
        let is_other = |pair: &&str| {
            let name = pair.split('=').next().unwrap_or_default();
            !given.iter().any(|own| own.split('=').next() == Some(name))
        };
        let kept = kept.split("; ").filter(|pair| !pair.is_empty()).filter(is_other).map(str::to_owned);
        let pairs: Vec<String> = given.iter().cloned().chain(kept).collect();
        HeaderValue::from_str(&pairs.join("; ")).ok()
    }

    /// How fast all connections together read.
    pub fn throttle(&self) -> &Throttle {
        &self.shared.throttle
    }

    /// The fields of every request, beside the host's name.
    pub(super) fn fields(&self) -> &HeaderMap {
        &self.shared.fields
    }

    pub(super) fn tls(&self) -> &Tls {
        &self.shared.tls
    }

    /// The cookies as text, for the next run, if they are kept and other than at the last call.
    pub fn changed_cookies(&self) -> Option<String> {
        self.cookies().and_then(CookieJar::changed_text)
    }

    /// Takes in cookies that [`FetchConfig::changed_cookies`] gave, if they are to be kept.
    pub fn read_cookies(&self, text: &str) {
        if let Some(jar) = self.cookies() {
            jar.read(text);
        }
    }

    pub(super) fn cookies(&self) -> Option<&CookieJar> {
        self.shared.cookies.as_ref()
    }
}

impl fmt::Debug for FetchConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchConfig")
            .field("limits", self.limits())
            .field("fields", self.fields())
            .finish_non_exhaustive()
    }
}

/// Whether the crawler writes a field itself.
pub fn is_reserved(name: &HeaderName) -> bool {
    [HOST, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, TE, UPGRADE, COOKIE].contains(name)
}

fn value_of(name: &str, value: &str) -> Result<HeaderValue, ConfigError> {
    HeaderValue::from_str(value).map_err(|_| ConfigError::Field(name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zstd_is_asked_for_by_an_option_alone() {
        for (accept_zstd, codings) in [(false, "gzip, br"), (true, "gzip, br, zstd")] {
            let options = FetchOptions { accept_zstd, ..FetchOptions::new("tamis") };
            let config = FetchConfig::new(&options).expect("sound");
            assert_eq!(config.fields()[ACCEPT_ENCODING], codings);
        }
    }

    #[test]
    fn fields_that_cannot_be_sent_are_refused() {
        let with = |name: &str, value: &str| {
            let mut options = FetchOptions::new("tamis (+https://example.org/bot)");
            options.extra_headers.push((name.to_owned(), value.to_owned()));
            FetchConfig::new(&options).map(|config| config.fields().len()).map_err(|error| error.to_string())
        };
        assert_eq!(with("DNT", "1"), Ok(4));
        assert_eq!(with("accept", "*/*"), Ok(3), "a default is replaced");
        assert_eq!(with("X", "a\r\nb"), Err("request header `X` cannot be sent: \"a\\r\\nb\"".to_owned()));
        assert_eq!(with("a b", ""), Err("request header `a b` cannot be sent: \"\"".to_owned()));
        assert_eq!(with("HOST", "x"), Err("request header `HOST` is set by the crawler".to_owned()));
        let error = FetchConfig::new(&FetchOptions::new("a\nb")).expect_err("a line end");
        assert_eq!(error, ConfigError::Field("User-Agent".to_owned(), "a\nb".to_owned()));
    }

    #[test]
    fn roots_that_cannot_be_read_are_refused() {
        let damaged = &b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"[..];
        for pem in [damaged, b"", b"no PEM at all"] {
            let mut options = FetchOptions::new("tamis");
            options.extra_roots_pem = Some(pem.to_vec());
            let refused = FetchConfig::new(&options);
            assert!(matches!(refused, Err(ConfigError::Root(_))), "{:?}", String::from_utf8_lossy(pem));
        }
    }
}
