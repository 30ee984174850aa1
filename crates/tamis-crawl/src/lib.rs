//! The crawler: which addresses are new, whose turn it is, what may be fetched, and how it is fetched and kept.

mod address;
mod error;
mod spares;

pub mod assign;
pub mod crawl;
pub mod fetch;
pub mod focus;
pub mod page;
pub mod robots;
pub mod scope;
pub mod sieve;
pub mod sitemap;
pub mod workbench;

pub use address::{Address, Scheme};
pub use error::{Error, Result};
