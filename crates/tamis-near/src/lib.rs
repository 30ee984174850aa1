//! Sketches of pages, and clusters of near-duplicates.
//!
//! [`simhash`] makes a fingerprint of 64 bits of a text: texts that are nearly the same have fingerprints that differ in few bits.
//! [`hamming`] finds such fingerprints among millions. [`sketch`] makes larger sketches, which estimate how much two pages have in
//! common, from the texts of a [`NormalForm`]. [`cluster`] finds pages that are the same or nearly so.

pub mod cluster;
pub mod hamming;
mod normal_form;
pub mod simhash;
pub mod sketch;

pub use normal_form::NormalForm;
