//! Orders of pages in which they compress well: those that resemble each other stand near each other.
//!
//! All begin with [`SurtOrder`], the order of sorted addresses, in which pages of a site stand together. [`path`] follows
//! resemblance across sites, and goes back to sorted addresses wherever that measures smaller. [`ReferenceOrder`] is the order
//! of the reference: groups of similar pages, each sorted by address.
//!
//! Pages come in the order of the crawl with what is known of them; what comes out are record numbers in the new order.
//! The same pages give the same order for any number of threads and any memory that holds a segment.

mod measured;
mod path;
mod reference;
mod surt;
mod values;

use std::io;

pub use path::{Ordered, PathSettings, Segment, path};
pub use reference::ReferenceOrder;
pub use surt::{Page, SortedPages, SurtOrder};
pub use tamis_files::Space;

/// Gives records again, to measure how well they compress.
pub trait Records: Sync {
    /// Appends a record, as it will be compressed.
    fn read(&self, record: u64, to: &mut Vec<u8>) -> io::Result<()>;
}

impl<F: Fn(u64, &mut Vec<u8>) -> io::Result<()> + Sync> Records for F {
    fn read(&self, record: u64, to: &mut Vec<u8>) -> io::Result<()> {
        self(record, to)
    }
}
