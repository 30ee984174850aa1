//! A simulated web.

mod answer;
mod audit;
mod coding;
mod connection;
mod dice;
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
