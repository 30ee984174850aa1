//! Web archives as a table.
//!
//! [`Pages`] is a DataFusion table over archives whose columns are computed on demand; [`query`] runs SQL over it;
//! [`materialise`] computes columns of a collection and keeps them, [`dedup`] finds duplicate pages. The crate knows Arrow,
//! DataFusion and Parquet, and no command line.

mod article;
mod build;
mod catalog;
pub mod column;
pub mod dedup;
mod footer;
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

pub use catalog::catalog;
pub use column::{COLUMNS, Column};
pub use footer::is_contained;
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
