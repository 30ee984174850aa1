//! Indexes of archives: CDX, CDXJ and ZipNum, read, written, sorted and looked up.
//!
//! A line of an index says where the capture of a URL lies: [`CdxEntry`]. [`CdxReader`] reads lines of every dialect,
//! [`Sorter`] brings them into order in bounded memory, [`ZipNumWriter`] packs them, [`Index`] answers a [`Query`].
//! [`info`] turns an index round, to a file for each archive. [`post_query`] makes the part of a key that tells requests with a body apart.

mod entry;
mod files;
mod from_record;
mod index;
pub mod info;
mod json;
mod legend;
mod lines;
mod post_query;
mod query;
mod reader;
mod search;
mod source;
mod zipnum;

pub use entry::CdxEntry;
pub use files::{Files, Folder, ReadSeek};
pub use from_record::{IndexOptions, Indexer};
pub use index::{Index, Matches};
pub use legend::Legend;
pub use post_query::{post_query, request_body};
pub use query::{MatchType, Matcher, Query};
pub(crate) use reader::parse_own_cdxj;
pub use reader::{BadLine, CdxReader, LineParser};
pub use tamis_files::sort::{SortOptions, SortedLines, Sorter};
pub use zipnum::{IdxStyle, ZipNumBlock, ZipNumWriter};
