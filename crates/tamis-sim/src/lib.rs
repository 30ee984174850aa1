//! A simulated web: hosts, pages and links that follow from a seed, a server that can misbehave, an oracle that knows
//! what there is to find, and an audit of who came to fetch it.
//!
//! ```text
//! WorldOptions ──▶ World ──▶ answer(url)   a pure function: nothing of a page is stored
//!                    ├─────▶ oracle(seeds) every URL that a perfect crawler fetches
//!                    └─────▶ serve()       sockets in 127.0.0.0/8 ──▶ log ──▶ audit(rules), asked()
//! ```
//!
//! - **URLs** are compared as the WHATWG URL standard spells them, without fragment. They have the default ports;
//!   [`Running::hosts_file`] says on which address and port a host listens. That port speaks HTTP and TLS, whichever
//!   the client begins with; [`Running::ca_pem`] is the certificate to trust. Every address is a proxy, too.
//! - **Pages**: the articles of a host form a tree below its first page, so all can be reached. What is not an article
//!   ([`Special`]) hangs on one. Many specials lead to a page that nothing else leads to: whoever does not follow a
//!   redirect, come again after a 429 or read a sitemap misses it, and whoever does not obey `nofollow` has it.
//! - **What cannot be sure is left out.** Pages that end badly have no links, so it does not matter how much of them a
//!   crawler reads. Copies have the same links wherever they stand, so it does not matter which is met first and
//!   whether the links of the others are followed. Traps are endless and no part of what the oracle says, unless asked
//!   for; [`World::is_trap`] tells them. With a limit of depth the oracle goes by the shortest way, which a crawler
//!   knows only if it works breadth first.
//! - **Series** ([`Special::SERIES`]) are pages that are alike but for numbers: registers, catalogues, galleries and diaries end and are part of what the
//!   oracle says; mazes, pages of results and labyrinths do not and are traps.
//! - **Refusals** (429, 503 with `Retry-After`) are the only state, a counter in the server.
//! - **The audit** goes by the server's clock: a request begins when its head is there; an answer ends right before the
//!   write that takes its last byte, so that a server that is put to sleep after it makes no pause look shorter. A busy
//!   server sees requests late and pauses too long; it never blames a crawler for its own delays. One exception: a
//!   client that leaves within an answer is gone when the server notices.
//! - **Memory**: some 5 MB of text and 100 bytes a host for a world; some 150 bytes a request for the log, which is kept
//!   until the server ends; some 300 bytes a URL for the oracle.
//!
//! ```
//! use std::sync::Arc;
//! use tamis_sim::{AuditRules, OracleRules, ServeOptions, World, oracle, serve};
//!
//! let world = Arc::new(World::polite_test(1, 20, 200));
//! let expected = oracle(&world, world.seeds(1), &OracleRules::default());
//! let running = serve(world, &ServeOptions::default())?;
//! // … crawl with `running.hosts_file()` and `running.ca_pem()`, then:
//! let audit = running.audit(&AuditRules { host_delay_ms: 100, ..AuditRules::default() });
//! assert_eq!(audit.faults.count(), 0);
//! assert!(running.asked().pages.is_subset(&expected.pages));
//! # Ok::<(), std::io::Error>(())
//! ```

mod answer;
mod audit;
mod coding;
mod connection;
mod dice;
mod event;
mod host;
mod hostile;
mod links;
mod log;
mod options;
mod oracle;
mod page;
mod queue;
mod request;
mod robots;
mod series;
mod server;
mod sitemap;
mod spell;
mod spot;
#[cfg(test)]
mod tests;
mod text;
mod tls;
mod world;

pub use answer::{Answer, Coding, Conduct, Framing, Refusals};
pub use audit::{AtOnce, Audit, AuditRules, Faults, Finding, HostAudit, Pauses};
pub use options::{ArticleShares, Quirk, RobotsKind, SitemapKind, Special, WorldOptions};
pub use oracle::{OracleRules, Reach, oracle};
pub use server::{Running, ServeOptions, serve};
pub use world::World;
