//! HTML: from characters to a tree.

mod attribute;
mod build;
mod ends;
mod foreign;
mod implied;
mod key;
mod memo;
mod raw;
mod tag;
mod tokenizer;
#[cfg(test)]
mod tokenizer_cases;
mod tree;
pub(crate) mod white_space;

pub use attribute::{Attribute, Name};
pub use build::parse;
pub(crate) use key::Names;
pub(crate) use memo::Memo;
pub use tag::{Tag, trait_bits};
pub use tree::{Node, NodeId, Tree};
pub(crate) use white_space::{push_space, push_words};
