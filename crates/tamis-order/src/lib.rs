//! Sketches of pages, the search among them, and orders in which pages compress well.
//!
//! [`simhash`] makes a fingerprint of 64 bits of a text, such that texts that are nearly the same have fingerprints that
//! differ in few bits; [`hamming`] finds those among millions. [`sketch`] makes larger sketches that tell how much two pages
//! have in common, [`NormalForm`] the texts that they are made of; [`order`] puts pages with much in common next to each other;
//! [`cluster`] finds those that are the same or nearly so; [`pack`] is an archive in such an order, compressed.

pub mod cluster;
pub mod hamming;
mod normal_form;
pub mod order;
pub mod pack;
mod runs;
pub mod simhash;
pub mod sketch;

pub use normal_form::NormalForm;
