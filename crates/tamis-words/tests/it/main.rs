//! The crate against other implementations and on real text, from outside.

mod tokens;
mod words;
