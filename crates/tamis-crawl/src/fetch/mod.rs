//! One exchange with a server, kept byte for byte.
//!
//! The way of a request: [`candidates`] asks a [`Resolve`] for the host's addresses and leaves those out that the
//! [`guard`] refuses; [`Connection::open`] connects to one of them; [`Connection::get`] gives an [`Exchange`] or says
//! by a [`Failure`] why there is none. Nothing is spawned: a connection works only while one of its futures is polled,
//! so that to drop it ends everything it does. Futures are `Send` and run on any tokio runtime with I/O and time.
//!
//! - Redirects are not followed: they are new addresses.
//! - No connection is made to the [`ports`] of other protocols.
//! - Cookies and credentials are neither sent nor kept over TLS whose certificate failed the check: see [`TlsInfo`].
//! - Over HTTP/1.1 the bytes are those of the wire: chunks, content codings, spelling of names. Interim answers (1xx)
//!   are dropped, because readers of archives take the first status line for that of the answer.
//! - Over HTTP/2 the heads are written down as HTTP/1.1, which is what readers of archives know;
//!   [`Exchange::protocol`] says what was spoken. The body is what the data frames held.
//! - Every phase ends: see [`Limits`]. An answer whose head is whole becomes an exchange, be it [`Truncated`];
//!   anything less is a [`Failure`].
//! - User and password of a host go over TLS alone, unless they are set otherwise, and records have `(withheld)` in their place.
//!
//! Memory of a connection: the read buffer (8 KiB, growing to 64 KiB for large bodies), and the response being read: 256 KiB in a
//! crawl, which has a folder for the rest, else at most [`Limits::max_head_bytes`], [`Limits::max_body_bytes`] and one read buffer.

mod browser_cookies;
mod certificate;
mod config;
mod connection;
mod cookies;
mod credentials;
mod exchange;
mod failure;
pub mod guard;
mod hosts;
mod http1;
mod http2;
mod limits;
pub mod ports;
mod private_hosts;
pub(crate) mod proxy;
mod received;
mod resolve;
mod stream;
mod system;
mod tee;
mod throttle;
mod tls;
mod watch;

#[cfg(test)]
mod tests;

pub use browser_cookies::{BrowserCookie, NoCookie};
pub use certificate::{CertificateCheck, CertificateFault};
pub use config::{ConfigError, FetchConfig, FetchOptions, Protocols, is_reserved};
pub use connection::Connection;
pub use cookies::CookieLimits;
pub use credentials::Credentials;
pub use exchange::{Exchange, Protocol, Truncated};
pub use failure::Failure;
pub use hosts::{Hosts, HostsError};
pub use limits::Limits;
pub use private_hosts::{NoPrivateHost, PrivateHost};
pub use proxy::{NoProxy, Proxy};
pub use received::ResponseReader;
pub(crate) use received::Spool;
pub use resolve::{Resolve, Resolved, Zone, candidates, candidates_for};
pub use system::{DnsOptions, SystemResolver};
pub use throttle::Throttle;
pub use tls::{TlsInfo, Verify};
