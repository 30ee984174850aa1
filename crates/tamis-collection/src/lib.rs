//! The files of a collection that several crates read and write: one definition of each format.

mod error;
pub mod links;
pub mod relevance;

pub use error::{Error, Result};
