//! Web archives as a table, collections as folders.
//!
//! [`Pages`] is a DataFusion table over archives whose columns are computed when they are asked for; [`query`] runs
//! SQL over it; [`collection`] keeps archives and what was made of them in a folder,
//! [`materialise`] computes its columns once and for all, [`dedup`] finds pages that are there more than once. The crate knows Arrow, DataFusion and Parquet, and no command line.

mod build;
mod catalog;
pub mod collection;
pub mod column;
pub mod dedup;
mod functions;
pub mod language;
pub mod ledger;
pub mod materialise;
mod members;
mod meter;
mod pages;
pub mod query;
mod relevance;
mod scan;
pub mod sink;
mod source;
mod stage;
pub mod tweets;

pub use catalog::catalog;
pub use collection::Collection;
pub use column::{COLUMNS, Column};
pub use functions::{FUNCTIONS, Function};
pub use ledger::Ledger;
pub use members::{Members, members, narrow_to_urls};
pub use meter::metric_name;
pub use pages::{Cut, Member, Order, Pages};
pub use relevance::Relevance;
pub use scan::kept::{LostPart, PartFile};
pub use scan::{Context, Detector, Limits};
pub use stage::Stages;

pub use datafusion::arrow::array::RecordBatch;
pub use datafusion::arrow::datatypes::SchemaRef;
