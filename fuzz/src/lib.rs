//! What the fuzz targets do with their bytes.
//!
//! The tests of `tamis-archive` include this file, too, and go over the kept corpus with it on stable Rust. So the
//! modules name each other by `super`, and nothing here knows libfuzzer.

pub mod archive;
pub mod cdx;
pub mod http;
mod recipe;
pub mod small;
mod trickle;
pub mod wacz;
