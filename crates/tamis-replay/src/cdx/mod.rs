//! The semantics of CDX servers.
//!
//! A [`Request`] is read from the query string in one of two dialects, [`select`] picks its entries from those of an index in
//! their order, and a [`Writer`] writes them.

mod field;
mod filter;
mod output;
mod request;
mod select;

pub use field::Field;
pub use filter::Filter;
pub use output::Writer;
pub use request::{BadRequest, Collapse, Dialect, Order, Output, Page, Request, ResumeKey};
pub use select::{MAX_ORDERED, SelectError, Selected, select};

/// Entries per block: the unit of `pageSize`, as in ZipNum indexes.
pub const BLOCK_ENTRIES: u64 = 3000;
