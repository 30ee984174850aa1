//! Sketches of pages, and the search among them.
//!
//! [`simhash`] makes a fingerprint of 64 bits of a text, such that texts that are nearly the same have fingerprints that
//! differ in few bits; [`hamming`] finds those among millions.

pub mod hamming;
pub mod pack;
pub mod simhash;
