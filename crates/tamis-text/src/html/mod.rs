//! HTML: from characters to a tree.

mod attribute;
mod build;
mod tag;
mod tokenizer;
mod tree;

pub use attribute::{Attribute, Name};
pub use build::parse;
pub use tag::{Tag, trait_bits};
pub(crate) use tree::push_words;
pub use tree::{Node, NodeId, Tree};
